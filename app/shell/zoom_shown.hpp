// The array view's level of zoom, and the picture of the level before while it fades.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "app/draw/picture.hpp"

namespace bscope {

struct Run;
enum class Zoom : uint8_t;

struct ZoomShown {
  std::shared_ptr<const Run> run;
  std::optional<Zoom> level;
  Picture before;
  float fade = 0;              ///< ms that are left
  std::optional<float> about;  ///< the cell that the wheel zooms about while the mouse stays at `mouse`
  Point mouse;
  std::optional<float> from;  ///< the zoom before a key changed it: the cells in view are still to follow
};

}  // namespace bscope
