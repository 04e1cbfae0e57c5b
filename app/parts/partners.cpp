#include "app/parts/partners.hpp"

#include <algorithm>

#include "app/parts/pattern.hpp"
#include "app/run/titles.hpp"
#include "app/session/input.hpp"
#include "app/session/tab.hpp"
#include "app/words/words.hpp"

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
    const auto run = open_target(pattern_target(p, shared)).run;
    const WarpAccess* q = pattern_read(*run, shared);
    sweep.answers[size_t(sweep.done++)] = q ? (shared ? q->wavefronts : q->sectors) : 0;
  } while (std::chrono::steady_clock::now() - begin < most);
}

namespace {

void stand_beside(Partner& kept, std::shared_ptr<const Run> other) {
  if (!other) return;  // what one of them refuses: then the open run stands alone
  kept.plain = kept.open_is_other ? other : kept.of;
  kept.other = kept.open_is_other ? kept.of : other;
}

}  // namespace

void find_twins(Partner& kept, const State& s, BesideFrames& beside) {
  if (kept.of != s.run) {
    kept = {};
    kept.of = s.run;
    beside.twin.forget();
    const auto both = padded_twins(s.target, *s.run);
    if (!both) return;
    kept.open_is_other = both->open_is_padded;
    beside.run_twin(both->open_is_padded ? both->plain : both->padded, *s.run);
  }
  if (const auto found = beside.twin.take()) {
    beside.keep(*found);
    stand_beside(kept, found->run);
  }
}

void run_pattern(Partner& kept, const PatternState& p, bool shared, std::chrono::milliseconds time) {
  PatternState plain = p;
  plain.pad = 0;
  if (!shared) plain.stride = 1, plain.offset = 0;
  const auto but_for_stride = [](PatternState s) {
    s.stride = 0;
    return s;
  };
  if (kept.pattern != p) {
    if (!kept.pattern || but_for_stride(*kept.pattern) != but_for_stride(p))
      kept.sweep = kept.other_sweep = {};
    kept.plain = open_target(pattern_target(plain, shared)).run;
    kept.other = plain == p ? nullptr : open_target(pattern_target(p, shared)).run;
    kept.pattern = p;
  }
  // the bars: in shared memory without padding and with it, in global memory as it is
  PatternState first = p;
  if (shared) first.pad = 0;
  const bool second = shared && p.pad > 0;
  if (!kept.sweep.whole()) go_on(kept.sweep, first, shared, time);
  if (second && !kept.other_sweep.whole()) go_on(kept.other_sweep, p, shared, time);
  kept.unfinished = !kept.sweep.whole() || (second && !kept.other_sweep.whole());
}

const WarpAccess* request_of_substep(const RunQueries& model, const Moment& m, Space space) {
  const Instruction* sub = model.instruction(m);
  return sub && sub->request && sub->request->shared() == (space == Space::shared) ? sub->request : nullptr;
}

Looked at_read(const std::shared_ptr<const Run>& run, bool shared) {
  const WarpAccess* read = pattern_read(*run, shared);
  return {run, at_step(*run, {}, steps(*run) - 1), read ? number_of(*read) : -1};
}

void follow(RequestScene& scene, const RunQueries& model, const Cursor& c) {
  scene.followed = model.followed(c);
  scene.asked_for = c.thread >= 0;
}

void count_whole(RequestScene& scene, BesideFrames& beside) {
  const auto put = [&](const std::shared_ptr<const Run>& run, std::optional<RequestSums>& to) {
    if (const RequestSums* sums = beside.sums_of(run))
      to = *sums;
    else
      scene.waits = RequestScene::counting;
  };
  put(scene.here.run, scene.whole);
  if (scene.beside && scene.whole) put(scene.beside->run, scene.whole_beside);
}

const RequestSums* BesideFrames::sums_of(const std::shared_ptr<const Run>& run) {
  if (const auto counted = count_.take()) keep(*counted);
  const auto known =
      std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return k.run.lock() == run; });
  if (known != known_.end()) return &known->sums;
  if (count_.busy() && counting_.lock() == run) return nullptr;
  counting_ = run;
  count_.start([run] { return Counted{run, request_sums(*run)}; }, is_large(*run) ? wake : nullptr);
  const auto counted = count_.take();
  if (!counted) return nullptr;
  keep(*counted);
  return &known_.front().sums;
}

void BesideFrames::run_twin(const Target& target, const Run& like) {
  twin.start(
      [target]() -> Counted {
        try {
          const auto run = open_target(target).run;
          return {run, request_sums(*run)};
        } catch (const std::exception&) { return {}; }
      },
      is_large(like) ? wake : nullptr);
}

void BesideFrames::keep(const Counted& c) {
  constexpr size_t most = 8;
  if (c.run) known_.push_front({c.run, c.sums});
  if (known_.size() > most) known_.pop_back();
  ++version_;
}

Caption pattern_caption(const PatternState& p, bool shared) {
  const RunSpec r = pattern_target(p, shared).request;
  Caption c{full_title(r.kernel), {}, {}, {}};
  for (const auto& [name, value] : r.set)
    c.parameters += (c.parameters.empty() ? "" : ", ") + said(name) + " = " + value;
  return c;
}

BesideFrames* beside_frames(const TabScene& scene) {
  if (!scene.services.wake) return nullptr;
  auto& beside = scene.services.of<BesideFrames>();
  beside.wake = scene.services.wake;
  return &beside;
}

int next_request(const Run& run, const Cursor& c, Space space, int now, int by) {
  const std::vector<int> all = numbers_at(run, c, space);
  if (all.empty()) return -1;
  auto at = std::find(all.begin(), all.end(), now);
  if (at == all.end())  // no choice: the one that is shown
    if (const WarpAccess* q = request_at(run, c, space, -1))
      at = std::find(all.begin(), all.end(), number_of(*q));
  const int n = int(all.size()), i = at == all.end() ? 0 : int(at - all.begin());
  return all[size_t((i + by + n) % n)];
}

}  // namespace bscope
