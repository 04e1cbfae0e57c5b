"""Spellings that a kernel may use, and spellings that must not compile: because a value would slip out of the trace's
sight, because the untraced form would compute something else, or because CUDA has no such operation. Asked of the C++
compiler ($CXX, else g++) and, where there is one, of nvcc: both must say the same of each."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
NVCC = shutil.which("nvcc", path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin:/opt/cuda/bin")

ACCEPTED = {"int": [
    "auto left = sum[i]; (void)left;",
    "T v = i ? sum[i] : T(0); sum[i] = v;",
    "T v = sum[i]; v = i ? v : 0; sum[i] = v;",
    "T v = i ? sum[i] : sum[i + 1]; sum[i] = v;",
    "T v = 0; v += 1; v *= 2; ++v; sum[i] = v;",
    "T v = 0; v++; sum[i] = v;",
    "T v = sum[i]; sum[i] = -v;",
    "T v = sum[i]; if (v) sum[i] = 1;",
    "T v = sum[i]; while (v > 0) v -= 1; sum[i] = v;",
    "T v = sum[i]; if (v > 0 && sum[i] < v) sum[i] = 1;",
    "T v = sum[i]; const bool c(v < 3); if (c) sum[i] = 1;",
    "T v = sum[i]; auto c = v < 3; if (c) sum[i] = 1;",
    "T key = sum[i]; sum[i] = (key >> 2) & 1;",
    "T key = sum[i]; sum[(key >> 2) & 1] = key;",
    "sum[i] = sum[sum[i]];",
    "T key = sum[i]; sum[key + i] = 1;",
    "T v = 0; v = max(v, sum[i]); sum[i] = v;",
    "sum[i] = max(sum[i], 0);",
    "if (i < min(t.block_size(), 3)) sum[max(i, 1)] = 1;",
    "sum[i] = T(sum[i]) + T(sum[i + 1]);",
    "T regs[4]; for (int k = 0; k < 4; ++k) regs[k] = sum[k]; sum[i] = regs[i & 3];",
    "T v = sum[i]; T& r = v; r += 1; sum[i] = v;",
    "const T a = sum[i]; sum[i] = sum[i + 1]; sum[i + 1] = a;",
    "sum[i]++;",
    "++sum[i];",
    "sum[i] -= 1; sum[i] *= 2; sum[i] <<= 1;",
    "T v = 2.5f; sum[i] = v;",
    "auto f = [](T a, T b) { return a + b; }; sum[i] = f(sum[i], sum[i + 1]);",
    "T v = sum[i]; int x = int(v); sum[i] = x;",
    "int x = static_cast<int>(sum[i]); sum[i] = x;",
    "int x = (int)sum[i]; sum[i] = x;",
    "T v = sum[i]; int x = (int)v; sum[i] = x;",
    "T v = sum[i]; sum[i] = t.shuffle_down(v, 1);",
    "T v = sum[i]; sum[i] = int(t.ballot(v > 1));",
    "T v = sum[i]; sum[i] = int(t.match_any(v));",
    "atomic_add(sum[i], sum[i + 1]);",
    "Vec<T, 2> v = vectors<2>(sum)[i]; vectors<2>(sum)[i] = v;",
    "sum[i] = 2u; sum[i] = 2.5; T v = 0; v = 2u; sum[i] = v;",
    "T v = in[i]; sum[i] = v + in[i + 1];",
    "sum[in[i]] = 1; sum[i] = in[in[i]];",
    "Vec<T, 4> v = vectors<4>(in)[i]; v[1] = v[0]; sum[i] = v[1];",
    "bulk_copy(sum.at(0), in.at(4), 4, arrived[0]); bulk_copy(data.at(0), sum.at(0), 4);",
    "atomic_add(sum[i], 2u); atomic_max(sum[i], 1); atomic_exch(sum[i], in[i]);",
    "T v = in[i]; sum[i] = t.reduce_add(v);",
    "store_release(data[i], 1); T v = load_acquire(data[i]); sum[i] = v;",
    "atomic_sub(sum[i], 1); atomic_min(sum[i], in[i]); T old = atomic_and(sum[i], 3); sum[i] = old;",
    "atomic_or(sum[i], 1); atomic_xor(sum[i], in[i]); t.fence();",
    "T v = in[i]; T old = atomic_cas(sum[i], v, v + 1); if (old == v) sum[i] = atomic_cas(data[i], 1, 2);",
], "float": [
    "T v = in[i]; sum[i] = v * 2 + 1.5f;",
    "sum[i] = -in[i]; sum[i] /= 2; sum[i] -= in[i];",
    "T v = max(sum[i], in[i]); sum[i] = min(v, 2.5f);",
    "T v = in[i]; if (v < 1) sum[i] = 2.5;",
    "atomic_add(sum[i], 1); atomic_exch(sum[i], in[i]);",
    "T v = in[i]; sum[i] = t.shuffle_down(v, 1); v++;",
], "double": [
    "sum[i] = in[i] * 2.5 + 1.5f; atomic_add(sum[i], 2u);",
], "uint32_t": [
    "atomic_inc(sum[i], 7u); T old = atomic_dec(sum[i], in[i]); sum[i] = old;",
], "uint8_t": [
    "T key = in[i]; sum[key] = key; sum[i] = 7; data[in[i]] = in[i];",
    "T key = in[i]; sum[i] = t.shuffle(key, 0);",
]}
REFUSED = {"int": [
    "int left = sum[i]; sum[i] = left;",
    "const auto left = sum[i]; sum[i] += left;",
    "auto left = sum[i]; sum[i] = left;",
    "auto left = sum[i]; sum[i] = left + 1;",
    "auto&& left = sum[i]; sum[i] += left;",
    "auto& c = sum[i]; c += 1;",
    "T v = sum[i]; int x = v; sum[i] = x;",
    "T v = sum[i]; unsigned x = v; sum[i] = int(x);",
    "T v = sum[i]; float x = v; sum[i] = int(x);",
    "int local[4]{}; T v = sum[i]; local[v] = 1; sum[i] = local[0];",
    "int* p = nullptr; T v = sum[i]; p = p + v;",
    "T v = sum[i]; switch (v) { case 0: break; }",
    "T v = i ? sum[i] : 0; sum[i] = v;",
    "T v = sum[i]; bool c = v < 3; if (c) sum[i] = 1;",
    "sum[i] = t.shuffle_down(sum[i], 1);",
    # A temporary keeps nothing: what is stored there is lost.
    "in[i] = 3;",
    "in[i] += 1;",
    "in[i]++;",
    "++in[i];",
    "T& v = in[i]; v = 3;",
    "in[i] = sum[i];",
    "vectors<4>(in)[i] = Vec<T, 4>{};",
    "vectors<4>(in)[i][0] = 3;",
    "rows<4>(in)[0][i] = 3;",
    "atomic_add(in[i], 1);",
    "atomic_max(in[i], 1);",
    "atomic_exch(in[i], 1);",
    "atomic_min(in[i], 1);",
    "atomic_cas(in[i], 0, 1);",
    "atomic_inc(sum[i], 1u);",
    "store_release(in[i], 1);",
    "bulk_copy(in.at(0), sum.at(0), 4);",
    "bulk_copy(in.at(0), data.at(0), 4, arrived[0]);",
    "T v = sum[i]; (v + 1) = 3;",
    "T v = sum[i]; -v += 3;",
    "T v = sum[i]; v++ = 3;",
    "T v = sum[i]; max(v, 1) = 3;",
    "T v = sum[i]; t.shuffle(v, 0) = 3;",
    "load_acquire(sum[i]) = 3;",
    "T v = sum[i]; v++++;",
    # The untraced form would compute in the wider type.
    "T v = sum[i]; sum[i] = v * 2u;",
    "T v = sum[i]; sum[i] = v * 2.5f;",
    "T v = sum[i]; sum[i] = v / 2LL;",
    "T v = sum[i]; if (v < 3u) sum[i] = 1;",
    "T v = sum[i]; v += 0.5;",
    "sum[i] *= 2.5;",
    "sum[i] = max(sum[i], 2u);",
], "float": [
    "T v = in[i]; sum[i] = v % 2;",
    "T v = in[i]; sum[i] = v & 1;",
    "T v = in[i]; sum[i] = v | 1;",
    "T v = in[i]; sum[i] = v ^ 1;",
    "T v = in[i]; sum[i] = v << 1;",
    "T v = in[i]; sum[i] = v >> 1;",
    "T v = in[i]; v %= 2;",
    "T v = in[i]; v &= 1;",
    "T v = in[i]; v |= 1;",
    "T v = in[i]; v ^= 1;",
    "T v = in[i]; v <<= 1;",
    "T v = in[i]; v >>= 1;",
    "sum[i] %= 2;",
    "sum[i] <<= 1;",
    "T v = in[i]; sum[i] = ~v;",
    "T v = in[i]; sum[i] = v * 2.5;",
    "T v = in[i]; sum[v] = 1;",
    "sum[i] = max(sum[i], 0);",
    "atomic_max(sum[i], 1);",
    "T v = in[i]; sum[i] = t.reduce_add(v);",
    "in[i] = 3;",
], "uint8_t": [
    # C++ makes ints of them first.
    "T key = in[i]; sum[i] = key + 1;",
    "T key = in[i]; if (key < 3) sum[i] = 1;",
    "T key = in[i]; key += 1;",
    "sum[i]++;",
    "atomic_add(sum[i], 1);",
    "atomic_exch(sum[i], 1);",
    "T key = in[i]; sum[i] = t.reduce_add(key);",
]}
HEAD = """#include "engine/simt/program.hpp"
using namespace bscope;
"""
# Each spelling has a line number of its own, far from all others: messages tell which one they mean.
KERNEL = """
struct Spelling{number} {{
  template <class T>
  __device__ void operator()(auto& t, Array<T> data, Array<const T> in) const {{
    const int i = t.rank();
    auto sum = shared<T>(t, "sum", 16);
    auto arrived = mbarriers(t, "arrived", 1);
    sum[i] = data[i];
    t.sync();
#line {line} "spelling"
    {spelling}
#line 1 "frame"
  }}
}};
void test{number}(Gpu& gpu) {{
  auto data = gpu.array<{type}>("a", 16);
  gpu.launch("spelling", {{1, 4}}, Spelling{number}{{}}, data, read_only(data));
}}
"""
FIRST_LINE = 9000
# Constants of each kind where each is seen first: an event has the line of its spelling on both machines.
LINES = HEAD + """
struct Lines {
  template <class T, class C>
  __device__ void operator()(auto& t, Array<T> data, Array<C> other) const {
    const int i = t.rank();
#line 9001 "spelling"
    const C count = other[i];
#line 9002 "spelling"
    if (count > 0) data[i] = 1;
#line 9003 "spelling"
    const T v = data[i] * 32;
#line 9004 "spelling"
    if (v % 2 != 0) atomic_add(other[i], count);
  }
};
void test(Gpu& gpu) {
  auto data = gpu.array<int>("a", 16);
  auto other = gpu.array<unsigned>("b", 16);
  gpu.launch("lines", {1, 4}, Lines{}, data, other);
}
"""


def all_of(spellings):
    return [(type, s) for type, some in spellings.items() for s in some]


def source(spellings):
    return HEAD + "".join(KERNEL.format(number=k, line=FIRST_LINE + k, spelling=s, type=type)
                          for k, (type, s) in enumerate(spellings))


class Spellings(unittest.TestCase):
    def ask(self, command, suffix):
        def said(spellings):
            """What the compiler says of these kernels, in one file."""
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / f"spelling{suffix}"
                file.write_text(source(spellings))
                done = subprocess.run([*command, "-I", str(ROOT), file], capture_output=True, text=True)
                self.assertNotIn("fatal error", done.stderr)
                self.assertEqual(done.returncode == 0, done.stderr == "", done.stderr)
                return done.stderr

        self.assertEqual(said(all_of(ACCEPTED)), "")
        refused = all_of(REFUSED)
        for begin in range(0, len(refused), 25):  # nvcc stops after a hundred errors
            some = refused[begin:begin + 25]
            lines = {int(n) - FIRST_LINE for n in re.findall(r"\b9\d\d\d\b", said(some))}
            for k, (type, spelling) in enumerate(some):
                with self.subTest(type=type, spelling=spelling):
                    self.assertIn(k, lines, "compiles, and should not")

    def test_cxx(self):
        compiler = os.environ.get("CXX") or "g++"
        self.ask([compiler, "-std=c++20", "-fsyntax-only", "-w", *(["-ferror-limit=0"] if "clang" in compiler else [])],
                 ".cpp")

    @unittest.skipUnless(NVCC, "no nvcc")
    @unittest.skipUnless((ROOT / "engine/simt/gpu_program.hpp").exists(), "no GPU half")
    def test_nvcc(self):
        flags = ["-std=c++20", "-arch=sm_90", "-w", "--ptx", "-O0", "-Xcicc", "-O0", "-o", os.devnull]
        self.ask([NVCC, *flags], ".cu")

    @unittest.skipUnless(NVCC, "no nvcc")
    @unittest.skipUnless((ROOT / "engine/simt/gpu_program.hpp").exists(), "no GPU half")
    def test_lines_of_nvcc(self):
        """nvcc gives __builtin_LINE() as 0 where the call made it work out certain constraints first; then a GPU's
        trace is not the CPU's. An event begins with a word of its line, operation and kind: none may be of line 0, but
        what is noted without one."""
        names = re.findall(r"^(?:EVENT|ATOMIC)\((\w+),", (ROOT / "engine/trace/events.def").read_text(), re.M)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "lines.cu"
            file.write_text(LINES)
            subprocess.run([NVCC, "-std=c++20", "-arch=sm_90", "-w", "--ptx", "-I", str(ROOT), file, "-o",
                            file.with_suffix(".ptx")], check=True)
            words = {int(n) for n in re.findall(r"[ ,](\d+)[;,\]}]", file.with_suffix(".ptx").read_text())}
        events = {(w % 65536, names[w >> 16 & 255]) for w in words if 65536 <= w < 13 << 24 and w >> 16 & 255 < len(names)}
        lines = {line for line, _ in events}
        self.assertLessEqual({9001, 9002, 9003, 9004}, lines)
        self.assertIn((9002, "more"), events)
        self.assertIn((9002, "constant"), events)
        self.assertLessEqual({op for line, op in events if line == 0}, {"branch", "escape"})


if __name__ == "__main__":
    unittest.main()
