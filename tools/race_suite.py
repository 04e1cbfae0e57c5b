"""Recall and false alarms on a labelled suite of CUDA kernels that was written elsewhere: Indigo.

  tools/race_suite.py FOLDER [--program PROGRAM] [--only PATTERN] [--most N] [-o RECORD]

FOLDER is `indigo` of the HiRace artifact (github.com/JohnJacobsonIII/HiRace-Artifact-SC24), which holds the kernels of the
Indigo suite 1.3 as generated CUDA files; a name such as push_node_neighbors_cond_atomicBug tells the bugs in it. Each kernel is
checked with one graph. What was reported goes into RECORD (tests/recorded/race_suite.json), from which tools/accuracy_page.py
makes a part of docs/accuracy.md. The suite's files are read where they are, and never copied. Exit 0: done; 2: bad input.
"""

import argparse
import concurrent.futures
import datetime
import fnmatch
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = ROOT / "tests" / "recorded" / "race_suite.json"
GRAPH = "power_law_200n_1000e.egr"
THREADS = 64
# More threads than the graph has vertices, so that a missing guard shows; a persistent kernel gets fewer, so that it loops.
BLOCKS, PERSISTENT_BLOCKS = 256, 8


def command(program, folder, file):
    blocks = PERSISTENT_BLOCKS if "_persistent" in file.stem else BLOCKS
    return [str(program), "check", str(file), "--json", "-I", str(folder / "indigo_include"), "--",
            str(folder / "input" / GRAPH), str(THREADS), str(blocks)]


def chosen(files, most):
    """At most so many files for each set of bugs, evenly spaced, and of race-free ones three times as many."""
    groups = {}
    for file in files:
        groups.setdefault(tuple(word for word in file.stem.split("_") if word.endswith("Bug")), []).append(file)
    picked = []
    for bugs, group in groups.items():
        n = min(len(group), most if bugs else 3 * most)
        picked += [group[k * len(group) // n] for k in range(n)]
    return sorted(picked)


def reported(code, out, err):
    """What a check says: "clean", "race", "bounds", "race and bounds", or "other: ..." and "not judged: ..." with the reason."""
    try:
        told = json.loads(out)
    except ValueError:
        lines = [line for line in err.splitlines() if not line.startswith("  |")]
        return f"not judged: {lines[-1] if lines else f'exit code {code}'}"
    kinds = []
    if told["hazards"]:
        kinds.append("race")
    groups = [g for group in told["groups"] for g in [group, *group.get("consequences", [])]]
    if any(g["rule"] == "out-of-bounds" for g in groups):
        kinds.append("bounds")
    if kinds:
        return " and ".join(kinds)
    if told.get("not_judged"):
        return f"not judged: {told['not_judged']}"
    return "clean" if code == 0 else f"other: {groups[0]['message'] if groups else 'exit code 1'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "release" / "barrierscope")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="kernels whose name matches")
    parser.add_argument("--most", type=int, metavar="N", 
                        help="kernels with the same bugs, evenly spaced; of race-free ones three times as many")
    parser.add_argument("-o", "--output", type=pathlib.Path, default=RECORD)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    folder = args.folder.resolve()
    files = sorted(f for f in (folder / "indigo_sources").glob("*/*.cu") if fnmatch.fnmatchcase(f.stem, args.only))
    if not files or not args.program.exists():
        print(f"race_suite.py: {f'{args.program} is not there' if files else f'{folder} holds no kernels'}", file=sys.stderr)
        return 2

    there = len(files)
    if args.most:
        files = chosen(files, args.most)

    def judge(file):
        done = subprocess.run(command(args.program, folder, file), capture_output=True, text=True, timeout=1200)
        return file.stem, reported(done.returncode, done.stdout, done.stderr.replace(str(folder), "."))

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        verdicts = dict(pool.map(judge, files))
    version = re.search(r"benchmark suite version (\d+(?:\.\d+)*)", files[0].read_text())
    record = {"suite": "Indigo", "version": version[1] if version else "unknown", "kernels": there, "most": args.most or 0,
              "graph": GRAPH, "threads": THREADS, "blocks": BLOCKS, "persistent_blocks": PERSISTENT_BLOCKS,
              "date": datetime.date.today().isoformat(),
              "verdicts": verdicts}
    args.output.write_text(json.dumps(record, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
