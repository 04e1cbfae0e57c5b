// Where the columns of the source panel stand: line numbers, code, and a profile's columns at its right.
#pragma once

namespace bscope {

struct Metrics;
struct Theme;

struct SourceGrid {
  float width = 0;          ///< of the panel
  float size = 0, row = 0;  ///< of the letters; height of a line
  float letter = 0;         ///< width of one
  float right = 0;          ///< kept free at the right
  float number_gap = 0;     ///< between line numbers and code
  bool value_rows = true;   ///< values that have no room beside the code take rows of their own
  float code_left = 0, code_right = 0;
  /// The columns of a profile, each at the right of its own; 0: there is no room for it beside the code.
  float runs_w = 0, runs_gap = 0, bar_w = 0, active_w = 0;
  float room() const { return code_right - code_left; }
};
SourceGrid source_grid(const Theme&, const Metrics&, float width, int lines, bool profiled);

}  // namespace bscope
