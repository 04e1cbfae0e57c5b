#include "engine/cuda/toolchain/diagnostics.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace bscope::cuda {
namespace {

struct SeverityWord {
  std::string_view text;
  Diagnostic::Severity severity;
};
constexpr SeverityWord words[] = {{": fatal error: ", Diagnostic::error},
                                  {": error: ", Diagnostic::error},
                                  {": warning: ", Diagnostic::warning},
                                  {": note: ", Diagnostic::note}};
constexpr const char* names[] = {"error", "warning", "note"};

/// Takes ":12" from the end of a place; 0: none stands there.
int number_behind(std::string_view& place) {
  const size_t colon = place.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == place.size()) return 0;
  int n = 0;
  const auto [end, error] = std::from_chars(place.data() + colon + 1, place.data() + place.size(), n);
  if (error != std::errc() || end != place.data() + place.size() || n < 1) return 0;
  place = place.substr(0, colon);
  return n;
}

/// What a compiler prints is verbatim, but for the sentences that our headers make it print.
Message words_of_compiler(std::string_view text) {
  const auto verbatim = [](std::string_view part) { return Message::verbatim(std::string(part)); };
  const size_t ours = text.find("Barrierscope ");
  if (ours == std::string_view::npos) return verbatim(text);
  Message sentence = Message::plain(std::string(text.substr(ours)));
  if (ours == 0) return sentence;
  // "'tex2D' is unavailable: Barrierscope has no textures"
  return text.substr(0, ours).ends_with(": ")
             ? message("{}: {}", verbatim(text.substr(0, ours - 2)), sentence)
             : verbatim(text);
}

/// PLACE: error: TEXT, where PLACE is FILE:LINE:COLUMN or a program's name.
std::optional<Diagnostic> of_compiler(std::string_view line) {
  size_t first = std::string_view::npos;
  const SeverityWord* word = nullptr;
  for (const SeverityWord& w : words)
    if (const size_t at = line.find(w.text); at < first) first = at, word = &w;
  if (!word) return {};
  Diagnostic d{.severity = word->severity,
               .file = {},
               .text = words_of_compiler(line.substr(first + word->text.size()))};
  std::string_view place = line.substr(0, first);
  d.column = number_behind(place);
  d.line = number_behind(place);
  if (!d.line) std::swap(d.line, d.column);
  if (d.line) d.file = place;
  return d;
}

/// FILE:LINE: undefined reference to `f()', behind the linker's name or not.
std::optional<Diagnostic> of_linker(std::string_view line) {
  static constexpr std::string_view telling[] = {"undefined reference to ", "multiple definition of ",
                                                 "cannot find "};
  for (const std::string_view what : telling) {
    const size_t at = line.find(what);
    if (at == std::string_view::npos) continue;
    Diagnostic d{.severity = Diagnostic::error, .file = {}, .text = words_of_compiler(line.substr(at))};
    std::string_view place = line.substr(0, at);
    while (place.ends_with(' ') || place.ends_with(':')) place.remove_suffix(1);
    if (const size_t behind = place.find("ld: "); behind != std::string_view::npos)
      place.remove_prefix(behind + 4);
    d.line = number_behind(place);
    if (d.line) d.file = place;
    return d;
  }
  return {};
}

constexpr std::string_view included_from = "In file included from ";

/// In file included from FILE:LINE:
Diagnostic of_include(std::string_view line) {
  std::string_view place = line.substr(included_from.size());
  while (place.ends_with(':') || place.ends_with('\r')) place.remove_suffix(1);
  Diagnostic d;
  d.line = number_behind(place);
  d.file = place;
  return d;
}

/// What the compiler says of the inside of things that the user has not written.
struct PlainWords {
  std::string_view part;
  Message instead;
};
const Message no_launch = message(
    "Barrierscope does not see that this launches a kernel in device code: write kernel<<<grid, "
    "block>>>(...) "
    "there, without a macro");
const Message no_ptx = message("Barrierscope does not know this inline PTX: write it in CUDA C++");
const Message no_main =
    message("the program has no main: write one that launches the kernel, or begin with `barrierscope new`");
const PlainWords plain_words[] = {
    {"__cudaPushCallConfiguration", no_launch},
    {"reference to __global__ function", no_launch},
    {"in inline assembly string", no_ptx},
    {"put constraint '", no_ptx},
    {"undefined reference to `main'", no_main},
    // Without arguments there is but one way to call them wrongly: from a kernel.
    {"no matching function for call to 'cudaDeviceSynchronize'", no_launch},
    {"no matching function for call to 'cudaGetLastError'", no_launch}};

/// A library, or a part of CUDA's headers, that is not here, and how its names begin.
struct Library {
  Message name, instead;
  std::vector<std::string_view> words;     ///< names in full: namespaces, types
  std::vector<std::string_view> families;  ///< goes on with a capital letter, an underscore or a slash
};
const Library libraries[] = {
    {Message::verbatim("cuBLAS"),
     message("its kernels are not in source; write the product as a kernel"),
     {},
     {"cublas", "CUBLAS"}},
    {Message::verbatim("cuSPARSE"),
     message("its kernels are not in source; write the product as a kernel"),
     {},
     {"cusparse", "CUSPARSE"}},
    {Message::verbatim("cuFFT"),
     message("its kernels are not in source; write the transform as a kernel"),
     {},
     {"cufft", "CUFFT"}},
    {Message::verbatim("cuRAND"),
     message("make random numbers on the host (rand, std::mt19937) and copy them with cudaMemcpy"),
     {"__curand_umul"},
     {"curand", "CURAND"}},
    {Message::verbatim("cuSOLVER"), message("its kernels are not in source"), {}, {"cusolver", "CUSOLVER"}},
    {Message::verbatim("cuDNN"), message("its kernels are not in source"), {}, {"cudnn", "CUDNN"}},
    {Message::verbatim("NCCL"), message("it runs one process on one GPU"), {}, {"nccl"}},
    {Message::verbatim("NPP"),
     message("its kernels are not in source; write the filter as a kernel"),
     {},
     {"npp", "nppi", "npps", "Npp", "NPP"}},
    {Message::verbatim("NVML"), message("there is no GPU whose state it could tell"), {}, {"nvml", "NVML"}},
    {Message::verbatim("NVRTC"), message("compile the kernel with the program"), {}, {"nvrtc", "NVRTC"}},
    {message("header of that name"),
     message(
         "check the name. If no header of libcu++, CUB and Thrust is found, build Barrierscope again where "
         "pip can download them"),
     {},
     {"thrust/", "cub/", "cuda/"}},
    {message("this of tensor cores"),
     message("nvcuda::wmma multiplies half, bfloat16, TF32, double and 8 bits"),
     {"nvcuda", "wmma"},
     {}},
    {message("numbers of 8 bits"), message("use float"), {"__nv_fp8_e4m3", "__nv_fp8_e5m2"}, {"__nv_fp8"}},
};

bool is_named(const Library& l, std::string_view word) {
  word = word.substr(0, word.find("::"));
  if (std::ranges::find(l.words, word) != l.words.end()) return true;
  return std::ranges::any_of(l.families, [&](std::string_view f) {
    if (!word.starts_with(f) || word.size() == f.size()) return false;
    const char next = word[f.size()];
    return (next >= 'A' && next <= 'Z') || next == '_' || next == '/' || f.back() == '/';
  });
}

/// What the compiler says of a name that it does not know, in quotes.
constexpr std::string_view unknown_names[] = {"use of undeclared identifier ",
                                              "unknown type name ",
                                              "no template named ",
                                              "no member named ",
                                              "no type named ",
                                              "unknown namespace name ",
                                              "expected namespace name",
                                              "' file not found"};
/// What a diagnostic says instead where the compiler does not know a library's name; empty: it knows them
/// all.
Message of_library(std::string_view text) {
  if (std::ranges::none_of(unknown_names, [&](auto u) { return text.find(u) != std::string_view::npos; }))
    return {};
  std::string_view first, named;  // "no member named 'sort' in namespace 'thrust'"
  const Library* library = nullptr;
  const size_t guess = text.find("; did you mean ");
  for (size_t at = text.find('\''), end = 0; at < guess; at = text.find('\'', end + 1)) {
    end = text.find('\'', at + 1);
    if (end == std::string_view::npos) break;
    const std::string_view word = text.substr(at + 1, end - at - 1);
    if (first.empty()) first = word;
    const auto* const l =
        std::ranges::find_if(libraries, [&](const Library& of) { return is_named(of, word); });
    if (l != std::end(libraries)) library = l, named = word;
  }
  if (!library) return {};
  const std::string member = first == named ? "" : "::" + std::string(first);
  return message("Barrierscope has no {} ({}): {}", library->name, std::string(named) + member,
                 library->instead);
}

/// The same of the inside of things that the user has not written.
Message in_plain_words(std::string_view text) {
  const auto* const found = std::ranges::find_if(
      plain_words, [&](const PlainWords& p) { return text.find(p.part) != std::string_view::npos; });
  return found == std::end(plain_words) ? Message() : found->instead;
}

/// What our headers make the compiler say of a use of old CUDA (barrierscope/old.h), as a sentence; empty: it
/// says something else. "'__shfl' is deprecated: old CUDA before 9.0: __shfl_sync(mask, ...) [-W...]", or of
/// a header "old CUDA 'cutil.h' before 5.0: helper_cuda.h [-W...]".
Message of_old_cuda(std::string_view text) {
  constexpr std::string_view old = "old CUDA ", before = "before ", between = ": ";
  const size_t at = text.find(old), name = text.find('\'');
  if (at == std::string_view::npos || name == std::string_view::npos) return {};
  std::string_view what = text.substr(name + 1, text.find('\'', name + 1) - name - 1);
  what = what.substr(0, what.find('<'));  // of a template
  const size_t version = text.find(before, at);
  if (version == std::string_view::npos) return {};
  std::string_view rest = text.substr(version + before.size());
  const size_t end = rest.find(between);
  if (end == std::string_view::npos) return {};
  const std::string_view number = rest.substr(0, end);
  rest = rest.substr(end + between.size());
  rest = rest.substr(0, rest.rfind(" [-W"));
  return message("{} is of CUDA before {}, and nvcc refuses it today: use {}", what, number, rest);
}

}  // namespace

CompilerLimit limit_in(std::string_view output) {
  const auto prints = [&](std::string_view words) { return output.find(words) != std::string_view::npos; };
  if (prints("unable to execute command: CPU time limit exceeded")) return CompilerLimit::time;
  if (prints("unable to execute command: File size limit exceeded")) return CompilerLimit::disk;
  const bool no_memory =
      prints("LLVM ERROR: out of memory") || prints("after throwing an instance of 'std::bad_alloc'");
  return no_memory ? CompilerLimit::memory : CompilerLimit::none;
}

std::vector<Diagnostic> diagnostics_of(std::string_view output, std::string_view ours) {
  std::vector<Diagnostic> all;
  bool refused = false;
  std::vector<Diagnostic>
      including;  // the lines that lead to the next diagnostic's file, the outermost first
  const auto is_ours = [&](const Diagnostic& d) { return !ours.empty() && d.file.starts_with(ours); };
  while (!output.empty()) {
    const size_t end = std::min(output.find('\n'), output.size());
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    if (line.starts_with(included_from)) {
      including.push_back(of_include(line));
      continue;
    }
    auto found = of_compiler(line);
    if (!found) found = of_linker(line);
    if (!found) continue;
    const auto theirs = std::find_if_not(including.rbegin(), including.rend(), is_ours);
    if (is_ours(*found) && theirs != including.rend()) {
      found->file = theirs->file;
      found->line = theirs->line;
      found->column = 0;
    }
    including.clear();
    if (is_ours(*found) && found->severity != Diagnostic::error) continue;  // where we say what we refuse
    if (Message old = of_old_cuda(found->text.pattern());
        found->severity == Diagnostic::warning && !old.empty()) {
      found->severity = Diagnostic::note;
      found->text = std::move(old);
    } else if (Message plain = in_plain_words(found->text.pattern()); !plain.empty())
      found->text = std::move(plain);
    else if (found->severity == Diagnostic::error)
      if (Message missing = of_library(found->text.pattern()); !missing.empty()) {
        found->text = std::move(missing);
        found->column = 0;
      }
    refused |=
        found->severity == Diagnostic::error && !found->text.is_verbatim() && !is_of_missing_main(*found);
    if (std::ranges::find(all, *found) == all.end()) all.push_back(std::move(*found));
  }
  const auto by_linker = [](const Diagnostic& d) {
    return d.text.pattern().starts_with("linker command failed");
  };
  if (all.size() > 1) std::erase_if(all, by_linker);  // the others say why
  if (refused)  // what else the compiler does not understand may follow from that
    std::erase_if(
        all, [](const Diagnostic& d) { return d.severity != Diagnostic::warning && d.text.is_verbatim(); });
  return all;
}

bool has_errors(const std::vector<Diagnostic>& all) {
  return std::ranges::any_of(all, [](const Diagnostic& d) { return d.severity == Diagnostic::error; });
}

bool is_of_missing_main(const Diagnostic& d) { return d.text == no_main; }

std::string missing_function(const Diagnostic& d) {
  constexpr std::string_view undefined = "undefined reference to `", stub = "__device_stub__";  // of a kernel
  std::string_view text = d.text.pattern();
  if (d.severity != Diagnostic::error || !d.text.is_verbatim() || !text.starts_with(undefined)) return {};
  text.remove_prefix(undefined.size());
  text = text.substr(0, text.rfind('\''));
  if (text.starts_with(stub)) text.remove_prefix(stub.size());
  return std::string(text);
}

Message with_place(const Diagnostic& d) {
  std::string place = d.file;
  for (const int n : {d.line, d.column})
    if (n) place += ":" + std::to_string(n);
  return message("{}: {}", place + (place.empty() ? "" : ": ") + names[d.severity], d.text);
}
std::string text_of(const Diagnostic& d) { return with_place(d).english(); }

std::vector<std::string> missing_libraries(std::string_view said) {
  constexpr std::string_view mark = "cannot find -l";
  std::vector<std::string> all;
  for (size_t at = 0; (at = said.find(mark, at)) != std::string_view::npos;) {
    at += mark.size();
    const size_t end = std::min(said.find_first_of(": \n", at), said.size());
    all.push_back("-l" + std::string(said.substr(at, end - at)));
  }
  return all;
}

bool says_undefined(std::string_view said, const std::string& name) {
  return said.find("undefined reference to `" + name + "'") != std::string_view::npos;
}

}  // namespace bscope::cuda
