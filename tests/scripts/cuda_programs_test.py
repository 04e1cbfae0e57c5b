"""The plain CUDA program of each kernel of the catalog (kernels/*/cuda): it does what the kernel does, event by event.

tools/cuda_lines.py compares both, and has the table of what cannot be equal, and why. Here each is compared in one size,
which takes a second of compiling; CUDA_PROGRAMS=all in the environment compares all sizes, and the whole file of lines.
"""

import json
import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
sys.path.insert(0, str(ROOT / "tools"))
import cuda_lines
import trace_file

cuda_lines.PROGRAM = BUILD / "barrierscope"
RUNTIME = BUILD / "cuda/lib/libbarrierscope_cuda.so"
EVERYTHING = os.environ.get("CUDA_PROGRAMS") == "all"


def event(op, array=0, bits=0, a=0, b=0, line=0):
    return trace_file.Event(line, trace_file.OPERATIONS.index(op), array, bits, a, b)


def launch(*threads, source="a.cu", after=b"", phases=None):
    """A launch of one block whose threads have these events, on one array in global memory."""
    return trace_file.Launch("k", source, 1, len(threads), [], phases or {}, [list(threads)], [b""], [after], 0)


def trace(*launches, array="data"):
    return trace_file.Trace("k", [trace_file.Array(array, 4, 4, 0)], list(launches), [], -1, b"")


def found(cuda, dialect, **but):
    result = cuda_lines.Compared()
    result.compare(trace(cuda), trace(dialect), but)
    return result


class Comparison(unittest.TestCase):
    """That the comparison finds differences, and pairs lines."""

    def test_equal_events_pair_their_lines(self):
        cuda = [event("load", bits=5, a=1, line=7), event("add", bits=9, line=7), event("sync", line=8), event("store", bits=9, line=9)]
        kernel = [event("load", bits=5, a=1, line=20), event("add", bits=9, line=21), event("sync", line=22), event("store", bits=9, line=23)]
        same = found(launch(cuda), launch(kernel))
        self.assertEqual(same.differences, [])
        self.assertEqual({line: dict(ours) for (_, line), ours in same.lines.items()}, {20: {7: 1}, 21: {7: 1}, 22: {8: 1}, 23: {9: 1}})

    def test_operands_may_be_loaded_in_another_order(self):
        one, other = event("load", bits=5, a=1, line=7), event("load", bits=6, a=2, line=7)
        same = found(launch([one, other]), launch([other._replace(line=20), one._replace(line=20)]))
        self.assertEqual((same.differences, dict(same.lines["a.cu", 20])), ([], {7: 2}))

    def test_each_kind_of_difference_is_found(self):
        kernel = [event("load", bits=5, a=1), event("add", bits=9), event("sync"), event("store", bits=9, a=2)]
        for kind, changed in {
            "value": [kernel[0]._replace(bits=6), *kernel[1:]],
            "cell": [*kernel[:3], kernel[3]._replace(a=3)],
            "operation": [kernel[0], event("sub", bits=9), *kernel[2:]],
            "access left out": kernel[:3],
            "one more access": [*kernel, kernel[3]],
            "barrier left out": [kernel[0], kernel[1], kernel[3]],
            "access on the other side of a barrier": [kernel[0], kernel[1], kernel[3], kernel[2]],
        }.items():
            with self.subTest(kind):
                self.assertNotEqual(found(launch(changed), launch(kernel)).differences, [])
        with self.subTest("another thread's"):
            self.assertNotEqual(found(launch(kernel, []), launch([], kernel)).differences, [])
        with self.subTest("memory"):
            self.assertNotEqual(found(launch(kernel, after=b"1234"), launch(kernel, after=b"1235")).differences, [])

    def test_a_copy_belongs_to_where_it_was_asked_for(self):
        arrival = [event("copy_arrives", line=7), event("load", bits=5, a=1, line=7), event("store_async", bits=5, a=3, line=7)]
        cuda = [event("copy_async", line=7), event("sync", line=8), *arrival, event("load", bits=5, a=3, line=9)]
        kernel = [event("bulk_read", bits=1, a=1, line=20), event("bulk_write", bits=1, a=3, line=20), event("sync", line=21),
                  event("load", bits=5, a=3, line=22)]
        same = found(launch(cuda), launch(kernel))
        self.assertEqual(same.differences, [])
        self.assertEqual({line: dict(ours) for (_, line), ours in same.lines.items()}, {20: {7: 2}, 21: {8: 1}, 22: {9: 1}})
        self.assertNotEqual(found(launch(cuda[:4] + cuda[5:]), launch(kernel)).differences, [], "a cell is not written")

    def test_exceptions_cover_no_more_than_they_say(self):
        kernel = [event("load", bits=5, a=1)]
        index = [event("mul", bits=3), *kernel]
        self.assertEqual(found(launch(index), launch(kernel), positions="why").differences, [])
        self.assertNotEqual(found(launch(kernel), launch(index), positions="why").differences, [], "arithmetic that CUDA lacks")
        self.assertNotEqual(found(launch([*index, event("store")]), launch(kernel), positions="why").differences, [], "an access")
        self.assertNotEqual(found(launch(kernel), launch([event("load", bits=5, a=2)]), opaque={"data": "why"}).differences, [], "a cell")


@unittest.skipUnless(RUNTIME.exists(), "built without the runtime of users' own CUDA programs")
class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kernels = {kernel["name"]: kernel for kernel in json.loads(cuda_lines.run("list", "--json"))["kernels"]}
        cls.sources = {name: kernel["source"] for name, kernel in cls.kernels.items()}

    def test_every_kernel_has_its_program(self):
        self.assertEqual(list(cuda_lines.ENTRIES), list(self.kernels))
        programs = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("kernels/*/cuda/*.cu"))
        self.assertEqual(programs, sorted(map(cuda_lines.program_of, self.sources.values())))

    def test_a_program_stands_alone(self):
        for source in self.sources.values():
            program = cuda_lines.program_of(source)
            with self.subTest(program):
                self.assertNotIn('#include "', (ROOT / program).read_text(), "it is compiled without any header of this project")

    def test_a_constant_or_a_setting_stands_for_every_parameter(self):
        for name, entry in cuda_lines.ENTRIES.items():
            with self.subTest(name):
                parameters = sorted(["n", "block", *(parameter["name"] for parameter in self.kernels[name]["parameters"])])
                self.assertEqual(sorted([*entry.constants, *entry.settings]), parameters)

    def test_a_program_says_what_is_expected_or_the_table_why_not(self):
        for name, entry in cuda_lines.ENTRIES.items():
            with self.subTest(name):
                states = "// barrierscope: expect " in (ROOT / cuda_lines.program_of(self.sources[name])).read_text()
                self.assertNotEqual(states, "unstated" in entry.but)

    def test_program_and_kernel_have_the_same_events(self):
        kept = json.loads(cuda_lines.FILE.read_text())
        results = cuda_lines.compared(list(self.kernels), self.sources, EVERYTHING)
        for name, result in results.items():
            with self.subTest(name):
                self.assertEqual(result.differences[:12], [], f"{len(result.differences)} differences")
                record = cuda_lines.record(cuda_lines.ENTRIES[name], self.sources[name], result)
                lines = {path: members for path, members in [("lines", record["lines"]), *record.get("others", {}).items()]}
                stored = {"lines": kept[name]["lines"], **kept[name].get("others", {})}
                stale = [(path, line) for path, members in lines.items() for line, ours in members.items()
                         if not set(ours) <= set(stored.get(path, {}).get(line, []))]
                self.assertEqual(stale, [], "kernels/cuda_lines.json is not up to date: run tools/cuda_lines.py")
                members = ("file", "constants", "values", "settings")
                self.assertEqual({key: kept[name].get(key) for key in members}, {key: record.get(key) for key in members})
        if EVERYTHING:
            records = {name: cuda_lines.record(cuda_lines.ENTRIES[name], self.sources[name], result) for name, result in results.items()}
            self.assertEqual(cuda_lines.FILE.read_text(), cuda_lines.as_text(records), "run tools/cuda_lines.py")


if __name__ == "__main__":
    unittest.main()
