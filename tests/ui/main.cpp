// ui_tests [NAME | shaders | pictures [NAME] | monkey [EVENTS [SEED [FOLDER]]]]: every control driven without
// a display, a monkey at all of them, the shaders, then pictures against the approved ones.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_te_engine.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <string>
#ifdef BARRIERSCOPE_SANITIZED
#include <sanitizer/lsan_interface.h>
#endif

#include "app/run/own_program.hpp"
#include "app/session/history.hpp"
#include "app/shell/compact.hpp"
#include "app/shell/embedded.hpp"
#include "app/shell/files.hpp"
#include "app/shell/labels.hpp"
#include "app/shell/lesson.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/palette.hpp"
#include "app/shell/popups.hpp"
#include "app/shell/settings_file.hpp"
#include "app/shell/sheets.hpp"
#include "app/shell/touch_input.hpp"
#include "tests/places.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

#ifdef BARRIERSCOPE_SANITIZED
constexpr long usual_events = 4000;  // several times slower: the release build does what is missing
#else
constexpr long usual_events = 20000;
#endif

std::unique_ptr<App> current;

RunSpec on(const std::string& kernel) {
  RunSpec r;
  r.kernel = kernel;
  return r;
}

LoadedState opened_on(const RunSpec& r) {
  LoadedState s;
  Target target;
  target.request = r;
  target = as_shown(s, std::move(target));
  s.target = target;
  s.run = open_now(target).run;
  return s;
}

/// The tests that took longest, with their seconds.
std::string longest_tests(ImGuiTestEngine* engine, size_t count) {
  ImVector<ImGuiTest*> tests;
  ImGuiTestEngine_GetTestList(engine, &tests);
  const auto seconds = [](const ImGuiTest* t) {
    return double(t->Output.EndTime - t->Output.StartTime) / 1e6;
  };
  std::ranges::sort(tests, std::greater(), seconds);
  std::string all;
  for (const ImGuiTest* t : std::span(tests.begin(), std::min(count, size_t(tests.size()))))
    all += fmt::format("{}{} {} {:.1f} s", all.empty() ? "" : ", ", t->Category.c_str(), t->Name.c_str(),
                       seconds(t));
  return all;
}

bool drive_controls(const char* filter) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {1600, 900};
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  io.BackendRendererName = "none";
  ImGuiTestEngine* engine = ImGuiTestEngine_CreateContext();
  ImGuiTestEngineIO& settings = ImGuiTestEngine_GetIO(engine);
  settings.ConfigVerboseLevel = ImGuiTestVerboseLevel_Warning;
  settings.ConfigVerboseLevelOnError = ImGuiTestVerboseLevel_Info;
  settings.ConfigLogToTTY = true;
  settings.ConfigRunSpeed = ImGuiTestRunSpeed_Fast;
  settings.ConfigNoThrottle = true;
  settings.ConfigFixedDeltaTime = 1.0f / 60;
  settings.ConfigSavedSettings = false;
  settings.ConfigCaptureEnabled = false;
  ImGuiTestEngine_Start(engine, ImGui::GetCurrentContext());
  register_controls(engine);
  for (const RegisterTests more : more_controls()) more(engine);
  current = std::make_unique<App>(opened_on(on("scan/blelloch")));
  ImGuiTestEngine_QueueTests(engine, ImGuiTestGroup_Tests, filter, ImGuiTestRunFlags_RunFromCommandLine);
  while (!ImGuiTestEngine_IsTestQueueEmpty(engine)) {
    io.DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    current->frame();
    ImGui::Render();
    pretend_to_draw(*ImGui::GetDrawData());
    ImGuiTestEngine_PostSwap(engine);
  }
  const std::string longest = longest_tests(engine, 10);
  ImGuiTestEngineResultSummary result;
  ImGuiTestEngine_GetResultSummary(engine, &result);
  ImGuiTestEngine_Stop(engine);
  current.reset();
  ImGui::DestroyContext();
  ImGuiTestEngine_DestroyContext(engine);
  std::printf("controls: %d of %d tests passed; the longest: %s\n", result.CountSuccess, result.CountTested,
              longest.c_str());
  return result.CountSuccess == result.CountTested && result.CountTested > 0;
}

}  // namespace

App& app() { return *current; }

void pretend_to_draw(const ImDrawData& data) {
  if (!data.Textures) return;
  for (ImTextureData* t : *data.Textures) {
    if (t->Status == ImTextureStatus_WantCreate) t->SetTexID(ImTextureID(1));
    if (t->Status == ImTextureStatus_WantCreate || t->Status == ImTextureStatus_WantUpdates)
      t->SetStatus(ImTextureStatus_OK);
    if (t->Status == ImTextureStatus_WantDestroy) {
      t->SetTexID(ImTextureID_Invalid);
      t->SetStatus(ImTextureStatus_Destroyed);
    }
  }
}

std::vector<RegisterTests>& more_controls() {
  static std::vector<RegisterTests> all;
  return all;
}

namespace {
template <class... T>
void make_anew(UiState& ui) {
  ((ui.of<T>() = T{}), ...);
}
}  // namespace

void restart(const RunSpec& r) {
  // The same ImGui context and fonts: only the state is new.
  show_course(current->state, current->ui, {});
  current->state = opened_on(r);
  make_anew<Popups, Palette, KeySheetPages, Labels, PressedHit, KeyedSlider, Notices, History, SettingsFile,
            TouchInput, CompactView, EmbeddedView, FileDialogs>(current->ui);
}
void restart(const std::string& kernel) { restart(on(kernel)); }

}  // namespace bscope

int main(int argc, char** argv) {
  const char* filter = argc > 1 ? argv[1] : nullptr;
  if (filter && std::string(filter) == "monkey")
    return bscope::monkey(argc > 2 ? std::atol(argv[2]) : bscope::usual_events,
                          argc > 3 ? std::strtoull(argv[3], nullptr, 0) : 1, argc > 4 ? argv[4] : "")
               ? 0
               : 1;
  if (filter && std::string(filter) == "shaders") return bscope::check_shaders() ? 0 : 1;
  const bool pictures_only = filter && std::string(filter) == "pictures";
  bool controls = pictures_only || bscope::drive_controls(filter);
  if (!filter) controls = bscope::monkey(bscope::usual_events, 1) && controls;
#ifdef BARRIERSCOPE_SANITIZED
  // Leaks are looked for here: OpenGL drivers, which the pictures need, keep a little of each context.
  __lsan_do_leak_check();
#endif
  if (!filter) controls = bscope::check_shaders() && controls;
  const int different = filter && !pictures_only
                            ? 0
                            : bscope::compare_pictures(BARRIERSCOPE_ROOT "/tests/approved/pictures",
                                                       "pictures", argc > 2 ? argv[2] : "");
  return controls && different == 0 ? 0 : 1;
}
