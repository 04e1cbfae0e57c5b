// A tree as a list: a row a node, deeper ones further to the right, each with a mark that folds what is below
// it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/text.hpp"

namespace bscope {

struct DrawContext;
struct LayoutNode;

struct Tree {
  struct TreeRow {
    int depth = 0;
    Text words = {};  ///< as many pieces as have room, the first one cut if it must be
    bool opens = false, open = false;
    HitRegion fold = {}, hit = {};  ///< of the mark, of the words
  };

  std::vector<TreeRow> rows = {};
  float size = 0;     ///< of the words
  float leading = 1;  ///< a row's height, in ems
  int first = 0;      ///< row at the top, if not all fit
  int focus = -1;     ///< stays in view, on a ground of its own; -1: none
  /// Stands below where not all rows have room: spellings.
  std::function<std::vector<std::string>(int first, int end)> more = {};
};
/// Takes what it is given; it needs three rows.
LayoutNode tree(Tree);
/// What shows whether something is unfolded, as high as it is wide: two triangles.
void fold_mark(const DrawContext&, Point centre, float size, bool open, Colour);

}  // namespace bscope
