#include "app/measure/measuring.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/measure/sweep.hpp"
#include "tests/timing/fake_meter.hpp"

namespace bscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names(const Recording& run) {
  std::vector<std::string> all;
  for (const Record& r : run.records) all.push_back(r.kernel + " " + std::to_string(r.n));
  return all;
}

struct MeasureLoop : testing::Test {
  FakeDevice device;
  FakeMeter meter{device};
  SweepPlan plan_of(std::vector<std::string> kernels, const RunSpec& r,
                    const std::vector<std::string>& axes = {},
                    const std::vector<long long>& lengths = {1024, 2048, 4096}) {
    std::vector<const Algorithm*> algorithms;
    for (const std::string& name : kernels) algorithms.push_back(&find(name));
    std::vector<SweepAxis> all;
    for (const std::string& axis : axes) all.push_back(parse_axis(axis));
    return plan_sweep(algorithms, r, all, lengths);
  }
};

TEST_F(MeasureLoop, ReferencesComeOnceForAJob) {
  const Measured m = measure(meter, plan_of({"reduce/shared", "reduce/warp-shuffle", "scan/blelloch"}, {},
                                            {"unroll=1,2", "block=128,256"}, {1024, 2048}));
  EXPECT_THAT(device.referenced, ElementsAre("reduce 1024", "scan 1024", "reduce 2048", "scan 2048"));
  EXPECT_GT(device.measured.size(), 12u);
  EXPECT_TRUE(device.ended);
  EXPECT_EQ(m.failure.english(), "");
  EXPECT_FALSE(m.stopped);
  EXPECT_THAT(m.run.notes, IsEmpty());
}

TEST_F(MeasureLoop, InTurnEachKernelHasReferencesOfItsOwn) {
  const Measured m =
      measure(meter, plan_of({"reduce/grid-stride", "reduce/shared"}, {.n = 1024}, {"operator=add,max"}),
              {.in_turn = true});
  std::vector<std::string> all;
  for (const Record& r : m.run.records) {
    const auto op = r.parameters.find("operator");
    all.push_back(r.kernel + (op == r.parameters.end() ? "" : " " + op->second));
  }
  EXPECT_THAT(all, ElementsAre("reduce/grid-stride add", "cub/reduce", "read/reduce", "reduce/shared add",
                               "cub/reduce", "read/reduce", "reduce/grid-stride max", "cub/reduce max",
                               "read/reduce max", "reduce/shared max", "cub/reduce max", "read/reduce max"));
}

TEST_F(MeasureLoop, OtherInputsTypesOperatorsAndScansAreOtherJobs) {
  measure(meter, plan_of({"scan/hierarchical"}, {.n = 1024},
                         {"type=int32,float", "operator=add,max", "scan=inclusive,exclusive", "seed=1,2"}));
  EXPECT_EQ(device.referenced.size(), 16u);
  device.referenced.clear();
  measure(meter, plan_of({"histogram/privatised"}, {.n = 1024},
                         {"entropy=1,0.811,0", "bins=16,256", "block=128,256"}));
  EXPECT_EQ(device.referenced.size(), 6u);
}

TEST_F(MeasureLoop, RecordsSayWhatTheirInputWas) {
  const Measured m = measure(
      meter, plan_of({"histogram/privatised", "scan/blelloch"}, {.n = 1024, .seed = 7}, {"skew=0,0.5"}));
  for (const Record& r : m.run.records) {
    EXPECT_EQ(r.parameters.at("pattern"), r.family() == "scan" ? "sine" : "skewed") << r.kernel;
    EXPECT_EQ(r.parameters.at("seed"), "7");
    EXPECT_EQ(r.parameters.contains("skew"), r.family() == "histogram");
  }
  const auto cub = std::find_if(m.run.records.begin(), m.run.records.end(),
                                [](const Record& r) { return r.kernel == "cub/scan"; });
  ASSERT_NE(cub, m.run.records.end());
  EXPECT_EQ(cub->parameters.at("scan"), "exclusive") << "as Blelloch's is";
  for (const Problem& p : device.problems) {
    EXPECT_TRUE(p.data.empty()) << "said, not held";
    EXPECT_TRUE(p.made);
  }
}

TEST_F(MeasureLoop, WhatDoesNotFitIsNotedAndTheOthersGoOn) {
  device.seconds = [](const Algorithm& a, const Problem& p) {
    if (a.name == "scan/blelloch" && p.n() >= 2048)
      throw TooLarge(Message::plain("2048 elements need more memory than there is"));
    return 1e-6;
  };
  const Measured m = measure(meter, plan_of({"scan/blelloch", "scan/blelloch-padded"}, {}));
  EXPECT_THAT(device.measured,
              ElementsAre("scan/blelloch 1024", "scan/blelloch-padded 1024", "scan/blelloch 2048",
                          "scan/blelloch-padded 2048", "scan/blelloch-padded 4096"))
      << "what does not fit once is not tried again with more";
  ASSERT_EQ(m.run.notes.size(), 1u);
  EXPECT_EQ(m.run.notes[0],
            "scan/blelloch, N = 2^11 is left out: 2048 elements need more memory than there is");
  EXPECT_EQ(m.failure.english(), "");
  EXPECT_EQ(m.refused.english(), "2048 elements need more memory than there is");
}

TEST_F(MeasureLoop, ADeviceThatVanishesEndsTheSweepAndKeepsTheRest) {
  device.seconds = [](const Algorithm&, const Problem& p) {
    if (p.n() == 4096) throw std::runtime_error("the GPU has fallen off the bus");
    return 1e-6;
  };
  const Measured m = measure(meter, plan_of({"scan/blelloch", "scan/blelloch-padded"}, {}));
  EXPECT_EQ(m.failure.english(), "the GPU has fallen off the bus");
  EXPECT_THAT(m.run.notes,
              ElementsAre("ended early at scan/blelloch, N = 2^12: the GPU has fallen off the bus"));
  EXPECT_THAT(names(m.run), ElementsAre("cub/scan 1024", "copy/scan 1024", "scan/blelloch 1024",
                                        "scan/blelloch-padded 1024", "cub/scan 2048", "copy/scan 2048",
                                        "scan/blelloch 2048", "scan/blelloch-padded 2048", "cub/scan 4096",
                                        "copy/scan 4096"));
  EXPECT_FALSE(device.ended);
}

TEST_F(MeasureLoop, AnErrorOfTheReferencesIsOneOfTheDevice) {
  device.on_references = [](const Algorithm&, const Problem& p) {
    if (p.n() == 2048) throw TooLarge(Message::plain("no room for the library"));
    if (p.n() == 4096) throw std::runtime_error("gone");
  };
  const Measured m = measure(meter, plan_of({"scan/blelloch"}, {}));
  EXPECT_EQ(m.failure.english(), "") << "after what was too large, more is not tried";
  EXPECT_THAT(names(m.run), ElementsAre("cub/scan 1024", "copy/scan 1024", "scan/blelloch 1024",
                                        "scan/blelloch 2048", "scan/blelloch 4096"));
}

TEST_F(MeasureLoop, AKernelThatIsTooSlowIsLeftOutFromThereOn) {
  device.seconds = [](const Algorithm& a, const Problem& p) {
    return a.name == "histogram/serial" ? double(p.n()) * 1e-3 : 1e-6;
  };
  const Measured m =
      measure(meter, plan_of({"histogram/serial", "histogram/privatised"}, {}), {.most_seconds = 3});
  EXPECT_THAT(device.measured,
              ElementsAre("histogram/serial 1024", "histogram/privatised 1024", "histogram/serial 2048",
                          "histogram/privatised 2048", "histogram/privatised 4096"));
  EXPECT_THAT(m.run.notes,
              ElementsAre("histogram/serial, N = 2^12 would take about 4.1 s a run: left out from there on"));
}

TEST_F(MeasureLoop, StopEndsItBetweenStepsAndKeepsWhatIsThere) {
  bool stop = false;
  device.seconds = [&](const Algorithm&, const Problem& p) {
    stop = p.n() == 2048;
    return 1e-6;
  };
  FakeMeter asks(device, [&] { return stop; });
  std::vector<int> done;
  const Measured m = measure(asks, plan_of({"scan/blelloch"}, {}), {.stop = [&] { return stop; }},
                             [&](const MeasureProgress& p) { done.push_back(p.done); });
  EXPECT_TRUE(m.stopped);
  EXPECT_THAT(names(m.run), ElementsAre("cub/scan 1024", "copy/scan 1024", "scan/blelloch 1024",
                                        "cub/scan 2048", "copy/scan 2048"))
      << "a record without samples is none";
  EXPECT_THAT(m.run.notes, ElementsAre("stopped at references of scan, N = 2^12"));
  EXPECT_THAT(done, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_TRUE(device.ended);
}

TEST_F(MeasureLoop, TellsWhereItStands) {
  std::vector<std::string> doing;
  double share = -1;
  measure(meter, plan_of({"reduce/shared"}, {}, {"unroll=1,2"}, {1024}), {}, [&](const MeasureProgress& p) {
    doing.push_back(p.doing);
    EXPECT_EQ(p.all, 3);
    EXPECT_EQ(p.done, int(doing.size()) - 1);
    EXPECT_GT(p.share, share);
    share = p.share;
    if (p.done > 0) { EXPECT_GE(p.seconds_left, 0); }
  });
  EXPECT_THAT(doing,
              ElementsAre("references of reduce, N = 2^10, unroll 1", "reduce/shared, N = 2^10, unroll 1",
                          "reduce/shared, N = 2^10, unroll 2", ""));
  EXPECT_DOUBLE_EQ(share, 1);
}

TEST(WrongByDesign, RacesAndMistakesAre) {
  EXPECT_TRUE(wrong_by_design(find("histogram/racy")));
  EXPECT_TRUE(wrong_by_design(find("mistakes/dropped-tail")));
  EXPECT_FALSE(wrong_by_design(find("scan/blelloch")));
}

}  // namespace
}  // namespace bscope
