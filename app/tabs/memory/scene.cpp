#include "app/tabs/memory/scene.hpp"

#include "app/parts/pattern_controls.hpp"
#include "app/tabs/memory/memory_state.hpp"

namespace bscope {

RequestScene memory_scene(const State& s, const RunQueries& model, Partner& pattern,
                          std::chrono::milliseconds time, BesideFrames* given) {
  BesideFrames none;
  BesideFrames& beside = given ? *given : none;
  RequestScene scene;
  scene.of = [](State& to) -> RequestState& { return to.of<MemoryState>(); };
  const WarpAccess* at = request_of_substep(model, s.cursor, Space::global);
  scene.here = {s.run, s.cursor, at ? number_of(*at) : s.of<MemoryState>().request};
  if (!s.of<MemoryState>().playing) {
    follow(scene, model, s.cursor);
    count_whole(scene, beside);
    return scene;
  }
  for (const Control& c : pattern_controls<MemoryState>()) scene.sliders.push_back(slider_of(c, s));
  run_pattern(pattern, s.of<MemoryState>().pattern, false, time);
  scene.here = at_read(pattern.other ? pattern.other : pattern.plain, false);
  scene.beside = at_read(pattern.plain, false);
  scene.pattern = s.of<MemoryState>().pattern;
  scene.sweep.assign(pattern.sweep.answers.begin(), pattern.sweep.answers.end());
  return scene;
}

}  // namespace bscope
