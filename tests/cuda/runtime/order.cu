// Programs about the order of streams, events and the host, one by its first argument (runtime_test.cpp).
// "right ..." wait for all that they use; each other one has one mistake, in the line that is marked.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

constexpr int n = 1024, half = n / 2, bytes = n * sizeof(int);

__global__ void squares(int* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = i * i;
}
__global__ void twice(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 2;
}
__global__ void count(int* bins) { atomicAdd(&bins[threadIdx.x % 4], 1); }
__global__ void greet() { printf("hello\n"); }
__global__ void raise(volatile int* flag, int* data) {
  data[0] = 5;
  __threadfence_system();
  *flag = 1;
}
__global__ void beyond(int* out) { out[threadIdx.x + n] = 1; }
__global__ void __launch_bounds__(64) small(int* out) { out[threadIdx.x] = 1; }
__global__ void together(int* out) {
  cooperative_groups::this_grid().sync();
  out[threadIdx.x] = 1;
}

struct Fixture {
  cudaStream_t one, two, apart;
  cudaEvent_t event;
  int *pinned, *managed, *device, *other;
  std::vector<int> pageable = std::vector<int>(n);
  Fixture() {
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaMallocHost(&pinned, bytes);
    cudaMallocManaged(&managed, bytes);
    cudaMalloc(&device, bytes);
    cudaMalloc(&other, bytes);
    cudaMemset(device, 0, bytes);
    cudaMemset(other, 0, bytes);
    memset(pinned, 0, bytes);
    memset(managed, 0, bytes);
    cudaDeviceSynchronize();
  }
  ~Fixture() {
    cudaFreeHost(pinned);
    cudaFree(managed);
    cudaFree(device);
    cudaFree(other);
  }
};

int sum(const int* values, int from, int to) {
  int all = 0;
  for (int i = from; i < to; ++i) all += values[i];  // line: pinned read
  return all;
}

// ---- right

void right_waits() {
  Fixture f;
  squares<<<4, 256, 0, f.one>>>(f.device, n);
  cudaMemcpyAsync(f.pinned, f.device, bytes, cudaMemcpyDeviceToHost, f.one);
  cudaStreamSynchronize(f.one);
  printf("%d\n", sum(f.pinned, 0, n));
  cudaMemcpyAsync(f.device, f.pinned, bytes, cudaMemcpyHostToDevice, f.one);
  printf("%d\n", f.pinned[3]);  // only read, as the copy does
  cudaEventRecord(f.event, f.one);
  cudaEventSynchronize(f.event);
  f.pinned[3] = 7;
  squares<<<4, 256>>>(f.managed, n);
  cudaDeviceSynchronize();
  printf("%d\n", sum(f.managed, 0, n));
  squares<<<4, 256, 0, f.two>>>(f.managed, n);
  while (cudaStreamQuery(f.two) == cudaErrorNotReady) {}
  printf("%d\n", f.managed[5]++);
}
void right_streams() {
  Fixture f;
  squares<<<4, 256, 0, f.one>>>(f.device, n);
  cudaEventRecord(f.event, f.one);
  cudaStreamWaitEvent(f.two, f.event, 0);
  twice<<<4, 256, 0, f.two>>>(f.device, f.other);
  squares<<<4, 256>>>(f.other, n);  // the legacy default stream waits for both, and both for it
  twice<<<4, 256, 0, f.one>>>(f.other, f.device);
  count<<<4, 64, 0, f.one>>>(f.managed);
  count<<<4, 64, 0, f.two>>>(f.managed);
  cudaMemcpy(f.pageable.data(), f.device, bytes, cudaMemcpyDeviceToHost);
  printf("%d %d\n", f.pageable[3], f.managed[0]);
  squares<<<2, 256, 0, f.one>>>(f.device, half);
  squares<<<2, 256, 0, f.two>>>(f.device + half, half);
  cudaDeviceSynchronize();
}
void right_pageable() {
  Fixture f;
  cudaMemcpyAsync(f.device, f.pageable.data(), bytes, cudaMemcpyHostToDevice, f.one);
  f.pageable[0] = 9;  // staged before the call returned
  cudaMemcpyAsync(f.pageable.data(), f.device, bytes, cudaMemcpyDeviceToHost, f.one);
  printf("%d\n", f.pageable[0]);  // the call returned when the copy had ended
}
void right_halves() {
  Fixture f;
  int* large;
  cudaMallocHost(&large, 8 * bytes);
  for (int k = 0; k < 4; ++k) {
    cudaMemcpyAsync(large, f.device, bytes, cudaMemcpyDeviceToHost, f.one);
    memset(large + 4 * n, k, bytes);
    cudaStreamSynchronize(f.one);
    printf("%d", large[5]);
  }
  squares<<<2, 256>>>(f.managed, half);
  f.managed[half + 5] = 1;
  cudaDeviceSynchronize();
  printf("%d\n", f.managed[5]);
  cudaFreeHost(large);
}
void right_callback() {
  Fixture f;
  static int seen;
  cudaMemcpyAsync(f.pinned, f.device, bytes, cudaMemcpyDeviceToHost, f.one);
  cudaLaunchHostFunc(
      f.one, [](void* p) { seen = *(int*)p + 1; }, f.pinned);
  printf("%d %d\n", seen, f.pinned[0]);
  volatile int* flag;
  cudaMallocHost((void**)&flag, bytes);
  *flag = 0;
  raise<<<1, 1>>>(flag, f.managed);
  while (!*flag) {}
  printf("%d\n", f.managed[0]);
  cudaFreeHost((void*)flag);
}

// ---- wrong

void pinned_read() {
  Fixture f;
  squares<<<4, 256, 0, f.one>>>(f.device, n);
  cudaMemcpyAsync(f.pinned, f.device, bytes, cudaMemcpyDeviceToHost, f.one);
  int all = sum(f.pinned, 0, n);
  cudaStreamSynchronize(f.one);
  printf("%d\n", all);
}
void pinned_written() {
  Fixture f;
  cudaMemcpyAsync(f.device, f.pinned, bytes, cudaMemcpyHostToDevice, f.one);
  f.pinned[2] = 1;  // line: pinned written
  cudaStreamSynchronize(f.one);
}
void managed_read() {
  Fixture f;
  squares<<<4, 256>>>(f.managed, n);
  printf("%d\n", f.managed[2]);  // line: managed read
  cudaDeviceSynchronize();
}
void other_event() {
  Fixture f;
  squares<<<4, 256, 0, f.one>>>(f.managed, n);
  cudaEventRecord(f.event, f.two);
  cudaEventSynchronize(f.event);
  printf("%d\n", f.managed[2]);  // line: other event
  cudaDeviceSynchronize();
}
void streams_race() {
  Fixture f;
  squares<<<4, 256, 0, f.one>>>(f.device, n);
  twice<<<4, 256, 0, f.two>>>(f.device, f.other);  // line: streams race
  cudaDeviceSynchronize();
}
void nonblocking() {
  Fixture f;
  cudaMemset(f.device, 0, bytes);
  squares<<<4, 256, 0, f.apart>>>(f.device, n);  // line: nonblocking
  cudaDeviceSynchronize();
}
void event_early() {
  Fixture f;
  cudaEvent_t stop;
  float time = -1;
  cudaEventCreate(&stop);
  cudaEventRecord(f.event);
  squares<<<4, 256>>>(f.device, n);
  cudaEventRecord(stop);
  const cudaError_t error = cudaEventElapsedTime(&time, f.event, stop);  // line: event early
  printf("%s %d\n", cudaGetErrorName(error), time < 0);
  cudaEventSynchronize(stop);
  printf("%d\n", cudaEventElapsedTime(&time, f.event, stop));
}
void lost_output() {
  greet<<<1, 1>>>();  // line: lost output
}
void forgotten_sizeof() {
  Fixture f;
  int* few;
  cudaMalloc(&few, n);
  cudaMemcpy(few, f.pageable.data(), bytes, cudaMemcpyHostToDevice);  // line: forgotten sizeof
  cudaFree(few);
}
void lost_result() {
  Fixture f;
  beyond<<<1, 64>>>(f.device);
  cudaMemcpy(f.pageable.data(), f.device, bytes, cudaMemcpyDeviceToHost);  // line: lost result
  printf("%d\n", f.pageable[0]);
}
void launch_bounds() {
  Fixture f;
  small<<<1, 128>>>(f.device);  // line: launch bounds
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
void too_many_together() {
  Fixture f;
  void* arguments[] = {&f.device};
  printf("%s\n",
         cudaGetErrorName(cudaLaunchCooperativeKernel(  // line: too many together
             together, 1000, 256, arguments)));
}

int main(int, char** arguments) {
  const struct {
    const char* name;
    void (*run)();
  } all[] = {{"right waits", right_waits},
             {"right streams", right_streams},
             {"right pageable", right_pageable},
             {"right halves", right_halves},
             {"right callback", right_callback},
             {"pinned read", pinned_read},
             {"pinned written", pinned_written},
             {"managed read", managed_read},
             {"other event", other_event},
             {"streams race", streams_race},
             {"nonblocking", nonblocking},
             {"event early", event_early},
             {"lost output", lost_output},
             {"forgotten sizeof", forgotten_sizeof},
             {"lost result", lost_result},
             {"launch bounds", launch_bounds},
             {"too many together", too_many_together}};
  for (const auto& one : all)
    if (arguments[1] == std::string(one.name)) one.run();
}
