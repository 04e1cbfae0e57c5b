"""Spellings that a traced kernel must accept, and spellings that must not compile because a value would slip out of
the trace's sight. Asked of the C++ compiler ($CXX, else g++) and, where there is one, of nvcc."""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent

ACCEPTED = [
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
    "T v = sum[i]; sum[i] = v * 2u;",
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
]
REFUSED = [
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
]
HEAD = """#include "engine/simt/program.hpp"
using namespace bscope;
"""
KERNEL = """
struct Spelling{number} {{
  template <class T>
  __device__ void operator()(auto& t, Array<T> data) const {{
    const int i = t.rank();
    auto sum = shared<T>(t, "sum", 16);
    sum[i] = data[i];
    t.sync();
    {spelling}
  }}
}};
void test{number}(Gpu& gpu) {{ gpu.launch("spelling", {{1, 4}}, Spelling{number}{{}}, gpu.array<int>("a", 8)); }}
"""


def source(spellings):
    return HEAD + "".join(KERNEL.format(number=k, spelling=s) for k, s in enumerate(spellings))


class Spellings(unittest.TestCase):
    def ask(self, command, suffix):
        def compiled(spellings):
            """None if these kernels compile, else what the compiler said."""
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / f"spelling{suffix}"
                file.write_text(source(spellings))
                done = subprocess.run([*command, "-I", str(ROOT), file], capture_output=True, text=True)
                return done.stderr or "no reason given" if done.returncode else None

        self.assertIsNone(compiled(ACCEPTED))
        # Two at a time: ctest runs other tests beside this one.
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(compiled, [[s] for s in REFUSED]))
        for spelling, said in zip(REFUSED, answers):
            with self.subTest(spelling=spelling):
                self.assertIsNotNone(said, "compiles, and should not")
                self.assertNotIn("fatal error", said)

    def test_cxx(self):
        compiler = os.environ.get("CXX") or "g++"
        self.ask([compiler, "-std=c++20", "-fsyntax-only", "-w"], ".cpp")

    @unittest.skipUnless(shutil.which("nvcc"), "no nvcc")
    @unittest.skipUnless((ROOT / "engine/simt/gpu_program.hpp").exists(), "no GPU half")
    def test_nvcc(self):
        flags = ["-std=c++20", "-arch=sm_90", "-w", "--ptx", "-O0", "-Xcicc", "-O0", "-o", os.devnull]
        self.ask(["nvcc", *flags], ".cu")


if __name__ == "__main__":
    unittest.main()
