#!/usr/bin/env python3
"""Windows that find garbage and are given garbage: settings, sessions, traces and lessons at their start, the same and
all else dropped on them, pasted and typed into their fields, among random keys and clicks.

  tests/fuzz/windows.py [--windows 50] [--events 4000] [--seed S] [--build build/dev]

Each is driven without a display by `ui_tests monkey`, on files from the grammars of command_lines.py. No window may
crash, hang, or end up without a run. Prints its seed; exits 1 if one does.
"""

import argparse
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from command_lines import HOSTILE_TEXTS, ROOT, World, any_file, link, prepare, values


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def files(r, w, folder):
    """What the window finds, is given and receives."""
    def put(kind, into, count):
        place = folder / into
        place.mkdir(parents=True, exist_ok=True)
        for k in range(count):
            path = pathlib.Path(any_file(r, w, kind))
            if path.parent == w.folder and os.path.lexists(path):
                os.rename(path, place / f"{k}{path.suffix}")

    put("settings", "config/barrierscope", 1)
    config = folder / "config/barrierscope"
    for path in list(config.iterdir()):
        os.rename(path, config / "settings.json")
    put("trace", "start", 1)
    put("lesson", "lessons", 3)
    for kind in ("trace", "session", "recording", "input", "image", "lesson"):
        put(kind, "drops", 4)
        for path in (folder / "drops").iterdir():  # numbered by kind
            if not path.name.startswith("of"):
                os.rename(path, folder / "drops" / f"of-{kind}-{path.name}")
    texts = folder / "texts"
    texts.mkdir()
    for k in range(12):
        text = r.choice([r.choice(HOSTILE_TEXTS), values(r, w), link(r, w)])
        (texts / str(k)).write_bytes(text.encode("utf-8", "surrogateescape").replace(b"\0", b""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--windows", type=int, default=50)
    parser.add_argument("--events", type=int, default=4000)
    parser.add_argument("--seed", default=None)
    parser.add_argument("--build", default=os.environ.get("BARRIERSCOPE_BUILD", str(ROOT / "build/release")))
    parser.add_argument("--keep", default=None, help="a folder for the files of windows that fail")
    parser.add_argument("--no-huge", dest="huge", action="store_false")
    o = parser.parse_args()
    seed = o.seed if o.seed is not None else str(int(time.time() * 1000) % 10**9)
    build = pathlib.Path(o.build).resolve()
    print(f"windows: {o.windows} of {o.events} events by seed {seed}", flush=True)
    failed = 0
    for number in range(o.windows):
        r = random.Random(f"{seed}/window {number}")
        folder = pathlib.Path(tempfile.mkdtemp(prefix="windows-"))
        try:
            w = World(folder / "made", build / "barrierscope", o.huge)
            w.kernel = None
            prepare(r, w, folder, build / "barrierscope", build / "tests/command_driver", dict(os.environ))
            files(r, w, folder / "given")
            try:
                done = subprocess.run([build / "tests/ui_tests", "monkey", str(o.events), str(r.randrange(2**32)), folder / "given"],
                                      capture_output=True, text=True, errors="replace", timeout=600, preexec_fn=limits, cwd=folder)
                wrong = f"exit {done.returncode}" if done.returncode else ""
                said = (done.stdout + done.stderr).strip().splitlines()
            except subprocess.TimeoutExpired as e:
                wrong, said = "a hang", [(e.stdout or b"").decode(errors="replace")]
            print(f"window {number}: {said[-1] if said else ''}{'   FAILED: ' + wrong if wrong else ''}", flush=True)
            if wrong:
                failed += 1
                print("\n".join(said[-12:]), flush=True)
                if o.keep:
                    shutil.copytree(folder / "given", pathlib.Path(o.keep) / f"window-{number}", symlinks=True, dirs_exist_ok=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"windows: {o.windows} by seed {seed}, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
