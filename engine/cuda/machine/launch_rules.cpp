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
  const std::string &name = r.kernel->source_name, block = spelled(r.block), grid = spelled(r.grid);
  struct Rule {
    bool broken;
    BrokenRule::Error error;
    Message message;
  };
  using enum BrokenRule::Error;
  const Rule rules[] = {
      {threads == 0, invalid_configuration,
       message("The launch of {} asks for blocks of {} threads: each number must be at least 1.", name,
               block)},
      {blocks == 0, invalid_configuration,
       message("The launch of {} asks for a grid of {} blocks: each number must be at least 1.", name, grid)},
      {threads > __bscope_device_MaxThreadsPerBlock, invalid_configuration,
       message("The launch of {} asks for blocks of {} threads: a block has at most 1024.", name, block)},
      {bound && threads > bound, invalid_value,
       message("The launch of {} asks for blocks of {} threads: its __launch_bounds__ allows {}.", name,
               block, bound)},
      {r.block.z > __bscope_device_MaxBlockDimZ, invalid_configuration,
       message("The launch of {} asks for blocks of {} threads: the third number is at most 64.", name,
               block)},
      {r.grid.y > __bscope_device_MaxGridDimY || r.grid.z > __bscope_device_MaxGridDimZ,
       invalid_configuration,
       message(
           "The launch of {} asks for a grid of {} blocks: the second and third number are at most 65535.",
           name, grid)},
      {r.grid.x > __bscope_device_MaxGridDimX || blocks > most_blocks, invalid_configuration,
       message("The launch of {} asks for a grid of {} blocks: there can be at most 2147483647.", name,
               grid)},
      {fixed_shared > most_static_shared, invalid_value,
       message(
           "The kernel {} declares {} of shared memory, and nvcc compiles no more than {}: declare it extern "
           "__shared__, and allow it with cudaFuncSetAttribute(..., "
           "cudaFuncAttributeMaxDynamicSharedMemorySize, ...).",
           name, in_bytes(fixed_shared), in_bytes(most_static_shared))},
      {r.dynamic_shared > r.most_dynamic_shared, invalid_value,
       message("The launch of {} asks for {} of dynamic shared memory: {} at most, or as much as "
               "cudaFuncSetAttribute(..., cudaFuncAttributeMaxDynamicSharedMemorySize, ...) allowed.",
               name, in_bytes(r.dynamic_shared), in_bytes(r.most_dynamic_shared))},
      {fixed_shared + r.dynamic_shared > most_shared, invalid_configuration,
       message("The launch of {} needs {} bytes of shared memory a block, which has {}.", name,
               fixed_shared + r.dynamic_shared, most_shared)},
  };
  for (const Rule& rule : rules)
    if (rule.broken) return BrokenRule{rule.error, rule.message};
  return {};
}

}  // namespace bscope::cuda
