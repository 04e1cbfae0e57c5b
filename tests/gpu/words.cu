// Compiled twice, as kernels are: by nvcc from here, by the C++ compiler through words_support.cpp.
#include "engine/simt/problem.hpp"
#include "engine/simt/program.hpp"
#include "tests/gpu/words.hpp"

namespace bscope::tests {
inline namespace HALF {
namespace {

struct Words {
  template <class T, class Wide>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> out, Array<Wide> wide, Array<T> top) const {
    const int i = t.rank(), n = t.block_size(), k = t.block() * n + i;
    auto cells = shared<T>(t, "cells", n);
    auto bytes = shared<uint8_t>(t, "bytes", 3);  // shared memory of no whole number of words
    T mine = 0;
    if (k < in.size()) mine = in[k];
    cells[i] = mine;
    if (i < 3) bytes[i] = uint8_t(i + 1);

    t.phase("warp");
    mine += t.shuffle_up(mine, 1);
    mine += t.shuffle_down(mine, 2);
    mine += t.shuffle_xor(mine, 4);
    mine += t.shuffle(mine, 3);
    t.sync_warp();
    const uint32_t odd = t.ballot(mine % 2 != 0);
    const uint32_t alike = t.match_any(mine);
    const T sum = t.reduce_add(mine);
    t.sync();
    cells[i] = sum + int(odd % 7) + int(alike % 5);
    t.sync();

    t.phase("vectors");
    if (i < n / 4) {
      Vec<T, 4> v = vectors<4>(cells)[i];
      v[0] += v[3];
      vectors<4>(out)[t.block() * n / 4 + i] = v;
    }

    t.phase("wide");
    const Wide x = Wide(mine);
    wide[k] = x * 0.1 + 0.3;  // two roundings, never a fused one
    if (t.warp() > 0) return;
    if (t.lane() == 0) atomic_max(top[0], mine);
    if (t.lane() == 1) atomic_exch(top[1 + t.block()], mine);
  }
};

struct Faulty {
  template <class T>
  __device__ void operator()(auto& t, Array<T> data) const {
    const int i = t.rank();
    auto s = shared<T>(t, "s", 32);
    T x = 0;
    if (i == 5) x = data[data.size()];
    s[i] = x + 1;
    t.sync();
    data[i] = s[i];
  }
};

Problem words_problem(int n, int block) {
  Problem p;
  for (int i = 0; i < n; ++i) p.data.push_back(double(uint32_t(i) * 2654435761u % 1000) - 500);
  p.block = block;
  return p;
}
Output words_program(Gpu& gpu, const Problem& p) {
  const int grid = ceil_div(p.n(), p.block);
  auto in = gpu.array("in", p.values<int>());
  auto out = gpu.array<int>("out", grid * p.block);
  auto wide = gpu.array<double>("wide", grid * p.block);
  auto top = gpu.array<int>("top", 1 + grid);
  gpu.launch("words", {grid, p.block}, Words{}, read_only(in), out, wide, top);
  return out;
}
Output faulty_program(Gpu& gpu, const Problem& p) {
  auto data = gpu.array("data", p.values<int>());
  gpu.launch("faulty", {1, p.block}, Faulty{}, data);
  return data;
}

using Program = Output (*)(Gpu&, const Problem&);
#ifdef __CUDACC__
Trace trace_of(Program program, const Problem& p) {
  return record_on_gpu(
      [=](Machine& machine, const Problem& q) {
        Gpu gpu(machine);
        return Ends{0, program(gpu, q).id};
      },
      p);
}
#else
Trace trace_of(Program program, const Problem& p) {
  Gpu gpu({.kind = Schedule::to_barrier});
  gpu.trace.output = program(gpu, p).id;
  return std::move(gpu.trace);
}
#endif
}  // namespace
}  // namespace HALF

#ifdef __CUDACC__
Trace words_on_gpu(int n, int block) { return trace_of(words_program, words_problem(n, block)); }
Trace out_of_bounds_on_gpu() { return trace_of(faulty_program, words_problem(32, 32)); }
#else
Trace words_on_cpu(int n, int block) { return trace_of(words_program, words_problem(n, block)); }
Trace out_of_bounds_on_cpu() { return trace_of(faulty_program, words_problem(32, 32)); }
std::string words_key(int n, int block) {
  return "test/words n=" + std::to_string(n) + " block=" + std::to_string(block);
}
#endif

}  // namespace bscope::tests
