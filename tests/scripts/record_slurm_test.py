"""benchmarks/record_slurm.sh as Slurm would run it: the tasks of a job array, then the job that merges. On the CPU."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "benchmarks" / "record_slurm.sh"
PROGRAM = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build" / "release")) / "barrierscope"
TIMES = "reduce/shared scan/blelloch --device cpu --sweep n=2^10..2^13 --seconds 0.01 --samples 1..3 --noise 100%"


@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built")
class Array(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name) / "times"

    def tearDown(self):
        self.scratch.cleanup()

    def run_as(self, *arguments, **environment):
        return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PROGRAM": str(PROGRAM), "TIMES": TIMES, **environment})

    def task(self, k, count):
        return self.run_as(self.folder, SLURM_ARRAY_TASK_ID=str(k), SLURM_ARRAY_TASK_COUNT=str(count))

    def test_the_parts_make_the_whole(self):
        parts = []
        for k in range(3):
            done = self.task(k, 3)
            self.assertEqual(done.returncode, 0, done.stderr)
            parts.append(json.loads((self.folder / f"part-{k}.json").read_text()))
        merged = self.run_as(self.folder, "merge")
        self.assertEqual(merged.returncode, 0, merged.stderr)
        whole = json.loads((self.folder / "times.json").read_text())
        self.assertEqual(whole["format"], "barrierscope.time/1")

        def points(run):
            return [(r["kernel"], r["n"]) for r in run["records"]]

        # each point once, in one of the parts; every part has some
        self.assertEqual(sorted(points(whole)), sorted(p for part in parts for p in points(part)))
        self.assertEqual(len(points(whole)), len(set(points(whole))))
        self.assertTrue(all(points(part) for part in parts))
        for family in ("reduce", "scan"):
            for log in range(10, 14):
                self.assertIn((f"serial/{family}", 1 << log), points(whole))

    def test_a_missing_part_leaves_the_others(self):
        for k in (0, 2):
            self.assertEqual(self.task(k, 3).returncode, 0)
        self.assertEqual(self.run_as(self.folder, "merge").returncode, 0)
        self.assertTrue(json.loads((self.folder / "times.json").read_text())["records"])

    def test_bad_usage_is_said(self):
        outside = self.run_as(self.folder)
        self.assertNotEqual(outside.returncode, 0)
        self.assertIn("no task of a job array", outside.stderr)
        self.assertEqual(self.run_as(self.folder, "sort").returncode, 2)
        none = self.run_as(self.folder, PROGRAM="/nowhere/barrierscope")
        self.assertEqual(none.returncode, 2)
        self.assertIn("no program at", none.stderr)
        self.assertIn("usage", self.run_as().stderr)


if __name__ == "__main__":
    unittest.main()
