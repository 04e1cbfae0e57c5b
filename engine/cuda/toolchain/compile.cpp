#include "engine/cuda/toolchain/compile.hpp"

#include <algorithm>
#include <csignal>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "engine/cuda/run_files/device_model.hpp"
#include "engine/cuda/toolchain/child.hpp"
#include "engine/cuda/toolchain/child_launches.hpp"
#include "engine/cuda/toolchain/clang_options.hpp"
#include "engine/cuda/toolchain/confinement.hpp"
#include "engine/cuda/toolchain/missing_functions.hpp"
#include "engine/cuda/toolchain/own_texts.hpp"
#include "engine/cuda/toolchain/paths.hpp"
#include "engine/cuda/toolchain/precompiled_headers.hpp"
#include "engine/cuda/toolchain/readable_files.hpp"
#include "engine/cuda/toolchain/source_copy.hpp"
#include "engine/cuda/toolchain/texture_references.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/parallel.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
constexpr size_t most_source_text = size_t(8) << 20, most_device_code = size_t(64) << 20, most_sources = 200;
/// Of processor; on the clock three times as many, for busy machines.
constexpr double seconds_of_a_compiler = 60;

bool is_c(const fs::path& file) { return file.extension() == ".c"; }

/// A file that is compiled, and what becomes of it.
struct Unit {
  fs::path path;
  std::string name;                       ///< of its outputs: "0", "1"
  int module = -1;                        ///< its number among those with device code
  std::vector<std::string> headers = {};  ///< in <>, that it begins with
};

std::vector<Unit> units_of(const Program& p, const std::vector<OwnText>& texts) {
  std::vector<Unit> all;
  const Words cuda = cuda_files(p, texts);
  int modules = 0;
  for (const OwnText& t : texts) {
    if (t.header) continue;
    const bool with_kernels = std::ranges::find(cuda, t.path.string()) != cuda.end();
    all.push_back({t.path, std::to_string(all.size()), with_kernels ? modules++ : -1});
  }
  return all;
}

/// Copies of the files, and for clang which of them stand in for the files themselves.
class Copies {
 public:
  explicit Copies(const fs::path& folder) : folder_(folder / "source") { fs::create_directories(folder_); }

  fs::path add(const fs::path& original, std::string_view text) {
    const fs::path copy = folder_ / (std::to_string(count_++) + original.extension().string());
    write_whole(copy, text);
    return copy;
  }
  void stand_in(const fs::path& original, std::string_view text) {
    const fs::path copy = add(original, text);
    originals_[copy.string()] = original.string();
    overlay_.push_back({{"type", "file"}, {"name", original.string()}, {"external-contents", copy.string()}});
  }
  /// Where clang looks through, and names a copy.
  void name_originals(std::vector<Diagnostic>& diagnostics) const {
    for (Diagnostic& d : diagnostics)
      if (const auto known = originals_.find(d.file); known != originals_.end()) d.file = known->second;
  }
  /// Clang's options for those that stand in.
  Words options() const {
    if (overlay_.empty()) return {};
    const nlohmann::json all{
        {"version", 0}, {"case-sensitive", "true"}, {"use-external-names", false}, {"roots", overlay_}};
    write_whole(folder_ / "overlay.yaml", json_text(all));
    return {"-ivfsoverlay", (folder_ / "overlay.yaml").string()};
  }

 private:
  fs::path folder_;
  int count_ = 0;
  std::map<std::string, std::string> originals_;  ///< by the copy that stands in for it
  nlohmann::json overlay_ = nlohmann::json::array();
};

std::string folder_option(const std::string& folder) {
  const fs::path path = absolute_path(folder);
  std::error_code ignored;
  if (!fs::is_directory(path, ignored))
    throw BadFile(message("there is no folder {}, which -I names: check its name", folder));
  return "-I" + path.string();
}

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// What all files are compiled with.
Words common_options(const Program& p, const Places& places) {
  Words all = with({places.clang}, options_of(ClangOption::every_file));
  all.insert(all.end(), {"-isystem", places.include.string()});
  for (const std::string& folder : p.includes) all.push_back(folder_option(folder));
  for (const std::string& name : p.defines) all.push_back("-D" + name);
  return all;
}

const DeviceModel& played_device(const Program& p) {
  const DeviceModel* const model = device_model(p.device_model);
  return model ? *model : default_device_model();
}

/// As nvcc says for which GPUs it compiles: CUB and Thrust then make what they launch for that GPU alone.
std::string architecture_list(const Program& p) {
  return "-D__CUDA_ARCH_LIST__=" + std::to_string(10 * played_device(p).capability());
}

/// The program sees the number of the GPU that is played, not of the one that clang compiles for.
Words architecture_of(const Program& p) {
  if (p.device_model.empty()) return {};
  return {"-U__CUDA_ARCH__", "-D__CUDA_ARCH__=" + std::to_string(10 * played_device(p).capability())};
}

/// Of a command those words that headers depend on: copies stand in for the user's files alone.
Words for_headers(const Words& command) {
  Words all;
  for (size_t k = 0; k < command.size(); ++k)
    if (command[k] == "-ivfsoverlay")
      ++k;
    else
      all.push_back(command[k]);
  return all;
}

/// How both halves of a .cu file are compiled, but for what is read and made.
struct CudaOptions {
  Words device, host;
};
/// What stands before all files, by what some file of the program uses.
struct Prelude {
  bool references;        ///< to textures and surfaces
  bool standard_library;  ///< nvcc includes <functional> before all, and with it the algorithms
};
Prelude prelude_of(const std::vector<NamedText>& texts) {
  const auto uses_std = [](const NamedText& t) {
    return t.text.find("std::") != std::string::npos || t.text.find("namespace std") != std::string::npos;
  };
  return {has_texture_references(texts), std::ranges::any_of(texts, uses_std)};
}

CudaOptions cuda_options(const Words& common, const Program& p, const Places& places,
                         const Prelude& prelude) {
  Words cuda = with(with(common, options_of(ClangOption::cuda_file)),
                    {"-std=" + p.standard, "-x", "cuda", "-Xclang", "-target-sdk-version=11.0",
                     // f(...) is how libraries ask whether another f would do
                     "-Xclang", "-fcuda-allow-variadic-functions", architecture_list(p), "-include",
                     places.forced.string()});
  if (prelude.standard_library) cuda = with(cuda, {"-include", "functional"});
  if (prelude.references)
    cuda = with(cuda, {"-include", (places.include / "barrierscope" / "texture_references.h").string()});
  return {with(with(cuda, options_of(ClangOption::device_code)), architecture_of(p)),
          with(with(cuda, {"--cuda-host-only"}), options_of(ClangOption::host_code))};
}

/// The lists of headers that may be parsed before a file, best first: all that it begins with, or only those
/// that the command includes before each file.
std::vector<Words> header_lists(const Unit& u) {
  if (u.headers.empty()) return {{}};
  return {u.headers, {}};
}

/// The parsed headers for one half of a file; empty: there are none yet.
fs::path parsed_headers(const PrecompiledHeaders& precompiled, const Words& command, const Unit& u) {
  for (const Words& headers : header_lists(u))
    if (fs::path file = precompiled.find(for_headers(command), headers); !file.empty()) return file;
  return {};
}

/// The two commands of a .cu file, or the one of another.
std::vector<Words> commands_of(const Unit& u, const Words& common, const Program& p, const Places& places,
                               const fs::path& folder, const Prelude& prelude,
                               const PrecompiledHeaders* precompiled) {
  const std::string object = (folder / ("host-" + u.name + ".o")).string();
  const Words out = {
      "-c", "-o", object, "-MMD", "-MF", (folder / ("host-" + u.name + ".d")).string(), u.path.string()};
  if (is_c(u.path) && u.module < 0)
    return {with(with(common, options_of(ClangOption::host_code)), with({"-x", "c"}, out))};
  const auto [device, host] = cuda_options(common, p, places, prelude);
  if (u.module < 0) return {with(host, out)};
  const auto with_headers = [&](const Words& command) {
    const fs::path file = precompiled ? parsed_headers(*precompiled, command, u) : fs::path();
    return file.empty() ? command : with(command, {"-include-pch", file.string()});
  };
  const std::string reference = (folder / ("module-" + u.name)).string();
  const std::string ir = (folder / ("device-" + std::to_string(u.module) + ".ll")).string();
  return {with(with_headers(device), {"-S", "-emit-llvm", "-o", ir, u.path.string()}),
          with(with_headers(host), with({"-Xclang", "-fcuda-include-gpubinary", "-Xclang", reference}, out))};
}

/// Runs them side by side, as many as there are processors; what they said, in order.
std::vector<Ended> side_by_side(const std::vector<Words>& commands, const fs::path& folder,
                                const MayRead& may) {
  const Cage cage(for_a_compiler(folder, may, unsigned(seconds_of_a_compiler)));
  std::vector<Ended> ended(commands.size());
  parallel(commands.size(), [&](size_t k) {
    ended[k] = run({.words = commands[k],
                    .environment = {"TMPDIR=" + folder.string()},
                    .seconds = 3 * seconds_of_a_compiler,
                    .cage = &cage});
  });
  return ended;
}

/// The limit that ended the command, as the end of a sentence; empty: none.
std::string limit_of(const Ended& e) {
  const CompilerLimit limit = limit_in(e.output);
  if (e.out_of_time || e.signal == SIGXCPU || limit == CompilerLimit::time)
    return " took longer than a minute and was ended";
  if (e.signal == SIGXFSZ || limit == CompilerLimit::disk)
    return " wrote a file of more than 512 MB and was ended: make the arrays that are initialised smaller, "
           "or "
           "fill them in main";
  if (e.exceeded == Exceeded::disk)
    return " wrote more than 1 GB of files and was ended: make the arrays that are initialised smaller, or "
           "fill "
           "them in main";
  if (e.exceeded == Exceeded::threads) return " started more than 1024 threads and was ended";
  if (limit == CompilerLimit::memory || e.exceeded == Exceeded::memory)
    return " needed more than 3 GB of memory and was ended: look for a constant, an array or a macro that is "
           "far too large";
  return {};
}

/// Every command must have come to its end; one that went wrong without a word gets a sentence. Returns false
/// where a limit ended one: then nothing else that was printed tells anything.
bool judge(const std::vector<Ended>& all, const char* who, std::vector<Diagnostic>& diagnostics,
           const fs::path& ours = {}) {
  std::string said;
  for (const Ended& e : all) said += e.output + "\n";
  for (Diagnostic& d : diagnostics_of(said, ours.string()))
    if (std::ranges::find(diagnostics, d) == diagnostics.end()) diagnostics.push_back(std::move(d));
  const auto limited = std::ranges::find_if(all, [](const Ended& e) { return !limit_of(e).empty(); });
  if (limited != all.end()) {
    std::erase_if(diagnostics,
                  [](const Diagnostic& d) { return d.file.empty(); });  // the driver's words for it
    diagnostics.push_back(
        {.severity = Diagnostic::error, .file = {}, .text = Message::plain(who + limit_of(*limited))});
    return false;
  }
  for (const Ended& e : all) {
    if (e.good() || has_errors(diagnostics)) continue;
    const std::string why = e.signal ? " ended by signal " + std::to_string(e.signal)
                                     : " failed: " + as_shown(e.output.substr(0, 500));
    diagnostics.push_back({.severity = Diagnostic::error, .file = {}, .text = Message::plain(who + why)});
  }
  return true;
}

/// The files that a rule for make names.
std::vector<fs::path> files_of_rule(std::string_view rule) {
  std::vector<fs::path> all;
  std::string name;
  const size_t colon = rule.find(": ");
  for (size_t k = colon == std::string_view::npos ? rule.size() : colon + 2; k <= rule.size(); ++k) {
    const char c = k < rule.size() ? rule[k] : ' ', next = k + 1 < rule.size() ? rule[k + 1] : '\n';
    if (c == '\\' && (next == ' ' || next == '#' || next == '\\'))
      name += rule[++k];
    else if (c == '$' && next == '$')
      name += rule[++k];
    else if (c == ' ' || c == '\n' || (c == '\\' && next == '\n')) {
      if (!name.empty()) all.emplace_back(std::exchange(name, {}));
    } else
      name += c;
  }
  return all;
}

/// All files of theirs that were read, with copies that can be shown.
std::vector<SourceFile> sources_of(const std::vector<OwnText>& own, const std::vector<NamedText>& texts,
                                   const std::vector<Unit>& units, const Places& places,
                                   const fs::path& folder, const MayRead& may, Copies& copies) {
  std::vector<SourceFile> all;
  const auto add = [&](const fs::path& path, const std::string& shown, std::string_view text) {
    if (std::ranges::find(all, path, &SourceFile::path) == all.end() && all.size() < most_sources)
      all.push_back({path, as_shown(shown), copies.add(path, as_shown(text))});
  };
  for (size_t k = 0; k < own.size(); ++k) add(own[k].path, texts[k].name, texts[k].text);
  for (const Unit& u : units) {
    try {
      for (const fs::path& named :
           files_of_rule(read_file(folder / ("host-" + u.name + ".d"), most_source_text))) {
        const fs::path path = named.lexically_normal();
        const bool own =
            !lies_in(path, places.include) && !lies_in(path, PrecompiledHeaders::folder_beside(folder));
        if (own && (!may.listed_only || is_listed(may, path)))
          add(path, path.filename().string(), as_text(read_file(path, most_source_text), path.string()));
      }
    } catch (const BadFile&) {}  // it did not compile, or a header has gone since: there is no more to show
  }
  return all;
}

/// Whether the language has modules. clang then compares what comes from a parsed file as if that were a
/// module, and takes functions of the host and of the device for one.
bool has_modules(std::string_view standard) {
  constexpr std::string_view before[] = {"98", "03", "11", "14", "17"};
  return std::ranges::none_of(before, [&](std::string_view year) { return standard.ends_with(year); });
}

/// What all units are compiled with: by whom, how, where to, the folder of our headers, and what the compiler
/// may read.
class Compilation {
 public:
  const std::vector<Unit>& units;
  const Words& common;
  const Places& places;
  const fs::path& folder;
  const MayRead& may;
  const Prelude& prelude;
  bool precompiles;  ///< whether headers may be parsed ahead

  std::vector<Ended> run(const Program& p) const {
    if (!precompiles || has_modules(p.standard)) return run_with(p, nullptr);
    const PrecompiledHeaders precompiled(folder);
    parse_headers(p, precompiled);
    std::vector<Ended> ended = run_with(p, &precompiled);
    if (std::ranges::all_of(ended, &Ended::good)) return ended;
    // Errors are those of the whole text: with parsed headers clang takes other names for mistyped ones.
    // Where there are none, a parsed file is of no use any more.
    ended = run_with(p, nullptr);
    if (std::ranges::all_of(ended, &Ended::good))
      each_half(p, [&](const Words& command, const Unit& u) {
        if (const fs::path file = parsed_headers(precompiled, command, u); !file.empty())
          PrecompiledHeaders::forget(file);
      });
    return ended;
  }

 private:
  std::vector<Ended> run_with(const Program& p, const PrecompiledHeaders* precompiled) const {
    std::vector<Words> commands;
    for (const Unit& u : units)
      std::ranges::copy(commands_of(u, common, p, places, folder, prelude, precompiled),
                        std::back_inserter(commands));
    return side_by_side(commands, folder, may);
  }
  /// Calls f with the command for each half of a CUDA file.
  void each_half(const Program& p, const auto& f) const {
    const auto [device, host] = cuda_options(common, p, places, prelude);
    for (const Unit& u : units)
      if (u.module >= 0)
        for (const Words& half : {device, host}) f(half, u);
  }
  /// Makes those that are not there yet and that a second compilation asks for. Where one cannot be made, the
  /// file says why.
  void parse_headers(const Program& p, const PrecompiledHeaders& precompiled) const {
    std::vector<Words> commands;
    std::vector<std::pair<fs::path, fs::path>> made;  // where, and the text
    std::set<fs::path> fresh;                         // texts that no compilation before this one asked for
    each_half(p, [&](const Words& half, const Unit& u) {
      const Words command = for_headers(half);
      for (const Words& headers : header_lists(u)) {
        if (!precompiled.find(command, headers).empty()) return;
        const bool again = precompiled.was_asked_for(command, headers);
        const fs::path text = precompiled.text_for(command, headers);
        if (!again) fresh.insert(text);
        if (fresh.contains(text)) continue;
        if (text.empty() ||
            std::ranges::find(made, text, &std::pair<fs::path, fs::path>::second) != made.end())
          return;
        const bool of_device = std::ranges::find(command, "--cuda-device-only") != command.end();
        made.emplace_back(folder / (std::to_string(made.size()) + ".pch"), text);
        commands.push_back(with(command, of_device ? Words{"-S", "-emit-llvm"} : Words{"-c"}));
        // Templates that the headers themselves use are instantiated once, not in each file.
        commands.back() = with(commands.back(), {"-fpch-instantiate-templates", "-Xclang", "-emit-pch", "-o",
                                                 made.back().first.string(), text.string()});
        return;
      }
    });
    const std::vector<Ended> ended = side_by_side(commands, folder, may);
    for (size_t k = 0; k < ended.size(); ++k)
      if (ended[k].good() && ended[k].output.empty())
        precompiled.keep(made[k].first, made[k].second);
      else if (limit_of(ended[k]).empty())  // a limit may be of a busy machine
        PrecompiledHeaders::refuse(made[k].second);
  }
};

/// Compiles files that the default standard refuses as the newest, with a note where that takes them. Else
/// the diagnostics stay.
void compile_as_newest(const Program& p, const Compilation& c, std::vector<Diagnostic>& diagnostics) {
  if (p.standard != Program().standard) return;
  Program as_newest = p;
  as_newest.standard = "c++20";
  const std::vector<Ended> ended = c.run(as_newest);
  if (!std::ranges::all_of(ended, &Ended::good)) return;
  Diagnostic reason = *std::ranges::find(diagnostics, Diagnostic::error, &Diagnostic::severity);
  reason.severity = Diagnostic::note;
  reason.text =
      message("compiled as C++20, for C++17 stops here ({}): nvcc needs -std=c++20, too", reason.text);
  diagnostics = {std::move(reason)};
  judge(ended, "the compiler", diagnostics, c.places.include);
}

/// Device code that calls what a file beside the program has.
void need_whole_device_code(const Compiled& c, const fs::path& folder, FilesBeside& beside,
                            std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> modules;
  for (const std::string& name : c.device) try {
      modules.push_back(read_file(folder / name, most_device_code));
    } catch (const BadFile&) { return; }  // too much to look through
  const std::vector<std::string> missing = undefined_device_functions(modules);
  if (!missing.empty())
    std::ranges::move(device_functions_beside(missing, beside), std::back_inserter(diagnostics));
}

/// CUDA's own libraries: ours stands for them, or their headers.
bool is_of_cuda(const std::string& option) {
  constexpr std::string_view all[] = {
      "cuda",  "cudart",   "cudart_static", "cudadevrt",  "culibos", "nvrtc",  "cublas", "cublasLt", "curand",
      "cufft", "cusparse", "cusolver",      "nvToolsExt", "nvtx3",   "nvjpeg", "nppc",   "cudnn"};
  return option.starts_with("-l") && std::ranges::find(all, option.substr(2)) != std::end(all);
}

/// Host code knows a `__device__` variable in the file alone that defines it. Where the linker has not found
/// one that another file declares, it is made known to all. Returns whether there was such.
bool share_variables(const Compilation& by, const Compiled& c, std::string_view said) {
  const std::string objcopy = find_program("objcopy");
  if (objcopy.empty()) return false;
  bool any = false;
  for (const Unit& u : by.units) {
    if (u.module < 0) continue;
    Words words = {objcopy};
    try {
      const std::string ir = read_file(by.folder / c.device[size_t(u.module)], most_device_code);
      for (const std::string& name : device_variables_wanted(ir, said))
        words.push_back("--globalize-symbol=" + name);
    } catch (const BadFile&) { continue; }  // too much to look through
    if (words.size() == 1) continue;
    words.push_back((by.folder / ("host-" + u.name + ".o")).string());
    any |= side_by_side({words}, by.folder, by.may).front().good();
  }
  return any;
}

/// Takes out every occurrence of the part.
void erase_all(std::string& text, const std::string& part) {
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos;) text.erase(at, part.size());
}

void link(const Program& p, const Compilation& by, Compiled& c) {
  Words words = {by.places.clang, "-no-pie", "-rdynamic", "-g", "-o", c.program.string()};
  for (const Unit& u : by.units) words.push_back((by.folder / ("host-" + u.name + ".o")).string());
  std::ranges::remove_copy_if(p.link_with, std::back_inserter(words), is_of_cuda);
  words = with(words, {by.places.library.string(), "-Wl,-rpath," + by.places.library.parent_path().string(),
                       "-lm", "-pthread"});
  std::vector<Ended> ended = side_by_side({words}, by.folder, by.may);
  if (!ended.front().good() && share_variables(by, c, ended.front().output))
    ended = side_by_side({words}, by.folder, by.may);
  // build files name libraries that their programs do not use
  if (const Words missing = missing_libraries(ended.front().output);
      !missing.empty() && !ended.front().good()) {
    std::erase_if(words,
                  [&](const std::string& w) { return std::ranges::find(missing, w) != missing.end(); });
    std::vector<Ended> without = side_by_side({words}, by.folder, by.may);
    if (without.front().good()) ended = std::move(without);
  }
  for (Ended& e : ended)
    for (const Unit& u : by.units)
      erase_all(e.output, (by.folder / ("host-" + u.name + ".o")).string() + ":");
  judge(ended, "the linker", c.diagnostics);
}

/// The files' names in diagnostics as the user typed them, or from where they stand.
void name_as_typed(const Program& p, std::vector<Diagnostic>& diagnostics) {
  std::error_code ignored;
  const fs::path here = fs::current_path(ignored);
  for (Diagnostic& d : diagnostics) {
    if (d.file.empty()) continue;
    const auto typed = std::ranges::find_if(
        p.files, [&](const std::string& f) { return absolute_path(f) == fs::path(d.file); });
    if (typed != p.files.end())
      d.file = *typed;
    else if (lies_in(d.file, here))
      d.file = fs::path(d.file).lexically_relative(here).string();
  }
}

}  // namespace

Compiled compile(const Program& p, const Places& places, const fs::path& folder,
                 const std::vector<LineEdit>& edits, Until until) {
  MayRead may = may_read(p, tools_of(places));
  const auto is_theirs = [&](const fs::path& header) { return !may.listed_only || is_listed(may, header); };
  const std::vector<OwnText> own = own_texts(p.files, p.includes, is_theirs);
  std::vector<Unit> units = units_of(p, own);
  Copies copies(folder);
  Compiled c;
  c.program = folder / "program";
  if (!own.empty()) c.first_text = own.front().text.text;
  for (const OwnText& t : own)
    c.texts.push_back({t.text.name, as_clang_wants(edited(t.text.text, t.text.name, edits)), t.header});
  for (const Setting& s : p.constants) change(c.texts, s);
  const bool has_children =
      std::ranges::any_of(c.texts, [](const NamedText& t) { return has_child_launches(t.text); });
  for (size_t k = 0; k < own.size(); ++k) {
    const std::string text = has_children ? with_child_launches(c.texts[k].text) : c.texts[k].text;
    if (text != own[k].text.text) copies.stand_in(own[k].path, text);
  }
  Words common = with(common_options(p, places), copies.options());
  if (has_children) common.emplace_back("-D__BSCOPE_CHILD_LAUNCHES");
  const Prelude prelude = prelude_of(c.texts);
  if (!has_children && !prelude.references)  // which stand in front of the headers, and change what they mean
    for (size_t k = 0, unit = 0; k < own.size(); ++k)
      if (!own[k].header)
        units[unit++].headers = leading_headers(c.texts[k].text, places.include, p.includes);
  std::error_code ignored;
  const bool precompiles =
      fs::exists(places.forced, ignored);  // not in a page, whose compiler has its own files
  if (precompiles) may.files.push_back(PrecompiledHeaders(folder).folder());
  for (const Unit& u : units) {
    if (u.module < 0) continue;
    write_whole(folder / ("module-" + u.name),
                "barrierscope-device:" + std::to_string(u.module) + std::string(1, '\0'));
    c.device.push_back("device-" + std::to_string(u.module) + ".ll");
  }
  const Compilation compilation{units, common, places, folder, may, prelude, precompiles};
  const bool in_limits = judge(compilation.run(p), "the compiler", c.diagnostics, places.include);
  if (in_limits && has_errors(c.diagnostics)) compile_as_newest(p, compilation, c.diagnostics);
  c.sources = sources_of(own, c.texts, units, places, folder, may, copies);
  if (in_limits && !has_errors(c.diagnostics)) {
    if (until != Until::objects) link(p, compilation, c);
    if (until != Until::objects && !may.listed_only) {  // else files beside it are none of its business
      FilesBeside beside(own);
      need_whole_device_code(c, folder, beside, c.diagnostics);
      name_files_beside(c.diagnostics, beside);
      c.beside = beside.only_ones();
    }
    c.done = !has_errors(c.diagnostics);
  }
  copies.name_originals(c.diagnostics);
  name_as_typed(p, c.diagnostics);
  return c;
}

}  // namespace bscope::cuda
