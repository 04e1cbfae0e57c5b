// Where what the program brings along lies: lessons, recordings, templates, assignments.
#pragma once

#include <cstdint>
#include <filesystem>

namespace bscope {

/// A page fetches some files when they are first asked for.
enum class AssetState : uint8_t { here, coming, lost };
/// Set in pages: fetches the file in the background, and draws a frame when that has ended. `lost`: there was
/// no connection; the page tries again by itself. Null: all files are here.
inline AssetState (*fetch_asset)(const std::filesystem::path&) = nullptr;
inline AssetState asset_state(const std::filesystem::path& file) {
  return fetch_asset ? fetch_asset(file) : AssetState::here;
}

/// Beside the installed program, or in the source tree of the one that was built there; empty if there is
/// none.
std::filesystem::path assets_folder();

/// Of lessons, templates, assignments and inputs, which lists offer. A page fetches them together, when one
/// is first asked for.
AssetState offered_assets();

}  // namespace bscope
