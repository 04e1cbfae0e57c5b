// ggml-org/llama.cpp#20507
#include <cstdio>
#include <vector>

const int SIDE = 16, MATRICES = 3;

__global__ void transpose_all(const int* in, int* out) {
  __shared__ int tile[SIDE][SIDE + 1];
  for (int m = 0; m < MATRICES; ++m) {
    int at = (m * SIDE + threadIdx.y) * SIDE + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = in[at];
    __syncthreads();
    out[at] = tile[threadIdx.x][threadIdx.y];
  }
}

int main() {
  const int n = MATRICES * SIDE * SIDE;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = i;
  int *d_in, *d_out, wrong = 0;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  transpose_all<<<1, dim3(SIDE, SIDE)>>>(d_in, d_out);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int m = 0; m < MATRICES; ++m)
    for (int y = 0; y < SIDE; ++y)
      for (int x = 0; x < SIDE; ++x) wrong += out[(m * SIDE + y) * SIDE + x] != in[(m * SIDE + x) * SIDE + y];
  printf("%d of %d are wrong\n", wrong, n);
  return wrong != 0;
}
