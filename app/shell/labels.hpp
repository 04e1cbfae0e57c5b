// Letters on everything that can be pressed, so that it can be done without a mouse.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

struct LoadedState;
struct UiState;
class View;

struct Label {
  Box box;
  std::string letters;
  unsigned int item = 0;  ///< of ImGui; 0: a hit
  std::string picture, hit;
};

struct Labels {
  bool on = false;
  int frames = 0;  ///< since it was turned on: all items are known after one
  std::string typed;
  std::vector<Label> all;
  size_t left_out = 0;  ///< too small, or too many
};

/// A hit that was pressed by its letters (or a slider that keys move): View::picture answers as to the mouse.
struct PressedHit {
  std::string picture, hit;
  float at = 0.5f;  ///< share of its width
  bool any() const { return !hit.empty(); }
};

/// The slider of a picture that Left and Right move.
struct KeyedSlider {
  std::string picture, hit;
  bool any() const { return !hit.empty(); }
};

/// Takes the keys if labels are on screen or a slider is held by keys. Returns whether it did.
bool take_label_keys(LoadedState&, UiState&);
/// Gathers what can be pressed and draws the letters.
void show_labels(View&);
void begin_labels(UiState&);

}  // namespace bscope
