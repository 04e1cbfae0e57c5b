// Atomics: one input's keys counted by two kernels, and by one without atomics.
#include "app/session/tab.hpp"

#include "app/parts/caption.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/atomics/steps.hpp"

namespace bscope {
namespace {

Picture picture_of(const TabScene& scene, float w, float h) {
  return atomics_view(scene.state.of<AtomicsState>().queues->model, look_of(scene.state), scene.theme,
                      scene.metrics, w, h);
}

State needs(State s) {
  s = with_queues(std::move(s));
  if (!s.error.empty() && s.error_at == Where::queues) throw UsageError(s.error);
  return s;
}

Caption caption(const State& s) {
  const AtomicsRuns& runs = *s.of<AtomicsState>().queues;
  const Trace &left = runs.left->trace, &right = runs.right->trace;
  return {both(full_title(left.kernel), full_title(right.kernel)), parameters_of(s, left, &right), {}, {}};
}

const RegisterTab atomics{{.name = "atomics",
                           .title = later("Atomics"),
                           .key = '4',
                           .looks = later("Look at atomics' queues"),
                           .state = remembers<AtomicsState>(),
                           .picture = picture_of,
                           .needs = needs,
                           .caption = caption,
                           .time = atomics_time,
                           .at_time = at_atomics_time}};

}  // namespace
}  // namespace bscope
