// Which headers of a file may be parsed before it.
#include "engine/cuda/toolchain/precompiled_headers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

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
    return leading_library_headers(text, include, before);
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

TEST_F(LeadingHeaders, AreNoneWithoutALibrary) {
  EXPECT_THAT(of("#include <iostream>\n#include <vector>\n"), IsEmpty());
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

}  // namespace
}  // namespace bscope::cuda
