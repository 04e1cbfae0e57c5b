#include "engine/cuda/runtime/host_library_call.hpp"

#include <utility>

#include "engine/cuda/runtime/async_order.hpp"
#include "engine/cuda/runtime/call_site.hpp"
#include "engine/cuda/runtime/report.hpp"

namespace bscope::cuda {

HostLibraryCall::HostLibraryCall(Runtime& runtime, const char* name, cudaStream_t stream)
    : runtime_(runtime), name_(name), stream_(number_of(stream)) {
  const LibraryCall call = library_call(runtime.here(), runtime.settings);
  runtime.machine.begin_library_call({name, call.file, call.at.line});
}

HostLibraryCall::~HostLibraryCall() {
  runtime_.machine.end_library_call();
  if (!good_) return;
  for (auto* ranges : {&use_.read, &use_.written}) std::ranges::sort(*ranges, {}, &AddressRange::begin);
  add_operation(
      runtime_,
      {.kind = DeviceOperation::library, .kernel_name = name_, .use = std::move(use_), .stream = stream_});
  if (waits_) runtime_.order.host_waits_for_stream(stream_);
}

bool HostLibraryCall::is_on_device(const void* at) const {
  return runtime_.machine.at(reinterpret_cast<uint64_t>(at)).memory != nullptr;
}

std::span<const std::byte> HostLibraryCall::bytes_at(const void* at, size_t bytes, ElementType kind,
                                                     bool reads) {
  CopyEndpoint end;
  if (bytes == 0 || !good_) return {};
  if (find_end(runtime_, at, bytes, name_, end) != cudaSuccess) {
    good_ = false;
    return {};
  }
  if (!end.memory) {
    runtime_.warn(cudaErrorInvalidValue,
                  message("{} is given memory of the host where memory of the device is wanted.", name_),
                  message("Copy the array with cudaMemcpy to memory of cudaMalloc first."));
    good_ = false;
    return {};
  }
  runtime_.machine.shape(*end.memory, kind, 1, "");
  const uint64_t begin = facts_of(*end.memory).address + end.offset;
  if (reads) use_.read.push_back({begin, begin + bytes});
  return runtime_.machine.look(*end.memory, end.offset, bytes);
}

void HostLibraryCall::write_bytes(void* to, ElementType kind, std::span<const std::byte> values) {
  if (values.empty() || bytes_at(to, values.size(), kind, false).empty()) return;
  const Machine::MemoryLocation place = runtime_.machine.at(reinterpret_cast<uint64_t>(to));
  const uint64_t begin = facts_of(*place.memory).address + uint64_t(place.offset);
  use_.written.push_back({begin, begin + values.size()});
  runtime_.machine.write(*place.memory, uint64_t(place.offset), values, name_);
}

}  // namespace bscope::cuda

using namespace bscope::cuda;

void __bscope_missing(const char* library, const char* function) {
  const ApiCallGuard inside;
  Runtime& runtime = Runtime::get();
  end_program({ProgramEnd::refused, 2,
               bscope::message("Barrierscope has no {} ({}): the program was stopped at its call.", library,
                               function),
               runtime.caller()});
}
