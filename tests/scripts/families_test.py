"""What a family of kernels means is data (engine/simt/family.cpp): no code compares a family with a name."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = {".cpp", ".hpp", ".cu"}
DECLARED = re.compile(r'\{\.name = "(\w+)"')
# A parameter is called `scan`, too.
PARAMETERS = {"scan"}


def names():
    return set(DECLARED.findall((ROOT / "engine/simt/family.cpp").read_text(encoding="utf-8")))


def problems(text, families):
    compared = "|".join(sorted(families - PARAMETERS))
    prefixes = "|".join(sorted(families))
    pattern = rf'[=!]= "(?:{compared})"|"(?:{compared})" [=!]=|starts_with\("(?:{prefixes})/?"\)'
    for found in re.finditer(pattern, text):
        yield text.count("\n", 0, found.start()) + 1, found[0]


class Families(unittest.TestCase):
    def test_nobody_compares_their_names(self):
        families = names()
        self.assertLessEqual({"reduce", "scan", "histogram", "mistakes", "patterns"}, families)
        found = []
        for folder in ("app", "engine"):
            for path in sorted((ROOT / folder).rglob("*")):
                if path.suffix in SOURCES and "engine/catalog/" not in path.as_posix():
                    for line, what in problems(path.read_text(encoding="utf-8"), families):
                        found.append(f"{path.relative_to(ROOT)}:{line}: {what}")
        self.assertEqual(found, [])

    def test_comparisons_are_found(self):
        for text in ('if (family == "reduce") f();', 'a->family() != "mistakes"', 'kernel.starts_with("scan/")'):
            self.assertEqual(len(list(problems(text, names()))), 1, text)
        for text in ('p.name == "scan"', 'find("histogram/racy")'):
            self.assertEqual(list(problems(text, names())), [], text)


if __name__ == "__main__":
    unittest.main()
