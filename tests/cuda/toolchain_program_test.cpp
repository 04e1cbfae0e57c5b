// A program from its files to what became of it, with a runtime of a few lines in the place of ours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/run_folder.hpp"
#include "engine/trace/file.hpp"
#include "tests/analysis/hand_run.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* header = R"(#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
struct dim3 { unsigned x, y, z; dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {} };
extern "C" int cudaConfigureCall(dim3, dim3, unsigned long = 0, void* = nullptr);
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, unsigned long = 0, void* = nullptr);
extern "C" int cudaLaunchKernel(const void*, dim3, dim3, void**, unsigned long, void*);
)";
/// Leaves what the test has put beside it as the trace of any run, or of those in lockstep.
constexpr const char* runtime = R"(#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
static std::string place(const char* name) { return std::string(getenv("BARRIERSCOPE_RUN")) + "/" + name; }
static const char* module = "";
static void finish() {
  FILE* f = fopen(place("run.json").c_str(), "r");
  static char settings[1 << 16];
  settings[fread(settings, 1, sizeof settings - 1, f)] = 0;
  f = fopen(place("report.json").c_str(), "w");
  fprintf(f, "{\"format\":\"barrierscope.run/1\",\"ended\":\"returned\",\"exit\":0,\"traced\":false,\"why_not\":\"%s\","
             "\"launches\":[{\"kernel\":\"k\",\"grid\":[4096,1,1],\"block\":[256,1,1],\"shown\":\"too_long\"}],"
             "\"notes\":[\"%s\"]}", module, strstr(settings, "lockstep") ? "lockstep" : "to-barrier");
  fclose(f);
  FILE* of_order = strstr(settings, "lockstep") ? fopen(TRACE ".lockstep", "rb") : nullptr;
  if (FILE* made = of_order ? of_order : fopen(TRACE, "rb")) {
    FILE* to = fopen(place("trace.bscope").c_str(), "wb");
    for (int c; (c = fgetc(made)) != EOF;) fputc(c, to);
    fclose(to);
  }
}
extern "C" {
void** __cudaRegisterFatBinary(void* w) { module = ((const char**)w)[1]; atexit(finish); return nullptr; }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const void*, char*, const char*, int, void*, void*, void*, void*, int*) {}
unsigned __cudaPushCallConfiguration(unsigned long, unsigned, unsigned long, unsigned, unsigned long, void*) { return 1; }
unsigned __cudaPopCallConfiguration(void*, void*, void*, void*) { return 0; }
int cudaLaunchKernel() { return 0; }
})";

/// The folder `cuda` in small, made once.
class OwnProgram : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const fs::path cuda = lab().path() / "cuda";
    for (const char* folder : {"include", "lib"}) fs::create_directories(cuda / folder);
    std::ofstream(cuda / "include" / "cuda_runtime.h") << header;
    std::ofstream(lab().path() / "runtime.cpp") << runtime;
    const std::string made = find_clang() + " -O0 -shared -fPIC '-DTRACE=\"" + trace().string() + "\"' -o " +
                             (cuda / "lib" / "libbarrierscope_cuda.so").string() + " " +
                             (lab().path() / "runtime.cpp").string();
    ASSERT_EQ(std::system(made.c_str()), 0);
    ::setenv("BARRIERSCOPE_CUDA", cuda.c_str(), 1);
  }
  static void TearDownTestSuite() { ::unsetenv("BARRIERSCOPE_CUDA"); }
  void TearDown() override {
    fs::remove(trace());
    fs::remove(in_lockstep());
  }

  static RunFolder& lab() {
    static RunFolder folder;
    return folder;
  }
  /// Where a program of the test can read it: it sees no other run's folder.
  static fs::path trace() {
    return fs::path(testing::TempDir()) / ("made-" + std::to_string(::getpid()) + ".bscope");
  }
  static fs::path in_lockstep() { return trace().string() + ".lockstep"; }
  static std::string written(const std::string& name, const std::string& text) {
    fs::create_directories((lab().path() / "hand in" / name).parent_path());
    const fs::path file = lab().path() / "hand in" / name;
    std::ofstream(file) << text;
    return file.string();
  }
};

TEST_F(OwnProgram, IsCompiledMendedChangedAndRun) {
  written("part.cuh", "__device__ int twice(int x) { return 2 * x; }\nconst int n = 1 << 20;\n");
  const std::string more = written("more.cpp", "int from_elsewhere() { return 5; }\n");
  const std::string file = written("home work.cu", R"(#include <cstdio>
#include "part.cuh"
__global__ void k(int* a) { *a = twice(*a); }
int from_elsewhere();
int main(int count, char** words) {
  k< < <1, n> > >(nullptr);
  printf("%s: n %d, %s, %d, %s, %d\n", words[0], n, words[1], from_elsewhere(), __FILE__, __LINE__);
  if (FILE* f = fopen("result.txt", "w")) fputs("x", f);
}
)");
  const ProgramRun r =
      run_program({.files = {file, more}, .constants = {{"n", "4096"}}, .arguments = {"two words"}});
  ASSERT_TRUE(r.compiled) << (r.diagnostics.empty() ? "" : text_of(r.diagnostics[0]));
  EXPECT_EQ(r.output, "./home work: n 4096, two words, 5, " + file + ", 7\n");
  EXPECT_EQ(r.report.why_not.english(), "barrierscope-device:0");
  EXPECT_THAT(r.report.notes, SizeIs(2));
  EXPECT_THAT(r.report.notes[1].english(), HasSubstr("result.txt"));
  EXPECT_FALSE(fs::exists(lab().path() / "hand in" / "result.txt"));
  ASSERT_THAT(r.suggestions, SizeIs(1));
  EXPECT_EQ(r.suggestions[0].name, "n");
}

TEST_F(OwnProgram, IsRunAgainInLockstepWhereTheOrderMatters) {
  Trace found;
  found.kernel = "yours/a";
  found.sources = {{"a.cu", "text"}};
  found.arrays = {{.name = "a", .size = 1, .initial = std::vector<std::byte>(4)}};
  Launch& launch = found.launches.emplace_back();
  launch.name = "k";
  launch.blocks.emplace_back().first = {0, 0};
  launch.after = {std::vector<std::byte>(4)};
  found.findings = {{.line = 1, .message = message("a[1] reaches outside")}};
  save(found, trace());
  const std::string file =
      written("a.cu", "// barrierscope: expect a = b\n__global__ void k() {}\nint main() {}\n");
  const ProgramRun again = run_program({.files = {file}});
  ASSERT_TRUE(again.trace) << again.report.why_not.english();
  EXPECT_EQ(again.report.notes.at(0).english(), "lockstep");
  EXPECT_EQ(again.schedule.kind, Schedule::lockstep);
  EXPECT_THAT(again.diagnostics, IsEmpty()) << "the fault ended the kernel, perhaps before it came to b";
  EXPECT_EQ(run_program({.files = {file}}, {.kind = Schedule::to_barrier}).report.notes.at(0).english(),
            "to-barrier");
}

/// A run in which two threads race for these cells, cell k in the lines 2k and 2k + 1, and these lines have a
/// finding.
Trace racing(const std::vector<int>& cells, const std::vector<int>& lines) {
  test::HandRun run(2);
  const int data = run.global("data", {0, 0, 0, 0});
  run.load(0, 1, data, 0);
  for (const int k : cells) {
    run.store(0, 2 * k, data, k, {0, 1});
    run.load(1, 2 * k + 1, data, k);
  }
  Trace t = run.trace();
  t.sources[0].text = std::string(20, '\n');
  for (const int line : lines) t.findings.push_back({.line = line, .message = message("Line {}", line)});
  return t;
}

TEST_F(OwnProgram, KeepsWhatEitherOrderShowsAndAllOfItOnce) {
  const std::string file = written("both.cu", "__global__ void k() {}\nint main() {}\n");
  const std::pair<std::vector<int>, std::vector<int>> orders[] = {
      {{1}, {}}, {{1, 2}, {2, 3}}, {{2}, {1, 2, 3}}};
  for (const auto& [first, second] : orders) {
    save(racing(first, first), trace());
    save(racing(second, second), in_lockstep());
    const ProgramRun r = run_program({.files = {file}});
    ASSERT_TRUE(r.trace) << r.report.why_not.english();
    DataflowGraph flow = replay_trace(*r.trace);
    unite(*r.trace, flow, r.other);
    std::multiset<int> raced, found, all(first.begin(), first.end());
    for (const int k : second)
      if (!all.contains(k)) all.insert(k);
    for (const Hazard& h : flow.hazards) raced.insert(h.lines[0] / 2);
    for (const Finding& f : r.trace->findings) found.insert(f.line);
    EXPECT_EQ(raced, all);
    EXPECT_EQ(found, all);
    EXPECT_EQ(flow.hazards_found, all.size());
  }
}

TEST_F(OwnProgram, IsHeldToWhatNvccHoldsItTo) {
  const std::string old =
      written("old.c",
              "int twice(x) int x; { return 2 * x; }\nint five() { return unknown_here(); }\n"
              "int unknown_here() { return 5; }\n");
  const std::string file = written("lax.cu", R"(#include <cstdio>
#include <cinttypes>
extern "C" int twice(int), five();
int main(int count, char**) {
  register int n = 8 * count;
  dim3 grid{n / 8, 1};
  printf("%"PRId64" %d %d\n", int64_t(n), grid.x, twice(five()));
}
)");
  const ProgramRun r = run_program({.files = {file, old}});
  ASSERT_TRUE(r.compiled) << (r.diagnostics.empty() ? "" : text_of(r.diagnostics[0]));
  EXPECT_EQ(r.output, "8 1 10\n");
  EXPECT_THAT(r.diagnostics,
              testing::Each(testing::Field(&Diagnostic::severity, testing::Ne(Diagnostic::error))));
}

TEST_F(OwnProgram, ThatDoesNotCompileSaysWhere) {
  const std::string file = written("bad.cu", "int main() {\n  return x;\n}\n");
  const ProgramRun r = run_program({.files = {file}});
  EXPECT_FALSE(r.compiled);
  ASSERT_THAT(r.diagnostics, SizeIs(1));
  EXPECT_EQ(text_of(r.diagnostics[0]), file + ":2:10: error: use of undeclared identifier 'x'");
  const std::string changed = written("less.cu", "#include \"gone.h\"\n#define N 4096\nint main() {}\n");
  const ProgramRun smaller = run_program({.files = {changed}, .constants = {{"N", "64"}}});
  ASSERT_FALSE(smaller.diagnostics.empty());
  EXPECT_EQ(text_of(smaller.diagnostics[0]), changed + ":1:10: error: 'gone.h' file not found");
  const ProgramRun unlinked =
      run_program({.files = {written("l.cu", "void f();\nint main() {\n  f();\n}\n")}});
  ASSERT_FALSE(unlinked.diagnostics.empty());
  EXPECT_EQ(unlinked.diagnostics[0].line, 3);
}

TEST_F(OwnProgram, ThatIsGivenNothingIsAskedForArguments) {
  const std::string file = written("says.cu", R"(#include <cstdio>
#include <cstdlib>
int main(int count, char**) {
  if (count < 2) puts("Usage: says N"), _Exit(1);
}
)");
  EXPECT_THAT(run_program({.files = {file}}).report.why_not.english(), HasSubstr("does it want arguments?"));
  EXPECT_THAT(run_program({.files = {file}, .arguments = {"3"}}).report.why_not.english(),
              testing::Not(HasSubstr("arguments")));
  const std::string shows = written("shows.cu", R"(#include <cstdio>
int main() { puts("  Memory Usage: 2 GB"); }
)");
  EXPECT_THAT(run_program({.files = {shows}}).report.why_not.english(), testing::Not(HasSubstr("arguments")));
}

TEST_F(OwnProgram, ThatDoesNotEndIsStoppedWithASentence) {
  const std::string file = written("loop.cu", "int main() { for (volatile int k = 0;; ++k) {} }\n");
  const ProgramRun r = run_program({.files = {file}, .seconds = 0.02});
  EXPECT_EQ(r.report.ended, "stopped");
  EXPECT_THAT(r.report.end.message.english(), HasSubstr("ran longer than 0.02 seconds"));
}

TEST_F(OwnProgram, ThatCannotBeReadIsRefused) {
  EXPECT_THROW(run_program({.files = {"/nowhere/a.cu"}}), BadFile);
  EXPECT_THROW(run_program({.files = {written("b.cu", std::string("\x7f"
                                                                  "ELF\0\0",
                                                                  6))}}),
               BadFile);
  EXPECT_THROW(run_program({.files = {written("a.cu", "int main() {}")}, .includes = {"/nowhere"}}), BadFile);
}

TEST(Consent, IsGivenForAFolderAndWhatItHolds) {
  EXPECT_TRUE(is_allowed("/home/a/lab/x.cu", {"/home/a"}));
  EXPECT_TRUE(is_allowed("/home/a/x.cu", {"/b", "/home/a"}));
  EXPECT_FALSE(is_allowed("/home/ab/x.cu", {"/home/a"}));
  EXPECT_FALSE(is_allowed("/home/a/../b/x.cu", {"/home/a"}));
  EXPECT_FALSE(is_allowed("/home/a/x.cu", {}));
}

}  // namespace
}  // namespace bscope::cuda
