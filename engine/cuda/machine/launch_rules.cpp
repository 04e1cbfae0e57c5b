#include "engine/cuda/machine/launch_rules.hpp"

#include <algorithm>

#include "engine/cuda/include/barrierscope/attributes.h"
#include "engine/cuda/machine/byte_text.hpp"

namespace bscope::cuda {
namespace {

using std::to_string;

constexpr uint64_t most_static_shared = 48u << 10;  // that nvcc compiles
constexpr uint64_t most_of_cluster = 8;             // that every GPU with clusters has
constexpr uint64_t most_blocks = INT32_MAX;         // whose numbers a trace holds

/// "16 x 4", without what is 1 at the end.
std::string spelled(const Extent& e) {
  std::string text = to_string(e.x);
  if (e.y != 1 || e.z != 1) text += " x " + to_string(e.y);
  if (e.z != 1) text += " x " + to_string(e.z);
  return text;
}

}  // namespace

Extent cluster_of(const LaunchRequest& r) {
  const auto& [x, y, z] = r.kernel->cluster;
  return r.cluster.count() > 1 ? r.cluster : Extent{x, y, z};
}

std::optional<BrokenRule> refused_by_nvcc(const ir::Function& kernel, uint64_t fixed_shared) {
  if (fixed_shared <= most_static_shared) return {};
  return BrokenRule{
      BrokenRule::not_compiled,
      message("The kernel {} declares {} of shared memory, and nvcc compiles no more than {}.",
              kernel.source_name, in_bytes(fixed_shared), in_bytes(most_static_shared)),
      message(
          "Declare the array extern __shared__, allow its bytes with {}, and pass them as the third launch "
          "parameter.",
          "cudaFuncSetAttribute(" + kernel.source_name +
              ", cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)")};
}

uint64_t resident_blocks(uint64_t threads, uint64_t shared, const DeviceModel& device) {
  const uint64_t warps = std::max<uint64_t>(1, (threads + 31) / 32), needs = shared + device.reserved_shared;
  const uint64_t by_warps = uint64_t(device.threads_of_multiprocessor) / 32 / warps,
                 by_shared = needs ? uint64_t(device.shared_of_multiprocessor) / needs : by_warps;
  return std::min({uint64_t(device.blocks_of_multiprocessor), by_warps, by_shared});
}

std::optional<BrokenRule> broken_rule(const LaunchRequest& r, uint64_t fixed_shared,
                                      const DeviceModel& device) {
  const uint64_t threads = r.block.count(), blocks = r.grid.count(), bound = r.kernel->launch_bound;
  const std::string &name = r.kernel->source_name, block = spelled(r.block), grid = spelled(r.grid);
  struct Rule {
    bool broken;
    BrokenRule::Error error;
    Message message, help = {};
  };
  const Message round_up = message("Divide and round up, as in {}.", "(n + threads - 1) / threads");
  const uint64_t fit = resident_blocks(threads, fixed_shared + r.dynamic_shared, device),
                 multiprocessors = uint64_t(device.multiprocessors),
                 most_shared = uint64_t(device.most_shared_of_block);
  const Extent c = cluster_of(r);
  const uint64_t in_cluster = c.count();
  const bool divides = c.x && c.y && c.z && !(r.grid.x % c.x) && !(r.grid.y % c.y) && !(r.grid.z % c.z);
  using enum BrokenRule::Error;
  const Rule rules[] = {
      {threads == 0, invalid_configuration,
       message("The launch of {} asks for blocks of {} threads: each number must be at least 1.", name,
               block)},
      {blocks == 0, invalid_configuration,
       message("The launch of {} asks for a grid of {} blocks: each number must be at least 1.", name, grid),
       round_up},
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
      {r.dynamic_shared > r.most_dynamic_shared, invalid_value,
       message("The launch of {} asks for {} of dynamic shared memory: {} at most, or as much as "
               "cudaFuncSetAttribute(..., cudaFuncAttributeMaxDynamicSharedMemorySize, ...) allowed.",
               name, in_bytes(r.dynamic_shared), in_bytes(r.most_dynamic_shared))},
      {fixed_shared + r.dynamic_shared > most_shared, invalid_configuration,
       message("The launch of {} needs {} bytes of shared memory a block, which has {}.", name,
               fixed_shared + r.dynamic_shared, most_shared)},
      {r.cooperative && blocks > fit * multiprocessors, cooperative_too_large,
       message("The cooperative launch of {} asks for {} blocks, and {} fit at once on the device that is "
               "played: {} multiprocessors with room for {} each.",
               name, blocks, fit * multiprocessors, multiprocessors, fit),
       message(
           "Launch no more blocks than cudaOccupancyMaxActiveBlocksPerMultiprocessor says times the number "
           "of multiprocessors, and let each thread work on several elements.")},
      {in_cluster != 1 && !device.has_clusters, invalid_cluster,
       message("The launch of {} asks for clusters of {} blocks, which {} does not have: GPUs since sm_90 "
               "have them.",
               name, spelled(c), std::string(device.name)),
       message("Play another device: --device-model sm_90.")},
      {in_cluster > most_of_cluster, invalid_cluster,
       message("The launch of {} asks for clusters of {} blocks: a cluster has at most 8.", name,
               spelled(c))},
      {!divides, invalid_cluster,
       message(
           "The launch of {} asks for a grid of {} blocks in clusters of {}: each number of the grid must "
           "be a multiple of the cluster's.",
           name, grid, spelled(c))},
  };
  if (auto rule = refused_by_nvcc(*r.kernel, fixed_shared)) return rule;
  for (const Rule& rule : rules)
    if (rule.broken) return BrokenRule{rule.error, rule.message, rule.help};
  return {};
}

}  // namespace bscope::cuda
