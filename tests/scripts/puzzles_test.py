"""Puzzles: each fails at its line and its solution passes; tries, hints and solutions come in their order; files are recognised.

ASSIGNMENTS=all in the environment judges each with all of its runs, and not only with the last one.
"""

import concurrent.futures
import difflib
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
RUNTIME = BUILD / "cuda" / "lib" / "libbarrierscope_cuda.so"
SERIES = ROOT / "assets" / "assignments" / "puzzles"
PUZZLES = sorted(folder.name for folder in SERIES.iterdir())
# Where `check` names the line that suffers from the wrong one.
ELSEWHERE = {"10-rotate": "before[i] = seats[i]", "17-smooth": "tile[t + 2];", "20-warmest-day": "high[t + half]"}


def read(name, file="start.cu"):
    return (SERIES / name / file).read_text(encoding="utf-8")


def puzzle(name):
    return json.loads(read(name, "assignment.json"))


class Texts(unittest.TestCase):
    def test_they_go_from_easy_to_hard(self):
        levels = [puzzle(name)["level"] for name in PUZZLES]
        self.assertEqual(levels, sorted(levels))
        self.assertEqual(set(levels), {1, 2, 3, 4, 5})
        self.assertGreaterEqual(len(PUZZLES), 16)

    def test_the_solution_repairs_one_of_the_lines(self):
        for name in PUZZLES:
            with self.subTest(name):
                given, solved = read(name).splitlines(), read(name, "solution.cu").splitlines()
                changed = set()
                for kind, begin, end, _, _ in difflib.SequenceMatcher(None, given, solved, autojunk=False).get_opcodes():
                    if kind == "insert":
                        changed |= {begin, begin + 1}  # what stands before it and behind it
                    elif kind != "equal":
                        changed |= set(range(begin + 1, end + 1))
                self.assertTrue(changed & set(puzzle(name)["lines"]), changed)

    def test_the_files_do_not_tell(self):
        for name in PUZZLES:
            with self.subTest(name):
                comments = [line for line in read(name).splitlines() if "//" in line]
                self.assertEqual(comments, read(name).splitlines()[:1])  # what the program is for


def run_it(*args, config):
    done = subprocess.run([BUILD / "barrierscope", *map(str, args)], cwd=config, capture_output=True, text=True, timeout=300,
                          env={**os.environ, "XDG_CONFIG_HOME": str(config)})
    return done.returncode, done.stdout, done.stderr


@unittest.skipUnless(RUNTIME.exists(), "built without the runtime of users' own CUDA programs")
class Puzzles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_it(self, *args):
        return run_it(*args, config=self.folder)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.folder / name

    def judged(self, job):
        """The requirements that a file of a puzzle does not meet, by id, with the lines that are named."""
        name, file = job
        asked = puzzle(name)
        if os.environ.get("ASSIGNMENTS") != "all":
            asked["runs"] = asked["runs"][-1:]
        asked.update(start=str(SERIES / name / "start.cu"), solution=str(SERIES / name / "solution.cu"))
        with tempfile.TemporaryDirectory() as folder:
            assignment = pathlib.Path(folder) / "assignment.json"
            assignment.write_text(json.dumps(asked), encoding="utf-8")
            code, out, err = run_it("check", SERIES / name / file, "--assignment", assignment, "--json",
                                    config=pathlib.Path(folder))
        self.assertIn(code, (0, 1), err)
        return {one["id"]: [run["line"] for run in one["runs"] if run["line"] and not run["passed"]]
                for one in json.loads(out)["requirements"] if not one["passed"]}

    def test_each_fails_at_its_line_until_it_is_repaired(self):
        jobs = [(name, file) for name in PUZZLES for file in ("start.cu", "solution.cu")]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for (name, file), failed in zip(jobs, pool.map(self.judged, jobs)):
                with self.subTest(f"{name}/{file}"):
                    if file == "solution.cu":
                        self.assertEqual(failed, {})
                        continue
                    self.assertTrue(failed)
                    self.assertNotIn("given", failed)
                    given = read(name).splitlines()
                    for line in {line for lines in failed.values() for line in lines}:
                        named = line in puzzle(name)["lines"] or ELSEWHERE.get(name, "\n") in given[line - 1]
                        self.assertTrue(named, f"{line}: {given[line - 1]}")

    def test_nothing_is_given_away_before_two_tries(self):
        code, _, _ = self.run_it("new", "brighten", "mine.cu")
        self.assertEqual(code, 0)
        start, line = read("01-brighten"), puzzle("01-brighten")["lines"][0]
        hints = puzzle("01-brighten")["hints"]

        code, out, _ = self.run_it("check", "mine.cu")
        self.assertEqual(code, 1)
        self.assertIn("FAIL  1 of 2 runs: N=500", out)
        for secret in (f"{line} |", f"line {line}", "bounds", *hints, "solution"):
            self.assertNotIn(secret, out)
        code, _, err = self.run_it("new", "brighten", "--solution")
        self.assertEqual(code, 2)
        self.assertIn("after 2 tries that failed: so far there are 0", err)

        code, out, _ = self.run_it("check", "mine.cu", "--line", line + 1)
        self.assertEqual(code, 1)
        self.assertIn(hints[0], out)
        self.assertNotIn(hints[1], out)
        self.assertIn("so far there are 1", self.run_it("new", "brighten", "--solution")[2])

        # a changed comment is no try; a changed program is one, wherever its lines are
        self.write("mine.cu", "// mine\n" + start)
        self.assertNotIn(hints[1], self.run_it("check", "mine.cu")[1])
        self.write("mine.cu", "// mine\n" + start.replace("(pixels[i] + 40", "(pixels[i] + 41"))
        code, out, _ = self.run_it("check", "mine.cu")
        self.assertEqual(code, 1)
        for shown in (*hints, "new brighten --solution", f"in line {line + 1}"):
            self.assertIn(shown, out)

        code, _, err = self.run_it("check", "mine.cu", "--line", line + 1)
        self.assertEqual(code, 2)
        self.assertIn("is not as it was given", err)
        self.write("mine.cu", "// mine\n" + start)
        code, out, _ = self.run_it("check", "mine.cu", "--line", line + 1)
        self.assertEqual(code, 0)
        self.assertIn("repair it", out)
        self.assertIn("brighten              1  Brighter pictures, line found", self.run_it("new")[1])

        # the solution is there, and solves nothing
        self.assertEqual(self.run_it("new", "brighten", "read.cu", "--solution")[0], 0)
        self.assertEqual((self.folder / "read.cu").read_text(), read("01-brighten", "solution.cu"))
        self.assertEqual(self.run_it("check", "read.cu")[0], 0)
        self.assertNotIn("solved", self.run_it("new")[1])
        self.write("mine.cu", read("01-brighten", "solution.cu").replace("// Only", "// only"))
        self.assertEqual(self.run_it("check", "mine.cu")[0], 0)
        self.assertIn("Brighter pictures, solved", self.run_it("new")[1])

    def test_a_class_gets_its_own_order(self):
        def order(folder, *more):
            self.assertEqual(self.run_it("new", "puzzles", folder, *more)[0], 0)
            texts = [file.read_text(encoding="utf-8") for file in sorted((self.folder / folder).iterdir())]
            self.assertEqual(len(texts), len(PUZZLES))
            return [next(name for name in PUZZLES if text.endswith("//\n" + read(name))) for text in texts]

        one = order("one", "--shuffle", 7)
        self.assertEqual(order("again", "--shuffle", 7), one)
        self.assertNotEqual(order("other", "--shuffle", 8), one)
        self.assertEqual(order("course"), PUZZLES)
        self.assertEqual(sorted(one), PUZZLES)
        self.assertEqual(sorted(p.name for p in (self.folder / "one").iterdir()), [f"{k + 1:02}.cu" for k in range(len(one))])
        code, _, err = self.run_it("new", "puzzles", "one")
        self.assertEqual(code, 2)
        self.assertIn("01.cu is there already", err)
        self.assertIn("--shuffle is for a series", self.run_it("new", "brighten", "--shuffle", 7)[2])

        # each is known for what it is, under its task
        for k, name in enumerate(one):
            file = self.folder / "one" / f"{k + 1:02}.cu"
            above = file.read_text(encoding="utf-8").count("\n") - read(name).count("\n")
            code, out, err = self.run_it("check", file, "--line", puzzle(name)["lines"][0] + above)
            self.assertEqual((code, err), (0, ""), name)
        self.assertEqual(self.run_it("new")[1].count(", line found"), len(PUZZLES))

    def test_what_is_no_puzzle_has_no_line(self):
        start = (ROOT / "assets/assignments/tree-sum/start.cu").read_text()
        self.write("sum.cu", start)
        for words, sentence in ((("sum.cu", "--line", 3), "--line is for puzzles"),
                                (("sum.cu", "--assignment", "tree-sum", "--line", 3), "asks for no line"),
                                (("sum.cu", "--line", "x"), "is no number of a line")):
            code, _, err = self.run_it("check", *words)
            self.assertEqual(code, 2)
            self.assertIn(sentence, err)
        self.assertIn("has no solution to show", self.run_it("new", "tree-sum", "--solution")[2])


if __name__ == "__main__":
    unittest.main()
