#include "app/tabs/banks/scene.hpp"

#include "app/parts/pattern_controls.hpp"
#include "app/tabs/banks/banks_state.hpp"
#include "engine/analysis/run.hpp"

namespace bscope {

RequestScene banks_scene(const LoadedState& s, const RunQueries& model, RunStore& runs, PatternSweeps& sweeps,
                         std::chrono::milliseconds time) {
  RequestScene scene;
  scene.of = [](LoadedState& to) -> RequestState& { return to.of<BanksState>(); };
  scene.turn_twin = [](LoadedState& to, float) { to.of<BanksState>().beside = !to.of<BanksState>().beside; };
  if (s.of<BanksState>().playing) {
    for (const Control& c : pattern_controls<BanksState>()) scene.sliders.push_back(slider_of(c, s));
    const PatternRuns pattern = pattern_runs(s.of<BanksState>().pattern, true, runs);
    go_on(sweeps, s.of<BanksState>().pattern, true, time);
    scene.here = at_read(pattern.plain, true);
    scene.pattern = s.of<BanksState>().pattern;
    scene.sweep.assign(sweeps.plain.answers.begin(), sweeps.plain.answers.end());
    if (pattern.other) {
      scene.beside = at_read(pattern.other, true);
      scene.sweep_beside.assign(sweeps.other.answers.begin(), sweeps.other.answers.end());
    }
    return scene;
  }
  const WarpAccess* at = request_of_substep(model, s.cursor, MemorySpace::shared);
  scene.here = {s.run, s.cursor, at ? number_of(*at) : s.of<BanksState>().request};
  scene.by_cost = s.of<BanksState>().by_cost;
  follow(scene, model, s.cursor);
  scene.shows_future = !s.lesson.hides_future();
  const TwinRuns twins = twin_runs(s, runs);
  const bool shown = twins.plain && s.of<BanksState>().beside;
  if (twins.plain || twins.is_loading) scene.twin = s.of<BanksState>().beside;
  if (!shown) {
    count_whole(scene, runs);
    if (s.of<BanksState>().beside && twins.is_loading) scene.waits = RequestScene::running;
    return scene;
  }
  const int step = step_of(*s.run, s.cursor);
  scene.here = {twins.plain, at_step(*twins.plain, s.cursor, step), scene.here.request};
  if (at && twins.open_is_padded) {
    const WarpAccess* same = same_request(*s.run, s.cursor, *at, *twins.plain, scene.here.cursor);
    scene.here.request = same ? number_of(*same) : -1;
  }
  scene.beside = Looked{twins.padded, at_step(*twins.padded, s.cursor, step), -1};
  count_whole(scene, runs);
  return scene;
}

}  // namespace bscope
