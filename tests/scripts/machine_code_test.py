"""Untraced kernels cost nothing: nvcc makes of them the machine code of the hand-written ones (tests/raw), or no more
of it. Needs nvcc, no GPU; how long both take is measured on one (tests/gpu)."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NVCC = shutil.which("nvcc", path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin:/opt/cuda/bin")
INSTRUCTION = 16  # bytes
# Kernel file, its functor in mangled names, its twin in raw.cu. All on int32.
TWINS = [
    ("reduce/2_tree_mask.cu", "8TreeMask", "9tree_mask"),
    ("reduce/4_shared.cu", "10SharedTreeILi1E", "11shared_treeILi1E"),
    ("scan/2_kogge_stone.cu", "10KoggeStone", "11kogge_stone"),
    ("scan/5_blelloch.cu", "8Blelloch", "8blelloch"),
    ("histogram/2_racy.cu", "13RacyHistogram", "4racy"),
    ("histogram/3_global_atomics.cu", "13GlobalAtomics", "14global_atomics"),
    ("histogram/4_shared_atomics.cu", "13SharedAtomics", "14shared_atomics"),
]


def functions(cubin):
    """Machine code of each function of a cubin, by mangled name, out of the ELF file's sections."""
    data = cubin.read_bytes()
    (offset,) = struct.unpack_from("<Q", data, 40)
    size, count, names_at = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, offset + k * size) for k in range(count)]
    names = data[headers[names_at][4]:][: headers[names_at][5]]
    code = {}
    for h in headers:
        name = names[h[0]:names.index(b"\0", h[0])].decode()
        if name.startswith(".text."):
            code[name.removeprefix(".text.")] = data[h[4]:h[4] + h[5]]
    return code


def only(code, pattern):
    found = [name for name in code if re.search(pattern, name)]
    if len(found) != 1:
        raise AssertionError(f"{len(found)} functions match {pattern}: {found}")
    return code[found[0]]


@unittest.skipUnless(NVCC, "no nvcc")
class MachineCode(unittest.TestCase):
    def test_untraced_kernels_are_the_hand_written_ones(self):
        with tempfile.TemporaryDirectory() as folder:

            def compiled(source):
                out = pathlib.Path(folder) / (source.replace("/", "_") + "bin")
                subprocess.run([NVCC, "-std=c++20", "-O3", "-arch=sm_90", "-w", "-cubin", "-I.", source, "-o", out],
                               cwd=ROOT, check=True)
                return functions(out)

            sources = ["tests/raw/raw.cu"] + ["kernels/" + twin[0] for twin in TWINS]
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                raw, *ours = pool.map(compiled, sources)
        for (kernel, functor, twin), code in zip(TWINS, ours):
            with self.subTest(kernel):
                # Arrays of int, or of int and bytes: not those of the other element types.
                a = only(code, rf"run_untracedI{functor}(?!.*ArrayIK?[fd]E)")
                b = only(raw, rf"(?<!\d){twin}")
                if a != b:
                    self.assertLessEqual(len(a) // INSTRUCTION, len(b) // INSTRUCTION,
                                         "more instructions than by hand: measure it, or mend it")
                    print(f"{kernel}: not the same code as by hand, {len(a) // INSTRUCTION} instructions against "
                          f"{len(b) // INSTRUCTION}")


if __name__ == "__main__":
    unittest.main()
