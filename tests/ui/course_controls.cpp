// A course's folder in the window: it is dropped, its lesson played, its assignment begun and judged.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "app/run/own_program.hpp"
#include "app/shell/assignment.hpp"
#include "app/shell/watch/editor.hpp"
#include "engine/analysis/run.hpp"
#include "tests/places.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {

struct SourceEditor;
namespace {

namespace fs = std::filesystem;
const std::string course = BARRIERSCOPE_ROOT "/tests/lessons/course";

bool is_listed(const std::string& id) {
  const auto& hits = app().ui.pictures.at("lesson").picture.hits;
  return std::ranges::find(hits, "lesson " + id, &HitRegion::name) != hits.end();
}

const RegisterControls tests{[](ImGuiTestEngine* e) {
  add_test(e, "lesson", "a_course_is_opened_from_its_folder", [](ImGuiTestContext* ctx) {
    const fs::path home = fs::temp_directory_path() / ("barrierscope-course-" + std::to_string(::getpid()));
    const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "";
    fs::create_directories(home);
    ::setenv("HOME", home.c_str(), 1);
    const LessonState& lesson = app().state.lesson;
    app().drop(home.string());  // nothing is in it
    ctx->Yield(2);
    IM_CHECK(!lesson.open && app().state.error_at == Where::file);
    allow_programs_in(course);
    app().drop(course);
    ctx->Yield(2);
    IM_CHECK(lesson.open && lesson.lesson.empty());
    const std::string shift = course + "/en/01-shift.md",
                      task = course + "/assignments/shift/assignment.json";
    IM_CHECK(is_listed(shift));
    IM_CHECK(is_listed(course + "/programs/neighbours.cu"));
    IM_CHECK(is_listed(task));

    const auto kernel = [] { return app().state.run->trace.kernel; };
    ctx->KeyPress(ImGuiKey_Enter);  // its lessons stand first
    wait_until(ctx, [&] { return kernel() == "yours/neighbours"; });
    IM_CHECK_STR_EQ(lesson.lesson.c_str(), shift.c_str());
    IM_CHECK_STR_EQ(kernel().c_str(), "yours/neighbours");
    ctx->Yield(2);
    const int step = lesson.step;
    ctx->KeyPress(ImGuiKey_N, 2);  // the answer, the next step
    wait_until(ctx, [&] { return lesson.step == step + 1; });
    IM_CHECK_EQ(lesson.step, step + 1);

    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_L);
    ctx->Yield(2);
    click(ctx, place_of(ctx, "lesson", "lesson " + course + "/programs/neighbours.cu"));
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().state.target.file.c_str(), (course + "/programs/neighbours.cu").c_str());
    click(ctx, place_of(ctx, "lesson", "lesson " + task));
    wait_until(ctx, [&] { return kernel() == "yours/shift" && requirements_met(app().ui); });
    IM_CHECK(edits_program(app().ui));
    IM_CHECK_STR_EQ(kernel().c_str(), "yours/shift");
    const auto met = requirements_met(app().ui);
    IM_CHECK(met && met->met < met->of);  // the barrier is missing
    leave_editor(app().ui);
    app().ui.of<std::shared_ptr<SourceEditor>>().reset();
    ::setenv("HOME", before.c_str(), 1);
    fs::remove_all(home);
  });
}};

}  // namespace
}  // namespace bscope
