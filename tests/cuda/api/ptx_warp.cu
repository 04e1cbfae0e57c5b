// Special registers, shuffles, votes and predicates in inline PTX.
#include <cstdio>

__device__ unsigned lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__global__ void positions(unsigned* out) {
  unsigned below, at_most, thread, block, size;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(at_most));
  asm("mov.u32 %0, %%tid.x;" : "=r"(thread));
  asm("mov.u32 %0, %%ctaid.x;" : "=r"(block));
  asm("mov.u32 %0, %%ntid.x;" : "=r"(size));
  unsigned i = block * size + thread;
  out[i] = lane_id() + 100 * __popc(below) + 10000 * __popc(at_most);
}

__global__ void clocks(int* later) {
  unsigned start, end;
  unsigned long long long_start, long_end, time_start, time_end;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(start)::"memory");
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(long_start)::"memory");
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time_start)::"memory");
  int sum = 0;
  for (int k = 0; k < 100; ++k) sum += later[0] * k;
  later[1] = sum;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(end)::"memory");
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(long_end)::"memory");
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time_end)::"memory");
  later[2] = end != start;
  later[3] = long_end > long_start;
  later[4] = time_end >= time_start;
}

__global__ void exchanges(const int* in, int* out) {
  int i = threadIdx.x, v = in[i], r[8];
  asm volatile("shfl.sync.idx.b32 %0, %1, 5, 0x1f, 0xffffffff;" : "=r"(r[0]) : "r"(v));
  asm volatile("shfl.sync.up.b32 %0, %1, 1, 0, 0xffffffff;" : "=r"(r[1]) : "r"(v));
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r[2]) : "r"(v), "r"(2));
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(r[3]) : "r"(v));
  // in segments of eight lanes
  asm volatile("shfl.sync.down.b32 %0, %1, 3, 0x181f, 0xffffffff;" : "=r"(r[4]) : "r"(v));
  unsigned votes;
  asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 40; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(votes)
               : "r"(v));
  r[5] = (int)votes;
  // a step of a scan: only lanes with a neighbour add
  asm volatile(
      "{\n\t"
      "  .reg .s32 r0;\n\t"
      "  .reg .pred p;\n\t"
      "  shfl.sync.up.b32 r0|p, %1, 1, 0, 0xffffffff;\n\t"
      "  @p add.s32 r0, r0, %1;\n\t"
      "  mov.s32 %0, r0;\n\t"
      "}"
      : "=r"(r[6])
      : "r"(v));
  asm volatile("{ .reg .pred p; match.any.sync.b32 %0, %1, 0xffffffff; }" : "=r"(r[7]) : "r"(v % 3));
  for (int k = 0; k < 8; ++k) out[i * 8 + k] = r[k];
}

__global__ void predicates(const int* in, int* out) {
  int i = threadIdx.x, v = in[i], r;
  asm volatile(
      "{ .reg .pred p, q;\n\t"
      "  setp.lt.s32 p|q, %1, 16;\n\t"
      "  mov.s32 %0, 7;\n\t"
      "  @p mul.lo.s32 %0, %1, 2;\n\t"
      "  @!p sub.s32 %0, %0, %1;\n\t"
      "  @q st.global.s32 [%2], %1;\n\t"
      "}"
      : "=&r"(r)
      : "r"(v), "l"(out + 32 + i)
      : "memory");
  int chosen;
  asm("{ .reg .pred p; setp.eq.s32 p, %1, 9; selp.s32 %0, 1, 2, p; }" : "=r"(chosen) : "r"(v));
  out[i] = r * 10 + chosen;
}

__global__ void ends(int* out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x % 2) asm volatile("exit;");
  out[threadIdx.x] = 2;
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 32 * sizeof(int));
  cudaMallocManaged(&out, 256 * sizeof(int));
  for (int k = 0; k < 32; ++k) in[k] = k * 3;
  positions<<<2, 32>>>((unsigned*)out);
  cudaDeviceSynchronize();
  for (int k = 0; k < 64; ++k) printf("%d%c", out[k], k % 32 == 31 ? '\n' : ' ');
  out[0] = 1;
  clocks<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", out[1], out[2], out[3], out[4]);
  exchanges<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  for (int k = 0; k < 256; ++k) printf("%x%c", (unsigned)out[k], k % 8 == 7 ? '\n' : ' ');
  for (int k = 0; k < 64; ++k) out[k] = -1;
  predicates<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  for (int k = 0; k < 64; ++k) printf("%d%c", out[k], k % 32 == 31 ? '\n' : ' ');
  ends<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int k = 0; k < 32; ++k) printf("%d%c", out[k], k == 31 ? '\n' : ' ');
}
