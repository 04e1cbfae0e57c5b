// Atomics: which runs are asked for, and of which input.
#include "app/tabs/atomics/steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "app/draw/picture.hpp"
#include "app/run/run.hpp"
#include "app/run/run_store.hpp"
#include "app/run/target.hpp"
#include "app/session/choices.hpp"
#include "app/session/run_choice.hpp"
#include "app/session/state.hpp"
#include "app/tabs/atomics/atomics_state.hpp"
#include "app/tabs/atomics/picture.hpp"
#include "app/tabs/atomics/runs.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/queues.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/image.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

bool is_histogram(const std::string& kernel) { return family_of(kernel).takes_keys; }

/// A trace's parameter as a count; a file may say anything.
int count_of(const std::string& value) {
  return int(std::clamp<long long>(as_whole(value).value_or(1), 1, std::numeric_limits<int>::max() / 2));
}

bool has_chosen_order(const State& s) {
  return !s.of<AtomicsState>().own_input && s.target.schedule.kind != Schedule::automatic;
}

/// The keys that all sides count.
RunSpec keys_of(const LoadedState& s) {
  const AtomicsState& a = s.of<AtomicsState>();
  RunSpec r;
  if (a.own_input) {
    r.pattern = "skewed";
    r.skew = a.skew;
    r.block = a.threads;
    r.n = static_cast<long long>(a.blocks) * a.threads;
    r.seed = s.target.request.seed;
    r.set = {{"bins", std::to_string(a.bins)}, {"items", std::to_string(a.items)}};
  } else if (!is_histogram(s.run->trace.kernel)) {
    r.preset = "queue-7x20";
    r.set = {{"items", std::to_string(a.items)}};
  } else if (s.target.is_file()) {
    r.values = s.run->report.input;
    for (const auto& [name, value] : s.run->trace.parameters)
      if (name == "block")
        r.block = as_whole(value);
      else if (name != "n")
        r.set.emplace_back(name, value);
  } else {
    r = s.target.request;
  }
  return r;
}

Target side(const LoadedState& s, const RunSpec& keys, const RunChoice& c, const std::string& kernel,
            size_t n) {
  Target t;
  if (!s.of<AtomicsState>().own_input && c.kernel.empty() && kernel == s.run->trace.kernel &&
      !is_histogram(kernel))
    return s.target;  // the open run itself
  t.request = keys;
  RunSpec& r = t.request;
  r.kernel = c.kernel.empty() ? kernel : c.kernel;
  if (!is_histogram(r.kernel)) {  // it takes values, not keys: as many of them
    r = {.kernel = r.kernel, .n = (long long)n, .seed = keys.seed, .block = keys.block};
    if (!keys.preset.empty() && !r.block) r.block = 32;
    const Algorithm& a = find(r.kernel);
    if (r.block && (*r.block > a.most_block || (a.power_of_two_block && (*r.block & (*r.block - 1)))))
      r.block.reset();
  }
  take_parameters(r, c);
  if (is_histogram(s.run->trace.kernel)) t.schedule = s.target.schedule;
  if (is_shuffled(s)) {
    t.schedule.kind = Schedule::shuffled;
    t.schedule.seed = s.target.request.seed;
  }
  return as_shown(s, std::move(t));
}

/// The run whose order the queues are in.
std::string order_of(const LoadedState& s, const Run& run) {
  if (!run.trace.device.starts_with("cpu")) return run.trace.device;
  const bool random = (is_shuffled(s) && !shows_run_alone(s)) ||
                      (is_histogram(s.run->trace.kernel) && s.target.schedule.kind == Schedule::shuffled);
  return std::string(random ? tr("CPU, warps at random") : tr("CPU"));
}

/// The open run, and what the runs are made from, as a text that differs when they would.
std::string made_of(const LoadedState& s, const std::array<std::string, 2>& kernels) {
  const AtomicsState& a = s.of<AtomicsState>();
  std::ostringstream all;
  all << static_cast<const void*>(s.run.get()) << '|';
  if (shows_run_alone(s)) return all.str();
  for (const RunChoice* c : {&a.left, &a.right}) all << c->kernel << '|' << c->set << '|' << c->block << '|';
  all << kernels[0] << '|' << kernels[1] << '|' << is_shuffled(s) << '|' << a.items << '|';
  if (a.own_input)
    all << a.skew << '|' << a.blocks << '|' << a.threads << '|' << a.bins << '|' << s.target.request.seed;
  return all.str();
}

}  // namespace

void AtomicsState::fit(const Run&) {
  skew = std::clamp(skew, 0.0, 1.0);
  blocks = std::clamp(blocks, 1, most_queue_blocks);
  threads = std::clamp(threads, 32, most_queue_threads) / 32 * 32;
  items = 1 << std::clamp(int(std::log2(std::max(items, 1))), 0, most_log_items);
  bins = std::clamp(bins, 1, 256);
  bin = std::max(bin, -1);
  t = std::max(t, -1);
  lost = std::max(lost, 0);
}

const std::vector<const Algorithm*>& kernels_with_queues() {
  static const std::vector<const Algorithm*> all = [] {
    std::vector<const Algorithm*> found;
    for (const Algorithm* a : catalog())
      if (a->fix.empty() &&
          (is_histogram(a->name) || source_text(a->source).find("atomic_") != std::string_view::npos))
        found.push_back(a);
    return found;
  }();
  return all;
}

std::array<std::string, 2> queue_kernels(const LoadedState& s) {
  const std::string& open = s.run->trace.kernel;
  const std::string global = "histogram/global-atomics", shared = "histogram/shared-atomics";
  const auto& all = kernels_with_queues();
  const bool has = std::ranges::any_of(all, [&](const Algorithm* a) { return a->name == open; });
  if (!has || open == global || open == shared || open == "histogram/racy" || open == "histogram/serial")
    return {global, shared};
  if (is_histogram(open)) return {shared, open};
  // of another family: beside the next kernel with atomics that is no histogram
  std::vector<std::string> others;
  for (const Algorithm* a : all)
    if (!is_histogram(a->name)) others.push_back(a->name);
  const auto at = std::ranges::find(others, open);
  return {open, others[size_t(at - others.begin() + 1) % others.size()]};
}

bool shows_run_alone(const LoadedState& s) { return !algorithm_of(s.run->trace.kernel); }
bool is_shuffled(const LoadedState& s) { return s.of<AtomicsState>().shuffled && !has_chosen_order(s); }

bool queues_are_due(const LoadedState& s) {
  const AtomicsQueues& queues = s.results.of<AtomicsQueues>();
  return queues.made_of != made_of(s, queue_kernels(s)) ||
         (queues.runs && queues.runs->bin != s.of<AtomicsState>().bin);
}

namespace {

/// What all sides count, and how many elements those take that count nothing.
struct SharedInput {
  std::array<std::string, 2> kernels;
  RunSpec keys;
  size_t n;
};
SharedInput asked_of(const LoadedState& s) {
  const std::string& open = s.run->trace.kernel;
  SharedInput c{queue_kernels(s), keys_of(s), 0};
  // without sliders, as many as the open run has
  const bool of_open = !s.of<AtomicsState>().own_input && (is_histogram(open) || c.kernels[0] == open);
  c.n = of_open ? s.run->report.input.size() : c.keys.n ? size_t(*c.keys.n) : 224;
  return c;
}

}  // namespace

Target queue_target(const LoadedState& s, size_t side_of) {
  if (shows_run_alone(s)) return s.target;
  const SharedInput c = asked_of(s);
  const AtomicsState& a = s.of<AtomicsState>();
  return side(s, c.keys, side_of ? a.right : a.left, c.kernels[side_of], c.n);
}

LoadedState without_queues(LoadedState s, Message why) {
  s.results.of<AtomicsQueues>() = {.runs = {}, .made_of = made_of(s, queue_kernels(s))};
  refuse(s, std::move(why), Where::queues);
  return s;
}

namespace {

/// The run of a target; null while it is loading. Throws what refused it.
RunPtr run_of(const Target& t, const LoadedState& s, RunStore& runs) {
  if (t == s.target) return s.run;
  const std::optional<RunResult> result = runs.find(t);
  return result ? result->value().run : nullptr;
}

/// The runs that are asked for, without their model; nothing while one is loading, which `s` awaits then.
std::optional<AtomicsRuns> runs_for(LoadedState& s, RunStore& store) {
  if (shows_run_alone(s))
    return AtomicsRuns{.left = s.run, .right = s.run, .racy = {}, .alone = true, .image = {}, .model = {}};
  const SharedInput c = asked_of(s);
  std::vector<Target> targets{queue_target(s, 0), queue_target(s, 1)};
  if (is_histogram(targets[0].request.kernel) || is_histogram(targets[1].request.kernel))
    targets.push_back(side(s, c.keys, {.kernel = "histogram/racy"}, {}, c.n));
  std::array<RunPtr, 3> found;
  for (size_t k = 0; k < targets.size(); ++k) {
    found[k] = run_of(targets[k], s, store);
    if (!found[k]) s.awaits = Awaited{targets[k]};
  }
  if (s.awaits) return {};
  AtomicsRuns runs{.left = found[0], .right = found[1], .racy = found[2], .image = {}, .model = {}};
  if (c.keys.image) runs.image = std::make_shared<GreyImage>(counted_image(c.keys));
  return runs;
}

/// The runs with the model of the address that is looked at; nothing while it is made, which `s` awaits then.
std::shared_ptr<const AtomicsRuns> modelled(AtomicsRuns runs, LoadedState& s, RunStore& store) {
  runs.bin = s.of<AtomicsState>().bin;
  const auto model = store.derive<AtomicsModel>(
      "queues" + std::to_string(runs.bin), {runs.left, runs.right, runs.racy},
      [left = runs.left, right = runs.right, racy = runs.racy, alone = runs.alone, bin = runs.bin] {
        return alone ? atomics_model(*left, bin) : atomics_model(*left, *right, racy.get(), bin);
      });
  if (!model) {
    s.awaits = Awaited{};
    return nullptr;
  }
  runs.model = *model;
  runs.model.image = runs.image;
  runs.model.order = order_of(s, *runs.left);
  return std::make_shared<const AtomicsRuns>(std::move(runs));
}

}  // namespace

LoadedState with_queues(LoadedState s, RunStore& store) {
  if (!queues_are_due(s)) return s;
  const std::string key = made_of(s, queue_kernels(s));
  const bool another_address = s.results.of<AtomicsQueues>().made_of == key;  // of the same runs
  std::shared_ptr<const AtomicsRuns> made;
  try {
    std::optional<AtomicsRuns> runs;
    if (another_address)
      runs = *s.results.of<AtomicsQueues>().runs;
    else
      runs = runs_for(s, store);
    if (runs) made = modelled(std::move(*runs), s, store);
    if (s.awaits) return s;
    if (made->alone && !made->model.has_queues() && !made->model.racy)
      throw UsageError(message("This run has no atomic operations: there are no queues to show."));
  } catch (const std::exception& e) {
    s.awaits.reset();
    s.results.of<AtomicsQueues>() = {.runs = {}, .made_of = key};
    refuse(s, failure(e), Where::queues);
    return s;
  }
  if (!another_address && s.error_at == Where::queues) forgive(s);
  s.results.of<AtomicsQueues>() = {.runs = std::move(made), .made_of = key};
  s.of<AtomicsState>().lost = 0;
  return s;
}

AtomicsLook look_of(const LoadedState& s) {
  const AtomicsState& a = s.of<AtomicsState>();
  AtomicsLook look{a.t, a.lost, a.skew, a.blocks, a.threads, a.items, a.bins, a.own_input, {}};
  const AtomicsRuns& runs = *s.results.of<AtomicsQueues>().runs;
  if (a.own_input && !runs.alone) return look;
  const AtomicsModel& m = runs.model;
  for (const auto& [name, value] : runs.left->trace.parameters) {
    if (name == "block") look.threads = count_of(value);
    if (name == "bins") look.bins = count_of(value);
  }
  if (is_histogram(s.run->trace.kernel))  // as in the open run, whichever side is coarsened
    if (const std::string items = parameter_of(s.run->trace, "items"); !items.empty())
      look.items = count_of(items);
  look.blocks = (m.n + look.threads - 1) / std::max(1, look.threads);
  const AddressQueues& side = m.sides[m.sides[0].histogram ? 0 : 1];
  if (side.histogram && m.n)
    look.skew = double(side.addresses[size_t(side.hottest)].counted.size()) / double(m.n);
  if (m.image)
    look.input = "image";
  else if (!side.histogram || runs.alone)
    look.input.clear();
  else if (!is_histogram(s.run->trace.kernel))
    look.input = "queue-7x20";
  else
    look.input = s.target.is_file() ? "file" : s.target.request.preset;
  return look;
}

/// Playing through all of the time takes about this long.
constexpr float whole_time_ms = 8000, shortest_ms = 12, longest_ms = 400;

std::optional<TabTime> atomics_time(const LoadedState& s) {
  const auto& runs = s.results.of<AtomicsQueues>().runs;
  if (!runs) return {};
  const AtomicsModel& m = runs->model;
  TabTime track{m.end + 1, m.time(s.of<AtomicsState>().t), {}, 0};
  for (const auto& side : m.sides)
    for (const int mark : {side.merge_starts, side.total}) track.marks.push_back(mark);
  std::ranges::sort(track.marks);
  track.hold = std::clamp(whole_time_ms / float(track.length), shortest_ms, longest_ms);
  return track;
}

LoadedState at_atomics_time(LoadedState s, int now) {
  s.of<AtomicsState>().t = now;
  return s;
}

void AtomicsState::run_opened(const Run& run) {
  if (!is_histogram(run.trace.kernel)) return;
  own_input = false;
  bin = t = -1;
}

}  // namespace bscope
