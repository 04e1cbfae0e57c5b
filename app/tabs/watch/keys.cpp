// Watch's own keys: within an interval, and what the array view shows.
#include "app/shell/commands.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/tabs/watch/watch_state.hpp"

namespace bscope {
namespace {

template <int By>
void launch(State& s, Kept&) {
  const int to = s.cursor.launch + By;
  s = to_launch(std::move(s), to);
}
void words(State& s, Kept&) { s.of<WatchState>().words = !s.of<WatchState>().words; }
void flags(State& s, Kept&) { s.of<WatchState>().hand_over = !s.of<WatchState>().hand_over; }
bool several_launches(const State& s, const Kept&) { return s.run && s.run->trace.launches.size() > 1; }
bool several_blocks(const State& s, const Kept&) {
  return s.run && !s.run->trace.launches.empty() && s.run->trace.launches[size_t(s.cursor.launch)].grid > 1;
}

const RegisterCommand substeps[]{
    RegisterCommand{{.id = "substep.next",
                     .group = later("Steps"),
                     .title = later("Go one warp instruction on within the step"),
                     .keys = {ImGuiKey_Period},
                     .run = step<next_substep>,
                     .repeats = true}},
    RegisterCommand{{.id = "substep.previous",
                     .group = later("Steps"),
                     .title = later("Go one warp instruction back"),
                     .keys = {ImGuiKey_Comma},
                     .run = step<previous_substep>,
                     .repeats = true}},
};
const RegisterCommand places[]{
    RegisterCommand{{.id = "launch.next",
                     .group = later("Steps"),
                     .title = later("Show the next launch"),
                     .keys = {ImGuiMod_Shift | ImGuiKey_PageDown},
                     .run = launch<1>,
                     .can = several_launches}},
    RegisterCommand{{.id = "launch.previous",
                     .group = later("Steps"),
                     .title = later("Show the launch before"),
                     .keys = {ImGuiMod_Shift | ImGuiKey_PageUp},
                     .run = launch<-1>,
                     .can = several_launches}},
};
const RegisterCommand looks[]{
    RegisterCommand{{.id = "watch.hand_over",
                     .group = later("View"),
                     .title = later("Show how the selected flag was handed over"),
                     .keys = {},
                     .run = flags,
                     .tab = "watch"}},
    RegisterCommand{{.id = "array.next",
                     .group = later("View"),
                     .title = later("Show the next array"),
                     .keys = {ImGuiKey_G},
                     .run = step_by<next_array, 1>,
                     .tab = "watch"}},
    RegisterCommand{{.id = "array.previous",
                     .group = later("View"),
                     .title = later("Show the array before"),
                     .keys = {ImGuiMod_Shift | ImGuiKey_G},
                     .run = step_by<next_array, -1>,
                     .tab = "watch"}},
    RegisterCommand{{.id = "watch.words",
                     .group = later("View"),
                     .title = later("Show which inputs each cell holds, or its value"),
                     .keys = {ImGuiKey_C},
                     .run = words,
                     .tab = "watch"}},
    RegisterCommand{{.id = "watch.blocks",
                     .group = later("View"),
                     .title = later("Show all blocks small, or one"),
                     .keys = {ImGuiKey_B},
                     .run = step<all_blocks>,
                     .tab = "watch",
                     .can = several_blocks}},
    RegisterCommand{{.id = "watch.arrays",
                     .group = later("View"),
                     .title = later("Show all arrays small, or one"),
                     .keys = {ImGuiMod_Alt | ImGuiKey_G},
                     .run = step<all_arrays>,
                     .tab = "watch"}},
};

}  // namespace
}  // namespace bscope
