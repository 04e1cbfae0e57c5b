"""tests/gpu/record.sh without a GPU: programs that stand in for ours; what it lacks is run part by part until all is there."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CHECKS = r'''#!/usr/bin/env python3
import json, os, sys, time
arguments = sys.argv[1:]
file = arguments[arguments.index("-o") + 1] if "-o" in arguments else None
verb, kernel = arguments[0], arguments[1] if len(arguments) > 1 else ""
kernels = ["scan/kogge-stone", "patterns/stride"]
# What the stand-in of ncu counts: 7 of each metric.
kinds = [f"{space}_{way}" for space in ("shared", "global") for way in ("load", "store", "atomic")]
counts = {f"{k}_{'wavefronts' if k.startswith('shared') else 'sectors'}": 7 for k in kinds}
counts |= {f"{k}_lanes": 7 for k in kinds}
counts |= {f"{k}_requests": 0 if k.startswith("shared") else 7 for k in kinds}
counts |= {"global_atomic_sectors": 14, "global_atomic_requests": 14, "barriers": 7}
with open(os.environ["CALLS"], "a") as calls:
    calls.write(" ".join(arguments[:2]) + "\n")
part = {"kernel": kernel, "checks": 1, "failed": int(kernel == os.environ.get("FAILS")), "failures": []}
if verb == "kernels":
    print(*kernels, sep="\n")
elif verb == "mistakes":
    print("mistakes/m")
elif verb == "expect":
    print("race")
elif verb == "device":
    json.dump({"device": "stand-in", "driver": "1", "date": "2026-01-01"}, open(file, "w"))
elif verb == "predict":
    json.dump({"counters": list(counts), "runs": {f"{k} n=1": [["a", 1, 64, list(counts.values())]] for k in kernels}},
              open(file, "w"))
elif verb in ("check", "libraries", "raw", "stamped", "words"):
    time.sleep(float(os.environ.get("SLOW", 0)))
    one = {"median": 1, "min": 1, "max": 1, "samples": 1, "ours_ms": 1, "raw_ms": 1, "stamped_ms": 1, "untraced_ms": 1,
           "n": 1, "block": 1}
    part |= {"check": {"digests": {}, "every_block": {"runs": 1, "digests": []}},
             "libraries": {"libraries": {"comparisons": 1, "longest": 1}}, "raw": {"untraced_over_raw": {kernel: one}},
             "stamped": {"stamped_over_untraced": {kernel: one}}, "words": {"digests": {}}}[verb]
    json.dump(part, open(file, "w"))
    sys.exit(part["failed"])
'''
MUTANTS = "#!/bin/sh\ncase $1 in list) echo 'scan/kogge-stone without line 2';; expect) echo race;; esac\n"
SANITIZER = r'''#!/bin/bash
last=${!#}
if [ "$2" != racecheck ]; then echo "========= ERROR SUMMARY: 0 errors"
elif [[ $last == *"line 2" || $last == mistakes/m ]]; then echo "========= RACECHECK SUMMARY: 1 hazard displayed"
else echo "========= RACECHECK SUMMARY: 0 hazards displayed"; fi
'''
NCU = r'''#!/bin/bash
case " $* " in *" --version "*) exit 0;; esac
while [ $# -gt 0 ]; do case $1 in --metrics) metrics=$2; shift;; --log-file) file=$2; shift;; esac; shift; done
{ echo "\"ID\",\"Grid Size\",\"Block Size\",\"${metrics//,/\",\"}\""; echo '"","",""'
  echo "\"0\",\"(1, 1, 1)\",\"(64, 1, 1)\"$(tr -dc , <<<"$metrics," | sed 's/,/,"7"/g')"; } >"$file"
'''


class RecordWhole(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("tests/gpu/record.sh", "tests/gpu/on_gpu.sh", "tools/accuracy_page.py"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)
        (self.folder / "tests/recorded").mkdir()
        (self.folder / "tests/recorded/explained.json").write_text("[]")
        (self.folder / "docs").mkdir()
        (self.folder / "bin").mkdir()
        for name, text in {"gpu_checks": CHECKS, "gpu_mutants": MUTANTS, "compute-sanitizer": SANITIZER, "ncu": NCU}.items():
            (self.folder / "bin" / name).write_text(text)
            (self.folder / "bin" / name).chmod(0o755)

    def run_script(self, **variables):
        calls = self.folder / "calls"
        calls.unlink(missing_ok=True)
        environment = os.environ | {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "CALLS": str(calls)} | variables
        done = subprocess.run([self.folder / "tests/gpu/record.sh", self.folder / "bin"], capture_output=True, text=True,
                              env=environment, timeout=300)
        return done.returncode, done.stdout + done.stderr, calls.read_text().splitlines()

    def record(self):
        return json.loads((self.folder / "tests/recorded/gpu.json").read_text())

    def test_from_nothing_to_whole_and_then_nothing_to_do(self):
        code, said, _ = self.run_script()
        self.assertEqual(code, 0, said)
        self.assertIn("nothing is lacking", said)
        now = self.record()
        self.assertEqual(sorted(now["stamped_over_untraced"]), ["patterns/stride", "scan/kogge-stone"])
        self.assertEqual(now["left_out"], [])
        self.assertIn("racecheck traced scan/kogge-stone without line 2", now["verdicts"])
        self.assertTrue((self.folder / "docs/accuracy.md").exists())
        code, _, calls = self.run_script()
        self.assertEqual(code, 0)
        self.assertFalse([c for c in calls if c.split()[0] in ("check", "raw", "stamped", "load", "counters")], calls)

    def test_what_a_part_had_no_time_for_is_told_and_the_next_goes_on(self):
        code, said, _ = self.run_script(PART="0", PARTS="1")
        self.assertEqual(code, 3, said)
        self.assertIn("still lacking:", said)
        self.assertIn("timing scan/kogge-stone", said)
        code, said, _ = self.run_script()
        self.assertEqual(code, 0, said)
        self.assertEqual(self.record()["left_out"], [])

    def test_what_has_failed_is_lacking(self):
        code, said, _ = self.run_script(FAILS="scan/kogge-stone")
        self.assertEqual(code, 3, said)
        self.assertIn("checks scan/kogge-stone", said)

    def test_again(self):
        self.run_script()
        code, said, calls = self.run_script(AGAIN="stamped*stride")
        self.assertEqual(code, 0, said)
        self.assertEqual([c for c in calls if c.split()[0] in ("check", "raw", "stamped", "load")], ["stamped patterns/stride"])

    def test_without_the_programs(self):
        (self.folder / "bin/gpu_mutants").unlink()
        done = subprocess.run([self.folder / "tests/gpu/record.sh", self.folder / "bin"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("gpu_mutants is not in", done.stderr)


if __name__ == "__main__":
    unittest.main()
