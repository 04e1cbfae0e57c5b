#include "tests/cuda/machine_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "engine/cuda/toolchain/native_service.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/whole_file.hpp"
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
      find_clang() +
      " -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib -g -O0 -w -Xclang "
      "-target-sdk-version=11.0 -ffp-contract=off --cuda-device-only --cuda-gpu-arch=sm_70 -S -emit-llvm " +
      options + " '" + folder + file + "' -o '" + out + "'";
  const int code = std::system(command.c_str());
  const std::string text = whole(out);
  std::filesystem::remove(out);
  if (code != 0 || text.empty()) throw std::runtime_error("clang does not compile " + file);
  return text;
}

/// Compiles at once. A text of a test before is not compiled again.
class CompilerHere : public NativeCompiler {
 public:
  explicit CompilerHere(int& asked) : asked_(asked) {}
  void ask(int, const std::string& text) override {
    ++asked_;
    static std::map<std::string, std::filesystem::path> known;
    std::filesystem::path& library = known[text];
    if (library.empty()) library = compiled(text, known.size());
    latest_ = library;
  }
  std::optional<std::filesystem::path> answer(int) override { return latest_; }

 private:
  static std::filesystem::path compiled(const std::string& text, size_t number) {
    const std::filesystem::path name = std::filesystem::path(testing::TempDir()) /
                                       ("native" + std::to_string(getpid()) + "-" + std::to_string(number));
    const std::filesystem::path source = name.string() + ".c", library = name.string() + ".so";
    write_whole(source, text);
    std::string command;
    for (const std::string& word : native_command(find_clang(), source, library)) command += word + " ";
    return std::system(command.c_str()) == 0 ? library : std::filesystem::path();
  }

  int& asked_;
  std::filesystem::path latest_;
};

}  // namespace

std::unique_ptr<NativeCompiler> compiler_here(int& asked) { return std::make_unique<CompilerHere>(asked); }

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

Device::Device(Limits l, Schedule s, std::string f, const std::vector<std::string>& ours)
    : file(std::move(f)), machine(l, s) {
  std::vector<std::string> folders;
  for (const std::string& name : ours) folders.push_back(folder + name);
  machine.load(device_code(file), folders);
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
