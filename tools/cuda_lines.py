#!/usr/bin/env python3
"""Which line of a kernel's CUDA program (kernels/*/cuda) does what which line of the catalog's kernel does.

  cuda_lines.py            writes kernels/cuda_lines.json
  cuda_lines.py --check    exits with 1 where a program and its kernel differ, or where the file is not up to date
  cuda_lines.py NAME...    compares these only (scan/blelloch) and writes nothing

Both are traced on the same input, in several sizes. Each thread's events between two barriers must be the same ones:
the same accesses of the same cells with the same values, the same arithmetic, shuffles and atomics; and memory must
hold the same after each barrier. From an event of both follows that their lines belong together.
PROGRAM names barrierscope (default: build/release/barrierscope).
"""

import collections
import concurrent.futures
import difflib
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import trace_file

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "kernels/cuda_lines.json"
PROGRAM = os.environ.get("PROGRAM", ROOT / "build/release/barrierscope")


def numbers(n):
    """The input of the programs of sums and scans."""
    return [7 * i % 10 + 1 for i in range(n)]


def keys(n, bins):
    """The input of the programs of histograms, which fills the bins unevenly."""
    return [i * i % bins for i in range(n)]


class Entry:
    """A kernel of the catalog and its program. `constants`: which constant of the program is which part of a request.
    `values`: the numbers that stand for words of a request. `settings`: parameters that the program has no constant for, and the only value that it stands for. `sizes`: the
    requests that are compared; the first one is the catalog's own. `but`: what cannot be equal, and why."""

    def __init__(self, *sizes, constants=None, settings=None, values=None, but=None):
        self.sizes, self.constants, self.values = sizes, {"n": "N", "block": "BLOCK", **(constants or {})}, values or {}
        self.settings, self.but = settings or {}, but or {}


ADD = {"operator": "add", "type": "int32"}
INCLUSIVE, EXCLUSIVE = {"scan": "inclusive", **ADD}, {"scan": "exclusive", **ADD}


BINS = {"bins": "BINS"}
PRIVATE = {"copies": "PER_LANE", "width": "WIDTH", **BINS}

PATTERN = {"stride": "STRIDE", "offset": "OFFSET", "width": "WIDTH", "pad": "PAD"}

# What cannot be equal.
TICKET = {"positions": "a ticket is data in CUDA, so the indices computed from it are; the catalog's int() says that it is a position"}
PACKED = {"positions": "CUDA puts a sum and a count into a word by a shift and an or, and takes them out by shifts",
          "alias": {"bit_or": "convert", "shr": "convert"}}

WAITS = {"polled": {"ready": "a thread that waits for ever has looked in CUDA, and its wait has not ended in the catalog"}}

ENGINES = {"opaque": {"arrived": "a barrier's own words are those of libcu++ in CUDA and those of the catalog's mbarrier"}}


def sized(n, block, **more):
    return {"n": n, "block": block, **more}


ENTRIES = {
    "reduce/serial-in-block": Entry(sized(16, 16), sized(150, 8), settings=ADD),
    "reduce/tree-mask": Entry(sized(16, 16), sized(150, 8), settings={"of": "sum", **ADD}),
    "reduce/interleaved-global": Entry(sized(16, 16, unroll=1), sized(150, 8, unroll=2), constants={"unroll": "UNROLL"}, settings=ADD),
    "reduce/shared": Entry(sized(16, 16, unroll=1), sized(300, 16, unroll=2), constants={"unroll": "UNROLL"}, settings=ADD),
    "reduce/warp-shuffle": Entry(sized(16, 16), sized(300, 128), settings=ADD),
    "reduce/grid-stride": Entry(sized(16, 16, blocks=4224), sized(1030, 64, blocks=2), constants={"blocks": "BLOCKS"}, settings=ADD),
    "reduce/one-atomic": Entry(sized(64, 2, loads="auto"), sized(1031, 32, loads=2), constants={"loads": "LOADS"},
                               values={"loads": {"auto": 1}}, settings=ADD, but=PACKED),
    "reduce/last-block": Entry(sized(64, 2, loads="auto"), sized(1031, 32, loads=2), constants={"loads": "LOADS"},
                               values={"loads": {"auto": 1}}, settings=ADD, but=PACKED),
    "reduce/bulk-copy": Entry(sized(64, 2, items="auto", stages=3), sized(5003, 32, items=2, stages=2, schedule="to-barrier"), constants={"items": "ITEMS", "stages": "STAGES"},
                              values={"items": {"auto": 1}}, settings=ADD, but={**PACKED, **ENGINES}),
    "scan/hillis-steele": Entry(sized(16, 16), sized(150, 8), settings=INCLUSIVE),
    "scan/kogge-stone": Entry(sized(16, 16), sized(150, 8), settings=INCLUSIVE),
    "scan/brent-kung": Entry(sized(16, 8), sized(300, 8), settings=INCLUSIVE),
    "scan/three-phase": Entry(sized(16, 4, items=4), sized(300, 8, items=3), constants={"items": "ITEMS"}, settings=INCLUSIVE),
    "scan/blelloch": Entry(sized(16, 8), sized(300, 8), settings=EXCLUSIVE),
    "scan/blelloch-padded": Entry(sized(16, 8), sized(300, 32), settings=EXCLUSIVE),
    "scan/hierarchical": Entry(sized(32, 4), sized(150, 4), settings={"block_scan": "kogge-stone", **INCLUSIVE}),
    "scan/look-back": Entry(sized(96, 4, items=4), sized(1030, 64, items=4), constants={"items": "ITEMS"}, settings=INCLUSIVE, but=TICKET),
    "histogram/serial": Entry(sized(224, 1, bins=256), sized(100, 1, bins=20), constants=BINS),
    "histogram/racy": Entry(sized(224, 256, bins=256), sized(200, 64, bins=20), constants=BINS),
    "histogram/global-atomics": Entry(sized(224, 256, bins=256), sized(200, 64, bins=20), constants=BINS),
    "histogram/shared-atomics": Entry(sized(224, 256, bins=256), sized(200, 64, bins=20), constants=BINS),
    "histogram/coarsened": Entry(sized(224, 64, bins=256, items=4, access="block-strided"), sized(400, 32, bins=20, items=4, access="contiguous"),
                                 sized(400, 32, bins=20, items=2, access="grid-strided"), constants={"items": "ITEMS", "access": "ACCESS", **BINS},
                                 values={"access": {"contiguous": 0, "block-strided": 1, "grid-strided": 2}}),
    "histogram/privatised": Entry(sized(224, 64, bins=256, copies="per-lane", width="auto", blocks=264),
                                  sized(400, 64, bins=20, copies="per-warp", width=1, blocks=3), constants={"blocks": "BLOCKS", **PRIVATE},
                                  values={"copies": {"per-warp": 0, "per-lane": 1}, "width": {"auto": 4}}),
    "histogram/per-lane": Entry(sized(224, 4, bins=256, loads=4), sized(5007, 32, bins=20, loads=2), constants={"loads": "LOADS", **BINS}, but=TICKET),
    "mistakes/missing-barrier": Entry(sized(16, 16), sized(120, 64), settings={"type": "int32"}),
    "mistakes/divergent-barrier": Entry(sized(13, 16), sized(150, 64), settings={"type": "int32"}),
    "mistakes/dropped-tail": Entry(sized(19, 8), sized(259, 32), settings={"type": "int32"}),
    "mistakes/signed-char": Entry(sized(16, 16, bins=256), sized(100, 32, bins=256), constants=BINS),
    "mistakes/in-place": Entry(sized(16, 16), sized(150, 64), settings={"type": "int32"}),
    "mistakes/overlapping-tiles": Entry(sized(224, 16, bins=256, items=4), sized(400, 64, bins=20, items=4),
                                        constants={"items": "ITEMS", **BINS}),
    "mistakes/waits-ahead": Entry(sized(64, 4), sized(150, 32), settings={"type": "int32"}, but=WAITS),
    "patterns/shared-stride": Entry(sized(32, 32, stride=2, offset=0, width=4, pad=0), sized(100, 64, stride=3, offset=5, width=16, pad=1),
                                    constants=PATTERN),
    "patterns/global-stride": Entry(sized(32, 32, stride=2, offset=0, width=4, pad=0), sized(100, 64, stride=3, offset=5, width=16, pad=1),
                                    constants=PATTERN),
}

BY_NUMBER = trace_file.OPERATIONS
# What plain CUDA says with a volatile or relaxed access, and the dialect with a word of its own.
SAME = {"load_volatile": "load", "load_relaxed": "load", "acquire": "load", "wait": "load", "observe": "load",
        "store_volatile": "store", "store_relaxed": "store", "release": "store", "publish": "store"}
# Marks, and what only says where data went: equal events of these have equal lines, but one language may have more.
LOOSE = {"branch", "address", "escape", "convert", "less", "more", "less_equal", "more_equal", "equal", "differ"}
# Functions of libcu++ for the copy engine, and the catalog's events.
ENGINE = {"barrier::arrive": "arrive", "barrier::wait_parity": "await"}
IGNORED = {"phase", "together", "high", "constant", "fence"}
WITHOUT_CELL = {"shuffle", "reduce", "ballot", "match"}


def called(name):
    """An array's name in both languages: "of warp" is of_warp, "sums 2" is sums_2."""
    return name.replace(" ", "_")


WITHOUT_VALUE = {"copy", *ENGINE.values()}
ON_CELLS = {"load", "store", *(op for op in BY_NUMBER if op.startswith("atomic_"))}


def keys_of(events, launch, name_of, but):
    """What must be equal of each event: [(key, line)]; a key is the operation, the cell, the value. The engine's copies and
    its barriers have no values: the catalog has one event for a copy of many cells, CUDA's library moves each cell."""
    found, inside = [], None  # inside: a function of a library
    for index, event in enumerate(events):
        op = BY_NUMBER[event.op]
        if op == "phase" and (event.b or not event.bits):
            inside = launch.phases.get(event.bits)
            if inside in ENGINE:
                found.append(((ENGINE[inside],), event.line))
        elif inside:
            if inside == "memcpy_async" and op in ON_CELLS:
                found.append((("copy", name_of(event.array), event.a), event.line))
        elif op in ("bulk_read", "bulk_write"):
            found += [(("copy", name_of(event.array), event.a + k), event.line) for k in range(event.bits)]
        elif op in ENGINE.values():
            found.append(((op,), event.line))
        elif op not in IGNORED:
            op = but.get("alias", {}).get(op, SAME.get(op, op))
            after = events[index + 1] if index + 1 < len(events) else None
            bits = event.bits | (after.bits if after and BY_NUMBER[after.op] == "high" else 0) << 32
            cell = (name_of(event.array), event.a) if op in ON_CELLS else ()
            found.append(((op, *cell, None if cell and cell[0] in but.get("opaque", {}) else bits), event.line))
    return found


def intervals(events, launch, name_of, but):
    """The events between two barriers: [(their keys and lines, line of the barrier)]; the last one ends with the thread."""
    found, now = [], []
    for key, line in keys_of(events, launch, name_of, but):
        if key[0] in ("sync", "sync_grid"):
            found.append((now, line))
            now = []
            continue
        if key[0] == "load":  # of a loop that waits the last look counts
            last = next((k for k in reversed(range(len(now))) if now[k][0][0] not in LOOSE), None)
            if last is not None and last < len(now) - 1 and now[last][0][:3] == key[:3] and now[last][1] == line:
                del now[last:]
        now.append((key, line))
    found.append((now, 0))
    return found


def pairs(mine, theirs):
    """The lines of events that are the same ones: (line of CUDA's, line of the catalog's)."""
    ours, catalogs = [key for key, _ in mine], [key for key, _ in theirs]
    found, left = [], collections.defaultdict(list)
    taken = [False] * len(catalogs), [False] * len(ours)
    for at, other, size in difflib.SequenceMatcher(None, catalogs, ours, autojunk=False).get_matching_blocks():
        for k in range(size):
            found.append((mine[other + k][1], theirs[at + k][1]))
            taken[0][at + k] = taken[1][other + k] = True
    for k, key in enumerate(ours):  # two operands of one line may be loaded in another order
        if not taken[1][k] and (key[0] in ON_CELLS or key[0] in WITHOUT_VALUE):
            left[key].append(mine[k][1])
    for k, key in enumerate(catalogs):
        if not taken[0][k] and left[key]:
            found.append((left[key].pop(0), theirs[k][1]))
    return [(ours, catalogs) for ours, catalogs in found if ours and catalogs]


def same_names(cuda, dialect):
    """CUDA's names of arrays to the catalog's: the same names, then the others in their order."""
    return dict(zip((name for name in cuda if name not in dialect), (name for name in dialect if name not in cuda)))


def array_names(trace, launch):
    """The names of the arrays by the numbers that events have of them."""
    return {**{number: called(a.name) for number, a in enumerate(trace.arrays)},
            **{128 + number: called(a.name) for number, a in enumerate(launch.shared)}}


def run(*args):
    done = subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 1):
        sys.exit(f"cuda_lines.py: barrierscope {' '.join(map(str, args))} ends with {done.returncode}:\n{done.stderr}")
    return done.stdout


def program_of(source):
    """kernels/scan/cuda/5_blelloch.cu of kernels/scan/5_blelloch.cu."""
    path = pathlib.PurePosixPath(source)
    return str(path.parent / "cuda" / path.name)


def constants_of(entry, size):
    """What is said to the program: --const N=16."""
    return [word for name, constant in entry.constants.items() if name in size
            for word in ("--const", f"{constant}={entry.values.get(name, {}).get(size[name], size[name])}")]


def request_of(name, entry, size):
    """What is said to the catalog: --values 1,8,5 --block 8 --set items=4."""
    values = keys(size["n"], size["bins"]) if "bins" in size else numbers(size["n"])
    more = {**entry.settings, **{key: value for key, value in size.items() if key not in ("n", "block", "schedule")}}
    return [name, "--values", ",".join(map(str, values)), "--block", size["block"],
            *(word for key, value in more.items() for word in ("--set", f"{key}={value}"))]


def traced(folder, name, entry, source, size):
    """Both traces of a size: of the program, of the kernel."""
    cuda, dialect = folder / "cuda.bscope", folder / "dialect.bscope"
    order = ["--schedule", size["schedule"]] if "schedule" in size else []
    run("trace", ROOT / program_of(source), *constants_of(entry, size), *order, "-o", cuda)
    run("trace", *request_of(name, entry, size), *order, "-o", dialect)
    return cuda, dialect


def snapshots(launch, block):
    """What each shared array holds at each barrier and at the end."""
    content = launch.snapshots[block]
    return [content[at:at + launch.shared_bytes] for at in range(0, len(content), launch.shared_bytes)] if launch.shared_bytes else []


class Compared:
    """What comparing two traces found: `differences` are sentences, `lines` which lines belong together, `without`
    the kernel's lines with events of which the program has none."""

    def __init__(self):
        self.differences, self.lines, self.all = [], collections.defaultdict(collections.Counter), set()

    def compare(self, cuda, dialect, but):
        if len(cuda.launches) != len(dialect.launches):
            self.differences.append(f"{len(cuda.launches)} launches in CUDA, {len(dialect.launches)} in the catalog")
        for number, (mine, theirs) in enumerate(zip(cuda.launches, dialect.launches)):
            where = f"launch {number}"
            if (mine.grid, mine.block) != (theirs.grid, theirs.block):
                self.differences.append(f"{where}: {mine.grid} x {mine.block} threads in CUDA, {theirs.grid} x {theirs.block}")
                continue
            ours, catalogs = array_names(cuda, mine), array_names(dialect, theirs)
            for first, end in ((0, 128), (128, 256)):
                same = same_names(*([name for number, name in names.items() if first <= number < end] for names in (ours, catalogs)))
                ours = {number: same.get(name, name) if first <= number < end else name for number, name in ours.items()}
            for block in range(mine.grid):
                for thread in range(mine.block):
                    self.compare_thread(f"{where}, block {block}, thread {thread}", theirs.source, but,
                                        intervals(mine.blocks[block][thread], mine, ours.get, but),
                                        intervals(theirs.blocks[block][thread], theirs, catalogs.get, {**but, "alias": {}}))

    def compare_thread(self, where, source, but, mine, theirs):
        if len(mine) != len(theirs):
            self.differences.append(f"{where}: {len(mine) - 1} barriers in CUDA, {len(theirs) - 1} in the catalog")
        for index, ((ours, barrier), (catalogs, their_barrier)) in enumerate(zip(mine, theirs)):
            if their_barrier:
                self.all.add((source, their_barrier))
            if barrier and their_barrier:
                self.lines[source, their_barrier][barrier] += 1
            self.all.update((source, line) for _, line in catalogs if line)
            for line, of_catalog in pairs(ours, catalogs):
                self.lines[source, of_catalog][line] += 1
            counts = [collections.Counter(key for key, _ in events if key[0] not in LOOSE) for events in (ours, catalogs)]
            if counts[0] == counts[1]:
                continue
            for key in counts[0] | counts[1]:
                more = counts[0][key] - counts[1][key]
                if more > 0 and (key[0] not in ON_CELLS and "positions" in but or key[1:2] and key[1] in but.get("polled", {})):
                    continue
                if more:
                    lines = [line for same, line in (ours if more > 0 else catalogs) if same == key]
                    self.differences.append(f"{where}, step {index}: {key} in lines {lines} of {'CUDA' if more > 0 else 'the catalog'} {abs(more)} times more")


def compare_entry(name, entry, source):
    """Compares all sizes of an entry."""
    found = Compared()
    for size in entry.sizes:
        with tempfile.TemporaryDirectory() as folder:
            cuda, dialect = map(trace_file.read, traced(pathlib.Path(folder), name, entry, source, size))
        before = len(found.differences)
        found.compare(cuda, dialect, entry.but)
        found.differences[before:] = [f"{size}: {text}" for text in found.differences[before:]]
    return found


def record(entry, source, found):
    """What the file says of an entry: the lines of the kernel's own file, and those of other files of its launches."""
    lines = collections.defaultdict(dict)
    for (path, line), ours in sorted(found.lines.items()):
        lines[path][str(line)] = sorted(ours)
    own = lines.pop(source, {})
    return {"file": program_of(source), "constants": entry.constants, **({"values": entry.values} if entry.values else {}),
            **({"settings": entry.settings} if entry.settings else {}), "lines": own, **({"others": lines} if lines else {})}


def as_text(records):
    """The file: an entry in a line for each member."""
    entries = []
    for name, members in records.items():
        inner = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in members.items())
        entries.append(f" {json.dumps(name)}: {{\n{inner}\n }}")
    return "{\n" + ",\n".join(entries) + "\n}\n"


def catalog():
    """The files of the catalog's kernels, by their names."""
    return {kernel["name"]: kernel["source"] for kernel in json.loads(run("list", "--json"))["kernels"]}


def compared(names, sources):
    """What comparing these entries found, by their names; two at a time."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return dict(zip(names, pool.map(lambda name: compare_entry(name, ENTRIES[name], sources[name]), names)))


def main():
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")]
    sources = catalog()
    names = wanted or [name for name in sources if name in ENTRIES]
    results, wrong = compared(names, sources), False
    for name, found in results.items():
        without = sorted(found.all - set(found.lines))
        print(f"{name}: {len(found.all) - len(without)} of {len(found.all)} lines with events are in CUDA, {len(found.differences)} differences")
        for text in found.differences[:8]:
            print("   ", text)
        for source, line in without:
            print(f"    none for {source}:{line}")
        wrong = wrong or bool(found.differences)
    text = as_text({name: record(ENTRIES[name], sources[name], results[name]) for name in names})
    if wanted:
        print(text)
    elif "--check" not in sys.argv:
        FILE.write_text(text)
    elif text != FILE.read_text():
        print(f"{FILE.name} is not up to date: run tools/cuda_lines.py")
        wrong = True
    total, have = (sum(len(x) for x in found) for found in zip(*[(r.all, r.all & set(r.lines)) for r in results.values()]))
    print(f"{have} of {total} lines")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
