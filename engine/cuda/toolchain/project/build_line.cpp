#include "engine/cuda/toolchain/project/build_line.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// What an option does here. Most change code that this compiler does not make, and do nothing.
enum class Does : unsigned char {
  nothing,
  compile,
  device_link,
  archive,
  refuse,
  version,
  dependencies,
  dependency_file,
  output,
  output_folder,
  include,
  define,
  undefine,
  library,
  library_folder,
  standard,
  language,
  architecture,
  generate_code,
  to_host,
};
/// What follows an option: nothing, or a value.
enum class Takes : unsigned char { nothing, value };

struct NvccOption {
  const char *long_name, *short_name;
  Takes takes;
  Does does;
};

/// The options of nvcc 13, and those of older ones that Makefiles still hold.
constexpr NvccOption nvcc_options[] = {
    {"--compile", "-c", Takes::nothing, Does::compile},
    {"--device-c", "-dc", Takes::nothing, Does::compile},
    {"--device-w", "-dw", Takes::nothing, Does::compile},
    {"--device-link", "-dlink", Takes::nothing, Does::device_link},
    {"--link", "-link", Takes::nothing, Does::nothing},
    {"--lib", "-lib", Takes::nothing, Does::archive},
    {"--cuda", "-cuda", Takes::nothing, Does::refuse},
    {"--cubin", "-cubin", Takes::nothing, Does::refuse},
    {"--ptx", "-ptx", Takes::nothing, Does::refuse},
    {"--fatbin", "-fatbin", Takes::nothing, Does::refuse},
    {"--optix-ir", "-optix-ir", Takes::nothing, Does::refuse},
    {"--ltoir", "-ltoir", Takes::nothing, Does::refuse},
    {"--preprocess", "-E", Takes::nothing, Does::refuse},
    {"--shared", "-shared", Takes::nothing, Does::refuse},
    {"--run", "-run", Takes::nothing, Does::refuse},
    {"--generate-dependencies", "-M", Takes::nothing, Does::dependencies},
    {"--generate-nonsystem-dependencies", "-MM", Takes::nothing, Does::dependencies},
    {"--generate-dependencies-with-compile", "-MD", Takes::nothing, Does::nothing},
    {"--generate-nonsystem-dependencies-with-compile", "-MMD", Takes::nothing, Does::nothing},
    {"--generate-dependency-targets", "-MP", Takes::nothing, Does::nothing},
    {"--dependency-output", "-MF", Takes::value, Does::dependency_file},
    {"--dependency-target-name", "-MT", Takes::value, Does::nothing},
    {"--version", "-V", Takes::nothing, Does::version},
    {"--output-file", "-o", Takes::value, Does::output},
    {"--output-directory", "-odir", Takes::value, Does::output_folder},
    {"--include-path", "-I", Takes::value, Does::include},
    {"--system-include", "-isystem", Takes::value, Does::include},
    {"--define-macro", "-D", Takes::value, Does::define},
    {"--undefine-macro", "-U", Takes::value, Does::undefine},
    {"--library", "-l", Takes::value, Does::library},
    {"--library-path", "-L", Takes::value, Does::library_folder},
    {"--std", "-std", Takes::value, Does::standard},
    {"--x", "-x", Takes::value, Does::language},
    {"--gpu-architecture", "-arch", Takes::value, Does::architecture},
    {"--gpu-code", "-code", Takes::value, Does::architecture},
    {"--generate-code", "-gencode", Takes::value, Does::generate_code},
    {"--compiler-options", "-Xcompiler", Takes::value, Does::to_host},
    {"--linker-options", "-Xlinker", Takes::value, Does::nothing},
    {"--archive-options", "-Xarchive", Takes::value, Does::nothing},
    {"--ptxas-options", "-Xptxas", Takes::value, Does::nothing},
    {"--nvlink-options", "-Xnvlink", Takes::value, Does::nothing},
    {"--optimize", "-O", Takes::value, Does::nothing},
    {"--Ofast-compile", "-Ofc", Takes::value, Does::nothing},
    {"--dopt", "-dopt", Takes::value, Does::nothing},
    {"--machine", "-m", Takes::value, Does::nothing},
    {"--threads", "-t", Takes::value, Does::nothing},
    {"--split-compile", "-split-compile", Takes::value, Does::nothing},
    {"--time", "-time", Takes::value, Does::nothing},
    {"--compiler-bindir", "-ccbin", Takes::value, Does::nothing},
    {"--archiver-binary", "-arbin", Takes::value, Does::nothing},
    {"--cudart", "-cudart", Takes::value, Does::nothing},
    {"--cudadevrt", "-cudadevrt", Takes::value, Does::nothing},
    {"--libdevice-directory", "-ldir", Takes::value, Does::nothing},
    {"--target-directory", "-target-dir", Takes::value, Does::nothing},
    {"--pre-include", "-include", Takes::value, Does::nothing},
    {"--relocatable-device-code", "-rdc", Takes::value, Does::nothing},
    {"--entries", "-e", Takes::value, Does::nothing},
    {"--maxrregcount", "-maxrregcount", Takes::value, Does::nothing},
    {"--ftz", "-ftz", Takes::value, Does::nothing},
    {"--prec-div", "-prec-div", Takes::value, Does::nothing},
    {"--prec-sqrt", "-prec-sqrt", Takes::value, Does::nothing},
    {"--fmad", "-fmad", Takes::value, Does::nothing},
    {"--default-stream", "-default-stream", Takes::value, Does::nothing},
    {"--ftemplate-depth", "-ftemplate-depth", Takes::value, Does::nothing},
    {"--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", Takes::value, Does::nothing},
    {"--keep-dir", "-keep-dir", Takes::value, Does::nothing},
    {"--diag-error", "-diag-error", Takes::value, Does::nothing},
    {"--diag-suppress", "-diag-suppress", Takes::value, Does::nothing},
    {"--diag-warn", "-diag-warn", Takes::value, Does::nothing},
    {"--Werror", "-Werror", Takes::value, Does::nothing},
    {"--run-args", "-run-args", Takes::value, Does::nothing},
    {"--random-seed", "-frandom-seed", Takes::value, Does::nothing},
    {"--compress-mode", "-compress-mode", Takes::value, Does::nothing},
    {"--static-global-template-stub", "-static-global-template-stub", Takes::value, Does::nothing},
    {"--device-entity-has-hidden-visibility", "-device-entity-has-hidden-visibility", Takes::value,
     Does::nothing},
    {"--debug", "-g", Takes::nothing, Does::nothing},
    {"--device-debug", "-G", Takes::nothing, Does::nothing},
    {"--generate-line-info", "-lineinfo", Takes::nothing, Does::nothing},
    {"--profile", "-pg", Takes::nothing, Does::nothing},
    {"--m64", "-m64", Takes::nothing, Does::nothing},
    {"--m32", "-m32", Takes::nothing, Does::nothing},
    {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", Takes::nothing, Does::nothing},
    {"--expt-extended-lambda", "-expt-extended-lambda", Takes::nothing, Does::nothing},
    {"--extended-lambda", "-extended-lambda", Takes::nothing, Does::nothing},
    {"--restrict", "-restrict", Takes::nothing, Does::nothing},
    {"--use_fast_math", "-use_fast_math", Takes::nothing, Does::nothing},
    {"--extra-device-vectorization", "-extra-device-vectorization", Takes::nothing, Does::nothing},
    {"--source-in-ptx", "-src-in-ptx", Takes::nothing, Does::nothing},
    {"--resource-usage", "-res-usage", Takes::nothing, Does::nothing},
    {"--disable-warnings", "-w", Takes::nothing, Does::nothing},
    {"--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets", Takes::nothing, Does::nothing},
    {"--Wno-deprecated-declarations", "-Wno-deprecated-declarations", Takes::nothing, Does::nothing},
    {"--Wreorder", "-Wreorder", Takes::nothing, Does::nothing},
    {"--Wdefault-stream-launch", "-Wdefault-stream-launch", Takes::nothing, Does::nothing},
    {"--Wmissing-launch-bounds", "-Wmissing-launch-bounds", Takes::nothing, Does::nothing},
    {"--Wext-lambda-captures-this", "-Wext-lambda-captures-this", Takes::nothing, Does::nothing},
    {"--display-error-number", "-err-no", Takes::nothing, Does::nothing},
    {"--no-display-error-number", "-no-err-no", Takes::nothing, Does::nothing},
    {"--verbose", "-v", Takes::nothing, Does::nothing},
    {"--dryrun", "-dryrun", Takes::nothing, Does::nothing},
    {"--keep", "-keep", Takes::nothing, Does::nothing},
    {"--save-temps", "-save-temps", Takes::nothing, Does::nothing},
    {"--clean-targets", "-clean", Takes::nothing, Does::nothing},
    {"--dlink-time-opt", "-dlto", Takes::nothing, Does::nothing},
    {"--no-device-link", "-nodlink", Takes::nothing, Does::nothing},
    {"--no-compress", "-no-compress", Takes::nothing, Does::nothing},
    {"--no-align-double", "-no-align-double", Takes::nothing, Does::nothing},
    {"--no-exceptions", "-noeh", Takes::nothing, Does::nothing},
    {"--no-host-device-initializer-list", "-nohdinitlist", Takes::nothing, Does::nothing},
    {"--no-host-device-move-forward", "-nohdmoveforward", Takes::nothing, Does::nothing},
    {"--allow-unsupported-compiler", "-allow-unsupported-compiler", Takes::nothing, Does::nothing},
    {"--use-local-env", "-use-local-env", Takes::nothing, Does::nothing},
    {"--forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler", Takes::nothing,
     Does::nothing},
    {"--forward-unknown-to-host-linker", "-forward-unknown-to-host-linker", Takes::nothing, Does::nothing},
    {"--forward-unknown-opts", "-forward-unknown-opts", Takes::nothing, Does::nothing},
    {"--device-int128", "-device-int128", Takes::nothing, Does::nothing},
    {"--compile-as-tools-patch", "-astoolspatch", Takes::nothing, Does::nothing},
    {"--relocatable-ptx", "-reloc-ptx", Takes::nothing, Does::nothing},
    {"--gen-opt-lto", "-gen-opt-lto", Takes::nothing, Does::nothing},
    {"--minimal", "-minimal", Takes::nothing, Does::nothing},
};
/// Options of host compilers whose value is a word of its own.
constexpr std::string_view host_options_with_value[] = {
    "-MQ",       "-idirafter", "-iquote", "-imacros", "-isysroot",  "-framework", "-T",
    "-Xclang",   "-mllvm",     "-target", "--param",  "-u",         "-z",         "-Xassembler",
    "-aux-info", "-rpath",     "-B",      "-iprefix", "-imultilib", "-wrapper"};

/// An option as it was typed, with its row and its value.
struct Typed {
  const NvccOption* row = nullptr;
  std::string value;
  bool has_value = false;
};

const NvccOption* named(std::string_view name) {
  const auto* found = std::ranges::find_if(nvcc_options, [&](const NvccOption& o) {
    // nvcc takes one dash or two before a long name
    return name == o.short_name || name == o.long_name || (name.size() > 3 && name == o.long_name + 1);
  });
  return found == std::end(nvcc_options) ? nullptr : found;
}

/// -DNAME, -O3, -m64: one letter, with its value behind it.
std::optional<Typed> joined_option(const std::string& word) {
  constexpr std::string_view letters = "IDULlOmtx";
  if (word.size() < 3 || letters.find(word[1]) == std::string_view::npos) return {};
  const std::string name = word.substr(0, 2);
  return Typed{named(name), word.substr(word[2] == '=' ? 3 : 2), true};
}

std::optional<Typed> typed_option(const std::string& word) {
  if (const NvccOption* whole = named(word)) return Typed{whole, {}, false};
  const size_t equals = word.find('=');
  if (equals != std::string::npos)
    if (const NvccOption* row = named(word.substr(0, equals)))
      return Typed{row, word.substr(equals + 1), true};
  if (word.starts_with("--")) return {};
  if (word.starts_with("-std")) return {};
  return joined_option(word);
}

Words split_at(std::string_view text, char sign) {
  Words all;
  while (!text.empty()) {
    const size_t end = std::min(text.find(sign), text.size());
    if (end) all.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

/// Reads the words one after the other into a BuildLine.
class LineReader {
 public:
  LineReader(const Words& words, const fs::path& folder) : words_(words), folder_(folder) {}

  BuildLine read() {
    for (at_ = 0; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (word.empty()) continue;
      if (word.front() == '-' && word.size() > 1)
        take_option(word);
      else
        take_input(word);
    }
    name_output();
    return std::move(line_);
  }

 private:
  std::string whole(const std::string& path) const { return (folder_ / path).lexically_normal().string(); }

  void take_option(const std::string& word) {
    std::optional<Typed> typed = typed_option(word);
    if (!typed || !typed->row) return take_other(word);
    const bool wants = typed->row->takes == Takes::value;
    if (wants && !typed->has_value && at_ + 1 < words_.size()) typed->value = words_[++at_];
    apply(*typed, word);
  }

  /// An option that nvcc does not have.
  void take_other(const std::string& word) {
    line_.not_allowed.push_back(word);
    if (std::ranges::find(host_options_with_value, word) != std::end(host_options_with_value)) ++at_;
    if (word == "-shared" || word == "-S") line_.refused = word;
  }

  void apply(const Typed& o, const std::string& word) {
    switch (o.row->does) {
      case Does::nothing: break;
      case Does::compile: line_.makes = Makes::object; break;
      case Does::device_link: line_.makes = Makes::device_link; break;
      case Does::archive: line_.makes = Makes::archive; break;
      case Does::refuse:
        line_.refused = word;
        line_.makes = Makes::other;
        break;
      case Does::version: line_.prints_version = true; break;
      case Does::dependencies:
        if (line_.dependencies.empty()) line_.dependencies = "-";
        line_.makes = Makes::other;
        break;
      case Does::dependency_file: dependency_file_ = whole(o.value); break;
      case Does::output: line_.output = whole(o.value); break;
      case Does::output_folder: output_folder_ = o.value; break;
      case Does::include: add_all(line_.includes, o.value, true); break;
      case Does::define: add_all(line_.defines, o.value, false); break;
      case Does::undefine: undefine(o.value); break;
      case Does::library: add_all(line_.libraries, o.value, false); break;
      case Does::library_folder: add_all(line_.library_folders, o.value, true); break;
      case Does::standard: line_.standard = o.value; break;
      case Does::language: cuda_ = o.value == "cu"; break;
      case Does::architecture:
      case Does::generate_code: take_architectures(o.value); break;
      case Does::to_host: take_host_options(o.value); break;
    }
  }

  static void add_one(Words& all, std::string one) {
    if (!one.empty() && std::ranges::find(all, one) == all.end()) all.push_back(std::move(one));
  }
  void add_all(Words& all, const std::string& value, bool path) {
    // a list has commas between its members; a macro's value may hold some of its own
    const bool list = &all != &line_.defines;
    for (const std::string& one : list ? split_at(value, ',') : Words{value})
      add_one(all, path ? whole(one) : one);
  }
  void undefine(const std::string& name) {
    std::erase_if(line_.defines,
                  [&](const std::string& d) { return d == name || d.starts_with(name + "="); });
  }
  /// "arch=compute_80,code=[sm_80,compute_80]", "sm_80,sm_90".
  void take_architectures(const std::string& value) {
    std::string text = value;
    std::ranges::replace_if(
        text, [](char c) { return c == '=' || c == '[' || c == ']' || c == '"' || c == '\''; }, ',');
    for (const std::string& one : split_at(text, ','))
      if (one.starts_with("sm_") || one.starts_with("compute_") || one.starts_with("lto_"))
        line_.architecture = newer_architecture(line_.architecture, architecture_of(one));
  }
  /// What the host's compiler gets may define macros and name folders.
  void take_host_options(const std::string& value) {
    std::string text = value;
    std::ranges::replace(text, ' ', ',');
    for (const std::string& one : split_at(text, ',')) {
      if (one.starts_with("-D") && one.size() > 2) add_one(line_.defines, one.substr(2));
      if (one.starts_with("-I") && one.size() > 2) add_one(line_.includes, whole(one.substr(2)));
    }
  }

  void take_input(const std::string& word) {
    const fs::path path = whole(word);
    const std::string ending = path.extension().string();
    if (is_source(path)) {
      add_one(line_.sources, path.string());
      if (cuda_ && ending != ".cu") add_one(line_.cuda, path.string());
    } else if (ending == ".o" || ending == ".a" || ending == ".so" || ending == ".obj" || ending == ".lo") {
      add_one(line_.objects, path.string());
    } else if (!is_header(ending)) {
      add_one(line_.objects, path.string());
    }
  }
  static bool is_header(std::string_view ending) {
    return ending == ".h" || ending == ".hpp" || ending == ".cuh" || ending == ".hh" || ending == ".inl";
  }

  /// What the compiler calls its output where the line does not say.
  void name_output() {
    if (line_.dependencies == "-") {
      if (!dependency_file_.empty())
        line_.dependencies = dependency_file_;
      else if (!line_.output.empty())
        line_.dependencies = line_.output;
    }
    if (!line_.output.empty()) return;
    const fs::path in = output_folder_.empty() ? folder_ : folder_ / output_folder_;
    if (line_.makes == Makes::object && line_.sources.size() == 1)
      line_.output = (in / fs::path(line_.sources.front()).stem()).lexically_normal().string() + ".o";
    if (line_.makes == Makes::program) line_.output = (in / "a.out").lexically_normal().string();
    if (line_.makes == Makes::archive) line_.output = (in / "a.a").lexically_normal().string();
    if (line_.makes == Makes::device_link) line_.output = (in / "a_dlink.o").lexically_normal().string();
  }

  const Words& words_;
  const fs::path& folder_;
  BuildLine line_;
  size_t at_ = 0;
  bool cuda_ = false;
  std::string output_folder_, dependency_file_;
};

/// How many letters have to change; nothing beyond `most`.
size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t k = 0; k <= b.size(); ++k) row[k] = k;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t k = 1; k <= b.size(); ++k) {
      const size_t cost = diagonal + (a[i - 1] != b[k - 1]);
      diagonal = row[k];
      row[k] = std::min({row[k] + 1, row[k - 1] + 1, cost});
    }
  }
  return row.back();
}

int number_of(const std::string& architecture) {
  int number = 0;
  if (architecture.size() > 3)
    std::from_chars(architecture.data() + 3, architecture.data() + architecture.size(), number);
  return number;
}

}  // namespace

BuildLine build_line(const std::vector<std::string>& words, const fs::path& folder) {
  return LineReader(words, folder).read();
}

std::vector<std::string> options_like(const std::string& option) {
  const std::string name = option.substr(0, std::min(option.find('='), size_t(60)));
  std::vector<std::pair<size_t, std::string>> near;
  for (const NvccOption& o : nvcc_options)
    for (const char* of_row : {o.short_name, o.long_name}) {
      const size_t far = letters_apart(name, of_row);
      if (far <= (name.size() < 4 ? size_t(1) : std::max(size_t(2), name.size() / 3)))
        near.emplace_back(far, of_row);
    }
  std::ranges::stable_sort(near, {}, &std::pair<size_t, std::string>::first);
  Words all;
  for (size_t k = 0; k < std::min(near.size(), size_t(3)); ++k) all.push_back(near[k].second);
  return all;
}

bool is_compiler(const std::string& word) {
  std::string name = fs::path(word).filename().string();
  if (name.ends_with(".exe")) name.resize(name.size() - 4);
  // g++-12, clang++-16
  const size_t dash = name.find_last_of('-');
  if (dash != std::string::npos && dash + 1 < name.size() &&
      name.find_first_not_of("0123456789.", dash + 1) == std::string::npos)
    name.resize(dash);
  constexpr std::string_view all[] = {"nvcc",
                                      "g++",
                                      "gcc",
                                      "c++",
                                      "cc",
                                      "clang++",
                                      "clang",
                                      "icpc",
                                      "icc",
                                      "icpx",
                                      "icx",
                                      "mpicc",
                                      "mpicxx",
                                      "mpic++",
                                      "mpiCC",
                                      "nvc++",
                                      "nvc",
                                      "pgc++",
                                      "x86_64-linux-gnu-g++",
                                      "hipcc"};
  return std::ranges::find(all, name) != std::end(all);
}

bool is_source(const fs::path& file) {
  constexpr std::string_view all[] = {".cu", ".CU", ".cpp", ".cc", ".cxx", ".c++", ".C", ".c"};
  return std::ranges::find(all, file.extension().string()) != std::end(all);
}

std::string architecture_of(std::string_view name) {
  std::string digits;
  const size_t begin = name.find_first_of("0123456789");
  if (begin == std::string_view::npos) return {};
  for (const char c : name.substr(begin)) {
    if (c >= '0' && c <= '9')
      digits += c;
    else if (c != '.')
      break;
  }
  return digits.size() >= 2 && digits.size() <= 3 ? "sm_" + digits : std::string();
}

std::string newer_architecture(const std::string& a, const std::string& b) {
  return number_of(b) > number_of(a) ? b : a;
}

}  // namespace bscope::cuda
