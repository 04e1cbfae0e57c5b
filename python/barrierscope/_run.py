"""Runs: a kernel of the catalog, or a user's own CUDA file, traced once and asked as often as one likes."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence, Union

from barrierscope._program import BarrierscopeError, Word, call, input_options, number, pairs

if TYPE_CHECKING:
    from barrierscope._view import View

Json = dict[str, Any]
Source = Union[Word, Sequence[Word], "Run"]


class Verdict:
    """What ``check`` says of a run. True where everything passed; prints as the report."""

    def __init__(self, judged: Json, report: str) -> None:
        self.json: Json = judged  #: the whole answer, ``barrierscope.check/1``
        self._report = report

    @property
    def passed(self) -> bool:
        return bool(self.json["passed"])

    @property
    def correct(self) -> bool | None:
        """Whether the result is what it should be. None where no expected result is stated."""
        correct: bool | None = self.json["correct"]
        return correct

    @property
    def hazards(self) -> list[Json]:
        """Two threads touch a cell and nothing orders them: array, index, lines, threads, sentence."""
        return list(self.json["hazards"])

    @property
    def findings(self) -> list[Json]:
        """Wrong indices, barriers that not all reach, cells read before they are written: each with its sentence."""
        return list(self.json["findings"])

    @property
    def barriers(self) -> list[Json]:
        """Each barrier: is it needed at this size, and why."""
        return list(self.json["barriers"])

    @property
    def proof(self) -> Json:
        """Whether it is right for every input of this size."""
        return dict(self.json["proof"])

    @property
    def mistakes(self) -> list[str]:
        """What is wrong with a user's own program beside its kernels: a crash, a wrong copy, an exit code."""
        return list(self.json.get("program_mistakes", []))

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return self._report

    def __repr__(self) -> str:
        return self._report


class Run:
    """One run: what every thread did between any two barriers. In a notebook it shows itself."""

    def __init__(
        self, file: Word, judged: Json, folder: tempfile.TemporaryDirectory[str] | None = None
    ) -> None:
        self._file = Path(file)
        self._folder = folder  # goes with the run
        self._judged = judged
        self._json: Json | None = None
        self._verdict: Verdict | None = None
        self._look: dict[str, Any] = {}

    @property
    def file(self) -> Path:
        """The trace, which the app opens, too. A temporary one goes with the run: ``save`` keeps it."""
        return self._file

    @property
    def kernel(self) -> str:
        """Its name in the catalog; ``yours/...`` for a user's own file."""
        return str(self._judged["kernel"])

    @property
    def json(self) -> Json:
        """All of it, as ``barrierscope show --json`` says it; with ``program`` for a user's own file."""
        if self._json is None:
            self._json = json.loads(call(["show", self._file, "--json"]))
            if "program" in self._judged:
                self._json["program"] = self._judged["program"]
        return self._json

    @property
    def launches(self) -> list[Json]:
        """Each launch: name, grid, block, arrays, and its intervals between barriers."""
        return list(self.json["launches"])

    @property
    def steps(self) -> int:
        """How many intervals between barriers the run has: ``step`` counts them from 0."""
        return int(self._judged["steps"])

    @property
    def result(self) -> list[Any]:
        """The output array at the end."""
        return list(self.json["output"])

    @property
    def verdict(self) -> Verdict:
        """Hazards, findings, barriers, proof."""
        if self._verdict is None:
            report = call(["check", self._file], may_fail=True).rstrip("\n")
            report += "".join(f"\nFAIL  {mistake}" for mistake in self._judged.get("program_mistakes", []))
            self._verdict = Verdict(self._judged, report)
        return self._verdict

    @property
    def hazards(self) -> list[Json]:
        """See Verdict.hazards."""
        return self.verdict.hazards

    @property
    def findings(self) -> list[Json]:
        """See Verdict.findings."""
        return self.verdict.findings

    @property
    def output(self) -> str:
        """What a user's own program printed."""
        program = self._judged.get("program", {})
        return str(program.get("output", ""))

    @property
    def notes(self) -> list[str]:
        """What else is to be said of a user's own program: the compiler's warnings, wrong uses of CUDA's functions,
        what was left out, which constants can be smaller."""
        program = self._judged.get("program", {})
        said = [f"{d['file']}:{d['line']}:{d['column']}: {d['severity']}: {d['text']}"
                for d in program.get("diagnostics", [])]
        for remark in [program.get("end", {}), *program.get("warnings", [])]:
            if remark.get("sentence"):
                place = f"{remark['file']}:{remark['line']}: " if remark["line"] else ""
                said.append(place + remark["sentence"])
        return [*said, *program.get("notes", []), *(s["sentence"] for s in program.get("suggestions", []))]

    def save(self, path: Word) -> Path:
        """Keeps the trace in ``path`` (.bscope), whole or not at all. The app and ``load`` open it."""
        target = Path(path)
        if target.suffix != ".bscope":
            raise BarrierscopeError(f"a trace is kept in a file that ends in .bscope, not in {target}: name another")
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            shutil.copyfile(self._file, part)
            os.replace(part, target)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise BarrierscopeError(f"{target} cannot be written: {error.strerror}", 1) from None
        return target

    def show(self, **look: Any) -> View:
        """The same as ``barrierscope.show`` of this run: step, steps, tab, theme, language, size, predict."""
        from barrierscope._view import show

        return show(self, **{**self._look, **look})

    def looked_at(self, **look: Any) -> Run:
        """This run, which shows itself so from now on: ``run.looked_at(tab="banks", theme="dark")``."""
        self._look = {**self._look, **look}
        return self

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return self.show()._repr_mimebundle_(include, exclude)

    def _repr_html_(self) -> str:
        return self.show()._repr_html_()

    def __repr__(self) -> str:
        return f"<Run of {self.kernel}: {self.steps} steps, {'passed' if self._judged['passed'] else 'failed'}>"


def words_of(what: Word | Sequence[Word]) -> list[Word]:
    """A kernel's name, a file, or several."""
    return [what] if isinstance(what, (str, os.PathLike)) else list(what)


def load(path: Word) -> Run:
    """A run that was kept: ``Run.save``, the app, or ``barrierscope trace`` wrote it."""
    return Run(path, json.loads(call(["check", "--json", path], may_fail=True)))  # or it says why it is none


def trace(
    what: Word | Sequence[Word],
    *,
    values: Iterable[Any] | None = None,
    n: int | str | None = None,
    input: Word | None = None,
    pattern: str | None = None,
    seed: int | None = None,
    skew: float | None = None,
    entropy: float | None = None,
    block: int | None = None,
    preset: str | None = None,
    schedule: str | None = None,
    args: Iterable[Any] = (),
    const: Mapping[str, Any] | Iterable[str] = (),
    include: Iterable[Word] = (),
    define: Mapping[str, Any] | Iterable[str] = (),
    std: str | None = None,
    seconds: float | None = None,
    options: Sequence[str] = (),
    **parameters: Any,
) -> Run:
    """Runs a kernel of the catalog, or your own CUDA file, and keeps what every thread did.

    ``trace("scan/blelloch", values=[3, 1, 7, 0], block=2)``: any other keyword is a parameter of that kernel.
    ``trace("mine.cu", args=[1024], const={"N": 16})``: what its ``main`` is given, and constants that are smaller
    in a copy. ``include``, ``define`` and ``std`` are the compiler's; it may run for ``seconds``.
    ``options`` are further words of the command line.

    Raises BarrierscopeError with the program's, or the compiler's, own words.
    """
    folder = tempfile.TemporaryDirectory(prefix="barrierscope-")
    file = Path(folder.name) / "run.bscope"
    words: list[Word] = [*words_of(what), f"--output={file}"]
    words += input_options({"values": values, "n": n, "input": input, "pattern": pattern, "seed": seed, "skew": skew,
                            "entropy": entropy, "block": block, "preset": preset, "schedule": schedule,
                            "std": std, "seconds": seconds}, parameters)
    words += [f"--const={one}" for one in pairs(const)]
    for one in include:
        words += ["-I", os.fspath(one)]
    for macro in pairs(define):
        words += ["-D", macro]
    words += options
    if args := list(args):
        words += ["--", *(number(one) for one in args)]
    return Run(file, json.loads(call(["check", "--json", *words], may_fail=True)), folder)


def check(what: Source, **request: Any) -> Verdict:
    """Whether it is right, and right in every order. The same keywords as ``trace``; a failed check raises nothing."""
    return as_run(what, **request).verdict


def as_run(what: Source, **request: Any) -> Run:
    """A run as it is, the file of one, or one that is made."""
    if isinstance(what, Run):
        if request:
            raise TypeError(f"this run is over: {', '.join(request)} would need another `trace`")
        return what
    named = words_of(what)
    if len(named) == 1 and os.fspath(named[0]).endswith(".bscope") and not request:
        return load(named[0])
    return trace(what, **request)


def kernels() -> dict[str, Json]:
    """The catalog by name: title, lesson, parameters with their values, presets, sizes."""
    return {one["name"]: one for one in json.loads(call(["list", "--json"]))["kernels"]}
