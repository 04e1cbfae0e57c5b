// The command line as typed, parsed by CLI11 and not yet judged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options.hpp"

namespace bscope {

struct Arguments {
  std::string verb;                  ///< list|trace|show|check|time|render; empty: the app
  std::vector<std::string> targets;  ///< KERNEL or FILE
  Request request;                   ///< without its kernel
  std::optional<std::string> device;
  std::optional<std::string> schedule;
  bool json = false;
  std::optional<int> globals;  ///< show: the block whose intervals tell of the global arrays
  std::string out;
  double most_memory = 2e9;     ///< bytes
  RenderOptions render;         ///< without its targets
  TimeOptions time;             ///< what is its own: sweep to merge
  std::string theme, language;  ///< empty if not given
  bool input_given = false;     ///< any option that says what to trace

  Device device_or(Device) const;
};

/// What to print instead of running: --help, --version.
struct Answer {
  std::string text;
};

/// Throws UsageError, Answer.
Arguments parse(const std::vector<std::string>& args);
/// A kernel of the catalog, or a .bscope file. Throws UsageError for neither, and for a file with input
/// options.
Target target_of(const Arguments&, const std::string& word);

}  // namespace bscope
