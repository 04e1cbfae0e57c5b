// Texture and surface objects, and the references of old CUDA, which are bound to memory by name.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string>

#include "engine/cuda/include/barrierscope/attributes.h"
#include "engine/cuda/runtime/arrays.hpp"

namespace bscope::cuda {
namespace {

constexpr uint64_t texture_alignment = __bscope_device_TextureAlignment;
constexpr uint64_t pitch_alignment = __bscope_device_TexturePitchAlignment;
constexpr size_t longest_linear = size_t(1) << 28;  // texels

/// What the program may ask of an object.
struct ObjectDescription {
  cudaResourceDesc resource{};
  cudaTextureDesc texture{};
  cudaResourceViewDesc view{};
  bool is_surface = false;
};
/// A texture or a surface reference as its host knows it.
struct Reference {
  uint64_t address = 0;  ///< of the device's variable, which names it; 0: no kernel uses it
  std::string name;
  int type = cudaTextureType1D;
  bool as_float = false;  ///< cudaReadModeNormalizedFloat
  size_t offset = 0;      ///< of what it is bound to
  bool is_bound = false;
};

// Never unmade: programs call CUDA until their very end.
std::map<uint64_t, ObjectDescription>& objects() {
  static auto* const all = new std::map<uint64_t, ObjectDescription>;
  return *all;
}
std::map<const void*, Reference>& references() {
  static auto* const all = new std::map<const void*, Reference>;
  return *all;
}

/// Bytes behind an address that a texture reads.
struct LinearRange {
  const void* begin = nullptr;
  size_t bytes = 0;
};

/// Finds memory of the device for a texture, and that it is large enough.
cudaError_t find_memory(Runtime& runtime, const LinearRange& range, const char* by, uint64_t& address) {
  address = reinterpret_cast<uint64_t>(range.begin);
  if (const uint64_t mirrored = runtime.mirrors.device_of(range.begin)) address = mirrored;
  const Machine::MemoryLocation place = runtime.machine.at(address);
  if (!place.memory)
    return runtime.warn(cudaErrorInvalidValue, message("{} is given memory that is not the device's.", by),
                        message("Pass what cudaMalloc or cudaMallocPitch gave."));
  const MemoryFacts facts = facts_of(*place.memory);
  if (facts.freed)
    return runtime.warn(cudaErrorInvalidValue,
                        message("{} uses {} after it was freed.",
                                message("{} of {}", by, in_bytes(range.bytes)), name_of(*place.memory)));
  if (place.offset < 0 || uint64_t(place.offset) > facts.bytes ||
      range.bytes > facts.bytes - uint64_t(place.offset))
    return runtime.warn(cudaErrorInvalidValue, message("{} goes beyond {}, which has {}.",
                                                       message("{} of {}", by, in_bytes(range.bytes)),
                                                       name_of(*place.memory), in_bytes(facts.bytes)));
  return cudaSuccess;
}

/// Memory that textures alone read has the name of the host's variable, and rows.
void name_memory(Runtime& runtime, uint64_t address, int rows) {
  Memory& memory = *runtime.machine.at(address).memory;
  runtime.machine.shape(memory, ElementType::other, rows, name_in_source(runtime, memory));
}

cudaError_t format_error(Runtime& runtime, const cudaChannelFormatDesc& d, const char* by) {
  return runtime.warn(cudaErrorInvalidChannelDescriptor,
                      message("{}: no texture has channels of {}, {}, {} and {} bits: use "
                              "cudaCreateChannelDesc with the type of an element.",
                              by, d.x, d.y, d.z, d.w));
}

cudaError_t read_linear(Runtime& runtime, const LinearRange& range, const cudaChannelFormatDesc& desc,
                        const char* by, Texture& t) {
  uint64_t address = 0;
  if (!format_of(desc, t.format)) return format_error(runtime, desc, by);
  if (const auto error = find_memory(runtime, range, by, address)) return error;
  if (address % texture_alignment)
    return runtime.warn(cudaErrorInvalidValue,
                        message("{} is given an address that is no multiple of {}.", by, texture_alignment),
                        message("Bind the beginning of the array, and add to the index."));
  name_memory(runtime, address, 1);
  t.shape = Texture::linear;
  t.levels = {
      {.address = address, .width = uint32_t(range.bytes / t.format.texel_bytes()), .pitch = range.bytes}};
  return cudaSuccess;
}

/// Rows that lie in memory of cudaMallocPitch.
struct PitchedTexels {
  const void* begin = nullptr;
  size_t width = 0, height = 0, pitch = 0;
};
cudaError_t read_pitched(Runtime& runtime, const PitchedTexels& p, const cudaChannelFormatDesc& desc,
                         const char* by, Texture& t) {
  uint64_t address = 0;
  if (!format_of(desc, t.format)) return format_error(runtime, desc, by);
  const size_t row = p.width * t.format.texel_bytes();
  if (!p.width || !p.height || row > p.pitch)
    return runtime.warn(cudaErrorInvalidValue, message("{}: a row is wider than the pitch.", by));
  if (p.pitch % pitch_alignment)
    return runtime.warn(
        cudaErrorInvalidValue,
        message("{} is given a pitch of {} bytes, which is no multiple of {}.", by, p.pitch, pitch_alignment),
        message("Allocate the rows with cudaMallocPitch."));
  if (const auto error = find_memory(runtime, {p.begin, p.pitch * (p.height - 1) + row}, by, address))
    return error;
  if (address % texture_alignment)
    return runtime.warn(cudaErrorInvalidValue,
                        message("{} is given an address that is no multiple of {}.", by, texture_alignment),
                        message("Bind the beginning of the array, and add to the index."));
  name_memory(runtime, address, int(p.height));
  t.shape = Texture::two;
  t.levels = {
      {.address = address, .width = uint32_t(p.width), .height = uint32_t(p.height), .pitch = p.pitch}};
  return cudaSuccess;
}

cudaError_t read_array(Runtime& runtime, const cudaArray* array, const char* by, Texture& t) {
  if (const auto error = check_array(runtime, array, by)) return error;
  t.shape = shape_of(*array);
  t.format = array->format;
  t.levels = {level_of(*array)};
  return cudaSuccess;
}

cudaError_t read_levels(Runtime& runtime, const cudaMipmappedArray* array, const char* by, Texture& t) {
  if (const auto error = check_array(runtime, array, by)) return error;
  if (const auto error = read_array(runtime, array->levels.front(), by, t)) return error;
  t.levels.clear();
  for (const cudaArray* level : array->levels) t.levels.push_back(level_of(*level));
  return cudaSuccess;
}

cudaError_t read_resource(Runtime& runtime, const cudaResourceDesc& d, const char* by, Texture& t) {
  switch (d.resType) {
    case cudaResourceTypeArray: return read_array(runtime, d.res.array.array, by, t);
    case cudaResourceTypeMipmappedArray: return read_levels(runtime, d.res.mipmap.mipmap, by, t);
    case cudaResourceTypeLinear:
      return read_linear(runtime, {d.res.linear.devPtr, d.res.linear.sizeInBytes}, d.res.linear.desc, by, t);
    case cudaResourceTypePitch2D: {
      const auto& p = d.res.pitch2D;
      return read_pitched(runtime, {p.devPtr, p.width, p.height, p.pitchInBytes}, p.desc, by, t);
    }
  }
  return cudaErrorInvalidValue;
}

/// What is set beside the resource, of an object or of a reference.
struct Sampling {
  const cudaTextureAddressMode* address;
  cudaTextureFilterMode filter, level_filter;
  bool as_float, normalized, srgb;
  float bias, least_level, most_level;
};

cudaError_t read_sampling(Runtime& runtime, const Sampling& s, const char* by, Texture& t) {
  const bool integers = t.format.kind != ChannelKind::floating;
  t.as_float = integers && s.as_float;
  t.normalized = s.normalized;
  t.srgb = s.srgb && t.as_float && t.format.bytes == 1;
  t.linear_filter = s.filter == cudaFilterModeLinear && t.shape != Texture::linear;
  t.linear_levels = s.level_filter == cudaFilterModeLinear;
  t.level_bias = s.bias, t.least_level = s.least_level, t.most_level = s.most_level;
  for (size_t k = 0; k < t.address.size(); ++k) t.address[k] = TextureAddress(s.address[k]);
  if (t.as_float && t.format.bytes == 4)
    return runtime.warn(
        cudaErrorInvalidNormSetting,
        message("{}: integers of 32 bits cannot be read with cudaReadModeNormalizedFloat.", by));
  if (t.linear_filter && !t.gives_floats())
    return runtime.warn(cudaErrorInvalidFilterSetting,
                        message("{}: integers are not filtered: cudaFilterModeLinear needs floats, or "
                                "cudaReadModeNormalizedFloat.",
                                by));
  if (t.levels.size() > 1 && !t.normalized)
    return runtime.warn(cudaErrorInvalidValue,
                        message("{}: a mipmapped array is read with normalized coordinates only.", by));
  const bool repeats = std::any_of(s.address, s.address + (t.shape == Texture::one ? 1 : 2),
                                   [](auto mode) { return mode == cudaAddressModeMirror; });
  if (repeats && !t.normalized && t.shape != Texture::linear)
    runtime.suspect(
        message("{}: cudaAddressModeMirror works with normalized coordinates only; here it clamps.", by),
        message("Set normalizedCoords, and divide the coordinates by the width and the height."));
  return cudaSuccess;
}

cudaError_t create_texture(Runtime& runtime, cudaTextureObject_t* object, const cudaResourceDesc* resource,
                           const cudaTextureDesc* desc, const cudaResourceViewDesc* view) {
  const char* const by = "cudaCreateTextureObject";
  if (!object || !resource || !desc) return cudaErrorInvalidValue;
  if (view && view->format != cudaResViewFormatNone)
    return runtime.warn(cudaErrorNotSupported,
                        message("{}: Barrierscope has no resource views of another format.", by),
                        message("Pass nullptr as the last argument."));
  Texture t;
  if (const auto error = read_resource(runtime, *resource, by, t)) return error;
  std::ranges::copy(desc->borderColor, t.border.begin());
  const Sampling sampling{desc->addressMode,           desc->filterMode,
                          desc->mipmapFilterMode,      desc->readMode == cudaReadModeNormalizedFloat,
                          desc->normalizedCoords != 0, desc->sRGB != 0,
                          desc->mipmapLevelBias,       desc->minMipmapLevelClamp,
                          desc->maxMipmapLevelClamp};
  if (const auto error = read_sampling(runtime, sampling, by, t)) return error;
  *object = runtime.machine.add_texture(std::move(t));
  objects()[*object] = {*resource, *desc, view ? *view : cudaResourceViewDesc{}, false};
  return cudaSuccess;
}

cudaError_t destroy_object(Runtime& runtime, uint64_t object, bool surface, const char* by) {
  const auto it = objects().find(object);
  if (it == objects().end() || it->second.is_surface != surface)
    return runtime.warn(cudaErrorInvalidValue,
                        message("{} is given no object, or one that is destroyed.", by));
  objects().erase(it);
  runtime.machine.destroy_texture(object);
  return cudaSuccess;
}

const ObjectDescription* described(uint64_t object, bool surface) {
  const auto it = objects().find(object);
  return it != objects().end() && it->second.is_surface == surface ? &it->second : nullptr;
}

// ---- references

/// The reference of a variable of the host.
cudaError_t find_reference(Runtime& runtime, const void* host, const char* by, Reference*& found) {
  auto it = references().find(host);
  if (it == references().end() && register_early()) it = references().find(host);
  if (it == references().end())
    return runtime.warn(cudaErrorInvalidTexture,
                        message("{} is given something that is no texture or surface of the file.", by));
  found = &it->second;
  return cudaSuccess;
}

Texture::Shape shape_named(int type) {
  switch (type) {
    case cudaTextureType1D: return Texture::one;
    case cudaTextureType3D: return Texture::three;
    case cudaTextureType1DLayered: return Texture::one_layered;
    case cudaTextureType2DLayered: return Texture::two_layered;
    case cudaTextureTypeCubemap: return Texture::cubemap;
    case cudaTextureTypeCubemapLayered: return Texture::cubemap_layered;
    default: return Texture::two;
  }
}

/// Binds a texture reference to what `read` finds.
template <class Read>
cudaError_t bind(Runtime& runtime, const textureReference* host, const char* by, Read read) {
  if (!host) return cudaErrorInvalidTexture;
  Reference* reference = nullptr;
  if (const auto error = find_reference(runtime, host, by, reference)) return error;
  Texture t;
  if (const auto error = read(t, *reference)) return error;
  const bool one_dimension = reference->type == cudaTextureType1D && t.shape == Texture::linear;
  if (t.shape != shape_named(reference->type) && !one_dimension)
    return runtime.warn(cudaErrorInvalidTexture,
                        message("{}: {} is declared for another number of dimensions.", by, reference->name),
                        message("Declare texture<T, dimensions> as the array is."));
  const Sampling sampling{host->addressMode,     host->filterMode,          host->mipmapFilterMode,
                          reference->as_float,   host->normalized != 0,     host->sRGB != 0,
                          host->mipmapLevelBias, host->minMipmapLevelClamp, host->maxMipmapLevelClamp};
  if (const auto error = read_sampling(runtime, sampling, by, t)) return error;
  reference->is_bound = true;
  if (reference->address) runtime.machine.bind_texture(reference->address, std::move(t));
  return cudaSuccess;
}

/// "When memory allocated with cudaMalloc() is bound, the offset is zero": else the texture begins before it.
cudaError_t aligned(const void* pointer, size_t* offset, Reference& reference, const void*& begin) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  reference.offset = address % texture_alignment;
  if (reference.offset && !offset) return cudaErrorInvalidValue;
  if (offset) *offset = reference.offset;
  begin = static_cast<const std::byte*>(pointer) - reference.offset;
  return cudaSuccess;
}

cudaError_t bind_linear(Runtime& runtime, size_t* offset, const textureReference* host, const void* pointer,
                        const cudaChannelFormatDesc* desc, size_t bytes) {
  const char* const by = "cudaBindTexture";
  return bind(runtime, host, by, [&](Texture& t, Reference& reference) {
    const void* begin = nullptr;
    if (!desc) return cudaErrorInvalidChannelDescriptor;
    if (const auto error = aligned(pointer, offset, reference, begin)) return error;
    const Machine::MemoryLocation place = runtime.machine.at(reinterpret_cast<uint64_t>(begin));
    if (place.memory && place.offset >= 0 && uint64_t(place.offset) <= facts_of(*place.memory).bytes)
      bytes =
          std::min(bytes + reference.offset, size_t(facts_of(*place.memory).bytes - uint64_t(place.offset)));
    return read_linear(runtime, {begin, bytes}, *desc, by, t);
  });
}

cudaError_t read_surface(Runtime& runtime, const cudaArray* array, const char* by, Texture& t) {
  if (const auto error = read_array(runtime, array, by, t)) return error;
  if (!(array->flags & cudaArraySurfaceLoadStore))
    return runtime.warn(cudaErrorInvalidValue,
                        message("{} is given an array that was not allocated for surfaces.", by),
                        message("Allocate it with the flag cudaArraySurfaceLoadStore."));
  t.is_surface = true;
  return cudaSuccess;
}

cudaError_t create_surface(Runtime& runtime, cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  const char* const by = "cudaCreateSurfaceObject";
  if (!object || !resource) return cudaErrorInvalidValue;
  if (resource->resType != cudaResourceTypeArray)
    return runtime.warn(cudaErrorInvalidValue, message("{} takes a CUDA array only.", by));
  Texture t;
  if (const auto error = read_surface(runtime, resource->res.array.array, by, t)) return error;
  *object = runtime.machine.add_texture(std::move(t));
  objects()[*object] = {*resource, {}, {}, true};
  return cudaSuccess;
}

cudaError_t bind_surface(Runtime& runtime, const surfaceReference* host, const cudaArray* array) {
  const char* const by = "cudaBindSurfaceToArray";
  Reference* reference = nullptr;
  if (const auto error = find_reference(runtime, host, by, reference)) return error;
  Texture t;
  if (const auto error = read_surface(runtime, array, by, t)) return error;
  if (reference->address) runtime.machine.bind_texture(reference->address, std::move(t));
  return cudaSuccess;
}

cudaError_t find_registered(Runtime& runtime, const void* symbol, const char* by, const void*& host) {
  auto& all = references();
  if (all.empty()) register_early();
  // until CUDA 4 the symbol was its name
  const auto it = std::ranges::find_if(all, [&](const auto& r) {
    return r.first == symbol || (symbol && r.second.name == static_cast<const char*>(symbol));
  });
  if (it == all.end())
    return runtime.warn(cudaErrorInvalidTexture,
                        message("{} is given something that is no texture or surface of the file.", by));
  host = it->first;
  return cudaSuccess;
}

void add_reference(void** handle, const void* host, const char* name, int type, bool as_float) {
  Runtime& runtime = Runtime::get();
  Memory* const variable = runtime.machine.variable(module_of(handle), name);
  Reference r;
  r.type = type, r.as_float = as_float;
  r.name = variable ? facts_of(*variable).name : name;
  if (variable) r.address = facts_of(*variable).address;
  references().try_emplace(host, r);
}

}  // namespace
}  // namespace bscope::cuda

using namespace bscope::cuda;

// ---- objects
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* desc, const cudaResourceViewDesc* view) {
  return api([&](Runtime& r) { return create_texture(r, object, resource, desc, view); });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return api([&](Runtime& r) { return destroy_object(r, object, false, "cudaDestroyTextureObject"); });
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* desc, cudaTextureObject_t object) {
  return api([&](Runtime&) {
    const ObjectDescription* const d = described(object, false);
    return desc && d ? (*desc = d->resource, cudaSuccess) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* desc, cudaTextureObject_t object) {
  return api([&](Runtime&) {
    const ObjectDescription* const d = described(object, false);
    return desc && d ? (*desc = d->texture, cudaSuccess) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* desc, cudaTextureObject_t object) {
  return api([&](Runtime&) {
    const ObjectDescription* const d = described(object, false);
    return desc && d ? (*desc = d->view, cudaSuccess) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return api([&](Runtime& r) { return create_surface(r, object, resource); });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return api([&](Runtime& r) { return destroy_object(r, object, true, "cudaDestroySurfaceObject"); });
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* desc, cudaSurfaceObject_t object) {
  return api([&](Runtime&) {
    const ObjectDescription* const d = described(object, true);
    return desc && d ? (*desc = d->resource, cudaSuccess) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* width, const cudaChannelFormatDesc* desc, int) {
  return api([&](Runtime&) {
    TexelFormat format;
    if (!width || !desc || !format_of(*desc, format)) return cudaErrorInvalidValue;
    *width = longest_linear;
    return cudaSuccess;
  });
}

// ---- references
cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* pointer,
                            const cudaChannelFormatDesc* desc, size_t bytes) {
  return api([&](Runtime& r) { return bind_linear(r, offset, reference, pointer, desc, bytes); });
}
cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference, const void* pointer,
                              const cudaChannelFormatDesc* desc, size_t width, size_t height, size_t pitch) {
  return api([&](Runtime& r) {
    const char* const by = "cudaBindTexture2D";
    return bind(r, reference, by, [&](Texture& t, Reference& known) {
      const void* begin = nullptr;
      if (!desc) return cudaErrorInvalidChannelDescriptor;
      if (const auto error = aligned(pointer, offset, known, begin)) return error;
      return read_pitched(r, {begin, width, height, pitch}, *desc, by, t);
    });
  });
}
cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*) {
  return api([&](Runtime& r) {
    const char* const by = "cudaBindTextureToArray";
    return bind(r, reference, by, [&](Texture& t, Reference&) { return read_array(r, array, by, t); });
  });
}
cudaError_t cudaBindTextureToMipmappedArray(const textureReference* reference,
                                            cudaMipmappedArray_const_t array, const cudaChannelFormatDesc*) {
  return api([&](Runtime& r) {
    const char* const by = "cudaBindTextureToMipmappedArray";
    return bind(r, reference, by, [&](Texture& t, Reference&) { return read_levels(r, array, by, t); });
  });
}
cudaError_t cudaUnbindTexture(const textureReference* host) {
  return api([&](Runtime& r) {
    Reference* reference = nullptr;
    if (const auto error = find_reference(r, host, "cudaUnbindTexture", reference)) return error;
    reference->is_bound = false;
    if (reference->address) r.machine.unbind_texture(reference->address);
    return cudaSuccess;
  });
}
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* host) {
  return api([&](Runtime& r) {
    Reference* reference = nullptr;
    if (!offset) return cudaErrorInvalidValue;
    if (const auto error = find_reference(r, host, "cudaGetTextureAlignmentOffset", reference)) return error;
    if (!reference->is_bound) return cudaErrorInvalidTextureBinding;
    *offset = reference->offset;
    return cudaSuccess;
  });
}
cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol) {
  return api([&](Runtime& r) {
    const void* host = nullptr;
    if (!reference) return cudaErrorInvalidValue;
    if (const auto error = find_registered(r, symbol, "cudaGetTextureReference", host)) return error;
    *reference = static_cast<const textureReference*>(host);
    return cudaSuccess;
  });
}
cudaError_t cudaBindSurfaceToArray(const surfaceReference* host, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*) {
  return api([&](Runtime& r) { return bind_surface(r, host, array); });
}
cudaError_t cudaGetSurfaceReference(const surfaceReference** reference, const void* symbol) {
  return api([&](Runtime& r) {
    const void* host = nullptr;
    if (!reference) return cudaErrorInvalidValue;
    if (const auto error = find_registered(r, symbol, "cudaGetSurfaceReference", host)) return error;
    *reference = static_cast<const surfaceReference*>(host);
    return cudaSuccess;
  });
}

void __cudaRegisterTexture(void** handle, const void* host, const void**, const char* name, int type,
                           int normalized, int) {
  add_reference(handle, host, name, type, normalized != 0);
}
void __cudaRegisterSurface(void** handle, const void* host, const void**, const char* name, int type, int) {
  add_reference(handle, host, name, type, false);
}
