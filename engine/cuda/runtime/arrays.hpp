// CUDA arrays: memory of the device whose layout the host does not see. Here it is rows without gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/cuda/machine/textures.hpp"
#include "engine/cuda/runtime/copies.hpp"
#include "engine/cuda/runtime/runtime.hpp"

/// What a cudaArray_t points to.
struct cudaArray {
  uint64_t address = 0;
  cudaChannelFormatDesc desc{};
  bscope::cuda::TexelFormat format;
  cudaExtent extent{};  ///< in texels, as the host gave it: 0 for a dimension that is not there
  unsigned flags = 0;
  bool is_level = false;  ///< of a mipmapped array, which frees it
};
/// What a cudaMipmappedArray_t points to.
struct cudaMipmappedArray {
  std::vector<cudaArray*> levels;
};

namespace bscope::cuda {

/// Whether the host may give this array to a call: it was allocated, and is not freed. Warns where not.
cudaError_t check_array(Runtime&, const cudaArray*, const char* by);
cudaError_t check_array(Runtime&, const cudaMipmappedArray*, const char* by);
/// Whether a format is one that textures have; what it is.
bool format_of(const cudaChannelFormatDesc&, TexelFormat&);
/// The array's texels for a texture or a surface.
TextureLevel level_of(const cudaArray&);
/// How an array is indexed.
Texture::Shape shape_of(const cudaArray&);
ElementType element_of(TexelFormat);

/// A part of an array; x and width in bytes.
struct ArrayBox {
  size_t x = 0, y = 0, z = 0, width = 0, height = 1, depth = 1;
};
/// Finds where a part of an array lies in memory, and that it is inside. Warns where not.
cudaError_t rows_of(Runtime&, const cudaArray*, const ArrayBox&, const char* by, PitchedRows&);

/// The largest textures and surfaces of a device, as all since compute capability 7.0 have them.
void describe_textures(cudaDeviceProp&);

}  // namespace bscope::cuda
