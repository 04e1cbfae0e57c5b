// Layers, cubemaps, gathers and mipmaps.
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                 \
  do {                                                                              \
    cudaError_t error_ = (call);                                                    \
    if (error_ != cudaSuccess) printf("%s: %s\n", #call, cudaGetErrorName(error_)); \
  } while (0)

__global__ void layers1(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex1DLayered<float>(t, threadIdx.x % 8 * 0.5f + 0.25f, int(threadIdx.x / 8) - 1);
}
__global__ void layers2(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] =
      tex2DLayered<float>(t, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 % 2 + 1.f, threadIdx.x / 8);
}
__global__ void cube(cudaTextureObject_t t, const float3* d, float* out) {
  float3 at = d[threadIdx.x];
  out[threadIdx.x] = texCubemap<float>(t, at.x, at.y, at.z);
}
__global__ void gather(cudaTextureObject_t t, float4* out) {
  out[threadIdx.x] =
      tex2Dgather<float4>(t, threadIdx.x % 5 * 0.75f + 0.25f, threadIdx.x / 5 * 0.6f + 0.3f, threadIdx.x % 2);
}
__global__ void level(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex2DLod<float>(t, 0.4f, 0.6f, threadIdx.x * 0.25f - 0.5f);
}
__global__ void gradient(cudaTextureObject_t t, float* out) {
  float d = (1 << threadIdx.x) / 16.f;
  out[threadIdx.x] = tex2DGrad<float>(t, 0.4f, 0.6f, make_float2(d, 0), make_float2(0, d));
}

cudaArray_t filled(cudaExtent e, unsigned flags, int channels, float scale) {
  cudaChannelFormatDesc f = channels == 2 ? cudaCreateChannelDesc<float2>() : cudaCreateChannelDesc<float>();
  cudaArray_t a;
  CHECK(cudaMalloc3DArray(&a, &f, e, flags));
  size_t rows = e.height ? e.height : 1, slices = e.depth ? e.depth : 1;
  std::vector<float> texels(e.width * rows * slices * channels);
  for (size_t k = 0; k < texels.size(); ++k) texels[k] = scale * (k + 1);
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(texels.data(), e.width * 4 * channels, e.width, rows);
  p.dstArray = a;
  p.extent = make_cudaExtent(e.width, rows, slices);
  p.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&p));
  return a;
}
cudaTextureObject_t object(cudaArray_t a, bool linear, bool normalized) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaTextureDesc t = {};
  for (auto& m : t.addressMode) m = cudaAddressModeClamp;
  t.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  t.normalizedCoords = normalized;
  cudaTextureObject_t made = 0;
  CHECK(cudaCreateTextureObject(&made, &r, &t, nullptr));
  return made;
}
void print(const char* what, const float* device, int n) {
  std::vector<float> host(n);
  CHECK(cudaMemcpy(host.data(), device, n * 4, cudaMemcpyDeviceToHost));
  printf("%s:", what);
  for (float v : host) printf(" %.9g", v);
  printf("\n");
}

int main() {
  float* out;
  CHECK(cudaMalloc(&out, 4096));
  cudaArray_t a = filled(make_cudaExtent(4, 0, 2), cudaArrayLayered, 1, 1);
  cudaTextureObject_t t = object(a, true, false);
  layers1<<<1, 32>>>(t, out);
  print("1D layers", out, 32);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));

  a = filled(make_cudaExtent(4, 3, 3), cudaArrayLayered, 1, 1);
  t = object(a, true, false);
  layers2<<<1, 32>>>(t, out);
  print("2D layers", out, 32);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));

  a = filled(make_cudaExtent(2, 2, 6), cudaArrayCubemap, 1, 1);
  t = object(a, false, true);
  std::vector<float3> directions;
  for (float x : {-0.5f, 0.4f})
    for (float y : {-0.6f, 0.3f}) {
      directions.push_back(make_float3(1, x, y));
      directions.push_back(make_float3(-1, x, y));
      directions.push_back(make_float3(x, 1, y));
      directions.push_back(make_float3(x, -1, y));
      directions.push_back(make_float3(x, y, 1));
      directions.push_back(make_float3(x, y, -1));
    }
  float3* d;
  CHECK(cudaMalloc(&d, directions.size() * 12));
  CHECK(cudaMemcpy(d, directions.data(), directions.size() * 12, cudaMemcpyHostToDevice));
  cube<<<1, directions.size()>>>(t, d, out);
  print("cubemap", out, directions.size());
  CHECK(cudaFree(d));
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));

  a = filled(make_cudaExtent(4, 3, 0), cudaArrayTextureGather, 2, 1);
  t = object(a, false, false);
  gather<<<1, 20>>>(t, (float4*)out);
  print("gather", out, 80);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(a));

  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t m;
  CHECK(cudaMallocMipmappedArray(&m, &f, make_cudaExtent(8, 8, 0), 4));
  for (int l = 0; l < 4; ++l) {
    cudaArray_t of_level;
    CHECK(cudaGetMipmappedArrayLevel(&of_level, m, l));
    cudaExtent e;
    CHECK(cudaArrayGetInfo(nullptr, &e, nullptr, of_level));
    printf("level %d: %d x %d\n", l, int(e.width), int(e.height));
    std::vector<float> texels(e.width * e.height);
    for (size_t k = 0; k < texels.size(); ++k) texels[k] = 100 * (l + 1) + k;
    CHECK(cudaMemcpy2DToArray(of_level, 0, 0, texels.data(), e.width * 4, e.width * 4, e.height,
                              cudaMemcpyHostToDevice));
  }
  for (int linear = 0; linear < 2; ++linear) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    cudaTextureDesc td = {};
    for (auto& mode : td.addressMode) mode = cudaAddressModeClamp;
    td.normalizedCoords = 1;
    td.filterMode = td.mipmapFilterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    td.maxMipmapLevelClamp = 3;
    CHECK(cudaCreateTextureObject(&t, &r, &td, nullptr));
    level<<<1, 20>>>(t, out);
    print(linear ? "levels, linear" : "levels, point", out, 20);
    gradient<<<1, 5>>>(t, out);
    print(linear ? "gradients, linear" : "gradients, point", out, 5);
    CHECK(cudaDestroyTextureObject(t));
  }
  CHECK(cudaFreeMipmappedArray(m));
  CHECK(cudaFree(out));
  CHECK(cudaDeviceSynchronize());
  return 0;
}
