"""Programs of CUDA's API groups, each run on a GPU once: `check` passes them, and they print here what they printed there.

tests/cuda/api/NAME.cu compiles with nvcc unchanged, is deterministic and ends with exit code 0. tests/recorded/api/NAME.txt is
what it printed on a GPU; a program without a record must pass all the same.

A program takes one to three seconds of a processor. API in the environment says which are run: API='half*'. Then what
`check` says of a failed one is printed in full.
"""

import concurrent.futures
import fnmatch
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
RUNTIME = BUILD / "cuda" / "lib" / "libbarrierscope_cuda.so"
PROGRAMS = ROOT / "tests" / "cuda" / "api"
RECORDS = ROOT / "tests" / "recorded" / "api"
# Programs whose output differs from a GPU's, and why. One that no longer differs must leave the list.
DIFFERENCES = RECORDS / "differences.json"
PATTERN = os.environ.get("API")
# A check has threads of its own and may take a gigabyte: no more than four at once.
AT_ONCE = min(4, os.cpu_count() or 1)


def first_difference(expected, printed):
    """The first line that differs, as a sentence; empty: none does."""
    theirs, ours = expected.splitlines(), printed.splitlines()
    for number, (a, b) in enumerate(zip(theirs, ours), 1):
        if a != b:
            return f"line {number} is\n  {b}\nand on the GPU\n  {a}"
    if len(theirs) != len(ours):
        longer, who = (theirs, "the GPU") if len(theirs) > len(ours) else (ours, "this run")
        return f"line {min(len(theirs), len(ours)) + 1} is printed by {who} alone:\n  {longer[min(len(theirs), len(ours))]}"
    return ""


def judge(program):
    """What is wrong with a run of the program; empty: nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run([BUILD / "barrierscope", "check", program, "--json", "--no-try"], cwd=folder,
                                  capture_output=True, text=True, timeout=240)
        except subprocess.TimeoutExpired:
            return "check takes longer than 240 seconds"
    try:
        said = json.loads(done.stdout)
    except ValueError:  # nothing was run: the reason is on stderr
        return f"exit code {done.returncode}: {done.stderr if PATTERN else done.stderr[:1000]}"
    if done.returncode:
        shown = None if PATTERN else 3
        messages = [f"{g.get('file', '')}:{g.get('line', 0)}: {g['message']}" for g in said.get("groups", [])]
        return "\n".join([f"exit code {done.returncode}", *messages[:shown], said["program"]["output"][-500:]])
    record = RECORDS / f"{program.stem}.txt"
    return first_difference(record.read_text(), said["program"]["output"]) if record.exists() else ""


class Api(unittest.TestCase):
    def test_each_record_is_of_a_program(self):
        programs = {path.stem for path in PROGRAMS.glob("*.cu")}
        self.assertLessEqual({path.stem for path in RECORDS.glob("*.txt")}, programs)
        self.assertLessEqual(json.loads(DIFFERENCES.read_text()).keys(), programs)

    def test_a_difference_is_named(self):
        self.assertEqual(first_difference("1\n2\n", "1\n2\n"), "")
        self.assertIn("line 2 is\n  3\n", first_difference("1\n2\n", "1\n3\n"))
        self.assertIn("line 2 is printed by the GPU alone", first_difference("1\n2\n", "1\n"))
        self.assertIn("line 3 is printed by this run alone", first_difference("1\n2\n", "1\n2\n3\n"))

    @unittest.skipUnless(RUNTIME.exists(), "built without the runtime of users' own CUDA programs")
    def test_each_program_prints_what_it_printed_on_a_gpu(self):
        differences = json.loads(DIFFERENCES.read_text())
        programs = [p for p in sorted(PROGRAMS.glob("*.cu")) if fnmatch.fnmatch(p.stem, PATTERN or "*")]
        self.assertTrue(programs or not PATTERN, f"no program is named {PATTERN}")
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for program, wrong in zip(programs, pool.map(judge, programs)):
                with self.subTest(program.stem):
                    if program.stem in differences:
                        self.assertRegex(wrong, "^line [0-9]+ is", f"{program.name}: {differences[program.stem]}")
                    else:
                        self.assertFalse(wrong, f"{program.name}: {wrong}")


if __name__ == "__main__":
    unittest.main()
