"""docs/performance.md says what assets/recorded holds, and the checker can tell otherwise."""

import importlib.util
import pathlib
import re
import sys
import tempfile
import unittest
import xml.dom.minidom

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
spec = importlib.util.spec_from_file_location("performance_page", ROOT / "tools" / "performance_page.py")
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)

times = sys.modules["recorded_times"]


def checked():
    argv, sys.argv = sys.argv, ["performance_page.py", "--check"]
    try:
        return tool.main()
    finally:
        sys.argv = argv


class Page(unittest.TestCase):
    def test_the_project(self):
        self.assertEqual(checked(), 0)

    def test_a_wrong_page_is_found(self):
        before = tool.PAGE
        with tempfile.TemporaryDirectory() as folder:
            tool.PAGE = pathlib.Path(folder) / "performance.md"
            page = before.read_text()
            digit = re.search(r"\d(?= \|)", page)  # of a figure in a table
            tool.PAGE.write_text(page[:digit.start()] + str((int(digit[0]) + 1) % 10) + page[digit.end():])
            try:
                self.assertEqual(checked(), 1)
            finally:
                tool.PAGE = before

    def test_a_ratio_carries_the_spread_of_both(self):
        steady, other = {"samples": [2.0] * 8, "bytes": 8e9}, {"samples": [0.9, 1.0, 1.0, 1.1]}
        self.assertEqual(str(times.Ratio(steady, {"samples": [1.0] * 8})), "0.5000 ± 0.0000")
        self.assertEqual(times.spread(other["samples"])[0], 1.0)
        self.assertRegex(str(times.Ratio(steady, other)), r"^0\.500 ± 0\.0[1-9]")
        self.assertEqual(str(times.Ratio(steady, 16.0)), "0.2500 ± 0.0000")  # a rate alone: no spread of its own

    def test_references_belong_to_their_family(self):
        self.assertEqual(times.family_of({"kernel": "cub/scan"}), "scan")
        self.assertEqual(times.family_of({"kernel": "read/histogram"}), "histogram")
        self.assertEqual(times.family_of({"kernel": "scan/blelloch"}), "scan")


def record(kernel, n, seconds, type="int32", warm=None, **parameters):
    family = times.family_of({"kernel": kernel})
    size = {"histogram": 1, "reduce": 4, "scan": 8}[family] * n
    all = {"kernel": kernel, "parameters": {k: str(v) for k, v in parameters.items()}, "n": n, "type": type, "samples": [seconds] * 8,
           "noise": 0.001, "bytes": size, "gb_per_s": size / seconds / 1e9, "correct": kernel != "histogram/racy"}
    if warm:
        all |= {"warm_samples": [warm] * 8, "warm_gb_per_s": size / warm / 1e9, "warm_noise": 0.001}
    return all


def made_up(records, **facts):
    return times.Recording({"device": "NVIDIA H200", "driver": "1", "date": "2026-01-01T00:00:00Z", "copy_gb_per_s": 4000.0,
                            "read_gb_per_s": 4400.0, "peak_gb_per_s": 4800.0, "records": records, **facts})


class Sections(unittest.TestCase):
    """Each section says what its records hold, and nothing where they hold nothing."""

    def test_a_recording_without_the_new_fields_has_no_new_sections(self):
        plain = made_up([record("scan/blelloch", 1 << p, 1e-3, block=256) for p in (10, 20, 28)])
        for section in (tool.jobs_section, tool.small_section, tool.published_section, tool.skew_section, tool.type_section,
                        tool.gpus_section, tool.cycles_section, tool.sweep_panels):
            self.assertEqual(section(plain), [], section.__name__)

    def test_goals(self):
        n = 1 << 29
        rows = times.goals(made_up([record("scan/look-ahead", n, 1.0), record("scan/look-back", n, 1.2), record("cub/scan", n, 1.4),
                                    record("copy/scan", n, 0.96)]))
        self.assertEqual([(w, k, v) for w, k, _, v in rows],
                         [("scan at 2^29: 1.31 of CUB", "scan/look-ahead", "reached"),
                          ("scan at 2^29: 0.975 of a copy", "scan/look-ahead", "1.5% short")])

    def test_a_kernel_is_compared_with_the_cub_that_took_turns_with_it(self):
        turns = []
        for kernel, ours, cub in (("reduce/grid-stride", 1.0, 0.9), ("reduce/one-atomic", 0.8, 1.2)):
            for operator, slower in (("add", 1), ("max", 2)):
                for log in range(10, 19):
                    n, other = 1 << log, {} if operator == "add" else {"operator": operator}
                    turns += [record(kernel, n, ours * slower, operator=operator), record("cub/reduce", n, cub, **other),
                              record("read/reduce", n, 0.4, **other)]
        recording = made_up(turns)
        past = times.past(recording)
        self.assertEqual(set(past), {("reduce", "int32", "add"), ("reduce", "int32", "max")})
        ratio, ours, _, _ = past[("reduce", "int32", "add")][1 << 12]
        self.assertEqual((round(ratio.value, 3), ours["kernel"]), (1.5, "reduce/one-atomic"))
        text = times.past_text(recording)
        self.assertIn("under 1.0: 9 of 18", text)
        self.assertIn("reduce int32 max at 2^10: 0.7500", text)
        jobs = "\n".join(tool.jobs_section(recording))
        self.assertRegex(jobs, r"reduce \| int32 max \| 9 \| 0.7500 ± 0.0000 \| 2\^10 \| 2\^10, 2\^11")
        self.assertIn("| H200 | reduce | 2^12 | `reduce/one-atomic` |", "\n".join(tool.first_table([recording])))
        self.assertIn("CUB is faster at 2^10 (0.7500", "\n".join(tool.open_section([recording])))

    def test_the_worst_skew_is_judged(self):
        n = 1 << 31
        keys = [record("histogram/per-lane", n, 1.0, "uint8", pattern="entropy", entropy=e) for e in ("0.811", "0")]
        cub = [record("cub/histogram", n, t, "uint8", pattern="entropy", entropy=e) for e, t in (("0.811", 2.2), ("0", 1.8))]
        rows = times.goals(made_up(keys + cub))
        self.assertEqual(rows[0][0], "histogram, any keys: 1.9 of CUB; worst on one key")
        self.assertEqual(rows[0][3], "5.3% short")
        text = "\n".join(tool.skew_section(made_up(keys + cub)))
        self.assertIn("(2.200 ± 0.000)", text)
        self.assertIn("| kernel | uniform | entropy 0.811 | one key |", text)

    def test_cold_and_warm(self):
        text = "\n".join(tool.small_section(made_up([record(k, 1 << p, t, warm=t / 2) for p in (10, 20, 24) for k, t in
                                                     (("scan/look-ahead", 1.0), ("cub/scan", 3.0))])))
        self.assertIn("| `scan/look-ahead` | 2^20 |", text)
        self.assertEqual(text.count("3.000 ± 0.000"), 4)

    def test_published_figures_and_what_a_person_said(self):
        text = "\n".join(tool.published_section(made_up([record("reduce/interleaved-global", 1 << 29, (1 << 31) / 1.1e12, unroll=2,
                                                                block=1024)])))
        self.assertIn("| 1,086 | 1,100 | +1.3% |", text)
        self.assertIn("items are powers of two here", text)
        self.assertEqual(tool.open_section([made_up([])]), [])
        self.assertEqual(tool.published_section(made_up([], device="NVIDIA H100")), [])

    def test_the_newest_recording_stands_first_and_an_older_one_of_its_device_says_its_day(self):
        n = 1 << 29
        sums = [record("reduce/one-atomic", n, 1e-3), record("cub/reduce", n, 1.5e-3), record("cub/reduce", 1 << 28, 1e-3)]
        old = made_up([record("reduce/shared", n, 0.5e-3, unroll=8, block=256), *sums])
        few = made_up(sums[:2], date="2026-02-01T15:00:00Z")
        most = made_up(sums, date="2026-02-01T10:00:00Z", device="NVIDIA H100")
        every = tool.newest_first([old, few, most])
        self.assertEqual([id(r) for r in every], [id(r) for r in (most, few, old)])
        self.assertEqual([tool.title(r, every) for r in every], ["NVIDIA H100", "NVIDIA H200", "NVIDIA H200, 2026-01-01"])
        self.assertEqual([row.split(" | ")[0] for row in tool.first_table(every)[2:-1]], ["| H100", "| H200"])
        published = "\n".join(tool.published_section(few, every))
        self.assertRegex(published, r"`reduce/shared` .* 2026-01-01 \|")
        self.assertRegex(published, r"`cub/reduce` .* 2026-02-01 \|")
        self.assertNotIn("Beside published", "\n".join(tool.recording_section(old, every)))

    def test_types_gpus_and_cycles(self):
        n = 1 << 28
        types = "\n".join(tool.type_section(made_up([record("reduce/shared", n, 1e-3, t) for t in ("int32", "float", "double")])))
        self.assertIn("| kernel | int32 GB/s | CUB = 1 | float GB/s | CUB = 1 | double GB/s | CUB = 1 |", types)
        several = [dict(record("reduce/one-atomic", n, 1e-3 / g, exchange=by), gpus=g)
                   for g, by in ((1, "none"), (2, "nccl"), (2, "peer"), (4, "nccl"))]
        text = "\n".join(tool.gpus_section(made_up(several)))
        self.assertIn("| 4 | nccl | 4,295 | 4.00 | 4.00 |", text)
        self.assertLess(text.index("| 2 | peer | 2,147 | 2.00 |"), text.index("| 2 | nccl |"))
        scans = [dict(record("scan/look-ahead", n, 1e-3 / g, exchange="peer"), gpus=g) for g in (1, 4)]
        self.assertRegex("\n".join(tool.gpus_section(made_up(scans))), r"\| 4 \| peer .* 4.00 \| 3.00 \|")
        cycles = [dict(record(k, n, 1e-3, block=256), cycles_per_block=c) for k, c in
                  (("reduce/serial-in-block", 144185), ("reduce/tree-mask", 72092.5))]
        self.assertIn("| `reduce/tree-mask` | 256 | 72,092 | 2.00 |", "\n".join(tool.cycles_section(made_up(cycles))))

    def test_sweeps_are_drawn(self):
        blocks = [record("scan/blelloch", 1 << 27, 1e-3 * b, block=b) for b in (64, 128, 1024)]
        items = [record("scan/look-ahead", 1 << 27, 1e-3, items=i, stages=s) for i in (1, 3) for s in (3, 4)]
        panels = tool.sweep_panels(made_up(blocks + items))
        self.assertEqual([p[0] for p in panels], ["scan at 2^27, GB/s", "scan/look-ahead at 2^27, GB/s"])
        self.assertEqual(panels[0][2], ["64", "128", "1024"])
        drawn = xml.dom.minidom.parseString(tool.small_plots.svg(panels))
        self.assertEqual(len(drawn.getElementsByTagName("polyline")), 3)

    def test_notes_reach_the_page(self):
        page = "\n".join(tool.recording_section(made_up([dict(record("scan/blelloch", 1 << 20, 1.0), throttled=True)],
                                                        notes=["2^31 needs more memory than there is."])))
        self.assertIn("- 2^31 needs more memory than there is.", page)
        self.assertIn("The clock fell while these were measured: `scan/blelloch`.", page)

    def test_ratios_of_a_recording(self):
        text = times.ratios(made_up([record(k, 1 << p, t) for p in (10, 20, 29) for k, t in (("scan/look-ahead", 1.0), ("cub/scan", 1.5))]))
        self.assertIn("scan at 2^29", text)
        self.assertRegex(text, r"scan/look-ahead +\S+ +1\.500 ± 0\.000")
        self.assertRegex(text, r"scan at 2\^29: 1.31 of CUB +scan/look-ahead +1\.500 ± 0\.000 +reached")


if __name__ == "__main__":
    unittest.main()
