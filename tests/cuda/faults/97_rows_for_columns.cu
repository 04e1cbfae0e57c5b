// nerfstudio-project/gsplat#14
#include <cstdio>
#include <vector>

__global__ void invert(unsigned char* image, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < height && y < width) image[y * width + x] = 255 - image[y * width + x];
}

int main() {
  const int width = 40, height = 24;
  std::vector<unsigned char> in(width * height), out(width * height);
  for (size_t i = 0; i < in.size(); ++i) in[i] = i % 256;
  unsigned char* image;
  int wrong = 0;
  cudaMalloc(&image, in.size());
  cudaMemcpy(image, in.data(), in.size(), cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  invert<<<grid, block>>>(image, width, height);
  cudaMemcpy(out.data(), image, out.size(), cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < in.size(); ++i) wrong += out[i] != 255 - in[i];
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
