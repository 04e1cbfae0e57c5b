// One mistake with textures or surfaces, by the number that is given. Each line that a finding or a warning
// names says which.
#include <cstdio>
#include <cstdlib>
#include <cstring>

texture<float, 2> reference;

__global__ void fetch(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x, 0);  // fault: 1 2 3
}
__global__ void fetch_line(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);  // fault: 4
}
__global__ void unbound(float* out) {
  out[threadIdx.x] = tex2D(reference, threadIdx.x, 0);  // fault: 5
}
__global__ void write(cudaSurfaceObject_t s, int scale) {
  surf2Dwrite(1.f, s, threadIdx.x * scale, 0);  // fault: 6 7
}
__global__ void write_and_read(cudaSurfaceObject_t s, cudaTextureObject_t t, float* out) {
  surf2Dwrite(threadIdx.x + 1.f, s, threadIdx.x * 4, 0);
  __syncthreads();
  out[threadIdx.x] = tex2D<float>(t, 7 - threadIdx.x, 0);  // fault: 8
}

int main(int, char** arguments) {
  const int what = atoi(arguments[1]);
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  if (what == 3) desc = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t image;
  cudaMallocArray(&image, &desc, 8, 4, cudaArraySurfaceLoadStore);
  float texels[32] = {}, *out;
  cudaMemcpy2DToArray(image, 0, 0, texels, 8, 8, 4, cudaMemcpyHostToDevice);
  cudaMalloc(&out, 64);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = image;
  cudaTextureDesc d = {};
  cudaTextureObject_t t = 0;
  cudaSurfaceObject_t s = 0;
  cudaCreateTextureObject(&t, &r, &d, nullptr);
  cudaCreateSurfaceObject(&s, &r);
  if (what == 1) cudaDestroyTextureObject(t);
  if (what == 2) t = 12345;
  if (what <= 3) fetch<<<1, 8>>>(t, out);
  if (what == 4) fetch_line<<<1, 8>>>(t, out);
  if (what == 5) unbound<<<1, 8>>>(out);
  if (what == 6) write<<<1, 9>>>(s, 4);
  if (what == 7) write<<<1, 8>>>(s, 1);
  if (what == 8) write_and_read<<<1, 8>>>(s, t, out);
  if (what == 9) {
    d.filterMode = cudaFilterModeLinear;
    desc = cudaCreateChannelDesc<int>();
    cudaArray_t ints;
    cudaMallocArray(&ints, &desc, 8, 4);
    r.res.array.array = ints;
    cudaCreateTextureObject(&t, &r, &d, nullptr);  // fault: 9
  }
  if (what == 10)
    cudaMemcpy2DToArray(image, 0, 0, texels, 8 * 4, 9 * 4, 4, cudaMemcpyHostToDevice);  // fault: 10
  if (what == 11) {
    cudaFreeArray(image);
    cudaFreeArray(image);  // fault: 11
  }
  if (what == 12) {
    fetch<<<1, 8>>>(t, out);  // nothing is wrong
    float* line;
    cudaMalloc(&line, 4096);
    cudaMemset(line, 0, 4096);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = line + 1;
    r.res.linear.desc = desc;
    r.res.linear.sizeInBytes = 64;
    cudaCreateTextureObject(&t, &r, &d, nullptr);  // fault: 12
    r.res.linear.devPtr = texels;
    cudaCreateTextureObject(&t, &r, &d, nullptr);
  }
  cudaDeviceSynchronize();
  return 0;
}
