// Schedule: when which block ran where on a GPU, recorded by the kernels' stamped form.
#include "app/session/tab.hpp"

#include "app/draw/picture.hpp"
#include "app/measure/timeline_bench.hpp"
#include "app/run/titles.hpp"
#include "app/session/state.hpp"
#include "app/session/tab_services.hpp"
#include "app/session/tab_state_of.hpp"
#include "app/tabs/schedule/picture.hpp"
#include "app/tabs/schedule/record.hpp"
#include "app/tabs/schedule/schedule_state.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/timing/timeline.hpp"

namespace bscope {
namespace {

Picture picture_of(const TabScene& scene, float w, float h) {
  return schedule_view(schedule_input(scene.state, scene.services), scene.theme, scene.metrics, w, h);
}

uint64_t changes(const TabScene& scene) { return scene.services.of<TimelineBench>().version(); }

Caption caption(const LoadedState& s) {
  return {full_title(s.run->trace.kernel), tr("as it ran on a GPU"), {}, {}};
}

const RegisterTab schedule{{.name = "schedule",
                            .title = tr_noop("Schedule"),
                            .key = '7',
                            .looks = tr_noop("Look at when blocks ran on a GPU"),
                            .state = remembers<ScheduleState>(),
                            .picture = picture_of,
                            .narrow_height = 1500,
                            .changes = changes,
                            .caption = caption,
                            .reads = is_timeline,
                            .open_recording = open_timeline,
                            .controls = {schedule_controls().begin(), schedule_controls().end()},
                            .commands = {{"record",
                                          tr_noop("Record this kernel on the GPU"),
                                          {"Ctrl+Enter"},
                                          record_schedule,
                                          false,
                                          [](const LoadedState&, const TabServices& services) {
                                            return !services.of<TimelineBench>().gpu().empty();
                                          }}},
                            .plays = false}};

}  // namespace
}  // namespace bscope
