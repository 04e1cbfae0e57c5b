"""Untraced kernels cost nothing: nvcc makes of them the machine code of the hand-written ones (tests/raw), or no more
of it. Needs nvcc, no GPU; how long both take is measured on one (tests/gpu). Reads the objects of the build folder
BARRIERSCOPE_OBJECTS, in which gpu_checks was built; without one, compiles both sides itself (minutes).

Twins are found by name: SharedTree<1> of a kernel file beside shared_tree<1> of tests/raw. All on int32."""

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
OBJECTS = os.environ.get("BARRIERSCOPE_OBJECTS")
NVCC = shutil.which("nvcc", path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin:/opt/cuda/bin")
INSTRUCTION = 16  # bytes
SLACK = 1.03  # code is padded to eight instructions; how long both take is measured (docs/accuracy.md)


def functions(file):
    """Machine code of each function by its name as in the source, out of the sections of an ELF file: a cubin, or the one
    that lies within an object."""
    data = file.read_bytes()
    data = data[max(0, data.find(b"\x7fELF", 4)):]
    (offset,) = struct.unpack_from("<Q", data, 40)
    size, count, names_at = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, offset + k * size) for k in range(count)]
    names = data[headers[names_at][4]:][: headers[names_at][5]]
    code = {}
    for h in headers:
        name = names[h[0]:names.index(b"\0", h[0])].decode()
        if name.startswith(".text."):
            code[name.removeprefix(".text.")] = data[h[4]:h[4] + h[5]]
    plain = subprocess.run(["c++filt"], input="\n".join(code), capture_output=True, text=True, check=True).stdout
    return dict(zip(plain.splitlines(), code.values()))


def first_argument(text):
    """The first of a template's arguments: 'A<1, 2>, B' -> 'A<1, 2>'."""
    depth = 0
    for k, c in enumerate(text):
        depth += (c == "<") - (c == ">")
        if depth < 0 or (c == "," and depth == 0):
            return text[:k].strip()
    return text


def functor(name):
    """'KoggeStone<true>' of an untraced kernel's name; None for the traced form and for elements that no twin has."""
    if re.search(r"\b(float|double|Min|Max|Affine)\b", name):
        return None
    found = re.search(r"\brun_untraced<(.*)", name)
    return first_argument(found[1]) if found else None


def twin_of(name):
    """KoggeStone<true> -> kogge_stone<true>"""
    head, *rest = name.split("<", 1)
    return "<".join([re.sub(r"(?<!^)(?=[A-Z])", "_", head.split("::")[-1]).lower(), *rest])


def hand_written(name):
    """'kogge_stone<true>' of a raw kernel's name."""
    return re.search(r"\(anonymous namespace\)::(.*?)\((?!anonymous)", name)[1]


@unittest.skipUnless(NVCC, "no nvcc")
class MachineCode(unittest.TestCase):
    def test_names(self):
        self.assertEqual(first_argument("A<1, B<2> >, C"), "A<1, B<2> >")
        self.assertEqual(twin_of("KoggeStone<true>"), "kogge_stone<true>")
        self.assertEqual(hand_written("void bscope::tests::(anonymous namespace)::f<true>(int)"), "f<true>")

    @unittest.skipUnless(OBJECTS, "looks at the objects of a build folder")
    def test_no_program_calls_a_device_function(self):
        """nvcc compiles that on the host into exit(1), without a word."""
        objects = sorted(pathlib.Path(OBJECTS).glob("kernels/**/*.cu.o"))
        self.assertTrue(objects)
        for file in objects:
            wanted = subprocess.run(["nm", "--undefined-only", file], capture_output=True, text=True, check=True).stdout
            self.assertNotIn("exit", wanted.split(), f"{file.name}: a program calls a __device__ function")

    def test_untraced_kernels_are_the_hand_written_ones(self):
        with tempfile.TemporaryDirectory() as folder:

            def compiled(source):
                if OBJECTS:
                    target = "tests/CMakeFiles/gpu_checks.dir" if "raw" in source.parts else \
                        "kernels/CMakeFiles/kernels_gpu_objects.dir"
                    return functions(pathlib.Path(OBJECTS) / target / source.parent.name / (source.name + ".o"))
                out = pathlib.Path(folder) / (str(source.relative_to(ROOT)).replace("/", "_") + "bin")
                subprocess.run([NVCC, "-std=c++20", "-O3", "-arch=sm_90", "-w", "-cubin", "-I.",
                                "-DBARRIERSCOPE_INT32_ONLY", source, "-o", out], cwd=ROOT, check=True)
                return functions(out)

            files = sorted(f for f in (ROOT / "kernels").glob("*/*.cu") if f.parent.name in ("reduce", "scan", "histogram"))
            twins = sorted(f for f in (ROOT / "tests" / "raw").glob("*.cu"))
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                ours, by_hand = pool.map(compiled, files), pool.map(compiled, twins)
                ours = list(ours)
                raw = {hand_written(name): code for part in by_hand for name, code in part.items()
                       if "(anonymous namespace)::" in name and "cub" not in name}
        same = pairs = 0
        for file, part in zip(files, ours):
            for name, code in part.items():
                kernel = functor(name)
                if kernel is None:
                    continue
                with self.subTest(f"{file.relative_to(ROOT)} {kernel}"):
                    twin = raw.get(twin_of(kernel))
                    self.assertIsNotNone(twin, f"no {twin_of(kernel)} in tests/raw")
                    pairs += 1
                    same += code == twin
                    if code != twin:
                        a, b = len(code) // INSTRUCTION, len(twin) // INSTRUCTION
                        print(f"{file.name} {kernel}: not the same code as by hand, {a} instructions against {b}")
                        self.assertLessEqual(a, b * SLACK, "more instructions than by hand")
        print(f"{same} of {pairs} untraced kernels are the hand-written ones, byte for byte")
        self.assertGreater(pairs, 10)


if __name__ == "__main__":
    unittest.main()
