// What users' files include: everything that works compiles on both sides, what cannot work is refused
// where it stands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <regex>
#include <string>

#include "engine/cuda/toolchain/places.hpp"
#include "engine/trace/read_file.hpp"
#include "tests/places.hpp"

namespace bscope {
namespace {

const std::filesystem::path root = BARRIERSCOPE_ROOT;

enum class Side { device, host };

/// What clang says of a file of tests/cuda/headers.
std::string compiled(const std::string& name, Side side, const std::string& more = "") {
  const std::string include = BARRIERSCOPE_HEADERS;
  const std::string command =
      cuda::find_clang() +
      " -std=c++17 -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib -Xclang "
      "-target-sdk-version=11.0 "
      "-fsyntax-only -fno-caret-diagnostics -ferror-limit=0 -Wall -Wno-unused -Wno-deprecated-declarations "
      "-isystem '" +
      include + "' -include cuda_runtime.h " + more +
      (side == Side::device ? " --cuda-device-only --cuda-gpu-arch=sm_70" : " --cuda-host-only") + " '" +
      (root / "tests/cuda/headers" / name).string() + "' 2>&1";
  std::string said;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return "cannot start clang";
  char piece[4096];
  for (size_t got = 0; (got = fread(piece, 1, sizeof piece, pipe)) > 0;) said.append(piece, got);
  const int status = pclose(pipe);
  return status == 0 || !said.empty() ? said : "clang ended with " + std::to_string(status);
}

TEST(CudaHeaders, EverythingCompilesForTheDevice) { EXPECT_EQ(compiled("everything.cu", Side::device), ""); }
TEST(CudaHeaders, EverythingCompilesForTheHost) { EXPECT_EQ(compiled("everything.cu", Side::host), ""); }

/// The errors by the line of the student's file, also those of headers that it includes there.
std::map<int, std::string> errors_by_line(const std::string& said) {
  std::map<int, std::string> errors;
  std::smatch match;
  int includes = 0;
  for (size_t at = 0, end; at < said.size(); at = end + 1) {
    end = std::min(said.find('\n', at), said.size());
    const std::string line = said.substr(at, end - at);
    if (std::regex_search(line, match, std::regex(R"(In file included from .*refusals\.cu:(\d+):)")))
      includes = std::stoi(match[1]);
    else if (std::regex_search(line, match, std::regex(R"(refusals\.cu:(\d+):\d+: error: (.*))")))
      errors[std::stoi(match[1])] += match[2].str() + "\n";
    else if (std::regex_search(line, match, std::regex(R"(: error: (.*))")))
      errors[includes] += match[1].str() + "\n";
  }
  return errors;
}

TEST(CudaHeaders, WhatCannotBeDoneIsRefusedAtItsLine) {
  const std::string text = read_file(root / "tests/cuda/headers/refusals.cu", 1 << 20);
  auto errors = errors_by_line(compiled("refusals.cu", Side::device));
  int line = 0, expected = 0;
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    ++line;
    const std::string of_line = text.substr(at, end - at);
    const size_t mark = of_line.find("// refused: ");
    if (mark == std::string::npos) {
      EXPECT_EQ(errors[line], "") << "line " << line;
    } else {
      ++expected;
      EXPECT_THAT(errors[line], testing::HasSubstr("Barrierscope " + of_line.substr(mark + 12)))
          << "line " << line;
      EXPECT_EQ(std::count(errors[line].begin(), errors[line].end(), '\n'), 1) << errors[line];
    }
  }
  EXPECT_GE(expected, 1);
}

}  // namespace
}  // namespace bscope
