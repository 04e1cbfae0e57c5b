#!/usr/bin/env python3
"""Shows what the tests' outputs differ in from the approved ones, and approves the new ones.

  tools/approve.py          each difference, then a question
  tools/approve.py --all    approves every difference that it shows
"""

import argparse
import difflib
import pathlib
import sys

APPROVED = pathlib.Path(__file__).resolve().parent.parent / "tests" / "approved"


def difference(approved, received):
    """Lines of a unified diff; one line for files that are no text."""
    try:
        old = approved.read_text().splitlines(keepends=True) if approved.exists() else []
        new = received.read_text().splitlines(keepends=True)
    except UnicodeDecodeError:
        return [f"{approved.name}: no text, look at both files\n"]
    return difflib.unified_diff(old, new, f"approved/{approved.name}", "received")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="approve without asking")
    everything = parser.parse_args().all
    received = sorted(APPROVED.rglob("*.received"))
    if not received:
        print("nothing to approve: run the tests first")
        return 0
    left = 0
    for path in received:
        approved = path.with_name(path.name.removesuffix(".received"))
        sys.stdout.writelines(difference(approved, path))
        if everything or input(f"approve {approved.name}? [y/N] ").strip().lower() == "y":
            path.replace(approved)
            print(f"approved {approved.name}")
        else:
            left += 1
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
