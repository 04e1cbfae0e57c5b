// Geometry onto the screen.
#pragma once

#include <imgui.h>

#include <memory>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/shell/fonts.hpp"

namespace bscope {

/// ImGui's colour for ours.
constexpr ImU32 screen(Colour c) { return IM_COL32(c >> 24 & 0xff, c >> 16 & 0xff, c >> 8 & 0xff, c & 0xff); }

/// A large opaque area. Given to a draw list's callback, whose copy of it lives as long as the list.
struct Fill {
  float x, y, w, h;  ///< in the window
  Colour colour;
};

/// Draws pictures. Keeps the textures of large strips and of small discs from frame to frame; one a context.
class Painter {
 public:
  explicit Painter(Fonts);
  ~Painter();
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  /// Fills a box whose corners are rounded, on the whole pixels it is snapped to.
  void fill(ImDrawList*, ImVec2 from, ImVec2 to, Colour, float radius);
  /// Draws large opaque areas (a Fill) without the blending and texture of ImGui's triangles, which cost
  /// software rasterisers most of a frame. Set by whoever has the means; null: triangles.
  ImDrawCallback fill_area = nullptr;

  /// Draws a picture with its left top at `origin`.
  void draw(const Picture&, ImVec2 origin, ImDrawList*);
  /// The same, translucent.
  void draw(const Picture&, ImVec2 origin, ImDrawList*, float alpha);
  /// Draws one text whose middle height is at `p.y`, as Pen::text places it.
  void text(ImDrawList*, ImVec2 p, const std::string&, float size, Colour, Font = Font::text,
            Align = Align::left);
  /// Textures of strips that were not drawn since the last call are let go.
  void end_frame();
  const Fonts& fonts() const { return fonts_; }

 private:
  struct Texture;
  void area(ImDrawList*, ImVec2 from, ImVec2 to, Colour);
  void block(ImDrawList*, ImVec2 from, ImVec2 to, Colour, float cut);
  void rectangle(const Shape&, ImVec2 origin, ImDrawList*);
  void strip(const Shape&, ImVec2 origin, ImDrawList*);
  void disc(ImDrawList*, ImVec2 centre, float radius, Colour);
  void glyphs(ImDrawList*, ImVec2 top_left, const std::string&, float size, Colour, Font);

  Fonts fonts_;
  std::vector<std::unique_ptr<Texture>> textures_;
  std::vector<int> discs_;  ///< in the fonts' atlas, by half pixels of radius; -1: not yet made
};

}  // namespace bscope
