// What `render` asks for, as a state: what to open, where to stand in it, how it looks.
#pragma once

#include <string>
#include <vector>

#include "app/options/view_options.hpp"
#include "app/run/target.hpp"

namespace bscope {

struct Export;
struct LoadedState;

/// Defaults: dark, 1600x900, English; a file's own view and step, or watch and 0.
struct RenderOptions : ViewOptions {
  std::vector<Target> targets;  ///< one; for `compare` also two (with one, the next kernel is the second)
  int last_step = -1;           ///< --steps A..B: B, `step` is A; -1: one step only
  int width = 1600, height = 900;
  std::string language = "en";  ///< en|zh
  bool plain = false;           ///< PNG: the figure alone, as in SVG, without the window's controls
  std::string recorded;         ///< measured times of a user's program: a file for its Time tab
  std::string out;              ///< the ending says the format: png|svg|pdf|mp4|webp
};

/// Opens the targets at their step and view. A .bscope file that holds a session is shown as it was saved,
/// but for what the options say otherwise. From then on `tr` speaks
/// the language asked for. Throws UsageError, BadFile, NoDevice.
LoadedState start(const RenderOptions&);
/// The same, with its size, steps and file.
Export export_of(const RenderOptions&);

}  // namespace bscope
