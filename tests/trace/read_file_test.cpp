#include "engine/trace/read_file.hpp"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <thread>

#include "engine/catalog/catalog.hpp"
#include "engine/timing/recording.hpp"
#include "engine/trace/file.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct ReadFile : testing::Test {
  fs::path folder = fs::temp_directory_path() / ("read-file-" + std::to_string(::getpid()));
  ReadFile() { fs::create_directories(folder); }
  ~ReadFile() override { fs::remove_all(folder); }
  fs::path in(const char* name) const { return folder / name; }
  fs::path write(const char* name, const std::string& text) const {
    std::ofstream(in(name), std::ios::binary) << text;
    return in(name);
  }
  static std::string why(const std::function<void()>& read) {
    try {
      read();
      return "read";
    } catch (const BadFile& e) { return e.what(); } catch (const UsageError& e) {
      return e.what();
    }
  }
};

TEST_F(ReadFile, GivesItsBytes) {
  EXPECT_EQ(read_file(write("a", std::string("x\0y", 3)), 3), std::string("x\0y", 3));
  EXPECT_EQ(read_file(write("empty", ""), 0), "");
  EXPECT_EQ(beginning_of(in("a"), 2), std::string("x\0", 2));
  EXPECT_EQ(beginning_of(in("a"), 20).size(), 3u);
  EXPECT_FALSE(read_file("/proc/self/status", 1 << 20).empty()) << "its size says 0";
}

/// Everything that can stand where a file is expected, and every reader of such a file: one sentence, at
/// once.
TEST_F(ReadFile, WhatIsNoFileIsRefusedByEveryReader) {
  fs::create_directory(in("folder"));
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  fs::create_symlink("nowhere", in("link"));
  fs::create_symlink("circle", in("circle"));
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::snprintf(name.sun_path, sizeof name.sun_path, "%s", in("socket").c_str());
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
  write("file", "");
  ::chmod(write("secret", "1").c_str(), 0);
  const std::pair<std::string, const char*> things[] = {{in("none"), "there is no file"},
                                                        {in("file") / "none", "there is no file"},
                                                        {in("folder"), "is a folder"},
                                                        {in("pipe"), "is a pipe"},
                                                        {in("link"), "is a link"},
                                                        {in("circle"), "cannot read"},
                                                        {in("socket"), "is a pipe"},
                                                        {"", "without a name"},
                                                        {std::string(5000, 'x'), "cannot read"}};
  const std::pair<const char*, std::function<void(const std::string&)>> readers[] = {
      {"file", [](const std::string& p) { read_file(p, 100); }},
      {"beginning", [](const std::string& p) { beginning_of(p, 8); }},
      {"trace", [](const std::string& p) { load(p); }},
      {"recording", [](const std::string& p) { load_recordings(p); }},
      {"input", [](const std::string& p) { read_numbers(p); }}};
  for (const auto& [reader, read] : readers)
    for (const auto& [thing, says] : things) {
      const std::string said = why([&, &read = read, &thing = thing] { read(thing); });
      EXPECT_THAT(said, HasSubstr(says)) << reader << " " << thing;
      EXPECT_THAT(said, testing::Not(HasSubstr("filesystem"))) << reader;
    }
  for (const auto& [reader, read] : readers) {
    if (::geteuid() == 0) break;  // who may read everything
    EXPECT_THAT(why([&, &read = read] { read(in("secret")); }), HasSubstr("Permission denied")) << reader;
  }
  for (const char* device : {"/dev/null", "/dev/zero"})
    EXPECT_THAT(why([&] { read_file(device, 100); }), HasSubstr("is a pipe or a device"));
  ::close(socket);
}

TEST_F(ReadFile, ANameIsNoOrderToTheTerminal) {
  EXPECT_EQ(why([] { read_file("no\x1b[2J\nsuch", 1); }), "there is no file no?[2J?such: check its name");
  EXPECT_EQ(read_file(write("odd\nname", "1"), 1), "1");
}

TEST_F(ReadFile, IsBounded) {
  EXPECT_THAT(why([&] { read_file(write("a", "12345"), 4); }), HasSubstr("is too large"));
  EXPECT_THAT(why([] { read_file("/dev/zero", 1 << 20, Streams::awaited); }), HasSubstr("is too large"));
}

TEST_F(ReadFile, APipeIsReadWhileItsWriterWrites) {
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream out(in("pipe"));  // waits for a reader
    out << "3 1 " << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    out << "7";
  });
  EXPECT_EQ(read_file(in("pipe"), 100, Streams::awaited), "3 1 7");
  writer.join();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "1 2", 3), 3);
  ::close(ends[1]);
  // as the shell's <(...) names it; asked for twice, as make_problem is
  const std::string name = "/dev/fd/" + std::to_string(ends[0]);
  EXPECT_EQ(read_numbers(name), (std::vector<double>{1, 2}));
  EXPECT_EQ(read_numbers(name), (std::vector<double>{1, 2}));
  ::close(ends[0]);
}

TEST_F(ReadFile, TextHasItsByteMarkTakenOff) {
  EXPECT_EQ(as_text("\xef\xbb\xbf"
                    "3",
                    "x"),
            "3");
  EXPECT_EQ(as_text("", "x"), "");
  for (const std::string& mark :
       {std::string("\xff\xfe"), std::string("\xfe\xff"), std::string("\0\0\xfe\xff", 4)})
    EXPECT_THAT(why([&] { as_text(mark + std::string("3\0", 2), "x"); }), HasSubstr("x is text in UTF-16"));
  EXPECT_THAT(why([] { as_text(std::string("3\0", 2), "x"); }), HasSubstr("binary"));
  EXPECT_EQ(read_numbers(write("a",
                               "\xef\xbb\xbf"
                               "3 1")),
            (std::vector<double>{3, 1}));
}

}  // namespace
}  // namespace bscope
