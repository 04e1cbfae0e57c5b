"""The plain CUDA programs of the lessons: right and without a finding at any size, and faulty where they are made faulty.

PROGRAMS=all in the environment checks all of them at all sizes; without it, a few.
"""

import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
RUNTIME = BUILD / "cuda" / "lib" / "libbarrierscope_cuda.so"
PROGRAMS = ROOT / "assets" / "lessons" / "programs"

USUAL = ["", "N=1", "N=33", "N=1000"]
# Constants of the program, for one run each. Sizes that fill no block, no tile and no warp are among them.
SIZES = {
    "first_kernel": [*USUAL, "N=50 BLOCK=1", "N=77 BLOCK=33"],
    "coalescing": ["", "ROWS=1 COLUMNS=1 POINTS=1", "ROWS=33 COLUMNS=7 POINTS=33", "BLOCK=10 ROWS=33"],
    "divergence": [*USUAL, "ROUNDS=0", "N=100 BLOCK=48"],
    "transpose": ["", "ROWS=1 COLUMNS=1", "ROWS=33 COLUMNS=7", "PADDING=0", "TILED=false COLUMNS=37", "TILE=8 HEIGHT=3", "TILE=16 HEIGHT=4 ROWS=40 COLUMNS=17"],
    "tiled_matmul": ["", "N=1 K=1 M=1", "N=9 K=13 M=5", "N=33 K=17 M=20 TILE=8", "N=3 K=100 M=2", "TILED=false N=9 M=5"],
    "stencil": [*USUAL, "TILED=false", "RADIUS=0", "RADIUS=9", "N=3 RADIUS=7", "BLOCK=1"],
    "compaction": [*USUAL, "LIMIT=100", "LIMIT=-1", "BLOCK=12 N=100", "BLOCK=1 N=10"],
    "bitonic_sort": [*USUAL, "N=129 BLOCK=4", "BLOCK=1 N=20"],
    "radix_sort": [*USUAL, "BITS=1", "KEY_BITS=5 BITS=2", "KEY_BITS=32 N=100 BLOCK=32 BITS=4", "BLOCK=1 N=9"],
    "merge": ["", "A=1 B=1", "A=33 B=7", "TILED=false A=33 B=7", "A=7 B=33", "ITEMS=5 A=100", "A=500 B=499 BLOCK=32 ITEMS=4"],
    "spmv": ["", "ROWS=1 COLUMNS=1", "ROWS=33 COLUMNS=5", "LONG_ROW=1000 COLUMNS=1000 ROWS=50", "LONG_ROW=0", "WARP_PER_ROW=false ROWS=100"],
    "shuffles": [*USUAL, "N=1000 BLOCK=128", "N=1 BLOCK=256"],
    "float_sums": [*USUAL, "HALF=false", "HALF=false N=1000", "BLOCK=1"],
    "flag": [*USUAL, "BLOCK=1", "BLOCK=64"],
    "spmv_ell": ["", "ROWS=1 COLUMNS=1", "ROWS=33 COLUMNS=5", "LONG_ROW=0", "LONG_ROW=100 COLUMNS=100 ROWS=70"],
    "occupancy": [*USUAL, "WORDS=32", "BLOCK=1024 WORDS=1024", "WORDS=5000 BLOCK=128"],
    "roofline": [*USUAL, "TERMS=1", "TERMS=64 N=100"],
    "last_block": [*USUAL, "N=1000 BLOCKS=7", "BLOCKS=1", "BLOCK=1", "N=3 BLOCK=64 BLOCKS=9"],
}
# What is wrong with a program of these constants, as check says it.
FAULTS = {
    ("flag", "FENCE=false"): "error: race on message",
    ("last_block", "FENCE=false"): "error: race on partial",
    ("float_sums", "OTHERS=1"): "change nothing: 2048 + 1 is 2048 in half",
}
# A check takes almost a second, most of it to compile.
FEW = [("merge", "A=33 B=7"), ("bitonic_sort", "N=129 BLOCK=4"), ("spmv", "ROWS=33 COLUMNS=5")]


@unittest.skipUnless(RUNTIME.exists(), "built without the runtime of CUDA programs")
class CoursePrograms(unittest.TestCase):
    def check(self, name, constants):
        options = [word for one in constants.split() for word in ("--const", one)]
        done = subprocess.run([BUILD / "barrierscope", "check", PROGRAMS / f"{name}.cu", *options], capture_output=True,
                              text=True, timeout=100)
        return done.returncode, done.stdout + done.stderr

    def test_every_program_has_sizes(self):
        self.assertEqual(sorted(SIZES), sorted(path.stem for path in PROGRAMS.glob("*.cu")))

    def test_each_is_right_at_any_size(self):
        every = [(name, constants) for name, many in SIZES.items() for constants in many]
        for name, constants in every if os.environ.get("PROGRAMS") == "all" else FEW:
            with self.subTest(name, constants=constants):
                code, out = self.check(name, constants)
                self.assertEqual(code, 0, out)

    def test_a_fault_is_found_where_it_is_the_topic(self):
        for (name, constants), sentence in FAULTS.items():
            with self.subTest(name):
                code, out = self.check(name, constants)
                self.assertEqual(code, 1, out)
                self.assertIn(sentence, out)


if __name__ == "__main__":
    unittest.main()
