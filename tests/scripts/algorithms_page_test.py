"""docs/algorithms.md says what the program says, and its figures are there: run tools/algorithms_page.py after a change
to a kernel. And: every view of `render` is an SVG of real text and a PDF."""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build" / "release")) / "barrierscope"
TOOL = ROOT / "tools" / "algorithms_page.py"

spec = importlib.util.spec_from_file_location("algorithms_page", TOOL)
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)


def run(*args):
    return subprocess.run([str(PROGRAM), *args], capture_output=True, text=True)


class Page(unittest.TestCase):
    def test_says_what_the_program_says(self):
        done = subprocess.run([sys.executable, TOOL, "--check", "--program", PROGRAM], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_wrong_page_is_found(self):
        before = tool.PAGE
        with tempfile.TemporaryDirectory() as folder:
            wrong = pathlib.Path(folder) / "algorithms.md"
            wrong.write_text(before.read_text().replace("15", "16", 1))
            tool.PAGE, argv = wrong, sys.argv
            sys.argv = ["algorithms_page.py", "--check", "--program", str(PROGRAM)]
            try:
                self.assertEqual(tool.main(), 1)
            finally:
                tool.PAGE, sys.argv = before, argv

    def test_has_a_section_and_a_figure_for_every_kernel(self):
        text = tool.PAGE.read_text()
        for kernel in json.loads(run("list", "--json").stdout)["kernels"]:
            self.assertIn(f"`{kernel['name']}` ·", text)
            self.assertTrue((ROOT / kernel["source"]).exists())
            self.assertEqual(tool.figure_problem(kernel), "")
            self.assertTrue(tool.header_comment(kernel["source"]), kernel["source"] + " has no header comment")
        for link in re.findall(r"\]\(([^)#]+)\)", text):
            self.assertTrue((tool.PAGE.parent / link).exists(), link)
        for link in re.findall(r"\]\(#([^)]+)\)", text):
            self.assertIn(f'<a id="{link}"></a>', text)


class Figures(unittest.TestCase):
    def texts(self, path):
        return ["".join(e.itertext()) for e in xml.parse(path).iter("{http://www.w3.org/2000/svg}text")]

    def test_every_view_is_real_text_in_svg_and_a_page_in_pdf(self):
        if "pictures" in run("render", "scan/blelloch", "-o", "/nowhere/x.svg").stderr:
            self.skipTest("built without pictures")
        views = {"watch": "barrier", "run": "up by 8", "banks": "bank", "memory": "ectors", "atomics": "5",
                 "compare": "padded", "time": "GB/s"}
        with tempfile.TemporaryDirectory() as folder:
            for view, word in views.items():
                for theme in ("dark", "light", "projector"):
                    out = pathlib.Path(folder) / f"{view}.svg"
                    done = run("render", "scan/blelloch", "--view", view, "--step", "3", "--theme", theme, "-o", str(out))
                    self.assertEqual(done.returncode, 0, done.stderr)
                    words = self.texts(out)
                    self.assertTrue(any(word in w for w in words), f"{view}: {words}")
                out = pathlib.Path(folder) / f"{view}.pdf"
                self.assertEqual(run("render", "scan/blelloch", "--view", view, "-o", str(out)).returncode, 0)
                page = out.read_bytes()
                self.assertTrue(page.startswith(b"%PDF") and b"/Font" in page, view)

    def test_values_of_the_step_are_the_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "run.svg"
            args = ["scan/blelloch", "--values", "3,1,7,0,4,1,6,3"]
            if run("render", *args, "--view", "run", "--step", "99", "-o", str(out)).returncode != 0:
                self.skipTest("built without pictures")
            # The up-sweep's sums and the last row, the exclusive scan, are in the figure as words.
            words = self.texts(out)
            for value in ("25", "14", "11", "0", "3", "4", "15", "16", "22"):
                self.assertIn(value, words)
            early = pathlib.Path(folder) / "early.svg"
            run("render", *args, "--view", "run", "--step", "0", "-o", str(early))
            self.assertNotIn("25", self.texts(early), "the future shows structure, never answers")

    def test_a_picture_that_cannot_be_written_is_an_error(self):
        done = run("render", "scan/blelloch", "-o", "/nowhere/x.svg")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
