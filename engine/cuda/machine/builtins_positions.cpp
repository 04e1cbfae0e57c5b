// Where a thread stands: threadIdx, blockIdx, blockDim, gridDim, its lane, and what time it is.

#include "engine/cuda/machine/interpreter.hpp"

namespace bscope::cuda {
namespace {

uint64_t axis(const Extent& e, uint8_t which) { return which == 0 ? e.x : which == 1 ? e.y : e.z; }
Value untraced(uint64_t bits) { return {bits, 0, no_kind}; }

Value thread_index(Interpreter& w, const BuiltinCall& c) { return untraced(axis(w.thread_index(), c.what)); }
Value block_index(Interpreter& w, const BuiltinCall& c) { return untraced(axis(w.block_index(), c.what)); }
Value block_extent(Interpreter& w, const BuiltinCall& c) { return untraced(axis(w.launch().block, c.what)); }
Value grid_extent(Interpreter& w, const BuiltinCall& c) { return untraced(axis(w.launch().grid, c.what)); }
Value lane(Interpreter& w, const BuiltinCall&) { return untraced(uint64_t(w.thread().lane())); }
Value warp(Interpreter& w, const BuiltinCall&) { return untraced(uint64_t(w.thread().warp())); }
Value lanes_in_warp(Interpreter&, const BuiltinCall&) { return untraced(warp_size); }
/// lanemask_lt and its like: the lanes before, up to, from and behind this one.
Value lanes_beside(Interpreter& w, const BuiltinCall& c) {
  const uint32_t me = 1u << w.thread().lane(), before = me - 1;
  const std::array masks = {me, before, before | me, ~before, ~(before | me)};
  return untraced(masks[c.what]);
}

constexpr uint64_t multiprocessors = 2, warps_of_one = 64;  // as the device is described (attributes.h)
Value multiprocessor(Interpreter& w, const BuiltinCall&) {
  return untraced(uint64_t(w.block_number()) % multiprocessors);
}
Value multiprocessor_count(Interpreter&, const BuiltinCall&) { return untraced(multiprocessors); }
Value warps_at_once(Interpreter&, const BuiltinCall&) { return untraced(warps_of_one); }

Value clock(Interpreter& w, const BuiltinCall&) {
  w.launch().has_effects = true;
  return untraced(w.clock());
}

}  // namespace

void add_positions(Builtins& all) {
  const std::string registers = "llvm.nvvm.read.ptx.sreg.";
  const std::array axes = {"x", "y", "z"};
  for (uint8_t k = 0; k < 3; ++k) {
    all.add(registers + "tid." + axes[k], {thread_index, ElementType::i32, k, 0});
    all.add(registers + "ctaid." + axes[k], {block_index, ElementType::i32, k, 0});
    all.add(registers + "ntid." + axes[k], {block_extent, ElementType::i32, k, 0});
    all.add(registers + "nctaid." + axes[k], {grid_extent, ElementType::i32, k, 0});
  }
  all.add(registers + "laneid", {lane, ElementType::i32, 0, 0});
  all.add(registers + "warpid", {warp, ElementType::i32, 0, 0});
  all.add(registers + "warpsize", {lanes_in_warp, ElementType::i32, 0, 0});
  all.add(registers + "smid", {multiprocessor, ElementType::i32, 0, 0});
  all.add(registers + "nsmid", {multiprocessor_count, ElementType::i32, 0, 0});
  all.add(registers + "nwarpid", {warps_at_once, ElementType::i32, 0, 0});
  const std::array masks = {"eq", "lt", "le", "ge", "gt"};
  for (size_t k = 0; k < masks.size(); ++k)
    all.add(registers + "lanemask." + masks[k], {lanes_beside, ElementType::i32, uint8_t(k), 0});
  for (const std::string name : {"__bscope_clock", "llvm.nvvm.read.ptx.sreg.clock",
                                 "llvm.nvvm.read.ptx.sreg.clock64", "llvm.nvvm.read.ptx.sreg.globaltimer"})
    all.add(name, {clock, ElementType::u64, 0, 0});
}

}  // namespace bscope::cuda
