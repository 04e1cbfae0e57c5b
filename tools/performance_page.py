#!/usr/bin/env python3
"""Writes docs/performance.md and its figures from assets/recorded: what each rung reaches at full size.

  tools/performance_page.py [--program build/release/barrierscope]   writes the page, docs/pictures/performance/*.svg
  tools/performance_page.py --check                                  compares, writes nothing, exits 1 on a difference

Nothing on the page is typed: tables and charts come from the samples of `barrierscope time` on a GPU. The figures are
the Time tab's.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDED = ROOT / "assets" / "recorded"
PAGE = ROOT / "docs" / "performance.md"
PICTURES = ROOT / "docs" / "pictures" / "performance"
SHOWN = {"reduce": "reduce/shared", "scan": "scan/kogge-stone", "histogram": "histogram/shared-atomics"}  # in the figures
SIZES = (16, 20, 24)  # log2 N of the table's columns, before the largest
BAR = 40  # characters that a copy takes in a chart


def power(n):
    log = int(math.log2(n))
    return f"2^{log}" if n == 1 << log else f"{n:,}"


def spread(samples):
    """Median and the quartiles' distance as a share of it."""
    if len(samples) < 2:
        return statistics.median(samples), 0.0
    low, middle, high = statistics.quantiles(samples, n=4)
    return middle, (high - low) / middle


def ratio(ours, reference):
    """How many times as fast as the reference, and how far the quartiles of both leave that open."""
    mine, mine_open = spread(ours["samples"])
    other, other_open = spread(reference["samples"])
    return f"{other / mine:.3g} ± {other / mine * math.hypot(mine_open, other_open) / 2:.1g}"


def family_of(record):
    first, _, rest = record["kernel"].partition("/")
    return rest if first in ("cub", "thrust", "serial", "tbb", "copy") else first


def curves(records):
    """(kernel, its parameters but the usual ones) -> {n: record}; a curve measured twice keeps the first."""
    found = {}
    for r in records:
        shown = {k: v for k, v in r["parameters"].items() if k != "type"}
        text = ", ".join(f"{k} {v}" for k, v in sorted(shown.items())) + f", {r['type']}"
        found.setdefault((r["kernel"], text), {}).setdefault(r["n"], r)
    return found


def family_section(family, records, copy):
    every = curves([r for r in records if r["correct"] or r["kernel"] == "histogram/racy"])
    largest = max(n for points in every.values() for n in points)
    sizes = [1 << log for log in SIZES if 1 << log < largest] + [largest]
    rows = sorted(every.items(), key=lambda c: c[1][largest]["gb_per_s"] if largest in c[1] else 0)
    reference = next((points for (kernel, _), points in every.items() if kernel == f"cub/{family}"), {})
    lines = [f"### {family}", "", f"At N = {power(largest)}, in GB/s; a copy of as many bytes would reach the bar's end.", "",
             "```"]
    width = max(len(kernel) for (kernel, _), _ in rows)
    for (kernel, _), points in rows:
        if largest in points:
            speed = points[largest]["gb_per_s"]
            lines.append(f"{kernel:{width}}  {'█' * round(BAR * min(speed / copy, 1)):{BAR}}|{speed:7,.0f}")
    head = ["kernel", "parameters", *(f"GB/s at {power(n)}" for n in sizes), "of copy", "noise", "CUB = 1"]
    lines += ["```", "", "| " + " | ".join(head) + " |", "|---|---|" + "---:|" * (len(head) - 2)]
    for (kernel, parameters), points in rows:
        last = points.get(largest)
        cells = [f"`{kernel}`", parameters, *(f"{points[n]['gb_per_s']:,.4g}" if n in points else "" for n in sizes)]
        cells += [f"{last['of_copy']:.1%}", f"{last['noise']:.2%}"] if last else ["", ""]
        cells.append(ratio(last, reference[largest]) if last and largest in reference else "")
        lines.append("| " + " | ".join(cells) + " |")
    return lines + [""]


def recording_section(run):
    lines = [f"## {run['device']}", "",
             f"Recorded {run['date'][:10]}, driver {run['driver']}. In the same run a copy reached "
             f"{run['copy_gb_per_s']:,.0f} GB/s, a pure read {run['read_gb_per_s']:,.0f}; the memory's peak is "
             f"{run['peak_gb_per_s']:,.0f}.", ""]
    families = list(dict.fromkeys(map(family_of, run["records"])))
    for family in families:
        lines += family_section(family, [r for r in run["records"] if family_of(r) == family], run["copy_gb_per_s"])
    wrong = sorted({r["kernel"] for r in run["records"] if not r["correct"]})
    if wrong:
        lines += [f"Not right, as it must be: {', '.join(f'`{k}`' for k in wrong)}.", ""]
    return lines


def page():
    lines = ["# At full size", "",
             "Written by `tools/performance_page.py` from `assets/recorded`; do not edit. These are **recorded** "
             "figures of the GPUs named, not of the machine that you read this on. Medians; GB/s counts the bytes that "
             "the task must move, each once; noise is how sure the median is; the last column is CUB's time over "
             "ours, with the quartiles of both. The Time tab draws the same recordings as curves; "
             "`benchmarks/record_gpu.sh` makes one on a machine with a GPU.", ""]
    for family in SHOWN:
        lines += [f"![{family}: GB/s against N](pictures/performance/{family}.svg)", ""]
    for file in sorted(RECORDED.glob("*.json")):
        lines += recording_section(json.loads(file.read_text()))
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "barrierscope")
    parser.add_argument("--check", action="store_true", help="compare with what is there")
    args = parser.parse_args()
    if not args.check:
        PICTURES.mkdir(parents=True, exist_ok=True)
        for family, kernel in SHOWN.items():
            subprocess.run([args.program.resolve(), "render", kernel, "--view", "time", "--theme", "light", "--size",
                            "1200x640", "-o", PICTURES / f"{family}.svg"], check=True)
        PAGE.write_text(page())
    elif not PAGE.exists() or PAGE.read_text() != page():
        print("docs/performance.md is not what assets/recorded holds: run tools/performance_page.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
