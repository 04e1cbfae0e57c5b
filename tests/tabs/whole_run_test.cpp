// The whole run of every kernel: launches, lanes, relatives, long runs; and what stands beside the source.
#include "app/tabs/watch/whole_run/whole_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <set>

#include "app/tabs/watch/array/columns.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/source/grid.hpp"
#include "app/tabs/watch/source/panel.hpp"
#include "app/tabs/watch/timeline/timeline.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/descendants.hpp"
#include "engine/analysis/exchanges.hpp"
#include "engine/catalog/run_spec.hpp"
#include "tests/sanitized.hpp"
#include "tests/tabs/layout_support.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

Picture run_of(const RunQueries& m, int step, const WatchState& s = {}, float h = 362) {
  return whole_run(m, at_step(m.run(), {}, step), theme(ThemeName::dark, 900), fixed_metrics(), 956, h, s);
}
int count(const Picture& p, const std::string& prefix) {
  return int(std::count_if(p.hits.begin(), p.hits.end(),
                           [&](const HitRegion& h) { return h.name.starts_with(prefix); }));
}

TEST(WholeRunFigure, EveryLaunchHasAHeadingAndAllItsSteps) {
  const RunQueries m = model_of("scan/hierarchical");
  const int launches = int(m.trace().launches.size());
  ASSERT_GT(launches, 2);
  const Picture p = run_of(m, 0, {}, 4000);
  EXPECT_EQ(count(p, "run:launch:"), launches);
  int all = 0;
  for (int l = 0; l < launches; ++l) {
    const int grid = m.trace().launches[size_t(l)].grid, of_first = int(m.flow().of_block(l, 0).size());
    all += grid > 1 && of_first == 1 ? grid : of_first;  // without barriers a row a block
  }
  EXPECT_EQ(count(p, "run:step:"), all);
  // a heading leads to its launch's first step
  for (int l = 0; l < launches; ++l) {
    const HitRegion* h = hit_named(p, "run:launch:" + std::to_string(l));
    ASSERT_TRUE(h);
    EXPECT_EQ(h->what, HitRegion::step);
    EXPECT_EQ(m.flow().intervals[size_t(h->a)].launch, l);
    EXPECT_EQ(m.flow().intervals[size_t(h->a)].index, 0);
  }
}

// There is no legend beside it on the projector: each colour that the pictures of a step use is explained,
// with what lights up; and what pills and borders mean, in the cells' picture.
TEST(WholeRunFigure, OnTheProjectorItsColoursAreTold) {
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    for (int k = 0; k < steps(m.run()); k += std::max(1, steps(m.run()) / 6)) {
      const Cursor c = at_step(m.run(), {}, k);
      if (!m.step(c)) continue;
      const Theme t = theme(ThemeName::projector, 720);
      const Picture whole = whole_run(m, c, t, fixed_metrics(), 854, 296);
      const Picture cells = array_view(m, c, t, fixed_metrics(), 854, 278);
      const auto has = [](const Picture& p, Colour colour) {
        return std::any_of(p.shapes.begin(), p.shapes.end(),
                           [&](const Shape& s) { return s.fill == colour || s.stroke == colour; });
      };
      const std::string at = a->name + ", step " + std::to_string(k);
      if (whole.hits.empty()) continue;  // the block touches no memory
      // what the step does not do is not named
      const StepView v(m, c, nullptr);
      const ArrayRange part = shown_part(m, c);
      const bool writes = !v.written_in(v.to.array, v.to.first, v.to.size).empty() ||
                          !v.written_in(part.array, part.first, part.size).empty();
      const auto names = [&](const char* word) {  // rows say "writes 4 cells of s"
        return std::ranges::any_of(whole.shapes,
                                   [&](const Shape& s) { return s.type == Shape::text && s.words == word; });
      };
      for (const char* word : {"write", "changed"}) EXPECT_EQ(names(word), writes) << at;
      const bool reads = std::ranges::any_of(cells.shapes, [&](const Shape& s) {
        return s.type == Shape::polygon && s.fill == t.read;  // an arrow's head
      });
      if (reads) EXPECT_TRUE(says(whole, "read")) << at;
      // blue is explained where there is some in the rows
      const bool told = std::ranges::any_of(whole.shapes, [](const Shape& s) {
        return s.type == Shape::text && s.words.starts_with("blue: ");
      });
      const bool blue = std::ranges::any_of(whole.shapes, [&](const Shape& s) {
        return (s.fill == t.read || s.stroke == t.read || std::ranges::count(s.colours, t.read)) &&
               s.type != Shape::polygon &&
               !(s.type == Shape::line && s.points[0].y < t.px(40));  // the sign of reads
      });
      if (told) EXPECT_TRUE(blue) << at;
      if (has(cells, t.atomic)) {
        EXPECT_TRUE(says(whole, "atomic")) << at;
        EXPECT_TRUE(has(whole, t.atomic)) << at;
      }
      std::string below;
      for (const Shape& s : cells.shapes)
        if (s.type == Shape::text) below += s.words + " ";
      if (has(cells, t.race)) { EXPECT_NE(below.find("race"), std::string::npos) << at; }
      for (const HitRegion& h : cells.hits)
        if (h.name.starts_with("pill:") && h.tip.find(" writes to this cell") != std::string::npos) {
          EXPECT_NE(below.find(" writes"), std::string::npos) << at << ": " << below;
        }
    }
  }
}

// Blue means "inside the selected cell": also of the points of a step that only reads.
TEST(WholeRun, PointsAreBlueOnlyForWhatWentIntoTheCell) {
  RunSpec r;
  r.kernel = "scan/kogge-stone";
  r.n = 16;
  const RunQueries m(traced_run(r));
  const Theme t = theme(ThemeName::dark, 900);
  Cursor c;
  c.interval = 2;  // the first level: read, then written
  c.cell = m.block(c).steps[2].moves().at(4).arrow.to;
  const Picture p = whole_run(m, c, t, fixed_metrics(), 900, 500);
  int blue = 0, other = 0;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::rect && s.box.w == t.px(5) && s.box.h == t.px(5))
      (s.fill == t.read ? blue : other)++;
  EXPECT_EQ(blue, 1);
  EXPECT_GT(other, 14);
}

// Two buffers that take turns: each has a row of its own, on the same columns, in the array's picture and in
// the whole run; so steps have the strides of the source.
TEST(WholeRunFigure, BuffersThatTakeTurnsStandOnTheSameColumns) {
  for (const int n : {2, 5, 8, 16}) {
    const RunQueries m = model_of("scan/hillis-steele", n, n);
    int stride = 1;
    for (const Step& s : m.block(0, 0).steps) {
      if (s.interval->phase != "doubling") continue;
      SCOPED_TRACE(testing::Message() << "n " << n << " stride " << stride);
      EXPECT_EQ(s.stride(), stride);
      const int read = stride & 0x55555555 ? 0 : n, written = n - read;  // 1, 4, 16: the load's row is read
      Cursor c;
      c.interval = s.interval->index;
      const Picture p = array_view(m, c, theme(ThemeName::dark, 900), fixed_metrics(), 956, 400);
      // the rows' names, alike: whole, or as much of them as has room
      const auto named = [&](int first, bool whole) {
        return says(
            p, "sum[" + std::to_string(first) + ".." + (whole ? std::to_string(first + n - 1) : "") + "]");
      };
      EXPECT_TRUE((named(read, true) && named(written, true)) ||
                  (named(read, false) && named(written, false)));
      const Picture whole = run_of(m, c.interval);
      bool carries = false;  // the row its stride, as long or as short as there is room
      for (const char* words : {"doubling, stride ", "doubling ", "by "})
        carries = carries || says(whole, words + std::to_string(stride));
      EXPECT_TRUE(carries);
      int cells = 0;
      for (const HitRegion& h : p.hits)
        cells += h.what == HitRegion::cell && (h.name.starts_with("before:") || h.name.starts_with("after:"));
      EXPECT_EQ(cells, 2 * n);
      for (int k = 0; k < n; ++k) {
        const auto at = [k](int first) { return "sum[" + std::to_string(first + k) + "]"; };
        const HitRegion *before = hit_named(p, "before:" + at(read)),
                        *after = hit_named(p, "after:" + at(written));
        ASSERT_TRUE(before && after) << k;
        EXPECT_EQ(before->box.x, after->box.x);
        EXPECT_TRUE(after->tip.starts_with(at(written) + " = ")) << after->tip;
        EXPECT_LT(before->box.bottom(), after->box.y);
        const HitRegion *loaded = hit_named(whole, "run:0:" + std::to_string(k)),
                        *made = hit_named(
                            whole, "run:" + std::to_string(c.interval) + ":" + std::to_string(written + k));
        ASSERT_TRUE(loaded && made) << k;
        EXPECT_NEAR(made->box.centre().x, loaded->box.centre().x, 0.5f);
      }
      stride *= 2;
    }
    EXPECT_GE(stride, n);
    EXPECT_LT(stride, 2 * n);
  }
}

TEST(WholeRunFigure, ShufflesAreRowsWithinTheStep) {
  const RunQueries m = model_of("reduce/warp-shuffle", 32);
  const Picture p = run_of(m, 0);
  EXPECT_EQ(count(p, "run:lanes:"), 5);
  for (const int by : {16, 8, 4, 2, 1})
    EXPECT_TRUE(says(p, "shuffle " + std::to_string(by)) || says(p, "by " + std::to_string(by))) << by;
  // after the last of them every lane has the sum
  double sum = 0;
  for (double x : m.run().report.input) sum += x;
  int last = 0;
  for (const HitRegion& h : p.hits)
    if (h.name.starts_with("run:lane:") && h.tip.find(std::to_string(int(sum))) != std::string::npos) ++last;
  EXPECT_EQ(last, 32);
}

// Two threads: of the shuffles by 1, 2, 4, 8 and 16 only the first moves anything.
TEST(WholeRunFigure, ShufflesBeyondTheWarpAreLeftOut) {
  const RunQueries m = model_of("scan/look-back", 40, 2);
  int moving = 0, all = 0;
  for (const Exchange& e : m.exchanges(0, 0)) {
    if (e.interval != 1) continue;
    ++all;
    moving += e.op != Op::shuffle ||
              std::any_of(e.lanes.begin(), e.lanes.end(), [](const auto& l) { return l.from != l.lane; });
  }
  ASSERT_LT(moving, all);
  const Picture p = run_of(m, 1, {}, 4000);
  int rows = 0;
  for (const HitRegion& h : p.hits) rows += h.name.starts_with("run:lanes:") && h.a == 1;
  EXPECT_EQ(rows, moving);
}

TEST(WholeRunFigure, ShufflesOfOtherLaunchesWhereThereIsRoom) {
  const RunQueries m = model_of("reduce/warp-shuffle", 64, 32);
  EXPECT_EQ(count(run_of(m, 0, {}, 800), "run:lanes:"), 10);  // both launches'
  EXPECT_EQ(count(run_of(m, 0, {}, 250), "run:lanes:"), 5);   // the cursor's alone
  // seen from the second launch the first has a row a block: those of both blocks
  EXPECT_EQ(count(run_of(m, 2, {}, 800), "run:lanes:"), 15);
}

TEST(WholeRunFigure, StepsOfALongPhaseHaveNumbers) {
  const RunQueries m = model_of("reduce/bulk-copy", 65536, 32);
  const Cursor c = at_step(m.run(), {}, steps(m.run()) / 4);
  const Step& s = *m.step(c);
  ASSERT_GE(s.phase_count, 100);
  ASSERT_EQ(s.stride(), 0);
  const Picture p = run_of(m, steps(m.run()) / 4);
  EXPECT_TRUE(says(p, "add #" + std::to_string(s.phase_number)));
  EXPECT_EQ(misplaced_text(p), "");
}

TEST(WholeRunFigure, DescendantsLightUpToo) {
  const RunQueries m = model_of("scan/kogge-stone", 8);
  Cursor c = at_step(m.run(), {}, 0);
  c.cell = CellRef{first_shared, 0};
  WatchState s;
  s.relatives = Relatives::descendants;
  const Theme t = theme(ThemeName::dark, 900);
  const Picture p = whole_run(m, c, t, fixed_metrics(), 956, 362, s);
  EXPECT_TRUE(says(p, "time runs down; blue: everything that sum[0] flows into"));
  // blue boxes: as many as cells that its store's descendants are, in the rows of this array
  const int node = m.holder(*m.step(c), *c.cell);
  int wanted = 0;
  for (int k : descendants(m.flow(), node)) {
    const Node& n = m.flow().nodes[size_t(k)];
    wanted += writes(n.op) && n.place.array == first_shared;
  }
  const auto blue = std::count_if(p.shapes.begin(), p.shapes.end(), [&](const Shape& shape) {
    return shape.type == Shape::rect && shape.stroke == t.read && shape.box.w > 10;
  });
  EXPECT_EQ(blue, wanted - 1);  // the present one is yellow
  s.relatives = Relatives::both;
  EXPECT_TRUE(says(whole_run(m, c, t, fixed_metrics(), 956, 362, s),
                   "time runs down; blue: everything inside sum[0], and"));
}

TEST(WholeRunFigure, AThousandStepsScrollAndKeepThePresentInView) {
  const RunQueries m = model_of("reduce/serial-in-block", 256, 256);
  const RunQueries many = model_of("scan/kogge-stone", 1000, 1024);
  for (const RunQueries* model : {&m, &many}) {
    const int all = steps(model->run());
    for (int step : {0, all / 2, all - 1}) {
      const Picture p = run_of(*model, step);
      EXPECT_TRUE(hit_named(p, "run:step:" + std::to_string(step))) << step << " of " << all;
      EXPECT_EQ(misplaced_text(p), "");
    }
  }
  const int all = steps(many.run());
  ASSERT_GT(all, 16);
  WatchState scrolled;
  scrolled.run_scroll = all;
  scrolled.run_scroll_at = 0;
  EXPECT_FALSE(hit_named(run_of(many, 0), "run:step:" + std::to_string(all - 1)));
  EXPECT_TRUE(hit_named(run_of(many, 0, scrolled), "run:step:" + std::to_string(all - 1)));
  EXPECT_TRUE(hit_named(run_of(many, 1, scrolled), "run:step:1"));  // another step: back to it
}

TEST(WholeRunFigure, EndsAtThePresentWhileAQuestionIsOpen) {
  for (const char* kernel : {"scan/blelloch", "scan/hierarchical", "reduce/warp-shuffle"}) {
    const RunQueries m = model_of(kernel);
    const Theme t = theme(ThemeName::dark, 900);
    for (int step = 0; step < steps(m.run()); ++step) {
      const Cursor c = at_step(m.run(), {}, step);
      if (!m.step(c)) continue;
      for (const Picture& p : {whole_run(m, c, t, fixed_metrics(), 956, 4000, {}, nullptr, false),
                               timeline(m, c, t, fixed_metrics(), 1354, 120, false)})
        for (const HitRegion& h : p.hits) {
          if (h.what == HitRegion::step) EXPECT_LE(h.a, step) << kernel << " " << h.name;
          if (h.what == HitRegion::interval) EXPECT_LE(h.a, c.interval) << kernel << " " << h.name;
        }
    }
  }
}

TEST(WholeRunFigure, LongTimelinesSayWhereTheyAre) {
  const RunQueries m = model_of("scan/hierarchical", 1024, 4);
  for (int step : {0, steps(m.run()) - 1}) {
    const Cursor c = at_step(m.run(), {}, step);
    const Picture p = timeline(m, c, theme(ThemeName::dark, 900), fixed_metrics(), 1354, 120);
    EXPECT_EQ(misplaced_text(p), "");
    EXPECT_TRUE(hit_named(p, "timeline:launch:" + std::to_string(c.launch)));
  }
}

TEST(SourceProfile, CountsLanesLineByLine) {
  const RunQueries m = model_of("scan/blelloch", 16);
  const Cursor c = at_step(m.run(), {}, 3);
  WatchState s;
  s.profile = Profile::step;
  const Theme t = theme(ThemeName::dark, 900);
  const Picture p = source_panel(m, c, t, fixed_metrics(), 480, 516, s);
  EXPECT_TRUE(says(p, "lanes in this step"));
  // independently: who loaded and stored on each line of this step
  const Step& step = *m.step(c);
  std::map<int, std::set<int>> who;
  for (int id : step.interval->nodes) {
    const Node& n = m.flow().nodes[size_t(id)];
    who[n.line].insert(n.thread);
  }
  ASSERT_FALSE(who.empty());
  const int threads = m.trace().launches[0].block;
  for (const auto& [line, active] : who) {
    const HitRegion* h = hit_named(p, "line:" + std::to_string(line));
    ASSERT_TRUE(h) << line;
    const size_t lanes = active.size();
    EXPECT_NE(h->tip.find(std::to_string(100 * lanes / size_t(threads)) + "%"), std::string::npos) << h->tip;
  }
  s.profile = Profile::run;
  EXPECT_TRUE(says(source_panel(m, c, t, fixed_metrics(), 480, 516, s), "lanes in the whole run"));
}

// Columns beside the code leave a line of it room: what is broken into many rows is cut below.
TEST(SourceProfile, LeavesTheCodeRoom) {
  const RunQueries m = model_of("scan/blelloch", 16);
  const Cursor c = at_step(m.run(), {}, 3);
  WatchState s;
  s.profile = Profile::step;
  for (const ThemeName name : {ThemeName::dark, ThemeName::projector})
    for (const float width : {330.0f, 380.0f, 508.0f, 700.0f}) {
      const Theme t = theme(name, 900);
      const Picture p = source_panel(m, c, t, fixed_metrics(), width, 516, s);
      EXPECT_TRUE(says(p, "active")) << "the average is the last to go";
      EXPECT_TRUE(!says(p, "lanes") || says(p, "runs")) << "the bar draws what the average says";
      if (width >= 380) EXPECT_TRUE(says(p, "runs") || name == ThemeName::projector);
    }
  const SourceGrid narrow = source_grid(theme(ThemeName::projector, 900), fixed_metrics(), 508, 40, true);
  EXPECT_GE(narrow.room(), narrow.letter * 18);
  EXPECT_EQ(narrow.bar_w, 0);
}

TEST(SourceProfile, IsCleanOnEveryKernel) {
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    for (const Language language : {Language::en, Language::zh}) {
      speak(language);
      for (const ThemeName name : {ThemeName::dark, ThemeName::projector})
        for (const float k : {0.8f, 1.0f, 2.4f})
          for (const Profile profile : {Profile::values, Profile::step, Profile::run})
            for (const int shift : {0, 24}) {
              if (test::sanitized && (name == ThemeName::dark || k == 1.0f)) continue;
              WatchState s;
              s.profile = profile;
              s.source_shift = shift;
              const Theme t = theme(name, 900 * k);
              const Cursor c = at_step(m.run(), {}, steps(m.run()) / 2);
              const Picture p = source_panel(m, c, t, fixed_metrics(), (t.projector() ? 508 : 380) * k,
                                             (t.projector() ? 340 : 516) * k, s);
              EXPECT_EQ(misplaced_text(p), "") << a->name << " " << name_of(name) << " " << int(profile);
            }
    }
    speak(Language::en);
  }
}

TEST(WholeRunFigure, IsCleanOnEveryKernelInBothLanguages) {
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    for (const Language language : {Language::en, Language::zh}) {
      speak(language);
      for (const ThemeName name : {ThemeName::dark, ThemeName::projector})
        for (const float k : {0.8f, 1.0f, 2.4f})
          for (const Relatives relatives : {Relatives::ancestors, Relatives::both}) {
            WatchState s;
            s.relatives = relatives;
            const Theme t = theme(name, 900 * k);
            const Cursor c = at_step(m.run(), {}, steps(m.run()) / 2);
            const Picture p = whole_run(m, c, t, fixed_metrics(), 956 * k, 362 * k, s);
            EXPECT_EQ(misplaced_text(p), "") << a->name << " " << name_of(name);
            std::set<std::string> names;
            for (const HitRegion& h : p.hits)
              EXPECT_TRUE(names.insert(h.name).second) << a->name << " " << h.name;
            const Picture line = timeline(m, c, t, fixed_metrics(), 1354 * k, (t.projector() ? 94 : 120) * k);
            EXPECT_EQ(misplaced_text(line), "") << a->name << " timeline " << name_of(name);
          }
    }
    speak(Language::en);
  }
}

// Where greys stand for values, the picture's heading says what they mean.
TEST(WholeRun, GreysAreExplained) {
  for (const ThemeName name : {ThemeName::dark, ThemeName::light, ThemeName::projector})
    for (const auto& [n, greys] : {std::pair(1024, true), std::pair(16, false)}) {
      const RunQueries m = model_of("scan/hillis-steele", n, n);
      const Theme t = theme(name, 900);
      const Cursor c = at_step(m.run(), {}, 4);
      const Picture p = whole_run(m, c, t, fixed_metrics(), t.projector() ? 1068 : 870, 360, {});
      bool said = false;
      for (const std::string& words : texts(p)) said |= words.find(words_for_shades(t)) != std::string::npos;
      EXPECT_EQ(said, greys) << name_of(name) << " " << n;
    }
}

// Of many blocks in a strip each so many-th has its number: a reader counts on from one to the next.
TEST(Timeline, NumbersOfBlocksStandAtEvenSteps) {
  int sparse = 0;
  for (const auto& [n, block] : {std::pair(1024, 32), std::pair(704, 32), std::pair(2048, 32)}) {
    const RunQueries m = model_of("histogram/global-atomics", n, block);
    for (const ThemeName name : {ThemeName::dark, ThemeName::projector})
      for (const float width : {700.0f, 1000.0f, 1354.0f})
        for (const int present : {0, 3, n / block - 1}) {
          const Theme t = theme(name, 900);
          const Cursor c = at_step(m.run(), {}, present);
          const Picture p = timeline(m, c, t, fixed_metrics(), width, t.projector() ? 94 : 120);
          std::vector<int> numbers;
          for (const Shape& s : p.shapes)
            if (s.type == Shape::text && s.font == Font::text_bold && !s.words.empty() &&
                std::ranges::all_of(s.words, [](unsigned char x) { return std::isdigit(x); }))
              numbers.push_back(std::stoi(s.words));
          EXPECT_TRUE(std::ranges::count(numbers, present)) << width;
          int step = 0;
          for (const int number : numbers)
            if (number != present && number > 0) step = step ? std::gcd(step, number) : number;
          if (step < 2) continue;
          ++sparse;
          // what is left out beside the present one has no room for both
          for (int number = 0; number <= numbers.back(); number += step)
            EXPECT_TRUE(std::ranges::count(numbers, number) || std::abs(number - present) < step)
                << number << " of every " << step;
        }
  }
  EXPECT_GT(sparse, 3);
}

}  // namespace
}  // namespace bscope
