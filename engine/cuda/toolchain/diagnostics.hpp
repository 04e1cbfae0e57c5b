// What compiler and linker say, as data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bscope::cuda {

struct Diagnostic {
  enum Severity : unsigned char { error, warning, note } severity = error;
  std::string file;  ///< empty: of no file
  int line = 0, column = 0;
  std::string text;  ///< in the compiler's words
  bool operator==(const Diagnostic&) const = default;
};

/// Of clang's output without carets, and of a linker's. Each once: a file is compiled for device and host.
std::vector<Diagnostic> diagnostics_of(std::string_view output);
bool has_errors(const std::vector<Diagnostic>&);
/// "scan.cu:12:3: error: ...", as compilers write it.
std::string text_of(const Diagnostic&);

}  // namespace bscope::cuda
