"""Rehearses tests/gpu/on_gpu.sh without a GPU: programs that stand in for ours and for NVIDIA's tools."""

import os
import pathlib
import subprocess
import tarfile
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parent.parent / "gpu" / "on_gpu.sh"

CHECKS = """#!/bin/bash
echo "gpu_checks $*" >>"$LOG"
file=
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then file=$2; shift 2; else args+=("$1"); shift; fi
done
case ${args[0]} in
  device) if [ -n "${NO_DEVICE:-}" ]; then echo "gpu_checks: no CUDA device: none here" >&2; exit 1; fi; echo "a GPU"; echo '{}' >"$file";;
  kernels) printf '%s\\n' scan/kogge-stone scan/blelloch histogram/shared-atomics skeleton/reverse;;
  mistakes) printf '%s\\n' mistakes/missing-barrier mistakes/signed-char;;
  expect) case ${args[1]} in *signed-char) echo "clean unsafe finding: it is out of bounds";; *) echo race;; esac;;
  check) echo '{}' >"$file"; [ "${args[1]}" = "${BROKEN:-}" ] && exit 1; exit 0;;
  words|libraries|raw|stamped|timeline) echo '{}' >"$file";;
esac
"""
MUTANTS = """#!/bin/bash
case $1 in
  list) printf '%s\\n' "scan/kogge-stone without line 22" "scan/blelloch without line 28";;
  expect) case $2 in *28) echo clean;; *) echo race;; esac;;
esac
"""
# Sees the race of the first mutant and of the mistake alone, and with BLIND none.
SANITIZER = """#!/bin/bash
echo "sanitizer $*" >>"$LOG"
tool=$2
last=${!#}
if [ "$tool" != racecheck ]; then echo "========= ERROR SUMMARY: ${ERRORS:-0} errors"
elif [[ ($last == *"line 22" || $last == *missing-barrier) && -z ${BLIND:-} ]]; then echo "========= RACECHECK SUMMARY: 2 hazards displayed"
else echo "========= RACECHECK SUMMARY: 0 hazards displayed"; fi
"""
# Has every metric but one; writes a row for one launch.
COUNTERS = """#!/bin/bash
echo "ncu $*" >>"$LOG"
case " $* " in *" --query-metrics "*|*" --version "*) exit 0;; esac
while [ $# -gt 0 ]; do
  case $1 in --metrics) metrics=$2; shift;; --log-file) file=$2; shift;; esac
  shift
done
if [[ $metrics == *bank_conflicts*op_atom.sum* ]]; then echo "==ERROR== Failed to find metric" >"$file"; exit 1; fi
echo "==PROF== Connected" >"$file"
echo "\\"ID\\",\\"Block Size\\",\\"${metrics//,/\\",\\"}\\"" >>"$file"
echo '"","",""' >>"$file"
echo '"0","(64, 1, 1)","1,024"' >>"$file"
"""


class OnGpu(unittest.TestCase):
    def run_script(self, *stages, tools=("compute-sanitizer", "ncu"), **variables):
        """Exit code, what it said, what it called, and what it wrote: {path: text}."""
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
            r = subprocess.run(["bash", SCRIPT, folder, *stages], capture_output=True, text=True, env=environment,
                               timeout=300)
            calls = log.read_text() if log.exists() else ""
            out = folder / "out"
            wrote = {}
            for packed in out.glob("*.tgz") if out.exists() else []:
                with tarfile.open(packed) as files:
                    wrote |= {f.name: files.extractfile(f).read().decode() for f in files if f.isfile()}
            left = [f.name for f in out.rglob("*") if f.is_file()] if out.exists() else []
            self.assertTrue(all(f.endswith(".tgz") or f == "device.json" for f in left), left)
            return r.returncode, r.stdout + r.stderr, calls, wrote

    def test_without_a_device_it_says_so_and_fails(self):
        code, said, calls, wrote = self.run_script(NO_DEVICE="1")
        self.assertEqual(code, 1)
        self.assertIn("no CUDA device", said)
        self.assertNotIn("gpu_checks check", calls)
        self.assertEqual(wrote, {})

    def test_all_good(self):
        code, said, calls, wrote = self.run_script()
        self.assertEqual(code, 0, said)
        for kernel in ("scan-kogge-stone", "scan-blelloch", "histogram-shared-atomics"):
            for file in (f"ncu/{kernel}.csv", f"checks/{kernel}.json", f"libraries/{kernel}.json", f"raw/{kernel}.json"):
                self.assertIn(file, wrote)
        verdicts = set(wrote["verdicts.tsv"].splitlines())
        for form in ("traced", "untraced"):
            self.assertIn(f"memcheck\t{form}\tscan/blelloch\tclean\tclean", verdicts)
            self.assertIn(f"racecheck\t{form}\tscan/kogge-stone without line 22\trace\trace", verdicts)
            self.assertIn(f"racecheck\t{form}\tscan/blelloch without line 28\tclean\tclean", verdicts)
            self.assertIn(f"racecheck\t{form}\tmistakes/missing-barrier\trace\trace", verdicts)

    def test_a_metric_that_is_not_there_is_left_out_alone(self):
        _, _, calls, wrote = self.run_script("counters")
        self.assertIn("metric l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", wrote["left_out.txt"])
        profiles = [c for c in calls.splitlines() if c.endswith("counters scan/blelloch")]
        self.assertEqual(len(profiles), 1)
        self.assertIn("sass__inst_executed_per_opcode", profiles[0])
        self.assertNotIn("mem_shared_op_atom.sum,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom", profiles[0])

    def test_out_of_bounds_is_not_run_untraced(self):
        _, _, calls, wrote = self.run_script("sanitizer")
        self.assertNotIn("load untraced mistakes/signed-char", calls)
        self.assertIn("load traced mistakes/signed-char", calls)
        self.assertIn("racecheck\tuntraced\tmistakes/signed-char\tclean unsafe", wrote["verdicts.tsv"])

    def test_a_stage_alone(self):
        code, _, calls, wrote = self.run_script("timing")
        self.assertEqual(code, 0)
        self.assertIn("raw/scan-blelloch.json", wrote)
        self.assertNotIn("sanitizer", calls)
        self.assertNotIn("ncu", calls)
        self.assertEqual(self.run_script("nonsense")[0], 2)

    def test_some_kernels_alone(self):
        code, said, calls, wrote = self.run_script("checks", "sanitizer", KERNELS="scan/blelloch mistakes/signed-char")
        self.assertEqual(code, 0, said)
        self.assertIn("checks/scan-blelloch.json", wrote)
        self.assertNotIn("checks/scan-kogge-stone.json", wrote)
        judged = {line.split("\t")[2] for line in wrote["verdicts.tsv"].splitlines()}
        self.assertEqual(judged, {"scan/blelloch", "scan/blelloch without line 28", "mistakes/signed-char"})
        code, said, calls, _ = self.run_script(KERNELS="scan/nonsense")
        self.assertEqual(code, 2)
        self.assertIn('no kernel "scan/nonsense"', said)
        self.assertNotIn("gpu_checks check", calls)

    def test_a_sanitizer_that_finds_an_error_fails_the_run(self):
        code, said, _, wrote = self.run_script("sanitizer", ERRORS="3")
        self.assertEqual(code, 1)
        self.assertIn("FAIL memcheck", said)
        self.assertIn("memcheck\ttraced\tscan/blelloch\tclean\terrors", wrote["verdicts.tsv"])

    def test_a_failed_check_fails_the_run_and_the_others_go_on(self):
        code, said, _, wrote = self.run_script("checks", BROKEN="scan/kogge-stone")
        self.assertEqual(code, 1)
        self.assertIn("FAIL check scan/kogge-stone", said)
        self.assertIn("checks/scan-blelloch.json", wrote)

    def test_no_time_left_is_said(self):
        code, _, _, wrote = self.run_script(LIMIT="0")
        self.assertEqual(code, 0)
        self.assertIn("CPU = GPU of scan/blelloch: no time left", wrote["left_out.txt"])

    @unittest.skipIf(os.path.exists("/usr/local/cuda/bin/compute-sanitizer"), "this machine has the tool itself")
    def test_missing_tools_are_named_as_left_out(self):
        code, said, _, wrote = self.run_script(tools=())
        self.assertEqual(code, 0, said)
        self.assertIn("compute-sanitizer: not on this machine", wrote["left_out.txt"])
        self.assertIn("hardware counters: no ncu", wrote["left_out.txt"])
        self.assertNotIn("verdicts.tsv", wrote)

    def test_a_sanitizer_that_is_blind_on_this_machine_is_left_out(self):
        code, _, _, wrote = self.run_script("sanitizer", BLIND="1")
        self.assertEqual(code, 0)
        self.assertIn("it does not find the planted race", wrote["left_out.txt"])
        self.assertNotIn("verdicts.tsv", wrote)


if __name__ == "__main__":
    unittest.main()
