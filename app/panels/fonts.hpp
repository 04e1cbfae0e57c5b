// The four fonts of the design, loaded into ImGui, and what they measure.
#pragma once

#include <imgui.h>

#include <array>

#include "app/view/picture.hpp"

namespace bscope {

struct Fonts {
  std::array<ImFont*, 4> font{};  ///< by bscope::Font
  ImFont* operator[](Font f) const { return font[size_t(f)]; }
};

/// Loads Inter and JetBrains Mono into the current ImGui context. Sizes are then ems, as everywhere in our
/// geometry. Throws std::runtime_error that names the missing Debian package.
Fonts load_fonts();

/// The size that is really drawn for an em: whole pixels, so that a font is baked at few sizes.
float drawn_size(float em);

/// Widths as ImGui will draw them. Must be called within an ImGui frame.
Metrics metrics(const Fonts&);

}  // namespace bscope
