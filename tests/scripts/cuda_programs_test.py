"""Plain CUDA twins of the catalog's kernels: what a student's file shows is what the dialect's kernel shows."""

import itertools
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
RUNTIME = BUILD / "cuda" / "lib" / "libbarrierscope_cuda.so"
TWINS = ROOT / "tests" / "cuda" / "twins"


def numbers(n):
    """The input of the twins of sums and scans."""
    return [7 * i % 10 + 1 for i in range(n)]


def keys(n):
    """The input of the twins of histograms, whose 20 bins it fills unevenly."""
    return [i * i % 20 for i in range(n)]


# File of the twin, kernel of the catalog, its input, its block, its other options.
TABLE = [
    ("reduce_tree_mask", "reduce/tree-mask", numbers(150), 64, ""),
    ("reduce_interleaved_global", "reduce/interleaved-global", numbers(150), 64, ""),
    ("reduce_shared", "reduce/shared", numbers(300), 64, "unroll=2"),
    ("reduce_warp_shuffle", "reduce/warp-shuffle", numbers(300), 128, ""),
    ("reduce_grid_stride", "reduce/grid-stride", numbers(1030), 64, "blocks=2"),
    ("scan_hillis_steele", "scan/hillis-steele", numbers(150), 64, ""),
    ("scan_three_phase", "scan/three-phase", numbers(300), 32, "items=4"),
    ("scan_blelloch", "scan/blelloch", numbers(300), 64, ""),
    ("scan_blelloch_padded", "scan/blelloch-padded", numbers(300), 64, ""),
    ("histogram_racy", "histogram/racy", keys(200), 64, "bins=20"),
    ("histogram_shared_atomics", "histogram/shared-atomics", keys(200), 64, "bins=20"),
    ("histogram_privatised", "histogram/privatised", keys(400), 64, "bins=20 copies=per-warp width=1 blocks=3"),
    ("mistake_in_place", "mistakes/in-place", numbers(150), 64, ""),
    ("mistake_divergent_barrier", "mistakes/divergent-barrier", numbers(150), 64, ""),
]
# Each takes almost a second to compile: these are compared with TWINS=all in the environment.
MORE = [
    ("reduce_serial_in_block", "reduce/serial-in-block", numbers(150), 64, ""),
    ("scan_kogge_stone", "scan/kogge-stone", numbers(150), 64, ""),
    ("scan_brent_kung", "scan/brent-kung", numbers(300), 64, ""),
    ("histogram_serial", "histogram/serial", keys(200), 1, "bins=20"),
    ("histogram_global_atomics", "histogram/global-atomics", keys(200), 64, "bins=20"),
    ("histogram_coarsened", "histogram/coarsened", keys(400), 64, "bins=20 items=4"),
    ("mistake_missing_barrier", "mistakes/missing-barrier", numbers(120), 64, ""),
    ("mistake_overlapping_tiles", "mistakes/overlapping-tiles", keys(400), 64, "bins=20 items=4"),
]

# Lines, phases (CUDA has none) and words differ; so does `events`, which counts phases, too. Two operands of one
# line are loaded in another order, so that a warp whose lanes diverge there issues more or fewer instructions.
OF_NEITHER = ["events", "warp_instructions", "active_lanes"]
OF_INTERVAL = ["block", "index", "closed_by", "shared", "content", "active_threads", "adds", "shared_requests",
               "shared_wavefronts", "shared_wavefronts_ideal", "global_requests", "global_sectors",
               "global_sectors_ideal"]
OF_ACCESS = ["thread", "op", "space", "array", "index", "value"]
OF_ARROW = ["thread", "to", "from", "operator"]
OF_HAZARD = ["array", "index", "threads"]
OF_FINDING = ["launch", "block", "thread"]  # once for each: CUDA's machine counts the others in "more"


def some(record, fields):
    return {field: record.get(field) for field in fields}


def accesses(interval):
    """Each thread's accesses in order, but loads in a row by cell: `a += b` loads b first in C++, a in the dialect."""
    found = []
    for (_, op), run in itertools.groupby(interval["accesses"], lambda access: (access["thread"], access["op"])):
        run = [some(access, OF_ACCESS) for access in run]
        found += sorted(run, key=lambda access: (access["array"], access["index"])) if op == "load" else run
    return found


def of_show(run):
    """What both must show: the run less its lines, phases and words."""
    launches = [
        {
            **some(launch, ["grid", "block", "arrays", "global"]),
            "intervals": [
                {
                    **some(interval, OF_INTERVAL),
                    "accesses": accesses(interval),
                    "arrows": [some(arrow, OF_ARROW) for arrow in interval["arrows"]],
                }
                for interval in launch["intervals"]
            ],
        }
        for launch in run["launches"]
    ]
    totals = {name: value for name, value in run["totals"].items() if name not in OF_NEITHER}
    return {**some(run, ["input", "output", "expected", "correct"]), "totals": totals, "launches": launches}


def of_check(verdict):
    """What both must find. A kernel that is launched twice is one kernel in CUDA, and two by name in the dialect: each
    barrier counts once."""
    needed = dict(sorted((barrier["line"], barrier["needed"]) for barrier in verdict["barriers"]))
    return {
        **some(verdict, ["correct", "passed", "hazards_found", "lost_updates", "snapshots_match_replay"]),
        "hazards": [some(hazard, OF_HAZARD) for hazard in verdict["hazards"]],
        "findings": sorted({tuple(finding[name] for name in OF_FINDING) for finding in verdict["findings"]}),
        "barriers needed": list(needed.values()),
        "proof": some(verdict["proof"], ["applies", "holds", "operators"]),
    }


def renamed(value, names):
    """The value with all names of arrays replaced, be they a text, a field or a part of a list."""
    if isinstance(value, dict):
        return {names.get(name, name): renamed(part, names) for name, part in value.items()}
    if isinstance(value, list):
        return [renamed(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


def by_the_dialects_names(cuda, dialect):
    """CUDA's results with the dialect's names of arrays: what is sums_2 here is "sums 2" there."""
    last = [results["show"]["launches"][-1]["arrays"] for results in (cuda, dialect)]
    names = {mine["name"]: theirs["name"] for mine, theirs in zip(*last)}
    return renamed(cuda, names)


def differences(cuda, dialect, where=""):
    """Where two results differ: "launches[0].intervals[1].adds: 3 in CUDA, 4 in the dialect"."""
    if isinstance(cuda, dict) and isinstance(dialect, dict):
        for name in {**cuda, **dialect}:
            at = f"{where}.{name}" if where else name
            yield from differences(cuda.get(name), dialect.get(name), at)
    elif isinstance(cuda, list) and isinstance(dialect, list):
        if len(cuda) != len(dialect):
            yield f"{where}: {len(cuda)} of them in CUDA, {len(dialect)} in the dialect"
        for index, pair in enumerate(zip(cuda, dialect)):
            yield from differences(*pair, f"{where}[{index}]")
    elif cuda != dialect:
        yield f"{where}: {json.dumps(cuda)[:300]} in CUDA, {json.dumps(dialect)[:300]} in the dialect"


@unittest.skipUnless(RUNTIME.exists(), "built without the runtime of people's own CUDA programs")
class Twins(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_it(self, *args):
        done = subprocess.run([BUILD / "barrierscope", *map(str, args)], capture_output=True, text=True, timeout=100)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.stdout

    def results(self, trace):
        shown, checked = (json.loads(self.run_it(verb, trace, "--json")) for verb in ("show", "check"))
        return {"show": of_show(shown), "check": of_check(checked)}

    def compare(self, twin, kernel, values, block, settings):
        cuda, dialect = self.folder / "cuda.bscope", self.folder / "dialect.bscope"
        self.run_it("trace", TWINS / f"{twin}.cu", "-o", cuda)
        self.run_it("trace", kernel, "--values", ",".join(map(str, values)), "--block", block,
                    *(word for setting in settings.split() for word in ("--set", setting)), "-o", dialect)
        cuda, dialect = self.results(cuda), self.results(dialect)
        found = list(differences(by_the_dialects_names(cuda, dialect), dialect))
        more = f"\n... and {len(found) - 12} more" if len(found) > 12 else ""
        self.assertEqual(found, [], f"{twin}.cu and {kernel} differ:\n" + "\n".join(found[:12]) + more)

    def test_each_twin_shows_what_the_catalogs_kernel_shows(self):
        for twin, *kernel in TABLE + (MORE if os.environ.get("TWINS") == "all" else []):
            with self.subTest(twin):
                self.compare(twin, *kernel)

    def test_every_twin_is_in_a_table(self):
        self.assertEqual(sorted(path.stem for path in TWINS.glob("*.cu")), sorted(row[0] for row in TABLE + MORE))


if __name__ == "__main__":
    unittest.main()
