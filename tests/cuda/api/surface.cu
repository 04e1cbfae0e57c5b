// Surfaces: reads and writes of one, two and three dimensions and of layers, and what lies outside.
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                 \
  do {                                                                              \
    cudaError_t error_ = (call);                                                    \
    if (error_ != cudaSuccess) printf("%s: %s\n", #call, cudaGetErrorName(error_)); \
  } while (0)

__global__ void line(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  int x = threadIdx.x;
  surf1Dwrite(surf1Dread<int>(from, x * 4) + 1, to, (15 - x) * 4);
}
__global__ void plane(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float4 v;
  surf2Dread(&v, from, x * 16, y);
  surf2Dwrite(make_float4(v.w, v.z, v.y, v.x + 1), to, x * 16, y);
}
__global__ void volume(cudaSurfaceObject_t s) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  surf3Dwrite((short)(100 * z + 10 * y + x), s, x * 2, y, z);
}
__global__ void layers(cudaSurfaceObject_t s) {
  surf2DLayeredwrite(make_uchar4(threadIdx.x, threadIdx.y, threadIdx.z, 9), s, threadIdx.x * 4, threadIdx.y,
                     threadIdx.z);
}
__global__ void outside(cudaSurfaceObject_t s, int* out) {
  int x = int(threadIdx.x) - 2;
  out[threadIdx.x] = surf1Dread<int>(s, x * 4, cudaBoundaryModeZero);
  out[threadIdx.x + 8] = surf1Dread<int>(s, x * 4, cudaBoundaryModeClamp);
}
__global__ void write_outside(cudaSurfaceObject_t s) {
  int x = int(threadIdx.x) - 2;
  surf1Dwrite(100 + x, s, x * 4, cudaBoundaryModeZero);
}
__global__ void through_texture(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex2D<float4>(t, threadIdx.x % 5 + 0.5f, threadIdx.x / 5 + 0.5f).y;
}

cudaSurfaceObject_t surface(cudaArray_t a) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaSurfaceObject_t s = 0;
  CHECK(cudaCreateSurfaceObject(&s, &r));
  return s;
}
template <class T>
cudaArray_t array(int w, int h, int d, unsigned flags) {
  cudaChannelFormatDesc f = cudaCreateChannelDesc<T>();
  cudaArray_t a = nullptr;
  CHECK(cudaMalloc3DArray(&a, &f, make_cudaExtent(w, h, d), flags | cudaArraySurfaceLoadStore));
  return a;
}
template <class T>
std::vector<T> content(cudaArray_t a, int w, int h, int d) {
  std::vector<T> host(w * h * d);
  cudaMemcpy3DParms p = {};
  p.srcArray = a;
  p.dstPtr = make_cudaPitchedPtr(host.data(), w * sizeof(T), w, h);
  p.extent = make_cudaExtent(w, h, d);
  p.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&p));
  return host;
}

int main() {
  // ---- a line
  int numbers[16];
  for (int k = 0; k < 16; ++k) numbers[k] = k * k;
  cudaArray_t a = array<int>(16, 0, 0, 0), b = array<int>(16, 0, 0, 0);
  CHECK(cudaMemcpy2DToArray(a, 0, 0, numbers, 64, 64, 1, cudaMemcpyHostToDevice));
  cudaSurfaceObject_t from = surface(a), to = surface(b);
  line<<<1, 16>>>(from, to);
  for (int v : content<int>(b, 16, 1, 1)) printf("%d ", v);
  printf("\n");
  // ---- outside of it
  int *out, got[16];
  CHECK(cudaMalloc(&out, sizeof got));
  CHECK(cudaMemset(out, 0, sizeof got));
  cudaArray_t four = array<int>(4, 0, 0, 0);
  CHECK(cudaMemcpy2DToArray(four, 0, 0, numbers + 2, 16, 16, 1, cudaMemcpyHostToDevice));
  cudaSurfaceObject_t s = surface(four);
  outside<<<1, 8>>>(s, out);
  CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int v : got) printf("%d ", v);
  printf("\n");
  write_outside<<<1, 8>>>(s);
  for (int v : content<int>(four, 4, 1, 1)) printf("%d ", v);
  printf("\n");
  CHECK(cudaDestroySurfaceObject(s));
  CHECK(cudaDestroySurfaceObject(from));
  CHECK(cudaDestroySurfaceObject(to));
  CHECK(cudaFreeArray(a));
  CHECK(cudaFreeArray(b));
  CHECK(cudaFreeArray(four));

  // ---- a plane, read as a texture by the next launch
  std::vector<float4> pixels(15);
  for (int k = 0; k < 15; ++k) pixels[k] = make_float4(k, k + 0.25f, k + 0.5f, k + 0.75f);
  a = array<float4>(5, 3, 0, 0), b = array<float4>(5, 3, 0, 0);
  CHECK(cudaMemcpy2DToArray(a, 0, 0, pixels.data(), 80, 80, 3, cudaMemcpyHostToDevice));
  from = surface(a), to = surface(b);
  plane<<<dim3(2, 1), dim3(4, 4)>>>(from, to, 5, 3);
  for (float4 v : content<float4>(b, 5, 3, 1)) printf("%g.%g.%g.%g ", v.x, v.y, v.z, v.w);
  printf("\n");
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = b;
  cudaTextureDesc d = {};
  cudaTextureObject_t t;
  CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
  float *floats, y[15];
  CHECK(cudaMalloc(&floats, sizeof y));
  through_texture<<<1, 15>>>(t, floats);
  CHECK(cudaMemcpy(y, floats, sizeof y, cudaMemcpyDeviceToHost));
  for (float v : y) printf("%g ", v);
  printf("\n");
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaDestroySurfaceObject(from));
  CHECK(cudaDestroySurfaceObject(to));
  CHECK(cudaFreeArray(a));
  CHECK(cudaFreeArray(b));

  // ---- a volume, and layers
  a = array<short>(4, 3, 2, 0);
  s = surface(a);
  volume<<<1, dim3(4, 3, 2)>>>(s);
  for (short v : content<short>(a, 4, 3, 2)) printf("%d ", v);
  printf("\n");
  CHECK(cudaDestroySurfaceObject(s));
  CHECK(cudaFreeArray(a));
  a = array<uchar4>(3, 2, 2, cudaArrayLayered);
  s = surface(a);
  layers<<<1, dim3(3, 2, 2)>>>(s);
  for (uchar4 v : content<uchar4>(a, 3, 2, 2)) printf("%d%d%d%d ", v.x, v.y, v.z, v.w);
  printf("\n");
  CHECK(cudaDestroySurfaceObject(s));

  CHECK(cudaFreeArray(a));
  CHECK(cudaFree(out));
  CHECK(cudaFree(floats));
  CHECK(cudaDeviceSynchronize());
  return 0;
}
