// Floating point, comparisons and conversions in inline PTX.
#include <cstdio>

__global__ void numbers(const float* in, float* out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  float a = in[i], b = in[(i + 1) % n], r[12];
  asm("add.f32 %0, %1, %2;" : "=f"(r[0]) : "f"(a), "f"(b));
  asm("mul.rn.f32 %0, %1, %2;" : "=f"(r[1]) : "f"(a), "f"(b));
  asm("fma.rn.f32 %0, %1, %2, 0f3F000000;" : "=f"(r[2]) : "f"(a), "f"(b));
  asm("max.f32 %0, %1, %2;" : "=f"(r[3]) : "f"(a), "f"(b));
  asm("abs.f32 %0, %1;" : "=f"(r[4]) : "f"(a));
  asm("neg.f32 %0, %1;" : "=f"(r[5]) : "f"(a));
  asm("add.sat.f32 %0, %1, %2;" : "=f"(r[6]) : "f"(a), "f"(0.25f));
  asm("sqrt.rn.f32 %0, %1;" : "=f"(r[7]) : "f"(a * a));
  asm("div.rn.f32 %0, %1, %2;" : "=f"(r[8]) : "f"(a), "f"(3.0f));
  asm("rcp.rn.f32 %0, %1;" : "=f"(r[9]) : "f"(a));
  asm("copysign.f32 %0, %1, %2;" : "=f"(r[10]) : "f"(a), "f"(b));
  asm("ex2.approx.f32 %0, %1;" : "=f"(r[11]) : "f"(2.0f));
  for (int k = 0; k < 12; ++k) out[i * 12 + k] = r[k];
}

__global__ void conversions(const float* in, int* out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  float a = in[i], back;
  int r[8];
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(r[0]) : "f"(a));
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(r[1]) : "f"(a));
  asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(r[2]) : "f"(a));
  asm("cvt.rpi.s32.f32 %0, %1;" : "=r"(r[3]) : "f"(a));
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(back) : "r"(r[0] * 3));
  r[4] = __float_as_int(back);
  double wide;
  asm("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(a));
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(back) : "d"(wide * 1.5));
  r[5] = __float_as_int(back);
  asm("mov.b32 %0, %1;" : "=r"(r[6]) : "f"(a));
  asm("set.gt.u32.f32 %0, %1, 0f3F800000;" : "=r"(r[7]) : "f"(a));
  for (int k = 0; k < 8; ++k) out[i * 8 + k] = r[k];
}

__global__ void halves(const unsigned long long* in, unsigned* out) {
  unsigned low, high;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(in[0]));
  unsigned long long swapped;
  asm("mov.b64 %0, {%1, %2};" : "=l"(swapped) : "r"(high), "r"(low));
  out[0] = low, out[1] = high, out[2] = (unsigned)swapped, out[3] = (unsigned)(swapped >> 32);
}

int main() {
  const int n = 6;
  float values[n] = {0.5f, -1.75f, 2.5f, 100.25f, -0.125f, 3.0f};
  float *in, *out;
  int* integers;
  unsigned long long* wide;
  cudaMallocManaged(&in, sizeof values);
  cudaMallocManaged(&out, n * 12 * sizeof(float));
  cudaMallocManaged(&integers, n * 8 * sizeof(int));
  cudaMallocManaged(&wide, sizeof *wide);
  for (int k = 0; k < n; ++k) in[k] = values[k];
  numbers<<<1, 32>>>(in, out, n);
  conversions<<<1, 32>>>(in, integers, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 12; ++k) printf("%.9g%c", out[i * 12 + k], k == 11 ? '\n' : ' ');
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 8; ++k) printf("%08x%c", (unsigned)integers[i * 8 + k], k == 7 ? '\n' : ' ');
  *wide = 0x0123456789abcdefull;
  halves<<<1, 1>>>(wide, (unsigned*)integers);
  cudaDeviceSynchronize();
  printf("%08x %08x %08x %08x\n", integers[0], integers[1], integers[2], integers[3]);
}
