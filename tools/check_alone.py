#!/usr/bin/env python3
"""Every source and every header of ours compiles alone, without precompiled headers, a header twice included; then all
headers of each program in one file: two types of one name would be one to the linker, which keeps either's functions.
Exits 1 if any does not compile.

A header that begins with #pragma once and that a source includes before anything else has been compiled alone with it.

  tools/check_alone.py BUILD [ROOT] [--sources BUILD] [--seconds N]      each BUILD holds compile_commands.json

Headers are compiled with the flags of the first build, sources as the second one compiles them (default: the first). Of a unity
build each source counts. With --seconds, files that were changed last come first, and what does not fit is left out.

Headers of the GPU's half (engine/simt/gpu_*) are compiled by nvcc where the build has one, and named as left out otherwise.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

from tidy import changed_last_first, source_commands

FOLDERS = ("engine", "kernels", "app")
GPU_HALF = "engine/simt/gpu_"
# Fibers of a browser's page, which take the place of the native ones.
PAGE_HALF = "_wasm.hpp"
# Users' CUDA programs are linked with a library of these parts. Its runtime has CUDA's own names: never in one file
# with NVIDIA's headers.
RUNTIME = "engine/cuda/runtime/"
# What users' CUDA programs include: clang alone compiles it, as CUDA, and tests/cuda/headers does.
USERS = "engine/cuda/include/"
LIBRARY = ("engine/trace/", "engine/simt/", "engine/cuda/ir/", "engine/cuda/machine/", "engine/cuda/run_files/",
           RUNTIME)
CARRIES = ("-isystem", "-I", "-D", "--generate-code")


def flags_of(commands):
    """Everything that any of these compile commands says about where to look and what is defined."""
    flags = []
    for command in commands:
        words = shlex.split(command["command"])
        for word, following in zip(words, words[1:] + [""]):
            if word == "-isystem":
                flag = ["-isystem", following]
            elif word.startswith(CARRIES) and word not in CARRIES:
                flag = [word]
            else:
                continue
            if flag not in flags:
                flags.append(flag)
    return [word for flag in flags for word in flag]


def compiler_of(command):
    """The compiler of a command, behind a launcher such as ccache."""
    words = shlex.split(command["command"])
    return next(w for w in words if pathlib.Path(w).name not in ("ccache", "sccache"))


STRICT = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-fsyntax-only"]


def compile_source(source, command, root, deadline):
    """What its compiler says about it; empty if all is well, None where its time is over."""
    if time.monotonic() > deadline:
        return None
    words = [compiler_of(command), *flags_of([command]), f"-I{root}", *STRICT, source]
    done = subprocess.run(words, capture_output=True, text=True)
    return (done.stdout + done.stderr) if done.returncode else ""


def compile_headers(headers, root, compiler, flags, cuda):
    """What the compiler says about a file that includes them, twice; empty if all is well."""
    text = "".join(f'#include "{header}"\n' for header in headers) * 2
    if cuda:
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "alone.cu"
            source.write_text(text)
            command = [compiler, *flags, f"-I{root}", "-std=c++20", "-c", source, "-o", pathlib.Path(folder) / "o"]
            done = subprocess.run(command, capture_output=True, text=True)
    else:
        command = [compiler, *flags, f"-I{root}", *STRICT, "-x", "c++", "-"]
        done = subprocess.run(command, input=text, capture_output=True, text=True)
    return (done.stdout + done.stderr) if done.returncode else ""


def first_line(path, beginning):
    """The first line of code, without what `beginning` it has; None if it begins otherwise."""
    for line in path.read_text().splitlines():
        if line and not line.startswith("//"):
            return line.removeprefix(beginning).strip() if line.startswith(beginning) else None
    return None


def proved_by(sources):
    """Headers that these sources include first."""
    first = {first_line(source, "#include") for source in sources}
    return {name.strip('"') for name in first if name and name.startswith('"')}


def own_sources(build, root):
    """The command for each of our sources."""
    commands = {}
    for command in source_commands(build):
        source = pathlib.Path(command["directory"], command["file"])
        if source.suffix == ".cpp" and any(source.is_relative_to(root / f) for f in FOLDERS):
            commands[source] = command
    return commands


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path, nargs="?", default=pathlib.Path(__file__).parent.parent)
    parser.add_argument("--sources", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=1e9)
    asked = parser.parse_args()
    build, root = asked.build.resolve(), asked.root.resolve()
    commands = json.loads((build / "compile_commands.json").read_text())
    gpu = [c for c in commands if c["file"].endswith(".cu")]
    cpu = [c for c in commands if c["file"].endswith((".cpp", ".cxx"))]  # .cxx: of a unity build
    if not cpu:
        sys.exit(f"{build}/compile_commands.json has no C++ file; configure first")

    headers = [h.relative_to(root).as_posix() for f in FOLDERS for h in sorted((root / f).rglob("*.hpp"))]
    headers = [h for h in headers if not h.startswith(USERS)]
    sources = own_sources((asked.sources or build).resolve(), root)
    first = proved_by(sources)
    proved = {h for h in headers if h in first and first_line(root / h, "#pragma once") == ""}
    jobs, left_out = [], []
    for header in headers:
        if header in proved:
            continue
        if not header.startswith(GPU_HALF):
            jobs.append(([header], root, compiler_of(cpu[0]), flags_of(cpu), False))
        elif gpu:
            jobs.append(([header], root, compiler_of(gpu[0]), flags_of(gpu), True))
        else:
            left_out.append(header)
    # the GPU's half, and the page's, take the place of the CPU's: never in one file
    here = [h for h in headers if not h.startswith(GPU_HALF) and not h.endswith(PAGE_HALF)]
    groups = [[h for h in here if not h.startswith(RUNTIME)]]
    if any(h.startswith(RUNTIME) for h in headers):
        groups.append([h for h in here if h.startswith(LIBRARY)])
    together = [(group, root, compiler_of(cpu[0]), flags_of(cpu), False) for group in groups if group]

    deadline = time.monotonic() + asked.seconds
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(lambda job: compile_headers(*job), jobs + together))
        last_first = changed_last_first(sources)
        of_sources = list(pool.map(lambda source: compile_source(source, sources[source], root, deadline), last_first))
    alone = [(job[0][0], text) for job, text in zip(jobs, said) if text]
    alone += [(source.relative_to(root).as_posix(), text) for source, text in zip(last_first, of_sources) if text]
    for name, text in alone:
        print(f"{name} does not compile alone:\n{text}")
    of_groups = [text for text in said[len(jobs):] if text]
    for text in of_groups:
        if not alone:
            print(f"not in one file with the others; two things of one name need two names:\n{text}")
    if left_out:
        print(f"left out: no nvcc for {', '.join(left_out)}")
    late = of_sources.count(None)
    if late:
        print(f"left out: {late} of {len(sources)} sources alone (its time was over)")
    failed = len(alone) + len(of_groups)
    print(f"alone and together: {len(sources) - late} sources, {len(said)} of headers, {failed} failed")
    return 1 if failed or not said and not sources else 0


if __name__ == "__main__":
    sys.exit(main())
