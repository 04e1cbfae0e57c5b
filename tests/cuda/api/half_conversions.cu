// Half precision: conversions to and from other types, in all roundings, as bits.
#include <cuda_fp16.h>

#include <cstdio>
#include <cstring>

enum { floats = 24, wholes = 16, halves = 24 };
__constant__ unsigned float_bits[floats] = {
    0x00000000, 0x80000000, 0x33000000, 0x33000001, 0xb3800000, 0x387fc000, 0x38800000, 0x3dcccccd,
    0x3f800000, 0x3f801000, 0x3f801001, 0x3f803000, 0xbf802fff, 0x40490fdb, 0x477fe000, 0x477fefff,
    0x477ff000, 0xc77ff000, 0x7149f2ca, 0x00000001, 0xb2ffffff, 0x7f800000, 0xff800000, 0x7fc00000};
__constant__ long long whole[wholes] = {
    0,          1,     -1,    2047,   2049,   2051,           -4098,
    65503,      65519, 65520, -65520, 100000, 123456789012ll, -4611686018427387904ll,
    0x7fffffff, -30000};
__constant__ unsigned short half_bits[halves] = {
    0x0000, 0x8000, 0x0001, 0x3800, 0xb800, 0x3e00, 0xbe00, 0x4100, 0xc100, 0x3c00, 0xbc00, 0x3bff,
    0x5640, 0xd840, 0x57f8, 0x5c00, 0x77ff, 0xf800, 0x7800, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7fff};

__global__ void from_floats(unsigned short* out) {
  int i = threadIdx.x;
  float f = __uint_as_float(float_bits[i]);
  out += i * 8;
  out[0] = __half_as_ushort(__float2half(f));
  out[1] = __half_as_ushort(__float2half_rn(f));
  out[2] = __half_as_ushort(__float2half_rz(f));
  out[3] = __half_as_ushort(__float2half_rd(f));
  out[4] = __half_as_ushort(__float2half_ru(f));
  out[5] = __half_as_ushort(__double2half(f));
  out[6] = __half_as_ushort(__double2half(1 + (double)f * 0x1p-60));
  out[7] = __half_as_ushort(__half(f));
}

__global__ void from_wholes(unsigned short* out) {
  int i = threadIdx.x;
  long long n = whole[i];
  out += i * 24;
#define ALL(at, function, type)                           \
  out[at + 0] = __half_as_ushort(function##_rn((type)n)); \
  out[at + 1] = __half_as_ushort(function##_rz((type)n)); \
  out[at + 2] = __half_as_ushort(function##_rd((type)n)); \
  out[at + 3] = __half_as_ushort(function##_ru((type)n));
  ALL(0, __int2half, int)
  ALL(4, __uint2half, unsigned)
  ALL(8, __short2half, short)
  ALL(12, __ushort2half, unsigned short)
  ALL(16, __ll2half, long long)
  ALL(20, __ull2half, unsigned long long)
}

__global__ void to_wholes(long long* out) {
  int i = threadIdx.x;
  __half h = __ushort_as_half(half_bits[i]);
  out += i * 28;
#define BACK(at, function)        \
  out[at + 0] = function##_rn(h); \
  out[at + 1] = function##_rz(h); \
  out[at + 2] = function##_rd(h); \
  out[at + 3] = function##_ru(h);
  BACK(0, __half2int)
  BACK(4, __half2uint)
  BACK(8, __half2short)
  BACK(12, __half2ushort)
  BACK(16, __half2ll)
  BACK(20, (long long)__half2ull)
  out[24] = __half2char_rz(h);
  out[25] = __half2uchar_rz(h);
  out[26] = (int)h;
  out[27] = (unsigned short)__half_as_short(h);
}

__global__ void to_floats(float* out) {
  int i = threadIdx.x;
  __half h = __ushort_as_half(half_bits[i]);
  out[2 * i] = __half2float(h);
  out[2 * i + 1] = h;
}

int main() {
  unsigned short* small;
  long long* large;
  float* parts;
  cudaMalloc(&small, wholes * 24 * sizeof *small);
  cudaMalloc(&large, halves * 28 * sizeof *large);
  cudaMalloc(&parts, halves * 2 * sizeof *parts);
  static unsigned short of_floats[floats * 8], of_wholes[wholes * 24];
  static long long to[halves * 28];
  static float numbers[halves * 2];
  from_floats<<<1, floats>>>(small);
  cudaMemcpy(of_floats, small, sizeof of_floats, cudaMemcpyDeviceToHost);
  for (int i = 0; i < floats; ++i)
    for (int k = 0; k < 8; ++k) printf("%04x%c", of_floats[i * 8 + k], k < 7 ? ' ' : '\n');
  from_wholes<<<1, wholes>>>(small);
  cudaMemcpy(of_wholes, small, sizeof of_wholes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < wholes; ++i)
    for (int k = 0; k < 24; ++k) printf("%04x%c", of_wholes[i * 24 + k], k < 23 ? ' ' : '\n');
  to_wholes<<<1, halves>>>(large);
  cudaMemcpy(to, large, sizeof to, cudaMemcpyDeviceToHost);
  for (int i = 0; i < halves; ++i)
    for (int k = 0; k < 28; ++k) printf("%lld%c", to[i * 28 + k], k < 27 ? ' ' : '\n');
  to_floats<<<1, halves>>>(parts);
  cudaMemcpy(numbers, parts, sizeof numbers, cudaMemcpyDeviceToHost);
  for (int i = 0; i + 1 < halves; ++i) {  // but the last, which is no number
    unsigned word;
    memcpy(&word, &numbers[2 * i], sizeof word);
    printf("%08x %.9g %.6g\n", word, numbers[2 * i], numbers[2 * i + 1]);
  }
  printf("on the host\n");
  for (float f : {0.1f, -1.0009766f, 65519.f, 65520.f, 1e-7f, 2.9802322e-8f, 3.14159265f}) {
    __half h = __float2half(f), z = __float2half_rz(f), d = __float2half_rd(f), u = __float2half_ru(f);
    printf("%04x %04x %04x %04x %d %u %d\n", __half_raw(h).x, __half_raw(z).x, __half_raw(d).x,
           __half_raw(u).x, __half2int_rz(h), __half2uint_rz(h), __half2short_rz(h));
  }
  for (int n : {2049, 2051, -4098, 65519, 65520})
    printf("%04x %04x %04x %04x %g\n", __half_raw(__int2half_rn(n)).x, __half_raw(__int2half_rz(n)).x,
           __half_raw(__ll2half_ru(n)).x, __half_raw(half(n)).x, (float)half(n));
  return 0;
}
