#!/usr/bin/env python3
"""Checks that no two sources of a folder define one name in their anonymous namespaces. A unity build compiles them as one:
two functions of a name would be overloads of each other, and a call could silently mean the other file's. Exits 1 and
names each.

  tools/check_names.py [ROOT]
"""

import collections
import pathlib
import re
import sys

FOLDERS = ("engine", "app", "tests")
NO_UNITY = ("tests/fuzz", "tests/gpu", "tests/random_runs", "tests/mutants", "tests/raw", "tests/ui", "tests/cuda", "tests/web")  # each file by itself
DEFINED = (
    re.compile(r"(?:struct|class|enum(?: class)?) (\w+)"),
    re.compile(r"(?!using|return|//|\s|template|#|namespace|static_assert)[\w:<>,*&\[\]\s~]+?[\s*&](\w+)\("),  # a function
    re.compile(r"(?:constexpr|const|static|thread_local|std|int|bool|size_t|double|float|auto)\b[^(]*?\b(\w+)(?:\[[^\]]*\])* *[={;]"),
)


def own_names(text):
    """Names that are defined in the text's anonymous namespaces, at their outermost level."""
    inside = False
    for line in text.splitlines():
        if line == "namespace {":
            inside = True
        elif line == "}  // namespace":
            inside = False
        elif inside:
            for pattern in DEFINED:
                if found := pattern.match(line):
                    yield found.group(1)
                    break


def problems(root):
    files = collections.defaultdict(set)
    for folder in FOLDERS:
        for source in sorted((root / folder).rglob("*.cpp")):
            if source.relative_to(root).as_posix().startswith(NO_UNITY):
                continue
            for name in own_names(source.read_text()):
                files[source.parent.relative_to(root).as_posix(), name].add(source.name)
    for (place, name), sources in sorted(files.items()):
        if len(sources) > 1:
            yield f"{place}: {' and '.join(sorted(sources))} each have a {name} of their own: give one another name, or share it"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = list(problems(root))
    print("\n".join(found) if found else "names of sources: kept")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
