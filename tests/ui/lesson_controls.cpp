// A lesson, played with the keyboard alone; and what the mouse can do in it.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "app/lessons/place.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/progress.hpp"
#include "app/lessons/shelf.hpp"
#include "app/run/troubles.hpp"
#include "engine/analysis/run.hpp"
#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/trace/trace.hpp"
#include "engine/trace/whole_file.hpp"
#include "tests/at_once.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

LessonState& lesson() { return app().state.lesson; }
int step() { return step_of(*app().state.run, app().state.cursor); }

bool on_screen(const std::string& hit) {
  const auto shown = app().ui.pictures.find("lesson");
  if (shown == app().ui.pictures.end()) return false;
  const auto& hits = shown->second.picture.hits;
  return std::any_of(hits.begin(), hits.end(), [&](const HitRegion& h) { return h.name == hit; });
}

/// The lesson as the app itself reads it.
Lesson read(const char* id) { return choose_lesson(id, app().state.language).lesson; }

/// A lesson's file with a question of each form.
struct AskingLesson {
  AskingLesson() {
    std::string text = "# Asked\n\n";
    for (const auto& [title, answer] : {std::pair("A number", "number: {working}"),
                                        {"A choice", "choice: all\nright: half"},
                                        {"Cells", "cells: sum[1] sum[3]"},
                                        {"A thread", "thread: 0"}})
      text +=
          std::string("## ") + title +
          "\n```show\nkernel: scan/blelloch\nn: 16\nblock: 8\nphase: up-sweep 2\n```\n> How?\n\n```answer\n" +
          answer + "\n```\n---\nSo.\n\n";
    write_scratch(path, text);
  }
  ~AskingLesson() { std::filesystem::remove(path); }
  AskingLesson(const AskingLesson&) = delete;
  AskingLesson& operator=(const AskingLesson&) = delete;
  const std::string path =
      (std::filesystem::temp_directory_path() / ("asking-" + std::to_string(::getpid()) + ".md")).string();
};

void open(ImGuiTestContext* ctx, const char* id, int at = 0) {
  app().state = at_lesson_step(std::move(app().state), read(id), at);
  ctx->Yield(2);
}

void tests(ImGuiTestEngine* e) {
  add_test(e, "lesson", "by_the_keyboard_alone", [](ImGuiTestContext* ctx) {
    app().state.reduced_motion = true;
    ctx->KeyPress(ImGuiKey_L);
    IM_CHECK(lesson().open);
    IM_CHECK(lesson().lesson.empty());
    ctx->Yield();
    IM_CHECK(on_screen("lesson tree"));
    ctx->KeyPress(ImGuiKey_N, 2);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_N);
    IM_CHECK_EQ(lesson().chosen, 1);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(2);
    IM_CHECK_STR_EQ(lesson().lesson.c_str(), "tree");
    const Lesson tree = read("tree");
    // to the end with N: each step is shown in its turn, each answer before the next step
    int seen = 0;
    for (int presses = 0; presses < 200 && lesson().lesson == "tree"; ++presses) {
      const int now = lesson().step;
      IM_CHECK(now == seen || now == seen + 1);
      if (now == seen + 1) IM_CHECK(is_done(lesson(), "tree", seen));
      seen = now;
      std::vector<Mistake> mistakes;
      const LessonStep& shown = shown_at(tree.steps[size_t(now)], lesson().part);
      const Cursor place = find_place(shown, *app().state.run, mistakes);
      IM_CHECK(mistakes.empty());
      IM_CHECK(!strayed(app().state, shown, place));
      ctx->KeyPress(ImGuiKey_N);
      ctx->Yield(2);
    }
    IM_CHECK_EQ(seen, int(tree.steps.size()) - 1);
    IM_CHECK_EQ(steps_done(lesson(), "tree"), int(tree.steps.size()));
    IM_CHECK(lesson().lesson.empty());  // done: the list, where the next one waits to be opened
    IM_CHECK(on_screen("lesson unrolling"));
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(2);
    IM_CHECK_STR_EQ(lesson().lesson.c_str(), "unrolling");
    ctx->KeyPress(ImGuiKey_L);
    IM_CHECK(!lesson().open);
    ctx->KeyPress(ImGuiKey_L);
    IM_CHECK_STR_EQ(lesson().lesson.c_str(), "unrolling");  // still there
  });

  add_test(e, "lesson", "wandering_off_and_coming_back", [](ImGuiTestContext* ctx) {
    open(ctx, "blelloch", 1);  // it asks nothing: beside a question, digits answer
    const int there = step();
    IM_CHECK(!on_screen("return"));
    ctx->KeyPress(ImGuiKey_End);
    ctx->Yield(2);
    IM_CHECK(on_screen("return"));
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_L);
    ctx->Yield(2);
    IM_CHECK_EQ(step(), there);
    IM_CHECK(!on_screen("return"));
    ctx->KeyPress(ImGuiKey_2);  // the lesson stays beside every tab
    ctx->Yield(2);
    IM_CHECK(app().state.tab == "banks");
    click(ctx, place_of(ctx, "lesson", "return"));
    ctx->Yield(2);
    IM_CHECK(app().state.tab == "watch");
    // another kernel altogether
    Target other;
    other.request.kernel = "reduce/shared";
    app().state = opened(app().state, other, Where::parameters);
    ctx->Yield(2);
    click(ctx, place_of(ctx, "lesson", "return"));
    ctx->Yield(2);
    IM_CHECK_STR_EQ(app().state.run->trace.kernel.c_str(), "scan/blelloch");
    IM_CHECK_EQ(step(), there);
  });

  add_test(e, "lesson", "a_prediction_is_scored", [](ImGuiTestContext* ctx) {
    const Lesson blelloch = read("blelloch");
    int at = 0;
    while (!blelloch.steps[size_t(at)].predict) ++at;
    open(ctx, "blelloch", at);
    IM_CHECK(app().state.prediction.hides());
    const Prediction& p = app().state.prediction;
    for (size_t k = 0; k < p.cells.size(); ++k) {
      const std::string truth =
          text_of(kind_of(*app().state.run, p), *bits_after(*app().state.run, p.step, p.place(int(k))));
      ctx->KeyChars(k == 0 ? "77" : truth.c_str());
      ctx->KeyPress(ImGuiKey_Tab);
    }
    const int asked = int(p.cells.size());
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(2);
    IM_CHECK(score_of(lesson(), "blelloch", at) == (Score{asked - 1, asked}));
    IM_CHECK_EQ(lesson().part, 1);  // the answer's words came with it
    // again, with nothing typed: skipped, and the score stays
    open(ctx, "blelloch", at);
    ctx->KeyPress(ImGuiKey_N);
    ctx->Yield(2);
    IM_CHECK(app().state.prediction.revealed);
    IM_CHECK_EQ(lesson().part, 1);
    IM_CHECK(score_of(lesson(), "blelloch", at) == (Score{asked - 1, asked}));
    // again: the new score takes the old one's place
    open(ctx, "blelloch", at);
    ctx->KeyChars("77");
    ctx->KeyPress(ImGuiKey_N);
    ctx->Yield(2);
    IM_CHECK(score_of(lesson(), "blelloch", at) == (Score{0, 1}));
    IM_CHECK(score_of(lesson(), "blelloch") == (Score{0, 1}));
  });

  add_test(e, "lesson", "an_answer_is_held_back", [](ImGuiTestContext* ctx) {
    // wherever a question waits for its answer, the header keeps what is wrong with the run to itself
    int held = 0;
    for (const char* id : {"races", "look-back", "coarsening"}) {
      const Lesson played = read(id);
      for (int k = 0; k < int(played.steps.size()); ++k) {
        const int answers = int(played.steps[size_t(k)].parts.size()) - 1;
        if (!answers) continue;
        open(ctx, id, k);
        ctx->Yield(4);
        IM_CHECK(!ctx->ItemExists("troubles"));
        for (int n = 0; n < answers; ++n) ctx->KeyPress(ImGuiKey_N);
        ctx->Yield(2);
        IM_CHECK_EQ(lesson().step, k);
        held += ctx->ItemExists("troubles");
        app().state.lesson.open = false;  // the question is gone
        app().state.lesson.part = 0;
        ctx->Yield(2);
        IM_CHECK_EQ(ctx->ItemExists("troubles"), !troubles(*app().state.run).word.empty());
      }
    }
    IM_CHECK_GT(held, 2);
  });

  add_test(e, "lesson", "answers_are_typed_chosen_and_clicked", [](ImGuiTestContext* ctx) {
    const AskingLesson file;
    app().state = at_lesson_step(std::move(app().state), choose_lesson(file.path, Language::en).lesson, 0);
    lesson().lesson = file.path;
    ctx->Yield(4);
    // digits go to the answer, and not to the tabs
    IM_CHECK(on_screen("check"));
    ctx->KeyChars("7");
    ctx->KeyPress(ImGuiKey_2);
    ctx->Yield();
    IM_CHECK_STR_EQ(lesson().answer.c_str(), "7");
    IM_CHECK(app().state.tab == "watch");
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(2);
    IM_CHECK_STR_EQ(lesson().wrong_answer.c_str(), "7");
    IM_CHECK_EQ(lesson().part, 0);
    ctx->KeyChars("45");  // replaces the wrong one
    ctx->Yield();
    ctx->KeyPress(ImGuiKey_Backspace);
    ctx->Yield();
    IM_CHECK_STR_EQ(lesson().answer.c_str(), "4");
    click(ctx, place_of(ctx, "lesson", "check"));
    ctx->Yield(2);
    IM_CHECK_EQ(lesson().part, 1);
    IM_CHECK(!on_screen("check"));
    IM_CHECK(score_of(lesson(), file.path, 0) == (Score{0, 1}));

    ctx->KeyPress(ImGuiKey_N);  // a choice, by its key
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_1);
    ctx->Yield(2);
    IM_CHECK_EQ(lesson().part, 0);
    IM_CHECK_STR_EQ(lesson().wrong_answer.c_str(), "all");
    IM_CHECK(app().state.tab == "watch");
    click(ctx, place_of(ctx, "lesson", "choose 1"));
    ctx->Yield(2);
    IM_CHECK_EQ(lesson().part, 1);

    ctx->KeyPress(ImGuiKey_N);  // cells, by a click on each
    ctx->Yield(2);
    click(ctx, place_of(ctx, "array", HitRegion::cell, first_shared, 3));
    ctx->Yield(2);
    IM_CHECK_STR_EQ(lesson().answer.c_str(), "sum[3]");
    click(ctx, place_of(ctx, "array", HitRegion::cell, first_shared, 1));
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(2);
    IM_CHECK_EQ(lesson().part, 1);
    IM_CHECK(score_of(lesson(), file.path) == (Score{1, 3}));

    // a lecturer shows the answer: no score
    ctx->KeyPress(ImGuiKey_N);
    ctx->Yield(2);
    IM_CHECK_EQ(lesson().step, 3);
    ctx->KeyPress(ImGuiKey_N);
    ctx->Yield(2);
    IM_CHECK_EQ(lesson().part, 1);
    IM_CHECK(score_of(lesson(), file.path) == (Score{1, 3}));
  });

  add_test(e, "lesson", "another_input_and_a_quiz", [](ImGuiTestContext* ctx) {
    const Lesson blelloch = read("blelloch");
    int at = 0;
    while (!blelloch.steps[size_t(at)].predict) ++at;
    open(ctx, "blelloch", at);
    const auto values = app().state.target.request.values;
    IM_CHECK(!on_screen("another"));  // not before the question is answered
    ctx->KeyPress(ImGuiKey_N);
    ctx->Yield(4);
    click(ctx, place_of(ctx, "lesson", "another"));
    ctx->Yield(4);
    IM_CHECK(app().state.target.request.values != values);
    IM_CHECK(app().state.prediction.hides());
    IM_CHECK(!on_screen("return"));
    open(ctx, "blelloch", int(blelloch.steps.size()) - 1);
    ctx->Yield(2);
    IM_CHECK_EQ(lesson().input, 0);
    for (int presses = 0; presses < 9 && !on_screen("quiz"); ++presses) {
      ctx->KeyPress(ImGuiKey_N);
      ctx->Yield(2);
    }
    click(ctx, place_of(ctx, "lesson", "quiz"));
    ctx->Yield(4);
    IM_CHECK(lesson().lesson.starts_with("blelloch?"));
    for (int presses = 0; presses < 60 && !lesson().lesson.empty(); ++presses) {
      ctx->KeyPress(ImGuiKey_N);
      ctx->Yield(2);
      IM_CHECK(!on_screen("return"));
    }
    IM_CHECK(lesson().lesson.empty());  // at its end the list, at the lesson after
    IM_CHECK(on_screen("lesson banks"));
  });

  add_test(e, "lesson", "links_show_what_they_name", [](ImGuiTestContext* ctx) {
    // a cell named in the words, from a tab that shows no cells
    open(ctx, "blelloch", 5);
    app().state.cursor.cell.reset();
    app().state.tab = "memory";
    ctx->Yield(2);
    const auto& hits = app().ui.pictures.at("lesson").picture.hits;
    const auto cell =
        std::find_if(hits.begin(), hits.end(), [](const HitRegion& h) { return h.what == HitRegion::cell; });
    IM_CHECK(cell != hits.end());
    click(ctx, place_of(ctx, "lesson", cell->name));
    IM_CHECK(app().state.tab == "watch");
    IM_CHECK(app().state.cursor.cell.has_value());
    // another order, though the parameters are hidden beside a lesson
    const Lesson races = read("races");
    for (int k = 0; k < int(races.steps.size()); ++k) {
      app().state = at_lesson_step(std::move(app().state), races, k, runs_at_once(), 9);  // answered
      ctx->Yield(2);
      const auto& shown = app().ui.pictures.at("lesson").picture.hits;
      const auto link = std::find_if(shown.begin(), shown.end(), [](const HitRegion& h) {
        return h.name.find("order:") != std::string::npos;
      });
      if (link == shown.end()) continue;
      const std::string name = link->name;
      const auto before = app().state.run;
      click(ctx, place_of(ctx, "lesson", name));
      ctx->Yield(2);
      IM_CHECK(app().state.run != before);
      IM_CHECK(on_screen("return"));
      return;
    }
    IM_CHECK(!"no link to another order");
  });

  add_test(e, "lesson", "by_the_mouse", [](ImGuiTestContext* ctx) {
    open(ctx, "blelloch", 0);
    click(ctx, place_of(ctx, "lesson", "next"));  // shows the answer
    ctx->Yield(2);
    IM_CHECK_EQ(lesson().step, 0);
    IM_CHECK(!lesson().asking);
    click(ctx, place_of(ctx, "lesson", "next"));
    ctx->Yield(2);
    IM_CHECK_EQ(lesson().step, 1);
    click(ctx, place_of(ctx, "lesson", "back"));
    ctx->Yield(2);
    IM_CHECK_EQ(lesson().step, 0);
    click(ctx, place_of(ctx, "lesson", "step 4"));
    ctx->Yield(2);
    IM_CHECK_EQ(lesson().step, 4);
    // a link in the words
    click(ctx, place_of(ctx, "lesson", "link 0 lesson:any-length"));
    ctx->Yield(2);
    IM_CHECK_STR_EQ(lesson().lesson.c_str(), "any-length");
    click(ctx, place_of(ctx, "lesson", "all"));
    ctx->Yield(2);
    IM_CHECK(lesson().lesson.empty());
    click(ctx, place_of(ctx, "lesson", "lesson blelloch"));
    ctx->Yield(2);
    IM_CHECK_STR_EQ(lesson().lesson.c_str(), "blelloch");
    click(ctx, place_of(ctx, "lesson", "close"));
    ctx->Yield(2);
    IM_CHECK(!lesson().open);
    ctx->ItemClick("lessons");
    IM_CHECK(lesson().open);
    ctx->ItemClick("lessons");
    IM_CHECK(!lesson().open);
  });

  add_test(e, "lesson", "a_cell_in_the_words_is_selected", [](ImGuiTestContext* ctx) {
    open(ctx, "blelloch", 5);
    app().state.cursor.cell.reset();
    ctx->Yield(2);
    const auto& hits = app().ui.pictures.at("lesson").picture.hits;
    const auto cell =
        std::find_if(hits.begin(), hits.end(), [](const HitRegion& h) { return h.what == HitRegion::cell; });
    IM_CHECK(cell != hits.end());
    const CellRef place{cell->a, cell->b};
    click(ctx, place_of(ctx, "lesson", cell->name));
    IM_CHECK(app().state.cursor.cell == place);
  });

  add_test(e, "lesson", "in_both_languages_and_on_the_projector", [](ImGuiTestContext* ctx) {
    open(ctx, "banks", 1);
    for (const Language l : {Language::zh, Language::en})
      for (const ThemeName t : {ThemeName::projector, ThemeName::light, ThemeName::dark}) {
        app().state.language = l;
        app().state = to_theme(app().state, t);
        ctx->Yield(3);
        IM_CHECK(on_screen("next"));
        ctx->KeyPress(ImGuiKey_N);
        ctx->Yield(2);
      }
    IM_CHECK_GT(lesson().step, 2);
    speak(Language::en);
  });
}

const RegisterControls lessons{tests};

}  // namespace
}  // namespace bscope
