// Texture objects of each resource: what they report of themselves, and what a fetch from them gives.
#include <cstdio>
#include <cstring>
#include <vector>

void say(const char* what, cudaError_t e) { printf("%s: %s\n", what, cudaGetErrorName(e)); }

__global__ void linear(cudaTextureObject_t t, float* out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(t, i - 4);
}
__global__ void pitched(cudaTextureObject_t t, uchar4* out, int w, int h) {
  int x = threadIdx.x, y = threadIdx.y;
  if (x < w && y < h) out[y * w + x] = tex2D<uchar4>(t, x, y);
}
__global__ void volume(cudaTextureObject_t t, int* out) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  out[(z * blockDim.y + y) * blockDim.x + x] = tex3D<int>(t, x, y, z);
}
__global__ void transposed(cudaTextureObject_t t, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float v;
  tex2D(&v, t, y + 0.5f, x + 0.5f);
  if (x < h && y < w) out[y * h + x] = v;
}

int main() {
  const cudaChannelFormatDesc f32 = cudaCreateChannelDesc<float>();
  // ---- linear memory
  std::vector<float> host(64);
  for (int k = 0; k < 64; ++k) host[k] = k + 0.5f;
  float *memory, *out;
  cudaMalloc(&memory, 256);
  cudaMalloc(&out, 4096);
  cudaMemcpy(memory, host.data(), 256, cudaMemcpyHostToDevice);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = memory;
  r.res.linear.desc = f32;
  r.res.linear.sizeInBytes = 24 * 4;
  cudaTextureDesc d = {};
  d.readMode = cudaReadModeElementType;
  cudaTextureObject_t t = 0;
  say("linear", cudaCreateTextureObject(&t, &r, &d, nullptr));
  linear<<<1, 32>>>(t, out, 32);
  cudaMemcpy(host.data(), out, 32 * 4, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 32; ++k) printf("%g ", host[k]);
  printf("\n");
  cudaResourceDesc back = {};
  cudaTextureDesc texture_back = {};
  say("resource", cudaGetTextureObjectResourceDesc(&back, t));
  printf("%d %d %d\n", int(back.resType), back.res.linear.devPtr == memory, int(back.res.linear.sizeInBytes));
  say("texture", cudaGetTextureObjectTextureDesc(&texture_back, t));
  printf("%d %d %d\n", int(texture_back.filterMode), int(texture_back.readMode),
         texture_back.normalizedCoords);
  say("destroy", cudaDestroyTextureObject(t));

  // ---- rows with a pitch
  const int w = 5, h = 3;
  std::vector<uchar4> pixels(w * h);
  for (int k = 0; k < w * h; ++k) pixels[k] = make_uchar4(k, 2 * k, 3 * k, 255 - k);
  uchar4 *rows, *pixels_out;
  size_t pitch;
  cudaMallocPitch(&rows, &pitch, w * sizeof(uchar4), h);
  cudaMalloc(&pixels_out, w * h * sizeof(uchar4));
  cudaMemcpy2D(rows, pitch, pixels.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice);
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = rows;
  r.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  r.res.pitch2D.width = w;
  r.res.pitch2D.height = h;
  r.res.pitch2D.pitchInBytes = pitch;
  say("pitch2D", cudaCreateTextureObject(&t, &r, &d, nullptr));
  pitched<<<1, dim3(8, 4)>>>(t, pixels_out, w, h);
  memset(pixels.data(), 0, w * h * 4);
  cudaMemcpy(pixels.data(), pixels_out, w * h * 4, cudaMemcpyDeviceToHost);
  for (uchar4 p : pixels) printf("%d.%d.%d.%d ", p.x, p.y, p.z, p.w);
  printf("\n");
  cudaDestroyTextureObject(t);

  // ---- a volume
  std::vector<int> cells(4 * 3 * 2);
  for (size_t k = 0; k < cells.size(); ++k) cells[k] = 100 + k;
  cudaArray_t array;
  const cudaChannelFormatDesc i32 = cudaCreateChannelDesc<int>();
  say("malloc3D", cudaMalloc3DArray(&array, &i32, make_cudaExtent(4, 3, 2)));
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(cells.data(), 4 * 4, 4, 3);
  p.dstArray = array;
  p.extent = make_cudaExtent(4, 3, 2);
  p.kind = cudaMemcpyHostToDevice;
  say("memcpy3D", cudaMemcpy3D(&p));
  memset(&r, 0, sizeof r);
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  say("array", cudaCreateTextureObject(&t, &r, &d, nullptr));
  int* cells_out;
  cudaMalloc(&cells_out, sizeof(int) * cells.size());
  volume<<<1, dim3(4, 3, 2)>>>(t, cells_out);
  std::fill(cells.begin(), cells.end(), 0);
  cudaMemcpy(cells.data(), cells_out, sizeof(int) * cells.size(), cudaMemcpyDeviceToHost);
  for (int c : cells) printf("%d ", c);
  printf("\n");
  cudaDestroyTextureObject(t);
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};
  unsigned flags = 99;
  say("info", cudaArrayGetInfo(&format, &extent, &flags, array));
  printf("%d %d %d, %d %d %d, %u\n", format.x, format.y, int(format.f), int(extent.width), int(extent.height),
         int(extent.depth), flags);
  say("channels", cudaGetChannelDesc(&format, array));
  // ---- a part of it back
  int part[2 * 2 * 1] = {};
  memset(&p, 0, sizeof p);
  p.srcArray = array;
  p.srcPos = make_cudaPos(1, 1, 1);
  p.dstPtr = make_cudaPitchedPtr(part, 2 * 4, 2, 2);
  p.extent = make_cudaExtent(2, 2, 1);
  p.kind = cudaMemcpyDeviceToHost;
  say("a part", cudaMemcpy3D(&p));
  printf("%d %d %d %d\n", part[0], part[1], part[2], part[3]);
  say("free", cudaFreeArray(array));

  // ---- a matrix, transposed; copies between arrays
  std::vector<float> matrix(20 * 12), turned(20 * 12);
  for (size_t k = 0; k < matrix.size(); ++k) matrix[k] = k;
  cudaArray_t a, b;
  cudaMallocArray(&a, &f32, 20, 12);
  cudaMallocArray(&b, &f32, 20, 12);
  say("2D to", cudaMemcpy2DToArray(a, 0, 0, matrix.data(), 80, 80, 12, cudaMemcpyHostToDevice));
  say("2D array to array", cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 80, 12, cudaMemcpyDeviceToDevice));
  r.res.array.array = b;
  cudaCreateTextureObject(&t, &r, &d, nullptr);
  transposed<<<dim3(2, 3), dim3(8, 8)>>>(t, out, 20, 12);
  cudaMemcpy(turned.data(), out, turned.size() * 4, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int x = 0; x < 20; ++x)
    for (int y = 0; y < 12; ++y) wrong += turned[x * 12 + y] != matrix[y * 20 + x];
  printf("wrong: %d\n", wrong);
  std::vector<float> corner(4);
  say("2D from", cudaMemcpy2DFromArray(corner.data(), 8, b, 72, 10, 8, 2, cudaMemcpyDeviceToHost));
  printf("%g %g %g %g\n", corner[0], corner[1], corner[2], corner[3]);
  cudaDestroyTextureObject(t);

  cudaFreeArray(a);
  cudaFreeArray(b);
  cudaFree(memory);
  cudaFree(out);
  cudaFree(rows);
  cudaFree(pixels_out);
  cudaFree(cells_out);
  say("end", cudaDeviceSynchronize());
  return 0;
}
