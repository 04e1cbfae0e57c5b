"""The machine behind messages (engine/cuda/remote), as a page has it, against the machine in the runtime's own library: the
same program leaves the same trace, byte for byte, the same report, and prints the same.

A program is compiled once, as engine/cuda/toolchain does it, and finds the one or the other library by LD_LIBRARY_PATH.
Compiling takes one to ten seconds of a processor. REMOTE in the environment says which programs are compared, of all below
tests/cuda that have a main: REMOTE='api/half*', REMOTE='*'. Then each is named with its times.
"""

import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
NATIVE, REMOTE = BUILD / "cuda/lib", BUILD / "cuda_remote/lib"
INCLUDE = BUILD / "cuda/include"
CLANG = os.environ.get("CLANG", "clang++-19")
PROGRAMS = ROOT / "tests/cuda"
FOLDERS = [*sorted(ROOT.glob("kernels/*/cuda")), "api", "faults", "own", "runtime", "litmus", "../../assets/templates", "../../examples"]
PATTERN = os.environ.get("REMOTE")
AT_ONCE = int(os.environ.get("REMOTE_AT_ONCE", min(4, os.cpu_count() or 1)))

# One of each kind of call: launches, atomics, printf, textures, libraries, streams, managed memory, a crash.
FEW = ["cuda/5_blelloch", "cuda/2_racy", "api/texture_objects", "api/surface", "api/cublas_levels", "api/graphs_captured",
       "faults/19_managed_early", "faults/35_printf_lost", "faults/91_host_reads_device", "runtime/textures", "templates/reduce"]
# Programs that no two runs agree on, and why.
DIFFER = {"faults/27_host_pointer": "a finding says where memory of the host's heap lies"}
STANDARDS = {"own/cpp20": "c++20"}
ARGUMENTS = {"runtime/program": ["right"], "runtime/order": ["legacy"]}

COMMON = ["-g", "-ffp-contract=off", "-w", "-isystem", str(INCLUDE), "-Wno-error=c++11-narrowing", "-Wno-error=register",
          "-Wno-error=reserved-user-defined-literal"]
CUDA = ["-x", "cuda", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-Xclang", "-target-sdk-version=11.0",
        "-Xclang", "-fcuda-allow-variadic-functions", "-include", str(INCLUDE / "cuda_runtime.h")]
DEVICE = ["-O0", "-ffp-contract=on", "--cuda-device-only", "--cuda-gpu-arch=sm_70", "-S", "-emit-llvm"]
HOST = ["--cuda-host-only", "-O1", "-fno-finite-loops", "-fno-delete-null-pointer-checks", "-fno-strict-aliasing",
        "-fno-optimize-sibling-calls", "-fwrapv"]


class DoesNotCompile(Exception):
    """What clang says of a program that this script cannot compile."""


def named(path):
    """cuda/5_blelloch of its path."""
    return f"{path.parent.name}/{path.stem}"


def all_programs():
    """Every program that can be started, by its name."""
    paths = (path for folder in FOLDERS for path in sorted((PROGRAMS / folder).resolve().rglob("*.cu")))
    return {named(path): path for path in paths if re.search(r"\bmain\s*\(", path.read_text(errors="replace"))}


def options_of(path):
    """What both halves of a program are compiled with."""
    text = path.read_text(errors="replace")
    options = [*COMMON, "-std=" + STANDARDS.get(named(path), "c++17"), *CUDA]
    if "std::" in text:
        options += ["-include", "functional"]
    if re.search(r"\b(texture|surface)\s*<", text):
        options += ["-include", str(INCLUDE / "barrierscope/texture_references.h")]
    return options


def compile_program(path, folder, clang=CLANG):
    """Compiles it into the folder, with what its run reads there."""
    options = options_of(path)
    (folder / "module").write_bytes(b"barrierscope-device:0\0")
    steps = [[clang, *options, *DEVICE, "-o", "device.ll", path],
             [clang, *options, *HOST, "-Xclang", "-fcuda-include-gpubinary", "-Xclang", "module", "-c", "-o", "host.o", path],
             [clang, "-no-pie", "-rdynamic", "-g", "-o", "program", "host.o", NATIVE / "libbarrierscope_cuda.so",
              f"-Wl,-rpath,{NATIVE}", "-lm", "-pthread"]]
    call_all(steps, path, folder)


def call_all(steps, path, folder):
    """Calls the compilers and linkers of a program in the folder."""
    for step in steps:
        done = subprocess.run(step, cwd=folder, capture_output=True, text=True, errors="replace")
        if done.returncode:
            raise DoesNotCompile(f"{path.name}: {done.stderr[:600]}")


def run_program(path, compiled, library, folder, arguments=None, limits=None):
    """What a run with that library leaves: exit code, stdout, report, trace; and the seconds of the processor it took."""
    folder.mkdir()
    (folder / "run.json").write_text(json.dumps(settings_of(path, compiled, limits)))
    environment = {**os.environ, "BARRIERSCOPE_RUN": str(folder), "LD_LIBRARY_PATH": str(library), "LC_ALL": "C"}
    work = folder / "work"
    work.mkdir()
    command = [f"./{path.stem}", *(ARGUMENTS.get(named(path), []) if arguments is None else arguments)]
    with open(folder / "stdout", "wb") as out:
        process = subprocess.Popen(command, executable=compiled / "program", cwd=work, env=environment, stdout=out,
                                   stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return left_in(folder, process.returncode), usage.ru_utime + usage.ru_stime


def settings_of(path, compiled, limits=None):
    """What run.json says of a program."""
    return {"name": path.stem, "device": [{"ir": str(compiled / "device.ll")}],
            "our_folders": [str(INCLUDE.parent), "/usr/include", "/usr/lib"],
            "sources": [{"file": str(path), "shown": path.name, "text": str(path)}], "schedule": "to-barrier",
            "limits": limits or {"seconds": 60, "patience": 400}}


def left_in(folder, code):
    """What a run has left in its folder."""
    left = {"exit": code, "stdout": (folder / "stdout").read_bytes()}
    for name in ("report.json", "trace.bscope"):
        left[name] = (folder / name).read_bytes() if (folder / name).exists() else None
    return left


def compare(path):
    """What differs between the two runs of a program, as a sentence, empty: nothing; and a line about them."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        compile_program(path, folder)
        native, seconds = run_program(path, folder, NATIVE, folder / "native")
        remote, seconds_remote = run_program(path, folder, REMOTE, folder / "remote")
        wrong = [f"{what}: {first_difference(native[what], remote[what])}" for what in native if native[what] != remote[what]]
        if wrong and os.environ.get("REMOTE_KEEP"):
            kept = pathlib.Path(os.environ["REMOTE_KEEP"]) / path.stem
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)
    size = len(native["trace.bscope"] or b"")
    return "; ".join(wrong), f"exit {native['exit']}, trace {size} bytes, {seconds:.2f} s, remote {seconds_remote:.2f} s"


def first_difference(a, b):
    """Where two runs part, with what each has there."""
    if not isinstance(a, bytes) or not isinstance(b, bytes):
        return f"{a!r:.80} and {b!r:.80}"
    at = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    begin = max(0, at - 40)
    return f"at byte {at} of {len(a)} and {len(b)}: {a[begin:at + 60]!r} and {b[begin:at + 60]!r}"


def compare_programs(test, pattern, few, at_once, differ=()):
    """Asks test.result(path) of the programs that the pattern names, or of a few, what differs, and a line about the run. Nothing may
    differ but in those that are known to."""
    programs = all_programs()
    names = [name for name in programs if fnmatch.fnmatch(name, pattern)] if pattern else few
    test.assertTrue(names, f"no program is named {pattern}")
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        for name, (wrong, line) in zip(names, pool.map(test.result, (programs[name] for name in names))):
            with test.subTest(name):
                if pattern:
                    print(f"{time.monotonic() - began:6.0f} s {name}: {wrong[:600] or 'equal'} ({line})", flush=True)
                if name not in differ:
                    test.assertFalse(wrong, f"{name}: {wrong}")


@unittest.skipUnless((NATIVE / "libbarrierscope_cuda.so").exists() and (REMOTE / "libbarrierscope_cuda.so").exists(),
                     "built without the runtime of users' own CUDA programs, or without its remote form")
class RemoteMachine(unittest.TestCase):
    def test_a_program_leaves_the_same_over_messages(self):
        self.assertLessEqual(set(FEW), all_programs().keys())
        compare_programs(self, PATTERN, FEW, AT_ONCE, DIFFER)

    @staticmethod
    def result(path):
        try:
            return compare(path)
        except DoesNotCompile as error:
            return ("", f"not compiled: {error}") if PATTERN else (str(error), "")


if __name__ == "__main__":
    unittest.main()
