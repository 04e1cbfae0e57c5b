#include "engine/cuda/toolchain/page_tools.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/cuda/toolchain/child.hpp"
#include "engine/cuda/toolchain/clang_options.hpp"
#include "engine/cuda/toolchain/confinement.hpp"
#include "engine/cuda/toolchain/paths.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/readable_files.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::string_view root = "/barrierscope";
constexpr double seconds_of_a_tool = 30;
constexpr size_t most_written = size_t(64) << 20, most_pack = size_t(256) << 20;

/// Bytes behind the line of JSON, as its list of files names them.
std::vector<std::pair<std::string, std::string>> files_in(std::string_view packet, size_t at,
                                                          const ordered_json& list) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const ordered_json& entry : list) {
    const size_t size = entry.at(1).get<size_t>();
    if (size > packet.size() - at) throw BadFile(message("the packet is shorter than it says"));
    all.emplace_back(entry.at(0).get<std::string>(), packet.substr(at, size));
    at += size;
  }
  return all;
}

/// The line of JSON that a packet begins with, and where the bytes begin.
std::pair<ordered_json, size_t> head_of(std::string_view packet) {
  const size_t end = packet.find('\n');
  if (end == std::string_view::npos) throw BadFile(message("the packet has no first line"));
  return {parse_json(packet.substr(0, end), "packet"), end + 1};
}

/// A path of the page's that files may have: below its files and its work, and nowhere else.
bool may_be_written(const std::string& path) {
  const fs::path normal = fs::path(path).lexically_normal();
  const std::string text = normal.string();
  return normal == path &&
         (text.starts_with("/barrierscope/files/") || text.starts_with("/barrierscope/work/"));
}

/// Options by which clang and the linker load code, run programs, or read commands from files.
bool runs_code(std::string_view word) {
  constexpr std::array<std::string_view, 9> refused = {"-load",         "-plugin", "-add-plugin", "-fplugin",
                                                       "-fpass-plugin", "--mllvm", "--plugin",    "@",
                                                       "--reproduce"};
  return std::ranges::any_of(refused, [&](std::string_view r) { return word.starts_with(r); });
}
/// Options of LLVM that every compilation has: from clang's driver, and ours (clang_options.def).
bool is_usual_for_llvm(std::string_view option) {
  if (option == "-enable-memcpyopt-without-libcalls" || option == "-wasm-enable-eh") return true;
  return option != "-mllvm" &&
         std::ranges::any_of(clang_options, [&](const ClangOption& o) { return o.word == option; });
}
/// The first word that is not for pages; null: all are.
const std::string* refused_word(const std::vector<std::string>& words) {
  for (size_t k = 1; k < words.size(); ++k) {
    const bool to_llvm = words[k].starts_with("-mllvm");
    const bool is_usual = words[k] == "-mllvm" && k + 1 < words.size() && is_usual_for_llvm(words[k + 1]);
    if (runs_code(words[k]) || (to_llvm && !is_usual)) return &words[k];
  }
  return nullptr;
}

/// Where the page's paths lie on this machine, in words and in texts.
class PathMap {
 public:
  PathMap(const fs::path& headers, const fs::path& work)
      : headers_(headers.string() + std::string(root)), work_(work.string() + std::string(root)) {}

  std::string to_real(std::string_view text) const {
    std::string real;
    size_t at = 0;
    for (size_t found; (found = text.find(root, at)) != std::string_view::npos; at = found + root.size()) {
      real += text.substr(at, found - at);
      const std::string_view behind = text.substr(found + root.size());
      const bool whole = behind.empty() || behind.front() == '/';
      const bool begins = found == 0 || !is_of_path(text[found - 1]) || text.substr(0, found).ends_with("-I");
      if (!whole || !begins)
        real += root;
      else
        real += behind.starts_with("/files") || behind.starts_with("/work") ? work_ : headers_;
    }
    return real += text.substr(at);
  }
  std::string to_page(std::string text) const {
    for (const std::string& real : {work_, headers_})
      for (size_t at = 0; (at = text.find(real, at)) != std::string::npos; at += root.size())
        text.replace(at, real.size(), root);
    return text;
  }
  /// For clang: debug information and __FILE__ name the page's paths.
  std::vector<std::string> options() const {
    std::vector<std::string> all;
    for (const std::string& real : {work_, headers_})
      for (const char* option : {"-fdebug-prefix-map=", "-fmacro-prefix-map="})
        all.push_back(option + real + "=" + std::string(root));
    return all;
  }
  const std::string& work() const { return work_; }

 private:
  static bool is_of_path(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' || c == '_' || c == '-';
  }
  std::string headers_, work_;
};

/// Whether a file holds paths: dependencies, IR and overlays do.
bool holds_paths(const fs::path& file) {
  constexpr std::array<const char*, 4> endings = {".yaml", ".d", ".ll", ".h"};
  return std::ranges::find(endings, file.extension()) != endings.end();
}

/// With the folders that it lies in.
void write_file(const fs::path& file, std::string_view bytes) {
  fs::create_directories(file.parent_path());
  write_scratch(file, bytes);
}

std::string tool(const char* variable, const char* name) {
  const char* const chosen = std::getenv(variable);
  const std::string found = find_program(chosen ? chosen : name);
  if (found.empty())
    throw NoToolchain(
        message("there is no {}, which compiles the programs of pages: install clang-19 and lld-19", name));
  return found;
}

}  // namespace

ToolRun read_tool_run(std::string_view packet) {
  const auto [head, at] = head_of(packet);
  ToolRun run;
  try {
    head.at("words").get_to(run.words);
    run.files = files_in(packet, at, head.at("files"));
  } catch (const ordered_json::exception&) {
    throw BadFile(message("the packet does not say words and files"));
  }
  return run;
}

std::string tool_answer(const ToolRun& run) {
  ordered_json files = ordered_json::array();
  for (const auto& [path, bytes] : run.files) files.push_back({path, bytes.size()});
  std::string all =
      json_text({{"exit", run.exit}, {"output", run.output}, {"files", std::move(files)}}) + "\n";
  for (const auto& [path, bytes] : run.files) all += bytes;
  return all;
}

PageTools::PageTools(const fs::path& packs)
    : clang_(tool("BARRIERSCOPE_PAGE_CLANG", "clang-19")),
      linker_(tool("BARRIERSCOPE_PAGE_LINKER", "wasm-ld-19")) {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(packs, none)) {
    if (entry.path().extension() != ".pack") continue;
    const std::string packet = read_file(entry.path(), most_pack);
    const auto [list, at] = head_of(packet);
    for (const auto& [path, bytes] : files_in(packet, at, list)) {
      const fs::path normal = fs::path(path).lexically_normal();
      if (!path.starts_with("/barrierscope/") || normal != path)
        throw BadFile(message("{} is no pack of headers", entry.path().string()));
      write_file(headers_.path().string() + path, bytes);
    }
  }
  if (!fs::exists(headers_.path().string() + std::string(root)))
    throw BadFile(message("{} holds no packs of headers: it is not the folder of a page that runs programs",
                          packs.string()));
}

ToolRun PageTools::run(const ToolRun& asked) const {
  const bool compiles = asked.words.size() > 1 && asked.words[0] == "clang" && asked.words[1] == "-cc1";
  const bool links = !asked.words.empty() && asked.words[0] == "wasm-ld";
  if (!compiles && !links) throw UsageError(message("only clang -cc1 and wasm-ld run here"));
  if (const std::string* const word = refused_word(asked.words))
    throw UsageError(message("the option {} is not for pages", *word));

  const RunFolder folder;
  const PathMap map(headers_.path(), folder.path());
  std::map<std::string, std::string> there;
  const auto write = [&](const std::string& path, const std::string& bytes) {
    if (!may_be_written(path)) throw UsageError(message("{} is no path of a page's file", path));
    const fs::path to = folder.path().string() + path;
    write_file(to, there[path] = holds_paths(to) ? map.to_real(bytes) : bytes);
  };
  for (const auto& [path, bytes] : asked.files) write(path, bytes);
  fs::create_directories(map.work() + "/work");
  std::vector<std::string> words = {compiles ? clang_ : linker_};
  for (size_t k = 1; k < asked.words.size(); ++k) words.push_back(map.to_real(asked.words[k]));
  if (const auto made = std::ranges::find(words, "-o");
      made != words.end() && made + 1 != words.end() && lies_in(made[1], map.work()))
    fs::create_directories(fs::path(made[1]).parent_path());
  if (compiles)
    for (std::string& option : map.options()) words.push_back(std::move(option));

  MayRead may{.files = {headers_.path()}};
  for (const std::string& program : {clang_, linker_})
    for (fs::path& of_tool : folders_of_tool(program)) may.files.push_back(std::move(of_tool));
  may.listed_only = true;
  const Cage cage(for_a_compiler(folder.path(), std::move(may), unsigned(seconds_of_a_tool)));
  const Ended ended = cuda::run({.words = words,
                                 .called = asked.words[0],
                                 .environment = {"TMPDIR=" + folder.path().string()},
                                 .seconds = seconds_of_a_tool,
                                 .cage = &cage});
  if (ended.out_of_time)
    throw UsageError(
        message("the compiler took longer than {} seconds and was ended", int(seconds_of_a_tool)));
  ToolRun answer{.exit = ended.signal ? 128 + ended.signal : ended.exit, .output = map.to_page(ended.output)};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(map.work())) {
    if (!entry.is_regular_file() || entry.is_symlink()) continue;
    std::string bytes = read_file(entry.path(), most_written);
    std::string path = entry.path().string().substr(folder.path().string().size());
    if (const auto before = there.find(path); before != there.end() && before->second == bytes) continue;
    answer.files.emplace_back(std::move(path),
                              holds_paths(entry.path()) ? map.to_page(std::move(bytes)) : std::move(bytes));
  }
  return answer;
}

}  // namespace bscope::cuda
