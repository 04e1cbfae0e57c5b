// The Watch pictures say what the trace says: changed cells, arrows, and no answers of the future.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/run/values.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/phrase.hpp"
#include "app/tabs/watch/whole_run/whole_run.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/catalog/run_spec.hpp"
#include "tests/tabs/layout_support.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

RunQueries queries_of(const char* kernel, std::vector<double> values = {}, long long block = 0,
                      const char* preset = "") {
  RunSpec r;
  r.kernel = kernel;
  if (!values.empty()) r.values = std::move(values);
  if (block) r.block = block;
  r.preset = preset;
  return RunQueries(traced_run(r));
}
const std::vector<double> eight = {3, 1, 7, 0, 4, 1, 6, 3};

Cursor cursor_at(const RunQueries& m, int step, float phase = 1) {
  Cursor c = at_step(m.run(), {}, step);
  c.phase = phase;
  return c;
}
// Texts whose middle lies in the box of the hit of that name.
std::vector<std::string> texts_of_hit(const Picture& p, const std::string& hit) {
  std::vector<std::string> out;
  for (const HitRegion& h : p.hits)
    if (h.name == hit)
      for (const Shape& s : p.shapes)
        if (s.type == Shape::text && h.box.contains(s.box.centre())) out.push_back(s.words);
  return out;
}
bool picture_says(const Picture& p, const std::string& words) {
  const auto all = texts(p);
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& s) { return s.find(words) != std::string::npos; });
}

/// The colours of the frames that lie exactly about the hit of that name.
std::set<Colour> frames_of(const Picture& p, const std::string& hit) {
  std::set<Colour> out;
  for (const HitRegion& h : p.hits)
    if (h.name == hit)
      for (const Shape& s : p.shapes)
        if (s.type == Shape::rect && s.stroke && s.box.x == h.box.x && s.box.y == h.box.y &&
            s.box.w == h.box.w)
          out.insert(s.stroke);
  return out;
}

// The root's old value goes into another array: no arrow leaves the cell, but it is read.
TEST(WatchTruth, ACellThatIsReadForAnotherArrayIsFramedAsRead) {
  const RunQueries m = queries_of("scan/blelloch", eight, 4);
  const Theme t = dark_theme();
  const Cursor clear = cursor_at(m, 4);
  const Picture p = array_view(m, clear, t, fixed_metrics(), 956, 342);
  EXPECT_EQ(frames_of(p, "before:sum[7]"), std::set<Colour>{t.read});
  EXPECT_EQ(frames_of(p, "before:sum[6]"), std::set<Colour>{t.line});
  EXPECT_TRUE(picture_says(p, "also totals[0] = 25, read from sum[7]"));
}

// Of every kernel: the framed cells are those that the step's threads read there, as the row shows them.
TEST(WatchTruth, TheFramedCellsAreThoseThatTheStepReads) {
  const Theme t = dark_theme();
  int framed = 0;
  for (const char* kernel : {"scan/blelloch", "scan/hillis-steele", "scan/kogge-stone", "reduce/shared"}) {
    const RunQueries m = queries_of(kernel, eight);
    for (int k = 0; k < steps(m.run()); ++k) {
      const Cursor c = cursor_at(m, k);
      const Step& step = *m.step(c);
      const Picture p = array_view(m, c, t, fixed_metrics(), 956, 342);
      const int array = step.from();
      std::set<int> read, written;
      for (const int id : step.interval->nodes) {
        const Node& n = m.flow().nodes[size_t(id)];
        if (n.place.array != array) continue;
        if (reads(n.op) && !written.contains(n.place.index)) read.insert(n.place.index);
        if (writes(n.op)) written.insert(n.place.index);
      }
      for (const int cell : read) {
        const std::string name = "before:" + m.name(step.interval->launch, {array, cell});
        const std::set<Colour> frames = frames_of(p, name);
        if (frames.empty()) continue;  // another array is shown
        EXPECT_TRUE(frames.contains(t.read)) << kernel << " step " << k << " " << name;
        ++framed;
      }
    }
  }
  EXPECT_GT(framed, 30);
}

// Nine blocks of which eight fit: each of the eight waits for the next.
TEST(WatchTruth, ThreadsThatWaitForEverAreNotDrawnAsIdleOnes) {
  RunSpec r;
  r.kernel = "mistakes/waits-ahead";
  r.n = 36;
  r.block = 4;
  const RunQueries m{traced_run(r)};
  Cursor c = cursor_at(m, 0);
  c.block = 7;
  for (const ThemeName name : {ThemeName::dark, ThemeName::projector}) {
    const Theme t = theme(name, 900);
    const auto drawn = [&] { return array_view(m, c, t, fixed_metrics(), 956, 342); };
    c.interval = 0;
    // a projector's letters are too large for words there
    const bool words = name == ThemeName::dark;
    EXPECT_EQ(texts_of_hit(drawn(), "thread:0"), std::vector<std::string>{words ? "t0 works" : "t0"});
    EXPECT_FALSE(picture_says(drawn(), "no end"));
    c.interval = 1;
    const Picture p = drawn();
    for (const std::string k : {"0", "1", "2", "3"}) {
      EXPECT_EQ(texts_of_hit(p, "thread:" + k), std::vector<std::string>{"t" + k + (words ? " stuck" : "")});
      EXPECT_TRUE(frames_of(p, "thread:" + k).empty()) << "an idle thread's";
    }
    EXPECT_TRUE(picture_says(p, "no end"));
    const auto dashed = [&](const Picture& all) {
      return std::ranges::count_if(all.shapes, [&](const Shape& s) {
        return s.type == Shape::line && s.stroke == t.barrier && s.thickness == t.px(2) && s.dash > 0;
      });
    };
    EXPECT_EQ(dashed(p), 4 * 4) << "four sides of four threads";
  }
}

TEST(WatchTruth, TheChangedCellShowsOldAndNewValue) {
  const RunQueries m = queries_of("scan/blelloch", eight, 4);
  const Picture p = array_view(m, cursor_at(m, 3), dark_theme(), fixed_metrics(), 956, 342);
  EXPECT_EQ(texts_of_hit(p, "after:sum[7]"), (std::vector<std::string>{"was 14", "25"}));
  EXPECT_EQ(texts_of_hit(p, "before:sum[7]"), std::vector<std::string>{"14"});
  EXPECT_TRUE(picture_says(p, "t0 +"));
  EXPECT_TRUE(picture_says(p, "sum[7] now holds x0..x7"));
  EXPECT_TRUE(picture_says(p, "Up-sweep, step 3 of 3"));
  EXPECT_TRUE(picture_says(p, "stride 4"));
}

TEST(WatchTruth, NothingChangesBeforeTheBarrierOpens) {
  const RunQueries m = queries_of("scan/blelloch", eight, 4);
  for (const float phase : {0.0f, 0.3f, 0.6f, 0.85f}) {
    const Picture p = array_view(m, cursor_at(m, 3, phase), dark_theme(), fixed_metrics(), 956, 342);
    EXPECT_EQ(texts_of_hit(p, "after:sum[7]"), std::vector<std::string>{"14"}) << phase;
    EXPECT_FALSE(picture_says(p, "now holds"));
  }
  EXPECT_EQ(texts_of_hit(array_view(m, cursor_at(m, 3, 0.95f), dark_theme(), fixed_metrics(), 956, 342),
                         "after:sum[7]")
                .back(),
            "25");
}

TEST(WatchTruth, TheWholeRunKeepsTheFuturesAnswers) {
  const RunQueries m = queries_of("scan/blelloch", eight, 4);
  for (int k = 0; k < steps(m.run()); ++k)
    for (const float phase : {0.5f, 1.0f}) {
      const Picture p = whole_run(m, cursor_at(m, k, phase), dark_theme(), fixed_metrics(), 956, 360);
      std::set<int> rows;
      for (const HitRegion& h : p.hits)
        if (h.what == HitRegion::cell) rows.insert(std::stoi(h.name.substr(4)));
      for (int row : rows) EXPECT_LE(row, phase < 1 ? k - 1 : k);
      // and no number stands in a row below the present
      float below = p.height;
      for (const HitRegion& h : p.hits)
        if (h.name == "run:step:" + std::to_string(k)) below = h.box.bottom();
      for (const Shape& s : p.shapes)
        if (s.type == Shape::text && s.box.y > below && s.font != Font::text)
          ADD_FAILURE() << "step " << k << ": " << s.words;
    }
}

TEST(WatchTruth, BothPicturesShareTheirColumns) {
  const RunQueries m = queries_of("scan/blelloch", eight, 4);
  for (const ThemeName name : {ThemeName::dark, ThemeName::projector}) {
    const Theme t = theme(name, 900);
    const Picture a = array_view(m, cursor_at(m, 3), t, fixed_metrics(), 956, 350);
    const Picture b = whole_run(m, cursor_at(m, 3), t, fixed_metrics(), 956, 360);
    const auto middle = [](const Picture& p, const std::string& hit) {
      for (const HitRegion& h : p.hits)
        if (h.name == hit) return h.box.centre().x;
      return -1.0f;
    };
    for (int k = 0; k < 8; ++k)
      EXPECT_FLOAT_EQ(middle(a, "after:sum[" + std::to_string(k) + "]"),
                      middle(b, "run:0:" + std::to_string(k)));
  }
}

TEST(WatchTruth, LoadsOfKoggeStoneWaitInRegisters) {
  const RunQueries m = queries_of("scan/kogge-stone", eight);
  const Picture p = array_view(m, cursor_at(m, 2), dark_theme(), fixed_metrics(), 956, 342);
  EXPECT_TRUE(picture_says(p, "kept in registers"));
}

TEST(WatchTruth, LostUpdatesAreNamedAndAtomicsQueue) {
  const RunQueries racy = queries_of("histogram/racy", {}, 0, "queue-7x20");
  EXPECT_TRUE(picture_says(array_view(racy, cursor_at(racy, 0), dark_theme(), fixed_metrics(), 956, 342),
                           "of them lost"));
  const RunQueries atomics = queries_of("histogram/global-atomics", {}, 0, "queue-7x20");
  EXPECT_TRUE(
      picture_says(array_view(atomics, cursor_at(atomics, 0), dark_theme(), fixed_metrics(), 956, 342),
                   "20 atomics queue for bins[5]"));
}

TEST(WatchTruth, ABlockSeesItsOwnPartOfTheInput) {
  RunSpec r;
  r.kernel = "scan/blelloch";
  r.n = 24;
  r.block = 4;
  const RunQueries m(traced_run(r));
  Cursor c;
  c.block = 2;
  EXPECT_EQ(columns(m, c, dark_theme(), 956).visible, 8);
}

TEST(WatchTruth, ZoomLevelsHoldOnBeyondTheirLimits) {
  EXPECT_EQ(zoom_level(44), Zoom::full);
  EXPECT_EQ(zoom_level(43), Zoom::brief);
  EXPECT_EQ(zoom_level(43, Zoom::full), Zoom::full);
  EXPECT_EQ(zoom_level(39, Zoom::full), Zoom::brief);
  EXPECT_EQ(zoom_level(47, Zoom::brief), Zoom::brief);
  EXPECT_EQ(zoom_level(49, Zoom::brief), Zoom::full);
  EXPECT_EQ(zoom_level(1), Zoom::strip);
}

TEST(WatchText, ValuesInThreeCharacters) {
  EXPECT_EQ(brief(0), "0");
  EXPECT_EQ(brief(999), "999");
  EXPECT_EQ(brief(18000), "18k");
  EXPECT_EQ(brief(999999), "1M");
  EXPECT_EQ(brief(0.52), "0.5");
  EXPECT_EQ(brief(-7), "-7");
  EXPECT_EQ(brief(1e20), "big");
  EXPECT_EQ(threads_listed({2, 3, 4, 7}), "t2 to t4, t7");
  EXPECT_EQ(threads_listed({0, 1}), "t0, t1");
}

}  // namespace
}  // namespace bscope
