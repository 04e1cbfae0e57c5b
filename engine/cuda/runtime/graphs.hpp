// CUDA graphs: nodes that calls are captured into or that are added by hand, and their launches. A node's
// work is a call of the API in a stream of the launch: the edges alone order the streams of a launch, so that
// what they do not order is a race as between any streams.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/cuda/runtime/stream_handles.hpp"

namespace bscope::cuda {

/// What the attributes of a launch ask for.
struct LaunchOptions {
  bool cooperative = false;
  bool begins_early = false;  ///< before the work in front of it has ended: programmatic stream serialization
  Extent cluster = {};
};

/// A launch as a node keeps it: the arguments' bytes are its own.
struct KernelCall {
  const void* function = nullptr;
  dim3 grid, block;
  size_t shared = 0;
  LaunchOptions options = {};
  std::vector<std::vector<std::byte>> arguments = {};
  /// One pointer for each argument; valid as long as nothing changes.
  std::vector<void*> pointers() const;
};

using GraphWork = std::function<cudaError_t(cudaStream_t)>;

/// Adds the call to the graph that its stream is captured into. nullopt: it is not captured.
std::optional<cudaError_t> captured(cudaStream_t, cudaGraphNodeType, GraphWork);
std::optional<cudaError_t> captured(cudaStream_t, KernelCall);
/// Whether any stream is being captured.
bool is_any_captured();
/// A launch for a node (launches.cpp).
cudaError_t launch_call(const KernelCall&, cudaStream_t);
/// A kernel's call with its arguments copied; nullopt: there is no such kernel.
std::optional<KernelCall> kernel_call(Runtime&, const void* function, dim3 grid, dim3 block, void** arguments,
                                      size_t shared, const LaunchOptions&);

}  // namespace bscope::cuda

struct CUgraphNode_st {
  cudaGraph_t graph = nullptr;
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::vector<cudaGraphNode_t> after = {};   ///< it depends on these
  const CUgraphNode_st* original = nullptr;  ///< of a clone's node
  bool is_enabled = true;
  bscope::cuda::Stack at = {};  ///< the call that added it
  bscope::cuda::KernelCall kernel = {};
  std::vector<void*> kernel_pointers = {};  ///< that cudaGraphKernelNodeGetParams has given
  cudaMemcpy3DParms box = {};
  cudaMemsetParams fill = {};
  cudaHostNodeParams host = {};
  cudaEvent_t event = nullptr;
  std::unique_ptr<CUgraph_st> child = nullptr;
  bscope::cuda::GraphWork work = nullptr;  ///< of all but kernels and child graphs; empty: nothing
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes = {};
  std::unique_ptr<CUgraph_st> clone() const;
};
struct CUgraphExec_st {
  std::unique_ptr<CUgraph_st> graph = nullptr;
  std::vector<cudaStream_t> streams = {};  ///< that its launches use
  bscope::cuda::StreamClock ended = {};    ///< a launch begins when the one before has ended
  int launches = 0;
};
