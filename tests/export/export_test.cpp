// Figures and films: what is drawn, and that no half-written file is ever left.
#ifdef BARRIERSCOPE_PICTURES
#include "app/export/export.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "app/cli/start.hpp"
#include "app/export/cairo.hpp"
#include "app/export/caption.hpp"
#include "app/export/figure.hpp"
#include "app/session/prediction.hpp"
#include "app/session/tab.hpp"
#include "app/tabs/banks/banks_state.hpp"
#include "app/tabs/memory/memory_state.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "engine/analysis/run.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

LoadedState shown(const std::string& view, int step = 0) {
  RenderOptions o;
  Target t;
  t.request.kernel = view == "atomics" ? "histogram/global-atomics" : "scan/blelloch";
  o.targets = {t};
  o.view = view;
  o.step = step;
  return start(o);
}

/// A folder of its own, where a program named ffmpeg is found first.
class FakeFfmpeg : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder = fs::path(testing::TempDir()) / (std::string("film-") + info->name());
    fs::remove_all(folder);
    fs::create_directories(folder / "bin");
    path = std::getenv("PATH");
  }
  void TearDown() override {
    ::setenv("PATH", path.c_str(), 1);
    fs::remove_all(folder);
  }
  void install(const std::string& script) {
    const fs::path file = folder / "bin/ffmpeg";
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(file, fs::perms::owner_all);
    ::setenv("PATH", ((folder / "bin").string() + ":" + path).c_str(), 1);
  }
  Export film(const char* name, int first, int last) const {
    Export e;
    e.state = shown("watch");
    e.width = 320;
    e.height = 180;
    e.first = first;
    e.last = last;
    e.file = folder / name;
    return e;
  }
  std::string bytes_of(const fs::path& file) const {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  size_t files() const {
    size_t n = 0;
    for (const auto& entry : fs::directory_iterator(folder)) n += entry.is_regular_file();
    return n;
  }
  fs::path folder;
  std::string path;
};
// the file to write is ffmpeg's last word
constexpr const char* keeps_frames = "for f; do :; done; cat > \"${f#file:}\"";

TEST(Film, EveryStepMovesLandsAndIsHeld) {
  const LoadedState s = shown("watch");
  const auto all = moments(s, {2, 4, 30});
  int landed[3] = {}, moving[3] = {};
  for (size_t i = 0; i < all.size(); ++i) {
    const int step = step_of(*all[i].run, all[i].cursor) - 2;
    ASSERT_TRUE(step >= 0 && step < 3);
    ++(all[i].cursor.phase < 1 ? moving : landed)[step];
    const int before = i > 0 ? step_of(*s.run, all[i - 1].cursor) - 2 : 0;
    EXPECT_GE(step, before);
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(moving[k], 18, 1);  // 600 ms
    EXPECT_NEAR(landed[k], 15, 1);  // 500 ms
  }
  EXPECT_EQ(moments(s, {5, 999, 30}).back().cursor.interval, steps(*s.run) - 1);
}

TEST_F(FakeFfmpeg, GetsEveryFrameWhole) {
  install(keeps_frames);
  const Export e = film("steps.mp4", 2, 3);
  int told = 0;
  EXPECT_TRUE(export_now(e, [&](int done, int all) {
    EXPECT_LE(done, all);
    told = done;
    return true;
  }));
  const auto frames = moments(e.state, {2, 3, 30});
  EXPECT_EQ(told, int(frames.size()));
  ASSERT_EQ(fs::file_size(e.file), frames.size() * 320 * 180 * 4);
  EXPECT_EQ(files(), 1u);
  // the last frame is the figure of the last step
  const Theme t = figure_theme(e.state, 320, 180);
  const auto wanted =
      rasterise(figure(to_step(e.state, 3), t, cairo_metrics(), 320, 180), figure_background(e.state, t));
  std::ifstream in(e.file, std::ios::binary);
  in.seekg(-long(wanted.size()), std::ios::end);
  std::vector<uint8_t> last(wanted.size());
  in.read(reinterpret_cast<char*>(last.data()), long(last.size()));
  EXPECT_EQ(last, wanted);
}

TEST_F(FakeFfmpeg, SaysWhatItComplainedOf) {
  install("echo 'Unknown encoder libx264' >&2; exit 1");
  const Export e = film("steps.mp4", 0, 1);
  try {
    export_now(e);
    FAIL();
  } catch (const std::runtime_error& x) {
    EXPECT_THAT(x.what(), HasSubstr("ffmpeg could not write"));
    EXPECT_THAT(x.what(), HasSubstr("Unknown encoder libx264"));
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(FakeFfmpeg, IsMissing) {
  ::setenv("PATH", (folder / "bin").c_str(), 1);
  const Export e = film("steps.webp", 0, 1);
  try {
    export_now(e);
    FAIL();
  } catch (const std::runtime_error& x) {
    EXPECT_THAT(x.what(), HasSubstr("install the Debian package ffmpeg"));
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(FakeFfmpeg, StoppedLeavesNothing) {
  install(keeps_frames);
  const Export e = film("steps.mp4", 0, 9);
  EXPECT_FALSE(export_now(e, [](int done, int) { return done < 20; }));
  EXPECT_EQ(files(), 0u);
}

TEST_F(FakeFfmpeg, RunsBesideTheApp) {
  install(keeps_frames);
  Exporter exporter;
  std::atomic<int> woken = 0;
  const Export e = film("steps.mp4", 0, 2);
  exporter.start(e, [&] { ++woken; });
  EXPECT_EQ(exporter.status().file, e.file);
  while (exporter.status().running) std::this_thread::yield();
  EXPECT_EQ(exporter.status().error.english(), "");
  EXPECT_FALSE(exporter.status().stopped);
  EXPECT_GT(woken, 1);
  EXPECT_TRUE(fs::exists(e.file));
  // and a failure is a sentence
  exporter.start(film("no/such/folder/x.svg", 0, -1), {});
  while (exporter.status().running) std::this_thread::yield();
  EXPECT_THAT(exporter.status().error.english(), HasSubstr("cannot write"));
}

TEST_F(FakeFfmpeg, IsNotAskedForAPictureOfEachStep) {
  install("exit 1");
  for (const char* name : {"step-%d.svg", "%d.png"}) {
    EXPECT_TRUE(export_now(film(name, 2, 4)));
    for (const int step : {2, 3, 4}) {
      Export one = film("one", 0, -1);
      one.file.replace_extension(fs::path(name).extension());
      one.state = to_step(one.state, step);
      export_now(one);
      std::string numbered = name;
      numbered.replace(numbered.find("%d"), 2, std::to_string(step));
      EXPECT_EQ(bytes_of(folder / numbered), bytes_of(one.file)) << numbered;
      fs::remove(one.file);
    }
  }
  EXPECT_EQ(files(), 6u);
  // a run ends where it ends, and one that is stopped leaves whole pictures alone
  EXPECT_TRUE(export_now(film("end-%d.svg", 9, 99)));
  EXPECT_EQ(files(), 8u);
  EXPECT_FALSE(export_now(film("stopped-%d.svg", 0, 5), [](int done, int) { return done < 2; }));
  EXPECT_EQ(files(), 10u);
}

TEST(Export, RefusesWhatItCannotDraw) {
  Export e;
  e.state = shown("watch");
  e.file = fs::path(testing::TempDir()) / "barrierscope-refused.svg";
  e.width = 100;
  EXPECT_THROW(export_now(e), UsageError);
  e.width = 1600;
  e.file.replace_extension(".jpg");
  EXPECT_THROW(export_now(e), UsageError);
  e.file.replace_extension(".mp4");
  EXPECT_THROW(export_now(e), UsageError);
  e.file.replace_extension(".png");
  e.last = 2;
  EXPECT_THROW(export_now(e), UsageError);
  EXPECT_FALSE(fs::exists(e.file));
}

TEST(Figure, EveryViewIsDrawnAtEverySize) {
  for (const char* view : {"watch", "run", "banks", "memory", "atomics", "compare", "time", "schedule"})
    for (const auto& [w, h] : {std::pair{640.0f, 360.0f}, {1280.0f, 720.0f}, {720.0f, 1280.0f}}) {
      const LoadedState s = shown(view, 3);
      const Picture p = figure(s, figure_theme(s, w, h), fixed_metrics(), w, h);
      EXPECT_EQ(p.width, w) << view;
      size_t words = 0;
      for (const Shape& shape : p.shapes) words += shape.type == Shape::text;
      EXPECT_GT(words, 5u) << view;
    }
}

// A figure in a paper has no context: it says of what it is.
TEST(Figure, CarriesKernelParametersAndStep) {
  for (const char* view : {"watch", "run", "banks", "memory", "atomics", "compare", "time", "schedule"})
    for (const float w : {760.0f, 1600.0f}) {  // in several lines, in one
      const LoadedState s = shown(view, 3);
      const Theme t = figure_theme(s, w, 900);
      const Picture p = figure(s, t, fixed_metrics(), w, 900);
      const float height = caption_height(caption_of(with_needs(s)), t, fixed_metrics(), w);
      std::string top;
      for (const Shape& shape : p.shapes)
        if (shape.type == Shape::text && shape.box.y < height) top += shape.words + " ";
      const std::string named = view;
      if (named == "time") {
        EXPECT_THAT(top, HasSubstr("Blelloch scan at full size, N = 2^26, int32")) << view;
      } else if (named == "schedule") {
        EXPECT_THAT(top, HasSubstr("Blelloch scan as it ran on a GPU")) << view;
      } else if (named == "atomics") {
        EXPECT_THAT(top, HasSubstr("Global atomics histogram beside")) << view;
        EXPECT_THAT(top, HasSubstr("n = 224 (random, seed 1), block = 256, bins = 256")) << view;
      } else {
        EXPECT_THAT(top, HasSubstr("n = 16 (random, seed 1), block = 8, scan = exclusive")) << view;
        EXPECT_THAT(top, HasSubstr(named == "compare" ? "step 4 of 11" : "step 4 of 11: up-sweep")) << view;
      }
    }
  // what is played with is not the kernel that is open
  LoadedState s = shown("banks");
  s.of<BanksState>().playing = true;
  s.of<BanksState>().pattern.stride = 4;
  EXPECT_EQ(caption_of(s).title, "Shared memory, strided patterns");
  EXPECT_THAT(caption_of(s).parameters, HasSubstr("stride = 4"));
}

TEST(Figure, OfAFilmKeepsItsPlaceBelowTheCaption) {
  LoadedState s;
  Target t;
  t.request = {.kernel = "scan/hierarchical", .n = 64};
  s = opened(std::move(s), t, Where::nowhere);
  for (const float w : {700.0f, 900.0f, 1100.0f, 1300.0f, 1600.0f}) {
    const Theme look = figure_theme(s, w, 900);
    std::set<float> heights;
    for (int k = 0; k < steps(*s.run); ++k)
      heights.insert(caption_height(caption_of(to_step(s, k)), look, fixed_metrics(), w));
    EXPECT_EQ(heights.size(), 1u) << w;
  }
}

TEST(Figure, HasNothingToPress) {
  LoadedState s;
  Target t;
  t.request = {.kernel = "scan/hierarchical", .n = 64};
  s = to_step(opened(std::move(s), t, Where::nowhere), 2);
  std::vector<LoadedState> all{predict(s), reveal(predict(s)), next_substep(s), s, s, s, s, s};
  all[3].of<WatchState>().all_blocks = true;
  all[4].of<WatchState>().all_arrays = true;
  all[5].of<WatchState>().why_levels = 3;
  all[5].of<WatchState>().why_tall = true;
  all[6].cursor.zoom = 2;
  all[6].of<WatchState>().profile = Profile::run;
  all[7].of<WatchState>().registration = true;
  for (const char* tab : {"banks", "memory"}) {
    all.push_back(s);
    all.back().tab = tab;
    all.back().of<BanksState>().playing = all.back().of<MemoryState>().playing = true;
  }
  for (size_t k = 0; k < all.size(); ++k) {
    const Picture p = figure(all[k], figure_theme(all[k], 1600, 900), fixed_metrics(), 1600, 900);
    for (const HitRegion& h : p.hits) EXPECT_NE(h.what, HitRegion::button) << k << ": " << h.name;
    for (const Shape& shape : p.shapes)
      for (const char* word : {"all blocks", "whole step", "Reveal", "Hint", "Skip", "Pattern",
                               "W: back to the inputs", "2 scan totals"})
        EXPECT_NE(shape.words, word) << k;
  }
}

TEST(Figure, CarriesNoControls) {
  const auto says = [](const Picture& p, const std::string& words) {
    return std::ranges::any_of(p.shapes, [&](const Shape& s) { return s.words == words; });
  };
  const std::pair<const char*, std::vector<const char*>> controls[] = {
      {"banks", {"Kernel", "Pattern", "Padded"}},
      {"memory", {"Kernel", "Pattern"}},
      {"time", {"Measure   Ctrl Enter", "Open", "JSON", "CSV", "Noise", "Roofline"}},
      {"schedule", {"Time, zoomed", "Moment in the middle", "First multiprocessor", "Record   Ctrl Enter"}}};
  for (const auto& [view, words] : controls) {
    const LoadedState s = shown(view, 3);
    const Picture p = figure(s, figure_theme(s, 1600, 900), fixed_metrics(), 1600, 900);
    for (const char* one : words) EXPECT_FALSE(says(p, one)) << view << ": " << one;
  }
}

/// The texts of a state's figure.
std::string words_of_figure(const LoadedState& s) {
  std::string all;
  for (const Shape& shape : figure(s, figure_theme(s, 1600, 900), fixed_metrics(), 1600, 900).shapes)
    all += shape.words + "|";
  return all;
}

TEST(Figure, HasTheLanguageOfItsStateWhateverTheProgramSpeaks) {
  LoadedState english = shown("watch"), chinese = english;
  chinese.language = Language::zh;
  const std::string in_english = words_of_figure(english), in_chinese = words_of_figure(chinese);
  EXPECT_THAT(in_english, HasSubstr("Blelloch scan"));
  EXPECT_THAT(in_chinese, Not(HasSubstr("Blelloch scan")));
  speak(Language::zh);
  EXPECT_EQ(words_of_figure(english), in_english);
  speak(Language::en);
  // also beside one in the other language
  std::thread beside([&] {
    for (int k = 0; k < 8; ++k) EXPECT_EQ(words_of_figure(chinese), in_chinese);
  });
  for (int k = 0; k < 8; ++k) EXPECT_EQ(words_of_figure(english), in_english);
  beside.join();
}

}  // namespace
}  // namespace bscope
#endif
