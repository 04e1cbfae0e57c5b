"""Recordings of `barrierscope time` (barrierscope.time/1) as tables need them: curves, references, ratios with their
spread. GB is 10^9 bytes. No command of its own: tools/performance_page.py uses it."""

import json
import math
import pathlib
import statistics

REFERENCES = ("cub", "thrust", "copy", "read")
BASELINES = ("serial", "tbb")
INPUT = ("pattern", "skew", "entropy", "seed")  # parameters that say what the data are
SETTINGS = ("block", "items", "loads", "unroll", "stages", "copies", "width", "access", "block_scan")
FAMILIES = ("reduce", "scan", "histogram")
LAST = {  # the kernels that are to pass CUB
    "reduce": ("reduce/grid-stride", "reduce/bulk-copy", "reduce/one-atomic", "reduce/last-block"),
    "scan": ("scan/look-back", "scan/look-ahead"),
    "histogram": ("histogram/privatised", "histogram/per-lane"),
}
LIMIT = {"reduce": "read", "scan": "copy", "histogram": "read"}  # what the family's bytes could reach at best


def load(path):
    return json.loads(pathlib.Path(path).read_text())


def power(n):
    log = int(math.log2(n))
    return f"2^{log}" if n == 1 << log else f"{n:,}"


def family_of(record):
    first, _, rest = record["kernel"].partition("/")
    return rest if first in REFERENCES + BASELINES else first


def is_ours(record):
    return record["kernel"].partition("/")[0] in FAMILIES


def as_it_should(record):
    """Right, or wrong by design."""
    return record["correct"] or record["kernel"] == "histogram/racy"


def input_of(record):
    """What the keys of a histogram are, in words; for others and old recordings what is usual."""
    p = record["parameters"]
    if "entropy" in p and p["entropy"] != "1":
        return "one key" if p["entropy"] == "0" else f"entropy {p['entropy']}"
    if p.get("skew", "0") != "0":
        return f"skew {p['skew']}"
    if p.get("pattern") in ("zipf", "ones", "ramp", "skewed"):
        return {"zipf": "Zipf", "ones": "one key"}.get(p["pattern"], p["pattern"])
    return "uniform"


def gpus_of(record):
    return record.get("gpus", 1)


def spread(samples):
    """Median and the quartiles' distance as a share of it."""
    if len(samples) < 2:
        return statistics.median(samples), 0.0
    low, middle, high = statistics.quantiles(samples, n=4)
    return middle, (high - low) / middle


def with_error(value, error):
    """1.314 ± 0.004: three digits, or four where the error allows; the error rounded up."""
    if not value:
        return "0"
    least = max(0, 2 - math.floor(math.log10(abs(value))))
    digits = min(max(least, -math.floor(math.log10(error)) if error > 0 else 99), least + 1)
    up = math.ceil(error * 10**digits * 0.999) / 10**digits
    return f"{value:.{digits}f} ± {up:.{digits}f}"


class Ratio:
    """How many times as fast as the reference, and how far the quartiles of both leave that open. Where the reference is
    a rate alone (an old recording's copy), it has no spread of its own."""

    def __init__(self, ours, reference, warm=False):
        key = "warm_samples" if warm else "samples"
        mine, mine_open = spread(ours[key])
        if isinstance(reference, dict):
            # by time for one job, so that what a reference must move in addition does not count
            other, other_open = spread(reference[key])
            self.value = other / mine
        else:
            other_open = 0.0
            self.value = ours["bytes"] / mine / 1e9 / reference
        self.error = self.value * math.hypot(mine_open, other_open) / 2

    def __str__(self):
        return with_error(self.value, self.error)


class Recording:
    """One run on one device: its facts, and its records by what a table asks for."""

    def __init__(self, run):
        self.run = run
        self.records = [dict(r, parameters={k: str(v) for k, v in r["parameters"].items()}) for r in run["records"]]
        self.notes = run.get("notes", [])

    def __getattr__(self, name):
        return self.run.get(name)

    def families(self):
        there = {family_of(r) for r in self.records}
        return [f for f in FAMILIES if f in there]

    def of(self, family):
        """Our records of a family, one GPU, that are as they should be."""
        return [r for r in self.records if family_of(r) == family and is_ours(r) and gpus_of(r) == 1 and as_it_should(r)]

    def reference(self, name, record, warm=False):
        """The reference's record of the same job, else None: same length and type; CUB and Thrust on the same data too
        where time depends on them."""
        family = family_of(record)
        strict = family == "histogram" and name in ("cub", "thrust")

        def distance(r):
            return sum(r["parameters"].get(k) != record["parameters"].get(k) for k in (*INPUT, "scan", "bins", "operator"))

        found = [r for r in self.records
                 if r["kernel"] == f"{name}/{family}" and r["n"] == record["n"] and r["type"] == record["type"]
                 and gpus_of(r) == 1 and (not strict or input_of(r) == input_of(record))
                 and (not warm or r.get("warm_samples"))]
        return min(found, key=distance, default=None)

    def limit(self, name, record):
        """The copy or the pure read that the record is measured against: one of the same length, else the run's."""
        return self.reference(name, record) or self.run.get(f"{name}_gb_per_s")

    def ratio(self, name, record, warm=False):
        """Ratio, or None where there is no such reference."""
        if warm:
            other = self.reference(name, record, warm=True) if record.get("warm_samples") else None
        else:
            other = self.limit(name, record) if name in ("copy", "read") else self.reference(name, record)
        return Ratio(record, other, warm) if other and record["samples"] else None

    def curves(self, family, least=3):
        """(kernel, type, its parameters but the type) -> {n: record}, references too: those of the usual data on one GPU
        that were measured at `least` lengths. Of a point measured twice the later counts."""
        found = {}
        for r in self.records:
            if family_of(r) != family or gpus_of(r) != 1 or not as_it_should(r) or input_of(r) != "uniform":
                continue
            key = (r["kernel"], r["type"], tuple(sorted((k, v) for k, v in r["parameters"].items() if k != "type")))
            found.setdefault(key, {})[r["n"]] = r
        return {k: v for k, v in found.items() if len(v) >= least}

    def usual(self, family):
        """The curves of sums, of the type that most were measured with; none that was measured beside several GPUs."""
        every = {k: v for k, v in self.curves(family).items()
                 if dict(k[2]).get("operator", "add") == "add" and "exchange" not in dict(k[2])}
        types = [t for _, t, _ in every]
        return {k: v for k, v in every.items() if k[1] == max(types, key=types.count)} if types else {}

    def unusual(self, record):
        """What the record's kernel was set to beside how it is mostly measured, in words: "block 384"."""
        words = []
        for name in SETTINGS:
            values = [r["parameters"].get(name) for r in self.records if r["kernel"] == record["kernel"]]
            mine = record["parameters"].get(name)
            if mine and mine != max(values, key=values.count):
                words.append(f"{name} {mine}")
        return ", ".join(words)

    def best(self, family, n):
        """The fastest of the last kernels at this length, on the usual data."""
        usual_type = "uint8" if family == "histogram" else "int32"
        there = [r for r in self.of(family) if r["kernel"] in LAST[family] and r["n"] == n and r["type"] == usual_type
                 and input_of(r) == "uniform" and r["correct"]]
        return max(there, key=lambda r: r["gb_per_s"], default=None)


def telling(curves):
    """For each curve the parameters that tell it from the others of its kernel, as text."""
    names = {}
    for kernel, _, parameters in curves:
        names.setdefault(kernel, []).append(dict(parameters))
    words = {}
    for key in curves:
        kernel, _, parameters = key
        differ = [(k, v) for k, v in parameters if any(o.get(k) != v for o in names[kernel])]
        words[key] = ", ".join(f"{k} {v}" for k, v in differ)
    return words


# What the project sets out to reach: (family, log2 n, reference, at least this many times as fast).
GOALS = (
    ("reduce", 27, "cub", 1.02), ("reduce", 29, "cub", 1.02), ("reduce", 31, "cub", 1.02),
    ("reduce", 27, "read", 0.997), ("reduce", 29, "read", 0.997), ("reduce", 31, "read", 0.997),
    ("scan", 27, "cub", 1.31), ("scan", 29, "cub", 1.31), ("scan", 31, "cub", 1.31),
    ("scan", 27, "copy", 0.975), ("scan", 29, "copy", 0.975), ("scan", 31, "copy", 0.975),
    ("histogram", 20, "cub", 1.0), ("histogram", 31, "cub", 2.1), ("histogram", 31, "read", 0.975),
)
ANY_SKEW = 1.9  # a histogram, over CUB on the same keys


def goals(recording):
    """(goal, kernel, ratio as text, verdict) of every goal that the recording can answer."""
    rows = []

    def row(words, kernel, ratio, least):
        near = (ratio.value / least - 1) * 100
        reached = "reached" if near >= 0 else "within the spread" if ratio.value + ratio.error >= least else f"{-near:.1f}% short"
        rows.append((words, kernel, str(ratio), reached))

    names = {"cub": "CUB", "copy": "a copy", "read": "a pure read"}
    for family, log_n, name, least in GOALS:
        best = recording.best(family, 1 << log_n)
        ratio = best and recording.ratio(name, best)
        if ratio:
            row(f"{family} at 2^{log_n}: {least:g} of {names[name]}", best["kernel"], ratio, least)
            limit = "copy" if family == "scan" else "read"
            of_limit = recording.ratio(limit, best)
            if name == "cub" and rows[-1][3].endswith("short") and of_limit and ratio.value / of_limit.value < least:
                rows[-1] = (*rows[-1][:3], f"{rows[-1][3]}; {names[limit]} reaches {ratio.value / of_limit.value:.2f}")
    skewed = [(recording.ratio("cub", r), r) for r in recording.of("histogram")
              if r["kernel"] in LAST["histogram"] and r["n"] >= 1 << 29 and input_of(r) != "uniform" and r["correct"]]
    worst = {}
    for ratio, r in skewed:
        if ratio and (r["kernel"] not in worst or ratio.value < worst[r["kernel"]][0].value):
            worst[r["kernel"]] = (ratio, r)
    if worst:
        kernel, (ratio, r) = max(worst.items(), key=lambda w: w[1][0].value)
        row(f"histogram, any keys: {ANY_SKEW:g} of CUB; worst on {input_of(r)}", kernel, ratio, ANY_SKEW)
    return rows


def job_of(record):
    """Which job a record did, but for its length: type, operator, kind of scan, keys."""
    p = record["parameters"]
    family = family_of(record)
    if family == "histogram":
        return (family, input_of(record))
    return (family, record["type"], p.get("operator", "add"), *([p.get("scan", "inclusive")] if family == "scan" else []))


def past(recording, warm=False):
    """{job: {n: (best of ours over CUB, its spread, the kernel, and what it reaches of the limit)}}: a kernel is compared
    with the CUB that stands nearest behind it in the file, which took turns with it (time --in-turn)."""
    key = "warm_samples" if warm else "samples"
    there = [(k, r) for k, r in enumerate(recording.records) if gpus_of(r) == 1 and r.get(key)]
    others = {}
    for k, r in there:
        if not is_ours(r):
            others.setdefault((r["kernel"].partition("/")[0], job_of(r), r["n"]), []).append((k, r))
    jobs = {}
    for k, r in there:
        if not is_ours(r) or not r["correct"]:
            continue

        def near(name):
            found = others.get((name, job_of(r), r["n"]))
            return found and min(found, key=lambda f: (f[0] < k, abs(f[0] - k)))[1]

        cub, limit = near("cub"), near(LIMIT[family_of(r)])
        if not cub:
            continue
        ratio = Ratio(r, cub, warm)
        best = jobs.setdefault(job_of(r), {})
        if r["n"] not in best or best[r["n"]][0].value < ratio.value:
            best[r["n"]] = (ratio, r, cub, limit)
    return jobs


def past_text(recording, warm=False):
    """What --past prints: for each job a line with the best of ours over CUB at each length, and what is under 1."""
    lines, under = [], []
    for job, lengths in sorted(past(recording, warm).items()):
        lines.append(" ".join(job) + (", warm" if warm else ""))
        for n, (ratio, r, cub, limit) in sorted(lengths.items()):
            mine, theirs = (statistics.median(x["warm_samples" if warm else "samples"]) * 1e6 for x in (r, cub))
            of_limit = f"  {Ratio(r, limit, warm)} of {limit['kernel']}" if limit and limit.get("warm_samples" if warm else "samples") else ""
            lines.append(f"  {power(n):>13}  {str(ratio):<15} {r['kernel']:<22}{mine:>10.2f} us, CUB {theirs:>10.2f} us{of_limit}")
            if ratio.value < 1:
                under.append(f"{' '.join(job)} at {power(n)}: {ratio}{', within the spread' if ratio.value + ratio.error >= 1 else ''}")
    return "\n".join(lines + ["", f"under 1.0{', warm' if warm else ''}: {len(under)} of {sum(map(len, past(recording, warm).values()))}", *under])


def ratios(recording):
    """What benchmarks/record_gpu.sh prints: each kernel at its family's largest length, then the goals."""
    lines = [f"{recording.device}, {recording.driver}, {recording.date}: copy {recording.copy_gb_per_s or 0:,.0f} GB/s, "
             f"pure read {recording.read_gb_per_s or 0:,.0f}"]
    for family in recording.families():
        curves = recording.usual(family)
        if not curves:
            continue
        words = telling(curves)
        largest = max(n for points in curves.values() for n in points)
        lines += ["", f"{family + ' at ' + power(largest):<34}{'GB/s':>8}  {'of CUB':<18}{'of Thrust':<18}{'of copy':<18}of read"]
        for key, points in sorted(curves.items(), key=lambda c: c[1].get(largest, {"gb_per_s": 0})["gb_per_s"]):
            if largest not in points:
                continue
            r = points[largest]
            cells = [str(recording.ratio(name, r) or "-") if r["kernel"] != f"{name}/{family}" else "1"
                     for name in REFERENCES]
            name = f"{key[0]} {words[key]}".strip()
            lines.append(f"{name:<34}{r['gb_per_s']:>8,.4g}  " + "".join(f"{c:<18}" for c in cells).rstrip())
    reached = goals(recording)
    if reached:
        wide = max(len(words) for words, *_ in reached)
        lines += ["", "goals"]
        lines += [f"{words:<{wide}}  {kernel:<22}{ratio:<18}{verdict}" for words, kernel, ratio, verdict in reached]
    wrong = sorted({r["kernel"] for r in recording.records if not as_it_should(r)})
    if wrong:
        lines += ["", "wrong results: " + ", ".join(wrong)]
    return "\n".join(lines)
