// How memory serves a warp's request: banks and their words, sectors and their lines; and which request of
// another run is the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/analysis/bank_slots.hpp"
#include "engine/analysis/engine_copies.hpp"
#include "engine/analysis/request_choice.hpp"
#include "engine/analysis/touched_lines.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/trace/source_line.hpp"
#include "tests/analysis/moments_support.hpp"

namespace bscope {
namespace {

std::shared_ptr<const Run> small_run(const std::string& kernel, long long n, long long block = 0) {
  RunSpec r;
  r.kernel = kernel;
  r.n = n;
  if (block) r.block = block;
  return traced_run(r);
}
/// Of shared memory: lane k asks for the word k * step.
WarpAccess asking(int lanes, int step, int bytes = 4) {
  WarpAccess q;
  q.array = first_shared;
  for (int k = 0; k < lanes; ++k) q.lanes.push_back({k, k * step, uint32_t(k * step * 4), bytes, -1});
  return q;
}
/// Of global memory: lane k asks for the byte first + k * step.
WarpAccess asking_bytes(int lanes, int step, int bytes = 4, int first = 0) {
  WarpAccess q;
  for (int k = 0; k < lanes; ++k) q.lanes.push_back({k, k * step, uint32_t(first + k * step), bytes, -1});
  return q;
}
int depth(const std::vector<BankSlot>& slots) {
  int n = 0;
  for (const auto& s : slots) n = std::max(n, s.wavefront + 1);
  return n;
}
int sectors(const std::vector<TouchedLine>& lines) {
  int n = 0;
  for (const TouchedLine& l : lines)
    for (const auto& s : l.sectors) n += !s.lanes.empty();
  return n;
}

TEST(BankSlots, StrideIsWavefronts) {
  EXPECT_EQ(depth(bank_slots(asking(32, 1))), 1);
  EXPECT_EQ(depth(bank_slots(asking(32, 2))), 2);
  EXPECT_EQ(depth(bank_slots(asking(32, 32))), 32);
  EXPECT_EQ(depth(bank_slots(asking(32, 33))), 1) << "one pad word every 32";
}

TEST(BankSlots, OneWordIsSharedByItsLanes) {
  const auto slots = bank_slots(asking(32, 0));
  ASSERT_EQ(slots.size(), 1u);
  EXPECT_EQ(slots[0].lanes.size(), 32u);
}

TEST(BankSlots, NoBankAnswersTwiceInAWavefront) {
  for (int step : {1, 3, 4, 16, 32}) {
    std::set<std::pair<int, int>> seen;
    for (const BankSlot& s : bank_slots(asking(32, step))) {
      EXPECT_TRUE(seen.insert({s.bank, s.wavefront}).second);
      EXPECT_EQ(s.bank, int(s.word % 32));
    }
  }
}

TEST(BankSlots, WideLanesGoInPasses) {
  // 8 bytes a lane, side by side: each half warp asks for 32 words of 32 banks
  EXPECT_EQ(depth(bank_slots(asking(32, 2, 8))), 2);
  for (const BankSlot& s : bank_slots(asking(32, 2, 8))) EXPECT_FALSE(s.excess);
}

TEST(BankSlots, AgreeWithTheAnalysisOnRealRuns) {
  for (const char* kernel :
       {"scan/blelloch", "scan/kogge-stone", "reduce/shared", "histogram/shared-atomics"}) {
    const auto run = small_run(kernel, 300, 128);
    for (const WarpAccess& q : run->report.requests())
      if (q.shared()) {
        int excess = 0;
        const auto slots = bank_slots(q);
        for (const auto& s : slots) excess += s.excess;
        EXPECT_EQ(depth(slots), q.wavefronts) << kernel << " line " << q.line;
        EXPECT_EQ(excess > 0, q.wavefronts > q.ideal);
      }
  }
}

TEST(BankSlots, StraightWordsAreThoseOfEachLane) {
  const auto fit = straight_words(asking(32, 3));
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->step, 3);
  EXPECT_EQ(fit->start, 0);
  WarpAccess odd = asking(32, 3);
  odd.lanes[7].address += 4;
  EXPECT_FALSE(straight_words(odd));
}

TEST(BankSlots, PaddingMendsWhatThePaddedTwinHas) {
  const auto plain = small_run("scan/blelloch", 256), padded = small_run("scan/blelloch-padded", 256);
  int mended = 0;
  for (size_t k = 0; k < plain->report.requests().size(); ++k) {
    const WarpAccess& q = plain->report.requests()[k];
    if (!q.shared() || q.wavefronts == q.ideal) continue;
    EXPECT_LE(wavefronts_if_padded(*plain, q), q.wavefronts);
    EXPECT_EQ(wavefronts_if_padded(*plain, q), padded->report.requests()[k].wavefronts);
    ++mended;
  }
  EXPECT_GT(mended, 0);
}

TEST(TouchedLines, StrideIsSectors) {
  EXPECT_EQ(sectors(touched_lines(asking_bytes(32, 4))), 4);
  EXPECT_EQ(touched_lines(asking_bytes(32, 4)).size(), 1u);
  EXPECT_EQ(sectors(touched_lines(asking_bytes(32, 8))), 8);
  EXPECT_EQ(sectors(touched_lines(asking_bytes(32, 32))), 32);
  EXPECT_EQ(sectors(touched_lines(asking_bytes(32, 4, 4, 4))), 5) << "one word further, one sector more";
  EXPECT_EQ(sectors(touched_lines(asking_bytes(32, 0))), 1);
  EXPECT_EQ(sectors(touched_lines(asking_bytes(32, 16, 16))), 16) << "vectors of 16 bytes";
}

TEST(TouchedLines, KnowsWhichBytesWereAskedFor) {
  const auto lines = touched_lines(asking_bytes(2, 8));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].sectors[0].asked, 0xf0fu);
  EXPECT_EQ(lines[0].sectors[0].lanes, (std::vector<int>{0, 1}));
}

TEST(TouchedLines, AgreeWithTheAnalysisOnRealRuns) {
  for (const char* kernel : {"scan/hierarchical", "reduce/grid-stride", "histogram/global-atomics",
                             "reduce/interleaved-global", "patterns/global-stride"}) {
    const auto run = small_run(kernel, 300, 64);
    for (const WarpAccess& q : run->report.requests())
      if (!q.shared()) { EXPECT_EQ(sectors(touched_lines(q)), q.sectors) << kernel << " line " << q.line; }
  }
}

TEST(EngineCopies, AreWholeTiles) {
  const auto run = small_run("reduce/bulk-copy", 512);
  int cells = 0;
  for (const Interval& v : run->report.flow.intervals)
    for (const EngineCopy& c : engine_copies(*run, v)) {
      EXPECT_FALSE(c.from.shared());
      EXPECT_TRUE(c.to.shared());
      EXPECT_EQ(c.bytes, 4 * c.cells);
      EXPECT_EQ(c.sectors * sector_bytes, c.bytes) << "aligned";
      cells += c.cells;
    }
  EXPECT_EQ(cells, 512) << "each number is fetched once";
}

TEST(TouchedLines, BytesThatTwoLanesAskForCountOnce) {
  EXPECT_EQ(asked_bytes(touched_lines(asking_bytes(32, 4))), 128);
  EXPECT_EQ(asked_bytes(touched_lines(asking_bytes(32, 0))), 4);
}

TEST(RequestChoice, TheOneThatWastesMostIsLookedAtUntilAnotherIsChosen) {
  const auto run = small_run("scan/blelloch", 256);
  const Moment m = moment_at(*run, 4);
  const auto all = requests_at(*run, m, MemorySpace::shared);
  ASSERT_GT(all.size(), 1u);
  const WarpAccess* worst = request_at(*run, m, MemorySpace::shared, -1);
  for (const WarpAccess* q : all) {
    EXPECT_LE(answers(*q) - fewest(*q), answers(*worst) - fewest(*worst));
    EXPECT_EQ(request_at(*run, m, MemorySpace::shared, number_of(*q)), q);
  }
  EXPECT_EQ(numbers_at(*run, m, MemorySpace::shared).size(), all.size());
  EXPECT_EQ(request_at(*run, m, MemorySpace::global, -1), nullptr);
}

TEST(RequestChoice, TheSameRequestOfThePaddedTwinIsInTheSameLineOfWork) {
  const auto plain = small_run("scan/blelloch", 256), padded = small_run("scan/blelloch-padded", 256);
  ASSERT_EQ(steps(*plain), steps(*padded));
  for (int k = 0; k < steps(*plain); ++k) {
    const Moment m = moment_at(*plain, k);
    const auto ours = requests_at(*plain, m, MemorySpace::shared),
               theirs = requests_at(*padded, m, MemorySpace::shared);
    ASSERT_EQ(ours.size(), theirs.size());
    for (size_t i = 0; i < ours.size(); ++i)
      EXPECT_EQ(same_request(*plain, m, *ours[i], *padded, m), theirs[i]) << "step " << k;
  }
}

TEST(RequestChoice, SumsAreThoseOfTheIntervals) {
  const auto run = small_run("reduce/bulk-copy", 512);
  const RequestSums sums = request_sums(*run);
  long sectors = 0, engine = 0;
  for (int k = 0; k < steps(*run); ++k) {
    for (const WarpAccess* q : requests_at(*run, moment_at(*run, k), MemorySpace::global))
      sectors += answers(*q);
    engine += engine_sectors(*run, run->report.flow.intervals[size_t(k)]);
  }
  EXPECT_EQ(sums.of_warps.global_sectors, sectors);
  EXPECT_EQ(sums.engine, engine);
  EXPECT_GT(engine, 0);
}

TEST(SourceLine, IsTheLineWithoutItsIndentation) {
  Trace t;
  t.sources = {{"a.cu", "one\n\t  two;\n\nfour"}};
  t.launches.resize(2);
  t.launches[0].source = 0;
  t.launches[1].source = 1;
  EXPECT_EQ(source_line(t, 0, 1), "one");
  EXPECT_EQ(source_line(t, 0, 2), "two;");
  EXPECT_EQ(source_line(t, 0, 3), "");
  EXPECT_EQ(source_line(t, 0, 4), "four");
  EXPECT_EQ(source_line(t, 0, 5), "");
  EXPECT_EQ(source_line(t, 1, 1), "");
}

}  // namespace
}  // namespace bscope
