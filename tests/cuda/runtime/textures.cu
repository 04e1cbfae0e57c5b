// What calls about arrays, textures and surfaces answer, by the program's first argument (runtime_test.cpp).
#include <cstdio>
#include <cstring>
#include <string>

#include "barrierscope/texture_references.h"

texture<float, 2> picture;
texture<float> line;
texture<unsigned char, 1, cudaReadModeNormalizedFloat> bytes;

__global__ void read(float* out) {
  out[threadIdx.x] =
      tex2D(picture, threadIdx.x, 0) + tex1Dfetch(line, threadIdx.x) + tex1Dfetch(bytes, threadIdx.x);
}
__global__ void through(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
}

void say(cudaError_t error) { printf("%s\n", cudaGetErrorName(error)); }

const cudaChannelFormatDesc f32 = cudaCreateChannelDesc<float>();

void arrays() {
  cudaArray_t a = nullptr;
  cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat};
  say(cudaMallocArray(&a, &three, 4, 4));                                        // line: channels
  say(cudaMalloc3DArray(&a, &f32, make_cudaExtent(4, 5, 6), cudaArrayCubemap));  // line: cubemap
  say(cudaMallocArray(&a, &f32, 0, 4));                                          // line: nothing
  say(cudaMallocArray(&a, nullptr, 4, 4));
  say(cudaMallocArray(&a, &f32, 4, 4));
  float host[20];
  for (int k = 0; k < 20; ++k) host[k] = k;
  say(cudaMemcpy2DToArray(a, 4, 0, host, 16, 16, 4, cudaMemcpyHostToDevice));  // line: too wide
  say(cudaMemcpy2DToArray(a, 0, 0, host, 16, 16, 4, cudaMemcpyHostToDevice));
  say(cudaMemcpyToArray(a, 0, 3, host, 20, cudaMemcpyHostToDevice));             // line: too many
  say(cudaMemcpyToArray(a, 8, 1, host, 16, cudaMemcpyHostToDevice));             // over a row's end
  say(cudaMemcpy2DFromArray(host, 16, a, 0, 0, 16, 4, cudaMemcpyHostToDevice));  // line: direction
  say(cudaMemcpyFromArray(host, a, 0, 0, 64, cudaMemcpyDeviceToHost));
  printf("%g %g %g %g\n", host[5], host[6], host[9], host[10]);
  cudaArray_t b = nullptr;
  say(cudaMallocArray(&b, &f32, 4, 4));
  say(cudaMemcpyArrayToArray(b, 0, 0, a, 0, 2, 32, cudaMemcpyDeviceToDevice));
  say(cudaFreeArray(a));
  say(cudaFreeArray(a));  // line: twice
  say(cudaFreeArray(nullptr));
  say(cudaFreeArray(b));
}

void objects() {
  float* memory;
  cudaMalloc(&memory, 4096);
  cudaMemset(memory, 0, 4096);
  cudaResourceDesc r = {};
  cudaTextureDesc d = {};
  cudaTextureObject_t t = 0;
  say(cudaCreateTextureObject(nullptr, &r, &d, nullptr));
  say(cudaCreateTextureObject(&t, &r, &d, nullptr));  // line: no array
  r.resType = cudaResourceTypeLinear;
  r.res.linear = {memory, f32, 8192};
  say(cudaCreateTextureObject(&t, &r, &d, nullptr));  // line: too long
  r.res.linear = {memory, cudaCreateChannelDesc<int>(), 4096};
  d.readMode = cudaReadModeNormalizedFloat;
  say(cudaCreateTextureObject(&t, &r, &d, nullptr));  // line: normalized
  d.readMode = cudaReadModeElementType;
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D = {memory, f32, 5, 4, 20};
  say(cudaCreateTextureObject(&t, &r, &d, nullptr));  // line: pitch
  r.resType = cudaResourceTypeLinear;
  r.res.linear = {memory, f32, 128};
  say(cudaCreateTextureObject(&t, &r, &d, nullptr));
  cudaSurfaceObject_t s = 0;
  say(cudaCreateSurfaceObject(&s, &r));  // line: surface
  float *out, host[40];
  cudaMalloc(&out, 160);
  through<<<1, 40>>>(t, out);
  say(cudaMemcpy(host, out, 160, cudaMemcpyDeviceToHost));
  say(cudaDestroySurfaceObject(t));  // line: other kind
  say(cudaDestroyTextureObject(t));
  say(cudaDestroyTextureObject(t));  // line: destroyed
  say(cudaGetTextureObjectResourceDesc(&r, t));
  cudaFree(memory);
  cudaFree(out);
}

void references() {
  float host[8], *memory, *out;
  unsigned char small[8], *narrow;
  for (int k = 0; k < 8; ++k) host[k] = k, small[k] = k * 51 % 256;
  cudaMalloc(&memory, 1024);
  cudaMemcpy(memory, host, 32, cudaMemcpyHostToDevice);
  cudaMalloc(&narrow, 8);
  cudaMemcpy(narrow, small, 8, cudaMemcpyHostToDevice);
  cudaMalloc(&out, 32);
  cudaArray_t a = nullptr;
  cudaMallocArray(&a, &f32, 8, 1);
  cudaMemcpyToArray(a, 0, 0, host, 32, cudaMemcpyHostToDevice);
  size_t offset = 7;
  say(cudaGetTextureAlignmentOffset(&offset, line));
  say(cudaBindTexture(nullptr, line, memory + 1));
  say(cudaBindTexture(&offset, line, memory + 1));
  printf("%d\n", int(offset));
  say(cudaBindTexture(&offset, line, memory, 32));
  say(cudaGetTextureAlignmentOffset(&offset, line));
  printf("%d\n", int(offset));
  say(cudaBindTexture(nullptr, bytes, narrow));
  say(cudaBindTextureToArray(line, a));  // line: dimensions
  say(cudaBindTextureToArray(picture, a));
  read<<<1, 8>>>(out);
  say(cudaMemcpy(host, out, 32, cudaMemcpyDeviceToHost));
  printf("%g %g\n", host[1], host[5]);
  const textureReference* found = nullptr;
  say(cudaGetTextureReference(&found, "bytes"));
  printf("%d\n", found == &bytes);
  textureReference strange = {};
  say(cudaUnbindTexture(&strange));  // line: unknown
  say(cudaUnbindTexture(line));
  say(cudaUnbindTexture(bytes));
  say(cudaUnbindTexture(picture));
  cudaFreeArray(a);
  cudaFree(memory);
  cudaFree(narrow);
  cudaFree(out);
}

int main(int, char** arguments) {
  const std::string what = arguments[1];
  if (what == "arrays") arrays();
  if (what == "objects") objects();
  if (what == "references") references();
  return 0;
}
