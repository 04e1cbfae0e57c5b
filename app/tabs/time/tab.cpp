// Time: what full-size runs cost, measured here and recorded elsewhere.
#include "app/session/tab.hpp"

#include "app/measure/recorded.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/time/picture.hpp"

namespace bscope {
namespace {

Picture picture_of(const TabScene& scene, float w, float h) {
  const TimeState& look = scene.state.of<TimeState>();
  TimeInput in;
  in.kernel = scene.state.run->trace.kernel;
  if (scene.live) in.live = *scene.live;
  in.look = look;
  in.recorded = recorded_curves();
  if (const Algorithm* a = algorithm_of(in.kernel)) in.parameters = a->parameters;
  if (const auto found = gpu(&in.no_gpu)) in.gpu = found->name;
  if (look.facet == TimeFacet::roofline)
    for (const auto& key : time_work(in)) in.counted[key] = count_work(key.first, key.second);
  return time_view(in, scene.theme, scene.metrics, w, h);
}

Caption caption(const State& s) {
  const TimeState& look = s.of<TimeState>();
  return {full_title(s.run->trace.kernel), say("at full size, N = 2^{}, {}", look.log_n, look.type), {}, {}};
}

const RegisterTab time_tab{{.name = "time",
                            .title = later("Time"),
                            .key = '6',
                            .looks = later("Look at full-size times"),
                            .state = remembers<TimeState>(),
                            .picture = picture_of,
                            .caption = caption,
                            .plays = false}};

}  // namespace
}  // namespace bscope
