#!/usr/bin/env python3
"""Compares launches that are not shown with plain host code.

  benchmarks/native_launches.py BARRIERSCOPE [--clang CLANG++] [--runs N] [NAME...]

Each program of benchmarks/launches is built twice: by `barrierscope check`, and by clang++ -O2, where a launch is a
loop over blocks and threads (host_loop.hpp). Both run with few and with many launches, in turn. The difference of the
two is the time of launches alone, of user and system time, so that compiling and the launches that are shown do not
count. Both must print the same. Prints the medians, their ratio, and the least and greatest ratio of the pairs of runs.

Exit 0: all ratios are at most 3; 1: one is above; 2: bad usage, or the outputs differ.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent / "launches"
few, many = 10, {"saxpy": 1010, "matmul": 60, "collatz": 60, "reduce": 310, "gather": 260, "branches": 210, "calls": 110}
most = 3


def timed(words):
    """Seconds of processor of a process and its children, and what it printed."""
    before = os.times()
    run = subprocess.run(words, capture_output=True, text=True)
    after = os.times()
    seconds = after.children_user - before.children_user + after.children_system - before.children_system
    return seconds, run.stdout + run.stderr


def host_program(clang, name, launches, folder):
    program = f"{folder}/{name}_{launches}"
    options = ["-x", "c++", "-std=c++17", "-O2", "-ffp-contract=off", f"-DREPEATS={launches}"]
    subprocess.run([clang, *options, here / f"{name}.cu", "-o", program], check=True)
    return program


def printed_by_check(text):
    found = re.search(r"^ *\| (.*)$", text, re.MULTILINE)
    return found[1] + "\n" if found else text


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("barrierscope")
    p.add_argument("--clang", default="clang++")
    p.add_argument("--runs", type=int, default=5)
    p.add_argument("names", nargs="*", default=sorted(many))
    a = p.parse_intermixed_args()
    is_slow = False
    with tempfile.TemporaryDirectory() as folder:
        for name in a.names:
            launches = (few, many[name])
            ours, hosts = [], []
            programs = {n: host_program(a.clang, name, n, folder) for n in launches}
            for _ in range(a.runs):
                own = {n: timed([a.barrierscope, "check", here / f"{name}.cu", f"-DREPEATS={n}", "--seconds", "300"])
                       for n in launches}
                host = {n: timed([programs[n]]) for n in launches}
                if any(printed_by_check(own[n][1]) != host[n][1] for n in launches):
                    print(f"{name}: outputs differ:\n{own[few][1]}\n{host[few][1]}", file=sys.stderr)
                    return 2
                each = [(t[many[name]][0] - t[few][0]) / (many[name] - few) for t in (own, host)]
                ours.append(each[0])
                hosts.append(each[1])
            ratio = statistics.median(ours) / statistics.median(hosts)
            ratios = [o / h if h > 0 else float("inf") for o, h in zip(ours, hosts)]
            is_slow |= ratio > most
            print(f"{name:8} {statistics.median(ours) * 1e3:8.2f} ms, host {statistics.median(hosts) * 1e3:7.2f} ms a "
                  f"launch: {ratio:5.2f} times ({min(ratios):.2f} to {max(ratios):.2f})", flush=True)
    return int(is_slow)


if __name__ == "__main__":
    sys.exit(main())
