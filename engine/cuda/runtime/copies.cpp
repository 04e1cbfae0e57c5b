// Copies between host and device, and what fills memory: each checked for its direction and its ends.
#include "engine/cuda/runtime/copies.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "engine/cuda/runtime/arrays.hpp"
#include "engine/cuda/runtime/async_order.hpp"
#include "engine/cuda/runtime/copy_endpoint.hpp"
#include "engine/cuda/runtime/graphs.hpp"

namespace bscope::cuda {
namespace {

constexpr const char* kind_names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                      "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                      "cudaMemcpyDefault"};

/// What may cure a copy that needs more bytes than the allocation has; empty: nothing is known.
Message cure_of_short(Runtime& runtime, const MemoryFacts& facts, uint64_t bytes) {
  constexpr uint64_t sizes[] = {2, 4, 8, 12, 16};
  const auto it = runtime.allocations.find(facts.address);
  const bool forgotten = std::ranges::any_of(sizes, [&](uint64_t n) { return bytes == n * facts.bytes; });
  if (it == runtime.allocations.end() || !forgotten) return {};
  const HostLine at = students_line(it->second.stack, runtime.settings);
  return message(
      "{} in line {} allocates {}, and the copy needs {} times as many: multiply the number of elements by "
      "sizeof there.",
      it->second.by, at.line, in_bytes(facts.bytes), bytes / facts.bytes);
}

}  // namespace

cudaError_t find_end(Runtime& runtime, const void* pointer, size_t bytes, const char* by, CopyEndpoint& end) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  const Message call = message("{} of {}", by, in_bytes(bytes));
  if (address < 4096)
    return runtime.warn(cudaErrorInvalidValue, message("{} is given a null pointer.", call));
  const Machine::MemoryLocation place = runtime.machine.at(address);
  if (!place.memory) return cudaSuccess;
  const MemoryFacts facts = facts_of(*place.memory);
  if (facts.freed)
    return runtime.warn(cudaErrorInvalidValue,
                        message("{} uses {} after it was freed.", call, name_of(*place.memory)));
  if (place.offset < 0 || uint64_t(place.offset) > facts.bytes ||
      bytes > facts.bytes - uint64_t(place.offset))
    return runtime.warn(cudaErrorInvalidValue,
                        place.offset
                            ? message("{} goes beyond {}, which has {}, and begins {} bytes in it.", call,
                                      name_of(*place.memory), in_bytes(facts.bytes), place.offset)
                            : message("{} goes beyond {}, which has {}.", call, name_of(*place.memory),
                                      in_bytes(facts.bytes)),
                        place.offset ? Message() : cure_of_short(runtime, facts, bytes));
  end = {place.memory, uint64_t(place.offset), facts.visible};
  return cudaSuccess;
}

namespace {

/// Warns of cells that a copy brings to the host though nothing has written them.
void look_for_unset(Runtime& runtime, const CopyEndpoint& source, size_t bytes) {
  constexpr uint64_t least = 4;  // less may be what is between two members of a struct
  const MemoryFacts facts = facts_of(*source.memory);
  const auto unset = runtime.machine.first_unset(*source.memory, source.offset, bytes);
  if (!unset || !facts.width || unset->end - unset->begin < least) return;
  std::string name = name_in_source(runtime, *source.memory);
  if (name.empty()) name = facts.name;
  const auto cell = [&](uint64_t at) {
    return name + "[" + std::to_string(at / uint64_t(facts.width)) + "]";
  };
  const std::string first = cell(unset->begin), last = cell(unset->end - 1);
  const int line = runtime.caller().line;
  runtime.suspect(
      first == last
          ? message("Line {} copies a cell to the host that was never written: {}.", line, first)
          : message("Line {} copies cells to the host that were never written: {} to {}.", line, first, last),
      message("No thread writes there: look at the number of blocks and at the kernel's guards."));
}

/// Remembers a memset whose bytes make no number that a program is likely to want: 1 in each byte of an int.
void note_fill(Runtime& runtime, const CopyEndpoint& end, int value, const char* by) {
  constexpr int most = 15;  // larger ones are chosen for their bytes: 0x3f, 0x7f, 0xff
  if (value > 0 && value <= most) runtime.fills.push_back({end.memory, by, uint8_t(value), Stack::now()});
}

/// Whether a pointer of the host is the shadow of a __device__ or __constant__ variable; its name.
std::string symbol_name(const Runtime& runtime, const void* pointer) {
  const auto it = runtime.symbols.find(pointer);
  return it == runtime.symbols.end() ? std::string() : facts_of(*it->second.memory).name;
}

/// Checks that the copy's direction is right. The hardware, too, refuses a wrong one.
cudaError_t check_direction(Runtime& runtime, const CopyEndpoint& to, const CopyEndpoint& from,
                            cudaMemcpyKind kind, const char* by, const void* to_host, const void* from_host) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (kind == cudaMemcpyDefault) return cudaSuccess;
  const bool wants_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool to_wrong = wants_device ? !to.memory : !to.on_host();
  const bool from_wrong = from_device ? !from.memory : !from.on_host();
  if (!to_wrong && !from_wrong) return cudaSuccess;
  const std::string symbol = symbol_name(runtime, to_wrong ? to_host : from_host);
  if (!symbol.empty())
    return runtime.warn(
        cudaErrorInvalidValue,
        message("{} is given {}, a variable of the device: on the host that name is no address of "
                "the device.",
                by, symbol),
        message("Use {}({}, ...).", to_wrong ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol", symbol));
  const char* const told = kind_names[kind];
  const auto side = [](bool device) {
    return device ? message("memory of the device") : message("memory of the host");
  };
  if (to_wrong && from_wrong && wants_device != from_device)
    return runtime.warn(cudaErrorInvalidValue,
                        message("{} is told {}, but goes the other way: the first argument is where to, the "
                                "second where from.",
                                by, told));
  return runtime.warn(cudaErrorInvalidValue,
                      to_wrong ? message("{} is told {}, but its first argument (where to) is {}.", by, told,
                                         side(to.on_device()))
                               : message("{} is told {}, but its second argument (where from) is {}.", by,
                                         told, side(from.on_device())));
}

/// Bytes at an end, `pitch` from row to row; the machine's own or the host's.
std::span<const std::byte> bytes_at(Runtime& runtime, const CopyEndpoint& end, const void* pointer,
                                    size_t bytes) {
  if (end.memory) return runtime.machine.read(*end.memory, end.offset, bytes);
  return {static_cast<const std::byte*>(pointer), bytes};
}

void copy_rows_between(std::byte* to, size_t to_pitch, const std::byte* from, size_t from_pitch,
                       CopyBlock block) {
  for (size_t row = 0; row < block.height; ++row)
    std::memmove(to + row * to_pitch, from + row * from_pitch, block.width);
}

/// Addresses of an end of a copy, where kernels or the host can use it at the same time; none for pageable
/// memory of the host.
std::vector<AddressRange> addresses_of(const Runtime& runtime, const CopyEndpoint& end, PitchedRows rows,
                                       CopyBlock block) {
  constexpr size_t most_rows = 4096;
  uint64_t begin = 0;
  if (end.memory)
    begin = facts_of(*end.memory).address + end.offset;
  else if (!(begin = runtime.mirrors.device_of(rows.begin)))
    return {};
  if (rows.pitch == block.width) block = {block.width * block.height, 1};
  std::vector<AddressRange> all;
  for (size_t row = 0; row < block.height && block.height <= most_rows; ++row)
    all.push_back({begin + row * rows.pitch, begin + row * rows.pitch + block.width});
  return all;
}

/// Adds a copy to its stream, and lets the host wait where it does. The rules are those of the CUDA Runtime
/// API, "API synchronization behavior".
void add_copy(Runtime& runtime, const CopyCall& call, const CopyEndpoint& to, const CopyEndpoint& from,
              MemoryUse use) {
  const bool to_pageable = !to.memory && use.written.empty(),
             from_pageable = !from.memory && use.read.empty();
  // "If pageable memory must first be staged to pinned memory, the driver may synchronize with the stream and
  // stage the copy into pinned memory": the source may be changed at once.
  add_operation(runtime, {.kind = DeviceOperation::copy, .use = std::move(use), .stream = call.stream});
  // "For transfers from device memory to pageable host memory, the function will return only once the copy
  // has completed." "For transfers from any host memory to any host memory, the function is fully synchronous
  // with respect to the host."
  const bool between_hosts = (to_pageable && !from.on_device()) || (from_pageable && !to.on_device());
  // cudaMemcpy: "For transfers from device memory to device memory, no host-side synchronization is
  // performed." From pageable memory it may return before the transfer from the staging memory has ended; so
  // much is not held against a program.
  const bool waits = call.asynchronous ? to_pageable || between_hosts : !to.on_device() || !from.on_device();
  if (waits) runtime.order.host_waits_for_stream(call.stream);
}

}  // namespace

cudaError_t copy(Runtime& runtime, PitchedRows to, PitchedRows from, CopyBlock block, cudaMemcpyKind kind,
                 const CopyCall& call) {
  const char* const by = call.by;
  if (block.width == 0 || block.height == 0) return cudaSuccess;
  if (block.height > 1 && (to.pitch < block.width || from.pitch < block.width))
    return runtime.warn(cudaErrorInvalidPitchValue, message("{}: a row is wider than the pitch.", by));
  if (block.height > 1 && to.pitch == block.width && from.pitch == block.width)
    block = {block.width * block.height, 1};
  CopyEndpoint target, source;
  if (const auto error = find_end(runtime, to.begin, block.span(to.pitch), by, target)) return error;
  if (const auto error = find_end(runtime, from.begin, block.span(from.pitch), by, source)) return error;
  if (const auto error = check_direction(runtime, target, source, kind, by, to.begin, from.begin))
    return error;
  if (runtime.errors.broken()) return runtime.errors.broken();
  if (source.on_device() && target.on_host()) {
    runtime.copied_to_host = true;
    if (block.height == 1) look_for_unset(runtime, source, block.width);
  }

  const auto given = bytes_at(runtime, source, from.begin, block.span(from.pitch));
  if (!target.memory) {
    copy_rows_between(static_cast<std::byte*>(const_cast<void*>(to.begin)), to.pitch, given.data(),
                      from.pitch, block);
  } else if (block.height == 1 && source.memory == target.memory) {
    const std::vector<std::byte> held(given.begin(), given.end());  // the two may overlap
    runtime.machine.write(*target.memory, target.offset, held, by);
  } else if (block.height == 1) {
    runtime.machine.write(*target.memory, target.offset, given, by);
  } else {
    const auto there = runtime.machine.look(*target.memory, target.offset, block.span(to.pitch));
    std::vector<std::byte> made(there.begin(), there.end());
    copy_rows_between(made.data(), to.pitch, given.data(), from.pitch, block);
    runtime.machine.write(*target.memory, target.offset, made, by);
  }
  add_copy(runtime, call, target, source,
           {.read = addresses_of(runtime, source, from, block),
            .written = addresses_of(runtime, target, to, block)});
  return cudaSuccess;
}

namespace {

/// One end of a copy of boxes: where its first row begins, and how far it is to the next row and slice.
struct BoxEnd {
  const char* begin = nullptr;
  size_t pitch = 0, slice = 0;
  PitchedRows rows(size_t number) const { return {begin + number * slice, pitch}; }
};
cudaError_t box_end(Runtime& runtime, const cudaArray* array, const cudaPitchedPtr& box, const cudaPos& at,
                    const cudaExtent& extent, const char* by, BoxEnd& end, size_t& unit) {
  if (!array) {
    const size_t slice = box.pitch * box.ysize;
    end = {static_cast<const char*>(box.ptr) + at.z * slice + at.y * box.pitch + at.x, box.pitch, slice};
    return cudaSuccess;
  }
  if (const auto error = check_array(runtime, array, by)) return error;
  unit = array->format.texel_bytes();
  const ArrayBox wanted{at.x * unit, at.y, at.z, extent.width * unit, extent.height, extent.depth};
  PitchedRows rows{};
  if (const auto error = rows_of(runtime, array, wanted, by, rows)) return error;
  end = {static_cast<const char*>(rows.begin), rows.pitch, level_of(*array).slice()};
  return cudaSuccess;
}

cudaError_t copy_box(Runtime& runtime, const cudaMemcpy3DParms* p, const CopyCall& call) {
  const char* const by = call.by;
  if (!p) return cudaErrorInvalidValue;
  BoxEnd to, from;
  size_t unit = 1;  // "if a CUDA array is participating in the copy, the extent is in elements of that array"
  if (const auto error = box_end(runtime, p->dstArray, p->dstPtr, p->dstPos, p->extent, by, to, unit))
    return error;
  if (const auto error = box_end(runtime, p->srcArray, p->srcPtr, p->srcPos, p->extent, by, from, unit))
    return error;
  for (size_t slice = 0; slice < p->extent.depth; ++slice) {
    const CopyBlock block{p->extent.width * unit, p->extent.height};
    const auto error = copy(runtime, to.rows(slice), from.rows(slice), block, p->kind, call);
    if (error) return error;
  }
  return cudaSuccess;
}

/// "The cudaMemset functions are asynchronous with respect to the host except when the target memory is
/// pinned host memory or a Unified Memory region, in which case they are fully synchronous. The Async
/// versions are always asynchronous with respect to the host." (CUDA Runtime API, API synchronization
/// behavior)
void add_fill(Runtime& runtime, const CopyCall& call, const CopyEndpoint& end, PitchedRows rows,
              CopyBlock block) {
  add_operation(runtime, {.kind = DeviceOperation::fill,
                          .use = {.written = addresses_of(runtime, end, rows, block)},
                          .stream = call.stream});
  if (!call.asynchronous && end.visible) runtime.order.host_waits_for_stream(call.stream);
}

cudaError_t fill(Runtime& runtime, void* pointer, size_t pitch, int value, CopyBlock block,
                 const CopyCall& call) {
  const char* const by = call.by;
  if (block.width == 0 || block.height == 0) return cudaSuccess;
  if (block.height > 1 && pitch == block.width) block = {block.width * block.height, 1};
  CopyEndpoint end;
  if (const auto error = find_end(runtime, pointer, block.span(pitch), by, end)) return error;
  if (!end.memory)
    return runtime.warn(
        cudaErrorInvalidValue,
        message("{} is given memory of the host: use memset, or a pointer of cudaMalloc.", by));
  note_fill(runtime, end, value, by);
  add_fill(runtime, call, end, {pointer, block.height > 1 ? pitch : block.width}, block);
  if (block.height == 1) {
    runtime.machine.fill(*end.memory, end.offset, block.width, uint8_t(value), by);
    return cudaSuccess;
  }
  const auto there = runtime.machine.look(*end.memory, end.offset, block.span(pitch));
  std::vector<std::byte> made(there.begin(), there.end());
  for (size_t row = 0; row < block.height; ++row) std::memset(made.data() + row * pitch, value, block.width);
  runtime.machine.write(*end.memory, end.offset, made, by);
  return cudaSuccess;
}

/// The variable that a host address stands for, and that `bytes` are in it from `offset` on.
cudaError_t find_symbol(Runtime& runtime, const void* symbol, size_t bytes, size_t offset, const char* by,
                        Symbol& found) {
  auto it = runtime.symbols.find(symbol);
  if (it == runtime.symbols.end() && register_early()) it = runtime.symbols.find(symbol);
  if (it == runtime.symbols.end())  // declared extern here: its own file has registered it
    if (Memory* const there = runtime.machine.shared_variable(symbol_at(symbol)))
      it = runtime.symbols.try_emplace(symbol, Symbol{there, facts_of(*there).bytes}).first;
  if (it == runtime.symbols.end())
    return runtime.warn(
        cudaErrorInvalidSymbol,
        message("{} is given something that is no __device__ or __constant__ variable of a kernel.", by));
  found = it->second;
  if (offset > found.bytes || bytes > found.bytes - offset)
    return runtime.warn(cudaErrorInvalidValue,
                        message("{} goes beyond {}, which has {}.", message("{} of {}", by, in_bytes(bytes)),
                                name_of(*found.memory), in_bytes(found.bytes)));
  return cudaSuccess;
}

cudaError_t to_symbol(Runtime& runtime, const void* symbol, const void* from, size_t bytes, size_t offset,
                      const CopyCall& call) {
  const char* const by = call.by;
  Symbol found;
  CopyEndpoint source;
  if (const auto error = find_symbol(runtime, symbol, bytes, offset, by, found)) return error;
  if (const auto error = find_end(runtime, from, bytes, by, source)) return error;
  const auto given = bytes_at(runtime, source, from, bytes);
  const std::vector<std::byte> held(given.begin(), given.end());
  runtime.machine.write(*found.memory, offset, held, by);
  const CopyEndpoint target{found.memory, offset, false};
  add_copy(runtime, call, target, source,
           {.read = addresses_of(runtime, source, {from, bytes}, {bytes, 1}),
            .written = addresses_of(runtime, target, {}, {bytes, 1})});
  return cudaSuccess;
}

cudaError_t from_symbol(Runtime& runtime, void* to, const void* symbol, size_t bytes, size_t offset,
                        const CopyCall& call) {
  const char* const by = call.by;
  Symbol found;
  CopyEndpoint target;
  if (const auto error = find_symbol(runtime, symbol, bytes, offset, by, found)) return error;
  if (const auto error = find_end(runtime, to, bytes, by, target)) return error;
  const auto given = runtime.machine.read(*found.memory, offset, bytes);
  const std::vector<std::byte> held(given.begin(), given.end());
  if (target.memory)
    runtime.machine.write(*target.memory, target.offset, held, by);
  else
    std::memcpy(to, held.data(), bytes);
  const CopyEndpoint source{found.memory, offset, false};
  add_copy(runtime, call, target, source,
           {.read = addresses_of(runtime, source, {}, {bytes, 1}),
            .written = addresses_of(runtime, target, {to, bytes}, {bytes, 1})});
  return cudaSuccess;
}

cudaMemcpyKind kind_of(const cudaMemcpy3DParms* parameters) {
  return parameters ? parameters->kind : cudaMemcpyHostToDevice;
}

}  // namespace
}  // namespace bscope::cuda

using namespace bscope::cuda;

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  if (const auto error = captured(cudaStreamLegacy, cudaGraphNodeTypeMemcpy, nullptr)) return *error;
  return copying(kind, [&](Runtime& r) {
    return copy(r, {to, bytes}, {from, bytes}, {bytes, 1}, kind, {"cudaMemcpy"});
  });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (const auto error = captured(stream, cudaGraphNodeTypeMemcpy, [=](cudaStream_t in) {
        return cudaMemcpyAsync(to, from, bytes, kind, in);
      }))
    return *error;
  return copying(kind, [&](Runtime& r) {
    return copy(r, {to, bytes}, {from, bytes}, {bytes, 1}, kind, asynchronous("cudaMemcpyAsync", stream));
  });
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return copying(kind, [&](Runtime& r) {
    return copy(r, {to, to_pitch}, {from, from_pitch}, {width, height}, kind, {"cudaMemcpy2D"});
  });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  if (const auto error = captured(stream, cudaGraphNodeTypeMemcpy, [=](cudaStream_t in) {
        return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, in);
      }))
    return *error;
  return copying(kind, [&](Runtime& r) {
    return copy(r, {to, to_pitch}, {from, from_pitch}, {width, height}, kind,
                asynchronous("cudaMemcpy2DAsync", stream));
  });
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return copying(kind_of(parameters), [&](Runtime& r) { return copy_box(r, parameters, {"cudaMemcpy3D"}); });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  if (parameters)
    if (const auto error = captured(stream, cudaGraphNodeTypeMemcpy, [box = *parameters](cudaStream_t in) {
          return cudaMemcpy3DAsync(&box, in);
        }))
      return *error;
  return copying(kind_of(parameters), [&](Runtime& r) {
    return copy_box(r, parameters, asynchronous("cudaMemcpy3DAsync", stream));
  });
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
  return waiting([&](Runtime& r) {
    return copy(r, {to, bytes}, {from, bytes}, {bytes, 1}, cudaMemcpyDeviceToDevice, {"cudaMemcpyPeer"});
  });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t stream) {
  if (const auto error = captured(stream, cudaGraphNodeTypeMemcpy, [=](cudaStream_t in) {
        return cudaMemcpyPeerAsync(to, 0, from, 0, bytes, in);
      }))
    return *error;
  return waiting([&](Runtime& r) {
    return copy(r, {to, bytes}, {from, bytes}, {bytes, 1}, cudaMemcpyDeviceToDevice,
                asynchronous("cudaMemcpyPeerAsync", stream));
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return waiting([&](Runtime& r) { return fill(r, pointer, bytes, value, {bytes, 1}, {"cudaMemset"}); });
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  if (const auto error = captured(stream, cudaGraphNodeTypeMemset, [=](cudaStream_t in) {
        return cudaMemsetAsync(pointer, value, bytes, in);
      }))
    return *error;
  return waiting([&](Runtime& r) {
    return fill(r, pointer, bytes, value, {bytes, 1}, asynchronous("cudaMemsetAsync", stream));
  });
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return waiting([&](Runtime& r) {
    return fill(r, pointer, pitch, value, {width, height}, {"cudaMemset2D"});
  });
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  if (const auto error = captured(stream, cudaGraphNodeTypeMemset, [=](cudaStream_t in) {
        return cudaMemset2DAsync(pointer, pitch, value, width, height, in);
      }))
    return *error;
  return waiting([&](Runtime& r) {
    return fill(r, pointer, pitch, value, {width, height}, asynchronous("cudaMemset2DAsync", stream));
  });
}
cudaError_t cudaMemset3D(cudaPitchedPtr box, int value, cudaExtent extent) {
  return waiting([&](Runtime& r) {
    for (size_t slice = 0; slice < extent.depth; ++slice) {
      char* const begin = static_cast<char*>(box.ptr) + slice * box.pitch * box.ysize;
      if (const auto error =
              fill(r, begin, box.pitch, value, {extent.width, extent.height}, {"cudaMemset3D"}))
        return error;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind) {
  return waiting(
      [&](Runtime& r) { return to_symbol(r, symbol, from, bytes, offset, {"cudaMemcpyToSymbol"}); });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  if (const auto error = captured(stream, cudaGraphNodeTypeMemcpy, [=](cudaStream_t in) {
        return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, in);
      }))
    return *error;
  return waiting([&](Runtime& r) {
    return to_symbol(r, symbol, from, bytes, offset, asynchronous("cudaMemcpyToSymbolAsync", stream));
  });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind) {
  return waiting(
      [&](Runtime& r) { return from_symbol(r, to, symbol, bytes, offset, {"cudaMemcpyFromSymbol"}); });
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  if (const auto error = captured(stream, cudaGraphNodeTypeMemcpy, [=](cudaStream_t in) {
        return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, in);
      }))
    return *error;
  return waiting([&](Runtime& r) {
    return from_symbol(r, to, symbol, bytes, offset, asynchronous("cudaMemcpyFromSymbolAsync", stream));
  });
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return api([&](Runtime& r) {
    Symbol found;
    if (!pointer) return cudaErrorInvalidValue;
    if (const auto error = find_symbol(r, symbol, 0, 0, "cudaGetSymbolAddress", found)) return error;
    *pointer = reinterpret_cast<void*>(facts_of(*found.memory).address);  // NOLINT(performance-no-int-to-ptr)
    return cudaSuccess;
  });
}
const void* __bscope_symbol_named(const char* name) {
  const ApiCallGuard inside;
  Runtime& runtime = Runtime::get();
  register_early();
  if (runtime.symbols.count(name)) return name;
  for (const auto& [address, symbol] : runtime.symbols)
    if (facts_of(*symbol.memory).name == name) return address;
  return name;
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return api([&](Runtime& r) {
    Symbol found;
    if (!bytes) return cudaErrorInvalidValue;
    if (const auto error = find_symbol(r, symbol, 0, 0, "cudaGetSymbolSize", found)) return error;
    *bytes = found.bytes;
    return cudaSuccess;
  });
}
