"""The cell magic ``%%cuda``: a notebook's cell is a CUDA file."""

from __future__ import annotations

import argparse
import shlex
import tempfile
from pathlib import Path
from typing import Any, NoReturn

from barrierscope._program import BarrierscopeError
from barrierscope._run import Run, trace

USAGE = "%%cuda [NAME.cu] [--step K] [--tab T] [--theme T] [--language L] [OPTIONS OF check] [-- ARGS]"


class _Words(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BarrierscopeError(f"{message}; write {USAGE}")


def cuda(line: str, cell: str) -> Run:
    """Writes the cell as a .cu file, runs it, prints what it printed and what is wrong, and shows each step.

    With a NAME the file stays, beside the notebook. The first line stands for the one with ``%%cuda``, so that
    lines are the cell's own. What follows ``--`` goes to its main; all other options are those of
    ``barrierscope check``. The run is the cell's value: ``_`` in the next one.
    """
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise BarrierscopeError(f"{line} is no list of words: {error}; write {USAGE}") from None
    behind = words.index("--") if "--" in words else len(words)
    parser = _Words(prog="%%cuda", add_help=False, allow_abbrev=False)
    parser.add_argument("--step", type=int)
    for option in ("--tab", "--theme", "--language"):
        parser.add_argument(option)
    look, rest = parser.parse_known_args(words[:behind])
    name = rest.pop(0) if rest and rest[0].endswith(".cu") else None
    text = f"// %%cuda {line}".rstrip() + "\n" + cell
    if name:
        try:
            Path(name).write_text(text, encoding="utf-8")
        except OSError as error:
            raise BarrierscopeError(f"{name} cannot be written: {error.strerror}", 1) from None
        return _run(Path(name), rest, words[behind + 1:], vars(look))
    with tempfile.TemporaryDirectory(prefix="barrierscope-") as folder:
        file = Path(folder) / "cell.cu"
        file.write_text(text, encoding="utf-8")
        return _run(file, rest, words[behind + 1:], vars(look))


def _run(file: Path, options: list[str], args: list[str], look: dict[str, Any]) -> Run:
    run = trace(file, options=options, args=args)
    if run.output:
        print(run.output, end="" if run.output.endswith("\n") else "\n")
    print("\n".join([*run.notes, str(run.verdict)]))
    return run.looked_at(**{name: value for name, value in look.items() if value is not None})


def register(shell: Any) -> None:
    """Makes it known to an IPython shell."""
    shell.register_magic_function(cuda, magic_kind="cell", magic_name="cuda")
