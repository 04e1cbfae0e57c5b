// Operations whose rounding their name says, bit for bit.
#include <cstdio>

#define BITS_F(x) __float_as_uint(x)
#define BITS_D(x) (unsigned long long)__double_as_longlong(x)
#define FOUR_F(name, ...)                                                                                \
  printf(#name " %08x %08x %08x %08x\n", BITS_F(name##_rn(__VA_ARGS__)), BITS_F(name##_rz(__VA_ARGS__)), \
         BITS_F(name##_ru(__VA_ARGS__)), BITS_F(name##_rd(__VA_ARGS__)))
#define FOUR_D(name, ...)                                                            \
  printf(#name " %016llx %016llx %016llx %016llx\n", BITS_D(name##_rn(__VA_ARGS__)), \
         BITS_D(name##_rz(__VA_ARGS__)), BITS_D(name##_ru(__VA_ARGS__)), BITS_D(name##_rd(__VA_ARGS__)))

__global__ void floats(const float* in, int n) {
  for (int k = 0; k + 2 < n; ++k) {
    const float a = in[k], b = in[k + 1], c = in[k + 2];
    printf("%a %a %a\n", a, b, c);
    FOUR_F(__fadd, a, b);
    FOUR_F(__fsub, a, b);
    FOUR_F(__fmul, a, b);
    FOUR_F(__fmaf, a, b, c);
    if (b != 0) FOUR_F(__fdiv, a, b);
    if (a != 0) FOUR_F(__frcp, a);
    if (a >= 0) FOUR_F(__fsqrt, a);
    if (a > 0) printf("__frsqrt %08x\n", BITS_F(__frsqrt_rn(a)));
  }
}

__global__ void doubles(const double* in, int n) {
  for (int k = 0; k + 2 < n; ++k) {
    const double a = in[k], b = in[k + 1], c = in[k + 2];
    printf("%a %a %a\n", a, b, c);
    FOUR_D(__dadd, a, b);
    FOUR_D(__dsub, a, b);
    FOUR_D(__dmul, a, b);
    FOUR_D(__fma, a, b, c);
    if (b != 0) FOUR_D(__ddiv, a, b);
    if (a != 0) FOUR_D(__drcp, a);
    if (a >= 0) FOUR_D(__dsqrt, a);
  }
}

int main() {
  const float f[] = {1.f,   1e-8f, 3.f,    -7.1f,    0.f, 7.1f,   7.1f,      -7.1f,
                     3e38f, 2e38f, 1e-40f, 1.5e-42f, 2.f, -1e-8f, 16777216.f};
  const double d[] = {
      1, 1e-17, 3, -7.1, 0, 7.1, 7.1, -7.1, 1.5e308, 1.2e308, 1e-310, 5e-324, 2, -1e-18, 9007199254740992.};
  float* in_f;
  double* in_d;
  cudaMalloc(&in_f, sizeof f);
  cudaMalloc(&in_d, sizeof d);
  cudaMemcpy(in_f, f, sizeof f, cudaMemcpyHostToDevice);
  cudaMemcpy(in_d, d, sizeof d, cudaMemcpyHostToDevice);
  floats<<<1, 1>>>(in_f, 15);
  doubles<<<1, 1>>>(in_d, 15);
  cudaDeviceSynchronize();
  cudaFree(in_f);
  cudaFree(in_d);
}
