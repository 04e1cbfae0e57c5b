#include "app/run/titles.hpp"

#include "app/run/run.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

std::string title_of(const std::string& kernel) {
  if (const Algorithm* a = algorithm_of(kernel); a && !a->title.empty()) return a->title;
  return kernel.substr(kernel.find('/') + 1);
}

std::string full_title(const std::string& kernel) {
  const Algorithm* a = algorithm_of(kernel);
  if (!a) return kernel;
  const std::string suffix = family_of(kernel).suffix;
  return tr(a->title) + (suffix.empty() ? "" : " " + tr(suffix));
}

bool is_named_by_user(const Trace& trace, const Launch& l) {
  return trace.dialect == Dialect::cuda && !l.name.empty() && !is_between_launches(l);
}

std::string launch_title(const Trace& trace, const Launch& l) {
  return is_named_by_user(trace, l) ? l.name : translated(l.name);
}

std::string_view template_name(std::string_view kernel) { return kernel.substr(0, kernel.find('<')); }

std::string numbered(const Trace& trace, const Launch& l, const std::string& number, const std::string& gap) {
  if (is_between_launches(l)) return launch_title(trace, l);
  return l.name.empty() ? number : number + gap + launch_title(trace, l);
}

std::string family_name(const std::string& family) { return tr(family_of(family).title); }

std::string meaning_of(const Parameter& p) { return tr(p.hint); }

}  // namespace bscope
