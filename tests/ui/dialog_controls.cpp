// The desktop's file dialogs, with a program in zenity's place that gives prepared answers.
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/shell/files.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/palette.hpp"
#include "app/window/dialogs.hpp"
#include "engine/analysis/run.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

/// A desktop whose only program is ours; the real one again at the end.
class FakeDesktop {
 public:
  FakeDesktop() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    if (const char* path = std::getenv("PATH")) before_ = path;
    ::setenv("PATH", folder_.c_str(), 1);
    app().ui.of<FileDialogs>().ask_desktop = desktop_dialog;
  }
  ~FakeDesktop() {
    ::setenv("PATH", before_.c_str(), 1);
    app().ui.of<FileDialogs>().dialog.reset();
    app().ui.of<FileDialogs>().ask_desktop = nullptr;
    app().ui.of<FileDialogs>().at_least = before_at_least_;
    fs::remove_all(folder_);
  }
  /// From now on zenity notes what it was asked for, waits and answers: a path, or nothing.
  void answers(const std::string& path, const char* seconds = "0.4") {
    put("which", "[ -x \"" + in("$1") + "\" ]\n");
    put("zenity", "echo \"$@\" > '" + in("asked") + "'\n/bin/sleep " + seconds + "\n" +
                      (path.empty() ? "exit 1\n" : "echo '" + path + "'\n"));
  }
  std::string in(const std::string& name) const { return (folder_ / name).string(); }
  std::string asked() const {
    std::ifstream file(in("asked"));
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  void put(const char* name, const std::string& does) {
    std::ofstream(in(name)) << "#!/bin/sh\n" << does;
    ::chmod(in(name).c_str(), 0700);
  }
  fs::path folder_ = fs::temp_directory_path() / ("barrierscope-desktop-" + std::to_string(::getpid()));
  std::string before_;
  std::chrono::milliseconds before_at_least_ = app().ui.of<FileDialogs>().at_least;
};

bool popup_open() { return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup); }

/// Until the dialog has been answered; at most half a minute.
void wait(ImGuiTestContext* ctx) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (app().ui.of<FileDialogs>().dialog && std::chrono::steady_clock::now() < end) {
    ctx->Yield();
    ::usleep(2000);
  }
  ctx->Yield(3);
}

/// From the list of what can be opened, its first row.
void ask_to_open(ImGuiTestContext* ctx) {
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
  ctx->Yield(2);
  ctx->KeyPress(ImGuiKey_Enter);
  ctx->Yield(2);
}

const RegisterControls tests{[](ImGuiTestEngine* e) {
  add_test(e, "dialogs", "open_save_and_cancel", [](ImGuiTestContext* ctx) {
    FakeDesktop desktop;
    const std::string file = desktop.in("run.bscope");
    desktop.answers(file, "2");  // longer than a slow machine takes for some frames
    ctx->KeyPress(ImGuiKey_RightArrow, 3);
    const int here = step_of(*app().state.run, app().state.cursor);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    IM_CHECK(app().ui.of<FileDialogs>().dialog != nullptr);
    // the app goes on meanwhile
    ctx->KeyPress(ImGuiKey_T);
    IM_CHECK(app().state.theme == ThemeName::light);
    ask_to_open(ctx);  // one dialog at a time
    wait(ctx);
    IM_CHECK(fs::is_regular_file(file));
    IM_CHECK(desktop.asked().find("--save") != std::string::npos);
    IM_CHECK(desktop.asked().find("blelloch.bscope") != std::string::npos);
    IM_CHECK(!popup_open());

    restart("scan/kogge-stone");
    app().ui.of<FileDialogs>().ask_desktop = desktop_dialog;
    ctx->Yield(2);
    ask_to_open(ctx);
    wait(ctx);
    IM_CHECK(desktop.asked().find("--save") == std::string::npos);
    IM_CHECK_EQ(app().state.run->trace.kernel, std::string("scan/blelloch"));
    IM_CHECK_EQ(step_of(*app().state.run, app().state.cursor), here);

    // cancelled: nothing is opened, nothing is said
    restart("scan/kogge-stone");
    app().ui.of<FileDialogs>().ask_desktop = desktop_dialog;
    desktop.answers("");
    ctx->Yield(2);
    for (const ImGuiKey key : {ImGuiKey_O, ImGuiKey_S}) {
      const auto run = app().state.run;
      key == ImGuiKey_O ? ask_to_open(ctx) : ctx->KeyPress(ImGuiMod_Ctrl | key);
      wait(ctx);
      IM_CHECK(app().state.run == run && app().state.error.empty() && !popup_open());
      IM_CHECK(app().ui.of<Notices>().all.empty());
    }
  });
  add_test(e, "dialogs", "a_path_is_typed_where_there_are_none", [](ImGuiTestContext* ctx) {
    FakeDesktop desktop;  // empty
    // a slow machine needs its time to see that nothing was shown
    app().ui.of<FileDialogs>().at_least = std::chrono::seconds(10);
    for (const bool broken : {false, true}) {
      if (broken) desktop.answers("", "0");  // it ends at once: it could not be shown
      for (const Asks asks : {Asks::open, Asks::save}) {
        asks == Asks::open ? ask_to_open(ctx) : ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
        wait(ctx);
        IM_CHECK(popup_open());
        IM_CHECK(app().ui.of<Palette>().asks == asks);
        IM_CHECK_EQ(app().ui.of<Palette>().typed, std::string(asks == Asks::save ? "blelloch.bscope" : ""));
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->Yield(2);
        IM_CHECK(!popup_open());
      }
    }
  });
  add_test(e, "dialogs", "one_that_is_open_goes_with_the_app", [](ImGuiTestContext* ctx) {
    FakeDesktop desktop;
    desktop.answers("", "30");
    ask_to_open(ctx);
    IM_CHECK(app().ui.of<FileDialogs>().dialog != nullptr);
    const auto before = std::chrono::steady_clock::now();
    app().ui.of<FileDialogs>().dialog.reset();
    IM_CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(5));
  });
}};

}  // namespace
}  // namespace bscope
