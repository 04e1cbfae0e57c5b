#include "app/session/choices.hpp"

#include <algorithm>
#include <sstream>

#include "app/run/target.hpp"
#include "app/session/input.hpp"
#include "app/session/run_choice.hpp"
#include "app/session/state.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/run_spec.hpp"

namespace bscope {
namespace {

/// The open run's input for a kernel that may be of another family, which may not take it: then as many
/// values of its own.
RunSpec shared_input(const LoadedState& s, const std::string& kernel) {
  const auto n = (long long)s.run->report.input.size();
  const bool family = s.run->trace.kernel.starts_with(find(kernel).family() + "/");
  RunSpec r =
      carried(s.target.is_file() ? changeable(s.target, *s.run) : s.target.request, *s.run, kernel).request;
  r.block = family ? s.target.request.block : std::nullopt;
  if (!r.values && !r.image && r.preset.empty()) r.n = n;
  return r;
}

}  // namespace

void put(RunSpec& r, const std::string& name, const std::string& value) {
  const auto there = std::ranges::find(r.set, name, [](const auto& s) { return s.first; });
  if (there != r.set.end())
    there->second = value;
  else
    r.set.emplace_back(name, value);
}

std::string order_of(const Target& t) {
  return t.schedule.kind == Schedule::shuffled ? "shuffled" : order_of(t.schedule);
}

void set_order(Target& t, const std::string& order) {
  std::vector<LeftOut> without = std::move(t.schedule.without);
  t.schedule = parse_schedule(order == "shuffled" ? "shuffle:" + std::to_string(t.request.seed) : order);
  t.schedule.without = std::move(without);
}

void take_parameters(RunSpec& r, const RunChoice& c) {
  if (c.block) r.block = c.block;
  std::istringstream settings(c.set);
  for (std::string setting; settings >> setting;)
    if (const size_t equals = setting.find('='); equals != std::string::npos)
      put(r, setting.substr(0, equals), setting.substr(equals + 1));
  const auto& declared = find(r.kernel).parameters;
  std::erase_if(r.set, [&](const auto& setting) {
    return std::ranges::find(declared, setting.first, &Parameter::name) == declared.end();
  });
}

/// Constants of a program, as the parameters of a kernel are chosen: "PAD=1".
static void take_constants(cuda::Program& p, const RunChoice& c) {
  std::istringstream settings(c.set);
  for (std::string setting; settings >> setting;) {
    cuda::Setting one = cuda::parse_setting(setting);
    std::erase_if(p.constants,
                  [&](const cuda::Setting& o) { return o.name == one.name && o.line == one.line; });
    p.constants.push_back(std::move(one));
  }
}

Target target_of(const RunChoice& c, const LoadedState& s) {
  Target t = s.target;
  t.file = c.file;
  if (t.is_file()) {
    if (t.file != s.target.file) t.program = {};  // how the open one is compiled says nothing of another
    take_constants(t.program, c);
    return t;
  }
  t.request = shared_input(s, c.kernel);
  if (c.n) {
    t.request = without_given(std::move(t.request));
    t.request.n = c.n;
  }
  take_parameters(t.request, c);
  return t;
}

std::string neighbour(const std::vector<const Algorithm*>& all, const std::string& kernel, int by) {
  if (all.empty()) return kernel;
  const auto at = std::ranges::find(all, kernel, &Algorithm::name);
  const int n = int(all.size()), here = at == all.end() ? (by > 0 ? -1 : 0) : int(at - all.begin());
  return all[size_t((here + by + n) % n)]->name;
}

}  // namespace bscope
