// Markdown laid out as geometry: paragraphs, lists, questions, tables, code and links.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct TextBlock;
struct Theme;

struct MarkdownOptions {
  float width = 0;  ///< pixels
  float size = 0;   ///< em of the words, pixels
  /// A piece of code that names a cell answers to the mouse as that cell.
  std::function<std::optional<CellRef>(const std::string& code)> cell = {};
  /// What a link's tooltip says.
  std::function<std::string(const std::string& target)> tip = {};
};

/// One line as wide as asked for, to be drawn whole or not at all. A link is a Hit named "link 0 TARGET",
/// counted through the text.
struct MarkdownLine {
  float above = 0, height = 0;  ///< room before it (left out at the top), and its own
  /// This many lines from here on stand in one box: a question, a table, a heading with what it leads to.
  int together = 0;
  int block = -1;        ///< the number of the block that it begins; -1: it goes on
  bool new_box = false;  ///< no line before it stands in the same box
  Picture picture;       ///< from its left top
};
std::vector<MarkdownLine> markdown(const std::vector<TextBlock>&, const MarkdownOptions&, const Theme&,
                                   const Metrics&);

/// The height of a line with those that stand in one box with it (`MarkdownLine::together`).
float height_together(const std::vector<MarkdownLine>&, int line);
/// The number of the first line, from `first` on, that has no room in a box of that height, or begins
/// another. Lines that stand together are parted only where no box of that height has room for all of them.
int lines_that_fit(const std::vector<MarkdownLine>&, int first, float height);
/// Draws what fits of the lines from `first` on into the box, and returns the number of the first line that
/// did not fit.
int draw_lines(Pen&, Picture&, Box, const std::vector<MarkdownLine>&, int first);
/// The height of all lines together.
float height_of(const std::vector<MarkdownLine>&);

}  // namespace bscope
