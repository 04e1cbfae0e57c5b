#include "app/words/words.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace bscope {
namespace {

struct Words : testing::Test {
  ~Words() override { speak(Language::en); }
};

TEST_F(Words, EnglishIsWhatStandsInTheSource) {
  EXPECT_EQ(tr("Zoom in"), "Zoom in");
  EXPECT_EQ(tr("{} of {}", 3, 7), "3 of 7");
  EXPECT_EQ(tr_count(1, "{} add", "{} adds"), "1 add");
  EXPECT_EQ(tr_count(2, "{} add", "{} adds"), "2 adds");
  EXPECT_EQ(translated("threads 1 and 2"), "threads 1 and 2");
}

TEST_F(Words, OtherLanguagesAreTranslated) {
  speak(Language::zh);
  EXPECT_EQ(tr("Zoom in"), "放大");
  EXPECT_EQ(translated("Zoom in"), "放大");
  EXPECT_EQ(tr("nobody has translated this"), "nobody has translated this");
  EXPECT_TRUE(known(Language::zh, "Zoom in"));
  EXPECT_FALSE(known(Language::zh, "nobody has translated this"));
}

TEST_F(Words, WhatSomebodyTypesIsNotTranslated) {
  speak(Language::zh);
  EXPECT_EQ(
      translated("There is no schedule \"random\": use auto, to-barrier, lockstep or shuffle:SEED with a "
                 "whole number as "
                 "SEED."),
      "没有调度“random”：请用 auto、to-barrier、lockstep 或 shuffle:SEED（SEED 为整数）。");
  EXPECT_EQ(translated("scan/blelloch has no parameter \"colour\": use scan, operator or type."),
            "scan/blelloch 没有参数“colour”：请用 scan, operator 或 type。");
}

TEST_F(Words, AClauseIsNotTakenForWhatStandsInAHole) {
  speak(Language::zh);
  const std::string race =
      "Thread 16 writes s[16] in line 19, thread 0 reads it in line 19, and nothing orders the two: ";
  const std::string zh = "线程 16 写入 s[16]（第 19 行），线程 0 读取它（第 19 行），两者之间没有先后次序：";
  EXPECT_EQ(translated(race + "a barrier belongs between two rounds of the loop around line 19."),
            zh + "围绕第 19 行的循环，两轮之间应有一个屏障。");
  EXPECT_EQ(translated(race + "a barrier belongs between line 19 and the next round's line 19."),
            zh + "第 19 行与下一轮的第 19 行之间应有一个屏障。");
  EXPECT_EQ(
      translated(
          race +
          "a barrier belongs between line 19 and line 21, and between line 21 and the next round's line 19."),
      zh + "第 19 行与第 21 行之间、第 21 行与下一轮的第 19 行之间都应有一个屏障。");
  EXPECT_EQ(
      translated("Thread 2 reads s[1] in line 15 while thread 1 may be writing it. Read s[i - stride] into a "
                 "variable, call __syncthreads() outside the if, then write s[i]."),
      "线程 2 读取 s[1]（第 15 行），此时线程 1 可能正在写它。先把 s[i - stride] 读入变量，在 if 之外调用 "
      "__syncthreads()，再写 s[i]。");
}

TEST(Languages, AreNamed) {
  for (const Language l : {Language::en, Language::zh}) EXPECT_EQ(parse_language(name_of(l)), l);
  EXPECT_THROW(parse_language("fr"), std::invalid_argument);
}

}  // namespace
}  // namespace bscope
