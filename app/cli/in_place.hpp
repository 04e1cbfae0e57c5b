// `time FILE.cu`: a user's own program on this machine's GPU, each launch timed where it stands.
#pragma once

#include <string>

#include "app/run/target.hpp"
#include "engine/cuda/on_gpu/in_place.hpp"
#include "engine/cuda/on_gpu/measure.hpp"

namespace bscope {

struct Console;

struct InPlaceAsked {
  Target target;         ///< the program
  std::string recorded;  ///< a file that was measured elsewhere, to be shown; empty: measure
  std::string out;       ///< .json; empty: none
  bool json = false;     ///< on stdout in place of the table
  int runs = 7;
  double most_seconds = 60;  ///< of all runs together
};

/// Measures, runs the same program on the CPU, and tells both. Returns the exit code: 1 where it should print
/// on the GPU what it prints on the CPU and does not, or ended badly. Throws UsageError, BadFile, NoDevice,
/// SystemError.
int time_in_place(const InPlaceAsked&, Console&, const cuda::GpuTools& = cuda::GpuTools::of_this_machine());

/// A table of the kernels, and sentences on the output and what is to be known.
std::string in_place_text(const cuda::InPlace&);

}  // namespace bscope
