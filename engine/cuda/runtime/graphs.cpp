// Graphs and their nodes, and the launches of graphs.
#include "engine/cuda/runtime/graphs.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "engine/cuda/runtime/async_order.hpp"
#include "engine/cuda/runtime/memory_calls.hpp"
#include "engine/trace/scoped_assign.hpp"
#include "engine/trace/whole_file.hpp"

using bscope::message;

namespace bscope::cuda {
namespace {

using Nodes = std::vector<CUgraphNode_st*>;

bool lives(const CUgraph_st* graph) { return living<CUgraph_st>().contains(graph); }
bool lives(const CUgraphNode_st* node) { return living<CUgraphNode_st>().contains(node); }
bool lives(const CUgraphExec_st* exec) { return living<CUgraphExec_st>().contains(exec); }

void forget(CUgraph_st& graph) {
  living<CUgraph_st>().erase(&graph);
  for (const auto& node : graph.nodes) {
    living<CUgraphNode_st>().erase(node.get());
    if (node->child) forget(*node->child);
  }
}
void know(CUgraph_st& graph) {
  living<CUgraph_st>().insert(&graph);
  for (const auto& node : graph.nodes) {
    living<CUgraphNode_st>().insert(node.get());
    if (node->child) know(*node->child);
  }
}

/// In an order that the edges allow, otherwise as they were added; fewer: they have a cycle.
Nodes in_order(const CUgraph_st& graph) {
  Nodes all;
  std::set<const CUgraphNode_st*> done;
  for (bool more = true; more;) {
    more = false;
    for (const auto& node : graph.nodes) {
      if (done.contains(node.get())) continue;
      if (!std::ranges::all_of(node->after, [&](const auto* n) { return done.contains(n); })) continue;
      all.push_back(node.get());
      done.insert(node.get());
      more = true;
    }
  }
  return all;
}

bool has_cycle(const CUgraph_st& graph) {
  return in_order(graph).size() != graph.nodes.size() ||
         std::ranges::any_of(graph.nodes, [](const auto& n) { return n->child && has_cycle(*n->child); });
}

// ---- what nodes do

GraphWork copying(const cudaMemcpy3DParms& box) {
  return [box](cudaStream_t in) { return cudaMemcpy3DAsync(&box, in); };
}
GraphWork copying(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return [=](cudaStream_t in) { return cudaMemcpyAsync(to, from, bytes, kind, in); };
}
cudaMemcpy3DParms box_of(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), bytes, bytes, 1);
  box.dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
  box.extent = make_cudaExtent(bytes, 1, 1);
  box.kind = kind;
  return box;
}

/// Elements of 1, 2 or 4 bytes, written as the copy of a pattern where their bytes differ.
cudaError_t fill_as_told(const cudaMemsetParams& p, cudaStream_t in) {
  const size_t width = p.width * p.elementSize;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&p.value);
  const bool alike = std::all_of(bytes, bytes + p.elementSize, [&](auto b) { return b == *bytes; });
  if (alike) return cudaMemset2DAsync(p.dst, p.height > 1 ? p.pitch : width, *bytes, width, p.height, in);
  std::vector<unsigned char> row(width);
  for (size_t k = 0; k < width; ++k) row[k] = bytes[k % p.elementSize];
  for (size_t y = 0; y < p.height; ++y)
    if (const auto error = cudaMemcpyAsync(static_cast<char*>(p.dst) + y * p.pitch, row.data(), width,
                                           cudaMemcpyHostToDevice, in))
      return error;
  return cudaSuccess;
}

cudaError_t set(CUgraphNode_st& node, const cudaKernelNodeParams* p) {
  if (!p || (!p->kernelParams && p->extra)) return cudaErrorInvalidValue;
  auto call =
      kernel_call(Runtime::get(), p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, {});
  if (!call) return cudaErrorInvalidDeviceFunction;
  node.kernel = std::move(*call);
  return cudaSuccess;
}
cudaError_t set(CUgraphNode_st& node, const cudaMemcpy3DParms* p) {
  if (!p) return cudaErrorInvalidValue;
  node.box = *p;
  node.work = copying(*p);
  return cudaSuccess;
}
cudaError_t set(CUgraphNode_st& node, const cudaMemsetParams* p) {
  if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)) return cudaErrorInvalidValue;
  node.fill = *p;
  node.work = [fills = *p](cudaStream_t in) { return fill_as_told(fills, in); };
  return cudaSuccess;
}
cudaError_t set(CUgraphNode_st& node, const cudaHostNodeParams* p) {
  if (!p || !p->fn) return cudaErrorInvalidValue;
  node.host = *p;
  node.work = [host = *p](cudaStream_t in) { return cudaLaunchHostFunc(in, host.fn, host.userData); };
  return cudaSuccess;
}

/// Adds a node that `fill_in` makes what it is.
template <class FillIn>
cudaError_t add(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                cudaGraphNodeType type, FillIn fill_in) {
  return api([&](Runtime&) {
    if (!made || !lives(graph) || (count && !after)) return cudaErrorInvalidValue;
    auto node = std::make_unique<CUgraphNode_st>();
    node->graph = graph;
    node->type = type;
    for (size_t k = 0; k < count; ++k) {
      if (!lives(after[k]) || after[k]->graph != graph) return cudaErrorInvalidValue;
      node->after.push_back(after[k]);
    }
    node->at = Stack::now();
    if (const cudaError_t error = fill_in(*node)) return error;
    *made = node.get();
    living<CUgraphNode_st>().insert(node.get());
    graph->nodes.push_back(std::move(node));
    return cudaSuccess;
  });
}

/// A call about a node of that type.
template <class Work>
cudaError_t with_node(cudaGraphNode_t node, cudaGraphNodeType type, Work work) {
  return api(
      [&](Runtime&) { return lives(node) && node->type == type ? work(*node) : cudaErrorInvalidValue; });
}

/// The node of a launchable graph that stands for one of the graph that it was made of; nullptr: none.
CUgraphNode_st* node_in(const CUgraph_st& graph, const CUgraphNode_st* original) {
  for (const auto& node : graph.nodes) {
    if (node->original == original || node.get() == original) return node.get();
    if (!node->child) continue;
    if (CUgraphNode_st* const inside = node_in(*node->child, original)) return inside;
  }
  return nullptr;
}
template <class Work>
cudaError_t with_node(cudaGraphExec_t exec, cudaGraphNode_t original, Work work) {
  return api([&](Runtime&) {
    CUgraphNode_st* const node = lives(exec) ? node_in(*exec->graph, original) : nullptr;
    return node ? work(*node) : cudaErrorInvalidValue;
  });
}

/// Gives a list as the API does: its length where there is no room for it.
template <class T>
cudaError_t give(const std::vector<T>& all, T* to, size_t* count) {
  if (!count) return cudaErrorInvalidValue;
  if (!to) return *count = all.size(), cudaSuccess;
  for (size_t k = 0; k < *count; ++k) to[k] = k < all.size() ? all[k] : nullptr;
  *count = std::min(*count, all.size());
  return cudaSuccess;
}

Nodes dependents_of(const CUgraphNode_st& node) {
  Nodes all;
  for (const auto& other : node.graph->nodes)
    if (std::ranges::find(other->after, &node) != other->after.end()) all.push_back(other.get());
  return all;
}

// ---- a launch

/// Streams of graphs that are gone.
std::vector<cudaStream_t>& spare_streams() {
  static auto* const all = new std::vector<cudaStream_t>;
  return *all;
}

/// One launch: its nodes in streams of their own, which the edges alone order.
class GraphRun {
 public:
  explicit GraphRun(CUgraphExec_st& exec) : exec_(exec) {}

  /// Runs the nodes when all that `begin` knows of has ended. Returns what has ended when they all have.
  cudaError_t run(const CUgraph_st& graph, const StreamClock& begin, StreamClock& ended) {
    std::map<const CUgraphNode_st*, StreamClock> clocks;
    for (CUgraphNode_st* const node : in_order(graph)) {
      StreamClock before = begin;
      for (const CUgraphNode_st* const earlier : node->after) before.join(clocks[earlier]);
      StreamClock& clock = clocks[node];
      clock = before;
      if (node->is_enabled)
        if (const auto error = run_node(*node, before, clock)) return error;
      ended.join(clock);
    }
    return cudaSuccess;
  }

 private:
  cudaError_t run_node(CUgraphNode_st& node, const StreamClock& before, StreamClock& clock) {
    if (node.child) return run(*node.child, before, clock);
    if (node.type != cudaGraphNodeTypeKernel && !node.work) return cudaSuccess;
    Runtime& runtime = Runtime::get();
    const cudaStream_t stream = streams_[&node] = stream_for(node);
    const ScopedAssign at(runtime.node_site, &node.at);
    runtime.order.wait(number_of(stream), before);
    const cudaError_t error =
        node.type == cudaGraphNodeTypeKernel ? launch_call(node.kernel, stream) : node.work(stream);
    clock = runtime.order.record(number_of(stream));
    return error;
  }

  /// That of a node before it, if it is the first to go on there; else a new one. A stream that the edges do
  /// not lead on orders nothing.
  cudaStream_t stream_for(const CUgraphNode_st& node) {
    for (const CUgraphNode_st* const before : node.after)
      if (const auto it = streams_.find(before); it != streams_.end() && continued_.insert(before).second)
        return it->second;
    if (used_ == exec_.streams.size()) {
      cudaStream_t made = nullptr;
      if (spare_streams().empty()) {
        cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
      } else {
        made = spare_streams().back();
        spare_streams().pop_back();
      }
      exec_.streams.push_back(made);
    }
    return exec_.streams[used_++];
  }

  CUgraphExec_st& exec_;
  size_t used_ = 0;
  std::map<const CUgraphNode_st*, cudaStream_t> streams_;
  std::set<const CUgraphNode_st*> continued_;
};

cudaError_t launch_nodes(CUgraphExec_st& exec, cudaStream_t stream) {
  Runtime& runtime = Runtime::get();
  StreamClock begin = runtime.order.record(number_of(stream)), ended;
  begin.join(exec.ended);
  const ScopedAssign label(runtime.label, message("graph launch {}: ", ++exec.launches).english());
  const cudaError_t error = GraphRun(exec).run(*exec.graph, begin, ended);
  exec.ended = begin;
  exec.ended.join(ended);
  runtime.order.wait(number_of(stream), exec.ended);
  return error;
}

// ---- updates

cudaGraphExecUpdateResult update(CUgraph_st& graph, const CUgraph_st& with, cudaGraphNode_t& wrong) {
  if (graph.nodes.size() != with.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  const auto number = [](const CUgraph_st& of, const CUgraphNode_st* node) {
    return std::ranges::find_if(of.nodes, [&](const auto& n) { return n.get() == node; }) - of.nodes.begin();
  };
  for (size_t k = 0; k < graph.nodes.size(); ++k) {
    const CUgraphNode_st &now = *graph.nodes[k], &next = *with.nodes[k];
    wrong = with.nodes[k].get();
    if (now.type != next.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    std::set<long> before, after;
    for (const auto* n : now.after) before.insert(number(graph, n));
    for (const auto* n : next.after) after.insert(number(with, n));
    if (before != after) return cudaGraphExecUpdateErrorTopologyChanged;
    if (!now.child) continue;
    if (const auto result = update(*graph.nodes[k]->child, *next.child, wrong)) return result;
  }
  for (size_t k = 0; k < graph.nodes.size(); ++k) {
    CUgraphNode_st& now = *graph.nodes[k];
    const CUgraphNode_st& next = *with.nodes[k];
    now.kernel = next.kernel;
    now.work = next.work;
    now.at = next.at;
    now.event = next.event;
    now.original = &next;
  }
  wrong = nullptr;
  return cudaGraphExecUpdateSuccess;
}

constexpr const char* type_names[] = {"KERNEL", "MEMCPY",      "MEMSET",     "HOST",
                                      "GRAPH",  "EMPTY",       "WAIT_EVENT", "EVENT_RECORD",
                                      "SIGNAL", "WAIT_SIGNAL", "MEM_ALLOC",  "MEM_FREE"};

void print(const CUgraph_st& graph, std::ostream& to, const std::string& prefix) {
  Runtime& runtime = Runtime::get();
  std::map<const CUgraphNode_st*, std::string> names;
  for (size_t k = 0; k < graph.nodes.size(); ++k) {
    const CUgraphNode_st& n = *graph.nodes[k];
    const std::string name = names[&n] = "\"" + prefix + "node_" + std::to_string(k) + "\"";
    std::string label = std::to_string(k) + "\\n" + type_names[n.type];
    if (const auto it = runtime.kernels.find(n.kernel.function);
        n.type == cudaGraphNodeTypeKernel && it != runtime.kernels.end() && it->second.function)
      label = std::to_string(k) + "\\n" + it->second.function->source_name;
    to << name << " [shape=\"" << (n.type == cudaGraphNodeTypeKernel ? "octagon" : "rectangle")
       << "\" label=\"" << label << "\"];\n";
    if (n.child) print(*n.child, to, prefix + std::to_string(k) + "_");
  }
  for (const auto& n : graph.nodes)
    for (const CUgraphNode_st* const before : n->after)
      to << names[before] << " -> " << names[n.get()] << ";\n";
}

}  // namespace
}  // namespace bscope::cuda

using namespace bscope::cuda;

std::unique_ptr<CUgraph_st> CUgraph_st::clone() const {
  auto made = std::make_unique<CUgraph_st>();
  std::map<const CUgraphNode_st*, CUgraphNode_st*> copies;
  for (const auto& node : nodes) {
    CUgraphNode_st& copy = *made->nodes.emplace_back(std::make_unique<CUgraphNode_st>());
    copies[node.get()] = &copy;
    copy.graph = made.get();
    copy.type = node->type;
    copy.original = node.get();
    copy.is_enabled = node->is_enabled;
    copy.at = node->at;
    copy.kernel = node->kernel;
    copy.box = node->box;
    copy.fill = node->fill;
    copy.host = node->host;
    copy.event = node->event;
    copy.work = node->work;
    if (node->child) copy.child = node->child->clone();
  }
  for (const auto& node : nodes)
    for (const CUgraphNode_st* const before : node->after)
      copies[node.get()]->after.push_back(copies[before]);
  return made;
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int) {
  return api([&](Runtime&) {
    if (!graph) return cudaErrorInvalidValue;
    *graph = new CUgraph_st;
    living<CUgraph_st>().insert(*graph);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api([&](Runtime&) {
    if (!lives(graph)) return cudaErrorInvalidValue;
    forget(*graph);
    delete graph;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphClone(cudaGraph_t* made, cudaGraph_t graph) {
  return api([&](Runtime&) {
    if (!made || !lives(graph)) return cudaErrorInvalidValue;
    *made = graph->clone().release();
    know(**made);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t original, cudaGraph_t clone) {
  return api([&](Runtime&) {
    if (!found || !lives(clone)) return cudaErrorInvalidValue;
    *found = node_in(*clone, original);
    return *found ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaKernelNodeParams* p) {
  return add(made, graph, after, count, cudaGraphNodeTypeKernel, [&](auto& node) { return set(node, p); });
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemcpy3DParms* p) {
  return add(made, graph, after, count, cudaGraphNodeTypeMemcpy, [&](auto& node) { return set(node, p); });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* to, const void* from, size_t bytes,
                                     cudaMemcpyKind kind) {
  return add(made, graph, after, count, cudaGraphNodeTypeMemcpy, [&](auto& node) {
    node.box = box_of(to, from, bytes, kind);
    node.work = copying(to, from, bytes, kind);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* made, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, size_t count, const void* symbol,
                                           const void* from, size_t bytes, size_t offset,
                                           cudaMemcpyKind kind) {
  return add(made, graph, after, count, cudaGraphNodeTypeMemcpy, [&](auto& node) {
    node.work = [=](cudaStream_t in) {
      return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, in);
    };
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* made, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, size_t count, void* to,
                                             const void* symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind) {
  return add(made, graph, after, count, cudaGraphNodeTypeMemcpy, [&](auto& node) {
    node.work = [=](cudaStream_t in) {
      return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, in);
    };
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemsetParams* p) {
  return add(made, graph, after, count, cudaGraphNodeTypeMemset, [&](auto& node) { return set(node, p); });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 size_t count, const cudaHostNodeParams* p) {
  return add(made, graph, after, count, cudaGraphNodeTypeHost, [&](auto& node) { return set(node, p); });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  size_t count) {
  return add(made, graph, after, count, cudaGraphNodeTypeEmpty, [](auto&) { return cudaSuccess; });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, cudaGraph_t child) {
  return add(made, graph, after, count, cudaGraphNodeTypeGraph, [&](auto& node) {
    if (!lives(child) || child == graph) return cudaErrorInvalidValue;
    node.child = child->clone();
    know(*node.child);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* made, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, size_t count, cudaEvent_t event) {
  return add(made, graph, after, count, cudaGraphNodeTypeEventRecord, [&](auto& node) {
    if (!bscope::cuda::lives(event)) return cudaErrorInvalidResourceHandle;
    node.event = event;
    node.work = [event](cudaStream_t in) { return cudaEventRecord(event, in); };
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                      size_t count, cudaEvent_t event) {
  return add(made, graph, after, count, cudaGraphNodeTypeWaitEvent, [&](auto& node) {
    if (!bscope::cuda::lives(event)) return cudaErrorInvalidResourceHandle;
    node.event = event;
    node.work = [event](cudaStream_t in) { return cudaStreamWaitEvent(in, event, 0); };
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, cudaMemAllocNodeParams* p) {
  return add(made, graph, after, count, cudaGraphNodeTypeMemAlloc, [&](auto&) {
    if (!p) return cudaErrorInvalidValue;
    const cudaError_t error =
        allocate_in_pool(Runtime::get(), &p->dptr, p->bytesize, nullptr, "cudaGraphAddMemAllocNode");
    if (error == cudaSuccess) belongs_to_graph(reinterpret_cast<uint64_t>(p->dptr));
    return error;
  });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, void* pointer) {
  return add(made, graph, after, count, cudaGraphNodeTypeMemFree, [&](auto&) {
    Runtime::get().allocations.erase(reinterpret_cast<uint64_t>(pointer));  // the graph's, from now on
    return pointer ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* p) {
  return with_node(node, cudaGraphNodeTypeKernel, [&](CUgraphNode_st& n) {
    if (!p) return cudaErrorInvalidValue;
    n.kernel_pointers = n.kernel.pointers();
    *p = {const_cast<void*>(n.kernel.function),
          n.kernel.grid,
          n.kernel.block,
          static_cast<unsigned int>(n.kernel.shared),
          n.kernel_pointers.data(),
          nullptr};
    return cudaSuccess;
  });
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* p) {
  return with_node(node, cudaGraphNodeTypeKernel, [&](CUgraphNode_st& n) { return set(n, p); });
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* p) {
  return with_node(node, cudaGraphNodeTypeMemcpy,
                   [&](CUgraphNode_st& n) { return p ? (*p = n.box, cudaSuccess) : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* p) {
  return with_node(node, cudaGraphNodeTypeMemcpy, [&](CUgraphNode_st& n) { return set(n, p); });
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
  return with_node(node, cudaGraphNodeTypeMemcpy, [&](CUgraphNode_st& n) {
    n.box = box_of(to, from, bytes, kind);
    n.work = copying(to, from, bytes, kind);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* p) {
  return with_node(node, cudaGraphNodeTypeMemset,
                   [&](CUgraphNode_st& n) { return p ? (*p = n.fill, cudaSuccess) : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* p) {
  return with_node(node, cudaGraphNodeTypeMemset, [&](CUgraphNode_st& n) { return set(n, p); });
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* p) {
  return with_node(node, cudaGraphNodeTypeHost,
                   [&](CUgraphNode_st& n) { return p ? (*p = n.host, cudaSuccess) : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* p) {
  return with_node(node, cudaGraphNodeTypeHost, [&](CUgraphNode_st& n) { return set(n, p); });
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return with_node(node, cudaGraphNodeTypeGraph, [&](CUgraphNode_st& n) {
    return graph ? (*graph = n.child.get(), cudaSuccess) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return with_node(node, cudaGraphNodeTypeEventRecord, [&](CUgraphNode_st& n) {
    return event ? (*event = n.event, cudaSuccess) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return with_node(node, cudaGraphNodeTypeWaitEvent, [&](CUgraphNode_st& n) {
    return event ? (*event = n.event, cudaSuccess) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  return api([&](Runtime&) {
    if (!lives(graph) || (count && (!from || !to))) return cudaErrorInvalidValue;
    for (size_t k = 0; k < count; ++k) {
      if (!lives(from[k]) || !lives(to[k]) || from[k]->graph != graph || to[k]->graph != graph)
        return cudaErrorInvalidValue;
      if (std::ranges::find(to[k]->after, from[k]) != to[k]->after.end()) return cudaErrorInvalidValue;
    }
    for (size_t k = 0; k < count; ++k) to[k]->after.push_back(from[k]);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
  return api([&](Runtime&) {
    if (!lives(graph) || (count && (!from || !to))) return cudaErrorInvalidValue;
    for (size_t k = 0; k < count; ++k)
      if (!lives(to[k]) || !std::erase(to[k]->after, from[k])) return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return api([&](Runtime&) {
    if (!lives(node)) return cudaErrorInvalidValue;
    for (CUgraphNode_st* const later : dependents_of(*node)) std::erase(later->after, node);
    living<CUgraphNode_st>().erase(node);
    if (node->child) forget(*node->child);
    std::erase_if(node->graph->nodes, [&](const auto& n) { return n.get() == node; });
    return cudaSuccess;
  });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api([&](Runtime&) {
    if (!lives(graph)) return cudaErrorInvalidValue;
    Nodes all;
    for (const auto& node : graph->nodes) all.push_back(node.get());
    return give(all, nodes, count);
  });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api([&](Runtime&) {
    if (!lives(graph)) return cudaErrorInvalidValue;
    Nodes all;
    for (const auto& node : graph->nodes)
      if (node->after.empty()) all.push_back(node.get());
    return give(all, nodes, count);
  });
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  return api([&](Runtime&) {
    if (!lives(graph) || !count) return cudaErrorInvalidValue;
    Nodes begins, ends;
    for (const auto& node : graph->nodes)
      for (const cudaGraphNode_t before : node->after) {
        begins.push_back(before);
        ends.push_back(node.get());
      }
    size_t again = *count;
    const cudaError_t error = give(begins, from, count);
    return error || !to ? error : give(ends, to, &again);
  });
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
  return api([&](Runtime&) { return lives(node) ? give(node->after, nodes, count) : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
  return api([&](Runtime&) {
    return lives(node) ? give(dependents_of(*node), nodes, count) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return api([&](Runtime&) {
    return lives(node) && type ? (*type = node->type, cudaSuccess) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int) {
  return api([&](Runtime&) {
    if (!lives(graph) || !path) return cudaErrorInvalidValue;
    std::ostringstream text;
    text << R"(digraph dot {)" << '\n';
    print(*graph, text, "graph_");
    text << "}\n";
    try {
      bscope::write_whole(path, text.str());
    } catch (const std::exception&) { return cudaErrorOperatingSystem; }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long) {
  return api([&](Runtime& r) {
    if (!made || !lives(graph)) return cudaErrorInvalidValue;
    *made = nullptr;
    if (has_cycle(*graph))
      return r.warn(cudaErrorInvalidValue,
                    message("The graph has a cycle: no order of its nodes keeps all "
                            "dependencies."),
                    message("Remove one of the dependencies."));
    *made = new CUgraphExec_st{.graph = graph->clone()};
    living<CUgraphExec_st>().insert(*made);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* made, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* p) {
  const cudaError_t error = cudaGraphInstantiateWithFlags(made, graph, p ? p->flags : 0);
  if (p) {
    p->errNode_out = nullptr;
    p->result_out = error ? cudaGraphInstantiateInvalidStructure : cudaGraphInstantiateSuccess;
  }
  return error;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return api([&](Runtime&) {
    return lives(exec) && bscope::cuda::lives(stream) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  const cudaError_t error = api([&](Runtime&) {
    if (!lives(exec)) return cudaErrorInvalidValue;
    return bscope::cuda::lives(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
  if (error) return error;
  if (const auto in_capture = captured(stream, cudaGraphNodeTypeGraph,
                                       [exec](cudaStream_t in) { return cudaGraphLaunch(exec, in); }))
    return *in_capture;
  return launch_nodes(*exec, stream);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return api([&](Runtime&) {
    if (!living<CUgraphExec_st>().erase(exec)) return cudaErrorInvalidValue;
    spare_streams().insert(spare_streams().end(), exec->streams.begin(), exec->streams.end());
    delete exec;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  return api([&](Runtime&) {
    if (!lives(exec) || !lives(graph)) return cudaErrorInvalidValue;
    cudaGraphNode_t wrong = nullptr;
    const cudaGraphExecUpdateResult result = update(*exec->graph, *graph, wrong);
    if (info) *info = {result, wrong, nullptr};
    return result ? cudaErrorGraphExecUpdateFailure : cudaSuccess;
  });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* p) {
  return with_node(exec, node, [&](CUgraphNode_st& n) { return set(n, p); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* p) {
  return with_node(exec, node, [&](CUgraphNode_st& n) { return set(n, p); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind) {
  return with_node(exec, node, [&](CUgraphNode_st& n) {
    n.box = box_of(to, from, bytes, kind);
    n.work = copying(to, from, bytes, kind);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* p) {
  return with_node(exec, node, [&](CUgraphNode_st& n) { return set(n, p); });
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* p) {
  return with_node(exec, node, [&](CUgraphNode_st& n) { return set(n, p); });
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return with_node(exec, node, [&](CUgraphNode_st& n) {
    cudaGraphNode_t wrong = nullptr;
    if (!lives(child) || !n.child) return cudaErrorInvalidValue;
    return update(*n.child, *child, wrong) ? cudaErrorGraphExecUpdateFailure : cudaSuccess;
  });
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int enabled) {
  return with_node(exec, node, [&](CUgraphNode_st& n) {
    n.is_enabled = enabled != 0;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int* enabled) {
  return with_node(exec, node, [&](CUgraphNode_st& n) {
    return enabled ? (*enabled = n.is_enabled, cudaSuccess) : cudaErrorInvalidValue;
  });
}
