// A program that does one thing with CUDA's runtime, by its first argument (runtime_test.cpp). It prints what
// CUDA said.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

__managed__ int total;
__device__ int hits;
__constant__ int scale;
__global__ void scan(const int* in, int* out) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = in[i] * scale;
  for (int d = 1; d < 64; d *= 2) {
    __syncthreads();
    int v = i >= d ? s[i - d] : 0;
    __syncthreads();
    s[i] += v;
  }
  out[i] = s[i];
  atomicAdd(&total, 1);
  atomicAdd(&hits, in[i]);
}
__global__ void increment(int* m) { m[threadIdx.x] += 1; }
__global__ void claim(int* m) {
  if (m[0] >= 0) __trap();
}

void say(cudaError_t error) { printf("%s\n", cudaGetErrorName(error)); }

struct Fixture {
  std::vector<int> host = std::vector<int>(64, 1);
  int *in, *out;
  Fixture() {
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemcpy(in, host.data(), 256, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, 256);
  }
};

void right() {
  Fixture f;
  int two = 2, got = 0;
  cudaMemcpyToSymbol(scale, &two, sizeof two);
  scan<<<1, 64>>>(f.in, f.out);
  cudaMemcpy(f.host.data(), f.out, 256, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&got, hits, sizeof got);
  printf("%d %d %d\n", f.host[63], total, got);
  int *managed, *pinned, *registered = new int[64]();
  cudaMallocManaged(&managed, 256);
  cudaMallocHost(&pinned, 256);
  for (int i = 0; i < 64; ++i) managed[i] = pinned[i] = i;
  cudaHostRegister(registered, 256, 0);
  increment<<<1, 64>>>(managed);
  increment<<<1, 64>>>(pinned);
  increment<<<1, 64>>>(registered);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", managed[5], pinned[6], registered[7]);
  size_t pitch;
  char *pitched, rows[3][10], back[3][10] = {};
  for (int k = 0; k < 30; ++k) rows[k / 10][k % 10] = char(k);
  cudaMallocPitch(&pitched, &pitch, 10, 3);
  cudaMemcpy2D(pitched, pitch, rows, 10, 10, 3, cudaMemcpyHostToDevice);
  cudaMemcpy2D(back, 10, pitched, pitch, 10, 3, cudaMemcpyDeviceToHost);
  printf("%d\n", memcmp(rows, back, 30));
  cudaEvent_t start, stop;
  cudaStream_t stream;
  float milliseconds = -1;
  cudaStreamCreate(&stream);
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start, stream);
  increment<<<1, 64, 0, stream>>>(f.in);
  cudaEventRecord(stop, stream);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&milliseconds, start, stop);
  printf("%d\n", milliseconds > 0);
  cudaFree(f.in);
  cudaFree(f.out);
  cudaFree(managed);
  cudaFreeHost(pinned);
  cudaFree(pitched);
}

void from_threads() {
  Fixture f;
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      for (int n = 0; n < 8; ++n) increment<<<1, 64>>>(f.in);
    });
  for (std::thread& thread : threads) thread.join();
  cudaMemcpy(f.host.data(), f.in, 256, cudaMemcpyDeviceToHost);
  printf("%d\n", f.host[9]);
}

void mistakes() {
  Fixture f;
  scan<<<1, 2048>>>(f.in, f.out);
  say(cudaGetLastError());
  say(cudaGetLastError());
  scan<<<0, 64>>>(f.in, f.out);
  say(cudaGetLastError());
  scan<<<1, 64, 1 << 20>>>(f.in, f.out);
  say(cudaGetLastError());
  say(cudaMemcpy(f.host.data(), f.out, 256, cudaMemcpyHostToDevice));
  say(cudaMemcpy(f.host.data(), f.out, 512, cudaMemcpyDeviceToHost));
  say(cudaFree(f.in + 1));
  say(cudaFree(f.in));
  say(cudaFree(f.in));
  say(cudaMalloc(&f.in, 8ll << 40));
  say(cudaSetDevice(1));
}

void out_of_bounds() {
  Fixture f;
  increment<<<1, 128>>>(f.in);
  say(cudaGetLastError());
  say(cudaDeviceSynchronize());
  say(cudaMemcpy(f.host.data(), f.in, 256, cudaMemcpyDeviceToHost));
  cudaDeviceReset();
  say(cudaGetLastError());
}
void trap() {
  Fixture f;
  claim<<<1, 1>>>(f.in);
  say(cudaDeviceSynchronize());
}

int deep(int n) {
  volatile int much[1000];
  much[0] = n;
  return deep(n + 1) + much[0];
}
void spoil_heap() {
  for (int i = 0; i < 100; ++i) {
    char* p = (char*)malloc(2000);
    memset(p, 7, 2100);
    free(p);
  }
}

int main(int, char** arguments) {
  const std::string what = arguments[1];
  if (what == "no kernel") return 0;
  if (what == "looks at the device") {
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    return device.major >= 9;
  }
  if (what == "right") return right(), 7;
  if (what == "threads") return from_threads(), 0;
  if (what == "mistakes") return mistakes(), 0;
  if (what == "out of bounds") return out_of_bounds(), 0;
  if (what == "trap") return trap(), 0;
  Fixture f;
  increment<<<1, 64>>>(f.in);
  volatile int zero = 0;
  if (what == "exit") exit(3);                            // line: exit
  if (what == "device") f.in[0] = 1;                      // line: device
  if (what == "null") *(volatile int*)zero = 1;           // line: null
  if (what == "divide") printf("%d\n", 1 / zero);         // line: divide
  if (what == "abort") abort();                           // line: abort
  if (what == "throw") throw std::runtime_error("lost");  // line: throw
  if (what == "endless")
    while (!zero) free(malloc(9));  // line: endless
  if (what == "deep") return deep(0);
  if (what == "heap") spoil_heap();
  if (what == "large") cudaMalloc(&f.out, 8ll << 30);  // line: large
  if (what == "bad host")
    cudaMemcpy(f.in, (void*)0x123456789, 256, cudaMemcpyHostToDevice);  // line: bad host
}
