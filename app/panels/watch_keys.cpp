// Watch's own keys: within an interval, and what the array view shows.
#include "app/panels/commands.hpp"
#include "app/state/watch_steps.hpp"

namespace bscope {
namespace {

template <State (*Step)(State)>
void step(State& s, Kept&) {
  s = Step(std::move(s));
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

}  // namespace
}  // namespace bscope
