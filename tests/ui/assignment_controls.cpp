// Assignments in the window: the palette opens a file to fix, and each save judges it.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/assignments/assignment.hpp"
#include "app/lessons/puzzle_progress.hpp"
#include "app/run/own_program.hpp"
#include "app/shell/assignment.hpp"
#include "app/shell/header.hpp"
#include "app/shell/watch/editor.hpp"
#include "engine/analysis/run.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {

struct SourceEditor;
namespace {

namespace fs = std::filesystem;

std::string replaced(std::string text, const std::string& old, const std::string& now) {
  const size_t at = text.find(old);
  IM_CHECK_RETV(at != std::string_view::npos, text);
  return text.replace(at, old.size(), now);
}

const RegisterControls tests{[](ImGuiTestEngine* e) {
  add_test(e, "own_program", "a_mistake_is_mended_and_judged", [](ImGuiTestContext* ctx) {
    const fs::path home = fs::temp_directory_path() / ("barrierscope-mend-" + std::to_string(::getpid()));
    const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "";
    fs::create_directories(home);
    ::setenv("HOME", home.c_str(), 1);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    ctx->Yield(2);
    ctx->KeyChars("fix: missing barrier");
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    IM_CHECK(edits_program(app().ui));
    IM_CHECK_STR_EQ(app().state.run->trace.kernel.c_str(), "yours/missing-barrier");
    const auto first = requirements_met(app().ui);
    IM_CHECK(first && first->met == 6 && first->of == 8);  // it races, and is wrong in lockstep

    const std::string given = read_assignment(assignment_file("missing-barrier")).given;
    const std::string mended = replaced(given, "stride /= 2)\n", "stride /= 2) {\n    __syncthreads();\n");
    ImGui::SetClipboardText(replaced(mended, "s[i + stride];\n", "s[i + stride];\n  }\n").c_str());
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    ctx->Yield(4);
    const auto then = requirements_met(app().ui);
    IM_CHECK(then && then->met == then->of);

    leave_editor(app().ui);
    app().ui.of<std::shared_ptr<SourceEditor>>().reset();
    ::setenv("HOME", before.c_str(), 1);
    fs::remove_all(home);
  });
  add_test(e, "own_program", "the_banner_says_why_an_exercise_fails", [](ImGuiTestContext* ctx) {
    const fs::path home = fs::temp_directory_path() / ("barrierscope-tail-" + std::to_string(::getpid()));
    const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "";
    fs::create_directories(home);
    ::setenv("HOME", home.c_str(), 1);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    ctx->Yield(2);
    ctx->KeyChars("fix: dropped tail");
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    const Troubles& told = app().ui.of<TroublesPanel>().troubles;
    IM_CHECK_STR_EQ(app().state.run->trace.kernel.c_str(), "yours/dropped-tail");
    IM_CHECK_STR_EQ(told.word.c_str(), "wrong");
    IM_CHECK(told.messages.size() > 1 && told.messages[0].english().find("never read") != std::string::npos);
    IM_CHECK(told.messages.back() == exit_of(*app().state.program));
    leave_editor(app().ui);
    app().ui.of<std::shared_ptr<SourceEditor>>().reset();
    ::setenv("HOME", before.c_str(), 1);
    fs::remove_all(home);
  });
  add_test(e, "own_program", "a_puzzle_asks_for_its_line", [](ImGuiTestContext* ctx) {
    const fs::path home = fs::temp_directory_path() / ("barrierscope-puzzle-" + std::to_string(::getpid()));
    const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "";
    fs::create_directories(home);
    ::setenv("HOME", home.c_str(), 1);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    ctx->Yield(2);
    ctx->KeyChars("brighter pictures");
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    const Assignment asked = read_assignment(assignment_file("brighten"));
    const auto progress = [&] { return progress_of(app().state.lesson, asked); };
    const TroublesPanel& banner = app().ui.of<TroublesPanel>();
    IM_CHECK_STR_EQ(app().state.run->trace.kernel.c_str(), "yours/brighten");
    // it fails, and nothing says where
    IM_CHECK(!banner.groups.empty() && banner.height == 0 && app().state.lesson.line_asked);
    const int cursor = line_in_editor(app().ui);
    ctx->KeyPress(ImGuiKey_F8);
    ctx->Yield(2);
    IM_CHECK_EQ(line_in_editor(app().ui), cursor);

    const int wrong = asked.lines.front();
    const auto name_line = [&](int line) {
      show_line_in_editor(app().ui, app().state.target.file, line, 1);
      ctx->Yield(2);
      ctx->ItemClick(("**/It is line " + std::to_string(line) + "###wrong line").c_str());
      ctx->Yield(2);
    };
    name_line(wrong - 1);
    IM_CHECK(progress().failed == 1 && !progress().found && app().state.lesson.line_asked);
    name_line(wrong);
    IM_CHECK(progress().failed == 1 && progress().found && !app().state.lesson.line_asked);
    IM_CHECK(banner.height > 0);

    ImGui::SetClipboardText(replaced(asked.given, "  pixels[i] =", "  if (i < n) pixels[i] =").c_str());
    show_line_in_editor(app().ui, app().state.target.file, 1, 1);
    edit_program(app().state, app().ui, app().state.target.file);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    ctx->Yield(4);
    IM_CHECK(progress().solved && progress().failed == 1);

    leave_editor(app().ui);
    app().ui.of<std::shared_ptr<SourceEditor>>().reset();
    ::setenv("HOME", before.c_str(), 1);
    fs::remove_all(home);
  });
}};

}  // namespace
}  // namespace bscope
