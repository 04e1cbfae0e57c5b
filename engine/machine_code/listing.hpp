// What NVIDIA's tools print of the code that nvcc has made, as data: nvdisasm's listing, and what ptxas says
// of each kernel. tools/machine_code.py reads the same for the kernels of the catalog; a test holds both to
// one sample.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/machine_code/machine_code.hpp"

namespace bscope {

/// A function's code. What it calls and was not inlined stands in it, too.
struct ListedCode {
  std::string symbol;  ///< mangled, from nvcc
  std::string file;    ///< that the function stands in, by the path that nvcc was given; empty: not known
  std::vector<MachineInstruction> instructions;  ///< by address; lines are those of `file`
};
struct Listing {
  std::string architecture;  ///< "sm_90"; empty: the text does not say
  std::vector<ListedCode> functions;
};
/// Reads what `nvdisasm -c -gi` prints of code compiled with -lineinfo. An instruction belongs to the
/// innermost line of the function's own file in the chain of calls that it was inlined through; line 0 is
/// what belongs to none. What fills a function's end is left out. Text that is no listing has no functions.
Listing read_listing(std::string_view text);

/// What a kernel takes.
struct KernelNeeds {
  int registers = 0;         ///< of a thread
  int stack = 0, local = 0;  ///< bytes of a thread
  uint32_t shared = 0;       ///< bytes of a block, without what a launch asks for
  bool operator==(const KernelNeeds&) const = default;
};
/// By mangled name, from what nvcc prints with `--resource-usage`, or with `-Xptxas=-v -Xnvlink=-v` where it
/// links device code: then nvlink's figures, which are with all that the kernel calls. Other lines are passed
/// over.
std::map<std::string, KernelNeeds> read_needs(std::string_view text);

/// A mangled name without that in which clang and nvcc differ: how they tell apart what is one file's own
/// (static, or in an unnamed namespace).
std::string symbol_alike(std::string_view mangled);

}  // namespace bscope
