// The Time tab of a user's own program: what each of its kernels takes on a GPU, where it stands.
#pragma once

#include <optional>
#include <string>

#include "engine/cuda/on_gpu/in_place.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct LoadedState;
struct Metrics;
struct Picture;
struct State;
class TabServices;
struct Theme;

/// What is shown. Plain data: who measures fills it in.
struct InPlaceInput {
  std::string program;                 ///< homework.cu
  std::optional<cuda::InPlace> shown;  ///< none: nothing is measured yet
  bool recorded = false;               ///< it comes from a file
  bool gpu = false, nvcc = false;      ///< what this machine has
  bool measuring = false;
  int run = 0, runs = 0;            ///< run 0: it is being compiled
  Message error;                    ///< why the last measurement came to nothing
  std::string notice;               ///< where the last export went
  TabServices* services = nullptr;  ///< what its buttons measure and save with; null: a picture alone
};

/// Whether the open run is a user's program, so that the tab shows this.
bool shows_in_place(const State&);
InPlaceInput in_place_input(const LoadedState&, TabServices&);
/// Another number whenever that changes.
uint64_t in_place_version(const LoadedState&, TabServices&);

/// Hits: buttons "measure in place" (or "stop"), "import", "save in place"; rows "kernel:K".
Picture in_place_view(const InPlaceInput&, const Theme&, const Metrics&, float w, float h);

/// What the buttons and keys do.
void measure_in_place(LoadedState&, TabServices&);
void save_in_place(LoadedState&, TabServices&);
/// Shows a recording's file beside the open program. Throws BadFile.
void open_in_place(LoadedState&, TabServices&, const std::string& path);

}  // namespace bscope
