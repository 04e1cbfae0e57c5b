#include "engine/cuda/toolchain/missing_functions.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "engine/cuda/toolchain/items.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/trace/cpp_tokens.hpp"
#include "engine/trace/demangled.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;

constexpr size_t most_searched_text = size_t(1) << 20, most_files = 100;

/// "Point::move(int)", "f<int>(int)" and "f": move, f, f.
std::string short_name(std::string_view function) {
  function = function.substr(0, function.find_first_of("(<"));
  const size_t scope = function.rfind("::");
  return std::string(scope == std::string_view::npos ? function : function.substr(scope + 2));
}

bool defines(const Item& item, const std::string& name) {
  const bool own =
      (" " + item.head + " ").find(" static ") != std::string::npos;  // other files cannot call it
  return item.function && item.name == name && item.words.ends_with('}') && !own;
}

/// The function's name that stands behind '@'; empty: something else does.
std::string_view function_at(std::string_view line) {
  const size_t at = line.find("@_Z");
  return at == std::string_view::npos ? std::string_view() : line.substr(at + 1, line.find('(', at) - at - 1);
}

}  // namespace

FilesBeside::FilesBeside(const std::vector<OwnText>& own) : own_(own) {}

const std::vector<FilesBeside::File>& FilesBeside::files() {
  if (std::exchange(read_, true) || own_.empty()) return files_;
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator at(own_.front().path.parent_path(), error), end; !error && at != end;
       at.increment(error))
    if (is_program(at->path().string()) && std::ranges::find(own_, at->path(), &OwnText::path) == own_.end())
      paths.push_back(at->path());
  std::ranges::sort(paths);
  if (paths.size() > most_files) paths.resize(most_files);
  for (const fs::path& path : paths) {
    const std::string name = path.filename().string();
    try {
      files_.push_back({name, as_text(read_file(path, most_searched_text), name)});
    } catch (const BadFile&) {}  // no source text, or too long for one
  }
  return files_;
}

std::string FilesBeside::first_of(const std::vector<std::string>& all) {
  if (all.size() == 1 && std::ranges::find(only_ones_, all.front()) == only_ones_.end())
    only_ones_.push_back(all.front());
  return all.empty() ? std::string() : all.front();
}

std::string FilesBeside::that_defines(std::string_view function) {
  const std::string name = short_name(function);
  std::vector<std::string> all;
  for (const File& f : files()) {
    if (f.text.find(name) == std::string::npos) continue;
    if (std::ranges::any_of(items(f.text), [&](const Item& i) { return defines(i, name); }))
      all.push_back(f.name);
  }
  return first_of(all);
}

std::string FilesBeside::whose_main_calls_it() {
  std::set<std::string> names;
  for (const OwnText& own : own_)
    if (!own.header)
      for (Item& i : items(own.text.text))
        if (defines(i, i.name)) names.insert(std::move(i.name));
  std::vector<std::string> found;
  for (const File& f : files()) {
    const std::vector<Item> all = items(f.text);
    const auto has = [&](const std::string& name) {
      return std::ranges::any_of(all, [&](const Item& i) { return defines(i, name); });
    };
    if (!has("main")) continue;
    const std::vector<Token> words = code_tokens(f.text);
    for (size_t k = 0; k + 1 < words.size(); ++k) {
      const std::string word = f.text.substr(words[k].begin, words[k].end - words[k].begin);
      const std::string_view next = std::string_view(f.text).substr(words[k + 1].begin);
      const bool called = words[k].kind == Token::name && (next.starts_with('(') || next.starts_with("<<<"));
      if (!called || !names.contains(word) || has(word)) continue;
      found.push_back(f.name);
      break;
    }
  }
  return first_of(found);
}

void name_files_beside(std::vector<Diagnostic>& diagnostics, FilesBeside& beside) {
  for (Diagnostic& d : diagnostics) {
    if (is_of_missing_main(d)) {
      if (const std::string file = beside.whose_main_calls_it(); !file.empty())
        d.text = message("the program has no main, and {} has one that uses it: name that file, too", file);
    } else if (const std::string function = missing_function(d); !function.empty()) {
      if (const std::string file = beside.that_defines(function); !file.empty())
        d.text = message("{} is called here and defined in {}: name that file, too", function, file);
    }
  }
}

std::vector<std::string> undefined_device_functions(const std::vector<std::string>& modules) {
  std::set<std::string> declared, defined;
  for (const std::string& module : modules)
    for (size_t at = 0; at < module.size();) {
      const size_t end = std::min(module.find('\n', at), module.size());
      const std::string_view line = std::string_view(module).substr(at, end - at);
      at = end + 1;
      if (!line.starts_with("declare ") && !line.starts_with("define ")) continue;
      if (const std::string_view name = function_at(line); !name.empty())
        (line.starts_with("define ") ? defined : declared).emplace(name);
    }
  std::vector<std::string> missing;
  std::ranges::set_difference(declared, defined, std::back_inserter(missing));
  return missing;
}

std::vector<std::string> device_variables_wanted(std::string_view module, std::string_view said_by_linker) {
  std::vector<std::string> all;
  for (size_t at = 0; at < module.size();) {
    const size_t end = std::min(module.find('\n', at), module.size());
    const std::string_view line = module.substr(at, end - at);
    at = end + 1;
    // @calls = dso_local addrspace(1) externally_initialized global i32 0
    const size_t equals = line.find(" = ");
    if (!line.starts_with('@') || equals == std::string_view::npos) continue;
    const std::string_view said = line.substr(equals);
    if (said.find(" addrspace(") == std::string_view::npos ||
        said.find(" external ") != std::string_view::npos)
      continue;
    const std::string name(line.substr(1, equals - 1));
    if (says_undefined(said_by_linker, demangled(name))) all.push_back(name);
  }
  return all;
}

std::vector<Diagnostic> device_functions_beside(const std::vector<std::string>& mangled,
                                                FilesBeside& beside) {
  std::vector<Diagnostic> all;
  for (const std::string& name : mangled) {
    const std::string function = demangled(name), file = beside.that_defines(function);
    if (function == name || file.empty()) continue;
    all.push_back({.severity = Diagnostic::error,
                   .file = {},
                   .text = message("{} is called by device code and defined in {}: name that file, too",
                                   function, file)});
  }
  return all;
}

}  // namespace bscope::cuda
