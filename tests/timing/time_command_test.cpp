#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "app/cli/time.hpp"

namespace bscope {
namespace {

struct TimeCommand : testing::Test {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("bscope_time_" + std::to_string(::getpid()));
  TimeOptions options;
  TimeCommand() {
    std::filesystem::create_directories(folder);
    options.kernels = {"scan/blelloch", "reduce/shared", "histogram/racy"};
    options.request.n = 1000;
    options.device = Device::cpu;
    options.device_given = true;
  }
  ~TimeCommand() override { std::filesystem::remove_all(folder); }
};

TEST_F(TimeCommand, WritesWhatItMeasured) {
  options.out = (folder / "times.json").string();
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(time_command(options), 0);
  const std::string table = testing::internal::GetCapturedStdout();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("3 of 3: histogram, N = 1000"), std::string::npos);
  const Recording run = load_recording(options.out);
  std::vector<std::string> names;
  for (const Record& r : run.records) {
    names.push_back(r.kernel);
    EXPECT_TRUE(r.correct);
    EXPECT_EQ(r.n, 1000);
    EXPECT_NE(table.find(r.kernel), std::string::npos);
  }
#ifdef BARRIERSCOPE_TBB
  EXPECT_EQ(names.size(), 6u);
#endif
  EXPECT_EQ(names.at(0), "serial/scan");
}

TEST_F(TimeCommand, RefusesBeforeItMeasures) {
  options.out = (folder / "times.txt").string();
  EXPECT_THROW(time_command(options), UsageError);
  options.out = (folder / "missing" / "times.json").string();
  EXPECT_THROW(time_command(options), std::system_error);
  options.out.clear();
  options.request.n = 0;
  EXPECT_THROW(time_command(options), UsageError);
  options.request.n = 1000;
  options.request.block = 1025;
  EXPECT_THROW(time_command(options), UsageError);
  options.request.block.reset();
  options.kernels = {"scan/none"};
  EXPECT_THROW(time_command(options), UsageError);
  options.kernels.clear();
  EXPECT_THROW(time_command(options), UsageError);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(TimeCommand, NeedsTheGpuItWasAskedFor) {
  if (gpu()) GTEST_SKIP() << "there is a GPU here";
  options.device = Device::gpu;
  EXPECT_THROW(time_command(options), NoDevice);
}

TEST(PowerText, OfPowersAndOthers) {
  EXPECT_EQ(power_text(1 << 20), "2^20");
  EXPECT_EQ(power_text(1000), "1000");
  EXPECT_EQ(power_text(16), "16");
}

}  // namespace
}  // namespace bscope
