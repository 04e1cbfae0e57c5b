#!/usr/bin/env python3
"""Packs the headers and libraries that users' programs are compiled and linked with in a page.

  tools/header_packs.py BUILD HEADERS OUT [CLANG]

BUILD is the web build (its program/ has the C and C++ libraries), HEADERS the folder of CUDA's headers (cuda/include of a
native build), OUT the folder for the packs, CLANG a native clang++ of the page's version. Each pack is a line of JSON,
[[path, bytes], ...], and the files' bytes, as in tools/web_site.py. There are four, so that a plain program fetches little:

  plain      CUDA's headers, C's, and all that they include
  cxx        the rest of the C++ library
  cccl       libcu++, CUB and Thrust
  libraries  what every program is linked with

headers.json lists for each of the first three its bytes and the names by which its headers are included: a page fetches a
pack when a file of the program includes one of them (engine/cuda/worker/header_packs.js).
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import clang_commands
from packing import pack

OURS = "/barrierscope"
# Headers of CUDA's that are libraries of C++, by the beginning of their paths.
CCCL = ("cub/", "cuda/", "thrust/", "nv/", "nvtx3/")
# Of clang's own headers those of the language, not those of processors.
OF_LANGUAGE = ("std*.h", "__std*.h", "__clang_cuda*.h", "__stdarg*.h", "__stddef*.h", "cuda_wrappers/**/*", "float.h", "limits.h",
               "iso646.h", "tgmath.h", "inttypes.h", "unwind.h", "varargs.h")
# C++ headers that stand for C's: programs that are C but for their names include these.
OF_C = ("cassert", "cctype", "cerrno", "cfloat", "climits", "cmath", "cstdarg", "cstddef", "cstdint", "cstdio", "cstdlib", "cstring",
        "ctime", "new", "utility")

OF_BUILDS = ("CMakeLists", "module.modulemap", "__config_site.in", "libcxx.imp")


def read_by(clang, config, roots, source):
    """The files that clang reads for a text of the host or the device."""
    words = clang_commands.options(["every_file", "cuda_file"])
    include = roots[f"{OURS}/include"]
    with tempfile.NamedTemporaryFile("w", suffix=".cu") as file:
        file.write(source)
        file.flush()
        said = "".join(subprocess.run(
            [clang, f"--config={config}", *words, half, "-std=c++17", "-x", "cuda", "-isystem", str(include), "-include",
             str(include / "cuda_runtime.h"), "-M", file.name], capture_output=True, text=True, check=True).stdout
            for half in ("--cuda-device-only", "--cuda-host-only"))
    return {pathlib.Path(name).resolve() for name in said.replace("\\\n", " ").split() if not name.endswith((":", file.name))}


def names_of(files, roots):
    """The names by which files are included, from their folders of headers on."""
    folders = [f"{root}/" for root in (f"{OURS}/include", f"{OURS}/program/include/c++/v1", f"{OURS}/program/include", f"{OURS}/clang/include")]
    names = {next(path.removeprefix(f) for f in folders if path.startswith(f)) for path, _ in files}
    return sorted(name for name in names if "__" not in name)  # which only other headers include


def main(build, headers, out, clang="clang++-19"):
    build, headers, out = (pathlib.Path(p).resolve() for p in (build, headers, out))
    program = build / "program"
    resources = pathlib.Path(subprocess.run([clang, "-print-resource-dir"], capture_output=True, text=True, check=True).stdout.strip()).resolve()
    roots = {f"{OURS}/include": headers, f"{OURS}/program": program, f"{OURS}/clang": resources}

    def entries(files):
        """[path in the page, bytes] of each, in order."""
        return [(next(f"{virtual}/{file.relative_to(real).as_posix()}" for virtual, real in roots.items() if file.is_relative_to(real)),
                 file.read_bytes()) for file in sorted(files)]

    ours = {file.resolve() for file in headers.rglob("*") if file.is_file()}
    cccl = {file for file in ours if file.relative_to(headers).as_posix().startswith(CCCL)}
    musl = {file for file in (program / "include").rglob("*") if file.is_file()}
    cxx = {file for file in musl if file.is_relative_to(program / "include/c++/v1")}
    musl -= {file for file in cxx if file.name.startswith(OF_BUILDS)}
    cxx &= musl
    language = {file.resolve() for pattern in OF_LANGUAGE for file in (resources / "include").glob(pattern) if file.is_file()}
    read = read_by(clang, program / "program.cfg", roots, "".join(f"#include <{name}>\n" for name in OF_C))
    plain = (ours - cccl) | (musl - cxx) | language | {file for file in read if file in cxx}
    libraries = set((program / "lib").glob("*.a"))

    out.mkdir(parents=True, exist_ok=True)
    index = {}
    for name, files in (("plain", plain), ("cxx", cxx - plain), ("cccl", cccl), ("libraries", libraries)):
        packed = entries(files)
        data = pack(packed)
        (out / f"{name}.pack").write_bytes(data)
        index[name] = {"bytes": len(data), "headers": [] if name == "libraries" else names_of(packed, roots)}
    (out / "headers.json").write_text(json.dumps(index, separators=(",", ":")), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
