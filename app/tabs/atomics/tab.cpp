// Atomics: one input's keys counted by two kernels, and by one without atomics.
#include "app/session/tab.hpp"

#include "app/parts/caption.hpp"
#include "app/run/run_store.hpp"
#include "app/run/titles.hpp"
#include "app/session/choices.hpp"
#include "app/session/run_choice.hpp"
#include "app/session/state.hpp"
#include "app/session/tab_services.hpp"
#include "app/session/tab_state_of.hpp"
#include "app/session/tab_states.hpp"
#include "app/tabs/atomics/atomics_state.hpp"
#include "app/tabs/atomics/controls.hpp"
#include "app/tabs/atomics/picture.hpp"
#include "app/tabs/atomics/runs.hpp"
#include "app/tabs/atomics/steps.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

Picture picture_of(const TabScene& scene, float w, float h) {
  return atomics_view(scene.state.results.of<AtomicsQueues>().runs->model, look_of(scene.state), scene.theme,
                      scene.metrics, w, h);
}

Picture timeline_of(const TabScene& scene, float w, float h) {
  return atomics_timeline(scene.state.results.of<AtomicsQueues>().runs->model,
                          scene.state.of<AtomicsState>().t, scene.theme, scene.metrics, w, h);
}

uint64_t changes(const TabScene& scene) { return scene.services.of<RunStore>().version(); }

void cancelled(LoadedState& s, const TabStates& last) {
  AtomicsState& a = s.of<AtomicsState>();
  const bool has_runs = s.results.of<AtomicsQueues>().runs != nullptr;
  if (has_runs) {
    const int t = a.t, lost = a.lost;
    a = last.of<AtomicsState>();
    a.t = t;
    a.lost = lost;
  }
  // nothing that could be gone back to: they are another input's
  if (!has_runs || queues_are_due(s))
    s = without_queues(std::move(s), message("These runs were given up: choose others."));
}

/// The keys and the order of the step's own run.
void of_the_step_alone(LoadedState& s) {
  s.of<AtomicsState>() = AtomicsState{};
  s.of<AtomicsState>().shuffled = false;
}

const RunChoice& choice_of(const LoadedState& s, size_t side) {
  return side ? s.of<AtomicsState>().right : s.of<AtomicsState>().left;
}
RunChoice& choice_of(LoadedState& s, size_t side) {
  return side ? s.of<AtomicsState>().right : s.of<AtomicsState>().left;
}
std::string kernel_of(const LoadedState& s, size_t side) {
  const RunChoice& c = choice_of(s, side);
  return c.kernel.empty() ? queue_kernels(s)[side] : c.kernel;
}

std::vector<ChooseRun> choices(const LoadedState& s) {
  if (shows_run_alone(s)) return {};
  const auto& queues = s.results.of<AtomicsQueues>().runs;
  const auto side = [&](size_t k, const char* id, const std::string& title) {
    ChooseRun c{
        .id = id,
        .title = title,
        .kernels = kernels_with_queues(),
        .shown = !queues ? nullptr
                 : k     ? queues->right
                         : queues->left,
        .kernel = kernel_of(s, k),
        .sizes = false,
        .hidden = {"bins", "items"},
        .choice = choice_of(s, k),
        .chosen = [k](LoadedState& to, const RunChoice& choice, RunStore&) { choice_of(to, k) = choice; }};
    c.choice.kernel = c.kernel;
    return c;
  };
  return {side(0, "left", tr("above")), side(1, "right", tr("below"))};
}

Caption caption(const LoadedState& s) {
  const AtomicsRuns& runs = *s.results.of<AtomicsQueues>().runs;
  if (runs.alone) return {full_title(runs.left->trace.kernel), parameters_of(s, runs.left->trace), {}, {}};
  const Trace &left = runs.left->trace, &right = runs.right->trace;
  return {both(full_title(left.kernel), full_title(right.kernel)), parameters_of(s, left, &right), {}, {}};
}

template <int By>
void address(LoadedState& s, TabServices&) {
  next_address(s, By);
}
template <int By>
void lost(LoadedState& s, TabServices&) {
  next_lost(s, By);
}
bool beside_another(const LoadedState& s, const TabServices&) { return !shows_run_alone(s); }
/// Where an order was asked for, it stays.
bool may_shuffle(const LoadedState& s, const TabServices&) {
  return !shows_run_alone(s) &&
         (s.of<AtomicsState>().own_input || s.target.schedule.kind == Schedule::automatic);
}
template <size_t Side, int By>
void kernel(LoadedState& s, TabServices&) {
  choice_of(s, Side) = {.kernel = neighbour(kernels_with_queues(), kernel_of(s, Side), By)};
}

const RegisterTab atomics{
    {.name = "atomics",
     .title = tr_noop("Atomics"),
     .key = '4',
     .looks = tr_noop("Look at atomics' queues"),
     .state = remembers<AtomicsState>(),
     .picture = picture_of,
     .narrow_height = 1250,
     .changes = changes,
     .needs = TabNeeds{
         with_queues, [](const LoadedState& s) { return s.results.of<AtomicsQueues>().runs != nullptr; },
         Where::queues, [](int percent) { return tr("The runs with atomics are being made: {}%", percent); },
         cancelled},
     .choices = choices,
     .caption = caption,
     .time = atomics_time,
     .at_time = at_atomics_time,
     .timeline = timeline_of,
     .controls = atomics_controls(),
     .commands =
         {{"address.next", tr_noop("Look at the next bin"), {"Shift+Down"}, address<1>, true},
          {"address.previous", tr_noop("Look at the bin before"), {"Shift+Up"}, address<-1>, true},
          {"lost.next", tr_noop("Explain the next lost key"), {"'"}, lost<1>, true},
          {"lost.previous", tr_noop("Explain the lost key before"), {";"}, lost<-1>, true},
          {"above.next", tr_noop("Show the next kernel above"), {"C"}, kernel<0, 1>, false, beside_another},
          {"above.previous",
           tr_noop("Show the kernel before above"),
           {"Shift+C"},
           kernel<0, -1>,
           false,
           beside_another},
          {"below.next", tr_noop("Show the next kernel below"), {"V"}, kernel<1, 1>, false, beside_another},
          {"below.previous",
           tr_noop("Show the kernel before below"),
           {"Shift+V"},
           kernel<1, -1>,
           false,
           beside_another},
          {"order",
           tr_noop("Serve in the executor's order, or shuffled"),
           {"R"},
           [](LoadedState& s, TabServices&) {
             s.of<AtomicsState>().shuffled = !s.of<AtomicsState>().shuffled;
           },
           false,
           may_shuffle,
           [](const LoadedState& s) {
             return is_shuffled(s) ? tr("order: shuffled") : tr("order: as traced");
           },
           tr_noop("In which order the executor serves: its own, or warps picked at random.")}},
     .time_unit = "t",
     .begin_lesson_step = of_the_step_alone}};

}  // namespace
}  // namespace bscope
