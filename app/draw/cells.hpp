// Cells in rows and columns, and lines that run from one row of them to another: lanes, banks, words.
//
//   const CellColumns lanes{.count = 32, .names = {tr("lanes"), tr("banks")}};
//   column(0, {cells({.columns = lanes, .cells = asking, .rows = {{{tr("lanes")}}}}),
//              links({{.from = 0.5f, .to = 31.5f, .colour = t.read}}, lanes, lanes).grows(),
//              cells({.columns = lanes, .cells = banks, .rows = {{{tr("banks")}}}})})
//
// Forms of the same columns stand exactly below each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

struct LayoutNode;

/// Where columns lie. Places along them are said in columns: 1.5 is the middle of the second.
struct CellColumns {
  int count = 32;
  float widest = 40;                    ///< a column, before scaling
  std::vector<std::string> names = {};  ///< that rows have at their left: room for all of them
  std::vector<float> before = {};       ///< room before each column, before scaling; empty: none
  bool centred = false;                 ///< where they do not take all the room; else they begin at the left
};

struct Cells {
  struct GridCell {
    Colour fill = 0, edge = 0, hatch = 0;  ///< 0: none
    bool marked = false;                   ///< a thick edge
    std::string words = {};                ///< in its middle, where they can be read
    Colour ink = 0;                        ///< of the words; 0: what is read on the fill
    Colour mark = 0;                       ///< a line at its foot where its words have no room; 0: none
    std::vector<Colour> parts = {};        ///< side by side, instead of the fill
    HitRegion hit = {};                    ///< of its whole place; none without a name
  };
  /// What stands at the left of a row.
  struct RowName {
    std::vector<std::string> words = {};  ///< spellings
    int row = 0;
    enum { word, main, number } look = word;
  };
  /// Words beside a cell, drawn where no filled cell lies.
  struct Note {
    int row = 0, column = 0;
    std::string words = {};
    Colour colour = 0;
  };
  /// A name below some columns, and a line above them.
  struct Group {
    int from = 0, to = 0;
    std::string words = {};
  };

  CellColumns columns = {};
  std::vector<GridCell> cells = {};  ///< row by row
  float tallest = 26;                ///< a row, before scaling; no cell is higher than its column is wide
  float lowest = 4;                  ///< a row, before scaling, where room is short
  bool wide = false;                 ///< cells may be higher than they are wide
  std::vector<RowName> rows = {};    ///< the first of two that have no room beside each other is drawn
  std::vector<Note> notes = {};
  std::vector<Group> groups = {};
  std::vector<HitRegion> hits = {};  ///< of whole columns; none without a name
  bool heads = false;  ///< columns are numbered above, every fourth, where words have no room in their cells
  int divided = 0;     ///< a line between so many columns
  int rule = 0;        ///< a dashed line below so many rows
  bool lined = false;  ///< the groups' lines
};
LayoutNode cells(Cells);

/// Cells that are too many for places of their own: colours side by side, from edge to edge of its room.
LayoutNode strip(std::vector<Colour>, Colour edge = 0);

/// A line that falls from a place above to one below.
struct Link {
  float from = 0, to = 0;  ///< in columns
  Colour colour = 0;
  float thickness = 1.5f;  ///< before scaling
};
/// At least this high, before scaling.
LayoutNode links(std::vector<Link>, CellColumns above, CellColumns below, float least = 75);

}  // namespace bscope
