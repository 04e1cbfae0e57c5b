// cuRAND's host API: the numbers in the order in which they lie in memory.
// nvcc: -lcurand
#include <curand.h>

#include <cstdio>
#include <vector>

template <class T, class Generate>
void show(const char* name, const char* format, size_t n, Generate generate) {
  T* out;
  cudaMalloc(&out, n * sizeof(T));
  const curandStatus_t status = generate(out, n);
  std::vector<T> host(n);
  cudaMemcpy(host.data(), out, n * sizeof(T), cudaMemcpyDeviceToHost);
  printf("%s %d:", name, (int)status);
  for (size_t k = 0; k < 6; ++k) printf(format, host[k]);
  for (size_t k = n - 4; k < n; ++k) printf(format, host[k]);
  printf("\n");
  cudaFree(out);
}

void all_of(curandRngType_t type, const char* name) {
  printf("%s\n", name);
  curandGenerator_t g;
  curandCreateGenerator(&g, type);
  show<unsigned>("bits of seed 0", " %u", 64,
                 [&](unsigned* to, size_t n) { return curandGenerate(g, to, n); });
  curandSetPseudoRandomGeneratorSeed(g, 1234);
  show<unsigned>("bits", " %u", 10000, [&](unsigned* to, size_t n) { return curandGenerate(g, to, n); });
  curandSetPseudoRandomGeneratorSeed(g, 1234);
  curandSetGeneratorOffset(g, 0);
  show<float>("uniform", " %a", 8192, [&](float* to, size_t n) { return curandGenerateUniform(g, to, n); });
  show<float>("uniform again", " %a", 8192,
              [&](float* to, size_t n) { return curandGenerateUniform(g, to, n); });
  curandSetPseudoRandomGeneratorSeed(g, 99);
  curandSetGeneratorOffset(g, 0);
  show<double>("uniform double", " %a", 4096,
               [&](double* to, size_t n) { return curandGenerateUniformDouble(g, to, n); });
  curandSetPseudoRandomGeneratorSeed(g, 99);
  curandSetGeneratorOffset(g, 0);
  show<float>("normal", " %.3f", 8192,
              [&](float* to, size_t n) { return curandGenerateNormal(g, to, n, 10, 2); });
  curandSetPseudoRandomGeneratorSeed(g, 99);
  curandSetGeneratorOffset(g, 0);
  show<double>("normal double", " %.9f", 8192,
               [&](double* to, size_t n) { return curandGenerateNormalDouble(g, to, n, 0, 1); });
  curandSetPseudoRandomGeneratorSeed(g, 99);
  curandSetGeneratorOffset(g, 0);
  show<float>("log normal", " %.3f", 8192,
              [&](float* to, size_t n) { return curandGenerateLogNormal(g, to, n, 0, 0.5f); });
  curandSetPseudoRandomGeneratorSeed(g, 99);
  curandSetGeneratorOffset(g, 40000);
  show<unsigned>("offset", " %u", 64, [&](unsigned* to, size_t n) { return curandGenerate(g, to, n); });
  curandDestroyGenerator(g);
}

__global__ void scale(float* data, int n) {
  for (int k = threadIdx.x; k < n; k += blockDim.x) data[k] = data[k] * 100;
}

int main() {
  all_of(CURAND_RNG_PSEUDO_DEFAULT, "default");
  all_of(CURAND_RNG_PSEUDO_PHILOX4_32_10, "philox");
  curandGenerator_t g;
  curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_XORWOW);
  curandSetPseudoRandomGeneratorSeed(g, 1234);
  float host[8];
  curandGenerateUniform(g, host, 8);
  for (float v : host) printf("%a ", v);
  printf("\n");
  curandDestroyGenerator(g);
  curandCreateGenerator(&g, CURAND_RNG_PSEUDO_XORWOW);
  float* data;
  cudaMalloc(&data, 64 * sizeof(float));
  curandGenerateUniform(g, data, 64);
  scale<<<1, 32>>>(data, 64);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  for (float v : host) printf("%a ", v);
  printf("\n");
  curandDestroyGenerator(g);
  cudaFree(data);
}
