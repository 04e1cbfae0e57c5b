// Cooperative groups: a block, tiles of a warp, the lanes that stand together, the grid.
#pragma once
#include "cuda_runtime.h"

#ifdef __CUDA__
#define __BSCOPE_METHOD __inline__ __device__ __attribute__((always_inline))

namespace cooperative_groups {
namespace __bscope {
__BSCOPE_METHOD unsigned rank_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__BSCOPE_METHOD unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
__BSCOPE_METHOD unsigned lane() { return rank_in_block() % 32; }
__BSCOPE_METHOD unsigned below(unsigned lane_number) { return (1u << lane_number) - 1; }
/// The lanes of this thread's tile of `size` lanes.
__BSCOPE_METHOD unsigned tile_mask(unsigned size) {
  return size >= 32 ? 0xffffffffu : below(size) << (lane() / size * size);
}
/// A value of any kind that can be copied, handed over in words of four bytes.
template <class T, class Exchange>
__BSCOPE_METHOD T in_words(const T& value, Exchange exchange) {
  static_assert(sizeof(T) <= 32, "a shuffle hands over at most 32 bytes");
  union Words {
    T all;
    unsigned words[(sizeof(T) + 3) / 4];
    __BSCOPE_METHOD Words() {}
  } words;
  words.all = value;
  for (unsigned k = 0; k < sizeof(words.words) / 4; ++k) words.words[k] = exchange(words.words[k]);
  return words.all;
}
template <class T>
struct is_number {
  static constexpr bool value = __is_arithmetic(T) && (sizeof(T) == 4 || sizeof(T) == 8);
};
template <class T>
struct is_address {
  static constexpr bool value = false;
};
template <class T>
struct is_address<T*> {
  static constexpr bool value = true;
};
template <class T>
__BSCOPE_METHOD T from_lane(unsigned mask, T v, unsigned from) {
  if constexpr (is_number<T>::value) {
    return __shfl_sync(mask, v, (int)from);
  } else {
    return in_words(v, [=](unsigned word) { return __shfl_sync(mask, word, (int)from); });
  }
}
}  // namespace __bscope

/// Any group: what a function that takes every kind of group is given.
class thread_group {
 public:
  __BSCOPE_METHOD unsigned long long size() const { return size_; }
  __BSCOPE_METHOD unsigned long long num_threads() const { return size_; }
  __BSCOPE_METHOD unsigned long long thread_rank() const { return rank_; }
  __BSCOPE_METHOD bool is_valid() const { return true; }
  __BSCOPE_METHOD void sync() const {
    if (kind_ == of_grid)
      __bscope_sync_grid();
    else if (kind_ == of_block)
      __syncthreads();
    else
      __bscope_sync_warp(mask_);
  }

 protected:
  enum kind { of_lanes, of_block, of_grid };
  __BSCOPE_METHOD thread_group(kind what, unsigned mask, unsigned size, unsigned rank)
      : kind_(what), mask_(mask), size_(size), rank_(rank) {}
  kind kind_;
  unsigned mask_, size_, rank_;
  friend __device__ thread_group tiled_partition(const thread_group&, unsigned);
};

class thread_block : public thread_group {
 public:
  static __BSCOPE_METHOD void sync() { __syncthreads(); }
  static __BSCOPE_METHOD unsigned thread_rank() { return __bscope::rank_in_block(); }
  static __BSCOPE_METHOD unsigned size() { return __bscope::threads_of_block(); }
  static __BSCOPE_METHOD unsigned num_threads() { return __bscope::threads_of_block(); }
  static __BSCOPE_METHOD dim3 group_index() { return blockIdx; }
  static __BSCOPE_METHOD dim3 thread_index() { return threadIdx; }
  static __BSCOPE_METHOD dim3 group_dim() { return blockDim; }
  static __BSCOPE_METHOD dim3 dim_threads() { return blockDim; }
  struct arrival_token {};
  static __BSCOPE_METHOD arrival_token barrier_arrive() { return {}; }
  static __BSCOPE_METHOD void barrier_wait(arrival_token&&) { __syncthreads(); }

 private:
  __BSCOPE_METHOD thread_block()
      : thread_group(of_block, 0, __bscope::threads_of_block(), __bscope::rank_in_block()) {}
  friend __device__ thread_block this_thread_block();
};
__BSCOPE_METHOD thread_block this_thread_block() { return thread_block(); }

class grid_group : public thread_group {
 public:
  struct arrival_token {};
  static __BSCOPE_METHOD void sync() { __bscope_sync_grid(); }
  static __BSCOPE_METHOD arrival_token barrier_arrive() { return {}; }
  static __BSCOPE_METHOD void barrier_wait(arrival_token&&) { __bscope_sync_grid(); }
  static __BSCOPE_METHOD bool is_valid() { return __bscope_is_cooperative(); }
  static __BSCOPE_METHOD unsigned long long block_rank() {
    return blockIdx.x +
           (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  }
  static __BSCOPE_METHOD unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  static __BSCOPE_METHOD unsigned long long thread_rank() {
    return block_rank() * __bscope::threads_of_block() + __bscope::rank_in_block();
  }
  static __BSCOPE_METHOD unsigned long long num_threads() {
    return num_blocks() * __bscope::threads_of_block();
  }
  static __BSCOPE_METHOD unsigned long long size() { return num_threads(); }
  static __BSCOPE_METHOD dim3 block_index() { return blockIdx; }
  static __BSCOPE_METHOD dim3 dim_blocks() { return gridDim; }
  static __BSCOPE_METHOD dim3 group_dim() { return gridDim; }
  static __BSCOPE_METHOD dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  static __BSCOPE_METHOD dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }

 private:
  __BSCOPE_METHOD grid_group() : thread_group(of_grid, 0, (unsigned)num_threads(), (unsigned)thread_rank()) {}
  friend __device__ grid_group this_grid();
};
__BSCOPE_METHOD grid_group this_grid() { return grid_group(); }

/// What tiles and coalesced lanes have in common: votes and matches among the lanes of a mask, whose answers
/// are in ranks of the group.
template <class Group>
class __bscope_lanes : public thread_group {
 public:
  static constexpr bool is_lanes = true;
  __BSCOPE_METHOD unsigned size() const { return size_; }
  __BSCOPE_METHOD unsigned num_threads() const { return size_; }
  __BSCOPE_METHOD unsigned thread_rank() const { return rank_; }
  __BSCOPE_METHOD void sync() const { __bscope_sync_warp(mask_); }
  __BSCOPE_METHOD int any(int p) const { return __any_sync(mask_, p); }
  __BSCOPE_METHOD int all(int p) const { return __all_sync(mask_, p); }
  __BSCOPE_METHOD unsigned ballot(int p) const { return packed(__ballot_sync(mask_, p)); }
  template <class T>
  __BSCOPE_METHOD unsigned match_any(T v) const {
    return packed(__match_any_sync(mask_, v));
  }
  template <class T>
  __BSCOPE_METHOD unsigned match_all(T v, int& all) const {
    return packed(__match_all_sync(mask_, v, &all));
  }
  /// The lanes of the warp that belong to the group.
  __BSCOPE_METHOD unsigned __bscope_mask() const { return mask_; }
  /// The lane of the member with that rank.
  __BSCOPE_METHOD unsigned __bscope_lane_of(unsigned rank) const {
    return static_cast<const Group*>(this)->lane_of(rank);
  }
  template <class T>
  __BSCOPE_METHOD T shfl(T v, int rank) const {
    return __bscope::from_lane(mask_, v, __bscope_lane_of((unsigned)rank % size_));
  }
  template <class T>
  __BSCOPE_METHOD T shfl_up(T v, unsigned delta) const {
    return __bscope::from_lane(mask_, v, __bscope_lane_of(rank_ >= delta ? rank_ - delta : rank_));
  }
  template <class T>
  __BSCOPE_METHOD T shfl_down(T v, unsigned delta) const {
    return __bscope::from_lane(mask_, v, __bscope_lane_of(rank_ + delta < size_ ? rank_ + delta : rank_));
  }

 protected:
  __BSCOPE_METHOD __bscope_lanes(unsigned mask, unsigned size, unsigned rank)
      : thread_group(of_lanes, mask, size, rank) {}
  /// Bits of lanes as bits of ranks.
  __BSCOPE_METHOD unsigned packed(unsigned lanes) const {
    return static_cast<const Group*>(this)->ranks_of(lanes);
  }
};

template <unsigned Size, class Parent = void>
class thread_block_tile;

namespace __bscope {
/// The tiles of a group: which of them this thread is in, and of how many.
template <class Group>
__BSCOPE_METHOD unsigned tile_in(const Group& g, unsigned size) {
  return (unsigned)g.thread_rank() / size;
}
template <class Group>
__BSCOPE_METHOD unsigned tiles_of(const Group& g, unsigned size) {
  return ((unsigned)g.size() + size - 1) / size;
}

/// A tile of at most a warp.
template <unsigned Size, class Tile, bool MoreThanAWarp = (Size > 32)>
class tile_of_size : public __bscope_lanes<Tile> {
  typedef __bscope_lanes<Tile> Base;

 public:
  __BSCOPE_METHOD tile_of_size(unsigned tile, unsigned tiles)
      : Base(tile_mask(Size), Size, lane() % Size), tile_(tile), tiles_(tiles) {}
  template <class Group>
  __BSCOPE_METHOD void begin(const Group&) {}
  static __BSCOPE_METHOD unsigned thread_rank() { return lane() % Size; }
  __BSCOPE_METHOD unsigned meta_group_size() const { return tiles_; }
  __BSCOPE_METHOD unsigned meta_group_rank() const { return tile_; }
#define __BSCOPE_TILE_SHUFFLE(name, B)                                                               \
  template <class T>                                                                                 \
  __BSCOPE_METHOD T name(T v, B by) const {                                                          \
    unsigned mask = this->mask_;                                                                     \
    if constexpr (is_number<T>::value) {                                                             \
      return __##name##_sync(mask, v, by, (int)Size);                                                \
    } else {                                                                                         \
      return in_words(v, [=](unsigned word) { return __##name##_sync(mask, word, by, (int)Size); }); \
    }                                                                                                \
  }
  __BSCOPE_TILE_SHUFFLE(shfl, int)
  __BSCOPE_TILE_SHUFFLE(shfl_up, unsigned)
  __BSCOPE_TILE_SHUFFLE(shfl_down, unsigned)
  __BSCOPE_TILE_SHUFFLE(shfl_xor, int)
#undef __BSCOPE_TILE_SHUFFLE
  static __BSCOPE_METHOD unsigned lane_of(unsigned rank) { return lane() / Size * Size + rank; }
  static __BSCOPE_METHOD unsigned ranks_of(unsigned lanes) {
    return Size == 32 ? lanes : (lanes >> (lane() / Size * Size)) & below(Size % 32);
  }

 private:
  unsigned tile_, tiles_;
};

/// A tile of several warps. Its threads meet at the block's barrier where it is the whole block. Else the
/// warps count in shared memory how many have come, and each waits for the others.
template <unsigned Size, class Tile>
class tile_of_size<Size, Tile, true> {
 public:
  static constexpr bool is_lanes = false;
  static constexpr unsigned warps = Size / 32;
  __BSCOPE_METHOD tile_of_size(unsigned tile, unsigned tiles) : tile_(tile), tiles_(tiles) {}
  /// Clears the counters of the group's tiles.
  template <class Group>
  __BSCOPE_METHOD void begin(const Group& g) {
    if (is_block()) return;
    g.sync();
    if (g.thread_rank() == 0)
      for (unsigned k = 0; k < tiles_; ++k) *arrived(rank_in_block() / Size + k) = 0;
    g.sync();
  }
  __BSCOPE_METHOD void sync() const {
    if (is_block()) {
      __syncthreads();
      return;
    }
    __syncwarp();
    if (lane() == 0) {
      unsigned* const count = arrived(rank_in_block() / Size);
      __threadfence_block();
      const unsigned before = atomicAdd(count, 1), all = (before / warps + 1) * warps;
      while (atomicAdd(count, 0) < all) {}
      __threadfence_block();
    }
    __syncwarp();
  }
  static __BSCOPE_METHOD unsigned thread_rank() { return rank_in_block() % Size; }
  __BSCOPE_METHOD unsigned meta_group_size() const { return tiles_; }
  __BSCOPE_METHOD unsigned meta_group_rank() const { return tile_; }
  template <class T>
  __BSCOPE_METHOD T shfl(T v, unsigned rank) const {
    if (thread_rank() == rank) *handed<T>(rank / 32) = v;
    sync();
    v = *handed<T>(rank / 32);
    sync();
    return v;
  }
  __BSCOPE_METHOD int any(int p) const;
  __BSCOPE_METHOD int all(int p) const;

  /// What each warp makes of its lanes' values goes to `between`, which sees all warps' values as the values
  /// of a tile's lanes; each thread is given what that makes for its warp.
  template <class T, class Between>
  __BSCOPE_METHOD T over_warps(bool hands_over, T v, Between between) const {
    const unsigned warp = thread_rank() / 32;
    if (hands_over) *handed<T>(warp) = v;
    sync();
    if (thread_rank() < warps) *handed<T>(thread_rank()) = between(*handed<T>(thread_rank()));
    sync();
    v = *handed<T>(warp);
    __syncwarp();
    return v;
  }

 private:
  static __BSCOPE_METHOD bool is_block() { return threads_of_block() == Size; }
  static __BSCOPE_METHOD unsigned* arrived(unsigned tile) {
    __shared__ unsigned warps_arrived[1024 / Size];
    return &warps_arrived[tile];
  }
  /// A place for each warp of the block, from this tile's first on.
  template <class T>
  static __BSCOPE_METHOD T* handed(unsigned warp) {
    __shared__ T of_warps[32];
    return &of_warps[rank_in_block() / Size * warps + warp];
  }
  unsigned tile_, tiles_;
};
}  // namespace __bscope

/// A tile whose size is a power of two and known when the program is compiled.
template <unsigned Size, class Parent>
class thread_block_tile : public __bscope::tile_of_size<Size, thread_block_tile<Size, Parent>> {
  static_assert(Size > 0 && Size <= 1024 && (Size & (Size - 1)) == 0,
                "a tile has 1, 2, 4, ... or 1024 threads");
  typedef __bscope::tile_of_size<Size, thread_block_tile<Size, Parent>> Base;

 public:
  template <class Group>
  explicit __BSCOPE_METHOD thread_block_tile(const Group& g)
      : Base(__bscope::tile_in(g, Size), __bscope::tiles_of(g, Size)) {
    Base::begin(g);
  }
  template <class Other>
  __BSCOPE_METHOD thread_block_tile(const thread_block_tile<Size, Other>& same)
      : Base(same.meta_group_rank(), same.meta_group_size()) {}
  static constexpr __BSCOPE_METHOD unsigned size() { return Size; }
  static constexpr __BSCOPE_METHOD unsigned num_threads() { return Size; }

 private:
  __BSCOPE_METHOD thread_block_tile() : Base(0, 1) {}
  friend __device__ thread_block_tile<1, void> this_thread();
};
__BSCOPE_METHOD thread_block_tile<1, void> this_thread() { return thread_block_tile<1, void>(); }

/// The lanes of a warp that stand at the same place, or a part of them.
class coalesced_group : public __bscope_lanes<coalesced_group> {
 public:
  __BSCOPE_METHOD unsigned meta_group_size() const { return groups_; }
  __BSCOPE_METHOD unsigned meta_group_rank() const { return group_; }
  __BSCOPE_METHOD unsigned lane_of(unsigned rank) const { return __fns(mask_, 0, (int)rank + 1); }
  __BSCOPE_METHOD unsigned ranks_of(unsigned lanes) const {
    unsigned ranks = 0;
    for (unsigned rank = 0; rank < size_; ++rank) ranks |= (lanes >> lane_of(rank) & 1) << rank;
    return ranks;
  }

 private:
  __BSCOPE_METHOD coalesced_group(unsigned mask, unsigned groups = 1, unsigned group = 0)
      : __bscope_lanes<coalesced_group>(mask, (unsigned)__popc(mask),
                                        (unsigned)__popc(mask & __bscope::below(__bscope::lane()))),
        groups_(groups),
        group_(group) {}
  unsigned groups_, group_;
  friend __device__ coalesced_group coalesced_threads();
  template <class Group>
  friend __device__ coalesced_group binary_partition(const Group&, bool);
  template <class Group, class Label>
  friend __device__ coalesced_group labeled_partition(const Group&, Label);
  friend __device__ coalesced_group tiled_partition(const coalesced_group&, unsigned);
};
__BSCOPE_METHOD coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }
/// The members that say the same. Where all do, there is one group.
template <class Group>
__BSCOPE_METHOD coalesced_group binary_partition(const Group& g, bool predicate) {
  unsigned all = g.__bscope_mask(), yes = __ballot_sync(all, predicate);
  if (yes == 0 || yes == all) return coalesced_group(all);
  return coalesced_group(predicate ? yes : all & ~yes, 2, predicate);
}
template <class Group, class Label>
__BSCOPE_METHOD coalesced_group labeled_partition(const Group& g, Label label) {
  unsigned all = g.__bscope_mask(), same = 0;
  if constexpr (__bscope::is_address<Label>::value)
    same = __match_any_sync(all, (unsigned long long)label);
  else if constexpr (sizeof(Label) < sizeof(int))
    same = __match_any_sync(all, (int)label);
  else
    same = __match_any_sync(all, label);
  unsigned first = (unsigned)__ffs((int)same) - 1, firsts = __ballot_sync(all, first == __bscope::lane());
  return coalesced_group(same, (unsigned)__popc(firsts), (unsigned)__popc(firsts & __bscope::below(first)));
}
/// So many neighbouring ranks of coalesced lanes.
__BSCOPE_METHOD coalesced_group tiled_partition(const coalesced_group& g, unsigned size) {
  unsigned group = g.thread_rank() / size, mask = 0;
  for (unsigned rank = group * size; rank < (group + 1) * size && rank < g.size(); ++rank)
    mask |= 1u << g.lane_of(rank);
  return coalesced_group(mask, (g.size() + size - 1) / size, group);
}

template <unsigned Size, class Group>
__BSCOPE_METHOD thread_block_tile<Size, Group> tiled_partition(const Group& g) {
  return thread_block_tile<Size, Group>(g);
}
/// A tile whose size is known only when the program runs.
__BSCOPE_METHOD thread_group tiled_partition(const thread_group& g, unsigned size) {
  if (size > 32) return g;
  return thread_group(thread_group::of_lanes, __bscope::tile_mask(size), size, __bscope::lane() % size);
}

template <class Group>
__BSCOPE_METHOD void sync(const Group& g) {
  g.sync();
}
template <class Group>
__BSCOPE_METHOD auto thread_rank(const Group& g) -> decltype(g.thread_rank()) {
  return g.thread_rank();
}
template <class Group>
__BSCOPE_METHOD auto group_size(const Group& g) -> decltype(g.size()) {
  return g.size();
}

template <class T>
struct plus {
  __BSCOPE_METHOD T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  __BSCOPE_METHOD T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  __BSCOPE_METHOD T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  __BSCOPE_METHOD T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  __BSCOPE_METHOD T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  __BSCOPE_METHOD T operator()(T a, T b) const { return a ^ b; }
};

namespace __bscope {
/// Of all lanes, to each: with the lane half of the tile away, then a quarter, and so on.
template <class Group, class T, class Op>
__BSCOPE_METHOD T reduce_by_xor(const Group& g, T v, Op op) {
  for (unsigned step = g.size() / 2; step > 0; step /= 2) v = op(v, g.shfl_xor(v, (int)step));
  return v;
}
/// Of the lanes up to this one.
template <class Group, class T, class Op>
__BSCOPE_METHOD T scan_by_up(const Group& g, T v, Op op) {
  for (unsigned step = 1; step < g.size(); step *= 2) {
    T other = g.shfl_up(v, step);
    if (g.thread_rank() >= step) v = op(v, other);
  }
  return v;
}
template <class Group>
struct is_tile {
  static constexpr bool value = false;
};
template <unsigned Size, class Parent>
struct is_tile<thread_block_tile<Size, Parent>> {
  static constexpr bool value = true;
};
/// The lanes of a warp that belong to a tile of `Size`, or the whole warp.
template <unsigned Size>
__BSCOPE_METHOD thread_block_tile<Size> part_of_warp() {
  return thread_block_tile<Size>(this_thread_block());
}
}  // namespace __bscope

/// Of all members, to each of them.
template <class Group, class T, class Op>
__BSCOPE_METHOD T reduce(const Group& g, T v, Op op) {
  if constexpr (!Group::is_lanes) {
    T of_warp = __bscope::reduce_by_xor(__bscope::part_of_warp<32>(), v, op);
    return g.over_warps(__bscope::lane() == 0, of_warp, [&](T mine) {
      return __bscope::reduce_by_xor(__bscope::part_of_warp<Group::warps>(), mine, op);
    });
  } else if constexpr (__bscope::is_tile<Group>::value) {
    return __bscope::reduce_by_xor(g, v, op);
  } else {
    if (g.size() == 32) return __bscope::reduce_by_xor(__bscope::part_of_warp<32>(), v, op);
    return g.shfl(__bscope::scan_by_up(g, v, op), (int)g.size() - 1);
  }
}
template <class Group, class T, class Op>
__BSCOPE_METHOD T inclusive_scan(const Group& g, T v, Op op) {
  if constexpr (!Group::is_lanes) {
    T of_warp = __bscope::scan_by_up(__bscope::part_of_warp<32>(), v, op);
    T before = g.over_warps(__bscope::lane() == 31, of_warp, [&](T mine) {
      auto warps = __bscope::part_of_warp<Group::warps>();
      return warps.shfl_up(__bscope::scan_by_up(warps, mine, op), 1);
    });
    return g.thread_rank() < 32 ? of_warp : op(of_warp, before);
  } else {
    return __bscope::scan_by_up(g, v, op);
  }
}
template <class Group, class T>
__BSCOPE_METHOD T inclusive_scan(const Group& g, T v) {
  return inclusive_scan(g, v, plus<T>());
}
template <class Group, class T, class Op>
__BSCOPE_METHOD T exclusive_scan(const Group& g, T v, Op op) {
  if constexpr (!Group::is_lanes) {
    auto warp = __bscope::part_of_warp<32>();
    T of_warp = __bscope::scan_by_up(warp, v, op);
    T before = g.over_warps(__bscope::lane() == 31, of_warp, [&](T mine) {
      auto warps = __bscope::part_of_warp<Group::warps>();
      T up = warps.shfl_up(__bscope::scan_by_up(warps, mine, op), 1);
      return warps.thread_rank() ? up : T();
    });
    of_warp = warp.shfl_up(of_warp, 1);
    if (warp.thread_rank() == 0) return before;
    return g.thread_rank() < 32 ? of_warp : op(of_warp, before);
  } else {
    T before = g.shfl_up(__bscope::scan_by_up(g, v, op), 1);
    return g.thread_rank() ? before : T();
  }
}
template <class Group, class T>
__BSCOPE_METHOD T exclusive_scan(const Group& g, T v) {
  return exclusive_scan(g, v, plus<T>());
}

// ---- with what an atomic of libcu++ held before, which is changed by the sum of all
namespace __bscope {
template <class Atomic, class T>
__BSCOPE_METHOD T change(Atomic& at, T v, plus<T>) {
  return at.fetch_add(v);
}
template <class Atomic, class T>
__BSCOPE_METHOD T change(Atomic& at, T v, less<T>) {
  return at.fetch_min(v);
}
template <class Atomic, class T>
__BSCOPE_METHOD T change(Atomic& at, T v, greater<T>) {
  return at.fetch_max(v);
}
template <class Atomic, class T, class Op>
__BSCOPE_METHOD T change(Atomic& at, T v, Op op) {
  T old = at.load();
  while (!at.compare_exchange_weak(old, op(old, v))) {}
  return old;
}
}  // namespace __bscope
template <class Group, class Atomic, class T, class Op>
__BSCOPE_METHOD T inclusive_scan_update(const Group& g, Atomic&& at, T v, Op op) {
  T scanned = inclusive_scan(g, v, op), old = T();
  if (g.thread_rank() == g.size() - 1) old = __bscope::change(at, scanned, op);
  return op(g.shfl(old, (int)g.size() - 1), scanned);
}
template <class Group, class Atomic, class T>
__BSCOPE_METHOD T inclusive_scan_update(const Group& g, Atomic&& at, T v) {
  return inclusive_scan_update(g, at, v, plus<T>());
}
template <class Group, class Atomic, class T, class Op>
__BSCOPE_METHOD T exclusive_scan_update(const Group& g, Atomic&& at, T v, Op op) {
  T scanned = exclusive_scan(g, v, op), old = T();
  if (g.thread_rank() == g.size() - 1) old = __bscope::change(at, g.size() == 1 ? v : op(scanned, v), op);
  old = g.shfl(old, (int)g.size() - 1);
  return g.thread_rank() == 0 ? old : op(old, scanned);
}
template <class Group, class Atomic, class T>
__BSCOPE_METHOD T exclusive_scan_update(const Group& g, Atomic&& at, T v) {
  return exclusive_scan_update(g, at, v, plus<T>());
}
template <class Group, class Atomic, class T, class Op>
__BSCOPE_METHOD void reduce_update_async(const Group& g, Atomic&& at, T v, Op op) {
  T all = reduce(g, v, op);
  if (g.thread_rank() == 0) __bscope::change(at, all, op);
}
template <class Group, class T, class Op>
__BSCOPE_METHOD void reduce_store_async(const Group& g, T* at, T v, Op op) {
  T all = reduce(g, v, op);
  if (g.thread_rank() == 0) *at = all;
}

template <unsigned Size, class Tile>
__BSCOPE_METHOD int __bscope::tile_of_size<Size, Tile, true>::any(int p) const {
  return reduce(*static_cast<const Tile*>(this), p != 0 ? 1 : 0, bit_or<int>());
}
template <unsigned Size, class Tile>
__BSCOPE_METHOD int __bscope::tile_of_size<Size, Tile, true>::all(int p) const {
  return reduce(*static_cast<const Tile*>(this), p != 0 ? 1 : 0, bit_and<int>());
}

/// A copy that all members make together, as a group of its own; wait() is where they have it.
template <class Group, class T>
__BSCOPE_METHOD void memcpy_async(const Group& g, T* to, const T* from, size_t bytes) {
  for (size_t k = g.thread_rank(); k < bytes / sizeof(T); k += g.size())
    __bscope_copy_async(to + k, from + k, sizeof(T), 0, alignof(T));
  __bscope_commit_copies();
}
/// The smaller of two counts of elements.
template <class Group, class T, class To, class From>
__BSCOPE_METHOD void memcpy_async(const Group& g, T* to, const To& room, const T* from, const From& count) {
  size_t most = (size_t)room < (size_t)count ? (size_t)room : (size_t)count;
  memcpy_async(g, to, from, most * sizeof(T));
}
template <class Group>
__BSCOPE_METHOD void wait(const Group& g) {
  __bscope_await_copies(0);
  g.sync();
}
template <unsigned Stages, class Group>
__BSCOPE_METHOD void wait_prior(const Group& g) {
  __bscope_await_copies(Stages);
  g.sync();
}
template <class Group, class F, class... Arguments>
__BSCOPE_METHOD void invoke_one(const Group& g, F&& f, Arguments&&... arguments) {
  if (g.thread_rank() == 0) f(arguments...);
}
template <class Group, class F, class... Arguments>
__BSCOPE_METHOD auto invoke_one_broadcast(const Group& g, F&& f, Arguments&&... arguments)
    -> decltype(f(arguments...)) {
  decltype(f(arguments...)) made{};
  if (g.thread_rank() == 0) made = f(arguments...);
  return g.shfl(made, 0);
}

/// Room that tiles of several warps need on older GPUs; here they have their own.
template <unsigned Threads = 1024>
struct block_tile_memory {
  char unused;
};
template <unsigned Threads>
__BSCOPE_METHOD thread_block this_thread_block(block_tile_memory<Threads>&) {
  return this_thread_block();
}
struct __BSCOPE_REFUSED("Barrierscope runs on one GPU: use this_grid() instead of this_multi_grid()")
    multi_grid_group {
  void sync() const;
};
int this_multi_grid()
    __BSCOPE_REFUSED("Barrierscope runs on one GPU: use this_grid() instead of this_multi_grid()");
}  // namespace cooperative_groups
#undef __BSCOPE_METHOD
#endif
