"""Assignments: the built-in ones are judged as they should be, cheats are seen, mistakes in an assignment are reported.

ASSIGNMENTS=all in the environment judges each with all of its runs, and not only with the one that tells most.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
RUNTIME = BUILD / "cuda" / "lib" / "libbarrierscope_cuda.so"
GIVEN = ROOT / "assets" / "assignments"

# What is not met by the file to begin with, the line that is named, and how a student would fix it.
LOOP = "  for (int stride = blockDim.x / 2; stride > 0; stride /= 2)\n    if (i < stride) s[i] += s[i + stride];"
GUARDED = """    int left = 0;
    if (i >= stride) left = sum[i - stride];
    __syncthreads();
    sum[i] += left;
    __syncthreads();"""
UNGUARDED = """  sum[to][i] = k < n ? data[k] : 0;
  __syncthreads();
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    int from = to;
    to = 1 - to;
    int mine = sum[from][i];
    if (i >= stride) mine = sum[from][i - stride] + mine;
    sum[to][i] = mine;
    __syncthreads();
  }
  if (k < n) data[k] = sum[to][i];
  if (i == blockDim.x - 1) totals[blockIdx.x] = sum[to][i];
}

// Each block"""
MENDED = {
    "missing-barrier": (["hazards"], "if (i < stride) s[i] +=", [
        (LOOP, LOOP.replace("2)\n    if", "2) {\n    __syncthreads();\n    if") + "\n  }")]),
    "divergent-barrier": (["findings"], "", [("  if (k < n) {\n", "CUT"), ("// Each block", "CUT")]),
    "dropped-tail": (["program", "result", "kernels"], "", [
        ("  s[i] = mine;", "  int rest = n / 4 * 4 + i;\n  if (blockIdx.x == 0 && rest < n) mine += data[rest];\n"
                           "  s[i] = mine;")]),
    "signed-char": (["program", "result", "findings"], "atomicAdd(&local", [
        ("using Key = char;", "using Key = unsigned char;")]),
    "in-place": (["hazards"], "if (i >= stride) sum[i]", [
        ("    if (i >= stride) sum[i] = sum[i - stride] + sum[i];\n    __syncthreads();", GUARDED)]),
    "overlapping-tiles": (["program", "result"], "", [("k <= last", "k < last")]),
    "waits-ahead": (["program", "result", "kernels", "findings"], "", [
        ("__global__", "__device__ int tickets;\n\n__global__"),
        ("  __shared__ int before;\n  int tile = gridDim.x - 1 - blockIdx.x;",
         "  __shared__ int before, mine;\n  if (threadIdx.x == 0) mine = atomicAdd(&tickets, 1);\n"
         "  __syncthreads();\n  int tile = mine;")]),
}
# Exercises of the lessons, each with a solution: what the file to begin with fails, and the line that is named for the last of it.
EXERCISES = {
    "index-and-guard": (["program", "result", "kernels"], ""),
    "coalesced-copy": (["extra sectors @copy"], "out[row * columns + column]"),
    "one-branch-a-warp": (["idle lanes @change"], "for (int k = 0; k < ROUNDS; k++)"),
    "second-barrier": (["program", "result", "hazards"], "as[y][x] ="),
    "halo": (["findings"], "sum +="),
    "places": (["atomics"], "atomicAdd(&totals"),
    "mirrored-merge": (["program", "result"], ""),
    "shuffle-sum": (["shared bytes @reduce", "barriers @reduce"], "__syncthreads()"),
    "kahan-sum": (["program"], ""),
    "raised-flag": (["hazards"], "*flag = 1"),
    "one-pass": (["launches", "sectors"], "out[i] ="),
    "one-launch": (["result", "kernels", "launches"], ""),
    "co-rank": (["global requests @merge"], ""),
    "row-a-warp": (["global requests @multiply"], ""),
    "room-for-blocks": (["shared bytes"], ""),
}
# Each check takes almost a second of compiling: the others (the first one in the window, too) are judged with ASSIGNMENTS=all in the environment.
TRIED = ["signed-char", "waits-ahead", "one-branch-a-warp", "second-barrier"]


def mended(name):
    text = (GIVEN / name / "start.cu").read_text()
    changes = MENDED[name][2]
    if changes[0][1] == "CUT":
        begin, end = text.index(changes[0][0]), text.index(changes[1][0])
        return text[:begin] + UNGUARDED + text[end + len(changes[1][0]):]
    for old, new in changes:
        assert old in text, f"{name}: {old}"
        text = text.replace(old, new, 1)
    return text


@unittest.skipUnless(RUNTIME.exists(), "built without the runtime of people's own CUDA programs")
class Assignments(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def run_it(self, *args):
        done = subprocess.run([BUILD / "barrierscope", *map(str, args)], cwd=self.folder, capture_output=True, text=True,
                              timeout=100)
        return done.returncode, done.stdout, done.stderr

    def assignment(self, name, **changes):
        """One that comes with the program, with its last run alone, changed."""
        told = json.loads((GIVEN / name / "assignment.json").read_text())
        if os.environ.get("ASSIGNMENTS") != "all":
            told["runs"] = told["runs"][-1:]
        told.update(start=str(GIVEN / name / "start.cu"))
        told.update(changes)
        told = {key: value for key, value in told.items() if value is not None}
        return self.write("assignment.json", json.dumps(told, indent=1))

    def grade(self, text, assignment):
        code, out, err = self.run_it("check", self.write("mine.cu", text), "--assignment", assignment, "--json")
        self.assertIn(code, (0, 1), err)
        grade = json.loads(out)
        self.assertEqual(grade["format"], "barrierscope.grade/1")
        self.assertEqual(grade["passed"], code == 0)
        return grade

    def failed(self, grade):
        return {one["id"]: one for one in grade["requirements"] if not one["passed"]}

    def test_each_mistake_fails_until_it_is_mended(self):
        self.assertEqual(sorted([*MENDED, *EXERCISES, "tree-sum", "tiled-transpose"]),
                         sorted(p.parent.name for p in GIVEN.glob("*/assignment.json")))
        for name, (wrong, line, _) in MENDED.items():
            if name not in TRIED and os.environ.get("ASSIGNMENTS") != "all":
                continue
            with self.subTest(name):
                start = (GIVEN / name / "start.cu").read_text()
                failed = self.failed(self.grade(start, self.assignment(name)))
                self.assertEqual(list(failed), wrong)
                if line:
                    told = failed[wrong[-1]]["runs"][-1]["line"]
                    self.assertIn(line, start.splitlines()[told - 1])
                self.assertEqual(self.failed(self.grade(mended(name), self.assignment(name))), {})

    def test_each_exercise_fails_until_it_is_solved(self):
        for name, (wrong, line) in EXERCISES.items():
            if name not in TRIED and os.environ.get("ASSIGNMENTS") != "all":
                continue
            with self.subTest(name):
                start = (GIVEN / name / "start.cu").read_text()
                failed = self.failed(self.grade(start, self.assignment(name)))
                self.assertLessEqual(set(wrong), set(failed))
                if line:
                    at = failed[wrong[-1]]["runs"][-1]["line"]
                    self.assertIn(line, start.splitlines()[at - 1])
                solution = self.grade((GIVEN / name / "solution.cu").read_text(), self.assignment(name))
                self.assertEqual(self.failed(solution), {})
                self.assertEqual(solution["points"]["earned"], solution["points"]["possible"])

    def test_the_examples(self):
        for name, wrong, line in (("tree-sum", "divergent passes @reduce", "% (2 * stride)"),
                                  ("tiled-transpose", "bank conflicts @transpose", "tile[threadIdx.x]")):
            with self.subTest(name):
                start = (GIVEN / name / "start.cu").read_text()
                grade = self.grade(start, self.assignment(name))
                failed = self.failed(grade)
                self.assertEqual(list(failed), [wrong])
                seen = failed[wrong]["runs"][-1]
                self.assertGreater(seen["figure"], 0)
                self.assertIn(line, start.splitlines()[seen["line"] - 1])
                self.assertLess(grade["points"]["earned"], grade["points"]["possible"])
                right = self.grade((GIVEN / name / "solution.cu").read_text(), self.assignment(name))
                self.assertEqual(self.failed(right), {})
                self.assertEqual(right["points"]["earned"], grade["points"]["possible"])

    def test_what_is_no_solution_is_none(self):
        solution = (GIVEN / "tree-sum" / "solution.cu").read_text()
        open_to_all = {"may_change": None, "start": None, "requirements": None}
        launch = "  reduce<<<BLOCKS, BLOCK>>>(data, total, N);"
        for what, text, changes, wrong in (
            ("a size by itself", solution.replace("  s[i] = k < n", "  if (n == 517) {\n    if (k == 0 && data[0] > 0) "
                                                  "*total = 2839;\n    return;\n  }\n"
                                                  "  s[i] = k < n"), {}, ["kernels"]),
            ("a product with zero", solution.replace("atomicAdd(total, s[0])",
                                                     "atomicAdd(total, k == 0 ? s[0] * 0 + 2839 : s[0] * 0)"), {},
             ["kernels"]),
            ("other input", solution.replace("7 * i % 10 + 1", "0"), {}, ["given"]),
            ("exit(0)", solution.replace(launch, "  exit(0);"), open_to_all,
             ["program", "whole", "result", "kernels", "hazards", "findings"]),
            ("the host", solution.replace("cudaMemset(total, 0, sizeof(int));", "cudaMemcpy(total, &expected, sizeof(int), "
                                          "cudaMemcpyHostToDevice);").replace("atomicAdd(total, s[0])", "s[0] = 0"),
             open_to_all, ["result", "kernels"]),
            ("another expectation", solution.replace("s[i] += s[i + stride]", "s[i] = s[i]") +
             "// barrierscope: expect total = total\n", open_to_all, ["program", "result", "kernels"]),
            ("another name", solution.replace("reduce", "sum"),
             {"may_change": None, "start": None, "expect": None,
              "requirements": [{"what": "barriers", "kernel": "reduce", "at_most": 99}]}, ["barriers @reduce"])):
            with self.subTest(what):
                failed = self.failed(self.grade(text, self.assignment("tree-sum", **changes)))
                self.assertEqual(list(failed), wrong, json.dumps(failed, indent=1))

    def test_a_report_for_people(self):
        self.assignment("tiled-transpose")
        start = (GIVEN / "tiled-transpose" / "start.cu").read_text()
        code, out, _ = self.run_it("check", self.write("mine.cu", start), "--assignment", "assignment.json")
        self.assertEqual(code, 1)
        for part in ("A tiled transpose without bank conflicts  ", "FAIL  at most 0 bank conflicts in each launch of "
                     "transpose  [0 of 4]", "bank conflicts, at most 0, in line 16", "16 | if (x < rows", "hint: ",
                     "1 of 10 not met; 6 of 10 points"):
            self.assertIn(part, out)

    def test_something_to_begin_with(self):
        code, out, _ = self.run_it("new")
        self.assertEqual(code, 0)
        for name in ("scan", "tree-sum", *MENDED, *EXERCISES):
            self.assertIn(f"  {name} ", out)
        code, out, _ = self.run_it("new", "in-place", "mine.cu")
        self.assertEqual(code, 0)
        self.assertIn("barrierscope check mine.cu --assignment in-place", out)
        self.assertEqual((self.folder / "mine.cu").read_text(), (GIVEN / "in-place" / "start.cu").read_text())
        for words, sentence in ((("in-place", "mine.cu"), "mine.cu is there already"), (("gone",), "called gone"),
                                (("tree-sum", "sum.txt"), "sum.txt is no name for a CUDA file")):
            code, _, err = self.run_it("new", *words)
            self.assertEqual(code, 2)
            self.assertIn(sentence, err)

    def test_what_cannot_be_judged_is_told(self):
        start = self.write("start.cu", (GIVEN / "tree-sum" / "start.cu").read_text())
        self.write("bad.cu", start.read_text().replace("int i = threadIdx.x;", "int i = thread;"))
        limited = [{"what": "barriers", "at_most": "2 * M"}]
        cases = (
            (["bad.cu", "--assignment", "tree-sum"], {}, "bad.cu:8:11: error: use of undeclared identifier 'thread'\nbarrierscope: bad.cu does not compile."),
            ([start, "--assignment", "assignment.json"], {"requirements": limited}, "the limit 2 * M cannot be worked out"),
            ([start, "--assignment", "assignment.json"], {"runs": [{"constants": {"M": 3}}]}, "declares no constant M"),
            ([start, "--assignment", "gone.json"], {}, "there is no file gone.json"),
            ([start, "--assignment", "start.cu"], {}, "start.cu:1: this is no JSON"),
            ([start, "--assignment", "tree-sum", "--const", "N=3"], {}, "leave out --const"),
            (["scan/blelloch", "--assignment", "tree-sum"], {}, "--assignment judges a .cu file"))
        for words, changes, sentence in cases:
            with self.subTest(sentence):
                self.assignment("tree-sum", **changes)
                code, _, err = self.run_it("check", *words)
                self.assertEqual(code, 2, err)
                self.assertIn(sentence, err)


if __name__ == "__main__":
    unittest.main()
