// Conversions with a rounding in their name, and bits of floating point as integers.
#include <cstdio>

__global__ void floats(const float* in, int n) {
  for (int k = 0; k < n; ++k) {
    const float x = in[k];
    printf("%a: int %d %d %d %d, uint %u %u, ll %lld %lld %lld %lld, ull %llu\n", x, __float2int_rn(x),
           __float2int_rz(x), __float2int_ru(x), __float2int_rd(x), __float2uint_rn(x), __float2uint_rz(x),
           __float2ll_rn(x), __float2ll_rz(x), __float2ll_ru(x), __float2ll_rd(x), __float2ull_rn(x));
    printf("  bits %08x %d back %a\n", __float_as_uint(x), __float_as_int(x),
           __uint_as_float(__float_as_uint(x)));
  }
}

__global__ void doubles(const double* in, int n) {
  for (int k = 0; k < n; ++k) {
    const double x = in[k];
    printf("%a: float %a %a %a %a, int %d %d %d %d\n", x, __double2float_rn(x), __double2float_rz(x),
           __double2float_ru(x), __double2float_rd(x), __double2int_rn(x), __double2int_rz(x),
           __double2int_ru(x), __double2int_rd(x));
    printf("  ll %lld %lld, high %08x low %08x, back %a\n", __double2ll_rn(x), __double2ll_rd(x),
           __double2hiint(x), __double2loint(x), __hiloint2double(__double2hiint(x), __double2loint(x)));
  }
}

__global__ void integers(const long long* in, int n) {
  for (int k = 0; k < n; ++k) {
    const long long x = in[k];
    printf("%lld: float %a %a %a %a, double %a %a %a %a\n", x, __ll2float_rn(x), __ll2float_rz(x),
           __ll2float_ru(x), __ll2float_rd(x), __ll2double_rn(x), __ll2double_rz(x), __ll2double_ru(x),
           __ll2double_rd(x));
    const unsigned long long u = (unsigned long long)x;
    printf("  as unsigned: float %a %a %a %a, double %a %a %a %a\n", __ull2float_rn(u), __ull2float_rz(u),
           __ull2float_ru(u), __ull2float_rd(u), __ull2double_rn(u), __ull2double_rz(u), __ull2double_ru(u),
           __ull2double_rd(u));
    const int i = (int)x;
    printf("  as int: %a %a %a %a, as unsigned %a %a %a %a, %a\n", __int2float_rn(i), __int2float_rz(i),
           __int2float_ru(i), __int2float_rd(i), __uint2float_rn((unsigned)i), __uint2float_rz((unsigned)i),
           __uint2float_ru((unsigned)i), __uint2float_rd((unsigned)i), __int2double_rn(i));
  }
}

int main() {
  const float f[] = {0.5f, 1.5f, 2.5f, 3.75f, 16777216.f, 0.f, 100000.25f};
  const double d[] = {0.1, -0.1, 1 / 3.0, 123456789.75, -2.5, 1e-50, -1e-50, 1e9};
  const long long i[] = {
      0, 1, -1, 16777217, -16777217, 9007199254740993, -9007199254740993, 0x7fffffffffffffff};
  float* df;
  double* dd;
  long long* di;
  cudaMalloc(&df, sizeof f);
  cudaMalloc(&dd, sizeof d);
  cudaMalloc(&di, sizeof i);
  cudaMemcpy(df, f, sizeof f, cudaMemcpyHostToDevice);
  cudaMemcpy(dd, d, sizeof d, cudaMemcpyHostToDevice);
  cudaMemcpy(di, i, sizeof i, cudaMemcpyHostToDevice);
  floats<<<1, 1>>>(df, 7);
  doubles<<<1, 1>>>(dd, 8);
  integers<<<1, 1>>>(di, 8);
  cudaDeviceSynchronize();
  cudaFree(df);
  cudaFree(dd);
  cudaFree(di);
}
