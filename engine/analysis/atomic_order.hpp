// The order of the atomics on one cell, where only the values that they found are known.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
namespace bscope {

/// An atomic that found `from` and left `to`.
struct AtomicStep {
  uint64_t from, to;
};
/// Whether no value is found twice: then the value that a step found gives its turn, and no search is needed.
bool told_by_values(std::span<const AtomicStep>);
/// An order that explains all values: each atomic is an edge from the value it found to the value it left, so
/// an order of all of them is an Euler trail from `start` (Hierholzer 1873). Numbers of steps; none
/// where no order of all exists. Takes time linear in their number.
std::vector<int> euler_trail(uint64_t start, std::span<const AtomicStep>);

}  // namespace bscope
