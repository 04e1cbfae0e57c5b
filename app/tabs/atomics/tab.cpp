// Atomics: one input's keys counted by two kernels, and by one without atomics.
#include "app/session/tab.hpp"

#include "app/parts/caption.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/atomics/controls.hpp"
#include "app/tabs/atomics/steps.hpp"

namespace bscope {
namespace {

Picture picture_of(const TabScene& scene, float w, float h) {
  return atomics_view(scene.state.of<AtomicsState>().queues->model, look_of(scene.state), scene.theme,
                      scene.metrics, w, h);
}

Picture timeline_of(const TabScene& scene, float w, float h) {
  const AtomicsState& a = scene.state.of<AtomicsState>();
  return atomics_timeline(a.queues->model, a.t, scene.theme, scene.metrics, w, h);
}

uint64_t changes(const TabScene& scene) {
  return uint64_t(reinterpret_cast<uintptr_t>(scene.state.of<AtomicsState>().queues.get())) *
         0x9e3779b97f4a7c15u;
}

/// Whether runs are still to be made, and that would hold up a frame.
bool is_slow(const State& s) {
  if (!queues_are_due(s)) return false;
  const auto& queues = s.of<AtomicsState>().queues;
  if (shows_run_alone(s)) return is_large(*s.run);
  return is_large(*s.run) || (queues && is_large(*queues->left)) ||
         run_takes_long([&] { return queue_target(s, 0); }) ||
         run_takes_long([&] { return queue_target(s, 1); });
}

/// Whether both need the same runs. The position in them does not matter.
bool same(const State& asked, const State& now) {
  AtomicsState then = asked.of<AtomicsState>();
  then.t = now.of<AtomicsState>().t;
  then.lost = now.of<AtomicsState>().lost;
  return asked.run == now.run && asked.target == now.target &&
         fingerprint(then) == fingerprint(now.of<AtomicsState>());
}

void take(State& now, State&& made) {
  AtomicsState &to = now.of<AtomicsState>(), &from = made.of<AtomicsState>();
  to.queues = std::move(from.queues);
  to.queues_of = std::move(from.queues_of);
  to.lost = 0;
  take_error(now, made, Where::queues);
}

void given_up(State& s, const TabStates& last) {
  AtomicsState& a = s.of<AtomicsState>();
  if (a.queues) {
    const int t = a.t, lost = a.lost;
    a = last.of<AtomicsState>();
    a.t = t;
    a.lost = lost;
  }
  // nothing that could be gone back to: they are another input's
  if (!a.queues || queues_are_due(s))
    s = without_queues(std::move(s), say("These runs were given up: choose others."));
}

const RunChoice& choice_of(const State& s, size_t side) {
  return side ? s.of<AtomicsState>().right : s.of<AtomicsState>().left;
}
RunChoice& choice_of(State& s, size_t side) {
  return side ? s.of<AtomicsState>().right : s.of<AtomicsState>().left;
}
std::string kernel_of(const State& s, size_t side) {
  const RunChoice& c = choice_of(s, side);
  return c.kernel.empty() ? queue_kernels(s)[side] : c.kernel;
}

std::vector<ChooseRun> choices(const State& s) {
  if (shows_run_alone(s)) return {};
  const auto& queues = s.of<AtomicsState>().queues;
  const auto side = [&](size_t k, const char* id, const std::string& title) {
    ChooseRun c{.id = id,
                .title = title,
                .kernels = kernels_with_queues(),
                .shown = !queues ? nullptr
                         : k     ? queues->right
                                 : queues->left,
                .kernel = kernel_of(s, k),
                .sizes = false,
                .hidden = {"bins", "items"},
                .choice = choice_of(s, k),
                .chosen = [k](State& to, const RunChoice& choice) { choice_of(to, k) = choice; }};
    c.choice.kernel = c.kernel;
    return c;
  };
  return {side(0, "left", say("above")), side(1, "right", say("below"))};
}

Caption caption(const State& s) {
  const AtomicsRuns& runs = *s.of<AtomicsState>().queues;
  if (runs.alone) return {full_title(runs.left->trace.kernel), parameters_of(s, runs.left->trace), {}, {}};
  const Trace &left = runs.left->trace, &right = runs.right->trace;
  return {both(full_title(left.kernel), full_title(right.kernel)), parameters_of(s, left, &right), {}, {}};
}

template <int By>
void address(State& s, TabServices&) {
  next_address(s, By);
}
template <int By>
void lost(State& s, TabServices&) {
  next_lost(s, By);
}
bool beside_another(const State& s, const TabServices&) { return !shows_run_alone(s); }
/// Where an order was asked for, it stays.
bool may_shuffle(const State& s, const TabServices&) {
  return !shows_run_alone(s) &&
         (s.of<AtomicsState>().own_input || s.target.schedule.kind == Schedule::automatic);
}
template <size_t Side, int By>
void kernel(State& s, TabServices&) {
  choice_of(s, Side) = {.kernel = neighbour(kernels_with_queues(), kernel_of(s, Side), By)};
}

const RegisterTab atomics{
    {.name = "atomics",
     .title = later("Atomics"),
     .key = '4',
     .looks = later("Look at atomics' queues"),
     .state = remembers<AtomicsState>(),
     .picture = picture_of,
     .changes = changes,
     .making = Making{{is_slow, [](State s) { return with_queues(std::move(s)); }, same, take},
                      Where::queues,
                      [](int percent) { return say("The runs with atomics are being made: {}%", percent); },
                      given_up},
     .choices = choices,
     .caption = caption,
     .time = atomics_time,
     .at_time = at_atomics_time,
     .timeline = timeline_of,
     .controls = atomics_controls(),
     .commands = {
         {"address.next", later("Look at the next bin"), {"Shift+Down"}, address<1>, true},
         {"address.previous", later("Look at the bin before"), {"Shift+Up"}, address<-1>, true},
         {"lost.next", later("Explain the next lost key"), {"'"}, lost<1>, true},
         {"lost.previous", later("Explain the lost key before"), {";"}, lost<-1>, true},
         {"above.next", later("Show the next kernel above"), {"C"}, kernel<0, 1>, false, beside_another},
         {"above.previous",
          later("Show the kernel before above"),
          {"Shift+C"},
          kernel<0, -1>,
          false,
          beside_another},
         {"below.next", later("Show the next kernel below"), {"V"}, kernel<1, 1>, false, beside_another},
         {"below.previous",
          later("Show the kernel before below"),
          {"Shift+V"},
          kernel<1, -1>,
          false,
          beside_another},
         {"order",
          later("Serve in the executor's order, or shuffled"),
          {"R"},
          [](State& s, TabServices&) { s.of<AtomicsState>().shuffled = !s.of<AtomicsState>().shuffled; },
          false,
          may_shuffle,
          [](const State& s) { return is_shuffled(s) ? say("order: shuffled") : say("order: as traced"); },
          later("In which order the executor serves: its own, or warps picked at random.")}}}};

}  // namespace
}  // namespace bscope
