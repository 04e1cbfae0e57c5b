// Changes of a program's text that may fix a finding, and how they are printed.
#include "engine/cuda/toolchain/fix_candidates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/cuda/toolchain/line_edits.hpp"
#include "engine/cuda/toolchain/source_lines.hpp"

namespace bscope::cuda {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

/// The line that holds these words, from 1.
int line_of(const std::string& text, const std::string& words) {
  const size_t at = text.find(words);
  EXPECT_NE(at, std::string::npos) << words;
  return 1 + int(std::count(text.begin(), text.begin() + long(std::min(at, text.size())), '\n'));
}

/// The texts with each candidate's change.
std::vector<std::string> changed(FixTarget m, const std::string& text) {
  m.file = "a.cu";
  std::vector<std::string> all;
  for (const FixCandidate& c : fix_candidates(m, text)) {
    EXPECT_FALSE(c.help.empty());
    all.push_back(edited(text, "a.cu", c.edits));
  }
  return all;
}

const std::string scan = R"(__global__ void scan(const int* in, int* out) {
  __shared__ int s[256];
  int i = threadIdx.x;
  s[i] = in[i];
  for (int stride = 1; stride < 256; stride *= 2) {
    if (i >= stride) s[i] += s[i - stride];  // in place
  }
  out[i] = s[255 - i];
}
)";

TEST(FixCandidates, ReadThenWriteWhereAThreadReadsTheCellOfAnother) {
  FixTarget m{
      .kind = FixTarget::race,
      .cure = {.kind = CureKind::read_then_write, .line = line_of(scan, "s[i] +="), .every_round = true},
      .line = line_of(scan, "s[i] +="),
      .array = "s",
      .element = "int"};
  const auto texts = changed(m, scan);
  ASSERT_THAT(texts, SizeIs(1));
  EXPECT_THAT(texts[0], HasSubstr("    int other = 0;\n    if (i >= stride) other = s[i - stride];\n"
                                  "    __syncthreads();\n    if (i >= stride) s[i] += other;\n"
                                  "    __syncthreads();\n  }\n"));
}

TEST(FixCandidates, PutABarrierOutsideOfBranches) {
  FixTarget m{.kind = FixTarget::race,
              .cure = {.kind = CureKind::barrier,
                       .places = {{line_of(scan, "s[i] +="), line_of(scan, "out[i] ="), false}}},
              .line = line_of(scan, "out[i] ="),
              .array = "s"};
  EXPECT_THAT(changed(m, scan).front(), HasSubstr("  }\n  __syncthreads();\n  out[i] = s[255 - i];\n"));
  m.cure.places = {{line_of(scan, "s[i] +="), line_of(scan, "s[i] +="), true}};
  EXPECT_THAT(changed(m, scan).front(), HasSubstr("// in place\n    __syncthreads();\n  }\n"));
}

TEST(FixCandidates, PutABarrierBehindALoopBeforeAFunctionIsCalled) {
  const std::string text = R"(__device__ void last(int* s, int t) {
  s[t] += s[t + 32];
}
__global__ void sum(int* s) {
  int t = threadIdx.x;
  for (int d = 64; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
  }
  if (t < 32) last(s, t);
}
)";
  const FixTarget m{.kind = FixTarget::race,
                    .cure = {.kind = CureKind::barrier, .places = {{7, 2, true}}},
                    .line = 2,
                    .array = "s",
                    .element = "int"};
  EXPECT_THAT(changed(m, text),
              ElementsAre(HasSubstr("  }\n  __syncthreads();\n  if (t < 32) last(s, t);\n")));
}

TEST(FixCandidates, WriteAnAtomicForAnUpdate) {
  for (const auto& [update, atomic] : std::initializer_list<std::pair<std::string, std::string>>{
           {"bins[in[i]]++;", "atomicAdd(&bins[in[i]], 1);"},
           {"++bins[in[i]];", "atomicAdd(&bins[in[i]], 1);"},
           {"if (i < n) bins[k] += w[k];", "if (i < n) atomicAdd(&bins[k], w[k]);"},
           {"bins[k] = bins[k] + 2;", "atomicAdd(&bins[k], 2);"},
           {"if (i < n) { bins[f(k)] += g(i, 2); }", "{ atomicAdd(&bins[f(k)], g(i, 2)); }"},
           {"use(bins[k] += v);", "use(atomicAdd(&bins[k], v));"}}) {
    const std::string text = "__global__ void count(int* bins) {\n  " + update + "\n}\n";
    FixTarget m{.kind = FixTarget::race, .cure = {.kind = CureKind::atomic}, .line = 2, .array = "bins"};
    EXPECT_THAT(changed(m, text), Contains(HasSubstr(atomic + "\n"))) << update;
  }
}

TEST(FixCandidates, TightenTheGuardThatLetsAnIndexThrough) {
  const std::string text =
      "__global__ void twice(int* a, int n) {\n  int i = threadIdx.x;\n"
      "  if (i <= n) a[i] *= 2;  // all\n}\n";
  FixTarget m{.finding_kind = FindingKind::out_of_bounds, .line = 3, .array = "a"};
  EXPECT_THAT(changed(m, text), Contains(HasSubstr("  if (i < n) a[i] *= 2;  // all\n")));
  EXPECT_EQ(fix_candidates(m, text).front().help.english(),
            "The condition in line 3 lets i = n through: write i < n.");
  for (const auto& [guard, said] : std::initializer_list<std::pair<std::string, std::string>>{
           {"if (b.x<=rows * (w + 1) && ok)", "lets b.x = rows through: write b.x < rows."},
           {"for (int k = 0; a[k] <= 2 * n - 1; k <<= 1)",
            "lets a[k] = 2 * n - 1 through: write a[k] < 2 * n - 1."},
           {"while (i <= blockDim.x)", "lets i = blockDim.x through: write i < blockDim.x."}}) {
    const auto candidates = fix_candidates(m, "void f() {\n\n" + guard + " a[i] = 0;\n}\n");
    ASSERT_THAT(candidates, SizeIs(1)) << guard;
    EXPECT_THAT(candidates[0].help.english(), HasSubstr(said));
  }
}

TEST(FixCandidates, WidenAnIntThatOverflows) {
  const std::string text =
      "__global__ void k(int* bins, const int* keys) {\n  int h = keys[0]*1103515245 + 12345;  // hash\n"
      "  bins[h % 32] += 1;\n}\n";
  FixTarget m{.finding_kind = FindingKind::out_of_bounds,
              .line = 3,
              .array = "bins",
              .overflow = "keys[0] * 1103515245"};
  const auto texts = changed(m, text);
  EXPECT_THAT(texts.at(0), HasSubstr("  int h = (unsigned)keys[0]*1103515245 + 12345;  // hash\n"));
  EXPECT_THAT(texts.at(1), HasSubstr("  int h = (size_t)keys[0]*1103515245 + 12345;  // hash\n"));
}

TEST(FixCandidates, NameTheForgottenSizeof) {
  const std::string text =
      "__global__ void k(int* a) {\n  a[threadIdx.x] = 1;\n}\nint main() {\n  int* a;\n"
      "  cudaMalloc(&a, n + 1);\n  cudaMalloc((void**)&b, n * sizeof(int));\n}\n";
  FixTarget m{.finding_kind = FindingKind::out_of_bounds, .line = 2, .array = "a"};
  const auto texts = changed(m, text);
  EXPECT_THAT(texts, Contains(HasSubstr("cudaMalloc(&a, (n + 1) * sizeof(*a));")));
  EXPECT_THAT(texts, SizeIs(1)) << "what has a sizeof is left alone";
  for (const auto& [call, longer] : std::initializer_list<std::pair<std::string, std::string>>{
           {"CHECK(cudaMalloc((void**)&a, max(n, m)));",
            "CHECK(cudaMalloc((void**)&a, max(n, m) * sizeof(*a)));"},
           {"cudaMallocManaged(&a, n, cudaMemAttachGlobal);", "cudaMallocManaged(&a, n * sizeof(*a), cuda"}})
    EXPECT_THAT(changed(m, "void f() {\n  a[0] = 1;\n  " + call + "\n}\n"), Contains(HasSubstr(longer)));
  for (const std::string call :
       {"cudaMalloc(&a);", "cudaMalloc(a, n);", "cudaMalloc(&a, ", "cudaMalloc()", "cudaMalloc(&a,)"})
    EXPECT_THAT(changed(m, "void f() {\n  a[0] = 1;\n  " + call + "\n}\n"), testing::IsEmpty()) << call;
}

TEST(FixCandidates, MoveABarrierOutOfAnIf) {
  const std::string text =
      "__global__ void k(int* a) {\n  __shared__ int s[64];\n  if (threadIdx.x < 32) {\n"
      "    s[threadIdx.x] = 1;\n    __syncthreads();\n  }\n  a[threadIdx.x] = s[0];\n}\n";
  FixTarget m{.finding_kind = FindingKind::missed_barrier, .line = 5};
  EXPECT_THAT(changed(m, text),
              Contains(HasSubstr("    s[threadIdx.x] = 1;\n  }\n  __syncthreads();\n  a[")));
}

TEST(FixCandidates, ClearSharedMemoryThatIsUpdatedFirst) {
  const std::string text =
      "__global__ void k(int* a) {\n  __shared__ int bins[8];\n"
      "  atomicAdd(&bins[a[threadIdx.x]], 1);\n}\n";
  FixTarget m{.finding_kind = FindingKind::uninitialised_read, .line = 3, .array = "bins"};
  EXPECT_THAT(changed(m, text),
              Contains(HasSubstr("  for (int k = threadIdx.x; k < 8; k += blockDim.x) bins[k] = 0;\n"
                                 "  __syncthreads();\n  atomicAdd(")));
}

TEST(FixCandidates, RoundTheGridUp) {
  const std::string text = "int main() {\n  int half = n / 2;\n  k<<<n / 256, 256>>>(a);\n}\n";
  FixTarget m{.kind = FixTarget::unread_input};
  EXPECT_THAT(changed(m, text), testing::ElementsAre(HasSubstr("k<<<(n + 256 - 1) / 256, 256>>>(a);")));
  EXPECT_THAT(changed(m, "  dim3 numBlocks(p.w/tile.x, h);\n  int half = n / 2;\n"),
              testing::ElementsAre(HasSubstr("numBlocks((p.w + tile.x - 1) / tile.x, h);")));
}

// No text gives a crash: what a program is made of is its writer's affair.
TEST(FixCandidates, TakeAnyText) {
  for (const std::string text : {"", "{", "}", ")))", "{{{((", "s[i", "if (", "/* ", "\"", "s[i] += s[j];"})
    for (const CureKind kind :
         {CureKind::barrier, CureKind::barrier_in_loop, CureKind::read_then_write, CureKind::atomic})
      for (const int line : {0, 1, 2, 70000}) {
        FixTarget m{
            .kind = FixTarget::race,
            .cure = {.kind = kind, .places = {{line, line + 1, false}, {line, line, true}}, .line = line},
            .line = line,
            .array = "s",
            .element = "int"};
        EXPECT_THAT(fix_candidates(m, text), SizeIs(testing::Le(4u)));
      }
}

TEST(SourceLines, KnowWhereAStatementCanStand) {
  const SourceLines lines(scan);
  EXPECT_FALSE(lines.starts_statement(1));
  for (const int line : {2, 3, 4, 5, 6, 8}) EXPECT_TRUE(lines.starts_statement(line)) << line;
  EXPECT_TRUE(lines.is_one_statement(4));
  EXPECT_FALSE(lines.is_one_statement(5));
  EXPECT_EQ(lines.code(6), "if (i >= stride) s[i] += s[i - stride];");
  EXPECT_EQ(lines.comment(6), "  // in place");
  const auto blocks = lines.blocks_around(6);
  ASSERT_THAT(blocks, SizeIs(2));
  EXPECT_TRUE(blocks[1].is_loop());
  EXPECT_EQ(blocks[1].closes, 7);
  const SourceLines bare("void f() {\n  for (;;)\n    g();\n}\n");
  EXPECT_FALSE(bare.starts_statement(3)) << "the loop's body is no place for a second statement";
}

// ---- diffs

TEST(UnifiedDiff, PrintsHunksAsDiffDoes) {
  const std::string before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n";
  std::string after =
      edited(before, "a.cu", {{"a.cu", 2, 1, {"two"}}, {"a.cu", 13, 0, {"new"}}, {"b.cu", 1, 9}});
  EXPECT_EQ(unified_diff("a.cu", before, after),
            "--- a.cu\n+++ a.cu\n@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n"
            "@@ -10,5 +10,6 @@\n 10\n 11\n 12\n+new\n 13\n 14\n");
  EXPECT_EQ(unified_diff("a.cu", before, before), "");
  EXPECT_EQ(unified_diff("a.cu", "x", "y\n"),
            "--- a.cu\n+++ a.cu\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n");
  EXPECT_EQ(unified_diff("a.cu", "", "y\n"), "--- a.cu\n+++ a.cu\n@@ -0,0 +1 @@\n+y\n");
}

}  // namespace
}  // namespace bscope::cuda
