// What the tabs Banks and Memory do alike: they look at the requests of a step, or play with the access
// pattern.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/parts/caption.hpp"
#include "app/parts/partners.hpp"
#include "app/run/run_store.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/session/tab_services.hpp"
#include "app/session/tab_state_of.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/request_choice.hpp"
#include "engine/analysis/run.hpp"

namespace bscope {

/// `Looks` is what the tab remembers, a RequestState; `Keeps` its RequestTabData; `scene_of(const TabScene&,
/// Keeps&)` makes the scene, `view` its picture.
template <class Looks, class Keeps, MemorySpace space, auto scene_of, auto view>
struct RequestTab {
  /// Looks what there is by now, and asks for another picture where strides are left to run.
  static uint64_t changes(const TabScene& scene) {
    auto& data = scene.services.of<Keeps>();
    data.scene = scene_of(scene, data);
    const bool playing = scene.state.of<Looks>().playing;
    if (playing && data.sweeps.is_unfinished && scene.services.wake) scene.services.wake();
    const int strides = playing ? 1 + data.sweeps.plain.done + 100 * data.sweeps.other.done : 0;
    return uint64_t(strides) + 10'000 * scene.state.lesson.hides_future() +
           (scene.services.of<RunStore>().version() << 32);
  }
  static Picture picture(const TabScene& scene, float w, float h) {
    return view(scene.services.of<Keeps>().scene, scene.theme, scene.metrics, w, h);
  }
  static Caption caption(const LoadedState& s) {
    const Looks& look = s.of<Looks>();
    return look.playing ? pattern_caption(look.pattern, space == MemorySpace::shared) : step_caption(s);
  }
  template <int By>
  static void choose(LoadedState& s, TabServices& services) {
    Looks& look = s.of<Looks>();
    if (look.playing) return;
    // the list is that of the run on the left
    TwinRuns twins;
    if constexpr (requires { look.beside; })
      if (look.beside) twins = twin_runs(s, services.of<RunStore>());
    const bool left_is_twin = twins.open_is_padded && twins.plain;
    s.cursor.substep = -1;
    look.request =
        next_request(left_is_twin ? *twins.plain : *s.run, s.cursor, space, look.request, By, look.by_cost);
  }

  static void sort(LoadedState& s, TabServices&) { s.of<Looks>().by_cost = !s.of<Looks>().by_cost; }
  /// The worst request of the run; null where none wastes anything, or it is being looked for.
  static const WarpAccess* worst_of(const LoadedState& s, RunStore& runs) {
    const RunPtr& run = s.run;
    const auto found = runs.derive<const WarpAccess*>(
        space == MemorySpace::shared ? "worst shared request" : "worst global request", {run},
        [run] { return worst_request(*run, space); });
    return found ? *found : nullptr;
  }
  static void go_to(LoadedState& s, const WarpAccess& q) {
    const int step = step_of(*s.run, moment_of(q));
    s = to_step(std::move(s), step);
    s.cursor.substep = -1;
    s.of<Looks>().request = number_of(q);
    s.of<Looks>().playing = false;
  }
  static void go_to_worst(LoadedState& s, TabServices& services) {
    if (const WarpAccess* q = worst_of(s, services.of<RunStore>())) go_to(s, *q);
  }
  /// A user's own program opens at its worst request, unless its step was chosen; a kernel of the catalog at
  /// the step that its lesson or the lecturer is at.
  static std::optional<TabSuggestion> offers(const LoadedState& s, TabServices& services) {
    if (s.of<Looks>().playing || s.lesson.open || s.run->trace.dialect != Dialect::cuda) return {};
    const WarpAccess* here = request_at(*s.run, s.cursor, space, -1);
    if (here && answers(*here) > fewest(*here)) return {};
    const WarpAccess* worst = worst_of(s, services.of<RunStore>());
    if (!worst) return {};
    return TabSuggestion{
        space == MemorySpace::shared
            ? tr("The worst request is in line {}, in step {} of block {}: {} wavefronts where {} would do.",
                 worst->line, step_number(worst->interval), worst->block, worst->wavefronts, worst->ideal)
            : tr("The worst request is in line {}, in step {} of block {}: {} sectors where {} would do.",
                 worst->line, step_number(worst->interval), worst->block, worst->sectors,
                 worst->ideal_sectors),
        tr("Show it"),
        [](LoadedState& now, RunStore& runs) {
          if (const WarpAccess* q = worst_of(now, runs)) go_to(now, *q);
        },
        step_of(*s.run, s.cursor) == 0};
  }

  /// The tab with all of this.
  static Tab with(Tab tab) {
    tab.state = remembers<Looks>();
    tab.picture = picture;
    tab.narrow_height = 1150;
    tab.changes = changes;
    tab.caption = caption;
    tab.offers = offers;
    tab.controls = pattern_controls<Looks>();
    const std::vector<TabCommand> common{
        {"next", tr_noop("Look at the next request"), {"Down"}, choose<1>, true},
        {"previous", tr_noop("Look at the request before"), {"Up"}, choose<-1>, true},
        {"sort", tr_noop("Sort the requests by what they waste, or in their order"), {"S"}, sort},
        {"worst", tr_noop("Look at the request of the run that wastes most"), {"V"}, go_to_worst},
        {"pattern",
         tr_noop("Play with an access pattern, or look at the kernel"),
         {"C"},
         [](LoadedState& s, TabServices&) { s.of<Looks>().playing = !s.of<Looks>().playing; }}};
    tab.commands.insert(tab.commands.begin(), common.begin(), common.end());
    tab.transport = [](const LoadedState& s) {
      return !s.of<Looks>().playing;
    };  // the pattern has no steps to play
    return tab;
  }
};

}  // namespace bscope
