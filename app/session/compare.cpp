// Compare: which second run is asked for, and where both stand.
#include <algorithm>
#include <utility>

#include "app/session/choices.hpp"
#include "app/session/input.hpp"
#include "app/session/opening.hpp"
#include "app/session/state.hpp"
#include "app/tabs/compare/picture.hpp"

namespace bscope {
namespace {

/// The open run's input for a kernel that may be of another family, which may not take it: then as many
/// values of its own.
Request shared_input(const State& s, const std::string& kernel) {
  const auto n = (long long)s.run->report.input.size();
  const bool family = s.run->trace.kernel.starts_with(find(kernel).family() + "/");
  Request r =
      carried(s.target.is_file() ? changeable(s.target, *s.run) : s.target.request, *s.run, kernel).request;
  r.block = family ? s.target.request.block : std::nullopt;
  if (!r.values && !r.image && r.preset.empty()) r.n = n;
  return r;
}

/// Where the comparison is looked at from the cursor, and the cursor from there.
State agree(State s) {
  const auto& steps = s.comparison->steps[size_t(s.compare.sync)];
  const auto& rows = s.comparison->sides[0].rows;
  if (rows.empty()) return s;
  s.compare.position = std::clamp(s.compare.position, 0, int(steps.size()) - 1);
  const auto shows = [&](const std::array<int, 2>& step) {
    const auto& row = rows[size_t(step[0])];
    return row.launch == s.cursor.launch && row.interval == s.cursor.interval;
  };
  if (shows(steps[size_t(s.compare.position)])) return s;
  const auto found = std::ranges::find_if(steps, shows);
  if (found != steps.end()) s.compare.position = int(found - steps.begin());
  return s;
}

}  // namespace

Target target_of(const RunChoice& c, const State& s) {
  Target t = s.target;
  t.file = c.file;
  if (t.is_file()) return t;
  t.request = shared_input(s, c.kernel);
  if (c.n) {
    t.request = without_given(std::move(t.request));
    t.request.n = c.n;
  }
  take_parameters(t.request, c);
  return t;
}

RunChoice right_of(const State& s) {
  RunChoice right = s.compare.right;
  if (right.file.empty() && right.kernel.empty()) right.kernel = next_rung(s.run->trace.kernel);
  return right;
}

State compared(State s, const Open& open) {
  const RunChoice right = right_of(s);
  // the same choice on the same run was made, or failed, already
  if (s.compared_to == right) return s.comparison ? agree(std::move(s)) : s;
  s.compared_to = right;
  const auto before = std::exchange(s.other, nullptr);
  const auto shown = std::exchange(s.comparison, nullptr);
  if (s.error_at == Where::compare) {
    s.error.clear();
    s.error_at = Where::nowhere;
  }
  try {
    if (right.file.empty() && right.kernel.empty())
      throw UsageError(say("This kernel is alone in its family: choose what to compare it with."));
    s.other = open(target_of(right, s));
    s.comparison = std::make_shared<const Comparison>(comparison(s.run, s.other));
  } catch (const std::exception& e) {
    s.error = failure(e);
    s.error_at = Where::compare;
    // beside a length or a parameter that is refused, the last good run of the kernel stays
    const bool stays = shown && right.file.empty() && before->trace.kernel == right.kernel;
    s.other = stays ? before : nullptr;
    s.comparison = stays ? shown : nullptr;
    return s;
  }
  return agree(std::move(s));
}

State with_other(State s, const std::string& kernel, const Open& open) {
  s.compare.right = {.kernel = kernel};
  s.comparison.reset();
  s.compared_to.reset();
  return compared(std::move(s), open);
}

State with_other(State s, const Target& target, const Open& open) {
  s.compare.right = {.file = target.file, .kernel = target.is_file() ? "" : target.request.kernel};
  s.comparison.reset();
  s.compared_to.reset();
  return compared(std::move(s), open);
}

}  // namespace bscope
