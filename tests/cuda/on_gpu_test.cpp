// A program on a GPU without one: what nvcc and the device would leave is left by scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "engine/analysis/run.hpp"
#include "engine/cuda/on_gpu/disassemble.hpp"
#include "engine/cuda/on_gpu/measure.hpp"
#include "engine/cuda/on_gpu/nvcc.hpp"
#include "engine/cuda/run_files/program_report.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/cuda/toolchain/run_folder.hpp"
#include "engine/simt/device.hpp"
#include "engine/trace/read_file.hpp"
#include "tests/messages.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* record = R"({"device":"Some GPU","driver":"13.0","peak_gb_per_s":2000,"empty_s":1.5e-06}
{"kernel":"_Z4fillIiLj256EEvPT_i","grid":[4,1,1],"block":[256,1,1],"shared":0,"seconds":4e-05}
{"kernel":"_Z4fillIiLj256EEvPT_i","grid":[4,1,1],"block":[256,1,1],"shared":0,"seconds":2e-05}
{"kernel":"_ZN1q3twoEPi","grid":[2,2,1],"block":[8,8,1],"shared":64,"seconds":1e-05}
{"kernel":"_Z4fillIiLj256EEvPT_i","grid":[4,1,1],"block":[256,1,1],"shared":0,"seconds":3e-05}
{"ended":true,"graphs":2,"failed":1}
)";

TEST(LaunchRecord, IsReadAsFarAsItIsThere) {
  const auto r = launch_record_of(record);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->device, "Some GPU");
  EXPECT_EQ(r->peak_gb_per_s, 2000);
  ASSERT_THAT(r->launches, SizeIs(4));
  EXPECT_EQ(r->launches[0].shape.kernel, "fill<int, 256u>");
  EXPECT_THAT(r->launches[2].shape.grid, ElementsAre(2, 2, 1));
  EXPECT_EQ(r->launches[2].shape.shared, 64);
  EXPECT_TRUE(r->ended);
  EXPECT_EQ(r->graphs, 2);
  // a program that was ended in the middle of a line; what is no launch; what is no record
  const std::string half =
      std::string(record).substr(0, 250) + "\n{\"kernel\":\"k\",\"grid\":[0,1,1],\"block\":[1,1,1]}";
  const auto part = launch_record_of(half);
  ASSERT_TRUE(part);
  EXPECT_THAT(part->launches, SizeIs(1));
  EXPECT_FALSE(part->ended);
  for (const char* bad : {"", "[]", "{}", "{\"kernel\":3}", "\xff\xfe"})
    EXPECT_FALSE(launch_record_of(bad)) << bad;
}

TEST(LaunchRecord, NamesKernelsAsADebuggerDoes) {
  EXPECT_EQ(kernel_name("_Z4scanPiS_i"), "scan");
  EXPECT_EQ(kernel_name("_ZN1q3twoEPi"), "two");
  EXPECT_EQ(kernel_name("_ZN12_GLOBAL__N_14fillEPFivE"), "fill");
  EXPECT_EQ(kernel_name("_Z4fillIiLj256EEvPT_i"), "fill<int, 256u>");
  EXPECT_EQ(kernel_name("extern_c"), "extern_c");
  EXPECT_EQ(kernel_name("__nv_static_21__1d49a393_4_b_cu_bias__Z3setPi"), "set") << "one file's own, linked";
  EXPECT_TRUE(same_kernel("fill<int, 256u>", "fill<int,256U>"));
  EXPECT_TRUE(same_kernel("f<3ul>", "f<3UL>"));
  EXPECT_FALSE(same_kernel("fill<int, 256>", "fill<int, 512>"));
  EXPECT_FALSE(same_kernel("step1", "step1u"));
  EXPECT_FALSE(same_kernel("k", "K"));
}

TEST(InPlaceFile, KeepsWhatRunsComeTo) {
  LaunchRecord second = *launch_record_of(record);
  for (TimedLaunch& l : second.launches) l.seconds *= 2;
  second.ended = false;
  InPlace p;
  merge(p, {*launch_record_of(record), second});
  ASSERT_THAT(p.kernels, SizeIs(2));
  EXPECT_EQ(p.kernels[0].launches, 3);
  EXPECT_THAT(p.kernels[0].samples, ElementsAre(DoubleNear(3e-5, 1e-12), DoubleNear(6e-5, 1e-12)));
  EXPECT_NEAR(p.kernels[0].seconds.median, 4.5e-5, 1e-12);
  EXPECT_NEAR(p.kernels[0].total_seconds, 13.5e-5, 1e-12);
  EXPECT_THAT(p.notes, SizeIs(3));  // graphs, a failed launch, a run that did not end
  p.kernels[0].bytes = 45000;
  EXPECT_NEAR(gb_per_s(p.kernels[0]), 1, 1e-9);
  p.program = "home \"work\".cu";
  p.output = "a\nb\xff\n";
  p.check = OutputCheck{Alike::different, {3, "a", "b"}, 1, 0, "because"};
  p.unsteady = OutputDifference{1, "x", "y"};
  const std::string text = to_json(p);
  EXPECT_TRUE(is_in_place(text));
  const InPlace again = read_in_place(text, "x.json");
  EXPECT_EQ(to_json(again), text);
  EXPECT_EQ(again.program, p.program);
  EXPECT_EQ(again.check->excuse.english(), "because");
  EXPECT_EQ(again.kernels[1].shape, p.kernels[1].shape);
}

TEST(InPlaceFile, ThatIsNoneIsToldInOneSentence) {
  const std::string good = to_json([] {
    InPlace p;
    merge(p, {*launch_record_of(record)});
    return p;
  }());
  const auto spoiled = [&](const std::string& from, const std::string& to) {
    std::string all = good;
    const size_t at = all.find(from);
    EXPECT_NE(at, std::string_view::npos) << from;
    return all.replace(at, from.size(), to);
  };
  for (const std::string& bad :
       {std::string(), std::string("{}"), std::string("[3]"), good.substr(0, good.size() / 2),
        spoiled("in_place/1", "in_place/2"), spoiled("\"grid\":[4,", "\"grid\":[0,"),
        spoiled("\"samples\":[", "\"samples\":[-1,"), spoiled("\"kernels\":[", "\"kernels\":[7,"),
        spoiled("\"check\":null", "\"check\":{\"alike\":\"very\"}"), std::string(100, '[')}) {
    try {
      read_in_place(bad, "x.json");
      ADD_FAILURE() << "accepted: " << bad.substr(0, 80);
    } catch (const BadFile& e) { EXPECT_THAT(e.what(), HasSubstr("x.json")); }
  }
}

TEST(Outputs, AreComparedAsPeopleWould) {
  const auto alike = [](const char* a, const char* b) { return compare_outputs(a, b).alike; };
  EXPECT_EQ(alike("1 2 3\nok\n", "1 2 3 \r\nok"), Alike::same);
  EXPECT_EQ(alike("sum 3.14159265\n", "sum 3.14159270\n"), Alike::rounded);
  EXPECT_EQ(alike("sum 1e+10, 4\n", "sum 10000000100.0, 4\n"), Alike::rounded);
  EXPECT_EQ(alike("sum 3.14\n", "sum 3.15\n"), Alike::different);
  EXPECT_EQ(alike("sum 1000000\n", "sum 1000001\n"), Alike::different);
  EXPECT_EQ(alike("a\nb\n", "b\na\n"), Alike::reordered);
  EXPECT_EQ(alike("a\n", "a\nb\n"), Alike::different);
  EXPECT_EQ(alike("x nan\n", "x nan\n"), Alike::same);
  EXPECT_EQ(alike("x 1.5\n", "x nan\n"), Alike::different);
  const Compared c = compare_outputs("1.00001\nright\nlast\n", "1.00002\nwrong\nlast\n");
  EXPECT_EQ(c.first, (OutputDifference{2, "right", "wrong"}));
}

TEST(Nvcc, IsUnderstood) {
  const auto d = diagnostics_of(
      in_compilers_words("/h/a.cu(12): error: identifier \"x\" is undefined\n    x = 3;\n    "
                         "^\n\n/h/a.cu(3): warning #177-D: variable \"y\" "
                         "was declared but never referenced\n/h/b.cpp:4:2: error: expected ';'\n"
                         "/h/a (2).cu(7): catastrophic error: cannot open source file \"z.h\"\n"
                         "ptxas error   : Entry function '_Z1kv' uses too much shared data\n1 error detected "
                         "in the compilation.\n"));
  ASSERT_THAT(d, SizeIs(5));
  EXPECT_EQ(text_of(d[0]), "/h/a.cu:12: error: identifier \"x\" is undefined");
  EXPECT_EQ(d[1].severity, Diagnostic::warning);
  EXPECT_EQ(text_of(d[2]), "/h/b.cpp:4:2: error: expected ';'");
  EXPECT_EQ(text_of(d[3]), "/h/a (2).cu:7: error: cannot open source file \"z.h\"");
  EXPECT_THAT(text_of(d[4]), HasSubstr("too much shared data"));
}

TEST(Nvcc, WrapsWhatItsFileDefines) {
  const std::vector<std::string> all = wrapped_functions(launch_times_text());
  // <<<>>> of CUDA 12 and before, of CUDA 13, cudaLaunchKernelEx, cooperative launches
  for (const char* name : {"cudaLaunchKernel", "__cudaLaunchKernel", "__cudaGetKernel", "cudaLaunchKernelExC",
                           "cudaLaunchCooperativeKernel"})
    EXPECT_THAT(all, Contains(name));
  for (const std::string& name : all) EXPECT_THAT(launch_times_text(), HasSubstr(", " + name + ",")) << name;
}

/// A folder with a program and an nvcc that knows what comes of it.
class OnGpu : public testing::Test {
 protected:
  fs::path written(const std::string& name, const std::string& text, bool runs = false) {
    const fs::path file = folder_.path() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    if (runs) fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  /// Its program writes the record, and prints the words that it is given, and a line of the file beside it.
  GpuTools tools(const std::string& more = "") {
    const fs::path launches = written("launches.json", record);
    const fs::path made = written("made",
                                  "#!/bin/sh\ncat " + launches.string() + " > \"$BARRIERSCOPE_LAUNCHES\"\n" +
                                      "cp \"$0.words\" " + words_file() + "\n" + more +
                                      "echo \"$CUDA_MODULE_LOADING $@\"\ncat beside.txt\n",
                                  true);
    const fs::path nvcc =
        written("bin/nvcc",
                "#!/bin/sh\nwords=\"$*\"\nwhile [ $# -gt 0 ]; do if [ \"$1\" = -o ]; then cp " +
                    made.string() + " \"$2\"; echo \"$words\" > \"$2.words\"; fi; shift; done\n",
                true);
    return {nvcc.string(), true, [] {
              Recording limits;
              limits.copy_gb_per_s = 1500;
              limits.peak_gb_per_s = 2039;
              return limits;
            }};
  }
  Program program() {
    written("src/beside.txt", "beside\n");
    return {.files = {written("src/home work.cu", "const int N = 1 << 20;\nint main() {}\n").string()},
            .arguments = {"two words"}};
  }
  std::string words_file() const { return (folder_.path() / "words").string(); }
  std::string words() const { return read_file(words_file(), 1 << 16); }

 private:
  RunFolder folder_;
};

TEST_F(OnGpu, ItsLaunchesAreTimedOverSeveralRuns) {
  std::vector<int> told;
  const MeasuredInPlace m = measure_in_place(
      program(), tools(), {.runs = 3, .tell = [&](const InPlaceProgress& p) { told.push_back(p.run); }});
  ASSERT_TRUE(m.compiled);
  EXPECT_THAT(told, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(m.result.runs, 3);
  EXPECT_EQ(m.result.program, "home work.cu");
  EXPECT_THAT(m.result.kernels, SizeIs(2));
  EXPECT_THAT(m.result.kernels[0].samples, SizeIs(3));
  EXPECT_EQ(m.result.copy_gb_per_s, 1500);
  EXPECT_EQ(m.result.peak_gb_per_s, 2039);
  EXPECT_EQ(m.result.output, "EAGER two words\nbeside\n");
  EXPECT_FALSE(m.result.unsteady);
  EXPECT_THAT(words(), HasSubstr("home work.cu"));  // itself, no copy of it
  EXPECT_THAT(words(), HasSubstr("--wrap=__cudaLaunchKernel "));
}

TEST_F(OnGpu, FilesThatShareDeviceCodeAreLinked) {
  GpuTools t = tools();
  const std::string makes = t.nvcc;
  t.nvcc = written("bin/alone",
                   "#!/bin/sh\ncase \"$*\" in *-rdc=true*) exec " + makes +
                       " \"$@\";; esac\n"
                       "echo \"ptxas fatal   : Unresolved extern function '_Z5twicei'\"; exit 1\n",
                   true)
               .string();
  EXPECT_FALSE(measure_in_place(program(), t, {.runs = 1}).compiled) << "one file has nobody to link with";
  Program two = program();
  two.files.push_back(written("src/more.cu", "").string());
  const MeasuredInPlace m = measure_in_place(two, t, {.runs = 1});
  EXPECT_TRUE(m.compiled);
  EXPECT_THAT(m.diagnostics, IsEmpty());
  EXPECT_THAT(words(), HasSubstr("-rdc=true"));
}

TEST_F(OnGpu, AConstantIsChangedInACopy) {
  Program p = program();
  p.constants = {{"N", "64"}};
  measure_in_place(p, tools(), {.runs = 1});
  EXPECT_THAT(words(), HasSubstr("/changed/home work.cu"));
  EXPECT_THAT(words(), HasSubstr("-I" + fs::path(p.files[0]).parent_path().string()));
}

TEST_F(OnGpu, WhatPrintsOtherwiseEachTimeIsNoted) {
  const MeasuredInPlace m = measure_in_place(program(), tools("echo took $$ ms\n"), {.runs = 2});
  ASSERT_TRUE(m.result.unsteady);
  EXPECT_THAT(m.result.unsteady->a, HasSubstr("took "));
}

TEST_F(OnGpu, WhatIsMissingIsSaidWithWhatToDo) {
  const auto why = [&](const GpuTools& t, const Program& p) -> std::string {
    try {
      measure_in_place(p, t, {.runs = 1});
    } catch (const NoDevice& e) { return e.what(); }
    return "";
  };
  GpuTools none = tools();
  none.gpu = false;
  EXPECT_THAT(why(none, program()), HasSubstr("no NVIDIA GPU"));
  EXPECT_THAT(why(none, program()), HasSubstr("--recorded"));
  GpuTools no_nvcc = tools();
  no_nvcc.nvcc.clear();
  EXPECT_THAT(why(no_nvcc, program()), HasSubstr("no nvcc"));
  const std::string launches_nothing = why(tools("rm \"$BARRIERSCOPE_LAUNCHES\"\n"), program());
  EXPECT_THAT(launches_nothing, HasSubstr("it printed: EAGER two words"));
  GpuTools no_module = tools();
  no_module.limits = []() -> Recording {
    throw NoDevice(Message::plain("this program was built without CUDA"));
  };
  EXPECT_THAT(texts(measure_in_place(program(), no_module, {.runs = 1}).result.notes),
              Contains(HasSubstr("built without CUDA")));
}

TEST_F(OnGpu, ACrashKeepsWhatWasMeasured) {
  const MeasuredInPlace m = measure_in_place(program(), tools("kill -SEGV $$\n"), {.runs = 3});
  EXPECT_THAT(m.result.ended.english(), HasSubstr("signal 11"));
  EXPECT_EQ(m.result.runs, 1);
  EXPECT_THAT(m.result.kernels, SizeIs(2));
}

TEST_F(OnGpu, ItsErrorsStandAtTheirLines) {
  GpuTools t = tools();
  const Program p = program();
  t.nvcc =
      written("bin/nvcc", "#!/bin/sh\necho '" + p.files[0] + "(2): error: this is wrong'\nexit 2\n", true)
          .string();
  const MeasuredInPlace m = measure_in_place(p, t);
  EXPECT_FALSE(m.compiled);
  ASSERT_THAT(m.diagnostics, SizeIs(1));
  EXPECT_EQ(m.diagnostics[0].line, 2);
  EXPECT_EQ(m.diagnostics[0].text.english(), "this is wrong");
}

/// A program as it ran on the CPU, for real.
TEST_F(OnGpu, IsComparedWithTheRunOnTheCpu) {
  const fs::path file = written("cpu/fill.cu", R"(#include <cstdio>
template <int B> __global__ void fill(int* a, int n) {
  int i = blockIdx.x * B + threadIdx.x;
  if (i < n) a[i] = a[i] + i;
}
int main() {
  int* a;
  cudaMallocManaged(&a, 100 * sizeof(int));
  fill<64><<<2, 64>>>(a, 100);
  cudaDeviceSynchronize();
  printf("%d\n", a[99]);
}
)");
  ProgramRun cpu = run_program({.files = {file.string()}});
  ASSERT_TRUE(cpu.trace) << cpu.report.why_not.english();
  bscope::Run run{std::move(*cpu.trace), {}};
  run.report = analyse(run.trace);
  InPlace p;
  merge(p, {*launch_record_of(R"({"device":"G","driver":"13.0"}
{"kernel":"_Z4fillILi64EEvPii","grid":[2,1,1],"block":[64,1,1],"shared":0,"seconds":1e-06}
{"ended":true})")});
  p.output = "99\n";
  compare_with_cpu(p, run, cpu);
  ASSERT_TRUE(p.check);
  EXPECT_EQ(p.check->alike, Alike::same);
  EXPECT_FALSE(p.check->wrong());
  EXPECT_EQ(p.kernels[0].shape.kernel, "fill<64>");
  EXPECT_EQ(p.kernels[0].bytes, 800);    // 100 read, 100 written
  EXPECT_EQ(p.kernels[0].fetched, 832);  // 13 sectors of 32 bytes, twice
  // of a launch that is too long, the first blocks: here two of 1024, and the array ends after 100 cells
  ReportedLaunch whole;
  whole.kernel = "fill<64>";
  whole.grid = {1024, 1, 1};
  whole.block = {64, 1, 1};
  whole.shown = "in_part";
  cpu.report.launches = {whole};
  p.kernels[0].shape.grid = {1024, 1, 1};
  compare_with_cpu(p, run, cpu);
  EXPECT_TRUE(p.kernels[0].estimated);
  EXPECT_EQ(p.kernels[0].bytes, 800);
  EXPECT_EQ(p.kernels[0].fetched, 512 * 832);
  // of the array, too, the first 100 of so many cells: the blocks go no further into it than into the grid
  run.trace.arrays[0].whole = 1024 * 64;
  compare_with_cpu(p, run, cpu);
  EXPECT_EQ(p.kernels[0].bytes, 512 * 800);
  EXPECT_EQ(p.kernels[0].fetched, 512 * 832);
  // a stride of the grid: the blocks go through the whole array, and a tenth of that is traced
  run.trace.arrays[0].whole = 1000;
  p.kernels[0].shape.grid = {64, 1, 1};
  cpu.report.launches[0].grid = {64, 1, 1};
  compare_with_cpu(p, run, cpu);
  EXPECT_EQ(p.kernels[0].bytes, 2 * 1000 * 4);
  EXPECT_EQ(p.kernels[0].fetched, 32 * 10 * 832);
  // the same of a launch that is traced in full
  p.kernels[0].shape.grid = {2, 1, 1};
  compare_with_cpu(p, run, cpu);
  EXPECT_TRUE(p.kernels[0].estimated);
  EXPECT_EQ(p.kernels[0].bytes, 10 * 800);
  EXPECT_EQ(p.kernels[0].fetched, 10 * 832);
  run.trace.arrays[0].whole = 0;
  p.kernels[0].shape.grid = cpu.report.launches[0].grid = {1024, 1, 1};
  cpu.report.launches[0].shown = "too_many";
  p.kernels[0].bytes = 0;
  compare_with_cpu(p, run, cpu);
  EXPECT_EQ(p.kernels[0].bytes, 0) << "a launch of another grid says nothing";
  p.output = "98\n";
  compare_with_cpu(p, run, cpu);
  EXPECT_TRUE(p.check->wrong());
  EXPECT_EQ(p.check->first, (OutputDifference{1, "98", "99"}));
  run.trace.findings.push_back({.message = message("a finding")});
  compare_with_cpu(p, run, cpu);
  EXPECT_FALSE(p.check->wrong());
  EXPECT_THAT(p.check->excuse.english(), HasSubstr("finding"));
}

/// The same folder, with tools that say what is given them.
class Disassembles : public OnGpu {
 protected:
  Disassembler said(const std::string& nvcc_does, const std::string& nvdisasm_does,
                    const std::string& smi_does = "exit 9") {
    return {
        written("bin/nvcc",
                "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'release 12.4, V12.4.131'; exit; fi\n"
                "echo \"$@\" >> \"$TMPDIR/words\"\n" +
                    nvcc_does + "\n",
                true)
            .string(),
        written("bin/nvdisasm", "#!/bin/sh\n" + nvdisasm_does + "\ncat \"$(dirname \"$3\")/words\"\n", true)
            .string(),
        written("bin/nvidia-smi", "#!/bin/sh\n" + smi_does + "\n", true).string()};
  }
  std::string why(const Program& p, const Disassembler& tools) {
    try {
      disassemble(p, tools, "sm_90");
    } catch (const NoDisassembly& e) { return e.what(); }
    return "";
  }
};

TEST_F(Disassembles, EachCudaFileForItself) {
  Program p = program();
  p.files.push_back(written("src/more.cu", "").string());
  p.files.push_back(written("src/host.cpp", "").string());
  const Disassembled d = disassemble(p, said("echo ptxas says >&2", "echo \"$1 $2\""), "sm_86");
  EXPECT_TRUE(d.compiled);
  EXPECT_EQ(d.nvcc, "12.4.131");
  ASSERT_THAT(d.files, SizeIs(2)) << "a file for the host has no machine code of a GPU";
  EXPECT_THAT(d.files[0].listing, testing::StartsWith("-c -gi\n"));
  EXPECT_EQ(d.files[0].said, "ptxas says\n");
  EXPECT_THAT(d.files[0].listing, HasSubstr("-O3 -lineinfo -arch=sm_86 -cubin -o "));
  EXPECT_THAT(d.files[0].listing, HasSubstr("home work.cu"));
}

TEST_F(Disassembles, FilesThatShareDeviceCodeTogether) {
  Program p = program();
  p.files.push_back(written("src/more.cu", "").string());
  const Disassembled d = disassemble(
      p,
      said("case \"$*\" in *-dlink*) echo 'nvlink says'; exit;; esac\n"
           "echo 'a.cu(3): warning #20044-D: extern declaration of the entity bias is treated as a static "
           "definition'",
           "echo listing"),
      "sm_90");
  EXPECT_TRUE(d.compiled);
  EXPECT_THAT(d.diagnostics, IsEmpty()) << "what was so of each for itself";
  ASSERT_THAT(d.files, SizeIs(1));
  EXPECT_EQ(d.files[0].said, "nvlink says\n");
  EXPECT_THAT(d.files[0].listing, HasSubstr("-rdc=true -dlink"));
}

TEST_F(Disassembles, WhatGoesWrongIsSaid) {
  const Disassembled d =
      disassemble(program(), said("echo \"$8(2): error: this is wrong\"; exit 2", "echo"), "sm_90");
  EXPECT_FALSE(d.compiled);
  ASSERT_THAT(d.diagnostics, SizeIs(1));
  EXPECT_EQ(d.diagnostics[0].line, 2);
  EXPECT_THAT(why(program(), said("", "echo not an ELF file; exit 1")), "nvdisasm failed: not an ELF file");
  EXPECT_THAT(why(program(), {}), HasSubstr("no nvcc"));
  EXPECT_THAT(why(program(), {.nvcc = "/bin/true", .nvdisasm = {}, .nvidia_smi = {}}),
              HasSubstr("no nvdisasm"));
}

TEST_F(Disassembles, TheArchitectureIsTheGpus) {
  EXPECT_EQ(said("", "", "echo 8.6; echo 9.0").architecture(), "sm_86");
  EXPECT_EQ(said("", "", "echo 12.0").architecture(), "sm_120");
  EXPECT_EQ(said("", "", "echo '[N/A]'").architecture(), "");
  EXPECT_EQ(said("", "", "echo 'NVIDIA-SMI has failed 1.2'; exit 9").architecture(), "");
  EXPECT_EQ(Disassembler{}.architecture(), "");
}

}  // namespace
}  // namespace bscope::cuda
