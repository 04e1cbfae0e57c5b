// What compiler and linker say, as data.
#pragma once

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/fields.hpp"
#include "engine/trace/message.hpp"

namespace bscope::cuda {

struct Diagnostic {
  enum Severity : unsigned char { error, warning, note } severity = error;
  std::string file;  ///< empty: of no file
  int line = 0, column = 0;
  Message text;  ///< verbatim: in the compiler's words
  static constexpr const char* severities[] = {"error", "warning", "note"};
  template <class Self, class Visit>
  static void fields(Self& d, Visit&& visit) {
    visit("severity", d.severity, Field{.among = {std::begin(severities), std::end(severities)}});
    visit("file", d.file);
    visit("line", d.line);
    visit("column", d.column);
    visit("text", d.text);
  }
  bool operator==(const Diagnostic&) const = default;
};

/// Of clang's output without carets, and of a linker's. Each once: a file is compiled for device and host.
/// What is said of a header in the folder `ours` belongs to the line that includes it.
std::vector<Diagnostic> diagnostics_of(std::string_view output, std::string_view ours = {});
bool has_errors(const std::vector<Diagnostic>&);
/// Whether it is the linker's, of a program without main.
bool is_of_missing_main(const Diagnostic&);
/// The function that the linker did not find: "f(int)"; empty: it says something else.
std::string missing_function(const Diagnostic&);
/// The libraries that the linker did not find, as options: "-lGL".
std::vector<std::string> missing_libraries(std::string_view said_by_linker);
/// Whether the linker did not find this name, a variable's or a function's.
bool says_undefined(std::string_view said_by_linker, const std::string& name);
/// The limit that ended a compiler, by what its driver printed of it.
enum class CompilerLimit : unsigned char { none, time, disk, memory };
CompilerLimit limit_in(std::string_view output);
/// "scan.cu:12:3: error: ...", as compilers write it.
Message with_place(const Diagnostic&);
/// The same in English.
std::string text_of(const Diagnostic&);

}  // namespace bscope::cuda
