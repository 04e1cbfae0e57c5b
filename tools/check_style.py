#!/usr/bin/env python3
"""Checks the style of comments and documentation. Exits 1 and names each line that breaks a rule of docs/style.md.

  tools/check_style.py [ROOT]

Checked are comments of C++, CUDA, Python, shell and CMake files, Python docstrings, and the pages of documentation. Strings
and code are not: strings have translations and approved outputs. The kernels are not either, because their machine code is
keyed by line.
"""

import ast
import io
import pathlib
import re
import sys
import tokenize

# A private word, and what to write instead.
WORDS = [
    (r"people(?:'s|s')?", "the user, users, readers"),
    (r"(?:some|any)(?:body|one)(?:'s)?", "the user, a caller, another thread: the subject itself"),
    (r"nobody(?:'s)?", "no user, no caller, no thread; nothing"),
    (r"whoever(?:'s)?", "the caller, the reader: the subject itself"),
    (r"(?-i:Who(?:m|se)?)", "the caller, the thread, the warp: the subject itself"),
    (r"(?:those|to|of|for|and) who", "the caller, the thread, the user: the subject itself"),
    (r"beside (?:the )?frames", "in the background"),
    (r"under ?way", "running"),
    (r"come(?:s)? along", "built in"),
    (r"rungs?|ladders?", "variant, kernel; series of kernels"),
    (r"told", "a verb that names the act: reported, shown, notified, distinguished"),
    (r"mend(?:s|ed|ing)?", "fix"),
    (r"g[ia]ve(?:s|n)? (?:it |them )?back|giving (?:it |them )?back", "return"),
    (r"the house|the hardware's word", "the rules; the hardware's counters"),
]
PRIVATE = [(re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.I), instead) for pattern, instead in WORDS]
QUESTION = re.compile(r"[\w)\]'\"]\?(?=[\s)]|$)")
CONFLICT = re.compile(r"<{7} |={7}$|>{7} ")
CODE = re.compile(r"`[^`]*`|\"[^\"]*\"|\"[^\"]*$")  # quoted texts are texts of the program

TOPS = ("engine", "app", "tests", "benchmarks", "tools", "python", "cmake", "third_party", "run.sh", "test.sh", "web.sh")
PAGES = ("*.md", "docs/*.md", "assets/*/README.md", "tests/*/README.md")
# Files that quote what they refuse, and files whose text is fixed: pages that a tool generates follow its sentences.
LEFT_OUT = ("tools/check_style.py", "tests/scripts/check_style_test.py", "docs/style.md")
GENERATED = ("docs/algorithms.md", "docs/performance.md", "docs/accuracy.md")
CPP = {".cpp", ".hpp", ".h", ".cu", ".cuh"}
HASHED = {".sh", ".cmake"}
CPP_TOKEN = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'|(?P<comment>//[^\n]*|/\*.*?\*/)', re.S)
HASH = re.compile(r"'[^'\n]*'|\"(?:[^\"\\\n]|\\.)*\"|(?:^|(?<=\s))(?P<comment>#[^\n]*)", re.M)


def lines_of(text, start):
    """(number, line) of a text that begins in line `start`."""
    return list(enumerate(text.split("\n"), start))


def matched(text, pattern):
    """(number, line) of each comment that the pattern finds."""
    for match in pattern.finditer(text):
        if match["comment"]:
            yield from lines_of(match["comment"], text.count("\n", 0, match.start()) + 1)


def python_comments(text):
    """(number, line) of the comments and docstrings of a Python file."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                yield from lines_of(ast.get_source_segment(text, first.value), first.lineno)


def page_lines(text):
    """(number, line) of a page's lines outside of fenced code."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def comments(file):
    """(number, line) of the lines of a file that the rules apply to."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        return page_lines(text)
    if file.suffix == ".py":
        return python_comments(text)
    return matched(text, CPP_TOKEN if file.suffix in CPP else HASH)


def files(root):
    """The files that are checked, with their paths from the root."""
    found = [page for pattern in PAGES for page in sorted(root.glob(pattern))]
    for top in TOPS:
        inside = [root / top] if (root / top).is_file() else sorted((root / top).rglob("*"))
        found += [f for f in inside if f.is_file() and (f.suffix in CPP | HASHED | {".py"} or f.name == "CMakeLists.txt")]
    for file in found:
        path = file.relative_to(root).as_posix()
        if path not in LEFT_OUT + GENERATED:
            yield path, file


def problems(root):
    """A sentence for each breach."""
    for path, file in files(root):
        lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if marks := [(number, line) for number, line in lines if CONFLICT.match(line)]:
            yield from (f"{path}:{number}: a merge has left its mark: {line.strip()}" for number, line in marks)
            continue  # its language cannot be read
        for number, line in sorted(comments(file)):
            plain = CODE.sub("``", line.replace('"""', ""))
            for pattern, instead in PRIVATE:
                if match := pattern.search(plain):
                    yield f'{path}:{number}: "{match[0]}": write {instead}: {line.strip()}'
            if file.suffix != ".md" and QUESTION.search(plain):
                yield f"{path}:{number}: a comment is a statement, not a question: {line.strip()}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = list(problems(root))
    for problem in found:
        print(problem)
    print(f"style: {len(found)} problems" if found else "style: kept")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
