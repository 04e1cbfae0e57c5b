// bfloat16: conversions to and from other types, in all roundings, as bits.
#include <cuda_bf16.h>

#include <cstdio>
#include <cstring>

enum { floats = 24, wholes = 16, smalls = 24 };
__constant__ unsigned float_bits[floats] = {
    0x00000000, 0x80000000, 0x00000001, 0x00008000, 0x00008001, 0x80018000, 0x007fffff, 0x00800000,
    0x3f800000, 0x3f808000, 0x3f808001, 0x3f818000, 0xbf817fff, 0x40490fdb, 0x3dcccccd, 0x437f8000,
    0x7f7f7fff, 0x7f7f8000, 0xff7f8000, 0x7f7fffff, 0x33000001, 0x7f800000, 0xff800000, 0x7fc00000};
__constant__ long long whole[wholes] = {0,
                                        1,
                                        -1,
                                        257,
                                        259,
                                        261,
                                        -513,
                                        65503,
                                        65519,
                                        65520,
                                        -65408,
                                        100000,
                                        123456789012ll,
                                        -4611686018427387904ll,
                                        0x7fffffff,
                                        0x4040000000000001ll};
__constant__ unsigned short small_bits[smalls] = {
    0x0000, 0x8000, 0x0001, 0x3f00, 0xbf00, 0x3fc0, 0xbfc0, 0x4020, 0xc020, 0x3f80, 0xbf80, 0x3f7f,
    0x42c8, 0xc308, 0x42fe, 0x4380, 0x46ff, 0xc700, 0x4f00, 0x5f7f, 0xff7f, 0x7f80, 0xff80, 0x7fff};

__global__ void from_floats(unsigned short* out) {
  int i = threadIdx.x;
  float f = __uint_as_float(float_bits[i]);
  out += i * 8;
  out[0] = __bfloat16_as_ushort(__float2bfloat16(f));
  out[1] = __bfloat16_as_ushort(__float2bfloat16_rn(f));
  out[2] = __bfloat16_as_ushort(__float2bfloat16_rz(f));
  out[3] = __bfloat16_as_ushort(__float2bfloat16_rd(f));
  out[4] = __bfloat16_as_ushort(__float2bfloat16_ru(f));
  out[5] = __bfloat16_as_ushort(__double2bfloat16(f));
  out[6] = __bfloat16_as_ushort(__double2bfloat16(1 + (double)f * 0x1p-60));
  out[7] = __bfloat16_as_ushort(__nv_bfloat16(f));
}

__global__ void from_wholes(unsigned short* out) {
  int i = threadIdx.x;
  long long n = whole[i];
  out += i * 24;
#define ALL(at, function, type)                               \
  out[at + 0] = __bfloat16_as_ushort(function##_rn((type)n)); \
  out[at + 1] = __bfloat16_as_ushort(function##_rz((type)n)); \
  out[at + 2] = __bfloat16_as_ushort(function##_rd((type)n)); \
  out[at + 3] = __bfloat16_as_ushort(function##_ru((type)n));
  ALL(0, __int2bfloat16, int)
  ALL(4, __uint2bfloat16, unsigned)
  ALL(8, __short2bfloat16, short)
  ALL(12, __ushort2bfloat16, unsigned short)
  ALL(16, __ll2bfloat16, long long)
  ALL(20, __ull2bfloat16, unsigned long long)
}

__global__ void to_wholes(long long* out) {
  int i = threadIdx.x;
  __nv_bfloat16 h = __ushort_as_bfloat16(small_bits[i]);
  out += i * 28;
#define BACK(at, function)        \
  out[at + 0] = function##_rn(h); \
  out[at + 1] = function##_rz(h); \
  out[at + 2] = function##_rd(h); \
  out[at + 3] = function##_ru(h);
  BACK(0, __bfloat162int)
  BACK(4, __bfloat162uint)
  BACK(8, __bfloat162short)
  BACK(12, __bfloat162ushort)
  BACK(16, __bfloat162ll)
  BACK(20, (long long)__bfloat162ull)
  out[24] = __bfloat162char_rz(h);
  out[25] = __bfloat162uchar_rz(h);
  out[26] = (int)h;
  out[27] = (unsigned short)__bfloat16_as_short(h);
}

__global__ void to_floats(float* out) {
  int i = threadIdx.x;
  __nv_bfloat16 h = __ushort_as_bfloat16(small_bits[i]);
  out[2 * i] = __bfloat162float(h);
  out[2 * i + 1] = h;
}

int main() {
  unsigned short* small;
  long long* large;
  float* parts;
  cudaMalloc(&small, wholes * 24 * sizeof *small);
  cudaMalloc(&large, smalls * 28 * sizeof *large);
  cudaMalloc(&parts, smalls * 2 * sizeof *parts);
  static unsigned short of_floats[floats * 8], of_wholes[wholes * 24];
  static long long to[smalls * 28];
  static float numbers[smalls * 2];
  from_floats<<<1, floats>>>(small);
  cudaMemcpy(of_floats, small, sizeof of_floats, cudaMemcpyDeviceToHost);
  for (int i = 0; i < floats; ++i)
    for (int k = 0; k < 8; ++k) printf("%04x%c", of_floats[i * 8 + k], k < 7 ? ' ' : '\n');
  from_wholes<<<1, wholes>>>(small);
  cudaMemcpy(of_wholes, small, sizeof of_wholes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < wholes; ++i)
    for (int k = 0; k < 24; ++k) printf("%04x%c", of_wholes[i * 24 + k], k < 23 ? ' ' : '\n');
  to_wholes<<<1, smalls>>>(large);
  cudaMemcpy(to, large, sizeof to, cudaMemcpyDeviceToHost);
  for (int i = 0; i < smalls; ++i)
    for (int k = 0; k < 28; ++k) printf("%lld%c", to[i * 28 + k], k < 27 ? ' ' : '\n');
  to_floats<<<1, smalls>>>(parts);
  cudaMemcpy(numbers, parts, sizeof numbers, cudaMemcpyDeviceToHost);
  for (int i = 0; i + 1 < smalls; ++i) {  // but the last, which is no number
    unsigned word;
    memcpy(&word, &numbers[2 * i], sizeof word);
    printf("%08x %.9g %.6g\n", word, numbers[2 * i], numbers[2 * i + 1]);
  }
  printf("on the host\n");
  for (float f : {0.1f, -1.0039062f, 65519.f, 255.5f, 1e-39f, 3.3961775e38f, 3.14159265f}) {
    __nv_bfloat16 h = __float2bfloat16(f), z = __float2bfloat16_rz(f), d = __float2bfloat16_rd(f),
                  u = __float2bfloat16_ru(f);
    printf("%04x %04x %04x %04x %d %u %d\n", __nv_bfloat16_raw(h).x, __nv_bfloat16_raw(z).x,
           __nv_bfloat16_raw(d).x, __nv_bfloat16_raw(u).x, __bfloat162int_rz(h), __bfloat162uint_rz(h),
           __bfloat162short_rz(h));
  }
  for (int n : {257, 259, -513, 65519, 65520})
    printf("%04x %04x %04x %04x %g\n", __nv_bfloat16_raw(__int2bfloat16_rn(n)).x,
           __nv_bfloat16_raw(__int2bfloat16_rn(-n)).x, __nv_bfloat16_raw(__ll2bfloat16_rn(n)).x,
           __nv_bfloat16_raw(nv_bfloat16(n)).x, (float)nv_bfloat16(n));
  return 0;
}
