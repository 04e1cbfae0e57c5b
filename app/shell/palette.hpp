// The palette: everything that can be done, found by typing a part of its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/parts/fuzzy.hpp"

namespace bscope {

struct LoadedState;
struct UiState;
class View;

/// A line of the palette.
struct PaletteItem {
  std::string group;   ///< said: "Kernels"
  std::string title;   ///< said
  std::string also;    ///< other words that find it: its English title, its name
  std::string detail;  ///< said, at the right: what it is
  std::vector<std::string> keys;
  std::function<void(LoadedState&, UiState&)> run;
};
/// More lines: static const RegisterPalette lessons{[](const LoadedState&, UiState&) {...}};
using PaletteSource = std::vector<PaletteItem> (*)(const LoadedState&, UiState&);
std::vector<PaletteSource>& palette_sources();
struct RegisterPalette {
  explicit RegisterPalette(PaletteSource s) { palette_sources().push_back(s); }
};

/// What the palette asks for: anything, or the path of a file.
enum class Asks : uint8_t { anything, open, save };

struct Palette {
  Asks asks = Asks::anything;
  std::string typed;
  int chosen = 0;
  bool fresh = false;  ///< just opened: takes the keyboard
  std::vector<PaletteItem> items;
  bool lacks_assets = false;  ///< `items` was made while a page was fetching what it lists
  struct PaletteMatch {
    size_t item;
    Match match;
  };
  std::vector<PaletteMatch> found;
};

void show_palette(View&, Box window);
/// What the palette finds for what is typed, the best first.
void search_palette(const LoadedState&, UiState&);

}  // namespace bscope
