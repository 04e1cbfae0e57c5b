// Where what the program brings along lies: lessons, recordings, templates, assignments.
#pragma once

#include <filesystem>

namespace bscope {

/// Beside the installed program, or in the source tree of the one that was built there; empty if there is
/// none.
std::filesystem::path assets_folder();

}  // namespace bscope
