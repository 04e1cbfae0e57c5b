// Pictures of the whole window against the approved ones.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <vector>

#include "app/cli/start.hpp"
#include "app/export/export.hpp"
#include "app/measure/measurement_store.hpp"
#include "app/measure/recorded.hpp"
#include "app/run/own_program.hpp"
#include "app/shell/app.hpp"
#include "app/shell/touch_input.hpp"
#include "app/shell/watch/editor.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/window/offscreen.hpp"
#include "app/window/png.hpp"
#include "app/window/window.hpp"
#include "engine/analysis/barrier_lines.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"
#include "tests/at_once.hpp"
#include "tests/places.hpp"
#include "tests/sanitized.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string name;
  RenderOptions options;
  std::function<void(App&)> prepare = {};
};

/// Pictures say nothing of the GPU that this machine has or lacks.
void on_any_machine(App& app) {
  MeasurementStore& bench = app.ui.services.of<MeasurementStore>();
  bench.recorded = recorded_curves();
  bench.no_gpu = Message::plain("No GPU is looked for in this picture.");
}

/// A student's tree sum, its barrier missing, in a file of that name.
const std::string own_program = [] {
  const fs::path copy = fs::path(fs::temp_directory_path()) / "mistake_missing_barrier.cu";
  fs::copy_file(BARRIERSCOPE_ROOT "/kernels/mistakes/cuda/1_missing_barrier.cu", copy,
                fs::copy_options::overwrite_existing);
  return copy.string();
}();

struct Size {
  const char* name;
  int width, height;
};
constexpr Size small{"1280", 1280, 720}, usual{"1600", 1600, 900}, large{"4k", 3840, 2160};

RenderOptions options(const std::string& kernel, const char* view, int step) {
  RenderOptions o;
  Target target;
  target.request.kernel = kernel;
  o.targets = {target};
  o.view = view;
  o.step = step;
  return o;
}

/// It is saved without a semicolon: the last run stays, and the compiler's words stand at their line.
void break_program(App& app) {
  std::string text = as_text(read_file(own_program, 1 << 20), own_program);
  const std::string sync = "__syncthreads();";
  text.erase(text.find(sync) + sync.size() - 1, 1);
  const fs::path file = fs::temp_directory_path() / "barrierscope-pictures" / "homework.cu";
  fs::create_directories(file.parent_path());
  write_whole(file.string(), text);
  allow_programs_in(file.parent_path());
  Target broken;
  broken.file = file.string();
  edit_program(app.state, app.ui, broken.file);
  app.state = opened(std::move(app.state), broken, Where::file);
}

/// Its last barrier is pressed in the gutter.
void leave_a_barrier_out(App& app) {
  const Run& run = *app.state.run;
  const auto lines = barrier_lines(run.trace, run.report.flow, run.trace.launches[0].source).met;
  app.state = turn_barrier(std::move(app.state), *lines.rbegin());
}

/// Every tab in every theme and every size; and what else is worth a look of its own.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& name, RenderOptions o, const char* theme, const Size& size,
                       const char* language = "en") {
    o.theme = theme;
    o.width = size.width;
    o.height = size.height;
    o.language = language;
    all.push_back({name + "-" + theme + "-" + size.name + (language == std::string("en") ? "" : "-zh"), o});
  };
  RenderOptions queue = options("histogram/global-atomics", "atomics", 0);
  queue.targets[0].request.preset = "queue-7x20";
  RenderOptions conflicts = options("scan/blelloch", "banks", 6);
  conflicts.targets[0].request.n = 128;
  RenderOptions sectors = options("reduce/interleaved-global", "memory", 1);
  const std::pair<const char*, RenderOptions> tabs[] = {
      {"watch", options("scan/blelloch", "watch", 3)},
      {"banks", conflicts},
      {"memory", sectors},
      {"atomics", queue},
      {"compare", options("scan/blelloch", "compare", 3)},
      {"time", options("scan/blelloch", "time", 0)},
      {"schedule", options("scan/look-back", "schedule", 0)},
  };
  for (const auto& [name, o] : tabs) {
    for (const char* theme : {"dark", "light", "projector"})
      for (const Size& size : {small, usual, large}) {
        if (test::sanitized && size.width > small.width) continue;  // minutes: the others are drawn alike
        add(name, o, theme, size);
      }
    add(name, o, "dark", usual, "zh");
  }
  RenderOptions many = options("scan/kogge-stone", "watch", 4);
  many.targets[0].request.n = 1024;
  add("watch-1024", many, "dark", usual);
  add("watch-kogge-stone", options("scan/kogge-stone", "watch", 2), "dark", small);
  add("watch-hierarchical", options("scan/hierarchical", "watch", 5), "light", usual);
  add("watch-warp-shuffle", options("reduce/warp-shuffle", "watch", 0), "light", usual);
  add("watch-race", options("mistakes/missing-barrier", "watch", 2), "dark", usual);
  RenderOptions question = options("scan/blelloch", "watch", 3);
  question.predict = true;
  add("predict", question, "dark", usual);
  for (const auto& [view, size] : {std::pair{"watch", Size{"760", 760, 420}},
                                   {"watch", Size{"phone", 390, 480}},
                                   {"banks", Size{"900", 900, 560}}}) {
    RenderOptions frame = options("scan/blelloch", view, 3);
    frame.embed = view;
    add(std::string("embedded-") + view, frame, "light", size);
  }
  for (const auto& [view, size] : {std::pair{"watch", Size{"phone", 390, 844}},
                                   {"watch", Size{"tablet", 1366, 1024}},
                                   {"schedule", Size{"tablet", 1024, 768}}}) {
    add(std::string("held-") + view, options("scan/look-back", view, 3), "light", size);
    all.back().prepare = [](App& app) { app.ui.of<TouchInput>().coarse = true; };
  }
  RenderOptions lesson = options("scan/blelloch", "watch", 3);
  lesson.step.reset();  // its own
  lesson.lesson = "blelloch:3";
  add("lesson", lesson, "dark", usual);
  add("lesson", lesson, "light", usual, "zh");

  allow_programs_in(fs::path(own_program).parent_path());
  RenderOptions own;
  own.targets.resize(1);
  own.targets[0].file = own_program;
  own.view = "watch";
  own.step = 2;
  for (const char* theme : {"light", "projector"}) {
    add("own-edited", own, theme, usual);
    all.back().prepare = [](App& app) { edit_program(app.state, app.ui, own_program); };
  }
  add("own-broken", own, "dark", usual);
  all.back().prepare = break_program;
  add("own-asked", options("scan/blelloch", "watch", 3), "dark", small);
  all.back().prepare = [](App& app) { app.state.asks_to_run = "/home/you/Downloads/homework.cu"; };
  add("own-without-barrier", options("scan/kogge-stone", "watch", 3), "light", usual);
  all.back().prepare = leave_a_barrier_out;
  for (const char* theme : {"light", "projector"}) {
    add("watch-code", options("scan/blelloch", "watch", 3), theme, usual);
    all.back().prepare = [](App& app) { app.state = unfold_code(std::move(app.state), 27); };
  }
  const std::string timed = BARRIERSCOPE_ROOT "/tests/cuda/on_gpu/transpose";
  allow_programs_in(fs::path(timed).parent_path());
  own.targets[0].file = timed + ".cu";
  own.recorded = timed + ".json";
  own.view = "time";
  own.step = 0;
  for (const char* theme : {"light", "projector"}) add("own-timed", own, theme, usual);
  return all;
}

/// Rasterisers differ by a little at edges: a pixel differs if a channel is off by more than 24 of 255, and a
/// picture if more than 1 in 2000 pixels do, or any 16x16 tile is mostly different.
bool alike(const Image& a, const Image& b, Image& difference) {
  if (a.width != b.width || a.height != b.height) return false;
  difference = a;
  const size_t pixels = a.rgba.size() / 4;
  const int tiles = (a.width + 15) / 16;
  std::vector<int> in_tile(size_t(tiles) * size_t((a.height + 15) / 16));
  size_t different = 0;
  for (size_t i = 0; i < pixels; ++i) {
    int most = 0;
    for (size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(a.rgba[4 * i + c] - b.rgba[4 * i + c]));
    const bool off = most > 24;
    different += off;
    const size_t x = i % size_t(a.width), y = i / size_t(a.width);
    if (off) ++in_tile[y / 16 * size_t(tiles) + x / 16];
    for (size_t c = 0; c < 3; ++c)
      difference.rgba[4 * i + c] = off ? (c == 0 ? 255 : 0) : uint8_t(a.rgba[4 * i + c] / 4);
  }
  return different * 2000 <= pixels && *std::max_element(in_tile.begin(), in_tile.end()) <= 128;
}

}  // namespace

int compare_pictures(const std::string& approved, const std::string& marks, const std::string& only) {
  fs::create_directories(approved);
  fs::create_directories(marks);
  int failed = 0, count = 0;
  const auto started = std::chrono::steady_clock::now();
  for (Case& c : cases()) {
    if (!only.empty() && c.name.find(only) == std::string::npos) continue;
    ++count;
    const std::string wanted = approved + "/" + c.name + ".png", received = wanted + ".received";
    const std::string drawn = marks + "/" + c.name + ".png";
    c.options.out = drawn;
    render_picture(export_of(c.options), [&](App& app) {
      on_any_machine(app);
      if (c.prepare) c.prepare(app);
    });
    Image difference;
    if (!fs::exists(wanted)) {
      std::printf("pictures: %s is not approved yet: look at %s\n", c.name.c_str(),
                  fs::absolute(drawn).c_str());
    } else if (alike(load_png(drawn), load_png(wanted), difference)) {
      fs::remove(received);
      continue;
    } else {
      std::printf("pictures: %s differs from the approved one: look at %s\n", c.name.c_str(),
                  fs::absolute(drawn).c_str());
      if (!difference.rgba.empty()) save_png(difference, marks + "/" + c.name + ".difference.png");
    }
    fs::copy_file(drawn, received, fs::copy_options::overwrite_existing);
    ++failed;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  std::printf("pictures: %d of %d as approved, %.0f s\n", count - failed, count, took.count());
  if (failed) std::printf("If they are right: tools/approve.py\n");
  return failed;
}

}  // namespace bscope
