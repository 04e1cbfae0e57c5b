// Banks: the chosen step's requests to shared memory, and how the banks serve them.
#include "app/parts/pattern_controls.hpp"
#include "app/parts/request_tab.hpp"
#include "app/tabs/banks/banks_state.hpp"
#include "app/tabs/banks/picture.hpp"
#include "app/tabs/banks/scene.hpp"

namespace bscope {
namespace {

RequestScene scene_of(const TabScene& scene, BanksTabData& data) {
  return banks_scene(scene.state, scene.model, scene.services.of<RunStore>(), data.sweeps, scene.patience);
}

using Banks = RequestTab<BanksState, BanksTabData, MemorySpace::shared, scene_of, banks_view>;
const RegisterTab banks{Banks::with(
    {.name = "banks",
     .title = tr_noop("Banks"),
     .key = '2',
     .looks = tr_noop("Look at shared memory's banks"),
     .commands = {
         {"beside", tr_noop("Show the padded twin, or hide it"), {"B"}, [](LoadedState& s, TabServices&) {
            s.of<BanksState>().beside = !s.of<BanksState>().beside;
          }}}})};

}  // namespace
}  // namespace bscope
