// Coordinates beyond a texture: clamp, wrap, mirror and border, with both filters, normalized and not; and
// which texel a coordinate just below its end meets.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                 \
  do {                                                                              \
    cudaError_t error_ = (call);                                                    \
    if (error_ != cudaSuccess) printf("%s: %s\n", #call, cudaGetErrorName(error_)); \
  } while (0)

__global__ void fetch1(cudaTextureObject_t t, const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1D<float>(t, x[i]);
}
__global__ void fetch2(cudaTextureObject_t t, float2 from, float2 step, float* out) {
  out[threadIdx.y * blockDim.x + threadIdx.x] =
      tex2D<float>(t, from.x + step.x * threadIdx.x, from.y + step.y * threadIdx.y);
}

const char* modes[] = {"wrap", "clamp", "mirror", "border"};

cudaTextureObject_t object(cudaArray_t array, cudaTextureAddressMode x, cudaTextureAddressMode y, bool linear,
                           bool normalized, float border = 0) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaTextureDesc t = {};
  t.addressMode[0] = x;
  t.addressMode[1] = y;
  t.addressMode[2] = x;
  t.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  t.normalizedCoords = normalized;
  for (float& b : t.borderColor) b = border;
  cudaTextureObject_t made = 0;
  CHECK(cudaCreateTextureObject(&made, &r, &t, nullptr));
  return made;
}

void print(cudaTextureObject_t t, const std::vector<float>& x) {
  int n = x.size();
  float *dx, *dout;
  std::vector<float> out(n);
  CHECK(cudaMalloc(&dx, n * 4));
  CHECK(cudaMalloc(&dout, n * 4));
  CHECK(cudaMemcpy(dx, x.data(), n * 4, cudaMemcpyHostToDevice));
  fetch1<<<(n + 63) / 64, 64>>>(t, dx, dout, n);
  CHECK(cudaMemcpy(out.data(), dout, n * 4, cudaMemcpyDeviceToHost));
  for (float v : out) printf(" %g", v);
  printf("\n");
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dout));
  CHECK(cudaDestroyTextureObject(t));
}

int main() {
  const cudaChannelFormatDesc f32 = cudaCreateChannelDesc<float>();
  for (int n : {4, 5}) {
    std::vector<float> texels;
    for (int k = 0; k < n; ++k) texels.push_back(10 * (k + 1));
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &f32, n));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), n * 4, n * 4, 1, cudaMemcpyHostToDevice));
    for (int linear = 0; linear < 2; ++linear)
      for (int normalized = 0; normalized < 2; ++normalized)
        for (int mode = 0; mode < 4; ++mode) {
          if (!normalized && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror)) continue;
          std::vector<float> x;
          for (int k = -10; k <= 18; ++k)
            x.push_back((normalized ? 0.125f : 0.5f) * k + (normalized ? 0.0625f : 0.25f));
          printf("%d texels, %s, %s, %s:", n, linear ? "linear" : "point",
                 normalized ? "normalized" : "texels", modes[mode]);
          print(object(array, cudaTextureAddressMode(mode), cudaAddressModeClamp, linear, normalized), x);
          printf("  at the ends:");
          float one = normalized ? 1 : n;
          print(object(array, cudaTextureAddressMode(mode), cudaAddressModeClamp, linear, normalized),
                {-0.f, 0.f, 1e-30f, -1e-30f, -1e-7f, one, nextafterf(one, 0), nextafterf(one, 9), -one,
                 2 * one, 100 * one + 0.1f * one, -100 * one + 0.1f * one, 1e6f * one, -1e6f * one});
        }
    printf("border colour 7:");
    print(object(array, cudaAddressModeBorder, cudaAddressModeBorder, true, false, 7),
          {-5.f, 0.f, 0.25f, 0.5f, n - 0.25f, n + 9.f});
    CHECK(cudaFreeArray(array));
  }

  printf("-- the point filter below a texel's end: x = 3 - 2^-k, 2000 - 2^-k\n");
  std::vector<float> many(2048);
  for (size_t k = 0; k < many.size(); ++k) many[k] = k;
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &f32, many.size()));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, many.data(), many.size() * 4, many.size() * 4, 1,
                            cudaMemcpyHostToDevice));
  std::vector<float> x;
  for (float end : {3.f, 2000.f})
    for (int k = 1; k <= 22; ++k) x.push_back(end - ldexpf(1, -k));
  print(object(array, cudaAddressModeClamp, cudaAddressModeClamp, false, false), x);
  printf("-- the same, normalized\n");
  for (float& v : x) v /= 2048;
  print(object(array, cudaAddressModeClamp, cudaAddressModeClamp, false, true), x);
  print(object(array, cudaAddressModeWrap, cudaAddressModeClamp, false, true), x);
  CHECK(cudaFreeArray(array));

  printf("-- two dimensions, each with its own mode\n");
  const int w = 3, h = 2;
  float texels[] = {1, 2, 3, 40, 50, 60};
  CHECK(cudaMallocArray(&array, &f32, w, h));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, w * 4, w * 4, h, cudaMemcpyHostToDevice));
  float *dout, out[7 * 7];
  CHECK(cudaMalloc(&dout, sizeof out));
  for (int linear = 0; linear < 2; ++linear)
    for (int mx = 0; mx < 4; ++mx) {
      int my = (mx + 1) % 4;
      cudaTextureObject_t t =
          object(array, cudaTextureAddressMode(mx), cudaTextureAddressMode(my), linear, true);
      fetch2<<<1, dim3(7, 7)>>>(t, make_float2(-0.5f, -0.5f), make_float2(0.375f, 0.3125f), dout);
      CHECK(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
      printf("%s, x %s, y %s:", linear ? "linear" : "point", modes[mx], modes[my]);
      for (float v : out) printf(" %g", v);
      printf("\n");
      CHECK(cudaDestroyTextureObject(t));
    }
  CHECK(cudaFree(dout));
  CHECK(cudaFreeArray(array));
  CHECK(cudaDeviceSynchronize());
  return 0;
}
