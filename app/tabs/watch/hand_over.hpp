// How a number goes from one thread to another under a flag: who stored, released, acquired and read, and
// when.
#pragma once

#include <optional>

#include "app/run/cursor.hpp"
#include "engine/analysis/hand_over.hpp"

namespace bscope {

struct Metrics;
struct Picture;
class RunQueries;
struct Theme;

/// The hand-over under the selected cell that the picture is of.
std::optional<HandOver> hand_over_shown(const RunQueries&, const Cursor&);

/// The height in which all of it has room; 0 where nothing is shown.
float hand_over_height(const RunQueries&, const Cursor&, const Theme&, const Metrics&, float width);
/// In the place of the whole run; time runs down. Hits: cell (array, index) for each access.
Picture hand_over(const RunQueries&, const Cursor&, const Theme&, const Metrics&, float width, float height);

}  // namespace bscope
