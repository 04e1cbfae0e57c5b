// A program's text: its constants, launches, diagnostics, and what it says that it computes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "engine/cuda/toolchain/constants.hpp"
#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/cuda/toolchain/expectation.hpp"
#include "engine/cuda/toolchain/missing_functions.hpp"
#include "engine/cuda/toolchain/own_texts.hpp"
#include "engine/cuda/toolchain/report.hpp"
#include "engine/cuda/toolchain/source_copy.hpp"
#include "engine/trace/cpp_tokens.hpp"
#include "engine/trace/error.hpp"
#include "tests/messages.hpp"

namespace bscope::cuda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string program = R"(#define N (1 << 20)  // elements
#define SQUARE(x) ((x) * (x))
#define EMPTY
const int block = 256, tile = block * 2; /* int fake = 5; */
constexpr size_t bytes{N * sizeof(float)};
enum Sizes : int { rows = 512, columns = 1'024 };
template <class T, int width = 32> struct Row { static constexpr double big = 1e6; };
void f(int times = 10) {
  for (int i = 0; i < times; ++i) g(i == 3, "int text = 4;");
  tile2 = 7, other = 9;
  unsigned n = 3000u; const char* s = "a";
  if (x) return; else done = 1;
}
)";

std::string changed(const std::string& text, const std::string& setting) {
  std::vector<NamedText> texts = {{"scan.cu", text}};
  change(texts, parse_setting(setting));
  return texts[0].text;
}
std::string why_not(const std::string& text, const std::string& setting) {
  try {
    changed(text, setting);
  } catch (const UsageError& e) { return e.what(); }
  return "";
}

TEST(Constants, AreFoundWhereTheyAreDeclared) {
  std::vector<std::string> found;
  for (const Constant& c : constants(program))
    found.push_back(c.name + "=" + c.value + "@" + std::to_string(c.line));
  EXPECT_THAT(found, ElementsAre("N=(1 << 20)@1", "block=256@4", "tile=block * 2@4",
                                 "bytes=N * sizeof(float)@5", "rows=512@6", "columns=1'024@6", "width=32@7",
                                 "big=1e6@7", "times=10@8", "i=0@9", "n=3000u@11"));
}

TEST(Constants, AreWorkedOut) {
  const auto known = constants(program);
  const auto value = [&](const char* text) { return worked_out(text, known); };
  EXPECT_EQ(value("N"), 1048576);
  EXPECT_EQ(value("bytes"), 4194304);
  EXPECT_EQ(value("tile - 2 * 3 % 4"), 510);
  EXPECT_EQ(value("(size_t)columns * rows"), 524288);
  EXPECT_EQ(value("-(7 / 2) + 0x10 - 010"), 5);
  EXPECT_EQ(value("1 << 2 + 1"), 8);
  EXPECT_EQ(value("unknown + 1"), std::nullopt);
  EXPECT_EQ(value("1 / 0"), std::nullopt);
  EXPECT_EQ(value("1 +"), std::nullopt);
  EXPECT_EQ(worked_out("a", constants("int a = b; int b = a;")), std::nullopt);
  EXPECT_EQ(value(std::string(100'000, '(').c_str()), std::nullopt);
}

TEST(Constants, ChangeAndLinesStay) {
  EXPECT_THAT(changed(program, "N=4096"), HasSubstr("#define N 4096  // elements\n"));
  EXPECT_THAT(changed(program, "block=64"), HasSubstr("const int block = 64, tile = block * 2;"));
  EXPECT_THAT(changed(program, "bytes=4 * 16"), HasSubstr("bytes{4 * 16};"));
  EXPECT_THAT(changed(program, "columns=8"), HasSubstr("columns = 8 }"));
  EXPECT_THAT(changed(program, "width=8"), HasSubstr("int width = 8>"));
  const std::string lines = "#define N 1 + \\\n 2\nint a;\n";
  EXPECT_EQ(changed(lines, "N=3"), "#define N 3\\\n\nint a;\n");
}

TEST(Constants, ThatCannotBeChangedAreRefused) {
  EXPECT_THAT(why_not(program, "M=3"), HasSubstr("scan.cu declares no such constant"));
  EXPECT_THAT(why_not(program, "done=3"), HasSubstr("no such constant"));
  EXPECT_THAT(why_not(program, "SQUARE=3"), HasSubstr("no such constant"));
  const std::string twice = "#ifdef A\n#define N 4\n#else\n#define N 8\n#endif\n";
  EXPECT_THAT(why_not(twice, "N=3"), HasSubstr("line 2 of scan.cu and line 4 of scan.cu: say which one"));
  EXPECT_THAT(changed(twice, "N:4=3"), HasSubstr("#define N 4\n#else\n#define N 3\n"));
  for (const char* bad : {"N", "=3", "N=", "N=3;", "N=3\n4", "3=4", "N:0=4", "N:x=4", "N M=4"})
    EXPECT_THROW(parse_setting(bad), UsageError) << bad;
}

TEST(Constants, OfAHeaderGiveWayToThoseOfTheFile) {
  const auto both = [](const std::string& setting, const char* file) {
    std::vector<NamedText> texts = {{"a.cu", file}, {"part.h", "#define N 4\n#define M 4\n", true}};
    change(texts, parse_setting(setting));
    return texts[0].text + "|" + texts[1].text;
  };
  EXPECT_EQ(both("N=3", "\nconst int N = 8;"), "\nconst int N = 3;|#define N 4\n#define M 4\n");
  EXPECT_EQ(both("M=3", "const int N = 8;"), "const int N = 8;|#define N 4\n#define M 3\n");
  EXPECT_EQ(both("N:1=3", "\nconst int N = 8;"), "\nconst int N = 8;|#define N 3\n#define M 4\n");
  EXPECT_THROW(both("N=3", "int N = 8;\nint N = 9;"), UsageError);
}

TEST(Constants, ThatMakeAProgramLargeAreSuggested) {
  const auto all = suggest(
      {{"a.cu",
        "#define N (1 << 24)\nconst int half = N / 2, block = 256, big = 100000;\nint a[half], b[big];"}},
      1 << 24);
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].name, "N");
  EXPECT_EQ(all[0].smaller, 2048);
  EXPECT_EQ(all[0].message.english(),
            "N is 16777216 in line 1 of a.cu: try --const N=2048, with which a launch of 16777216 threads "
            "would have "
            "about 2048 if it grows with N");
  EXPECT_EQ(all[1].name, "big");
  EXPECT_THAT(suggest({{"a.cu", "#define N 100\nint a[N];"}}, 0), IsEmpty());
  EXPECT_EQ(suggest({{"a.cu", "#define N 2048\nint a[N];"}}, 0).at(0).smaller, 128)
      << "a matrix's side, perhaps";
  // Of a launch that is small, or loops over its input: the input counts.
  EXPECT_EQ(suggest({{"a.cu", "#define N (1 << 24)\nint a[N];"}}, 1024).at(0).message.english(),
            "N is 16777216 in line 1 of a.cu: try --const N=1024");
  EXPECT_EQ(suggest({{"a.cu", "#define N (1 << 26)\nint a[N];"}}, 8192).at(0).smaller, 16384);
  EXPECT_EQ(suggest({{"a.cu", "#define N 100000000\nint a[N];"}}, 0).at(0).smaller, 256)
      << "a multiple of 256 as it was";
}

/// The names that are suggested, of a text with this function behind its constants.
std::vector<std::string> suggested(const std::string& text) {
  std::vector<std::string> all;
  for (const Suggestion& s : suggest({{"a.cu", "#define N 65536\n" + text}}, 0)) all.push_back(s.name);
  return all;
}

TEST(Constants, AreSizesWhereTheyReachAnAllocationALaunchOrABound) {
  for (const char* use : {
           "int main() { cudaMalloc(&a, N * sizeof(float)); }",
           "int main() { const size_t n = N, bytes = n * 4; float* p = (float*)malloc(bytes); }",
           "int main() { int* a = new int[N]; }",
           "int main() { float** a = new float*[N]; }",
           "__device__ int table[4][N];",
           "int main() { k<<<N / 256, 256>>>(a); }",
           "int main() { dim3 grid((N + 255) / 256); k<<<grid, 256>>>(a); }",
           "int main() { k<4><<<1 + (N >> 8), 256>>>(a); }",
           "int main() { for (int i = 0; i < N; ++i) a[i] = i; }",
           "int main() { for (int i = N - 1; i >= 0; i--) a[i] = i; }",
           "int main() { for (int i = 0; N > i; ++i) {} }",
           "int main() { int i = 0; while (more && i < N) a[i++] = i; }",
           "int main() { std::vector<float> v(N); }",
           "int main() { thrust::device_vector<thrust::pair<int, int>> v(N, {}); }",
           "int main() { auto v = std::vector<float>(N); }",
           "std::array<float, N> all;",
           "int main() { v.resize(N); }",
           "int main() { cudaMemset(a, 0, N); }",
           "__global__ void k(int* a, int n) { for (int i = 0; i < n; ++i) a[i] = i; }\n"
           "int main() { k<<<1, 1>>>(a, N); }",
           "template <int M> void run() { float a[M]; }\nint main() { run<N>(); }",
           "int length() { return N; }\nint main() { malloc(length()); }",
           "struct Matrix { Matrix(int rows) : rows_(rows) { data = new int[rows_]; } };\nint main() { "
           "Matrix m(N); }",
           "#define COUNT (4 * N)\nint a[COUNT];",
           "int main(int argc, char** argv) { int n = argc > 1 ? atoi(argv[1]) : N; malloc(n); }",
           "void run(int n = N) { malloc(n); }",
           "int main() { p.width = N; cudaMalloc(&a, p.width); }",
       })
    EXPECT_THAT(suggested(use), ElementsAre("N")) << use;
}

TEST(Constants, AreNoSizesWhereTheyAreMasksUnitsOrValues) {
  for (const char* use : {
           "int main() { long t = tv.tv_sec * N + tv.tv_usec; printf(\"%ld\", t); }",
           "long now() { return t.tv_sec * N; }\nint main() { long start = now(); printf(\"%f\", (now() - "
           "start) / (float)N); }",
           "int hash(int x) { return x & N; }\nint main() { a[hash(4)]++; malloc(64); }",
           "int main() { cudaMalloc(&a, bytes & ~N); }",
           "int main() { malloc(n & N); malloc(N | n); malloc(n ^ N); }",
           "int main() { int blocks = n / N; k<<<blocks, 64>>>(); }",
           "__global__ void k(int* a) { a[threadIdx.x] = N; if (a[0] == N) a[N] = 1; }\nint main() { k<<<1, "
           "64>>>(a); }",
           "int main() { srand(N); float x = rand() / float(N); if (x > N) return N; }",
           "double seconds(long n) { return n * 1e-6; }\nint main() { int n = 64; malloc(n); seconds(N); }",
           "int main() { for (int i = N; i < 4; ++i) {} }",
           "int main() { x = y < N ? y : N; z = static_cast<int>(N); }",
       })
    EXPECT_THAT(suggested(use), IsEmpty()) << use;
  for (const char* bytes : {"#define", "<", "int a[", "f(", "a<b<c<", "k<<<", "k<<<1>>>", "]",
                            "x = ", "for (", "template <", ")]}>"})
    EXPECT_NO_THROW(suggested(bytes)) << bytes;
}

TEST(Constants, AreSuggestedAsTheyCanBeGiven) {
  std::vector<NamedText> texts = {
      {"a.cu", "void f() { int n = 1 << 20, a[n]; }\nint main() { int n = 1 << 22; malloc(n); }"}};
  for (const Suggestion& s : suggest(texts, 0)) {
    const size_t at = s.message.english().find("--const ") + 8;
    EXPECT_NO_THROW(
        change(texts, parse_setting(s.message.english().substr(at, s.message.english().find(',') - at))))
        << s.message.english();
  }
}

TEST(Text, AnyBytesGiveTokens) {
  for (const char* text :
       {"\"", "'", "R\"(", "R\"", "/*", "//", "#", "\\", "1e+", "0x", "'\\", "\xff\xfe\x01", "R\"xyz(a)xy\""})
    EXPECT_NO_THROW(tokens(text)) << text;
}

TEST(Text, LaunchesAreMendedInPlace) {
  EXPECT_EQ(as_clang_wants("scan<< <grid, block> >>(a);"), "scan<<< grid, block>>> (a);");
  EXPECT_EQ(as_clang_wants("scan < < < g, b > > > (a);"), "scan <<<   g, b >>>   (a);");
  EXPECT_EQ(as_clang_wants("scan<<<g, b>>>(a);"), "scan<<<g, b>>>(a);");
  for (const char* other : {"x = a << b; y = c >> 3;", "cout << \"< < <\"; /* < < <a> > >( */",
                            "vector<vector<set<int> > > (a);"})
    EXPECT_EQ(as_clang_wants(other), other);
}

TEST(Text, AlignmentComesBeforeShared) {
  EXPECT_EQ(as_clang_wants("  __shared__ alignas(16) float s[4];"), "  alignas(16) __shared__ float s[4];");
  EXPECT_EQ(as_clang_wants("extern __shared__  alignas(alignof(T)) T s[];"),
            "alignas(alignof(T))  extern __shared__ T s[];");
  for (const char* other :
       {"alignas(16) __shared__ float s[4];", "__shared__ alignas(", "alignas(16) int a;"})
    EXPECT_EQ(as_clang_wants(other), other);
}

TEST(Text, RegistersOfInlinePtxHaveTwoPercentSigns) {
  EXPECT_EQ(as_clang_wants("asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(t));"),
            "asm volatile(\"mov.u64 %0, %%globaltimer;\" : \"=l\"(t));");
  EXPECT_EQ(as_clang_wants("asm(\"a %%x %[k] %1 \" \"%y;\" :: \"r\"(i));"),
            "asm(\"a %%x %[k] %1 \" \"%%y;\" :: \"r\"(i));");
  for (const char* other : {"asm(\"bar.sync %r1;\");", "printf(\"%d : %s\", a, b);", "asm(\"%tid\""})
    EXPECT_EQ(as_clang_wants(other), other);
}

TEST(Text, OfADriverNamesTheLimitThatEndedItsCompiler) {
  const std::string begins = "a.cu:1:1: note: here\nclang: error: ";
  EXPECT_EQ(limit_in(begins + "unable to execute command: CPU time limit exceeded (core dumped)"),
            CompilerLimit::time);
  EXPECT_EQ(limit_in(begins + "unable to execute command: File size limit exceeded"), CompilerLimit::disk);
  EXPECT_EQ(limit_in("LLVM ERROR: out of memory\n" + begins + "clang frontend command failed"),
            CompilerLimit::memory);
  EXPECT_EQ(limit_in("terminate called after throwing an instance of 'std::bad_alloc'"),
            CompilerLimit::memory);
  EXPECT_EQ(limit_in(begins + "no such file or directory: 'memory'"), CompilerLimit::none);
}

TEST(Text, IsShownAsUtf8) {
  EXPECT_EQ(as_shown("a\r\nb\rc\x1b[2J\td\x1a"), "a\nb\nc [2J\td ");
  EXPECT_EQ(as_shown("Gr\xf6\xdf"
                     "e"),
            "Größe");
  EXPECT_EQ(as_shown("Größe 线程"), "Größe 线程");
  EXPECT_EQ(as_shown("a\x9b[2Jb\x85"), "a [2Jb ");                   // controls of eight bits
  for (const char* mark : {"\u202e", "\u2066", "\u200f", "\u061c"})  // what follows would be turned around
    EXPECT_EQ(as_shown(std::string("x") + mark + "y"), "x\ufffdy");
  EXPECT_EQ(as_shown("\xc2\x9b"
                     "a"),
            " a");
}

TEST(Diagnostics, AreReadOfCompilerAndLinker) {
  const auto all = diagnostics_of(
      "In file included from <built-in>:1:\n"
      "/home/a b/scan.cu:12:3: error: use of undeclared identifier 'x'\n"
      "/home/a b/scan.cu:12:3: error: use of undeclared identifier 'x'\n"
      "/home/scan.cu:9:5: note: 'y' declared here: see\n"
      "/home/scan.cu:1:10: fatal error: 'missing.h' file not found\n"
      "clang: error: no such file or directory: 'gone.cu'\n"
      "/usr/bin/ld: host-0.o: in function `main':\n"
      "/home/scan.cu:30: undefined reference to `f(int)'\n"
      "2 errors generated when compiling for sm_70.\n");
  ASSERT_THAT(all, SizeIs(5));
  EXPECT_EQ(all[0], (Diagnostic{Diagnostic::error, "/home/a b/scan.cu", 12, 3,
                                Message::verbatim("use of undeclared identifier 'x'")}));
  EXPECT_EQ(all[1], (Diagnostic{Diagnostic::note, "/home/scan.cu", 9, 5,
                                Message::verbatim("'y' declared here: see")}));
  EXPECT_EQ(all[2], (Diagnostic{Diagnostic::error, "/home/scan.cu", 1, 10,
                                Message::verbatim("'missing.h' file not found")}));
  EXPECT_EQ(all[3], (Diagnostic{Diagnostic::error, "", 0, 0,
                                Message::verbatim("no such file or directory: 'gone.cu'")}));
  EXPECT_EQ(all[4], (Diagnostic{Diagnostic::error, "/home/scan.cu", 30, 0,
                                Message::verbatim("undefined reference to `f(int)'")}));
  EXPECT_EQ(text_of(all[0]), "/home/a b/scan.cu:12:3: error: use of undeclared identifier 'x'");
  EXPECT_EQ(text_of(all[3]), "error: no such file or directory: 'gone.cu'");
}

TEST(Diagnostics, OfOurHeadersBelongToTheLineThatIncludesThem) {
  const auto all = diagnostics_of(
      "In file included from <built-in>:1:\n"
      "/home/a.cu:2:1: error: 'tex2D' is unavailable: Barrierscope has no textures\n"
      "/cuda/include/refused.h:7:5: note: 'tex2D' has been explicitly marked unavailable here\n"
      "In file included from /home/a.cu:3:\n"
      "In file included from /home/b.h:4:\n"
      "In file included from /cuda/include/cub/cub.cuh:1:\n"
      "/cuda/include/cub/refused.h:1:2: error: Barrierscope has no CUB\n"
      "/home/a.cu:9:3: error: reference to __host__ function '__cudaPushCallConfiguration' in __global__ "
      "function\n"
      "/home/a.cu:10:3: error: no matching function for call to 'cudaDeviceSynchronize'\n",
      "/cuda/include");
  ASSERT_THAT(all, SizeIs(4));
  EXPECT_EQ(all[1],
            (Diagnostic{Diagnostic::error, "/home/b.h", 4, 0, Message::plain("Barrierscope has no CUB")}));
  EXPECT_EQ(all[0].text.english(), "'tex2D' is unavailable: Barrierscope has no textures");
  EXPECT_THAT(all[0].text.arguments(), ElementsAre(Message::verbatim("'tex2D' is unavailable"),
                                                   Message::plain("Barrierscope has no textures")));
  EXPECT_THAT(all[2].text.english(), HasSubstr("launches a kernel in device code"));
  EXPECT_THAT(all[3].text.english(), HasSubstr("launches a kernel in device code"));
}

TEST(Diagnostics, OfOldCudaNameWhatReplacedIt) {
  const auto all = diagnostics_of(
      "/home/a.cu:2:1: warning: '__shfl' is deprecated: old CUDA before 9.0: __shfl_sync(mask, value, lane) "
      "[-Wdeprecated-declarations]\n"
      "/cuda/include/warp.h:7:5: note: '__shfl' has been explicitly marked deprecated here\n"
      "In file included from /home/a.cu:3:\n"
      "/cuda/include/cutil.h:3:2: warning: old CUDA 'cutil.h' before 5.0: helper_cuda.h [-W#warnings]\n"
      "/home/a.cu:9:3: warning: 'f' is deprecated: an old CUDA course [-Wdeprecated-declarations]\n",
      "/cuda/include");
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_EQ(all[0], (Diagnostic{Diagnostic::note, "/home/a.cu", 2, 1, all[0].text}));
  EXPECT_EQ(all[0].text.english(),
            "__shfl is of CUDA before 9.0, and nvcc refuses it today: use __shfl_sync(mask, value, lane)");
  EXPECT_EQ(all[1], (Diagnostic{Diagnostic::note, "/home/a.cu", 3, 0, all[1].text}));
  EXPECT_EQ(all[1].text.english(),
            "cutil.h is of CUDA before 5.0, and nvcc refuses it today: use helper_cuda.h");
  EXPECT_EQ(all[2].severity, Diagnostic::warning);
}

TEST(Diagnostics, OfALibraryThatIsNotHereNameIt) {
  const auto all = diagnostics_of(
      "/home/a.cu:1:10: fatal error: 'thrust/unknown.h' file not found\n"
      "/home/a.cu:5:3: error: use of undeclared identifier 'cublasSgemm'; did you mean 'Sgemm'?\n"
      "/home/a.cu:5:20: error: expected ';' after expression\n"
      "/home/a.cu:6:3: error: use of undeclared identifier 'CUFFT_FORWARD'\n"
      "/home/a.cu:7:3: error: unknown type name 'curandState'; did you mean 'curandStatus'?\n"
      "/home/a.cu:8:3: warning: unused variable 'x'\n");
  std::vector<std::string> said;
  const auto before_colon = [](const std::string& text) { return text.substr(0, text.find(':')); };
  for (const Diagnostic& d : all)
    said.push_back(std::to_string(d.line) + " " + before_colon(d.text.english()));
  EXPECT_THAT(said, ElementsAre("1 Barrierscope has no header of that name (thrust/unknown.h)",
                                "5 Barrierscope has no cuBLAS (cublasSgemm)",
                                "6 Barrierscope has no cuFFT (CUFFT_FORWARD)",
                                "7 Barrierscope has no cuRAND (curandState)", "8 unused variable 'x'"));
  for (const char* own : {"use of undeclared identifier 'cublasting'", "unknown type name 'halfway'",
                          "use of undeclared identifier 'cudaFoo'", "use of undeclared identifier 'cubic'",
                          "'part.h' file not found", "no member named 'sort' in namespace 'thrust'"}) {
    const auto kept = diagnostics_of("/home/a.cu:1:1: error: " + std::string(own) + "\n");
    EXPECT_EQ(kept.at(0).text, Message::verbatim(own));
  }
}

TEST(Diagnostics, WhatFollowsFromWhatIsRefusedIsLeftOut) {
  const auto all = diagnostics_of(
      "/home/a.cu:4:9: error: 'this_cluster' is unavailable: Barrierscope has no clusters of blocks\n"
      "/home/a.cu:5:3: error: member reference base type 'int' is not a structure or union\n"
      "/home/a.cu:6:3: warning: unused variable 'x'\n");
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].line, 4);
  EXPECT_EQ(all[1].severity, Diagnostic::warning);
}

TEST(Diagnostics, OfTheLinkerNameTheFunction) {
  const auto name = [](const std::string& line) { return missing_function(diagnostics_of(line).at(0)); };
  EXPECT_EQ(name("/home/a.cu:3: undefined reference to `twice(int)'\n"), "twice(int)");
  EXPECT_EQ(name("/home/a.cu:3: undefined reference to `__device_stub__fill(int*)'\n"), "fill(int*)");
  EXPECT_EQ(name("/home/a.cu:3:1: error: expected ';'\n"), "");
  const auto all = diagnostics_of("undefined reference to `main'\n");
  EXPECT_TRUE(is_of_missing_main(all.at(0)));
  EXPECT_EQ(missing_function(all.at(0)), "");
}

struct Beside : testing::Test {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("bscope_beside_" + std::to_string(::getpid()));
  Beside() { std::filesystem::create_directories(folder); }
  ~Beside() override { std::filesystem::remove_all(folder); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  std::vector<OwnText> own(const std::string& text) const {
    write("own.cu", text);
    return own_texts({(folder / "own.cu").string()}, {});
  }
};

TEST_F(Beside, FilesAreFoundByWhatTheyDefine) {
  write("a_declares.cpp", "int twice(int);\nstatic int hidden(int x) { return x; }\n");
  write("b_defines.cpp",
        "struct Point { void move(); };\nvoid Point::move() {}\nint twice(int x) { return 2 * x; }\n");
  write("notes.txt", "int other(int x) { return x; }\n");
  write("c_binary.cu", std::string("\x7f\0ELF", 5));
  const auto all = own("int main() {}\n");
  FilesBeside beside(all);
  EXPECT_EQ(beside.that_defines("twice(int)"), "b_defines.cpp");
  EXPECT_EQ(beside.that_defines("Point::move()"), "b_defines.cpp");
  for (const char* none : {"hidden(int)", "other(int)", "main", "nothing"})
    EXPECT_EQ(beside.that_defines(none), "") << none;
}

TEST_F(Beside, AMainIsNamedWhereItCallsTheProgram) {
  write("a_other.cu", "__global__ void scan() {}\nint main() { scan<<<1, 1>>>(); }\n");
  write("b_variable.cu", "int main() { int scan = 1; return scan < 2; }\n");
  write("c_calls.cpp", "void scan_all();\nint main() { scan_all(); }\n");
  const auto all = own("__global__ void scan() {}\nvoid scan_all() { scan<<<1, 1>>>(); }\n");
  EXPECT_EQ(FilesBeside(all).whose_main_calls_it(), "c_calls.cpp");
  const auto kernel = own("__global__ void scan() {}\n");
  EXPECT_EQ(FilesBeside(kernel).whose_main_calls_it(), "");
}

TEST_F(Beside, DeviceCodeThatIsDefinedThereIsAnError) {
  write("part.cu", "__device__ int twice(int x) { return 2 * x; }\n");
  const std::vector<std::string> modules{
      "declare dso_local i32 @_Z5twicei(i32 noundef) #1\ndeclare i32 @_Z6absenti(i32)\n"
      "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare i32 @_Z4herei(i32)\n",
      "define dso_local i32 @_Z4herei(i32 %0) {\n"};
  const auto missing = undefined_device_functions(modules);
  EXPECT_THAT(missing, ElementsAre("_Z5twicei", "_Z6absenti"));
  const auto all = own("int main() {}\n");
  FilesBeside beside(all);
  const auto errors = device_functions_beside(missing, beside);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].text.english(),
            "twice(int) is called by device code and defined in part.cu: name that file, too");
}

TEST(Report, IsReadWithoutTrust) {
  const auto r = report_of(
      R"({"format":"barrierscope.run/1","ended":"crashed","exit":139,"message":"host \u001b[2J\n fault",
    "file":"a.cu","line":7,"traced":true,"launches":[{"kernel":"scan","grid":[2,1,1],"block":[256],
    "shown":"too_long"}],"notes":["one",2],"warnings":[{"message":"wrong way","line":-3}]})");
  ASSERT_TRUE(r);
  EXPECT_EQ(r->end.message.english(), "host  [2J  fault");
  EXPECT_EQ(r->launches[0].threads(), 512);
  EXPECT_EQ(r->exit, 139);
  EXPECT_THAT(texts(r->notes), ElementsAre("one"));
  EXPECT_EQ(r->warnings[0].line, 0);
  for (const auto& [written, read] :
       {std::pair("0", 0), {"-3", -3}, {"18446744073709551615", 0}, {"-999", 0}, {"255", 255}}) {
    const auto one = report_of(R"({"format":"barrierscope.run/1","ended":"returned","exit":)" +
                               std::string(written) + "}");
    EXPECT_EQ(one->exit, read) << written;
  }
  for (const char* bad : {"", "{", "[]", "3", R"({"format":7})", R"({"format":"barrierscope.run/1"})",
                          R"({"format":"barrierscope.run/1","ended":"well"})"})
    EXPECT_FALSE(report_of(bad)) << bad;
  const auto odd =
      report_of(R"({"format":"barrierscope.run/1","ended":"returned","launches":{"a":1},"notes":"x",
    "warnings":[3,null,[[]]],"exit":1e300,"line":99999999999999999999})");
  ASSERT_TRUE(odd);
  EXPECT_THAT(odd->launches, IsEmpty());
  EXPECT_EQ(report_of(std::string(3'000'000, '[')), std::nullopt);
}

// ---- Expectations

Trace two_arrays(std::vector<int> in, std::vector<int> out) {
  Trace t;
  const auto bytes = [](const std::vector<int>& v) {
    std::vector<std::byte> b(v.size() * 4);
    std::memcpy(b.data(), v.data(), b.size());
    return b;
  };
  t.arrays = {{.name = "d_in", .size = int(in.size()), .initial = bytes(in)},
              {.name = "d_out", .size = int(out.size()), .initial = bytes(out)}};
  Launch l;
  l.after = {bytes(in), bytes(out)};
  t.launches.push_back(std::move(l));
  return t;
}

/// What a line makes of an input; of what cannot be, the sentence.
std::pair<std::vector<int>, std::string> expected(const std::string& what, const std::vector<int>& in,
                                                  size_t room) {
  std::vector<Diagnostic> diagnostics;
  const auto all =
      expectations({{"a.cu", "const int R = 2;\n// barrierscope: expect " + what + "\n"}}, diagnostics);
  if (!diagnostics.empty()) return {{}, text_of(diagnostics[0])};
  Trace t = two_arrays(in, std::vector<int>(room));
  expect(t, all.at(0), diagnostics);
  std::vector<int> values(t.expected.size() / 4);
  if (!values.empty()) std::memcpy(values.data(), t.expected.data(), t.expected.size());
  return {values, diagnostics.empty() ? "" : text_of(diagnostics[0])};
}

TEST(Expectation, OfAnArrayThatIsShownInPartIsNotJudged) {
  std::vector<Diagnostic> diagnostics;
  const auto all = expectations({{"a.cu", "// barrierscope: expect out = copy(in)\n"}}, diagnostics);
  for (const size_t cut : {0, 1}) {
    Trace t = two_arrays({1, 2}, {1, 2});
    t.arrays[cut].whole = 1000;
    EXPECT_THAT(expect(t, all.at(0), diagnostics).english(), HasSubstr("the first 2 of 1000 cells of "));
    EXPECT_TRUE(t.expected.empty());
  }
  EXPECT_TRUE(diagnostics.empty());
}

TEST(Expectation, IsWorkedOutFromTheInput) {
  const std::vector<int> in = {3, 1, 2, 0, 1, 5};
  EXPECT_THAT(expected("out = inclusive_scan(in)", in, 6).first, ElementsAre(3, 4, 6, 6, 7, 12));
  EXPECT_THAT(expected("d_out = exclusive_scan(d_in)", in, 6).first, ElementsAre(0, 3, 4, 6, 6, 7));
  EXPECT_THAT(expected("out = sum(in);", in, 1).first, ElementsAre(12));
  EXPECT_THAT(expected("out = sort(in)", in, 6).first, ElementsAre(0, 1, 1, 2, 3, 5));
  EXPECT_THAT(expected("out = histogram(in)", in, 4).first, ElementsAre(1, 2, 1, 1));
  EXPECT_THAT(expected("out = transpose(in, R, 1 + 2)", in, 6).first, ElementsAre(3, 0, 1, 1, 2, 5));
  EXPECT_THAT(expected("out = matmul(in, in, 2, 2, 2)", in, 4).first, ElementsAre(11, 3, 6, 2));
  EXPECT_THAT(expected("out = copy(in)", in, 6).first, testing::ElementsAreArray(in));
  EXPECT_THAT(expected("out = in", in, 6).first, testing::ElementsAreArray(in));
}

TEST(Expectation, SaysWhatItsLineShouldBe) {
  const auto why = [](const std::string& what) { return expected(what, {1, 2, 3, 4}, 4).second; };
  EXPECT_THAT(why("out = integral(in)"),
              HasSubstr("a.cu:2: error: \"integral\" is not known; it may be another array, "));
  EXPECT_THAT(why("out"), HasSubstr("equals sign"));
  EXPECT_THAT(why("= sum(in)"), HasSubstr("name of an array"));
  EXPECT_THAT(why("out = sum in"), HasSubstr("brackets"));
  EXPECT_THAT(why("out = sum(in, in)"), HasSubstr("sum takes one array"));
  EXPECT_THAT(why("out = transpose(in, 2)"), HasSubstr("transpose takes one array and 2 sizes"));
  EXPECT_THAT(why("out = transpose(in, 2, x)"), HasSubstr("x is no size that is known here"));
  EXPECT_THAT(why("out = transpose(in, 4, 4)"), HasSubstr("the input has 4 elements, and 16 are needed"));
  EXPECT_THAT(why("result = sum(in)"),
              HasSubstr("no kernel touches an array result; those that kernels touch: d_in, d_out"));
}

TEST(Expectation, SetsWhatAProofHasToShow) {
  std::vector<Diagnostic> diagnostics;
  Trace t = two_arrays({1, 2}, {0, 0});
  expect(t,
         expectations({{"a.cu", "/* barrierscope: expect out = inclusive_scan(in) */"}}, diagnostics).at(0),
         diagnostics);
  EXPECT_EQ(t.property, Property::inclusive_scan);
  EXPECT_EQ(t.input, 0);
  EXPECT_EQ(t.output, 1);
  EXPECT_THAT(diagnostics, IsEmpty());
}

TEST(Expectation, IsOfTheArrayThatTheHostTookLast) {
  std::vector<Diagnostic> diagnostics;
  Trace t = two_arrays({1, 2}, {0, 0});
  for (const char* name : {"d_out_2", "d_outer"}) {
    t.arrays.push_back(t.arrays[1]);
    t.arrays.back().name = name;
    t.launches[0].after.push_back(t.launches[0].after[1]);
  }
  for (const auto& [taken, meant] : {std::pair{2, 2}, {1, 1}, {3, 1}, {0, 1}}) {
    t.output = taken;
    expect(t, expectations({{"a.cu", "// barrierscope: expect out = copy(in)"}}, diagnostics).at(0),
           diagnostics);
    EXPECT_EQ(t.output, meant);
  }
  EXPECT_THAT(diagnostics, IsEmpty());
}

TEST(Expectation, IsSeenWhereverACommentHoldsIt) {
  for (const std::string comment :
       {"// the rule, barrierscope: expect out = sum(in)", "/* barrierscope: expect out = sum(in) */",
        "/**\n * What it does.\n * Barrierscope: expect out = sum(in).\n */",
        "//barrierscope:expect out = sum(in)", "int x;  //! <- barrierscope expect out = sum(in)",
        "/* a\n   b barrierscope:  expect out = sum(in)\r\n*/"}) {
    std::vector<Diagnostic> diagnostics;
    const auto all = expectations({{"a.cu", comment}}, diagnostics);
    ASSERT_THAT(all, SizeIs(1)) << comment;
    EXPECT_EQ(all[0].of, "sum");
    EXPECT_EQ(all[0].line,
              1 + std::count(comment.begin(), comment.begin() + long(comment.find("arrier")), '\n'));
    EXPECT_THAT(diagnostics, IsEmpty());
  }
}

TEST(Expectation, ThatIsBadlyWrittenIsNeverPassedOver) {
  for (const char* comment : {"// some barrierscope: expect", "// barrierscope: want a",
                              "/*\n barrierscope expect a */", "// barrierscope:"}) {
    std::vector<Diagnostic> diagnostics;
    EXPECT_THAT(expectations({{"a.cu", comment}}, diagnostics), IsEmpty());
    EXPECT_THAT(diagnostics, SizeIs(1)) << comment;
  }
  for (const char* none : {"\"// barrierscope: expect a = b\"", "// seen in Barrierscope: the race is gone",
                           "// run barrierscope a.cu", "// barrierscope expects the sum here"}) {
    std::vector<Diagnostic> diagnostics;
    EXPECT_THAT(expectations({{"a.cu", none}}, diagnostics), IsEmpty());
    EXPECT_THAT(diagnostics, IsEmpty()) << none;
  }
}

}  // namespace
}  // namespace bscope::cuda
