#include "engine/cuda/toolchain/project/nvcc_step.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/cuda/run_files/device_model.hpp"
#include "engine/cuda/toolchain/compile.hpp"
#include "engine/cuda/toolchain/paths.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/project/build_line.hpp"
#include "engine/cuda/toolchain/project/project_files.hpp"
#include "engine/cuda/toolchain/project/shell_line.hpp"
#include "engine/cuda/toolchain/run_folder.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::string_view object_mark = "/* barrierscope object 1: what `barrierscope nvcc` was given\n";
constexpr std::string_view program_mark =
    "#!/bin/sh\n# barrierscope program 1: linked by `barrierscope nvcc`, it runs under Barrierscope\n";
constexpr size_t most_step_file = size_t(1) << 20, most_response_files = 20;

/// What objects and programs hold of the command lines that made them.
struct Built {
  Words files, cuda, includes, defines, link_with;
  std::string standard, architecture;
  template <class Self, class Visit>
  static void fields(Self& b, Visit&& visit) {
    visit("files", b.files);
    visit("cuda", b.cuda);
    visit("includes", b.includes);
    visit("defines", b.defines);
    visit("link_with", b.link_with);
    visit("standard", b.standard);
    visit("architecture", b.architecture);
  }
};

Built built_of(const BuildLine& line) {
  return {line.sources, line.cuda, line.includes, line.defines, {}, line.standard, line.architecture};
}

void add(Built& to, const Built& more) {
  add_new(to.files, more.files);
  add_new(to.cuda, more.cuda);
  add_new(to.includes, more.includes);
  add_new(to.defines, more.defines);
  add_new(to.link_with, more.link_with);
  if (to.standard.empty()) to.standard = more.standard;
  to.architecture = newer_architecture(to.architecture, more.architecture);
}

/// The JSON of a file of ours, after its mark; nothing: it is none.
std::optional<Built> built_in(const fs::path& file, std::string_view mark) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored) || beginning_of(file, mark.size()) != mark) return {};
  std::string text = read_file(file, most_step_file);
  const size_t begin = text.find('{', mark.size());
  if (begin == std::string::npos) return {};
  const auto json = try_parse_json(std::string_view(text).substr(begin, text.find('\n', begin) - begin));
  if (!json) return {};
  Built b;
  from_fields_json(b, *json, file.filename().string(), Reading::lenient);
  return b;
}

/// One line of JSON in which no comment of C can end.
std::string line_of(const Built& b) {
  std::string text = json_text(to_fields_json(b)), safe;
  for (const char c : text) {
    if (c == '/' && !safe.empty() && safe.back() == '*') safe += '\\';
    safe += c;
  }
  return safe;
}

void write_object(const fs::path& file, const Built& b) {
  // another linker reads it as a script of its own, and says why it cannot be linked
  write_whole(file, std::string(object_mark) + line_of(b) + "\n*/\nASSERT(0, \"" + file.filename().string() +
                        " was made by barrierscope nvcc: link it by barrierscope nvcc, too\")\n");
}

std::string quoted(const std::string& text) {
  std::string all = "'";
  for (const char c : text) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return all + "'";
}

void write_program(const fs::path& file, const Built& b, const std::string& barrierscope) {
  write_whole(file, std::string(program_mark) + "exec " + quoted(barrierscope) +
                        " check \"$0\" -- \"$@\"\n# " + line_of(b) + "\n");
  fs::permissions(file, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add);
}

Program program_of(const Built& b) {
  Program p;
  p.alone = true;
  p.files = b.files;
  p.cuda = b.cuda;
  p.includes = b.includes;
  p.defines = b.defines;
  p.link_with = b.link_with;
  p.architecture = b.architecture;
  if (device_model(p.architecture)) p.device_model = p.architecture;
  const size_t plus = b.standard.find("++");
  const std::string year = plus == std::string::npos ? std::string() : b.standard.substr(plus + 2);
  if (year == "11" || year == "14" || year == "17" || year == "20") p.standard = "c++" + year;
  return p;
}

/// Words of the environment before and behind, and those of response files in their place.
Words all_words(const Words& given, const fs::path& folder) {
  const auto of_environment = [](const char* name) {
    const char* text = std::getenv(name);
    return text ? words_between_blanks(text) : Words();
  };
  Words words = of_environment("NVCC_PREPEND_FLAGS");
  words.insert(words.end(), given.begin(), given.end());
  std::ranges::move(of_environment("NVCC_APPEND_FLAGS"), std::back_inserter(words));
  size_t files = 0;
  for (size_t k = 0; k < words.size(); ++k) {
    std::string file;
    size_t count = 1;
    for (const std::string_view name : {"--options-file", "-optf"}) {
      if (words[k] == name && k + 1 < words.size()) {
        file = words[k + 1];
        count = 2;
      } else if (words[k].starts_with(std::string(name) + "=")) {
        file = words[k].substr(name.size() + 1);
      }
    }
    if (words[k].starts_with('@')) file = words[k].substr(1);
    if (file.empty()) continue;
    if (++files > most_response_files)
      throw UsageError(message("nvcc: {} names one more file of options: at most {} are read", words[k],
                               most_response_files));
    const Words inside = shell_words(read_file(folder / file, most_step_file), folder);
    const auto at = words.begin() + ptrdiff_t(k);
    words.insert(words.erase(at, at + ptrdiff_t(count)), inside.begin(), inside.end());
    --k;
  }
  return words;
}

/// Throws UsageError for what nvcc does not take, or what is not made here.
void need_usable(const BuildLine& line) {
  if (!line.not_allowed.empty()) {
    const std::string& option = line.not_allowed.front();
    const std::vector<std::string> like = options_like(option);
    const bool of_host = option.starts_with("-W") || option.starts_with("-f") ||
                         option.starts_with("-march") || option == "-pthread";
    if (of_host)
      throw UsageError(message(
          "nvcc: unknown option {}: an option of the host's compiler goes behind -Xcompiler", option));
    if (!like.empty())
      throw UsageError(message("nvcc: unknown option {}: did you mean {}?", option, or_list(like)));
    throw UsageError(message("nvcc: unknown option {}: check its spelling", option));
  }
  if (!line.refused.empty())
    throw UsageError(
        message("nvcc: {} makes code for a GPU or a library, which nothing here runs: compile with "
                "-c and link a program",
                line.refused));
  if (line.makes == Makes::archive)
    throw UsageError(
        message("nvcc: -lib makes an archive, which is not made here: link the objects themselves"));
  std::error_code ignored;
  for (const Words* all : {&line.sources, &line.objects})
    for (const std::string& file : *all)
      if (!fs::is_regular_file(file, ignored))
        throw UsageError(message("nvcc: there is no file {}: check its name", file));
}

/// The sources of a line with those of its objects; what other compilers have made is linked as it is.
Built whole_of(const BuildLine& line) {
  Built all = built_of(line);
  for (const std::string& object : line.objects) {
    if (const auto own = built_in(object, object_mark))
      add(all, *own);
    else
      add_new(all.link_with, {object});
  }
  for (const std::string& folder : line.library_folders) add_new(all.link_with, {"-L" + folder});
  for (const std::string& name : line.libraries) {
    bool found = false;
    for (const std::string& folder : line.library_folders)
      if (const auto own = built_in(fs::path(folder) / ("lib" + name + ".a"), object_mark)) {
        add(all, *own);
        found = true;
      }
    if (!found) add_new(all.link_with, {"-l" + name});
  }
  return all;
}

std::string rule_of(const BuildLine& line) {
  std::string rule;
  for (const std::string& s : line.sources) rule += fs::path(s).stem().string() + ".o : " + s + "\n";
  return rule;
}

/// Compiles, and says what the compiler said. Returns whether it has come to its end.
bool compiles(const Built& b, Until until, NvccStep& step) {
  if (b.files.empty()) return true;
  const RunFolder folder;
  const Compiled c = compile(program_of(b), find_places(), folder.path(), {}, until);
  step.diagnostics = c.diagnostics;
  step.exit = c.done ? 0 : 1;
  return c.done;
}

}  // namespace

NvccStep nvcc_step(const std::vector<std::string>& given, const std::string& barrierscope) {
  const fs::path here = fs::current_path();
  const BuildLine line = build_line(all_words(given, here), here);
  NvccStep step;
  if (line.prints_version) {
    step.out =
        "nvcc: Barrierscope in the place of the CUDA compiler driver\nCuda compilation tools, release 13.0, "
        "V13.0.0\n";
    return step;
  }
  need_usable(line);
  if (line.sources.empty() && line.objects.empty())
    throw UsageError(message("nvcc: no input files: name a .cu file"));
  if (!line.dependencies.empty()) {
    if (line.dependencies == "-")
      step.out = rule_of(line);
    else
      write_whole(line.dependencies, rule_of(line));
    return step;
  }
  if (line.makes == Makes::device_link) {
    write_object(line.output, whole_of(line));
    return step;
  }
  if (line.makes == Makes::object) {
    const bool several = line.sources.size() > 1;
    if (!compiles(built_of(line), Until::objects, step)) return step;
    for (const std::string& source : line.sources) {
      Built one = built_of(line);
      one.files = {source};
      std::erase_if(one.cuda, [&](const std::string& f) { return f != source; });
      write_object(several ? here / (fs::path(source).stem().string() + ".o") : fs::path(line.output), one);
    }
    return step;
  }
  const Built all = whole_of(line);
  if (all.files.empty())
    throw UsageError(
        message("nvcc: none of the objects was made by `barrierscope nvcc`: compile the .cu files by "
                "it, too"));
  if (compiles(all, Until::program, step)) write_program(line.output, all, barrierscope);
  return step;
}

std::optional<Program> linked_program(const fs::path& file) {
  std::optional<Built> b;
  try {
    b = built_in(file, program_mark);
  } catch (const BadFile&) { return {}; }
  if (!b) return {};
  const fs::path folder = absolute_path(file).parent_path();
  const auto is_hidden = [&](const std::string& path) { return !may_be_named(path, folder); };
  std::erase_if(b->files, is_hidden);
  std::erase_if(b->includes, is_hidden);
  std::erase_if(b->link_with, [&](const std::string& w) { return !w.starts_with('-') && is_hidden(w); });
  if (b->files.empty()) return {};
  Program p = program_of(*b);
  p.name = file.filename().string();
  p.folder = fs::current_path().string();  // as any program that is started from there
  const auto main_first = std::ranges::find_if(p.files, is_cuda_source);
  if (main_first != p.files.end()) std::rotate(p.files.begin(), main_first, main_first + 1);
  return p;
}

}  // namespace bscope::cuda
