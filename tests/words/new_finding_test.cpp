// A finding with its place, and its words in two languages, in one file: a kind, a message, a translation.
#include <gtest/gtest.h>

#include "app/words/words.hpp"
#include "engine/trace/file.hpp"
#include "tests/trace/hand_made.hpp"

namespace bscope {
namespace {

TEST(ANewFinding, HasItsPlaceAndItsWordsInTwoLanguages) {
  Trace t = test::hand_made();
  t.findings = {{.launch = 1,
                 .thread = 1,
                 .line = 5,
                 .message = message("{} reads {} in line {} while {} may be writing it.",
                                    message("Thread {}", 1), "s[1]", 5, message("thread {}", 0)),
                 .kind = FindingKind::other,
                 .cells = {{0, 1}},
                 .help = message("Make the access in line {} an atomic, too.", 5),
                 .more = 3}};
  const Finding f = read_trace(write_trace(t)).findings.at(0);
  EXPECT_EQ(f, t.findings[0]);
  EXPECT_EQ(tr(f.sentences()),
            "Thread 1 reads s[1] in line 5 while thread 0 may be writing it. Make the access in line 5 an "
            "atomic, too.");
  speak(Language::zh);
  EXPECT_EQ(tr(f.sentences()),
            "线程 1 在第 5 行读取 s[1]，此时线程 0 可能正在写它。把第 5 行的访问也改为原子操作。");
  speak(Language::en);
  EXPECT_TRUE(known(Language::zh, f.message));
  EXPECT_FALSE(known(Language::zh, message("{} is new", "s[1]")))
      << "a pattern without a translation is found";
}

}  // namespace
}  // namespace bscope
