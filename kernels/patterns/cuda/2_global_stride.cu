// An access pattern to play with: thread k reads element OFFSET + k * STRIDE of an array in global memory and
// writes its own cell of another. How many sectors of 32 bytes must come for what a warp asks?
#include <cstdio>

const int N = 32, BLOCK = 32, BLOCKS = (N + BLOCK - 1) / BLOCK;
const int STRIDE = 2, OFFSET = 0, WIDTH = 4, PAD = 0;  // WIDTH: 4, 8 or 16 bytes that one instruction reads
const int NUMBERS = WIDTH / 4;                         // in an element
const int ELEMENTS = OFFSET + (N - 1) * STRIDE + 1;    // that are reached

// Where element k begins, in elements: after each 128 bytes lie PAD elements that are not used.
__host__ __device__ int place_of(int k) { return k + k / (32 / NUMBERS) * PAD; }

struct alignas(WIDTH) Element {
  int number[NUMBERS];
};

const int LAST = ELEMENTS - 1, PLACES = LAST + LAST / (32 / NUMBERS) * PAD + 1;

__global__ void read(const int* data, int* out, int n) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  Element x = ((const Element*)data)[place_of(OFFSET + k * STRIDE)];
  int sum = x.number[0];
  for (int j = 1; j < NUMBERS; j++) sum += x.number[j];
  out[k] = sum;
}

int main() {
  static int numbers[N], result[N];  // not on the stack, which is too small for a large N
  static Element laid_out[PLACES];   // the numbers again and again, as far as the threads reach
  for (int i = 0; i < N; i++) numbers[i] = 7 * i % 10 + 1;
  for (int e = 0; e < ELEMENTS; e++)
    for (int j = 0; j < NUMBERS; j++) laid_out[place_of(e)].number[j] = numbers[(e * NUMBERS + j) % N];

  int *data, *out;
  cudaMalloc(&data, PLACES * sizeof(Element));
  cudaMalloc(&out, N * sizeof(int));
  cudaMemcpy(data, laid_out, PLACES * sizeof(Element), cudaMemcpyHostToDevice);

  read<<<BLOCKS, BLOCK>>>(data, out, N);

  cudaMemcpy(result, out, N * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int k = 0; k < N; k++) {
    int sum = 0, element = OFFSET + k * STRIDE;
    for (int j = 0; j < NUMBERS; j++) sum += numbers[(element * NUMBERS + j) % N];
    if (k < 100) printf("%d ", result[k]);
    if (result[k] != sum) wrong++;
  }
  printf("\n%d of %d are wrong\n", wrong, N);
  cudaFree(data);
  cudaFree(out);
  return wrong ? 1 : 0;
}
