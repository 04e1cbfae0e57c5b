// cuda::std in kernels: span, array, tuple, optional, pair, numeric_limits, algorithms of values, chrono.
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/chrono>
#include <cuda/std/cmath>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/utility>

__global__ void scale(cuda::std::span<const int> in, cuda::std::span<int> out, int factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < out.size()) out[i] = in[i] * factor;
}

__global__ void halves(cuda::std::span<int> all) {
  auto first = all.first(all.size() / 2), last = all.subspan(all.size() / 2);
  int i = threadIdx.x;
  if (i < first.size()) cuda::std::swap(first[i], last[last.size() - 1 - i]);
}

__device__ cuda::std::optional<int> find(cuda::std::span<const int> in, int wanted) {
  for (int k = 0; k < in.size(); ++k)
    if (in[k] == wanted) return k;
  return cuda::std::nullopt;
}

__device__ cuda::std::tuple<int, int, int> extremes(cuda::std::span<const int> in) {
  int least = cuda::std::numeric_limits<int>::max(), most = cuda::std::numeric_limits<int>::lowest(), sum = 0;
  for (int v : in) {
    least = v < least ? v : least;
    most = v > most ? v : most;
    sum += v;
  }
  return {least, most, sum};
}

__global__ void questions(cuda::std::span<const int> in, cuda::std::array<int, 3> wanted,
                          cuda::std::span<int> out) {
  for (int k = 0; k < 3; ++k) out[k] = find(in, wanted[k]).value_or(-1);
  auto [least, most, sum] = extremes(in);
  out[3] = least;
  out[4] = most;
  out[5] = sum;
  cuda::std::pair<int, float> p{3, 2.25f};
  out[6] = p.first + (int)(p.second * 4);
  out[7] = (int)cuda::std::sqrt(float(in[5]));
  using namespace cuda::std::chrono;
  out[8] = (int)duration_cast<milliseconds>(seconds(2) + microseconds(1500)).count();
}

int main() {
  int *in, *out;
  const int n = 100;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int k = 0; k < n; ++k) in[k] = (k * 37) % 101;
  scale<<<2, 64>>>({in, n}, {out, n}, 3);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", out[0], out[1], out[99]);
  halves<<<1, 64>>>({out, n});
  cudaDeviceSynchronize();
  printf("%d %d %d\n", out[0], out[1], out[99]);
  questions<<<1, 1>>>({in, n}, {37, 5, 1000}, {out, n});
  cudaDeviceSynchronize();
  for (int k = 0; k < 9; ++k) printf("%d%c", out[k], k == 8 ? '\n' : ' ');
}
