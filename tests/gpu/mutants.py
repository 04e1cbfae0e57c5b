"""Makes mutants of kernel files: each with one barrier removed.

  mutants.py KERNEL.cu... -o FOLDER     writes one .cu for each barrier, prints their paths, one a line

A mutant registers as "scan/blelloch without line 41" and lives in a namespace of its own, so that all of them and
nothing else link into one program. A barrier in a header, "... without tiles.hpp line 9", is taken out for each kernel
file that includes it; the headers that hold barriers are pasted into the namespace, for the same reason. Only kernels
with shared memory are worth it: compute-sanitizer's racecheck sees no other.
"""

import argparse
import pathlib
import re
import sys

BARRIER = re.compile(r"\bt\.sync\(\);")
NAME = re.compile(r'(\.name = "[^"/]+/[^"]+)"')
INCLUDE = re.compile(r'^#include "(kernels/[^"]+)"')


def code(line):
    return line.split("//")[0]


def barriers(text):
    return [k for k, line in enumerate(text.splitlines(), 1) if BARRIER.search(code(line))]


def without(text, line):
    lines = text.splitlines()
    lines[line - 1] = BARRIER.sub("{}", code(lines[line - 1]))
    return "\n".join(lines) + "\n"


def headers(path, root):
    """The headers of ours that a file includes, directly or not, in the order in which they are to be pasted."""
    found = []
    for line in path.read_text().splitlines():
        if m := INCLUDE.match(line):
            header = root / m[1]
            found += [h for h in [*headers(header, root), header] if h not in found]
    return found


def mutant(path, pasted, changed, line):
    """The text of the kernel file, with these headers pasted in, without the barrier on that line of that file."""
    names = f"line {line}" if changed == path else f"{changed.name} line {line}"
    top, body = [], []
    for file in [*pasted, path]:
        text = without(file.read_text(), line) if file == changed else file.read_text()
        for row in text.splitlines():
            # Other includes go to the top, out of the namespace; a header's guard is of no use here.
            if row.startswith("#include") or row.startswith("#pragma once"):
                if not (m := INCLUDE.match(row)) or not any(str(h).endswith(m[1]) for h in pasted):
                    top.append(row if row.startswith("#include") else "")
                row = ""
            body.append(NAME.sub(rf'\1 without {names}"', row) if file == path else row)
    space = re.sub(r"[^a-z0-9]", "_", f"without_line_{line}_of_{changed.stem}_in_{path.parent.name}_{path.stem}")
    return "\n".join([*top, f"namespace {space} {{", *body, "}  // namespace"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="+", type=pathlib.Path)
    parser.add_argument("-o", dest="folder", required=True, type=pathlib.Path)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for path in args.kernels:
        root = path.resolve().parent.parent.parent
        used = headers(path, root)
        if not any("shared<" in file.read_text() for file in [path, *used]):
            continue
        # A header that includes one with barriers must be pasted too.
        pasted = [h for h in used if any(barriers(x.read_text()) for x in [h, *headers(h, root)])]
        for file in [*pasted, path]:
            for line in barriers(file.read_text()):
                out = args.folder / f"{path.parent.name}_{path.stem}_{'' if file == path else file.stem + '_'}{line}.cu"
                text = mutant(path, pasted, file, line)
                if not out.exists() or out.read_text() != text:  # spares nvcc
                    out.write_text(text)
                print(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
