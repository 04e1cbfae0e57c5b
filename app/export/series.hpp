// Several steps as one picture each: for slides and other sequences.
#pragma once

#include <filesystem>
#include <functional>

#include "app/export/film.hpp"

namespace bscope {

struct Export;

/// Whether the file's name holds %d, the place of a step's number.
bool is_series(const std::filesystem::path&);
/// Calls `draw` with the state at each of the export's steps (clamped to the run) and the file of that step.
/// False if `progress` stopped it: what was drawn stays, each file whole. Throws UsageError for a tab that
/// has no steps.
bool each_picture(const Export&, const FilmProgress& progress,
                  const std::function<void(const LoadedState&, const std::filesystem::path&)>& draw);

}  // namespace bscope
