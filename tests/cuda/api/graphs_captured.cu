// Graphs captured from streams: a fork and a join by events, several launches, updates, and the errors of
// captures that cannot be.
#include <cstdio>

#define CHECK(call)                                         \
  do {                                                      \
    cudaError_t error = (call);                             \
    if (error != cudaSuccess) {                             \
      printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      return 1;                                             \
    }                                                       \
  } while (0)

__global__ void add(int* x, int value) { x[threadIdx.x] += value; }
__global__ void twice(const int* from, int* to) { to[threadIdx.x] = 2 * from[threadIdx.x]; }
__global__ void sum(const int* a, const int* b, int* out) {
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

void CUDART_CB on_host(void* data) { ++*(int*)data; }

int main() {
  const int n = 8;
  int *a, *b, *c, calls = 0, *host;
  CHECK(cudaMalloc(&a, n * sizeof(int)));
  CHECK(cudaMalloc(&b, n * sizeof(int)));
  CHECK(cudaMalloc(&c, n * sizeof(int)));
  CHECK(cudaMallocHost(&host, n * sizeof(int)));
  CHECK(cudaMemset(a, 0, n * sizeof(int)));

  cudaStream_t first, second;
  cudaEvent_t forked, joined;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  CHECK(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));

  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(first, &status));
  printf("capturing: %d\n", status == cudaStreamCaptureStatusActive);
  add<<<1, n, 0, first>>>(a, 3);
  CHECK(cudaEventRecord(forked, first));
  CHECK(cudaStreamWaitEvent(second, forked, 0));
  twice<<<1, n, 0, first>>>(a, b);
  CHECK(cudaMemsetAsync(c, 0, n * sizeof(int), second));
  add<<<1, n, 0, second>>>(c, 100);
  CHECK(cudaEventRecord(joined, second));
  CHECK(cudaStreamWaitEvent(first, joined, 0));
  sum<<<1, n, 0, first>>>(b, c, c);
  CHECK(cudaMemcpyAsync(host, c, n * sizeof(int), cudaMemcpyDeviceToHost, first));
  CHECK(cudaLaunchHostFunc(first, on_host, &calls));
  CHECK(cudaStreamEndCapture(first, &graph));

  size_t nodes = 0, edges = 0, roots = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
#else
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
#endif
  printf("nodes %d, edges %d, roots %d\n", (int)nodes, (int)edges, (int)roots);

  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int k = 1; k <= 3; ++k) {
    CHECK(cudaGraphLaunch(exec, first));
    CHECK(cudaStreamSynchronize(first));
    printf("launch %d: %d, host calls %d\n", k, host[n - 1], calls);
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));

  // a stream that is not captured
  cudaError_t error = cudaStreamEndCapture(first, &graph);
  printf("not captured: %s\n", cudaGetErrorName(error));
  cudaGetLastError();
  // waiting for the stream while it is captured
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  add<<<1, n, 0, first>>>(a, 1);
  error = cudaStreamSynchronize(first);
  printf("waiting in a capture: %s\n", cudaGetErrorName(error));
  error = cudaStreamEndCapture(first, &graph);
  printf("its end: %s\n", cudaGetErrorName(error));
  cudaGetLastError();

  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaMemcpy(host, a, n * sizeof(int), cudaMemcpyDeviceToHost));
  printf("a: %d\n", host[0]);
  return 0;
}
