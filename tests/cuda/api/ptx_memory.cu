// Loads, stores, atomics and addresses in inline PTX.
#include <cstdint>
#include <cstdio>

__device__ __forceinline__ int load_streaming(const int* p) {
  int v;
  asm volatile("ld.global.cs.s32 %0, [%1];" : "=r"(v) : "l"(p));
  return v;
}
__device__ __forceinline__ void store_back(int* p, int v) {
  asm volatile("st.global.wb.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__global__ void copies(const int* in, int* out, const int4* in4, int4* out4) {
  int i = threadIdx.x;
  store_back(out + i, load_streaming(in + i) + 1);
  int4 v;
  asm volatile("ld.global.nc.v4.s32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(in4 + i));
  asm volatile("st.global.v4.s32 [%0], {%1, %2, %3, %4};" ::"l"(out4 + i), "r"(v.w), "r"(v.z), "r"(v.y),
               "r"(v.x)
               : "memory");
}

__global__ void in_shared(const int* in, int* out) {
  __shared__ int first[32], tile[32];
  int i = threadIdx.x;
  first[i] = -1;
  uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(&tile[i]));
  asm volatile("st.shared.s32 [%0], %1;" ::"r"(at), "r"(in[i]) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  uint32_t from = static_cast<uint32_t>(__cvta_generic_to_shared(&tile[0]));
  int own, next;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(own) : "r"(from + 4 * (31 - i)));
  asm volatile("ld.shared.s32 %0, [%1+4];" : "=r"(next) : "r"(from + 4 * (i % 31)));
  out[i] = own * 1000 + next + first[i];
}

__global__ void counts(int* total, unsigned* most, float* sum, unsigned long long* both) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int old;
  float before;
  asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(total), "r"(i) : "memory");
  asm volatile("red.global.max.u32 [%0], %1;" ::"l"(most), "r"(i * 7 % 64) : "memory");
  asm volatile("atom.relaxed.gpu.global.add.f32 %0, [%1], %2;"
               : "=f"(before)
               : "l"(sum), "f"(0.5f)
               : "memory");
  asm volatile("red.add.u64 [%0], %1;" ::"l"(both), "l"(1ull << 32 | i) : "memory");
  if (old < 0 || before < 0) *sum = -1;
  if (i == 0) {
    unsigned seen, expected = 100;
    asm volatile("atom.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(seen)
                 : "l"(most + 1), "r"(expected), "r"(77)
                 : "memory");
    asm volatile("atom.exch.b32 %0, [%1], %2;" : "=r"(seen) : "l"(most + 2), "r"(seen) : "memory");
  }
}

// One block hands a number to another.
__global__ void hand_over(int* data, int* flag, int* got) {
  if (blockIdx.x == 0) {
    data[0] = 42;
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
  } else {
    int set = 0;
    while (!set) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(set) : "l"(flag) : "memory");
    got[0] = data[0];
  }
}

int main() {
  int *in, *out, *flag;
  unsigned* most;
  float* sum;
  unsigned long long* both;
  cudaMallocManaged(&in, 128 * sizeof(int));
  cudaMallocManaged(&out, 160 * sizeof(int));
  cudaMallocManaged(&flag, 3 * sizeof(int));
  cudaMallocManaged(&most, 3 * sizeof(unsigned));
  cudaMallocManaged(&sum, sizeof(float));
  cudaMallocManaged(&both, sizeof(unsigned long long));
  for (int k = 0; k < 128; ++k) in[k] = k * k;
  copies<<<1, 32>>>(in, out, (int4*)in, (int4*)(out + 32));
  cudaDeviceSynchronize();
  for (int k = 0; k < 160; ++k) printf("%d%c", out[k], k % 32 == 31 ? '\n' : ' ');
  in_shared<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  for (int k = 0; k < 32; ++k) printf("%d%c", out[k], k == 31 ? '\n' : ' ');
  out[0] = 0, most[0] = 0, most[1] = 100, most[2] = 9, *sum = 0, *both = 0;
  counts<<<2, 64>>>(out, most, sum, both);
  cudaDeviceSynchronize();
  printf("%d %u %u %u %g %llx\n", out[0], most[0], most[1], most[2], *sum, *both);
  flag[0] = flag[1] = flag[2] = 0;
  hand_over<<<2, 1>>>(flag + 1, flag, flag + 2);
  cudaDeviceSynchronize();
  printf("%d\n", flag[2]);
}
