// Reads what the CUDA runtime in a user's program has written about its run. The program could have written
// anything there, so nothing of it is trusted.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "engine/cuda/run_files/program_report.hpp"

namespace bscope::cuda {

/// Nothing if it is no report.
std::optional<ProgramReport> report_of(std::string_view json);
/// Of a run's folder; nothing if it has none, or something else in its place.
std::optional<ProgramReport> read_report(const std::filesystem::path& folder);

}  // namespace bscope::cuda
