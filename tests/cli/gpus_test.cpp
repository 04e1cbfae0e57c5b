// `time --gpus N` with meters that measure nothing: what is asked of them, in what order, and what is
// refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "app/cli/time.hpp"

namespace bscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// GPUs of this many; each run takes 1/gpus of a millisecond.
class FakeMeter : public Meter {
 public:
  FakeMeter(int gpus, int last) : gpus_(gpus), last_(last) {}
  Recording begin() override {
    run_.device = "some GPU";
    run_.driver = "1";
    run_.date = "2026-01-31T12:00:00Z";
    run_.copy_gb_per_s = 10;
    run_.peak_gb_per_s = 20;
    return run_;
  }
  Record kernel(const Algorithm& a, const Problem& p) override {
    if (gpus_ > last_) throw std::runtime_error("a GPU has fallen off the bus");
    Record r;
    r.kernel = a.name;
    r.parameters["exchange"] = gpus_ == 1 ? "none" : "peer";
    r.n = p.n();
    r.type = "int32";
    r.samples.assign(11, 1e-3 / gpus_);
    r.bytes = 4e6;
    r.gpus = gpus_;
    r.correct = true;
    complete(r, run_);
    return r;
  }
  std::vector<Record> in_turn(const Algorithm& a, const Problem& p) override {
    EXPECT_GT(gpus_, 1);
    std::vector<Record> all(2, kernel(a, p));
    all[1].parameters["exchange"] = "nccl";
    return all;
  }
  std::vector<Record> references(const Algorithm&, const Problem&) override { return {}; }
  void end(Recording&) override {}

 private:
  int gpus_, last_;
  Recording run_;
};

struct TimeGpus : testing::Test {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("bscope_gpus_" + std::to_string(::getpid()));
  TimeOptions options;
  Meters meters = Meters::of_this_machine();
  std::vector<int> made;
  int last = 100;  ///< with more GPUs than these the device fails
  std::string table, errors;

  TimeGpus() {
    std::filesystem::create_directories(folder);
    options.kernels = {"reduce/grid-stride", "scan/hierarchical"};
    options.request.n = 1 << 20;
    options.device = Device::gpu;
    options.out = (folder / "curve.json").string();
    meters.several = [this](int gpus, const Patience&, const std::function<bool()>&) {
      made.push_back(gpus);
      return std::make_unique<FakeMeter>(gpus, last);
    };
    meters.gpus = [] { return 4; };
  }
  ~TimeGpus() override { std::filesystem::remove_all(folder); }

  int time() {
    std::ostringstream to;
    testing::internal::CaptureStderr();
    const int code = time_command(options, to, meters);
    table = to.str();
    errors = testing::internal::GetCapturedStderr();
    return code;
  }
  std::string refusal() {
    try {
      std::ostringstream to;
      time_command(options, to, meters);
    } catch (const UsageError& e) { return e.what(); }
    return "";
  }
  std::vector<std::string> curve() const {
    std::vector<std::string> all;
    for (const Record& r : load_recording(options.out).records)
      all.push_back(r.kernel + " on " + std::to_string(r.gpus) +
                    (r.parameters.at("exchange") == "nccl" ? " by NCCL" : ""));
    return all;
  }
};

TEST_F(TimeGpus, AllMeasuresACurveIntoOneRecording) {
  options.gpus = 0;
  EXPECT_EQ(time(), 0);
  EXPECT_THAT(made, ElementsAre(4, 2, 1))
      << "what lacks for the largest is found before anything is measured";
  EXPECT_THAT(curve(), ElementsAre("reduce/grid-stride on 1", "scan/hierarchical on 1",
                                   "reduce/grid-stride on 2", "reduce/grid-stride on 2 by NCCL",
                                   "scan/hierarchical on 2", "scan/hierarchical on 2 by NCCL",
                                   "reduce/grid-stride on 4", "reduce/grid-stride on 4 by NCCL",
                                   "scan/hierarchical on 4", "scan/hierarchical on 4 by NCCL"));
  EXPECT_THAT(table, HasSubstr("4 GPUs"));
  EXPECT_THAT(errors, HasSubstr("scan/hierarchical, N = 2^20, 2 GPUs"));
  for (const Record& r : load_recording(options.out).records) {
    EXPECT_NEAR(r.gb_per_s, 4.0 * r.gpus, 1e-9);
    EXPECT_NEAR(r.of_copy, 0.4, 1e-9) << "of the copies of so many GPUs";
    EXPECT_NEAR(r.of_peak, 0.2, 1e-9);
  }
}

TEST_F(TimeGpus, ThreeAreMeasuredOnOneTwoAndThree) {
  options.gpus = 3;
  options.kernels = {"scan/look-ahead"};
  EXPECT_EQ(time(), 0);
  EXPECT_THAT(curve(),
              ElementsAre("scan/look-ahead on 1", "scan/look-ahead on 2", "scan/look-ahead on 2 by NCCL",
                          "scan/look-ahead on 3", "scan/look-ahead on 3 by NCCL"));
}

TEST_F(TimeGpus, WhatWasMeasuredBeforeADeviceFailsIsKept) {
  options.gpus = 0;
  last = 2;
  EXPECT_EQ(time(), 1);
  EXPECT_EQ(curve().size(), 6u);
  EXPECT_THAT(errors, HasSubstr("a GPU has fallen off the bus"));
}

TEST_F(TimeGpus, RefusesBeforeAnyMeterIsMade) {
  options.gpus = 4;
  options.request.n = 12;
  EXPECT_THAT(refusal(), HasSubstr("--n 12 is too small for 4 GPUs"));
  options.request.n.reset();
  options.request.values = std::vector<double>(100, 1);
  EXPECT_THAT(refusal(), HasSubstr("use --n and --pattern"));
  options.request.values.reset();
  options.request.set = {{"operator", "min"}};
  EXPECT_THAT(refusal(), HasSubstr("leave out --set operator=min"));
  options.request.set.clear();
  options.kernels = {"patterns/global-stride"};
  EXPECT_THAT(refusal(), HasSubstr("runs on one GPU only"));
  options.kernels = {"scan/hierarchical"};
  options.device = Device::cpu;
  EXPECT_THAT(refusal(), HasSubstr("leave out --device cpu"));
  EXPECT_TRUE(made.empty());
}

TEST_F(TimeGpus, NeedsThemAllWhereThereAreNone) {
  if (gpu()) GTEST_SKIP() << "there is a GPU here";
  meters = Meters::of_this_machine();
  for (const int gpus : {0, 2}) {
    options.gpus = gpus;
    std::ostringstream to;
    EXPECT_THROW(time_command(options, to, meters), NoDevice);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

}  // namespace
}  // namespace bscope
