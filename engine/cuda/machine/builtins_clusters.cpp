// Clusters: blocks that run together, and see each other's shared memory.
#include "engine/cuda/machine/interpreter.hpp"

namespace bscope::cuda {
namespace {

Value about_cluster(Interpreter& w, const BuiltinCall& c) {
  const Extent& size = w.launch().cluster;
  const Extent &block = w.block_index(), &grid = w.launch().grid;
  const uint32_t all[] = {size.x,
                          size.y,
                          size.z,
                          block.x % size.x,
                          block.y % size.y,
                          block.z % size.z,
                          block.x / size.x,
                          block.y / size.y,
                          block.z / size.z,
                          grid.x / size.x,
                          grid.y / size.y,
                          grid.z / size.z,
                          w.cluster_rank(),
                          uint32_t(size.count()),
                          uint32_t(size.count() > 1)};
  const uint64_t what = c[0].bits;
  return {what < std::size(all) ? all[what] : 0, 0, no_kind};
}

Value sync_cluster(Interpreter& w, const BuiltinCall& c) {
  if (w.launch().cluster.count() == 1) {
    w.sync(c.line);
    return {};
  }
  w.note_barrier();
  w.thread().sync_grid(c.line);
  return {};
}

Value map_shared(Interpreter& w, const BuiltinCall& c) {
  return {w.in_block_of_cluster(c[0].bits, uint32_t(c[1].bits), c.line), 0, no_kind};
}

Value rank_of_shared(Interpreter& w, const BuiltinCall& c) {
  const bool remote = c[0].bits >> ir::kind_shift == ir::cluster_base >> ir::kind_shift;
  return {remote ? c[0].bits >> ir::rank_shift & ir::most_rank : w.cluster_rank(), 0, no_kind};
}

}  // namespace

void add_clusters(Builtins& all) {
  all.add("__bscope_cluster", {about_cluster, ElementType::i32, 0, 1});
  all.add("__bscope_cluster_sync", {sync_cluster, ElementType::i32, 0, 0});
  all.add("__bscope_cluster_map", {map_shared, ElementType::u64, 0, 2});
  all.add("__bscope_cluster_rank_of", {rank_of_shared, ElementType::i32, 0, 1});
}

// ---- the interpreter's part

uint32_t Interpreter::cluster_rank() const {
  const Extent& size = launch_.cluster;
  return (block_index_.z % size.z * size.y + block_index_.y % size.y) * size.x + block_index_.x % size.x;
}

uint32_t Interpreter::block_of_cluster(uint32_t rank) const {
  const Extent &size = launch_.cluster, &grid = launch_.grid;
  const Extent in = size.place(rank);
  const uint32_t x = block_index_.x / size.x * size.x + in.x, y = block_index_.y / size.y * size.y + in.y,
                 z = block_index_.z / size.z * size.z + in.z;
  return (z * grid.y + y) * grid.x + x;
}

uint64_t Interpreter::in_block_of_cluster(uint64_t address, uint32_t rank, uint32_t line) {
  const bool remote = address >> ir::kind_shift == ir::cluster_base >> ir::kind_shift;
  if (!remote && address >> ir::kind_shift != ir::shared_base >> ir::kind_shift)
    fail(LaunchOutcome::address, line,
         message("{} maps a pointer in line {} that does not point to shared memory.", who(), line));
  if (rank >= launch_.cluster.count())
    fail(LaunchOutcome::address, line,
         message("{} asks for the shared memory of block {} of its cluster in line {}, which has {} blocks.",
                 who(), rank, line, launch_.cluster.count()));
  const uint64_t place = address & ((uint64_t(1) << ir::rank_shift) - 1);
  return rank == cluster_rank() ? ir::shared_base + place
                                : ir::cluster_base + (uint64_t(rank) << ir::rank_shift) + place;
}

Memory* Interpreter::memory_of_cluster(uint64_t address, uint64_t& offset, uint8_t*& shared) {
  const uint64_t place = address & ((uint64_t(1) << ir::rank_shift) - 1), zone = place >> ir::shared_shift;
  const int which = launch_.shared_at(ir::shared_base + place);
  const auto block = block_of_cluster(uint32_t(address >> ir::rank_shift & ir::most_rank));
  const auto known = launch_.shared_of_blocks.find(block);
  if (which < 0 || known == launch_.shared_of_blocks.end() || known->second.empty()) return nullptr;
  offset = ir::shared_base + place - ir::middle_of(ir::shared_base, zone, ir::shared_shift);
  if (!launch_.cluster_arrays.empty()) return cluster_array(size_t(which), block, offset);
  shared = known->second[size_t(which)];
  return launch_.shared[size_t(which)].get();
}

/// What lies outside of the block's part of the array is outside of all of it.
Memory* Interpreter::cluster_array(size_t which, uint32_t block, uint64_t& offset) {
  Memory* const all = launch_.cluster_arrays[which];
  const uint64_t bytes = launch_.shared[which]->bytes;
  offset += offset < bytes ? block * bytes : all->bytes;
  return all;
}

void Interpreter::no_such_block(uint64_t address, uint32_t line) {
  const auto rank = uint32_t(address >> ir::rank_shift & ir::most_rank);
  const bool has_ended = launch_.shared_of_blocks.contains(block_of_cluster(rank));
  fail(LaunchOutcome::address, line,
       has_ended
           ? message("{} uses the shared memory of block {} of its cluster in line {}, which has ended.",
                     who(), rank, line)
           : message("{} uses the shared memory of block {} of its cluster in line {}, which may not "
                     "have begun.",
                     who(), rank, line),
       has_ended
           ? message("Call cluster.sync() before the end of the kernel, so that no block ends too early.")
           : message("Call cluster.sync() before the first access to another block's shared memory."));
}

}  // namespace bscope::cuda
