// What `render` asks for, as a state: what to open, where to stand in it, how it looks.
#pragma once

#include <string>
#include <vector>

#include "app/export/export.hpp"
#include "app/run/target.hpp"
#include "app/session/state.hpp"

namespace bscope {

/// Defaults: dark, 1600x900, English.
struct RenderOptions {
  std::vector<Target> targets;  ///< one; for `compare` also two (with one, the next rung is the second)
  std::string view;      ///< watch|run|banks|memory|atomics|compare|time; empty: the file's own, or watch
  int step = -1;         ///< the run's intervals from 0, clamped to the last; -1: the file's own, or 0
  int last_step = -1;    ///< --steps A..B: B, `step` is A; -1: one step only
  bool predict = false;  ///< as a question: the step's changed cells are boxes; watch and run only
  std::string theme = "dark";  ///< dark|light|projector
  int width = 1600, height = 900;
  std::string language = "en";  ///< en|zh
  bool plain = false;           ///< PNG: the figure alone, as in SVG, without the window's controls
  std::string lesson;           ///< "blelloch:3": its third step beside the view; empty: none
  std::string recorded;         ///< what was measured of somebody's program: a file for its Time tab
  std::string out;              ///< the ending says the format: png|svg|pdf|mp4|webp
};

/// Opens the targets at their step and view. A .bscope file that holds a session is shown as it was saved,
/// but for what the options say otherwise. From then on `say` speaks
/// the language asked for. Throws UsageError, BadFile, NoDevice.
State start(const RenderOptions&);
/// The same, with its size, steps and file.
Export export_of(const RenderOptions&);

}  // namespace bscope
