#!/usr/bin/python3
"""Makes assets/machine-code: what nvcc makes of every kernel of the catalog, instruction by instruction and line by line.

  machine_code.py            compiles kernels/*/*.cu, disassembles, writes one file a kernel (a minute)
  machine_code.py --check    says which files are not what is compiled now, and writes nothing; exit code 1 if any, 3 where
                             this machine has other tools than those that made them, or none

The untraced form alone, the one that is timed, in every form that a user can choose (element type, operator, choices of the
kernel), for sm_90, with 32-bit positions. -lineinfo tells the line of every instruction and changes none. Needs nvcc;
nvdisasm and cuobjdump are the toolkit's, or are fetched with pip into build/disassembler.

The files are JSON, sorted, a form a line: "texts" are the instructions that occur, and a form's "code" is, in the order of
addresses, [line, number of a text...] for each run of instructions of one line of the kernel's own file. What was inlined
from headers belongs to the line that called it; line 0 is what belongs to none. Targets of branches are addresses."""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = ROOT / "assets" / "machine-code"
ARCHITECTURE = "sm_90"
DISASSEMBLER = ("nvidia-cuda-nvdisasm==13.5.37", "nvidia-cuda-cuobjdump==13.5.37")
FORM = re.compile(r"_ZN6bscope6on_gpu12run_untracedI(.+)EEvDpT0_$")
# A block's shared memory as cuobjdump counts it begins with what the system keeps for itself.
RESERVED = 1024


class NotHere(Exception):
    """This machine lacks what it takes; the message is for the user."""


def tool(name):
    """The toolkit's program of that name. Raises NotHere."""
    for folder in [*os.environ["PATH"].split(":"), "/usr/local/cuda/bin", "/opt/cuda/bin"]:
        if os.access(f"{folder}/{name}", os.X_OK):
            return f"{folder}/{name}"
    if name == "nvcc":
        raise NotHere(f"there is no {name} on PATH nor in /usr/local/cuda/bin: install the CUDA toolkit.")
    into = ROOT / "build" / "disassembler"
    found = list(into.glob(f"nvidia/*/bin/{name}"))
    if not found:
        shutil.rmtree(into, ignore_errors=True)
        pip = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--root-user-action=ignore",
                              "--target", into, *DISASSEMBLER])
        found = list(into.glob(f"nvidia/*/bin/{name}"))
        if pip.returncode or not found:
            raise NotHere(f"there is no {name}, and pip could not fetch it.")
    found[0].chmod(0o755)
    return str(found[0])


def version_of(program):
    return re.search(r"V([\d.]+)", subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout)[1]


def compiled(nvcc, source, into):
    """As cmake/cuda.cmake has it compiled for a release, but for its traced and stamped forms."""
    cubin = pathlib.Path(into) / (source.parent.name + "-" + source.stem + ".cubin")
    subprocess.run([nvcc, "-std=c++20", "-O3", "-DNDEBUG", "-DBARRIERSCOPE_PLAIN", f"-I{ROOT}", f"-arch={ARCHITECTURE}",
                    "-lineinfo", "-cubin", str(source), "-o", str(cubin)], check=True, cwd=ROOT)
    return cubin


def project_path(path):
    """kernels/scan/5_blelloch.cu"""
    path = os.path.normpath(path)
    at = path.rfind("/kernels/")
    return path[at + 1:] if at >= 0 else None


def place_of(chain):
    """The kernel's file and the line in it that a chain of inlined calls, from the innermost, belongs to. A line of the
    file that holds the kernel's own operator() is chosen; the innermost one, as traces do."""
    inside = [(project_path(file), line) for file, line in chain if not file.endswith("gpu_program.hpp")]
    if not inside or inside[-1][0] is None:
        return None, 0
    own = inside[-1][0]
    return next((file, line) for file, line in inside if file == own)


def forms_of_listing(text):
    """By symbol: the kernel's file and [(line, instruction)], from the text of `nvdisasm -c -gi`."""
    forms = {}
    symbol, chain, fresh, labels, code, files = None, [], False, {}, [], {}

    def end():
        if symbol is None:
            return
        while code and code[-1][2].startswith("NOP"):  # fills the last line of the instruction cache
            code.pop()
        last = len(code) and max(k for k, c in enumerate(code) if not c[2].startswith("NOP"))
        trimmed = code[: last + 1]
        if trimmed and re.match(r"BRA `\(", trimmed[-1][2]) and labels.get(re.search(r"`\((.+?)\)", trimmed[-1][2])[1]) == trimmed[-1][0]:
            trimmed = trimmed[:-1]  # the loop that nothing comes to, behind a kernel's end
        target = lambda m: hex(labels[m[1]]) if m[1] in labels else m[1]
        forms[symbol] = (files, [(line, re.sub(r"`\((.+?)\)", target, what)) for _, line, what in trimmed])

    waiting = []
    for row in text.splitlines():
        if row.startswith("//-----"):
            end()
            section = re.search(r"\.text\.(\S+)", row)
            symbol, chain, fresh, labels, code, files, waiting = section and section[1], [], False, {}, [], {}, []
            continue
        if symbol is None:
            continue
        if m := re.match(r'\s*//## File "(.+?)", line (\d+)( inlined at)?', row):
            if fresh:
                chain, fresh = [], False
            chain.append((m[1], int(m[2])))
        elif m := re.match(r"\s*/\*([0-9a-f]+)\*/\s+(.+?)\s*;", row):
            address = int(m[1], 16)
            for label in waiting:
                labels[label] = address
            waiting, fresh = [], True
            file, line = place_of(chain)
            if file:
                files[file] = files.get(file, 0) + 1
            # how operands are set apart says nothing, nor the descriptor that each access to global memory names
            code.append((address, line, re.sub(r",\s+", ",", re.sub(r"\s+", " ", re.sub(r"desc\[\w+\]", "", m[2])))))
        elif m := re.match(r"([.$\w]+):\s*$", row):
            waiting.append(m[1])
            if m[1].startswith("$"):  # a function of the compiler's own, e.g. a division
                chain, fresh = [], False
    end()
    return forms


def resources_of(text):
    """By symbol: registers, stack, shared, local, from the text of `cuobjdump --dump-resource-usage`."""
    found = {}
    for symbol, what in re.findall(r"Function (\S+):\s*\n\s*(REG.+)", text):
        n = {name: int(value) for name, value in re.findall(r"(REG|STACK|SHARED|LOCAL):(\d+)", what)}
        found[symbol] = {"registers": n["REG"], "stack": n["STACK"], "shared": max(0, n["SHARED"] - RESERVED), "local": n["LOCAL"]}
    return found


def kernel_name(key):
    """AddTotals, of 9AddTotalsILb0EEJ..."""
    m = re.match(r"(\d+)", key)
    return key[m.end(): m.end() + int(m[1])]


def other_tools(files, nvcc, nvdisasm):
    """Why what is compiled here cannot be compared with these texts, made by tools of other versions; None: it can."""
    for text in files:
        head = json.loads(text)
        if (head["nvcc"], head["nvdisasm"]) != (nvcc, nvdisasm):
            return (f"the files were made by nvcc {head['nvcc']} and nvdisasm {head['nvdisasm']}, and here are {nvcc} and "
                    f"{nvdisasm}.")
    return None


def made(folder):
    """{name of a file: its text}. Raises NotHere."""
    nvcc, nvdisasm, cuobjdump = tool("nvcc"), tool("nvdisasm"), tool("cuobjdump")
    run = lambda *command: subprocess.run(command, check=True, capture_output=True, text=True).stdout
    sources = sorted((ROOT / "kernels").glob("*/*.cu"))

    def said_of(source):
        """What both tools print of it; None where it launches the kernels of others."""
        cubin = compiled(nvcc, source, folder)
        if b"run_untraced" not in cubin.read_bytes():
            return None
        return run(cuobjdump, "--dump-resource-usage", cubin), run(nvdisasm, "-c", "-gi", cubin)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(filter(None, pool.map(said_of, sources)))
    kernels = {}
    for usage, listing in said:
        resources = resources_of(usage)
        for symbol, (files, code) in forms_of_listing(listing).items():
            if not (m := FORM.match(symbol)):
                continue
            own = max(files, key=files.get) if files else ""
            form = {"key": m[1], **resources[symbol], "code": code}
            kernel = kernels.setdefault(kernel_name(m[1]), {"source": own, "forms": {}})
            # the same in every file that launches it
            if kernel["forms"].setdefault(m[1], form) != form:
                sys.exit(f"machine_code.py: two files make different code of {symbol}")
    head = {"format": "barrierscope.machine-code/1", "architecture": ARCHITECTURE, "nvcc": version_of(nvcc), "nvdisasm": version_of(nvdisasm)}
    return {f"{name}.json": written({**head, "kernel": name, "source": k["source"]}, [f for _, f in sorted(k["forms"].items())])
            for name, k in sorted(kernels.items())}


def written(head, forms):
    """The file's text: head, then the instructions that occur, then a form a line."""
    often = collections.Counter(what for form in forms for _, what in form["code"])
    texts = sorted(often, key=lambda what: (-often[what], what))
    number = {what: k for k, what in enumerate(texts)}
    lines = []
    for form in forms:
        runs = []
        for line, what in form["code"]:
            if not runs or runs[-1][0] != line:
                runs.append([line])
            runs[-1].append(number[what])
        lines.append(json.dumps({**form, "code": runs}, separators=(",", ":")))
    begin = json.dumps(head, indent=1)[:-2]
    return f'{begin},\n "texts": {json.dumps(texts, separators=(",", ":"))},\n "forms": [\n' + ",\n".join(lines) + "\n]}\n"


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--check", action="store_true", help="write nothing; say what is not as it is compiled now")
    asked = args.parse_args()
    have = {f.name: f.read_text(encoding="utf-8") for f in OUT.glob("*.json")}
    try:
        if asked.check and (why := other_tools(have.values(), version_of(tool("nvcc")), version_of(tool("nvdisasm")))):
            raise NotHere(why)
        with tempfile.TemporaryDirectory() as folder:
            files = made(folder)
    except NotHere as e:
        print(f"machine_code.py: {e}", file=sys.stderr)
        sys.exit(3 if asked.check else 1)
    if asked.check:
        old = sorted(name for name in {*files, *have} if files.get(name) != have.get(name))
        if old:
            sys.exit(f"not what is compiled now: {', '.join(old)}: run tools/machine_code.py")
        return
    OUT.mkdir(parents=True, exist_ok=True)
    for name in have.keys() - files.keys():
        (OUT / name).unlink()
    for name, text in files.items():
        (OUT / name).write_text(text, encoding="utf-8")
    print(f"{len(files)} kernels, {sum(map(len, files.values())):,} bytes in {OUT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
