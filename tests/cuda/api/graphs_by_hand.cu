// Graphs built node by node: kernel, memcpy, memset, host, empty and child graph nodes, dependencies, clones,
// changes of nodes and of what was instantiated.
#include <cstdio>
#include <vector>

#define CHECK(call)                                         \
  do {                                                      \
    cudaError_t error = (call);                             \
    if (error != cudaSuccess) {                             \
      printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      return 1;                                             \
    }                                                       \
  } while (0)

__global__ void scale(const int* from, int* to, int factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = factor * from[i];
}
__global__ void reduce(const int* from, int* total, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += from[i];
  *total += sum;
}

struct Shown {
  const int* total;
  int calls;
};
void CUDART_CB show(void* data) {
  Shown* shown = (Shown*)data;
  printf("host node: %d\n", *shown->total);
  ++shown->calls;
}

const char* name_of(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel: return "kernel";
    case cudaGraphNodeTypeMemcpy: return "memcpy";
    case cudaGraphNodeTypeMemset: return "memset";
    case cudaGraphNodeTypeHost: return "host";
    case cudaGraphNodeTypeGraph: return "graph";
    case cudaGraphNodeTypeEmpty: return "empty";
    default: return "other";
  }
}

int main() {
  int n = 16, factor = 3, input[16], *from, *to, *total, *result;
  for (int i = 0; i < n; ++i) input[i] = i;
  CHECK(cudaMalloc(&from, n * sizeof(int)));
  CHECK(cudaMalloc(&to, n * sizeof(int)));
  CHECK(cudaMalloc(&total, sizeof(int)));
  CHECK(cudaMallocHost(&result, sizeof(int)));
  *result = 0;

  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t copy_in, clear, scales, reduces, copy_out, shows, nothing;
  CHECK(cudaGraphAddMemcpyNode1D(&copy_in, graph, nullptr, 0, from, input, n * sizeof(int),
                                 cudaMemcpyHostToDevice));
  cudaMemsetParams fill = {};
  fill.dst = total;
  fill.value = 0;
  fill.elementSize = sizeof(int);
  fill.width = 1;
  fill.height = 1;
  CHECK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill));

  cudaKernelNodeParams kernel = {};
  void* scale_arguments[] = {&from, &to, &factor, &n};
  kernel.func = (void*)scale;
  kernel.gridDim = dim3(2);
  kernel.blockDim = dim3(8);
  kernel.kernelParams = scale_arguments;
  CHECK(cudaGraphAddKernelNode(&scales, graph, &copy_in, 1, &kernel));
  void* reduce_arguments[] = {&to, &total, &n};
  kernel.func = (void*)reduce;
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(1);
  kernel.kernelParams = reduce_arguments;
  cudaGraphNode_t before_reduce[] = {scales, clear};
  CHECK(cudaGraphAddKernelNode(&reduces, graph, before_reduce, 2, &kernel));

  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(total, sizeof(int), 1, 1);
  box.dstPtr = make_cudaPitchedPtr(result, sizeof(int), 1, 1);
  box.extent = make_cudaExtent(sizeof(int), 1, 1);
  box.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaGraphAddMemcpyNode(&copy_out, graph, &reduces, 1, &box));
  Shown shown = {result, 0};
  cudaHostNodeParams host = {show, &shown};
  CHECK(cudaGraphAddHostNode(&shows, graph, nullptr, 0, &host));
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddDependencies(graph, &copy_out, &shows, nullptr, 1));
#else
  CHECK(cudaGraphAddDependencies(graph, &copy_out, &shows, 1));
#endif
  CHECK(cudaGraphAddEmptyNode(&nothing, graph, &shows, 1));

  size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  CHECK(cudaGraphGetNodes(graph, nodes.data(), &count));
  printf("%d nodes:", (int)count);
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(node, &type));
    printf(" %s", name_of(type));
  }
  printf("\n");

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("result %d\n", *result);

  // another factor in what was instantiated
  factor = 5;
  kernel.func = (void*)scale;
  kernel.gridDim = dim3(2);
  kernel.blockDim = dim3(8);
  kernel.kernelParams = scale_arguments;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, scales, &kernel));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("with factor 5: %d\n", *result);

  // another factor in the graph, and an update from it
  factor = 7;
  CHECK(cudaGraphKernelNodeSetParams(scales, &kernel));
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(exec, graph, &info));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("with factor 7: %d, update %d\n", *result, (int)info.result);

  // a graph that has another one as its node, and a clone of it
  cudaGraph_t outer, clone;
  cudaGraphNode_t inside, after;
  CHECK(cudaGraphCreate(&outer, 0));
  CHECK(cudaGraphAddChildGraphNode(&inside, outer, nullptr, 0, graph));
  CHECK(cudaGraphAddHostNode(&after, outer, &inside, 1, &host));
  CHECK(cudaGraphClone(&clone, outer));
  cudaGraphExec_t outer_exec;
  CHECK(cudaGraphInstantiate(&outer_exec, clone, 0));
  CHECK(cudaGraphLaunch(outer_exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("host calls %d\n", shown.calls);

  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphExecDestroy(outer_exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(outer));
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
