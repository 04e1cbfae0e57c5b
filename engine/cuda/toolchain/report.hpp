// What the CUDA runtime in a user's program has written about its run. The program could have written
// anything there, so nothing of it is trusted.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bscope::cuda {

/// A sentence and where it belongs.
struct Remark {
  std::string sentence;
  std::string file;
  int line = 0;
  uint64_t address = 0;  ///< in the program, where no line is known; 0: none
};

struct ReportedLaunch {
  std::string kernel;
  std::array<uint64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::string shown;            ///< in_full, in_part, too_many, too_long, trace_full or repeated
  std::string symbol = {};      ///< the kernel's mangled name, from clang
  uint32_t dynamic_shared = 0;  ///< bytes of shared memory that the launch asked for
  bool in_trace() const { return shown == "in_full" || shown == "in_part"; }
  double threads() const;
};

/// How a program's run ended, and what it did.
struct ProgramReport {
  std::string ended;  ///< returned, exited, crashed or stopped
  int exit = 0;
  Remark end;  ///< its sentence is empty where all went well
  bool traced = false;
  std::string why_not;  ///< nothing is traced
  std::vector<ReportedLaunch> launches;
  std::vector<std::string> notes;
  std::vector<Remark> warnings;
};

/// Whether a limit of Barrierscope's ended the run (its time, memory, files). That says nothing against the
/// program.
inline bool is_stopped(const ProgramReport& r) { return r.ended == "stopped"; }

/// Nothing if it is no report.
std::optional<ProgramReport> report_of(std::string_view json);
/// Of a run's folder; nothing if it has none, or something else in its place.
std::optional<ProgramReport> read_report(const std::filesystem::path& folder);

}  // namespace bscope::cuda
