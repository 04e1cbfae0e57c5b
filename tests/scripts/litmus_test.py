"""The race search against the PTX memory model: litmus tests of cuda::atomic_ref, by shape, order, scope and place.

Two conflicting accesses race unless both are atomic and of scopes that include the other's thread, or one happens
before the other: PTX ISA, "Memory Consistency Model", sections on morally strong operations and on causality order.
"""

import json
import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
PROGRAMS = ROOT / "tests/cuda/litmus"
RUNTIME = BUILD / "cuda" / "lib" / "libbarrierscope_cuda.so"
ATOMIC = BUILD / "cuda" / "include" / "cuda" / "atomic"
SCOPES = {0: "system", 1: "device", 2: "block", 10: "thread"}  # by their numbers in libcu++
ORDERS = ["relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"]


def races(shape, scope, writer, reader, blocks):
    """(whether the flag's or cells' atomics are of a scope too narrow, whether plain accesses race)"""
    narrow = scope == "thread" or scope == "block" and blocks > 1
    handed_over = writer in ("release", "acq_rel", "seq_cst") and reader in ("acquire", "acq_rel", "seq_cst")
    match shape:
        case "stores" | "updates" | "sequences" | "there_and_back" | "handed_on" | "write_to_read" | "updated_between":
            return narrow, narrow or not handed_over
        case "handed_on_further":  # only the first two threads are in the scope, and share a block of two
            narrow = scope == "thread" or scope == "block" and blocks == 3
            return narrow, narrow or not handed_over
        case "broken_between":
            return narrow, True
        case "fences":
            return False, narrow
        case "store_buffering" | "load_buffering" | "independent_reads":
            return narrow, False
        case "loads_only":
            return False, False
        case "plain_buffering":
            return False, True


@unittest.skipUnless(RUNTIME.is_file() and ATOMIC.is_file(), "users' own CUDA was not built with CCCL")
class Litmus(unittest.TestCase):
    def judge(self, program):
        command = [BUILD / "barrierscope", "check", "--no-try", PROGRAMS / program, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 1, done.stderr)
        report = json.loads(done.stdout)
        found = {(f["launch"], kind) for kind in ("hazards", "findings") for f in report[kind]}
        seen = set()
        for number, launch in enumerate(report["program"]["launches"]):
            shape, scope, writer, reader = re.fullmatch(r"(\w+)<\D*(\d+)\D*(\d)\D*(\d)\D*>", re.sub(r"__\d", "", launch["kernel"])).groups()
            case = shape, SCOPES[int(scope)], ORDERS[int(writer)], ORDERS[int(reader)], launch["grid"][0]
            self.assertNotIn(case, seen)
            seen.add(case)
            with self.subTest(case):
                self.assertEqual(((number, "findings") in found, (number, "hazards") in found), races(*case))
        return seen

    def test_message_passing(self):
        self.assertEqual(len(self.judge("message_passing.cu")), 112)

    def test_store_and_load_buffering(self):
        self.assertEqual(len(self.judge("buffering.cu")), 64)

    def test_three_and_four_threads(self):
        self.assertEqual(len(self.judge("three_threads.cu")), 99)


if __name__ == "__main__":
    unittest.main()
