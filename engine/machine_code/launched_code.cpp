#include "engine/machine_code/launched_code.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <vector>

#include "engine/catalog/catalog.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {

Problem problem_of(const Trace& t) {
  Problem p;
  const auto number = [](const std::string& text) {
    int n = 0;
    std::from_chars(text.data(), text.data() + text.size(), n);
    return std::max(0, n);
  };
  for (const auto& [name, value] : t.parameters) {
    if (name == "block")
      p.block = number(value);
    else if (name != "n")
      p.set[name] = value;
  }
  if (t.input >= 0 && size_t(t.input) < t.arrays.size())
    p.data.assign(size_t(t.arrays[size_t(t.input)].size), 0.0);
  return p;
}

LaunchedCode launched_code(const Trace& t, size_t launch, const std::filesystem::path& folder) {
  const auto none = [](LaunchedCode::Why why) { return LaunchedCode{.why = why}; };
  if (t.dialect == Dialect::cuda) return none(LaunchedCode::own_program);
  const auto& all = catalog();
  const auto a = std::ranges::find(all, t.kernel, &Algorithm::name);
  if (a == all.end()) return none(LaunchedCode::unknown_kernel);
  std::vector<LaunchedForm> forms;
  try {
    if (const Problem p = problem_of(t); p.block > 0) forms = (*a)->forms(p);
  } catch (const std::exception&) { forms.clear(); }  // a file's parameters are somebody's text
  if (launch >= t.launches.size() || forms.size() != t.launches.size() ||
      forms[launch].launch != t.launches[launch].name)
    return none(LaunchedCode::other_launches);
  if (folder.empty()) return none(LaunchedCode::no_assets);
  const std::string file = machine_code_file(forms[launch].key);
  LaunchedCode out;
  try {
    out.code = load_machine_code(folder / file, forms[launch].key);
  } catch (const BadFile&) { return none(LaunchedCode::unreadable); }
  if (!out.code) return none(LaunchedCode::no_such_form);
  const Launch& l = t.launches[launch];
  out.shared_bytes = out.code->shared + l.shared_bytes;
  out.occupancy = occupancy(l.block, out.code->registers, out.shared_bytes);
  return out;
}

}  // namespace bscope
