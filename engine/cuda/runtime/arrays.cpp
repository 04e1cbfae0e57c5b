// CUDA arrays: allocating, freeing and querying them, and copies that name them.
#include "engine/cuda/runtime/arrays.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <set>

#include "engine/cuda/runtime/memory_calls.hpp"

namespace bscope::cuda {
namespace {

constexpr unsigned known_flags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
constexpr size_t cube_faces = 6;

/// Those that are not freed. Never unmade: programs call CUDA until their very end.
std::set<const cudaArray*>& arrays() {
  static auto* const all = new std::set<const cudaArray*>;
  return *all;
}
std::set<const cudaMipmappedArray*>& mipmapped_arrays() {
  static auto* const all = new std::set<const cudaMipmappedArray*>;
  return *all;
}

size_t rows(const cudaExtent& e) { return std::max<size_t>(e.height, 1); }
size_t slices(const cudaExtent& e) { return std::max<size_t>(e.depth, 1); }
uint64_t bytes_of_array(const cudaArray& a) {
  return uint64_t(a.extent.width) * a.format.texel_bytes() * rows(a.extent) * slices(a.extent);
}

cudaError_t not_an_array(Runtime& runtime, const char* by) {
  return runtime.warn(cudaErrorInvalidResourceHandle,
                      message("{} is given a CUDA array that is freed, or that was never allocated.", by));
}

/// Whether CUDA makes such an array.
cudaError_t check_request(Runtime& runtime, const cudaExtent& e, unsigned flags, const char* by) {
  const bool layered = (flags & cudaArrayLayered) != 0, cube = (flags & cudaArrayCubemap) != 0;
  if (e.width == 0 || (flags & ~known_flags) || (!layered && e.height == 0 && e.depth > 0))
    return runtime.warn(cudaErrorInvalidValue,
                        message("{}: there is no array of {} x {} x {}.", by, e.width, e.height, e.depth));
  const bool cubic =
      e.width == e.height && e.depth && (layered ? e.depth % cube_faces == 0 : e.depth == cube_faces);
  if (cube && !cubic)
    return runtime.warn(
        cudaErrorInvalidValue,
        message("{}: a cubemap has as many rows as columns, and six faces: {} x {} x {} is none.", by,
                e.width, e.height, e.depth));
  return cudaSuccess;
}

cudaError_t make_array(Runtime& runtime, const cudaChannelFormatDesc* desc, const cudaExtent& extent,
                       unsigned flags, const char* by, cudaArray*& made) {
  if (!desc) return cudaErrorInvalidValue;
  auto array = std::make_unique<cudaArray>();
  if (!format_of(*desc, array->format))
    return runtime.warn(cudaErrorInvalidChannelDescriptor,
                        message("{}: no texture has channels of {}, {}, {} and {} bits: use "
                                "cudaCreateChannelDesc with the type of an element.",
                                by, desc->x, desc->y, desc->z, desc->w));
  if (const auto error = check_request(runtime, extent, flags, by)) return error;
  array->desc = *desc;
  array->extent = extent;
  array->flags = flags;
  const uint64_t bytes = bytes_of_array(*array);
  array->address = runtime.machine.allocate(bytes, Placement::device);
  if (!array->address) return refuse_memory(runtime, bytes, by);
  runtime.note_allocation(array->address, bytes, by, Stack::now());
  Memory& memory = *runtime.machine.at(array->address).memory;
  runtime.machine.shape(memory, element_of(array->format), int(rows(extent) * slices(extent)),
                        name_in_source(runtime, memory));
  made = array.release();
  arrays().insert(made);
  return cudaSuccess;
}

void free_array(Runtime& runtime, const cudaArray* array) {
  runtime.machine.free(array->address);
  runtime.allocations.erase(array->address);
  arrays().erase(array);
  delete array;
}

cudaError_t free_if_known(Runtime& runtime, const cudaArray* array) {
  if (const auto error = check_array(runtime, array, "cudaFreeArray")) return error;
  if (array->is_level)
    return runtime.warn(cudaErrorInvalidValue,
                        message("cudaFreeArray is given a level of a mipmapped array: cudaFreeMipmappedArray "
                                "frees all of them."));
  free_array(runtime, array);
  return cudaSuccess;
}

cudaError_t allocate(Runtime& runtime, cudaArray_t* array, const cudaChannelFormatDesc* desc,
                     const cudaExtent& extent, unsigned flags, const char* by) {
  if (!array) return cudaErrorInvalidValue;
  runtime.order.order_all_streams();
  cudaArray* made = nullptr;
  if (const auto error = make_array(runtime, desc, extent, flags, by, made)) return error;
  *array = made;
  return cudaSuccess;
}

/// The extent of a level of a mipmapped array: half of the one before it, and one texel at least.
cudaExtent extent_of_level(const cudaExtent& e, unsigned level, bool layered) {
  const auto half = [&](size_t n) { return n ? std::max<size_t>(n >> level, 1) : 0; };
  return {half(e.width), half(e.height), layered ? e.depth : half(e.depth)};
}

cudaError_t allocate_levels(Runtime& runtime, cudaMipmappedArray_t* array, const cudaChannelFormatDesc* desc,
                            const cudaExtent& extent, unsigned levels, unsigned flags) {
  if (!array || levels == 0) return cudaErrorInvalidValue;
  const bool layered = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  auto made = std::make_unique<cudaMipmappedArray>();
  size_t longest = std::max(extent.width, std::max(extent.height, layered ? 0 : extent.depth));
  unsigned most = 1;
  while (longest >>= 1) ++most;
  runtime.order.order_all_streams();
  for (unsigned level = 0; level < std::min(levels, most); ++level) {
    cudaArray* of_level = nullptr;
    if (const auto error = make_array(runtime, desc, extent_of_level(extent, level, layered), flags,
                                      "cudaMallocMipmappedArray", of_level)) {
      for (const cudaArray* before : made->levels) free_array(runtime, before);
      return error;
    }
    of_level->is_level = true;
    made->levels.push_back(of_level);
  }
  mipmapped_arrays().insert(*array = made.release());
  return cudaSuccess;
}

/// A copy of bytes that lie behind one another in the array, over the ends of its rows.
cudaError_t copy_bytes(Runtime& runtime, cudaArray_const_t array, size_t x, size_t y, const void* other,
                       size_t bytes, bool to_array, cudaMemcpyKind kind, const CopyCall& call) {
  if (const auto error = check_array(runtime, array, call.by)) return error;
  const TextureLevel level = level_of(*array);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the device
  const PitchedRows there{reinterpret_cast<const void*>(level.address + y * level.pitch + x), bytes};
  const PitchedRows here{other, bytes};
  return to_array ? copy(runtime, there, here, {bytes, 1}, kind, call)
                  : copy(runtime, here, there, {bytes, 1}, kind, call);
}

/// A copy of a rectangle of an array.
cudaError_t copy_rectangle(Runtime& runtime, cudaArray_const_t array, const ArrayBox& box, PitchedRows other,
                           bool to_array, cudaMemcpyKind kind, const CopyCall& call) {
  if (const auto error = check_array(runtime, array, call.by)) return error;
  PitchedRows there{};
  if (const auto error = rows_of(runtime, array, box, call.by, there)) return error;
  const CopyBlock block{box.width, box.height};
  return to_array ? copy(runtime, there, other, block, kind, call)
                  : copy(runtime, other, there, block, kind, call);
}

}  // namespace

cudaError_t check_array(Runtime& runtime, const cudaArray* array, const char* by) {
  return arrays().contains(array) ? cudaSuccess : not_an_array(runtime, by);
}
cudaError_t check_array(Runtime& runtime, const cudaMipmappedArray* array, const char* by) {
  return mipmapped_arrays().contains(array) ? cudaSuccess : not_an_array(runtime, by);
}

bool format_of(const cudaChannelFormatDesc& d, TexelFormat& format) {
  const int bits = d.x;
  if (bits != 8 && bits != 16 && bits != 32) return false;
  const bool one = !d.y && !d.z && !d.w, two = d.y == bits && !d.z && !d.w,
             four = d.y == bits && d.z == bits && d.w == bits;
  if (!one && !two && !four) return false;
  switch (d.f) {
    case cudaChannelFormatKindSigned: format.kind = ChannelKind::with_sign; break;
    case cudaChannelFormatKindUnsigned: format.kind = ChannelKind::without_sign; break;
    case cudaChannelFormatKindFloat: format.kind = ChannelKind::floating; break;
    default: return false;
  }
  if (format.kind == ChannelKind::floating && bits == 8) return false;
  format.bytes = uint8_t(bits / 8);
  format.channels = one ? 1 : two ? 2 : 4;
  return true;
}

TextureLevel level_of(const cudaArray& a) {
  return {.address = a.address,
          .width = uint32_t(a.extent.width),
          .height = uint32_t(rows(a.extent)),
          .depth = uint32_t(slices(a.extent)),
          .pitch = uint64_t(a.extent.width) * a.format.texel_bytes()};
}

Texture::Shape shape_of(const cudaArray& a) {
  if (a.flags & cudaArrayCubemap)
    return a.flags & cudaArrayLayered ? Texture::cubemap_layered : Texture::cubemap;
  if (a.flags & cudaArrayLayered) return a.extent.height ? Texture::two_layered : Texture::one_layered;
  return a.extent.depth ? Texture::three : a.extent.height ? Texture::two : Texture::one;
}

ElementType element_of(TexelFormat f) {
  if (f.kind == ChannelKind::floating) return f.bytes == 4 ? ElementType::f32 : ElementType::f16;
  const bool without_sign = f.kind == ChannelKind::without_sign;
  return f.bytes == 1   ? (without_sign ? ElementType::u8 : ElementType::i8)
         : f.bytes == 2 ? (without_sign ? ElementType::u16 : ElementType::i16)
                        : (without_sign ? ElementType::u32 : ElementType::i32);
}

void describe_textures(cudaDeviceProp& p) {
  constexpr int line = 131072, side = 32768, edge = 16384, layers = 2048, cubes = 2046;
  const auto set = [](int* to, std::initializer_list<int> values) { std::ranges::copy(values, to); };
  p.maxTexture1D = line;
  p.maxTexture1DMipmap = p.maxTextureCubemap = p.maxSurface1D = p.maxSurfaceCubemap = side;
  p.maxTexture1DLinear = 1 << 28;
  set(p.maxTexture2D, {line, 65536});
  set(p.maxTexture2DMipmap, {side, side});
  set(p.maxTexture2DLinear, {line, 65000, 2097120});
  set(p.maxTexture2DGather, {side, side});
  set(p.maxTexture3D, {edge, edge, edge});
  set(p.maxTexture3DAlt, {edge / 2, edge / 2, 2 * edge});
  set(p.maxTexture1DLayered, {side, layers});
  set(p.maxTexture2DLayered, {side, side, layers});
  set(p.maxTextureCubemapLayered, {side, cubes});
  set(p.maxSurface2D, {line, 65536});
  set(p.maxSurface3D, {edge, edge, edge});
  set(p.maxSurface1DLayered, {side, layers});
  set(p.maxSurface2DLayered, {side, side, layers});
  set(p.maxSurfaceCubemapLayered, {side, cubes});
}

cudaError_t rows_of(Runtime& runtime, const cudaArray* array, const ArrayBox& box, const char* by,
                    PitchedRows& found) {
  const TextureLevel l = level_of(*array);
  const auto fits = [](size_t from, size_t count, uint64_t all) {
    return from <= all && count <= all - from;
  };
  if (!fits(box.x, box.width, l.pitch) || !fits(box.y, box.height, l.height) ||
      !fits(box.z, box.depth, l.depth))
    return runtime.warn(
        cudaErrorInvalidValue,
        message("{} goes beyond {}, which has {} bytes a row, rows: {}, slices: {}.", by,
                name_of(*runtime.machine.at(array->address).memory), l.pitch, l.height, l.depth),
        message("The width is in bytes where the call takes a pitch, and in elements in cudaMemcpy3D."));
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the device
  found = {reinterpret_cast<const void*>(l.address + box.z * l.slice() + box.y * l.pitch + box.x), l.pitch};
  return cudaSuccess;
}

}  // namespace bscope::cuda

using namespace bscope::cuda;

// ---- CUDA arrays
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned int flags) {
  return waiting([&](Runtime& r) {
    if (flags & (cudaArrayLayered | cudaArrayCubemap)) return cudaErrorInvalidValue;
    return allocate(r, array, desc, {width, height, 0}, flags, "cudaMallocArray");
  });
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                              unsigned int flags) {
  return waiting([&](Runtime& r) { return allocate(r, array, desc, extent, flags, "cudaMalloc3DArray"); });
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  return waiting([&](Runtime& r) {
    if (!array) return cudaSuccess;
    r.order.host_waits_for_all();
    return free_if_known(r, array);
  });
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  return api([&](Runtime& r) {
    if (const auto error = check_array(r, array, "cudaArrayGetInfo")) return error;
    if (desc) *desc = array->desc;
    if (extent) *extent = array->extent;
    if (flags) *flags = array->flags;
    return cudaSuccess;
  });
}
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* desc,
                                     cudaExtent extent, unsigned int levels, unsigned int flags) {
  return waiting([&](Runtime& r) { return allocate_levels(r, array, desc, extent, levels, flags); });
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return waiting([&](Runtime& r) {
    if (!array) return cudaSuccess;
    r.order.host_waits_for_all();
    if (const auto error = check_array(r, array, "cudaFreeMipmappedArray")) return error;
    for (const cudaArray* level : array->levels) free_array(r, level);
    mipmapped_arrays().erase(array);
    delete array;
    return cudaSuccess;
  });
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array,
                                       unsigned int number) {
  return api([&](Runtime& r) {
    if (const auto error = check_array(r, array, "cudaGetMipmappedArrayLevel")) return error;
    if (!level || number >= array->levels.size()) return cudaErrorInvalidValue;
    *level = array->levels[number];
    return cudaSuccess;
  });
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  return api([&](Runtime& r) {
    if (!desc) return cudaErrorInvalidValue;
    if (const auto error = check_array(r, array, "cudaGetChannelDesc")) return error;
    *desc = array->desc;
    return cudaSuccess;
  });
}
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

// ---- copies
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return copying(kind, [&](Runtime& r) {
    return copy_bytes(r, to, x, y, from, bytes, true, kind, {"cudaMemcpyToArray"});
  });
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return copying(kind, [&](Runtime& r) {
    return copy_bytes(r, to, x, y, from, bytes, true, kind, asynchronous("cudaMemcpyToArrayAsync", stream));
  });
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return copying(kind, [&](Runtime& r) {
    return copy_bytes(r, from, x, y, to, bytes, false, kind, {"cudaMemcpyFromArray"});
  });
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return copying(kind, [&](Runtime& r) {
    return copy_bytes(r, from, x, y, to, bytes, false, kind,
                      asynchronous("cudaMemcpyFromArrayAsync", stream));
  });
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t bytes, cudaMemcpyKind kind) {
  return copying(kind, [&](Runtime& r) {
    const CopyCall call{"cudaMemcpyArrayToArray"};
    if (const auto error = check_array(r, from, call.by)) return error;
    const TextureLevel level = level_of(*from);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the device
    const auto* const begin = reinterpret_cast<const void*>(level.address + from_y * level.pitch + from_x);
    return copy_bytes(r, to, to_x, to_y, begin, bytes, true, kind, call);
  });
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return copying(kind, [&](Runtime& r) {
    return copy_rectangle(r, to, {.x = x, .y = y, .width = width, .height = height}, {from, pitch}, true,
                          kind, {"cudaMemcpy2DToArray"});
  });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copying(kind, [&](Runtime& r) {
    return copy_rectangle(r, to, {.x = x, .y = y, .width = width, .height = height}, {from, pitch}, true,
                          kind, asynchronous("cudaMemcpy2DToArrayAsync", stream));
  });
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
  return copying(kind, [&](Runtime& r) {
    return copy_rectangle(r, from, {.x = x, .y = y, .width = width, .height = height}, {to, pitch}, false,
                          kind, {"cudaMemcpy2DFromArray"});
  });
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return copying(kind, [&](Runtime& r) {
    return copy_rectangle(r, from, {.x = x, .y = y, .width = width, .height = height}, {to, pitch}, false,
                          kind, asynchronous("cudaMemcpy2DFromArrayAsync", stream));
  });
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
  return copying(kind, [&](Runtime& r) {
    const CopyCall call{"cudaMemcpy2DArrayToArray"};
    if (const auto error = check_array(r, from, call.by)) return error;
    PitchedRows source{};
    const ArrayBox box{.x = from_x, .y = from_y, .width = width, .height = height};
    if (const auto error = rows_of(r, from, box, call.by, source)) return error;
    return copy_rectangle(r, to, {.x = to_x, .y = to_y, .width = width, .height = height}, source, true, kind,
                          call);
  });
}
