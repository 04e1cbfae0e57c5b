// The bits of NaNs: what floats' arithmetic and mathematics give is one pattern, doubles' keeps sign and
// payload.
#include <cmath>
#include <cstdio>
#include <cstring>

constexpr int most = 32;

__global__ void floats(float zero, float infinite, float nan, unsigned* out) {
  int n = 0;
  auto put = [&](float x) { out[n++] = __float_as_uint(x); };
  put(zero / zero);
  put(infinite - infinite);
  put(infinite + -infinite);
  put(zero * infinite);
  put(fmaf(zero, infinite, 1.f));
  put(__fadd_rd(infinite, -infinite));
  put(__fmul_ru(zero, infinite));
  put(nan + 1.f);
  put(nan * 2.f);
  put(-nan);
  put(fabsf(nan));
  put(copysignf(1.f, nan));
  put(sqrtf(-1.f - zero));
  put(rsqrtf(-1.f - zero));
  put(logf(-1.f - zero));
  put(sinf(infinite));
  put(acosf(2.f + zero));
  put(powf(-2.f - zero, 0.5f));
  put(fmodf(infinite, 1.f));
  put(floorf(nan));
  put(fminf(nan, zero));
  put(atomicAdd((float*)&out[most - 1], infinite));
  put(atomicAdd((float*)&out[most - 1], -infinite));
  out[n++] = out[most - 1];
}

__global__ void doubles(double zero, double infinite, double nan, unsigned long long* out) {
  int n = 0;
  auto put = [&](double x) { out[n++] = __double_as_longlong(x); };
  put(zero / zero);
  put(infinite - infinite);
  put(zero * infinite);
  put(fma(zero, infinite, 1.));
  put(nan + 1.);
  put(nan * 2.);
  put(-nan);
  put(sqrt(-1. - zero));
  put((double)(float)(zero / zero));
  put((double)((float)zero / (float)zero));
}

int main() {
  unsigned bits = 0xffc12345u, *words;
  unsigned long long wide_bits = 0xfff8000012345678ull, *wide;
  float nan;
  double wide_nan;
  memcpy(&nan, &bits, sizeof nan);
  memcpy(&wide_nan, &wide_bits, sizeof wide_nan);
  cudaMallocManaged(&words, most * sizeof *words);
  cudaMallocManaged(&wide, most * sizeof *wide);
  memset(words, 0, most * sizeof *words);
  memset(wide, 0, most * sizeof *wide);
  floats<<<1, 1>>>(0, INFINITY, nan, words);
  doubles<<<1, 1>>>(0, INFINITY, wide_nan, wide);
  cudaDeviceSynchronize();
  for (int k = 0; k < 24; ++k) printf("float %d %08x\n", k, words[k]);
  for (int k = 0; k < 10; ++k) printf("double %d %016llx\n", k, wide[k]);
  float first;
  memcpy(&first, &words[0], sizeof first);
  printf("%f %e\n", first, double(first));
  cudaFree(words);
  cudaFree(wide);
}
