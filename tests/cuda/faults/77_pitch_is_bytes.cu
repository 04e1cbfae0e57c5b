// alicevision/AliceVision#477
#include <cstdio>
#include <vector>

__global__ void brighten(float* image, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) {
    float* row = image + y * pitch;
    row[x] += 1;
  }
}

int main() {
  const int width = 100, height = 20;
  std::vector<float> in(width * height), out(width * height);
  for (size_t i = 0; i < in.size(); ++i) in[i] = i % 9;
  float* image;
  size_t pitch, row = width * sizeof(float);
  int wrong = 0;
  cudaMallocPitch(&image, &pitch, row, height);
  cudaMemcpy2D(image, pitch, in.data(), row, row, height, cudaMemcpyHostToDevice);
  brighten<<<dim3((width + 31) / 32, height), 32>>>(image, pitch, width, height);
  cudaMemcpy2D(out.data(), row, image, pitch, row, height, cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < in.size(); ++i) wrong += out[i] != in[i] + 1;
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
