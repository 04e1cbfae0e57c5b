#include "app/measure/sweep.hpp"

#include <gmock/gmock.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "app/cli/run_options.hpp"
#include "app/cli/time.hpp"
#include "app/options/options.hpp"
#include "app/options/run_options.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"

namespace bscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refused_sweep(const std::function<void()>& f) {
  try {
    f();
  } catch (const UsageError& e) { return e.what(); }
  return "accepted";
}
std::string text_of_point(const SweepPoint& p) {
  return p.kernel->name + " " + std::to_string(*p.request.n) + (p.varying.empty() ? "" : " " + p.varying);
}
std::vector<std::string> texts(const SweepPlan& plan) {
  std::vector<std::string> all;
  for (const SweepPoint& p : plan.points) all.push_back(text_of_point(p));
  return all;
}

TEST(SweepAxis, ListsAndRanges) {
  EXPECT_THAT(parse_axis("n=2^10..2^13").values, ElementsAre("1024", "2048", "4096", "8192"));
  EXPECT_THAT(parse_axis("unroll=1..8").values, ElementsAre("1", "2", "4", "8"));
  EXPECT_THAT(parse_axis("block=96..400").values, ElementsAre("96", "192", "384"));
  EXPECT_THAT(parse_axis("n=2^31,1000,2^10,1000").values, ElementsAre("1000", "1024", "2147483648"));
  EXPECT_THAT(parse_axis("pattern=zipf,random").values, ElementsAre("zipf", "random"));
  EXPECT_EQ(parse_axis("skew=0,0.5").name, "skew");
}

TEST(SweepAxis, WhatIsWrongIsOneSentence) {
  EXPECT_THAT(refused_sweep([] { parse_axis("n"); }), HasSubstr("has no values"));
  EXPECT_THAT(refused_sweep([] { parse_axis("n="); }), HasSubstr("has no values"));
  EXPECT_THAT(refused_sweep([] { parse_axis("=1"); }), HasSubstr("names nothing"));
  EXPECT_THAT(refused_sweep([] { parse_axis("n=8..4"); }), HasSubstr("smaller"));
  EXPECT_THAT(refused_sweep([] { parse_axis("n=0..4"); }), HasSubstr("from 1"));
  EXPECT_THAT(refused_sweep([] { parse_axis("n=1,,2"); }), HasSubstr("empty value"));
  EXPECT_THAT(refused_sweep([] { parse_axis("n=many"); }), HasSubstr("--sweep n many is not a number"));
  EXPECT_THAT(refused_sweep([] { parse_axis("n=2^63"); }), HasSubstr("out of range"));
  EXPECT_THAT(refused_sweep([] { parse_axis("skew=0..1"); }), HasSubstr("commas"));
  EXPECT_THAT(refused_sweep([] { parse_axis("block=2^4..x"); }), HasSubstr("not a number"));
}

TEST(Sweep, IsEveryCombinationWithNOutermost) {
  const auto plan =
      plan_sweep({&find("reduce/shared")}, {}, {parse_axis("unroll=1,2"), parse_axis("n=8,16")}, {});
  EXPECT_THAT(texts(plan), ElementsAre("reduce/shared 8 unroll 1", "reduce/shared 8 unroll 2",
                                       "reduce/shared 16 unroll 1", "reduce/shared 16 unroll 2"));
  EXPECT_TRUE(plan.notes.empty());
}

TEST(Sweep, AKernelTakesWhatItDeclaresAndIsMeasuredOnce) {
  const auto plan =
      plan_sweep({&find("reduce/shared"), &find("scan/blelloch"), &find("histogram/privatised")}, {.n = 64},
                 {parse_axis("unroll=1,2"), parse_axis("skew=0,0.5")}, {});
  EXPECT_THAT(texts(plan), testing::UnorderedElementsAre(
                               "reduce/shared 64 unroll 1", "reduce/shared 64 unroll 2", "scan/blelloch 64",
                               "histogram/privatised 64 skew 0", "histogram/privatised 64 skew 0.5"));
}

TEST(Sweep, ValuesThatAreTheDefaultAreTheSamePoint) {
  const Algorithm& a = find("scan/blelloch");
  const auto plan =
      plan_sweep({&a}, {.n = 64}, {parse_axis("type=int32,float"), parse_axis("block=256")}, {});
  EXPECT_EQ(plan.points.size(), 2u);
  EXPECT_EQ(plan_sweep({&a, &a}, {.n = 64}, {}, {}).points.size(), 1u);
}

TEST(Sweep, RefusedValuesAreLeftOutWithANote) {
  // a tree needs powers of two, Kogge-Stone does not
  const auto plan = plan_sweep({&find("scan/blelloch"), &find("scan/kogge-stone")}, {.n = 64},
                               {parse_axis("block=96,128")}, {});
  EXPECT_THAT(texts(plan),
              testing::UnorderedElementsAre("scan/kogge-stone 64 block 96", "scan/blelloch 64 block 128",
                                            "scan/kogge-stone 64 block 128"));
  ASSERT_EQ(plan.notes.size(), 1u);
  EXPECT_THAT(plan.notes[0].english(),
              HasSubstr("scan/blelloch, block 96 is left out: --block 96 is not possible"));
  EXPECT_THAT(refused_sweep(
                  [] { plan_sweep({&find("scan/blelloch")}, {.n = 64}, {parse_axis("block=96,128")}, {}); }),
              HasSubstr("--block 96 is not possible"))
      << "a value that no kernel takes is a mistake";
}

TEST(Sweep, WhatNoKernelTakesIsAMistake) {
  const std::vector<const Algorithm*> one{&find("scan/blelloch")};
  EXPECT_THAT(refused_sweep([&] { plan_sweep(one, {.n = 64}, {parse_axis("colour=1")}, {}); }),
              HasSubstr("no parameter \"colour\""));
  EXPECT_THAT(refused_sweep([&] { plan_sweep(one, {.n = 64}, {parse_axis("skew=0.5")}, {}); }),
              HasSubstr("--skew is for histograms"));
  EXPECT_THAT(refused_sweep([&] {
                plan_sweep(one, {.n = 64, .set = {{"colour", "red"}}}, {}, {});
              }),
              HasSubstr("no parameter \"colour\""));
  EXPECT_THAT(refused_sweep([&] { plan_sweep(one, {.n = 64}, {parse_axis("n=8")}, {}); }),
              HasSubstr("another option"));
  EXPECT_THAT(refused_sweep([&] {
                plan_sweep(one, {}, {parse_axis("n=8"), parse_axis("n=9")}, {});
              }),
              HasSubstr("given twice"));
  EXPECT_THAT(refused_sweep([&] { plan_sweep(one, {.n = 64, .block = 1000}, {}, {}); }),
              HasSubstr("--block 1000"));
  EXPECT_THAT(refused_sweep([&] { plan_sweep(one, {}, {parse_axis("pattern=zipf")}, {1024}); }),
              HasSubstr("is for histograms"));
}

TEST(Sweep, DefaultLengthsAreForRequestsWithoutOne) {
  const std::vector<const Algorithm*> one{&find("scan/blelloch")};
  EXPECT_EQ(plan_sweep(one, {}, {}, {8, 16}).points.size(), 2u);
  EXPECT_EQ(plan_sweep(one, {.n = 4}, {}, {8, 16}).points.size(), 1u);
  EXPECT_EQ(plan_sweep(one, {.values = {{1, 2, 3}}}, {}, {8, 16}).points.size(), 1u);
  EXPECT_EQ(sweep_sizes(Device::gpu).back(), 1LL << 29);
  EXPECT_EQ(sweep_sizes(Device::cpu).back(), 1LL << 26);
}

TEST(Sweep, PartsAreDisjointAndWhole) {
  const auto plan =
      plan_sweep({&find("scan/blelloch"), &find("scan/kogge-stone")}, {}, {}, {8, 16, 32, 64, 128});
  std::multiset<std::string> all;
  for (int k = 0; k < 3; ++k)
    for (const std::string& text : texts(part_of(plan, {k, 3}))) all.insert(text);
  const auto whole = texts(plan);
  EXPECT_EQ(all, std::multiset<std::string>(whole.begin(), whole.end()));
  EXPECT_EQ(part_of(plan, {2, 3}).points.size(), 3u);
}

TEST(Sweep, FittingFallsBackToAKernelsDefaults) {
  const RunSpec r{
      .skew = 0.5, .block = 96, .set = {{"type", "float"}, {"unroll", "4"}, {"scan", "sideways"}}};
  const RunSpec fits = fitting(find("scan/blelloch"), r);
  EXPECT_FALSE(fits.block);
  EXPECT_FALSE(fits.skew);
  EXPECT_EQ(fits.set.size(), 1u);
  EXPECT_NO_THROW(timed_problem(find("scan/blelloch"), fits));
}

TEST(PowerText, OfPowersAndOthers) {
  EXPECT_EQ(power_text(1 << 20), "2^20");
  EXPECT_EQ(power_text(1LL << 31), "2^31");
  EXPECT_EQ(power_text(1000), "1000");
  EXPECT_EQ(power_text(16), "16");
}

/// What `time` reads.
struct Parsed {
  TimeOptions time;
  RunOptions run;
};
Parsed parse(std::vector<std::string> args) {
  Parsed p;
  CLI::App app;
  Options options(app, "time");
  options.words("KERNEL", "", 1000, p.time.kernels);
  measuring_options(options, p.time);
  input_options(options, p.run);
  std::ranges::reverse(args);
  app.parse(args);
  options.read(options);
  return p;
}

TEST(TimeArguments, AreRead) {
  const Parsed a =
      parse({"scan/blelloch", "--sweep", "n=2^4..2^6", "--sweep",   "block=32,64",    "--noise", "1%",
             "--samples",     "20..50",  "--seconds",  "0.5",       "--most-seconds", "3",       "--gpus",
             "all",           "--part",  "2/8",        "--entropy", "0.544",          "--n",     "2^31"});
  EXPECT_EQ(a.time.sweep.size(), 2u);
  EXPECT_DOUBLE_EQ(a.time.noise, 0.01);
  EXPECT_EQ(a.time.least, 20);
  EXPECT_EQ(a.time.most, 50);
  EXPECT_EQ(a.time.seconds, 0.5);
  EXPECT_EQ(a.time.most_seconds, 3);
  EXPECT_EQ(a.time.gpus, 0);
  EXPECT_EQ(a.time.part.index, 2);
  EXPECT_EQ(a.time.part.of, 8);
  EXPECT_EQ(a.run.request.entropy, 0.544);
  EXPECT_EQ(a.run.request.n, 1LL << 31);
  EXPECT_TRUE(parse({"--merge", "a.json", "b.json"}).time.merge);
}

TEST(TimeArguments, BadOnesAreOneSentence) {
  const auto why = [](std::vector<std::string> more) {
    more.insert(more.begin(), "scan/blelloch");
    return refused_sweep([&] { parse(more); });
  };
  EXPECT_THAT(why({"--noise", "much"}), HasSubstr("--noise much"));
  EXPECT_THAT(why({"--noise", "0"}), HasSubstr("no share"));
  EXPECT_THAT(why({"--samples", "9..3"}), HasSubstr("11..200"));
  EXPECT_THAT(why({"--seconds", "0"}), HasSubstr("too short"));
  EXPECT_THAT(why({"--most-seconds", "-1"}), HasSubstr("too short"));
  EXPECT_THAT(why({"--gpus", "0"}), HasSubstr("too few"));
  EXPECT_THAT(why({"--part", "8/8"}), HasSubstr("(M-1)/M"));
  EXPECT_THAT(why({"--part", "3"}), HasSubstr("0/8"));
  EXPECT_THAT(why({"--sweep", "n"}), HasSubstr("has no values"));
  EXPECT_THAT(why({"--pattern", "waves"}), HasSubstr("entropy"));
}

}  // namespace
}  // namespace bscope
