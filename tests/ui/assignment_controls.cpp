// Assignments in the window: the palette opens a file to fix, and each save judges it.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/assignments/assignment.hpp"
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
}};

}  // namespace
}  // namespace bscope
