// Bulk copies: the copy engine moves a run of cells between global and shared memory while the threads go on,
// and an mbarrier tells when it has arrived. CUDA's cp.async.bulk and mbarrier (PTX, compute capability 9.0).
//
//   auto arrived = mbarriers(t, "arrived", stages);             each waits for one arrival a phase, and its cells
//   arrive_expect<T>(arrived[s], cells);                        I am there; so many cells are on their way
//   bulk_copy(ring.at(slot), data.at(first), cells, arrived[s]);
//   await(arrived[s], parity);                                  until the phase of that parity is complete
//   t.fence_async();                                            what I wrote, before the engine reads it
//   bulk_copy(out.at(first), ring.at(slot), cells);             back, as a group of its own
//   t.await_bulk_read(pending); t.await_bulk(pending);          all but the latest groups were read / are done
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
#endif

/// n mbarriers of the block, each for one arrival a phase; the block must meet before others wait on them.
DEVICE auto mbarriers(auto& t, const char* name, int n) {
  auto all = t.template shared_array<uint64_t>(name, n);
  if (t.rank() == 0)
    for (int k = 0; k < n; ++k) mbarrier_init(all[k]);
  return all;
}

}  // namespace HALF
}  // namespace bscope
