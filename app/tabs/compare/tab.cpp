// Compare: the open run beside any other, by default the next of its family.
#include "app/session/tab.hpp"

#include <utility>

#include "app/measure/measurement_store.hpp"
#include "app/parts/caption.hpp"
#include "app/run/run.hpp"
#include "app/run/run_store.hpp"
#include "app/run/titles.hpp"
#include "app/session/before_change.hpp"
#include "app/session/choices.hpp"
#include "app/session/input.hpp"
#include "app/session/tab_services.hpp"
#include "app/session/tab_state_of.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/picture.hpp"
#include "app/tabs/compare/sheet.hpp"
#include "app/tabs/compare/steps.hpp"
#include "app/words/counting.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/two_runs.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/timing/timeline.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

CompareLook look_of(const LoadedState& s) {
  const CompareState& c = s.of<CompareState>();
  return {c.sync, c.scale, c.position, {}};
}

Picture picture_of(const TabScene& scene, float w, float h) {
  MeasurementStore& store = scene.services.of<MeasurementStore>();
  CompareLook look = look_of(scene.state);
  const std::vector<Recording>& recordings = store.all();
  look.awaited = store.awaited;
  return compare_view(*compare_runs(scene.state).comparison, look, recordings, scene.theme, scene.metrics, w,
                      h);
}

Picture timeline_of(const TabScene& scene, float w, float h) {
  return compare_transport(*compare_runs(scene.state).comparison, look_of(scene.state), scene.theme,
                           scene.metrics, w, h);
}

uint64_t changes(const TabScene& scene) {
  return scene.services.of<RunStore>().version() * 0x9e3779b97f4a7c15u ^
         scene.services.of<MeasurementStore>().version();
}

void cancelled(LoadedState& s, const TabStates&) {
  const CompareRuns& runs = compare_runs(s);
  if (runs.comparison && runs.compared_to) {
    s.of<CompareState>().right = *runs.compared_to;
    return;
  }
  s.results.of<CompareRuns>() = {.open = s.run, .other = {}, .comparison = {}, .compared_to = right_of(s)};
  refuse(s, message("The comparison was given up: choose what to compare with."), Where::compare);
}

/// The open run's target as a choice, and back.
RunChoice left_of(const State& s) {
  RunChoice c;
  c.file = s.target.file;
  const RunSpec& r = s.target.request;
  c.kernel = s.target.is_file() ? std::string() : r.kernel;
  c.block = int(r.block.value_or(0));
  for (const auto& [name, value] : r.set) c.set += (c.set.empty() ? "" : " ") + name + "=" + value;
  return c;
}
void set_left(LoadedState& s, const RunChoice& c, RunStore& runs) {
  if (c.file.empty() && c.kernel.empty()) return;
  Target target;
  if (c.file.empty()) {
    target = target_of(c, s);
    if (!c.block) target.request.block.reset();
  } else {
    target.file = c.file;
  }
  s = opened(std::move(s), target, Where::compare, runs);
}

/// The second side's kernel, chosen or by default.
std::string right_kernel(const LoadedState& s) {
  const CompareState& c = s.of<CompareState>();
  if (!c.right.kernel.empty()) return c.right.kernel;
  const auto& other = compare_runs(s).other;
  return other ? other->trace.kernel : next_variant(s.run->trace.kernel);
}

std::vector<ChooseRun> choices(const LoadedState& s) {
  const CompareState& c = s.of<CompareState>();
  ChooseRun left{.id = "left",
                 .kernels = catalog(),
                 .shown = s.run,
                 .kernel = s.run->trace.kernel,
                 .files = true,
                 .opens = true,
                 .choice = left_of(s),
                 .chosen = set_left};
  ChooseRun right{.id = "right",
                  .kernels = catalog(),
                  .shown = compare_runs(s).other,
                  .kernel = right_kernel(s),
                  .files = true,
                  .choice = c.right,
                  .chosen = [](LoadedState& to, const RunChoice& choice, RunStore&) {
                    to.of<CompareState>().right = choice;
                  }};
  if (before_change(s)) {
    const std::string file = s.target.file.substr(s.target.file.find_last_of('/') + 1);
    right.others.emplace_back(tr("{}, before the change", file), RunChoice{.kernel = before_the_change});
    if (right_of(s).kernel == before_the_change) right.choice = {.kernel = before_the_change};
  }
  if (right.choice.file.empty() && right.choice.kernel.empty()) right.choice.kernel = right.kernel;
  // there is nothing to size: an own program says its sizes itself
  right.sizes = algorithm_of(right.choice.kernel) != nullptr;
  return {std::move(left), std::move(right)};
}

/// At which length the comparison that is shown tells the two apart; asked once for each.
struct TellingLength {
  std::shared_ptr<const Comparison> of;
  std::optional<long long> length;
};
/// Where both count the same, there is little to compare. A user who opens this tab on a kernel's own input
/// gets a length at which they differ; another input is left alone, and a button offers that length.
std::optional<TabSuggestion> offers(const LoadedState& s, TabServices& services) {
  const CompareState& c = s.of<CompareState>();
  TellingLength& telling = services.of<TellingLength>();
  const auto& comparison = compare_runs(s).comparison;
  if (telling.of != comparison) {
    telling.of = comparison;
    telling.length.reset();
    if (!is_large(*s.run) && counts_alike(*comparison))
      telling.length = telling_length(s, services.of<RunStore>());
  }
  if (!telling.length) return {};
  return TabSuggestion{tr("At n = {} both count the same; at n = {} they do not.",
                          parameter_of(s.run->trace, "n"), *telling.length),
                       tr("Take n = {}", *telling.length),
                       [n = *telling.length](LoadedState& now, RunStore& runs) {
                         now = compared(with_open_length(std::move(now), n, Where::compare, runs), runs);
                       },
                       is_own_input(s.target.request) && c.right == RunChoice{} && !s.lesson.open};
}

Caption caption(const LoadedState& s) {
  const CompareState& look = s.of<CompareState>();
  const CompareRuns& runs = compare_runs(s);
  const Trace &left = s.run->trace, &right = runs.other->trace;
  const size_t all = runs.comparison->steps[size_t(look.sync)].size();
  return {both(full_title(left.kernel), full_title(right.kernel)), parameters_of(s, left, &right),
          tr("step {} of {}", std::min(step_number(look.position), int(all)), all),
          tr("step {} of {}", step_number(int(all) - 1), all)};
}

template <int By>
void other_kernel(LoadedState& s, TabServices&) {
  CompareState& c = s.of<CompareState>();
  c.right = {.kernel = neighbour(catalog(), right_kernel(s), By), .n = c.right.n};
}
template <int By>
void first_kernel(LoadedState& s, TabServices& services) {
  set_left(s, {.kernel = neighbour(catalog(), s.run->trace.kernel, By)}, services.of<RunStore>());
}
void next_sync(LoadedState& s, TabServices&) {
  SyncBy& sync = s.of<CompareState>().sync;
  sync = SyncBy((int(sync) + 1) % sync_modes);
}
void next_scale(LoadedState& s, TabServices&) {
  CompareState& c = s.of<CompareState>();
  const auto& comparison = compare_runs(s).comparison;
  if (!comparison) return;
  const auto all = comparison->scales();
  const auto at = std::ranges::find(all, compare::shown_scale(*comparison, c.scale));
  c.scale = at == all.end() || at + 1 == all.end() ? all[0] : *(at + 1);
}
/// What is left stands right, and the other way round.
void swap(LoadedState& s, TabServices& services) {
  RunStore& runs = services.of<RunStore>();
  s = compared(std::move(s), runs);
  if (s.awaits) return;
  const CompareState& c = std::as_const(s).of<CompareState>();
  const auto other = compare_runs(s).other;
  if (!other || right_of(s).kernel == before_the_change) return;  // the file holds the later text
  const RunChoice right = left_of(s);
  const bool chosen = !c.right.kernel.empty() || !c.right.file.empty();
  const Target left = target_of(chosen ? c.right : RunChoice{.kernel = other->trace.kernel}, s);
  s = opened(std::move(s), left, Where::compare, runs);
  s.of<CompareState>().right = right;
}

const RegisterTab compare{
    {.name = "compare",
     .title = tr_noop("Compare"),
     .key = '5',
     .looks = tr_noop("Compare two runs"),
     .state = remembers<CompareState>(),
     .picture = picture_of,
     .narrow_height = 1500,
     .changes = changes,
     .needs = TabNeeds{
         compared, [](const LoadedState& s) { return compare_runs(s).other != nullptr; }, Where::compare,
         [](int percent) { return tr("The run to compare with is being made: {}%", percent); }, cancelled},
     .choices = choices,
     .offers = offers,
     .caption = caption,
     .time = compare_time,
     .at_time = at_compare_time,
     .timeline = timeline_of,
     .commands =
         {{"sync", tr_noop("Match both sides by step, phase or work done"), {"M"}, next_sync},
          {"scale", tr_noop("Count work, wavefronts, sectors or threads"), {"W"}, next_scale},
          {"right.next", tr_noop("Show the next kernel at the right"), {"V"}, other_kernel<1>},
          {"right.previous", tr_noop("Show the kernel before at the right"), {"Shift+V"}, other_kernel<-1>},
          {"left.next", tr_noop("Show the next kernel at the left"), {"C"}, first_kernel<1>},
          {"left.previous", tr_noop("Show the kernel before at the left"), {"Shift+C"}, first_kernel<-1>},
          {"swap", tr_noop("Swap the two sides"), {"X"}, swap}},
     .compares = true}};

}  // namespace
}  // namespace bscope
