// Which headers of a file may be parsed before it, and that compilations find them.
#include "engine/cuda/toolchain/precompiled_headers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/cuda/toolchain/compile.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/program.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class LeadingHeaders : public testing::Test {
 protected:
  LeadingHeaders() {
    std::string name = (fs::temp_directory_path() / "headers-XXXXXX").string();
    include = ::mkdtemp(name.data());
    for (const char* header : {"cub/cub.cuh", "thrust/sort.h"}) {
      fs::create_directories((include / header).parent_path());
      std::ofstream(include / header) << "\n";
    }
  }
  ~LeadingHeaders() override { fs::remove_all(include); }
  std::vector<std::string> of(const char* text, const std::vector<std::string>& before = {}) {
    return leading_headers(text, include, before);
  }
  fs::path include;
};

TEST_F(LeadingHeaders, EndWhereSomethingElseStands) {
  EXPECT_THAT(of("// sort\n/* of\n numbers */\n\n#include <iostream>\n  # include <thrust/sort.h> // here\n"
                 "#define N 3\n#include <cub/cub.cuh>\n"),
              ElementsAre("iostream", "thrust/sort.h"));
  EXPECT_THAT(of("#include <thrust/sort.h>\n#include \"own.h\"\n#include <vector>\n"),
              ElementsAre("thrust/sort.h"));
}

TEST_F(LeadingHeaders, AreNoneBehindSomethingElse) {
  EXPECT_THAT(of("#include <iostream>\n#include <vector>\nint x;\n#include <map>\n"),
              ElementsAre("iostream", "vector"));
  EXPECT_THAT(of("#define CUB_DEBUG\n#include <cub/cub.cuh>\n"), IsEmpty());
  EXPECT_THAT(of("#include <cub/gone.cuh>\n"), IsEmpty());
}

TEST_F(LeadingHeaders, AreNoFilesOfTheUsers) {
  EXPECT_THAT(of("#include <cub/cub.cuh>\n#include </etc/passwd>\n"), ElementsAre("cub/cub.cuh"));
  EXPECT_THAT(of("#include <cub/cub.cuh>\n#include <../secret>\n"), ElementsAre("cub/cub.cuh"));
  EXPECT_THAT(of("#include <cub/cub.cuh>\n", {include.string()}), IsEmpty());
}

TEST_F(LeadingHeaders, AreKeptUnderWhatTheyDependOn) {
  const PrecompiledHeaders headers(include / "run-1");
  const std::vector<std::string> command = {"/bin/true", "-DN=1"}, other = {"/bin/true", "-DN=2"},
                                 names = {"cub/cub.cuh"};
  EXPECT_TRUE(headers.find(command, names).empty());
  const fs::path text = headers.text_for(command, names), made = include / "made.pch";
  ASSERT_FALSE(text.empty());
  std::ofstream(made) << "parsed";
  headers.keep(made, text);
  EXPECT_FALSE(headers.find(command, names).empty());
  EXPECT_TRUE(headers.find(other, names).empty());
  EXPECT_TRUE(headers.find(command, {"cub/cub.cuh", "thrust/sort.h"}).empty());
  PrecompiledHeaders::forget(headers.find(command, names));
  EXPECT_TRUE(headers.find(command, names).empty());
}

/// Files that are compiled again and again, each time in a run's folder of its own beside the parsed headers.
class ParsedHeaders : public LeadingHeaders {
 protected:
  Compiled compiled(const std::string& text) {
    const fs::path run = include / std::to_string(++runs_);
    fs::create_directories(run);
    std::ofstream(include / "program.cu") << text;
    Program p;
    p.files = {(include / "program.cu").string()};
    return compile(p, find_places(), run, {}, Until::objects);
  }
  long files() const {
    long all = 0;
    for (const auto& entry : fs::directory_iterator(include / "headers"))
      all += entry.path().extension() == ".pch";
    return all;
  }

 private:
  int runs_ = 0;
};

TEST_F(ParsedHeaders, ServeFilesThatBeginAlike) {
  const std::string headers = "#include <cstdio>\n#include <vector>\n";
  const std::string kernel =
      "__global__ void k(int* a) { a[threadIdx.x] = 1; }\nint main() { std::vector<int> v(3); }\n";
  EXPECT_TRUE(compiled(headers + kernel).done);
  EXPECT_EQ(files(), 0) << "most files are compiled once";
  EXPECT_TRUE(compiled(headers + kernel).done);
  EXPECT_EQ(files(), 2) << "one for each half";
  EXPECT_TRUE(compiled(headers + kernel + "int more;\n").done);
  EXPECT_TRUE(compiled("#include <vector>\n" + kernel).done);
  EXPECT_EQ(files(), 4) << "what stands before every file, whatever that begins with";
  EXPECT_TRUE(compiled("#include <array>\n" + kernel).done);
  EXPECT_EQ(files(), 4);
}

TEST_F(ParsedHeaders, ChangeNoDiagnostics) {
  const std::string text =
      "#include <cstdio>\n__global__ void k() { int x = y; }\nint main() { return missing; }\n";
  const Compiled first = compiled(text), second = compiled(text), third = compiled(text);
  EXPECT_EQ(files(), 2);
  ASSERT_FALSE(first.diagnostics.empty());
  EXPECT_EQ(first.diagnostics, second.diagnostics);
  EXPECT_EQ(first.diagnostics, third.diagnostics);
}

TEST_F(ParsedHeaders, GoWhereTheyAreOfNoUse) {
  const std::string text = "#include <cstdio>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n";
  compiled(text);
  compiled(text);
  for (const auto& entry : fs::directory_iterator(include / "headers"))
    if (entry.path().extension() == ".pch") std::ofstream(entry.path()) << "spoiled";
  EXPECT_TRUE(compiled(text).done);
  EXPECT_EQ(files(), 0);
}

TEST_F(ParsedHeaders, AreNoneThatSaySomething) {
  const std::string text = "#include <cutil.h>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n";
  const Compiled first = compiled(text);
  ASSERT_FALSE(first.diagnostics.empty());
  EXPECT_EQ(compiled(text).diagnostics, first.diagnostics);
  EXPECT_EQ(compiled(text).diagnostics, first.diagnostics);
  EXPECT_EQ(files(), 2) << "what stands before every file";
}

TEST_F(ParsedHeaders, AreNoneOfALanguageWithModules) {
  const std::string text =
      "#include <cstdio>\n#include <concepts>\n__global__ void k() {}\ntemplate <std::integral T> T f(T x) { "
      "return x; }\nint main() { k<<<1, 1>>>(); return f(0); }\n";
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(compiled(text).done);
}

}  // namespace
}  // namespace bscope::cuda
