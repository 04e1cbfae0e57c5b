#!/usr/bin/env python3
"""Memory ends in words: under any `ulimit -v` every verb does its work or says in one sentence that it cannot; the
largest n that a refusal names goes, within the memory that was allowed."""

import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/dev")) / "barrierscope"
MB = 1 << 20


def run(arguments, room=None):
    """Exit code, the last line of stderr, and the most memory that was held, in bytes."""

    def bound():
        if room:
            resource.setrlimit(resource.RLIMIT_AS, (room, room))

    with tempfile.TemporaryFile() as err, open(os.devnull, "wb") as out:
        child = subprocess.Popen([PROGRAM, *arguments], stdout=out, stderr=err, preexec_fn=bound)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        lines = err.read().decode(errors="replace").strip().splitlines()
    return child.returncode, lines[-1] if lines else "", used.ru_maxrss * 1024


def problems_under_a_limit(folder):
    verbs = [
        ["show", "scan/blelloch", "--n", "600"],
        ["check", "scan/kogge-stone", "--n", "4000", "--block", "1024"],
        ["trace", "reduce/shared", "--n", "4000", "-o", f"{folder}/x.bscope"],
        ["render", "scan/blelloch", "-o", f"{folder}/x.svg"],
        ["render", "scan/blelloch", "-o", f"{folder}/x.png"],
        ["time", "reduce/shared", "--n", "1000", "--device", "cpu", "--seconds", "0.001"],
    ]
    refused = 0
    for verb in verbs:
        for room in (90, 350):
            code, last, _ = run(verb, room * MB)
            if code == 0:
                continue
            refused += 1
            if code != 1 or not last.startswith("barrierscope: ") or "memory" not in last:
                yield f"{' '.join(verb)} with {room} MB: exit code {code}, \"{last}\""
    if refused < 4:
        yield f"only {refused} runs had too little memory: this test proves nothing"


def problems_of_the_largest(base):
    for kernel in ("scan/kogge-stone", "histogram/serial", "reduce/shared"):
        allowed = 60_000_000
        ask = ["check", kernel, "--block", "64", "--max-memory", str(allowed)]
        if kernel == "histogram/serial":
            ask = ["check", kernel, "--max-memory", str(allowed)]
        code, last, used = run([*ask, "--n", "2^62"])
        named = re.search(r"use at most --n (\d+),", last)
        if code != 2 or not named:
            yield f"{kernel}: 2^62 elements: exit code {code}, \"{last}\""
            continue
        if used > base + 40 * MB:
            yield f"{kernel}: {used // MB} MB were taken before 2^62 elements were refused"
        code, last, used = run([*ask, "--n", named[1]])
        if code != 0 or used > base + allowed:
            yield f"{kernel}: --n {named[1]} goes, it says: exit code {code}, {used // MB} MB, \"{last}\""


def main():
    if not PROGRAM.exists() or "-fsanitize" in (PROGRAM.parent / "CMakeCache.txt").read_text(errors="replace"):
        print("left out: no program, or one whose sanitizer takes all addresses for itself")
        return 0
    base = run(["--version"])[2]
    with tempfile.TemporaryDirectory() as folder:
        problems = [*problems_under_a_limit(folder), *problems_of_the_largest(base)]
    code, last, _ = run(["show", "scan/blelloch", "--max-memory", "1"])
    if code != 2 or "1 byte allowed" not in last:
        problems.append(f"--max-memory 1: exit code {code}, \"{last}\"")
    print(*problems, sep="\n")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
