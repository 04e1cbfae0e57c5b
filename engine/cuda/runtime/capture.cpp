// Capturing a stream's calls into a graph.
#include <algorithm>

#include "engine/cuda/runtime/graphs.hpp"

using bscope::message;

namespace bscope::cuda {
namespace {

/// Captures that have begun and not ended.
std::vector<std::shared_ptr<Capture>>& captures() {
  static auto* const all = new std::vector<std::shared_ptr<Capture>>;
  return *all;
}

CapturePoint* point_of(cudaStream_t stream) {
  return living<CUstream_st>().contains(stream) && stream->captured.capture ? &stream->captured : nullptr;
}

void join(std::vector<cudaGraphNode_t>& to, const std::vector<cudaGraphNode_t>& more) {
  for (const cudaGraphNode_t node : more)
    if (std::ranges::find(to, node) == to.end()) to.push_back(node);
}

cudaError_t broken(Capture& capture, cudaError_t error) {
  capture.is_broken = true;
  return error;
}

void end(Capture& capture) {
  for (const cudaStream_t stream : capture.streams)
    if (living<CUstream_st>().contains(stream)) stream->captured = {};
  std::erase_if(captures(), [&](const auto& c) { return c.get() == &capture; });
}

/// The new node that the stream's next call becomes.
CUgraphNode_st& add_node(CapturePoint& point, cudaGraphNodeType type) {
  auto& nodes = point.capture->graph->nodes;
  CUgraphNode_st& node = *nodes.emplace_back(std::make_unique<CUgraphNode_st>());
  node.graph = point.capture->graph;
  node.type = type;
  node.after = std::move(point.after);
  node.at = Stack::now();
  living<CUgraphNode_st>().insert(&node);
  point.after = {&node};
  return node;
}

/// "A call into the legacy stream while a blocking stream is captured is an error", and breaks the capture.
std::optional<cudaError_t> legacy_error(cudaStream_t stream) {
  if (stream && stream != cudaStreamLegacy) return {};
  for (const auto& capture : captures())
    if (std::ranges::any_of(capture->streams,
                            [](cudaStream_t s) { return !(s->flags & cudaStreamNonBlocking); }))
      return broken(*capture, cudaErrorStreamCaptureImplicit);
  return {};
}

/// What a call into the stream comes to: nothing to capture, an error, or a point to add a node at.
std::optional<cudaError_t> find_capture(cudaStream_t stream, CapturePoint*& point) {
  point = point_of(stream);
  if (!point) return legacy_error(stream);
  if (point->capture->is_broken) return cudaErrorStreamCaptureInvalidated;
  return {};
}

/// Whether each node of the graph comes before one of these, or is one of them.
bool are_all_before(const CUgraph_st& graph, std::vector<cudaGraphNode_t> last) {
  std::set<cudaGraphNode_t> seen(last.begin(), last.end());
  while (!last.empty()) {
    const cudaGraphNode_t node = last.back();
    last.pop_back();
    for (const cudaGraphNode_t before : node->after)
      if (seen.insert(before).second) last.push_back(before);
  }
  return seen.size() == graph.nodes.size();
}

}  // namespace

bool is_any_captured() { return !captures().empty(); }

std::optional<cudaError_t> captured(cudaStream_t stream, cudaGraphNodeType type, GraphWork work) {
  CapturePoint* point = nullptr;
  if (const auto error = find_capture(stream, point)) return Runtime::get().errors.give(*error);
  if (!point) return {};
  const ApiCallGuard inside;
  add_node(*point, type).work = std::move(work);
  return cudaSuccess;
}

std::optional<cudaError_t> captured(cudaStream_t stream, KernelCall call) {
  CapturePoint* point = nullptr;
  if (const auto error = find_capture(stream, point)) return *error;
  if (!point) return {};
  add_node(*point, cudaGraphNodeTypeKernel).kernel = std::move(call);
  return cudaSuccess;
}

cudaError_t may_call_while_capturing(Runtime& runtime, const char* call) {
  for (const auto& capture : captures())
    if (capture->mode != cudaStreamCaptureModeRelaxed) {
      const bool was_broken = capture->is_broken;
      capture->is_broken = true;
      if (was_broken) return cudaErrorStreamCaptureUnsupported;
      return runtime.warn(
          cudaErrorStreamCaptureUnsupported,
          message("{} is called while a stream is captured: that ends the capture without a graph.", call),
          message("Call it before cudaStreamBeginCapture, or begin with cudaStreamCaptureModeRelaxed."));
    }
  return cudaSuccess;
}

/// cudaEventRecord: true where the event stands for a point of the capture from now on.
std::optional<cudaError_t> capture_event(cudaEvent_t event, cudaStream_t stream) {
  CapturePoint* point = nullptr;
  if (const auto error = find_capture(stream, point)) return *error;
  event->captured = point ? *point : CapturePoint();
  return point ? std::optional(cudaSuccess) : std::nullopt;
}

/// cudaStreamWaitEvent: the stream takes part in the event's capture from now on.
std::optional<cudaError_t> capture_wait(cudaStream_t stream, cudaEvent_t event) {
  CapturePoint* point = nullptr;
  if (const auto error = find_capture(stream, point)) return *error;
  const CapturePoint& waits = event->captured;
  if (!waits.capture) {
    if (!point) return {};
    return Runtime::get().warn(
        broken(*point->capture, cudaErrorStreamCaptureIsolation),
        message("The captured stream waits for an event that was not recorded in the capture."),
        message("Record the event in a stream of the capture."));
  }
  if (point && point->capture != waits.capture) {
    broken(*point->capture, cudaErrorStreamCaptureMerge);
    return broken(*waits.capture, cudaErrorStreamCaptureMerge);
  }
  if (!living<CUstream_st>().contains(stream)) return broken(*waits.capture, cudaErrorStreamCaptureImplicit);
  stream->captured.capture = waits.capture;
  waits.capture->streams.insert(stream);
  join(stream->captured.after, waits.after);
  return cudaSuccess;
}

/// A call that asks or waits for the stream or the event, which no capture can have.
cudaError_t refuse_to_wait(const CapturePoint& point, cudaError_t error) {
  if (!point.capture) return cudaSuccess;
  return broken(*point.capture, error);
}

}  // namespace bscope::cuda

using namespace bscope::cuda;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return api([&](Runtime& r) {
    if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
      return cudaErrorInvalidValue;
    if (!lives(stream)) return cudaErrorInvalidResourceHandle;
    if (!living<CUstream_st>().contains(stream))
      return r.warn(cudaErrorStreamCaptureUnsupported, message("The default stream cannot be captured."),
                    message("Create a stream with cudaStreamCreate, and capture that."));
    if (stream->captured.capture) return cudaErrorIllegalState;
    static unsigned long long last_id = 0;
    auto capture = std::make_shared<Capture>();
    capture->origin = stream;
    capture->graph = new CUgraph_st;
    living<CUgraph_st>().insert(capture->graph);
    capture->mode = mode;
    capture->id = ++last_id;
    capture->streams = {stream};
    stream->captured = {capture, {}};
    captures().push_back(std::move(capture));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return api([&](Runtime& r) {
    if (!graph) return cudaErrorInvalidValue;
    *graph = nullptr;
    if (!lives(stream)) return cudaErrorInvalidResourceHandle;
    const CapturePoint* const point = point_of(stream);
    if (!point) return cudaErrorIllegalState;
    const std::shared_ptr<Capture> capture = point->capture;
    if (capture->origin != stream) return broken(*capture, cudaErrorStreamCaptureUnmatched);
    const bool joined = are_all_before(*capture->graph, point->after);
    end(*capture);
    if (capture->is_broken || !joined) {
      cudaGraphDestroy(capture->graph);
      if (capture->is_broken) return cudaErrorStreamCaptureInvalidated;
      return r.warn(
          cudaErrorStreamCaptureUnjoined,
          message("The capture ends while another stream has work in it that the first stream does not wait "
                  "for."),
          message("Record an event in the other stream, and let the first one wait for it "
                  "(cudaStreamWaitEvent) before cudaStreamEndCapture."));
    }
    *graph = capture->graph;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr);
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, size_t* count) {
  return api([&](Runtime&) {
    if (!status) return cudaErrorInvalidValue;
    if (!lives(stream)) return cudaErrorInvalidResourceHandle;
    const CapturePoint* const point = point_of(stream);
    *status = !point                      ? cudaStreamCaptureStatusNone
              : point->capture->is_broken ? cudaStreamCaptureStatusInvalidated
                                          : cudaStreamCaptureStatusActive;
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    if (id) *id = point->capture->id;
    if (graph) *graph = point->capture->graph;
    if (dependencies) *dependencies = point->after.data();
    if (count) *count = point->after.size();
    return cudaSuccess;
  });
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                size_t count, unsigned int flags) {
  return api([&](Runtime&) {
    CapturePoint* const point = lives(stream) ? point_of(stream) : nullptr;
    if (!point) return cudaErrorIllegalState;
    if (count && !dependencies) return cudaErrorInvalidValue;
    const std::vector<cudaGraphNode_t> all(dependencies, dependencies + count);
    if (flags == cudaStreamSetCaptureDependencies) point->after.clear();
    join(point->after, all);
    return cudaSuccess;
  });
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  thread_local cudaStreamCaptureMode now = cudaStreamCaptureModeGlobal;
  return api([&](Runtime&) {
    if (!mode) return cudaErrorInvalidValue;
    std::swap(*mode, now);
    return cudaSuccess;
  });
}
