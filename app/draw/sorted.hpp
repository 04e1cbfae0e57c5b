// A picture as shaders and lists draw it: its shapes in layers, those of a kind together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/draw/instances.hpp"
#include "app/draw/layers.hpp"
#include "app/draw/picture.hpp"

namespace bscope {

/// The order in which a picture's shapes are drawn at one place. Sorting takes longer than drawing what is
/// sorted: a caller that draws the same picture again keeps this with it.
struct Sorted {
  /// Shapes that are drawn in one go: instances of one Primitive, or shapes that no shader draws.
  struct DrawBatch {
    int kind = 0;                 ///< Primitive; `lists`
    uint32_t begin = 0, end = 0;  ///< in `instances`; of `lists`, in `shapes`
    uint32_t strip = 0;           ///< the shape whose texture a Primitive::strip takes
  };
  static constexpr int lists = primitives;

  Point origin;
  float alpha = -1;  ///< how strong; nothing is sorted yet where it is negative
  std::vector<DrawBatch> runs = {};
  std::vector<Instance> instances = {};
  std::vector<uint32_t> shapes = {};
};

/// Sorts pictures, one after the other; keeps its memory from one to the next.
class Sorter {
 public:
  void sort(const Picture&, Point origin, float alpha, Sorted& into);

 private:
  struct Ranked {
    int rank;
    uint32_t shape, part;
  };
  int rank(int kind, size_t shape, size_t part);
  void rank_shape(const Shape&, size_t index, Point origin, float alpha);

  Layers layers_;
  std::vector<ShapeInstance> parts_;
  std::vector<Ranked> ranked_;
  std::vector<Box> boxes_;
  std::vector<uint32_t> begin_, order_;
};

}  // namespace bscope
