// The export window: opened by its key, driven by its controls, done in the background.
#include <fmt/core.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

/// Where a test's files go, empty at first, and gone with it. One for each: an export goes on beside the
/// frames.
struct Folder {
  fs::path at;
  Folder() {
    static int made = 0;
    at = fs::temp_directory_path() / fmt::format("barrierscope-export-{}-{}", ::getpid(), ++made);
    fs::create_directories(at);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(at, ignored);
  }
  Folder(const Folder&) = delete;
  fs::path operator/(const std::string& name) const { return at / name; }
};

bool shown() {
  const ImGuiWindow* window = ImGui::FindWindowByName("###export");
  return window && window->Active;
}

void open_export(ImGuiTestContext* ctx) {
  if (shown()) ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_E);
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_E);
  ctx->Yield(2);
  IM_CHECK(shown());
  ctx->SetRef(ImGui::FindWindowByName("###export")->ID);
}

/// Types the file's name and leaves it at that: Enter would begin the export, and the click that comes next
/// stop it if it is still running.
void name_file(ImGuiTestContext* ctx, const fs::path& file) {
  ctx->ItemInput("##file");
  ctx->KeyCharsReplace(file.c_str());
}

/// Waits in frames, as the app does: they go on while the file is made. It is there before the export has
/// ended, and until then its button stops it.
bool appears(ImGuiTestContext* ctx, const fs::path& file) {
  const auto ended = [&] { return std::string(ctx->ItemInfo("###go").DebugLabel) != "Stop###go"; };
  for (int i = 0; i < 3000 && !(fs::exists(file) && ended()); ++i) ctx->Yield();
  return fs::exists(file);
}

void pictures_of_this_view(ImGuiTestContext* ctx) {
  open_export(ctx);
  const Folder folder;
  for (const char* format : {"0", "1", "2"}) {
    ctx->ItemClick((std::string("picture/###") + format).c_str());
    const fs::path file = folder / (std::string("x.") + (*format == '0'   ? "png"
                                                         : *format == '1' ? "svg"
                                                                          : "pdf"));
    name_file(ctx, file);
    ctx->ItemClick("###go");
    IM_CHECK(appears(ctx, file));
    IM_CHECK_GT(fs::file_size(file), 5000u);
  }
  ctx->ItemClick("###close");
  ctx->Yield(2);
  IM_CHECK(!shown());
}

void a_whole_run_at_the_size_of_the_window(ImGuiTestContext* ctx) {
  open_export(ctx);
  const Folder folder;
  ctx->ItemClick("what/###1");
  ctx->ItemClick("picture/###1");
  ctx->ItemClick("size/###2");
  name_file(ctx, folder / "run.svg");
  ctx->ItemClick("###go");
  IM_CHECK(appears(ctx, folder / "run.svg"));
  // the app itself is where it was
  IM_CHECK(!app().state.only_run);
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_E);
}

void a_failure_is_a_sentence_and_frames_go_on(ImGuiTestContext* ctx) {
  open_export(ctx);
  name_file(ctx, "/nonexistent/folder/x.svg");
  ctx->ItemClick("###go");
  ctx->Yield(60);
  IM_CHECK(app().state.error.empty());  // the window itself shows it
  IM_CHECK(ctx->ItemExists("###go"));
  // steps can still be taken beside the open window
  const int before = app().state.cursor.interval;
  ctx->SetRef("//app");
  ctx->ItemClick("forward");
  IM_CHECK_EQ(app().state.cursor.interval, before + 1);
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_E);
}

const RegisterControls registered{[](ImGuiTestEngine* e) {
  add_test(e, "export", "pictures_of_this_view", pictures_of_this_view);
  add_test(e, "export", "a_whole_run_at_the_size_of_the_window", a_whole_run_at_the_size_of_the_window);
  add_test(e, "export", "a_failure_is_a_sentence_and_frames_go_on", a_failure_is_a_sentence_and_frames_go_on);
}};

}  // namespace
}  // namespace bscope
