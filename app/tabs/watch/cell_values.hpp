// What Watch's pictures draw of an array alike: values that fit their cells, greys of many cells, guesses.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct Prediction;
struct Theme;

/// The box with so much more on each side.
inline Box grown(const Box& b, float by) { return {b.x - by, b.y - by, b.w + 2 * by, b.h + 2 * by}; }

/// How the values of neighbours are written: all in one size, all whole or all in few letters.
struct CellStyle {
  float size = 0, room = 0;
  bool brief = false;
  /// Of a value that has no room even so: a mark says that there is one, and the tip tells it.
  std::string words(const Pen&, std::string value) const;
  bool has_room(const Pen&, const std::string& value) const;
};
/// The largest size from `most` down to the smallest type at which all of them fit, in few letters where the
/// whole ones do not.
CellStyle fit(const Pen&, const Theme&, const std::function<std::vector<std::string>(bool brief)>& values,
              float room, float most);

/// Cells side by side in at most as many columns of colour.
struct CellStrip {
  int cells = 0;
  std::vector<Colour> colours = {};
  size_t column(int cell) const { return size_t(int64_t(cell) * int64_t(colours.size()) / cells); }
  void mark(int cell, Colour c) { colours[column(cell)] = c; }
  /// The columns of the cells that are written, cell 0 being `first` of the array. For each, the last of them
  /// is drawn: 1e5 cells are more than one looks at in every frame.
  void mark(const Step::WrittenCells&, CellRef first, Colour,
            const std::function<void(size_t column, int index)>& each = {});
};
/// At most a column a pixel of the width, each as grey as the largest of its cells; `largest`: of all, where
/// there are more than these.
CellStrip grey_cells(const Theme&, const ArrayState&, int first, int cells, float width,
                     std::optional<double> largest = {});

/// The box of a cell that is asked for: what has been typed, never its value. `most`: the letters' size;
/// 0: there is no room for any.
void draw_guess(Pen&, const Theme&, const Prediction&, int number, const Box&, float most);

}  // namespace bscope
