// Which lines of a source are in view: no pixels.
#pragma once

#include <functional>
#include <vector>

#include "app/tabs/watch/source/text.hpp"

namespace bscope {

/// Rows that a line takes.
using LineRows = std::function<int(int line)>;

/// What must be in view.
struct WantedLines {
  int all = 0;        ///< lines that there are
  LineRange running;  ///< in the step
  int telling = 1;    ///< of those, the one that is shown if not all of them fit
  int selected = 0;   ///< 0: none
  int beside = 0;     ///< a line that the selected one is about, such as the other one of a race; 0: none
};

/// Lines around those of `core`, as many as fill `fit` rows, none outside of `within`. Of more than fit the
/// first ones.
LineRange grown_lines(LineRange core, int fit, LineRange within, const LineRows&);
/// The running lines and the selected one are in view, whole: with what stands between them where there is
/// room for it, else in two pieces. Where they do not fit together, the selected one is. The line beside it
/// comes before those that run.
std::vector<LineRange> lines_in_view(const WantedLines&, int fit, const LineRows&);
/// The first line of a page that ends with the last one.
int last_page(int all, int fit, const LineRows&);

}  // namespace bscope
