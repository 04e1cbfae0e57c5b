// The Watch pictures say what the trace says: states, changed cells, arrows, and no answers of the future.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/tabs/watch/array_view.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/phrase.hpp"
#include "app/tabs/watch/whole_run.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

WatchModel model_of(const char* kernel, std::vector<double> values = {}, long long block = 0,
                    const char* preset = "") {
  Request r;
  r.kernel = kernel;
  if (!values.empty()) r.values = std::move(values);
  if (block) r.block = block;
  r.preset = preset;
  return make_watch_model(watch_run(r));
}
const std::vector<double> eight = {3, 1, 7, 0, 4, 1, 6, 3};
Theme dark() { return theme(ThemeName::dark, 900); }

std::string cells(const ArrayState& s) {
  std::string out;
  for (int k = 0; k < s.size(); ++k)
    out += (k ? " " : "") + (s.known[size_t(k)] ? value_text(s, k) : std::string("-"));
  return out;
}
Cursor at(const WatchModel& m, int step, float phase = 1) {
  Cursor c = at_step(m.run(), {}, step);
  c.phase = phase;
  return c;
}
// Texts whose middle lies in the box of the hit of that name.
std::vector<std::string> texts_in(const Picture& p, const std::string& hit) {
  std::vector<std::string> out;
  for (const Hit& h : p.hits)
    if (h.name == hit)
      for (const Shape& s : p.shapes)
        if (s.type == Shape::text && h.box.contains(s.box.centre())) out.push_back(s.words);
  return out;
}
bool says(const Picture& p, const std::string& words) {
  const auto all = texts(p);
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& s) { return s.find(words) != std::string::npos; });
}

TEST(WatchTruth, StatesOfBlellochAreThoseOfTheBook) {
  const WatchModel m = model_of("scan/blelloch", eight, 4);
  const char* sums[] = {"3 1 7 0 4 1 6 3",  "3 4 7 7 4 5 6 9",  "3 4 7 11 4 5 6 14", "3 4 7 11 4 5 6 25",
                        "3 4 7 11 4 5 6 0", "3 4 7 0 4 5 6 11", "3 0 7 4 4 11 6 16", "0 3 4 11 11 15 16 22"};
  std::string before = "- - - - - - - -";
  for (int k = 0; k < 8; ++k) {
    const Step& s = *m.step(at(m, k));
    EXPECT_EQ(cells(*m.before(s, first_shared)), before);
    before = cells(*m.after(s, first_shared));
    EXPECT_EQ(before, sums[k]) << "step " << k;
  }
}

TEST(WatchTruth, GlobalStatesEndAsTheRunDid) {
  for (const char* kernel : {"scan/blelloch", "scan/kogge-stone", "reduce/tree-mask", "reduce/shared",
                             "histogram/racy", "histogram/global-atomics", "histogram/shared-atomics"}) {
    Request r;
    r.kernel = kernel;
    r.n = 50;
    r.block = 8;
    const WatchModel m = make_watch_model(watch_run(r));
    const GlobalHistory history(m.trace(), m.flow());
    const Launch& last = m.trace().launches.back();
    for (size_t a = 0; a < m.trace().arrays.size(); ++a) {
      const ArrayInfo& info = m.trace().arrays[a];
      const StatePtr end = history.at(int(a), int(m.flow().sequence.size()));
      for (int k = 0; k < info.size; ++k)
        EXPECT_EQ(end->value(k), number(info.kind, &last.after[a][size_t(k) * size_t(bytes_of(info.kind))]))
            << kernel << " " << info.name << "[" << k << "]";
    }
  }
}

TEST(WatchTruth, PartsOfGlobalStatesAreThoseOfTheWholeArrays) {
  for (const char* kernel : {"scan/kogge-stone", "histogram/global-atomics", "histogram/racy"}) {
    Request r;
    r.kernel = kernel;
    r.n = 5000;  // large enough for ArrayState::coarse
    r.block = 64;
    const WatchModel m = make_watch_model(watch_run(r));
    const GlobalHistory history(m.trace(), m.flow());
    const int end = int(m.flow().sequence.size());
    for (size_t a = 0; a < m.trace().arrays.size(); ++a)
      for (const int moment : {0, 1, end / 3, end / 2, end - 1, end})
        for (const auto& [first, count] : {std::pair(0, 1), std::pair(5, 3), std::pair(64, 64),
                                           std::pair(1001, 2500), std::pair(4997, 10), std::pair(0, 5000)}) {
          const StatePtr whole = history.at(int(a), moment);
          if (first >= whole->size()) continue;
          const ArrayState part = history.part_at(int(a), moment, first, count);
          ASSERT_LE(part.first, first);
          ASSERT_GE(part.size(), std::min(first + count, whole->size()));
          for (int k = part.first; k < part.size(); ++k) {
            ASSERT_EQ(part.is_known(k), whole->is_known(k))
                << kernel << " " << a << "[" << k << "] at " << moment;
            ASSERT_EQ(part.bits_of(k), whole->bits_of(k))
                << kernel << " " << a << "[" << k << "] at " << moment;
          }
          for (const int columns : {1, 7, 100})
            EXPECT_EQ(largest_in_parts(part, first, count, columns),
                      largest_in_parts(*whole, first, count, columns));
        }
  }
}

// What the outline says of a step is what its moves, made one by one, say.
TEST(WatchTruth, OutlinesAgreeWithTheMoves) {
  for (const char* kernel : {"scan/blelloch", "scan/kogge-stone", "reduce/shared", "histogram/global-atomics",
                             "histogram/shared-atomics"}) {
    Request r;
    r.kernel = kernel;
    r.n = 200;
    r.block = 32;
    const WatchModel m = make_watch_model(watch_run(r));
    for (int k = 0; k < steps(m.run()); ++k) {
      const Step& s = *m.step(at(m, k));
      std::set<int> distances;
      std::map<Place, int> times;
      for (const Move& move : s.moves()) {
        const Place to = move.arrow.to;
        if (!move.held) ++times[to];
        for (const Place from : move.arrow.from)
          if (to.array >= 0 && from.array == to.array && from != to)
            distances.insert(std::abs(to.index - from.index));
      }
      EXPECT_EQ(s.stride(), distances.size() == 1 ? *distances.begin() : 0) << kernel << " step " << k;
      ASSERT_EQ(s.written().size(), times.size()) << kernel << " step " << k;
      for (const auto& [place, n] : times) {
        ASSERT_NE(s.writes_of(place), nullptr);
        EXPECT_EQ(s.writes_of(place)->times, n);
      }
      EXPECT_EQ(s.wrote.empty(), times.empty());
      EXPECT_EQ(s.wrote.size() + s.held().size(), s.moves().size());
    }
  }
}

TEST(WatchTruth, GlobalStatesStepByStepChangeOnlyWhatWasWritten) {
  const WatchModel m = model_of("histogram/global-atomics", {}, 0, "queue-7x20");
  ASSERT_EQ(steps(m.run()), 7);
  double total = 0;
  for (int k = 0; k < 7; ++k) {
    const Step& s = *m.step(at(m, k));
    const int bins = m.block(at(m, k)).main;
    const StatePtr before = m.before(s, bins), after = m.after(s, bins);
    for (int b = 0; b < after->size(); ++b) {
      const auto* w = s.writes_of({bins, b});
      EXPECT_EQ(after->value(b) - before->value(b), w ? w->times : 0) << "block " << k << " bin " << b;
      total += after->value(b) - before->value(b);
    }
  }
  EXPECT_EQ(total, 224);
}

TEST(WatchTruth, TheChangedCellShowsOldAndNewValue) {
  const WatchModel m = model_of("scan/blelloch", eight, 4);
  const Picture p = array_view(m, at(m, 3), dark(), fixed_metrics(), 956, 342);
  EXPECT_EQ(texts_in(p, "after:sum[7]"), (std::vector<std::string>{"was 14", "25"}));
  EXPECT_EQ(texts_in(p, "before:sum[7]"), std::vector<std::string>{"14"});
  EXPECT_TRUE(says(p, "t0 +"));
  EXPECT_TRUE(says(p, "sum[7] now holds x0..x7"));
  EXPECT_TRUE(says(p, "Up-sweep 3 of 3"));
  EXPECT_TRUE(says(p, "stride 4"));
}

TEST(WatchTruth, NothingChangesBeforeTheBarrierOpens) {
  const WatchModel m = model_of("scan/blelloch", eight, 4);
  for (const float phase : {0.0f, 0.3f, 0.6f, 0.85f}) {
    const Picture p = array_view(m, at(m, 3, phase), dark(), fixed_metrics(), 956, 342);
    EXPECT_EQ(texts_in(p, "after:sum[7]"), std::vector<std::string>{"14"}) << phase;
    EXPECT_FALSE(says(p, "now holds"));
  }
  EXPECT_EQ(
      texts_in(array_view(m, at(m, 3, 0.95f), dark(), fixed_metrics(), 956, 342), "after:sum[7]").back(),
      "25");
}

TEST(WatchTruth, TheWholeRunKeepsTheFuturesAnswers) {
  const WatchModel m = model_of("scan/blelloch", eight, 4);
  for (int k = 0; k < steps(m.run()); ++k)
    for (const float phase : {0.5f, 1.0f}) {
      const Picture p = whole_run(m, at(m, k, phase), dark(), fixed_metrics(), 956, 360);
      std::set<int> rows;
      for (const Hit& h : p.hits)
        if (h.what == Hit::cell) rows.insert(std::stoi(h.name.substr(4)));
      for (int row : rows) EXPECT_LE(row, phase < 1 ? k - 1 : k);
      // and no number stands in a row below the present
      float below = p.height;
      for (const Hit& h : p.hits)
        if (h.name == "run:step:" + std::to_string(k)) below = h.box.bottom();
      for (const Shape& s : p.shapes)
        if (s.type == Shape::text && s.box.y > below && s.font != Font::text)
          ADD_FAILURE() << "step " << k << ": " << s.words;
    }
}

TEST(WatchTruth, BothPicturesShareTheirColumns) {
  const WatchModel m = model_of("scan/blelloch", eight, 4);
  for (const ThemeName name : {ThemeName::dark, ThemeName::projector}) {
    const Theme t = theme(name, 900);
    const Picture a = array_view(m, at(m, 3), t, fixed_metrics(), 956, 350);
    const Picture b = whole_run(m, at(m, 3), t, fixed_metrics(), 956, 360);
    const auto middle = [](const Picture& p, const std::string& hit) {
      for (const Hit& h : p.hits)
        if (h.name == hit) return h.box.centre().x;
      return -1.0f;
    };
    for (int k = 0; k < 8; ++k)
      EXPECT_FLOAT_EQ(middle(a, "after:sum[" + std::to_string(k) + "]"),
                      middle(b, "run:0:" + std::to_string(k)));
  }
}

TEST(WatchTruth, LoadsOfKoggeStoneWaitInRegisters) {
  const WatchModel m = model_of("scan/kogge-stone", eight);
  const Step& reads = *m.step(at(m, 1));
  EXPECT_TRUE(reads.written().empty());
  ASSERT_EQ(reads.moves().size(), 7u);
  for (const Move& move : reads.moves()) {
    EXPECT_TRUE(move.held);
    EXPECT_EQ(move.arrow.to.index, move.arrow.from[0].index + 1);  // where the value will be stored
  }
  EXPECT_EQ(reads.stride(), 1);
  const Picture p = array_view(m, at(m, 2), dark(), fixed_metrics(), 956, 342);
  EXPECT_TRUE(says(p, "kept in registers"));
}

TEST(WatchTruth, LostUpdatesAreNamedAndAtomicsQueue) {
  const WatchModel racy = model_of("histogram/racy", {}, 0, "queue-7x20");
  EXPECT_TRUE(says(array_view(racy, at(racy, 0), dark(), fixed_metrics(), 956, 342), "of them lost"));
  const WatchModel atomics = model_of("histogram/global-atomics", {}, 0, "queue-7x20");
  EXPECT_TRUE(says(array_view(atomics, at(atomics, 0), dark(), fixed_metrics(), 956, 342),
                   "20 atomics queue for bins[5]"));
}

TEST(WatchTruth, ABlockSeesItsOwnPartOfTheInput) {
  Request r;
  r.kernel = "scan/blelloch";
  r.n = 24;
  r.block = 4;
  const WatchModel m = make_watch_model(watch_run(r));
  const BlockSteps& b = m.block(0, 2);
  const Part data = b.parts.at(m.trace().input);
  EXPECT_EQ(data.first, 16);
  EXPECT_EQ(data.size, 8);
  Cursor c;
  c.block = 2;
  EXPECT_EQ(columns(m, c, dark(), 956).visible, 8);
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

TEST(WatchTruth, PartsOfAStripKeepTheLargestValue) {
  ArrayState s;
  s.bits.resize(100000);
  s.known.assign(100000, 1);
  s.bits[70001] = 18;
  s.known[3] = 0;
  for (const bool coarse : {false, true}) {
    if (coarse) make_coarse(s);
    EXPECT_EQ(s.coarse.empty(), !coarse);
    const std::vector<float> parts = largest_in_parts(s, 0, 100000, 1000);
    EXPECT_EQ(parts[700], 18);
    EXPECT_EQ(std::count(parts.begin(), parts.end(), 0.0f), 999);
    EXPECT_EQ(largest_in_parts(s, 70000, 10, 10)[1], 18);
  }
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
