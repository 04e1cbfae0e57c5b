// One algorithm: its parameters, its inputs, the property of its output, and the ways to run it. Kernel files
// fill it in.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/simt/family.hpp"
#include "engine/simt/parameter.hpp"

namespace bscope {

struct Formula;
struct Problem;
enum class Property : uint8_t;
struct Schedule;
class TimedRun;
struct Trace;

/// A named set-up of an algorithm or of a whole family, e.g. queue-7x20.
struct Preset {
  std::string name, what;
  std::function<void(Problem&)> apply;  ///< fills in data, block and set
};

/// A launch of a program, and the kernel's form on a GPU that is timed: what nvcc's name of the function
/// run_untraced says between its angle brackets.
struct LaunchedForm {
  std::string launch, key;
  bool operator==(const LaunchedForm&) const = default;
};

/// One algorithm with its parameters, inputs and expected results, and the ways to run it.
struct Algorithm {
  std::string name;    ///< family/version: scan/blelloch
  std::string title;   ///< on screen: "Blelloch"
  std::string lesson;  ///< one line: what it must show
  std::string fix;     ///< of a mistake: what is wrong and how to put it right; else empty
  std::string source;  ///< kernels/scan/5_blelloch.cu
  std::vector<Parameter> parameters;
  std::vector<Preset> presets;
  int default_n = 0;     ///< elements of a trace; 0: its family's number
  int full_block = 256;  ///< threads a block at full size; the largest default
  int most_block = 1024;
  int levels = 1;                   ///< the default block's tile holds the input in so many levels of tiles
  bool power_of_two_block = false;  ///< legal blocks are powers of two only

  std::function<int(const Problem&)> timed_block;  ///< threads a block that is timed, where full_block is not
                                                   ///< the fastest at every length; may be empty
  std::function<int(const Problem&)> tile;         ///< elements that one block takes
  std::function<Property(const Problem&)> property;
  std::function<std::vector<double>(const Problem&)> expected;   ///< by a plain serial run
  std::function<std::vector<Formula>(const Problem&)> formulas;  ///< textbook counts; may be empty

  std::function<Trace(const Problem&, const Schedule&)> cpu;
  std::function<std::vector<LaunchedForm>(const Problem&)> forms;  ///< its launches, none of which is run
  std::function<Trace(const Problem&)> gpu;                        ///< empty: built without CUDA
  std::function<std::unique_ptr<TimedRun>(const Problem&)> timed;  ///< empty: built without CUDA

  std::string family() const { return name.substr(0, name.find('/')); }
  int usual_n() const { return default_n ? default_n : family_of(name).default_n; }
};

/// Everything that has registered so far, by name. Both halves of a kernel file fill in the same entry.
/// Others read the catalog instead.
std::map<std::string, Algorithm>& registered();

/// The path from the root of the project of a source file as a compiler names it
/// (kernels/scan/5_blelloch.cu).
std::string project_path(const std::string& file);

}  // namespace bscope
