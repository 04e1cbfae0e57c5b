#include "engine/machine_code/occupancy.hpp"

#include <algorithm>

namespace bscope {
namespace {

template <class N>
N up_to_unit(N n, N unit) {
  return (n + unit - 1) / unit * unit;
}

}  // namespace

Occupancy occupancy(int threads, int registers, uint32_t shared_bytes, const Multiprocessor& m) {
  const int warps = (threads + 31) / 32;
  const int of_warp = up_to_unit(std::max(1, registers) * 32, m.register_unit);
  const int of_registers = m.registers / m.partitions / of_warp * m.partitions / warps;
  const uint32_t of_block = up_to_unit(shared_bytes + m.shared_reserved, m.shared_unit);
  const int of_shared = shared_bytes > m.shared_of_block ? 0 : int(m.shared / of_block);
  Occupancy o;
  o.of_warps = m.warps;
  o.limits = {{Occupancy::by_registers, of_registers},
              {Occupancy::by_shared, of_shared},
              {Occupancy::by_warps, m.warps / warps},
              {Occupancy::by_blocks, m.blocks}};
  std::ranges::stable_sort(o.limits, {}, &Occupancy::Limit::blocks);
  o.blocks = o.limits.front().blocks;
  o.warps = o.blocks * warps;
  return o;
}

}  // namespace bscope
