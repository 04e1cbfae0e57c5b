#!/usr/bin/env python3
"""Checks which parts may include which. Exits 1 and names each include that breaks a rule, each line that knows a tab by
its name, and each that reads or writes the text of JSON by itself.

  tools/check_includes.py [ROOT]
"""

import pathlib
import re
import sys

ENGINE = ["engine/trace", "engine/analysis", "engine/timing", "engine/cuda/toolchain", "engine/cuda/on_gpu",
          "engine/catalog", "engine/machine_code"]
BELOW_TABS = ["app/words", "app/draw", "app/run", "app/assignments", "app/measure", "app/session", "app/parts"]
# Each part may include itself and these; what is not listed is forbidden. A part knows parts above it alone: no two
# know each other, nor in a circle. Each folder of app/tabs is a part, and tabs do not know one another.
KNOWS = {
    "engine/trace": [],
    "engine/simt": ["engine/trace"],
    "engine/analysis": ["engine/trace"],
    "engine/timing": ["engine/trace", "engine/simt"],
    "engine/cuda/run_files": ["engine/trace"],
    "engine/cuda": ["engine/trace", "engine/simt", "engine/cuda/run_files"],
    "engine/cuda/toolchain": ["engine/trace", "engine/simt", "engine/analysis", "engine/cuda/run_files"],
    "engine/cuda/on_gpu": ["engine/trace", "engine/simt", "engine/analysis", "engine/timing", "engine/cuda/run_files",
                           "engine/cuda/toolchain"],
    "engine/cuda/worker": ["engine/trace", "engine/simt", "engine/analysis", "engine/cuda", "engine/cuda/toolchain"],
    "engine/catalog": ["engine/trace", "engine/simt", "engine/timing"],
    "engine/machine_code": ["engine/trace", "engine/simt", "engine/catalog"],
    "kernels": ["engine/trace", "engine/simt", "engine/catalog"],
    "app/words": ["engine/trace"],
    "app/draw": [],
    "app/run": [*ENGINE, "app/words"],
    "app/assignments": [*ENGINE, "app/words", "app/run"],
    "app/measure": [*ENGINE, "app/words", "app/run"],
    "app/session": [*ENGINE, "app/words", "app/draw", "app/run", "app/assignments"],
    "app/parts": [*ENGINE, "app/words", "app/draw", "app/run", "app/assignments", "app/session"],
    "app/tabs": [*ENGINE, *BELOW_TABS],
    "app/lessons": [*ENGINE, *BELOW_TABS, "app/tabs"],
    "app/options": [*ENGINE, *BELOW_TABS],
    "app/links": [*ENGINE, *BELOW_TABS, "app/lessons", "app/options"],
    "app/export": [*ENGINE, *BELOW_TABS],
    "app/hosting": [*ENGINE, *BELOW_TABS, "app/lessons", "app/options", "app/links"],
    "app/cli": [*ENGINE, *BELOW_TABS, "app/tabs", "app/lessons", "app/options", "app/links", "app/export", "app/hosting"],
    "app/shell": [*ENGINE, *BELOW_TABS, "app/tabs", "app/lessons", "app/options", "app/links", "app/export"],
    "app/window": [*ENGINE, *BELOW_TABS, "app/tabs", "app/lessons", "app/options", "app/links", "app/export", "app/cli",
                   "app/shell"],
    "app/web": [*ENGINE, *BELOW_TABS, "app/tabs", "app/lessons", "app/options", "app/links", "app/export", "app/cli",
                "app/shell", "app/window"],
    "app": [*ENGINE, *BELOW_TABS, "app/tabs", "app/lessons", "app/options", "app/links", "app/export", "app/cli",
            "app/shell", "app/window"],
}
for place, (part, known) in enumerate(KNOWS.items()):
    assert all(k in list(KNOWS)[:place] for k in known), f"{part} knows a part that is not above it"

# Headers of others, and the only places that may include them (by the beginning of the path).
ONLY_IN = {
    "Dear ImGui and the window": (
        r"(imgui|imstb|TextEditor).*|GLFW/.*|glad/.*|GL/.*|GLES3/.*|EGL/.*|emscripten.*|portable[-_]file[-_]dialogs.*",
        ["app/shell/", "app/window/", "app/web/", "app/main.cpp", "third_party/", "tests/ui/", "benchmarks/"],
    ),
    "the CUDA runtime": (
        r"cuda.*|cub/.*|thrust/.*|nccl.*|nvml.*|nvrtc.*|cooperative_groups.*",
        ["engine/simt/gpu_", "engine/timing/", "engine/cuda/include/", "engine/cuda/on_gpu/launch_times.cu", "tests/gpu/",
         "tests/cuda/", "benchmarks/",
         *(f"kernels/{family}/cuda/" for family in ("reduce", "scan", "histogram", "mistakes", "patterns"))],
    ),
    "cairo": (r"cairo.*", ["app/export/", "tests/"]),
    # a file may be a folder, a pipe without end, anything: engine/trace/read_file.hpp and whole_file.hpp know
    # (engine/cuda/include is what users' programs include: theirs may)
    "the library's own files": (r"fstream", ["tests/", "benchmarks/", "third_party/", "engine/cuda/include/"]),
}

# JSON is made from text, and text from JSON, in one place: it bounds what it reads, and replaces what is no UTF-8.
JSON = re.compile(r"\.dump\s*\(|\b\w*json::(parse|accept|sax_parse)\s*\(", re.IGNORECASE)
JSON_ONLY_IN = ("engine/trace/json_text.cpp", "app/assignments/json_lines.cpp")

OURS = ("engine", "kernels", "app")
LOOKED_AT = ("engine", "kernels", "app", "tests", "benchmarks", "third_party")
SUFFIXES = {".hpp", ".h", ".cpp", ".cu", ".cuh"}
TAB_NAME = re.compile(r'\.name = "(\w+)"')
# Tabs themselves; the verb `time` of the command line has a tab's name.
MAY_NAME_TABS = ("app/tabs/", "app/cli/verbs/time.cpp")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def part_of(path):
    """engine/trace/file.hpp -> engine/trace; app/tabs/time/x.cpp -> app/tabs/time; app/main.cpp -> app; None outside
    our code."""
    names = path.split("/")
    if len(names) > 3 and "/".join(names[:3]) in KNOWS:
        return "/".join(names[:3])
    depth = 3 if names[:2] == ["app", "tabs"] else 2
    if len(names) > depth and "/".join(names[:2]) in KNOWS:
        return "/".join(names[:depth])
    return names[0] if names[0] in OURS else None


def rule_of(path):
    """The line of KNOWS that a file or a part goes by."""
    three, two = ("/".join(path.split("/")[:n]) for n in (3, 2))
    if three in KNOWS:
        return three
    return two if two in KNOWS else path.split("/")[0]


def problems_of(path, line, quote, included):
    """The sentences about one include of one file."""
    for what, (pattern, places) in ONLY_IN.items():
        if re.fullmatch(pattern, included) and not any(path.startswith(p) for p in places):
            yield f"{path}:{line}: {what} ({included}) may be included only in {', '.join(places)}"
    if included.startswith("../") or included.startswith("./"):
        yield f"{path}:{line}: {included}: write the path from the root of the project"
    here, there = part_of(path), part_of(included)
    if here is None or there is None or here == there:
        return
    allowed = KNOWS[rule_of(here)]
    if rule_of(there) not in KNOWS:
        yield f"{path}:{line}: {there} is no folder that tools/check_includes.py knows: add it to KNOWS"
    elif rule_of(there) not in allowed:
        known = ", ".join(allowed) or "nobody"
        yield f"{path}:{line}: {here} may not include {there} ({included}); it knows {known}"


def tab_names(root):
    """The names that tabs register themselves with."""
    return sorted({match[1] for file in (root / "app/tabs").glob("*/tab.cpp")
                   if (match := TAB_NAME.search(file.read_text(encoding="utf-8")))})


def knows_a_tab(names):
    """What finds a tab's name where code compares or assigns a tab: tabs are known by the fields of their value."""
    names = "|".join(map(re.escape, names))
    return re.compile(rf'(\b\w*(tab|view|name)\w*\s*(==|!=|=)|\btab_named\()\s*"({names})"') if names else None


def problems(root):
    """All of them, for every source file under root."""
    tab = knows_a_tab(tab_names(root))
    for top in LOOKED_AT:
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in SUFFIXES:
                continue
            path = file.relative_to(root).as_posix()
            for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                if match := INCLUDE.match(text):
                    yield from problems_of(path, number, match[1], match[2])
                elif path.startswith(OURS) and path not in JSON_ONLY_IN and (match := JSON.search(text.split("//")[0])):
                    yield (f"{path}:{number}: JSON is read and written ({match[0]}...) in engine/trace/json_text alone: "
                           "call parse_json, try_parse_json or json_text")
                elif tab and path.startswith("app/") and not path.startswith(MAY_NAME_TABS) and "main_tab =" not in text and (match := tab.search(text)):
                    yield (f'{path}:{number}: this knows the tab "{match[4]}" by its name: ask a field of Tab '
                           "(app/session/tab.hpp), or main_tab")


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = list(problems(root))
    for problem in found:
        print(problem)
    print(f"include rules: {len(found)} broken" if found else "include rules: kept")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
