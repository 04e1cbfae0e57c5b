// Compare: the open run beside any other, by default the next of its family.
#include "app/session/tab.hpp"

#include "app/measure/recorded.hpp"
#include "app/parts/caption.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/compare/steps.hpp"
#include "app/words/counting.hpp"

namespace bscope {
namespace {

Picture picture_of(const TabScene& scene, float w, float h) {
  const CompareState& look = scene.state.of<CompareState>();
  return compare_view(*look.comparison, {look.sync, look.scale, look.position}, recorded_curves(),
                      scene.theme, scene.metrics, w, h);
}

State needs(State s) {
  s = compared(std::move(s));
  if (!s.error.empty() && s.error_at == Where::compare) throw UsageError(s.error);
  return s;
}

Caption caption(const State& s) {
  const CompareState& look = s.of<CompareState>();
  const Trace &left = s.run->trace, &right = look.comparison->runs[1]->trace;
  const size_t all = look.comparison->steps[size_t(look.sync)].size();
  return {both(full_title(left.kernel), full_title(right.kernel)), parameters_of(s, left, &right),
          say("step {} of {}", std::min(step_number(look.position), int(all)), all),
          say("step {} of {}", step_number(int(all) - 1), all)};
}

const RegisterTab compare{{.name = "compare",
                           .title = later("Compare"),
                           .key = '5',
                           .looks = later("Compare two runs"),
                           .state = remembers<CompareState>(),
                           .picture = picture_of,
                           .needs = needs,
                           .caption = caption,
                           .time = compare_time,
                           .at_time = at_compare_time}};

}  // namespace
}  // namespace bscope
