#!/usr/bin/env python3
"""Random command lines, and random files of every kind that the program reads, by the thousand.

  tests/fuzz/command_lines.py [--count 100000] [--seed S] [--build build/dev] [--keep FOLDER]

They are built from grammars and then spoiled: no case may crash, take over 8 s of processor, take more memory than
its limit, end with a code that was not promised, say what is no sentence, or leave a temporary file. Prints its seed,
and each violation with its arguments; exits 1 if there is one. tests/fuzz/README.md says more.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HOSTILE_NUMBERS = ["0", "-1", "1", "2", "3", "31", "32", "33", "1024", "1025", "2^", "2^-1", "2^3", "2^41", "2^2^2", "+7",
                   "+-7", "--7", "1e3", "1e999", "-1e999", "nan", "inf", "0x10", "1_000", "1.5", ".5", "5.", "", " ", " 8",
                   "8 ", "\t", "２", "八", "2147483647", "2147483648", "-2147483648", "4294967296",
                   "9223372036854775807", "9223372036854775808", "99999999999999999999999", "8,8", "8..9", "=", "-", "'"]
HOSTILE_TEXTS = ["", " ", "nope", "..", "/", "//", ".", "-", "--", "---", "%s%n%s", "{}", "{0}", "{:n}", "$(id)", "`id`",
                 "a" * 300, "a" * 5000, "\x1b[2J", "\n", "a\nb", "\r", "\x01", "\x7f", "线程", "\U0001f600", "\xa0", "'\"\\",
                 "=", "=3", "a=", "a=b=c", ":", "a:b", "*", "?", "NaN", "null", "true", "--help", "\udcff", "é\udcc3"]
MEANT = 0.75  # how often a value is one that is meant


def words(*all_):
    return lambda r, w: r.choice(all_)


class World:
    """What there is: kernels, files, and a folder to write in."""

    def __init__(self, folder, program, huge):
        self.folder = folder
        self.huge = huge
        listed = subprocess.run([program, "list", "--json"], capture_output=True, text=True, check=True)
        self.kernels = json.loads(listed.stdout)["kernels"]
        self.names = [k["name"] for k in self.kernels]
        self.lessons = [p.stem.split("-", 1)[1] for p in (ROOT / "assets/lessons/en").glob("*.md")]
        self.serial = 0

    def path(self, ending):
        self.serial += 1
        return str(self.folder / f"f{self.serial}{ending}")


# ---- values --------------------------------------------------------------------------------------------------------

def length(r, w):
    if r.random() < MEANT:
        return str(r.choice([r.randint(1, 64), r.randint(1, 64), 2 ** r.randint(0, 9), r.randint(1, 900)]))
    if w.huge and r.random() < 0.2:
        return r.choice(["2^" + str(r.randint(14, 40)), str(r.randint(10**6, 10**15))])
    small = [x for x in HOSTILE_NUMBERS if x not in ("2147483647", "4294967296", "2147483648", "9223372036854775807")]
    return r.choice(HOSTILE_NUMBERS if w.huge else small)


def number(*meant):
    return lambda r, w: str(r.choice(meant)) if r.random() < MEANT else r.choice(HOSTILE_NUMBERS)


def text(*meant):
    def value(r, w):
        if r.random() < MEANT:
            return r.choice(meant)
        return r.choice(HOSTILE_TEXTS) if r.random() < 0.6 else spoiled(r, r.choice(meant))
    return value


def values(r, w):
    count = r.choice([1, 2, 3, 8, 8, 16, 33])
    one = lambda: r.choice(HOSTILE_NUMBERS) if r.random() < 0.02 else str(r.randint(-9, 99))
    return r.choice([",", ",", ",", ", ", ";", " "]).join(one() for _ in range(count))


def setting(r, w):
    if r.random() < MEANT:
        kernel = w.kernel
        if kernel and kernel["parameters"]:
            p = r.choice(kernel["parameters"])
            values_ = p.get("values") or [p.get("least", 1), p.get("most", 8), p.get("default", 4)]
            return f"{p['name']}={r.choice(values_) if r.random() < 0.8 else r.choice(HOSTILE_NUMBERS)}"
    return r.choice(["type=float", "type=double", "operator=min", "operator=affine", "scan=exclusive", "items=4",
                     "bins=8", "unroll=2", "type", "=3", "type=", "colour=red", "n=8"] + HOSTILE_TEXTS)


def size(r, w):
    if r.random() < 0.6:
        return f"{r.choice([640, 800, 320])}x{r.choice([360, 480, 180])}"
    return r.choice(["0x0", "1x1", "x", "800x", "x600", "800X600", "16385x200", "-800x-600", "800x600x2"] + HOSTILE_TEXTS)


def schedule(r, w):
    return r.choice(["auto", "to-barrier", "lockstep", f"shuffle:{r.randint(0, 2**33)}", "shuffle:", "shuffle:-1", "nope"]
                    + ([r.choice(HOSTILE_TEXTS)] if r.random() < 0.2 else []))


def output(*endings):
    def value(r, w):
        if r.random() < MEANT:
            return w.path(r.choice(endings))
        return r.choice([w.path(r.choice([".png", ".bscope", ".json", ".txt", "", ".PNG", ".bscope~"])), "/dev/null",
                         "/dev/full", str(w.folder), "/nowhere/x" + r.choice(endings), "/proc/x" + r.choice(endings),
                         str(w.folder / "none" / ("x" + endings[0])), str(w.folder / ("y" * 300 + endings[0])),
                         r.choice(HOSTILE_TEXTS).replace("/", "|")[:200]])
    return value


INPUT = {
    "--n": length,
    "--values": values,
    "--input": lambda r, w: any_file(r, w, "input"),
    "--pattern": text("ones", "ramp", "random", "sine", "skewed", "zipf", "entropy"),
    "--seed": number(0, 1, 7, 4294967295),
    "--skew": number(0, 0.5, 1),
    "--entropy": number(1, 0.811, 0.544, 0),
    "--block": number(1, 2, 4, 8, 16, 32, 64, 33, 128),
    "--set": setting,
    "--preset": text("queue-7x20", "nope", "random-keys"),
    "--device": text("cpu", "cpu", "gpu"),
}
TRACE = {"--schedule": schedule, "--max-memory": text("2G", "500M", "1", "1e9", "0", "-1G", "1K", "2GB", "nan", "1TB")}
LANGUAGE = {"--language": text("en", "zh")}
LOOK = {"--theme": text("dark", "light", "projector"), "--lesson": lambda r, w: lesson_name(r, w)}
TIME = {
    "--sweep": text("n=8,64", "n=16..128", "block=32,64", "type=int32,float", "skew=0,1", "n=2^", "=3", "n=", "n=8..1",
                    "pattern=ones,ramp", "bins=8,16", "seed=1,2", "n=1,,2", "colour=1,2"),
    "--noise": number("0.5%", 0.1, "100%", "%"),
    "--samples": text("1", "1..2", "2..1", "..", "1..", "0", "3..3"),
    "--most-seconds": number(0.001, 0.1),
    "--gpus": text("1", "2", "all", "0"),
    "--part": text("0/2", "1/2", "2/2", "0/1", "/", "1/", "-1/3", "0/0"),
}
PLACE = {
    "--view": text("watch", "run", "banks", "memory", "atomics", "compare", "time"),
    "--step": number(0, 1, 3, 99),
    "--substep": number(0, 1, 99),
    "--thread": number(0, 1, 3),
    "--cell": text("sum[3]", "data[0]", "s[1]", "bins[2]", "sum[", "sum[-1]"),
    "--line": number(1, 20, 70000),
    "--state": lambda r, w: "=".join(tab_state(r)),
}
RENDER = {
    "--steps": text("0..2", "1..1", "5..2", "..", "1..", "0..99999999999"),
    "--size": size,
}
VERBS = {
    "list": ({}, ["--json"]),
    "trace": (INPUT | TRACE, []),
    "show": (INPUT | TRACE | {"--globals": number(0, 1, 2)}, ["--json"]),
    "check": (INPUT | TRACE, ["--json"]),
    "time": (INPUT | TIME, ["--merge"]),
    "render": (INPUT | TRACE | PLACE | RENDER | LOOK, ["--predict", "--plain"]),
    "": (INPUT | TRACE | PLACE | LOOK, ["--predict"]),
}
ALL_OPTIONS = INPUT | TRACE | LANGUAGE | LOOK | TIME | PLACE | RENDER


def tab_state(r):
    """What a tab remembers: its name and a value."""
    name = r.choice(["watch.words", "watch.why_turned", "banks.request", "banks.pattern.stride", "compare.right.kernel",
                     "compare.right.file", "atomics.t", "time.log_n", "time.set.items", "time.hidden", "cursor.zoom",
                     "cursor.cell", "prediction.guesses", "lesson.scroll", "lesson.lesson", "watch", "watch.", "."])
    return name, r.choice(["true", "1", "1,2", "scan/blelloch", '"a","b"', "-1"] + HOSTILE_NUMBERS + HOSTILE_TEXTS)


def link(r, w):
    """A link as another user sends it: an address with options."""
    known = INPUT | TRACE | PLACE | LOOK | LANGUAGE
    pairs = [("kernel", r.choice(w.names))] if r.random() < 0.8 else []
    for name in r.sample(sorted(known), r.choice([0, 1, 2, 3, 5])):
        pairs.append((name[2:], known[name](r, w)))
    pairs += [tab_state(r) for _ in range(r.choice([0, 0, 1, 2]))]
    r.shuffle(pairs)
    query = "&".join(f"{urllib.parse.quote(k, errors='surrogateescape')}="
                     f"{urllib.parse.quote(v, safe=',:/', errors='surrogateescape')}" for k, v in pairs)
    whole = r.choice(["?", "barrierscope:?", "https://example.org/scope/?", "http://localhost/#"]) + query
    return whole if r.random() < 0.6 else spoiled(r, whole)


def lesson_name(r, w):
    if r.random() < 0.5:
        name = r.choice(w.lessons + ["all"])
        return name + r.choice(["", "", ":1", ":2", ":99", ":0", ":-1", ":x", ":"])
    return any_file(r, w, "lesson") if r.random() < 0.7 else r.choice(HOSTILE_TEXTS)


# ---- files ---------------------------------------------------------------------------------------------------------

def spoiled(r, data):
    """A few bytes changed, cut out, doubled or put in; text stays text as far as it can."""
    is_text = isinstance(data, str)
    data = bytearray(data.encode("utf-8", "surrogateescape") if is_text else data)
    for _ in range(r.choice([1, 1, 1, 2, 4, 16])):
        at = r.randint(0, len(data))
        what = r.randrange(7)
        if what == 0 and at < len(data):
            data[at] = r.randrange(256)
        elif what == 1 and at < len(data):
            data[at] ^= 1 << r.randrange(8)
        elif what == 2:
            del data[at:at + r.choice([1, 1, 2, 8, 100])]
        elif what == 3:
            data[at:at] = data[at:at + r.choice([1, 4, 20, 200])] * r.choice([1, 1, 2, 50])
        elif what == 4:
            data[at:at] = r.choice(HOSTILE_NUMBERS + HOSTILE_TEXTS).encode("utf-8", "surrogateescape")
        elif what == 5:
            del data[at:]
        elif what == 6:
            data[at:at] = r.choice([b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\n", b"\r\n", b"[" * 50, b"{", b"}", b'"', b"\\"])
    return bytes(data).decode("utf-8", "surrogateescape") if is_text else bytes(data)


def hostile_json(r):
    return r.choice([None, True, False, 0, -1, 1, 3, 7, 31, 32, 1024, 2**31 - 1, 2**31, -2**31 - 1, 2**53, 2**63, 2**64, 1e308,
                     -1e308, 0.5, 1e-320, "", "x", "a" * 3000, "\u0000", "线程", [], {}, [[]], {"a": 1}, [1, 2], [1, "x"],
                     list(range(50))])


def spoiled_json(r, j, n=None):
    """The same tree with some of its values, keys and lists changed."""
    places = []

    def walk(x):
        if isinstance(x, dict):
            for k in x:
                places.append((x, k))
                walk(x[k])
        elif isinstance(x, list):
            for k in range(min(len(x), 20)):
                places.append((x, k))
                walk(x[k])

    walk(j)
    for _ in range(n or r.choice([1, 1, 2, 5])):
        if not places:
            break
        of, k = r.choice(places)
        try:
            what = r.randrange(10)
            if what < 6:
                old = of[k]
                if isinstance(old, int) and not isinstance(old, bool) and r.random() < 0.5:
                    of[k] = old + r.choice([-1, 1, 2, 100, -100, 2**31])
                else:
                    of[k] = hostile_json(r)
            elif what < 8:
                del of[k]
            elif isinstance(of, dict):
                of[r.choice(["", "x", "n", "cell", "kernel"])] = of[k]
            else:
                of.insert(k, of[k])
        except (KeyError, IndexError):
            pass
    return j


def numbers_file(r, w):
    count = r.choice([0, 1, 3, 8, 8, 8, 31, 64])
    one = lambda: r.choice(HOSTILE_NUMBERS) if r.random() < 0.01 else str(r.randint(0, 7))
    made = r.choice([" ", ",", ", ", "\n", ";", "\t", "，"]).join(one() for _ in range(count))
    made = r.choice(["", "", "# a comment\n", "[", "\ufeff"]) + made + r.choice(["", "\n", "]", "#"])
    encoding = r.choice(["utf-8"] * 12 + ["utf-16", "utf-16-be", "utf-32"])
    return made.encode(encoding, "surrogatepass")


def lesson_file(r, w):
    place = {
        "kernel": lambda: r.choice(w.names + ["scan/bleloch", ""]),
        "n": lambda: str(r.choice([1, 8, 16, 31, 64] + ([10**6, "2^40"] if w.huge else []) + ["many", "2^", "0", "2^2^2"])),
        "values": lambda: " ".join(str(r.randint(-2, 9)) for _ in range(r.choice([1, 4, 8]))) + r.choice(["", "", " x"]),
        "pattern": lambda: r.choice(["ones", "ramp", "random", "sine", "skewed", "nope"]),
        "seed": lambda: r.choice(["1", "-1", "x"]), "skew": lambda: r.choice(["0.5", "2", "x"]),
        "block": lambda: r.choice(["1", "4", "8", "auto", "3", "0", "2000"]),
        "set": lambda: r.choice(["unroll=2", "scan=exclusive type=float", "bins=8", "x", "=", "type=nope"]),
        "preset": lambda: r.choice(["queue-7x20", "nope"]),
        "order": lambda: r.choice(["auto", "to-barrier", "lockstep", "shuffle:3", "backwards"]),
        "launch": lambda: r.choice(["1", "2", "9", "0", "x"]), "look": lambda: r.choice(["block 0", "block 1", "block", "x"]),
        "step": lambda: r.choice(["1", "2", "last", "99", "0", "-1"]),
        "phase": lambda: r.choice(["up-sweep 1", "up-sweep", "load", "nope", "up-sweep 99", "1"]),
        "cell": lambda: r.choice(["sum[0]", "sum[3]", "in[1]", "sum[99]", "sum[-1]", "[0]", "sum[", "x[99999999999999999999]"]),
        "array": lambda: r.choice(["sum", "in", "nope"]), "thread": lambda: r.choice(["0", "3", "99", "-1"]),
        "line": lambda: r.choice(["1", "sum[", "nope", "99999", "-4"]),
        "zoom": lambda: r.choice(["1", "8 at 4", "0", "nan", "1e30", "8 at -1", "8 at 2000000000"]),
        "arrows": lambda: r.choice(["yes", "no", "maybe"]), "tab": lambda: r.choice(["watch", "banks", "memory", "atomics", "compare", "time", "x"]),
        "compare": lambda: r.choice(w.names + ["nope"]), "padded": lambda: r.choice(["yes", "no"]),
        "time": lambda: r.choice(["n=28 block=256", "n=99", "block=33", "="]), "predict": lambda: r.choice(["yes", "no"]),
        "controls": lambda: r.choice(["stride=2 pad=1", "skew=50%", "stride", "=", "stride=-1", "nope=1", "width=3"]),
    }
    asks = ["n", "block", "blocks", "threads", "warps", "launches", "set bins", "step", "steps", "working", "idle",
            "value sum[1]", "before sum[1]", "word sum[1]", "input 3", "output 3", "expected 99", "outputs", "adds", "adds step",
            "span", "barriers", "formula adds", "wavefronts", "ways step", "sectors", "queue shared", "hazards", "lost",
            "adds of scan/brent-kung", "adds of scan/brent-kung n=64 block=32", "adds of nope", "adds of scan/blelloch n=2^",
            "adds of scan/blelloch block=99999999999999999999", "gbps of cub/scan", "copy", "device", "adds / n", "n - 1",
            "log2 n", "n / 0", "log2 log2 log2 n", "n - n - n - n", "value sum[99]", "value ", "Value sum[1]", "1", "a" * 300,
            "value {n}", "set ", " of ", "input -1", "input 99999999999999999999"]
    links = ["lesson:banks", "lesson:nope", "step:1", "step:99", "step:x", "kernel:scan/blelloch", "kernel:x", "compare:scan/brent-kung",
             "compare:x", "cell:sum[1]", "cell:sum[99]", "thread:0", "thread:99", "https://x.org", "", ":", "step:", "cell:{n}"]

    def sentence():
        what = r.randrange(12)
        if what < 4:
            return "It is {" + r.choice(asks) + r.choice(["}", "}", "}", "}", "", "\n}"]) + "."
        if what < 7:
            return f"See [{r.choice(['it', '**it**', '`x`', '', 'two words'])}]({r.choice(links)}{r.choice([')', ')', ')', ''])}."
        return r.choice(["Words.", "**Bold** and `sum[1]`.", "> A question?", "- one\n- two", "| a | b |\n|---|---|\n| 1 | 2 |",
                         "### Small", "```\ncode {n}\n```", "`open", "**open", "| a", "|", "1. x", "线程束。", "\U0001f600", "-" * 200,
                         "---", "x" * 2000, "*", "* * *", "[", "](", "}", "{", "> ", "```", "a" * 40 + "\u0301" * 40])

    out = [r.choice(["# Title", "# Title", "# Title {n}", "", "title"]), r.choice(["about: x", "", "family: scan", "x: y"]), ""]
    for _ in range(r.choice([1, 1, 2, 3, 5])):
        out.append(r.choice(["## Step", "## Step", "## ", "##", "## {n}"]))
        if r.random() < 0.9:
            out.append("```show")
            out.append("kernel: " + (r.choice(w.names) if r.random() < 0.9 else "nope"))
            if r.random() < 0.8:
                out.append("n: " + str(r.choice([8, 16, 31])))
            for key in r.sample(sorted(place), r.choice([0, 1, 2, 3])):
                if key not in ("kernel", "n"):
                    out.append(f"{key}: {place[key]()}")
            if r.random() < 0.15:
                out.append(r.choice(["nope: 1", "alone", ":", "n:", "n: " + r.choice(HOSTILE_NUMBERS[:40]), "n: 8\nn: 9"]))
            if r.random() < 0.95:
                out.append("```")
        out.extend(sentence() + r.choice(["", "\n"]) for _ in range(r.choice([1, 2, 4])))
    return r.choice(["\n", "\n", "\n", "\r\n"]).join(out).encode("utf-8", "surrogatepass")


def settings_file(r, w):
    good = {"theme": "dark", "desk_theme": "light", "language": "zh", "reduced_motion": True, "speed": 1.5, "width": 1600,
            "height": 900, "x": 10, "y": -10, "placed": True, "maximised": False, "folded": ["scan"], "recent": ["/x", "/y"]}
    return json.dumps(spoiled_json(r, good) if r.random() < 0.9 else good).encode()


def session_file(r, w):
    session = json.loads(w.session)
    request = session["target"].setdefault("request", {})
    request["kernel"] = r.choice(w.names)
    for key in list(request):
        if key != "kernel" and r.random() < 0.7:
            del request[key]
    if r.random() < 0.5:
        request["n"] = r.randint(1, 64)
    if r.random() < 0.1:
        request["input"] = any_file(r, w, "input")
    session["tab"] = r.choice(["watch", "banks", "memory", "atomics", "compare", "time"])
    spoiled_ = spoiled_json(r, session)
    if not w.huge:  # another check refuses a length
        try:
            if isinstance(spoiled_["target"]["request"].get("n"), (int, float)) and spoiled_["target"]["request"]["n"] > 2000:
                spoiled_["target"]["request"]["n"] = 2000
        except (KeyError, TypeError, AttributeError):
            pass
    return json.dumps(spoiled_).encode()


def trace_file(r, w):
    data = bytearray(r.choice(w.traces))
    kind = r.random()
    if kind < 0.5:  # fields of four or eight bytes
        for _ in range(r.choice([1, 1, 2, 4, 10])):
            at = r.randrange(0, max(1, len(data) - 8)) & ~3
            value = r.choice([0, 1, 2, 3, 31, 32, 255, 256, 65535, 2**31 - 1, 2**31, 2**32 - 1, r.randrange(2**32), len(data)])
            if r.random() < 0.3:
                value = (struct.unpack_from("<I", data, at)[0] + r.choice([-1, 1, 4, 256])) & 0xffffffff
            struct.pack_into("<I", data, at, value)
        return bytes(data)
    if kind < 0.75:  # a byte of a text: names, parameters, the session
        for _ in range(r.choice([1, 2, 8])):
            at = r.randrange(len(data))
            data[at] = r.choice([0, 9, 10, 27, 45, 48, 57, 120, 127, 0x80, 0xff, r.randrange(256)])
        return bytes(data)
    return spoiled(r, bytes(data)) if kind < 0.97 else bytes(data)


def recording_file(r, w):
    if r.random() < 0.3:
        rows = [r.choice(["device,kernel,n", "device", "device,kernel,n,block,gb_per_s,sample_ms"])]
        rows += [",".join(r.choice(HOSTILE_NUMBERS + ["GPU", "scan/blelloch"]) for _ in range(r.choice([1, 3, 6])))
                 for _ in range(r.choice([0, 1, 3]))]
        return "\n".join(rows).encode("utf-8", "surrogatepass")
    return json.dumps(spoiled_json(r, json.loads(r.choice(w.recordings)))).encode()


def image_file(r, w):
    return spoiled(r, r.choice(w.images)) if r.random() < 0.8 else r.choice(w.images)


KINDS = {
    "input": (numbers_file, [".txt", ".csv", "", ".png"]),
    "image": (image_file, [".png", ".jpg", ""]),
    "lesson": (lesson_file, [".md"]),
    "settings": (settings_file, [".json"]),
    "session": (session_file, [".json"]),
    "trace": (trace_file, [".bscope"]),
    "recording": (recording_file, [".json", ".csv"]),
}


def any_file(r, w, kind):
    """The path of a new file of that kind; or of what is no file at all."""
    make, endings = KINDS["image" if kind == "input" and r.random() < 0.25 else kind]
    path = w.path(r.choice(endings[:1] * 6 + endings))
    chance = r.random()
    if chance < 0.85:
        data = make(r, w)
        if r.random() < 0.3:
            data = spoiled(r, data)
        pathlib.Path(path).write_bytes(data)
    elif chance < 0.87:
        os.mkdir(path)
    elif chance < 0.872:
        os.mkfifo(path)
    elif chance < 0.89:
        os.symlink(r.choice(["nowhere", path, "/dev/null", "/dev/full", str(w.folder)]), path)
    elif chance < 0.90:
        pathlib.Path(path).touch()
    elif chance < 0.91:
        pathlib.Path(path).write_bytes(r.randbytes(r.choice([1, 8, 100, 5000])))
    elif chance < 0.912:
        pathlib.Path(path).touch()
        os.truncate(path, r.choice([1 << 21, 5 << 30]))
    elif chance < 0.93:
        other = r.choice([k for k in KINDS if k != kind])
        pathlib.Path(path).write_bytes(KINDS[other][0](r, w))
    else:
        path = r.choice(["/dev/null", "/dev/full", "/dev/tty", "/", "/proc/self/mem", "/proc/self/status", "/dev/fd/99", "-",
                         "/dev/stdin", str(w.folder), str(w.folder / "none"), "y" * 300, path + "/x",
                         r.choice(HOSTILE_TEXTS)])
    return path


# ---- cases ---------------------------------------------------------------------------------------------------------

def target(r, w):
    w.kernel = None
    if r.random() < 0.1:
        return link(r, w)
    chance = r.random()
    if chance < 0.85:
        w.kernel = r.choice(w.kernels)
        return w.kernel["name"]
    if chance < 0.90:
        return any_file(r, w, "trace")
    if chance < 0.93:
        return any_file(r, w, "lesson")
    return r.choice(HOSTILE_TEXTS + [spoiled(r, r.choice(w.names)), "scan", "blelloch"])


def says_length(args):
    return any(a.split("=")[0] in ("--n", "--values", "--input", "--preset") for a in args)


def command_line(r, w):
    """(exit codes, arguments): a command line as its verb takes it, sometimes spoiled."""
    verb = r.choice(["show"] * 6 + ["check"] * 5 + ["trace"] * 3 + ["render"] * 2 + ["time"] * 2 + ["list"] + [""] * 3)
    options, flags = VERBS[verb]
    options = options | LANGUAGE
    args = []
    if verb != "list":
        args.append(target(r, w))
        if verb in ("time", "render") and r.random() < 0.2:
            args.append(target(r, w))
    chosen = r.sample(sorted(options), min(len(options), r.choice([0, 1, 1, 2, 2, 3, 5])))
    exclusive = [o for o in ("--n", "--values", "--input", "--preset") if o in chosen]
    for o in exclusive[1:]:  # mostly only one of them
        if r.random() < 0.8:
            chosen.remove(o)
    for o in chosen:
        value = options[o](r, w)
        args += [f"{o}={value}"] if r.random() < 0.2 else [o, value]
    args += [f for f in flags if r.random() < 0.15]
    if verb in ("trace", "render") and r.random() < 0.97:
        args += [r.choice(["-o", "--output"]), output(*((".bscope",) if verb == "trace" else (".svg", ".svg", ".png", ".pdf")))(r, w)]
    if verb == "time":  # what it measures would take its time
        if "--merge" not in args:
            args += ["--device", "cpu"] if "--device" not in chosen else []
            args += ["--seconds", "0.001"]
            args += ["--samples", "1"] if "--samples" not in chosen else []
            if not says_length(args):
                args += ["--n", str(r.randint(1, 500))]
            args = [a for a in args if not a.startswith("--sweep=") or not a.startswith("--sweep=n")]
        if r.random() < 0.2:
            args += ["-o", output(".json", ".csv")(r, w)]
    if r.random() < 0.3:
        r.shuffle(args) if r.random() < 0.3 else None
        args = spoiled_arguments(r, w, args)
    if verb == "time" and "--merge" not in args and not says_length(args):
        args += ["--n", "100"]
    if verb:
        args.insert(0, verb)
    if verb != "time" and r.random() < 0.05:
        args.insert(0, r.choice(["--help", "--version", "--language=zh", "--n", "--theme", "-h", "--json", "nope"]))
    return [0, 1, 2], args


def spoiled_arguments(r, w, args):
    args = list(args)
    for _ in range(r.choice([1, 1, 2])):
        at = r.randint(0, len(args))
        what = r.randrange(6)
        if what == 0 and args:
            del args[min(at, len(args) - 1)]
        elif what == 1 and args:
            args.insert(at, r.choice(args))
        elif what == 2 and args:
            k = min(at, len(args) - 1)
            if not args[k].startswith(("/", "--seconds", "--samples", "--n")):  # files stay ours
                args[k] = spoiled(r, args[k]).replace("\0", "")
        elif what == 3:
            args.insert(at, r.choice(sorted(ALL_OPTIONS)))
        elif what == 4:
            args.insert(at, r.choice(HOSTILE_TEXTS))
        else:
            o = r.choice(sorted(ALL_OPTIONS))
            args[at:at] = [o, ALL_OPTIONS[o](r, w)]
    return args


def right_line(r, w):
    """A command line without a mistake: it must be done."""
    w.kernel = r.choice(w.kernels)
    name = w.kernel["name"]
    verb = r.choice(["show", "show", "check", "check", "trace", "", "render"])
    args = [verb] if verb else []
    args.append(name)
    if r.random() < 0.7 and not name.startswith("mistakes/"):
        args += ["--n", str(r.choice([1, 2, 3, 8, 16, 31, 64, 100, 300]))]
    if r.random() < 0.5:
        args += ["--seed", str(r.randrange(100))]
    if r.random() < 0.3:
        args += ["--schedule", r.choice(["auto", "to-barrier", "lockstep", f"shuffle:{r.randrange(1000)}"])]
    if r.random() < 0.3:
        args += ["--block", str(r.choice([b for b in (1, 2, 4, 8, 16, 32, 64) if b <= w.kernel["most_block"]]))]
    if r.random() < 0.2:
        args += ["--language", r.choice(["en", "zh"])]
    if verb in ("show", "check") and r.random() < 0.4:
        args.append("--json")
    if verb == "trace":
        args += ["-o", w.path(".bscope")]
    if verb == "render":
        args += ["-o", w.path(r.choice([".svg", ".pdf", ".png"])), "--size", "640x360", "--view", r.choice(["watch", "run"])]
    return [0, 1, 2] if any(a.startswith("--block") for a in args) or name.startswith(("mistakes/", "patterns/")) else \
        [0, 1] if verb == "check" else [0], args


def file_case(r, w):
    """(exit codes, arguments): a file as the window takes it."""
    kind = r.choice(["settings"] * 2 + ["session"] * 4 + ["lesson"] * 3 + ["trace"] * 4 + ["recording"] * 2 + ["input", "image"])
    path = any_file(r, w, kind)
    if kind == "settings":
        if path.startswith(str(w.folder)) and path != str(w.folder):
            return [0, 1, 2], ["@settings", path]
        return [0, 1, 2], ["@drop", path]
    if kind == "session":
        return [0, 2], ["@session", path]
    if kind == "lesson":
        return ([0, 2], ["@lesson", path]) if r.random() < 0.5 else ([0, 1, 2], [r.choice(["show", "check"]), path])
    if kind == "trace":
        return ([0, 2], ["@drop", path]) if r.random() < 0.5 else ([0, 1, 2], [r.choice(["show", "check", "", "show"]) or path, path][:2])
    if kind == "input" and r.random() < 0.3:
        return [0, 2], ["@paste", path]
    return [0, 2], ["@drop", path]


def case(r, w):
    chance = r.random()
    return right_line(r, w) if chance < 0.1 else file_case(r, w) if chance < 0.4 else command_line(r, w)


# ---- running them --------------------------------------------------------------------------------------------------

def encoded(cases):
    out = bytearray()

    def put(text_):
        data = text_ if isinstance(text_, bytes) else text_.encode("utf-8", "surrogateescape")
        data = data.replace(b"\0", b"")
        out.extend(b"%d:" % len(data) + data)

    for codes, args in cases:
        put(",".join(map(str, codes)))
        put(str(len(args)))
        for a in args:
            put(a)
    return bytes(out)


def prepare(r, w, folder, program, driver, environment):
    """What files are spoiled from: traces, a session, recordings, images."""
    w.folder.mkdir()
    w.traces = [p.read_bytes() for p in sorted((ROOT / "tests/fuzz/corpus").glob("*.bscope"))]
    for kernel in r.sample(w.names, 4):
        path = w.path(".bscope")
        if subprocess.run([program, "trace", kernel, "--n", "16", "-o", path], capture_output=True).returncode == 0:
            w.traces.append(pathlib.Path(path).read_bytes())
    saved = w.path(".bscope")
    (folder / "first").write_bytes(encoded([([0], ["@save", saved])]))
    subprocess.run([driver, folder / "first", folder / "none"], env=environment, check=True, capture_output=True)
    data = pathlib.Path(saved).read_bytes()
    w.traces.append(data)
    at = data.index(b'{\n "format"')
    w.session = json.dumps(json.JSONDecoder().raw_decode(data[at:].decode("utf-8", "replace"))[0])
    w.recordings = [(ROOT / "tests/recorded/made_up_times.json").read_text()]
    w.images = [p.read_bytes() for p in sorted((ROOT / "assets/inputs").glob("*.png"))]


def batch(job):
    """Runs one batch in a folder of its own. Returns (what the driver printed, violations, leftovers)."""
    seed, number_, count, program, driver, huge, keep = job
    r = random.Random(f"{seed}/{number_}")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="command-lines-"))
    environment = dict(os.environ, HOME=str(folder), XDG_CONFIG_HOME=str(folder / "config"), XDG_DATA_HOME=str(folder / "data"),
                       TMPDIR=str(folder))
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        environment.pop(name, None)
    try:
        w = World(folder / "w", program, huge)
        prepare(r, w, folder, program, driver, environment)
        cases = [case(r, w) for _ in range(count)]
        (folder / "cases").write_bytes(encoded(cases))
        done = subprocess.run([driver, folder / "cases", folder / "violations"], env=environment, cwd=w.folder, capture_output=True)
        found = []
        if (folder / "violations").exists():
            found = [json.loads(line) for line in (folder / "violations").read_text().splitlines()]
        if done.returncode not in (0, 1):
            found.append({"case": -1, "what": f"the driver ended with {done.returncode}", "args": [], "code": -1,
                          "err": done.stderr.decode(errors="replace")[-500:]})
        left = [str(p) for p in folder.rglob("*") if p.name.endswith(".tmp") or ".part" in p.name]
        if keep and (found or left):
            kept = pathlib.Path(keep) / f"batch-{number_}"
            shutil.rmtree(kept, ignore_errors=True)
            (kept / "w").mkdir(parents=True)
            for path in w.folder.iterdir():  # a file of gigabytes, a pipe or a device is not kept
                if path.is_file() and not path.is_symlink() and path.stat().st_size < 1 << 24:
                    shutil.copy(path, kept / "w")
        return number_, done.stdout.decode().strip(), found, left
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=100000)
    parser.add_argument("--seed", default=None, help="printed when none is given")
    parser.add_argument("--build", default=os.environ.get("BARRIERSCOPE_BUILD", str(ROOT / "build/release")))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=1000)
    parser.add_argument("--only", type=int, default=None, help="this batch alone, to see a violation again")
    parser.add_argument("--no-huge", dest="huge", action="store_false", help="no lengths beyond what is quick")
    parser.add_argument("--keep", default=None, help="a folder for the files of batches with violations")
    o = parser.parse_args()
    seed = o.seed if o.seed is not None else str(int(time.time() * 1000) % 10**9)
    build = pathlib.Path(o.build).resolve()
    print(f"command lines: {o.count} by seed {seed}", flush=True)
    numbers = range((o.count + o.batch - 1) // o.batch) if o.only is None else [o.only]
    jobs = [(seed, k, min(o.batch, o.count - k * o.batch), str(build / "barrierscope"), str(build / "tests/command_driver"),
             o.huge, o.keep) for k in numbers]
    violations = 0
    began = time.time()
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for number_, said, found, left in pool.map(batch, jobs):
            if len(jobs) <= 20 or number_ % 10 == 0 or found:
                print(f"batch {number_}: {said} ({time.time() - began:.0f} s)", flush=True)
            for v in found:
                print(f"  VIOLATION {v['what']}: {shlex.join(v['args'])[:600]!r}\n    code {v['code']}, said {v['err']!r}", flush=True)
            for path in left:
                print(f"  VIOLATION left behind: {path}", flush=True)
            violations += len(found) + len(left)
    print(f"command lines: {sum(j[2] for j in jobs)} cases by seed {seed}, {violations} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
