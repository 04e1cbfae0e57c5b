// Array view: one interval. The threads that work, the cells before, the moves of values, the cells after.
#pragma once

#include <optional>

#include "app/run/cursor.hpp"
#include "app/tabs/watch/array/columns.hpp"
#include "app/tabs/watch/watch_state.hpp"

namespace bscope {

struct Metrics;
struct Picture;
struct Prediction;
class RunQueries;
struct Theme;

/// Cursor::phase moves the values' copies; Cursor::arrows draws all arrows or the
/// followed thread's alone. A prediction that is on makes boxes of the cells it asks for and keeps the step's
/// answers back until it is revealed. Where lanes hand each other values and the cursor asks for no array,
/// the lanes are shown. Hits: cell (array, index), thread (rank), line, and buttons: "array:NAME" (a: array
/// id), "launch:K", "block:next", "block:previous", "block:K", "blocks:all",
/// "arrays:all", "substep:next", "substep:previous", "substep:leave"; where not all cells are in view the
/// slider "position" (now: the first that is). `level`: in, the level of zoom that was shown before, which
/// holds on a little beyond its limits; out, the level of this picture (none where it shows no cells).
/// Without `future` it says nothing of later steps, without `races` nothing of races.
Picture array_view(const RunQueries&, const Cursor&, const Theme&, const Metrics&, float width, float height,
                   const Prediction* = nullptr, const WatchState& = {}, std::optional<Zoom>* level = nullptr,
                   bool future = true, bool races = true);
/// How much of the height that it shares with the whole run the array view takes: more where that has few
/// steps, and for a tile.
float array_share(const RunQueries&, const Cursor&, const Theme&);

}  // namespace bscope
