#include "engine/machine_code/occupancy.hpp"

#include <algorithm>
#include <iterator>

namespace bscope {
namespace {

template <class N>
N up_to_unit(N n, N unit) {
  return (n + unit - 1) / unit * unit;
}

/// What differs from one compute capability to another.
struct Capability {
  std::string_view digits;
  int warps, blocks;
  uint32_t shared_kb;
};
constexpr Capability capabilities[] = {{"70", 64, 32, 96},   {"72", 64, 32, 96},   {"75", 32, 16, 64},
                                       {"80", 64, 32, 164},  {"86", 48, 16, 100},  {"87", 48, 16, 164},
                                       {"89", 48, 24, 100},  {"90", 64, 32, 228},  {"100", 64, 32, 228},
                                       {"103", 64, 32, 228}, {"110", 48, 24, 228}, {"120", 48, 24, 100},
                                       {"121", 48, 24, 100}};

}  // namespace

std::optional<Multiprocessor> multiprocessor_of(std::string_view architecture) {
  if (!architecture.starts_with("sm_")) return {};
  architecture.remove_prefix(3);
  const std::string_view digits = architecture.substr(0, architecture.find_first_not_of("0123456789"));
  const auto it = std::ranges::find(capabilities, digits, &Capability::digits);
  if (it == std::end(capabilities)) return {};
  Multiprocessor m;
  m.warps = it->warps;
  m.blocks = it->blocks;
  m.shared = it->shared_kb << 10;
  if (digits.starts_with('7')) {
    m.shared_reserved = 0;
    m.shared_unit = 256;
  }
  m.shared_of_block = m.shared - m.shared_reserved;
  return m;
}

Occupancy occupancy(int threads, int registers, uint32_t shared_bytes, const Multiprocessor& m) {
  const int warps = (threads + 31) / 32;
  const int of_warp = up_to_unit(std::max(1, registers) * 32, m.register_unit);
  const int of_registers = m.registers / m.partitions / of_warp * m.partitions / warps;
  const uint32_t of_block = up_to_unit(shared_bytes + m.shared_reserved, m.shared_unit);
  const int of_shared = shared_bytes > m.shared_of_block ? 0 : of_block ? int(m.shared / of_block) : m.blocks;
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
