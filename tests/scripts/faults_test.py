"""Faults that users asked about: `check` names each at its line, in words that name cause and cure, and passes its repaired twin.

tests/cuda/faults/index.json says of each NAME.cu what is wrong with it, who asked, at which lines a sentence must stand, and words
that it must contain. Its member "not_found" is the one list of pairs that fail, with the reason; a pair that no longer fails must
leave it. FAULTS=PATTERN in the environment checks only pairs whose name matches, and prints what is said of each.
"""

import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
RUNTIME = BUILD / "cuda" / "lib" / "libbarrierscope_cuda.so"
FAULTS = ROOT / "tests" / "cuda" / "faults"
PATTERN = os.environ.get("FAULTS")


def told(name):
    """The exit code of a check of NAME.cu, and all that it says: [(lines, sentence)]."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([BUILD / "barrierscope", "check", FAULTS / f"{name}.cu", "--json"], cwd=folder,
                              capture_output=True, text=True, timeout=100)
    try:
        said = json.loads(done.stdout)
    except ValueError:  # refused: the compiler's errors
        place = re.compile(re.escape(name) + r"\.cu:(\d+):(.*)")
        found = [place.search(line) for line in done.stderr.splitlines()]
        return done.returncode, [([int(m[1])], m[0]) for m in found if m] or [([], done.stderr)]
    sentences = [(h["lines"], h["sentence"]) for h in said["hazards"]]
    sentences += [([f["line"]], f["sentence"]) for f in said["findings"]]
    for sentence in said["program_mistakes"]:
        place = re.match(r".*?\.cu:(\d+):", sentence)
        sentences.append(([int(place[1])] if place else [], sentence))
    return done.returncode, sentences


def judge(name, findings):
    """What is wrong with the verdicts on a pair: [] where the fault is found and its repair is clean."""
    code, sentences = told(name)
    wrong = [] if code == 1 else [f"{name}.cu: exit code {code}"]
    for finding in findings:
        here = [s for lines, s in sentences if finding["line"] in lines]
        if not any(all(word in s for word in finding["words"]) for s in here):
            wrong.append(f"{name}.cu:{finding['line']}: no sentence with {finding['words']}")
    if wrong:
        wrong += [f"  says {lines}: {s}" for lines, s in sentences[:6]]
    fixed, more = told(f"{name}_fixed")
    if fixed != 0:
        wrong += [f"{name}_fixed.cu: exit code {fixed}", *(f"  says {lines}: {s}" for lines, s in more[:4])]
    if PATTERN:
        print(f"{name}\n" + "\n".join(f"  {lines}: {s}" for lines, s in sentences), flush=True)
    return wrong


@unittest.skipUnless(RUNTIME.exists(), "built without the runtime of people's own CUDA programs")
class Faults(unittest.TestCase):
    def setUp(self):
        index = json.loads((FAULTS / "index.json").read_text())
        self.faults, self.not_found = index["faults"], index["not_found"]

    def test_the_index_names_every_pair(self):
        names = sorted(path.stem for path in FAULTS.glob("*.cu"))
        self.assertEqual(names, sorted([*self.faults, *(f"{name}_fixed" for name in self.faults)]))
        self.assertLessEqual(set(self.not_found), set(self.faults))
        for name, fault in self.faults.items():
            lines = (FAULTS / f"{name}.cu").read_text().splitlines()
            self.assertTrue(fault["findings"] and fault["source"] and fault["fault"], name)
            for finding in fault["findings"]:
                self.assertTrue(finding["words"] and lines[finding["line"] - 1].strip(), name)

    def test_each_fault_is_found_and_its_repair_is_clean(self):
        wanted = {n: f["findings"] for n, f in self.faults.items() if fnmatch.fnmatchcase(n, PATTERN or "*")}
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            verdicts = dict(zip(wanted, pool.map(judge, wanted, wanted.values())))
        for name, wrong in verdicts.items():
            with self.subTest(name):
                if name in self.not_found:
                    self.assertTrue(wrong, f"{name} is found now: take it off \"not_found\" in index.json")
                else:
                    self.assertFalse(wrong, "\n" + "\n".join(wrong))


if __name__ == "__main__":
    unittest.main()
