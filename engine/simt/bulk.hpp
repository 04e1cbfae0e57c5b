// Bulk copies: the copy engine moves a run of cells between global and shared memory while the threads go on,
// and an mbarrier tells when it has arrived. CUDA's cp.async.bulk and mbarrier (PTX, compute capability 9.0).
//
//   auto arrived = mbarriers(t, "arrived", stages);     each waits for one arrival a phase, and its cells
//   arrive_expect<T>(arrived[s], cells);                I am there; so many cells are on their way
//   bulk_copy(ring.at(slot), data.at(first), cells, arrived[s]);
//   await(arrived[s], parity);                          until the phase of that parity is complete
//   t.fence_async();                                    what I wrote, before the engine reads it
//   bulk_copy(out.at(first), ring.at(slot), cells);     back, as a group of its own
//   t.await_bulk_read(pending); t.await_bulk(pending);  all but the latest groups were read / are done
//
// Runs are moved 16 bytes at a time: places and lengths are multiples of that.
#pragma once

#include "engine/simt/array.hpp"

namespace bscope {
inline namespace HALF {

#ifdef __CUDACC__
// An older GPU compiles these, and stops at the first.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define BULK(...) __trap()
#else
#define BULK(...) asm volatile(__VA_ARGS__)
#endif
DEVICE uint32_t shared_address(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }

DEVICE void mbarrier_init(uint64_t& barrier) {
  BULK("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&barrier)) : "memory");
  BULK("fence.mbarrier_init.release.cluster;" ::: "memory");
}
template <class T>
DEVICE void arrive_expect(uint64_t& barrier, int cells) {
  BULK("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
       "r"(cells * int(sizeof(T)))
       : "memory");
}
DEVICE void await(uint64_t& barrier, int parity) {
  BULK(
      "{\n.reg .pred complete;\n"
      "again: mbarrier.try_wait.parity.shared.b64 complete, [%0], %1;\n"
      "@!complete bra again;\n}" ::"r"(shared_address(&barrier)),
      "r"(parity)
      : "memory");
}
template <class T>
DEVICE void bulk_copy(T* to, const T* from, int cells, uint64_t& barrier) {
  if (cells)
    BULK("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
             shared_address(to)),
         "l"(from), "r"(cells * int(sizeof(T))), "r"(shared_address(&barrier))
         : "memory");
}
template <class T>
DEVICE void bulk_copy(T* to, const T* from, int cells) {
  if (cells)
    BULK("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)),
         "r"(cells * int(sizeof(T)))
         : "memory");
  BULK("cp.async.bulk.commit_group;" ::: "memory");
}
#undef BULK
#else
// Only compiled, as part of a kernel's untraced form.
void mbarrier_init(uint64_t& barrier);
template <class T>
void arrive_expect(uint64_t& barrier, int cells);
void await(uint64_t& barrier, int parity);
template <class T>
void bulk_copy(T* to, const T* from, int cells, uint64_t& barrier);
template <class T>
void bulk_copy(T* to, const T* from, int cells);
#endif

/// Traced, a copy happens all at once when it is asked for, which is one of the moments at which it may: so
/// the trace is the same on every machine, and what orders the accesses decides whether a read is too early.
/// The 8 bytes of an mbarrier hold a count of their own (see Mbarrier).
template <class V>
DEVICE bool inside(const Begin<V>& b, int cells) {
  if (b.log->rehearses() || cells <= 0) return !b.log->rehearses();
  if (b.at.index < 0 || b.at.index + cells > b.n) {
    const auto stray = uint32_t(b.at.index < 0 ? b.at.index : b.at.index + cells - 1);
    b.log->stray({uint16_t(b.at.line), Op::fault, b.array, uint32_t(b.n), stray, 0});
  }
  if ((reinterpret_cast<uintptr_t>(b.p) | uintptr_t(cells) * sizeof(V)) % 16)
    b.log->unaligned({uint16_t(b.at.line), Op::bulk_read, b.array, uint32_t(cells), uint32_t(b.at.index), 0});
  return true;
}
template <class V>
DEVICE void move_cells(Begin<V> to, Begin<const V> from, int cells, uint32_t mbarrier) {
  const bool moves = inside(from, cells) && inside(to, cells);
  const auto line = uint16_t(to.at.line);
  const Event read{line, Op::bulk_read, from.array, uint32_t(cells), uint32_t(from.at.index), mbarrier};
  from.log->turn(read);
  for (int k = 0; moves && k < cells; ++k) to.p[k] = from.p[k];
  from.log->push(read);
  from.log->push({line, Op::bulk_write, to.array, uint32_t(cells), uint32_t(to.at.index), 0});
}
DEVICE void tell(const Cell<Tracked<uint64_t>>& barrier, int32_t bytes) {
  if (barrier.log->rehearses()) return;
#ifdef __CUDACC__
  __threadfence_block();
  auto* word = reinterpret_cast<unsigned long long*>(barrier.p);
  for (unsigned long long seen = *word, was = ~seen; seen != was;) {
    was = seen;
    seen = atomicCAS(word, was, Mbarrier::of(was).after(bytes).word());
  }
#else
  *barrier.p = Mbarrier::of(*barrier.p).after(bytes).word();
#endif
}
template <class V>
  requires(!std::is_const_v<V>)
DEVICE void bulk_copy(Begin<V> to, std::type_identity_t<Begin<const V>> from, int cells,
                      Cell<Tracked<uint64_t>>&& barrier) {
  move_cells(to, from, cells, uint32_t(barrier.array) << 24 | (barrier.index + 1));
  if (cells) tell(barrier, -cells * int(sizeof(V)));
}
template <class V>
  requires(!std::is_const_v<V>)
DEVICE void bulk_copy(Begin<V> to, std::type_identity_t<Begin<const V>> from, int cells) {
  move_cells(to, from, cells, 0);
}
template <class T>
DEVICE void arrive_expect(Cell<Tracked<uint64_t>>&& barrier, int cells) {
  const int bytes = cells * int(sizeof(plain<T>));
  const Event e{uint16_t(barrier.line), Op::arrive, barrier.array, uint32_t(bytes), barrier.index, 0};
  barrier.log->turn(e);
  tell(barrier, bytes);
  barrier.log->push(e);
}
DEVICE void await(Cell<Tracked<uint64_t>>&& barrier, int parity) {
  const Event e{uint16_t(barrier.line), Op::await, barrier.array, uint32_t(parity), barrier.index, 0};
  barrier.log->turn(e);
  if (!barrier.log->rehearses()) {
#ifdef __CUDACC__
    const volatile uint64_t* word = barrier.p;
    while (!Mbarrier::of(*word).complete(uint32_t(parity))) {}
    __threadfence_block();
#else
    while (!Mbarrier::of(*barrier.p).complete(uint32_t(parity))) {
      const uint32_t phases = Mbarrier::of(*barrier.p).phases;
      barrier.log->wait(e, barrier.p, &phases, sizeof phases);
    }
#endif
  }
  barrier.log->push(e);
}
DEVICE void mbarrier_init(Cell<Tracked<uint64_t>>&& barrier) { barrier.store(Tracked<uint64_t>(0)); }

/// n mbarriers of the block, each for one arrival a phase; the block must meet before others wait on them.
DEVICE auto mbarriers(auto& t, const char* name, int n, uint32_t line = __builtin_LINE()) {
  auto all = t.template shared_array<uint64_t>(name, n);
  if (t.rank() == 0)
    for (int k = 0; k < n; ++k) {
      if constexpr (std::is_same_v<decltype(all), Array<uint64_t>>)
        mbarrier_init(all[k]);
      else
        mbarrier_init(all[At(k, line)]);
    }
  return all;
}

}  // namespace HALF
}  // namespace bscope
