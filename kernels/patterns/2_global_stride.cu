#include "kernels/patterns/elements.hpp"

// Thread k reads element offset + k * stride of an array in global memory and writes its own cell of another:
// how many sectors of 32 bytes must come for what a warp asks? An element is 4, 8 or 16 bytes wide and read
// by one instruction. Padding moves each row of 128 bytes by so many elements. The stores are the comparison:
// side by side, coalesced. No add but those of an element's own numbers.
template <int width>  // 32-bit numbers in an element
struct GlobalStride {
  template <class T>
  __device__ void operator()(auto& t, Array<const T> data, Array<T> out, int stride, int offset,
                             int pad) const {
    const int k = t.block() * t.block_size() + t.rank();
    t.phase("read");
    if (k >= out.size()) return;
    const Vec<T, width> x = vectors<width>(data)[place_of<width>(offset + k * stride, pad)];
    T sum = x[0];
    for (int j = 1; j < width; ++j) sum += x[j];
    out[k] = sum;
  }
};

// The input laid out as the threads will find it: repeated as far as they reach, with room for the padding.
template <int width>
static std::vector<int> laid_out(const Problem& p) {
  const long long elements = p["offset"] + (long long)(p.n() - 1) * p["stride"] + 1;
  const int row = 32 / width, pad = p["pad"];
  if (width * (elements + elements / row * pad) > 1 << 30)
    throw UsageError(message("The last thread would read beyond 4 GB: take a smaller --n or --set stride."));
  const size_t cells = width * (size_t(place_of<width>(int(elements) - 1, pad)) + 1);
  std::vector<int> words(cells);
  for (int k = 0; k < int(elements); ++k)
    for (int j = 0; j < width; ++j)
      words[size_t(width * place_of<width>(k, pad) + j)] = number(p, (long long)k * width + j);
  return words;
}

template <int width>
static Output read(Gpu& gpu, const Problem& p) {
  auto data = gpu.array("data", laid_out<width>(p));
  auto out = gpu.array<int>("out", p.n());
  gpu.launch("read", {ceil_div(p.n(), p.block), p.block}, GlobalStride<width>{}, read_only(data), out,
             p["stride"], p["offset"], p["pad"]);
  return out;
}

static const Register global_stride{{
    .name = "patterns/global-stride",
    .title = "Global memory, strided",
    .lesson = "any stride, offset, width and padding: how many sectors come for what a warp asks",
    .parameters = pattern_parameters(),
    .expected =
        [](const Problem& p) {
          std::vector<double> out;
          for (int k = 0; k < p.n(); ++k)
            out.push_back(element_sum(p, p["offset"] + (long long)k * p["stride"]));
          return out;
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          const int width = p["width"];
          return width == 4 ? read<1>(gpu, p) : width == 8 ? read<2>(gpu, p) : read<4>(gpu, p);
        },
}};
