// The numbers greater than LIMIT move together, in their order. place[i] is where number i goes in its
// block's part, totals[b] is how many numbers stay of block b and, after a scan, where its part begins.
#include <cstdio>
#include <vector>

const int N = 24, BLOCK = 8, BLOCKS = (N + BLOCK - 1) / BLOCK, LIMIT = 4;

__global__ void find_places(const int* in, int* place, int* totals, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n && in[i] > LIMIT) place[i] = atomicAdd(&totals[blockIdx.x], 1);
}

__global__ void scan_totals(int* totals, int n) {
  int before = 0;
  for (int b = 0; b < n; b++) {
    int here = totals[b];
    totals[b] = before;
    before += here;
  }
}

__global__ void move(const int* in, const int* place, const int* totals, int* out, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n && in[i] > LIMIT) out[totals[blockIdx.x] + place[i]] = in[i];
}

int main() {
  std::vector<int> numbers(N), expected, result(N);
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10;
    if (numbers[i] > LIMIT) expected.push_back(numbers[i]);
  }
  expected.resize(N, -1);

  int *in, *place, *totals, *out;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&place, N * sizeof(int));
  cudaMalloc(&totals, BLOCKS * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0xff, N * sizeof(int));

  find_places<<<BLOCKS, BLOCK>>>(in, place, totals, N);
  scan_totals<<<1, 1>>>(totals, BLOCKS);
  move<<<BLOCKS, BLOCK>>>(in, place, totals, out, N);

  cudaMemcpy(result.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d numbers: %s\n", N, result == expected ? "right" : "wrong");
  cudaFree(in);
  cudaFree(place);
  cudaFree(totals);
  cudaFree(out);
  return result == expected ? 0 : 1;
}
