// As CUDA was until version 11: textures and a surface are variables of the file, bound by name.
#include <cstdio>
#include <cstdlib>

texture<float, 1, cudaReadModeElementType> line;
texture<uchar4, 2, cudaReadModeNormalizedFloat> picture;
texture<float, cudaTextureType2D> grid;
static texture<int> numbers;
surface<void, 2> board;

template <class T>
__device__ T middle(texture<T, 2> t, float x, float y) {
  return tex2D(t, x + 0.5f, y + 0.5f);
}
__global__ void sums(float* out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = tex1Dfetch(line, i) + tex1Dfetch(numbers, n - 1 - i);
}
__global__ void colours(float* out) {
  float4 p = tex2D(picture, threadIdx.x, threadIdx.y);
  out[threadIdx.y * blockDim.x + threadIdx.x] = p.x + p.y + p.z;
}
__global__ void between(float* out) { out[threadIdx.x] = middle(grid, threadIdx.x * 0.5f, 0); }
__global__ void fill() { surf2Dwrite(threadIdx.x * 10 + threadIdx.y, board, threadIdx.x * 4, threadIdx.y); }

int main() {
  // ---- linear memory
  float host[8], *a, *out;
  int ints[8], *b;
  for (int k = 0; k < 8; ++k) host[k] = k * 0.5f, ints[k] = 100 * k;
  cudaMalloc((void**)&a, sizeof host);
  cudaMalloc((void**)&b, sizeof ints);
  cudaMalloc((void**)&out, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(b, ints, sizeof ints, cudaMemcpyHostToDevice);
  cudaBindTexture(0, line, a, sizeof host);
  size_t offset = 99;
  cudaBindTexture(&offset, numbers, b);
  sums<<<1, 32>>>(out, 8);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d:", (int)offset);
  for (int k = 0; k < 8; ++k) printf(" %g", host[k]);
  printf("\n");
  cudaUnbindTexture(line);
  cudaUnbindTexture(numbers);

  // ---- rows with a pitch, read as floats from 0 to 1
  uchar4 pixels[4] = {{255, 0, 0, 0}, {255, 255, 0, 0}, {255, 255, 255, 0}, {51, 0, 0, 0}}, *rows;
  size_t pitch;
  cudaMallocPitch((void**)&rows, &pitch, 2 * sizeof(uchar4), 2);
  cudaMemcpy2D(rows, pitch, pixels, 8, 8, 2, cudaMemcpyHostToDevice);
  picture.addressMode[0] = picture.addressMode[1] = cudaAddressModeClamp;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
  cudaBindTexture2D(NULL, picture, rows, desc, 2, 2, pitch);
  colours<<<1, dim3(2, 2)>>>(out);
  cudaMemcpy(host, out, 16, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 4; ++k) printf("%g ", host[k]);
  printf("\n");

  // ---- a CUDA array, filtered
  float cells[8] = {0, 10, 20, 30, 40, 50, 60, 70};
  cudaArray* array;
  cudaMallocArray(&array, &grid.channelDesc, 4, 2);
  cudaMemcpyToArray(array, 0, 0, cells, sizeof cells, cudaMemcpyHostToDevice);
  grid.filterMode = cudaFilterModeLinear;
  grid.normalized = false;
  cudaBindTextureToArray(grid, array);
  between<<<1, 8>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 8; ++k) printf("%g ", host[k]);
  printf("\n");
  const textureReference* found = NULL;
  cudaGetTextureReference(&found, &grid);
  printf("%d\n", found == &grid);
  cudaUnbindTexture(&grid);

  // ---- a surface
  cudaArray* places;
  desc = cudaCreateChannelDesc<int>();
  cudaMallocArray(&places, &desc, 3, 2, cudaArraySurfaceLoadStore);
  cudaBindSurfaceToArray(board, places);
  fill<<<1, dim3(3, 2)>>>();
  int back[6];
  cudaMemcpyFromArray(back, places, 0, 0, sizeof back, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 6; ++k) printf("%d ", back[k]);
  printf("\n");
  cudaFreeArray(array);
  cudaFreeArray(places);
  cudaFree(a);
  cudaFree(b);
  cudaFree(out);
  cudaFree(rows);
  return 0;
}
