// The numbers greater than LIMIT move together, in their order. Each thread has a flag, 1 for a number that
// stays; the exclusive scan of the flags is the place where the number goes. The blocks' totals are scanned
// in a second launch, and a third one moves the numbers.
#include <cstdio>
#include <vector>

const int N = 24, BLOCK = 8, BLOCKS = (N + BLOCK - 1) / BLOCK, LIMIT = 6;

// Inclusive scan of one value a thread. Every thread of the block takes part.
__device__ int scan_block(int x) {
  __shared__ int sum[BLOCK];
  int i = threadIdx.x;
  sum[i] = x;
  for (int stride = 1; stride < BLOCK; stride *= 2) {
    __syncthreads();
    int left = i >= stride ? sum[i - stride] : 0;
    __syncthreads();
    sum[i] += left;
  }
  return sum[i];
}

__global__ void find_places(const int* in, int* place, int* totals, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  int flag = i < n && in[i] > LIMIT ? 1 : 0;
  int sum = scan_block(flag);
  if (i < n) place[i] = sum - flag;
  if (threadIdx.x == BLOCK - 1) totals[blockIdx.x] = sum;
}

// One block: totals become exclusive sums, BLOCK of them at a time; kept[0] is the sum of all.
__global__ void scan_totals(int* totals, int* kept, int n) {
  __shared__ int last;
  int before = 0;
  for (int first = 0; first < n; first += BLOCK) {
    int i = first + threadIdx.x;
    int x = i < n ? totals[i] : 0;
    int sum = scan_block(x);
    if (i < n) totals[i] = before + sum - x;
    if (threadIdx.x == BLOCK - 1) last = sum;
    __syncthreads();
    before += last;
    __syncthreads();
  }
  if (threadIdx.x == 0) *kept = before;
}

__global__ void move(const int* in, const int* place, const int* totals, int* out, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n && in[i] > LIMIT) out[totals[blockIdx.x] + place[i]] = in[i];
}

int main() {
  std::vector<int> numbers(N), expected;
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10;
    if (numbers[i] > LIMIT) expected.push_back(numbers[i]);
  }

  int *in, *place, *totals, *kept, *out, count = 0;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&place, N * sizeof(int));
  cudaMalloc(&totals, BLOCKS * sizeof(int));
  cudaMalloc(&kept, sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);

  find_places<<<BLOCKS, BLOCK>>>(in, place, totals, N);
  scan_totals<<<1, BLOCK>>>(totals, kept, BLOCKS);
  move<<<BLOCKS, BLOCK>>>(in, place, totals, out, N);

  cudaMemcpy(&count, kept, sizeof(int), cudaMemcpyDeviceToHost);
  std::vector<int> result(count);
  if (count > 0) cudaMemcpy(result.data(), out, count * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d of %d numbers are greater than %d: %s\n", count, N, LIMIT,
         result == expected ? "right" : "wrong");
  cudaFree(in);
  cudaFree(place);
  cudaFree(totals);
  cudaFree(kept);
  cudaFree(out);
  return result == expected ? 0 : 1;
}
