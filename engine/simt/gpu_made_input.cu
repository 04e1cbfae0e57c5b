#include "engine/simt/gpu_made_input.hpp"
#include "engine/simt/gpu_memory.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
inline namespace on_gpu {
namespace {

template <class T>
__global__ void make_values(T* cells, const __grid_constant__ MadeInput input) {
  const long long threads = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < input.n; i += threads)
    cells[i] = T(input(i));
}

}  // namespace

void make_on_device(void* cells, ElementType kind, const MadeInput& input) {
  const auto with = [&](auto zero) {
    make_values<<<2048, 256>>>(static_cast<decltype(zero)*>(cells), input);
    must(cudaGetLastError(), "making the input");
  };
  if (kind == ElementType::u8) return with(uint8_t{});
  if (kind == ElementType::i32) return with(int{});
  if (kind == ElementType::f32) return with(float{});
  if (kind == ElementType::f64) return with(double{});
  if (kind == ElementType::affine) return with(Affine{});
  throw UsageError(
      message("an input of this element type cannot be made on the GPU: give --values or --input."));
}

}  // namespace on_gpu
}  // namespace bscope
