"""A short part of tests/fuzz/command_lines.py, by a new seed each time: no case fails, and each check can fail."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release"))
DRIVER = BUILD / "tests" / "command_driver"
sys.path.insert(0, str(ROOT / "tests" / "fuzz"))


@unittest.skipUnless(DRIVER.exists(), "built without pictures, so without the driver")
class CommandLines(unittest.TestCase):
    def test_none_of_some_hundreds_fails(self):
        done = subprocess.run([sys.executable, ROOT / "tests/fuzz/command_lines.py", "--build", BUILD, "--count", "800"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def violations(self, codes, args):
        import command_lines
        with tempfile.TemporaryDirectory() as folder:
            cases, found = pathlib.Path(folder) / "cases", pathlib.Path(folder) / "violations"
            cases.write_bytes(command_lines.encoded([(codes, args)]))
            code = subprocess.run([DRIVER, cases, found], capture_output=True).returncode
            self.assertEqual(code, 1 if found.read_text() else 0)
            return found.read_text()

    def test_a_violation_is_told(self):
        self.assertEqual(self.violations([0], ["list"]), "")
        self.assertIn("another exit code", self.violations([0], ["list", "--nope"]))
        self.assertIn("another exit code", self.violations([2], ["show", "scan/blelloch"]))
        self.assertIn("an exception", self.violations([0], ["@no-such-case", "x"]))
        self.assertIn("a crash: signal", self.violations([0], ["@crash", "x"]))
        self.assertIn("a hang", self.violations([0], ["@hang", "x"]))
        self.assertIn("memory", self.violations([0], ["@memory", "x"]))


if __name__ == "__main__":
    unittest.main()
