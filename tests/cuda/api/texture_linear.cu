// Linear filtering, bit for bit: how a coordinate is rounded to 256ths of a texel, and what is made of the
// texels.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                 \
  do {                                                                              \
    cudaError_t error_ = (call);                                                    \
    if (error_ != cudaSuccess) printf("%s: %s\n", #call, cudaGetErrorName(error_)); \
  } while (0)

unsigned bits(float v) {
  unsigned b;
  memcpy(&b, &v, 4);
  return b;
}

__global__ void fetch1(cudaTextureObject_t t, const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1D<float>(t, x[i]);
}
__global__ void fetch2(cudaTextureObject_t t, const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex2D<float>(t, x[i], y[i]);
}
__global__ void fetch3(cudaTextureObject_t t, const float* x, const float* y, const float* z, float* out,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex3D<float>(t, x[i], y[i], z[i]);
}

struct Texture {
  cudaArray_t array;
  cudaTextureObject_t object;
  template <class T>
  Texture(const std::vector<T>& texels, cudaChannelFormatDesc format, int w, int h, int d, bool normalized,
          bool normalized_float) {
    if (d > 0) {
      CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(w, h, d)));
      cudaMemcpy3DParms p = {};
      p.srcPtr = make_cudaPitchedPtr((void*)texels.data(), w * sizeof(T), w, h);
      p.dstArray = array;
      p.extent = make_cudaExtent(w, h, d);
      p.kind = cudaMemcpyHostToDevice;
      CHECK(cudaMemcpy3D(&p));
    } else {
      CHECK(cudaMallocArray(&array, &format, w, h));
      CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), w * sizeof(T), w * sizeof(T), h ? h : 1,
                                cudaMemcpyHostToDevice));
    }
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaTextureDesc t = {};
    for (auto& mode : t.addressMode) mode = cudaAddressModeClamp;
    t.filterMode = cudaFilterModeLinear;
    t.readMode = normalized_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    t.normalizedCoords = normalized;
    CHECK(cudaCreateTextureObject(&object, &r, &t, nullptr));
  }
  ~Texture() {
    CHECK(cudaDestroyTextureObject(object));
    CHECK(cudaFreeArray(array));
  }
  std::vector<float> at(const std::vector<float>& x, const std::vector<float>& y = {},
                        const std::vector<float>& z = {}) {
    int n = x.size();
    std::vector<float> out(n);
    float *dx, *dy, *dz, *dout;
    CHECK(cudaMalloc(&dx, n * 4));
    CHECK(cudaMalloc(&dy, n * 4));
    CHECK(cudaMalloc(&dz, n * 4));
    CHECK(cudaMalloc(&dout, n * 4));
    CHECK(cudaMemcpy(dx, x.data(), n * 4, cudaMemcpyHostToDevice));
    if (!y.empty()) CHECK(cudaMemcpy(dy, y.data(), n * 4, cudaMemcpyHostToDevice));
    if (!z.empty()) CHECK(cudaMemcpy(dz, z.data(), n * 4, cudaMemcpyHostToDevice));
    int blocks = (n + 63) / 64;
    if (!z.empty())
      fetch3<<<blocks, 64>>>(object, dx, dy, dz, dout, n);
    else if (!y.empty())
      fetch2<<<blocks, 64>>>(object, dx, dy, dout, n);
    else
      fetch1<<<blocks, 64>>>(object, dx, dout, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), dout, n * 4, cudaMemcpyDeviceToHost));
    for (float* p : {dx, dy, dz, dout}) CHECK(cudaFree(p));
    return out;
  }
};

const cudaChannelFormatDesc f32 = {32, 0, 0, 0, cudaChannelFormatKindFloat};

// Between texels 0 and 1 a fetch gives the weight itself.
void rounding() {
  printf("-- where the weight steps: x - 0.5 in 1024ths, and the weight in 256ths\n");
  Texture t(std::vector<float>{0, 1}, f32, 2, 0, 0, false, false);
  std::vector<float> x;
  for (int k = 0; k <= 1024; k += 1) x.push_back(0.5f + k / 1024.f);
  std::vector<float> got = t.at(x);
  for (int k = 0; k <= 1024; ++k)
    if (k < 12 || k > 1012 || k % 64 < 4) printf("%d %g\n", k, got[k] * 256);
  printf("-- beside the ties (k + 0.5) / 256\n");
  x.clear();
  for (int k : {0, 1, 2, 3, 100, 101, 254, 255}) {
    float tie = 0.5f + (k + 0.5f) / 256;
    x.push_back(nextafterf(tie, 0));
    x.push_back(tie);
    x.push_back(nextafterf(tie, 9));
  }
  got = t.at(x);
  for (size_t k = 0; k < x.size(); k += 3)
    printf("%.9g: %g %g %g\n", x[k + 1], got[k] * 256, got[k + 1] * 256, got[k + 2] * 256);
}

void far_away() {
  printf("-- the same far from the origin: texels alternate 0, 1\n");
  std::vector<float> texels(16384);
  for (size_t k = 0; k < texels.size(); ++k) texels[k] = k % 2;
  Texture t(texels, f32, texels.size(), 0, 0, false, false);
  std::vector<float> x;
  for (float at : {100.5f, 1000.5f, 8000.5f, 16000.5f})
    for (int k : {1, 2, 3, 5, 6, 7, 127, 129, 511, 513}) x.push_back(at + k / 512.f);
  std::vector<float> got = t.at(x);
  for (size_t k = 0; k < x.size(); ++k) printf("%.9g: %g\n", x[k], got[k] * 256);
  printf("-- normalized coordinates\n");
  for (int n : {3, 5, 7, 10, 100}) {
    Texture u(std::vector<float>(texels.begin(), texels.begin() + n), f32, n, 0, 0, true, false);
    x.clear();
    for (int k = 0; k < 16; ++k) x.push_back((k + 0.37f) / 16);
    for (int k = 0; k < 4; ++k) x.push_back((k % n + 0.5f) / n);
    got = u.at(x);
    printf("%d:", n);
    for (float v : got) printf(" %g", v * 256);
    printf("\n");
  }
}

// What is made of two texels: which intermediate results are rounded.
void one_dimension() {
  printf("-- two texels and every 15th weight: value and bits\n");
  const float pairs[][2] = {
      {0.1f, 0.7f},       {1.f / 3, 2.f / 3}, {100.1f, -57.3f}, {1e8f, 1.2345678f},
      {1.2345678f, 1e8f}, {16777215.f, 1.f},  {-0.3f, 0.3f},    {1.0000001f, 0.9999999f},
      {3e38f, 3e38f},     {3e38f, -3e38f},    {1e-39f, 3e-39f}, {1.17549435e-38f, 2e-38f},
      {1e-45f, 1e-45f},   {0.f, 1e-44f},      {1e-30f, 1e30f}};
  std::vector<float> x;
  for (int w = 0; w <= 256; w += 15) x.push_back(0.5f + w / 256.f);
  for (auto& p : pairs) {
    Texture t(std::vector<float>{p[0], p[1]}, f32, 2, 0, 0, false, false);
    std::vector<float> got = t.at(x);
    printf("%.9g %.9g:", p[0], p[1]);
    for (float v : got) printf(" %08x", bits(v));
    printf("\n");
  }
  printf("-- infinities and what is no number, with weights 0, 1, 128, 255 and 256 of the second\n");
  const float odd[][2] = {{1, INFINITY}, {INFINITY, 1}, {-INFINITY, INFINITY}, {INFINITY, INFINITY}};
  for (auto& p : odd) {
    Texture t(std::vector<float>{p[0], p[1]}, f32, 2, 0, 0, false, false);
    printf("%g %g:", p[0], p[1]);
    for (float v : t.at({0.5f, 0.5f + 1 / 256.f, 1.f, 0.5f + 255 / 256.f, 1.5f})) printf(" %g", v);
    printf("\n");
  }
}

void two_dimensions() {
  printf("-- one texel of four is 1: weights in 65536ths\n");
  std::vector<float> x, y;
  for (int a : {0, 1, 3, 85, 128, 200, 255})
    for (int b : {0, 1, 3, 85, 128, 200, 255}) {
      x.push_back(0.5f + a / 256.f);
      y.push_back(0.5f + b / 256.f);
    }
  for (int corner = 0; corner < 4; ++corner) {
    std::vector<float> texels(4);
    texels[corner] = 1;
    Texture t(texels, f32, 2, 2, 0, false, false);
    std::vector<float> got = t.at(x, y);
    for (int row = 0; row < 7; ++row) {
      printf("%d:", corner);
      for (int k = 0; k < 7; ++k) printf(" %.9g", got[row * 7 + k] * 65536);
      printf("\n");
    }
  }
  printf("-- four texels, bits\n");
  const float quads[][4] = {{0.1f, 0.7f, 0.3f, 0.9f},
                            {1.f / 3, 100.1f, -57.3f, 1e-3f},
                            {1e8f, 1.2345678f, -1e8f, 2.3456789f},
                            {1.0000001f, 0.9999999f, 1.0000002f, 0.9999998f},
                            {16777215.f, 1.f, 3.f, 16777213.f},
                            {1e8f, -1e8f, 1.2345678f, 0.1f},
                            {0.1f, 1e8f, -1e8f, 0.7f},
                            {0.1f, 1e8f, 0.3f, -1e8f}};
  for (auto& q : quads) {
    Texture t(std::vector<float>(q, q + 4), f32, 2, 2, 0, false, false);
    std::vector<float> got = t.at(x, y);
    printf("%.9g %.9g %.9g %.9g:", q[0], q[1], q[2], q[3]);
    for (size_t k = 0; k < got.size(); k += 2) printf(" %08x", bits(got[k]));
    printf("\n");
  }
}

void three_dimensions() {
  printf("-- one texel of eight is 1: weights in 2^24ths\n");
  std::vector<float> x, y, z;
  for (int a : {1, 85, 255})
    for (int b : {3, 128, 200})
      for (int c : {5, 77, 254}) {
        x.push_back(0.5f + a / 256.f);
        y.push_back(0.5f + b / 256.f);
        z.push_back(0.5f + c / 256.f);
      }
  for (int corner = 0; corner < 8; corner += 7) {
    std::vector<float> texels(8);
    texels[corner] = 1;
    Texture t(texels, f32, 2, 2, 2, false, false);
    printf("%d:", corner);
    for (float v : t.at(x, y, z)) printf(" %.9g", v * 16777216);
    printf("\n");
  }
  printf("-- eight texels, bits\n");
  const float cubes[][8] = {{0.1f, 0.7f, 0.3f, 0.9f, 0.2f, 0.4f, 0.6f, 0.8f},
                            {1e8f, 1.1f, -1e8f, 2.2f, 3.3f, 1e8f, 4.4f, -1e8f},
                            {1.1f, 2.2f, 3.3f, 4.4f, 5.5f, 6.6f, 7.7f, 8.8f}};
  for (auto& c : cubes) {
    Texture t(std::vector<float>(c, c + 8), f32, 2, 2, 2, false, false);
    printf("%g ...:", c[0]);
    for (float v : t.at(x, y, z)) printf(" %08x", bits(v));
    printf("\n");
  }
}

template <class T>
void integers(const char* name, cudaChannelFormatKind kind, std::vector<std::vector<T>> pairs) {
  std::vector<float> x;
  for (int w : {0, 1, 2, 3, 64, 77, 127, 128, 129, 200, 254, 255, 256}) x.push_back(0.5f + w / 256.f);
  for (auto& p : pairs) {
    Texture t(p, {int(8 * sizeof(T)), 0, 0, 0, kind}, 2, 0, 0, false, true);
    printf("%s %d %d:", name, int(p[0]), int(p[1]));
    for (float v : t.at(x)) printf(" %08x", bits(v));
    printf("\n");
  }
}

void normalized() {
  printf(
      "-- integers read as floats and filtered, bits, with weights 0 1 2 3 64 77 127 128 129 200 254 255 "
      "256\n");
  integers<unsigned char>("u8", cudaChannelFormatKindUnsigned,
                          {{0, 255}, {0, 1}, {11, 12}, {100, 201}, {254, 255}, {255, 0}, {128, 128}});
  integers<signed char>("s8", cudaChannelFormatKindSigned,
                        {{0, 127}, {-128, 127}, {-127, 127}, {11, 12}, {-12, -11}, {-100, 77}});
  integers<unsigned short>("u16", cudaChannelFormatKindUnsigned,
                           {{0, 65535}, {0, 1}, {11, 12}, {1000, 2001}, {65534, 65535}, {65535, 0}});
  integers<short>("s16", cudaChannelFormatKindSigned,
                  {{0, 32767}, {-32768, 32767}, {-32767, 32767}, {11, 12}, {-12, -11}, {-100, 7777}});
  printf("-- four texels of bytes\n");
  std::vector<float> x, y;
  for (int a : {1, 85, 128, 255})
    for (int b : {3, 128, 200}) {
      x.push_back(0.5f + a / 256.f);
      y.push_back(0.5f + b / 256.f);
    }
  Texture t(std::vector<unsigned char>{10, 20, 30, 255}, {8, 0, 0, 0, cudaChannelFormatKindUnsigned}, 2, 2, 0,
            false, true);
  for (float v : t.at(x, y)) printf("%08x ", bits(v));
  printf("\n-- halves: 0.1, 1000.5, 6e-8 and 65504\n");
  Texture h(std::vector<unsigned short>{0x2e66, 0x63d1, 0x0001, 0x7bff},
            {16, 0, 0, 0, cudaChannelFormatKindFloat}, 4, 0, 0, false, false);
  x.clear();
  for (int k = 0; k < 4; ++k)
    for (int w : {0, 1, 77, 128, 255}) x.push_back(k + 0.5f + w / 256.f);
  for (float v : h.at(x)) printf("%08x ", bits(v));
  printf("\n");
}

int main() {
  rounding();
  far_away();
  one_dimension();
  two_dimensions();
  three_dimensions();
  normalized();
  CHECK(cudaDeviceSynchronize());
  return 0;
}
