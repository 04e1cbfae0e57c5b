// What a verb was asked to do: the command line, parsed. Plain data; knows neither CLI11 nor a window.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/measure/sweep.hpp"
#include "app/run/target.hpp"
#include "engine/catalog/catalog.hpp"

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
  std::string out;              ///< the ending says the format: png|svg|pdf|mp4|webp
};

/// Empty: as the settings have it.
struct WindowOptions {
  Target target;
  std::string theme;
  std::string language;
  std::string lesson;  ///< opens with it; empty: none
};

struct TimeOptions {
  std::vector<std::string> kernels;
  Request request;              ///< its `kernel` is empty; the same input and parameters for all kernels
  Device device = Device::gpu;  ///< without a GPU: CPU baselines, and a clear word about the GPU
  bool device_given = false;    ///< --device was typed: gpu without a GPU is then an error (exit 1)
  std::string out;              ///< .json or .csv; empty: a table only
  std::vector<Axis> sweep = {};
  SweepPart part = {};
  double noise = 0.005;                ///< samples are taken until there is less of it,
  int least = 11, most = 200;          ///< but so many,
  std::optional<double> seconds = {};  ///< and no longer than this; default: 0.25 of several points, else 1
  double most_seconds = 2;  ///< a kernel that takes longer for one run is left out, of longer inputs too
  int gpus = 1;             ///< of this host, working together; 0: all of them
  bool merge = false;       ///< `kernels` are recordings, which are put together into `out`
};

}  // namespace bscope
