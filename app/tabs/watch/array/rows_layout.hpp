// How the rows before and after, the arrows between them and the words below share their height.
#pragma once

#include <string>
#include <vector>

namespace bscope {

struct CellRow;
class Pen;
struct Theme;

/// Where rows are drawn.
struct RowsRoom {
  float top = 0, bottom = 0;
  bool whole = true;    ///< all cells in view; else a lens on some of them, below all
  bool dots = false;    ///< among all: of a value that is too long for its cell
  bool shades = false;  ///< among all: a grey stands for a value
};

/// What there is to say below the rows, in clauses.
struct RowsWords {
  std::vector<std::string> captions;
  std::vector<std::string> signs, signs_briefly;  ///< what signs mean: said as far as arrows have room
  std::string keeps = {};  ///< the caption that goes last: without it values in boxes are not drawn
};
/// What is said: clauses, and their lines.
struct RowsCaption {
  std::vector<std::string> clauses, lines;
};
/// Clauses in lines of at most that width.
std::vector<std::string> caption_lines(const Pen&, const Theme&, const std::vector<std::string>& clauses,
                                       float width);
float caption_line_height(const Theme&);

struct RowsLayout {
  float before_y = 0, before_h = 0;  ///< the row before
  float open_y = 0, close_y = 0;     ///< the barriers
  float after_y = 0, after_h = 0;    ///< the row after
  float index_h = 0, holds_h = 0;    ///< below it: indices, brackets, the caption
  RowsCaption caption;

  float index_y(const Theme&) const;  ///< their middle
  float holds_y(const Theme&) const;
};
/// Of rows as high as they like first; caption, then cells give way to arrows. `width`: for the caption.
/// `holds`: brackets are drawn below. `of_substep`: below a sub-step's bar there is less room.
RowsLayout rows_layout(const Pen&, const Theme&, const RowsRoom&, const CellRow&, const RowsWords&,
                       float width, bool holds, bool of_substep);

}  // namespace bscope
