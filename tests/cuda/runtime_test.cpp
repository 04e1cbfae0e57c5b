// CUDA's runtime as a program sees it: a real one is compiled, linked with libbarrierscope_cuda.so and run,
// and what it prints and what it leaves is looked at.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/cuda/toolchain/native_service.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"
#include "tests/places.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const fs::path source = fs::path(BARRIERSCOPE_ROOT) / "tests/cuda/runtime/program.cu";
const fs::path installed = fs::path(BARRIERSCOPE_PROGRAM).parent_path() / "cuda";
constexpr size_t most = 1 << 20;

std::string english(const nlohmann::json& message) { return Message::parse(message.dump()).english(); }

/// What a run left.
struct ProcessResult {
  int exit = -1;
  std::string output;
  nlohmann::json report;

  std::vector<std::string> warnings() const {
    std::vector<std::string> all;
    for (const auto& warning : report.at("warnings")) all.push_back(english(warning.at("message")));
    return all;
  }
};

class CudaRuntime : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = fs::path(testing::TempDir()) / ("runtime_test." + std::to_string(getpid()));
    fs::create_directories(folder);
    write_whole(folder / "reference", "barrierscope-device:0\n");
    const std::string compile =
        "clang++-16 -std=c++17 -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib -g -O0 -w "
        "-Xclang -target-sdk-version=11.0 -ffp-contract=off -isystem '" +
        (fs::path(BARRIERSCOPE_ROOT) / "engine/cuda/include").string() + "' -include cuda_runtime.h '" +
        source.string() + "' ";
    const std::string steps =
        "cd '" + folder.string() + "' && { " + compile +
        "--cuda-device-only --cuda-gpu-arch=sm_70 -S -emit-llvm -o device.ll & " + compile +
        "--cuda-host-only -c -Xclang -fcuda-include-gpubinary -Xclang reference -o host.o && "
        "clang++-16 -o program host.o '" +
        (installed / "lib/libbarrierscope_cuda.so").string() + "' -Wl,-rpath,'" +
        (installed / "lib").string() + "' && wait $!; }";
    ASSERT_EQ(std::system(steps.c_str()), 0);
  }
  static void TearDownTestSuite() { fs::remove_all(folder); }

  static ProcessResult run(const std::string& what, double seconds = 20, const nlohmann::json& more = {}) {
    const fs::path of_run = folder / what;
    fs::create_directories(of_run);
    nlohmann::json settings = {
        {"name", "program"},
        {"device", {{{"ir", (folder / "device.ll").string()}}}},
        {"our_folders", {(fs::path(BARRIERSCOPE_ROOT) / "engine/cuda/include").string(), "/usr/lib/llvm-16"}},
        {"sources", {{{"file", source.string()}, {"shown", "program.cu"}, {"text", source.string()}}}},
        {"schedule", "to-barrier"},
        {"limits", {{"seconds", seconds}}}};
    if (!more.is_null()) settings.merge_patch(more);
    write_whole(of_run / "run.json", settings.dump());
    const std::string command = "BARRIERSCOPE_RUN='" + of_run.string() + "' '" +
                                (folder / "program").string() + "' '" + what + "' > '" +
                                (of_run / "out").string() + "' 2> /dev/null";
    const int status = std::system(command.c_str());
    ProcessResult run{WEXITSTATUS(status), read_file(of_run / "out", most), {}};
    run.report = nlohmann::json::parse(read_file(of_run / "report.json", most));
    return run;
  }

  /// The line that says `// line: NAME`.
  static int line_of(const std::string& name) {
    const std::string text = read_file(source, most);
    const size_t at = text.find("// line: " + name + "\n");
    return at == std::string::npos ? -1 : int(std::count(text.begin(), text.begin() + long(at), '\n')) + 1;
  }

  static inline fs::path folder;
};

TEST_F(CudaRuntime, DoesWhatAGpuWouldAndKeepsTheTrace) {
  const ProcessResult r = run("right");
  EXPECT_EQ(r.exit, 7);
  EXPECT_EQ(r.output, "128 64 64\n6 7 1\n0\n1\n");
  EXPECT_EQ(r.report["ended"], "returned");
  EXPECT_EQ(r.report["exit"], 7);
  EXPECT_EQ(r.report["traced"], true);
  EXPECT_EQ(r.report["launches"].size(), 5u);
  EXPECT_EQ(r.report["launches"][0]["kernel"], "scan");
  EXPECT_THAT(r.warnings(), IsEmpty());
  const Trace trace = load(folder / "right/trace.bscope");
  EXPECT_EQ(trace.kernel, "yours/program");
  EXPECT_EQ(trace.sources.at(0).path, "program.cu");
}

TEST_F(CudaRuntime, RunsLongLaunchesNativelyByWhatItIsAnswered) {
  const fs::path asks = folder / "asks", answers = folder / "answers";
  bscope::cuda::NativeLibraries known;
  const bscope::cuda::NativeService service(bscope::cuda::find_places().clang, asks, answers, known);
  const ProcessResult r = run("right", 20,
                              {{"limits", {{"launch_events", 1}}},
                               {"native_asks", asks.string()},
                               {"native_answers", answers.string()}});
  EXPECT_EQ(r.output, "128 64 64\n6 7 1\n0\n1\n");
  EXPECT_EQ(r.report["launches"][0]["shown"], "in_part");
  EXPECT_TRUE(fs::exists(answers / "0.so"));
  int next = 0;
  while (fs::exists(asks / (std::to_string(next) + ".c"))) ++next;
  EXPECT_GE(next, 1);
  write_whole(asks / (std::to_string(next) + ".c"), "this is no C");
  const fs::path refused = answers / (std::to_string(next) + ".none");
  for (int tries = 0; tries < 1000 && !fs::exists(refused); ++tries) usleep(10'000);
  EXPECT_TRUE(fs::exists(refused));
}

TEST_F(CudaRuntime, TellsMistakesAsCudaDoesAndSaysTheirLines) {
  const ProcessResult r = run("mistakes");
  EXPECT_EQ(
      r.output,
      "cudaErrorInvalidConfiguration\ncudaSuccess\ncudaErrorInvalidConfiguration\ncudaErrorInvalidValue\n"
      "cudaErrorInvalidValue\ncudaErrorInvalidValue\ncudaErrorInvalidValue\ncudaSuccess\ncudaErrorInvalidValu"
      "e\n"
      "cudaErrorMemoryAllocation\ncudaErrorInvalidDevice\n");
  EXPECT_THAT(r.warnings(),
              ElementsAre(HasSubstr("blocks of 2048 threads"), HasSubstr("grid of 0 blocks"),
                          HasSubstr("1 MB of dynamic shared memory"), HasSubstr("goes the other way"),
                          HasSubstr("512 bytes goes beyond"), HasSubstr("points 4 bytes into"),
                          HasSubstr("has been freed before"), HasSubstr("8 GB")));
  int last = 0;
  for (const auto& warning : r.report["warnings"]) {
    EXPECT_EQ(warning["file"], "program.cu");
    EXPECT_GT(int(warning["line"]), last) << warning;
    last = warning["line"];
  }
}

TEST_F(CudaRuntime, AFaultInAKernelBreaksTheDeviceFromTheNextWaitOn) {
  EXPECT_EQ(run("out of bounds").output,
            "cudaSuccess\ncudaErrorIllegalAddress\ncudaErrorIllegalAddress\ncudaSuccess\n");
  EXPECT_EQ(run("trap").output, "cudaErrorLaunchFailure\n");
}

TEST_F(CudaRuntime, LaunchesOfSeveralHostThreadsComeOneAfterTheOther) {
  const ProcessResult r = run("threads");
  EXPECT_EQ(r.output, "33\n");
  EXPECT_EQ(r.report["launches"].size(), 32u);
}

TEST_F(CudaRuntime, SaysWhyThereIsNoTrace) {
  const ProcessResult r = run("no kernel");
  EXPECT_EQ(r.report["traced"], false);
  EXPECT_EQ(english(r.report["why_not"]), "the program launches no kernel");
}

TEST_F(CudaRuntime, KeepsWhatWasTracedHoweverTheProgramEnds) {
  struct Case {
    std::string what, ended;
    int exit;
    std::string sentence;
    bool has_line = true;
  };
  const Case cases[] = {
      {"exit", "exited", 3, ""},
      {"device", "crashed", 139, "The host writes 'm', which is memory of the device"},
      {"null", "crashed", 139, "The host writes through a null pointer."},
      {"divide", "crashed", 136, "The host divides an integer by zero."},
      {"abort", "crashed", 134, "The program gives up"},
      {"throw", "crashed", 134, "Nobody catches an exception: lost."},
      {"endless", "stopped", 124, "The program was stopped after 0.2 s"},
      {"deep", "crashed", 139, "The host's stack is full", false},
      {"heap", "crashed", 134, "The program gives up", false},
      {"bad host", "crashed", 139, "This call is given memory of the host"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const ProcessResult r = run(c.what, c.what == "endless" ? 0.2 : 20);
    EXPECT_EQ(r.exit, c.exit);
    EXPECT_EQ(r.report["ended"], c.ended);
    EXPECT_THAT(english(r.report["message"]), StartsWith(c.sentence));
    EXPECT_EQ(r.report["file"], "program.cu");
    if (c.has_line) { EXPECT_EQ(r.report["line"], line_of(c.what)); }
    EXPECT_EQ(load(folder / c.what / "trace.bscope").launches.back().name, "increment");
  }
}

}  // namespace
}  // namespace bscope
