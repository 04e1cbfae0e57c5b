// An access pattern to play with: lane l of every warp reads element OFFSET + l * STRIDE of a tile in shared
// memory. Which banks are asked, and how often must each of them answer?
#include <cstdio>

const int N = 32, BLOCK = 32, BLOCKS = (N + BLOCK - 1) / BLOCK;
const int STRIDE = 2, OFFSET = 0, WIDTH = 4, PAD = 0;   // WIDTH: 4, 8 or 16 bytes that one instruction reads
const int NUMBERS = WIDTH / 4;                          // in an element
const int TILE = NUMBERS * (OFFSET + 31 * STRIDE + 1);  // numbers that are reached

// Where element k begins, in elements: after each 128 bytes lie PAD elements that are not used.
__host__ __device__ int place_of(int k) { return k + k / (32 / NUMBERS) * PAD; }

struct alignas(WIDTH) Element {
  int number[NUMBERS];
};

__global__ void read(const int* data, int* out, int n) {
  const int LAST = TILE / NUMBERS - 1;
  __shared__ Element tile[LAST + LAST / (32 / NUMBERS) * PAD + 1];
  int i = threadIdx.x, k = blockIdx.x * blockDim.x + i;
  for (int j = i; j < TILE; j += blockDim.x) tile[place_of(j / NUMBERS)].number[j % NUMBERS] = data[j % n];
  __syncthreads();

  if (k >= n) return;
  Element x = tile[place_of(OFFSET + i % 32 * STRIDE)];
  int sum = x.number[0];
  for (int j = 1; j < NUMBERS; j++) sum += x.number[j];
  out[k] = sum;
}

int main() {
  static int numbers[N], result[N];  // not on the stack, which is too small for a large N
  for (int i = 0; i < N; i++) numbers[i] = 7 * i % 10 + 1;

  int *data, *out;
  cudaMalloc(&data, N * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMemcpy(data, numbers, N * sizeof(int), cudaMemcpyHostToDevice);

  read<<<BLOCKS, BLOCK>>>(data, out, N);

  cudaMemcpy(result, out, N * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int k = 0; k < N; k++) {
    int sum = 0, element = OFFSET + k % BLOCK % 32 * STRIDE;
    for (int j = 0; j < NUMBERS; j++) sum += numbers[(element * NUMBERS + j) % N];
    if (k < 100) printf("%d ", result[k]);
    if (result[k] != sum) wrong++;
  }
  printf("\n%d of %d are wrong\n", wrong, N);
  cudaFree(data);
  cudaFree(out);
  return wrong ? 1 : 0;
}
