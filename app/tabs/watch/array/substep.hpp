// One instruction of a warp, in words, and the bar to go from one to the next.
#pragma once

#include <string>

namespace bscope {

class Pen;
class RunQueries;
struct Theme;
struct WarpInstruction;

/// "Request 3 of 14: line 27, warp 0, 8 lanes, loads sum, 2 wavefronts".
std::string substep_sentence(const RunQueries&, const WarpInstruction&);
/// From `y` down. Returns the y below it.
float draw_substep(Pen&, const Theme&, float width, const RunQueries&, const WarpInstruction&, float y);

}  // namespace bscope
