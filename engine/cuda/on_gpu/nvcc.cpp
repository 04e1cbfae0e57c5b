#include "engine/cuda/on_gpu/nvcc.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "engine/cuda/on_gpu/disassemble.hpp"
#include "engine/cuda/toolchain/child.hpp"
#include "engine/cuda/toolchain/compile.hpp"
#include "engine/cuda/toolchain/confinement.hpp"
#include "engine/cuda/toolchain/own_texts.hpp"
#include "engine/cuda/toolchain/paths.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/project/project.hpp"
#include "engine/cuda/toolchain/readable_files.hpp"
#include "engine/cuda/toolchain/source_copy.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Copies of all its own texts with the constants changed, which stand to each other as the files do. Errors
/// name the files themselves. Returns the copies of those that are compiled.
Words changed_copies(const Program& p, const fs::path& folder) {
  const std::vector<OwnText> own = own_texts(p.files, p.includes);
  std::vector<NamedText> texts;
  for (const OwnText& t : own) texts.push_back(t.text);
  for (const Setting& s : p.constants) change(texts, s);
  const fs::path home = own.front().path.parent_path();
  Words compiled;
  for (size_t k = 0; k < own.size(); ++k) {
    const fs::path from_home = own[k].path.lexically_relative(home);
    const bool beneath = !from_home.empty() && *from_home.begin() != "..";
    if (!beneath && own[k].header && texts[k].text != own[k].text.text)
      throw UsageError(message(
          "the constant stands in {}, outside of the program's folder: change it there, or leave out --const",
          own[k].text.name));
    const fs::path copy =
        folder / "changed" / (beneath ? from_home : fs::path(std::to_string(k)) / own[k].path.filename());
    fs::create_directories(copy.parent_path());
    write_whole(copy, "#line 1 \"" + own[k].path.string() + "\"\n" + texts[k].text);
    if (!own[k].header) compiled.push_back(copy.string());
  }
  return compiled;
}

/// nvcc has no dialects with GNU's extensions.
std::string standard_of(const Program& p) {
  return p.standard.starts_with("gnu++") ? "c++" + p.standard.substr(5) : p.standard;
}

Words command_of(const Program& p, const std::string& nvcc, const fs::path& folder, const fs::path& program) {
  const ForNvcc given = for_nvcc(p, folder);
  Words all = {nvcc, "-O3", "-arch=" + architecture_here(), "-o", program.string()};
  all.insert(all.end(), given.files.begin(), given.files.end());
  all.insert(all.end(), given.options.begin(), given.options.end());
  all.insert(all.end(), given.libraries.begin(), given.libraries.end());
  const fs::path times = folder / "launch_times.cu";
  write_whole(times, launch_times_text());
  all.push_back(times.string());
  for (const std::string& name : wrapped_functions(launch_times_text())) {
    all.emplace_back("-Xlinker");
    all.push_back("--wrap=" + name);
  }
  return all;
}

void name_as_typed(const Program& p, std::vector<Diagnostic>& diagnostics) {
  for (Diagnostic& d : diagnostics)
    for (const std::string& f : p.files)
      if (absolute_path(f) == fs::path(d.file)) d.file = f;
}

}  // namespace

std::string find_nvcc() {
  if (const char* chosen = std::getenv("NVCC"); chosen && *chosen) return find_program(chosen);
  for (const char* name : {"nvcc", "/usr/local/cuda/bin/nvcc", "/opt/cuda/bin/nvcc"})
    if (std::string found = find_program(name); !found.empty()) return found;
  return {};
}

std::string in_compilers_words(std::string_view said) {
  static const std::regex place(
      R"(^(.+)\((\d+)\): (?:catastrophic |fatal |internal )?(error|warning)(?: #[0-9]+(?:-D)?)?: )");
  static const std::regex from_ptxas(R"(^(ptxas|nvlink) (?:error|fatal)\s*: )");
  std::string all;
  while (!said.empty()) {
    const size_t end = std::min(said.find('\n'), said.size());
    const std::string line(said.substr(0, std::min(end, size_t(2000))));  // a regular expression is recursive
    all +=
        std::regex_replace(std::regex_replace(line, place, "$1:$2: $3: "), from_ptxas, "$1: error: ") + "\n";
    said.remove_prefix(std::min(end + 1, said.size()));
  }
  return all;
}

std::vector<std::string> wrapped_functions(std::string_view text) {
  constexpr std::string_view mark = " __wrap_";
  std::vector<std::string> all;
  for (size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at)) {
    at += mark.size();
    const size_t end =
        text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", at);
    if (end == std::string_view::npos || text[end] != '(') continue;  // a word of a comment
    all.emplace_back(text.substr(at, end - at));
  }
  return all;
}

ForNvcc for_nvcc(const Program& p, const fs::path& folder) {
  ForNvcc given{{}, {"-std=" + standard_of(p)}};
  if (p.constants.empty()) {
    for (const std::string& f : p.files) given.files.push_back(absolute_path(f).string());
  } else {
    given.files = changed_copies(p, folder);
    for (const std::string& f : p.files)
      given.options.push_back("-I" + absolute_path(f).parent_path().string());
  }
  const std::vector<std::string> cuda = cuda_files(p, own_texts(p.files, p.includes));
  if (!std::ranges::all_of(cuda, is_cuda_source)) given.options.insert(given.options.end(), {"-x", "cu"});
  for (const std::string& word : p.link_with)
    if (word.starts_with('-')) given.libraries.push_back(word);
  for (const std::string& i : p.includes) given.options.push_back("-I" + absolute_path(i).string());
  for (const std::string& d : p.defines) given.options.push_back("-D" + d);
  return given;
}

bool shares_device_code(const Program& p, std::string_view said) {
  return std::ranges::count_if(p.files, is_cuda_source) > 1 &&
         (said.find("Unresolved extern") != std::string_view::npos ||
          said.find("is treated as a static definition") != std::string_view::npos);
}

std::vector<Diagnostic> diagnostics_by_nvcc(const Program& p, const std::string& nvcc, const Ended& e) {
  std::vector<Diagnostic> all = diagnostics_of(in_compilers_words(e.output));
  if (!e.good() && !has_errors(all)) {
    const std::string why = e.out_of_time ? " took longer than three minutes and was ended"
                                          : " failed: " + as_shown(e.output.substr(0, 500));
    all.push_back({.severity = Diagnostic::error, .file = {}, .text = Message::plain(nvcc + why)});
  }
  name_as_typed(p, all);
  return all;
}

Confinement for_nvcc_tools(const Program& p, const std::string& tool, const fs::path& folder) {
  Confinement may = for_a_compiler(folder, may_read(p, folders_of_tool(tool)), unsigned(seconds_of_nvcc));
  may.memory = uint64_t(8) << 30;  // ptxas takes more than clang
  return may;
}

std::string architecture_here() {
  const std::string found = Disassembler::of_this_machine().architecture();
  return found.empty() ? "native" : found;
}

CompiledByNvcc compile_by_nvcc(const Program& p, const std::string& nvcc, const fs::path& folder) {
  CompiledByNvcc c;
  c.program = folder / "on-gpu";
  const Cage cage(for_nvcc_tools(p, nvcc, folder));
  ProcessCommand command{.words = command_of(p, nvcc, folder, c.program),
                         .environment = {"TMPDIR=" + folder.string()},
                         .seconds = seconds_of_nvcc,
                         .cage = &cage};
  Ended e = run(command);
  if (shares_device_code(p, e.output)) {
    command.words.emplace_back(device_code_is_shared);
    e = run(command);
  }
  if (!e.good())
    if (const auto whole_program = with_project(p)) return compile_by_nvcc(*whole_program, nvcc, folder);
  c.diagnostics = diagnostics_by_nvcc(p, nvcc, e);
  c.done = e.good();
  return c;
}

}  // namespace bscope::cuda
