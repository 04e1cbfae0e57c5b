// Integer arithmetic and bits in inline PTX.
#include <cstdio>

__global__ void arithmetic(const int* in, unsigned* out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  int a = in[i], b = in[(i + 1) % n];
  unsigned r[16];
  asm("add.s32 %0, %1, %2;" : "=r"(r[0]) : "r"(a), "r"(b));
  asm("sub.s32 %0, %1, %2;" : "=r"(r[1]) : "r"(a), "r"(b));
  asm("mul.lo.s32 %0, %1, %2;" : "=r"(r[2]) : "r"(a), "r"(b));
  asm("mul.hi.s32 %0, %1, %2;" : "=r"(r[3]) : "r"(a), "r"(b));
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(r[4]) : "r"(a), "r"(b));
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(r[5]) : "r"(a), "r"(b), "r"(7));
  long long wide;
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(wide) : "r"(a), "r"(b), "l"(1ll << 40));
  r[6] = (unsigned)wide, r[7] = (unsigned)(wide >> 32);
  asm("min.s32 %0, %1, %2;" : "=r"(r[8]) : "r"(a), "r"(b));
  asm("max.u32 %0, %1, %2;" : "=r"(r[9]) : "r"(a), "r"(b));
  asm("abs.s32 %0, %1;" : "=r"(r[10]) : "r"(a));
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(r[11]) : "r"(a), "r"(b), "r"(1));
  asm("div.s32 %0, %1, %2;" : "=r"(r[12]) : "r"(a), "r"(b | 1));
  asm("rem.u32 %0, %1, %2;" : "=r"(r[13]) : "r"(a), "r"(b | 1));
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(r[14]) : "r"(a), "r"(b));
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(r[15]) : "r"(a), "r"(b), "r"(5));
  for (int k = 0; k < 16; ++k) out[i * 16 + k] = r[k];
}

__global__ void bits(const int* in, unsigned* out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  int a = in[i], b = in[(i + 1) % n], c = in[(i + 2) % n];
  unsigned r[20];
  asm("bfe.u32 %0, %1, 4, 8;" : "=r"(r[0]) : "r"(a));
  asm("bfe.s32 %0, %1, 20, 16;" : "=r"(r[1]) : "r"(a));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r[2]) : "r"(a), "r"(3), "r"(5));
  asm("bfi.b32 %0, %1, %2, 8, 12;" : "=r"(r[3]) : "r"(a), "r"(b));
  asm("bfind.u32 %0, %1;" : "=r"(r[4]) : "r"(a));
  asm("bfind.s32 %0, %1;" : "=r"(r[5]) : "r"(a));
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(r[6]) : "r"(a));
  asm("brev.b32 %0, %1;" : "=r"(r[7]) : "r"(a));
  asm("popc.b32 %0, %1;" : "=r"(r[8]) : "r"(a));
  asm("clz.b32 %0, %1;" : "=r"(r[9]) : "r"(a));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r[10]) : "r"(a), "r"(b), "r"(c));
  asm("lop3.b32 %0, %1, %2, %3, 0xE2;" : "=r"(r[11]) : "r"(a), "r"(b), "r"(c));
  asm("prmt.b32 %0, %1, %2, 0x0123;" : "=r"(r[12]) : "r"(a), "r"(b));
  asm("prmt.b32 %0, %1, %2, 0x96e5;" : "=r"(r[13]) : "r"(a), "r"(b));
  asm("shf.l.wrap.b32 %0, %1, %2, 5;" : "=r"(r[14]) : "r"(a), "r"(b));
  asm("shf.r.clamp.b32 %0, %1, %2, 40;" : "=r"(r[15]) : "r"(a), "r"(b));
  asm("shr.s32 %0, %1, 33;" : "=r"(r[16]) : "r"(a));
  asm("shl.b32 %0, %1, 32;" : "=r"(r[17]) : "r"(a));
  asm("cnot.b32 %0, %1;" : "=r"(r[18]) : "r"(a));
  asm("not.b32 %0, %1;" : "=r"(r[19]) : "r"(a));
  for (int k = 0; k < 20; ++k) out[i * 20 + k] = r[k];
}

// 128 bits as two halves, with carry.
__global__ void carries(const unsigned long long* in, unsigned long long* out) {
  unsigned long long low, high, less, borrowed;
  asm("{\n\t"
      "add.cc.u64 %0, %2, %4;\n\t"
      "addc.u64 %1, %3, %5;\n\t"
      "}"
      : "=l"(low), "=l"(high)
      : "l"(in[0]), "l"(in[1]), "l"(in[2]), "l"(in[3]));
  asm("sub.cc.u64 %0, %2, %4; subc.u64 %1, %3, %5;"
      : "=l"(less), "=l"(borrowed)
      : "l"(in[2]), "l"(in[1]), "l"(in[0]), "l"(in[3]));
  unsigned a, b, c;
  asm("add.cc.u32 %0, %3, %4; addc.cc.u32 %1, %3, %4; addc.u32 %2, 0, 0;"
      : "=r"(a), "=r"(b), "=r"(c)
      : "r"(0xffffffffu), "r"(0x80000001u));
  out[0] = low, out[1] = high, out[2] = less, out[3] = borrowed;
  out[4] = a, out[5] = b, out[6] = c;
}

int main() {
  const int n = 8;
  int values[n] = {0, 1, -1, 12345, -98765, 0x7fffffff, (int)0x80000000, 0x00ff10a5};
  int* in;
  unsigned* out;
  cudaMallocManaged(&in, sizeof values);
  cudaMallocManaged(&out, n * 20 * sizeof(unsigned));
  for (int k = 0; k < n; ++k) in[k] = values[k];
  arithmetic<<<1, 32>>>(in, out, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 16; ++k) printf("%08x%c", out[i * 16 + k], k == 15 ? '\n' : ' ');
  bits<<<1, 32>>>(in, out, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 20; ++k) printf("%08x%c", out[i * 20 + k], k == 19 ? '\n' : ' ');
  unsigned long long *wide, *sums;
  cudaMallocManaged(&wide, 4 * sizeof *wide);
  cudaMallocManaged(&sums, 7 * sizeof *sums);
  wide[0] = ~0ull, wide[1] = 5, wide[2] = 2, wide[3] = 7;
  carries<<<1, 1>>>(wide, sums);
  cudaDeviceSynchronize();
  for (int k = 0; k < 7; ++k) printf("%016llx\n", sums[k]);
}
