"""The compiler of users' own files in a page (third_party/web/clang): its own sources, linked natively with the archives of
Debian's clang, make what Debian's clang makes. Left out where those archives are not installed. Where it is built for a page
(build/web/clang, or BARRIERSCOPE_CLANG in the environment), that one is compared, too. What runs it there is tested with a small
tool in its place."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "third_party/web/clang"))
import units  # noqa: E402

# Without those that include libcu++, whose headers this compiler is not given.
CATALOG = [path for path in sorted(ROOT.glob("kernels/*/cuda/*.cu")) if "#include <cuda/" not in path.read_text()]
PROGRAMS = ROOT / "tests/web/program"
LIBRARIES = pathlib.Path(os.environ.get("BARRIERSCOPE_PROGRAM_LIBRARIES", ROOT / "build/web/program"))
BUILT = pathlib.Path(os.environ.get("BARRIERSCOPE_CLANG", ROOT / "build/web/clang"))
ORDER = ("system", "c++", "c++abi", "c", "clang_rt.builtins")
DRIVER = units.LLVM / "bin/clang++"
NODE = shutil.which("node") or shutil.which("nodejs")
EMCC = shutil.which("emcc")
EM_CONFIG = LIBRARIES.parent / "emscripten_config.py"
CUDA = ["-x", "cuda", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-Xclang", "-target-sdk-version=11.0", "-Xclang",
        "-fcuda-allow-variadic-functions", "-I", str(ROOT / "engine/cuda/include"), "-include", "cuda_runtime.h"]
DEVICE = [*CUDA, "-O0", "-g", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-S", "-emit-llvm", "-o", "made.ll"]
HOST = [*CUDA, "-g", "--cuda-host-only", "-c", "-o", "made.o"]
VERSION = re.compile(rb"(Debian )?(clang version 19\.1\.7)( \([^)]*\))?")
# What the compiler's command line has that only host code understands (build/web/program/program.cfg).
ONLY_HOST = ("-m", "-fwasm-exceptions")
# nvptx's part of LLVM, which the page's clang has not, notes ranges of threadIdx and such; the engine does not read them.
RANGE = re.compile(rb" range\(i32 -?\d+, -?\d+\)")


def missing():
    """A sentence about what the tests lack, or None."""
    if units.missing():
        return f"left out: there is no {units.missing()}; {', '.join(units.PACKAGES)} have it"
    if not (LIBRARIES / "program.cfg").exists():
        return f"left out: there is no {LIBRARIES}/program.cfg (cmake --build build/web --target web_program_libraries)"
    return None


BUILT_ONE = unittest.skipUnless(NODE and (BUILT / "clang.wasm").exists(), f"left out: {BUILT} has no clang.wasm, or there is no node")


@unittest.skipIf(missing(), missing())
class PageClang(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.place)
        cls.members = units.link(cls.place)
        (cls.place / "wasm-ld").symlink_to("clang")

    def cc1(self, *words):
        """What clang's driver would run for these words: the words after the program's name."""
        how = (LIBRARIES / "program.cfg").read_text().replace("<CFGDIR>", str(LIBRARIES)).split()
        if "--cuda-device-only" in words:
            how = [word for word in how if not word.startswith(ONLY_HOST)]
        said = subprocess.run([DRIVER, *how, *map(str, words), "-###"], capture_output=True, text=True, check=True, cwd=self.place).stderr
        return next(shlex.split(line)[1:] for line in said.splitlines() if '"-cc1"' in line)

    def run_in(self, name, program, words):
        """Runs it in a folder of that name. Returns its exit code, what it said, and the files that it made."""
        folder = self.place / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        ended = subprocess.run([program, *words], capture_output=True, text=True, check=False, cwd=folder, timeout=120)
        return ended.returncode, ended.stderr, {file.name: file.read_bytes() for file in folder.iterdir()}

    def both(self, *words):
        """Compiles with Debian's clang, and with ours."""
        cc1 = self.cc1(*words)
        return self.run_in("debian", units.LLVM / "bin/clang", cc1), self.run_in("ours", self.place / "clang", cc1)

    def test_units_are_those_of_the_link(self):
        linked = sorted(name.removesuffix(".o") for _, name in self.members)
        listed = sorted(pathlib.Path(unit).name for unit in units.units())
        self.assertEqual(listed, linked, "third_party/web/clang/units.py makes the list anew")

    def test_device_code_is_the_same(self):
        for program in CATALOG:
            with self.subTest(program.name):
                debian, ours = self.both(*DEVICE, program)
                self.assertEqual(debian[:2], (0, ""))
                self.assertEqual(ours[:2], (0, ""))
                self.assertTrue(RANGE.sub(b"", debian[2]["made.ll"]) == ours[2]["made.ll"], "the LLVM IR differs")

    def test_host_objects_without_optimisation_are_the_same(self):
        for program in (path for path in CATALOG if path.parent.parent.name == "reduce"):
            with self.subTest(program.name):
                debian, ours = self.both(*HOST, "-O0", program)
                self.assertEqual(debian[:2], (0, ""))
                self.assertTrue(debian == ours, "the objects differ")

    def test_mistakes_are_told_alike(self):
        source = self.place / "wrong.cu"
        source.write_text("__global__ void k(int* a) { a[threadIdx.x] = b; }\n__device__ int f() { return 1.5f }\n"
                          "int main() { k<<<1, 2>>>(0, 1); int unused; }\n")
        for half in (DEVICE, HOST):
            debian, ours = self.both(*half, "-Wall", source)
            self.assertEqual(debian[0], 1)
            self.assertIn("undeclared identifier 'b'", debian[1])
            self.assertEqual(ours, debian)

    def test_precompiled_header(self):
        header = ["-emit-pch", "-fno-pch-timestamp", "-o", str(self.place / "made.pch")]
        source = self.place / "short.cu"
        source.write_text("__global__ void k(int* a) { a[threadIdx.x] = warpSize; }\n")
        plain = self.cc1(*DEVICE, source)
        at = plain.index("-include")
        empty = self.place / "empty.cu"
        empty.write_text("")
        pch = [word for word in self.cc1(*DEVICE, empty) if word not in ("-emit-llvm",)]
        del pch[pch.index("-o"):pch.index("-o") + 2]
        self.assertEqual(self.run_in("header", self.place / "clang", [*pch, *header])[:2], (0, ""))
        with_header = [*plain[:at], "-include-pch", str(self.place / "made.pch"), *plain[at + 2:]]
        ended = self.run_in("with-header", self.place / "clang", with_header)
        self.assertEqual(ended[:2], (0, ""))
        self.assertIn(b"@_Z1kPi", ended[2]["made.ll"])

    def program(self, compiler, linker, source, level):
        """The module of a program that is compiled and linked by these."""
        words = self.cc1(level, "-g", "-w", "-I", ROOT, "-c", "-o", "made.o", PROGRAMS / "programs" / source)
        code, said, files = self.run_in("compiled", compiler, words)
        self.assertEqual((code, said), (0, ""))
        (self.place / "program.o").write_bytes(files["made.o"])
        words = [*shlex.split((LIBRARIES / "link.txt").read_text()), str(self.place / "program.o"),
                 *(str(LIBRARIES / f"lib/lib{name}.a") for name in ORDER), "-o", "made.wasm"]
        code, said, files = self.run_in("linked", linker, words)
        self.assertEqual((code, said), (0, ""))
        return files["made.wasm"]

    def test_linked_modules_are_the_same(self):
        debian = self.program(units.LLVM / "bin/clang", units.LLVM / "bin/wasm-ld", "language.cpp", "-O0")
        ours = self.program(self.place / "clang", self.place / "wasm-ld", "language.cpp", "-O0")
        self.assertTrue(debian == ours, "the modules differ")

    @unittest.skipUnless(NODE, "left out: there is no node here")
    def test_optimised_programs_do_the_same(self):
        for source in ("language.cpp", "library.cpp"):
            said = []
            for compiler, linker in ((units.LLVM / "bin/clang", units.LLVM / "bin/wasm-ld"), (self.place / "clang", self.place / "wasm-ld")):
                module = self.place / "program.wasm"
                module.write_bytes(self.program(compiler, linker, source, "-O1"))
                ended = subprocess.run([NODE, PROGRAMS / "run.mjs", module, "{}"], capture_output=True, text=True, check=True, timeout=60)
                said.append(re.sub(r'"seconds":[^}]*', "", ended.stdout))
            self.assertRegex(said[0], r'"how":"(returned|exited)"')
            self.assertEqual(said[1], said[0], source)

    def in_page(self, runs, folders):
        """Runs the built one under node, each run of words and the real files that it is given. Returns what each said and made."""
        folder = self.place / "page"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        job = self.place / "job.json"
        job.write_text(json.dumps({"folders": [str(name) for name in folders], "out": str(folder), "runs": [
            {"words": words, "files": {str(file): str(file) for file in files}} for words, files in runs]}))
        said = subprocess.run([NODE, ROOT / "tests/web/clang/run.mjs", BUILT, job], capture_output=True, text=True, check=True,
                              timeout=500).stdout
        return [(run["exit"], run["output"], {pathlib.Path(name).name: (folder / pathlib.Path(name).name).read_bytes()
                                              for name in run["files"]}) for run in json.loads(said)["runs"]]

    @BUILT_ONE
    def test_built_for_a_page_survives_crashes(self):
        runs = []
        for name, text in (("trap", "#pragma clang __debug crash"), ("fatal", "#pragma clang __debug llvm_fatal_error"),
                           ("recursion", "#pragma clang __debug overflow_stack"), ("good", "int x;")):
            source = self.place / f"{name}.cpp"
            source.write_text(f"{text}\n")
            runs.append((["clang", "-cc1", "-triple", "wasm64-unknown-emscripten", "-emit-obj", "-o", f"{name}.o", "-x", "c++", str(source)], [source]))
        trap, fatal, recursion, good = self.in_page(runs, [])
        self.assertEqual([trap[0], fatal[0], recursion[0], good[0]], [70, 70, 70, 0])
        self.assertIn("clang failed on this program", trap[1])
        self.assertIn("fatal error: #pragma clang __debug llvm_fatal_error", fatal[1])
        self.assertIn("it nests too deeply", recursion[1])
        self.assertEqual(list(good[2]), ["good.o"])

    @BUILT_ONE
    def test_built_for_a_page_makes_the_same(self):
        folders = [units.LLVM / "lib/clang/19/include", LIBRARIES, ROOT / "engine/cuda/include"]
        wrong = self.place / "wrong.cu"
        wrong.write_text("__global__ void k(int* a) { a[threadIdx.x] = b; }\n")
        host = [word for word in HOST if word != "-g"]
        here = ["-fdebug-compilation-dir=/barrierscope/work", "-fcoverage-compilation-dir=/barrierscope/work"]
        runs = []
        for source in [*CATALOG, wrong]:
            runs += [(["clang", *self.cc1(*DEVICE, source), *here], [source]), (["clang", *self.cc1(*host, "-O1", source), *here], [source])]
            for words, _ in runs[-2:]:
                words[words.index("-o") + 1] = f"{source.stem}.{words[words.index('-o') + 1]}"
        for (words, _), ended in zip(runs, self.in_page(runs, folders)):
            with self.subTest(words[words.index("-o") + 1]):
                native = self.run_in("native", self.place / "clang", words[1:])
                self.assertEqual(ended[:2], native[:2])
                self.assertEqual(set(ended[2]), set(native[2]))
                for name, made in ended[2].items():
                    self.assertTrue(self.without_version(made) == self.without_version(native[2][name]), f"{name} differs")

    def without_version(self, made):
        """LLVM IR or an object without the name of the compiler that made it, which Debian's archives have otherwise."""
        if not made.startswith(b"\0asm"):
            return VERSION.sub(rb"\2", made)
        file = self.place / "named.o"
        file.write_bytes(made)
        subprocess.run([units.LLVM / "bin/llvm-objcopy", "--remove-section=producers", file], check=True)
        return file.read_bytes()

    def test_bitcode_is_refused(self):
        (self.place / "bitcode.o").write_bytes(b"BC\xc0\xde" + bytes(60))
        code, said, _ = self.run_in("bitcode", self.place / "wasm-ld", [str(self.place / "bitcode.o"), "-o", "made.wasm"])
        self.assertEqual(code, 1)
        self.assertIn("bitcode is not linked here", said)


@unittest.skipUnless(NODE and EMCC and EM_CONFIG.exists(), f"left out: there is no node, em++ or {EM_CONFIG} (cmake --preset web)")
class ClangTools(unittest.TestCase):
    """engine/cuda/web/clang_tools.js, with tests/web/clang/tool.c as clang."""

    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.place)
        tool = [ROOT / "tests/web/clang/tool.c", ROOT / "cmake/web/runtime.c"]
        subprocess.run([EMCC, "--em-config", EM_CONFIG, "-x", "c", "-O1", *tool, "-o", cls.place / "clang.js", "-sMODULARIZE=1",
                        "-sEXPORT_NAME=Clang", "-sENVIRONMENT=web,worker", "-sEXIT_RUNTIME=0", "-sFORCE_FILESYSTEM=1",
                        "-sALLOW_MEMORY_GROWTH=1", "-sINITIAL_MEMORY=67108864", "-sMAXIMUM_MEMORY=268435456", "-sTOTAL_STACK=16777216",
                        "-sEXPORTED_RUNTIME_METHODS=FS,callMain"], check=True, capture_output=True, env={**os.environ, "EM_IGNORE_SANITY": "1"})

    def runs(self, *runs):
        """Runs the tool with each of these words, one after the other; returns what each gave."""
        headers, out = self.place / "headers", self.place / "out"
        for folder in (headers, out):
            folder.mkdir(exist_ok=True)
        (headers / "a.h").write_text("int a;\n")
        (self.place / "b.cu").write_text("int b;\n")
        job = self.place / "job.json"
        job.write_text(json.dumps({"folders": [str(headers)], "out": str(out), "runs": [
            {"words": ["clang", *words], "files": {"/barrierscope/files/b.cu": str(self.place / "b.cu")}} for words in runs]}))
        said = subprocess.run([NODE, ROOT / "tests/web/clang/run.mjs", self.place, job], capture_output=True, text=True, check=True,
                              timeout=60).stdout
        return json.loads(said)["runs"]

    def test_files(self):
        header, made = f"{self.place}/headers/a.h", "/barrierscope/work/made.o"
        one, again, over, to_header = self.runs(("copy", header, made), ("copy", made, "/barrierscope/work/again.o"),
                                                ("copy", "/barrierscope/files/b.cu", made), ("copy", made, header))
        self.assertEqual((one["exit"], one["output"], one["files"]), (0, "clang copy\n", [made]))
        self.assertEqual(again["files"], ["/barrierscope/work/again.o"])
        self.assertEqual(over["files"], [made])
        self.assertEqual((to_header["exit"], to_header["files"]), (2, []))
        self.assertEqual((self.place / "out/again.o").read_text(), "int a;\n")
        self.assertEqual((self.place / "out/made.o").read_text(), "int b;\n")

    def test_ends(self):
        ended = self.runs(("exit",), ("abort",), ("recursion",), ("memory",), ("exit",))
        self.assertEqual([run["exit"] for run in ended], [3, 70, 70, 71, 3])
        self.assertEqual([run["sentence"] for run in ended], [
            "", "clang failed on this program, by a mistake of its own: write the latest lines otherwise.",
            "clang cannot read this program: it nests too deeply.",
            "clang needs more memory than a page has for it: compile smaller files.", ""])
        self.assertEqual(ended[1]["output"], f"clang abort\nfatal error: {ended[1]['sentence']}\n")


if __name__ == "__main__":
    unittest.main()
