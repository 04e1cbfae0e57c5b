// Threads that touch different bytes of one cell, in shared and in global memory: no race.
#include <cstdio>

extern __shared__ float carved[];
__global__ void parts(int* out, int* packed) {
  short* a = (short*)carved;
  float* b = (float*)&a[128];
  char* c = (char*)&b[64];
  int t = threadIdx.x, r = 63 - t;
  a[t] = t;
  a[t + 64] = -t;
  b[t] = t * .5f;
  c[t] = t;
  ((short*)packed)[t] = t;
  __syncthreads();
  ((short*)packed)[t] += 1;
  out[t] = a[r] + a[r + 64] + int(b[r] * 2) + c[r];
}
template <class T>
__global__ void sum(const T* in, T* out) {
  extern __shared__ int raw[];
  T* s = (T*)raw;
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = blockDim.x / 2; d; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (!t) *out = s[0];
}

int main() {
  int host[64], *out, *packed, bad = 0;
  short values[64], *in, *total, got = 0;
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&packed, 128);
  parts<<<1, 64, 256 + 256 + 64>>>(out, packed);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 64; ++t) bad += host[t] != 2 * (63 - t);
  for (int t = 0; t < 64; ++t) values[t] = t;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&total, sizeof got);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  sum<<<1, 64, sizeof values>>>(in, total);
  cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost);
  printf("bad %d, sum %d\n", bad, got);
}
