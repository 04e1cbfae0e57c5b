"""How much faster than numba's CUDA simulator a block is recorded.

  benchmarks/simulator.py [BUILD]      BUILD has benchmarks/benchmark_kogge_stone (default: build/release)

numba comes from PyPI into a virtual environment below BUILD, once. Both run one block of 1024 threads of
Kogge-Stone on this machine, one after the other: the simulator without recording anything, ours recording every
event. Prints the ratios of the medians; a ratio that misses its goal is said to, and the exit code is 1.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import venv

GOALS = {"to_barrier": 2000, "lockstep": 1000}
NUMBA = "numba==0.68.1"


def python_with_numba(build):
    folder = build / "numba"
    python = folder / "bin" / "python"
    if subprocess.run([python, "-c", "import numba"], capture_output=True).returncode if python.exists() else True:
        print(f"installing {NUMBA} into {folder}", file=sys.stderr)
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", NUMBA], check=True)
    return python


def run_json(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    here = pathlib.Path(__file__).resolve().parent
    build = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here.parent / "build" / "release"
    program = build / "benchmarks" / "benchmark_kogge_stone"
    if not os.access(program, os.X_OK):
        sys.exit(f"simulator.py: there is no {program}: build target benchmark_kogge_stone first")
    python = python_with_numba(build)
    simulator = run_json([python, here / "numba_simulator.py", "5"])
    ours = run_json([program])
    theirs = statistics.median(simulator["seconds"])
    print(f"numba {simulator['numba']} simulator, 1024 threads: {theirs:.3f} s "
          f"(fastest {min(simulator['seconds']):.3f} s)")
    missed = False
    for schedule, goal in GOALS.items():
        t = ours[schedule]
        ratio = theirs / t["median"]
        met = ratio >= goal
        missed |= not met
        print(f"{schedule:10}: {t['median'] * 1e3:.3f} ms (fastest {t['min'] * 1e3:.3f} ms), {ours['events']} events: "
              f"{ratio:.0f} times faster (fastest to fastest {min(simulator['seconds']) / t['min']:.0f}); "
              f"goal {goal}: {'met' if met else 'MISSED'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
