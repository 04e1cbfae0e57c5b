#include <gtest/gtest.h>

#include <cmath>

#include "app/view/chart.hpp"
#include "app/view/time.hpp"
#include "tests/view/layout_support.hpp"

namespace bscope {
namespace {

Recording made_up(const std::string& device, const std::vector<std::string>& kernels, int last, double copy) {
  Recording run{device, "driver 1", "2025-01-02T03:04:05Z", copy, 0, 0, {}};
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
  static const Recording r = made_up("A CPU", {"serial/scan", "tbb/scan", "serial/reduce"}, 26, 40);
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
  in.live = {cpu()};
  in.recorded = {gpu()};
  in.no_gpu = "no GPU: the machine has none";
  return in;
}
Picture draw(const TimeInput& in) {
  return time_view(in, theme(ThemeName::dark, 900), fixed_metrics(), 1600, 856);
}

TEST(TimeSeries, OneAKernelOfTheFamily) {
  const TimeInput in = both();
  const auto all = time_series(in);
  ASSERT_EQ(all.size(), 5u) << "the reduction is another family";
  EXPECT_EQ(all[0].label, "CPU, one core");
  EXPECT_EQ(all[1].label, "CPU, TBB");
  EXPECT_TRUE(all[0].cpu && !all[0].recorded);
  EXPECT_TRUE(all[2].recorded && !all[2].current);
  EXPECT_TRUE(all[3].current);
  EXPECT_TRUE(all[4].reference);
  EXPECT_EQ(all[3].points.size(), 19u);
  for (size_t k = 1; k < all[3].points.size(); ++k) EXPECT_LT(all[3].points[k - 1]->n, all[3].points[k]->n);
}

TEST(TimeSeries, LiveGpuCurvesHideRecordedOnes) {
  TimeInput in = both();
  in.live.push_back(made_up("This GPU", {"scan/blelloch"}, 20, 1000));
  for (const auto& s : time_series(in)) EXPECT_FALSE(s.recorded);
}

TEST(TimeSeries, TheNewestRecordingCounts) {
  TimeInput in = both();
  Recording old = gpu();
  old.date = "2020-01-01T00:00:00Z";
  old.device = "Old";
  in.recorded.push_back(old);
  for (const auto& s : time_series(in)) EXPECT_NE(s.run->device, "Old");
}

TEST(TimeSeries, VariantsAreToldApart) {
  TimeInput in;
  in.kernel = "reduce/shared";
  Recording run = made_up("G", {"reduce/shared"}, 12, 100);
  Recording other = run;
  for (Record& r : other.records) r.parameters["block"] = "512", run.records.push_back(r);
  in.live = {run};
  const auto all = time_series(in);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NE(all[0].label.find("block 256"), std::string::npos);
  EXPECT_NE(all[1].label.find("block 512"), std::string::npos);
}

TEST(TimeView, RecordedCurvesAreMarked) {
  const Picture p = draw(both());
  EXPECT_TRUE(says(p, "dashed: recorded on A GPU with a rather long name, 80GB"));
  EXPECT_TRUE(says(p, "Recorded, dashed:"));
  EXPECT_TRUE(says(p, "Measured here:"));
  EXPECT_TRUE(says(p, "copy, recorded"));
  EXPECT_TRUE(says(p, "copy, here"));
  const Theme t = theme(ThemeName::dark, 900);
  int dashed = 0, solid = 0;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::line && s.stroke == t.changed && s.thickness == 3) (s.dash > 0 ? dashed : solid)++;
  EXPECT_EQ(dashed, 18);
  EXPECT_EQ(solid, 0);
}

TEST(TimeView, SaysHowToMeasureWhenThereIsNothing) {
  TimeInput in;
  in.kernel = "scan/blelloch";
  const Picture p = draw(in);
  EXPECT_TRUE(says(p, "Nothing is measured yet."));
  EXPECT_TRUE(says(p, "barrierscope time scan/blelloch -o times.json"));
  EXPECT_TRUE(hit_named(p, "measure"));
}

TEST(TimeView, MeasuringCanBeStopped) {
  TimeInput in = both();
  in.measuring = true;
  in.done = 7;
  in.all = 20;
  in.doing = "scan, N = 2^20";
  const Picture p = draw(in);
  EXPECT_TRUE(hit_named(p, "stop"));
  EXPECT_FALSE(hit_named(p, "measure"));
  EXPECT_TRUE(says(p, "7 of 20"));
}

TEST(TimeView, SlidersSayLogarithms) {
  const Picture p = draw(both());
  const Hit& n = *hit_named(p, "n");
  EXPECT_EQ(slider_value(n, n.box.x), 10);
  EXPECT_EQ(slider_value(n, n.box.right()), 28);
  EXPECT_EQ(slider_value(*hit_named(p, "block"), 0), 5);
}

TEST(TimeView, IsCleanEverywhere) {
  TimeInput empty;
  empty.kernel = "histogram/racy";
  TimeInput wrong = both();
  wrong.recorded[0].records[0].correct = false;
  for (Record& r : wrong.live[0].records) r.correct = false;
  TimeInput crowded = both();
  crowded.live.push_back(
      made_up("G", {"scan/a", "scan/b", "scan/c", "scan/d", "scan/e", "scan/f", "scan/wrong"}, 28, 4000));
  TimeInput measuring = both();
  measuring.measuring = true;
  measuring.done = 3, measuring.all = 19, measuring.doing = "scan, N = 2^20";
  measuring.error = "The GPU failed to launch: out of memory.";
  TimeInput one = both();
  one.recorded.clear();
  one.live[0].records.resize(1);
  for (const auto& [name, in] : {std::pair<std::string, TimeInput>{"both", both()},
                                 {"empty", empty},
                                 {"wrong", wrong},
                                 {"crowded", crowded},
                                 {"measuring", measuring},
                                 {"one", one}})
    for (int n : {10, 24, 28}) {
      TimeInput at = in;
      at.log_n = n;
      expect_clean_everywhere(name, [&](const Theme& t, const Metrics& m, float w, float h) {
        return time_view(at, t, m, w, h);
      });
    }
}

}  // namespace
}  // namespace bscope
