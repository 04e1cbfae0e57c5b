"""The program barrierscope: where it is, what it is asked, what it answers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence, Union

Word = Union[str, "os.PathLike[str]"]


class BarrierscopeError(RuntimeError):
    """What the program would not do; the text is its own sentence, below the compiler's words if there are any.

    ``code`` is its exit code: 2 for bad usage or bad input, 1 where something is missing.
    """

    def __init__(self, sentence: str, code: int = 2) -> None:
        super().__init__(sentence)
        self.code = code

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a traceback: a student's mistake is not one in here."""
        return [f"BarrierscopeError: {self}"]


def program() -> str:
    """The path of the program: $BARRIERSCOPE_PROGRAM, else the wheel's own, else the one on PATH."""
    if chosen := os.environ.get("BARRIERSCOPE_PROGRAM"):
        return chosen
    own = Path(__file__).parent / "bin" / "barrierscope"
    if own.is_file():
        return str(own)
    here = shutil.which("barrierscope")
    if here and not _is_script_of_ours(here):
        return here
    raise BarrierscopeError("the program barrierscope is not here: install the wheel again, or name the program "
                            "in BARRIERSCOPE_PROGRAM", 1)


def _is_script_of_ours(path: str) -> bool:
    """The script that pip puts on PATH calls this module, which would call it."""
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def call(words: Sequence[Word], may_fail: bool = False) -> str:
    """Runs ``barrierscope WORDS`` and returns what it prints.

    Exit code 1 is a failed check where it ``may_fail`` and something was printed. Everything else raises
    BarrierscopeError with the program's own sentence.
    """
    path = program()
    try:
        done = subprocess.run([path, *(os.fspath(w) for w in words)], stdin=subprocess.DEVNULL, capture_output=True,
                              encoding="utf-8", errors="replace", check=False)
    except (OSError, ValueError) as error:  # ValueError: a NUL in a word
        raise BarrierscopeError(f"the program {path} cannot be run: {error}", 1) from None
    if done.returncode == 0 or (may_fail and done.returncode == 1 and done.stdout):
        return done.stdout
    said = [line[len("barrierscope: "):] if line.startswith("barrierscope: ") else line
            for line in done.stderr.rstrip().splitlines()]
    if done.returncode < 0:
        said.append(f"the program was ended by signal {-done.returncode}.")
    raise BarrierscopeError("\n".join(said) or f"the program ended with {done.returncode} and no word.", done.returncode)


def main() -> None:
    """The command ``barrierscope``: becomes the program itself."""
    try:
        path = program()
    except BarrierscopeError as error:
        sys.exit(f"barrierscope: {error}.")
    os.execv(path, ["barrierscope", *sys.argv[1:]])


def number(value: Any) -> str:
    """A number as the program reads it, of any type (NumPy's numbers have ``item``)."""
    value = value.item() if hasattr(value, "item") else value
    return repr(value) if isinstance(value, float) else str(value)


def input_options(options: Mapping[str, Any], parameters: Mapping[str, Any]) -> list[str]:
    """The words for what a kernel of the catalog runs on."""
    words: list[str] = []
    for name, value in options.items():
        if value is None:
            continue
        text = ",".join(number(v) for v in value) if name == "values" else number(value)
        words += [f"--{name}={text}"]
    for name, value in parameters.items():
        words += ["--set", f"{name}={number(value)}"]
    return words


def pairs(given: Mapping[str, Any] | Iterable[str]) -> list[str]:
    """``{"N": 16}`` or ``["N=16"]`` as NAME=VALUE each."""
    if isinstance(given, str):
        return [given]
    if isinstance(given, Mapping):
        return [name if value is None else f"{name}={number(value)}" for name, value in given.items()]
    return [str(one) for one in given]
