#!/usr/bin/env python3
"""Counts what a newcomer has to learn: types that share a name, long functions, headers seen, ways to do one job.

  tools/concepts.py [ROOT]              a table of this tree
  tools/concepts.py --before REVISION   the same beside an earlier commit's
  tools/concepts.py --names             the names that several types share, and the functions over 60 lines

Names of types are counted apart: those at namespace level, which no two headers should share, and those of types
inside types, which a reader sees with the outer name (Token::Kind, Stamp::Kind). Names of ALTERNATIVES are left out:
one build or one half of a kernel sees one of them.

What needs judgement (which caches there are, which mechanisms of background work) is a list in docs/architecture.md.
Needs Debian's universal-ctags.
"""

import argparse
import collections
import io
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tarfile
import tempfile

PARTS = ("app", "engine")
HEADERS, SOURCES = {".hpp", ".h", ".cuh"}, {".cpp", ".cu"}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
LONG = 60  # lines of a function
# Types that are declared twice on purpose: for a kernel's CPU and GPU half, for native and WebAssembly builds.
ALTERNATIVES = {"Gpu", "Stacks"}
# What students' programs include follows CUDA's names, and several files declare one for the host and the device.
NOT_OURS = "engine/cuda/include/"
# Lines of code (comments and strings left out) that match, and the files that hold them.
PATTERNS = {
    "reads JSON": r"\bjson::(parse|accept)\s*\(",
    "writes JSON": r"\.dump\s*\(",
    "members and variables that hold background work":
        r"^\s*(std::jthread|std::thread|std::vector<std::j?thread>|Worker|Meanwhile<.*>|AsyncTask<.*>|RunsBeside|SlowStep"
        r"|Openings|RunLoader|BesideFrames)\s+\w+(\{.*\})?;",
    "parameters `const Open&`": r"\bconst Open&",
    "NotYet": r"\bNotYet\b",
    "members that point to functions": r"^\s+[\w:<>,&* ]+\(\*\w+\)\s*\(.*",
}


def files_of(root):
    """Every source and header of ours, as (path from the root, text)."""
    for part in PARTS:
        for file in sorted((root / part).rglob("*")):
            if file.suffix in HEADERS | SOURCES:
                yield file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")


def tags_of(root, paths):
    """What ctags finds in these files: dictionaries with name, path, kind, line, end."""
    command = ["ctags", "--output-format=json", "--fields=+ne", "--languages=C++", "--langmap=C++:+.cu.cuh.h",
               "--kinds-C++=cfgsu", "-f", "-", "-L", "-"]
    printed = subprocess.run(command, cwd=root, input="\n".join(paths), capture_output=True, text=True, check=True).stdout
    return [tag for line in printed.splitlines() if (tag := json.loads(line)).get("_type") == "tag"]


def seen_headers(path, includes, cache):
    """All headers of ours that a file includes, also through others."""
    if path not in cache:
        cache[path] = set()
        cache[path] = set().union(*({h} | seen_headers(h, includes, cache) for h in includes.get(path, ()) if h in includes))
    return cache[path]


def is_nested(tag):
    """Whether the type is declared inside another one, or in a function."""
    return tag.get("scopeKind", "namespace") != "namespace"


def shared_names(tags, suffixes, counts=lambda tag: True):
    """Name -> the files that define a type of that name, of names with several; of the types that `counts` selects."""
    places = collections.defaultdict(set)
    for tag in tags:
        if tag["kind"] in ("class", "struct", "enum", "union") and not tag["name"].startswith("__anon") and counts(tag):
            if pathlib.PurePath(tag["path"]).suffix in suffixes and not tag["path"].startswith(NOT_OURS):
                places[tag["name"]].add(tag["path"])
    return {name: sorted(found) for name, found in places.items() if len(found) > 1}


def long_functions(tags):
    """The functions that are longer than LONG lines, the longest first."""
    lengths = {(t["path"], t["line"]): (t["end"] - t["line"] + 1, f"{t['path']}:{t['line']} {t['name']}")
               for t in tags if t["kind"] == "function" and "end" in t}
    return sorted((found for found in lengths.values() if found[0] > LONG), reverse=True)


def code_of(text):
    """The text without comments and strings; every line stays where it was."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.DOTALL)


def measures(root):
    """What is counted -> how much, in the order of the table."""
    files = dict(files_of(root))
    tags = tags_of(root, files)
    includes = {path: INCLUDE.findall(text) for path, text in files.items()}
    everywhere = shared_names(tags, HEADERS | SOURCES)
    at_namespace_level = shared_names(tags, HEADERS, lambda tag: not is_nested(tag) and tag["name"] not in ALTERNATIVES)
    nested = shared_names(tags, HEADERS, is_nested)
    most = max(everywhere, key=lambda name: (len(everywhere[name]), name), default="")
    found = {
        "lines of app and engine": sum(text.count("\n") for text in files.values()),
        "files of app and engine": len(files),
        "names that several types of headers share, at namespace level": len(at_namespace_level),
        "nested types of one name, in headers": len(nested),
        "names that more than 3 types share": sum(len(p) > 3 for p in everywhere.values()),
        "types of the name used most often": len(everywhere.get(most, ())),
        f"functions over {LONG} lines": len(long_functions(tags)),
    }
    cache = {}
    for part in ("app/shell", "app/tabs", "app/draw"):
        seen = [len(seen_headers(p, includes, cache)) for p in files if p.startswith(part + "/") and p.endswith(".cpp")]
        found[f"own headers that a .cpp of {part} sees (median)"] = int(statistics.median(seen))
    code = {path: code_of(text) for path, text in files.items()}
    for what, pattern in PATTERNS.items():
        hits = {path: len(re.findall(pattern, text, re.MULTILINE)) for path, text in code.items()}
        places = sum(n > 0 for n in hits.values())
        found[what] = f"{sum(hits.values())} in {places} files"
    return found


def tree_of(revision, folder):
    """Unpacks app and engine of a commit into a folder."""
    packed = subprocess.run(["git", "archive", revision, *PARTS], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return pathlib.Path(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    parser.add_argument("--before", metavar="REVISION")
    parser.add_argument("--names", action="store_true")
    options = parser.parse_args()
    if options.names:
        tags = tags_of(options.root, [path for path, _ in files_of(options.root)])
        for name, places in sorted(shared_names(tags, HEADERS | SOURCES).items(), key=lambda item: -len(item[1])):
            print(f"{len(places):3} {name}: {' '.join(places)}")
        for length, place in long_functions(tags):
            print(f"{length:3} lines: {place}")
        return 0
    columns = {"now": measures(options.root)}
    if options.before:
        with tempfile.TemporaryDirectory() as folder:
            columns = {options.before: measures(tree_of(options.before, folder)), **columns}
    print("| | " + " | ".join(columns) + " |\n|---|" + "---:|" * len(columns))
    for what in columns["now"]:
        print(f"| {what} | " + " | ".join(str(column[what]) for column in columns.values()) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
