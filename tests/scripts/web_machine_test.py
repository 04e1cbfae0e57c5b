"""Users' CUDA programs as a page runs them, under node, against native runs of the same programs: the same trace, byte for byte,
the same report, output and exit code. Host code is a module of WebAssembly, and the machine is another one (own_code.wasm).

Both are compiled by clang 19, as engine/cuda/toolchain does it. WEB_MACHINE in the environment says which programs are compared,
of all below tests/cuda that have a main: WEB_MACHINE='api/half*', WEB_MACHINE='*'. Then each is named with its times.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import remote_machine_test as native

ROOT = native.ROOT
WEB = pathlib.Path(os.environ.get("BARRIERSCOPE_WEB_BUILD", ROOT / "build/web")).resolve()
LIBRARIES = WEB / "program"
NODE = shutil.which("node") or shutil.which("nodejs")
LINKER = shutil.which("wasm-ld-19")
CLANG = shutil.which("clang++-19")
ORDER = ("barrierscope_cuda", "system", "c++", "c++abi", "c", "clang_rt.builtins")
PATTERN = os.environ.get("WEB_MACHINE")
KEPT = os.environ.get("WEB_MACHINE_KEEP")
AT_ONCE = int(os.environ.get("WEB_MACHINE_AT_ONCE", "2"))

# What bad_cuda.cu does by its argument; a few seconds of limits that the endless ones need.
BAD = ["host-reads", "host-writes", "host-copies", "null-kernel", "exit", "exits-quickly", "abort", "throw", "recursion", "short-copy", "null-copy", "wild-copy",
       "managed-freed", "managed-beyond", "managed-early", "endless-host", "endless-kernel"]
SHORT = {"seconds": 1, "patience": 100, "loop_turns": 1 << 50}

# Barriers, races, atomics, printf, textures, libraries, graphs, managed memory.
FEW = ["cuda/5_blelloch", "cuda/2_racy", "api/texture_objects", "api/graphs_captured", "faults/35_printf_lost",
       "templates/reduce"]


def missing():
    """A sentence about what the tests lack, or None."""
    for program, name in ((NODE, "node"), (CLANG, "clang++-19"), (LINKER, "wasm-ld-19")):
        if not program:
            return f"there is no {name} here"
    if not (native.NATIVE / "libbarrierscope_cuda.so").exists():
        return "built without the runtime of users' own CUDA programs"
    for file in (WEB / "own_code.wasm", *(LIBRARIES / f"lib/lib{name}.a" for name in ORDER)):
        if not file.exists():
            return f"there is no {file}: cmake --preset web, cmake --build build/web --target barrierscope_own_code web_program_libraries"
    return None


def link_for_page(path, folder):
    """Compiles the program into the folder for the page: device code, and program.wasm."""
    options = [*native.options_of(path), f"--config={LIBRARIES}/program.cfg"]
    steps = [[CLANG, *options, *native.DEVICE, "-o", "device.ll", path],
             [CLANG, *options, *native.HOST, "-Xclang", "-fcuda-include-gpubinary", "-Xclang", "module", "-c", "-o", "host.o", path],
             [LINKER, f"@{LIBRARIES}/link.txt", f"@{LIBRARIES}/link_cuda.txt", "host.o", *(LIBRARIES / f"lib/lib{n}.a" for n in ORDER),
              "-o", "program.wasm"]]
    native.call_all(steps, path, folder)


def run_in_page(path, compiled, folder, arguments=(), limits=None, seconds=60):
    """What a run under node leaves: exit code, stdout, report, trace; and its times. `seconds` of the clock on the wall, where a
    native run has seconds of the processor."""
    folder.mkdir()
    settings = native.settings_of(path, compiled, limits)
    settings["our_folders"].insert(0, str(LIBRARIES))
    (folder / "run.json").write_text(json.dumps(settings))
    options = {"arguments": [f"./{path.stem}", *arguments], "seconds": seconds,
               "files": [str(compiled / "device.ll"), str(path)]}
    done = subprocess.run([NODE, ROOT / "tests/web/program/run_cuda.mjs", WEB / "own_code.js", compiled / "program.wasm", folder,
                           json.dumps(options)], capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise RuntimeError(f"{path.name}: {done.stdout[-500:]}{done.stderr[-2000:]}")
    ended = json.loads(done.stdout)
    return native.left_in(folder, ended["exit"]), ended


def compile_both(path, folder):
    """Compiles a program natively and for the page, into two folders in that one."""
    for name in ("of_page", "of_machine"):
        (folder / name).mkdir()
    native.compile_program(path, folder / "of_machine", CLANG)
    (folder / "of_page/module").write_bytes(b"barrierscope-device:0\0")
    link_for_page(path, folder / "of_page")


def compare(path):
    """What differs between the two runs of a program, as a sentence, empty: nothing; and a line about them."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        compile_both(path, folder)
        natively, seconds = native.run_program(path, folder / "of_machine", native.NATIVE, folder / "native")
        page, ended = run_in_page(path, folder / "of_page", folder / "page", native.ARGUMENTS.get(native.named(path), []))
        wrong = [f"{what}: {native.first_difference(natively[what], page[what])}" for what in natively
                 if natively[what] != page[what]]
        if wrong and KEPT:
            kept = pathlib.Path(KEPT) / path.stem
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)
    size = len(natively["trace.bscope"] or b"")
    return "; ".join(wrong), f"exit {natively['exit']}, trace {size} bytes, {seconds:.2f} s, page {ended['milliseconds']}"


@unittest.skipIf(missing(), missing())
class WebMachine(unittest.TestCase):
    def test_a_program_leaves_the_same_in_a_page(self):
        native.compare_programs(self, PATTERN, FEW, AT_ONCE)

    def test_bad_programs_end_as_natively(self):
        path = ROOT / "tests/web/program/programs/bad_cuda.cu"
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            compile_both(path, folder)
            for name in BAD:
                with self.subTest(name):
                    limits = SHORT if name.startswith("endless") else None
                    natively, _ = native.run_program(path, folder / "of_machine", native.NATIVE, folder / f"{name}-native", [name], limits)
                    page, _ = run_in_page(path, folder / "of_page", folder / f"{name}-page", [name], limits, 5 if limits else 60)
                    for what, left in natively.items():
                        self.assertEqual(page[what], left, f"{what} of {name}")
            page, _ = run_in_page(path, folder / "of_page", folder / "bad-alloc", ["bad-alloc"])
            self.assertEqual(page["exit"], 134)
            self.assertIn("The host asks for more memory than a program may have here", page["report.json"].decode())

    @staticmethod
    def result(path):
        try:
            return compare(path)
        except native.DoesNotCompile as error:
            return ("", f"not compiled: {error}") if PATTERN else (str(error), "")
        except RuntimeError as error:
            return str(error), ""


if __name__ == "__main__":
    unittest.main()
