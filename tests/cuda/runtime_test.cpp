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

const fs::path sources = fs::path(BARRIERSCOPE_ROOT) / "tests/cuda/runtime";
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
  std::string help(size_t k) const { return english(report.at("warnings").at(k).at("help")); }
  int line(size_t k) const { return report.at("warnings").at(k).at("line"); }
};

class CudaRuntime : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = fs::path(testing::TempDir()) / ("runtime_test." + std::to_string(getpid()));
    fs::create_directories(folder);
    write_whole(folder / "reference", "barrierscope-device:0\n");
    std::string all;
    for (const char* name : {"program", "order", "constructor", "refused", "textures"})
      all += steps_of(name) + " & ";
    ASSERT_EQ(std::system(("cd '" + folder.string() + "' && { " + all + "wait; }").c_str()), 0);
    for (const char* name : {"program", "order", "constructor", "refused", "textures"})
      ASSERT_TRUE(fs::exists(folder / name)) << name;
  }
  static std::string steps_of(const std::string& name) {
    const std::string compile =
        cuda::find_clang() +
        " -std=c++17 -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib -g -O0 -w "
        "-Xclang -target-sdk-version=11.0 -ffp-contract=off -isystem '" +
        (fs::path(BARRIERSCOPE_ROOT) / "engine/cuda/include").string() + "' -include cuda_runtime.h '" +
        (sources / (name + ".cu")).string() + "' ";
    return "{ " + compile + "--cuda-device-only --cuda-gpu-arch=sm_70 -S -emit-llvm -o " + name + ".ll && " +
           compile + "--cuda-host-only -c -Xclang -fcuda-include-gpubinary -Xclang reference -o " + name +
           ".o && " + cuda::find_clang() + " -no-pie -o " + name + " " + name + ".o '" +
           (installed / "lib/libbarrierscope_cuda.so").string() + "' -Wl,-rpath,'" +
           (installed / "lib").string() + "'; }";
  }
  static void TearDownTestSuite() { fs::remove_all(folder); }

  static ProcessResult run(const std::string& what, double seconds = 20, const nlohmann::json& more = {},
                           const std::string& program = "program") {
    const fs::path of_run = folder / ("run of " + what), source = sources / (program + ".cu");
    fs::create_directories(of_run);
    nlohmann::json settings = {
        {"name", "program"},
        {"device", {{{"ir", (folder / (program + ".ll")).string()}}}},
        {"our_folders", {(fs::path(BARRIERSCOPE_ROOT) / "engine/cuda/include").string(), "/usr/lib/llvm-16"}},
        {"sources", {{{"file", source.string()}, {"shown", program + ".cu"}, {"text", source.string()}}}},
        {"schedule", "to-barrier"},
        {"limits", {{"seconds", seconds}}}};
    if (!more.is_null()) settings.merge_patch(more);
    write_whole(of_run / "run.json", settings.dump());
    const std::string command = "BARRIERSCOPE_RUN='" + of_run.string() + "' '" + (folder / program).string() +
                                "' '" + what + "' > '" + (of_run / "out").string() + "' 2> /dev/null";
    const int status = std::system(command.c_str());
    ProcessResult run{WEXITSTATUS(status), read_file(of_run / "out", most), {}};
    run.report = nlohmann::json::parse(read_file(of_run / "report.json", most));
    return run;
  }

  static ProcessResult run_order(const std::string& what) { return run(what, 20, {}, "order"); }

  /// The line that says `// line: NAME`.
  static int line_of(const std::string& name, const std::string& program = "program") {
    const std::string text = read_file(sources / (program + ".cu"), most);
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
  const Trace trace = load(folder / "run of right/trace.bscope");
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
                          HasSubstr("has been freed before"), HasSubstr("more than a GPU has")));
  int last = 0;
  for (const auto& warning : r.report["warnings"]) {
    EXPECT_EQ(warning["file"], "program.cu");
    EXPECT_GT(int(warning["line"]), last) << warning;
    last = warning["line"];
  }
}

// A GPU may have it, so nothing that follows is the program's fault.
TEST_F(CudaRuntime, StopsAProgramThatNeedsMoreMemoryThanBarrierscopeHas) {
  const ProcessResult r = run("large");
  EXPECT_EQ(r.report["ended"], "refused");
  EXPECT_THAT(english(r.report["message"]), HasSubstr("for all arrays together"));
  EXPECT_EQ(r.report["line"], line_of("large"));
  EXPECT_TRUE(r.warnings().empty());
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
  EXPECT_THAT(english(run("looks at the device").report["why_not"]), HasSubstr("--device-model"));
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
      {"device", "crashed", 139, "The host writes 'in', which is memory of the device"},
      {"null", "crashed", 139, "The host writes through a null pointer."},
      {"divide", "crashed", 136, "The host divides an integer by zero."},
      {"abort", "crashed", 134, "The program gives up"},
      {"throw", "crashed", 134, "Nobody catches an exception: lost."},
      {"endless", "stopped", 124, "The program was stopped after 1 s"},
      {"deep", "crashed", 139, "The host's stack is full", false},
      {"heap", "crashed", 134, "The program gives up", false},
      {"bad host", "crashed", 139, "This call is given memory of the host"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const ProcessResult r = run(c.what, c.what == "endless" ? 1 : 20);
    EXPECT_EQ(r.exit, c.exit);
    EXPECT_EQ(r.report["ended"], c.ended);
    EXPECT_THAT(english(r.report["message"]), StartsWith(c.sentence));
    EXPECT_EQ(r.report["file"], "program.cu");
    if (c.has_line) { EXPECT_EQ(r.report["line"], line_of(c.what)); }
    EXPECT_EQ(load(folder / ("run of " + c.what) / "trace.bscope").launches.back().name, "increment");
  }
}

TEST_F(CudaRuntime, TakesWhatCudaOrdersForOrdered) {
  const std::map<std::string, std::string> outputs = {{"right waits", "357389824\n9\n357389824\n25\n"},
                                                      {"right streams", "18 128\n"},
                                                      {"right pageable", "0\n"},
                                                      {"right halves", "000025\n"},
                                                      {"right callback", "1 0\n5\n"}};
  for (const auto& [what, output] : outputs) {
    SCOPED_TRACE(what);
    const ProcessResult r = run_order(what);
    EXPECT_EQ(r.exit, 0);
    EXPECT_THAT(r.warnings(), IsEmpty());
    EXPECT_EQ(r.output, output);
  }
}

TEST_F(CudaRuntime, FindsWhatIsUsedTooEarly) {
  struct Case {
    std::string what, sentence, help;
  };
  const Case cases[] = {
      {"pinned read", "pinned[0] is read in line", "Call cudaStreamSynchronize(f.one) before line"},
      {"pinned written", "byte 8 of pinned is written in line",
       "Call cudaStreamSynchronize(f.one) before line"},
      {"managed read", "managed[2] is read in line", "Call cudaDeviceSynchronize() before line"},
      {"other event", "managed[2] is read in line", "Call cudaStreamSynchronize(f.one) before line"},
      {"streams race", "The kernel twice of line", "cudaStreamWaitEvent before line"},
      {"nonblocking", "The kernel squares of line", "cudaStreamWaitEvent before line"},
      {"event early", "Line ", "Call cudaEventSynchronize(stop) before line"},
      {"lost output", "On a GPU the output of the kernel greet", "Call cudaDeviceSynchronize() after line"},
      {"forgotten sizeof", "cudaMemcpy of 4096 bytes goes beyond 'few', which has 1024 bytes",
       "allocates 1024 bytes, and the copy needs 4 times as many"},
      {"lost result", "The launch of line",
       "Look at what the copy returns: here it is cudaErrorIllegalAddress"},
      {"launch bounds", "The launch of small asks for blocks of 128 threads: its __launch_bounds__ allows 64",
       ""},
      {"too many together", "The cooperative launch of together asks for 1000 blocks, and 16 fit at once",
       "cudaOccupancyMaxActiveBlocksPerMultiprocessor"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const ProcessResult r = run_order(c.what);
    ASSERT_EQ(r.warnings().size(), 1u);
    EXPECT_THAT(r.warnings()[0], HasSubstr(c.sentence));
    EXPECT_THAT(r.help(0), HasSubstr(c.help));
    EXPECT_EQ(r.line(0), line_of(c.what, "order"));
  }
  EXPECT_EQ(run_order("event early").output, "cudaErrorNotReady 1\n0\n");
  EXPECT_EQ(run_order("too many together").output, "cudaErrorCooperativeLaunchTooLarge\n");
}

TEST_F(CudaRuntime, LaunchesFromConstructorsAndDestructors) {
  const ProcessResult r = run("constructor", 20, {}, "constructor");
  EXPECT_EQ(r.output, "constructor cudaSuccess 21\nmain cudaSuccess 21\ndestructor cudaSuccess 21\n");
  EXPECT_EQ(r.report["launches"].size(), 3u);
  EXPECT_THAT(r.warnings(), IsEmpty());
}

TEST_F(CudaRuntime, RefusesWhatNvccWouldNotCompile) {
  const ProcessResult r = run("refused", 20, {}, "refused");
  EXPECT_THAT(r.warnings(), ElementsAre(HasSubstr("table and the other __constant__ variables have 66.4 KB"),
                                        HasSubstr("The kernel large declares 78.1 KB of shared memory")));
  EXPECT_EQ(r.line(0), line_of("constant", "refused"));
  EXPECT_EQ(r.line(1), line_of("shared", "refused"));
}

/// Each answer in its line, without what all begin with.
std::string answers(const std::string& output) {
  std::string all;
  for (size_t at = 0, end; at < output.size(); at = end + 1) {
    end = std::min(output.find('\n', at), output.size());
    std::string line = output.substr(at, end - at);
    if (line == "cudaSuccess") line = "ok";
    if (line.starts_with("cudaError")) line = line.substr(9);
    all += (all.empty() ? "" : ", ") + line;
  }
  return all;
}

TEST_F(CudaRuntime, ArraysAreCheckedAsCudaChecksThem) {
  const ProcessResult r = run("arrays", 20, {}, "textures");
  EXPECT_EQ(answers(r.output),
            "InvalidChannelDescriptor, InvalidValue, InvalidValue, InvalidValue, ok, InvalidValue, ok, "
            "InvalidValue, "
            "ok, InvalidValue, ok, 5 0 3 10, ok, ok, ok, InvalidResourceHandle, ok, ok");
  const auto said = r.warnings();
  const std::pair<const char*, const char*> expected[] = {
      {"channels", "no texture has channels of 32, 32, 32 and 0 bits"},
      {"cubemap", "six faces: 4 x 5 x 6 is none"},
      {"nothing", "there is no array of 0 x 4 x 0"},
      {"too wide", "cudaMemcpy2DToArray goes beyond 'a', which has 16 bytes a row, rows: 4, slices: 1."},
      {"too many", "cudaMemcpyToArray of 20 bytes goes beyond 'a'"},
      {"direction", "cudaMemcpy2DFromArray is told cudaMemcpyHostToDevice, but goes the other way"},
      {"twice", "cudaFreeArray is given a CUDA array that is freed"}};
  ASSERT_EQ(said.size(), std::size(expected));
  for (size_t k = 0; k < said.size(); ++k) {
    EXPECT_THAT(said[k], HasSubstr(expected[k].second));
    EXPECT_EQ(r.line(k), line_of(expected[k].first, "textures"));
  }
}

TEST_F(CudaRuntime, TextureAndSurfaceObjectsAreCheckedAsCudaChecksThem) {
  const ProcessResult r = run("objects", 20, {}, "textures");
  EXPECT_EQ(answers(r.output),
            "InvalidValue, InvalidResourceHandle, InvalidValue, InvalidNormSetting, InvalidValue, ok, "
            "InvalidValue, "
            "ok, InvalidValue, ok, InvalidValue, InvalidValue");
  const auto said = r.warnings();
  const std::pair<const char*, const char*> expected[] = {
      {"no array",
       "cudaCreateTextureObject is given a CUDA array that is freed, or that was never allocated"},
      {"too long", "goes beyond 'memory'"},
      {"normalized", "integers of 32 bits cannot be read with cudaReadModeNormalizedFloat"},
      {"pitch", "a pitch of 20 bytes, which is no multiple of 32"},
      {"surface", "cudaCreateSurfaceObject takes a CUDA array only"},
      {"other kind", "cudaDestroySurfaceObject is given no object"},
      {"destroyed", "cudaDestroyTextureObject is given no object, or one that is destroyed"}};
  ASSERT_EQ(said.size(), std::size(expected));
  for (size_t k = 0; k < said.size(); ++k) {
    EXPECT_THAT(said[k], HasSubstr(expected[k].second));
    EXPECT_EQ(r.line(k), line_of(expected[k].first, "textures"));
  }
}

TEST_F(CudaRuntime, TextureReferencesAreBoundByName) {
  const ProcessResult r = run("references", 20, {}, "textures");
  EXPECT_EQ(
      answers(r.output),
      "InvalidTextureBinding, InvalidValue, ok, 4, ok, ok, 0, ok, InvalidTexture, ok, ok, 2.2 11, ok, 1, "
      "InvalidTexture, ok, ok, ok");
  const auto said = r.warnings();
  ASSERT_EQ(said.size(), 2u);
  EXPECT_THAT(said[0], HasSubstr("line is declared for another number of dimensions"));
  EXPECT_EQ(r.line(0), line_of("dimensions", "textures"));
  EXPECT_THAT(said[1], HasSubstr("cudaUnbindTexture is given something that is no texture"));
  EXPECT_EQ(r.line(1), line_of("unknown", "textures"));
}

}  // namespace
}  // namespace bscope
