#include "kernels/patterns/elements.hpp"

// Lane l of every warp reads element offset + l * stride of a tile in shared memory: which banks are asked,
// and how often must each of them answer? An element is 4, 8 or 16 bytes wide and read by one instruction.
// Padding moves each row of 128 bytes by so many elements, and with it the banks. No add but those of an
// element's own numbers.
template <int width>  // 32-bit numbers in an element
struct SharedStride {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> out, int stride, int offset,
                             int pad) const {
    const int i = t.rank(), n = t.block_size(), k = t.block() * n + i;
    const int numbers = width * (offset + 31 * stride + 1);
    auto tile = shared<T>(t, "tile", width * (place_of<width>(numbers / width - 1, pad) + 1));
    for (int j = i; j < numbers; j += n) {
      const T x = data[j % data.size()];
      tile[width * place_of<width>(j / width, pad) + j % width] = x;
    }
    t.sync();

    t.phase("read");
    if (k >= out.size()) return;
    const Vec<T, width> x = vectors<width>(tile)[place_of<width>(offset + t.lane() * stride, pad)];
    T sum = x[0];
    for (int j = 1; j < width; ++j) sum += x[j];
    out[k] = sum;
  }
};

static const Register shared_stride{{
    .name = "patterns/shared-stride",
    .title = "Shared memory, strided",
    .lesson = "any stride, offset, width and padding: which banks the lanes of a warp ask, and how often",
    .parameters = pattern_parameters(),
    .expected =
        [](const Problem& p) {
          std::vector<double> out;
          for (int k = 0; k < p.n(); ++k)
            out.push_back(element_sum(p, p["offset"] + k % p.block % 32 * p["stride"]));
          return out;
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          auto data = gpu.array("data", p.values<int>());
          auto out = gpu.array<int>("out", p.n());
          choose<1, 2, 4>(p["width"] / 4, [&](auto width) {
            gpu.launch("read", {ceil_div(p.n(), p.block), p.block}, SharedStride<width>{}, read_only(data),
                       out, p["stride"], p["offset"], p["pad"]);
          });
          return out;
        },
}};
