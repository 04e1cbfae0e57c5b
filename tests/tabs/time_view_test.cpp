#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <set>
#include <thread>

#include "app/draw/chart.hpp"
#include "app/measure/measurement_store.hpp"
#include "app/measure/recorded.hpp"
#include "app/tabs/time/picture.hpp"
#include "app/tabs/time/sheet.hpp"
#include "app/words/measures.hpp"
#include "app/words/words.hpp"
#include "tests/places.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

Recording made_up(const std::string& device, const std::vector<std::string>& kernels, int last, double copy,
                  const std::string& driver = "driver 1") {
  Recording run{device, driver, "2025-01-02T03:04:05Z", copy, 0, 0, {}};
  double best = copy / 10;
  for (const auto& kernel : kernels) {
    best *= 1.6;
    for (int p = 10; p <= last; ++p) {
      Record r;
      r.kernel = kernel;
      r.parameters = {{"block", "256"}};
      r.n = 1LL << p;
      r.type = "int32";
      r.bytes = bytes_to_move("scan", r.n, r.type);
      const double t = 4e-6 + r.bytes / best / 1e9;
      r.samples = {t * 0.9, t, t * 1.2};
      r.correct = kernel != "scan/wrong";
      complete(r, run);
      run.records.push_back(r);
    }
  }
  return run;
}
const Recording& cpu() {
  static const Recording r =
      made_up("A CPU", {"serial/scan", "tbb/scan", "copy/scan", "serial/reduce"}, 26, 40, "4 threads");
  return r;
}
const Recording& gpu() {
  static const Recording r = made_up("A GPU with a rather long name, 80GB",
                                     {"scan/kogge-stone", "scan/blelloch", "cub/scan"}, 28, 3000);
  return r;
}
TimeInput both() {
  TimeInput in;
  in.kernel = "scan/blelloch";
  in.look.log_n = 24;
  in.parameters = find("scan/blelloch").parameters;
  in.live = {cpu()};
  in.recorded = {gpu()};
  in.no_gpu = Message::plain("no GPU: the machine has none");
  return in;
}
std::vector<Curve> time_series(const TimeInput& in) { return curves_over_n(curves_asked(in)); }
std::vector<std::string> axes_of(const TimeInput& in) { return time_axes(curves_asked(in)); }
std::vector<TimeFacet> facets_of(const TimeInput& in) { return time_facets(curves_asked(in)); }
std::vector<std::string> notes_of(const TimeInput& in) { return time_notes(curves_asked(in)); }
Picture draw(const TimeInput& in) {
  return time_view(in, theme(ThemeName::dark, 900), fixed_metrics(), 1600, 856);
}

TEST(TimeSeries, OneAKernelOfTheFamily) {
  const TimeInput in = both();
  const auto all = time_series(in);
  ASSERT_EQ(all.size(), 6u) << "the reduction is another family";
  EXPECT_EQ(label_of(all[0]), "CPU, one core");
  EXPECT_EQ(label_of(all[1]), "CPU, all cores (TBB)");
  EXPECT_TRUE(all[0].cpu && !all[0].recorded);
  EXPECT_TRUE(all[2].limit && all[2].cpu);
  EXPECT_TRUE(all[3].recorded && !all[3].current);
  EXPECT_TRUE(all[4].current);
  EXPECT_TRUE(all[5].reference);
  EXPECT_GE(all[3].variant, 0);
  EXPECT_GT(all[4].variant, all[3].variant) << "rungs follow the catalog";
  EXPECT_EQ(all[4].points.size(), 19u);
  for (size_t k = 1; k < all[4].points.size(); ++k) EXPECT_LT(all[4].points[k - 1]->n, all[4].points[k]->n);
}

TEST(TimeSeries, LiveAndRecordedStandSideBySide) {
  TimeInput in = both();
  in.live.push_back(made_up("This GPU", {"scan/blelloch"}, 20, 1000));
  std::vector<std::string> labels;
  for (const auto& s : time_series(in))
    if (s.current) labels.push_back(label_of(s));
  ASSERT_EQ(labels.size(), 2u);
  EXPECT_EQ(labels[0], "Blelloch, This GPU");
  EXPECT_EQ(labels[1], "Blelloch, A GPU with a rather long name, 80GB");
}

TEST(TimeSeries, AClosedRecordingIsLeftOut) {
  TimeInput in = both();
  in.look.closed = {key_of(gpu())};
  for (const auto& s : time_series(in)) EXPECT_FALSE(s.recorded);
  in.look.closed = {cpu().device};
  for (const auto& s : time_series(in)) EXPECT_TRUE(s.recorded);
}

TEST(TimeSeries, TwoRecordingsOfOneDeviceAreToldApartByDate) {
  TimeInput in = both();
  Recording old = gpu();
  old.date = "2020-01-01T00:00:00Z";
  in.recorded.push_back(old);
  std::vector<std::string> labels, keys;
  for (const auto& s : time_series(in)) labels.push_back(label_of(s)), keys.push_back(s.key);
  std::sort(labels.begin(), labels.end());
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::adjacent_find(labels.begin(), labels.end()), labels.end());
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
}

TEST(TimeSeries, VariantsAreToldApartAndTheSlidersChoose) {
  TimeInput in;
  in.kernel = "reduce/shared";
  Recording run = made_up("G", {"reduce/shared"}, 12, 100);
  Recording other = run;
  for (Record& r : other.records) r.parameters["block"] = "512", run.records.push_back(r);
  in.live = {run};
  const auto all = time_series(in);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NE(label_of(all[0]).find("block 256"), std::string::npos);
  EXPECT_NE(label_of(all[1]).find("block 512"), std::string::npos);
  EXPECT_TRUE(all[0].current && !all[1].current);
  in.look.block = 512;
  const auto chosen = time_series(in);
  EXPECT_TRUE(!chosen[0].current && chosen[1].current);
  in.look.block = 64;  // measured with neither: both are this kernel's
  const auto neither = time_series(in);
  EXPECT_TRUE(neither[0].current && neither[1].current);
}

// Sliders choose among what was recorded; where nothing was, the curves stay and a sentence says so.
TEST(TimeView, SaysThatRecordedCurvesDoNotFollow) {
  TimeInput in;
  in.kernel = "reduce/shared";
  in.recorded = {made_up("G", {"reduce/shared"}, 12, 100)};
  const Theme t = theme(ThemeName::dark, 900);
  const auto says = [&] {
    std::string all;
    for (const Shape& s : time_view(in, t, fixed_metrics(), 1600, 850).shapes)
      if (s.type == Shape::text) all += s.words + " ";
    return all.find("Not recorded for") != std::string::npos;
  };
  in.look.block = 256;
  EXPECT_FALSE(says());
  in.look.block = 512;
  EXPECT_TRUE(says());
  Recording other = in.recorded[0];
  for (Record& r : other.records) r.parameters["block"] = "512";
  in.recorded.push_back(other);
  EXPECT_FALSE(says());
}

// Where nothing was chosen, sliders say what was recorded and nothing is missed.
TEST(TimeView, SlidersThatNobodyMovedSayWhatWasRecorded) {
  TimeInput in;
  in.kernel = "histogram/privatised";
  in.parameters = find(in.kernel).parameters;
  in.recorded = {made_up("G", {in.kernel}, 12, 100)};
  for (Record& r : in.recorded[0].records)
    r.type = "uint8", r.parameters = {{"block", "auto"}, {"width", "4"}, {"copies", "per-lane"}};
  Picture p = draw(in);
  EXPECT_FALSE(says(p, "Not recorded for"));
  EXPECT_TRUE(says(p, "auto"));
  EXPECT_EQ(in.look.block, 0);
  EXPECT_TRUE(says(p, "4")) << "the width";
  in.look.block = 256, in.look.set["width"] = "16";
  p = draw(in);
  EXPECT_TRUE(says(p, "Not recorded for block 256, width 16;"));
  in.gpu = "A GPU";  // what a GPU would measure, not what was recorded
  in.look.block = 0, in.look.set.clear();
  EXPECT_FALSE(says(draw(in), "Not recorded for"));
}

TEST(RecordedCurves, TheNewestDayStandsFirstAndOfOneDayTheOneThatHoldsMost) {
  Recording old = made_up("G", {"scan/blelloch", "cub/scan"}, 28, 4000),
            few = made_up("G", {"cub/scan"}, 12, 4000),
            most = made_up("H", {"scan/blelloch", "cub/scan"}, 20, 3000);
  old.date = "2026-11-22T00:38:36Z", few.date = "2026-11-26T15:03:02Z", most.date = "2026-11-26T10:04:28Z";
  const auto all = newest_first({old, few, most});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].date, most.date);
  EXPECT_EQ(all[1].date, few.date);
  EXPECT_EQ(all[2].date, old.date);
  EXPECT_TRUE(!all[0].aside && all[1].aside && all[2].aside)
      << "an older one of a device is not mixed with it";
  const auto& shipped = recorded_curves();
  ASSERT_FALSE(shipped.empty());
  for (size_t k = 1; k < shipped.size(); ++k)
    EXPECT_GE(shipped[k - 1].date.substr(0, 10), shipped[k].date.substr(0, 10));
  // the one that is shown has every kernel that is timed
  for (const Algorithm* a : catalog())
    if (family_of(a->name).timed())
      EXPECT_GT(std::ranges::count(shipped[0].records, a->name, &Record::kernel), 0) << a->name;
}

// A kernel that was measured on several kinds of keys has one curve over N: that of the keys on screen.
TEST(TimeSeries, OtherKeysAreNoCurveOverN) {
  TimeInput in;
  in.kernel = "histogram/privatised";
  in.parameters = find(in.kernel).parameters;
  Recording run = made_up("G", {in.kernel, "cub/histogram"}, 20, 100), uneven = run;
  for (Record& r : run.records) r.type = "uint8", r.parameters["pattern"] = "random";
  for (Record& r : uneven.records) {
    r.type = "uint8", r.parameters["pattern"] = "entropy", r.parameters["entropy"] = "0.5";
    if (r.n >= 1 << 17) run.records.push_back(r);
  }
  in.recorded = {run};
  std::vector<std::string> labels;
  for (const Curve& c : time_series(in)) labels.push_back(label_of(c));
  EXPECT_THAT(labels, testing::UnorderedElementsAre("Privatised", "CUB"));
}

TEST(TimeSliders, StandAtWhatTheKernelDeclares) {
  using V = std::vector<std::string>;
  EXPECT_EQ(slider_values({"unroll", {1, 2, 4, 8}, 8}), (V{"1", "2", "4", "8"}));
  EXPECT_EQ(slider_values(element_type()), V{});
  EXPECT_EQ(slider_values({.name = "bins", .values = {}, .initial = 100, .least = 8, .most = 256}),
            (V{"8", "16", "32", "64", "100", "128", "256"}));
  EXPECT_EQ(slider_values({"items", {4}, 4}), V{}) << "one value is no choice";
}

TEST(TimeLadder, IsSortedBySpeedAtTheChosenLength) {
  const TimeInput in = both();
  const auto series = time_series(in);
  const auto rows = ladder_rows(in, series);
  ASSERT_EQ(rows.size(), series.size());
  for (size_t k = 1; k < rows.size(); ++k)
    EXPECT_LE(rows[k - 1]->at(1 << 24)->gb_per_s, rows[k]->at(1 << 24)->gb_per_s);
  TimeInput at28 = in;
  at28.look.log_n = 28;  // the CPU was not measured there: its rows come last and say so
  const auto late = time_series(at28);
  EXPECT_TRUE(ladder_rows(at28, late).back()->cpu);
  EXPECT_TRUE(says(draw(at28), "not measured at this length"));
}

TEST(TimeView, RecordedCurvesAreMarked) {
  const Picture p = draw(both());
  EXPECT_TRUE(says(p, "hollow: recorded, A GPU with a rather long name, 80GB"));
  EXPECT_TRUE(says(p, "recorded 2025-01-02"));
  EXPECT_TRUE(says(p, "measured here"));
  EXPECT_TRUE(says(p, "copy 3,000"));
  TimeInput only = both();
  only.live.clear();
  EXPECT_TRUE(says(draw(only), "recorded on A GPU with a rather long name, 80GB"));
}

TEST(TimeView, HiddenCurvesStayInTheLadder) {
  TimeInput in = both();
  const auto series = time_series(in);
  const std::string key = series[5].key;
  EXPECT_TRUE(hit_named(draw(in), "curve:" + key));
  in.look.hidden = {key};
  const Picture p = draw(in);
  EXPECT_FALSE(hit_named(p, "curve:" + key));
  EXPECT_TRUE(hit_named(p, "row:" + key));
  for (const auto& s : series) in.look.hidden.push_back(s.key);
  EXPECT_TRUE(says(draw(in), "Every curve is hidden"));
}

TEST(TimeView, EveryPointSaysWhatItIs) {
  const TimeInput in = both();
  const Picture p = draw(in);
  const auto series = time_series(in);
  const HitRegion* hit = hit_named(p, "point:" + series[4].key + ":1048576");
  ASSERT_TRUE(hit);
  const Record& r = *series[4].at(1 << 20);
  EXPECT_NE(hit->tip.find("Blelloch, N = 1,048,576"), std::string::npos) << hit->tip;
  EXPECT_NE(hit->tip.find("of copy"), std::string::npos);
  EXPECT_NEAR(r.of_copy, r.gb_per_s / 3000, 1e-9);
}

/// The value beside a curve's end.
std::string value_of_tag(const Picture& p, const std::string& key) {
  const HitRegion* tag = hit_named(p, "curve:" + key);
  std::string last;
  for (const Shape& s : p.shapes)
    if (tag && s.type == Shape::text && s.font == Font::mono_bold && s.points[0].x > tag->box.x &&
        s.points[0].x < tag->box.right() && tag->box.contains({tag->box.x, s.points[0].y + s.size * 0.6f}))
      last = s.words;
  return last;
}
bool row_says(const Picture& p, const std::string& key, const std::string& words) {
  const HitRegion* row = hit_named(p, "row:" + key);
  for (const Shape& s : p.shapes)
    if (row && s.type == Shape::text && s.words == words &&
        row->box.contains({s.points[0].x, s.points[0].y + s.size * 0.6f}))
      return true;
  return false;
}

TEST(TimeView, EveryCurvesNumberIsOfTheMarkedLength) {
  for (const int log_n : {10, 17, 24, 26, 28, 30}) {
    TimeInput in = both();
    in.look.log_n = log_n;
    const Picture p = draw(in);
    EXPECT_TRUE(says(p, "N = " + power_of_two(log_n)));
    for (const Curve& s : time_series(in)) {
      const std::string value = value_of_tag(p, s.key);
      const Record* r = s.at(1LL << log_n);
      EXPECT_EQ(value, r ? rate_text(r->gb_per_s) : "-") << label_of(s) << " at 2^" << log_n;
      EXPECT_TRUE(row_says(p, s.key, r ? value : "not measured at this length")) << label_of(s);
    }
    // and of no other length is a speed-up
    in.look.facet = TimeFacet::speedup;
    const auto series = time_series(in);
    const Picture times = draw(in);
    for (size_t k = 3; k < series.size(); ++k) {
      const Record *r = series[k].at(1LL << log_n), *base = series[0].at(1LL << log_n);
      if (!r || !base) continue;
      EXPECT_TRUE(says(times, rate_text(base->seconds.median / r->seconds.median) + "x"));
    }
  }
}

TEST(TimeView, ACopyIsNoShareOfACopy) {
  TimeInput in = both();
  in.look.log_n = 20;
  const auto series = time_series(in);
  ASSERT_TRUE(series[2].limit && series[2].at(1 << 20)->of_copy > 0);
  EXPECT_FALSE(row_says(draw(in), series[2].key, percent_text(series[2].at(1 << 20)->of_copy)));
  EXPECT_TRUE(row_says(draw(in), series[4].key, percent_text(series[4].at(1 << 20)->of_copy)));
}

TEST(TimeView, SpeedUpIsTheRatioOfTimes) {
  TimeInput in = both();
  in.look.facet = TimeFacet::speedup;
  const auto series = time_series(in);
  in.look.log_n = 26;
  const double times = series[0].at(1 << 26)->seconds.median / series[4].at(1 << 26)->seconds.median;
  const Picture p = draw(in);
  char text[32];
  std::snprintf(text, sizeof text, times >= 100 ? "%.0fx" : times >= 10 ? "%.1fx" : "%.2fx", times);
  EXPECT_TRUE(says(p, text)) << text;
  in.live.clear();
  EXPECT_TRUE(says(draw(in), "Speed-up compares with this machine's CPU"));
}

// In a page: it neither has a button for that, nor says to press it, nor how to build a GPU's module.
TEST(TimeView, OffersNoMeasuringWhereNothingCanBeMeasured) {
  TimeInput in = both();
  in.live.clear();
  in.look.facet = TimeFacet::speedup;
  for (const bool measures : {true, false}) {
    in.measures = measures;
    const Picture p = draw(in);
    for (const char* button : {"measure", "measure one"})
      EXPECT_EQ(hit_named(p, button) != nullptr, measures);
    EXPECT_EQ(says(p, "No GPU"), measures);
    EXPECT_EQ(says(p, "Speed-up compares with this machine's CPU"), measures);
    EXPECT_EQ(says(p, "Speed-up compares with a CPU"), !measures);
  }
}

TEST(TimeView, RooflineHasCountedWorkOnly) {
  TimeInput in = both();
  in.look.facet = TimeFacet::roofline;
  const auto series = time_series(in);
  EXPECT_FALSE(hit_named(draw(in), "roof:" + series[4].key)) << "nothing is counted yet";
  for (const auto& key : time_work(in)) in.counted[key] = {2, 8, 8192};
  const Picture p = draw(in);
  EXPECT_TRUE(std::ranges::any_of(p.shapes, [](const Shape& shape) {
    return shape.words.find("counted in traces of 8,192 elements") != std::string::npos;
  }));
  EXPECT_TRUE(hit_named(p, "roof:" + series[4].key));
  EXPECT_FALSE(hit_named(p, "roof:" + series[5].key)) << "nobody has counted CUB's work";
}

// Blelloch's scan of a tile of m elements adds 2(m - 1) times; then the tiles' sums are scanned and added to
// each element. So three additions an element, and each is read and written twice, but for the few sums.
TEST(CountedWork, IsWhatTheTextbookSays) {
  const CountedWork w = count_work("scan/blelloch", {{"block", "256"}});
  EXPECT_NEAR(w.operations, 3.1, 0.1);
  EXPECT_GE(w.n, 8192 / 2);
  EXPECT_GE(w.bytes, 16);
  EXPECT_LT(w.bytes, 17);
  const CountedWork histogram = count_work("histogram/global-atomics", {{"block", "256"}, {"bins", "256"}});
  EXPECT_DOUBLE_EQ(histogram.operations, 1);
  EXPECT_FALSE(count_work("scan/nobody", {}).known());
  WorkCounter counter;
  counter.want({{"scan/blelloch", {{"block", "256"}}}, {"scan/nobody", {}}}, {});
  EXPECT_EQ(counter.known().size(), 2u);
  EXPECT_DOUBLE_EQ(counter.known().at({"scan/blelloch", {{"block", "256"}}}).operations, w.operations);
}

TEST(Measuring, KeepsWhatWasMeasuredAndMergesPoints) {
  Measurer m;
  MeasurePlan plan;
  plan.family = "reduce";
  plan.sizes = {1 << 10, 1 << 12};
  plan.patience = {.least = 1, .most = 2, .noise = 1, .seconds = 0.01};
  const auto wait = [&] {
    while (m.progress().measuring) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  m.start(plan, {});
  wait();
  auto p = m.progress();
  ASSERT_EQ(p.live.size(), 1u);
  EXPECT_EQ(p.error.english(), "");
  EXPECT_EQ(p.done, p.all);
  const size_t points = p.live[0].records.size();
  EXPECT_GE(points, 4u) << "one core and a copy, at two lengths";
  plan.sizes = {1 << 12, 1 << 13};  // one of them again
  m.start(plan, {});
  wait();
  p = m.progress();
  EXPECT_EQ(p.live[0].records.size(), points / 2 * 3);
  plan.family = "scan";  // another family's stay
  m.start(plan, {});
  wait();
  EXPECT_GT(m.progress().live[0].records.size(), points / 2 * 3);
  m.forget(m.progress().live[0].device);
  EXPECT_TRUE(m.progress().live.empty());
}

TEST(Measuring, StopsSoonAndKeepsWholePoints) {
  Measurer m;
  MeasurePlan plan;
  plan.family = "scan";
  for (int p = 10; p <= 22; ++p) plan.sizes.push_back(1LL << p);
  plan.patience = {.least = 3, .most = 1000000, .noise = 0, .seconds = 0.1};
  std::atomic<int> told = 0;
  m.start(plan, [&] { ++told; });
  while (m.progress().done < 2 && m.progress().measuring)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_GE(m.progress().seconds_left, 0);
  m.stop();
  const auto p = m.progress();
  EXPECT_FALSE(p.measuring);
  EXPECT_LT(p.done, p.all);
  ASSERT_FALSE(p.live.empty());
  EXPECT_FALSE(p.live[0].records.empty());
  EXPECT_GT(told.load(), 1);
}

/// Of everything that a recording can hold, and no real device's.
const Recording& full() {
  static const Recording r =
      load_recording(std::string(BARRIERSCOPE_ROOT) + "/tests/recorded/made_up_times.json");
  return r;
}
TimeInput with_full(const std::string& kernel) {
  TimeInput in;
  in.kernel = kernel;
  in.parameters = find(kernel).parameters;
  in.recorded = {full()};
  in.no_gpu = Message::plain("no GPU: the machine has none");
  in.look.log_n = 29;
  return in;
}
std::vector<std::string> labels_of(const TimeInput& in) {
  std::vector<std::string> labels;
  for (const Curve& s : time_series(in)) labels.push_back(label_of(s));
  return labels;
}

TEST(TimeSeries, LimitsAndReferencesOfAGpuAreCurves) {
  const TimeInput in = with_full("scan/blelloch"), sum = with_full("reduce/shared");
  int references = 0, limits = 0;
  for (const Curve& s : time_series(in)) {
    references += s.reference;
    limits += s.limit;
    EXPECT_EQ(s.limit, label_of(s) == "copy") << label_of(s);
    EXPECT_FALSE(s.cpu) << label_of(s);
  }
  EXPECT_EQ(references, 2) << "CUB and Thrust";
  EXPECT_EQ(limits, 1);
  EXPECT_THAT(labels_of(sum), testing::Contains("pure read"));
  const Picture p = draw(in);
  EXPECT_FALSE(says(p, "copy 4,240")) << "the curve says it, a level line would say it twice";
  EXPECT_TRUE(says(p, "peak 4,814"));
}

TEST(TimeSeries, TheOpenKernelHasAllItsVariantsOthersOne) {
  using testing::Contains, testing::Not;
  TimeInput in = with_full("reduce/interleaved-global");
  const auto labels = labels_of(in);
  for (const char* unroll : {"1", "2", "4", "8"})
    EXPECT_THAT(labels, Contains(std::string("Interleaved global unroll ") + unroll));
  EXPECT_THAT(labels, Contains("Shared memory unroll 8")) << "the fastest stands for the rung";
  EXPECT_THAT(labels, Not(Contains("Shared memory unroll 1")));
  const auto current = [&] {
    std::string all;
    for (const Curve& s : time_series(in))
      if (s.current) all += label_of(s) + ";";
    return all;
  };
  EXPECT_EQ(current(), "Interleaved global unroll 1;") << "the slider stands at the kernel's default";
  in.look.set["unroll"] = "4";
  EXPECT_EQ(current(), "Interleaved global unroll 4;");
  EXPECT_THAT(labels_of(in), Contains("Shared memory unroll 4"));
}

TEST(TimeView, WarmTimesTakeTheColdOnesPlace) {
  TimeInput in = with_full("scan/look-ahead");
  EXPECT_TRUE(has_warm(in));
  EXPECT_TRUE(says(draw(in), "GB/s, cold"));
  EXPECT_TRUE(hit_named(draw(in), "cache:warm"));
  in.live = {cpu()};
  in.look.warm = true;
  const TimeInput warm = warmed(in), twice = warmed(warm);
  EXPECT_EQ(warm.live[0].records.size(), in.live[0].records.size()) << "a CPU's runs are in a row anyway";
  const auto cold_curves = time_series(in), curves = time_series(warm), again = time_series(twice);
  ASSERT_EQ(curves.size(), again.size());
  bool looked = false;
  for (size_t k = 0; k < curves.size(); ++k) {
    if (!curves[k].current) continue;
    const Record &r = *curves[k].at(1 << 20), &c = *cold_curves[k].at(1 << 20);
    EXPECT_DOUBLE_EQ(r.gb_per_s, c.bytes / c.warm.median / 1e9);
    EXPECT_NEAR(r.of_copy / c.of_copy, r.gb_per_s / c.gb_per_s, 1e-9);
    EXPECT_EQ(r.samples, c.warm_samples);
    EXPECT_EQ(again[k].at(1 << 20)->gb_per_s, r.gb_per_s);
    looked = true;
  }
  EXPECT_TRUE(looked);
  const Picture p = draw(in);
  EXPECT_TRUE(says(p, "GB/s, warm"));
  EXPECT_FALSE(says(p, "GB/s, cold"));
  EXPECT_FALSE(has_warm(both()));
  EXPECT_FALSE(hit_named(draw(both()), "cache:warm")) << "an old recording has one kind";
}

TEST(TimeSweep, AxesAreWhatARecordingSweeps) {
  using V = std::vector<std::string>;
  EXPECT_EQ(axes_of(both()), V{"n"});
  EXPECT_EQ(axes_of(with_full("scan/look-ahead")), (V{"n", "block", "items", "stages"}));
  EXPECT_EQ(axes_of(with_full("reduce/interleaved-global")), (V{"n", "block", "unroll"}));
  EXPECT_EQ(axes_of(with_full("histogram/per-lane")), (V{"n", "keys"}));
  TimeInput closed = with_full("scan/look-ahead");
  closed.look.closed = {key_of(full())};
  EXPECT_EQ(axes_of(closed), V{"n"});
  EXPECT_FALSE(hit_named(draw(both()), "axis:n")) << "no choice of one";
  EXPECT_TRUE(hit_named(draw(with_full("scan/look-ahead")), "axis:stages"));
}

TEST(TimeSweep, LinesOfTwoDevicesAreToldApart) {
  TimeInput in = with_full("scan/look-ahead");
  in.recorded.push_back(full());
  in.recorded[1].device = "Another GPU";
  for (const char* axis : {"block", "items"}) {
    const Sweep sweep = sweep_over(curves_asked(in), axis);
    std::set<std::string> labels, keys;
    for (const Curve& s : sweep.lines) labels.insert(label_of(s)), keys.insert(s.key);
    EXPECT_EQ(labels.size(), sweep.lines.size()) << axis;
    EXPECT_EQ(keys.size(), sweep.lines.size()) << axis;
    EXPECT_EQ(sweep.levels.size(), 4u) << "CUB and the copy, on each";
  }
  in.look.axis = "block";
  EXPECT_TRUE(says(draw(in), "recorded on Another GPU, 2001-02-03"));
  TimeInput half = in;
  half.live = {half.recorded[0]};
  half.recorded.erase(half.recorded.begin());
  EXPECT_TRUE(says(draw(half), "hollow: recorded, Another GPU, 2001-02-03"));
  in.look.facet = TimeFacet::gpus;
  in.kernel = "scan/hierarchical";
  in.parameters = find(in.kernel).parameters;
  expect_clean_everywhere("two devices", [&](const Theme& t, const Metrics& m, float w, float h) {
    return time_view(in, t, m, w, h);
  });
}

TEST(TimeSweep, KeysGoFromUniformToOne) {
  const TimeInput in = with_full("histogram/per-lane");
  const Sweep keys = sweep_over(curves_asked(in), "keys");
  EXPECT_EQ(keys.n, 1LL << 31);
  EXPECT_EQ(keys.ticks, (std::vector<std::string>{"uniform", "entropy 0.811", "skew 0.5", "entropy 0.544",
                                                  "entropy 0.337", "entropy 0.201", "one key"}));
  const bool cub =
      std::any_of(keys.lines.begin(), keys.lines.end(), [](const auto& s) { return s.reference; });
  EXPECT_TRUE(cub) << "its time depends on the keys";
  TimeInput on = in;
  on.look.axis = "keys";
  const Picture p = draw(on);
  EXPECT_TRUE(says(p, "Histogram at N = 2^31"));
  EXPECT_TRUE(says(p, "one key"));
  EXPECT_TRUE(says(p, "pure read"));
  const HitRegion* point = hit_named(p, "point:" + keys.lines.back().key + ":one key");
  ASSERT_TRUE(point);
  EXPECT_TRUE(point->tip.starts_with("keys: one key. A copy for each lane, N = 2,147,483,648:"))
      << point->tip;
  // unticked in the bar table: no line here either
  for (const Curve& s : time_series(in))
    if (s.first().kernel == "histogram/racy") on.look.hidden = {s.key};
  ASSERT_EQ(on.look.hidden.size(), 1u);
  const auto racy = [&](const Picture& q) {
    return std::count_if(q.hits.begin(), q.hits.end(), [](const HitRegion& h) {
      return h.name.starts_with("point:") && h.name.find("histogram/racy") != std::string::npos;
    });
  };
  EXPECT_EQ(racy(p), 7);
  EXPECT_EQ(racy(draw(on)), 0);
  on.look.axis = "unroll";  // of another family's session
  EXPECT_TRUE(says(draw(on), "Histogram: throughput"));
}

TEST(TimeFacets, AppearWhereThereIsSomethingToShow) {
  using F = TimeFacet;
  using V = std::vector<F>;
  EXPECT_EQ(facets_of(both()), (V{F::speedup, F::noise, F::roofline}));
  EXPECT_EQ(facets_of(with_full("reduce/tree-mask")),
            (V{F::speedup, F::noise, F::roofline, F::cycles, F::gpus, F::notes}));
  EXPECT_EQ(facets_of(with_full("histogram/racy")), (V{F::speedup, F::noise, F::roofline, F::notes}));
}

TEST(TimeFacets, CyclesAreBarsWithTheirRatio) {
  TimeInput in = with_full("reduce/tree-mask");
  in.look.facet = TimeFacet::cycles;
  const Picture p = draw(in);
  EXPECT_TRUE(says(p, "144,185"));
  EXPECT_TRUE(says(p, "133,738"));
  EXPECT_TRUE(says(p, "0.93x"));
}

TEST(TimeFacets, SeveralGpusStandBesideTheIdeal) {
  TimeInput in = with_full("scan/hierarchical");
  in.look.facet = TimeFacet::gpus;
  const Picture p = draw(in);
  const Record *one = nullptr, *four = nullptr;
  for (const Record& r : full().records)
    if (r.kernel == "scan/hierarchical" && r.parameters.contains("exchange")) {
      if (r.gpus == 1) one = &r;
      if (r.gpus == 4) four = &r;
    }
  ASSERT_TRUE(one && four);
  const double times = four->gb_per_s / one->gb_per_s;
  EXPECT_NEAR(times, 3.8, 0.1);
  EXPECT_TRUE(says(p, rate_text(times) + "x")) << times;
  EXPECT_TRUE(says(p, "ideal"));
  EXPECT_TRUE(says(p, "GB/s at 2^31"));
}

TEST(TimeFacets, NotesAreOfThisFamily) {
  TimeInput in = with_full("reduce/tree-mask");
  in.look.facet = TimeFacet::notes;
  const auto notes = notes_of(in);
  ASSERT_EQ(notes.size(), 2u) << "the histogram's is not shown beside reductions";
  EXPECT_EQ(notes[1], "The clock fell while reduce/tree-mask was measured at N = 2^31.");
  EXPECT_TRUE(says(draw(in), "The clock fell while"));
  EXPECT_THAT(notes_of(with_full("histogram/serial")),
              testing::Contains(testing::StartsWith("histogram/serial, N = 2^24 would take")));
  in.look.closed = {key_of(full())};
  EXPECT_TRUE(notes_of(in).empty());
}

TEST(TimeView, AFullRecordingIsCleanEverywhere) {
  struct Look {
    const char *kernel, *axis;
    TimeFacet facet;
    bool warm;
  };
  for (const Look& look : {Look{"reduce/interleaved-global", "n", TimeFacet::throughput, false},
                           {"reduce/interleaved-global", "unroll", TimeFacet::gpus, false},
                           {"reduce/tree-mask", "block", TimeFacet::cycles, true},
                           {"scan/look-ahead", "items", TimeFacet::gpus, false},
                           {"scan/look-ahead", "block", TimeFacet::throughput, true},
                           {"scan/hillis-steele", "n", TimeFacet::notes, true},
                           {"histogram/per-lane", "keys", TimeFacet::throughput, false},
                           {"histogram/serial", "keys", TimeFacet::notes, false}}) {
    TimeInput in = with_full(look.kernel);
    in.live = {cpu()};
    in.look.axis = look.axis;
    in.look.facet = look.facet;
    in.look.warm = look.warm;
    expect_clean_everywhere(
        std::string(look.kernel) + " over " + look.axis + " beside " + std::to_string(int(look.facet)),
        [&](const Theme& t, const Metrics& m, float w, float h) { return time_view(in, t, m, w, h); });
    if (HasFailure()) return;
  }
}

// Whatever the size, each facet shows more than its heading and buttons.
TEST(TimeFacets, NoneIsEmptyWhereThereIsLittleRoom) {
  for (const auto& [kernel, facet, words] : {std::tuple{"reduce/tree-mask", TimeFacet::noise, "median"},
                                             {"reduce/tree-mask", TimeFacet::cycles, "144,185"},
                                             {"histogram/serial", TimeFacet::notes, "histogram/serial"}})
    for (const ThemeName look : {ThemeName::dark, ThemeName::projector})
      for (const auto& [w, h] : {std::pair{1280.0f, 720.0f}, {1600.0f, 900.0f}}) {
        TimeInput in = with_full(kernel);
        in.look.facet = facet;
        in.live = {cpu()};
        const Theme t = theme(look, h);
        EXPECT_TRUE(says(time_view(in, t, fixed_metrics(), w, h - t.px(56)), words))
            << kernel << " " << words;
      }
}

// Below a lesson's strip on the projector: curves are distinct, and the open kernel has its bar.
TEST(TimeView, BelowAStripTheChartIsHighAndTheOpenKernelInTheLadder) {
  const Theme t = theme(ThemeName::projector, 900);
  for (const char* kernel : {"reduce/shared", "scan/look-back", "histogram/privatised", "histogram/serial"}) {
    const TimeInput in = with_full(kernel);
    const Picture p = time_view(in, t, fixed_metrics(), 1584, 621);
    float top = 1e9f, bottom = 0;
    for (const HitRegion& h : p.hits)
      if (h.name.starts_with("point:")) {
        top = std::min(top, h.box.centre().y), bottom = std::max(bottom, h.box.centre().y);
        EXPECT_LE(h.box.bottom(), 621 * 0.66f) << kernel;
      }
    EXPECT_GT(bottom - top, 120) << kernel;
    for (const Curve& x : time_series(in))
      if (x.current) { EXPECT_TRUE(hit_named(p, "row:" + x.key)) << kernel << " " << x.key; }
  }
}

TEST(TimeView, SaysHowToMeasureWhenThereIsNothing) {
  TimeInput in;
  in.kernel = "scan/blelloch";
  const Picture p = draw(in);
  EXPECT_TRUE(says(p, "Nothing is measured yet."));
  EXPECT_TRUE(says(p, "barrierscope time scan/blelloch -o times.json"));
  EXPECT_TRUE(hit_named(p, "measure"));
  EXPECT_TRUE(hit_named(p, "import"));
}

TEST(TimeView, MeasuringCanBeStopped) {
  TimeInput in = both();
  in.measuring = true;
  in.done = 7;
  in.all = 20;
  in.seconds_left = 41;
  in.doing = "scan, N = 2^20";
  const Picture p = draw(in);
  EXPECT_TRUE(hit_named(p, "stop"));
  EXPECT_FALSE(hit_named(p, "measure"));
  EXPECT_TRUE(says(p, "7 of 20"));
  EXPECT_TRUE(says(p, "about 0:41 left"));
}

TEST(TimeView, SlidersSayLogarithms) {
  const Picture p = draw(both());
  const HitRegion& n = *hit_named(p, "n");
  EXPECT_EQ(slider_value(n, n.box.x), 10);
  EXPECT_EQ(slider_value(n, n.box.right()), 31);
  EXPECT_EQ(slider_value(*hit_named(p, "block"), 0), 5);
}

TEST(TimeView, IsCleanEverywhere) {
  TimeInput empty;
  empty.kernel = "histogram/racy";
  empty.parameters = find("histogram/racy").parameters;
  TimeInput wrong = both();
  wrong.recorded[0].records[0].correct = false;
  for (Record& r : wrong.live[0].records) r.correct = false;
  TimeInput crowded = both();
  crowded.kernel = "scan/look-back";
  crowded.parameters = find("scan/look-back").parameters;
  crowded.look.row = 2;
  crowded.look.hidden = {time_series(crowded)[1].key};
  std::vector<std::string> variants;
  for (const Algorithm* a : catalog())
    if (a->family() == "scan") variants.push_back(a->name);
  variants.push_back("scan/wrong");
  crowded.live.push_back(made_up("NVIDIA A100-SXM4-80GB", variants, 28, 4000));
  TimeInput measuring = both();
  measuring.measuring = true;
  measuring.done = 3, measuring.all = 19, measuring.doing = "scan, N = 2^20";
  measuring.error = Message::plain("The GPU failed to launch: out of memory.");
  measuring.notice = "Saved as barrierscope-times.json.";
  TimeInput one = both();
  one.recorded.clear();
  one.live[0].records.resize(1);
  for (const auto& [name, in] : {std::pair<std::string, TimeInput>{"both", both()},
                                 {"empty", empty},
                                 {"wrong", wrong},
                                 {"crowded", crowded},
                                 {"measuring", measuring},
                                 {"one", one}})
    for (const TimeFacet facet :
         {TimeFacet::throughput, TimeFacet::speedup, TimeFacet::noise, TimeFacet::roofline})
      for (int n : {10, 26, 28}) {
        TimeInput at = in;
        at.look.log_n = n;
        at.look.facet = facet;
        if (facet == TimeFacet::roofline)
          for (const auto& key : time_work(at)) at.counted[key] = {1 + double(at.counted.size()), 8};
        expect_clean_everywhere(
            name + " facet " + std::to_string(int(facet)) + " n " + std::to_string(n),
            [&](const Theme& t, const Metrics& m, float w, float h) { return time_view(at, t, m, w, h); });
        if (HasFailure()) return;
      }
}

}  // namespace
}  // namespace bscope
