// What a tab's choice of a run asks for beside the open run.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/session/run_choice.hpp"

namespace bscope {

struct Algorithm;
struct LoadedState;
struct Run;
struct RunSpec;
class RunStore;
struct Target;

/// Sets a parameter of the request, in the place of what it had.
void put(RunSpec&, const std::string& name, const std::string& value);
/// The schedule without the seed: auto, to-barrier, lockstep or shuffled, which takes the request's seed.
std::string order_of(const Target&);
void set_order(Target&, const std::string& order);
/// Block and parameters that the choice has of its own, into the request. A parameter of one kernel alone
/// means nothing to another: only what the request's kernel declares stays.
void take_parameters(RunSpec&, const RunChoice&);

/// One of the runs that a tab shows: what can be chosen of it, in a row above the tab's picture.
struct ChooseRun {
  const char* id;                              ///< for tests: "left"
  std::string title = {};                      ///< said before the list of kernels
  std::vector<const Algorithm*> kernels = {};  ///< that can be chosen
  std::shared_ptr<const Run> shown = {};       ///< what is shown now; null where it failed
  std::string kernel = {};                     ///< of the run that is shown, or was asked for
  bool sizes = true;                           ///< n and block can be chosen
  bool files = false;  ///< a .bscope file can be chosen, and own programs that were open lately
  /// Runs that are no kernels, in front of these: what they are called, and what choosing them means.
  std::vector<std::pair<std::string, RunChoice>> others = {};
  std::vector<std::string> hidden = {};  ///< parameters that others set
  bool opens = false;                    ///< it is the open run: choosing opens another
  RunChoice choice = {};                 ///< in use
  std::function<void(LoadedState&, const RunChoice&, RunStore&)> chosen = {};
};
/// The kernel that stands `by` places from this one in the list, around its ends.
std::string neighbour(const std::vector<const Algorithm*>&, const std::string& kernel, int by);

/// A choice as a target: on the open run's input, block and parameters as far as the kernel takes them.
Target target_of(const RunChoice&, const LoadedState&);

}  // namespace bscope
