// What CUDA once had: each line that says "old" gives a note, with the words that follow.
// What a comment says is of its line.
// clang-format off
#include <cutil_inline.h>  // old: cutil.h is of CUDA before 5.0
#include <shrUtils.h>      // old: shrUtils.h is of CUDA before 5.0

#include <cstdio>

__constant__ float scale[2];
__device__ int total;

__global__ void k(int* out) {
  int v = (int)threadIdx.x;
  for (int step = 16; step > 0; step /= 2) v += __shfl_down(v, step);  // old: use __shfl_down_sync(0xffffffff, value, delta)
  const int first = __shfl(v, 0);                                      // old: use __shfl_sync(0xffffffff, value, lane)
  const unsigned even = __ballot(threadIdx.x % 2 == 0);                // old: use __ballot_sync(0xffffffff, predicate)
  if (__any(threadIdx.x == 5)) out[threadIdx.x] = first + (int)(even & 7);  // old: use __any_sync(0xffffffff, predicate)
  out[threadIdx.x] *= (int)(scale[0] + scale[1]);
  if (threadIdx.x == 0) total = first;
}

int main(int argc, char** argv) {
  CUT_DEVICE_INIT(argc, argv);
  unsigned timer = 0;
  CUT_SAFE_CALL(cutCreateTimer(&timer));
  CUT_SAFE_CALL(cutStartTimer(timer));
  int *out, host[32], sum = 0;
  const float factors[2] = {1, 2};
  cutilSafeCall(cudaMalloc((void**)&out, sizeof host));
  cutilSafeCall(cudaMemcpyToSymbol("scale", factors, sizeof factors));  // old: use the variable itself, without quotation marks
  cudaConfigureCall(dim3(1), dim3(32));                                 // old: use <<<grid, block, shared, stream>>>
  cudaSetupArgument(out, 0);                                            // old: use kernel<<<grid, block>>>(arguments)
  cudaLaunch(k);                                                        // old: use kernel<<<grid, block>>>(arguments)
  cutilCheckMsg("k");
  cudaThreadSynchronize();  // old: use cudaDeviceSynchronize
  CUT_SAFE_CALL(cutStopTimer(timer));
  cutilSafeCall(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  cutilSafeCall(cudaMemcpyFromSymbol(&sum, "total", sizeof sum));  // old: use the variable itself, without quotation marks
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  shrLog("%d %d %d, %s\n", host[0], host[31], sum, properties.clockRate > 0 && cutGetTimerValue(timer) >= 0 ? "timed" : "not timed");  // old: use cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, device)
  cudaFree(out);
  cudaThreadExit();  // old: use cudaDeviceReset
}
// clang-format on
