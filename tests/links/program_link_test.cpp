// Links that hold a user's program, as a page writes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "app/links/link.hpp"
#include "app/run/own_program.hpp"
#include "app/run/run_store.hpp"
#include "app/session/state.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/scoped_assign.hpp"
#include "engine/trace/whole_file.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

/// In a folder of its own, as the page's files are.
class ProgramLinks : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder / "inner");
    for (const char* name : {"a.cu", "inner/b.cu"}) write_scratch(folder / name, "int main() {}\n");
    write_scratch(folder.parent_path() / "beside.cu", "int main() {}\n");
    fs::current_path(folder);
  }
  void TearDown() override {
    fs::current_path(before);
    fs::remove_all(folder.parent_path());
  }
  /// The state of a program: the steps are those of another run.
  LoadedState of(const std::string& file) const {
    Target any;
    any.request.kernel = "scan/blelloch";
    LoadedState s = opened(LoadedState{}, any, Where::nowhere);
    s.target = {};
    s.target.file = file;
    return s;
  }

  const fs::path before = fs::current_path();
  const fs::path folder = fs::path(testing::TempDir()) / ("links-" + std::to_string(getpid())) / "files";
  const ScopedAssign<bool> in_page{programs_in_page, true};
};

TEST_F(ProgramLinks, NameTheFileFromTheirFolderOn) {
  EXPECT_EQ(link_of(of("a.cu")), "kernel=a.cu");
  EXPECT_EQ(link_of(of((folder / "inner/b.cu").string())), "kernel=inner/b.cu");
}

TEST_F(ProgramLinks, SayWhatItWasCompiledWithAndThePlace) {
  LoadedState s = of("a.cu");
  s.target.program.constants = {{"n", "8", 0}, {"m", "4", 12}};
  s.target.program.defines = {"FAST"};
  s.target.program.device_model = "sm_90";
  s.target.program.standard = "c++20";
  s.target.program.standard_given = true;
  s = to_step(std::move(s), 2);
  const std::string link = link_of(s);
  EXPECT_EQ(link, "kernel=a.cu&define=FAST&std=c%2B%2B20&device-model=sm_90&const=n=8&const=m:12=4&step=2");
  EXPECT_EQ(checked_link(link).size(), 7u);
}

TEST_F(ProgramLinks, OpenTheProgramThatTheyName) {
  LoadedState s = of("a.cu");
  s.target.program.files = {"a.cu"};
  s.target.program.constants = {{"n", "8", 0}};
  RunStore runs;
  runs.put(s.target, {s.run, s.program});
  const LoadedState back = with_link(LoadedState{}, link_of(s), runs);
  EXPECT_EQ(back.error.english(), "");
  EXPECT_EQ(back.target, s.target);
}

TEST_F(ProgramLinks, NameNoFileThatTheyDoNotHold) {
  for (const char* file : {"../beside.cu", "none.cu", "/etc/a.cu"})
    EXPECT_THROW(link_of(of(file)), UsageError) << file;
  for (const char* link : {"kernel=../beside.cu", "kernel=none.cu", "kernel=/etc/a.cu"})
    EXPECT_THROW(checked_link(link), UsageError) << link;
  programs_in_page = false;
  EXPECT_THROW(link_of(of("a.cu")), UsageError);
  EXPECT_THROW(checked_link("kernel=a.cu"), UsageError);
}

}  // namespace
}  // namespace bscope
