// Array view: one interval. The threads that work, the cells before, the moves of values, the cells after.
#pragma once

#include <optional>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/run/run.hpp"
#include "app/session/prediction.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "engine/analysis/run_queries.hpp"

namespace bscope {

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

/// Cursor::phase moves the values' copies; Cursor::arrows draws all arrows or the
/// followed thread's alone. A prediction that is on makes boxes of the cells it asks for and keeps the step's
/// answers back until it is revealed. Where lanes hand each other values and the cursor asks for no array,
/// the lanes are shown. Hits: cell (array, index), thread (rank), line, and buttons: "array:NAME" (a: array
/// id), "launch:K", "block:next", "block:previous", "block:K", "blocks:all",
/// "arrays:all", "substep:next", "substep:previous", "substep:leave"; where not all cells are in view the
/// slider "position" (now: the first that is). `level`: in, the level of zoom that was shown before, which
/// holds on a little beyond its limits; out, the level of this picture (none where it shows no cells).
Picture array_view(const RunQueries&, const Cursor&, const Theme&, const Metrics&, float width, float height,
                   const Prediction* = nullptr, const WatchState& = {}, std::optional<Zoom>* level = nullptr);
/// How much of the height that it shares with the whole run the array view takes: more where that has few
/// steps, and for a tile.
float array_share(const RunQueries&, const Cursor&, const Theme&);
/// The sub-step in one sentence: "Request 3 of 14: line 27, warp 0, 8 lanes, loads sum, 2 wavefronts".
std::string substep_sentence(const RunQueries&, const WarpInstruction&);

}  // namespace bscope
