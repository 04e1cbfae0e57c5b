"""Takes each barrier of each kernel out in turn, from the source, and runs what is left: it must be reported as a
hazard that names both lines and the cell, or be proved still right and the barrier called redundant."""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build"))
HOST = pathlib.Path(os.environ.get("BARRIERSCOPE_MUTANTS_HOST", BUILD / "tests" / "mutants_host"))
CXX = os.environ.get("CXX", "g++")

DIALECT = "engine/simt/kernel.hpp"
# -O0: compiling takes far longer than running
FLAGS = ["-std=c++20", "-O0", "-w", "-fPIC", "-DBARRIERSCOPE_INT32_ONLY"]
BARRIER = re.compile(r"\bt\.sync\(\);")
# Thread 0 makes the last add of the up-sweep, clears the root and begins the down-sweep: the two barriers round the
# clear only set the steps apart. No other barrier of any kernel is redundant.
REDUNDANT_ROUND_THE_CLEAR = {"kernels/scan/5_blelloch.cu", "kernels/scan/6_blelloch_padded.cu"}


def barrier_lines(text):
    """1-based numbers of the lines that hold a barrier, comments left aside."""
    code = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)
    lines = [line.split("//")[0] for line in code.split("\n")]
    return [k for k, line in enumerate(lines, 1) if BARRIER.search(line)]


def round_the_clear(text):
    clear = text[: text.index('t.phase("clear")')].count("\n") + 1
    lines = barrier_lines(text)
    return {max(k for k in lines if k < clear), min(k for k in lines if k > clear)}


def without(text, line):
    lines = text.split("\n")
    lines[line - 1] = BARRIER.sub(";", lines[line - 1])
    return "\n".join(lines)


def files_that_use(path):
    """The kernel files to compile for a barrier in this file: itself, or those that include the header."""
    if path.suffix == ".cu":
        return [path]
    users = []
    for other in [*(ROOT / "kernels").rglob("*.cu"), *(ROOT / "kernels").rglob("*.hpp")]:
        if other.parent.name != "mistakes" and f'#include "{path.relative_to(ROOT)}"' in other.read_text():
            users += files_that_use(other)
    return sorted(set(users))


def precompiled_dialect(folder):
    """Every kernel begins with this header: parsed once. Returns the options with which the compiler takes it."""
    clang = "clang" in CXX
    header = folder / (DIALECT + (".pch" if clang else ".gch"))
    header.parent.mkdir(parents=True)
    command = [CXX, *FLAGS, f"-I{ROOT}", "-x", "c++-header", ROOT / DIALECT, "-o", header]
    subprocess.run([str(part) for part in command], check=True)
    # g++ finds it under the header's own name, in a folder that is searched before the header's.
    return ["-include-pch", header] if clang else [f"-I{folder}"]


def look_at(kernel, changed, text, folder, dialect):
    """Compiles a kernel file, one file changed, and runs it."""
    folder.mkdir(parents=True)
    overlay = folder / changed.relative_to(ROOT)
    overlay.parent.mkdir(parents=True)
    overlay.write_text(text)
    source = overlay if changed == kernel else kernel
    # The file's own name, so that the catalog knows it by it.
    wrapper = folder / "kernel.cpp"
    wrapper.write_text(f'#line 1 "{kernel}"\n' + source.read_text())
    shared = folder / "kernel.so"
    # The host runs each with its defaults: one type of each is enough.
    command = [CXX, *FLAGS, "-shared", *dialect, f"-I{folder}", f"-I{ROOT}", wrapper, "-o", shared]
    subprocess.run([str(part) for part in command], check=True)
    done = subprocess.run([str(HOST), str(shared)], stdout=subprocess.PIPE, text=True, timeout=300, check=True)
    return json.loads(done.stdout)


def verdict(results, original, line):
    """What the traces of a mutant show: (good or not, in words)."""
    for r in results:
        if "hazard" in r:
            h = r["hazard"]
            named = all(f"line {k}" in h["sentence"] for k in h["lines"]) and h["cell"] in h["sentence"]
            # A barrier in a file that several kernels use is needed if one of them needs it.
            expected = any(line in o["needed"] for o in original)
            words = f"hazard, lines {h['lines'][0]} and {h['lines'][1]}, {h['cell']}: {h['sentence']}"
            if not named:
                return False, "names too little: " + words
            return expected, words if expected else "called redundant, yet a " + words
    if any(r["faults"] for r in results):
        return False, "no hazard, but " + next(r["faults"][0] for r in results if r["faults"])
    if any(r["wrong"] for r in results):
        return False, "MISSED: the result is wrong and no hazard is reported"
    if any(r["unproved"] for r in results):
        return False, "MISSED: the proof fails and no hazard is reported"
    called = all(line in o["redundant"] for o in original if line in o["redundant"] + o["needed"])
    return called, ("proved still right" if called else "proved still right, yet called needed") + "; redundant"


def main():
    if not HOST.exists():
        print(f"{HOST} is missing: build the target mutants_host first.", file=sys.stderr)
        return 1
    files = sorted([*(ROOT / "kernels").rglob("*.cu"), *(ROOT / "kernels").rglob("*.hpp")])
    # Mistakes are wrong as they stand (tests/cli/mistakes_test.cpp); the plain CUDA programs are no kernels of the dialect.
    files = [path for path in files if path.parent.name not in ("mistakes", "cuda")]
    bad = mutants = 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        folder = pathlib.Path(name)
        dialect = precompiled_dialect(folder / "dialect")
        originals, jobs = {}, []
        for path in files:
            text = path.read_text()
            for line in barrier_lines(text):
                kernels = files_that_use(path)
                for kernel in kernels:
                    if kernel not in originals:
                        job = folder / "original" / str(len(originals))
                        originals[kernel] = pool.submit(look_at, kernel, kernel, kernel.read_text(), job, dialect)
                job = [
                    pool.submit(look_at, kernel, path, without(text, line), folder / str(mutants) / str(k), dialect)
                    for k, kernel in enumerate(kernels)
                ]
                jobs.append((path, line, kernels, job))
                mutants += 1
        redundant = {}
        for path, line, kernels, job in jobs:
            original = [r for kernel in kernels for r in originals[kernel].result()]
            good, words = verdict([r for part in job for r in part.result()], original, line)
            if words.endswith("redundant"):
                redundant.setdefault(str(path.relative_to(ROOT)), set()).add(line)
            bad += not good
            print(f"{'ok  ' if good else 'FAIL'} {path.relative_to(ROOT)}:{line} {words}")
        expected = {file: round_the_clear((ROOT / file).read_text()) for file in REDUNDANT_ROUND_THE_CLEAR}
        if redundant != expected:
            print(f"FAIL redundant are {redundant}, but should be {expected}")
            bad += 1
        clean = [r for o in originals.values() for r in o.result() if not r["kernel"].startswith("mistakes/")]
        for r in clean:
            if "hazard" in r or r["faults"] or r["wrong"] or r["unproved"]:
                print(f"FAIL {r['kernel']} as it stands: {r}")
                bad += 1
    print(f"{mutants} mutants, {bad} failures")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
