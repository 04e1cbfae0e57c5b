#!/usr/bin/env python3
"""Times the interpreter of users' kernels: nanoseconds of processor for a turn of a loop in one thread.

  benchmarks/interpreter.py BARRIERSCOPE [--runs N]

benchmarks/launches/interpreted.cu runs by `barrierscope check` with few and with many launches that are not shown. The
difference is the time of launches alone, of user and system time. Prints the median of the runs, the least and the
greatest for each kind of loop.

Exit 0: measured; 2: bad usage, or a program failed.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys

program = pathlib.Path(__file__).resolve().parent / "launches" / "interpreted.cu"
few, many = 6, 16  # the first four are shown
threads = 64
kinds = {"computes": 20_000, "gathers": 20_000, "meets at barriers": 4_000}  # turns of the loop


def seconds(barrierscope, kind, turns, launches):
    before = os.times()
    run = subprocess.run([barrierscope, "check", program, f"-DKIND={kind}", f"-DTURNS={turns}", f"-DREPEATS={launches}",
                          "--seconds", "300", "--no-try"], capture_output=True, text=True)
    after = os.times()
    if run.returncode:
        sys.stderr.write(run.stdout + run.stderr)
        sys.exit(2)
    return after.children_user - before.children_user + after.children_system - before.children_system


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("barrierscope")
    p.add_argument("--runs", type=int, default=5)
    a = p.parse_args()
    for kind, (name, turns) in enumerate(kinds.items()):
        each = []
        for _ in range(a.runs):
            less, more = (seconds(a.barrierscope, kind, turns, n) for n in (few, many))
            each.append((more - less) / (many - few) / (threads * turns) * 1e9)
        print(f"{name:18} {statistics.median(each):7.1f} ns a turn ({min(each):.1f} to {max(each):.1f})", flush=True)


if __name__ == "__main__":
    main()
