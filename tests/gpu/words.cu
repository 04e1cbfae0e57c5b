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

/// Every atomic on every type that has it: on a cell of the thread's own, where each old value is known, in
/// global memory and in shared, and on cells that all share, where the last one is.
struct Atomics {
  template <class T, class U, class L, class F, class D>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> numbers, Array<U> words, Array<L> longs,
                             Array<F> floats, Array<D> doubles, Array<T> old, Array<U> all,
                             Array<L> all_longs) const {
    const int i = t.rank(), n = t.block_size(), k = t.block() * n + i;
    auto cells = shared<U>(t, "cells", n);
    auto long_cells = shared<L>(t, "long cells", n);
    T mine = 0;
    if (k < in.size()) mine = in[k];
    const U word = U(mine);
    const L wide = L(mine);

    t.phase("numbers");
    numbers[k] = mine;
    T seen = atomic_add(numbers[k], mine);
    seen += atomic_sub(numbers[k], 5);
    seen += atomic_min(numbers[k], 70);
    seen += atomic_max(numbers[k], -70);
    seen += atomic_and(numbers[k], 0x7f7f);
    seen += atomic_or(numbers[k], 0x10);
    seen += atomic_xor(numbers[k], mine);
    seen += atomic_cas(numbers[k], mine, 9);
    seen += atomic_exch(numbers[k], seen);

    t.phase("words");
    cells[i] = word;
    words[k] = word;
    U found = atomic_add(cells[i], word);
    found += atomic_sub(cells[i], 3u);
    found += atomic_min(cells[i], 1000u);
    found += atomic_max(cells[i], 17u);
    found += atomic_and(cells[i], 0xf7fu);
    found += atomic_or(words[k], 0x80u);
    found += atomic_xor(words[k], 0xff00ff00u);
    found += atomic_inc(words[k], 40u);
    found += atomic_inc(cells[i], 2000u);
    found += atomic_dec(cells[i], 2000u);
    found += atomic_dec(words[k], 7u);
    found += atomic_dec(words[k], 7u);
    found += atomic_cas(cells[i], 17u, 99u);
    found += atomic_cas(words[k], 3u, 4u);
    found += atomic_exch(words[k], found);
    seen += T(found);

    t.phase("longs");
    const L high = wide * 4294967296u + wide;
    long_cells[i] = high;
    longs[k] = wide;
    L there = atomic_add(longs[k], high);
    there += atomic_and(longs[k], 0xffff0000ffff0000u);
    there += atomic_or(long_cells[i], 0x0123456789abcdefu);
    there += atomic_xor(long_cells[i], high);
    there += atomic_cas(long_cells[i], high, wide);
    there += atomic_cas(longs[k], wide, high);
    there += atomic_exch(longs[k], there);
    seen += T(there % 1000u);

    t.phase("fractions");
    floats[k] = 0.25f;
    doubles[k] = 0.25;
    F part = atomic_add(floats[k], 1.5f);
    part += atomic_exch(floats[k], part);
    D rest = atomic_add(doubles[k], 2.5);
    rest += atomic_exch(doubles[k], rest);
    old[k] = seen;
    t.sync();
    atomic_add(cells[(i + 1) % n], word);
    atomic_xor(long_cells[(i + 1) % n], wide);
    t.sync();
    const U of_two = cells[i];
    longs[k] = long_cells[i] + L(of_two);

    t.phase("all at one");
    // Those that come back to a value leave several orders open: one cell alone may, or a replay must find
    // orders of two that go together.
    const U more = U(T(i) + 1);
    atomic_add(all[0], more);
    atomic_or(all[1], word);
    atomic_and(all[2], word);
    atomic_max(all[3], word);
    atomic_min(all[4], word);
    atomic_inc(all[5], 12u);
    const L wider = L(more);
    atomic_add(all_longs[0], wider);
    atomic_or(all_longs[1], wide);
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
Output atomics_program(Gpu& gpu, const Problem& p) {
  const int grid = ceil_div(p.n(), p.block), threads = grid * p.block;
  auto in = gpu.array("in", p.values<int>());
  auto old = gpu.array<int>("old", threads);
  gpu.launch("atomics", {grid, p.block}, Atomics{}, read_only(in), gpu.array<int>("numbers", threads),
             gpu.array<uint32_t>("words", threads), gpu.array<uint64_t>("longs", threads),
             gpu.array<float>("floats", threads), gpu.array<double>("doubles", threads), old,
             gpu.array("all", std::vector<uint32_t>{0, 0, ~0u, 0, ~0u, 0}),
             gpu.array<uint64_t>("all longs", 2));
  return old;
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
      [=](GpuMachine& machine, const Problem& q) {
        Gpu gpu(machine);
        return ProgramArrays{0, program(gpu, q).id};
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
Trace atomics_on_gpu(int n, int block) { return trace_of(atomics_program, words_problem(n, block)); }
Trace out_of_bounds_on_gpu() { return trace_of(faulty_program, words_problem(32, 32)); }
#else
Trace words_on_cpu(int n, int block) { return trace_of(words_program, words_problem(n, block)); }
Trace atomics_on_cpu(int n, int block) { return trace_of(atomics_program, words_problem(n, block)); }
Trace out_of_bounds_on_cpu() { return trace_of(faulty_program, words_problem(32, 32)); }
std::string words_key(int n, int block) {
  return "test/words n=" + std::to_string(n) + " block=" + std::to_string(block);
}
std::string atomics_key(int n, int block) {
  return "test/atomics n=" + std::to_string(n) + " block=" + std::to_string(block);
}
#endif

}  // namespace bscope::tests
