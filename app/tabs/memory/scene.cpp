#include "app/tabs/memory/scene.hpp"

#include "app/parts/pattern_controls.hpp"
#include "app/tabs/memory/memory_state.hpp"

namespace bscope {

RequestScene memory_scene(const LoadedState& s, const RunQueries& model, RunStore& runs,
                          PatternSweeps& sweeps, std::chrono::milliseconds time) {
  RequestScene scene;
  scene.of = [](LoadedState& to) -> RequestState& { return to.of<MemoryState>(); };
  const WarpAccess* at = request_of_substep(model, s.cursor, MemorySpace::global);
  scene.here = {s.run, s.cursor, at ? number_of(*at) : s.of<MemoryState>().request};
  if (!s.of<MemoryState>().playing) {
    scene.by_cost = s.of<MemoryState>().by_cost;
    follow(scene, model, s.cursor);
    scene.shows_future = !s.lesson.hides_future();
    count_whole(scene, runs);
    return scene;
  }
  for (const Control& c : pattern_controls<MemoryState>()) scene.sliders.push_back(slider_of(c, s));
  const PatternRuns pattern = pattern_runs(s.of<MemoryState>().pattern, false, runs);
  go_on(sweeps, s.of<MemoryState>().pattern, false, time);
  scene.here = at_read(pattern.other ? pattern.other : pattern.plain, false);
  scene.beside = at_read(pattern.plain, false);
  scene.pattern = s.of<MemoryState>().pattern;
  scene.sweep.assign(sweeps.plain.answers.begin(), sweeps.plain.answers.end());
  return scene;
}

}  // namespace bscope
