// Traces that are valid by their schema and mean nothing: every question gets an answer, in bounded time.
#include <gtest/gtest.h>

#include "engine/analysis/arrows.hpp"
#include "engine/analysis/bank_slots.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/globals.hpp"
#include "engine/analysis/out_of_bounds.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/relatives.hpp"
#include "engine/analysis/request_choice.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/analysis/selection.hpp"
#include "engine/analysis/touched_lines.hpp"
#include "engine/analysis/unread.hpp"
#include "engine/analysis/why.hpp"
#include "engine/analysis/why_idle.hpp"
#include "engine/analysis/why_rows.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/file.hpp"
#include "tests/analysis/hand_run.hpp"
#include "tests/sanitized.hpp"

namespace bscope {
namespace {

/// Everything that is asked of a moment.
void ask_of(const RunQueries& all, const Moment& m) {
  const Step* step = all.step(m);
  if (!step) return;
  all.prepare(all.track(m).steps);
  step->lines();
  step->moves();
  for (const auto& [array, part] : all.block(m).parts)
    for (const ArrayRange& shown : {part, step->before(array), step->after(array)}) {
      all.before(*step, shown);
      all.after(*step, shown);
      all.words_before(*step, shown);
      all.words_after(*step, shown);
      if (const WarpInstruction* sub = all.instruction(m)) all.before(*sub, shown), all.after(*sub, shown);
      holds_relative(all, *step, shown, true, related(all, m, true, true));
    }
  const Selection& selection = all.selection(m);
  if (selection.cell) all.name(m.launch, *selection.cell), all.lost(*step, *selection.cell);
  if (selection.node >= 0) all.found(all.instruction(m), selection.node);
  why_rows(all.run(), selection.node, 4);
  why_idle(all.trace(), *step->interval, 0);
  for (const MemorySpace space : {MemorySpace::shared, MemorySpace::global})
    for (const WarpAccess* q : requests_at(all.run(), m, space)) {
      if (q->shared())
        bank_slots(*q), straight_words(*q), wavefronts_if_padded(all.run(), *q), touched_words(all.run(), *q);
      else
        touched_lines(*q);
      same_request(all.run(), m, *q, all.run(), m);
    }
}

/// Everything that is asked of a trace anywhere.
void ask_everything(const Trace& given) {
  const auto run = std::make_shared<Run>();
  run->trace = given;
  run->report = analyse(run->trace);
  const Trace& t = run->trace;
  const Report& r = run->report;
  barriers(t, r.flow);
  divergence(t, r.requests());
  total(r.requests());
  for (const Interval& v : r.flow.intervals) {
    EXPECT_EQ(v.shared.size(), t.launches[size_t(v.launch)].shared_bytes);
    arrows(r.flow, v);
    content(t, r.flow, r.words(), v);
    work(r.flow, v);
    active_threads(r.flow, v);
    if (!v.nodes.empty())
      sentence(why(t, r.flow, r.words(), v, r.flow.nodes[size_t(v.nodes.back())].place, 4));
  }
  coverage(t, r.flow);
  for (const Finding& finding : t.findings) why_out_of_bounds(t, finding);
  const Globals globals(t, r.flow);
  for (const Interval& v : r.flow.intervals)
    for (int a = 0; a < int(t.arrays.size()); ++a) {
      EXPECT_EQ(globals.at(a, globals.after(v))->bits.size(), size_t(t.arrays[size_t(a)].size));
      globals.words_at(r.words(), globals.whole(a), globals.after(v));
    }
  if (!r.flow.nodes.empty()) ancestry(r.flow, int(r.flow.nodes.size()) - 1);
  static int asked = 0;
  if (asked++ % 10) return;  // what moments hold takes longer than all that is asked of the whole
  const RunQueries moments(run);
  for (const size_t k : {size_t(0), r.flow.intervals.size() / 2}) {
    if (k >= r.flow.intervals.size()) continue;
    const Interval& v = r.flow.intervals[k];
    Moment m;
    m.launch = v.launch, m.block = v.block, m.interval = v.index;
    m.thread = asked / 10 % 4 - 1;
    m.substep = asked / 10 % 3 - 1;
    ask_of(moments, m);
  }
}

class Dice {
 public:
  explicit Dice(uint32_t seed) : state_(seed * 2654435761u + 1) {}
  uint32_t below(size_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return n ? uint32_t(state_ % n) : 0;
  }

 private:
  uint32_t state_;
};

void spoil(Trace& t, Dice& dice) {
  if (t.launches.empty()) return;
  Launch& l = t.launches[dice.below(t.launches.size())];
  BlockRun& b = l.blocks[dice.below(l.blocks.size())];
  if (b.events.empty()) return;
  Event& e = b.events[dice.below(b.events.size())];
  switch (dice.below(9)) {
    case 0: e.bits ^= 1u << dice.below(32); break;
    case 1: e.a = dice.below(e.a + 3); break;
    case 2: e.b = dice.below(e.b + 3); break;
    case 3: e.op = Op(dice.below(op_count)); break;
    case 4: std::swap(e, b.events[dice.below(b.events.size())]); break;
    case 5: l.turns.clear(); break;
    case 6:
      if (!l.turns.empty())
        std::swap(l.turns[dice.below(l.turns.size())], l.turns[dice.below(l.turns.size())]);
      break;
    case 7:
      e.array =
          uint8_t(dice.below(2) ? dice.below(t.arrays.size()) : first_shared + dice.below(l.shared.size()));
      break;
    case 8: e.line = uint16_t(dice.below(40)); break;
  }
}

TEST(Nonsense, IsAnswered) {
  int valid = 0;
  for (const Algorithm* a : catalog()) {
    RunSpec r;
    r.kernel = a->name;
    r.n = 24;
    if (a->most_block >= 4) r.block = 4;
    Problem p;
    try {
      p = make_problem(*a, r);
    } catch (const UsageError&) { continue; }
    const Trace good = run(*a, p, Device::cpu, {});
    for (uint32_t seed = 0; seed < test::all_or_part(120u, 12u); ++seed) {
      Dice dice(seed);
      Trace bad = good;
      for (uint32_t k = dice.below(6) + 1; k--;) spoil(bad, dice);
      try {
        bad = read_trace(write_trace(bad));
      } catch (const BadFile&) { continue; }
      ++valid;
      ask_everything(bad);
    }
  }
  EXPECT_GT(valid, 50);
}

TEST(Nonsense, OfThreadsThatWaitForEachOtherForever) {
  test::HandRun run(64);
  run.global("data", {0, 0});
  for (int t = 0; t < 64; ++t)
    for (int k = 1; k <= 50; ++k) run.shuffle(t, 3, (t + 1) % 32, {uint32_t(k + 1), 1});
  for (bool turns : {true, false}) ask_everything(run.trace(turns));
}

TEST(Nonsense, OfManyIntervalsWithoutSnapshotsIsRefused) {
  test::HandRun run(1);
  run.global("data", {0});
  run.shared("s", 50000);
  Trace t = run.trace();
  Launch& l = t.launches[0];
  l.blocks[0].snapshots.clear();
  l.blocks[0].events.assign(100000, {3, Op::sync, 0, 0, 0, 0});
  l.blocks[0].first = {0, 100000};
  l.turns = {{0, 100000}};
  const DataflowGraph f = replay_trace(t);
  EXPECT_TRUE(f.intervals.empty());
  EXPECT_FALSE(f.snapshots_match);
  EXPECT_FALSE(f.faults.empty());
  ask_everything(t);
}

TEST(Nonsense, OfALongChainNeedsNoDeepStack) {
  test::HandRun run(1);
  run.global("data", {1, 0});
  test::Value v = run.load(0, 2, 0, 0);
  for (int k = 0; k < 200000; ++k) v = run.add(0, 3, {v.source, 0}, {v.source, 0});
  run.store(0, 4, 0, 1, v);
  ask_everything(run.trace());
}

}  // namespace
}  // namespace bscope
