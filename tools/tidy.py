#!/usr/bin/env python3
"""clang-tidy on our sources, as many as the time allows, those changed last first. Exits 1 on a finding.

  tools/tidy.py BUILD [SECONDS] [FILE...]      BUILD: a clang build with compile_commands.json

Precompiled headers are left aside: a source that leans on what they include does not compile here.

A file that passed is remembered by the hash of what it reads (BUILD/tidy), so that the next run goes on where
this one ended.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).parent.parent.resolve()
TIDY = "clang-tidy-16"
PRECOMPILED = re.compile(r"-Winvalid-pch |-Xclang -include(-pch)? -Xclang \S*cmake_pch\S* ")


def source_commands(build):
    """The build's compile commands, one for each source: a unity build compiles several in one file that includes them."""
    for command in json.loads((build / "compile_commands.json").read_text()):
        unit = command["file"]
        if "/Unity/unity_" not in unit:
            yield command
            continue
        for source in re.findall(r'(?m)^#include "(.*)"$', pathlib.Path(unit).read_text()):
            yield command | {"file": source, "command": command["command"].replace(unit, source)}


def changed_last_first(files):
    """By the last commit that touched them; untracked ones before all."""
    log = subprocess.run(["git", "log", "--name-only", "--format="], cwd=ROOT, capture_output=True, text=True)
    order = {}
    for line in log.stdout.splitlines():
        order.setdefault(line, len(order))
    return sorted(files, key=lambda f: (order.get(os.path.relpath(f, ROOT), -1), f))


def fingerprint(common, file):
    """Of the file, of all our headers and of the settings: a change of any means another look."""
    return hashlib.sha256(common + file.read_bytes()).hexdigest()


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    deadline = time.monotonic() + (float(sys.argv[2]) if len(sys.argv) > 2 else 1e9)
    chosen = {pathlib.Path(f).resolve() for f in sys.argv[3:]}
    commands = list(source_commands(build))
    ours = {pathlib.Path(c["file"]) for c in commands}
    ours = {f for f in ours if f.is_relative_to(ROOT) and not f.is_relative_to(ROOT / "build") and f.suffix == ".cpp"
            and not f.is_relative_to(ROOT / "third_party") and not f.is_relative_to(build)}
    files = changed_last_first(chosen or ours)

    common = hashlib.sha256()
    for header in sorted(ROOT.glob("[ea]*/**/*.hpp")) + [ROOT / ".clang-tidy"]:
        common.update(header.read_bytes())
    memory = build / "tidy"
    memory.mkdir(exist_ok=True)
    for command in commands:
        command["command"] = PRECOMPILED.sub("", command["command"])
    (memory / "compile_commands.json").write_text(json.dumps(commands))

    def look(file):
        mark = memory / fingerprint(common.digest(), file)
        if mark.exists():
            return file, "passed", ""
        left = deadline - time.monotonic()
        if left < 5:
            return file, "left out", ""
        try:
            command = [TIDY, "--quiet", f"--config-file={ROOT}/.clang-tidy", "-p", memory, file]
            done = subprocess.run(command, capture_output=True, text=True, timeout=left)
        except subprocess.TimeoutExpired:
            return file, "left out", ""
        if done.returncode == 0:
            mark.touch()
            return file, "passed", ""
        # Its count of warnings in third-party headers is noise.
        return file, "failed", re.sub(r"(?m)^\d+ warnings? generated\.\n", "", done.stdout + done.stderr)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        looks = list(pool.map(look, files))
    for file, state, text in looks:
        if state == "failed":
            print(f"{os.path.relpath(file, ROOT)}:\n{text}")
    left_out = [os.path.relpath(f, ROOT) for f, state, _ in looks if state == "left out"]
    failed = sum(state == "failed" for _, state, _ in looks)
    if left_out:
        print(f"left out: no time for {len(left_out)} of {len(looks)} files: {', '.join(left_out)}")
    print(f"clang-tidy: {len(looks) - failed - len(left_out)} files clean, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
