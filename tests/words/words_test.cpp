#include "app/words/words.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "app/session/state.hpp"
#include "app/words/medium.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/simt/schedule.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/whole_file.hpp"

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
  EXPECT_EQ(tr_count(size_t(65536), "{} add", "{} adds"), "65,536 adds");
  EXPECT_EQ(translated("threads 1 and 2"), "threads 1 and 2");
}

TEST_F(Words, BeginLinesInCapitalsButForNamesOfCode) {
  EXPECT_EQ(capitalised("up-sweep"), "Up-sweep");
  for (const char* code :
       {"thrust::sort, line 20", "cublasSaxpy, line 4", "warp_sum", "s[3] is read", "x64, x128"})
    EXPECT_EQ(capitalised(code), code);
}

TEST_F(Words, OtherLanguagesAreTranslated) {
  speak(Language::zh);
  EXPECT_EQ(tr("Zoom in"), "放大");
  EXPECT_EQ(translated("Zoom in"), "放大");
  EXPECT_EQ(tr("nobody has translated this"), "nobody has translated this");
  EXPECT_TRUE(known(Language::zh, "Zoom in"));
  EXPECT_FALSE(known(Language::zh, "nobody has translated this"));
}

/// What the exception tells the user.
template <class F>
Message error(F f) {
  try {
    f();
  } catch (const std::exception& e) { return message_of(e); }
  return {};
}

TEST_F(Words, ErrorsAreTranslatedAndWhatWasTypedIsNot) {
  const Message schedule = error([] { parse_schedule("random"); });
  const Message parameter = error([] { make_problem(find("scan/blelloch"), {.set = {{"Zoom in", "red"}}}); });
  const Message folder = error([] { write_whole("/none/a", "text"); });
  EXPECT_EQ(tr(parameter), "scan/blelloch has no parameter \"Zoom in\": use scan, operator or type.");
  EXPECT_EQ(tr(folder), "cannot write /none/a: No such file or directory");
  speak(Language::zh);
  EXPECT_EQ(tr(schedule),
            "没有调度“random”：请用 auto、to-barrier、lockstep 或 shuffle:SEED（SEED 为整数）。");
  EXPECT_EQ(tr(parameter), "scan/blelloch 没有参数“Zoom in”：请用 scan, operator 或 type。");
  EXPECT_EQ(tr(folder), "无法写入 /none/a：没有这个文件或文件夹");
}

TEST_F(Words, AnErrorIsSaidInTheLanguageOfTheMoment) {
  LoadedState s;
  refuse(s, UsageError(message("\"{}\" is not a number", "x")), Where::file);
  EXPECT_EQ(tr(s.error), "\"x\" is not a number");
  speak(Language::zh);
  EXPECT_EQ(tr(s.error), "“x”不是数");
  forgive(s);
  EXPECT_TRUE(s.error.empty());
}

TEST_F(Words, WhatIsNoErrorOfOursIsSaidAsItIs) {
  EXPECT_EQ(tr(message_of(std::runtime_error("a library's words"))), "a library's words");
}

TEST(PageWords, NameOptionsAsLinksDo) {
  EXPECT_EXIT(
      {
        speak_in_page();
        const std::string all =
            tr(error([] { make_problem(find("scan/blelloch"), {.n = 0}); })) +
            tr(error([] { make_problem(find("scan/blelloch"), {.values = std::vector<double>{}}); }));
        std::fputs(all.c_str(), stderr);
        std::_Exit(0);
      },
      testing::ExitedWithCode(0),
      "^n 0 is too small: there must be at least 1 element.values holds no value: give at least one.$");
}

TEST(WindowWords, SayWhatAUserOfTheWindowCanDo) {
  EXPECT_EXIT(
      {
        speak_in_window();
        const std::string all =
            tr(error([] { make_problem(find("scan/blelloch"), {.n = 0}); })) +
            tr(message("A run of {} with one element needs about {} of memory, more than the {} allowed: "
                       "raise --max-memory.",
                       "scan/blelloch", "2 GB", "1 GB"));
        std::fputs(all.c_str(), stderr);
        std::_Exit(0);
      },
      testing::ExitedWithCode(0),
      "^n 0 is too small: there must be at least 1 element.*start Barrierscope with a larger --max-memory.$");
}

TEST(Languages, AreNamed) {
  for (const Language l : {Language::en, Language::zh}) EXPECT_EQ(parse_language(name_of(l)), l);
  EXPECT_THROW(parse_language("fr"), UsageError);
}

}  // namespace
}  // namespace bscope
