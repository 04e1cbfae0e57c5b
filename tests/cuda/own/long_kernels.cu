// Launches that take long: the blocks that are not shown run as native code, with the same results.
#include <cstdio>
#include <vector>

constexpr int n = 208, tile = 16;
struct Mix {
  unsigned long long factor, seed;
  double scale;
};
struct Pair {
  unsigned long long high;
  double root;
};

/// Local arrays, 64 bits and their product's upper half, divisions, doubles, a struct that is copied.
__global__ void mix(Mix by, Pair* out, unsigned* counts) {
  unsigned long long last[4] = {by.seed, by.seed + 1, by.seed + 2, by.seed + 3};
  double sum = 0;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 1000; ++k) {
    unsigned long long& x = last[(k + i) % 4];
    x = x * by.factor + __umul64hi(x, by.factor) + i;
    out[i].high += x;
    sum = fma(double(x % 1000), by.scale, sum / 3);
  }
  Pair p = {out[i].high / (i + 1), sqrt(sum)};
  out[i] = p;
  atomicAdd(&counts[p.high % 8], 1);
}

/// Two barriers a round.
__global__ void multiply(const float* a, const float* b, float* c) {
  __shared__ float s[tile][tile], t[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    s[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int j = 0; j < tile; ++j) sum += s[threadIdx.y][j] * t[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main() {
  constexpr int threads = 4096;
  Pair* pairs;
  unsigned* counts;
  cudaMalloc(&pairs, threads * sizeof(Pair));
  cudaMalloc(&counts, 8 * sizeof(unsigned));
  cudaMemset(pairs, 0, threads * sizeof(Pair));
  cudaMemset(counts, 0, 8 * sizeof(unsigned));
  for (int k = 0; k < 2; ++k)
    mix<<<threads / 128, 128>>>({6364136223846793005u, 7ull + k, 0.25}, pairs, counts);
  std::vector<Pair> all(threads);
  unsigned totals[8] = {};
  cudaMemcpy(all.data(), pairs, threads * sizeof(Pair), cudaMemcpyDeviceToHost);
  cudaMemcpy(totals, counts, sizeof totals, cudaMemcpyDeviceToHost);
  unsigned long long bits = 0;
  double roots = 0;
  for (const Pair& p : all) bits = bits * 31 + p.high, roots += p.root;
  printf("%llx %.17g", bits, roots);
  for (unsigned total : totals) printf(" %u", total);

  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = i % 7 * 0.37f, b[i] = i % 5 * 0.11f;
  float *x = nullptr, *y = nullptr, *z = nullptr;  // a cudaMalloc behind a fault leaves them
  for (float** p : {&x, &y, &z}) cudaMalloc(p, sizeof(float) * n * n);
  cudaMemcpy(x, a.data(), sizeof(float) * n * n, cudaMemcpyHostToDevice);
  cudaMemcpy(y, b.data(), sizeof(float) * n * n, cudaMemcpyHostToDevice);
  for (int k = 0; k < 2; ++k) {
    multiply<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(x, y, z);
    cudaMemcpy(x, z, sizeof(float) * n * n, cudaMemcpyDeviceToDevice);
  }
  cudaMemcpy(c.data(), z, sizeof(float) * n * n, cudaMemcpyDeviceToHost);
  float sum = 0;
  for (float v : c) sum += v;
  printf(" %.9g\n", sum);
  for (float* p : {x, y, z}) cudaFree(p);
  cudaFree(pairs);
  cudaFree(counts);
}
