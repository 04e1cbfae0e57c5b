#include "tests/cuda/machine_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "engine/trace/file.hpp"
#include "tests/places.hpp"

namespace bscope::cuda {
namespace {

const std::string folder = BARRIERSCOPE_ROOT "/tests/cuda/";

std::string whole(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string compiled(const std::string& file, const std::string& options) {
  const std::string name = std::filesystem::path(file).filename();
  const std::string out = testing::TempDir() + "/" + std::to_string(getpid()) + name + ".ll";
  const std::string command =
      "clang++-16 -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib -g -O0 -w -Xclang "
      "-target-sdk-version=11.0 -ffp-contract=off --cuda-device-only --cuda-gpu-arch=sm_70 -S -emit-llvm " +
      options + " '" + folder + file + "' -o '" + out + "'";
  const int code = std::system(command.c_str());
  const std::string text = whole(out);
  std::filesystem::remove(out);
  if (code != 0 || text.empty()) throw std::runtime_error("clang++-16 does not compile " + file);
  return text;
}

}  // namespace

const std::string& device_code(const std::string& file, const std::string& options) {
  static std::map<std::string, std::string> known;
  std::string& text = known[file];
  if (text.empty()) text = compiled(file, options);
  return text;
}

int line_named(const std::string& name, const std::string& file) {
  std::istringstream lines(whole(folder + file));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number)
    if (line.ends_with("// LINE " + name)) return number;
  throw std::runtime_error("no line is named " + name);
}

Device::Device(Limits l, Schedule s, std::string f) : file(std::move(f)), machine(l, s) {
  machine.load(device_code(file), {});
  machine.print = [this](std::string_view text) { printed += text; };
}

const ir::Function* Device::kernel(const std::string& name) const {
  // _Z8blellochPii
  const std::string mangled = "_Z" + std::to_string(name.size()) + name;
  std::istringstream lines(device_code(file));
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find("@" + mangled);
    if (line.starts_with("define ") && at != std::string::npos)
      if (const ir::Function* f = machine.kernel(0, line.substr(at + 1, line.find('(', at) - at - 1)))
        return f;
  }
  throw std::runtime_error("there is no kernel " + name);
}

Trace Device::trace() const {
  Trace t = machine.trace("test", [](const std::string& file) -> Source {
    return {std::filesystem::path(file).filename(), whole(file)};
  });
  validate(t);
  const Trace again = read_trace(write_trace(t));
  EXPECT_TRUE(again == t) << "the trace does not come back from a file as it was";
  return t;
}

DataflowGraph Device::replayed(const Trace& t) const {
  DataflowGraph f = replay_trace(t);
  EXPECT_TRUE(f.snapshots_match);
  EXPECT_THAT(f.faults, testing::IsEmpty());
  return f;
}

}  // namespace bscope::cuda
