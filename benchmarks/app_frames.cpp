// How long the app's frames take on whatever OpenGL there is (on machines without a GPU: Mesa's software
// one):
//   benchmark_app_frames [FRAMES [SCENE]]
// Prints the time to the first frame, and for each scene our own share of a frame (state, trace, analysis,
// geometry, ImGui's lists; processor time) and the whole frame, beside the frame of an empty ImGui window of
// the same size in the same run ("processor": the same ratio of all threads' processor time, which neighbours
// on a busy machine change less), and the same where ImGui's lists draw what shaders do otherwise. Scenes:
// rest, play, trace; code (machine code unfolded); shapes (each type by itself, with shaders and with lists:
// the one command that says, on any GPU, which of the two is faster); first (the longest frame of each tab's
// first look at 1e5 elements); then each tab by its name: on the default and every preset of every kernel,
// another step in each frame; at rest; in Chinese; for the projector; and with 1e5 cells, scrolled and
// zoomed. Exit 1 if a goal is missed.
#include <fmt/format.h>
#include <imgui.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "app/measure/recorded.hpp"
#include "app/run/own_program.hpp"
#include "app/run/worker.hpp"
#include "app/session/tab.hpp"
#include "app/shell/app.hpp"
#include "app/shell/kernel_list.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/window/offscreen.hpp"
#include "app/window/shaders.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/simt/parameter.hpp"
#include "engine/trace/trace.hpp"

using namespace bscope;

namespace {

using Clock = std::chrono::steady_clock;
/// This thread's processor time: on a busy machine a frame's wall time says more about its neighbours.
double processor_ms(clockid_t of = CLOCK_THREAD_CPUTIME_ID) {
  timespec t{};
  clock_gettime(of, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}
double ms(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}
double at(std::vector<double> v, double share) {
  std::sort(v.begin(), v.end());
  return v[std::min(v.size() - 1, size_t(double(v.size()) * share))];
}

struct Series {
  std::vector<double> own, whole;
  std::vector<double> busy;  ///< processor time of all threads, OpenGL's among them
  void add(const Series& o) {
    own.insert(own.end(), o.own.begin(), o.own.end());
    whole.insert(whole.end(), o.whole.begin(), o.whole.end());
    busy.insert(busy.end(), o.busy.begin(), o.busy.end());
  }
};
struct Times {
  Series shaders, lists, empty;
  int triangles = 0;  ///< of ImGui's lists beside the shaders, at most
};

/// One frame; `content` fills it between NewFrame and Render.
void draw_frame(Offscreen& screen, Colour background, auto&& content, Series* into) {
  const auto begin = Clock::now();
  const double from = processor_ms(), all = processor_ms(CLOCK_PROCESS_CPUTIME_ID);
  screen.begin();
  content();
  ImGui::Render();
  const double to = processor_ms();
  screen.present(background);
  screen.wait();
  if (!into) return;
  into->own.push_back(to - from);
  into->whole.push_back(ms(begin, Clock::now()));
  into->busy.push_back(processor_ms(CLOCK_PROCESS_CPUTIME_ID) - all);
}

void whole_window(auto&& content) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({1600, 900});
  ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
  content();
  ImGui::End();
}

/// Draws frames of a scene: with shaders, with ImGui's lists alone, and after both an empty window, so that
/// what else the machine does meanwhile slows all three.
Times draw(Offscreen& screen, Painter& painter, int frames, Colour background, auto&& scene) {
  Times t;
  InstanceDrawer* const shaders = painter.shaders;
  for (int i = -5; i < frames; ++i) {  // the first are for textures and caches
    const bool counts = i >= 0;
    draw_frame(
        screen, background, [&] { scene(i); }, counts ? &t.shaders : nullptr);
    t.triangles = std::max(t.triangles, ImGui::GetDrawData()->TotalIdxCount / 3);
    painter.shaders = nullptr;
    draw_frame(
        screen, background, [&] { scene(i); }, counts ? &t.lists : nullptr);
    painter.shaders = shaders;
    draw_frame(
        screen, background, [] { whole_window([] {}); }, counts ? &t.empty : nullptr);
  }
  return t;
}

int missed = 0;

void print(const std::string& scene, const Times& t, const std::string& remark = {}) {
  const double own = at(t.shaders.own, 0.99), whole = at(t.shaders.whole, 0.5),
               empty = at(t.empty.whole, 0.5);
  const double busy = at(t.empty.busy, 0.5);
  fmt::print(
      "{:17} own share p50 {:5.2f}, p99 {:5.2f} ms{}   whole p50 {:5.2f}, p99 {:5.2f} ms; empty window "
      "{:5.2f} ms: {:.2f} x{} (processor {:.2f} x); lists alone: own {:.2f} ms, {:.2f} x ({:.2f} x); {} "
      "triangles{}\n",
      scene, at(t.shaders.own, 0.5), own, own > 3 ? " (goal 3: missed)" : "", whole,
      at(t.shaders.whole, 0.99), empty, whole / empty, whole / empty > 1.5 ? " (goal 1.5: missed)" : "",
      at(t.shaders.busy, 0.5) / busy, at(t.lists.own, 0.5), at(t.lists.whole, 0.5) / empty,
      at(t.lists.busy, 0.5) / busy, t.triangles, remark);
  std::fflush(stdout);
  missed += own > 3;
  missed += whole / empty > 1.5;
}

/// Each type of shape by itself, as large and as many as tabs draw them: what it costs over an empty window.
void show_shapes(Offscreen& screen, Painter& painter, int frames) {
  const Metrics widths = fixed_metrics();
  const auto place = [](int i, float w, float h) {  // in rows, from the left top
    const int columns = int(1560 / (w + 4));
    return Box{20 + float(i % columns) * (w + 4), 20 + float(i / columns) * (h + 4), w, h};
  };
  const Colour ink = 0x5fa8ffff, paper = 0x202830ff;
  const auto show = [&](const char* name, int count, auto&& one) {
    Picture p;
    p.width = 1600, p.height = 900;
    Pen pen(p, widths);
    for (int i = 0; i < count; ++i) one(pen, i);
    const Times t = draw(screen, painter, frames, 0x101010ff, [&](int) {
      whole_window([&] { painter.draw(p, {0, 0}, ImGui::GetWindowDrawList()); });
    });
    const auto cost = [&](const Series& s, auto member) {
      return at(s.*member, 0.5) - at(t.empty.*member, 0.5);
    };
    const double shaders = cost(t.shaders, &Series::busy), lists = cost(t.lists, &Series::busy);
    fmt::print("{:28} processor: shaders {:6.2f}, lists {:6.2f} ms; wall {:6.2f}, {:6.2f} ms: {}\n",
               fmt::format("{} {}", count, name), shaders, lists, cost(t.shaders, &Series::whole),
               cost(t.lists, &Series::whole), shaders < lists ? "shaders" : "lists");
    std::fflush(stdout);
  };
  show("boxes", 1000, [&](Pen& pen, int i) { pen.rect(place(i, 30, 20), ink); });
  show("round boxes with an edge", 1000,
       [&](Pen& pen, int i) { pen.rect(place(i, 30, 20), paper, ink, 1, 3); });
  show("outlines", 1000, [&](Pen& pen, int i) { pen.rect(place(i, 30, 20), 0, ink, 1, 0); });
  show("round panels", 12, [&](Pen& pen, int i) { pen.rect(place(i, 380, 280), paper, ink, 1, 6); });
  show("blocks", 4000, [&](Pen& pen, int i) { pen.rect(place(i, 8, 8), ink, paper, 1, 2); });
  show("dots", 1000, [&](Pen& pen, int i) { pen.disc(place(i, 8, 8).centre(), 4, ink); });
  show("discs with a rim", 100,
       [&](Pen& pen, int i) { pen.disc(place(i, 40, 40).centre(), 20, ink, paper, 2); });
  show("hatches", 200, [&](Pen& pen, int i) { pen.hatch(place(i, 60, 40), ink, 7); });
  show("level lines", 200, [&](Pen& pen, int i) {
    const Box b = place(i, 300, 2);
    pen.line({b.x, b.y}, {b.right(), b.y}, ink);
  });
  show("dashed lines", 200, [&](Pen& pen, int i) {
    const Box b = place(i, 300, 2);
    pen.line({b.x, b.y}, {b.right(), b.y}, ink, 2, 4);
  });
  show("lines", 1000, [&](Pen& pen, int i) {
    const Box b = place(i, 30, 20);
    pen.line({b.x, b.y}, {b.right(), b.bottom()}, ink, 1.5f);
  });
  show("curves", 200, [&](Pen& pen, int i) {
    const Box b = place(i, 100, 60);
    pen.curve({b.x, b.y}, {b.x, b.bottom()}, {b.right(), b.y}, {b.right(), b.bottom()}, ink, 2);
  });
  show("strips of 200 runs", 10, [&](Pen& pen, int i) {
    std::vector<Colour> cells(400);
    for (size_t c = 0; c < cells.size(); ++c) cells[c] = c / 2 % 2 ? ink : paper;
    pen.strip(place(i, 1500, 20), std::move(cells));
  });
  show("strips of 1e5 cells", 2, [&](Pen& pen, int i) {
    std::vector<Colour> cells(100'000);
    for (size_t c = 0; c < cells.size(); ++c) cells[c] = c * 2654435761u | 0xff;
    pen.strip(place(i, 1500, 300), std::move(cells), 100);
  });
}

/// A block of 32 threads that doubles an array of 1e5 cells in two steps: more cells than a screen has pixels
/// in a row.
std::shared_ptr<const Run> large_run() {
  constexpr int cells = 100'000, threads = 32;
  auto run = std::make_shared<Run>();
  Trace& t = run->trace;
  t.kernel = "benchmark/double";
  t.device = "cpu";
  t.parameters = {{"n", std::to_string(cells)}, {"block", std::to_string(threads)}};
  t.sources = {{"double.cu", "data[i] += data[i];\nt.sync();\n"}};
  ArrayInfo data{"data", ElementType::i32, cells, 0, std::vector<std::byte>(size_t(cells) * 4)};
  std::vector<uint32_t> value(cells);
  for (int i = 0; i < cells; ++i) {
    value[size_t(i)] = uint32_t(i % 97);
    std::memcpy(&data.initial[size_t(i) * 4], &value[size_t(i)], 4);
  }
  t.arrays = {data};
  Launch l;
  l.name = "double";
  l.block = threads;
  BlockRun block;
  for (int thread = 0; thread < threads; ++thread) {
    block.first.push_back(uint32_t(block.events.size()));
    uint32_t number = 0;
    for (int round = 0; round < 2; ++round) {
      for (int i = thread; i < cells; i += threads) {
        const uint32_t v = value[size_t(i)] << round;
        block.events.push_back({1, Op::load, 0, v, uint32_t(i), 0});
        block.events.push_back({1, Op::add, uint8_t(ElementType::i32), 2 * v, number + 1, number + 1});
        block.events.push_back({1, Op::store, 0, 2 * v, uint32_t(i), number + 2});
        number += 3;
      }
      block.events.push_back({2, Op::sync, 0, 0, 0, 0});
      ++number;
    }
    l.turns.push_back({uint32_t(thread), number / 2});
  }
  for (int thread = 0; thread < threads; ++thread)
    l.turns.push_back({uint32_t(thread), 2 * l.turns[size_t(thread)].end});
  block.first.push_back(uint32_t(block.events.size()));
  std::vector<std::byte> after(size_t(cells) * 4);
  for (int i = 0; i < cells; ++i) {
    const uint32_t v = value[size_t(i)] * 4;
    std::memcpy(&after[size_t(i) * 4], &v, 4);
  }
  l.blocks = {block};
  l.after = {after};
  t.launches = {l};
  run->report = analyse(run->trace);
  return run;
}

/// Every kernel's default problem and presets.
std::vector<RunSpec> problems() {
  std::vector<RunSpec> all;
  for (const Algorithm* a : catalog()) {
    RunSpec r;
    r.kernel = a->name;
    all.push_back(r);
    for (const Preset& preset : a->presets) {
      r.preset = preset.name;
      all.push_back(r);
    }
  }
  return all;
}

/// One tab in all its scenes. `frames` is for one scene; each problem gets a dozen.
void show_tab(App& app, Offscreen& screen, const Tab& tab, const LoadedState& fresh, int frames) {
  const auto open = [&](LoadedState s) {
    app.state = std::move(s);
    app.state.tab = tab.name;
    app.state.reduced_motion = true;
  };
  const auto another_step = [&](int i) {
    const int all = steps(*app.state.run);
    if (all) app.state = to_step(std::move(app.state), (i + all) % all);
    app.frame();
  };
  Times all;
  double worst = 0;
  std::string slowest;
  for (const RunSpec& r : problems()) {
    Target target;
    target.request = r;
    open(opened(fresh, target, Where::parameters, app.ui.runs));
    if (!app.state.error.empty()) continue;
    const Times t = draw(screen, app.painter(), 12, app.background(), another_step);
    all.shaders.add(t.shaders);
    all.lists.add(t.lists);
    all.empty.add(t.empty);
    all.triangles = std::max(all.triangles, t.triangles);
    const double longest = at(t.shaders.own, 0.9);  // of twelve: not the one that was interrupted
    if (longest > worst) worst = longest, slowest = r.kernel + (r.preset.empty() ? "" : " " + r.preset);
  }
  print(std::string(tab.title) + ", all", all, fmt::format("; slowest {} {:.2f} ms", slowest, worst));
  const auto scene = [&](const std::string& name, LoadedState s, auto&& frame) {
    open(std::move(s));
    print(std::string(tab.title) + ", " + name, draw(screen, app.painter(), frames, app.background(), frame));
  };
  scene("at rest", fresh, [&](int) { app.frame(); });
  LoadedState chinese = fresh;
  chinese.language = Language::zh;
  scene("zh", chinese, another_step);
  scene("projector", to_theme(fresh, ThemeName::projector), another_step);
  LoadedState large = fresh;
  large.run = large_run();
  large.target.request.values = large.run->report.input;
  large.cursor = at_step(*large.run, {}, 1);
  if (tab.name != "watch") {  // these show requests and atomics: real ones
    Target target;
    target.request.kernel = tab.name == "atomics" ? "histogram/shared-atomics" : "reduce/shared";
    target.request.n = 100'000;
    large = opened(fresh, target, Where::parameters, app.ui.runs);
    if (!large.error.empty()) fmt::print("{}\n", large.error.english());
  }
  scene("1e5 cells", large, [&](int i) {  // scrolled from end to end and zoomed in and out twice
    const float turn = float(std::max(0, i)) / float(frames);
    app.state.cursor.zoom = std::pow(2.0f, 12 * (0.5f - 0.5f * std::cos(turn * 12.566f)));
    app.state.cursor.scroll = 100'000 * turn * (1 - 1 / app.state.cursor.zoom);
    if (tab.name != "watch") return another_step(i);
    app.frame();
  });
}

/// The longest frame of each tab when it is first shown with 1e5 elements: what takes longer has to be done
/// in the background. The run itself is there.
void first_looks(App& app, Offscreen& screen, const LoadedState& fresh) {
  app.ui.wake = [] {};  // as in the window: what is large comes later
  for (const char* kernel : {"scan/blelloch", "reduce/shared", "histogram/shared-atomics"}) {
    Target target;
    target.request.kernel = kernel;
    target.request.n = 100'000;
    app.state = opened(fresh, target, Where::parameters, app.ui.runs);
    app.state.tab = "watch";
    for (const Tab* one : tabs()) {
      const Tab& tab = *one;
      app.state.tab = tab.name;
      double longest = 0;
      const auto begin = Clock::now();
      for (int frame = 0; frame < 10 || ms(begin, Clock::now()) < 3000; ++frame) {
        const auto from = Clock::now();
        screen.begin();
        app.frame();
        screen.end(app.background());
        screen.wait();
        longest = std::max(longest, ms(from, Clock::now()));
        if (frame >= 10) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
      fmt::print("first look at {} of {}, 1e5 elements: longest frame {:.0f} ms{}\n", std::string(tab.title),
                 kernel, longest, longest > 100 ? " (goal 100: missed)" : "");
      missed += longest > 100;
    }
  }
  app.ui.wake = nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const auto start = Clock::now();
  const int frames = argc > 1 ? std::max(10, std::atoi(argv[1])) : 300;
  LoadedState state;
  state.target.request.kernel = "scan/blelloch";
  state.run = open_now(state.target).run;
  const auto traced = Clock::now();
  Offscreen screen(1600, 900);
  const auto context = Clock::now();
  {
    App app(std::move(state));
    Worker reader;  // as the window has
    reader.start([] { recorded_curves(); });
    const auto shaders =
        draw_with_shaders(app.painter(), [](const std::string& why) { fmt::print("{}\n", why); });
    screen.begin();
    app.frame();
    screen.end(app.background());
    screen.wait();
    const double first = ms(start, Clock::now());
    fmt::print(
        "{}\nfirst frame after {:.0f} ms (at most 1000): trace and analysis {:.0f}, OpenGL {:.0f}, the rest "
        "{:.0f}\n",
        screen.renderer(), first, ms(start, traced), ms(traced, context), ms(context, Clock::now()));
    missed += first > 1000;
    const auto bars = Clock::now();
    while (summarise_next(app.ui.of<KernelList>().summaries)) {}
    fmt::print("bars of the kernel list, one kernel a frame: {:.0f} ms in all\n", ms(bars, Clock::now()));

    const std::string only = argc > 2 ? argv[2] : "";
    const auto wanted = [&](const std::string& name) { return only.empty() || only == name; };
    const auto show = [&](const char* name, auto&& scene) {
      if (wanted(name)) print(name, draw(screen, app.painter(), frames, app.background(), scene));
    };
    show("rest", [&](int) { app.frame(); });
    show("play", [&](int) {
      if (!app.state.playing) app.state = play_or_pause(std::move(app.state));
      app.frame();
    });
    app.state.playing = false;
    Target target = app.state.target;
    show("trace", [&](int i) {  // another input in every frame
      target.request.seed = uint32_t(i + 10);
      app.state = opened(std::move(app.state), target, Where::parameters, app.ui.runs);
      app.frame();
    });
    const LoadedState fresh = [] {
      LoadedState s;
      s.target.request.kernel = "scan/blelloch";
      s.run = open_now(s.target).run;
      return s;
    }();
    if (wanted("code")) {  // another step in every frame, the same line unfolded
      for (const ThemeName theme : {ThemeName::dark, ThemeName::projector}) {
        app.state = to_theme(unfold_code(fresh, 27), theme);
        app.state.reduced_motion = true;
        const auto another_step = [&](int i) {
          const int all = steps(*app.state.run);
          app.state = to_step(std::move(app.state), (i + all) % all);
          app.state.cursor.line = 27;
          app.frame();
        };
        print(std::string("code, ") + name_of(theme),
              draw(screen, app.painter(), frames, app.background(), another_step));
      }
    }
    if (wanted("shapes")) show_shapes(screen, app.painter(), frames);
    if (wanted("first")) first_looks(app, screen, fresh);
    for (const Tab* tab : tabs())
      if (wanted(tab->title)) show_tab(app, screen, *tab, fresh, frames);
    screen.shut_down();
  }
  if (missed) fmt::print("{} of the goals missed\n", missed);
  return missed > 0;
}
