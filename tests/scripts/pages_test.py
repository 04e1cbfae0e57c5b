"""The pages that users read: links lead somewhere, every lesson is named, and no word of ours that nobody else knows."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
# Short among ourselves, puzzling to everybody else.
PRIVATE = re.compile(r"\b(the house|rungs?|the hardware's word)\b", re.I)


class Pages(unittest.TestCase):
    def test_links(self):
        for page in PAGES:
            for link in re.findall(r"\]\(([^)#\s]+)", re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.S)):
                if ":" in link:
                    continue  # a lesson's own, or another site
                with self.subTest(f"{page.name}: {link}"):
                    self.assertTrue((page.parent / link).exists(), f"{page.name} links to {link}, which is not there")

    def test_words(self):
        for page in PAGES:
            for number, line in enumerate(page.read_text().splitlines(), 1):
                with self.subTest(f"{page.name}:{number}"):
                    self.assertIsNone(PRIVATE.search(line), f"{page.name}:{number}: {line}")

    def test_readme_names_every_lesson(self):
        readme = (ROOT / "README.md").read_text()
        for file in (ROOT / "assets" / "lessons" / "en").glob("*.md"):
            self.assertIn(f"`{file.stem.split('-', 1)[1]}`", readme)


if __name__ == "__main__":
    unittest.main()
