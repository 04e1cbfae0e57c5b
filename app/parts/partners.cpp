#include "app/parts/partners.hpp"

#include <algorithm>

#include "app/parts/pattern.hpp"
#include "app/run/own_program.hpp"
#include "app/run/run.hpp"
#include "app/run/run_store.hpp"
#include "app/run/titles.hpp"
#include "app/session/input.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope {
namespace {

/// The target as one that can be traced again: its parameters and its input identify a file's run.
Target traceable(const Target& t, const Run& run) {
  if (!t.is_file()) return t;
  Target again;
  again.request = spelled_out(run);
  return again;
}

Target with(Target t, const std::string& name, const std::string& value) {
  std::erase_if(t.request.set, [&](const auto& s) { return s.first == name; });
  t.request.set.emplace_back(name, value);
  return t;
}

}  // namespace

std::optional<Twins> padded_twins(const Target& target, const Run& run) {
  static const std::string ending = "-padded";
  const std::string& kernel = run.trace.kernel;
  const Algorithm* a = algorithm_of(kernel);
  if (!a) return {};
  const Target open = traceable(target, run);
  const auto renamed = [&](const std::string& name) {
    Target t = open;
    t.request.kernel = name;
    return t;
  };
  if (kernel.ends_with(ending)) {
    const std::string plain = kernel.substr(0, kernel.size() - ending.size());
    if (algorithm_of(plain)) return Twins{renamed(plain), open, true};
  }
  if (algorithm_of(kernel + ending)) return Twins{open, renamed(kernel + ending), false};
  for (const Parameter& p : a->parameters) {
    const std::string now = parameter_of(run.trace, p.name);
    if (p.name == "pad")
      return Twins{with(open, "pad", "0"), with(open, "pad", now == "0" ? "1" : now), now != "0"};
    const auto has = [&](const std::string& v) {
      return std::any_of(p.values.begin(), p.values.end(), [&](const Choice& c) { return c.text == v; });
    };
    if (now.ends_with(ending) && has(now.substr(0, now.size() - ending.size())))
      return Twins{with(open, p.name, now.substr(0, now.size() - ending.size())), open, true};
    if (has(now + ending)) return Twins{open, with(open, p.name, now + ending), false};
  }
  return {};
}

Target pattern_target(PatternState p, bool shared) {
  Target t;
  t.request.kernel = shared ? "patterns/shared-stride" : "patterns/global-stride";
  t.request.n = t.request.block = 32;
  t.request.pattern = "ramp";
  t.request.set = {{"stride", std::to_string(std::clamp(p.stride, 0, 64))},
                   {"offset", std::to_string(std::clamp(p.offset, 0, 31))},
                   {"width", p.width >= 16  ? "16"
                             : p.width >= 8 ? "8"
                                            : "4"},
                   {"pad", std::to_string(std::clamp(p.pad, 0, 4))}};
  return t;
}

const WarpAccess* pattern_read(const Run& run, bool shared) {
  if (steps(run) == 0) return nullptr;
  for (const WarpAccess& q : run.report.requests_of(size_t(steps(run) - 1)))
    if (q.shared() == shared && q.op == Op::load) return &q;
  return nullptr;
}

void go_on(StrideSweep& sweep, PatternState p, bool shared, std::chrono::milliseconds most) {
  const auto begin = std::chrono::steady_clock::now();
  do {
    if (sweep.whole()) return;
    p.stride = sweep.done;
    const auto run = open_now(pattern_target(p, shared)).run;
    const WarpAccess* q = pattern_read(*run, shared);
    sweep.answers[size_t(sweep.done++)] = q ? (shared ? q->wavefronts : q->sectors) : 0;
  } while (std::chrono::steady_clock::now() - begin < most);
}

TwinRuns twin_runs(const LoadedState& s, RunStore& runs) {
  const auto known = runs.derive_now<std::optional<Twins>>("padded twins", {s.run},
                                                           [&] { return padded_twins(s.target, *s.run); });
  const std::optional<Twins>& both = *known;
  if (!both) return {};
  const std::optional<RunResult> twin = runs.find(both->open_is_padded ? both->plain : both->padded);
  if (!twin) return {nullptr, nullptr, both->open_is_padded, true};
  if (twin->error) return {};  // what one of them refuses: then the open run stands alone
  const RunPtr& other = twin->opened.run;
  return both->open_is_padded ? TwinRuns{other, s.run, true} : TwinRuns{s.run, other, false};
}

PatternRuns pattern_runs(const PatternState& p, bool shared, RunStore& runs) {
  PatternState plain = p;
  plain.pad = 0;
  if (!shared) plain.stride = 1, plain.offset = 0;
  const auto run_of = [&](const PatternState& one) {
    return runs.find(pattern_target(one, shared))->value().run;  // of one warp: it is there at once
  };
  return {run_of(plain), plain == p ? nullptr : run_of(p)};
}

void go_on(PatternSweeps& sweeps, const PatternState& p, bool shared, std::chrono::milliseconds time) {
  const auto but_for_stride = [](PatternState s) {
    s.stride = 0;
    return s;
  };
  if (!sweeps.pattern || but_for_stride(*sweeps.pattern) != but_for_stride(p)) sweeps = {p};
  // the bars: in shared memory without padding and with it, in global memory as it is
  PatternState first = p;
  if (shared) first.pad = 0;
  const bool second = shared && p.pad > 0;
  if (!sweeps.plain.whole()) go_on(sweeps.plain, first, shared, time);
  if (second && !sweeps.other.whole()) go_on(sweeps.other, p, shared, time);
  sweeps.is_unfinished = !sweeps.plain.whole() || (second && !sweeps.other.whole());
}

const WarpAccess* request_of_substep(const RunQueries& model, const Moment& m, MemorySpace space) {
  const WarpInstruction* sub = model.instruction(m);
  return sub && sub->request && sub->request->shared() == (space == MemorySpace::shared) ? sub->request
                                                                                         : nullptr;
}

Looked at_read(const std::shared_ptr<const Run>& run, bool shared) {
  const WarpAccess* read = pattern_read(*run, shared);
  return {run, at_step(*run, {}, steps(*run) - 1), read ? number_of(*read) : -1};
}

void follow(RequestScene& scene, const RunQueries& model, const Cursor& c) {
  scene.followed = model.followed(c);
  scene.asked_for = c.thread >= 0;
}

void count_whole(RequestScene& scene, RunStore& runs) {
  const auto put = [&](const RunPtr& run, std::optional<RequestSums>& to) {
    if (const auto sums =
            runs.derive<RequestSums>("request sums", {run}, [run] { return request_sums(*run); }))
      to = *sums;
    else
      scene.waits = RequestScene::counting;
  };
  put(scene.here.run, scene.whole);
  if (scene.beside && scene.whole) put(scene.beside->run, scene.whole_beside);
}

Caption pattern_caption(const PatternState& p, bool shared) {
  const RunSpec r = pattern_target(p, shared).request;
  Caption c{full_title(r.kernel), {}, {}, {}};
  for (const auto& [name, value] : r.set)
    c.parameters += (c.parameters.empty() ? "" : tr(", ")) + tr(name) + " = " + value;
  return c;
}

int next_request(const Run& run, const Cursor& c, MemorySpace space, int now, int by, bool by_cost) {
  const std::vector<int> all = numbers_at(run, c, space, by_cost);
  if (all.empty()) return -1;
  auto at = std::find(all.begin(), all.end(), now);
  if (at == all.end())  // no choice: the one that is shown
    if (const WarpAccess* q = request_at(run, c, space, -1))
      at = std::find(all.begin(), all.end(), number_of(*q));
  const int n = int(all.size()), i = at == all.end() ? 0 : int(at - all.begin());
  return all[size_t((i + by + n) % n)];
}

}  // namespace bscope
