"""Rehearses tests/gpu/on_gpu.sh without a GPU: programs that stand in for ours and for NVIDIA's tools."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parent.parent / "gpu" / "on_gpu.sh"

CHECKS = """#!/bin/bash
echo "gpu_checks $*" >>"$LOG"
case $1 in
  device) if [ -n "${NO_DEVICE:-}" ]; then echo "gpu_checks: no CUDA device: none here" >&2; exit 1; fi; echo "a GPU";;
  kernels) printf '%s\\n' scan/kogge-stone scan/blelloch histogram/racy;;
  all) [ "$2" = -o ] && echo '{}' >"$3"; exit ${ALL_EXIT:-0};;
esac
"""
MUTANTS = """#!/bin/bash
case $1 in
  list) printf '%s\\n' "scan/kogge-stone without line 22" "scan/blelloch without line 28";;
  expect) case $2 in *28) echo clean;; *) echo race;; esac;;
esac
"""
# Sees the race of the first mutant alone, and with BLIND none.
SANITIZER = """#!/bin/bash
tool=$2
last=${!#}
if [ "$tool" != racecheck ]; then echo "========= ERROR SUMMARY: ${ERRORS:-0} errors"
elif [[ $last == *"line 22" && -z ${BLIND:-} ]]; then echo "========= RACECHECK SUMMARY: 2 hazards displayed"
else echo "========= RACECHECK SUMMARY: 0 hazards displayed"; fi
"""
COUNTERS = """#!/bin/bash
for op in ld st; do echo "  l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$op.sum      1,024"; done
"""


class OnGpu(unittest.TestCase):
    def run_script(self, tools=("compute-sanitizer", "ncu"), **variables):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            programs = {"gpu_checks": CHECKS, "gpu_mutants": MUTANTS}
            programs |= {k: v for k, v in {"compute-sanitizer": SANITIZER, "ncu": COUNTERS}.items() if k in tools}
            for program, text in programs.items():
                (folder / program).write_text(text)
                (folder / program).chmod(0o755)
            log = folder / "log"
            # Only the usual folders: no tool of NVIDIA's that this machine may have.
            environment = {"PATH": f"{folder}:/usr/bin:/bin", "OUT": str(folder / "out"), "LOG": str(log), **variables}
            r = subprocess.run(["bash", SCRIPT, folder], capture_output=True, text=True, env=environment, timeout=120)
            calls = log.read_text() if log.exists() else ""
            return r.returncode, r.stdout + r.stderr, calls, (folder / "out" / "gpu.json").exists()

    def test_without_a_device_it_says_so_and_fails(self):
        code, said, calls, record = self.run_script(NO_DEVICE="1")
        self.assertEqual(code, 1)
        self.assertIn("no CUDA device", said)
        self.assertNotIn("all -o", calls)
        self.assertFalse(record)

    def test_all_good(self):
        code, said, calls, record = self.run_script()
        self.assertEqual(code, 0, said)
        self.assertTrue(record)
        for part in ("memcheck traced=clean", "synccheck untraced=clean", "racecheck traced=clean",
                     "1 of 2 flagged, 1 clean", "scan/blelloch=1024,1024"):
            self.assertIn(part, calls)
        self.assertNotIn("--left-out", calls)

    def test_a_sanitizer_that_finds_an_error_fails_the_run(self):
        code, said, calls, record = self.run_script(ERRORS="3")
        self.assertEqual(code, 1)
        self.assertIn("FAIL memcheck", said)
        self.assertIn("memcheck traced=not clean", calls)
        self.assertTrue(record)

    def test_a_failed_check_fails_the_run(self):
        self.assertEqual(self.run_script(ALL_EXIT="1")[0], 1)

    @unittest.skipIf(os.path.exists("/usr/local/cuda/bin/compute-sanitizer"), "this machine has the tool itself")
    def test_missing_tools_are_named_as_left_out(self):
        code, said, calls, _ = self.run_script(tools=())
        self.assertEqual(code, 0, said)
        self.assertIn("--left-out compute-sanitizer: not on this machine", calls)
        self.assertIn("--left-out hardware counters", calls)
        self.assertNotIn("--sanitizer", calls)

    def test_a_sanitizer_that_is_blind_on_this_machine_is_left_out(self):
        code, _, calls, _ = self.run_script(BLIND="1")
        self.assertEqual(code, 0)
        self.assertIn("--left-out compute-sanitizer: it does not find the planted race", calls)
        self.assertNotIn("--sanitizer", calls)


if __name__ == "__main__":
    unittest.main()
