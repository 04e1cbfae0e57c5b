// Which cells the array view and the whole run show, and where their columns stand.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/trace/trace.hpp"

namespace bscope {

struct ArrayRange;
struct Cursor;
class RunQueries;
struct Theme;

/// Cells in a row of the array view: a column is a bank.
inline constexpr int wrap_at = 32;
/// Whether a part of so many cells of this array stands as a tile, a line for each of its rows.
inline bool stands_as_tile(const ArrayInfo& info, int cells) {
  const int row = info.row_size();
  return info.rows > 1 && row > 1 && row <= 2 * wrap_at && cells > row;
}

/// What a cell's width has room for. Widths in pixels of a 900 px high window.
enum class Zoom : uint8_t {
  full,    ///< 44 and more: value, index, ghost, pills
  brief,   ///< 22 to 43: value in at most three characters, index every fourth
  colour,  ///< 8 to 21: colour only
  dense,   ///< 2 to 7: no gaps
  strip,   ///< under 2: a strip and a lens
};
/// The level for a cell's width; a level that was shown before holds on 10% beyond its limits.
Zoom zoom_level(float width, std::optional<Zoom> before = {});

/// Where cells stand: the same x in the array view and in the whole run. More than 32 visible cells wrap at
/// 32 in the array view, so that a column is a bank.
struct Columns {
  float left = 0, pitch = 0;
  int size = 0;                ///< cells of the part
  int first = 0, visible = 0;  ///< those of them that are in view
  int across = 0, rows = 1;    ///< after wrapping
  float right() const { return left + pitch * float(across); }
  float x(int column) const { return left + pitch * (float(column) + 0.5f); }  ///< middle of a column
};
/// The array shown and the cells of it that stand in columns: the block's part of the array that it writes
/// most, or the array that the cursor asks for.
ArrayRange shown_part(const RunQueries&, const Cursor&);
Columns columns(const RunQueries&, const Cursor&, const Theme&, float width);
/// Those of the array view: where a step's arrays are longer than what the columns have room for, its own.
Columns array_columns(const RunQueries&, const Cursor&, const Theme&, float width);

}  // namespace bscope
