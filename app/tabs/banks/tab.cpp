// Banks: the chosen step's requests to shared memory, and how the banks serve them.
#include "app/session/tab.hpp"

#include "app/parts/caption.hpp"
#include "app/parts/partners.hpp"
#include "app/parts/pattern_controls.hpp"
#include "app/tabs/banks/banks_state.hpp"
#include "app/tabs/banks/picture.hpp"

namespace bscope {
namespace {

/// Looks what there is by now, and asks for another picture where strides are left to run.
uint64_t changes(const TabScene& scene) {
  auto& kit = scene.kit.of<BanksKit>();
  kit.scene =
      banks_scene(scene.state, scene.model, kit.twins, kit.pattern, scene.patience, beside_frames(scene));
  const bool playing = scene.state.of<BanksState>().playing;
  if (playing && kit.pattern.unfinished && scene.wake) scene.wake();
  const int strides = playing ? 1 + kit.pattern.sweep.done + 100 * kit.pattern.other_sweep.done : 0;
  return uint64_t(strides) + (scene.kit.of<BesideFrames>().version() << 32);
}

Picture picture_of(const TabScene& scene, float w, float h) {
  return banks_view(scene.kit.of<BanksKit>().scene, scene.theme, scene.metrics, w, h);
}

Caption caption(const State& s) {
  const BanksState& look = s.of<BanksState>();
  return look.playing ? pattern_caption(look.pattern, true) : step_caption(s);
}

template <int By>
void choose(State& s, Kit& kit) {
  BanksState& look = s.of<BanksState>();
  if (look.playing) return;
  // the list is that of the run on the left
  const Partner& twins = kit.of<BanksKit>().twins;
  const bool left_is_twin = look.beside && twins.of == s.run && twins.open_is_other;
  const Run& run = left_is_twin && twins.plain ? *twins.plain : *s.run;
  s.cursor.substep = -1;
  look.request = next_request(run, s.cursor, Space::shared, look.request, By);
}

const RegisterTab banks{
    {.name = "banks",
     .title = later("Banks"),
     .key = '2',
     .looks = later("Look at shared memory's banks"),
     .state = remembers<BanksState>(),
     .picture = picture_of,
     .changes = changes,
     .caption = caption,
     .controls = pattern_controls<BanksState>(),
     .commands =
         {
             {"next", later("Look at the next request"), {"Down"}, choose<1>, true},
             {"previous", later("Look at the request before"), {"Up"}, choose<-1>, true},
             {"pattern",
              later("Play with an access pattern, or look at the kernel"),
              {"C"},
              [](State& s, Kit&) { s.of<BanksState>().playing = !s.of<BanksState>().playing; }},
             {"beside",
              later("Show the padded twin, or hide it"),
              {"B"},
              [](State& s, Kit&) { s.of<BanksState>().beside = !s.of<BanksState>().beside; }},
         },
     .transport = [](const State& s) {
       return !s.of<BanksState>().playing;
     }}};  // the pattern has no steps to play

}  // namespace
}  // namespace bscope
