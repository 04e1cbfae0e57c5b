#!/usr/bin/env python3
"""Writes docs/algorithms.md and its figures: what every kernel of the catalog does, counts and proves.

  tools/algorithms_page.py [--program build/release/barrierscope]    writes the page and docs/pictures/algorithms/*.svg
  tools/algorithms_page.py --check                                   compares, writes nothing, exits 1 on a difference

Everything on the page is asked of the program: list, show, check and render. Run it after adding or changing a kernel.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "algorithms.md"
PICTURES = ROOT / "docs" / "pictures" / "algorithms"
LENGTHS = (16, 256, 1024)
MOST_BYTES = 80_000  # of a figure
FAMILIES = {
    "reduce": "Reductions: n numbers become one.",
    "scan": "Scans: each output is the sum of all inputs up to its own (inclusive) or before it (exclusive). An input "
            "longer than one tile is scanned tile by tile; then the tiles' totals are scanned and added back.",
    "histogram": "Histograms count how often each key occurs. The keys choose the addresses, so threads meet on cells.",
    "mistakes": "A gallery of mistakes, executed for real. `check` refuses each and gives the reason; none is a kernel to copy.",
    "patterns": "Free access patterns as real kernels: the tabs Banks and Memory run them. No GPU's record "
                "holds them yet: their wavefronts and sectors are counted from the CPU executor's trace alone.",
}


class Program:
    def __init__(self, path):
        self.path = path

    def run(self, *args, codes=(0,)):
        done = subprocess.run([str(self.path), *args], capture_output=True, text=True)
        if done.returncode not in codes:
            raise SystemExit(f"barrierscope {' '.join(args)} ended with {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def json(self, *args, codes=(0,)):
        return json.loads(self.run(*args, "--json", codes=codes))


def number(v):
    return f"{v:,.0f}".replace(",", " ") if float(v).is_integer() else f"{v:.4g}"


def header_comment(source):
    """The comment above the file's first kernel, or else its first function, as one paragraph."""
    for what in (r"(struct|class|template)\b", r"static\b"):
        block = []
        for line in (ROOT / source).read_text().splitlines():
            if line.startswith("//"):
                block.append(line.removeprefix("//").strip())
            elif re.match(what, line) and block:
                return " ".join(block)
            else:
                block = []
    return ""


def literal(text):
    """Text that Markdown leaves as it is."""
    return re.sub(r"([*_<>\[\]|])", r"\\\1", text)


def legal_blocks(kernel):
    powers = "powers of two from 1 to {}" if kernel["power_of_two_block"] else "1 to {}"
    return powers.format(kernel["most_block"])


def parameters(kernel):
    rows = []
    for p in kernel["parameters"]:
        values = ", ".join(f"`{v}`" for v in p["values"]) or f"{p['least']} to {p['most']}"
        rows.append(f"| `{p['name']}` | {values} | `{p['default']}` |")
    return ["| `--set` | values | default |", "|---|---|---|", *rows, ""] if rows else []


ORDERS = {
    "associative": "it keeps the order of the inputs, so any associative operator will do",
    "commutative": "it brings the inputs together in another order, so commutative operators only",
}


def operators(program, kernel):
    """Which operators it is right for, as the proof says, and why others are refused."""
    lines = []
    for p in kernel["parameters"]:
        if p["name"] != "operator":
            continue
        proved = {}
        for value in p["values"]:
            proof = program.json("check", kernel["name"], "--set", f"operator={value}", codes=(0, 1))["proof"]
            why = f"proved: {ORDERS[proof['operators']]}" if proof["holds"] else "no proof"
            proved.setdefault(why, []).append(f"`{value}`")
        lines += [f"- {', '.join(values)}: {why}." for why, values in proved.items()]
        refused = {}
        for r in p.get("refused", []):
            refused.setdefault(r["why"], []).append(f"`{r['value']}`")
        lines += [f"- not {', '.join(values)}: {literal(why)}." for why, values in refused.items()]
    return ["Operators:", "", *lines, ""] if lines else []


def equation(formula):
    """2(n-1) = 14, n = 8: the value before what the symbols stand for."""
    text, *symbols = formula["text"].split(", ", 1)
    return ", ".join([f"{text} = {number(formula['value'])}", *symbols])


def counts(program, kernel):
    """What was counted, beside the textbook's formulas."""
    runs = [program.json("show", kernel["name"], "--n", str(n)) for n in LENGTHS]
    columns = [("n", lambda r: r["parameters"]["n"]), ("block", lambda r: r["parameters"]["block"])]
    of = dict.fromkeys(f["of"] for run in runs for f in run["formulas"])

    def formula(name):
        return lambda r: next((equation(f) for f in r["formulas"] if f["of"] == name), None)

    for name in ("adds", "span"):
        columns.append((f"{name}, counted", lambda r, key=name: r["totals"][key]))
    columns += [(f"{name}, textbook", formula(name)) for name in of]
    for title, key in (("barriers", "barriers"), ("shared wavefronts", "shared_wavefronts"),
                       ("global sectors", "global_sectors")):
        columns.append((title, lambda r, key=key: r["totals"][key]))
        if key != "barriers":
            columns.append(("ideal", lambda r, key=key: r["totals"][key + "_ideal"]))
    for title, key in (("longest shared queue", "longest_shared_queue"), ("longest global queue", "longest_global_queue"),
                       ("lost updates", "lost_updates")):
        columns.append((title, lambda r, key=key: r["totals"][key]))
    table = [[value(run) for run in runs] for _, value in columns]
    # A column of zeros says nothing, nor an ideal of what is not there.
    kept = [k for k in range(len(columns)) if k < 2 or any(table[k])]
    lines = ["| " + " | ".join(literal(columns[k][0]) for k in kept) + " |", "|" + "---:|" * len(kept)]
    for row in range(len(runs)):
        cells = ["" if (cell := table[k][row]) is None else cell if isinstance(cell, str) else number(cell)
                 for k in kept]
        lines.append("| " + " | ".join(cells) + " |")
    return lines + [""]


def refusal(checked):
    """The first sentence that says why the run fails."""
    for h in checked["hazards"]:
        return h["sentence"]
    for f in checked["findings"]:
        return f["sentence"]
    for s in checked["coverage"]["sentences"]:
        return s
    return checked["proof"]["sentence"]


def section(program, kernel):
    name = kernel["name"]
    checked = program.json("check", name, codes=(0, 1))
    lines = [f'<a id="{anchor(kernel)}"></a>', "", f"### {kernel['title']}", "", f"`{name}` · [{kernel['source']}](../{kernel['source']})", "",
             f"*{literal(kernel['lesson'])}*", ""]
    if comment := header_comment(kernel["source"]):
        lines += [literal(comment), ""]
    lines += [f"![{kernel['title']}: the whole run]({picture(kernel).relative_to(PICTURES.parents[1]).as_posix()})", ""]
    if not checked["passed"]:
        lines += [f"`check {name}` says:", "", f"> {literal(refusal(checked))}", ""]
    if "fix" in kernel:
        lines += [f"**The fix.** {literal(kernel['fix'])}", ""]
    else:
        lines += counts(program, kernel)
    if checked["passed"]:
        lines += [("Proof: " if checked["proof"]["holds"] else "") + literal(checked["proof"]["sentence"]), ""]
    if not name.startswith("mistakes/"):
        lines += operators(program, kernel)
    lines += parameters(kernel)
    presets = ", ".join(f"`{p}`" for p in kernel["presets"])
    lines += [f"Threads a block: {legal_blocks(kernel)}." + (f" Presets: {presets}." if presets else ""), ""]
    return lines


def page(program, kernels):
    lines = ["# The algorithms", "",
             "Generated by `tools/algorithms_page.py` from the program's output; do not edit. Every number was counted "
             "in a traced run, and every figure drawn from one (seed 1, on the CPU executor). The textbook's formulas are "
             "given for comparison.", ""]
    families = list(dict.fromkeys(k["name"].split("/")[0] for k in kernels))
    lines += ["| kernel | lesson |", "|---|---|"]
    for k in kernels:
        lines.append(f"| [{k['name']}](#{anchor(k)}) | {literal(k['lesson'])} |")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        sections = dict(zip((k["name"] for k in kernels), pool.map(lambda k: section(program, k), kernels)))
    for family in families:
        lines += ["", f"## {family}", "", FAMILIES.get(family, ""), ""]
        for k in kernels:
            if k["name"].split("/")[0] == family:
                lines += sections[k["name"]]
    text = "\n".join(lines)
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


def anchor(kernel):
    return kernel["name"].replace("/", "-")


def picture(kernel):
    return PICTURES / (anchor(kernel) + ".svg")


def draw(program, kernel):
    """The whole run at the last step that did something, as high as it has rows; few keys and bins, so that they can be read."""
    args = [kernel["name"]]
    bins = any(p["name"] == "bins" for p in kernel["parameters"])
    if bins and program.json("check", *args, codes=(0, 1))["findings"] == []:
        args += ["--n", "24", "--block", "8", "--set", "bins=16"]
        if any(p["name"] == "items" for p in kernel["parameters"]):
            args += ["--set", "items=1"]
    launches = program.json("show", *args)["launches"]
    rows = sum(i["block"] == 0 for i in launches[-1]["intervals"])
    if rows == 1:  # without a barrier the figure has a row a block
        rows = launches[-1]["grid"]
    view = "run" if rows > 1 or len(launches) > 1 else "watch"  # a single interval: look into it
    caption = 56  # two lines
    size = f"760x{caption + max(180, min(720, 48 * rows + 44))}" if view == "run" else "1200x670"
    out = picture(kernel)
    # After a deadlock the last blocks have not even started.
    step = max(i["step"] for launch in launches for i in launch["intervals"] if i["accesses"])
    program.run("render", *args, "--view", view, "--step", str(step), "--theme", "light", "--size", size, "-o",
                str(out))
    return out


def figure_problem(kernel):
    """What is wrong with a kernel's figure; empty if nothing."""
    path = picture(kernel)
    if not path.exists():
        return f"{path.relative_to(ROOT)} is missing"
    if path.stat().st_size > MOST_BYTES:
        return f"{path.relative_to(ROOT)} has {path.stat().st_size} bytes, more than {MOST_BYTES}"
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
    except xml.etree.ElementTree.ParseError as error:
        return f"{path.relative_to(ROOT)} is no XML: {error}"
    if not root.tag.endswith("svg") or not any(e.tag.endswith("text") for e in root.iter()):
        return f"{path.relative_to(ROOT)} holds no text"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "barrierscope")
    parser.add_argument("--check", action="store_true", help="compare with what is there")
    args = parser.parse_args()
    if not args.program.exists():
        print(f"{args.program} is missing: build it, or name it with --program", file=sys.stderr)
        return 1
    program = Program(args.program.resolve())
    kernels = program.json("list")["kernels"]
    text = page(program, kernels)
    if not args.check:
        PICTURES.mkdir(parents=True, exist_ok=True)
        wanted = {picture(k) for k in kernels}
        for old in PICTURES.glob("*.svg"):
            if old not in wanted:
                old.unlink()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda k: draw(program, k), kernels))
        PAGE.write_text(text)
    problems = [p for p in map(figure_problem, kernels) if p]
    if args.check and (not PAGE.exists() or PAGE.read_text() != text):
        now = PAGE.read_text().splitlines() if PAGE.exists() else []
        line = next((k for k, (a, b) in enumerate(zip(now, text.splitlines()), 1) if a != b), min(len(now), 1))
        problems.append(f"docs/algorithms.md is not what the program says, from line {line} on: "
                        "run tools/algorithms_page.py")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
