// The driver API's devices, contexts, memory, streams and events, beside a kernel that <<<...>>> launches.
// nvcc: -lcuda
#include <cuda.h>

#include <cstdio>

__global__ void twice(int* numbers, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) numbers[i] *= 2;
}

static int failed = 0;
static void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  printf("%s: %s\n", what, name);
  failed = 1;
}
#define CHECK(call) check(call, #call)

int main() {
  const int n = 100;
  CUdevice device;
  CUcontext context, current;
  int count = 0, warp = 0, threads = 0, version = 0;
  CHECK(cuInit(0));
  CHECK(cuDriverGetVersion(&version));
  CHECK(cuDeviceGetCount(&count));
  CHECK(cuDeviceGet(&device, 0));
  char name[100] = "";
  size_t memory = 0;
  CHECK(cuDeviceGetName(name, sizeof name, device));
  CHECK(cuDeviceTotalMem(&memory, device));
  CHECK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  CHECK(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
  printf("%d %d %d %d %d\n", count > 0, name[0] != 0, memory > 0, warp, threads);
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuCtxGetCurrent(&current));
  printf("%d %d\n", version > 0, current == context);

  int numbers[n];
  for (int k = 0; k < n; ++k) numbers[k] = k;
  CUdeviceptr a, b;
  CUstream stream;
  CUevent begin, end;
  CHECK(cuMemAlloc(&a, sizeof numbers));
  CHECK(cuMemAlloc(&b, sizeof numbers));
  CHECK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  CHECK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  CHECK(cuMemcpyHtoD(a, numbers, sizeof numbers));
  CHECK(cuEventRecord(begin, stream));
  twice<<<2, 64, 0, stream>>>((int*)a, n);
  CHECK(cuEventRecord(end, stream));
  CHECK(cuMemsetD8(b, 1, sizeof numbers));
  CHECK(cuMemsetD32(b + 4, 7, 3));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoD(b + 16, a + 16, sizeof numbers - 16));
  CHECK(cuMemcpyDtoH(numbers, b, sizeof numbers));
  CHECK(cuEventSynchronize(end));
  float milliseconds = -1;
  CHECK(cuEventElapsedTime(&milliseconds, begin, end));
  printf("%d %d %d %d %d %d %d\n", numbers[0], numbers[1], numbers[3], numbers[4], numbers[50], numbers[99],
         milliseconds >= 0);

  const char *error = nullptr, *text = nullptr;
  CUdevice none;
  cuGetErrorName(cuDeviceGet(&none, 1000), &error);
  cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text);
  printf("%s: %s\n", error, text);
  CHECK(cuEventDestroy(begin));
  CHECK(cuEventDestroy(end));
  CHECK(cuStreamDestroy(stream));
  CHECK(cuMemFree(a));
  CHECK(cuMemFree(b));
  CHECK(cuCtxSynchronize());
  CHECK(cuDevicePrimaryCtxRelease(device));
  return failed;
}
