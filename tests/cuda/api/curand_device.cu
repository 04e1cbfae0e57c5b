// cuRAND's generators in kernels: the numbers themselves, their skips, and the distributions.
#include <curand_kernel.h>

#include <cstdio>

template <class State>
__device__ void bits(const char* name) {
  const unsigned long long seeds[] = {0, 1234, 0x123456789abcdef};
  for (int k = 0; k < 3; ++k)
    for (int sequence = 0; sequence < 3; ++sequence) {
      State s;
      curand_init(seeds[k], sequence * 37, sequence, &s);
      printf("%s %llu, %d:", name, seeds[k], sequence);
      for (int n = 0; n < 6; ++n) printf(" %u", curand(&s));
      skipahead(1000003, &s);
      printf(" | %u", curand(&s));
      skipahead_sequence(5, &s);
      printf(" | %u\n", curand(&s));
    }
}

template <class State>
__device__ void shares(const char* name) {
  State s;
  curand_init(42, 7, 0, &s);
  printf("%s:", name);
  for (int n = 0; n < 5; ++n) printf(" %a", curand_uniform(&s));
  for (int n = 0; n < 4; ++n) printf(" %a", curand_uniform_double(&s));
  printf("\n");
}

// The sine of a float is approximate on a GPU: few digits are the same.
template <class State>
__device__ void normals(const char* name) {
  State s;
  curand_init(42, 7, 0, &s);
  printf("%s:", name);
  for (int n = 0; n < 5; ++n) printf(" %.3f", curand_normal(&s));
  for (int n = 0; n < 3; ++n) printf(" %.10f", curand_normal_double(&s));
  const float2 two = curand_normal2(&s);
  const double2 more = curand_normal2_double(&s);
  printf(" %.3f %.3f %.10f %.10f", two.x, two.y, more.x, more.y);
  for (int n = 0; n < 3; ++n) printf(" %.3f", curand_log_normal(&s, 0.5f, 0.25f));
  for (int n = 0; n < 3; ++n) printf(" %.9f", curand_log_normal_double(&s, 0.5, 0.25));
  for (int n = 0; n < 4; ++n) printf(" %u", curand_poisson(&s, 3.5));
  printf("\n");
}

__global__ void all() {
  bits<curandStateXORWOW_t>("xorwow");
  bits<curandStatePhilox4_32_10_t>("philox");
  bits<curandStateMRG32k3a_t>("mrg");
  shares<curandState>("xorwow");
  shares<curandStatePhilox4_32_10_t>("philox");
  shares<curandStateMRG32k3a_t>("mrg");
  normals<curandState>("xorwow");
  normals<curandStatePhilox4_32_10_t>("philox");
  normals<curandStateMRG32k3a_t>("mrg");
}

__global__ void fours() {
  curandStatePhilox4_32_10_t s;
  curand_init(99, 3, 2, &s);
  const uint4 b = curand4(&s);
  const float4 u = curand_uniform4(&s);
  const double2 d = curand_uniform2_double(&s);
  const float4 n = curand_normal4(&s);
  printf("%u %u %u %u, %a %a %a %a, %a %a, %.3f %.3f %.3f %.3f\n", b.x, b.y, b.z, b.w, u.x, u.y, u.z, u.w,
         d.x, d.y, n.x, n.y, n.z, n.w);
}

// Each thread has a sequence of its own, as programs use them: their states stay in global memory.
__global__ void setup(curandState* states) { curand_init(2024, threadIdx.x, 0, &states[threadIdx.x]); }
__global__ void draw(curandState* states, float* out) {
  curandState mine = states[threadIdx.x];
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += curand_uniform(&mine);
  out[threadIdx.x] = sum;
  states[threadIdx.x] = mine;
}

int main() {
  all<<<1, 1>>>();
  fours<<<1, 1>>>();
  curandState* states;
  float *out, host[32];
  cudaMalloc(&states, 32 * sizeof(curandState));
  cudaMalloc(&out, sizeof host);
  setup<<<1, 32>>>(states);
  for (int round = 0; round < 2; ++round) {
    draw<<<1, 32>>>(states, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (float v : host) printf("%a ", v);
    printf("\n");
  }
  cudaFree(states);
  cudaFree(out);
}
