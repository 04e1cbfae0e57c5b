// The copy engine and its mbarriers, as one writes them by hand (PTX, compute capability 9.0). Read by nvcc
// only.
#pragma once

namespace bscope::tests {

struct Words {
  unsigned long long* at;
  int n;
};

__device__ inline unsigned address_in_shared(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define PTX(...) asm volatile(__VA_ARGS__)
#else
#define PTX(...) __trap()
#endif
__device__ inline void mbarrier_init(unsigned long long* m) {
  PTX("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address_in_shared(m)) : "memory");
  PTX("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ inline void mbarrier_expect(unsigned long long* m, int bytes) {
  PTX("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address_in_shared(m)), "r"(bytes) : "memory");
}
__device__ inline void mbarrier_await(unsigned long long* m, int parity) {
  PTX("{\n.reg .pred done;\nagain: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n@!done bra "
      "again;\n}" ::"r"(address_in_shared(m)),
      "r"(parity)
      : "memory");
}
__device__ inline void bulk_load(void* to, const void* from, int bytes, unsigned long long* m) {
  PTX("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          address_in_shared(to)),
      "l"(from), "r"(bytes), "r"(address_in_shared(m))
      : "memory");
}
/// A group of its own, empty for no bytes.
__device__ inline void bulk_store(void* to, const void* from, int bytes) {
  if (bytes)
    PTX("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(address_in_shared(from)),
        "r"(bytes)
        : "memory");
  PTX("cp.async.bulk.commit_group;" ::: "memory");
}
__device__ inline void fence_async() { PTX("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ inline void await_all_but_one_read() { PTX("cp.async.bulk.wait_group.read 1;" ::: "memory"); }
__device__ inline void await_all_read() { PTX("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
#undef PTX

}  // namespace bscope::tests
