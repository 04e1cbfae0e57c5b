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
    """A kernel of the catalog and its program.

    sizes      the requests that are compared; the first one is the catalog's own
    constants  which constant of the program is which part of a request
    values     the numbers that stand for words of a request
    settings   parameters that the program has no constant for, and the only value that it stands for
    but        what cannot be equal, and why (BUT)
    """

    def __init__(self, *sizes, constants=None, values=None, settings=None, but=None):
        self.sizes, self.constants = sizes, {"n": "N", "block": "BLOCK", **(constants or {})}
        self.values, self.settings, self.but = values or {}, settings or {}, but or {}


# What `but` may hold, and which figures then differ, too.
ACCESSES = {"longest_shared_queue", "shared_wavefronts", "shared_wavefronts_ideal", "global_sectors", "global_sectors_ideal"}
BUT = {
    "positions": {"adds", "span"},  # why arithmetic that CUDA alone has is not compared
    "alias": set(),  # operations of CUDA that stand for another one of the catalog
    "polls": {"span", "global_sectors", "global_sectors_ideal"},  # why a loop that waits makes more accesses; its last one is compared
    "stuck": set(),  # arrays that a thread which waits for ever has looked at
    "opaque": {"barriers needed", "adds", "span", *ACCESSES},  # arrays whose values are not compared, and why
    "unwritten": set(),  # arrays whose values at the end are not compared, and why
    "sent": set(),  # the array that the engine writes in the catalog, and all threads in CUDA
    "unstated": set(),  # why the program has no line that says what is expected
}
TICKET = {"positions": "a ticket is data in CUDA, so the indices computed from it are; the catalog's int() says that it is a position"}
PACKED = {"positions": "CUDA puts a sum and a count into a word by a shift and an or, and takes them out by shifts",
          "alias": {"bit_or": "convert", "shr": "convert"},
          "unstated": "a branch on the count of a word that also holds a sum is one that the data may steer: there is no proof"}
POLLS = {"polls": "the catalog's wait is one event; a loop in CUDA looks until the word is there"}
ENGINE_READS = {"opaque": {"arrived": "libcu++'s barrier has other words than the catalog's mbarrier, and is seen while it works; "
                                      "here a copy of its library moves each cell"}}
NO_FORM = {"unstated": "no form of the line says what is expected"}

ADD = {"operator": "add", "type": "int32"}
INT32 = {"type": "int32"}
INCLUSIVE, EXCLUSIVE = {"scan": "inclusive", **ADD}, {"scan": "exclusive", **ADD}
UNROLL, ITEMS, LOADS, BINS = {"unroll": "UNROLL"}, {"items": "ITEMS"}, {"loads": "LOADS"}, {"bins": "BINS"}
STAGES = {"stages": "STAGES"}
PATTERN = {"stride": "STRIDE", "offset": "OFFSET", "width": "WIDTH", "pad": "PAD"}
IN_ORDER = {"schedule": "to-barrier"}  # else which block is the last depends on the events of each


def sized(n, block, **more):
    return {"n": n, "block": block, **more}


ENTRIES = {
    "reduce/serial-in-block": Entry(sized(16, 16), sized(150, 6), settings=ADD),
    "reduce/tree-mask": Entry(sized(16, 16), sized(150, 8), settings={"of": "sum", **ADD}),
    "reduce/interleaved-global": Entry(sized(16, 16, unroll=1), sized(150, 8, unroll=2), constants=UNROLL, settings=ADD),
    "reduce/shared": Entry(sized(16, 16, unroll=1), sized(300, 16, unroll=2), constants=UNROLL, settings=ADD),
    "reduce/warp-shuffle": Entry(sized(16, 16), sized(300, 128), settings=ADD),
    "reduce/grid-stride": Entry(sized(16, 4, blocks=4224), sized(1030, 64, blocks=2), constants={"blocks": "BLOCKS"}, settings=ADD),
    "reduce/bulk-copy": Entry(sized(64, 2, items="auto", stages=3), sized(5003, 40, items=2, stages=2, **IN_ORDER),
                              constants={**ITEMS, **STAGES}, values={"items": {"auto": 1}}, settings=ADD, but={**PACKED, **ENGINE_READS}),
    "reduce/one-atomic": Entry(sized(64, 2, loads="auto"), sized(1031, 40, loads=2), constants=LOADS,
                               values={"loads": {"auto": 1}}, settings=ADD, but=PACKED),
    "reduce/last-block": Entry(sized(64, 2, loads="auto"), sized(1031, 40, loads=2), constants=LOADS,
                               values={"loads": {"auto": 1}}, settings=ADD, but={**PACKED, **POLLS}),
    "scan/hillis-steele": Entry(sized(16, 16), sized(150, 6), settings=INCLUSIVE),
    "scan/kogge-stone": Entry(sized(16, 16), sized(150, 7), settings=INCLUSIVE),
    "scan/brent-kung": Entry(sized(16, 8), sized(300, 6), settings=INCLUSIVE),
    "scan/three-phase": Entry(sized(16, 4, items=4), sized(300, 6, items=3), constants=ITEMS, settings=INCLUSIVE),
    "scan/blelloch": Entry(sized(16, 8), sized(300, 8), settings=EXCLUSIVE),
    "scan/blelloch-padded": Entry(sized(16, 8), sized(300, 32), settings=EXCLUSIVE),
    "scan/hierarchical": Entry(sized(32, 4), sized(150, 4), settings={"block_scan": "kogge-stone", **INCLUSIVE}),
    "scan/look-back": Entry(sized(96, 4, items=4), sized(1030, 40, items=4), constants=ITEMS, settings=INCLUSIVE, but={**TICKET, **POLLS}),
    "scan/look-ahead": Entry(sized(64, 1, items=3, stages=4, **IN_ORDER), sized(1543, 97, items=1, stages=3, **IN_ORDER),
                             constants={**ITEMS, **STAGES}, settings=INCLUSIVE, but={**PACKED, **POLLS, **ENGINE_READS, "sent": "result"}),
    "histogram/serial": Entry(sized(224, 1, bins=256), sized(100, 1, bins=20), constants=BINS),
    "histogram/racy": Entry(sized(224, 256, bins=256), sized(200, 64, bins=20), constants=BINS),
    "histogram/global-atomics": Entry(sized(224, 256, bins=256), sized(200, 64, bins=20), constants=BINS),
    "histogram/shared-atomics": Entry(sized(224, 256, bins=256), sized(200, 64, bins=20), constants=BINS),
    "histogram/coarsened": Entry(sized(224, 64, bins=256, items=4, access="block-strided"), sized(400, 32, bins=20, items=4, access="contiguous"),
                                 sized(400, 32, bins=20, items=2, access="grid-strided"), constants={"access": "ACCESS", **ITEMS, **BINS},
                                 values={"access": {"contiguous": 0, "block-strided": 1, "grid-strided": 2}}),
    "histogram/privatised": Entry(sized(224, 64, bins=256, copies="per-lane", width="auto", blocks=264),
                                  sized(403, 64, bins=20, copies="per-warp", width=4, blocks=1),
                                  constants={"copies": "PER_LANE", "width": "WIDTH", "blocks": "BLOCKS", **BINS},
                                  values={"copies": {"per-warp": 0, "per-lane": 1}, "width": {"auto": 4}}),
    "histogram/per-lane": Entry(sized(224, 4, bins=256, loads=4), sized(5007, 40, bins=20, loads=2), constants={**LOADS, **BINS}, but=TICKET),
    "mistakes/missing-barrier": Entry(sized(16, 16), sized(120, 64), settings=INT32),
    "mistakes/divergent-barrier": Entry(sized(13, 16), sized(150, 64), settings=INT32),
    "mistakes/dropped-tail": Entry(sized(19, 8), sized(259, 32), settings=INT32),
    "mistakes/signed-char": Entry(sized(16, 16, bins=256), sized(100, 32, bins=256), constants=BINS,
                                  but={"unstated": "the line takes the keys for what their type says, and that is the mistake"}),
    "mistakes/in-place": Entry(sized(16, 16), sized(150, 64), settings=INT32),
    "mistakes/overlapping-tiles": Entry(sized(224, 16, bins=256, items=4), sized(400, 64, bins=20, items=2), constants={**ITEMS, **BINS}),
    "mistakes/waits-ahead": Entry(sized(64, 4), sized(150, 32), settings=INT32, but={
        **POLLS, **NO_FORM, "stuck": {"ready": "a thread that waits for ever has looked in CUDA, and its wait has not ended in the catalog"},
        "unwritten": {name: "what no block came to write holds anything in CUDA, and zeros in the catalog" for name in ("passed", "result")}}),
    "patterns/shared-stride": Entry(sized(32, 32, stride=2, offset=0, width=4, pad=0), sized(100, 64, stride=3, offset=5, width=16, pad=1),
                                    constants=PATTERN, but=NO_FORM),
    "patterns/global-stride": Entry(sized(32, 32, stride=2, offset=0, width=4, pad=0), sized(100, 64, stride=3, offset=5, width=16, pad=1),
                                    constants=PATTERN, but=NO_FORM),
}

BY_NUMBER = trace_file.OPERATIONS
# What plain CUDA says with a volatile or relaxed access, and the dialect with a word of its own.
SAME = {"load_volatile": "load", "load_relaxed": "load", "acquire": "load", "wait": "load", "observe": "load",
        "store_volatile": "store", "store_relaxed": "store", "store_async": "store", "release": "store", "publish": "store"}
# Marks, and what only says where data went: equal events of these have equal lines, but one language may have more.
ORDER = {"fence_async", "await_bulk", "await_bulk_read"}
LOOSE = {*ORDER, "branch", "address", "escape", "convert", "less", "more", "less_equal", "more_equal", "equal", "differ"}
# Functions of libcu++ for the copy engine, and the catalog's events.
ENGINE = {"barrier::arrive": "arrive", "barrier::wait_parity": "await"}
IGNORED = {"phase", "together", "high", "constant", "fence"}
MOVES = {"load", "store_async", "high", "together"}  # what a copy that arrives leaves in the log


def called(name):
    """An array's name in both languages: "of warp" is of_warp, "sums 2" is sums_2."""
    return name.replace(" ", "_")


WITHOUT_VALUE = {"copy", *ENGINE.values()}
ON_CELLS = {"load", "store", *(op for op in BY_NUMBER if op.startswith("atomic_"))}


def keys_of(events, launch, name_of, but):
    """What must be equal of each event: [(key, line)]; a key is the operation, the cell, the value. The engine's copies and
    its barriers have no values: the catalog has one event for a copy of many cells, CUDA's library moves each cell. It may
    do so later, when the copy arrives; the cells belong to where the copy was asked for."""
    found, inside = [], None  # inside: a function of a library
    pending, arriving = collections.deque(), None  # copies: where their cells are noted, and their lines
    for index, event in enumerate(events):
        op = BY_NUMBER[event.op]
        if arriving and (op not in MOVES or event.line != arriving[1]):
            arriving = None
        if op == "copy_async":
            pending.append(([], event.line))
            found.append(pending[-1])
        elif op == "copy_arrives":
            arriving = pending.popleft()
        elif arriving:
            if SAME.get(op, op) in ON_CELLS:
                arriving[0].append((("copy", name_of(event.array), event.a), event.line))
        elif op == "phase" and (event.b or not event.bits):
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
    return [each for entry in found for each in (entry[0] if isinstance(entry[0], list) else [entry])]


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
    if ours == catalogs:
        return [(line, of_catalog) for (_, line), (_, of_catalog) in zip(mine, theirs)]
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
    return found


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
        raise SystemExit(f"cuda_lines.py: barrierscope {' '.join(map(str, args))} ends with {done.returncode}:\n{done.stderr}")
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


def judged(folder, name, entry, source, size):
    """Both traces of a size, of the program and of the kernel, and what `check` says of them."""
    cuda, dialect = folder / "cuda.bscope", folder / "dialect.bscope"
    order = ["--schedule", size["schedule"]] if "schedule" in size else []
    return [(trace, json.loads(run("check", *words, *order, "--json", "-o", trace))) for trace, words in (
        (cuda, (ROOT / program_of(source), *constants_of(entry, size), "--no-try")), (dialect, request_of(name, entry, size)))]


def snapshots(launch, block):
    """What each shared array holds at each barrier and at the end."""
    content = launch.snapshots[block]
    return [content[at:at + launch.shared_bytes] for at in range(0, len(content), launch.shared_bytes)] if launch.shared_bytes else []


def sent_cells(events, number):
    """The cells of global array `number` that the copy engine writes: {cell: line}."""
    return {event.a + k: event.line for thread in events for event in thread
            if BY_NUMBER[event.op] == "bulk_write" and event.array == number for k in range(event.bits)}


class Compared:
    """What comparing traces found: `differences` are sentences, `lines` which lines of CUDA each line of the kernel has,
    `all` the kernel's lines with events."""

    def __init__(self):
        self.differences, self.lines, self.all = [], collections.defaultdict(collections.Counter), set()

    def pair(self, source, line, cuda):
        if line:
            self.all.add((source, line))
        if line and cuda:
            self.lines[source, line][cuda] += 1

    def compare(self, cuda, dialect, but):
        """Compares the runs launch by launch, with what is in `but` left out."""
        if len(cuda.launches) != len(dialect.launches):
            self.differences.append(f"{len(cuda.launches)} launches in CUDA, {len(dialect.launches)} in the catalog")
        mine, theirs = ({at[:3] for at in trace.findings} for trace in (cuda, dialect))  # launch, block, thread
        if not mine <= theirs or {at[0] for at in mine} != {at[0] for at in theirs}:  # of several alike CUDA's has the first
            self.differences.append(f"findings {cuda.findings} in CUDA, {dialect.findings} in the catalog")
        for number, (mine, theirs) in enumerate(zip(cuda.launches, dialect.launches)):
            where = f"launch {number}"
            if (mine.grid, mine.block) != (theirs.grid, theirs.block):
                self.differences.append(f"{where}: {mine.grid} x {mine.block} threads in CUDA, {theirs.grid} x {theirs.block}")
                continue
            ours, catalogs = array_names(cuda, mine), array_names(dialect, theirs)
            for first, end in ((0, 128), (128, 256)):
                same = same_names(*([name for number, name in names.items() if first <= number < end] for names in (ours, catalogs)))
                ours = {number: same.get(name, name) if first <= number < end else name for number, name in ours.items()}
            self.compare_memory(where, (cuda, mine, ours), (dialect, theirs, catalogs), but)
            for block in range(mine.grid):
                self.compare_block(f"{where}, block {block}", theirs.source, but, (mine, mine.blocks[block], ours),
                                   (theirs, theirs.blocks[block], catalogs))

    def compare_memory(self, where, mine, theirs, but):
        """Global memory when the launch ended, and shared memory at each barrier."""
        contents = [{}, {}]
        for content, (trace, launch, names) in zip(contents, (mine, theirs)):
            for number, after in enumerate(launch.after):
                content[names[number]] = after
            for number, array in enumerate(launch.shared):
                size = array.size * trace_file.CELL_BYTES[array.kind]
                for block in range(launch.grid):
                    for step, bytes_at in enumerate(snapshots(launch, block)):
                        content[names[128 + number], block, step] = bytes_at[array.offset:array.offset + size]
        for at in sorted(contents[0].keys() | contents[1].keys(), key=str):
            name = at[0] if isinstance(at, tuple) else at
            if name not in but.get("opaque", {}) and name not in but.get("unwritten", {}) and contents[0].get(at) != contents[1].get(at):
                self.differences.append(f"{where}: {at} (array, block, barrier) holds other values in CUDA")

    def compare_block(self, where, source, but, mine, theirs):
        (launch, ours, names), (their_launch, catalogs, their_names) = mine, theirs
        sent = {}
        if but.get("sent"):
            sent = sent_cells(catalogs, next(number for number, name in their_names.items() if name == but["sent"]))
        stored = {}
        for thread in range(launch.block):
            of_cuda = intervals(ours[thread], launch, names.get, but)
            of_catalog = intervals(catalogs[thread], their_launch, their_names.get, {**but, "alias": {}})
            if sent:
                lines = {line for events, _ in of_cuda for key, line in events if key[:2] == ("store", but["sent"]) and key[2] in sent}
                for events, _ in of_cuda:
                    stored.update({key[2]: line for key, line in events if line in lines and key[0] == "store"})
                    events[:] = [event for event in events if event[1] not in lines]
                for events, _ in of_catalog:
                    events[:] = [event for event in events if event[1] not in sent.values()]
            self.compare_thread(f"{where}, thread {thread}", source, but, of_cuda, of_catalog)
        if sent.keys() != stored.keys():
            self.differences.append(f"{where}: stores {len(stored)} cells of {but['sent']} in CUDA, and the engine writes {len(sent)}")
        for cell, line in sent.items():
            self.pair(source, line, stored.get(cell))

    def compare_thread(self, where, source, but, mine, theirs):
        if len(mine) != len(theirs):
            self.differences.append(f"{where}: {len(mine) - 1} barriers in CUDA, {len(theirs) - 1} in the catalog")
        for index, ((ours, barrier), (catalogs, their_barrier)) in enumerate(zip(mine, theirs)):
            self.pair(source, their_barrier, barrier)
            self.all.update((source, line) for _, line in catalogs if line)
            for line, of_catalog in pairs(ours, catalogs):
                self.pair(source, of_catalog, line)
            counts = [collections.Counter(key for key, _ in events if key[0] not in LOOSE) for events in (ours, catalogs)]
            if counts[0] == counts[1]:
                continue
            for key in counts[0] | counts[1]:
                more = counts[0][key] - counts[1][key]
                if more > 0 and (key[0] not in ON_CELLS and "positions" in but or key[1:2] and key[1] in but.get("stuck", {})):
                    continue
                if more:
                    lines = [line for same, line in (ours if more > 0 else catalogs) if same == key]
                    self.differences.append(f"{where}, step {index}: {key} in lines {lines} of {'CUDA' if more > 0 else 'the catalog'} {abs(more)} times more")


def verdict(said):
    """What `check --json` says of a run, less its lines and words; a kernel that is launched twice is one in CUDA, and two
    by name in the catalog, so each barrier counts once."""
    needed = dict(sorted((barrier["line"], barrier["needed"]) for barrier in said["barriers"]))
    hazards = sorted({(called(hazard["array"]), hazard["index"], *hazard["threads"]) for hazard in said["hazards"]})
    return {**{name: said[name] for name in ("passed", "correct", "hazards_found", "lost_updates", "snapshots_match_replay")},
            "hazards": hazards, "barriers needed": list(needed.values()),
            "proof": {name: said["proof"].get(name) for name in ("applies", "holds", "operators")}}


def costs(trace):
    """What `show` counts of a trace, less the marks that one language has and the instructions whose lanes diverge at
    another operand of a line."""
    totals = json.loads(run("show", trace, "--json"))["totals"]
    return {name: value for name, value in totals.items() if name not in ("events", "warp_instructions", "active_lanes")}


def compare_entry(name, entry, source, sizes):
    """Compares these sizes of an entry."""
    found = Compared()
    for size in sizes:
        before = len(found.differences)
        with tempfile.TemporaryDirectory() as folder:
            (cuda, said), (dialect, of_catalog) = judged(pathlib.Path(folder), name, entry, source, size)
            found.compare(trace_file.read(cuda), trace_file.read(dialect), entry.but)
            # a program with a race has run in a second order, too
            if not said["hazards_found"] and said["program"]["exit"] != (0 if of_catalog["correct"] else 1):
                found.differences.append(f"the program ends with {said['program']['exit']}, and the kernel's result is "
                                         f"{'right' if of_catalog['correct'] else 'wrong'}")
            left_out = set().union(*(BUT[why] for why in entry.but), {"correct", "proof"} if "unstated" in entry.but else ())
            for mine, theirs in ((verdict(said), verdict(of_catalog)), (costs(cuda), costs(dialect))):
                found.differences += [f"{part} is {mine[part]} in CUDA, {theirs[part]} in the catalog"
                                      for part in mine if mine[part] != theirs[part] and part not in left_out]
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


def compared(names, sources, all_sizes=True):
    """What comparing these entries found, by their names; two at a time, in all sizes or in the last one."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return dict(zip(names, pool.map(lambda name: compare_entry(name, ENTRIES[name], sources[name],
                                                                   ENTRIES[name].sizes[0 if all_sizes else -1:]), names)))


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
