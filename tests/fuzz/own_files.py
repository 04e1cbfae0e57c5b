"""Random changes of users' programs: whatever a .cu file holds, `check` ends by itself, within its limits, with a verdict
or an error in plain words.

  own_files.py --build build/release --count 2000 --seed 7      that many changed programs
  own_files.py --build build/release --seed 7 --only 123        that one again, printed
  own_files.py --page build/web --count 1000                    run as a page does it, under node
  own_files.py --corpus tests/fuzz/hostile --count 1000         programs that mean harm, first as they are, then changed

Each case takes a program of tests/cuda (or of --corpus) and changes a few of its tokens or lines: one is deleted, repeated,
moved or replaced by one of another program. A case fails where `check`

- dies of a signal, or ends with another exit code than 0, 1 and 2;
- takes longer than its limits allow;
- says nothing, or prints a control character or a word of its own code.

In a page a case fails where its modules crash, where no run comes of it, or where a program that does not end well comes without
a sentence.

A case takes about a second of processor, most of it clang's."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/web"))
import same_programs

CORPUS = ["tests/cuda/faults", "tests/cuda/homework", "tests/cuda/own", *(str(folder) for folder in sorted(pathlib.Path("kernels").glob("*/cuda"))), "assets/assignments", "assets/templates"]
TOKEN = re.compile(r"\s+|//[^\n]*|\"[^\"\n]*\"|[A-Za-z_]\w*|\d[\w.]*|<<<|>>>|[-+*/%<>=!&|^]=|&&|\|\||\+\+|--|<<|>>|.", re.S)
# What only our own code, or a library below it, could have said.
INTERNAL = re.compile(r"bscope::|std::(?!vector|string|size_t|cout|endl|min|max|swap|sort|accumulate|iota|fill|mt19937)\w+|terminate called"
                      r"|basic_string|_M_\w+|\bassert(ion)? failed|internal error|Aborted|Segmentation|core dumped|nlohmann|\bNaN index"
                      r"|bad_alloc|out_of_range|Cancelled|Traceback")
# What clang says of standard names and of assertions of the text, what a signal is called, and what is said of `throw 5`.
COMPILERS = re.compile(r"did you mean '[^']*'|'[^']*' declared here|static assertion failed|\(Segmentation fault\)|it is no std::exception")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]")
NUMBERS = ["0", "1", "2", "31", "32", "33", "1024", "1025", "-1", "65536", "2147483647", "4294967296", "0x7fffffff", "1e30f"]


def programs(folders):
    files = sorted(f for folder in folders for f in pathlib.Path(folder).rglob("*.cu"))
    return [f.read_text(errors="replace") for f in files]


def changed(text, others, rng):
    """The text with one to four changes."""
    for _ in range(rng.randint(1, 4)):
        if rng.random() < 0.3:
            lines = text.splitlines(keepends=True)
            at = rng.randrange(len(lines)) if lines else 0
            kind = rng.randrange(4)
            if kind == 0:
                del lines[at:at + 1]
            elif kind == 1:
                lines.insert(at, lines[rng.randrange(len(lines))] if lines else "\n")
            elif kind == 2 and len(lines) > 1:
                other = rng.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            else:
                lines.insert(at, rng.choice(rng.choice(others).splitlines(keepends=True) or ["\n"]))
            text = "".join(lines)
            continue
        tokens = TOKEN.findall(text)
        solid = [k for k, t in enumerate(tokens) if not t.isspace()]
        if not solid:
            continue
        at, other = rng.choice(solid), rng.choice(solid)
        kind = rng.randrange(6)
        if kind == 0:
            tokens[at] = ""
        elif kind == 1:
            tokens[at] = tokens[at] + tokens[at]
        elif kind == 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind == 3:
            numbers = [k for k in solid if tokens[k][0].isdigit()]
            if numbers:
                tokens[rng.choice(numbers)] = rng.choice(NUMBERS)
        elif kind == 4:
            tokens[at] = rng.choice(["<", "<=", ">", "+", "-", "*", "/", "%", "&", "==", "[", "]", "(", ")", ";", "{", "}"])
        else:
            names = [t for t in TOKEN.findall(rng.choice(others)) if t[0].isalpha()]
            if names:
                tokens[at] = rng.choice(names)
        text = "".join(tokens)
    return text


def violation(binary, text, seconds):
    """What is wrong with the verdict on a program; empty: nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "case.cu"
        file.write_text(text)
        try:
            done = subprocess.run([binary, "check", "--no-try", "--seconds", str(seconds), file.name], cwd=folder,
                                  capture_output=True, timeout=same_programs.patience())
        except subprocess.TimeoutExpired:
            return f"no end after {same_programs.LONGEST} s and more"
    if done.returncode not in (0, 1, 2):
        return f"exit code {done.returncode}"
    said = (done.stdout + done.stderr).decode(errors="replace")
    if not said.strip():
        return f"exit code {done.returncode}, and nothing is said"
    return unfit_words(said, text)


def violation_in_page(web, headers, text, seconds):
    """The same of what a page makes of it."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "case.cu"
        file.write_text(text)
        request = {"program": {"files": [file.name], "seconds": seconds}, "until": "run", "on_disk": {file.name: str(file)}}
        try:
            (answer,), _ = same_programs.in_page([request], folder, same_programs.patience(), build=str(web), headers=str(headers))
        except subprocess.TimeoutExpired:
            return f"no end after {same_programs.LONGEST} s and more"
        except RuntimeError as error:
            return f"{str(error)[:600]!r}"
    if not answer["error"] and not answer["run"]:
        return "nothing comes of it"
    ran = answer["run"]
    if ran and not ran["compiled"] and not ran["diagnostics"]:
        return "it does not compile, and nothing says why"
    if ran and ran["report"].get("ended") in ("crashed", "stopped", "refused") and not any(ran["report"]["message"]):
        return f"it is {ran['report']['ended']}, and nothing says why"
    shown = {k: v for k, v in (ran or {}).items() if k not in ("output", "diagnostics")}
    return unfit_words("\n".join(map(json.dumps, [answer["error"], shown])), text)


def unfit_words(said, text):
    """What no user should read; empty: nothing."""
    # the program's own output and the lines of source that are shown are not ours
    ours = "\n".join(COMPILERS.sub("", line) for line in said.splitlines() if not re.match(r"\s*\d* \|", line))
    for pattern, what in ((INTERNAL, "an internal word"), (CONTROL, "a control character")):
        if found := pattern.search(ours):
            if pattern is INTERNAL and found[0] in text:
                continue
            return f"{what}: {ours[max(0, found.start() - 100):found.end() + 100]!r}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path)
    parser.add_argument("--page", type=pathlib.Path, help="the folder of the web build")
    parser.add_argument("--count", default=2000, type=int)
    parser.add_argument("--seed", default=random.randrange(1 << 32), type=int)
    parser.add_argument("--only", type=int)
    parser.add_argument("--seconds", default=3, type=float, help="of processor that a program may use")
    parser.add_argument("--corpus", action="append", type=pathlib.Path, help="folders of programs, which run as they are, too")
    parser.add_argument("--first", default=0, type=int, help="the first case")
    parser.add_argument("--jobs", default=os.cpu_count(), type=int)
    a = parser.parse_args()
    texts = programs(a.corpus or [ROOT / folder for folder in CORPUS])

    def case(k):
        if a.corpus and k < len(texts):
            return texts[k]
        rng = random.Random(f"{a.seed}/{k}")
        return changed(rng.choice(texts), texts, rng)

    def verdict(k):
        if a.page:
            return violation_in_page(a.page.resolve(), (a.build / "cuda/include").resolve(), case(k), a.seconds)
        return violation((a.build / "barrierscope").resolve(), case(k), a.seconds)

    numbers = [a.only] if a.only is not None else range(a.first, a.first + a.count)
    if a.only is not None:
        print(case(a.only))
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for k, wrong in zip(numbers, pool.map(verdict, numbers)):
            if wrong:
                bad += 1
                print(f"seed {a.seed}, case {k}: {wrong}", flush=True)
    print(f"seed {a.seed}: {len(numbers)} changed programs of {len(texts)}, {bad} failed")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
