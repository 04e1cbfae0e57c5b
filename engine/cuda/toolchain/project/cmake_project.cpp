#include "engine/cuda/toolchain/project/cmake_project.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/cuda/toolchain/project/build_line.hpp"
#include "engine/cuda/toolchain/project/cmake_values.hpp"
#include "engine/cuda/toolchain/project/shell_line.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int most_cmake_calls = 24;
constexpr size_t most_cmake_targets = 1000, most_cmake_steps = 200'000, most_target_files = 200;

/// What a target is compiled with, or what it hands on to those that link it.
struct CmakeUsage {
  Words includes, defines, options, links;
};

struct CmakeTarget {
  std::string name;
  bool program = false;
  Words sources;
  CmakeUsage own, handed_on;
  std::string standard, architectures;
  fs::path folder;
};

/// A macro or a function of the project.
struct CmakeProcedure {
  bool function = false;
  Words parameters;
  std::vector<CmakeCommand> body;
};

/// What holds in a folder, and in the functions that are called there.
struct CmakePlace {
  CmakeValues values;
  fs::path folder;
  CmakeUsage usage;  ///< of include_directories, add_definitions, add_compile_options, link_libraries
};

class CmakeProject {
 public:
  explicit CmakeProject(ProjectFiles& files) : files_(files) {}

  std::vector<ProjectProgram> read(const fs::path& file) {
    root_ = file.parent_path();
    CmakePlace place{CmakeValues(files_), root_, {}};
    const std::pair<const char*, std::string> known[] = {
        {"CMAKE_SOURCE_DIR", root_.string()},
        {"CMAKE_BINARY_DIR", (root_ / "build").string()},
        {"CMAKE_VERSION", "3.28.0"},
        {"CMAKE_MAJOR_VERSION", "3"},
        {"CMAKE_MINOR_VERSION", "28"},
        {"CMAKE_BUILD_TYPE", "Release"},
        {"CMAKE_SYSTEM_NAME", "Linux"},
        {"CMAKE_HOST_SYSTEM_NAME", "Linux"},
        {"CMAKE_SYSTEM_PROCESSOR", "x86_64"},
        {"CMAKE_CXX_COMPILER_ID", "GNU"},
        {"CMAKE_C_COMPILER_ID", "GNU"},
        {"CMAKE_CUDA_COMPILER_ID", "NVIDIA"},
        {"CMAKE_CUDA_COMPILER", "nvcc"},
        {"CMAKE_CUDA_COMPILER_VERSION", "13.0.0"},
        {"CUDA_VERSION", "13.0"},
        {"CUDAToolkit_VERSION", "13.0"},
        {"CMAKE_SIZEOF_VOID_P", "8"},
        {"UNIX", "1"},
        {"LINUX", "1"},
    };
    for (const auto& [name, value] : known) place.values.set(name, value);
    folder(place, file);
    std::vector<ProjectProgram> all;
    for (const CmakeTarget& t : targets_)
      if (t.program)
        if (ProjectProgram p = program_of(t); !p.files.empty()) all.push_back(std::move(p));
    return all;
  }

 private:
  enum class Flow : unsigned char { go_on, leave_loop, next_turn, leave };

  // ---- reading

  void folder(CmakePlace& place, const fs::path& file) {
    place.values.set("CMAKE_CURRENT_SOURCE_DIR", place.folder.string());
    place.values.set("CMAKE_CURRENT_LIST_DIR", file.parent_path().string());
    place.values.set("CMAKE_CURRENT_LIST_FILE", file.string());
    place.values.set("CMAKE_CURRENT_BINARY_DIR",
                     (root_ / "build" / place.folder.lexically_relative(root_)).lexically_normal().string());
    if (const auto text = files_.text(file)) run(place, cmake_commands(*text), 0);
  }

  Flow run(CmakePlace& place, const std::vector<CmakeCommand>& commands, int depth) {
    if (depth > most_cmake_calls) return Flow::leave;
    for (size_t k = 0; k < commands.size(); ++k) {
      if (++steps_ > most_cmake_steps || !files_.work(commands[k].arguments.size())) return Flow::leave;
      const CmakeCommand& c = commands[k];
      Flow flow = Flow::go_on;
      if (c.name == "if")
        flow = branch(place, commands, k, depth);
      else if (c.name == "foreach")
        flow = loop(place, commands, k, depth);
      else if (c.name == "function" || c.name == "macro")
        define(place, commands, k);
      else if (c.name == "while")
        skip(commands, k, "while", "endwhile");
      else if (c.name == "break")
        flow = Flow::leave_loop;
      else if (c.name == "continue")
        flow = Flow::next_turn;
      else if (c.name == "return")
        flow = Flow::leave;
      else
        command(place, c, depth);
      if (flow != Flow::go_on) return flow;
    }
    return Flow::go_on;
  }

  /// Moves k to the end of the block that begins there, and returns what stands in it.
  static std::vector<CmakeCommand> skip(const std::vector<CmakeCommand>& all, size_t& k,
                                        std::string_view open, std::string_view close) {
    std::vector<CmakeCommand> inside;
    int depth = 1;
    for (++k; k < all.size(); ++k) {
      if (all[k].name == open) ++depth;
      if (all[k].name == close && --depth == 0) break;
      inside.push_back(all[k]);
    }
    return inside;
  }

  Flow branch(CmakePlace& place, const std::vector<CmakeCommand>& all, size_t& k, int depth) {
    const std::vector<CmakeArgument> first = all[k].arguments;
    const std::vector<CmakeCommand> inside = skip(all, k, "if", "endif");
    bool holds = test(place, first), done = holds;
    std::vector<CmakeCommand> taken;
    int nested = 0;
    for (const CmakeCommand& c : inside) {
      if (c.name == "if") ++nested;
      if (nested == 0 && (c.name == "elseif" || c.name == "else")) {
        holds = !done && (c.name == "else" || test(place, c.arguments));
        done |= holds;
        continue;
      }
      if (c.name == "endif") --nested;
      if (holds) taken.push_back(c);
    }
    return run(place, taken, depth + 1);
  }
  bool test(const CmakePlace& place, const std::vector<CmakeArgument>& words) const {
    return place.values.holds(words, [&](const std::string& name) { return find(name) != nullptr; });
  }

  Flow loop(CmakePlace& place, const std::vector<CmakeCommand>& all, size_t& k, int depth) {
    const Words words = place.values.arguments(all[k].arguments);
    const std::vector<CmakeCommand> body = skip(all, k, "foreach", "endforeach");
    if (words.empty()) return Flow::go_on;
    const std::string before = place.values.get(words[0]);
    for (const std::string& item : items_of(place, words)) {
      place.values.set(words[0], item);
      const Flow flow = run(place, body, depth + 1);
      if (flow == Flow::leave) return flow;
      if (flow == Flow::leave_loop) break;
    }
    place.values.set(words[0], before);
    return Flow::go_on;
  }
  static Words items_of(const CmakePlace& place, const Words& words) {
    if (words.size() > 1 && words[1] == "RANGE") {
      long n[3] = {0, 0, 1};
      for (size_t k = 2; k < std::min(words.size(), size_t(5)); ++k)
        std::from_chars(words[k].data(), words[k].data() + words[k].size(), n[k - 2]);
      if (words.size() == 3) n[1] = std::exchange(n[0], 0);
      Words all;
      for (long i = n[0]; n[2] > 0 && i <= n[1] && all.size() < 1000; i += n[2])
        all.push_back(std::to_string(i));
      return all;
    }
    if (words.size() < 2 || words[1] != "IN") return {words.begin() + 1, words.end()};
    Words all;
    bool lists = false;
    for (size_t k = 2; k < words.size(); ++k) {
      if (words[k] == "LISTS" || words[k] == "ITEMS")
        lists = words[k] == "LISTS";
      else if (lists)
        std::ranges::move(cmake_list(place.values.get(words[k])), std::back_inserter(all));
      else
        all.push_back(words[k]);
    }
    return all;
  }

  void define(CmakePlace& place, const std::vector<CmakeCommand>& all, size_t& k) {
    const CmakeCommand& head = all[k];
    Words words = place.values.arguments(head.arguments);
    CmakeProcedure p;
    p.function = head.name == "function";
    p.body = skip(all, k, head.name, p.function ? "endfunction" : "endmacro");
    if (words.empty()) return;
    std::ranges::transform(words[0], words[0].begin(), [](unsigned char c) { return char(std::tolower(c)); });
    p.parameters.assign(words.begin() + 1, words.end());
    if (procedures_.size() < 500) procedures_[words[0]] = std::move(p);
  }

  void call(CmakePlace& place, const CmakeProcedure& p, const Words& given, int depth) {
    CmakePlace inner = place;
    Words more;
    for (size_t k = 0; k < given.size(); ++k) {
      inner.values.set("ARGV" + std::to_string(k), given[k]);
      if (k < p.parameters.size())
        inner.values.set(p.parameters[k], given[k]);
      else
        more.push_back(given[k]);
    }
    inner.values.set("ARGN", cmake_list_text(more));
    inner.values.set("ARGV", cmake_list_text(given));
    inner.values.set("ARGC", std::to_string(given.size()));
    parent_.push_back(&place);
    run(inner, p.body, depth + 1);
    parent_.pop_back();
    if (!p.function) {  // a macro has no variables of its own
      for (const std::string& name : p.parameters) inner.values.set(name, place.values.get(name));
      place.values = inner.values;
    }
    place.usage = inner.usage;
  }

  // ---- commands

  void command(CmakePlace& place, const CmakeCommand& c, int depth) {
    const Words a = place.values.arguments(c.arguments);
    if (const auto own = procedures_.find(c.name); own != procedures_.end())
      return call(place, CmakeProcedure(own->second), a, depth);
    if (c.name == "option" && a.size() > 1) {
      if (!place.values.is_set(a[0])) place.values.set(a[0], a.size() > 2 ? a[2] : "OFF");
    } else if (c.name == "project" && !a.empty()) {
      project(place, a);
    } else if (c.name == "include" && !a.empty()) {
      include(place, a[0], depth);
    } else if (c.name == "add_subdirectory" && !a.empty()) {
      subfolder(place, a[0]);
    } else if (c.name == "find_package" && !a.empty()) {
      found_package(place, a[0]);
    } else if (!text_command(place, c.name, a) && !usage_command(place, c.name, a)) {
      target_command(place, c.name, a);
    }
  }

  static void project(CmakePlace& place, const Words& a) {
    place.values.set("PROJECT_NAME", a[0]);
    place.values.set("CMAKE_PROJECT_NAME", a[0]);
    for (const std::string& name : {std::string("PROJECT"), a[0]}) {
      place.values.set(name + "_SOURCE_DIR", place.folder.string());
      place.values.set(name + "_BINARY_DIR", place.values.get("CMAKE_CURRENT_BINARY_DIR"));
    }
    place.values.set("CMAKE_CUDA_COMPILER_LOADED", "1");
  }

  /// What a CUDA project finds on a machine that has CUDA.
  void found_package(CmakePlace& place, const std::string& name) {
    const bool known = name == "CUDA" || name == "CUDAToolkit" || name == "OpenMP" || name == "Threads" ||
                       name == "CCCL" || name == "Thrust" || name == "CUB";
    if (!known) files_.leave_out("find_package(" + name + ")");
    place.values.set(name + "_FOUND", known ? "TRUE" : "FALSE");
    if (name == "OpenMP") place.values.set("OpenMP_CXX_FOUND", "TRUE");
  }

  void include(CmakePlace& place, const std::string& name, int depth) {
    const fs::path file = (place.folder / name).lexically_normal();
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return;  // a module of CMake's own
    const auto text = depth < most_cmake_calls ? files_.text(file) : std::nullopt;
    if (!text) return;
    const std::string before = place.values.get("CMAKE_CURRENT_LIST_DIR");
    place.values.set("CMAKE_CURRENT_LIST_DIR", file.parent_path().string());
    run(place, cmake_commands(*text), depth + 1);
    place.values.set("CMAKE_CURRENT_LIST_DIR", before);
  }

  void subfolder(CmakePlace& place, const std::string& name) {
    const fs::path folder_path = (place.folder / name).lexically_normal();
    const fs::path file = folder_path / "CMakeLists.txt";
    if (!visited_.insert(folder_path.string()).second || visited_.size() > 200) return;
    CmakePlace inner = place;
    inner.folder = folder_path;
    parent_.push_back(&place);
    folder(inner, file);
    parent_.pop_back();
  }

  bool text_command(CmakePlace& place, const std::string& name, const Words& a) {
    CmakeValues& v = place.values;
    if (a.empty()) return false;
    if (name == "set") {
      set(place, a);
    } else if (name == "unset") {
      v.unset(a[0]);
    } else if (name == "list" && a.size() > 1) {
      list(v, a);
    } else if (name == "string" && a.size() > 1) {
      string(v, a);
    } else if (name == "file" && a.size() > 2) {
      file(place, a);
    } else if (name == "get_filename_component" && a.size() > 2) {
      file_name(place, a);
    } else if (name == "cmake_parse_arguments" && a.size() > 3) {
      parse_arguments(v, a);
    } else if (name == "math" && a.size() > 2) {
      files_.leave_out("math(EXPR " + a[1] + ")");
    } else {
      return false;
    }
    return true;
  }

  void set(CmakePlace& place, Words a) {
    const std::string name = a[0];
    a.erase(a.begin());
    if (const auto cache = std::ranges::find(a, "CACHE"); cache != a.end()) {
      if (place.values.is_set(name)) return;
      a.erase(cache, a.end());
    }
    const bool outer = !a.empty() && a.back() == "PARENT_SCOPE";
    if (outer) a.pop_back();
    CmakeValues& where = outer && !parent_.empty() ? parent_.back()->values : place.values;
    if (a.empty())
      where.unset(name);
    else
      where.set(name, cmake_list_text(a));
  }

  static void list(CmakeValues& v, const Words& a) {
    Words all = cmake_list(v.get(a[1]));
    const auto given = a.begin() + 2;
    if (a[0] == "APPEND")
      all.insert(all.end(), given, a.end());
    else if (a[0] == "PREPEND")
      all.insert(all.begin(), given, a.end());
    else if (a[0] == "REMOVE_ITEM")
      std::erase_if(all, [&](const std::string& one) { return std::find(given, a.end(), one) != a.end(); });
    else if (a[0] == "REMOVE_DUPLICATES") {
      Words once;
      add_new(once, all);
      all = once;
    } else if (a[0] == "FILTER" && a.size() > 4) {
      const std::string wanted = text_of_expression(a[4]);
      const bool exclude = a[2] == "EXCLUDE";
      std::erase_if(all, [&](const std::string& one) { return (one.find(wanted) != one.npos) == exclude; });
    } else if (a[0] == "LENGTH" && a.size() > 2) {
      return v.set(a[2], std::to_string(all.size()));
    } else if (a[0] == "GET" && a.size() > 3) {
      size_t k = 0;
      std::from_chars(a[2].data(), a[2].data() + a[2].size(), k);
      return v.set(a[3], k < all.size() ? all[k] : "");
    } else if (a[0] == "JOIN" && a.size() > 3) {
      std::string text;
      for (const std::string& one : all) text += (text.empty() ? "" : a[2]) + one;
      return v.set(a[3], text);
    } else if (a[0] == "TRANSFORM" && a.size() > 3 && (a[2] == "PREPEND" || a[2] == "APPEND")) {
      for (std::string& one : all) one = a[2] == "PREPEND" ? a[3] + one : one + a[3];
    } else {
      return;
    }
    v.set(a[1], cmake_list_text(all));
  }
  /// A regular expression without its signs.
  static std::string text_of_expression(const std::string& expression) {
    std::string plain;
    for (const char c : expression)
      if (std::string_view("^$().*+?[]\\").find(c) == std::string_view::npos || c == '.') plain += c;
    while (plain.starts_with('.')) plain.erase(0, 1);
    while (plain.ends_with('.')) plain.pop_back();
    return plain;
  }

  void string(CmakeValues& v, const Words& a) {
    if (a[0] == "APPEND") {
      std::string text = v.get(a[1]);
      for (size_t k = 2; k < a.size(); ++k) text += a[k];
      v.set(a[1], text);
    } else if ((a[0] == "TOLOWER" || a[0] == "TOUPPER") && a.size() > 2) {
      std::string text = a[1];
      const bool up = a[0] == "TOUPPER";
      std::ranges::transform(text, text.begin(),
                             [up](unsigned char c) { return char(up ? std::toupper(c) : std::tolower(c)); });
      v.set(a[2], text);
    } else if (a[0] == "STRIP" && a.size() > 2) {
      v.set(a[2], std::string(without_blanks(a[1])));
    } else if (a[0] == "REPLACE" && a.size() > 4 && !a[1].empty()) {
      std::string text;
      for (size_t k = 4; k < a.size(); ++k) text += a[k];
      for (size_t at = 0; (at = text.find(a[1], at)) != std::string::npos && text.size() < 100'000;
           at += a[2].size())
        text.replace(at, a[1].size(), a[2]);
      v.set(a[3], text);
    } else if (a[0] == "REGEX" || a[0] == "SUBSTRING" || a[0] == "RANDOM" || a[0] == "TIMESTAMP") {
      files_.leave_out("string(" + a[0] + " ...)");
    }
  }

  void file(CmakePlace& place, const Words& a) {
    if (a[0] != "GLOB" && a[0] != "GLOB_RECURSE") return;
    Words all;
    std::optional<fs::path> relative;
    for (size_t k = 2; k < a.size(); ++k) {
      if (a[k] == "CONFIGURE_DEPENDS" || a[k] == "LIST_DIRECTORIES") {
        k += a[k] == "LIST_DIRECTORIES";
        continue;
      }
      if (a[k] == "RELATIVE" && k + 1 < a.size()) {
        relative = a[++k];
        continue;
      }
      const fs::path pattern = (place.folder / a[k]).lexically_normal();
      Words found = a[0] == "GLOB" ? files_of_pattern(pattern.string(), place.folder)
                                   : files_below(pattern.parent_path(), pattern.filename().string());
      if (relative)
        for (std::string& f : found) f = fs::path(f).lexically_relative(*relative).string();
      add_new(all, found);
    }
    // what an earlier build has left is no source
    std::erase_if(all, [](const std::string& f) { return f.find("/CMakeFiles/") != std::string::npos; });
    place.values.set(a[1], cmake_list_text(all));
  }

  static void file_name(CmakePlace& place, const Words& a) {
    const fs::path path(a[1]);
    std::string value = path.filename().string();
    const size_t dot = value.find('.', 1);
    if (a[2] == "NAME_WE") value = value.substr(0, dot);
    if (a[2] == "NAME_WLE") value = path.stem().string();
    if (a[2] == "EXT") value = dot == std::string::npos ? "" : value.substr(dot);
    if (a[2] == "LAST_EXT") value = path.extension().string();
    if (a[2] == "DIRECTORY" || a[2] == "PATH") value = path.parent_path().string();
    if (a[2] == "ABSOLUTE" || a[2] == "REALPATH") value = (place.folder / path).lexically_normal().string();
    place.values.set(a[0], value);
  }

  /// cmake_parse_arguments(PREFIX options one-value several-values arguments...)
  static void parse_arguments(CmakeValues& v, const Words& a) {
    // empty lists have no words, so that the keys are looked for in what is quoted: "" gives an empty word
    const Words flags = cmake_list(a[1]), ones = cmake_list(a[2]), several = cmake_list(a[3]);
    const auto is_in = [](const Words& all, const std::string& w) {
      return std::ranges::find(all, w) != all.end();
    };
    for (const std::string& f : flags) v.set(a[0] + "_" + f, "FALSE");
    std::string key;
    Words rest, values;
    const auto store = [&] {
      if (!key.empty()) v.set(a[0] + "_" + key, cmake_list_text(values));
      values.clear();
    };
    for (size_t k = 4; k < a.size(); ++k) {
      const std::string& word = a[k];
      if (is_in(flags, word) || is_in(ones, word) || is_in(several, word)) {
        store();
        key = is_in(flags, word) ? "" : word;
        if (key.empty()) v.set(a[0] + "_" + word, "TRUE");
      } else if (key.empty() || (is_in(ones, key) && !values.empty())) {
        rest.push_back(word);
      } else {
        values.push_back(word);
      }
    }
    store();
    v.set(a[0] + "_UNPARSED_ARGUMENTS", cmake_list_text(rest));
  }

  /// What holds for all targets of a folder.
  bool usage_command(CmakePlace& place, const std::string& name, const Words& a) {
    CmakeUsage& u = place.usage;
    if (name == "include_directories" || name == "cuda_include_directories")
      add_folders(u.includes, place, a, 0);
    else if (name == "add_definitions" || name == "add_compile_options")
      u.options.insert(u.options.end(), a.begin(), a.end());
    else if (name == "add_compile_definitions")
      u.defines.insert(u.defines.end(), a.begin(), a.end());
    else if (name == "link_libraries")
      u.links.insert(u.links.end(), a.begin(), a.end());
    else
      return false;
    return true;
  }

  static bool is_keyword(const std::string& word) {
    constexpr std::string_view all[] = {"PUBLIC", "PRIVATE", "INTERFACE", "SYSTEM", "BEFORE", "AFTER"};
    return std::ranges::find(all, word) != std::end(all);
  }
  static void add_folders(Words& to, const CmakePlace& place, const Words& a, size_t from) {
    for (size_t k = from; k < a.size(); ++k) {
      const std::string folder = without_expressions(a[k]);
      if (is_keyword(a[k]) || folder.empty()) continue;
      add_new(to, {(place.folder / folder).lexically_normal().string()});
    }
  }

  // ---- targets

  CmakeTarget* find(const std::string& name) {
    const auto known = alias_.find(name);
    const std::string& real = known == alias_.end() ? name : known->second;
    const auto found = std::ranges::find(targets_, real, &CmakeTarget::name);
    return found == targets_.end() ? nullptr : &*found;
  }
  const CmakeTarget* find(const std::string& name) const {
    return const_cast<CmakeProject*>(this)->find(name);
  }

  void target_command(CmakePlace& place, const std::string& name, const Words& a) {
    if (a.empty()) return;
    if (name == "add_executable" || name == "cuda_add_executable") return add(place, a, true);
    if (name == "add_library" || name == "cuda_add_library") return add(place, a, false);
    if (name == "set_source_files_properties") return source_properties(place, a);
    if (name == "set_target_properties") {
      const auto mark = std::ranges::find(a, "PROPERTIES");
      for (auto t = a.begin(); t != mark; ++t)
        for (auto p = mark; p != a.end() && p + 1 != a.end() && p + 2 != a.end(); p += 2)
          property(place, find(*t), *(p + 1), {*(p + 2)});
      return;
    }
    if (name == "set_property") {
      const auto mark = std::ranges::find(a, "PROPERTY");
      if (mark == a.end() || mark + 1 == a.end() || a[0] != "TARGET") return;
      for (auto t = a.begin() + 1; t != mark; ++t)
        property(place, find(*t), *(mark + 1), {mark + 2, a.end()});
      return;
    }
    CmakeTarget* t = find(a[0]);
    if (t) of_target(place, *t, name, a);
  }

  void of_target(const CmakePlace& place, CmakeTarget& t, const std::string& name, const Words& a) {
    std::string scope = "PRIVATE";
    for (size_t k = 1; k < a.size(); ++k) {
      if (is_keyword(a[k])) {
        if (a[k] != "SYSTEM" && a[k] != "BEFORE" && a[k] != "AFTER") scope = a[k];
        continue;
      }
      const bool own = scope != "INTERFACE", on = scope != "PRIVATE";
      if (name == "target_sources") {
        if (own) add_source(place, t.sources, a[k]);
        continue;
      }
      Words CmakeUsage::*part = name == "target_include_directories"   ? &CmakeUsage::includes
                                : name == "target_compile_definitions" ? &CmakeUsage::defines
                                : name == "target_link_libraries"      ? &CmakeUsage::links
                                                                       : &CmakeUsage::options;
      if (name == "target_compile_features") {
        if (const size_t at = a[k].find("std_"); at != std::string::npos)
          t.standard = "c++" + a[k].substr(at + 4);
        continue;
      }
      if (name != "target_compile_options" && part == &CmakeUsage::options) continue;
      Words one{a[k]};
      if (part == &CmakeUsage::includes) {
        one.clear();
        add_folders(one, place, {a[k]}, 0);
      }
      // libraries are handed on whatever the keyword
      if (own) std::ranges::copy(one, std::back_inserter(t.own.*part));
      if (on || part == &CmakeUsage::links) std::ranges::copy(one, std::back_inserter(t.handed_on.*part));
    }
  }

  void add_source(const CmakePlace& place, Words& to, const std::string& name) {
    std::string text = without_expressions(name);
    if (name.starts_with("$<TARGET_OBJECTS:")) {
      if (const CmakeTarget* t = find(name.substr(17, name.size() - 18))) add_new(to, t->sources);
      return;
    }
    if (text.empty()) return;
    const fs::path path = (place.folder / text).lexically_normal();
    if (is_source(path)) add_new(to, {path.string()});
  }

  void add(CmakePlace& place, const Words& a, bool program) {
    if (a.size() > 2 && a[1] == "ALIAS") {
      alias_[a[0]] = a[2];
      return;
    }
    if (targets_.size() >= most_cmake_targets || find(a[0])) return;
    CmakeTarget t;
    t.name = a[0];
    t.program = program;
    t.folder = place.folder;
    for (size_t k = 1; k < a.size(); ++k) {
      if (a[k] == "OPTIONS") break;  // of cuda_add_executable
      add_source(place, t.sources, a[k]);
    }
    t.own = place.usage;
    const CmakeValues& v = place.values;
    for (const char* name : {"CMAKE_CUDA_STANDARD", "CMAKE_CXX_STANDARD"})
      if (t.standard.empty() && v.is_set(name)) t.standard = "c++" + v.get(name);
    t.architectures = v.get("CMAKE_CUDA_ARCHITECTURES");
    for (const char* name : {"CMAKE_CUDA_FLAGS", "CMAKE_CXX_FLAGS", "CUDA_NVCC_FLAGS"})
      for (const std::string& list : cmake_list(v.get(name)))
        for (const std::string& word : shell_words(list, place.folder)) t.own.options.push_back(word);
    if (v.get("CMAKE_INCLUDE_CURRENT_DIR") == "ON") add_new(t.own.includes, {place.folder.string()});
    targets_.push_back(std::move(t));
  }

  static void property(const CmakePlace& place, CmakeTarget* t, const std::string& name,
                       const Words& values) {
    if (!t || values.empty()) return;
    if (name == "CUDA_STANDARD" || (name == "CXX_STANDARD" && t->standard.empty()))
      t->standard = "c++" + values[0];
    else if (name == "CUDA_ARCHITECTURES")
      t->architectures = cmake_list_text(values);
    else if (name == "INCLUDE_DIRECTORIES")
      for (const std::string& v : values) add_folders(t->own.includes, place, cmake_list(v), 0);
    else if (name == "COMPILE_DEFINITIONS")
      for (const std::string& v : values) add_new(t->own.defines, cmake_list(v));
    else if (name == "COMPILE_FLAGS" || name == "COMPILE_OPTIONS")
      for (const std::string& v : values)
        for (const std::string& one : cmake_list(v)) add_new(t->own.options, shell_words(one, place.folder));
  }

  void source_properties(const CmakePlace& place, const Words& a) {
    const auto mark = std::ranges::find(a, "PROPERTIES");
    for (auto p = mark; p != a.end() && p + 1 != a.end() && p + 2 != a.end(); p += 2) {
      const bool cuda = (*(p + 1) == "LANGUAGE" && *(p + 2) == "CUDA") ||
                        (*(p + 1) == "CUDA_SOURCE_PROPERTY_FORMAT" && *(p + 2) == "OBJ");
      for (auto f = a.begin(); cuda && f != mark; ++f)
        cuda_.insert((place.folder / *f).lexically_normal().string());
    }
  }

  // ---- programs

  void use(ProjectProgram& p, const CmakeUsage& u, const fs::path& folder, std::set<std::string>& seen,
           int depth) {
    add_new(p.includes, u.includes);
    for (const std::string& d : u.defines) {
      const std::string text = without_expressions(d);
      if (!text.empty()) add_new(p.defines, {text.starts_with("-D") ? text.substr(2) : text});
    }
    Words words;
    for (const std::string& o : u.options)
      for (const std::string& one : cmake_list(without_expressions(o))) {
        const std::string text = one.starts_with("SHELL:") ? one.substr(6) : one;
        std::ranges::move(shell_words(text, folder), std::back_inserter(words));
      }
    const BuildLine line = build_line(words, folder);
    add_new(p.includes, line.includes);
    add_new(p.defines, line.defines);
    if (!line.standard.empty() && p.standard.empty()) p.standard = line.standard;
    p.architecture = newer_architecture(p.architecture, line.architecture);
    for (const std::string& l : u.links) link(p, without_expressions(l), folder, seen, depth);
  }

  void link(ProjectProgram& p, const std::string& name, const fs::path& folder, std::set<std::string>& seen,
            int depth) {
    if (depth > most_cmake_calls || name.empty() || !seen.insert(name).second) return;
    if (const CmakeTarget* t = find(name)) {
      for (const std::string& s : t->sources)
        if (p.files.size() < most_target_files) add_new(p.files, {s});
      use(p, t->own, t->folder, seen, depth + 1);
      use(p, t->handed_on, t->folder, seen, depth + 1);
      return;
    }
    const bool file = name.ends_with(".a") || name.ends_with(".o") || name.ends_with(".so");
    std::error_code ignored;
    if (file && fs::is_regular_file(folder / name, ignored))
      add_new(p.link_with, {(folder / name).lexically_normal().string()});
    else if (name.starts_with("-l"))
      add_new(p.link_with, {name});
    else if (name.find_first_of(":/$-") == std::string::npos && name != "debug" && name != "optimized" &&
             name != "general" && name != "PUBLIC" && name != "PRIVATE" && name != "INTERFACE")
      add_new(p.link_with, {"-l" + name});
  }

  ProjectProgram program_of(const CmakeTarget& t) {
    ProjectProgram p;
    p.name = t.name;
    p.standard = t.standard;
    for (const std::string& s : t.sources) {
      std::error_code ignored;
      if (fs::is_regular_file(s, ignored))
        add_new(p.files, {s});
      else
        files_.leave_out(fs::path(s).filename().string());
    }
    std::set<std::string> seen{t.name};
    use(p, t.own, t.folder, seen, 0);
    for (const std::string& s : p.files)
      if (cuda_.contains(s)) p.cuda.push_back(s);
    for (const std::string& a : cmake_list(t.architectures))
      p.architecture = newer_architecture(p.architecture, architecture_of(a));
    std::erase_if(p.includes, [](const std::string& folder) {
      std::error_code ignored;
      return !fs::is_directory(folder, ignored);
    });
    p.folder = root_ / "build";
    p.source_folder = root_;
    return p;
  }

  ProjectFiles& files_;
  fs::path root_;
  std::vector<CmakeTarget> targets_;
  std::map<std::string, std::string> alias_;
  std::map<std::string, CmakeProcedure> procedures_;
  std::set<std::string> cuda_;     ///< sources that are CUDA by their properties
  std::set<std::string> visited_;  ///< folders
  std::vector<CmakePlace*> parent_;
  size_t steps_ = 0;
};

}  // namespace

std::vector<ProjectProgram> programs_of_cmake(const fs::path& file, ProjectFiles& files) {
  return CmakeProject(files).read(file);
}

}  // namespace bscope::cuda
