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

class grid_group {
 public:
  static __BSCOPE_METHOD void sync() { __bscope_sync_grid(); }
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
};
__BSCOPE_METHOD grid_group this_grid() { return {}; }

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

/// A tile whose size is a power of two and known when the program is compiled.
template <unsigned Size, class Parent = void>
class thread_block_tile : public __bscope_lanes<thread_block_tile<Size, Parent>> {
  static_assert(
      Size <= 32 && (Size & (Size - 1)) == 0,
      "Barrierscope has tiles of 1, 2, 4, 8, 16 and 32 threads: larger ones wait with __syncthreads()");
  typedef __bscope_lanes<thread_block_tile<Size, Parent>> Base;

 public:
  template <class Group>
  explicit __BSCOPE_METHOD thread_block_tile(const Group&)
      : Base(__bscope::tile_mask(Size), Size, __bscope::lane() % Size) {}
  template <class Other>
  __BSCOPE_METHOD thread_block_tile(const thread_block_tile<Size, Other>&)
      : Base(__bscope::tile_mask(Size), Size, __bscope::lane() % Size) {}
  static __BSCOPE_METHOD unsigned size() { return Size; }
  static __BSCOPE_METHOD unsigned num_threads() { return Size; }
  static __BSCOPE_METHOD unsigned thread_rank() { return __bscope::lane() % Size; }
  static __BSCOPE_METHOD unsigned meta_group_size() {
    return (__bscope::threads_of_block() + Size - 1) / Size;
  }
  static __BSCOPE_METHOD unsigned meta_group_rank() { return __bscope::rank_in_block() / Size; }
#define __BSCOPE_TILE_SHUFFLE(name, B)                                                                      \
  template <class T>                                                                                        \
  __BSCOPE_METHOD T name(T v, B by) const {                                                                 \
    unsigned mask = this->mask_;                                                                            \
    if constexpr (__bscope::is_number<T>::value) {                                                          \
      return __##name##_sync(mask, v, by, (int)Size);                                                       \
    } else {                                                                                                \
      return __bscope::in_words(v,                                                                          \
                                [=](unsigned word) { return __##name##_sync(mask, word, by, (int)Size); }); \
    }                                                                                                       \
  }
  __BSCOPE_TILE_SHUFFLE(shfl, int)
  __BSCOPE_TILE_SHUFFLE(shfl_up, unsigned)
  __BSCOPE_TILE_SHUFFLE(shfl_down, unsigned)
  __BSCOPE_TILE_SHUFFLE(shfl_xor, int)
#undef __BSCOPE_TILE_SHUFFLE
  static __BSCOPE_METHOD unsigned lane_of(unsigned rank) { return __bscope::lane() / Size * Size + rank; }
  static __BSCOPE_METHOD unsigned ranks_of(unsigned lanes) {
    return Size == 32 ? lanes : (lanes >> (__bscope::lane() / Size * Size)) & __bscope::below(Size % 32);
  }
};

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
/// The members that say the same.
template <class Group>
__BSCOPE_METHOD coalesced_group binary_partition(const Group& g, bool predicate) {
  unsigned yes = __ballot_sync(g.__bscope_mask(), predicate);
  return coalesced_group(predicate ? yes : g.__bscope_mask() & ~yes, 2, predicate ? 0 : 1);
}
template <class Group, class Label>
__BSCOPE_METHOD coalesced_group labeled_partition(const Group& g, Label label) {
  return coalesced_group(__match_any_sync(g.__bscope_mask(), label));
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

/// Of all members, to each of them.
template <class Group, class T, class Op>
__BSCOPE_METHOD T reduce(const Group& g, T v, Op op) {
  unsigned size = g.size(), rank = g.thread_rank();
  for (unsigned step = 1; step < size; step *= 2) {
    T other = g.shfl_down(v, step);
    if (rank + step < size) v = op(v, other);
  }
  return g.shfl(v, 0);
}
template <class Group, class T, class Op = plus<T>>
__BSCOPE_METHOD T inclusive_scan(const Group& g, T v, Op op = Op()) {
  unsigned size = g.size(), rank = g.thread_rank();
  for (unsigned step = 1; step < size; step *= 2) {
    T other = g.shfl_up(v, step);
    if (rank >= step) v = op(other, v);
  }
  return v;
}
template <class Group, class T, class Op = plus<T>>
__BSCOPE_METHOD T exclusive_scan(const Group& g, T v, Op op = Op()) {
  T before = g.shfl_up(inclusive_scan(g, v, op), 1);
  return g.thread_rank() ? before : T();
}

/// A copy that all members make together; wait() is where they have it.
template <class Group, class T>
__BSCOPE_METHOD void memcpy_async(const Group& g, T* to, const T* from, size_t bytes) {
  for (size_t k = g.thread_rank(); k < bytes / sizeof(T); k += g.size()) to[k] = from[k];
}
template <class Group>
__BSCOPE_METHOD void wait(const Group& g) {
  g.sync();
}
template <unsigned Stages, class Group>
__BSCOPE_METHOD void wait_prior(const Group& g) {
  g.sync();
}
template <class Group, class F>
__BSCOPE_METHOD void invoke_one(const Group& g, F f) {
  if (g.thread_rank() == 0) f();
}

template <unsigned Threads>
struct block_tile_memory {
  __device__ block_tile_memory()
      __BSCOPE_REFUSED("Barrierscope has tiles of 1 to 32 threads: larger ones wait with __syncthreads()");
};
struct __BSCOPE_REFUSED("Barrierscope runs on one GPU: use this_grid() instead of this_multi_grid()")
    multi_grid_group {
  void sync() const;
};
int this_multi_grid()
    __BSCOPE_REFUSED("Barrierscope runs on one GPU: use this_grid() instead of this_multi_grid()");
}  // namespace cooperative_groups
#undef __BSCOPE_METHOD
#endif
