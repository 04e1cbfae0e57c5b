// Every format of channels: as elements, and as floats from 0 or -1 to 1.
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

template <class T>
__global__ void elements(cudaTextureObject_t t, T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex2D<T>(t, i % 16 + 0.5f, i / 16 + 0.5f);
}

template <class T>
cudaTextureObject_t object(cudaArray_t& array, cudaChannelFormatDesc format, const std::vector<T>& texels,
                           bool as_float, bool srgb = false) {
  int h = texels.size() / 16;
  CHECK(cudaMallocArray(&array, &format, 16, h));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), 16 * sizeof(T), 16 * sizeof(T), h,
                            cudaMemcpyHostToDevice));
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  cudaTextureDesc t = {};
  t.addressMode[0] = t.addressMode[1] = cudaAddressModeClamp;
  t.readMode = as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  t.sRGB = srgb;
  cudaTextureObject_t made = 0;
  CHECK(cudaCreateTextureObject(&made, &r, &t, nullptr));
  return made;
}

template <class T, class Read>
std::vector<Read> read(const std::vector<T>& texels, cudaChannelFormatDesc format, bool as_float,
                       bool srgb = false) {
  cudaArray_t array;
  cudaTextureObject_t t = object(array, format, texels, as_float, srgb);
  int n = texels.size();
  std::vector<Read> out(n);
  Read* d;
  CHECK(cudaMalloc(&d, n * sizeof(Read)));
  elements<Read><<<(n + 63) / 64, 64>>>(t, d, n);
  CHECK(cudaMemcpy(out.data(), d, n * sizeof(Read), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(array));
  return out;
}

// Texels come back as they went in.
template <class T>
void same(const char* name) {
  std::vector<T> texels(32);
  unsigned char* bytes = (unsigned char*)texels.data();
  for (size_t k = 0; k < 32 * sizeof(T); ++k) bytes[k] = (unsigned char)(k * 37 + k / 7 + 1);
  std::vector<T> got = read<T, T>(texels, cudaCreateChannelDesc<T>(), false);
  printf("%s: %s\n", name, memcmp(got.data(), texels.data(), 32 * sizeof(T)) ? "differs" : "same");
  cudaChannelFormatDesc d = cudaCreateChannelDesc<T>();
  printf("  %d %d %d %d %d\n", d.x, d.y, d.z, d.w, int(d.f));
}

void hash(const char* name, const std::vector<float>& values) {
  unsigned h = 2166136261u;
  for (float v : values) h = (h ^ bits(v)) * 16777619u;
  printf("%s: all %08x; some:", name, h);
  for (size_t k : {0, 1, 2, 3, 5, 7, 11, 100}) printf(" %08x", bits(values[k]));
  for (size_t k = values.size() / 2 - 2; k < values.size() / 2 + 2; ++k) printf(" %08x", bits(values[k]));
  for (size_t k = values.size() - 3; k < values.size(); ++k) printf(" %08x", bits(values[k]));
  printf("\n");
}

int main() {
  same<char>("char");
  same<signed char>("signed char");
  same<unsigned char>("unsigned char");
  same<char1>("char1");
  same<char2>("char2");
  same<char4>("char4");
  same<uchar2>("uchar2");
  same<uchar4>("uchar4");
  same<short>("short");
  same<short2>("short2");
  same<short4>("short4");
  same<unsigned short>("unsigned short");
  same<ushort2>("ushort2");
  same<ushort4>("ushort4");
  same<int>("int");
  same<int2>("int2");
  same<int4>("int4");
  same<unsigned int>("unsigned int");
  same<uint2>("uint2");
  same<uint4>("uint4");
  same<float2>("float2");
  same<float4>("float4");

  std::vector<unsigned char> u8(256);
  std::vector<signed char> s8(256);
  for (int k = 0; k < 256; ++k) u8[k] = k, s8[k] = k;
  hash("unsigned char as float",
       read<unsigned char, float>(u8, cudaCreateChannelDesc<unsigned char>(), true));
  hash("signed char as float", read<signed char, float>(s8, cudaCreateChannelDesc<signed char>(), true));
  std::vector<unsigned short> u16(65536);
  std::vector<short> s16(65536);
  for (int k = 0; k < 65536; ++k) u16[k] = k, s16[k] = k;
  for (size_t step : {1, 16}) {  // the first 4096 texels, and every 16th
    std::vector<unsigned short> u(4096);
    std::vector<short> s(4096);
    for (size_t k = 0; k < 4096; ++k) u[k] = u16[k * step], s[k] = s16[k * step];
    hash("unsigned short as float",
         read<unsigned short, float>(u, cudaCreateChannelDesc<unsigned short>(), true));
    hash("short as float", read<short, float>(s, cudaCreateChannelDesc<short>(), true));
    std::vector<float> halves =
        read<unsigned short, float>(u, cudaChannelFormatDesc{16, 0, 0, 0, cudaChannelFormatKindFloat}, false);
    for (float& v : halves)
      if (v != v) v = 0;  // which bits a half that is no number becomes is the hardware's own
    hash("half", halves);
  }
  std::vector<uchar4> rgba(16);
  for (int k = 0; k < 16; ++k) rgba[k] = make_uchar4(k, 255 - k, k * 16, 128);
  for (float4 v : read<uchar4, float4>(rgba, cudaCreateChannelDesc<uchar4>(), true))
    printf("%08x %08x %08x %08x\n", bits(v.x), bits(v.y), bits(v.z), bits(v.w));

  printf("-- bytes as sRGB: three digits\n");
  std::vector<float> linear =
      read<unsigned char, float>(u8, cudaCreateChannelDesc<unsigned char>(), true, true);
  for (int k = 0; k < 256; ++k) printf("%.3f%c", linear[k], k % 16 == 15 ? '\n' : ' ');
  CHECK(cudaDeviceSynchronize());
  return 0;
}
