// The fonts of the pictures, loaded into ImGui, and what they measure.
#pragma once

#include <imgui.h>

#include <array>
#include <string>

#include "app/draw/picture.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Fonts {
  std::array<ImFont*, 4> font{};  ///< by bscope::Font
  Message no_chinese;             ///< why Chinese cannot be drawn; empty: it can
  ImFont* operator[](Font f) const { return font[size_t(f)]; }
};

/// Loads Inter and JetBrains Mono into the current ImGui context, and WenQuanYi Micro Hei for the characters
/// that they lack. Sizes are then ems, as everywhere in our geometry. Throws std::runtime_error that names
/// the missing Debian package; only Chinese may be missing.
Fonts load_fonts();
/// Looks for the Chinese font once more: a page fetches it on demand. Returns whether it can be drawn now.
bool find_chinese(Fonts&);

/// The size that is really drawn for an em: whole pixels, so that a font is baked at few sizes.
float drawn_size(float em);

/// Widths as ImGui will draw them. Must be called within an ImGui frame.
Metrics metrics(const Fonts&);

}  // namespace bscope
