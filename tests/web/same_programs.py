#!/usr/bin/env python3
"""Users' CUDA programs as a page compiles, runs and judges them (own_code.wasm under node, with Debian's clang 19 and wasm-ld in the
place of the page's), against the native toolchain with the same clang: outcomes, and traces byte for byte.

  same_programs.py FILE_OR_FOLDER...                compares them, and prints a table of what differs, by its cause
  same_programs.py --findings build/web/barrierscope.js FOLDER    also what `check` says of each trace, there and natively

Of a folder all .cu files with a main are taken, of its subfolders, too. A program comes with the files beside it and with what it
includes from elsewhere. The exit code is 1 where anything differs for no cause that is known.
"""

import argparse
import base64
import collections
import concurrent.futures
import dataclasses
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WEB = pathlib.Path(os.environ.get("BARRIERSCOPE_WEB_BUILD", ROOT / "build/web")).resolve()
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
NATIVE, HEADERS = BUILD / "tests/answer_run_request", BUILD / "cuda/include"
NODE = shutil.which("node") or shutil.which("nodejs")
CLANG, LINKER = shutil.which("clang++-19"), shutil.which("wasm-ld-19")
IN_PAGE = "/barrierscope/files"  # where a page has the user's files
LONGEST = 120  # seconds on the clock for one program, on a machine with nothing else to do
LARGEST = 1 << 20  # bytes of a file beside a program

# Why a program may differ (docs/web.md says it of each): what its text contains, and the cause.
KNOWN = [
    (r"%l?l?a\b", "musl prints numbers below the normal ones by %a in another form"),
    (r"\bcufft|\bcurandGenerate(Log)?Normal", "the last bits of musl's mathematics differ from glibc's"),
    (r"\btime\s*\(\s*(NULL|0|nullptr|&)", "it draws its input by the time"),
    (r"\bextern\s+__device__", "host code does not find a device variable of another file"),
    (r"\b(uniform_int|uniform_real|normal|bernoulli)_distribution\b|\bstd::shuffle\b", "libc++ draws other numbers"),
    (r"\bvirtual\b", "addresses of the host's tables of virtual functions are others"),
    (r"\b(fork|execl|execvp|popen|system|socket|setjmp|getenv)\s*\(", "a page has no processes, sockets and environment"),
]


def missing():
    """A sentence about what a comparison lacks, or None."""
    for program, name in ((NODE, "node"), (CLANG, "clang++-19"), (LINKER, "wasm-ld-19")):
        if not program:
            return f"there is no {name} here"
    for file in (WEB / "own_code.js", WEB / "program/program.cfg", WEB / "program/lib/libc.a", NATIVE, HEADERS):
        if not file.exists():
            return f"there is no {file}: cmake --build build/web --target barrierscope_own_code web_program_libraries"
    return None


@functools.cache
def clang_headers():
    """The folder of clang's own headers."""
    return subprocess.run([CLANG, "-print-resource-dir"], capture_output=True, text=True, check=True).stdout.strip()


def patience():
    """The seconds on the clock that one program may take, on a machine as busy as this one is."""
    return LONGEST * max(1, os.getloadavg()[0] / os.cpu_count())


def in_page(requests, place, longest=1800, **folders):
    """What a page makes of each request (tests/web/program/own_code.mjs), and what it says beside that. `place`: a folder for the
    requests."""
    file = pathlib.Path(place) / "requests.json"
    file.write_text(json.dumps({"build": str(WEB), "headers": str(HEADERS), "clang": clang_headers(), **folders, "requests": requests}))
    done = subprocess.run([NODE, ROOT / "tests/web/program/own_code.mjs", file], capture_output=True, text=True, timeout=longest)
    if done.returncode:
        raise RuntimeError(f"the page's modules fail: {done.stderr[-3000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def natively(folder, request, place, clang=CLANG):
    """What the native toolchain makes of the same request in that folder."""
    trace = pathlib.Path(place) / "native.bscope"
    trace.unlink(missing_ok=True)
    done = subprocess.run([NATIVE, trace], cwd=folder, input=json.dumps(request), capture_output=True, text=True, errors="replace",
                          timeout=patience(), env={**os.environ, "CLANG": str(clang)})
    if done.returncode:
        raise RuntimeError(f"the native toolchain fails: {done.stderr[-3000:]}")
    answer = json.loads(done.stdout.replace(str(folder), IN_PAGE))
    return {"run": None, "error": None, **answer, "trace": base64.b64encode(trace.read_bytes()).decode() if trace.exists() else None}


def programs(paths):
    """The .cu files that can be started."""
    files = [file for path in paths for file in (sorted(path.rglob("*.cu")) if path.is_dir() else [path])]
    return [file for file in files if re.search(r"\bmain\s*\(", file.read_text(errors="replace"))]


def files_of(path, includes):
    """The folder that holds all that a program needs, and these files."""
    needed, open_ones = {path}, [path, *(f for f in path.parent.iterdir() if f.is_file() and f.stat().st_size < LARGEST)]
    while open_ones:
        file = open_ones.pop()
        needed.add(file)
        if file.suffix not in (".cu", ".cuh", ".h", ".hpp", ".cpp", ".inl"):
            continue
        for name in re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', file.read_text(errors="replace"), re.M):
            for folder in (file.parent, *includes):
                found = pathlib.Path(os.path.normpath(folder / name))
                if found.is_file():
                    if found not in needed:
                        open_ones.append(found)
                    break
    root = pathlib.Path(os.path.commonpath([path.parent, *(file.parent for file in needed)]))
    return root, sorted(needed)


ONCE = object()  # there was one native run


@dataclasses.dataclass
class Difference:
    """Of a program: the member that differs, with both of its values, and why."""
    member: str = ""
    there: str = ""
    here: str = ""
    cause: str = ""


def first_difference(native, page, again=ONCE, at=""):
    """The first member that differs, by its path, with both values; None: they are equal. `again`: of another native run; what
    differs there is passed over."""
    again = native if again is ONCE else again
    if native == page:
        return None
    if all(isinstance(answer, dict) for answer in (native, page, again)):
        for name in [*native, *(name for name in page if name not in native)]:
            if found := first_difference(native.get(name), page.get(name), again.get(name), f"{at}.{name}" if at else name):
                return found
        return None
    if all(isinstance(answer, list) and len(answer) == len(native) for answer in (native, page, again)):
        for k, (one, other, third) in enumerate(zip(native, page, again)):
            if found := first_difference(one, other, third, f"{at}[{k}]"):
                return found
        return None
    if again != native:
        return None
    if isinstance(native, str) and isinstance(page, str):
        begin = max(0, next((k for k, (a, b) in enumerate(zip(native, page)) if a != b), min(len(native), len(page))) - 60)
        native, page = native[begin:begin + 160], page[begin:begin + 160]
    return Difference(at, json.dumps(native)[:400], json.dumps(page)[:400])


def parts(answer):
    """What is compared of an answer."""
    return {name: answer[name] for name in ("error", "run", "trace")}


def compare(path, options, place):
    """What differs of one program, None: nothing; its trace; and the seconds that a page takes."""
    root, needed = files_of(path, options.include)
    named = [file.relative_to(root).as_posix() for file in needed]
    includes = [os.path.relpath(folder, root) for folder in options.include if folder.is_relative_to(root)]
    request = {"program": {"files": [path.relative_to(root).as_posix()], "seconds": options.seconds, "includes": includes}, "until": "run"}
    pages, _ = in_page([{**request, "on_disk": dict(zip(named, map(str, needed)))}], place, patience())
    page = pages[0]
    copy = pathlib.Path(place) / "files"  # the page has these files alone
    for name, file in zip(named, needed):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy / name)
    native = natively(copy, request, place)
    found = first_difference(parts(native), parts(page))
    if found:
        found.cause = cause(found, path, native, page, lambda: natively(copy, request, place))
    return found, page, native


def cause(found, path, native, page, again):
    """Why a program differs; "not known" where nothing is found. `found` becomes what differs from each native run."""
    steady = first_difference(parts(native), parts(page), parts(again()))
    if not steady:
        return "equal but for what differs between two native runs"
    found.member, found.there, found.here = steady.member, steady.there, steady.here
    lacks = [bool(re.search(r"file not found|fatal error", json.dumps(answer["run"] or {}))) for answer in (native, page)]
    if lacks == [False, True]:
        return "this machine has a header that no page has"
    if found.member == "trace" and native["trace"] and page["trace"] and differ_in_addresses(*(base64.b64decode(a["trace"]) for a in (native, page))):
        return "addresses of managed memory are others"
    if found.member.endswith(".symbol") and "NSt4__19" in found.here:  # libc++'s std::__19
        return "types of the C++ library have other mangled names"
    if found.there.replace("-nan", "nan")[:80] == found.here[:80]:
        return "a NaN is negative on x86, and positive on GPUs and in a page"
    if "more memory than a page has" in json.dumps(page["run"]) or "more memory than a program may have" in json.dumps(page["run"]):
        return "a page has less memory"
    if found.member == "run.output" and native["run"]["report"].get("ended") != "refused" and faulted(native):
        return "behind a fault it prints what lay on its stack"
    text = "".join(file.read_text(errors="replace") for file in [path, *path.parent.glob("*.cuh"), *path.parent.glob("*.h")])
    if any(answer["run"] and re.search(r"was stopped after|ran longer than", json.dumps(answer["run"])) for answer in (native, page)):
        return "its time was over: seconds of the processor natively, of the clock in a page"
    return next((why for pattern, why in KNOWN if re.search(pattern, text)), "not known")


def faulted(answer):
    """Whether a fault ended a launch of the program."""
    return any(warning.get("follows_fault") for warning in answer["run"]["report"]["warnings"])


def differ_in_addresses(native, page):
    """Whether two traces differ only where the page's has an address with the mark of visible memory (bit 40), as a value."""
    if len(native) != len(page):
        return False
    addresses = set()
    for at, (a, b) in enumerate(zip(native, page)):
        if a == b or at in addresses:
            continue
        begin = next((k for k in range(max(0, at - 7), at + 1) if page[k + 5:k + 8] == b"\1\0\0" and page[k + 4] == 0), None)
        if begin is None:
            return False
        addresses.update(range(begin, begin + 8))
    return True


def findings(module, traces, place):
    """What differs of `check` of each trace (bytes by name), natively and in the module of the page."""
    names, words = list(traces), []
    for k, name in enumerate(names):
        file = pathlib.Path(place) / f"{k}.bscope"
        file.write_bytes(traces[name])
        words.append(["check", str(file), "--json"])
    lines = subprocess.run([NODE, ROOT / "tests/web/many.mjs", module], input="".join(json.dumps(w) + "\n" for w in words),
                           capture_output=True, text=True, check=True).stdout.splitlines()
    for name, word, line in zip(names, words, lines, strict=True):
        native = subprocess.run([BUILD / "barrierscope", *word], capture_output=True, text=True)
        if found := first_difference({"exit": native.returncode, "out": native.stdout, "err": native.stderr}, json.loads(line), at="findings"):
            yield name, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    parser.add_argument("-I", dest="include", action="append", default=[], type=pathlib.Path, help="a folder of headers")
    parser.add_argument("--seconds", default=20, type=float, help="that a program may take")
    parser.add_argument("--jobs", default=1, type=int)
    parser.add_argument("--findings", type=pathlib.Path, help="the page's command line, build/web/barrierscope.js")
    a = parser.parse_args()
    if lack := missing():
        sys.exit(lack)
    a.include = [folder.resolve() for folder in a.include]
    paths = programs([path.resolve() for path in a.paths])
    table, traces, began = collections.defaultdict(list), {}, time.monotonic()

    def one(path):
        with tempfile.TemporaryDirectory() as place:
            try:
                return compare(path, a, os.path.realpath(place))
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                return Difference("all", "", str(error)[-600:], "no answer"), None, None

    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for path, (found, page, native) in zip(paths, pool.map(one, paths)):
            name = f"{path.parent.name}/{path.name}"
            if page and page["trace"]:
                traces[name] = base64.b64decode(page["trace"])
            row = found.cause if found else kind(page)
            table[row].append(name)
            print(f"{time.monotonic() - began:6.0f} s {name}: {row}", flush=True)
            if found:
                print(f"         {found.member}\n         natively {found.there}\n         in a page {found.here}", flush=True)
    if a.findings:
        with tempfile.TemporaryDirectory() as place:
            differ = list(findings(a.findings, traces, place))
        for name, found in differ:
            table["not known"].append(f"findings of {name}")
            print(f"findings of {name}: {found.member}\n         natively {found.there}\n         in a page {found.here}")
        print(f"what `check` says of {len(traces)} traces: {len(differ)} differ")
    print(f"\n{len(paths)} programs")
    for row, names in sorted(table.items(), key=lambda item: -len(item[1])):
        print(f"{len(names):5} {row}" + ("" if row.startswith("equal") else ": " + ", ".join(names)))
    sys.exit(1 if table.keys() & {"not known", "no answer"} else 0)


def kind(page):
    """Of a program that is equal: what became of it."""
    if page["error"] or not page["run"]["compiled"]:
        return "equal: refused"
    return "equal: a trace" if page["trace"] else "equal: no trace"


if __name__ == "__main__":
    main()
