"""Makes mutants of kernel files: each with one barrier removed.

  mutants.py KERNEL.cu... -o FOLDER     writes one .cu for each barrier, prints their paths, one a line

A mutant registers as "scan/blelloch without line 41" and lives in a namespace of its own, so that all of them and
nothing else link into one program. Only files with both barriers and shared memory are worth it: compute-sanitizer's
racecheck sees shared memory only.
"""

import argparse
import pathlib
import re
import sys

BARRIER = re.compile(r"^\s*t\.sync\(\);")
NAME = re.compile(r'(\.name = "[^"]+)"')


def mutant(path, lines, line):
    """The text of the kernel file without the barrier on that line (1-based)."""
    out = list(lines)
    out[line - 1] = BARRIER.sub("", out[line - 1])
    includes = [k for k, text in enumerate(out) if text.startswith("#include")]
    after = includes[-1] + 1
    out = [NAME.sub(rf'\1 without line {line}"', text) for text in out]
    # Lines keep their numbers: the namespace opens on the last include's following, empty, line.
    if out[after].strip():
        raise SystemExit(f"{path}:{after + 1}: an empty line is expected after the includes")
    out[after] = f"namespace without_line_{line}_of_{re.sub(r'[^a-z0-9]', '_', path.stem)} {{"
    return "\n".join(out) + "\n}  // namespace\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="+", type=pathlib.Path)
    parser.add_argument("-o", dest="folder", required=True, type=pathlib.Path)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for path in args.kernels:
        lines = path.read_text().splitlines()
        if not any("shared<" in text for text in lines):
            continue
        for line in [k + 1 for k, text in enumerate(lines) if BARRIER.match(text)]:
            out = args.folder / f"{path.parent.name}_{path.stem}_{line}.cu"
            text = mutant(path, lines, line)
            if not out.exists() or out.read_text() != text:  # spares nvcc
                out.write_text(text)
            print(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
