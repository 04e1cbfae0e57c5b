"""Faults that users asked about: `check` names each at its line, in words that name cause and cure, and passes its repaired twin.

tests/cuda/faults/index.json says of each NAME.cu what is wrong with it, who asked, of what kind it is, in which lines a sentence
must stand, and words that it must contain, or must not ("without"), and where it is known, how many errors there are. Its member "not_found" is the one list of pairs that fail,
with the reason; a pair that no longer fails must leave it.

A pair takes two to four seconds of a processor. Only the pairs of OFTEN, one for each mechanism that finds them, are checked
unless FAULTS in the environment says which: FAULTS='*' all, FAULTS='6*' some. Then what is said of each is printed, too.
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
OFTEN = ["02_warp_tail",          # the steps of a warp
         "07_shuffle_in_branch",   # a shuffle from a lane that is not there
         "09_dynamic_none",        # an array without bytes
         "14_other_blocks",        # a race of two blocks
         "17_async_too_early",     # the host does not wait
         "20_grid_sync",           # a launch of the wrong kind
         "53_scan_in_place",       # a race within a block
         "57_no_fence",            # a fence is missing
         "63_early_return",        # a barrier that not all reach
         "65_mask_without_me",     # a mask that leaves its caller out
         "73_past_the_queue",      # an index out of bounds
         "80_set_to_ones",         # a wrong result
         "84_more_than_48k",       # a launch that is refused
         "91_host_reads_device",   # a crash of the host
         "95_counter_not_cleared",  # a read of a cell that no thread wrote
         "102_commit_after_wait"]   # a copy that has not arrived


def told(name):
    """The exit code of a check of NAME.cu, all that it says, [(lines, sentence)], and how many errors that are."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([BUILD / "barrierscope", "check", FAULTS / f"{name}.cu", "--json", "--no-try"], cwd=folder,
                              capture_output=True, text=True, timeout=300)
    place = re.compile(r"[^ :]*\.cu:(\d+):")
    try:
        said = json.loads(done.stdout)
    except ValueError:  # nothing was run: the reason is on stderr
        found = [(place.match(line), line) for line in done.stderr.splitlines()]
        sentences = [([int(m[1])] if m else [], line) for m, line in found if not line.startswith("  |")]
        return done.returncode, sentences, len(sentences)
    groups = [g for group in said["groups"] for g in [group, *group.get("consequences", [])]]
    sentences = [([g.get("line", 0), *(n.get("line", 0) for n in g.get("notes", []))],
                  " ".join(filter(None, [g.get("title"), g["message"], g.get("help")]))) for g in groups]
    return done.returncode, sentences, sum(group["severity"] == "error" for group in said["groups"])


def fits(finding, sentence):
    return (all(word in sentence for word in finding["words"])
            and not any(word in sentence for word in finding.get("without", [])))


def judge(name, fault):
    """What is wrong with the verdicts on a pair: [] where the fault is found and its repair is clean."""
    code, sentences, errors = told(name)
    wrong = [] if code == fault.get("exit", 1) else [f"{name}.cu: exit code {code}"]
    if errors != fault.get("errors", errors):
        wrong.append(f"{name}.cu: {errors} errors")
    for finding in fault["findings"]:
        if not any(finding["line"] in lines and fits(finding, sentence) for lines, sentence in sentences):
            wrong.append(f"{name}.cu:{finding['line']}: no sentence with {finding['words']}"
                         + (f" and without {finding['without']}" if "without" in finding else ""))
    if wrong:
        wrong += [f"  says {lines}: {sentence}" for lines, sentence in sentences[:6]]
    fixed, more, _ = told(f"{name}_fixed")
    if fixed != 0:
        wrong += [f"{name}_fixed.cu: exit code {fixed}", *(f"  says {lines}: {sentence}" for lines, sentence in more[:6])]
    if PATTERN:
        print(f"{name}\n" + "\n".join(f"  {lines}: {sentence}" for lines, sentence in sentences), flush=True)
    return wrong


class Faults(unittest.TestCase):
    def setUp(self):
        index = json.loads((FAULTS / "index.json").read_text())
        self.faults, self.not_found = index["faults"], index["not_found"]

    def test_the_index_names_every_pair(self):
        names = sorted(path.stem for path in FAULTS.glob("*.cu"))
        self.assertEqual(names, sorted([*self.faults, *(f"{name}_fixed" for name in self.faults)]))
        self.assertLessEqual({*self.not_found, *OFTEN}, set(self.faults))
        for name, fault in self.faults.items():
            lines = (FAULTS / f"{name}.cu").read_text().splitlines()
            self.assertTrue(all(fault[member] for member in ("findings", "source", "fault", "kind")), name)
            for finding in fault["findings"]:
                self.assertTrue(finding["words"] and lines[finding["line"] - 1].strip(), name)

    def test_a_verdict_on_a_pair_can_fail(self):
        finding = {"line": 3, "words": ["part[0]", "__syncthreads"], "without": ["__syncwarp"]}
        self.assertTrue(fits(finding, "part[0] is read: put __syncthreads() before"))
        self.assertFalse(fits(finding, "part[0] is read"))
        self.assertFalse(fits(finding, "part[0] is read: put __syncthreads() or __syncwarp() before"))

    @unittest.skipUnless(RUNTIME.exists(), "built without the runtime of people's own CUDA programs")
    def test_each_fault_is_found_and_its_repair_is_clean(self):
        wanted = fnmatch.filter(self.faults, PATTERN) if PATTERN else OFTEN
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            verdicts = dict(zip(wanted, pool.map(judge, wanted, [self.faults[name] for name in wanted])))
        for name, wrong in verdicts.items():
            with self.subTest(name):
                if name in self.not_found:
                    self.assertTrue(wrong, f"{name} is found now: take it off \"not_found\" in index.json")
                else:
                    self.assertFalse(wrong, "\n" + "\n".join(wrong))


if __name__ == "__main__":
    unittest.main()
