"""Random runs of every kernel against models written here from the definitions of scan, reduction and histogram,
independent of the program's own references: lengths from 1 to 20,000, every legal block, types, operators, schedules
and all other parameters. The seed is fresh in each run and printed.

  random_runs_test.py                        as many runs as 45 seconds of processor allow
  random_runs_test.py --seed 7 --runs 5000   so many runs
  random_runs_test.py --seed 7 --only 123    that run again

What is compared: int32, keys and maps bit for bit; min and max of any type bit for bit; sums of float and double
within what any order of the additions may differ by, (n - 1) u / (1 - (n - 1) u) times the sum of the magnitudes, u
half a unit in the last place. Runs of up to 2,000 elements are analysed, too: no hazard, no fault, snapshots that
match, a proof that holds.

histogram/racy loses updates, and must say how many: its bins hold what was not lost. The gallery of mistakes is wrong
on purpose: what each of them must do is in tests/cli/mistakes_test.cpp."""

import argparse
import array
import collections
import itertools
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MOST_N = 20000
ANALYSED_N = 2000
CODES = {"int32": "i", "float": "f", "double": "d", "affine": "I"}
UNIT = {"float": 2.0 ** -24, "double": 2.0 ** -53}


# --- the models: what comes out, and how far off a sum of floats may be (None: bit for bit)

def wrapped(x):
    """An integer as 32 bits hold it."""
    return (x + 0x80000000 & 0xFFFFFFFF) - 0x80000000


def composed(f, g):
    """The map y -> slope y + offset that is f, then g; both modulo 2^16. A map is (slope, offset)."""
    return f[0] * g[0] & 0xFFFF, g[0] * f[1] + g[1] & 0xFFFF


class Operation:
    """x0 o x1 o ... for an operator on a type."""

    def __init__(self, run):
        self.type, self.name = run["set"].get("type", "int32"), run["set"].get("operator", "add")
        if self.name == "affine":
            self.type = "affine"
        least, most = (-0x80000000, 0x7FFFFFFF) if self.type == "int32" else (-math.inf, math.inf)
        self.identity = {"add": 0, "min": most, "max": least, "affine": (1, 0)}[self.name]
        # Sums are made without any rounding, and wrapped in the end.
        self.join = {"add": lambda a, b: a + b, "min": min, "max": max, "affine": composed}[self.name]

    def elements(self, values):
        if self.type == "affine":
            return [(v & 0xFFFF, 1) for v in values]
        return list(array.array(CODES[self.type], values))

    def result(self, values):
        """As the element type holds them."""
        if self.type == "affine":
            return [slope << 16 | offset for slope, offset in values]
        if self.type == "int32":
            return [wrapped(v) for v in values]
        return [float(v) for v in values]

    def bounds(self, elements, more=0):
        """How far from the exact prefix sums any order may end; `more`: roundings of each element before."""
        if self.name != "add" or self.type == "int32":
            return None
        u = UNIT[self.type] * (len(elements) + 1 + more)
        return [s * u / (1 - u) for s in itertools.accumulate(abs(x) for x in elements)]


def exact_sums(elements, of_floats):
    """Prefix sums, rounded once each."""
    if not of_floats:
        return list(itertools.accumulate(elements))
    # Every float is a whole number of the smallest unit among them.
    shift = max((max(0, 52 - math.frexp(x)[1] + 1) for x in elements if x), default=0)
    scale = 1 << shift
    whole = [n * (scale // d) for n, d in (x.as_integer_ratio() for x in elements)]
    return [s / scale for s in itertools.accumulate(whole)]


def prefix(op, elements):
    if op.name == "add":
        return exact_sums(elements, op.type != "int32")
    return list(itertools.accumulate(elements, op.join))


def scan(run):
    op = Operation(run)
    x = op.elements(run["values"])
    y, off = prefix(op, x), op.bounds(x)
    if run["set"]["scan"] == "exclusive":
        y = [op.identity] + y[:-1]
        off = off and [0] + off[:-1]
    return op.type, op.result(y), off


def reduction(run):
    op = Operation(run)
    power = {"sum": 1, "squares": 2, "cubes": 3}[run["set"].get("of", "sum")]
    x = op.elements(run["values"])
    if power > 1:
        x = [v ** power for v in x]
    y, off = prefix(op, x), op.bounds(x, power)
    return op.type, op.result(y[-1:]), off and off[-1:]


def histogram(run):
    bins = [0] * int(run["set"]["bins"])
    for key in run["values"]:
        bins[key] += 1
    return "int32", bins, None


def reverse(run):
    block, x = run["block"], Operation(run).elements(run["values"])
    tiles = (x[k:k + block] + [0] * (k + block - len(x)) for k in range(0, len(x), block))
    return run["set"]["type"], [v for tile in tiles for v in tile[::-1]][:len(x)], None


def strided(run, lane):
    """Thread k reads the element of `width` numbers whose number is offset + lane(k) stride."""
    s, x = {name: int(v) for name, v in run["set"].items()}, run["values"]
    width = s["width"] // 4
    first = [width * (s["offset"] + lane(k) * s["stride"]) for k in range(len(x))]
    return "int32", [wrapped(sum(x[(f + j) % len(x)] for j in range(width))) for f in first], None


MODELS = {"reduce": reduction, "scan": scan, "histogram": histogram}
OWN_MODELS = {
    "patterns/shared-stride": lambda run: strided(run, lambda k: k % run["block"] % 32),
    "patterns/global-stride": lambda run: strided(run, lambda k: k),
    "skeleton/reverse": reverse,
}
LEFT_OUT = {"mistakes"}


# --- the runs

def log_uniform(r, least, most):
    return min(most, int(math.exp(r.uniform(math.log(least + 1), math.log(most + 2)))) - 1) if least < most else least


def drawn_block(r, legal):
    near = [b for b in legal if b % 32 in (0, 1, 31)]
    block = r.choice([r.choice(legal), r.choice(near or legal), log_uniform(r, 1, legal[-1])])
    return block if block in legal else r.choice(legal)


def drawn(kernels, seed, number):
    """Run `number` of a seed."""
    r = random.Random(f"{seed}/{number}")
    kernel = kernels[number % len(kernels)]
    set_, of = {}, kernel["parameters"]
    for name, p in of.items():
        set_[name] = r.choice(p["values"]) if p["values"] else str(log_uniform(r, p["least"], min(p["most"], 70000)))
    # Maps are of one type, and powers are only added.
    if set_.get("operator") == "affine" and "type" in set_:
        set_["type"] = "int32"
    if set_.get("of", "sum") != "sum":
        set_["operator"] = "add"
    block = drawn_block(r, kernel["blocks"])
    n = r.choice([r.randint(1, MOST_N), log_uniform(r, 1, MOST_N),
                  min(MOST_N, max(1, r.randint(1, max(1, MOST_N // block)) * block + r.randint(-1, 1)))])
    if "bins" in set_:
        bins = int(set_["bins"])
        favourite = r.random() ** 3 if r.random() < 0.5 else 0
        values = [0 if r.random() < favourite else r.randrange(bins) for _ in range(n)]
    elif set_.get("type") in ("float", "double") and r.random() < 0.7:
        size = r.choice([1, 100, 1e6])
        values = [r.uniform(-size, size) for _ in range(n)]
    else:
        most = r.choice([1, 9, 1000, 30000 if set_.get("of") else 0x7FFFFFFF])
        if set_.get("type") in ("float", "double"):
            most = min(most, 1000)
        if set_.get("operator") == "affine":
            most = min(most, 32767)  # a slope has 16 bits
        values = [r.randint(-most, most) for _ in range(n)]
    schedule = r.choice(["auto", "to-barrier", "to-barrier", "lockstep", f"shuffle:{r.randrange(1, 2 ** 31)}"])
    return {"kernel": kernel["kernel"], "block": block, "set": set_, "schedule": schedule, "values": values,
            "analyse": n <= ANALYSED_N or kernel["kernel"] == "histogram/racy"}


def wrong(run, answer):
    """What is wrong with an answer, in words; None: nothing."""
    if answer["findings"]:
        return "finding: " + answer["findings"][0]
    name = run["kernel"]
    model = OWN_MODELS.get(name) or MODELS[name.split("/")[0]]
    type_, want, off = model(run)
    got = array.array(CODES[type_])
    got.frombytes(bytes.fromhex(answer["output"]))
    if len(got) != len(want):
        return f"{len(got)} values came out, {len(want)} should"
    if name == "histogram/racy":
        if answer["lost"] != len(run["values"]) - sum(got):
            return f"{answer['lost']} updates are said to be lost, {len(run['values']) - sum(got)} are"
        return next((f"bin {b} holds {g} of {w} keys" for b, (g, w) in enumerate(zip(got, want))
                     if not (w > 0) <= g <= w), None)
    for k, (g, w) in enumerate(zip(got, want)):
        if g != w if off is None else not abs(g - w) <= off[k] * (1 + 1e-12):
            return f"[{k}] is {g!r}, should be {w!r}" + ("" if off is None else f" within {off[k]:.3g}")
    if run["analyse"]:
        if not answer["correct"]:
            return "right, and the report says wrong"
        if answer["faults"] or not answer["snapshots_match"]:
            return "the replay differs: " + "; ".join(answer["faults"] or ["snapshots"])
        if answer["hazards"]:
            return f"{answer['hazards']} hazards"
        if answer["proof"] not in ("none", "holds"):
            return answer["proof"]
    return None


def command(run):
    return (f"barrierscope check {run['kernel']} --n {len(run['values'])} --block {run['block']} --schedule "
            f"{run['schedule']}" + "".join(f" --set {k}={v}" for k, v in run["set"].items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--runs", type=int, help="so many, however long they take")
    parser.add_argument("--seconds", type=float, default=45, help="of processor (default: %(default)s)")
    parser.add_argument("--only", type=int, help="this run alone")
    parser.add_argument("--kernel", help="only kernels whose name contains this")
    parser.add_argument("--build", default=os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build" / "release"))
    args = parser.parse_args()
    print(f"seed {args.seed}", flush=True)
    host = subprocess.Popen([pathlib.Path(args.build) / "tests" / "random_runs"], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True)
    kernels = [k for k in json.loads(host.stdout.readline())
               if k["kernel"].split("/")[0] not in LEFT_OUT and (args.kernel or "") in k["kernel"]]
    unknown = [k["kernel"] for k in kernels if k["kernel"] not in OWN_MODELS and k["kernel"].split("/")[0] not in MODELS]
    if unknown:
        sys.exit(f"no model of {', '.join(unknown)}: write one in MODELS")
    began, processor, done, failed = time.monotonic(), 0.0, collections.Counter(), []
    refused, longest = collections.Counter(), 0.0
    for number in itertools.count() if args.only is None else [args.only]:
        if args.runs is not None and number >= args.runs:
            break
        if args.runs is None and args.only is None and processor + time.process_time() > args.seconds:
            break
        run = drawn(kernels, args.seed, number)
        host.stdin.write(json.dumps(run) + "\n")
        host.stdin.flush()
        line = host.stdout.readline()
        if not line:
            failed.append(number)
            print(f"run {number}: the program ended\n  {command(run)}", flush=True)
            break
        answer = json.loads(line)
        longest, processor = max(longest, answer["processor_s"] - processor), answer["processor_s"]
        if "findings" in answer and any("bytes, and a block has" in f for f in answer["findings"]):
            answer["refused"] = "a shared array does not fit into a block"
        if "refused" in answer:
            refused[answer["refused"]] += 1
            continue
        done[run["kernel"]] += 1
        if why := wrong(run, answer):
            failed.append(number)
            print(f"run {number}: {why}\n  {command(run)}\n  again: {sys.argv[0]} --seed {args.seed} --only {number}"
                  + (f" --kernel {args.kernel}" if args.kernel else ""), flush=True)
    host.stdin.close()
    host.wait()
    for sentence, times in refused.most_common(5):
        print(f"refused {times} times, for example: {sentence}")
    print(f"{sum(done.values())} runs of {len(done)} kernels, {min(done.values(), default=0)} to "
          f"{max(done.values(), default=0)} of each, {len(failed)} wrong; {time.monotonic() - began:.0f} s, "
          f"{processor + time.process_time():.0f} s of processor, the longest run {longest:.2f} s")
    few = sum(done.values()) < 9 * sum(refused.values())
    if few:
        print("more than one run in ten was refused: the script draws what nobody can run")
    sys.exit(bool(failed) or few or not done)


if __name__ == "__main__":
    main()
