"""The command line in WebAssembly beside the native one: what both write is equal byte for byte.

  same_as_native.py NATIVE PROGRAM.js [--seed S] [--requests K] [--only K]

Every kernel in three schedules: whole trace files. Then so many random requests of `show --json`, and what is refused, in
the same words. The seed is fresh and printed."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCHEDULES = ["to-barrier", "lockstep", "shuffle:7"]


class Web:
    """The program under node, many times in one process."""

    def __init__(self, program):
        self.node = subprocess.Popen(["node", HERE / "many.mjs", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     text=True, bufsize=1)

    def __call__(self, words):
        self.node.stdin.write(json.dumps(words) + "\n")
        answer = self.node.stdout.readline()
        if not answer:
            sys.exit(f"FAIL: node ended at {' '.join(words)}")
        answer = json.loads(answer)
        return answer["exit"], answer["out"], answer["err"]

    def close(self):
        self.node.stdin.close()
        self.node.wait()


def native_of(program):
    def run(words):
        done = subprocess.run([program, *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                              env={**os.environ, "BARRIERSCOPE_GPU_MODULE": "/nowhere"})
        return done.returncode, done.stdout, done.stderr
    return run


def random_request(pick, kernels):
    """Words of a `show --json`: a kernel with a random size, values, parameters and schedule. Some are refused."""
    kernel = pick.choice(kernels)
    words = ["show", kernel["name"], "--json", "--schedule", pick.choice(["auto", *SCHEDULES, f"shuffle:{pick.randrange(1000)}"])]
    if pick.random() < 0.4:
        words += ["--values=" + ",".join(str(pick.randrange(-99, 100)) for _ in range(pick.randrange(1, 40)))]
    else:
        words += ["--n", str(pick.choice([1, 2, 7, 16, 33, 100, 256, 500])), "--seed", str(pick.randrange(1000))]
    if pick.random() < 0.5:
        words += ["--block", str(pick.choice([4, 8, 16, 32, 48, 64]))]
    for parameter in kernel["parameters"]:
        if parameter["values"] and pick.random() < 0.4:
            words += ["--set", f"{parameter['name']}={pick.choice(parameter['values'])}"]
    return words


def first_difference(a, b):
    at = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return f"at {at}: {a[max(0, at - 60):at + 60]!r} and {b[max(0, at - 60):at + 60]!r}"


def main():
    given = argparse.ArgumentParser()
    given.add_argument("native")
    given.add_argument("program")
    given.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    given.add_argument("--requests", type=int, default=50)
    given.add_argument("--only", type=int, help="this request alone")
    a = given.parse_args()
    print(f"seed {a.seed}")
    native, web = native_of(a.native), Web(a.program)
    wrong = 0

    def compare(words, what, left, right):
        nonlocal wrong
        if left != right:
            wrong += 1
            print(f"FAIL: {what}: {' '.join(words)}\n  native and page differ {first_difference(left, right)}")

    listed = native(["list", "--json"])
    without_lessons = [json.loads(text) | {"lessons": []} for text in (listed[1], web(["list", "--json"])[1])]  # node has no assets
    compare(["list", "--json"], "what is listed", *map(json.dumps, without_lessons))
    kernels = [{"name": k["name"], "parameters": [{"name": p["name"], "values": [c["value"] if isinstance(c, dict) else c
                                                                                 for c in p.get("values", [])]}
                                                  for p in k.get("parameters", [])]}
               for k in json.loads(listed[1])["kernels"]]
    traces = 0
    with tempfile.TemporaryDirectory() as folder:
        theirs, ours = f"{folder}/native.bscope", f"{folder}/page.bscope"
        for kernel in kernels if a.only is None else []:
            for schedule in SCHEDULES:
                words = ["trace", kernel["name"], "--schedule", schedule, "-o"]
                left, right = native([*words, theirs]), web([*words, ours])
                compare(words, "exit code", str(left[0]), str(right[0]) + (right[2] if right[0] != left[0] else ""))
                if left[0] == right[0] == 0:
                    with open(theirs, "rb") as x, open(ours, "rb") as y:
                        compare(words, "trace file", x.read(), y.read())
                    traces += 1
    requests = shown = 0
    for k in range(a.requests):
        pick = random.Random(f"{a.seed} {k}")
        if a.only is not None and k != a.only:
            continue
        words = random_request(pick, kernels)
        left, right = native(words), web(words)
        requests += 1
        shown += left[0] == 0
        for part, name in enumerate(["exit code", "output", "what is said"]):
            compare(words, f"request {k}, {name}", str(left[part]), str(right[part]))
    web.close()
    print(f"{traces} traces of {len(kernels)} kernels and {requests} requests ({shown} shown, the others refused): "
          f"{wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
