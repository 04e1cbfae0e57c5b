#!/usr/bin/env python3
"""Which sources of clang, lld and LLVM the page's clang needs. front/ is linked natively with the archives of Debian's
libclang-19-dev, liblld-19-dev and llvm-19-dev; what the linker keeps of them is the list, units.txt.

  third_party/web/clang/units.py SOURCE    writes units.txt; SOURCE: the unpacked source of llvm-toolchain-19, as
                                           build/_deps/debian-llvm-toolchain-19-clang/source
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
UNITS = HERE / "units.txt"
LLVM = pathlib.Path("/usr/lib/llvm-19")
PACKAGES = ("libclang-19-dev", "liblld-19-dev", "llvm-19-dev")
# lld begins with the initialisation of all targets: the page has one.
TARGET = "WebAssembly"
FLAGS = ["-std=c++17", "-fno-rtti", "-fno-exceptions", "-w", "-D_GNU_SOURCE", "-D__STDC_CONSTANT_MACROS", "-D__STDC_FORMAT_MACROS",
         "-D__STDC_LIMIT_MACROS", f"-I{LLVM}/include"]
# Of LLVM's parts that Debian's archives were built with, and the page's are not.
LIBRARIES = ["-lz", "-lzstd", "-ltinfo", "-lxml2", "-ldl", "-lpthread", "-lm"]
MEMBER = re.compile(r"lib(\w+)\.a\(([^)]+)\)")
# Native code for one processor; its C sources are there beside it.
ASSEMBLY = re.compile(r"blake3_.*\.S\.o")


def missing():
    """The first file of Debian's packages that is not here, or None."""
    needed = [LLVM / "bin/clang++", LLVM / "bin/ld.lld", LLVM / "include/clang/CodeGen/BackendUtil.h",
              LLVM / "include/lld/Common/Driver.h", LLVM / "lib/libclangCodeGen.a", LLVM / "lib/liblldWasm.a", LLVM / "lib/libLLVMCore.a"]
    return next((path for path in needed if not path.exists()), None)


def other_targets():
    """The targets that Debian's LLVM has and the page's has not."""
    found = re.findall(r"^LLVM_TARGET\((\w+)\)", (LLVM / "include/llvm/Config/Targets.def").read_text(), re.M)
    return [name for name in found if name != TARGET]


def link(folder):
    """Makes the program folder/clang, which is clang -cc1 and wasm-ld. Returns the members of archives that it is linked of, as
    pairs of a library and a file."""
    empty = "".join(f"extern \"C\" void LLVMInitialize{target}{part}() {{}}\n" for target in other_targets()
                    for part in ("TargetInfo", "Target", "TargetMC", "AsmPrinter", "AsmParser"))
    (folder / "other_targets.cpp").write_text(empty)
    sources = [*sorted((HERE / "front").glob("*.cpp")), folder / "other_targets.cpp"]
    objects = [folder / f"{source.stem}.o" for source in sources]
    for source, made in zip(sources, objects):
        subprocess.run([LLVM / "bin/clang++", *FLAGS, "-c", source, "-o", made], check=True)
    left_out = re.compile("lib(?:LLVMLTO|LLVM(?:%s)(?:CodeGen|Desc|Info|AsmParser|Utils|Disassembler))\\.a" % "|".join(other_targets()))
    archives = [path for kind in ("clang", "lld", "LLVM") for path in sorted((LLVM / "lib").glob(f"lib{kind}*.a"))
                if not left_out.fullmatch(path.name)]
    subprocess.run([LLVM / "bin/clang++", *objects, "-o", folder / "clang", "-fuse-ld=lld", "-Wl,--gc-sections",
                    "-Wl,--no-demangle", f"-Wl,-Map={folder}/clang.map", "-Wl,--start-group", *archives, "-Wl,--end-group", *LIBRARIES], check=True)
    return sorted(member for member in set(needed(folder, archives)) if not ASSEMBLY.fullmatch(member[1]))


def needed(folder, archives):
    """The members of archives that something of their own is linked of. An inline function or a template that many sources have
    is linked of any one of them, by chance: that one is not needed for it."""
    listed = subprocess.run([LLVM / "bin/llvm-nm", "--defined-only", *archives], capture_output=True, text=True, check=True).stdout
    of_many = set(re.findall(r" [VWvw] (\S+)$", listed, re.M))
    member = None
    for line in (folder / "clang.map").read_text(errors="replace").splitlines():
        if ":(" in line:  # a section of an input file, and below it its symbols
            found = MEMBER.search(line)
            member = found.groups() if found else None
        elif member and line.split()[-1] not in of_many:
            yield member
            member = None


def units():
    """The list as it is."""
    return [line for line in UNITS.read_text().splitlines() if not line.startswith("#")]


def libraries(source):
    """The files of each library of the source, by the name of its archive."""
    made = collections.defaultdict(list)
    for listing in [*source.glob("llvm/lib/**/CMakeLists.txt"), *source.glob("clang/lib/**/CMakeLists.txt"), *source.glob("lld/*/CMakeLists.txt")]:
        for kind, name in re.findall(r"add_(llvm_component_library|llvm_library|llvm_target|clang_library|lld_library)\(\s*(\w+)",
                                     listing.read_text()):
            made[f"LLVM{name}" if kind == "llvm_target" else name] += [path for path in listing.parent.rglob("*.c*") if path.is_file()]
    return made


def nearest(paths):
    """Of files of one name the one that lies highest: below a library's folder lie other libraries."""
    return min(paths, key=lambda path: len(path.parts))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if missing():
        sys.exit(f"There is no {missing()}: install {', '.join(PACKAGES)}.")
    source = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        members = link(pathlib.Path(folder))
    files = libraries(source)
    paths = set()
    for library, name in members:
        found = [path for path in files[library] if path.name == name.removesuffix(".o")]
        if not found:
            sys.exit(f"The source has no {name} of {library}")
        paths.add(nearest(found).relative_to(source).as_posix())
    head = "# The sources of clang, lld and LLVM that the page's clang is made of. units.py writes this list.\n"
    UNITS.write_text(head + "".join(f"{path}\n" for path in sorted(paths)))


if __name__ == "__main__":
    main()
