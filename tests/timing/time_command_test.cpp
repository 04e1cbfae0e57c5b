#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <system_error>

#include "app/cli/time.hpp"
#include "app/measure/sweep.hpp"
#include "engine/timing/baseline.hpp"
#include "tests/timing/fake_meter.hpp"

namespace bscope {
namespace {

using testing::HasSubstr;

struct TimeCommand : testing::Test {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("bscope_time_" + std::to_string(::getpid()));
  TimeOptions options;
  FakeDevice device;
  bool there = true;  ///< a GPU
  std::string out, err;
  TimeCommand() {
    std::filesystem::create_directories(folder);
    options.kernels = {"scan/blelloch", "reduce/shared", "histogram/racy"};
    options.request.n = 1000;
  }
  ~TimeCommand() override { std::filesystem::remove_all(folder); }

  int run() {
    Meters meters = Meters::of_this_machine();
    meters.gpu = [&](const Patience& p, std::function<bool()> stop) -> std::unique_ptr<Meter> {
      if (!there) throw NoDevice(Message::plain("no CUDA device: there is none"));
      device.patience = p;
      return std::make_unique<FakeMeter>(device, stop);
    };
    std::ostringstream to;
    testing::internal::CaptureStderr();
    int code = -1;
    const auto captured = [&] {
      out = to.str();
      err = testing::internal::GetCapturedStderr();
    };
    try {
      code = time_command(options, to, meters);
    } catch (...) {
      captured();
      throw;
    }
    captured();
    return code;
  }
};

TEST_F(TimeCommand, OnTheCpuWritesTheBaselines) {
  options.device = Device::cpu;
  options.device_given = true;
  options.seconds = 0.05;
  options.out = (folder / "times.json").string();
  EXPECT_EQ(run(), 0);
  EXPECT_THAT(err, HasSubstr("3 of 3: histogram, N = 1000"));
  const Recording recording = load_recording(options.out);
  std::vector<std::string> names;
  for (const Record& r : recording.records) {
    names.push_back(r.kernel);
    EXPECT_TRUE(r.correct);
    EXPECT_EQ(r.n, 1000);
    EXPECT_THAT(out, HasSubstr(r.kernel));
  }
  EXPECT_EQ(names.at(0), "serial/scan");
#ifdef BARRIERSCOPE_TBB
  EXPECT_EQ(names.size(), 9u) << "one core, all and a copy";
  EXPECT_THAT(out, HasSubstr("tbb/scan at N = 1000: "));
  EXPECT_THAT(out, HasSubstr(" x one core"));
#endif
}

TEST_F(TimeCommand, WithoutAGpuSaysSoAndTimesTheCpu) {
  there = false;
  options.seconds = 0.01;
  EXPECT_EQ(run(), 0);
  EXPECT_THAT(err, HasSubstr("no CUDA device: there is none; the CPU's baselines are timed instead"));
  EXPECT_THAT(out, HasSubstr("serial/reduce"));
  EXPECT_THAT(out, HasSubstr("recorded, not measured here"));
  options.device_given = true;
  EXPECT_THROW(run(), NoDevice);
}

TEST_F(TimeCommand, WithoutAGpuWhatIsTooLongForTheCpuIsShownAsRecorded) {
  there = false;
  options.kernels = {"reduce/shared"};
  options.request.n = 1ll << 29;
  options.most_seconds = 1e-9;  // no CPU is so quick
  EXPECT_EQ(run(), 0);
  EXPECT_THAT(out, HasSubstr("recorded, not measured here"));
  EXPECT_THAT(out, HasSubstr("reduce/shared"));
  EXPECT_THAT(err, HasSubstr("nothing was measured: there is no GPU here, and "));
  options.out = (folder / "times.json").string();
  EXPECT_THROW(run(), NoDevice);
  EXPECT_FALSE(std::filesystem::exists(options.out));
}

TEST_F(TimeCommand, RefusesBeforeItMeasures) {
  options.out = (folder / "times.txt").string();
  EXPECT_THROW(run(), UsageError);
  options.out = (folder / "missing" / "times.json").string();
  EXPECT_THROW(run(), SystemError);
  options.out.clear();
  options.request.n = 0;
  EXPECT_THROW(run(), UsageError);
  options.request.n = 1000;
  options.request.block = 1025;
  EXPECT_THROW(run(), UsageError);
  options.request.block.reset();
  options.kernels = {"scan/none"};
  EXPECT_THROW(run(), UsageError);
  options.kernels.clear();
  EXPECT_THROW(run(), UsageError);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  EXPECT_TRUE(device.measured.empty());
}

TEST_F(TimeCommand, ShowsAndWritesWhatItMeasured) {
  options.kernels = {"scan/blelloch"};
  options.request.n = 1 << 20;
  options.out = (folder / "times.json").string();
  EXPECT_EQ(run(), 0);
  EXPECT_THAT(out, HasSubstr("A GPU for tests"));
  EXPECT_THAT(out, HasSubstr("scan/blelloch  2^20"));
  // 1e-6 + 2^20 1e-12 s beside twice and half of the second term
  EXPECT_THAT(out, HasSubstr("scan/blelloch at N = 2^20: 1.512 ± 0.021 x CUB, 0.744 ± 0.011 x a copy"));
  const Recording recording = load_recording(options.out);
  EXPECT_EQ(recording.records.size(), 3u);
  EXPECT_EQ(recording.clock_mhz, 1980);
  EXPECT_EQ(device.patience.seconds, 0.25 * 4) << "one point may take its time";
  EXPECT_EQ(device.patience.least, 11);
}

TEST_F(TimeCommand, SeveralPointsTakeLessTimeEach) {
  options.sweep = {{"block", {"128", "256"}}};
  options.noise = 0.01;
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(device.patience.seconds, 0.25);
  EXPECT_EQ(device.patience.noise, 0.01);
  EXPECT_EQ(device.measured.size(), 6u);
}

TEST_F(TimeCommand, WritesAfterEveryPoint) {
  options.kernels = {"scan/blelloch"};
  options.request.n.reset();
  options.sweep = {{"n", {"1024", "2048", "4096"}}};
  options.out = (folder / "times.json").string();
  size_t written = 0;
  device.seconds = [&](const Algorithm&, const Problem& p) {
    written = 0;
    if (std::filesystem::exists(options.out)) {
      const Recording now = load_recording(options.out);
      for (const Record& r : now.records) written += r.kernel == "scan/blelloch";
    }
    EXPECT_EQ(written, p.n() == 1024 ? 0u : p.n() == 2048 ? 1u : 2u);
    return 1e-6;
  };
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(load_recording(options.out).records.size(), 9u);
}

TEST_F(TimeCommand, ADeviceThatVanishesKeepsEarlierResults) {
  options.kernels = {"scan/blelloch"};
  options.request.n.reset();
  options.sweep = {{"n", {"1024", "2048"}}};
  options.out = (folder / "times.json").string();
  device.seconds = [](const Algorithm&, const Problem& p) {
    if (p.n() == 2048) throw std::runtime_error("the GPU has fallen off the bus");
    return 1e-6;
  };
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(err, HasSubstr("barrierscope: the GPU has fallen off the bus"));
  EXPECT_THAT(out, HasSubstr("scan/blelloch  2^10"));
  EXPECT_THAT(out, HasSubstr("note: ended early at scan/blelloch, N = 2^11"));
  const Recording kept = load_recording(options.out);
  EXPECT_EQ(kept.records.size(), 5u);
  EXPECT_EQ(kept.notes.size(), 1u);
}

TEST_F(TimeCommand, TooLargeAloneIsBadUsageAndAmongOthersANote) {
  options.kernels = {"scan/blelloch"};
  options.request.n.reset();
  options.sweep = {{"n", {"1024", "2048"}}};
  device.seconds = [](const Algorithm&, const Problem& p) {
    if (p.n() == 2048) throw TooLarge(Message::plain("too little memory"));
    return 1e-6;
  };
  device.on_references = [&](const Algorithm& a, const Problem& p) { device.seconds(a, p); };
  EXPECT_EQ(run(), 0);
  EXPECT_THAT(out, HasSubstr("note: scan/blelloch, N = 2^11 is left out: too little memory"));
  options.sweep = {{"n", {"2048"}}};
  EXPECT_THROW(run(), UsageError);
}

TEST_F(TimeCommand, AWrongResultFailsUnlessTheKernelRacesByDesign) {
  device.right = false;
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(out, HasSubstr("WRONG"));
  options.kernels = {"histogram/racy"};
  EXPECT_EQ(run(), 0);
}

TEST_F(TimeCommand, AWrongReferenceIsAFailure) {
  options.kernels = {"histogram/racy"};
  device.references_right = false;
  EXPECT_EQ(run(), 1);
}

TEST_F(TimeCommand, NothingMeasuredReplacesNoOlderFile) {
  options.out = (folder / "times.json").string();
  EXPECT_EQ(run(), 0);
  const size_t before = load_recording(options.out).records.size();
  device.on_references = [](const Algorithm&, const Problem&) { throw std::runtime_error("gone"); };
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(err, HasSubstr("gone"));
  EXPECT_EQ(load_recording(options.out).records.size(), before);
}

TEST_F(TimeCommand, CtrlCKeepsWhatWasMeasured) {
  options.kernels = {"scan/blelloch"};
  options.request.n.reset();
  options.sweep = {{"n", {"1024", "2048", "4096"}}};
  options.out = (folder / "times.csv").string();
  device.seconds = [](const Algorithm&, const Problem& p) {
    if (p.n() == 2048) ::raise(SIGINT);
    return 1e-6;
  };
  EXPECT_EQ(run(), 130);
  EXPECT_THAT(out, HasSubstr("scan/blelloch  2^10"));
  EXPECT_THAT(out, HasSubstr("note: stopped at references of scan, N = 2^12"));
  const Recording kept = load_recording(options.out);
  EXPECT_EQ(kept.records.size(), 5u);
  for (const Record& r : kept.records) EXPECT_LT(r.n, 4096);
  device.seconds = [](const Algorithm&, const Problem&) { return 1e-6; };
  EXPECT_EQ(run(), 0) << "the next run is a fresh one";
}

TEST_F(TimeCommand, PartsMergeIntoTheWhole) {
  options.request.n.reset();
  options.sweep = {{"n", {"1024", "2048", "4096"}}};
  const auto all = (folder / "all.json").string();
  TimeOptions merge;
  merge.merge = true;
  merge.out = all;
  for (int k = 0; k < 4; ++k) {
    options.part = {k, 4};
    options.out = (folder / ("part-" + std::to_string(k) + ".json")).string();
    EXPECT_EQ(run(), 0);
    merge.kernels.push_back(options.out);
  }
  const size_t measured = device.measured.size();
  EXPECT_EQ(measured, 9u);
  options.part = {100, 101};
  options.out = (folder / "nothing.json").string();
  EXPECT_EQ(run(), 0) << "an array may have more tasks than points";
  EXPECT_TRUE(load_recording(options.out).records.empty());
  merge.kernels.push_back(options.out);
  options = merge;
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(device.measured.size(), measured) << "merging measures nothing";
  const Recording whole = load_recording(all);
  EXPECT_EQ(whole.records.size(), 9u + 3 * 3 * 2);
  EXPECT_THAT(whole.notes.back().english(), HasSubstr("part-3.json of 2026-01-02"));
  EXPECT_THAT(out, HasSubstr(" x CUB"));
  options.out.clear();
  EXPECT_THROW(run(), UsageError);
}

}  // namespace
}  // namespace bscope
