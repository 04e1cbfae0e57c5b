// Launches from a static object's constructor and destructor, as a GPU runs them.
#include <cstdio>

__constant__ int scale;
__global__ void fill(int* out) { out[threadIdx.x] = scale * int(threadIdx.x); }

struct Early {
  int *out, three = 3, host[32];
  Early() {
    cudaMemcpyToSymbol(scale, &three, sizeof three);
    cudaMalloc(&out, sizeof host);
    show("constructor");
  }
  ~Early() {
    show("destructor");
    cudaFree(out);
  }
  void show(const char* where) {
    fill<<<1, 32>>>(out);
    const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s %s %d\n", where, cudaGetErrorName(error), host[7]);
  }
} early;

int main() { early.show("main"); }
