// Copy this file to kernels/FAMILY/NUMBER_name.cu and make it yours: nothing else needs an edit. It is
// compiled twice, by the C++ compiler (traced on the CPU) and by nvcc (traced and timed on a GPU), and CI
// runs it.
#include "engine/simt/kernel.hpp"

// What it does, where it is from, its work and its span. One statement a line: lines are what people click
// on.
struct Skeleton {
  // T is int or float on the GPU at full speed, and a value that knows its history when traced: write T for
  // every value that comes from the data. `t` knows rank(), block(), lane(), ..., and has sync() and phase().
  template <class T>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> out) const {
    const int i = t.rank(), n = t.block_size(), k = t.block() * n + i;
    auto tile = shared<T>(t, "tile", n);  // before the first barrier, the same in every thread
    T mine = 0;
    if (k < in.size()) mine = in[k];
    tile[i] = mine;
    t.sync();

    t.phase("reverse");
    if (k < out.size()) out[k] = tile[n - 1 - i];
  }
};

static const Register skeleton{{
    .name = "skeleton/reverse",
    .title = "Skeleton",
    .lesson = "the smallest kernel: each block reverses its tile",
    .parameters =
        {element_type()},  // more: {"unroll", {1, 2, 4}, 1, "Loads a thread."}; the program asks p["unroll"]
    .expected =
        [](const Problem& p) {
          std::vector<double> out;
          for (int k = 0; k < p.n(); ++k) {
            const int from = k / p.block * p.block + p.block - 1 - k % p.block;
            out.push_back(from < p.n() ? p.data[size_t(from)] : 0);
          }
          return out;
        },
    .program =
        [](Gpu& gpu, const Problem& p) {
          return with_type(p, [&](auto zero) -> Output {
            auto in = gpu.array("in", p.values<decltype(zero)>());
            auto out = gpu.array<decltype(zero)>("out", in.size());
            gpu.launch("reverse", {ceil_div(in.size(), p.block), p.block}, Skeleton{}, read_only(in), out);
            return out;
          });
        },
}};
