#include "app/web/page.hpp"

#include <emscripten/html5.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/export/svg_only/browser_png.hpp"
#include "app/links/host_message.hpp"
#include "app/links/link.hpp"
#include "app/run/assets.hpp"
#include "app/run/own_program.hpp"
#include "app/run/worker.hpp"
#include "app/session/pacing.hpp"
#include "app/session/tab.hpp"
#include "app/session/tab_time.hpp"
#include "app/shell/app.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/compiler_fetch.hpp"
#include "app/shell/embedded.hpp"
#include "app/shell/files.hpp"
#include "app/shell/gesture_recognizer.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/touch_input.hpp"
#include "app/web/browser.hpp"
#include "app/web/elsewhere.hpp"
#include "app/web/files.hpp"
#include "app/web/reserve.hpp"
#include "app/window/drawn.hpp"
#include "app/window/gl.hpp"
#include "app/window/shaders.hpp"
#include "app/window/startup.hpp"
#include "app/words/words.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

double seconds() { return emscripten_get_now() / 1000; }

/// What the worker says of a run, or the page's own words where the worker is gone.
Message message_in(const char* text) {
  try {
    return Message::parse(text);
  } catch (const BadFile&) { return Message::plain(text); }
}

/// The app, on the canvas of its page. It lives as long as the page.
class Page {
 public:
  explicit Page(StartupState& b) : app_(std::move(b.state)), pacing_(seconds()) {
    ImGuiIO& io = ImGui::GetIO();
    io.BackendPlatformName = "page";
    io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    io.ConfigMacOSXBehaviors = page_is_mac();
    ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
    platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) { page_copy(text); };
    platform.Platform_GetClipboardTextFn = [](ImGuiContext*) -> const char* {
      static std::string text;
      text = taken(page_pasted());
      return text.c_str();
    };
    platform.Platform_SetImeDataFn = [](ImGuiContext*, ImGuiViewport*, ImGuiPlatformImeData* data) {
      if (data->WantVisible) page_caret(data->InputPos.x, data->InputPos.y, data->InputLineHeight);
    };
    touch_.under = [this](Point at) { return app_.under(at); };
    // no threads: what takes long is done when a frame has said so
    post_idle = [this](std::function<void()> work) {
      work_.push_back(std::move(work));
      happened();
    };
    // as isApps of app/web/site/page.js
    is_browsers = [](ImGuiKeyChord key) {
      return key == (ImGuiMod_Ctrl | ImGuiKey_L) || (key >= ImGuiKey_F2 && key <= ImGuiKey_F12);
    };
    fetch_asset = [](const std::filesystem::path& file) { return AssetState(page_asset(file.c_str())); };
    app_.ui.runs.most_bytes = size_t(64) << 20;  // a page's memory never shrinks
    app_.ui.runs.load_remotely = [this](const Target& t, Progress& p,
                                        std::function<void(std::optional<RunResult>)> take) {
      elsewhere_.make(t, p, std::move(take));
    };
    app_.ui.wake = app_.ui.runs.wake = [this] {
      happened();
      page_wake();
    };
    app_.ui.of<FileDialogs>().ask_desktop = page_dialog;
    app_.ui.of<FileDialogs>().downloads = downloads;
    svg_becomes_png = true;
    b.settings.link_base = taken(page_address());
    app_.keep_settings(b.settings, b.settings_file);
    if (!b.notice.empty()) notify(app_.ui, b.notice);
    shaders_ = draw_with_shaders(app_.painter(), [this](const std::string& why) { notify(app_.ui, why); });
    ImGui_ImplOpenGL3_Init("#version 300 es");
  }

  App& app() { return app_; }
  Elsewhere& elsewhere() { return elsewhere_; }

  void resize(int width, int height, float ratio) {
    width_ = width, height_ = height, ratio_ = ratio;
    exposed_ = true;
    happened();
  }
  void finger(int id, GestureRecognizer::TouchPhase phase, Point at) {
    std::vector<GestureRecognizer::PointerEvent> events;
    touch_.finger(id, phase, at, seconds(), events);
    for (const GestureRecognizer::PointerEvent& d : events) app_.touched(d);
  }
  /// Something came in since the last frame.
  void happened() { event_ = true; }

  /// Whether there is work for between two frames, and a frame that announces it was shown.
  bool has_work() const { return !work_.empty() && told_; }
  void work() {
    const auto all = std::exchange(work_, {});
    told_ = false;
    for (const auto& each : all) each();
    happened();
  }

  /// Draws a frame. In how many seconds the next is wanted: 0 at once, negative: when something happens.
  double frame() {
    const double now = seconds();
    keep_reserve();
    std::vector<GestureRecognizer::PointerEvent> events;
    touch_.wait(now, events);
    for (const GestureRecognizer::PointerEvent& d : events) app_.touched(d);
    pacing_.woke(now, event_ || app_.has_events());
    event_ = false;
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {float(width_), float(height_)};
    io.DisplayFramebufferScale = {ratio_, ratio_};
    io.DeltaTime = std::max(float(now - began_), 1e-4f);
    began_ = now;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    // fonts that are drawn with without being pushed are to be as sharp as those that are
    for (ImFont* font : io.Fonts->Fonts) font->CurrentRasterizerDensity = ratio_;
    app_.frame();
    if (!app_.ui.of<EmbeddedView>().name.empty()) tell_host_of_error();
    elsewhere_.look();
    ImGui::Render();
    draw();
    page_cursor(ImGui::GetMouseCursor());
    page_wants_text(io.WantTextInput);
    const Box& link = app_.ui.of<EmbeddedView>().whole_app;
    if (const std::array at{link.x, link.y, link.w, link.h}; at != whole_app_) {
      whole_app_ = at;
      page_whole_app_at(link.x, link.y, link.w, link.h);
    }
    follow(app_.busy() || app_.has_events());
    told_ = !work_.empty() && frames_with_work_++ > 0;
    if (work_.empty()) frames_with_work_ = 0;
    const std::optional<double> wait = pacing_.wait(seconds());
    if (const auto due = touch_.due()) return std::clamp(*due - seconds(), 0.001, wait.value_or(1));
    return wait ? *wait : -1;
  }

  /// Opens a file; the page around a frame, which has sent it, receives any error.
  void open(const char* path) {
    app_.drop(path);
    if (!app_.ui.of<EmbeddedView>().name.empty()) tell_host_of_error();
  }
  /// Does what the page around this frame asks for, and reports where that led; only that page receives
  /// mistakes.
  void hear(const char* message) {
    const Message before = app_.state.error;
    try {
      app_.ui.dispatcher.dispatch(
          app_.state, [m = parse_host_message(message), embed = app_.ui.of<EmbeddedView>().name,
                       &runs = app_.ui.runs](LoadedState& s) { s = obeyed(std::move(s), m, embed, runs); });
      if (const Message error = app_.state.error; !error.empty() && error != before) {
        forgive(app_.state);
        throw UsageError(error);
      }
    } catch (const UsageError& e) { return page_tell_host(told_error(tr(e.message())).c_str()); }
    told_address_ = 0;  // also of a frame that is not visible, and that draws nothing
    follow(false);
  }

 private:
  /// The page around a frame alone hears of mistakes.
  void tell_host_of_error() {
    if (app_.state.error.empty()) return;
    page_tell_host(told_error(tr(app_.state.error)).c_str());
    forgive(app_.state);
  }
  /// The page's address follows what is on screen once that rests. The page around a frame hears of every
  /// step.
  void follow(bool moving) {
    const LoadedState& s = app_.state;
    const std::string& embed = app_.ui.of<EmbeddedView>().name;
    const auto own = own_time(s);
    const Cursor& c = s.cursor;
    const std::array<int, 6> place{c.launch, c.block, c.interval, c.substep, own ? own->now : -1, s.playing};
    const bool rested = !moving && told_address_ != shown_, stepped = !embed.empty() && place != told_place_;
    if (!rested && !stepped) return;
    told_place_ = place;
    std::string link;
    try {
      link = link_of(s);
    } catch (const UsageError&) {  // of what is there no link can tell
    }
    if (!embed.empty())
      if (std::string told = told_of(s, "step", embed, link); told != told_host_) {
        page_tell_host((told_host_.empty() ? told_of(s, "ready", embed, link) : told).c_str());
        told_host_ = std::move(told);
      }
    if (!rested) return;
    told_address_ = shown_;
    std::string file = s.target.is_file() ? s.target.file : std::string();
    // a program's link is the same where its text was changed: the page looks at its files
    if (link == link_ && file == file_ && linked_ && !s.target.is_program()) return;
    link_ = std::move(link);
    file_ = std::move(file);
    linked_ = true;
    page_link(link_.c_str(), file_.c_str());
  }
  void draw() {
    const ImDrawData& data = *ImGui::GetDrawData();
    const Colour background = app_.background();
    const uint64_t picture = digest(data) ^ background;
    pacing_.drew({app_.busy(), app_.has_events(), picture != shown_, app_.due()});
    if (picture == shown_ && !exposed_ && !textures_changed(data)) return;
    shown_ = picture;
    exposed_ = false;
    glViewport(0, 0, int(float(width_) * ratio_), int(float(height_) * ratio_));
    const auto part = [&](int shift) { return float(background >> shift & 0xff) / 255; };
    glDisable(GL_SCISSOR_TEST);
    glClearColor(part(24), part(16), part(8), 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  }

  Elsewhere elsewhere_;
  App app_;
  std::shared_ptr<void> shaders_;
  GestureRecognizer touch_;
  Pacing pacing_;
  int width_ = 1280, height_ = 720;
  float ratio_ = 1;
  double began_ = 0;
  bool event_ = true, exposed_ = true;
  uint64_t shown_ = 0, told_address_ = 0;
  std::array<int, 6> told_place_{};
  std::string told_host_, link_, file_;
  std::array<float, 4> whole_app_{};
  bool linked_ = false;
  std::vector<std::function<void()>> work_;
  int frames_with_work_ = 0;
  bool told_ = false;
};

Page* page = nullptr;

/// Wraps every call from the page: nothing is thrown into the browser.
template <class Act>
void told(Act act) {
  if (!page) return;
  try {
    act(*page);
    page->happened();
    page_wake();
  } catch (const std::bad_alloc&) {
    page_fails(
        tr("There is not enough memory for this in this page. Load it again for a smaller run.").c_str());
  } catch (const std::exception& e) { page_fails(tr(message_of(e)).c_str()); }
}

void open_context() {
  EmscriptenWebGLContextAttributes wanted;
  emscripten_webgl_init_context_attributes(&wanted);
  wanted.alpha = wanted.depth = wanted.stencil = wanted.antialias = false;
  wanted.majorVersion = 2;
  const auto context = emscripten_webgl_create_context("#canvas", &wanted);
  if (context <= 0 || emscripten_webgl_make_context_current(context) != EMSCRIPTEN_RESULT_SUCCESS)
    throw NoWindow(message("this browser has no WebGL 2 to draw with"));
  page_opened_context();
}

}  // namespace

int open_page(const WindowOptions& o) {
  StartupState startup = begin(o);
  open_context();
  keep_reserve();
  // ImGui writes to any address that it gets, at 0, too: where memory ends, operator new must throw
  ImGui::SetAllocatorFunctions([](size_t n, void*) { return ::operator new(n); },
                               [](void* p, void*) { ::operator delete(p); });
  ImGui::CreateContext();
  page = new Page(startup);
  page->app().ui.of<EmbeddedView>().name = o.embed;
  go_on(page->app().state, page->app().ui, startup, o);
  page_begins();
  return 0;
}

bool page_is_open() { return page != nullptr; }
void tell_page(const std::string& sentence) {
  if (page) notify(page->app().ui, sentence);
}

}  // namespace bscope

// What the page calls (app/web/site/page.js).
extern "C" {
using bscope::Page;
using bscope::told;

[[gnu::used]] double page_frame() {
  double wait = -1;
  if (bscope::page) try {
      return bscope::page->frame();
    } catch (const std::bad_alloc&) {
      bscope::page_fails(
          bscope::tr("There is not enough memory for this in this page. Load it again for a smaller run.")
              .c_str());
    } catch (const std::exception& e) { bscope::page_fails(bscope::tr(bscope::message_of(e)).c_str()); }
  return wait;
}
[[gnu::used]] void page_resize(int width, int height, double ratio) {
  told([&](Page& p) { p.resize(width, height, float(ratio)); });
}
[[gnu::used]] void page_open_file(const char* path) {
  told([&](Page& p) { p.open(path); });
}
[[gnu::used]] void page_hear(const char* message) {
  told([&](Page& p) { p.hear(message); });
}
[[gnu::used]] void page_ends() {
  told([&](Page& p) { p.app().end(); });
}
[[gnu::used]] bool page_has_work() { return bscope::page && bscope::page->has_work(); }
[[gnu::used]] void page_work() {
  told([](Page& p) { p.work(); });
}
[[gnu::used]] void page_told(double events, double expected, double looked_at) {
  told([&](Page& p) { p.elsewhere().told(size_t(events), size_t(expected), float(looked_at)); });
}
/// The share of the compiler that is here, 0 to 1.
[[gnu::used]] void page_fetched(double share) {
  told([&](Page& p) { p.app().ui.of<bscope::CompilerFetch>().share = float(share); });
}
[[gnu::used]] void page_made() {
  told([](Page& p) { p.elsewhere().answered(); });
}
/// Takes over a piece of it; returns whether there are more.
[[gnu::used]] bool page_takes_over() {
  bool more = false;
  told([&](Page& p) { more = p.elsewhere().take_over(); });
  return more;
}
[[gnu::used]] void page_not_made(const char* sentence, const char* program, bool refused) {
  told([&](Page& p) { p.elsewhere().failed(bscope::message_in(sentence), program, refused); });
}
/// Whether the pointer is a finger.
[[gnu::used]] void page_coarse(bool coarse) {
  told([&](Page& p) { p.app().ui.of<bscope::TouchInput>().coarse = coarse; });
}
[[gnu::used]] void page_finger(int id, int phase, double x, double y) {
  if (phase < 0 || phase > 3) return;
  told([&](Page& p) { p.finger(id, bscope::GestureRecognizer::TouchPhase(phase), {float(x), float(y)}); });
}
/// The tab showed this file before it was loaded again, and the browser has it no more.
[[gnu::used]] void page_forgot(const char* file) {
  told([&](Page& p) {
    notify(p.app().ui, bscope::tr("{} was open here, and the browser has not kept it: open it again.", file));
  });
}
/// A sentence of the page's own.
[[gnu::used]] void page_say(const char* sentence) {
  told([&](Page& p) { notify(p.app().ui, sentence); });
}
[[gnu::used]] void page_happened() {
  told([](Page&) {});
}
}
