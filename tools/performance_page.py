#!/usr/bin/env python3
"""Writes docs/performance.md and its figures from assets/recorded: what each kernel reaches at full size.

  tools/performance_page.py [--program build/release/barrierscope]   writes the page and docs/pictures/performance/*.svg
  tools/performance_page.py --check                                  compares, writes nothing, exits 1 on a difference
  tools/performance_page.py --past FILE.json                         prints the best of ours over CUB at every length, for each
                                                                     type, operator and kind of scan, cold and warm
  tools/performance_page.py --ratios FILE.json                       prints what the kernels of one recording reach of
                                                                     CUB, Thrust, a copy and a pure read

Nothing on the page is typed but the explanations in tools/performance_explained.json, written by hand: a list of
{"device", "kernel", "parameters": {...}, "why"}, one for each line of "Beside published figures" that needs one, and
{"device", "job", "why"} for a job ("scan float add inclusive") that "Not explained" names. Tables
and plots come from the samples of `barrierscope time` on a GPU. The three large figures are the Time tab's.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from recorded_times import (FAMILIES, LAST, Ratio, Recording, SETTINGS, as_it_should, family_of, gpus_of, input_of, is_ours, load,  # noqa: E402
                            past, past_text, power, ratios, telling)
import small_plots  # noqa: E402

RECORDED = ROOT / "assets" / "recorded"
PAGE = ROOT / "docs" / "performance.md"
PICTURES = ROOT / "docs" / "pictures" / "performance"
EXPLAINED = ROOT / "tools" / "performance_explained.json"
# Open in the figures; all of the open kernel's variants are drawn.
REALLY_COLD = "2026-11-25"  # since when the cache is emptied of what plain loads brought, too
SHOWN = {"reduce": "reduce/interleaved-global", "scan": "scan/look-ahead", "histogram": "histogram/per-lane"}
SIZES = (20, 24)      # log2 N of the tables' columns, before the standard length and the largest
STANDARD = {"reduce": 29, "scan": 29, "histogram": 31}  # log2 N of the bar tables
SMALL = (20, 24)      # log2 N where launches count
GLANCE = (10, 12, 14, 16, 20, 24, 27, 29, 31)  # log2 N of the page's first table
BAR = 40              # characters that a copy takes in a chart

# Measured by others on an NVIDIA H200, int32, N = 2^29, histograms 2^31 uniform bytes: (kernel, parameters, GB/s from, to).
PUBLISHED_ON = "NVIDIA H200"
PUBLISHED = (
    *(("reduce/interleaved-global", {"unroll": str(u), "block": "1024"}, v, v)
      for u, v in ((1, 605), (2, 1086), (4, 1973), (8, 3131))),
    ("reduce/shared", {"unroll": "8", "block": "256"}, 4553, 4553),
    ("cub/reduce", {}, 4554, 4554),
    ("scan/hillis-steele", {}, 824, 824), ("scan/kogge-stone", {}, 655, 655), ("scan/brent-kung", {}, 667, 667),
    ("scan/blelloch", {}, 685, 685), ("scan/blelloch-padded", {}, 940, 940), ("cub/scan", {}, 3140, 3152),
    ("histogram/racy", {}, 15, 15), ("histogram/global-atomics", {}, 4, 4), ("histogram/shared-atomics", {}, 27, 27),
    ("histogram/coarsened", {"items": "5"}, 132, 132), ("histogram/coarsened", {"items": "64"}, 703, 703),
    ("histogram/privatised", {"copies": "per-warp"}, 2282, 2282), ("cub/histogram", {}, 2044, 2044),
)
TELLING = 0.05  # a published figure that is further off asks for a reason
TUNED = SETTINGS[1:]


def table(head, rows, texts=1):
    """Rows as Markdown, the first `texts` columns to the left."""
    return ["| " + " | ".join(head) + " |", "|" + "---|" * texts + "---:|" * (len(head) - texts),
            *("| " + " | ".join(row) + " |" for row in rows), ""]


def rate(r):
    return f"{r['gb_per_s']:,.4g}" if r["gb_per_s"] < 1000 else f"{r['gb_per_s']:,.0f}"


def named(recording, r):
    """A record's kernel, and what of it was not set as usual."""
    return ", ".join(filter(None, [f"`{r['kernel']}`", recording.unusual(r)]))


def order(value):
    """Numbers by size before words."""
    try:
        return (0, float(value), "")
    except ValueError:
        return (1, 0.0, value)


def family_section(family, recording):
    curves = recording.usual(family)
    if not curves:
        return []
    words = telling(curves)
    # the standard length where most were measured at that, else the largest
    longest = max(n for points in curves.values() for n in points)
    standard = 1 << STANDARD[family]
    largest = standard if 2 * sum(standard in points for points in curves.values()) > len(curves) else longest
    measured = {n for points in curves.values() for n in points}
    sizes = sorted({*(1 << log for log in SIZES if 1 << log < largest and 1 << log in measured), largest, longest})
    rows = sorted(curves.items(), key=lambda c: c[1][largest]["gb_per_s"] if largest in c[1] else 0)
    copy = recording.copy_gb_per_s or max(r["gb_per_s"] for points in curves.values() for r in points.values())
    lines = [f"### {family}", "", f"At N = {power(largest)}, in GB/s; a full bar is the rate of a copy of as many bytes.",
             "", "```"]
    names = {key: f"{key[0]} {words[key]}".strip() for key in curves}
    width = max(map(len, names.values()))
    for key, points in rows:
        if largest in points:
            speed = points[largest]["gb_per_s"]
            lines.append(f"{names[key]:{width}}  {'█' * round(BAR * min(speed / copy, 1)):{BAR}}|{speed:7,.0f}")
    limits = ["copy", "read"] if any(recording.reference("read", p[largest]) for p in curves.values() if largest in p) else ["copy"]
    asked = ["cub", *(["thrust"] if any(k[0] == f"thrust/{family}" for k in curves) else []), *limits]
    titles = {"cub": "CUB = 1", "thrust": "Thrust = 1", "copy": "copy = 1", "read": "read = 1"}
    head = ["kernel", "", *(f"GB/s at {power(n)}" for n in sizes), *(titles[a] for a in asked), "noise"]
    body = []
    for key, points in rows:
        last = points.get(largest)
        cells = [f"`{key[0]}`", words[key] or f"block {dict(key[2])['block']}" if "block" in dict(key[2]) and is_ours({"kernel": key[0]}) else words[key]]
        cells += [rate(points[n]) if n in points else "" for n in sizes]
        cells += [str(recording.ratio(a, last) or "") if last and key[0] != f"{a}/{family}" else "1" if last else "" for a in asked]
        cells.append(f"{last['noise']:.2%}" if last else "")
        body.append(cells)
    return lines + ["```", "", *table(head, body, texts=2)]


def first_table(every):
    """Every device, family and length at a glance: the fastest of ours, CUB, and what the bytes alone would take. Of a
    device that was recorded more than once, the newest."""
    rows = []
    for recording in newest_of_each(every):
        for family in recording.families():
            job = (family, "uniform") if family == "histogram" else (family, "int32", "add", *(["inclusive"] if family == "scan" else []))
            for n, (ratio, r, cub, limit) in sorted(past(recording).get(job, {}).items()):
                if n not in [1 << log for log in GLANCE]:
                    continue
                rows.append([recording.device.removeprefix("NVIDIA ").split()[0], family, power(n), named(recording, r), rate(r), rate(cub),
                             str(ratio), rate(limit) if limit else "", str(Ratio(r, limit)) if limit else ""])
    return table(["device", "family", "N", "ours", "GB/s", "CUB GB/s", "CUB = 1", "limit GB/s", "limit = 1"], rows, texts=4)


def jobs_section(recording):
    """Where the best of ours is least over CUB, for each type, operator and kind of scan."""
    rows = []
    for job, lengths in sorted(past(recording).items(), key=lambda j: (FAMILIES.index(j[0][0]), j[0])):
        if len(lengths) < 8:  # not asked at every length
            continue
        least = min(lengths, key=lambda n: lengths[n][0].value)
        long = [n for n in lengths if n >= 1 << 27]
        large = min(long, key=lambda n: lengths[n][0].value, default=None)
        limits = [Ratio(lengths[n][1], lengths[n][3]) for n in long if lengths[n][3]]
        under = [power(n) for n in sorted(lengths) if lengths[n][0].value < 1]
        rows.append([job[0], " ".join(job[1:]), str(len(lengths)), f"{lengths[least][0]}", power(least), ", ".join(under),
                     str(lengths[large][0]) if large else "", str(min(limits, key=lambda q: q.value)) if limits else ""])
    if not rows:
        return []
    return ["### Over CUB, job by job", "",
            "The ratio of our fastest kernel to CUB on the same job with a cold cache: the minimum over all measured lengths, and "
            "over those from 2^27 on; for the latter also the minimum share of the limit (a pure read; a copy for scans).", "",
            *table(["family", "job", "lengths", "least", "at N", "under 1", "least from 2^27", "limit = 1"], rows, texts=2)]


def small_section(recording):
    rows = []
    for family in recording.families():
        kernels = [f"cub/{family}", *LAST[family]]
        for (kernel, _, _), points in sorted(recording.usual(family).items(), key=lambda c: kernels.index(c[0][0]) if c[0][0] in kernels else 99):
            for n in (1 << log for log in SMALL):
                r = points.get(n)
                if kernel not in kernels or not r or not r.get("warm_samples"):
                    continue
                over = [str(recording.ratio("cub", r, warm) or "") if not kernel.startswith("cub/") else "1" for warm in (False, True)]
                rows.append([named(recording, r), power(n), rate(r), over[0], f"{r['warm_gb_per_s']:,.4g}", over[1]])
    if not rows:
        return []
    return ["### Short inputs, cold and warm", "",
            "Cold: nothing of the input is in the cache. Warm: many runs in a row; launches overlap and what is short stays "
            "in the cache.", "",
            *table(["kernel", "N", "cold GB/s", "CUB = 1", "warm GB/s", "CUB = 1"], rows)]


def measured_like(recordings, kernel, parameters):
    """The record of a published line, and the day that it was recorded on: as long, usual type and data; the parameters
    that it names, the fewest others unusual. (None, None) where no recording has one; the first that has one counts."""
    family = family_of({"kernel": kernel})
    n, kind = (1 << 31, "uint8") if family == "histogram" else (1 << 29, "int32")
    for recording in recordings:
        found = [r for r in recording.records if r["kernel"] == kernel and r["n"] == n and r["type"] == kind and as_it_should(r)
                 and gpus_of(r) == 1 and input_of(r) == "uniform" and all(r["parameters"].get(k) == v for k, v in parameters.items())]
        if found:
            return found[-1], recording.date[:10]
    return None, None


def published_section(recording, every=()):
    """Of what this recording lacks, the older ones of its device among `every`."""
    if recording.device != PUBLISHED_ON:
        return []
    of_this = of_device(every, recording.device) or [recording]
    explained = json.loads(EXPLAINED.read_text())
    rows = []
    for kernel, parameters, low, high in PUBLISHED:
        r, day = measured_like(of_this, kernel, parameters)
        nearest = r and (low if r["gb_per_s"] < low else high if r["gb_per_s"] > high else r["gb_per_s"])
        found = next((e for e in explained if e["device"] == PUBLISHED_ON and e.get("kernel") == kernel
                      and e.get("parameters", {}) == parameters), {})
        why = found.get("why", "")
        rows.append([f"`{kernel}`", ", ".join(f"{k} {v}" for k, v in parameters.items()), why,
                     f"{low:,}" if low == high else f"{low:,} to {high:,}", rate(r) if r else "not measured",
                     f"{r['gb_per_s'] / nearest - 1:+.1%}" if r else "", day or ""])
    if all(row[-1] == "" for row in rows):
        return []
    return ["### Beside published figures", "",
            "int32, N = 2^29; histograms 2^31 uniform bytes; on another card of this model.", "",
            *table(["kernel", "", "why it differs", "published GB/s", "measured", "off by", "recorded"], rows, texts=3)]


def open_section(every):
    """What is not explained, in one list: figures far from published ones, and lengths where CUB is faster by more than
    the spread."""
    lines = []
    explained = json.loads(EXPLAINED.read_text())
    for recording in newest_of_each(every):
        for kernel, parameters, low, high in PUBLISHED if recording.device == PUBLISHED_ON else ():
            r, day = measured_like(of_device(every, recording.device), kernel, parameters)
            nearest = r and (low if r["gb_per_s"] < low else high if r["gb_per_s"] > high else r["gb_per_s"])
            why = next((e["why"] for e in explained if e["device"] == recording.device and e.get("kernel") == kernel
                        and e.get("parameters", {}) == parameters), "")
            if r and abs(r["gb_per_s"] / nearest - 1) > TELLING and (not why or "not known" in why):
                what = " ".join([f"`{kernel}`", *(f"{k} {v}" for k, v in parameters.items())])
                lines.append(f"- {recording.device}, {day}: {what} at {rate(r)} GB/s, published {nearest:,}." + (f" {why[0].upper()}{why[1:]}." if why else ""))
        for job, lengths in sorted(past(recording).items()):
            under = [f"{power(n)} ({ratio})" for n, (ratio, *_) in sorted(lengths.items()) if ratio.value + ratio.error < 1]
            if len(lengths) >= 8 and under:
                why = next((f" {e['why'][0].upper()}{e['why'][1:]}." for e in explained
                            if e["device"] == recording.device and e.get("job") == " ".join(job)), "")
                lines.append(f"- {recording.device}: {' '.join(job)}, CUB is faster at {', '.join(under)}.{why}")
    return ["## Not explained", "", *lines, ""] if lines else []


def skew_section(recording):
    every = [r for r in recording.records if family_of(r) == "histogram" and as_it_should(r) and gpus_of(r) == 1
             and (is_ours(r) or r["kernel"].startswith(("cub/", "thrust/")))]
    odd = [r for r in every if input_of(r) != "uniform"]
    if not odd:
        return []
    n = max(r["n"] for r in odd)
    inputs = list(dict.fromkeys(["uniform", *(input_of(r) for r in odd if r["n"] == n)]))
    kernels = list(dict.fromkeys(r["kernel"] for r in odd))
    rows = []
    for kernel in kernels:
        cells = []
        for one in inputs:
            there = [r for r in every if r["kernel"] == kernel and r["n"] == n and input_of(r) == one]
            best = max(there, key=lambda r: r["gb_per_s"], default=None)
            over = best and is_ours(best) and recording.ratio("cub", best)
            cells.append((rate(best) + (f" ({over})" if over else "")) if best else "")
        rows.append([f"`{kernel}`", *cells])
    return ["### Keys of every skew", "", f"Histograms of {power(n)} bytes, GB/s; each kernel at the best of its settings; in brackets over CUB on the "
            "same keys.", "",
            *table(["kernel", *inputs], rows)]


def type_section(recording):
    lines = []
    for family in ("reduce", "scan"):
        others = [r for r in recording.of(family) if r["type"] != "int32"]
        if not others:
            continue
        of_length = {}
        for r in others:
            of_length.setdefault(r["n"], set()).add((r["kernel"], r["type"]))
        n = max(of_length, key=lambda m: (len(of_length[m]), m))  # where most were measured
        types = ["int32", *sorted({r["type"] for r in others}, key=len)]
        types.sort(key=["int32", "float", "double"].index)
        rows = []
        for kernel in dict.fromkeys(r["kernel"] for r in others):
            cells = []
            for one in types:
                there = [r for r in recording.of(family) if r["kernel"] == kernel and r["n"] == n and r["type"] == one]
                best = max(there, key=lambda r: r["gb_per_s"], default=None)
                over = best and recording.ratio("cub", best)
                cells += [rate(best) if best else "", str(over or "")]
            rows.append([f"`{kernel}`", *cells])
        lines += [f"{family} at N = {power(n)}:", "",
                  *table(["kernel", *(c for one in types for c in (f"{one} GB/s", "CUB = 1"))], rows)]
    return ["### Element types", "", *lines] if lines else []


def swept(recording, name):
    """[(kernel, n, {other parameters}, {value: record})] where records of one kernel and length differ in this parameter
    alone."""
    groups = {}
    for r in recording.records:
        p = r["parameters"]
        if name not in p or not is_ours(r) or not as_it_should(r) or gpus_of(r) != 1 or input_of(r) != "uniform":
            continue
        rest = tuple(sorted((k, v) for k, v in p.items() if k != name))
        groups.setdefault((r["kernel"], r["n"], r["type"], rest), {})[p[name]] = r
    return [(kernel, n, dict(rest), values) for (kernel, n, _, rest), values in groups.items() if len(values) >= 2]


def sweep_panels(recording):
    """Small plots: a panel a family against the block, a panel a kernel against what it declares."""
    panels = []
    for family in recording.families():
        found = [f for f in swept(recording, "block") if f[0].startswith(family + "/") and len(f[3]) >= 3]
        if not found:
            continue
        n = max(f[1] for f in found)
        by_kernel = {}
        for kernel, length, _, values in found:  # of several settings the one with most blocks
            if length == n and len(values) > len(by_kernel.get(kernel, {})):
                by_kernel[kernel] = values
        ticks = sorted({v for values in by_kernel.values() for v in values}, key=order)
        lines = [(kernel.partition("/")[2], [(ticks.index(v), r["gb_per_s"]) for v, r in values.items()])
                 for kernel, values in by_kernel.items()]
        panels.append((f"{family} at {power(n)}, GB/s", "threads a block", ticks, lines))
    for kernel in dict.fromkeys(r["kernel"] for r in recording.records if is_ours(r)):
        best = {}
        for name in TUNED:
            found = [f for f in swept(recording, name) if f[0] == kernel]
            if found:
                n = max((f[1] for f in found), key=lambda m: (sum(len(f[3]) for f in found if f[1] == m), m))
                best[name] = [f for f in found if f[1] == n]
        if not best:
            continue
        name = max(best, key=lambda k: max(len(f[3]) for f in best[k]))
        found = best[name]
        ticks = sorted({v for f in found for v in f[3]}, key=order)
        differ = [k for k in found[0][2] if len({f[2].get(k) for f in found}) > 1]
        lines = [(", ".join(f"{k} {f[2].get(k, '')}" for k in differ), [(ticks.index(v), r["gb_per_s"]) for v, r in f[3].items()])
                 for f in found]
        panels.append((f"{kernel} at {power(found[0][1])}, GB/s", name, ticks, lines[:8]))
    return panels


def gpus_section(recording):
    """Several GPUs beside one alone, by what they exchanged their sums through."""
    there = [r for r in recording.records if "exchange" in r["parameters"] and as_it_should(r)]
    several = [r for r in there if gpus_of(r) > 1]
    alone = {(r["kernel"], r["n"]): r for r in there if gpus_of(r) == 1}
    rows = []
    for kernel, n in dict.fromkeys((r["kernel"], r["n"]) for r in several):
        one = alone.get((kernel, n))
        if one:
            rows.append([f"`{kernel}`", power(n), "1", "", rate(one), "1.00", ""])
        at = [r for r in several if (r["kernel"], r["n"]) == (kernel, n)]
        for r in sorted(at, key=lambda r: (gpus_of(r), r["parameters"]["exchange"] == "nccl")):
            count = gpus_of(r)
            bound = (2 * count + 1) / 3 if kernel.startswith("scan/") else count
            rows.append([f"`{kernel}`", power(n), str(count), r["parameters"]["exchange"], rate(r),
                         f"{r['gb_per_s'] / one['gb_per_s']:.2f}" if one else "", f"{bound:.2f}"])
    if not rows:
        return []
    return ["### Several GPUs", "", "The bound follows from the bytes that each GPU must move: in a scan all but one GPU read their parts twice.", "",
            *table(["kernel", "N", "GPUs", "exchange", "GB/s", "times one", "bound"], rows)]


def cycles_section(recording):
    there = [r for r in recording.records if r.get("cycles_per_block") and as_it_should(r)]
    if not there:
        return []
    n = max(r["n"] for r in there)
    at = sorted({r["kernel"]: r for r in there if r["n"] == n}.values(), key=lambda r: -r["cycles_per_block"])
    rows = [[f"`{r['kernel']}`", r["parameters"].get("block", ""), f"{r['cycles_per_block']:,.0f}",
             f"{at[0]['cycles_per_block'] / r['cycles_per_block']:.2f}"] for r in at]
    return ["### Cycles of a block", "", "By clock64(), from a block's first instruction to its last; median of the blocks.",
            "", *table(["kernel", "block", "cycles", "times as few"], rows)]


def title(recording, every):
    """The device; of what was recorded before its newest recording, the day too."""
    is_newest = recording is next(iter(of_device(every, recording.device)), recording)
    return recording.device if is_newest else f"{recording.device}, {recording.date[:10]}"


def slug(title):
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def recording_section(recording, every=()):
    facts = [["driver", recording.driver], ["recorded", recording.date[:10]]]
    for words, value, unit in (("a copy", recording.copy_gb_per_s, "GB/s"), ("a pure read", recording.read_gb_per_s, "GB/s"),
                               ("the memory's peak", recording.peak_gb_per_s, "GB/s"),
                               ("clock of the multiprocessors, at most", recording.clock_mhz, "MHz"),
                               ("clock of the memory, at most", recording.memory_clock_mhz, "MHz")):
        if value:
            facts.append([words, f"{value:,.0f} {unit}"])
    name = title(recording, every)
    newest = name == recording.device
    lines = [f"## {name}", "", *table(["", ""], facts), *(jobs_section(recording) if newest else [])]
    for family in recording.families():
        lines += family_section(family, recording)
    if newest:  # an older one lacks the kernels that were measured anew: the fastest
        lines += small_section(recording) + published_section(recording, every)
    lines += skew_section(recording) + type_section(recording)
    if sweep_panels(recording):
        lines += ["### Block, items and the like", "", f"![GB/s against block and items](pictures/performance/{slug(name)}-sweeps.svg)", ""]
    for section in (gpus_section, cycles_section):
        lines += section(recording)
    wrong = sorted({r["kernel"] for r in recording.records if not r["correct"]})
    if wrong:
        lines += [f"Not right, as it must be: {', '.join(f'`{k}`' for k in wrong)}.", ""]
    slowed = sorted({r["kernel"] for r in recording.records if r.get("throttled")})
    notes = list(recording.notes)
    if slowed:
        notes.append("The clock fell while these were measured: " + ", ".join(f"`{k}`" for k in slowed) + ".")
    if notes:
        lines += ["### Notes", "", *(f"- {note}" for note in notes), ""]
    return lines


def newest_first(every):
    """The newest day first, and of one day the recording that holds most: as app/measure/recorded.hpp has them."""
    return sorted(every, key=lambda recording: (recording.date[:10], len(recording.records)), reverse=True)


def of_device(every, device):
    return [recording for recording in every if recording.device == device]


def newest_of_each(every):
    """The first recording of each device."""
    return list({recording.device: recording for recording in reversed(every)}.values())[::-1]


def recordings():
    return newest_first(Recording(load(file)) for file in sorted(RECORDED.glob("*.json")))


def pictures():
    """The plots that this script draws: file name -> SVG."""
    drawn = {}
    every = recordings()
    for recording in every:
        if panels := sweep_panels(recording):
            drawn[f"{slug(title(recording, every))}-sweeps.svg"] = small_plots.svg(panels)
    return drawn


def page():
    every = recordings()
    lines = ["# At full size", "",
             "Generated by `tools/performance_page.py` from `assets/recorded`; do not edit. These figures were **recorded** "
             "on the named GPUs, not on your machine. They are medians of runs with a cold cache. GB/s counts the bytes that "
             "the task must move, each once. Noise is the uncertainty of the median. A column like *CUB = 1* is CUB's time "
             "over ours, with the quartiles of both: above 1, ours is faster. The Time tab draws the same recordings; "
             "[recording.md](recording.md) explains how to make one.", ""]
    if any(recording.date < REALLY_COLD and any(r["n"] < 1 << 24 for r in recording.records) for recording in every):
        lines += [f"Recordings before {REALLY_COLD} did not flush what CUB had left in the cache: their times of CUB are too short "
                  "up to 2^23 ([why](recording.md#one-kernel-one-machine)).", ""]
    lines += first_table(every)
    for family in SHOWN:
        lines += [f"![{family}: GB/s against N](pictures/performance/{family}.svg)", ""]
    for recording in every:
        lines += recording_section(recording, every)
    lines += open_section(every)
    return "\n".join(lines).rstrip() + "\n"


def outdated():
    """What is not as assets/recorded says, by name."""
    old = [PAGE.name] if not PAGE.exists() or PAGE.read_text() != page() else []
    drawn = pictures()
    old += [name for name, svg in drawn.items() if not (PICTURES / name).exists() or (PICTURES / name).read_text() != svg]
    return old + [f.name for f in sorted(PICTURES.glob("*-sweeps.svg")) if f.name not in drawn]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "barrierscope")
    parser.add_argument("--check", action="store_true", help="compare with what is there")
    parser.add_argument("--ratios", type=pathlib.Path, metavar="FILE.json", help="print one recording's ratios")
    parser.add_argument("--past", type=pathlib.Path, metavar="FILE.json", help="print the best of ours over CUB everywhere")
    args = parser.parse_args()
    if args.past:
        recording = Recording(load(args.past))
        print(past_text(recording), past_text(recording, warm=True), sep="\n\n")
    elif args.ratios:
        print(ratios(Recording(load(args.ratios))))
    elif args.check:
        if old := outdated():
            print(f"not what assets/recorded holds: {', '.join(old)}: run tools/performance_page.py")
            return 1
    else:
        PICTURES.mkdir(parents=True, exist_ok=True)
        for family, kernel in SHOWN.items():
            subprocess.run([args.program.resolve(), "render", kernel, "--view", "time", "--theme", "light", "--size",
                            "1200x670", "-o", PICTURES / f"{family}.svg"], check=True)
        for file in PICTURES.glob("*-sweeps.svg"):
            file.unlink()
        for name, svg in pictures().items():
            (PICTURES / name).write_text(svg)
        PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
