#!/usr/bin/env python3
"""Is everything that the app says translated? Exits 1 and names each text that is missing, or that nobody says.

  tools/check_words.py [ROOT]

Texts are the literals in say("..."), say_count(n, "...", "...") and later("...") (a literal that is said later) under
app/. Translations lie in assets/words/LANGUAGE/*.json. Files named engine*.json hold sentences that the engine makes;
a test compares those with what the engine really says.
"""

import json
import pathlib
import re
import sys

STRING = r'"((?:[^"\\]|\\.)*)"'
SAID = re.compile(r"\b(?:say|later)\(\s*((?:" + STRING + r"\s*)+)")
COUNTED = re.compile(r"\bsay_count\(\s*[^\"]*?((?:" + STRING + r"\s*)+),\s*((?:" + STRING + r"\s*)+)")


def literal(text):
    """Adjacent C++ literals -> the string."""
    return "".join(json.loads(f'"{part}"') for part in re.findall(STRING, text))


def said(root):
    """text -> the first file that says it."""
    found = {}
    for file in sorted((root / "app").rglob("*.[ch]pp")):
        text = file.read_text(encoding="utf-8")
        where = file.relative_to(root).as_posix()
        for match in SAID.finditer(text):
            found.setdefault(literal(match[1]), where)
        for match in COUNTED.finditer(text):
            found.setdefault(literal(match[1]), where)
            found.setdefault(literal(match[3]), where)
    return found


def holes(text):
    return len(re.findall(r"\{[^{}]*\}", text))


def problems(root):
    texts = said(root)
    for folder in sorted(p for p in (root / "assets/words").iterdir() if p.is_dir()):
        entries = {}
        for file in sorted(folder.glob("*.json")):
            where = file.relative_to(root).as_posix()
            for english, other in json.loads(file.read_text(encoding="utf-8")).items():
                if english in entries and entries[english][0] != other:
                    yield f'{where}: "{english}" is said otherwise in {entries[english][1]}'
                entries[english] = (other, where)
                if holes(other) > holes(english):
                    yield f'{where}: "{english}" has fewer {{}} than its translation'
                numbered = [bool(n) for n in re.findall(r"\{(\d*)", other)]
                if any(numbered) and not all(numbered):
                    yield f'{where}: "{other}" numbers some of its {{}} and not all'
                if not file.name.startswith(("engine", "lessons")) and english not in texts:
                    yield f'{where}: nobody says "{english}" any more'
        for english, where in sorted(texts.items()):
            if english and english not in entries:
                yield f'{where}: "{english}" is not translated in assets/words/{folder.name}'


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = list(problems(root))
    for problem in found:
        print(problem)
    print(f"words: {len(found)} problems" if found else "words: all said in every language")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
