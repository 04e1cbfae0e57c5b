#!/usr/bin/env python3
"""Writes docs/cuda-api.md: which of CUDA's functions and classes work in users' own files, and which are refused.

  tools/api_page.py            writes the page
  tools/api_page.py --check    compares, writes nothing, exits 1 on a difference

What works is what the programs of tests/cuda/api use: tests/scripts/api_test.py runs each of them, and compares its output
with a GPU's where tests/recorded/api has one. What is refused is read from the headers, with the sentence that is shown.
"""

import argparse
import difflib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "cuda-api.md"
PROGRAMS = ROOT / "tests" / "cuda" / "api"
RECORDS = ROOT / "tests" / "recorded" / "api"
REFUSED = ROOT / "engine" / "cuda" / "include" / "barrierscope" / "refused.h"
NAME = re.compile(r"\b(?:(?:cub|thrust|cuda|nvcuda)(?:::\w+)+|(?:cg|wmma)::\w+|cu[A-Za-z]+[A-Z]\w*|curand\w*|__[a-z]\w*|atomic[A-Z]\w*"
                  r"|tex[123C]\w+|surf[123C]\w+)(?=\s*[(<])")
# In nearly every program, or of the language.
EVERYWHERE = {"__global__", "__launch_bounds__", "__attribute__", "__align__", "__syncthreads", "cudaMalloc", "cudaMallocManaged",
              "cudaFree", "cudaMemcpy", "cudaDeviceSynchronize"}
HEAD = """# CUDA's functions in your own files
`tools/api_page.py` writes this page from the programs of tests/cuda/api and from the headers; a test fails when it is out of date.
[own-cuda.md](own-cuda.md) tells how such files run.

## What works
Each program runs in every test. "GPU" says that its output is compared with what the same file, compiled by nvcc, printed on an
NVIDIA H200 on 2026-11-28 to 12-01 (`tests/gpu/api.sh` records it). The names are those that the program uses; most have relatives that work the same way.

"""


def code_of(text):
    """The program without comments and literals."""
    return re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', " ", text, flags=re.S)


def text_of(program):
    """The program with the files of its folder that it includes."""
    text = program.read_text()
    return text + "".join((program.parent / name).read_text() for name in re.findall(r'(?m)^#include "(.*)"', text))


def title_of(text):
    """The comment that the file begins with, as one line."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        if not line.startswith("// nvcc:"):
            lines.append(line.removeprefix("//").strip())
    return " ".join(lines).strip()


def names_in(text):
    code = re.sub(r"\bcooperative_groups::", "cg::", code_of(text))
    return sorted(set(NAME.findall(code)) - EVERYWHERE, key=lambda name: (name.lstrip("_").lower(), name))


def works():
    groups, differences = {}, json.loads((RECORDS / "differences.json").read_text())
    for program in sorted(PROGRAMS.glob("*.cu")):
        text = text_of(program)
        gpu = "yes" if (RECORDS / f"{program.stem}.txt").exists() else "no"
        if program.stem in differences:
            gpu = f"but for {differences[program.stem]}"
        names = ", ".join(f"`{name}`" for name in names_in(text))
        groups.setdefault(program.stem.split("_")[0], []).append((program.stem, title_of(text), names, gpu))
    for group, rows in groups.items():
        yield f"### {group}\n| program | what it holds | names | GPU |\n|---|---|---|---|\n"
        yield from (f"| `{name}.cu` | {title} | {names} | {gpu} |\n" for name, title, names, gpu in rows)
        yield "\n"


def refused():
    text = REFUSED.read_text().replace("\\\n", " ")
    sentences = {name: "".join(re.findall(r'"([^"]*)"', words))
                 for name, words in re.findall(r'#define (__BSCOPE_NO_\w+)\s+((?:"[^"]*"\s*)+)', text)}
    lists = dict(re.findall(r"#define (__BSCOPE_NOT_\w+)\(M\)(.*)", text))
    yield "## What is refused\nA file that only includes or declares these opens. The line that uses one is named, with this sentence.\n\n"
    yield "| names | sentence |\n|---|---|\n"
    for list_name, members in lists.items():
        sentence = sentences.get(list_name.replace("_NOT_", "_NO_"))
        names = ", ".join(f"`{name}`" for name in re.findall(r"M\((\w+)\)", members))
        if sentence and names:
            yield f"| {names} | {sentence} |\n"


def page():
    return HEAD + "".join(works()) + "".join(refused())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    text = page()
    if not asked.check:
        PAGE.write_text(text)
        return 0
    before = PAGE.read_text() if PAGE.exists() else ""
    if before == text:
        return 0
    print("".join(list(difflib.unified_diff(before.splitlines(True), text.splitlines(True), "docs/cuda-api.md", "today", n=0))[:20]))
    print("docs/cuda-api.md is not what the programs and headers say: run tools/api_page.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
