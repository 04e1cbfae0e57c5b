// A program's text as the things that it declares, and the changes to them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/cuda/toolchain/items.hpp"

namespace bscope::cuda {
namespace {

const std::string given = R"(#include <cstdio>
#define N 64
using Key = char;
const int BLOCK = 32, BLOCKS = (N + BLOCK - 1) / BLOCK;
int table[] = {1, 2, 3};
struct Pair { int a, b; } pair;
__device__ int twice(int x) { return 2 * x; }
template <class T> __global__ void __launch_bounds__(32) scan(const T* in, T* out) { out[0] = twice(in[0]); }
int main() {
  scan<<<1, N>>>(nullptr, nullptr);  // a launch
}
)";

std::string replaced(std::string text, const std::string& old, const std::string& now) {
  const size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), now);
}
std::string changed(const std::string& theirs) {
  const auto c = first_change(given, theirs, {"scan", "Key"});
  return c ? c->whose + ":" + std::to_string(c->line) + (c->added ? " added" : "") : "";
}

TEST(Items, AreWhatStandsOutsideAllBraces) {
  std::vector<std::string> names;
  for (const Item& i : items(given)) names.push_back(i.name + (i.function ? "()" : ""));
  EXPECT_THAT(names,
              testing::ElementsAre("", "N", "Key", "BLOCK", "table", "Pair", "twice()", "scan()", "main()"));
}

TEST(Items, MayBeLaidOutAndCommentedOtherwise) {
  EXPECT_EQ(changed(given), "");
  EXPECT_EQ(changed(replaced(given, "int main() {", "// mine\nint main()\n{  /* here */")), "");
}

TEST(Items, ThatMayChangeChangeWithinWhatTheyAre) {
  EXPECT_EQ(changed(replaced(given, "out[0] = twice", "if (in) out[0] = ")), "");
  EXPECT_EQ(changed(replaced(given, "Key = char", "Key = unsigned char")), "");
  EXPECT_EQ(changed(replaced(given, "using Key = char;", "int Key = system(\"\");")), "Key:3");
  EXPECT_EQ(changed(given + "static int scan = system(\"\");\n"), "scan:12");
}

TEST(Items, OfTheDeviceAndHeadersOfTheSystemMayBeAdded) {
  EXPECT_EQ(changed(replaced(given, "using Key",
                             "__device__ int tickets;\n__device__ int f() { return 1; }\nusing Key")),
            "");
  EXPECT_EQ(changed(replaced(given, "#define", "#include <cooperative_groups.h>\n#define")), "");
  EXPECT_EQ(changed(replaced(given, "#define", "#include \"mine.h\"\n#define")),
            "# include \"mine.h\":2 added");
  EXPECT_EQ(changed(replaced(given, "#define", "#include </tmp/mine.h>\n#define")),
            "# include < / tmp / mine . h >:2 added");
  EXPECT_EQ(changed(replaced(given, "#define", "#include <a/../../mine.h>\n#define")),
            "# include < a / . . / . . / mine . h >:2 added");
  EXPECT_EQ(changed(replaced(given, "using", "__host__ __device__ void g() {}\nusing")), "g():3 added");
}

TEST(Items, ThatAreGivenStayAsTheyAre) {
  EXPECT_EQ(changed(replaced(given, "N 64", "N 8")), "N:2");
  EXPECT_EQ(changed(replaced(given, "{1, 2, 3}", "{1, 2}")), "table:5");
  EXPECT_EQ(changed(replaced(given, "2 * x", "3 * x")), "twice():7");
  EXPECT_EQ(changed(replaced(given, "scan<<<1, N>>>(nullptr, nullptr);", "")), "main():9");
  EXPECT_EQ(changed(replaced(given, "using", "#define cudaMemcpy(...)\nusing")), "cudaMemcpy():3 added");
  EXPECT_EQ(changed(given.substr(0, given.find("int main"))), "main():0");
  EXPECT_EQ(changed(""), "# include < cstdio >:0");
}

TEST(Items, ThatMayChangeHaveNoSayInWhatFollows) {
  const std::string body = "out[0] = twice(in[0]);";
  EXPECT_EQ(changed(replaced(given, body, "\n#pragma unroll 4\nfor (;;) {}")), "");
  for (const char* cheat :
       {"\n#define N 8\n", "\n#include \"mine.h\"\n",
        "\n#if 0\n{\n#endif\n}\nint x = f();\n#if 0\n}\n#endif\n", "_Pragma(\"redefine_extname a b\")",
        "%> int x = f(); __device__ void g() <%", "?\?> int x = f(); void g() ?\?<"})
    EXPECT_NE(changed(replaced(given, body, cheat)), "") << cheat;
  EXPECT_NE(
      changed(replaced(given, "using", "__device__ __attribute__((host)) int f() { return 1; }\nusing")), "");
  EXPECT_NE(changed(replaced(given, "using", "__device__ int f() {\n#define N 8\n}\nusing")), "");
}

TEST(Items, AreFoundInAnyText) {
  for (const char* text :
       {"", "}}}", "((((", "#", "template <", "struct", "= ;", "int x = {", "typedef", "#define"})
    EXPECT_NO_FATAL_FAILURE(items(text)) << text;
}

}  // namespace
}  // namespace bscope::cuda
