// A tab is one value: this file is all there is of one more, and the app has it everywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/cli/start.hpp"
#include "app/draw/chart.hpp"
#include "app/export/figure.hpp"
#include "app/lessons/lesson.hpp"
#include "app/lessons/play.hpp"
#include "app/session/history.hpp"
#include "app/session/session_file.hpp"
#include "app/session/tab.hpp"
#include "app/session/tab_state_of.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

struct SeventhState {
  static constexpr const char* saved_as = "seventh";
  int warps = 4;
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("warps", s.warps);
  }
};

const RegisterTab seventh{{
    .name = "seventh",
    .title = "Seventh",
    .key = '8',
    .looks = "Look at the seventh",
    .state = remembers<SeventhState>(),
    .picture =
        [](const TabScene& scene, float w, float h) {
          Picture p{w, h, {}, {}};
          Pen pen(p, scene.metrics);
          pen.text({w / 2, h / 2}, scene.state.run->trace.kernel, scene.theme.label(), scene.theme.ink);
          for (const Control& c : tab_of(scene.state).controls)
            slider(pen, scene.theme, {0, 0, w, slider_height(scene.theme)}, slider_of(c, scene.state));
          return p;
        },
    .controls = {{.name = "warps",
                  .label = "Warps",
                  .short_label = "Warps",
                  .tip = "How many warps.",
                  .least = 1,
                  .most = 32,
                  .get = [](const LoadedState& s) { return s.of<SeventhState>().warps; },
                  .set = [](LoadedState& s, int v) { s.of<SeventhState>().warps = v; },
                  .up = "More warps",
                  .down = "Fewer warps"}},
}};

LoadedState on_seventh() {
  LoadedState s;
  Target t;
  t.request = {.kernel = "scan/blelloch", .n = 16};
  s = opened(std::move(s), t, Where::nowhere);
  s.tab = "seventh";
  return s;
}

TEST(SeventhTab, IsInTheListAndInSentences) {
  EXPECT_EQ(tabs().back()->name, "seventh");
  EXPECT_THAT(tab_names(), testing::EndsWith("schedule, seventh"));
}

TEST(SeventhTab, IsDrawnAndItsSliderMovesWhatItSays) {
  LoadedState s = on_seventh();
  Theme t = theme(ThemeName::dark, 900);
  const Metrics m = fixed_metrics();
  TabServices services;
  const RunQueries model(s.run);
  const Picture p = tab_of(s).picture({s, model, t, m, services, {}}, 1600, 900);
  ASSERT_EQ(p.hits.size(), 1u);
  const HitRegion& knob = p.hits[0];
  EXPECT_EQ(knob.name, "warps");
  EXPECT_FLOAT_EQ(knob.now, 4);
  knob.drag(s, 1);
  EXPECT_EQ(s.of<SeventhState>().warps, 32);
  move_control(tab_of(s).controls[0], s, 5);
  EXPECT_EQ(s.of<SeventhState>().warps, 32) << "keys stay in the range, too";
  move_control(tab_of(s).controls[0], s, -100);
  EXPECT_EQ(s.of<SeventhState>().warps, 1);
}

TEST(SeventhTab, IsExportedWithACaption) {
  const LoadedState s = on_seventh();
  const Picture p = figure(s, figure_theme(s, 1600, 900), fixed_metrics(), 1600, 900);
  std::string words;
  for (const Shape& shape : p.shapes) words += shape.words + "|";
  EXPECT_THAT(words, testing::HasSubstr("Blelloch scan"));
  EXPECT_THAT(words, testing::HasSubstr("scan/blelloch"));
}

TEST(SeventhTab, IsSavedUndoneAndOpenedAgain) {
  LoadedState s = on_seventh();
  History h;
  h.observe(s, false);
  s.of<SeventhState>().warps = 9;
  h.observe(s, false);
  EXPECT_EQ(h.changes(), 1u);
  const LoadedState again = with_session(on_seventh(), session_text(s));
  EXPECT_EQ(again.error.english(), "");
  EXPECT_EQ(again.tab, "seventh");
  EXPECT_EQ(again.of<SeventhState>().warps, 9);
  LoadedState forged = s;
  forged.of<SeventhState>().warps = 99;
  EXPECT_EQ(with_session(on_seventh(), session_text(forged)).of<SeventhState>().warps, 32);
  s = h.undo(std::move(s), runs_at_once());
  EXPECT_EQ(s.of<SeventhState>().warps, 4);
  EXPECT_EQ(again.of<SeventhState>().warps, 9) << "a state's values are its own";
}

std::string lesson_of(const std::string& settings) {
  return "# Warps\n\nabout: warps\n\n## One\n```show\nkernel: scan/blelloch\nn: 16\ntab: seventh\n" +
         settings + "\n```\nWords.\n";
}

TEST(SeventhTab, HasASliderThatLessonsSet) {
  const Lesson lesson = parse_lesson(lesson_of("controls: warps=7"), "seventh.md");
  ASSERT_THAT(lesson.mistakes, testing::IsEmpty());
  const LoadedState s = at_lesson_step(on_seventh(), lesson, 0);
  EXPECT_EQ(s.error.english(), "");
  EXPECT_EQ(s.tab, "seventh");
  EXPECT_EQ(s.of<SeventhState>().warps, 7);
  const auto told = [](const std::string& settings) {
    const Lesson wrong = parse_lesson(lesson_of(settings), "seventh.md");
    return wrong.mistakes.empty() ? std::string() : wrong.mistakes[0].message.english();
  };
  EXPECT_THAT(told("controls: warps=33"), testing::HasSubstr("write warps=1 to warps=32"));
  EXPECT_THAT(told("controls: lanes=3"), testing::HasSubstr("it has warps"));
  EXPECT_THAT(told("controls: warps"), testing::HasSubstr("not on that slider"));
}

TEST(SeventhTab, IsAViewOfTheCommandLine) {
  RenderOptions asked;
  asked.targets = {on_seventh().target};
  asked.view = "seventh";
  EXPECT_EQ(start(asked).tab, "seventh");
}

}  // namespace
}  // namespace bscope
