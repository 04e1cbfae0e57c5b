// What courses and samples use of CUDA, one use each: must compile for the device and for the host
// (headers_test.cpp).
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda.h>
#include <cuda_pipeline.h>
#include <device_launch_parameters.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>
#include <math_constants.h>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>
#include <omp.h>

#include <algorithm>
#include <cassert>
#include <vector>

namespace cg = cooperative_groups;

__constant__ float coefficients[16];
__device__ int counter;
__device__ __managed__ int managed_total;
struct Pair {
  double weight;
  char tag;
};

__global__ void positions_and_shared(float* out, int n) {
  extern __shared__ float dynamic[];
  __shared__ float tile[16][17];
  int i = threadIdx.x + blockIdx.x * blockDim.x, warp = threadIdx.x / warpSize;
  uint3 where = threadIdx;
  dim3 size = blockDim;
  tile[threadIdx.y][threadIdx.x] = i < n ? out[i] : 0.f;
  dynamic[threadIdx.x] = coefficients[warp];
  __syncthreads();
  if (__syncthreads_count(i < n) + __syncthreads_or(0) + __syncthreads_and(1) > 1) out[0] = where.x + size.y;
  out[i] = tile[0][0] + dynamic[0];
}
template <class T>
__device__ T* shared_of() {
  extern __shared__ int bytes[];
  return (T*)bytes;
}

__global__ void __launch_bounds__(256, 2) warps(int* a, float* f, double* d, long* l, unsigned long long* u) {
  a[0] = __shfl_sync(~0u, a[1], 0) + __shfl_up_sync(~0u, a[1], 1) + __shfl_down_sync(~0u, a[1], 1, 16);
  f[0] = __shfl_xor_sync(0xffffffff, f[1], 1) + __shfl_down(f[2], 1);
  d[0] = __shfl_xor_sync(0xffffffff, d[1], 1, 8);
  l[0] = __shfl_sync(~0u, l[1], 3);
  u[0] = __shfl_up_sync(~0u, u[1], 3);
  int all = 0;
  a[1] = __ballot_sync(~0u, a[0] > 1) + __any_sync(~0u, 1) + __all_sync(~0u, 1) + __activemask() + __any(1) +
         __match_any_sync(~0u, a[2]) + __match_all_sync(~0u, f[0], &all) + __reduce_add_sync(~0u, a[0]) +
         __reduce_xor_sync(~0u, 3u) + __reduce_max_sync(~0u, -3);
  __syncwarp();
  __syncwarp(0xff);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
}

__global__ void atomics(int* a, unsigned* u, unsigned long long* l, float* f, double* d, long long* s,
                        unsigned short* h) {
  atomicAdd(a, 1), atomicAdd(u, 1), atomicAdd(l, 1), atomicAdd(f, 1), atomicAdd(d, 1), atomicAdd(&counter, 1);
  atomicSub(a, 1), atomicExch(f, 1), atomicMin(s, 1), atomicMax(a, 1), atomicMax(u, 1u), atomicAnd(a, 1);
  atomicOr(l, 1), atomicXor(u, 1), atomicInc(u, 7), atomicDec(u, 7), atomicCAS(a, 1, 2), atomicCAS(h, 1, 2);
  unsigned long long seen = atomicCAS(l, 1ull, 2ull);
  atomicAdd_block(a, (int)seen), atomicMax_system(u, 1), atomicCAS_block(a, 1, 2);
}
// Users write the missing ones themselves.
__device__ float atomicMax(float* at, float v) {
  int* bits = (int*)at;
  int old = *bits;
  while (__int_as_float(old) < v) {
    int seen = atomicCAS(bits, old, __float_as_int(v));
    if (seen == old) break;
    old = seen;
  }
  return __int_as_float(old);
}

__global__ void numbers(int* a, float* f, double* d, unsigned* u) {
  a[0] = __popc(u[0]) + __popcll(3) + __clz(a[1]) + __clzll(1) + __ffs(a[1]) + __ffsll(1) + __brev(u[1]) +
         __byte_perm(u[0], u[1], 0x3210) + __mul24(a[0], 3) + __umul24(1, 2) + __mulhi(1, 2) +
         __umulhi(1, 2) + __umul64hi(1, 2) + __hadd(1, 2) + __sad(1, 2, 3) + __dp4a(1, 2, 3) +
         __funnelshift_l(1, 2, 3) + __fns(7, 0, 2);
  a[1] = min(a[0], 2) + max(a[0], 2u) + min(3ul, 4ul) + max(3ll, 4ll) + umin(1u, 2u) + llmax(1, 2) +
         abs(a[0]) + labs(3l) + min(2u, 1) + std::max(a[0], 3) + std::abs(a[2]);
  f[0] = sqrtf(f[1]) + std::sqrt(f[1]) + rsqrtf(f[1]) + powf(f[1], 2) + pow(f[1], 2) + std::pow(f[1], 2.f) +
         expf(f[1]) + exp(f[1]) + logf(f[1]) + sinf(f[1]) + cosf(f[1]) + tanhf(f[1]) + fabsf(f[1]) +
         fabs(f[1]) + floorf(f[1]) + ceil(f[1]) + roundf(f[1]) + fmodf(f[1], 2) + atan2f(f[1], 2) +
         hypotf(f[1], 2) + erff(f[1]) + cbrtf(f[1]) + fminf(f[1], 2) + fmax(f[1], 2.f) + min(f[1], 2.f) +
         copysignf(f[1], -1) + ldexpf(f[1], 2) + sinpif(f[1]) + normcdff(f[1]) + norm3df(1, 2, 3) +
         lroundf(f[1]) + ilogbf(f[1]) + nextafterf(f[1], 2) + fdimf(f[1], 2);
  float sine, cosine, whole;
  int exponent;
  sincosf(f[1], &sine, &cosine);
  sincospif(f[1], &sine, &cosine);
  f[1] = modff(f[2], &whole) + frexpf(f[2], &exponent) + isnan(f[2]) + isinf(f[2]) + std::isfinite(f[2]) +
         signbit(f[2]);
  d[0] = sqrt(d[1]) + rsqrt(d[1]) + pow(d[1], 2) + exp(d[1]) + fma(d[1], d[1], d[1]) + fmin(d[1], 2.) +
         log(2) + sqrt(3) + tgamma(d[1]) + lgamma(d[1]) + rint(d[1]) + trunc(d[1]) + acosh(d[1]) +
         max(d[1], 2.f) + exp10(d[1]);
  f[2] = __expf(f[1]) + __logf(f[1]) + __sinf(f[1]) + __powf(f[1], 2) + __fdividef(f[1], 2) +
         __fmaf_rn(1, 2, 3) + __fadd_rn(1, 2) + __fmul_rn(1, 2) + __frcp_rn(2) + __fsqrt_rn(2) +
         __saturatef(f[1]) + __dadd_rn(1, 2);
  a[2] = __float2int_rn(f[1]) + __float2int_rz(f[1]) + __float2uint_ru(f[1]) + __double2int_rd(d[1]) +
         __float_as_int(f[1]) + __double2hiint(d[1]) + __double_as_longlong(d[1]);
  f[3] = __int2float_rn(a[1]) + __int2float_rz(a[1]) + __uint2float_rd(u[1]) + __int_as_float(a[1]) +
         __ull2float_rn(u[1]) + __double2float_rn(d[1]) + CUDART_PI_F + CUDART_INF_F;
  d[2] = __hiloint2double(1, 2) + __longlong_as_double(3) + __int2double_rn(3);
}

__global__ void memory(int* a, const int* __restrict__ b, const __grid_constant__ int n, float4* v,
                       volatile int* w) {
  a[0] = __ldg(b) + __ldcg(b + 1) + w[0];
  __stcs(a, 3);
  float4 x = __ldg(v);
  v[0] = make_float4(x.x, x.y, 0, 1);
  int* own = (int*)malloc(16);
  int* fresh = new int[4];
  memset(own, 0, 16);
  memcpy(fresh, own, 16);
  a[1] = fresh[1] + clock() + (int)clock64();
  free(own);
  delete[] fresh;
  __nanosleep(10);
  if (n < 0) __trap();
  assert(n > 0);
  printf("%d %f %s\n", n, x.x, "text");
  __pipeline_memcpy_async(a, b, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
#pragma unroll 4
  for (int i = 0; i < n; ++i) a[i] = i;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
#error "an architecture without atomicAdd(double*)"
#elif !defined(__CUDACC__) || !defined(__NVCC__) || CUDART_VERSION < 9000
#error "what real programs ask for is not defined"
#endif
}

__device__ int sum_of(cg::thread_group g, int v) {
  g.sync();
  return (int)(g.thread_rank() + g.size()) + v;
}
__global__ void groups(int* a) {
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  auto tile = cg::tiled_partition<16>(block);
  cg::thread_block_tile<4> quad = cg::tiled_partition<4>(tile);
  auto dynamic = cg::tiled_partition(block, 8);
  cg::coalesced_group together = cg::coalesced_threads();
  a[0] = cg::reduce(tile, a[1], cg::plus<int>()) + cg::inclusive_scan(quad, a[2]) +
         cg::exclusive_scan(together, a[1], cg::plus<int>()) + tile.shfl_xor(a[1], 1) + tile.any(1) +
         tile.ballot(1) + together.ballot(2) + sum_of(block, 1) + sum_of(tile, 2) + sum_of(dynamic, 3) +
         tile.meta_group_rank() + tile.meta_group_size() + cg::tiled_partition(together, 4).size() +
         cg::reduce(tile, a[2], cg::greater<int>());
  Pair pair{1.0, 'c'};
  pair = tile.shfl_down(pair, 1);
  cg::binary_partition(tile, a[0] > 3).sync();
  a[2] = cg::labeled_partition(together, a[3]).shfl(a[0], 0) + tile.match_any(3) + pair.tag;
  cg::sync(block), cg::sync(tile), grid.sync(), block.sync(), tile.sync();
  a[1] = block.group_index().x + block.thread_index().x + grid.thread_rank() + block.dim_threads().x;
  cg::memcpy_async(block, a, a + 3, 8);
  cg::wait(block);
  atomicAdd(&managed_total, 1);
  float3 v = make_float3(1.f) * 2.f + make_float3(1, 2, 3);
  a[3] = (int)dot(v, v);
}
template <class F>
__global__ void apply(F f, int* a) {
  a[threadIdx.x] = f(threadIdx.x);
}
class Functor {
 public:
  __host__ __device__ Functor(int k) : k_(k) {}
  __device__ __forceinline__ int operator()(int i) const { return i * k_; }
  __noinline__ __device__ int other() const { return k_; }

 private:
  int k_;
};

#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__)
#error "NVIDIA's own helper_cuda.h would have nothing to offer"
#endif
void as_others_say() {
  nvtxRangePush("step");
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.message.ascii = "text";
  nvtxRangePushEx(&event);
  nvtxRangePop();
  omp_set_num_threads(2);
#pragma omp parallel for
  for (int k = 0; k < omp_get_num_threads(); ++k) printf("%d %g\n", omp_get_thread_num(), omp_get_wtime());
}

__global__ void textures(float* out, cudaTextureObject_t t, cudaSurfaceObject_t s) {
  out[0] = tex1Dfetch<float>(t, 1) + tex1D<float>(t, .5f) + tex2D<float>(t, 1, 2) + tex3D<float>(t, 1, 2, 3);
  out[1] = tex1DLayered<float2>(t, 1, 2).y + tex2DLayered<float4>(t, 1, 2, 3).w +
           texCubemap<float>(t, 1, 2, 3) + texCubemapLayered<float>(t, 1, 2, 3, 4);
  out[2] = tex1DLod<float>(t, 1, 2) + tex2DLod<float>(t, 1, 2, 3) + tex3DLod<float>(t, 1, 2, 3, 4) +
           tex2DLayeredLod<float>(t, 1, 2, 3, 4) + tex1DLayeredLod<float>(t, 1, 2, 3) +
           texCubemapLod<float>(t, 1, 2, 3, 4);
  out[3] = tex1DGrad<float>(t, 1, 2, 3) + tex2DGrad<float>(t, 1, 2, make_float2(1, 2), make_float2(3, 4)) +
           tex3DGrad<float>(t, 1, 2, 3, make_float4(1, 2, 3, 0), make_float4(1, 2, 3, 0));
  uchar4 four = tex2Dgather<uchar4>(t, 1, 2, 3);
  short two;
  tex2D(&two, t, 1, 2);
  out[4] = four.x + two + tex2D<int2>(t, 1, 2).y + tex2D<ushort1>(t, 1, 2).x;
  float v = surf1Dread<float>(s, 4) + surf2Dread<float>(s, 4, 1, cudaBoundaryModeZero) +
            surf3Dread<float>(s, 4, 1, 2);
  surf2Dread(&v, s, 4, 1);
  surf1Dwrite(v, s, 4);
  surf2Dwrite(v, s, 4, 1, cudaBoundaryModeClamp);
  surf3Dwrite(make_float4(1, 2, 3, v), s, 16, 1, 2);
  surf2DLayeredwrite(surf1DLayeredread<int>(s, 4, 1), s, 4, 1, 2);
  surfCubemapwrite(surfCubemapread<int>(s, 4, 1, 2), s, 4, 1, 2);
}
void arrays() {
  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(),
                        g = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned),
                        half = cudaCreateChannelDescHalf4();
  cudaArray_t a, b;
  struct cudaArray* old = nullptr;
  cudaMallocArray(&a, &f, 4);
  cudaMallocArray(&b, &g, 4, 4, cudaArraySurfaceLoadStore | cudaArrayTextureGather);
  cudaMalloc3DArray(&old, &half, make_cudaExtent(4, 4, 6), cudaArrayLayered | cudaArrayCubemap);
  float host[4] = {};
  cudaMemcpyToArray(a, 0, 0, host, 16, cudaMemcpyHostToDevice);
  cudaMemcpy2DToArrayAsync(a, 0, 0, host, 16, 16, 1, cudaMemcpyHostToDevice);
  cudaMemcpy2DFromArray(host, 16, a, 0, 0, 16, 1, cudaMemcpyDeviceToHost);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D = {host, f, 4, 1, 512};
  cudaTextureDesc d = {};
  d.addressMode[0] = cudaAddressModeMirror;
  d.borderColor[3] = 1;
  d.filterMode = cudaFilterModeLinear;
  d.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t t = 0;
  cudaSurfaceObject_t s = 0;
  cudaCreateTextureObject(&t, &r, &d, NULL);
  cudaCreateSurfaceObject(&s, &r);
  cudaGetTextureObjectResourceDesc(&r, t);
  cudaDestroyTextureObject(t);
  cudaDestroySurfaceObject(s);
  cudaMipmappedArray_t m;
  cudaMallocMipmappedArray(&m, &f, make_cudaExtent(8, 8, 0), 4);
  cudaGetMipmappedArrayLevel(&a, m, 1);
  cudaFreeMipmappedArray(m);
  cudaFreeArray(b);
}

int main(int argc, char** argv) {
  as_others_say();
  findCudaDevice(argc, (const char**)argv);
  int *a, *pinned, *managed;
  float* f;
  size_t pitch, free_bytes, total;
  checkCudaErrors(cudaMalloc(&a, 64));
  checkCudaErrors(cudaMalloc((void**)&f, 64));
  cudaMallocManaged(&managed, 64);
  cudaMallocHost(&pinned, 64);
  cudaHostAlloc((void**)&pinned, 64, cudaHostAllocMapped);
  cudaMallocPitch(&f, &pitch, 64, 4);
  cudaMemcpy2D(f, pitch, pinned, 64, 64, 1, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(coefficients, f, 4);
  cudaMemcpyFromSymbol(pinned, counter, sizeof(int));
  cudaGetSymbolAddress((void**)&a, counter);
  positions_and_shared<<<dim3(2, 2), dim3(16, 16), 64>>>(f, 3);
  apply<<<1, 32>>>([=] __host__ __device__(int i) { return i + argc; }, a);
  apply<<<1, 32>>>([=] __device__(int i) { return i + argc; }, a);
  apply<<<1, 32>>>(Functor(3), a);
  void* arguments[] = {&a};
  cudaLaunchCooperativeKernel((void*)groups, dim3(1), dim3(32), arguments);
  cudaLaunchCooperativeKernel(groups, 1, 32, arguments);
  cudaLaunchConfig_t config = {};
  cudaLaunchKernelEx(&config, groups, a);
  cudaFuncSetAttribute(positions_and_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  cudaFuncSetCacheConfig(groups, cudaFuncCachePreferL1);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, groups);
  int blocks, threads, value;
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, groups);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, groups, 256, 0);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemcpyAsync(a, pinned, 64, cudaMemcpyHostToDevice, stream);
  groups<<<1, 32, 0, stream>>>(a);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreateWithFlags(&stop, cudaEventDisableTiming);
  cudaEventRecord(start, stream);
  cudaEventSynchronize(stop);
  float milliseconds;
  cudaEventElapsedTime(&milliseconds, start, stop);
  cudaStreamWaitEvent(stream, stop, 0);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0);
  cudaMemGetInfo(&free_bytes, &total);
  cudaMemPrefetchAsync(managed, 64, cudaCpuDeviceId);
  cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, 0);
  cudaMemLocation location = {cudaMemLocationTypeHost, 0};
  cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, location);
  cudaMemPrefetchAsync(managed, 64, location, 0, stream);
  cudaError_t error = cudaPeekAtLastError();
  if (error == cudaErrorInvalidConfiguration)
    printf("%s %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
  getLastCudaError("launch");
  const auto finish = [&](auto kernel) {  // which clang takes for device code, too
    kernel<<<1, 32>>>(a);
    cudaDeviceSynchronize();
    return cudaGetLastError();
  };
  if (finish(groups) != cudaSuccess) return CUDA_ERROR_OUT_OF_MEMORY + CUDA_ERROR_LAUNCH_FAILED;
  std::vector<int> host(4, min(managed_total, max(3, 4)));
  StopWatchInterface* timer = nullptr;
  sdkCreateTimer(&timer);
  cudaFreeHost(pinned);
  cudaDeviceSynchronize();
  cudaDeviceReset();
  return compareData(host.data(), host.data(), 4, 0, 0.f) ? EXIT_SUCCESS : EXIT_FAILURE;
}
