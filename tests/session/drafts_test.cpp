#include "app/session/drafts.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/trace/error.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

class Drafts : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_ = fs::temp_directory_path() / ("barrierscope-drafts-" + std::to_string(getpid()));
  std::string settings_ = (folder_ / "settings.json").string();
};

TEST_F(Drafts, ComesBackUntilItIsThrownAway) {
  EXPECT_FALSE(read_draft(settings_, "/home/you/a.cu"));
  write_draft(settings_, "/home/you/a.cu", "int main() {\n");
  write_draft(settings_, "/home/you/b/a.cu", "another");
  EXPECT_EQ(read_draft(settings_, "/home/you/../you/a.cu"), "int main() {\n");
  write_draft(settings_, "/home/you/a.cu", {});
  EXPECT_FALSE(read_draft(settings_, "/home/you/a.cu"));
  EXPECT_EQ(read_draft(settings_, "/home/you/b/a.cu"), "another");
}

TEST_F(Drafts, LongPathsHaveDraftsToo) {
  const std::string deep = "/" + std::string(3000, 'x') + "/a.cu",
                    other = "/" + std::string(3000, 'x') + "/b.cu";
  write_draft(settings_, deep, "deep");
  EXPECT_EQ(read_draft(settings_, deep), "deep");
  EXPECT_FALSE(read_draft(settings_, other));
}

TEST_F(Drafts, WithoutSettingsNothingIsWritten) {
  EXPECT_EQ(draft_path("", "a.cu"), "");
  write_draft("", "a.cu", "text");
  EXPECT_FALSE(read_draft("", "a.cu"));
}

TEST_F(Drafts, AFolderThatCannotBeMadeIsSaid) {
  std::ofstream(folder_.string()) << "a file";
  EXPECT_THROW(write_draft(settings_, "/a.cu", "text"), SystemError);
}

}  // namespace
}  // namespace bscope
