// Integer intrinsics: bits, products, means, differences, shifts of two words.
#include <cstdio>

__global__ void words(const unsigned* in, int n) {
  for (int k = 0; k < n; ++k) {
    const unsigned a = in[k], b = in[(k + 3) % n], c = in[(k + 5) % n];
    const int i = (int)a, j = (int)b;
    printf("%08x %08x %08x\n", a, b, c);
    printf("  popc %d clz %d ffs %d brev %08x\n", __popc(a), __clz(i), __ffs(i), __brev(a));
    printf("  mul24 %d %u mulhi %d %u\n", __mul24(i, j), __umul24(a, b), __mulhi(i, j), __umulhi(a, b));
    printf("  hadd %d %d %u %u sad %u %u\n", __hadd(i, j), __rhadd(i, j), __uhadd(a, b), __urhadd(a, b),
           __sad(i, j, c), __usad(a, b, c));
    printf("  byte_perm %08x %08x %08x\n", __byte_perm(a, b, 0x5410), __byte_perm(a, b, c),
           __byte_perm(a, b, 0x0123));
    printf("  funnelshift %08x %08x %08x %08x\n", __funnelshift_l(a, b, c), __funnelshift_r(a, b, c),
           __funnelshift_lc(a, b, c), __funnelshift_rc(a, b, c));
    printf("  fns %u %u %u\n", __fns(a, 0, 3), __fns(a, 31, -2), __fns(a, 8, 0));
    printf("  min %d %u max %d %u\n", min(i, j), min(a, b), max(i, j), max(a, b));
  }
}

__global__ void longs(const unsigned long long* in, int n) {
  for (int k = 0; k < n; ++k) {
    const unsigned long long a = in[k], b = in[(k + 2) % n];
    printf("%016llx: popc %d clz %d ffs %d brev %016llx\n", a, __popcll(a), __clzll((long long)a),
           __ffsll((long long)a), __brevll(a));
    printf("  mul64hi %016llx %016llx\n", (unsigned long long)__mul64hi((long long)a, (long long)b),
           __umul64hi(a, b));
  }
}

int main() {
  const unsigned w[] = {0, 1, 0x80000000, 0x7fffffff, 0xffffffff, 0x12345678, 0xfedcba98, 40};
  const unsigned long long l[] = {
      0, 1, 0x8000000000000000, 0x7fffffffffffffff, 0xffffffffffffffff, 0x123456789abcdef0};
  unsigned* in;
  unsigned long long* in_long;
  cudaMalloc(&in, sizeof w);
  cudaMalloc(&in_long, sizeof l);
  cudaMemcpy(in, w, sizeof w, cudaMemcpyHostToDevice);
  cudaMemcpy(in_long, l, sizeof l, cudaMemcpyHostToDevice);
  words<<<1, 1>>>(in, 8);
  longs<<<1, 1>>>(in_long, 6);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(in_long);
}
