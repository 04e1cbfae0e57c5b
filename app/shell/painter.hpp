// Geometry onto the screen.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/shell/fonts.hpp"

namespace bscope {

enum class Primitive : uint8_t;
struct Instance;
struct Sorted;

/// ImGui's colour for ours.
constexpr ImU32 screen(Colour c) { return IM_COL32(c >> 24 & 0xff, c >> 16 & 0xff, c >> 8 & 0xff, c & 0xff); }

/// Draws instances on the GPU, when ImGui's backend comes to the command that asks for them.
class InstanceDrawer {
 public:
  virtual ~InstanceDrawer() = default;
  /// `count` Instances, clipped as the command says; the texture is a strip's. Leaves OpenGL as it was.
  virtual void draw(Primitive, const void* instances, int count, const ImDrawCmd&, ImTextureID) = 0;
};

/// Draws pictures: shapes by shaders where there are any, texts by ImGui's lists. Keeps the textures of large
/// strips and of small discs from frame to frame; one a context.
class Painter {
 public:
  explicit Painter(Fonts);
  ~Painter();
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  /// Fills a box whose corners are rounded, on the whole pixels it is snapped to.
  void fill(ImDrawList*, ImVec2 from, ImVec2 to, Colour, float radius);
  /// Set where shaders are available; null: all is drawn by ImGui's lists.
  InstanceDrawer* shaders = nullptr;

  /// Draws a picture with its left top at `origin`, translucent where `alpha` is less than 1. `kept` is
  /// filled when the picture is first drawn, and used again for the same picture.
  void draw(const Picture&, ImVec2 origin, ImDrawList*, float alpha = 1, Sorted* kept = nullptr);
  /// Draws one text whose middle height is at `p.y`, as Pen::text places it.
  void text(ImDrawList*, ImVec2 p, const std::string&, float size, Colour, Font = Font::text,
            Align = Align::left);
  /// Textures of strips that were not drawn since the last call are let go.
  void end_frame();
  const Fonts& fonts() const { return fonts_; }
  bool draws_chinese() { return fonts_.no_chinese.empty() || find_chinese(fonts_); }

 private:
  struct Texture;
  struct Batch;
  void by_lists(const Shape&, ImVec2 origin, ImDrawList*);
  void instances(ImDrawList*, Primitive, std::span<const Instance>, ImTextureData* = nullptr);
  Texture& texture_of(const Shape&);
  void block(ImDrawList*, ImVec2 from, ImVec2 to, Colour, float cut);
  void rectangle(const Shape&, ImVec2 origin, ImDrawList*);
  void strip(const Shape&, ImVec2 origin, ImDrawList*);
  void disc(ImDrawList*, ImVec2 centre, float radius, Colour);
  void glyphs(ImDrawList*, ImVec2 top_left, const std::string&, float size, Colour, Font);

  Fonts fonts_;
  std::vector<std::unique_ptr<Texture>> textures_;
  struct Sorting;  ///< what sorts pictures, and what it made of one that is drawn once
  std::unique_ptr<Sorting> sorting_;
  std::vector<int> discs_;  ///< in the fonts' atlas, by half pixels of radius; -1: not yet made
};

}  // namespace bscope
