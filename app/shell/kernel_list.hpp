// The list of kernels at the left, with a bar for each step of a kernel's default run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

class View;

/// Threads at work in each step of a kernel's default run, for the bars of the kernel list.
struct KernelSummary {
  std::vector<float> working;  ///< share of the block, one a step of block 0
  std::string trouble;         ///< race, fault or wrong; empty where all is well
};
using Summaries = std::map<std::string, KernelSummary>;  ///< by kernel name
/// Traces the next kernel that has no summary yet; false if all have one. One a frame keeps frames short.
bool summarise_next(Summaries&);

/// What the lists of kernels keep.
struct KernelList {
  Summaries summaries;
  std::map<unsigned int, std::string> scrolled_to;  ///< by ImGui's id of the list: the kernel
  float pin = -1;  ///< where the list was scrolled to when a kernel of it was clicked; -1: free
};

/// The panel at the left of Watch: kernels, parameters, and the legend. It begins right under the header:
/// what has gone wrong appears beside it, so that no kernel moves away under the mouse that opens it.
void show_kernels(View&, Box);
/// The width that it takes, with the gap beside it; 0: there is none on screen.
float kernels_width(const View&);
/// The catalog by family, from ImGui's cursor on.
void list_of_kernels(View&, float width);

}  // namespace bscope
