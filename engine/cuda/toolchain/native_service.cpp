#include "engine/cuda/toolchain/native_service.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "engine/cuda/toolchain/child.hpp"
#include "engine/cuda/toolchain/clang_options.hpp"
#include "engine/cuda/toolchain/confinement.hpp"
#include "engine/cuda/toolchain/readable_files.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/scoped_assign.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
constexpr int most_asked = 100;  // by one program
constexpr size_t most_native_text = size_t(16) << 20;
constexpr double seconds_of_a_native_compiler = 20;
constexpr std::chrono::milliseconds between_looks{5};

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(file, ignored));
}

}  // namespace

std::vector<std::string> native_command(const std::string& clang, const fs::path& text,
                                        const fs::path& library) {
  std::vector<std::string> words = options_of(ClangOption::kernel_code);
  words.insert(words.begin(), {clang, "-x", "c", "-shared", "-fexceptions"});
#ifdef __x86_64__
  words.emplace_back("-march=native");  // it runs here alone: masks for conditional accesses, fused products
#endif
  words.insert(words.end(), {text.string(), "-o", library.string(), "-Wl,--as-needed", "-lm"});
  return words;
}

NativeService::NativeService(std::string clang, fs::path asks, fs::path answers, NativeLibraries& known)
    : clang_(std::move(clang)), asks_(std::move(asks)), answers_(std::move(answers)), known_(known) {
  fs::create_directories(asks_);
  fs::create_directories(answers_);
  thread_ = std::jthread([this] { serve(); });
}

NativeService::~NativeService() { progress_.stop = true; }

void NativeService::serve() {
  const ScopedAssign watched(current_progress, &progress_);
  try {
    for (int number = 0; number < most_asked; ++number) {
      while (!is_there(asks_ / (std::to_string(number) + ".c"))) {
        throw_if_cancelled();
        std::this_thread::sleep_for(between_looks);
      }
      answer(number);
    }
  } catch (const Cancelled&) {        // the program has ended
  } catch (const std::exception&) {}  // no disk, no process: it walks on
}

/// A library appears when it is whole. What fails, in whatever way, is answered, too: the program waits.
void NativeService::answer(int number) {
  const std::string made = (answers_ / std::to_string(number)).string();
  try {
    const std::string text = read_file(asks_ / (std::to_string(number) + ".c"), most_native_text);
    const auto known = known_.find(text);
    if (known != known_.end()) return fs::create_hard_link(known->second, made + ".so");
    if (compile(number, text)) {
      known_[text] = made + ".so";
      return;
    }
  } catch (const std::exception&) {}
  write_whole(made + ".none", "");
}

bool NativeService::compile(int number, const std::string& text) {
  const fs::path name = answers_ / std::to_string(number), copy = name.string() + ".c",
                 library = name.string() + ".part";
  write_whole(copy, text);
  // The text is the program's, so it reads no file that the program may not.
  const MayRead may{.listed_only = true, .files = folders_of_tool(clang_)};
  const Cage cage(for_a_compiler(answers_, may, unsigned(seconds_of_a_native_compiler)));
  if (!run({.words = native_command(clang_, copy, library),
            .environment = {"TMPDIR=" + answers_.string()},
            .seconds = seconds_of_a_native_compiler,
            .cage = &cage})
           .good())
    return false;
  fs::rename(library, name.string() + ".so");
  return true;
}

}  // namespace bscope::cuda
