// A monkey at the keyboard and the mouse: random events without end, by a seed that is printed. Whatever it
// does, the app must stay up, show a run, and stand somewhere in it.
#include <imgui.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "app/measure/measurement_store.hpp"
#include "app/session/session_file.hpp"
#include "app/session/settings.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/notices.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/simt/algorithm.hpp"
#include "tests/at_once.hpp"
#include "tests/places.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

uint64_t seed_now = 0;
long event_now = 0;
char doing[256] = "";

void told(int signal) {
  std::fprintf(stderr, "monkey: signal %d at event %ld of seed %llu: %s\n", signal, event_now,
               static_cast<unsigned long long>(seed_now), doing);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

class Monkey {
 public:
  Monkey(App& app, uint64_t seed, std::vector<fs::path> files, std::vector<std::string> texts)
      : app_(app), random_(seed), files_(std::move(files)), texts_(std::move(texts)) {}

  void event() {
    ImGuiIO& io = ImGui::GetIO();
    const int what = below(1000);
    if (what < 300) {
      point(io);
    } else if (what < 480) {
      press(io);
    } else if (what < 760) {
      key(io);
    } else if (what < 840) {
      note("wheel");
      io.AddMouseWheelEvent(0, float(below(9) - 4));
    } else if (what < 940) {
      type(io);
    } else if (what < 955) {
      const fs::path& file = files_[size_t(below(int(files_.size())))];
      note("drop " + file.filename().string());
      app_.drop(file.string());
    } else if (what < 965) {
      note("resize");
      static constexpr float sizes[][2] = {{960, 540},   {1280, 720}, {1600, 900}, {1920, 1080},
                                           {3840, 2160}, {800, 1200}, {320, 200}};
      const auto& size = sizes[below(int(std::size(sizes)))];
      io.DisplaySize = {size[0], size[1]};
    } else if (what < 975) {
      open();
    } else if (what < 985) {
      note("look");
      app_.state = to_theme(std::move(app_.state), ThemeName(below(3)));
      app_.state.language = Language(below(2));
    } else {
      command();
    }
  }

  /// Lets go of what is held, so that a drag ends some time.
  void rest() {
    ImGuiIO& io = ImGui::GetIO();
    for (int button = 0; button < 3; ++button) io.AddMouseButtonEvent(button, false);
    for (const ImGuiKey k : held_) io.AddKeyEvent(k, false);
    held_.clear();
    for (const ImGuiKey k : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt}) io.AddKeyEvent(k, false);
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  void note(const std::string& words) { std::snprintf(doing, sizeof doing, "%s", words.c_str()); }

  void point(ImGuiIO& io) {
    // mostly at what answers
    if (below(3) != 0 && !app_.ui.pictures.empty()) {
      auto shown = app_.ui.pictures.begin();
      std::advance(shown, below(int(app_.ui.pictures.size())));
      const auto& hits = shown->second.picture.hits;
      if (!hits.empty()) {
        const HitRegion& hit = hits[size_t(below(int(hits.size())))];
        note("point at " + shown->first + ", " + hit.name);
        const float x = float(below(101)) / 100, y = float(below(101)) / 100;
        io.AddMousePosEvent(shown->second.area.x + hit.box.x + hit.box.w * x,
                            shown->second.area.y + hit.box.y + hit.box.h * y);
        return;
      }
    }
    note("point");
    io.AddMousePosEvent(float(below(int(io.DisplaySize.x) + 40) - 20),
                        float(below(int(io.DisplaySize.y) + 40) - 20));
  }
  void press(ImGuiIO& io) {
    const int button = below(8) == 0 ? 1 + below(2) : 0;
    const bool down = below(3) != 0;
    note(down ? "press" : "release");
    io.AddMouseButtonEvent(button, down);
    if (down && below(3) != 0) io.AddMouseButtonEvent(button, false);
  }
  void key(ImGuiIO& io) {
    static const std::vector<ImGuiKey> keys = [] {
      std::vector<ImGuiKey> all;
      for (int k = ImGuiKey_NamedKey_BEGIN; k < ImGuiKey_NamedKey_END; ++k)
        if (k < ImGuiKey_GamepadStart) all.push_back(ImGuiKey(k));
      // those that do much, more often
      for (int i = 0; i < 6; ++i)
        all.insert(all.end(),
                   {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow,
                    ImGuiKey_Tab, ImGuiKey_Enter, ImGuiKey_Escape, ImGuiKey_Space, ImGuiKey_PageDown,
                    ImGuiKey_PageUp, ImGuiKey_Home, ImGuiKey_End, ImGuiKey_P, ImGuiKey_F});
      return all;
    }();
    const ImGuiKey k = keys[size_t(below(int(keys.size())))];
    note(std::string("key ") + ImGui::GetKeyName(k));
    static constexpr ImGuiKey mods[] = {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt};
    const int with = below(4) == 0 ? below(3) : -1;
    if (with >= 0) io.AddKeyEvent(mods[with], true);
    io.AddKeyEvent(k, true);
    if (below(8) == 0) {
      held_.push_back(k);
    } else {
      io.AddKeyEvent(k, false);
      if (with >= 0) io.AddKeyEvent(mods[with], false);
    }
  }
  void type(ImGuiIO& io) {
    // no slash: whatever is saved stays in the monkey's own folder
    static constexpr std::array<const char*, 12> texts{
        "8", "31", "-1", "0", "1, 2, 3", "blelloch", "abc", "1e9", "線程束", "\xf0\x9f\x98\x80", "..", "?"};
    if (!texts_.empty() && below(2) == 0) {
      const std::string& text = texts_[size_t(below(int(texts_.size())))];
      note("paste " + text);
      ImGui::SetClipboardText(text.c_str());
      io.AddKeyEvent(ImGuiMod_Ctrl, true);
      io.AddKeyEvent(ImGuiKey_V, true);
      io.AddKeyEvent(ImGuiKey_V, false);
      io.AddKeyEvent(ImGuiMod_Ctrl, false);
      if (below(2) == 0) io.AddInputCharactersUTF8(text.substr(0, size_t(below(60))).c_str());
      return;
    }
    const char* text = texts[size_t(below(int(texts.size())))];
    note(std::string("type ") + text);
    io.AddInputCharactersUTF8(text);
  }
  void open() {
    const auto& all = catalog();
    const Algorithm& a = *all[size_t(below(int(all.size())))];
    Target target;
    target.request.kernel = a.name;
    if (below(2) == 0) target.request.n = 1 + below(below(8) == 0 ? 5000 : 100);
    if (below(3) == 0) target.request.block = 1 << below(9);
    if (below(3) == 0) target.request.seed = uint64_t(below(1000));
    note("open " + a.name);
    app_.state = opened(std::move(app_.state), target, Where::parameters);
  }
  void command() {
    const auto& all = commands();
    const Command& c = all[size_t(below(int(all.size())))];
    note("command " + c.id);
    if (!c.tab.empty()) app_.state.tab = c.tab;
    if (!c.can || c.can(app_.state, app_.ui)) c.run(app_.state, app_.ui);
  }

  App& app_;
  std::mt19937_64 random_;
  std::vector<fs::path> files_;
  std::vector<std::string> texts_;
  std::vector<ImGuiKey> held_;
};

/// What holds whatever was done; empty, or what does not.
std::string wrong(const App& app) {
  const LoadedState& s = app.state;
  if (!s.run) return "no run is open";
  const auto& launches = s.run->trace.launches;
  if (launches.empty()) return {};
  const Cursor& c = s.cursor;
  if (c.launch < 0 || size_t(c.launch) >= launches.size())
    return "the cursor is in launch " + std::to_string(c.launch);
  if (c.block < 0 || c.block >= launches[size_t(c.launch)].grid)
    return "the cursor is in block " + std::to_string(c.block);
  if (c.thread >= launches[size_t(c.launch)].block)
    return "thread " + std::to_string(c.thread) + " is followed";
  if (!(c.phase >= 0 && c.phase <= 1)) return "the phase is " + std::to_string(c.phase);
  if (!(c.zoom >= 1 && c.zoom <= most_zoom)) return "the zoom is " + std::to_string(c.zoom);
  return {};
}

/// Everything in a folder, whatever it is.
std::vector<fs::path> things_in(const fs::path& folder) {
  std::vector<fs::path> all;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    all.push_back(it->path());
  std::sort(all.begin(), all.end());
  return all;
}

/// Texts to paste: no slash, so that whatever is saved under one stays in the monkey's own folder.
std::vector<std::string> texts_in(const fs::path& folder) {
  std::vector<std::string> all;
  for (const fs::path& path : things_in(folder)) {
    std::ifstream in(path, std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    std::replace(all.back().begin(), all.back().end(), '/', '|');
  }
  return all;
}

/// As open_window does it: the settings and the session or trace that are there, if they can be used.
LoadedState begun_on(const fs::path& given, Settings& settings, std::string& notice) {
  settings = read_settings(settings_path(), &notice);
  LoadedState s = with_choices({}, settings);
  Target target;
  target.request.kernel = "scan/blelloch";
  s.target = target;
  s.run = open_now(target).run;
  if (const auto first = things_in(given / "start"); !first.empty())
    if (LoadedState loaded = load_session(s, first[0].string()); loaded.run) s = std::move(loaded);
  if (const auto lessons = things_in(given / "lessons"); !lessons.empty()) {
    s.lesson.open = true;
    s.lesson.lesson = lessons[0].string();
  }
  return s;
}

}  // namespace

bool monkey(long events, uint64_t seed, const std::string& given) {
  seed_now = seed;
  std::printf("monkey: %ld events by seed %llu\n", events, static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) std::signal(signal, told);

  // a home of its own: what it exports and saves goes there
  const fs::path home = fs::temp_directory_path() / ("barrierscope-monkey-" + std::to_string(::getpid()));
  fs::create_directories(home);
  const fs::path before = fs::current_path();
  fs::current_path(home);
  ::setenv("HOME", home.c_str(), 1);
  for (const char* folder : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
    ::setenv(folder, home.c_str(), 1);
  std::ofstream(home / "numbers.txt") << "3 1 7 0 4 1 6 3\n";
  std::ofstream(home / "words.txt") << "not a number\n";
  std::ofstream(home / "empty.bscope") << "";
  const fs::path tests = fs::path(BARRIERSCOPE_ROOT) / "tests";
  std::vector<fs::path> files{tests / "cli/blelloch.bscope", home / "numbers.txt", home / "words.txt",
                              home / "empty.bscope",         home / "not there",   home};
  for (const auto& entry : fs::directory_iterator(tests / "fuzz/corpus")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  if (!given.empty()) {
    ::setenv("XDG_CONFIG_HOME", (given + "/config").c_str(), 1);
    files = things_in(given + "/drops");
    for (const fs::path& lesson : things_in(given + "/lessons")) {
      std::error_code ignored;
      fs::create_directories(home / "barrierscope/lessons");
      fs::copy(lesson, home / "barrierscope/lessons" / lesson.filename(), ignored);
    }
    files.push_back(home / "not there");
  }

  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {1600, 900};
  io.IniFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  std::string found;
  {
    Settings settings;
    std::string notice;
    App app(begun_on(given, settings, notice));
    if (!given.empty()) app.keep_settings(settings, settings_path());
    if (!notice.empty()) notify(app.ui, notice);
    Monkey it(app, seed, files, given.empty() ? std::vector<std::string>{} : texts_in(given + "/texts"));
    std::mt19937_64 pace(seed ^ 0x9e3779b97f4a7c15u);
    using Clock = std::chrono::steady_clock;
    const auto started = Clock::now();
    double slowest = 0;
    long frames = 0;
    for (event_now = 0; event_now < events && found.empty();) {
      for (uint64_t n = 1 + pace() % 6; n > 0 && event_now < events; --n, ++event_now) it.event();
      if (pace() % 16 == 0) it.rest();
      io.DeltaTime = pace() % 8 == 0 ? 0.5f : 1.0f / 60;
      const auto from = Clock::now();
      ImGui::NewFrame();
      app.frame();
      ImGui::Render();
      pretend_to_draw(*ImGui::GetDrawData());
      slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - from).count());
      // measuring is real work on all processors: enough to have begun
      if (app.ui.services.of<MeasurementStore>().measurer.progress().measuring && pace() % 8 == 0)
        app.ui.services.of<MeasurementStore>().measurer.stop();
      found = wrong(app);
      if (++frames % 20000 == 0) {
        std::printf("monkey: %ld events, %ld frames, %.0f s\n", event_now, frames,
                    std::chrono::duration<double>(Clock::now() - started).count());
        std::fflush(stdout);
      }
    }
    app.write_settings_now();
    std::printf("monkey: %ld events, %ld frames, the slowest %.2f s%s\n", event_now, frames, slowest,
                found.empty() ? "; nothing found" : "");
    if (!found.empty())
      std::printf("monkey: after event %ld of seed %llu (%s): %s\n", event_now,
                  static_cast<unsigned long long>(seed), doing, found.c_str());
  }
  ImGui::DestroyContext();
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) std::signal(signal, SIG_DFL);
  fs::current_path(before);
  std::error_code ignored;
  fs::remove_all(home, ignored);
  return found.empty();
}

}  // namespace bscope
