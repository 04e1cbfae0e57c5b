// Launches a kernel, and then does what its argument says, none of which is right.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>

__global__ void fill(int* to, int value) { to[threadIdx.x] = value + threadIdx.x; }
__global__ void count(unsigned* to, unsigned long long rounds) {
  unsigned sum = 0;
  for (unsigned long long k = 0; k < rounds; ++k) sum += unsigned(k) ^ sum;
  *to = sum;
}

struct Room {
  volatile char bytes[1000];
};
/// In one line: where the stack ends is in a store, or in a call.
int deeper(int n, Room room = {}) { return deeper(n + 1) + room.bytes[n % 1000]; }

int main(int, char** arguments) {
  const auto is = [&](const char* what) { return !std::strcmp(arguments[1], what); };
  int* values = nullptr;
  cudaMalloc(&values, 32 * sizeof(int));
  fill<<<1, 32>>>(values, 7);
  cudaDeviceSynchronize();
  std::printf("before\n");
  std::fflush(stdout);
  if (is("endless-kernel")) count<<<1, 1>>>(reinterpret_cast<unsigned*>(values), ~0ull);
  if (is("endless-host"))
    for (volatile int k = 0;; k = k + 1) {}
  if (is("null-kernel")) {
    fill<<<1, 32>>>(nullptr, 7);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  }
  if (is("host-reads")) std::printf("%d\n", values[3]);
  if (is("host-writes")) values[3] = 4;
  if (is("host-copies")) std::memcpy(values, "0123456789", 8);
  if (is("exit")) std::exit(3);
  if (is("exits-quickly")) std::_Exit(4);
  if (is("abort")) std::abort();
  if (is("recursion")) std::printf("%d\n", deeper(0));
  if (is("throw")) throw std::runtime_error("nobody wants me");
  if (is("bad-alloc")) std::printf("%d\n", std::vector<char>(size_t(1) << 44)[5]);
  if (is("short-copy")) {
    int one = 0;
    cudaMemcpy(&one, values, 1 << 20, cudaMemcpyDeviceToHost);
  }
  if (is("null-copy")) cudaMemcpy(nullptr, values, 128, cudaMemcpyDeviceToHost);
  if (is("wild-copy"))
    cudaMemcpy(reinterpret_cast<void*>(0x1000f2345678), values, 128, cudaMemcpyDeviceToHost);
  if (is("managed-freed") || is("managed-beyond")) {
    int* managed = nullptr;
    cudaMallocManaged(&managed, 1000 * sizeof(int));
    if (is("managed-freed")) cudaFree(managed);
    managed[is("managed-freed") ? 3 : 1030] = 1;
  }
  if (is("managed-early")) {
    int* managed = nullptr;
    cudaMallocManaged(&managed, 4096 * sizeof(int));
    fill<<<1, 32>>>(managed, 1);
    std::printf("%d\n", managed[2]);
  }
  cudaFree(values);
}
