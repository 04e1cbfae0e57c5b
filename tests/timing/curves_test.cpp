// Which curves recordings make, and what tells them apart.
#include "engine/timing/curves.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/timing/kinds.hpp"
#include "tests/places.hpp"

namespace bscope {
namespace {

using testing::ElementsAre;

/// 2^10 to 2^last, each kernel faster than the one before.
Recording made_up(const std::string& device, const std::vector<std::string>& kernels, int last = 12,
                  const std::string& block = "256") {
  Recording run{device, "driver 1", "2025-01-02T03:04:05Z", 1000, 0, 0, {}};
  double best = 100;
  for (const auto& kernel : kernels) {
    best *= 1.6;
    for (int p = 10; p <= last; ++p) {
      Record r;
      r.kernel = kernel;
      r.parameters = {{"block", block}};
      r.n = 1LL << p;
      r.type = "int32";
      r.bytes = 8 * double(r.n);
      r.samples = {r.bytes / best / 1e9};
      complete(r, run);
      run.records.push_back(r);
    }
  }
  return run;
}
/// Of everything that a recording can hold.
const Recording& full() {
  static const Recording r =
      load_recording(std::string(BARRIERSCOPE_ROOT) + "/tests/recorded/made_up_times.json");
  return r;
}
CurvesAsked asked(const std::string& kernel, const std::vector<const Recording*>& runs) {
  CurvesAsked a{.kernel = kernel, .chosen = {{"block", "256"}}};
  for (const Recording* run : runs) a.runs.push_back({run, true, run->device + run->date});
  return a;
}

TEST(Curves, SayWhatEachIs) {
  Recording run = made_up("G", {"scan/a", "scan/b", "cub/scan", "copy/scan", "tbb/scan", "reduce/a"});
  CurvesAsked a = asked("scan/b", {&run});
  a.series = {"scan/a", "scan/b"};
  a.hidden = {"G2025-01-02T03:04:05Z/scan/a int32 block=256"};
  const auto all = curves_over_n(a);
  ASSERT_EQ(all.size(), 5u) << "the reduction is another family";
  EXPECT_TRUE(all[0].hidden && all[0].variant == 0 && !all[0].current);
  EXPECT_TRUE(all[1].current && all[1].variant == 1 && !all[1].hidden);
  EXPECT_TRUE(all[2].reference && all[2].variant == -1);
  EXPECT_TRUE(all[3].limit && !all[3].cpu) << "a GPU's copy";
  EXPECT_TRUE(all[4].cpu && !all[4].limit);
  for (const Curve& c : all) EXPECT_TRUE(c.apart.empty() && !c.by_device) << c.key;
  run.driver = "8 threads";
  EXPECT_TRUE(curves_over_n(a)[3].cpu) << "a CPU's";
}

TEST(Curves, OfOneKernelAreToldApartByWhatTheyDoNotShare) {
  Recording run = made_up("G", {"reduce/a"});
  const Recording other = made_up("G", {"reduce/a"}, 12, "512");
  run.records.insert(run.records.end(), other.records.begin(), other.records.end());
  CurvesAsked a = asked("reduce/a", {&run});
  auto all = curves_over_n(a);
  ASSERT_EQ(all.size(), 2u);
  for (const Curve& c : all) EXPECT_THAT(c.apart, ElementsAre("block"));
  EXPECT_TRUE(all[0].current && all[1].sibling);
  a.chosen["block"] = "512";
  all = curves_over_n(a);
  EXPECT_TRUE(all[0].sibling && all[1].current);
  a.chosen["block"] = "64";  // measured with neither
  all = curves_over_n(a);
  EXPECT_TRUE(all[0].current && all[1].current);
  run.records.pop_back();  // 512 at fewer lengths
  run.records.push_back(made_up("G", {"reduce/a"}, 13).records.back());
  all = curves_over_n(a);
  EXPECT_EQ(all.size(), 1u) << "two points are no curve beside four";
  const Recording longer = made_up("G", {"reduce/a"}, 14, "512");
  run.records.insert(run.records.end(), longer.records.begin(), longer.records.end());
  all = curves_over_n(a);
  EXPECT_TRUE(all[0].sibling && all[1].current) << "the one that was measured at most lengths";
  a.chosen.erase("block");
  a.parameters = {{"block", "512"}};  // the kernel's own value counts where nothing is chosen
  all = curves_over_n(a);
  EXPECT_TRUE(all[0].sibling && all[1].current);
  a.kernel = "reduce/b";  // of a kernel that is not open one stays
  EXPECT_EQ(curves_over_n(a).size(), 1u);
  a.runs[0].recorded = false;  // measured now: all
  EXPECT_EQ(curves_over_n(a).size(), 2u);
}

TEST(Curves, AreOfTheJobThatIsChosenOrSayOfWhich) {
  Recording run{"G", "driver 1", "2025-01-02T03:04:05Z", 1000, 0, 0, {}};
  const auto add = [&](const char* kernel, const char* type, const std::map<std::string, std::string>& set) {
    for (Record r : made_up("G", {kernel}).records) {
      r.type = type;
      r.parameters = set;
      run.records.push_back(r);
    }
  };
  for (const char* type : {"int32", "double"})
    for (const char* kind : {"exclusive", "inclusive"})
      for (const char* kernel : {"scan/a", "cub/scan"}) add(kernel, type, {{"scan", kind}});
  add("scan/b", "int32", {{"scan", "exclusive"}});
  add("scan/a", "double", {{"scan", "inclusive"}, {"items", "9"}});

  CurvesAsked a = asked("scan/a", {&run});
  a.parameters = {{"scan", "inclusive"}, {"items", "3"}};
  a.type = "double";
  const auto all = curves_over_n(a);
  std::vector<std::string> seen;
  for (const Curve& c : all) {
    std::string& s = seen.emplace_back(c.first().kernel + " " + c.first().type + ":");
    for (const std::string& name : c.apart) s += " " + name;
  }
  EXPECT_THAT(
      seen, ElementsAre("scan/a double:", "cub/scan double:", "scan/b int32: type", "scan/a double: items"));
  EXPECT_EQ(all[1].first().parameters.at("scan"), "inclusive") << "CUB on the same job";
}

TEST(Curves, OfTwoRecordingsAreToldApartByDeviceThenByDate) {
  const Recording one = made_up("G", {"reduce/a", "cub/reduce"}), two = made_up("H", {"reduce/a"});
  for (const Curve& c : curves_over_n(asked("reduce/a", {&one, &two})))
    EXPECT_TRUE(c.by_device == (c.first().kernel == "reduce/a") && !c.by_date) << c.key;
  Recording again = one;
  again.date = "2026-01-01T00:00:00Z";
  for (const Curve& c : curves_over_n(asked("reduce/a", {&one, &again})))
    EXPECT_TRUE(c.by_device && c.by_date) << c.key;
}

TEST(Curves, APointThatWasMeasuredTwiceCountsOnce) {
  Recording run = made_up("G", {"scan/a"});
  run.records.push_back(run.records[0]);
  const auto all = curves_over_n(asked("scan/a", {&run}));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].points.size(), 3u);
  EXPECT_TRUE(std::ranges::is_sorted(all[0].points, {}, &Record::n));
  EXPECT_EQ(all[0].at(1 << 11), &run.records[1]);
  EXPECT_EQ(all[0].at(1 << 20), nullptr);
}

TEST(Curves, SweepsAtOneLengthAndSeveralGpusAreNoCurvesOverN) {
  for (const char* kernel : {"scan/look-ahead", "reduce/one-atomic", "histogram/per-lane"})
    for (const Curve& c : curves_over_n(asked(kernel, {&full()}))) {
      EXPECT_GE(c.points.size(), 3u) << c.key;
      for (const Record* r : c.points) {
        EXPECT_EQ(r->gpus, 1);
        EXPECT_FALSE(r->parameters.contains("exchange") || r->parameters.contains("entropy")) << c.key;
      }
    }
}

TEST(Sweeps, TicksGoUpAndLinesAreOfOneLength) {
  CurvesAsked a = asked("scan/look-ahead", {&full()});
  a.parameters = {{"type", "int32"}, {"items", "4"}, {"stages", "2"}, {"unroll", "1"}};
  EXPECT_THAT(swept_axes(a), ElementsAre("block", "items", "stages")) << "unroll is swept by nobody";
  const Sweep block = sweep_over(a, "block");
  EXPECT_EQ(block.n, 1 << 27);
  EXPECT_THAT(block.ticks, ElementsAre("32", "64", "128", "256", "512", "1024"));
  EXPECT_EQ(block.lines.size(), 9u) << "one a kernel";
  for (const Curve& c : block.lines) {
    EXPECT_EQ(c.points.size(), 6u) << c.key;
    for (size_t k = 0; k < c.points.size(); ++k) EXPECT_EQ(block.place(*c.points[k]), double(k));
    EXPECT_EQ(c.current, c.first().kernel == a.kernel);
  }
  EXPECT_EQ(block.levels.size(), 2u) << "CUB and the copy do not depend on it";
  EXPECT_EQ(block.place(Record{}), -1) << "of no block";
  const Sweep items = sweep_over(a, "items");
  EXPECT_THAT(items.ticks, ElementsAre("1", "3"));
  ASSERT_EQ(items.lines.size(), 2u);
  for (const Curve& c : items.lines) EXPECT_THAT(c.apart, ElementsAre("stages"));
  a = asked("reduce/interleaved-global", {&full()});
  a.log_n = 22;  // swept at every length: the nearest
  EXPECT_EQ(sweep_over(a, "unroll").n, 1 << 22);
  EXPECT_EQ(sweep_over(a, "unroll").lines.size(), 1u);
}

TEST(Sweeps, KeysGoFromUniformToOne) {
  const Sweep keys = sweep_over(asked("histogram/per-lane", {&full()}), "keys");
  EXPECT_EQ(keys.n, 1LL << 31);
  EXPECT_THAT(keys.ticks, ElementsAre("uniform", "entropy 0.811", "skew 0.5", "entropy 0.544",
                                      "entropy 0.337", "entropy 0.201", "one key"));
  EXPECT_TRUE(std::ranges::any_of(keys.lines, &Curve::reference)) << "CUB's time depends on the keys";
}

TEST(Curves, OverGpusHaveAPointANumber) {
  const auto all = curves_over_gpus(asked("scan/hierarchical", {&full()}));
  ASSERT_FALSE(all.empty());
  for (const Curve& c : all) {
    EXPECT_GE(c.points.size(), 2u);
    EXPECT_TRUE(std::ranges::is_sorted(c.points, {}, &Record::gpus));
    EXPECT_EQ(c.current, c.first().kernel == "scan/hierarchical");
    EXPECT_TRUE(c.apart.empty()) << "all are of one length";
  }
  Recording both = full();
  for (const Record& r : full().records)
    if (is_of_several(r) && r.gpus > 1)
      both.records.push_back(r), both.records.back().parameters["exchange"] = "peer";
  const auto by_exchange = curves_over_gpus(asked("scan/hierarchical", {&both}));
  EXPECT_EQ(by_exchange.size(), 2 * all.size());
  for (const Curve& c : by_exchange) {
    EXPECT_EQ(c.first().gpus, 1) << "each begins at one GPU alone";
    EXPECT_THAT(c.apart, ElementsAre("exchange"));
    EXPECT_FALSE(c.by_device) << "the exchange tells them apart";
  }
  Recording two = full();
  for (Record& r : two.records)
    if (is_of_several(r)) r.n *= 2;
  for (const Curve& c : curves_over_gpus(asked("scan/hierarchical", {&full(), &two})))
    EXPECT_THAT(c.apart, ElementsAre("n"));
}

TEST(Curves, WarmTimesTakeTheColdOnesPlace) {
  Recording run = made_up("G", {"scan/a", "scan/b"});
  Record& r = run.records[0];
  r.warm_samples = {r.seconds.median / 2};
  complete(r, run);
  EXPECT_TRUE(has_warm_times(run, "scan"));
  EXPECT_FALSE(has_warm_times(run, "reduce"));
  const Recording warm = with_warm_times(run);
  ASSERT_EQ(warm.records.size(), 1u) << "what has none is left out";
  EXPECT_DOUBLE_EQ(warm.records[0].gb_per_s, 2 * r.gb_per_s);
  EXPECT_DOUBLE_EQ(warm.records[0].of_copy, 2 * r.of_copy);
  EXPECT_EQ(with_warm_times(warm).records[0].gb_per_s, warm.records[0].gb_per_s) << "twice is once";
  run.driver = "8 threads";
  EXPECT_EQ(with_warm_times(run).records.size(), 6u) << "a CPU's runs are in a row anyway";
}

TEST(Curves, RatesLeaveOutTheOutermostRuns) {
  Record r;
  r.samples = {2, 1, 4};
  r.bytes = 8e9;
  complete(r, {});
  EXPECT_EQ(usual_rates(r), std::pair(2.0, 8.0)) << "of a few runs all";
  EXPECT_THAT(deviations(r), ElementsAre(0, -0.5, 1));
  r.samples.assign(40, 2);
  r.samples[0] = 100, r.samples[1] = 0.1;
  complete(r, {});
  EXPECT_EQ(usual_rates(r), std::pair(4.0, 4.0));
  r.samples.clear();
  EXPECT_THAT(deviations(r), testing::SizeIs(2));
}

}  // namespace
}  // namespace bscope
