#include "engine/cuda/machine/launch_rules.hpp"

#include "engine/cuda/include/barrierscope/attributes.h"
#include "engine/cuda/machine/byte_text.hpp"

namespace bscope::cuda {
namespace {

using std::to_string;

constexpr uint64_t most_static_shared = 48u << 10;  // that nvcc compiles
constexpr uint64_t most_blocks = INT32_MAX;         // whose numbers a trace holds

/// "16 x 4", without what is 1 at the end.
std::string spelled(const Extent& e) {
  std::string text = to_string(e.x);
  if (e.y != 1 || e.z != 1) text += " x " + to_string(e.y);
  if (e.z != 1) text += " x " + to_string(e.z);
  return text;
}

}  // namespace

std::optional<BrokenRule> broken_rule(const LaunchRequest& r, uint64_t fixed_shared, uint64_t most_shared) {
  const uint64_t threads = r.block.count(), blocks = r.grid.count(), bound = r.kernel->launch_bound;
  const std::string of = "The launch of " + r.kernel->source_name + " ";
  const std::string asks = of + "asks for blocks of " + spelled(r.block) + " threads: ",
                    asks_grid = of + "asks for a grid of " + spelled(r.grid) + " blocks: ";
  struct Rule {
    bool broken;
    BrokenRule::Error error;
    std::string sentence;
  };
  using enum BrokenRule::Error;
  const Rule rules[] = {
      {threads == 0, invalid_configuration, asks + "each number must be at least 1."},
      {blocks == 0, invalid_configuration, asks_grid + "each number must be at least 1."},
      {threads > __bscope_device_MaxThreadsPerBlock, invalid_configuration,
       asks + "a block has at most 1024."},
      {bound && threads > bound, invalid_value,
       asks + "its __launch_bounds__ allows " + to_string(bound) + "."},
      {r.block.z > __bscope_device_MaxBlockDimZ, invalid_configuration,
       asks + "the third number is at most 64."},
      {r.grid.y > __bscope_device_MaxGridDimY || r.grid.z > __bscope_device_MaxGridDimZ,
       invalid_configuration, asks_grid + "the second and third number are at most 65535."},
      {r.grid.x > __bscope_device_MaxGridDimX || blocks > most_blocks, invalid_configuration,
       asks_grid + "there can be at most 2147483647."},
      {fixed_shared > most_static_shared, invalid_value,
       "The kernel " + r.kernel->source_name + " declares " + in_bytes(fixed_shared) +
           " of shared memory, and nvcc compiles no more than " + in_bytes(most_static_shared) +
           ": declare it extern __shared__, and allow it with cudaFuncSetAttribute(..., "
           "cudaFuncAttributeMaxDynamicSharedMemorySize, ...)."},
      {r.dynamic_shared > r.most_dynamic_shared, invalid_value,
       of + "asks for " + in_bytes(r.dynamic_shared) +
           " of dynamic shared memory: " + in_bytes(r.most_dynamic_shared) +
           " at most, or as much as cudaFuncSetAttribute(..., cudaFuncAttributeMaxDynamicSharedMemorySize, "
           "...) allowed."},
      {fixed_shared + r.dynamic_shared > most_shared, invalid_configuration,
       of + "needs " + to_string(fixed_shared + r.dynamic_shared) +
           " bytes of shared memory a block, which has " + to_string(most_shared) + "."},
  };
  for (const Rule& rule : rules)
    if (rule.broken) return BrokenRule{rule.error, rule.sentence};
  return {};
}

}  // namespace bscope::cuda
