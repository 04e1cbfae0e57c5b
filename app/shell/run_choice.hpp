// Controls that choose a run beside the open one: kernel, size, block and the kernel's own parameters.
#pragma once

#include <string>
#include <vector>

#include "app/session/run_choice.hpp"
#include "app/shell/panel.hpp"

namespace bscope {

struct ChooseRun {
  const char* id;
  std::string title = {};                      ///< said before the list of kernels
  std::vector<const Algorithm*> kernels = {};  ///< that can be chosen
  std::shared_ptr<const Run> shown = {};       ///< what is shown now; null where it failed
  std::string kernel = {};                     ///< of the run that is shown, or was asked for
  bool sizes = true;                           ///< n and block can be chosen
  bool files = false;                          ///< a .bscope file can be chosen
  std::vector<std::string> hidden = {};        ///< parameters that others set
};
/// Shows them on one line; true if the choice was changed.
bool choose_run(View&, Box, const ChooseRun&, RunChoice&);
/// The kernel that stands `by` places from this one in the list, around its ends.
std::string neighbour(const std::vector<const Algorithm*>&, const std::string& kernel, int by);

}  // namespace bscope
