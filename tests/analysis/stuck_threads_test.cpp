// Which threads wait for ever, as a deadlock's message tells it.
#include "engine/analysis/stuck_threads.hpp"

#include <gtest/gtest.h>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/trace/trace.hpp"
#include "tests/analysis/moments_support.hpp"

namespace bscope {
namespace {

// Nine blocks of which eight fit: each waits for the next, and the last for room.
RunQueries deadlock() { return model_of("mistakes/waits-ahead", 36, 4); }

std::vector<int> lines_in(const RunQueries& m, const Trace& trace, int block, size_t interval) {
  return stuck_lines(trace, m.flow(), m.flow().of_block(0, block)[interval]);
}

TEST(StuckThreads, WaitInTheLinesOfTheExecutorsMessage) {
  const RunQueries m = deadlock();
  for (int block = 0; block < 8; ++block) {
    EXPECT_TRUE(lines_in(m, m.trace(), block, 0).empty()) << "a barrier has opened since";
    const std::vector<int> lines = lines_in(m, m.trace(), block, 1);
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_GT(lines[0], 0);
    EXPECT_GT(lines[1], lines[0]) << "thread 0 waits in a loop, the others at the barrier behind it";
    EXPECT_EQ(lines[2], lines[1]);
    EXPECT_EQ(lines[3], lines[1]);
  }
  const RunQueries fits = model_of("mistakes/waits-ahead", 32, 4);
  EXPECT_TRUE(lines_in(fits, fits.trace(), 7, 1).empty());
}

/// What is said of block 7 where the clauses of its message are these.
std::vector<int> threads_told(const std::vector<Message>& clauses, bool others = false) {
  static const RunQueries m = deadlock();
  Trace trace = m.trace();
  Message who = comma_list(clauses);
  if (others) who = message("{}, and others wait in other lines", who);
  for (Finding& f : trace.findings)
    f.message = followed_by(
        message("Deadlock in block {}: {}: no thread is left to release them.", f.block, who),
        message(
            "Block {} has not started: {} blocks fit at a time, and the next starts when one of them ends.",
            8, 8));
  return lines_in(m, trace, 7, 1);
}

TEST(StuckThreads, AreNotThoseThatHaveReturned) {
  EXPECT_EQ(threads_told(
                {message("{} has returned", message("thread {}", "2")),
                 message("{} wait in line {} ({})", message("threads {}", "0-1, 3"), 31, "__syncthreads()")}),
            (std::vector<int>{31, 31, -1, 31}));
  EXPECT_EQ(threads_told(
                {message("{} have returned", message("threads {}", "0-2")),
                 message("{} loops for ever in line {} (on {})", message("thread {}", "3"), 12, "flag[0]")}),
            (std::vector<int>{-1, -1, -1, 12}));
}

TEST(StuckThreads, ThatTheMessageLeavesOutWaitInALineThatIsNotKnown) {
  EXPECT_EQ(
      threads_told({message("{} waits in line {} ({})", message("thread {}", "1"), 7, "__syncwarp()")}, true),
      (std::vector<int>{0, 7, 0, 0}));
  EXPECT_EQ(threads_told({message("{} have returned", message("threads {} and {} more", "0", 1)),
                          message("{} waits in line {} ({})", message("thread {}", "1"), 7, "__syncwarp()")}),
            (std::vector<int>{-1, 7, -1, -1}))
      << "some of these have returned";
}

TEST(StuckThreads, OfAFileThatHasTheWordsAloneAreNotGuessed) {
  const RunQueries m = deadlock();
  Trace trace = m.trace();
  for (Finding& f : trace.findings) f.message = Message::plain(f.message.english());
  EXPECT_TRUE(lines_in(m, trace, 7, 1).empty());
}

}  // namespace
}  // namespace bscope
