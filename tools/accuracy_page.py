"""What a GPU's counters say: puts a GPU machine's findings into one record, and the record onto a page.

  tools/accuracy_page.py record PACKED... [--checks PROGRAM] [--afresh]
                                                               what tests/gpu/on_gpu.sh wrote (.tgz or folders) goes
                                                               into tests/recorded/gpu.json: kernels, stages and
                                                               verdicts that were not run again stay as they are,
                                                               with the GPU and the day that they are of (--afresh:
                                                               they are dropped); PROGRAM (gpu_checks) predicts
  tools/accuracy_page.py lacking [--again PATTERN...] [--checks PROGRAM] [--mutants PROGRAM]
                                                               what the record has not of all that these list, a line
                                                               each, as ONLY of on_gpu.sh takes it; --again: and what
                                                               it has and fits, as "sanitizer * traced *"
  tools/accuracy_page.py page                                  record -> docs/accuracy.md
  tools/accuracy_page.py check                                 whether docs/accuracy.md is the record's, and every
                                                               disagreement in it is explained

What tests/recorded/race_suite.json holds (tools/race_suite.py) becomes a part of the page, too.

Explanations are in tests/recorded/explained.json: {"kernel", "counter", "why"}, where * stands for any text, and where
there are any {"run": of such runs only, "way": "more" or "less" was counted, "within": so far off, of the larger
number}; and {"kernel", "verdict", "why"} for compute-sanitizer's. Exit 0: done; 1: something is not explained, or the page is old;
2: bad input.
"""

import argparse
import csv
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = ROOT / "tests" / "recorded" / "gpu.json"
SUITE = ROOT / "tests" / "recorded" / "race_suite.json"
EXPLAINED = ROOT / "tests" / "recorded" / "explained.json"
PAGE = ROOT / "docs" / "accuracy.md"

WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_"
REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_"
# Of which machine instructions each kind of access is made.
OPCODES = {
    "shared_load": ("LDS", "LDSM"),
    "shared_store": ("STS",),
    "shared_atomic": ("ATOMS",),
    "global_load": ("LDG", "LD"),
    "global_store": ("STG", "ST"),
    "global_atomic": ("RED", "REDG", "ATOMG", "ATOM"),
}


class BadInput(Exception):
    pass


# --- from ncu's rows to counts ---------------------------------------------------------------------------------------
def number(text):
    return float(text.replace(",", ""))


def instances(text):
    """{"LDS": 12, ...} of a value such as '20 (LDS: 12; STS: 8)'; None if it has none."""
    found = re.search(r"\((.*)\)", text, re.S)
    if not found:
        return None
    pairs = re.findall(r"([A-Z][A-Z0-9_.]*)\s*[:=]\s*([\d,.]+)", found[1])
    return {name: number(value) for name, value in pairs}


def rows_of(path):
    """The rows of ncu's CSV, as dictionaries from column to text."""
    lines = [line for line in path.read_text(errors="replace").splitlines() if line.startswith('"')]
    if len(lines) < 3:
        return []
    table = list(csv.reader(lines))
    return [dict(zip(table[0], row)) for row in table[2:]]  # the second row holds the units


def measured(row):
    """Our counters by name, from one launch's row; a counter that this ncu lacks is left out."""

    def value(name):
        text = row.get(name, "")
        return number(text.split(" ")[0]) if re.match(r"[\d.,]+", text) else None

    def total(*names):
        values = [value(n) for n in names]
        return None if None in values else sum(values)

    def less(name, other):
        return None if value(name) is None or value(other) is None else value(name) - value(other)

    counts = {
        "shared_load_wavefronts": value(f"{WAVEFRONTS}_op_ld.sum"),
        "shared_store_wavefronts": value(f"{WAVEFRONTS}_op_st.sum"),
        "shared_atomic_wavefronts": value(f"{WAVEFRONTS}_op_atom.sum"),
        "global_load_sectors": value(SECTORS + "ld.sum"),
        "global_store_sectors": value(SECTORS + "st.sum"),
        "global_atomic_sectors": total(SECTORS + "red.sum", SECTORS + "atom.sum"),
        # Wavefronts beyond a request's first are conflicts. (smsp__inst_executed_op_shared_* counts instructions of
        # which no lane is active, too.)
        "shared_load_requests": less(f"{WAVEFRONTS}_op_ld.sum", CONFLICTS + "ld.sum"),
        "shared_store_requests": less(f"{WAVEFRONTS}_op_st.sum", CONFLICTS + "st.sum"),
        "shared_atomic_requests": less(f"{WAVEFRONTS}_op_atom.sum", CONFLICTS + "atom.sum"),
        "global_load_requests": value(REQUESTS + "ld.sum"),
        "global_store_requests": value(REQUESTS + "st.sum"),
        "global_atomic_requests": total(REQUESTS + "red.sum", REQUESTS + "atom.sum"),
    }
    threads = instances(row.get("sass__thread_inst_executed_true_per_opcode", ""))
    warps = instances(row.get("sass__inst_executed_per_opcode", ""))
    if threads is not None:
        for kind, opcodes in OPCODES.items():
            counts[f"{kind}_lanes"] = sum(threads.get(o, 0) for o in opcodes)
    if warps is not None:
        counts["barriers"] = warps.get("BAR", 0)
    return {name: int(v) for name, v in counts.items() if v is not None}


def shape(row):
    """Grid and block of a launch: '(7, 1, 1)' -> 7."""
    return tuple(int(re.search(r"\d+", row[name])[0]) for name in ("Grid Size", "Block Size"))


def counters(folders, predicted, left_out, before):
    """Launch by launch: what the trace predicts, and what the hardware counted. Kernels of which there is no new
    profile keep what they had before."""
    names = predicted["counters"]
    if before.get("names", names) != names:
        raise BadInput("the counters of the record so far are others: record afresh")
    by_kernel = {}
    for key, launches in predicted["runs"].items():
        by_kernel.setdefault(key.split(" ")[0], []).append((key, launches))
    runs = {}
    for kernel, cases in by_kernel.items():
        file = kernel.replace("/", "-") + ".csv"
        paths = [f / "ncu" / file for f in folders if (f / "ncu" / file).exists()]
        if not paths:
            kept = {key: run for key, run in before.get("runs", {}).items() if key.split(" ")[0] == kernel}
            runs |= kept
            if not kept and not kernel.startswith("skeleton/"):
                left_out.append(f"hardware counters of {kernel}: none were read")
            continue
        rows = rows_of(paths[-1])
        at = 0
        for key, launches in cases:
            mine = rows[at:at + len(launches)]
            at += len(launches)
            if len(mine) < len(launches):
                left_out.append(f"hardware counters of {key}: the profile ended before it")
                continue
            shapes = [shape(r) for r in mine]
            traced = [(grid, block) for _, grid, block, _ in launches]
            if [block for _, block in shapes] != [block for _, block in traced]:
                raise BadInput(f"{paths[-1]}: {key} has launches {shapes} in the profile and {traced} in the trace: "
                               "were both made by one build?")
            if shapes != traced:
                # A persistent grid: a trace has as many blocks as the CPU's two multiprocessors hold.
                left_out.append(f"hardware counters of {key}: its grid is {[g for g, _ in shapes]} on this GPU, and "
                                f"{[g for g, _ in traced]} in a trace")
                continue
            runs[key] = []
            for row, (launch, grid, block, counts) in zip(mine, launches):
                got = measured(row)
                runs[key].append([launch, grid, block, counts, [got.get(n) for n in names],
                                  round(number(row["smsp__thread_inst_executed_per_inst_executed.ratio"]), 2)])
    return {"names": names, "runs": runs}


def read_json(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as e:
        raise BadInput(f"{path}: {e}") from e


def unpacked(path, to):
    """The folder itself, or what is packed in the file."""
    if path.is_dir():
        return path
    try:
        with tarfile.open(path) as packed:
            packed.extractall(to, filter="data")
    except (OSError, tarfile.TarError) as e:
        raise BadInput(f"{path}: {e}") from e
    return to


def found_since(line, record):
    """Whether the record has what this line, from a run that was cut short, says was left out."""
    what, _, why = line.partition(": ")
    if not why.startswith(("no time left", "none were read", "not timed yet", "the profile")):
        return False
    profiled = {key.split(" ")[0] for key in record["counters"]["runs"]}
    timed = {key.split(" ")[0] for key in record["untraced_over_raw"]}
    if what.startswith("hardware counters of "):
        return what.removeprefix("hardware counters of ").split(" ")[0] in profiled
    if what.startswith("time of ") or what.endswith(", beside its twin"):
        return what.removeprefix("time of ").removesuffix(", beside its twin") in timed
    if what.startswith("what stamps cost "):
        return what.removeprefix("what stamps cost ") in record["stamped_over_untraced"]
    if what.startswith("CPU = GPU of "):
        return what.removeprefix("CPU = GPU of ") in record["every_block"]
    if what.startswith("CUB and Thrust beside "):
        return what.removeprefix("CUB and Thrust beside ") in record["libraries"]
    if judged := re.fullmatch(r"(?:(\w+) on )?(.+), (traced|untraced|stamped)", what):
        return f"{judged[1] or 'racecheck'} {judged[3]} {judged[2]}" in record["verdicts"]
    return False


# --- where and when each part was made -------------------------------------------------------------------------------
def made(record):
    """'NVIDIA H100 80GB HBM3, driver 580.159.04, 2026-11-25'"""
    return f"{record['device']}, driver {record['driver']}, {record['date']}"


def part_of(stage, kernel):
    """'checks/scan-blelloch': a stage's part of a kernel. compute-sanitizer's parts are single verdicts."""
    return f"{stage}/{kernel.replace('/', '-')}"


def parts_in(record):
    """Everything that a record holds, part by part."""
    return {*record.get("parts", {}), *(f"sanitizer/{key}" for key in record.get("verdicts", {})),
            *(part_of("counters", key.split(" ")[0]) for key in record.get("counters", {}).get("runs", {}))}


def parts_run(folders):
    """What these folders hold, part by part."""
    ran = {f"{path.parent.name}/{path.stem}" for f in folders for stage in ("checks", "libraries", "raw", "stamped")
           for path in f.glob(f"{stage}/*.json")}
    return ran | {f"counters/{path.stem}" for f in folders for path in f.glob("ncu/*.csv")} | {f"sanitizer/{key}" for key in verdicts_in(folders)}


def verdicts_in(folders):
    """{"TOOL FORM WHAT": [expected, seen]} of these folders; of two on the same the later counts."""
    found = {}
    for f in folders:
        if (f / "verdicts.tsv").exists():
            for line in (f / "verdicts.tsv").read_text().splitlines():
                tool, form, what, expected, seen = line.split("\t")
                found[f"{tool} {form} {what}"] = [expected, seen]
    return found


def made_elsewhere(before, now, ran):
    """{part: where and when} of the parts that stay from the record before and are of another GPU, driver or day."""
    stay = {part: before.get("made", {}).get(part, made(before)) for part in parts_in(before) - ran} if before else {}
    return {part: text for part, text in sorted(stay.items()) if text != made(now)}


def make_record(folders, program, before):
    """The record before, with what these folders hold in place of what it had of the same."""
    for f in folders:
        if not f.is_dir():
            raise BadInput(f"{f} is no folder")
    record = {"format": "barrierscope.gpu-checks/2"}
    record |= next((read_json(f / "device.json") for f in reversed(folders) if (f / "device.json").exists()), {})
    if "device" not in record:
        raise BadInput("none of these folders has a device.json: name folders that on_gpu.sh wrote")
    record["made"] = made_elsewhere(before, record, parts_run(folders))
    left_out = [line for line in before.get("left_out", []) if not line.startswith("hardware counters of ")]
    for name in ("digests", "every_block", "libraries", "untraced_over_raw", "stamped_over_untraced", "parts"):
        record[name] = dict(before.get(name, {}))
    for f in folders:
        if (f / "left_out.txt").exists():
            left_out += [line for line in (f / "left_out.txt").read_text().splitlines() if line not in left_out]
        for path in sorted([*f.glob("checks/*.json"), *f.glob("libraries/*.json"), *f.glob("raw/*.json"), *f.glob("stamped/*.json")]):
            part = read_json(path)
            record["parts"][f"{path.parent.name}/{path.stem}"] = {k: part[k] for k in ("checks", "failed", "failures")}
            kernel = part.get("kernel", "test/words")
            for name in ("digests", "untraced_over_raw", "stamped_over_untraced"):
                if name in part:
                    record[name] = {k: v for k, v in record[name].items() if k.split(" ")[0] != kernel} | part[name]
            for name in ("every_block", "libraries"):
                if name in part:
                    record[name][kernel] = part[name]
    parts = record["parts"].values()
    record |= {"checks": sum(p["checks"] for p in parts), "failed": sum(p["failed"] for p in parts),
               "failures": [sentence for p in parts for sentence in p["failures"]]}

    record["verdicts"] = dict(sorted((before.get("verdicts", {}) | verdicts_in(folders)).items()))

    with tempfile.TemporaryDirectory() as name:
        file = pathlib.Path(name) / "predicted.json"
        subprocess.run([program, "predict", "-o", file], check=True)
        record["counters"] = counters(folders, read_json(file), left_out, before.get("counters", {}))
    record["left_out"] = [line for line in left_out if not found_since(line, record)]
    return record


def wanted(kernels, mistakes, mutants):
    """All that a record holds, as on_gpu.sh names it."""
    real = [k for k in kernels if not k.startswith("skeleton/")]
    return ["words", *(f"checks {k}" for k in kernels), *(f"counters {k}" for k in real),
            *(f"sanitizer {tool} {form} {k}" for k in kernels for form in ("untraced", "traced", "stamped")
              for tool in ("racecheck", "memcheck", "synccheck")),
            *(f"sanitizer racecheck {form} {k}" for k in [*mutants, *mistakes] for form in ("untraced", "traced")),
            *(f"libraries {k}" for k in kernels),
            # Patterns have no hand-written twin.
            *(f"timing {k}" for k in real if not k.startswith("patterns/")), *(f"stamped {k}" for k in kernels)]


def lacking(record, everything):
    """What of it the record does not hold, or holds as failed."""
    profiled = {key.split(" ")[0] for key in record.get("counters", {}).get("runs", {})}
    timed = {key.split(" ")[0] for key in record.get("untraced_over_raw", {})}
    parts = record.get("parts", {})

    def passed(part):
        return part in parts and not parts[part].get("failed")

    def has(line):
        what, _, name = line.partition(" ")
        if what == "words":
            return passed("checks/words")
        if what == "sanitizer":
            return name in record.get("verdicts", {})
        if what == "timing":
            return name in timed
        if what == "stamped":
            return name in record.get("stamped_over_untraced", {})
        if what == "counters":
            return name in profiled
        return passed(f"{what}/{name.replace('/', '-')}")

    return [line for line in everything if not has(line)]


def lines_of(program, verb):
    return subprocess.run([program, verb], check=True, capture_output=True, text=True).stdout.splitlines()


def dumped(record):
    """JSON with one run a line: differences can be read, and the file stays small."""
    parts = []
    for key, value in record.items():
        if key == "counters":
            rows = ",\n".join(f"   {json.dumps(k)}: {json.dumps(v)}" for k, v in value["runs"].items())
            text = f'{{\n  "names": {json.dumps(value["names"])},\n  "runs": {{\n{rows}\n  }}\n }}'
        elif isinstance(value, dict):
            text = "{\n" + ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()) + "\n }"
        else:
            text = json.dumps(value)
        parts.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


# --- what disagrees, and why -----------------------------------------------------------------------------------------
class Explanations:
    def __init__(self, entries):
        self.entries = entries
        self.used = set()

    def find(self, matches):
        for k, entry in enumerate(self.entries):
            if matches(entry):
                self.used.add(k)
                return entry["why"]
        return None

    def of_counter(self, run, counter, predicted, got):
        """Why the hardware counted something else; None if it is not explained."""
        way = "more" if got > predicted else "less"
        return self.find(lambda e: fnmatch.fnmatchcase(run.split(" ")[0], e["kernel"])
                         and fnmatch.fnmatchcase(counter, e.get("counter", ""))
                         and fnmatch.fnmatchcase(run, e.get("run", "*"))
                         and e.get("way", way) == way
                         and abs(got - predicted) <= e.get("within", 1) * max(got, predicted))

    def of_verdict(self, what, verdict):
        return self.find(lambda e: fnmatch.fnmatchcase(what, e["kernel"])
                         and fnmatch.fnmatchcase(verdict, e.get("verdict", "")))


def disagreements(record):
    """(key, launch number, launch, counter, predicted, measured) wherever the two differ."""
    names = record["counters"]["names"]
    for key, launches in record["counters"]["runs"].items():
        for at, (launch, _, _, predicted, got, _) in enumerate(launches):
            for name, p, m in zip(names, predicted, got):
                if m is not None and p != m:
                    yield key, at, launch, name, p, m


def odd_verdicts(record):
    """(key, what the CPU's trace says, what the tool says) wherever they differ."""
    for key, (expected, seen) in record["verdicts"].items():
        if expected.split(" ")[0] != seen or "finding" in expected:
            yield key, expected, seen


def kernel_of(verdict):
    return verdict.split(" ", 2)[2]


# --- the page --------------------------------------------------------------------------------------------------------
def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(r) + " |" for r in rows), ""]


def with_made(record, stages, head, rows):
    """The table, and where any row's part of a stage is of another GPU or day a column that says of which."""
    def where(kernel):
        found = {stage: record.get("made", {}).get(part_of(stage, kernel)) for stage in stages}
        return "; ".join(f"{stage}: {text}" if len(stages) > 1 else text for stage, text in found.items() if text)

    elsewhere = [where(row[0].split(" ")[0]) for row in rows]
    if not any(elsewhere):
        return table(head, rows)
    return table([*head, "on"], [[*row, text] for row, text in zip(rows, elsewhere)])


def counted(record):
    """A table for each kernel, a row for each run: sums over its launches; where they differ, predicted / counted."""
    names = record["counters"]["names"]
    column = {n: k for k, n in enumerate(names)}

    def cell(launches, *wanted):
        ours = theirs = 0
        for launch in launches:
            for name in wanted:
                if launch[4][column[name]] is None:
                    return "not read"
                ours += launch[3][column[name]]
                theirs += launch[4][column[name]]
        return f"{ours}" if ours == theirs else f"**{ours} / {theirs}**"

    def lanes(launches, which):
        requests = lanes = 0
        for launch in launches:
            for name in names:
                v = launch[which][column[name]]
                if v is None:
                    return None
                requests += v if name.endswith("_requests") else 0
                lanes += v if name.endswith("_lanes") else 0
        return f"{lanes / requests:.2f}" if requests else "-"

    kernels = {}
    for key, launches in record["counters"]["runs"].items():
        kernel, *words = key.split(" ")
        rest = " ".join(w for w in words if not w.startswith(("seed=", "type=int32")))
        a, b = lanes(launches, 3), lanes(launches, 4)
        kernels.setdefault(kernel, []).append([
            rest, str(len(launches)),
            cell(launches, "shared_load_wavefronts"), cell(launches, "shared_store_wavefronts"),
            cell(launches, "shared_atomic_wavefronts"), cell(launches, "global_load_sectors"),
            cell(launches, "global_store_sectors"), cell(launches, "global_atomic_sectors"),
            a if a == b else f"{a} / {b or 'not read'}",
            cell(launches, "shared_atomic_lanes", "global_atomic_lanes"), cell(launches, "barriers"),
        ])
    out = []
    for kernel, rows in kernels.items():
        elsewhere = record.get("made", {}).get(part_of("counters", kernel))
        out += [f"#### {kernel}", "", *([f"On {elsewhere}.", ""] if elsewhere else [])]
        out += table(["run", "launches", "wavefronts: loads", "stores", "atomics", "sectors: loads", "stores", "atomics",
                      "lanes a request", "atomic operations", "barriers"], rows)
    return out


BUGS = {
    "": "none",
    "atomicBug": "an atomic is missing",
    "guardBug": "a plain read beside atomics",
    "syncBug": "a barrier is missing",
    "raceBug": "plain accesses for atomic ones",
    "boundsBug": "a guard of the index is missing",
}


def labels_of(kernel):
    """The bugs that a kernel's name tells: ["boundsBug", "atomicBug"]."""
    return [word for word in kernel.split("_") if word.endswith("Bug")]


def suite_page(suite, explanations):
    """(lines, what is not explained) about a suite of kernels whose labels say what is wrong with them."""
    unexplained, rows, odd = [], {}, []
    score = {"race": [0] * 4, "bounds": [0] * 4}  # found, missed, false alarms, rightly silent
    unjudged = {}
    for kernel, verdict in suite["verdicts"].items():
        labels = labels_of(kernel)
        row = rows.setdefault(" + ".join(labels), {"kernels": 0, "race": 0, "bounds": 0, "clean": 0, "other": 0, "not judged": 0})
        row["kernels"] += 1
        kind, _, why = verdict.partition(": ")
        if kind == "not judged":
            unjudged.setdefault(why, []).append(kernel)
        for word in row:
            row[word] += word in kind
        said = kind.split(" and ") if kind != "clean" else []
        wanted = sorted({"bounds" if label == "boundsBug" else "race" for label in labels})
        if kind != "not judged":
            for what, counts in score.items():
                if what == "race" and "boundsBug" in labels:
                    continue  # an access out of bounds may end the launch before its races
                counts[(0 if what in said else 1) if what in wanted else (2 if what in said else 3)] += 1
        needed = ["bounds"] if "boundsBug" in labels else wanted
        if not set(needed) <= set(said) or not set(said) <= set(wanted):
            why = explanations.of_verdict(f"indigo/{kernel}", f"{'+'.join(wanted) or 'clean'} -> {verdict}")
            if why is None:
                unexplained.append(f"indigo/{kernel}: its label says {' and '.join(wanted) or 'clean'}, check says {verdict}")
            odd.append((kernel, verdict, why or "**not explained**"))
    which = "each kernel"
    if suite["most"]:
        which = (f"{len(suite['verdicts'])} of {suite['kernels']} kernels (evenly spaced, at most {suite['most']} with the same bugs, "
                 f"{3 * suite['most']} race-free ones)")
    out = ["## Races: a labelled suite", "",
           f"{suite['suite']} {suite['version']} (Liu, Azami, Walters, Burtscher: The Indigo Program-Verification Microbenchmark Suite of "
           "Irregular Parallel Code Patterns, ISPASS 2022) was written elsewhere. The names of its kernels tell their bugs. "
           f"`tools/race_suite.py` checks {which} once, with the graph {suite['graph']} of the HiRace artifact, blocks of "
           f"{suite['threads']} threads, and {suite['blocks']} blocks ({suite['persistent_blocks']} for a kernel that loops over "
           "its vertices). A kernel with several bugs counts once."
           + (f" Last run on {suite['date']}." if "date" in suite else ""), ""]
    out += table(["label", "", "kernels", "race reported", "out of bounds reported", "clean", "other", "not judged"],
                 [[label or "race-free", "; ".join(BUGS[part] for part in label.split(" + ")),
                   *(str(row[word]) for word in ("kernels", "race", "bounds", "clean", "other", "not judged"))]
                  for label, row in sorted(rows.items(), key=lambda item: (item[0].count("+"), item[0]))])
    names = {"race": "races (kernels without an index out of bounds)", "bounds": "indices out of bounds"}
    out += table(["kind", "found", "missed", "false alarms", "rightly silent", "recall", "precision"],
                 [[names[what], *(str(c) for c in counts), f"{share(counts[0], counts[1])}", f"{share(counts[0], counts[2])}"]
                  for what, counts in score.items()])
    out += [f"- Not judged, {len(kernels)}: {why} ({', '.join(kernels[:3])}{', ...' if len(kernels) > 3 else ''})"
            for why, kernels in unjudged.items()]
    if odd:
        why_of = {}
        for kernel, verdict, why in odd:
            why_of.setdefault((why, verdict), []).append(kernel)
        out += ["", "### Disagreements with the labels", ""]
        out += table(["kernels", "example", "check says", "why"],
                     [[str(len(kernels)), kernels[0], verdict, why] for (why, verdict), kernels in why_of.items()])
    return out, unexplained


def share(part, rest):
    return f"{100 * part / (part + rest):.1f}%" if part + rest else "-"


def page(record, explanations, suite=None):
    out = ["# Accuracy: what a GPU's counters say", ""]
    out += [f"Generated by `tools/accuracy_page.py` from `tests/recorded/gpu.json`: {made(record)}"
            f"{', unless stated otherwise' if record.get('made') else ''}. {record['checks']} checks, {record['failed']} failed.", ""]
    out += ["The analyses compute their results from the CPU's trace. This page compares them with a GPU's results for the "
            "same runs. Every disagreement has an explanation, or `test.sh` fails.", ""]
    unexplained = []

    out += ["## CPU = GPU", "",
            f"{len(record['digests'])} runs (block sizes, lengths, seeds, patterns, types, operators, parameters) gave "
            "the CPU's trace on the GPU: byte for byte for deterministic kernels; with atomics, except for values that "
            "depend on the order. Each was replayed, and the replay explained every value. In addition, every legal block size "
            "was run:", ""]
    out += with_made(record, ["checks", "libraries"], ["kernel", "block sizes", "runs against CUB and Thrust", "longest"],
                     [[k, str(v["runs"]), str(record["libraries"].get(k, {}).get("comparisons", "-")),
                       str(record["libraries"].get(k, {}).get("longest", "-"))] for k, v in record["every_block"].items()])
    for sentence in record["failures"]:
        out.append(f"- failed: {sentence}")

    runs = record["counters"]["runs"]
    launches = sum(len(v) for v in runs.values())
    odd = list(disagreements(record))
    total = sum(m is not None for v in runs.values() for l in v for m in l[4])
    out += ["", "## Hardware counters", "",
            f"Nsight Compute's counters of the untraced kernels, launch by launch: {len(runs)} runs, {launches} launches, "
            f"{total} numbers, of which {total - len(odd)} are exactly those that the trace predicts.", "",
            "Wavefronts of shared memory are `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_*`, sectors are "
            "`l1tex__t_sectors_pipe_lsu_mem_global_op_*`. Lanes per request: threads active in an access to memory, over "
            "requests; the hardware's are `sass__thread_inst_executed_true_per_opcode` of LDS, STS, LDG ... over "
            "`l1tex__t_requests_*` and wavefronts less bank conflicts (its all-instructions figure "
            "`smsp__thread_inst_executed_per_inst_executed` counts address arithmetic, too, and is not comparable). Barriers: "
            "BAR, once per warp. A pair is predicted / counted.", ""]
    groups = {}
    for key, _, launch, name, p, m in odd:
        kernel = key.split(" ")[0]
        why = explanations.of_counter(key, name, p, m)
        if why is None:
            unexplained.append(f"{key}, {launch}, {name}: predicted {p}, counted {m}")
        groups.setdefault((kernel, name, why), []).append((key, p, m))
    if groups:
        out += ["### Disagreements", ""]
        out += table(["kernel", "counter", "launches", "example: predicted, counted", "why"],
                     [[kernel, name.replace("_", " "), str(len(v)), f"{v[0][1]}, {v[0][2]} ({v[0][0].split(' ', 1)[1]})",
                       why or "**not explained**"] for (kernel, name, why), v in groups.items()])
    out += ["### All runs", ""] + counted(record)

    out += ["## Races: compute-sanitizer", "",
            "racecheck covers shared memory only; the analyses alone report races in global memory. "
            "A mutant is a kernel with one barrier removed; where the trace has no hazard, the barrier was redundant.", ""]
    verdicts = record["verdicts"]
    tally = {}
    for key, (expected, seen) in verdicts.items():
        tool, form, what = key.split(" ", 2)
        kind = "mutants" if " without " in what else "mistakes" if what.startswith("mistakes/") else "kernels"
        good, all_of = tally.get((kind, tool, form), (0, 0))
        tally[kind, tool, form] = good + (expected.split(" ")[0] == seen), all_of + 1
    out += table(["what", "tool", "form", "agree", "of"],
                 [[*k, str(g), str(n)] for k, (g, n) in sorted(tally.items())])
    judged = {}
    for part, text in record.get("made", {}).items():
        if part.startswith("sanitizer/"):
            judged.setdefault(text, []).append(part.removeprefix("sanitizer/"))
    out += [line for text, keys in judged.items() for line in (f"On {text}: {', '.join(keys)}.", "")]
    rows = []
    for key, expected, seen in odd_verdicts(record):
        tool, form, what = key.split(" ", 2)
        why = explanations.of_verdict(what, f"{tool} {form} {expected} -> {seen}")
        if why is None:
            unexplained.append(f"{key}: the CPU's trace says {expected}, {tool} says {seen}")
        rows.append([what, tool, form, expected, seen, why or "**not explained**"])
    if rows:
        out += ["### Disagreements and findings", ""]
        out += table(["what", "tool", "form", "the trace says", "the tool says", "why"], rows)

    if suite:
        lines, odd_ones = suite_page(suite, explanations)
        out += lines
        unexplained += odd_ones
    out += ["## Untraced costs nothing", "",
            "Time of the untraced form over that of the hand-written twin (`tests/raw`): medians of alternating runs at the "
            "same addresses, with the minimum and the maximum.", ""]
    rows = []
    for key, r in record["untraced_over_raw"].items():
        over = abs(r["median"] - 1) > 0.01
        why = explanations.of_counter(key, "time", 1, r["median"]) if over else ""
        if why is None:
            unexplained.append(f"{key}: {r['median']:.4f} of the hand-written kernel's time")
        rows.append([key, str(r["n"]), str(r["block"]), f"{r['ours_ms']:.4f}", f"{r['raw_ms']:.4f}",
                     f"**{r['median']:.4f}**" if over else f"{r['median']:.4f}", f"{r['min']:.4f} .. {r['max']:.4f}",
                     why if why is not None else "**not explained**"])
    out += with_made(record, ["raw"], ["kernel", "N", "block", "ours, ms", "by hand, ms", "ratio", "turns", ""], rows)
    if record.get("stamped_over_untraced"):
        out += ["## What stamps cost", "",
                "Time of the stamped form, whose warps read their multiprocessor's clock at phases and barriers (`barrierscope "
                "timeline`), over that of the untraced one, as above. At each phase and each side of a barrier a warp reads the "
                "clock and stores 8 bytes; each warp stores 40 more bytes. At full size a warp has 128 bytes of numbers and passes "
                "ten or more barriers, so stamps are most of the memory traffic, and a timeline shows them. It is therefore best "
                "to record a few waves of blocks; a timeline states the cost of its own stamps. histogram/racy gets "
                "faster: its losses to collisions depend on the order of the threads.", ""]
        out += with_made(record, ["stamped"], ["kernel", "N", "block", "stamped, ms", "untraced, ms", "ratio", "turns"],
                         [[key, str(r["n"]), str(r["block"]), f"{r['stamped_ms']:.4f}", f"{r['untraced_ms']:.4f}",
                           f"{r['median']:.4f}", f"{r['min']:.4f} .. {r['max']:.4f}"]
                          for key, r in sorted(record["stamped_over_untraced"].items())])
    if record["left_out"]:
        out += ["## Left out", "", *(f"- {s}" for s in record["left_out"]), ""]
    return "\n".join(out), unexplained


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    built = ROOT / "build" / "headless" / "tests"
    record = verbs.add_parser("record")
    record.add_argument("folders", nargs="+", type=pathlib.Path)
    record.add_argument("--checks", default=built / "gpu_checks", type=pathlib.Path)
    record.add_argument("--mutants", default=built / "gpu_mutants", type=pathlib.Path)
    record.add_argument("--afresh", action="store_true")
    missing = verbs.add_parser("lacking")
    missing.add_argument("--again", nargs="*", default=[], metavar="PATTERN")
    missing.add_argument("--checks", default=built / "gpu_checks", type=pathlib.Path)
    missing.add_argument("--mutants", default=built / "gpu_mutants", type=pathlib.Path)
    verbs.add_parser("page")
    verbs.add_parser("check")
    args = parser.parse_args()
    try:
        if args.verb == "record":
            with tempfile.TemporaryDirectory() as name:
                folders = [unpacked(path, pathlib.Path(name) / str(k)) for k, path in enumerate(args.folders)]
                before = read_json(RECORD) if RECORD.exists() and not args.afresh else {}
                now = make_record(folders, args.checks, before)
                if args.mutants.exists():  # a line that moved is another mutant
                    there = lines_of(args.mutants, "list")
                    now["verdicts"] = {key: v for key, v in now["verdicts"].items()
                                       if " without " not in key or kernel_of(key) in there}
                RECORD.write_text(dumped(now))
            return 0
        if args.verb == "lacking":
            everything = wanted(lines_of(args.checks, "kernels"), lines_of(args.checks, "mistakes"),
                                lines_of(args.mutants, "list"))
            not_there = lacking(read_json(RECORD) if RECORD.exists() else {}, everything)
            for line in everything:
                if line in not_there or any(fnmatch.fnmatchcase(line, p) for p in args.again):
                    print(line)
            return 0
        explanations = Explanations(read_json(EXPLAINED) if EXPLAINED.exists() else [])
        text, unexplained = page(read_json(RECORD), explanations, read_json(SUITE) if SUITE.exists() else None)
    except (BadInput, subprocess.CalledProcessError, OSError) as e:
        print(f"accuracy_page.py: {e}", file=sys.stderr)
        return 2
    for sentence in unexplained:
        print(f"not explained: {sentence}", file=sys.stderr)
    stale = [e for k, e in enumerate(explanations.entries) if k not in explanations.used]
    for e in stale:
        print(f"explains nothing: {json.dumps(e)}", file=sys.stderr)
    if args.verb == "page":
        PAGE.write_text(text)
        return 0
    if not PAGE.exists() or PAGE.read_text() != text:
        print("docs/accuracy.md is not the record's: run tools/accuracy_page.py page", file=sys.stderr)
        return 1
    return 1 if unexplained or stale else 0


if __name__ == "__main__":
    sys.exit(main())
