// Shapes as the shaders of shaders/ take them: a few numbers each, the edge is computed on the GPU.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

/// What one shader draws, in the order in which those of one layer are drawn.
enum class Primitive : uint8_t {
  fill,   ///< an opaque box on whole pixels, without blending
  tint,   ///< the same, translucent
  box,    ///< with round corners, an edge, or both
  strip,  ///< a texture's colours as cells
  hatch,
  line,
  curve,
};
constexpr int primitives = 7;

/// One shape, or a part of one. Read by the vertex shaders as it lies here.
struct Instance {
  std::array<float, 4> at{};              ///< box: x, y, w, h. line: two points. curve: the first two
  std::array<float, 4> more{};            ///< box: the part of it that is drawn. curve: the other two points
  std::array<uint8_t, 4> fill{}, edge{};  ///< red, green, blue, alpha; lines and hatches: edge
  float size = 0;                         ///< box: radius. hatch: spacing. line: length of a dash, 0: solid
  float thickness = 0;
};

struct ShapeInstance {
  Primitive kind;
  Instance instance;
};

/// Appends what draws the shape at `origin`, `alpha` times as strong. False, and nothing: no shader draws it
/// (text, polygons). A strip of few runs of colour is boxes; of many, one ShapeInstance for its texture.
bool parts_of(const Shape&, Point origin, float alpha, std::vector<ShapeInstance>&);
/// The same of a box alone.
void filled_box(Box, Colour, float radius, std::vector<ShapeInstance>&);
/// Where the part is drawn, as a few boxes.
void bounds_of(const ShapeInstance&, std::vector<Box>&);

/// The box with its edges on whole pixels: they look sharp and meet their neighbours without a seam. What is
/// thinner than a pixel keeps its true width.
Box snapped(Box);
/// Whether the strip is better drawn as rectangles, one a run of colour. Calls `each(box, colour)` for all of
/// them if so.
bool runs_of(const Shape& strip, Point origin, const std::function<void(Box, Colour)>& each);

}  // namespace bscope
