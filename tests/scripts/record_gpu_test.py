"""benchmarks/record_gpu.sh with a program that stands in for a GPU machine's: what is measured, merged and kept."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "benchmarks" / "record_gpu.sh"
# Lists three kernels a family, times by writing one record a call, merges as the program does. A kernel in $FAIL fails;
# $SLOW makes each part last.
STAND_IN = r'''#!/usr/bin/env python3
import json, os, sys, time
arguments = sys.argv[1:]
kernels = ["reduce/shared", "reduce/interleaved-global", "reduce/one-atomic", "scan/blelloch", "scan/look-ahead", "histogram/serial",
           "histogram/per-lane", "mistakes/in-place"]
if arguments == ["list", "--json"]:
    print(json.dumps({"kernels": [{"name": k, "parameters": [{"name": "items"}]} for k in kernels]}))
elif arguments == ["list"]:
    for k in kernels:
        print(f"  {k}   A title    what it is\n    --set {'items=1|3  stages=3|4' if k == 'scan/look-ahead' else 'bins=N'}  type=int32")
elif arguments[:2] == ["time", "--merge"]:
    files, out = arguments[2:-2], arguments[-1]
    runs = [json.load(open(f)) for f in files]
    runs[0]["records"] = [r for run in runs for r in run["records"]]
    json.dump(runs[0], open(out, "w"))
    print("merged", len(files))
else:
    out = arguments[-1]
    if "NO_GPU" in os.environ:
        sys.exit("no CUDA device")
    with open(os.environ["CALLS"], "a") as calls:
        calls.write(" ".join(arguments) + "\n")
    run = {"format": "barrierscope.time/1", "device": "stand-in", "driver": "1", "date": "2026-01-01T00:00:00Z", "copy_gb_per_s": 100,
           "read_gb_per_s": 110, "peak_gb_per_s": 120, "records": []}
    for name, t in (("reduce/shared", 2.0), ("cub/reduce", 3.0), ("copy/reduce", 1.0), ("read/reduce", 1.5)):
        for n in (1 << 10, 1 << 20, 1 << 29):
            run["records"].append({"kernel": name, "parameters": {"block": "256"}, "n": n, "type": "int32", "samples": [t] * 8,
                                   "median_s": t, "min_s": t, "max_s": t, "noise": 0, "bytes": 4.0 * n, "gb_per_s": 4 * n / t / 1e9,
                                   "of_copy": 0.5, "of_peak": 0.5, "correct": True})
    json.dump(run, open(out, "w"))
    time.sleep(float(os.environ.get("SLOW", "0")))
    if os.environ.get("FAIL", "nothing") in arguments:
        print("time: the device vanished", file=sys.stderr)
        sys.exit(1)
'''


class Record(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.program = self.folder / "barrierscope"
        self.program.write_text(STAND_IN)
        self.program.chmod(0o755)
        self.out = self.folder / "gpu.json"
        self.calls = self.folder / "calls"

    def tearDown(self):
        self.scratch.cleanup()

    def start(self, **environment):
        return subprocess.Popen([SCRIPT, self.out, self.program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env={**os.environ, "CALLS": str(self.calls), **environment})

    def test_all_parts_are_measured_merged_and_compared(self):
        process = self.start()
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, err)
        calls = self.calls.read_text().splitlines()
        self.assertTrue(all(c.startswith("time ") and "--device gpu" in c for c in calls))

        def called(*words):
            return any(all(w in c for w in words) for c in calls)

        self.assertTrue(called("scan/blelloch", "--sweep n=2^10..2^31", "--sweep unroll=1,2,4,8"))
        self.assertTrue(called("time reduce/interleaved-global --block 1024 --sweep n=2^10..2^31"))
        self.assertTrue(called("--sweep entropy=0.811,0.544,0.337,0.201,0") and called("--pattern zipf") and called("--skew 0.5"))
        self.assertTrue(called("--sweep type=float,double --n 2^28") or called("--n 2^28 --sweep type=float,double"))
        self.assertTrue(called("--sweep block=32,64,128,256,512,1024"))
        self.assertTrue(called("time scan/look-ahead --n 2^27 --sweep items=1,3 --sweep stages=3,4"))
        self.assertFalse(called("mistakes/in-place"))
        merged = json.loads(self.out.read_text())
        self.assertEqual(len(merged["records"]), 12 * len(calls))
        self.assertRegex(out, r"reduce/shared +\S+ +1\.500 ± 0\.000 +- +0\.5000 ± 0\.0000 +0\.7500 ± 0\.0000")
        self.assertEqual(list(self.folder.glob("*.parts.*")), [])

    def test_the_traced_source_stands_beside_hand_written_kernels(self):
        checks = self.folder / "tests" / "gpu_checks"
        checks.parent.mkdir()
        checks.write_text('#!/bin/sh\n[ "$1" = raw ] && echo "$2   untraced / raw 0.9990 [0.9980 .. 1.0010], 1.5 ms"\necho other >"$4"\n')
        checks.chmod(0o755)
        process = self.start()
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, err)
        lines = [line.split()[0] for line in out.splitlines() if "untraced / raw" in line]
        self.assertEqual(len(lines), len(set(lines)), "each once")
        self.assertEqual(set(lines), {"reduce/grid-stride", "reduce/bulk-copy", "reduce/one-atomic", "reduce/last-block", "scan/look-back", "scan/look-ahead",
                                      "histogram/privatised", "histogram/per-lane", "reduce/shared", "reduce/interleaved-global",
                                      "scan/blelloch"})
        self.assertEqual(lines[0], "reduce/grid-stride", "the last rungs before the others")

    def test_a_part_that_fails_leaves_the_others_and_is_said(self):
        process = self.start(FAIL="--block")
        _, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1)
        self.assertIn("2-interleaved failed (1)", err)
        self.assertIn("the device vanished", err)
        self.assertEqual(len(json.loads(self.out.read_text())["records"]), 12 * len(self.calls.read_text().splitlines()))

    def test_a_machine_without_a_gpu_is_said_once(self):
        _, err = (process := self.start(NO_GPU="1")).communicate(timeout=120)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(err.count("no CUDA device"), 1)
        self.assertIn("nothing was measured", err)
        self.assertEqual(list(self.folder.glob("gpu.json*")), [])

    def test_no_more_time_than_it_is_given(self):
        began = time.monotonic()
        process = self.start(LIMIT="7", SLOW="30")
        _, err = process.communicate(timeout=120)
        self.assertLess(time.monotonic() - began, 25)
        self.assertEqual(process.returncode, 1)
        self.assertIn("1-ladders: cut short for want of time", err)
        self.assertIn("left out for want of time: 2-interleaved", err)
        self.assertEqual(len(json.loads(self.out.read_text())["records"]), 12)

    def test_cut_short_keeps_what_there_is(self):
        process = self.start(SLOW="60")
        deadline = time.monotonic() + 60
        while not list(self.folder.glob("gpu.json.parts.*/1-ladders.json")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("cut short", err)
        self.assertEqual(len(json.loads(self.out.read_text())["records"]), 12)

    def test_bad_usage_is_said(self):
        def run(*arguments):
            return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True)

        none = run(self.out, self.folder / "nobody")
        self.assertEqual(none.returncode, 2)
        self.assertIn("no program at", none.stderr)
        self.assertEqual(run(self.folder / "gpu.csv", self.program).returncode, 2)
        self.assertIn("usage", run().stderr)


if __name__ == "__main__":
    unittest.main()
