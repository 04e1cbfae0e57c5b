// A shuffle reads a register of another lane of the warp: no shared memory, no barrier of the block. Four
// kernels, each on the 32 values of every warp: a sum in lane 0, the sum in every lane, the sums up to each
// lane, and one lane's value given to all.
#include <cstdio>
#include <vector>

const int N = 32, BLOCK = 32, WARP = 32, BLOCKS = (N + BLOCK - 1) / BLOCK, WARPS = (N + WARP - 1) / WARP;
const unsigned ALL = 0xffffffff;

__global__ void sum_down(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % WARP;
  int x = i < n ? in[i] : 0;
  for (int distance = WARP / 2; distance > 0; distance /= 2) x += __shfl_down_sync(ALL, x, distance);
  if (lane == 0 && i < n) out[i / WARP] = x;
}

__global__ void sum_for_all(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i < n ? in[i] : 0;
  for (int distance = 1; distance < WARP; distance *= 2) x += __shfl_xor_sync(ALL, x, distance);
  if (i < n) out[i] = x;
}

__global__ void scan(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % WARP;
  int x = i < n ? in[i] : 0;
  for (int distance = 1; distance < WARP; distance *= 2) {
    int left = __shfl_up_sync(ALL, x, distance);
    if (lane >= distance) x += left;
  }
  if (i < n) out[i] = x;
}

__global__ void from_first(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i < n ? in[i] : 0;
  int first = __shfl_sync(ALL, x, 0);
  if (i < n) out[i] = x - first;
}

int main() {
  std::vector<int> numbers(N), sums(WARPS), totals(N), scanned(N), differences(N);
  for (int i = 0; i < N; i++) numbers[i] = 1 + 7 * i % 10;

  int *in, *out;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);

  sum_down<<<BLOCKS, BLOCK>>>(in, out, N);
  cudaMemcpy(sums.data(), out, WARPS * sizeof(int), cudaMemcpyDeviceToHost);
  sum_for_all<<<BLOCKS, BLOCK>>>(in, out, N);
  cudaMemcpy(totals.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);
  scan<<<BLOCKS, BLOCK>>>(in, out, N);
  cudaMemcpy(scanned.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);
  from_first<<<BLOCKS, BLOCK>>>(in, out, N);
  cudaMemcpy(differences.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);

  int wrong = 0;
  for (int first = 0; first < N; first += WARP) {
    int last = first + WARP < N ? first + WARP : N, sum = 0;
    for (int i = first; i < last; i++) {
      sum += numbers[i];
      wrong += scanned[i] != sum || differences[i] != numbers[i] - numbers[first];
    }
    wrong += sums[first / WARP] != sum;
    for (int i = first; i < last; i++) wrong += totals[i] != sum;
  }
  printf("%d numbers, %d wrong\n", N, wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong ? 1 : 0;
}
