#include "engine/cuda/toolchain/web/clang_driver.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>
#include <string_view>

#include "engine/cuda/toolchain/clang_commands.hpp"  // made when the page is built
#include "engine/cuda/toolchain/clang_options.hpp"

namespace bscope::cuda {
namespace {

using Words = std::vector<std::string>;

/// Words that are in those of its kind, or say which kind it is.
bool is_of_all_programs(std::string_view word) {
  constexpr std::string_view others[] = {"--cuda-host-only", "-c", "-S", "-emit-llvm", "-MMD", kernel_target};
  return std::ranges::find(others, word) != std::end(others) ||
         std::ranges::find(clang_options, word, &ClangOption::word) != std::end(clang_options);
}

/// What a compilation's words say of its file.
struct FileWords {
  Words passed;  ///< as they are
  std::string source, out, dependencies, language;
  bool device = false, kernel = false, compiles = false;
};

FileWords file_words(const Words& command) {
  FileWords f;
  for (size_t k = 1; k < command.size(); ++k) {
    const std::string& word = command[k];
    const auto next = [&] { return k + 1 < command.size() ? command[++k] : std::string(); };
    f.device = f.device || word == "--cuda-device-only";
    f.kernel = f.kernel || word == kernel_target;
    f.compiles = f.compiles || word == "-c" || word == "-S";
    if (word == "-o")
      f.out = next();
    else if (word == "-MF")
      f.dependencies = next();
    else if (word == "-x")
      f.language = next();
    else if (word == "-Xclang")
      f.passed.push_back(next());
    else if (word == "-include" || word == "-isystem" || word == "-ivfsoverlay" || word == "-include-pch")
      f.passed.insert(f.passed.end(), {word, next()});
    else if (!word.starts_with('-'))
      f.source = word;
    else if (!is_of_all_programs(word))
      f.passed.push_back(word);
  }
  return f;
}

std::span<const char* const> words_of_kind(const FileWords& f) {
  if (f.kernel) return kernel_words;
  if (f.language == "c") return c_words;
  return f.device ? std::span<const char* const>(device_words) : std::span<const char* const>(host_words);
}

Words compile_command(FileWords f) {
  Words all = {"clang", "-cc1"};
  std::ranges::copy(words_of_kind(f), std::back_inserter(all));
  std::ranges::move(f.passed, std::back_inserter(all));
  if (!f.dependencies.empty())
    all.insert(all.end(), {"-dependency-file", std::move(f.dependencies), "-MT", f.out});
  all.insert(all.end(), {"-main-file-name", std::filesystem::path(f.source).filename().string(), "-x",
                         std::move(f.language), "-o", std::move(f.out), std::move(f.source)});
  return all;
}

constexpr const char* kernel_link_words[] = {"--experimental-pic", "--export=bscope_kernel",
                                             "--unresolved-symbols=import-dynamic"};

/// A module that another one loads into its own memory.
Words kernel_link_command(const Words& command) {
  Words all = {"wasm-ld"};
  std::ranges::copy(kernel_link_words, std::back_inserter(all));
  std::ranges::copy_if(command.begin() + 1, command.end(), std::back_inserter(all),
                       [](const std::string& word) { return !is_of_all_programs(word); });
  return all;
}

/// Libraries for other machines are none of a page's; ours come with it, each before those that it uses.
Words link_command(const Words& command) {
  constexpr std::string_view libraries[] = {"barrierscope_cuda", "system", "c++", "c++abi", "c",
                                            "clang_rt.builtins"};
  Words all = {"wasm-ld", "--error-limit=0"};
  std::ranges::copy(link_words, std::back_inserter(all));
  for (size_t k = 1; k < command.size(); ++k) {
    const std::string& word = command[k];
    if (word == "-o" && k + 1 < command.size())
      all.insert(all.end(), {word, command[++k]});
    else if (!word.starts_with('-') && word.ends_with(".o"))
      all.push_back(word);
  }
  for (const std::string_view name : libraries)
    all.push_back("/barrierscope/program/lib/lib" + std::string(name) + ".a");
  return all;
}

}  // namespace

std::vector<std::string> tool_command(const std::vector<std::string>& driver_command) {
  FileWords f = file_words(driver_command);
  if (f.compiles) return compile_command(std::move(f));
  return f.kernel ? kernel_link_command(driver_command) : link_command(driver_command);
}

}  // namespace bscope::cuda
