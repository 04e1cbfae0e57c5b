"""The pages that users read: links lead somewhere, and every lesson is named. Texts on screen hold no private words."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
# Private words in texts on screen: say folder, kernel or version, fix. tools/check_style.py checks comments and pages.
PRIVATE = re.compile(r"\b(the house|rungs?|mend(s|ed|ing)?|the hardware's word)\b", re.I)
# What a comment must not lean on: papers, pictures and sections that are not in this tree, counts that change.
ABSENT = re.compile(r"(//|#).*(visual design|\(design\b|\b[Pp]icture [A-Z]\b|\b(two|three|four|five|six|seven) tabs\b)")
SOURCES = ("app", "engine", "kernels", "tests", "tools", "third_party", "cmake")


def sections(page):
    """The names that links to sections of a page use: those of its headings, and its own ids."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    headings = re.findall(r"^#+ (.*)", text, re.M)
    named = {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}
    return named | set(re.findall(r'id="([^"]+)"', text))


class Pages(unittest.TestCase):
    def test_links(self):
        for page in PAGES:
            for link in re.findall(r"\]\(([^)#\s]+)", re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.S)):
                if ":" in link:
                    continue  # a lesson's own, or another site
                with self.subTest(f"{page.name}: {link}"):
                    self.assertTrue((page.parent / link).exists(), f"{page.name} links to {link}, which is not there")

    def test_sections(self):
        for page in PAGES:
            for link, section in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", page.read_text()):
                with self.subTest(f"{page.name}: {link}#{section}"):
                    if ":" not in link:
                        self.assertIn(section, sections(page.parent / link if link else page))

    def test_words_on_screen(self):
        said = [text for file in (ROOT / "assets/words/zh").glob("*.json") for text in json.loads(file.read_text())]
        lessons = [file.read_text() for file in (ROOT / "assets/lessons/en").glob("*.md")]
        outputs = [file.read_text() for file in (ROOT / "tests/approved").glob("*.*")]
        self.assertTrue(said and lessons and outputs)
        for text in said + lessons + outputs:
            self.assertIsNone(PRIVATE.search(text), text)

    def test_comments_cite_what_is_here(self):
        files = [file for top in SOURCES for file in (ROOT / top).rglob("*") if file.suffix in (".cpp", ".hpp", ".cu", ".py")]
        for file in files:
            if file == pathlib.Path(__file__).resolve():
                continue
            for number, line in enumerate(file.read_text().splitlines(), 1):
                where = f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
                self.assertIsNone(ABSENT.search(line), where)
                for paper in re.findall(r"(?://|#).*?\b(docs/[a-z][a-z/-]*[a-z])", line):
                    here = [*ROOT.glob(paper), *ROOT.glob(paper + ".*")]
                    self.assertTrue(here, f"{where}: {paper} is not there")

    def test_readme_names_every_lesson(self):
        readme = (ROOT / "README.md").read_text()
        for file in (ROOT / "assets" / "lessons" / "en").glob("*.md"):
            self.assertIn(f"`{file.stem.split('-', 1)[1]}`", readme)


if __name__ == "__main__":
    unittest.main()
