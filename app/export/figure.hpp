// What a tab shows as one picture, without a window and without controls, below a line that says of which
// kernel, parameters and step: for slides, papers and videos. The command line and the app's export make the
// same.
#pragma once

#include <memory>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/session/tab_services.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/timing/recording.hpp"

namespace bscope {

struct LoadedState;
struct State;
struct Theme;

/// Makes the figures of one run, one after another. What a run was taken apart into is kept from figure to
/// figure. For one thread.
class Figures {
 public:
  /// `live`: what was measured in this session, for the Time tab.
  explicit Figures(std::vector<Recording> live = {}) : live_(std::move(live)) {}
  /// The state's tab, `w` x `h`. Throws UsageError where there is nothing to draw.
  Picture operator()(const LoadedState&, const Theme&, const Metrics&, float w, float h);

 private:
  const RunQueries& model(const LoadedState&);
  Picture body(const LoadedState&, const Theme&, const Metrics&, float w, float h);
  std::vector<Recording> live_;
  std::unique_ptr<RunQueries> model_;
  TabServices services_;
};

/// One figure.
Picture figure(const LoadedState&, const Theme&, const Metrics&, float w, float h);
/// The state's theme for a figure of that size: type grows with the picture, as it does in the window. Only
/// the whole run by itself keeps the type of a 900 pixels high window, so that it can stand beside a text.
Theme figure_theme(const State&, float w, float h);
/// What lies behind it.
Colour figure_background(const State&, const Theme&);

}  // namespace bscope
