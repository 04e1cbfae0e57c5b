// Memory: the chosen step's requests to global memory, and how many sectors come for them.
#include "app/session/tab.hpp"

#include "app/parts/caption.hpp"
#include "app/parts/partners.hpp"
#include "app/parts/pattern_controls.hpp"
#include "app/tabs/memory/memory_state.hpp"
#include "app/tabs/memory/picture.hpp"

namespace bscope {
namespace {

/// Looks what there is by now, and asks for another picture where strides are left to run.
uint64_t changes(const TabScene& scene) {
  auto& kit = scene.kit.of<MemoryKit>();
  kit.scene = memory_scene(scene.state, scene.model, kit.pattern, scene.patience, beside_frames(scene));
  const bool playing = scene.state.of<MemoryState>().playing;
  if (playing && kit.pattern.unfinished && scene.wake) scene.wake();
  const int strides = playing ? 1 + kit.pattern.sweep.done : 0;
  return uint64_t(strides) + (scene.kit.of<BesideFrames>().version() << 32);
}

Picture picture_of(const TabScene& scene, float w, float h) {
  return memory_view(scene.kit.of<MemoryKit>().scene, scene.theme, scene.metrics, w, h);
}

Caption caption(const State& s) {
  const MemoryState& look = s.of<MemoryState>();
  return look.playing ? pattern_caption(look.pattern, false) : step_caption(s);
}

template <int By>
void choose(State& s, Kit&) {
  MemoryState& look = s.of<MemoryState>();
  if (look.playing) return;
  const Run& run = *s.run;
  s.cursor.substep = -1;
  look.request = next_request(run, s.cursor, Space::global, look.request, By);
}

const RegisterTab memory{
    {.name = "memory",
     .title = later("Memory"),
     .key = '3',
     .looks = later("Look at global memory's sectors"),
     .state = remembers<MemoryState>(),
     .picture = picture_of,
     .changes = changes,
     .caption = caption,
     .controls = pattern_controls<MemoryState>(),
     .commands =
         {
             {"next", later("Look at the next request"), {"Down"}, choose<1>, true},
             {"previous", later("Look at the request before"), {"Up"}, choose<-1>, true},
             {"pattern",
              later("Play with an access pattern, or look at the kernel"),
              {"C"},
              [](State& s, Kit&) { s.of<MemoryState>().playing = !s.of<MemoryState>().playing; }},
         },
     .transport = [](const State& s) {
       return !s.of<MemoryState>().playing;
     }}};  // the pattern has no steps to play

}  // namespace
}  // namespace bscope
