"""docs/performance.md says what assets/recorded holds, and the checker can tell otherwise."""

import importlib.util
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
spec = importlib.util.spec_from_file_location("performance_page", ROOT / "tools" / "performance_page.py")
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)


def checked():
    argv, sys.argv = sys.argv, ["performance_page.py", "--check"]
    try:
        return tool.main()
    finally:
        sys.argv = argv


class Page(unittest.TestCase):
    def test_the_project(self):
        self.assertEqual(checked(), 0)

    def test_a_wrong_page_is_found(self):
        before = tool.PAGE
        with tempfile.TemporaryDirectory() as folder:
            tool.PAGE = pathlib.Path(folder) / "performance.md"
            tool.PAGE.write_text(before.read_text().replace("4,437", "4,438", 1))
            try:
                self.assertEqual(checked(), 1)
            finally:
                tool.PAGE = before

    def test_a_ratio_carries_the_spread_of_both(self):
        steady, other = {"samples": [2.0] * 8}, {"samples": [0.9, 1.0, 1.0, 1.1]}
        self.assertEqual(tool.ratio(steady, {"samples": [1.0] * 8}), "0.5 ± 0")
        self.assertEqual(tool.spread(other["samples"])[0], 1.0)
        self.assertRegex(tool.ratio(steady, other), r"^0\.5 ± 0\.0[1-9]$")

    def test_references_belong_to_their_family(self):
        self.assertEqual(tool.family_of({"kernel": "cub/scan"}), "scan")
        self.assertEqual(tool.family_of({"kernel": "scan/blelloch"}), "scan")


if __name__ == "__main__":
    unittest.main()
