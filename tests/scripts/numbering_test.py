"""Only app/words/counting.hpp counts steps and launches: what is said of them goes through it."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# A number stands behind the word: "Step {}", "launch {0}".
SAID = re.compile(r'"[^"\n]*(?<!--)\b([Ss]tep|[Ll]aunch|[Bb]arrier) \{\d*\}')
# Steps of a lesson are not steps of a run, and what a lesson's file asks for is repeated as it was written.
OTHERS = ("of this lesson", "there is no ")
LESSONS = "app/lessons/picture.cpp"
COUNTED = re.compile(r"step_number|launch_number|number_among_launches|barrier_number")


def problems(text):
    for found in SAID.finditer(text):
        statement = text[found.start() : text.find(";", found.end())]
        if not COUNTED.search(statement) and not any(words in statement for words in OTHERS):
            yield text.count("\n", 0, found.start()) + 1, statement.split("\n")[0]
    for found in re.finditer(r"\b(interval|launch|index)\)? \+ 1\b", text):
        line = text[text.rfind("\n", 0, found.start()) + 1 : text.find("\n", found.end())]
        if re.search(r"\btr(_count)?\(|format\(", line):
            yield text.count("\n", 0, found.start()) + 1, line.strip()


class Numbering(unittest.TestCase):
    def test_the_app(self):
        found = []
        for path in sorted((ROOT / "app").rglob("*.[ch]pp")):
            if str(path.relative_to(ROOT)) == LESSONS:
                continue
            text = path.read_text()
            found += [f"{path.relative_to(ROOT)}:{line}: {what}" for line, what in problems(text)]
        self.assertEqual(found, [], "say steps and launches through step_number() and launch_number()")

    def test_it_tells(self):
        self.assertTrue(list(problems('x = tr("launch {}: {}", s.cursor.launch, name);')))
        self.assertTrue(list(problems('x = tr("after barrier {}", cursor.interval + 1);')))
        self.assertFalse(list(problems('x = tr("launch {}: {}", launch_number(s.cursor.launch), name);')))


if __name__ == "__main__":
    unittest.main()
