// Options that say what to look at, and how it looks: of the app, of pictures, of links.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bscope {

class Options;

/// What is not said is empty, and stays as it is.
struct ViewOptions {
  std::string theme;
  bool dialect = false;     ///< kernels of the catalog in the dialect, not as their CUDA programs
  std::string embed;        ///< the view that is shown alone; empty: the whole app
  std::string lesson;       ///< "blelloch:3+"
  bool beside = false;      ///< the lesson stands beside the run that was named, and does not open its own
  std::string view;         ///< a tab's name, or run
  std::optional<int> step;  ///< of the run, from 0; clamped to the last
  std::optional<int> substep, thread, line;
  std::string cell;                 ///< "sum[7]"
  bool predict = false;             ///< as a question
  std::vector<std::string> states;  ///< what tabs remember: "watch.words=true"
};
/// --theme, --dialect and --lesson.
void look_options(Options&, ViewOptions&);
/// --embed. The reader of the options shows that view.
void embed_option(Options&, ViewOptions&);
/// Where in the run: the tab, the step, what is selected, what tabs remember.
void place_options(Options&, ViewOptions&);

/// The tabs' names, and run: the whole run of Watch.
std::vector<std::string> views();

}  // namespace bscope
