// Runs a verb in this process, and compares outputs with approved ones.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "app/cli/command.hpp"
#include "app/cli/console.hpp"
#include "tests/places.hpp"

namespace bscope::test {

struct Result {
  int code = 0;
  std::string out, err;
};

/// `barrierscope ARGS` without colours, display and keys, unless `set_up` gives some.
inline Result barrierscope(const std::vector<std::string>& args, const Window& window = {},
                           const std::function<void(Console&)>& set_up = {}) {
  std::ostringstream out, err;
  Console console{out, err};
  if (set_up) set_up(console);
  Result r;
  r.code = command(args, console, window);
  r.out = out.str();
  r.err = err.str();
  return r;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream f(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(f), {}};
}

/// Compares with tests/approved/NAME. What differs is left as NAME.received beside it: tools/approve.py shows
/// the difference and makes it the approved one.
inline void expect_approved(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::path(BARRIERSCOPE_ROOT) / "tests" / "approved" / name;
  const auto received = path.string() + ".received";
  if (std::filesystem::exists(path) && read_file(path) == text) {
    std::filesystem::remove(received);
    return;
  }
  std::ofstream(received, std::ios::binary) << text;
  ADD_FAILURE() << name << " differs from what was approved: look at it with tools/approve.py";
}

/// A folder of its own for a test, removed at the end.
class Folder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "bscope-cli-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string in(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(in(name), std::ios::binary) << text;
    return in(name);
  }
  size_t files() const { return size_t(std::distance(std::filesystem::directory_iterator(folder_), {})); }

 private:
  std::filesystem::path folder_;
};

}  // namespace bscope::test
