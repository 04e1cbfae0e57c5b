// The lesson's column and strip: every step of every lesson, in both languages, wherever it is shown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <tuple>

#include "app/lessons/answers.hpp"
#include "app/lessons/document.hpp"
#include "app/lessons/markdown.hpp"
#include "app/lessons/picture.hpp"
#include "app/lessons/place.hpp"
#include "app/lessons/shelf.hpp"
#include "tests/at_once.hpp"
#include "tests/lessons/built_in_lessons.hpp"
#include "tests/tabs/layout_support.hpp"

#ifdef BARRIERSCOPE_PICTURES
#include "app/export/cairo.hpp"
#endif

namespace bscope {
namespace {

using testing::ElementsAre;

/// A step as the panel shows it, with so many of its parts; all: every answer is open.
LessonPage page_of(const Lesson& lesson, int number, LessonRuns& runs, int parts = -1) {
  const LessonStep& step = lesson.steps[size_t(number)];
  if (parts < 0) parts = int(step.parts.size());
  LessonPage page;
  page.title = lesson.title;
  for (int k = 0; k < int(lesson.steps.size()); ++k)
    page.steps.push_back({lesson.steps[size_t(k)].title, k < number,
                          lesson.steps[size_t(k)].predict && k < number ? Score{3, 4} : Score{}});
  page.step = number;
  std::vector<Mistake> mistakes;
  for (int k = 0; k < parts; ++k) {
    const auto& part = step.parts[size_t(k)];
    const LessonStep& shown = shown_at(step, k);
    const auto run = runs.of(shown.target);
    const Cursor place = find_place(shown, *run, mistakes);
    page.text += (page.text.empty() ? "" : "\n\n---\n\n") +
                 filled(part.text, part.line, shown, *run, place, runs, mistakes);
  }
  page.score = {3, 4};
  return page;
}

/// On its panel, where the app has it.
Picture on_panel(const Theme& t, Picture made, float x, float y, float w, float h) {
  Picture all{w, h, {}, {}};
  Shape panel;
  panel.box = {x, y, made.width, made.height};
  panel.fill = t.panel;
  panel.radius = t.px(6);
  all.shapes.push_back(panel);
  for (Shape& s : made.shapes) {
    s.box.x += x;
    s.box.y += y;
    for (Point& p : s.points) p.x += x, p.y += y;
    all.shapes.push_back(std::move(s));
  }
  for (HitRegion& hit : made.hits) {
    hit.box.x += x;
    hit.box.y += y;
    all.hits.push_back(std::move(hit));
  }
  return all;
}

LessonPicture shown(const LessonPage& page, const Theme& t, const Metrics& m, float w, float h) {
  const float gap = t.px(8);
  if (!t.projector()) return lesson_page(page, t, m, lesson_column_width(t), h - 2 * gap);
  return lesson_page(page, t, m, w - 2 * gap, lesson_strip_height(page, t, m, w - 2 * gap, h * 0.24f));
}

class EveryLessonPage : public testing::TestWithParam<test::LessonInLanguage> {
  void TearDown() override { speak(Language::en); }
};

TEST_P(EveryLessonPage, IsClean) {
  const auto& [id, language] = GetParam();
  speak(language);
  const Lesson* lesson = test::built_in_lessons().find(id, language);
  ASSERT_TRUE(lesson);
  LessonRuns runs(runs_at_once());
  for (int k = 0; k < int(lesson->steps.size()); ++k) {
    LessonPage page = page_of(*lesson, k, runs);
    page.strayed = k % 3 == 1;
    const auto clean = [&](const std::string& what) {
      expect_clean_everywhere(id + " " + std::to_string(k + 1) + what,
                              [&](const Theme& t, const Metrics& m, float w, float h) {
                                return on_panel(t, shown(page, t, m, w, h).picture, t.px(8), t.px(8), w, h);
                              });
    };
    clean("");
    if (HasFailure()) return;
    // nothing is out of reach: from the furthest scroll the last line is on screen
    for (const ThemeName look : {ThemeName::dark, ThemeName::projector}) {
      const Theme t = theme(look, 900);
      page.scroll = 0;
      const LessonPicture top = shown(page, t, fixed_metrics(), 1600, 845);
      page.scroll = top.furthest;
      EXPECT_EQ(shown(page, t, fixed_metrics(), 1600, 845).shown, top.lines) << id << " " << k + 1;
    }
    if (page.scroll > 0) clean(", scrolled");
    if (HasFailure()) return;
  }
}

#ifdef BARRIERSCOPE_PICTURES
// On the projector, too, each page says of which lesson it is. Letters are as wide as those on screen.
TEST_P(EveryLessonPage, NamesItsLesson) {
  const auto& [id, language] = GetParam();
  speak(language);
  const Lesson* lesson = test::built_in_lessons().find(id, language);
  ASSERT_TRUE(lesson);
  LessonRuns runs(runs_at_once());
  const LessonPage page = page_of(*lesson, 0, runs);
  for (const ThemeName look : {ThemeName::dark, ThemeName::projector})
    EXPECT_TRUE(says(shown(page, theme(look, 900), cairo_metrics(), 1600, 845).picture, lesson->title));
}
#endif

/// With a word before the last question, and one before the last answer, that are nowhere else.
LessonPage marked(LessonPage page) {
  if (const size_t answer = page.text.rfind("\n---\n"); answer != std::string::npos)
    page.text.insert(answer + 5, "\nAAA\n\n");
  if (const size_t question = page.text.rfind("\n> "); question != std::string::npos)
    page.text.insert(question + 3, "QQQ ");
  else if (page.text.starts_with("> "))
    page.text.insert(2, "QQQ ");
  return page;
}

/// Reads a page with an open question to its end. Its form stands with the question, and is met.
void expect_form_with_question(LessonPage page, const Theme& t, float w, float h) {
  bool met = false;
  for (int turn = 0; turn < 40; ++turn) {
    const LessonPicture p = shown(page, t, fixed_metrics(), w, h);
    if (hit_named(p.picture, "check") || hit_named(p.picture, "choose 0")) {
      met = true;
      EXPECT_TRUE(says(p.picture, "QQQ")) << "the form stands without its question";
    }
    if (p.shown >= p.lines) break;
    page.scroll = std::max(page.scroll + 1, p.shown);
  }
  EXPECT_TRUE(met) << "reading on never comes to the form";
}

TEST_P(EveryLessonPage, QuestionsHaveTheirFormsAndAnswersAreInView) {
  const auto& [id, language] = GetParam();
  speak(language);
  const Lesson* lesson = test::built_in_lessons().find(id, language);
  ASSERT_TRUE(lesson);
  LessonRuns runs(runs_at_once());
  for (int k = 0; k < int(lesson->steps.size()); ++k) {
    const auto& parts = lesson->steps[size_t(k)].parts;
    for (int asked = 1; asked < int(parts.size()); ++asked)
      for (const auto& [look, w, h] :
           {std::tuple{ThemeName::dark, 1280.0f, 720.0f}, std::tuple{ThemeName::projector, 1280.0f, 720.0f},
            std::tuple{ThemeName::projector, 1920.0f, 1080.0f}}) {
        SCOPED_TRACE(testing::Message() << id << " " << k + 1 << " at " << w << "x" << h);
        const Theme t = theme(look, h);
        LessonPage page = marked(page_of(*lesson, k, runs, asked));
        const Question& q = parts[size_t(asked) - 1].question;
        page.question.form = q.form;
        page.question.choices = q.choices;
        if (q.is_asked()) expect_form_with_question(std::move(page), t, w, h);
        LessonPage answered = marked(page_of(*lesson, k, runs, asked + 1));
        answered.scroll = scrolled_to_answer;
        EXPECT_TRUE(says(shown(answered, t, fixed_metrics(), w, h).picture, "AAA"))
            << "the answer is not on screen when it is asked for";
      }
  }
}

// A name that is longer than the narrowest column would be broken over two lines.
TEST_P(EveryLessonPage, NamesFitTheirColumn) {
  const auto& [id, language] = GetParam();
  const Lesson* lesson = test::built_in_lessons().find(id, language);
  ASSERT_TRUE(lesson);
  static const std::regex fenced("```[^]*?```"), code("`[^`\\n]+`"), name("[^\\s`]+");
  for (const LessonStep& step : lesson->steps)
    for (const auto& part : step.parts) {
      const std::string text = std::regex_replace(part.text, fenced, "");
      for (std::sregex_iterator at(text.begin(), text.end(), code), last; at != last; ++at) {
        const std::string words = at->str();
        if (words.find('{') != std::string::npos) continue;
        for (std::sregex_iterator one(words.begin(), words.end(), name); one != last; ++one)
          EXPECT_LE(one->length(), 28) << step.title << ": " << one->str();
      }
    }
}

INSTANTIATE_TEST_SUITE_P(All, EveryLessonPage, test::each_lesson_in_each_language(), test::name_of_lesson);

TEST(LessonPages, MistakesAreShownWhereTheyCanBeRead) {
  LessonPage page;
  page.title = "A lesson that is being written";
  page.steps = {{"One", true, {}}, {"Two", false, {}}};
  page.step = 1;
  page.text = "Words `code` and **more**.";
  page.mistakes = {
      "mine.md, line 12: there is no cell `sum[99]` here: the run has sum[0] to sum[15], data[0] to data[15]",
      "mine.md, line 14: there is no setting \"kernl\": did you mean kernel?"};
  expect_clean_everywhere("mistakes", [&](const Theme& t, const Metrics& m, float w, float h) {
    const Picture p = on_panel(t, shown(page, t, m, w, h).picture, t.px(8), t.px(8), w, h);
    EXPECT_TRUE(says(p, "mine.md, line 12"));
    return p;
  });
}

TEST(LessonPages, ALessonWithoutStepsYetIsItsMistakes) {
  LessonPage page;
  page.title = "A lesson that is begun";
  page.mistakes = {"mine.md, line 1: this lesson has no steps: begin each with ## and its title"};
  for (const ThemeName name : {ThemeName::dark, ThemeName::projector})
    for (const int step : {0, 3, -1}) {
      page.step = step;
      const bool strip = name == ThemeName::projector;
      const Picture p =
          lesson_page(page, theme(name, 900), fixed_metrics(), strip ? 1600 : 320, strip ? 240 : 700).picture;
      EXPECT_TRUE(says(p, "mine.md"));
    }
}

TEST(LessonPages, ATitleOfTwoLinesLeavesTheDotsRoom) {
  LessonPage page;
  page.title = "Divergence";
  page.steps.resize(8);
  for (auto& step : page.steps) step.title = "Both branches, one after the other";
  page.text = "Every warp has even lanes and odd ones, so every warp executes both loops.";
  const Theme t = theme(ThemeName::projector, 720);
  const Picture p = shown(page, t, fixed_metrics(), 1280, 720).picture;
  EXPECT_FALSE(says(p, page.steps[0].title)) << "it takes two lines";
  const HitRegion *dot = hit_named(p, "step 7"), *next = hit_named(p, "next");
  ASSERT_TRUE(dot && next);
  EXPECT_LE(dot->box.centre().y + t.px(7), next->box.y);
}

TEST(LessonPages, ListIsClean) {
  for (const Language language : {Language::en, Language::zh}) {
    speak(language);
    std::vector<LessonEntry> all;
    int k = 0;
    for (const std::string& id : test::built_in_lessons().ids()) {
      const Lesson* l = test::built_in_lessons().find(id, language);
      const int n = int(l->steps.size());
      all.push_back({id, l->family, l->title, l->about, n, ++k % 3 == 0 ? n : k % 3, {}, k == 5});
    }
    for (const int chosen : {0, 6, int(all.size()) - 1})
      expect_clean_everywhere("list", [&](const Theme& t, const Metrics& m, float w, float h) {
        const float gap = t.px(8);
        const float width = t.projector() ? w - 2 * gap : lesson_column_width(t);
        const float height = t.projector() ? lesson_list_height(all.size(), t, width, h * 0.5f) : h - 2 * gap;
        const Picture p = on_panel(t, lesson_list(all, chosen, t, m, width, height), gap, gap, w, h);
        EXPECT_TRUE(hit_named(p, "lesson " + all[size_t(chosen)].id)) << "the chosen one is in view";
        if (t.projector())
          for (const LessonEntry& e : all)
            EXPECT_TRUE(hit_named(p, "lesson " + e.id)) << e.id << " is in view";
        return p;
      });
  }
  speak(Language::en);
}

// --- markdown ----------------------------------------------------------------------------------------

/// The words of each line.
std::vector<std::string> lines_of(const std::string& text, float width) {
  const Theme t = theme(ThemeName::dark, 900);
  std::vector<std::string> out;
  for (const MarkdownLine& line : markdown(read_markdown(text), {width, 10, {}, {}}, t, fixed_metrics())) {
    std::string words;
    for (const Shape& s : line.picture.shapes)
      if (s.type == Shape::text) words += (words.empty() ? "" : "|") + s.words;
    out.push_back(words);
  }
  return out;
}

TEST(Markdown, WrapsWordsAndChinese) {
  // 5.5 pixels a letter, 10 a Chinese character
  EXPECT_THAT(lines_of("one two three", 45), ElementsAre("one two", "three"));
  EXPECT_THAT(lines_of("一二三四，五六。", 45), ElementsAre("一二三", "四，五", "六。"));
  EXPECT_THAT(lines_of("一二三四（五）", 45), ElementsAre("一二三四", "（五）"));
  EXPECT_THAT(lines_of("extraordinary", 30), ElementsAre("extra", "ordin", "ary"));
  EXPECT_THAT(lines_of("中文\n换行", 100), ElementsAre("中文换行"));
  EXPECT_THAT(lines_of("two\nlines", 100), ElementsAre("two lines"));
}

TEST(Markdown, KnowsItsMarks) {
  EXPECT_THAT(lines_of("a **b** c", 200), ElementsAre("a|b|c"));
  EXPECT_THAT(lines_of("2 * 3 * 4", 200), ElementsAre("2 * 3 * 4"));
  EXPECT_THAT(lines_of("`s[0]`, and", 200), ElementsAre("s[0]|, and"));
  EXPECT_THAT(lines_of("- one\n- two\n", 200), ElementsAre("\u2022|one", "\u2022|two"));
  EXPECT_THAT(lines_of("2. one", 200), ElementsAre("2.|one"));
  EXPECT_THAT(lines_of("> why?", 200), ElementsAre("why?"));
  EXPECT_THAT(lines_of("| a | b |\n|---|---|\n| 1 | 2 |", 200), ElementsAre("a|b", "1|2"));
  EXPECT_THAT(lines_of("```\nx = *y*;\n```", 200), ElementsAre("x = *y*;"));
  EXPECT_THAT(lines_of("\\*no\\*", 200), ElementsAre("*no*"));
  // what is not closed stays as it was typed
  EXPECT_THAT(lines_of("a `b and [c](d", 200), ElementsAre("a `b and [c](d"));
}

TEST(Markdown, AHeadingStandsWithWhatItLeadsTo) {
  const auto lines = markdown(read_markdown("one\n\n### Two\n\n- three\n- four\n"), {500, 10, {}, {}},
                              theme(ThemeName::dark, 900), fixed_metrics());
  ASSERT_EQ(lines.size(), 4u);
  const float two = lines[0].height + lines[1].above + lines[1].height;
  EXPECT_EQ(lines_that_fit(lines, 0, two), 1);
  EXPECT_EQ(lines_that_fit(lines, 0, two + lines[2].above + lines[2].height), 3);
}

TEST(Markdown, LinksAnswerToTheMouse) {
  const Theme t = theme(ThemeName::dark, 900);
  const auto lines = markdown(read_markdown("See [the **tree**](lesson:tree) and [it](step:2)."),
                              {500, 10, {}, {}}, t, fixed_metrics());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(hit_named(lines[0].picture, "link 0 lesson:tree"));
  Spans links;
  for (const Spans& words :
       prose_of(read_markdown("See [the tree](lesson:tree).\n\n| [it](step:2) |\n|--|\n")))
    std::ranges::copy_if(words, std::back_inserter(links), [](const TextSpan& s) { return !s.link.empty(); });
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[0].words, "the tree");
  EXPECT_EQ(links[0].link, "lesson:tree");
  EXPECT_EQ(links[1].link, "step:2");
}

TEST(Markdown, AnyTextCanBeLaidOut) {
  const Theme t = theme(ThemeName::dark, 900);
  const std::string pieces[] = {"**", "*",   "`",  "[",  "](",   ")",   "|",   "> ", "- ",
                                "\n", "```", "\\", "中", "\xe4", "a b", "---", "# "};
  uint32_t seed = 1;
  for (int k = 0; k < 2000; ++k) {
    std::string text;
    for (int i = 0; i < 12; ++i) {
      seed = seed * 1664525 + 1013904223;
      text += pieces[(seed >> 16) % std::size(pieces)];
    }
    for (const float width : {1.0f, 40.0f, 400.0f})
      for (const MarkdownLine& line : markdown(read_markdown(text), {width, 10, {}, {}}, t, fixed_metrics()))
        ASSERT_GT(line.height, 0) << text;
  }
}

}  // namespace
}  // namespace bscope
