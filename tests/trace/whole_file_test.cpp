#include "engine/trace/whole_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <system_error>

namespace bscope {
namespace {

namespace fs = std::filesystem;

struct WholeFile : testing::Test {
  fs::path folder = fs::temp_directory_path() / ("whole-file-" + std::to_string(::getpid()));
  WholeFile() { fs::create_directories(folder); }
  ~WholeFile() override { fs::remove_all(folder); }
  std::string text(const fs::path& p) const {
    std::ifstream in(p);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  long files() const { return std::distance(fs::directory_iterator(folder), fs::directory_iterator()); }
};

TEST_F(WholeFile, IsNewOrReplaced) {
  write_whole(folder / "a", "one");
  EXPECT_EQ(text(folder / "a"), "one");
  ::chmod((folder / "a").c_str(), 0640);
  write_whole(folder / "a", "");
  EXPECT_EQ(text(folder / "a"), "");
  EXPECT_EQ(fs::status(folder / "a").permissions(), fs::perms(0640));
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, ALinkStaysALink) {
  write_whole(folder / "a", "one");
  fs::create_symlink("a", folder / "link");
  write_whole(folder / "link", "two");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(text(folder / "a"), "two");
}

TEST_F(WholeFile, ADeviceIsWrittenToAndARefusalLeavesNothing) {
  write_whole("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THROW(write_whole("/dev/full", "much"), std::system_error);
  EXPECT_THROW(write_whole(folder, "a folder"), std::system_error);
  EXPECT_THROW(write_whole(folder / "none" / "a", "one"), std::system_error);
  EXPECT_EQ(files(), 0);
}

}  // namespace
}  // namespace bscope
