// Where the columns of the projector's strip end: with a paragraph or a sentence, never within a question.
#include "app/lessons/columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/lessons/answers.hpp"
#include "app/lessons/document.hpp"
#include "app/lessons/picture.hpp"
#include "app/lessons/place.hpp"
#include "app/lessons/shelf.hpp"
#include "app/words/words.hpp"
#include "tests/at_once.hpp"
#include "tests/places.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

constexpr float em = 10, wide = 300;
const Theme& look() {
  static const Theme t = theme(ThemeName::projector, 900);
  return t;
}
MarkdownOptions options() { return {wide, em, {}, {}}; }
ColumnText columns_of(const std::string& text, float first, float second, size_t begins_page = 0) {
  return in_columns(read_markdown(text), options(), look(), fixed_metrics(), {first, second}, begins_page);
}
float height_of(const std::string& text) {
  return height_of(markdown(read_markdown(text), options(), look(), fixed_metrics()));
}

/// The words of some lines, without spaces.
std::string letters(const std::vector<MarkdownLine>& lines, int from, int to) {
  std::string out;
  for (int k = from; k < to; ++k)
    for (const Shape& s : lines[size_t(k)].picture.shapes)
      if (s.type == Shape::text) out += without_blanks(s.words);
  return out;
}
/// The words of each column, the first page's and all further ones'.
std::vector<std::string> in_each(const ColumnText& text, float first, float second) {
  std::vector<std::string> out;
  for (int at = 0; at < int(text.lines.size()) && out.size() < 50;) {
    const int end = lines_that_fit(text.lines, at, out.size() % 2 ? second : first);
    out.push_back(letters(text.lines, at, end));
    at = end;
  }
  return out;
}

const std::string one = "Thread 0 adds two values. The others wait at the barrier until it has come. ";
const std::string two = "Then all of them go on, and each reads what it has written. So it goes.";

TEST(Columns, EndWithAParagraphWhereThatHasRoom) {
  const std::string text = one + "\n\n" + two;
  const float room = height_of(two) + 1;
  const ColumnText made = columns_of(text, height_of(text) - em, room);
  EXPECT_TRUE(made.whole);
  const auto all = in_each(made, height_of(text) - em, room);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0], without_blanks(one));
  EXPECT_EQ(all[1], without_blanks(two));
}

TEST(Columns, ElseEndWithASentence) {
  const std::string text = one + two;
  const auto lines = markdown(read_markdown(text), options(), look(), fixed_metrics());
  ASSERT_GE(lines.size(), 3u);
  const float first = lines[0].height * 2 + 1, second = height_of(two) + lines[0].height * 2;
  // without parting it the second line, full to its end, ends within a sentence
  ASSERT_NE(letters(lines, 0, 2).back(), '.');
  const ColumnText made = columns_of(text, first, second);
  EXPECT_TRUE(made.whole);
  const auto all = in_each(made, first, second);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].back(), '.');
  EXPECT_EQ(all[0] + all[1], without_blanks(text));
}

TEST(Columns, DoNotEndWithinAQuestionOrATable) {
  for (const std::string& block :
       {std::string("> Which add comes first? And which of them would have to wait for the others to end?"),
        std::string("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |")}) {
    const std::string text = one + "\n\n" + block + "\n\n" + two;
    const float room = height_of(one) + height_of(block) * 0.6f;
    const ColumnText made = columns_of(text, room, height_of(text));
    const auto all = in_each(made, room, height_of(text));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0], without_blanks(one)) << block;
  }
}

TEST(Columns, ABlockMayBeginAPage) {
  // room for a paragraph in the first column, for no line in the second
  const std::string text = one + "\n\n" + two;
  const float first = height_of(two) + 1, second = em;
  const ColumnText made = columns_of(text, first, second, 1);
  EXPECT_TRUE(made.whole);
  ASSERT_EQ(made.blocks.size(), 2u);
  for (int k = 0; k < int(made.lines.size()); ++k) {
    const MarkdownLine& line = made.lines[size_t(k)];
    EXPECT_EQ(line.new_box, line.block == 1) << k;
    if (line.block == 1) EXPECT_EQ(lines_that_fit(made.lines, k, first), int(made.lines.size()));
  }
}

TEST(Columns, ASentenceThatIsLongerThanTheColumnIsBroken) {
  std::string endless = "One thread";
  for (int k = 0; k < 40; ++k) endless += " and one more thread";
  const ColumnText made = columns_of(endless + ".", em * 5, em * 5);
  EXPECT_FALSE(made.whole);
  std::string all;
  for (const std::string& words : in_each(made, em * 5, em * 5)) all += words;
  EXPECT_EQ(all, without_blanks(endless + "."));
}

TEST(Columns, KnowWhereSentencesEnd) {
  const auto halves = [](const std::string& text) {
    std::vector<std::string> out;
    for (const auto& [first, second] : parted_at_sentences(read_markdown(text)[0].words)) {
      std::string words;
      for (const TextSpan& s : first) words += s.words;
      words += "|";
      for (const TextSpan& s : second) words += s.words;
      out.push_back(words);
    }
    return out;
  };
  using All = std::vector<std::string>;
  EXPECT_EQ(halves("It takes 0.5 of it. Then `s.x` ends."), All{"It takes 0.5 of it.|Then s.x ends."});
  EXPECT_EQ(halves("**Why?** Because. (So it is.) Done."),
            (All{"Why?|Because. (So it is.) Done.", "Why? Because.|(So it is.) Done.",
                 "Why? Because. (So it is.)|Done."}));
  EXPECT_EQ(halves("A line ends.\nThe next begins."), All{"A line ends.|The next begins."});
  EXPECT_EQ(halves("线程等待。然后“继续。”结束。"),
            (All{"线程等待。|然后“继续。”结束。", "线程等待。然后“继续。”|结束。"}));
  EXPECT_TRUE(halves("One sentence alone.").empty());
}

/// The words in each column of the strip, without spaces.
std::array<std::string, 2> columns_on(const Picture& p, const Theme& t) {
  const float left = t.px(416), right = p.width - t.px(46);
  std::array<std::string, 2> out;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::text && s.box.x >= left - 1 && s.box.x < right)
      out[s.box.x < (left + right) / 2 ? 0 : 1] += without_blanks(s.words);
  return out;
}
// Where an answer goes on behind its page, the page begins with the question, and the answer stands below it.
TEST(Strip, BeginsWithTheQuestionWhereTheAnswerGoesOn) {
  LessonPage page;
  page.title = "A lesson";
  page.steps = {{"A step", false, {}}};
  page.text = one + two + "\n\n> Which thread adds?\n\n---\n\nThread 0 does.\n\n" +
              "| threads | adds |\n|---|---|\n| 1 | 2 |\n| 2 | 1 |\n| 4 | 0 |\n\n" + one + "\n\n" + two;
  page.scroll = scrolled_to_answer;
  constexpr float h = 720;
  const Theme t = theme(ThemeName::projector, h);
  const float w = h * 16 / 9 - t.px(16);
  const LessonPicture p =
      lesson_page(page, t, fixed_metrics(), w, lesson_strip_height(page, t, fixed_metrics(), w, h * 0.24f));
  ASSERT_LT(p.shown, p.lines);
  const auto columns = columns_on(p.picture, t);
  EXPECT_EQ(columns[0], "Whichthreadadds?Thread0does.");
  EXPECT_TRUE(columns[1].starts_with("threadsadds")) << columns[1];
}

bool ends_a_sentence(const std::string& words) {
  return std::ranges::any_of(std::array{".", "?", "!", ".)", "。", "？", "！", "。）", "。”"},
                             [&](const char* end) { return words.ends_with(end); });
}

// Every step of every lesson, page by page, as a projector shows it.
TEST(EveryLessonsColumns, EndWithSentences) {
  LessonShelf shelf({BARRIERSCOPE_ROOT "/assets/lessons"});
  shelf.refresh();
  LessonRuns runs(runs_at_once());
  int ended = 0;
  for (const Language language : {Language::en, Language::zh}) {
    speak(language);
    for (const std::string& id : shelf.ids()) {
      const Lesson* lesson = shelf.find(id, language);
      for (const LessonStep& step : lesson->steps)
        for (int part = 0; part < int(step.parts.size()); ++part) {
          const LessonStep& shown = shown_at(step, part);
          const auto run = runs.of(shown.target);
          std::vector<Mistake> mistakes;
          LessonPage page;
          page.title = lesson->title;
          page.steps = {{step.title, false, {}}};
          page.text = filled(step.parts[size_t(part)].text, step.parts[size_t(part)].line, shown, *run,
                             find_place(shown, *run, mistakes), runs, mistakes);
          constexpr float h = 720;  // a larger screen has all of it larger
          const Theme t = theme(ThemeName::projector, h);
          const float w = h * 16 / 9 - t.px(16);
          std::vector<std::string> block_ends;
          for (const TextBlock& b : read_markdown(page.text)) {
            const auto lines = markdown({b}, {t.px(530), t.px(22), {}, {}}, t, fixed_metrics());
            const std::string all = letters(lines, 0, int(lines.size()));
            if (!all.empty()) block_ends.push_back(all.substr(all.size() - std::min<size_t>(24, all.size())));
          }
          page.scroll = 0;
          for (int turn = 0; turn < 20; ++turn) {
            const LessonPicture p = lesson_page(page, t, fixed_metrics(), w,
                                                lesson_strip_height(page, t, fixed_metrics(), w, h * 0.24f));
            for (const std::string& column : columns_on(p.picture, t)) {
              const bool block = std::ranges::any_of(
                  block_ends, [&](const std::string& end) { return column.ends_with(end); });
              EXPECT_TRUE(column.empty() || block || ends_a_sentence(column))
                  << id << ", " << step.title << ": a column ends with " << column;
              ended += !column.empty();
            }
            if (p.shown >= p.lines) break;
            page.scroll = std::max(page.scroll + 1, p.shown);
          }
        }
    }
  }
  speak(Language::en);
  EXPECT_GT(ended, 400);
}

}  // namespace
}  // namespace bscope
