// Numbers of 8 bits: what becomes of each of the 256, and of floats between them, beyond them and below them.
#include <cuda_fp8.h>

#include <cstdio>

enum { numbers = 256, given = 24 };

template <class T>
__global__ void to_floats(const unsigned char* in, float* out) {
  T v;
  v.__x = in[threadIdx.x];
  out[threadIdx.x] = float(v);
}

template <class T, class T2, class T4, __nv_fp8_interpretation_t kind>
__global__ void from_floats(const float* in, unsigned* out) {
  int i = threadIdx.x;
  float v = in[i], w = in[(i + 1) % given];
  out += i * 12;
  out[0] = T(v).__x;
  out[1] = __nv_cvt_float_to_fp8(v, __NV_NOSAT, kind);
  out[2] = __nv_cvt_double_to_fp8(double(v) * 1.0000001, __NV_SATFINITE, kind);
  out[3] = T(__float2half_rn(v)).__x;
  out[4] = T(__float2bfloat16_rn(v)).__x;
  out[5] = T2(make_float2(v, w)).__x;
  out[6] = T4(make_float4(v, w, -v, 2 * w)).__x;
  out[7] = __half_raw(__half(T(v))).x;
  out[8] = __nv_bfloat16_raw(__nv_bfloat16(T(v))).x;
  out[9] = unsigned(int(T(w)));
  out[10] = __nv_cvt_fp8x2_to_halfraw2(T2(make_float2(v, w)).__x, kind).y;
  float4 all = float4(T4(__floats2half2_rn(v, w), __floats2half2_rn(w, v)));
  out[11] = __float_as_uint(all.x + all.z);
}

template <class T, class T2, class T4, __nv_fp8_interpretation_t kind>
void show(const char* name) {
  static const float floats[given] = {0.0f,   -0.0f,   1.0f,    -1.0f,   0.3f,    17.0f,   19.0f,  -21.0f,
                                      448.0f, 464.0f,  465.0f,  -1e6f,   1e-3f,   9.8e-4f, 3e-6f,  8e-6f,
                                      2e-5f,  0.0146f, 61439.f, 61440.f, 57344.f, 3.5f,    240.0f, 0.0625f};
  unsigned char* bytes;
  float *values, *in;
  unsigned* out;
  cudaMallocManaged(&bytes, numbers);
  cudaMallocManaged(&values, numbers * sizeof(float));
  cudaMallocManaged(&in, given * sizeof(float));
  cudaMallocManaged(&out, given * 12 * sizeof(unsigned));
  for (int k = 0; k < numbers; ++k) bytes[k] = (unsigned char)k;
  for (int k = 0; k < given; ++k) in[k] = floats[k];
  to_floats<T><<<1, numbers>>>(bytes, values);
  from_floats<T, T2, T4, kind><<<1, given>>>(in, out);
  cudaDeviceSynchronize();
  printf("%s\n", name);
  for (int k = 0; k < numbers; ++k) {
    T host;
    host.__x = (unsigned char)k;
    bool same = float(host) == values[k] || (float(host) != float(host) && values[k] != values[k]);
    printf("%g%s%s", values[k], same ? "" : " (the host has another)", k % 16 == 15 ? "\n" : " ");
  }
  for (int k = 0; k < given; ++k) {
    printf("%g:", in[k]);
    for (int i = 0; i < 12; ++i) printf(" %x", out[k * 12 + i]);
    printf(" host %x\n", unsigned(T(in[k]).__x));
  }
  cudaFree(bytes);
  cudaFree(values);
  cudaFree(in);
  cudaFree(out);
}

int main() {
  show<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3>("E4M3");
  show<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2>("E5M2");
  return 0;
}
