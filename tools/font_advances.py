#!/usr/bin/env python3
"""Writes how far each letter of a font moves on, as C++: for a program that measures texts without any font.

  tools/font_advances.py FONT... -o FILE.cpp

The fonts in the order of Font (app/draw/picture.hpp): text, text_bold, mono, mono_bold.
"""

import argparse
import pathlib

from fontTools.ttLib import TTFont

HEAD = """// Written by tools/font_advances.py.
#include "app/export/svg_only/advance_table.hpp"

namespace bscope {
namespace {

"""


def table(name, path):
    """The C++ of one font's letters."""
    with TTFont(path, lazy=True) as font:
        advances = font["hmtx"]
        letters = sorted((code, advances[glyph][0]) for code, glyph in font.getBestCmap().items() if code < 0x10000)
        units = font["head"].unitsPerEm
    rows = ", ".join(f"{{{code}, {advance}}}" for code, advance in letters)
    return f"// {pathlib.Path(path).name}\nconstexpr LetterAdvance {name}[] = {{{rows}}};\n", f"{{{units}, {name}}}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fonts", nargs=4, metavar="FONT")
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args()
    tables = [table(f"font_{k}", path) for k, path in enumerate(options.fonts)]
    text = HEAD + "".join(rows for rows, _ in tables) + "\n}  // namespace\n\n"
    text += "std::array<AdvanceTable, 4> advance_tables() {\n  return {{"
    text += ", ".join(entry for _, entry in tables) + "}};\n}\n\n}  // namespace bscope\n"
    pathlib.Path(options.output).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
