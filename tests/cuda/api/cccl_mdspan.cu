// cuda::std::mdspan: rows and columns, static extents, a transposed layout, three dimensions.
#include <cstdio>
#include <cuda/std/mdspan>

using matrix = cuda::std::mdspan<float, cuda::std::dextents<int, 2>>;
using columns = cuda::std::mdspan<const float, cuda::std::dextents<int, 2>, cuda::std::layout_left>;
using tile_of_four = cuda::std::mdspan<float, cuda::std::extents<int, 4, 4>>;

__global__ void stencil(matrix in, matrix out) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row > 0 && column > 0 && row < in.extent(0) - 1 && column < in.extent(1) - 1)
    out(row, column) =
        0.25f * (in(row - 1, column) + in(row + 1, column) + in(row, column - 1) + in(row, column + 1));
}

__global__ void transpose(columns in, matrix out) {
  int row = threadIdx.y, column = threadIdx.x;
  if (row < out.extent(0) && column < out.extent(1)) out(row, column) = in(row, column);
}

__global__ void product(const float* a, const float* b, float* c) {
  __shared__ float left[16], right[16];
  tile_of_four x(left), y(right);
  int row = threadIdx.y, column = threadIdx.x;
  x(row, column) = a[row * 4 + column];
  y(row, column) = b[row * 4 + column];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < x.extent(1); ++k) sum += x(row, k) * y(k, column);
  tile_of_four(c, cuda::std::extents<int, 4, 4>{})(row, column) = sum;
}

using box = cuda::std::mdspan<int, cuda::std::dextents<int, 3>>;

__global__ void volume(box v) {
  v(threadIdx.z, threadIdx.y, threadIdx.x) = threadIdx.z * 100 + threadIdx.y * 10 + threadIdx.x;
}

int main() {
  float *a, *b, *c;
  cudaMallocManaged(&a, 32 * 16 * sizeof(float));
  cudaMallocManaged(&b, 32 * 16 * sizeof(float));
  cudaMallocManaged(&c, 16 * sizeof(float));
  for (int i = 0; i < 32 * 16; ++i) a[i] = i % 53, b[i] = 0;
  stencil<<<dim3(4, 2), dim3(8, 8)>>>(matrix(a, 16, 32), matrix(b, 16, 32));
  cudaDeviceSynchronize();
  printf("%g %g %g\n", b[33], b[100], b[14 * 32 + 30]);
  transpose<<<1, dim3(8, 4)>>>(columns(a, 4, 8), matrix(b, 4, 8));
  cudaDeviceSynchronize();
  printf("%g %g %g\n", b[1], b[8], b[31]);
  product<<<1, dim3(4, 4)>>>(a, a + 16, c);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; ++i) printf("%g%c", c[i], i == 15 ? '\n' : ' ');
  int* v = (int*)b;
  volume<<<1, dim3(4, 3, 2)>>>(box(v, 2, 3, 4));
  cudaDeviceSynchronize();
  for (int i = 0; i < 24; ++i) printf("%d%c", v[i], i == 23 ? '\n' : ' ');
}
