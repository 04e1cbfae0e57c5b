#include "engine/trace/whole_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <system_error>

#include "engine/trace/error.hpp"

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
  EXPECT_THROW(write_whole("/dev/full", "much"), SystemError);
  EXPECT_THROW(write_whole(folder, "a folder"), SystemError);
  EXPECT_THROW(write_whole(folder / "none" / "a", "one"), SystemError);
  EXPECT_EQ(files(), 0);
}

TEST_F(WholeFile, AKilledWriterLeavesNothing) {
  write_whole(folder / "a", "before");
  for (const int signal : {SIGKILL, SIGTERM, SIGINT, SIGSEGV}) {
    const pid_t child = ::fork();
    if (child == 0) {
      std::signal(signal, SIG_DFL);  // a process in the background starts with SIGINT ignored
      NewFile file(folder / "a");
      file.write("half of");
      ::raise(signal);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(text(folder / "a"), "before");
    EXPECT_EQ(files(), 1) << "signal " << signal;
  }
}

TEST_F(WholeFile, WhatAKilledWriterLeftIsTakenAwayByTheNext) {
  const auto old = [&](const char* name) {
    std::ofstream(folder / name) << "half of";
    fs::last_write_time(folder / name, fs::file_time_type::clock::now() - std::chrono::hours(1));
  };
  for (const char* name : {".a.qwerty.tmp", ".b.qwerty.tmp", ".a.tmp", "a.qwerty.tmp"}) old(name);
  std::ofstream(folder / ".a.recent.tmp") << "somebody is at it";
  old(".a.locked.tmp");
  Descriptor writer(::open((folder / ".a.locked.tmp").c_str(), O_RDWR));
  ASSERT_EQ(::flock(writer.get(), LOCK_EX), 0);
  write_whole(folder / "a", "one");
  EXPECT_FALSE(fs::exists(folder / ".a.qwerty.tmp"));
  for (const char* name : {".b.qwerty.tmp", ".a.tmp", "a.qwerty.tmp", ".a.recent.tmp", ".a.locked.tmp", "a"})
    EXPECT_TRUE(fs::exists(folder / name)) << name;
}

TEST_F(WholeFile, APipeThatNobodyReadsIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(write_whole(folder / "pipe", "much"), SystemError);
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
}

}  // namespace
}  // namespace bscope
