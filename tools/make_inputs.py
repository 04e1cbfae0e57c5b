#!/usr/bin/env python3
"""Draws the example images in assets/inputs, from formulas alone: dunes.png (all levels) and night.png (mostly dark).

  tools/make_inputs.py [FOLDER]
"""

import math
import pathlib
import struct
import sys
import zlib

WIDTH, HEIGHT = 96, 72


def png(rows):
    """Rows of grey levels -> the bytes of a PNG file."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    raw = b"".join(b"\0" + bytes(row) for row in rows)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(raw, 9))
        + chunk(b"IEND", b"")
    )


def level(value):
    return max(0, min(255, round(value)))


def dunes(x, y):
    """Three ridges under a sky that brightens towards the horizon."""
    for ridge, (height, waves, bright) in enumerate([(0.72, 1.3, 70), (0.55, 2.1, 120), (0.40, 0.9, 170)]):
        crest = height + 0.09 * math.sin(2 * math.pi * waves * x + ridge) + 0.03 * math.sin(17 * x + 2 * ridge)
        if y > crest:
            slope = math.cos(2 * math.pi * waves * x + ridge)
            ripple = 9 * math.sin(70 * (y - crest) + 12 * x)
            return level(bright + 45 * slope + ripple - 130 * (y - crest))
    return level(175 + 150 * y)


def night(x, y):
    """A moon, a few stars, a hill: most pixels share a few dark levels."""
    if y > 0.86 + 0.05 * math.sin(5 * x):
        return 4
    moon = math.hypot((x - 0.72) * WIDTH / HEIGHT, y - 0.3)
    if moon < 0.13:
        return level(235 - 40 * math.sin(20 * x) * math.sin(23 * y))
    column, row = int(x * WIDTH), int(y * HEIGHT)
    if (column * 7919 + row * 104729) % 389 == 0:
        return 180 + (column * 31 + row * 17) % 70
    return level(16 + 40 * math.exp(-14 * (moon - 0.13)))


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "assets/inputs")
    folder.mkdir(parents=True, exist_ok=True)
    for draw in (dunes, night):
        rows = [[draw((x + 0.5) / WIDTH, (y + 0.5) / HEIGHT) for x in range(WIDTH)] for y in range(HEIGHT)]
        (folder / f"{draw.__name__}.png").write_bytes(png(rows))


if __name__ == "__main__":
    main()
