"""docs/lecturing.md says what its exercises' answers are: every command in it is run, and its figures are compared."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build" / "release")) / "barrierscope"
PAGE = ROOT / "docs" / "lecturing.md"
# `show KERNEL ...`: adds 15, span 4   or   `check KERNEL ...`: exit 1
CLAIM = re.compile(r"`((?:show|check) [^`]+)`:\s+((?:\w+ \d+)(?:,\s+\w+ \d+)*)")


class Lecturing(unittest.TestCase):
    def test_answers(self):
        claims = CLAIM.findall(PAGE.read_text())
        self.assertEqual(len(claims), len(re.findall(r"`(?:show|check) ", PAGE.read_text())), "a command without figures")
        self.assertGreater(len(claims), 10)
        for command, figures in claims:
            with self.subTest(command):
                done = subprocess.run([PROGRAM, *shlex.split(command), "--json"], capture_output=True, text=True)
                said = {"exit": done.returncode, **json.loads(done.stdout).get("totals", {})}
                for name, value in re.findall(r"(\w+) (\d+)", figures):
                    self.assertEqual(said.get(name), int(value), f"{command}: {name}")

    def test_lessons_that_it_opens(self):
        titles = {f.read_text().splitlines()[0].removeprefix("# ") for f in (ROOT / "assets" / "lessons" / "en").glob("*.md")}
        for title in re.findall(r"lesson \*([^*]+)\*", PAGE.read_text()):
            self.assertIn(title, titles)


if __name__ == "__main__":
    unittest.main()
