#include "app/run/titles.hpp"

#include "app/run/run.hpp"
#include "app/words/words.hpp"

namespace bscope {

std::string title_of(const std::string& kernel) {
  if (const Algorithm* a = algorithm_of(kernel); a && !a->title.empty()) return a->title;
  return kernel.substr(kernel.find('/') + 1);
}

std::string full_title(const std::string& kernel) {
  const Algorithm* a = algorithm_of(kernel);
  if (!a) return kernel;
  return said(a->title) + (a->family() == "mistakes" ? "" : " " + said(a->family()));
}

}  // namespace bscope
