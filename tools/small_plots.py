"""Small line plots side by side as one SVG, from the standard library alone; the colours of the program's light theme."""

import html
import math

INK, INK2, LINE, PAPER = "#0a0e14", "#323c49", "#b4bdc8", "#ffffff"
COLOURS = ("#0f5fa8", "#b95a00", "#1d7a3e", "#8a2be2", "#a8123e", "#00707a", "#6b5b00", "#555f6d", "#c2188b")
WIDE, HIGH, LEFT, TOP, BOTTOM, GAP = 300, 190, 44, 26, 34, 14
SIZE = 11


def nice(most):
    """The least of 1, 2, 2.5, 5 times a power of ten that three steps of reach `most`."""
    step = most / 3
    scale = 10 ** math.floor(math.log10(step))
    return next(f * scale for f in (1, 2, 2.5, 5, 10) if f * scale >= step * 0.999)


def number(v):
    return f"{v:,.0f}" if v >= 10 or v == int(v) else f"{v:g}"


def apart(labels, least, bottom):
    """Moves the (y, ...) down and up again so that no two are nearer than `least`."""
    labels = sorted(labels)
    ys = []
    for y, *_ in labels:
        ys.append(max(y, ys[-1] + least) if ys else y)
    for i in reversed(range(len(ys))):
        ys[i] = min(ys[i], bottom - (len(ys) - 1 - i) * least)
    return [(y, *rest) for y, (_, *rest) in zip(ys, labels)]


def text(x, y, words, anchor="start", colour=INK2, bold=False):
    weight = ' font-weight="700"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{weight}>{html.escape(words)}</text>'


def panel(x, y, title, unit, ticks, lines):
    """`lines`: (label, [(index in ticks, value)]), each drawn in a colour of its own and named at its end."""
    names = max((len(label) for label, _ in lines), default=0) * SIZE * 0.56 + 12
    left, right, top, bottom = x + LEFT, x + WIDE - (names if len(lines) > 1 else 8), y + TOP, y + HIGH - BOTTOM
    step = nice(max(v for _, points in lines for _, v in points))
    high = step * math.ceil(max(v for _, points in lines for _, v in points) / step * 0.999)
    out = [text(x + 6, y + 14, title, colour=INK, bold=True)]

    def across(i):
        return left + (right - left) * (i + 0.5) / len(ticks)

    def up(v):
        return bottom - (bottom - top) * v / high

    for k in range(round(high / step) + 1):
        out.append(f'<path d="M{left:.1f} {up(k * step):.1f}H{right:.1f}" stroke="{LINE}"/>')
        out.append(text(left - 5, up(k * step) + 4, number(k * step), "end"))
    for i, tick in enumerate(ticks):
        out.append(text(across(i), bottom + 14, str(tick), "middle"))
    out.append(text((left + right) / 2, bottom + 28, unit, "middle"))
    ends = []
    for (label, points), colour in zip(lines, COLOURS * 9):
        points = sorted(points)
        path = " ".join(f"{across(i):.1f},{up(v):.1f}" for i, v in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        out += [f'<circle cx="{across(i):.1f}" cy="{up(v):.1f}" r="2.4" fill="{colour}"/>' for i, v in points]
        ends.append((up(points[-1][1]), across(points[-1][0]), label, colour))
    if len(lines) > 1:
        for y_label, x_end, label, colour in apart(ends, SIZE * 1.15, bottom):
            out.append(text(max(right, x_end + 5) + 2, y_label + 4, label, colour=colour))
    return out


def svg(panels, columns=3):
    """`panels`: (title, unit of x, ticks, lines). A page width of three side by side; returns the document."""
    rows = math.ceil(len(panels) / columns)
    w, h = columns * WIDE + (columns + 1) * GAP, rows * HIGH + (rows + 1) * GAP
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
           f'font-family="Inter,Helvetica,Arial,sans-serif" font-size="{SIZE}">',
           f'<rect width="{w}" height="{h}" fill="{PAPER}"/>']
    for k, one in enumerate(panels):
        out += panel(GAP + k % columns * (WIDE + GAP), GAP + k // columns * (HIGH + GAP), *one)
    return "\n".join([*out, "</svg>"]) + "\n"
