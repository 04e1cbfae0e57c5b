#!/usr/bin/env python3
"""Writes the page's compile commands: what clang's driver makes of engine/cuda/toolchain/clang_options.def.

  tools/clang_commands.py CLANG CONFIG OUT

The page has clang without its driver, which chooses a target's many options. CLANG is a native one of the same version,
CONFIG the build's program/program.cfg, and OUT a C++ header with the words of `clang -cc1` for device code, for the host
code of a .cu file, for C, and for kernels as C. Paths in them are those of the page: /barrierscope/program for the folder of CONFIG, and
/barrierscope/clang for clang's own headers. engine/cuda/toolchain/web/clang_driver.cpp adds the words of a file.
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPTIONS = ROOT / "engine/cuda/toolchain/clang_options.def"
OURS = "/barrierscope"
KINDS = {
    "device_words": ["cuda_file", "device_code"],
    "host_words": ["cuda_file", "--cuda-host-only", "host_code"],
    "c_words": ["host_code"],
    "kernel_words": ["kernel_code"],
}
# The C library's headers are made for 64 bits: clang's own <stdint.h> comes before theirs, and stays alone.
KERNEL_TARGET = ["--target=wasm32-unknown-emscripten", "-ffreestanding", "-nostdlibinc", "-idirafter"]
# Words of a file that the driver was asked with, and words that say where it ran: the word, and how many follow it.
OF_A_FILE = {"-main-file-name": 1, "-o": 1, "-x": 1}
OF_HOST = "-fwasm-exceptions"
CUID = "-cuid="  # it tells the units of one device link apart, which a page does not have


def options(groups):
    """The words of clang_options.def for these groups; other words stay."""
    known = {}
    for group, word in re.findall(r'^CLANG_OPTION\((\w+), "([^"]*)"\)', OPTIONS.read_text(), re.M):
        known.setdefault(group, []).append(word)
    return [word for group in groups for word in known.get(group, [group])]


def driver_words(clang, config, groups):
    """What the driver runs for a file of that kind, without the words of the file."""
    source = os.devnull  # it must be there
    language = ["-x", "cuda" if "cuda_file" in groups else "c"]
    out = ["-S", "-emit-llvm"] if "device_code" in groups else ["-c"]
    target = config.read_text().replace("<CFGDIR>", str(config.parent)).split()
    if "kernel_code" in groups:
        target = [*KERNEL_TARGET, str(config.parent / "include")]
    if "device_code" in groups:
        target.remove(OF_HOST)  # the driver would name features of WebAssembly to the GPU's back end
    every_file = [] if "kernel_code" in groups else ["every_file"]
    command = [clang, "-###", *target, *options([*every_file, *groups]), *language, *out, "-o", "out", source]
    said = subprocess.run(command, cwd="/", capture_output=True, text=True, check=True).stderr
    lines = [line for line in said.splitlines() if '"-cc1"' in line]
    if len(lines) != 1:
        sys.exit(f"{shlex.join(command)} runs {len(lines)} compilers:\n{said}")
    words, kept = iter(shlex.split(lines[0])[2:]), []
    for word in words:
        if word in OF_A_FILE:
            for _ in range(OF_A_FILE[word]):
                next(words)
        elif word != source and not word.startswith(CUID):
            kept.append(word)
    return kept


def system_headers(words, libraries):
    """The C and C++ headers behind clang's wrappers of C++ headers, where a compiler for Linux has its own."""
    kept, theirs = [], []
    pairs = iter(words)
    for word in pairs:
        if word == "-isystem":
            folder = next(pairs)
            (theirs if folder.startswith(libraries) else kept).extend([word, folder])
        else:
            kept.append(word)
    wrappers = [place for place, word in enumerate(kept) if word.endswith("/cuda_wrappers")]
    if wrappers:
        theirs = [*kept[wrappers[0] - 1:wrappers[0] + 1], *theirs]
        del kept[wrappers[0] - 1:wrappers[0] + 1]
    place = kept.index("-internal-isystem")
    return kept[:place] + ["-internal-isystem" if word == "-isystem" else word for word in theirs] + kept[place:]


def page_words(clang, config, groups):
    """The same with the page's paths."""
    words = driver_words(clang, config, groups)
    resources = words[words.index("-resource-dir") + 1]
    wrappers = f"{resources}/include/cuda_wrappers"
    if "cuda_file" in groups and wrappers not in words:  # host code for Linux has them
        words += ["-internal-isystem", wrappers]
    words = system_headers(words, str(config.parent))
    paths = {resources: f"{OURS}/clang", str(config.parent): f"{OURS}/program"}
    for here, there in paths.items():
        words = [there + word.removeprefix(here) if word == here or word.startswith(here + "/") else word for word in words]
    return words


def main(clang, config, out):
    config = pathlib.Path(config).resolve()
    text = "// Made by tools/clang_commands.py.\n#pragma once\n\nnamespace bscope::cuda {\n\n"
    for name, groups in KINDS.items():
        words = ",\n    ".join(json.dumps(word) for word in page_words(clang, config, groups))
        text += f"inline constexpr const char* {name}[] = {{\n    {words}}};\n"
    link = [word for file in ("link.txt", "link_cuda.txt") for word in (config.parent / file).read_text().split()]
    text += f"inline constexpr const char* link_words[] = {{\n    " + ",\n    ".join(map(json.dumps, link)) + "};\n"
    pathlib.Path(out).write_text(text + "\n}  // namespace bscope::cuda\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
