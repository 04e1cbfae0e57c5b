#include "app/tabs/banks/scene.hpp"

#include "app/parts/pattern_controls.hpp"
#include "app/tabs/banks/banks_state.hpp"

namespace bscope {

RequestScene banks_scene(const State& s, const RunQueries& model, Partner& twins, Partner& pattern,
                         std::chrono::milliseconds time, BesideFrames* given) {
  BesideFrames none;
  BesideFrames& beside = given ? *given : none;
  RequestScene scene;
  scene.of = [](State& to) -> RequestState& { return to.of<BanksState>(); };
  scene.turn_twin = [](State& to, float) { to.of<BanksState>().beside = !to.of<BanksState>().beside; };
  if (s.of<BanksState>().playing) {
    for (const Control& c : pattern_controls<BanksState>()) scene.sliders.push_back(slider_of(c, s));
    run_pattern(pattern, s.of<BanksState>().pattern, true, time);
    scene.here = at_read(pattern.plain, true);
    scene.pattern = s.of<BanksState>().pattern;
    scene.sweep.assign(pattern.sweep.answers.begin(), pattern.sweep.answers.end());
    if (pattern.other) {
      scene.beside = at_read(pattern.other, true);
      scene.sweep_beside.assign(pattern.other_sweep.answers.begin(), pattern.other_sweep.answers.end());
    }
    return scene;
  }
  const WarpAccess* at = request_of_substep(model, s.cursor, Space::shared);
  scene.here = {s.run, s.cursor, at ? number_of(*at) : s.of<BanksState>().request};
  follow(scene, model, s.cursor);
  find_twins(twins, s, beside);
  const bool shown = twins.plain && s.of<BanksState>().beside;
  if (twins.plain || beside.twin.busy()) scene.twin = s.of<BanksState>().beside;
  if (!shown) {
    count_whole(scene, beside);
    if (s.of<BanksState>().beside && beside.twin.busy()) scene.waits = RequestScene::running;
    return scene;
  }
  const int step = step_of(*s.run, s.cursor);
  scene.here = {twins.plain, at_step(*twins.plain, s.cursor, step), scene.here.request};
  if (at && twins.open_is_other) {
    const WarpAccess* same = same_request(*s.run, s.cursor, *at, *twins.plain, scene.here.cursor);
    scene.here.request = same ? number_of(*same) : -1;
  }
  scene.beside = Looked{twins.other, at_step(*twins.other, s.cursor, step), -1};
  count_whole(scene, beside);
  return scene;
}

}  // namespace bscope
