// Functions of half precision and bfloat16: those that are exact as bits, approximations to few digits.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

enum { inputs = 10, exact = 5, approximate = 12 };
__constant__ float values[inputs] = {0.25f, 0.5f, 0.75f, 1, 1.5f, 2, 2.25f, 3, 4, 5.5f};

template <class T>
__global__ void functions(unsigned short* bits, float* out) {
  int i = threadIdx.x;
  T x = T(values[i]);
  T results[exact] = {hfloor(-x), hceil(x), hrint(x), htrunc(-x), hsqrt(x * x)};
  for (int k = 0; k < exact; ++k) bits[i * exact + k] = *(unsigned short*)&results[k];
  T others[approximate] = {hsqrt(x), hrsqrt(x), hrcp(x),   hexp(x), hexp2(x), hexp10(x),
                           hlog(x),  hlog2(x),  hlog10(x), hsin(x), hcos(x),  htanh(x)};
  for (int k = 0; k < approximate; ++k) out[i * approximate + k] = float(others[k]);
}

__global__ void packed(float* out) {
  int i = threadIdx.x;
  __half2 v = __floats2half2_rn(values[i], values[inputs - 1 - i]);
  __half2 results[6] = {h2sqrt(v), h2exp(v), h2log2(v), h2floor(v), h2rcp(v), h2sin(v)};
  for (int k = 0; k < 6; ++k) {
    out[(i * 6 + k) * 2] = __low2float(results[k]);
    out[(i * 6 + k) * 2 + 1] = __high2float(results[k]);
  }
}

void print(const float* all, int n) {
  for (int k = 0; k < n; ++k) printf("%.1e%c", all[k], k == n - 1 ? '\n' : ' ');
}

template <class T>
void run(const char* name) {
  static unsigned short bits[inputs * exact], *d_bits;
  static float out[inputs * approximate], *d_out;
  cudaMalloc(&d_bits, sizeof bits);
  cudaMalloc(&d_out, sizeof out);
  functions<T><<<1, inputs>>>(d_bits, d_out);
  cudaMemcpy(bits, d_bits, sizeof bits, cudaMemcpyDeviceToHost);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("%s\n", name);
  for (int k = 0; k < inputs * exact; ++k) printf("%04x%c", bits[k], k % exact == exact - 1 ? '\n' : ' ');
  for (int i = 0; i < inputs; ++i) print(out + i * approximate, approximate);
  cudaFree(d_bits);
  cudaFree(d_out);
}

int main() {
  run<__half>("half");
  run<__nv_bfloat16>("bfloat16");
  static float out[inputs * 12], *d_out;
  cudaMalloc(&d_out, sizeof out);
  packed<<<1, inputs>>>(d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("half2\n");
  for (int i = 0; i < inputs; ++i) print(out + i * 12, 12);
  return 0;
}
