"""Pictures of a run: one step, or all of them to walk through, inline in a notebook."""

from __future__ import annotations

import base64
import gzip
import html
import json
import os
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

from barrierscope import _page as page
from barrierscope._program import BarrierscopeError, call
from barrierscope._run import Run, Source, as_run

MOST_STEPS = 64  # pictures in one view: a notebook keeps them all
BAR = 46  # pixels below the picture, for the buttons


class View:
    """Some steps of a run as pictures. A notebook shows it where it is a cell's last value, or by ``display``."""

    def __init__(self, run: Run, svgs: dict[int, str], size: tuple[int, int], theme: str, of: int,
                 live: dict[str, str] | None = None) -> None:
        self.run = run  #: what is shown
        self.svgs = svgs  #: the pictures by step, each a whole SVG document
        self._size = size
        self._theme = theme
        self._of = of
        self._live = live  # where its page is handed out, as long as this Python runs

    @property
    def svg(self) -> str:
        """The first picture."""
        return next(iter(self.svgs.values()))

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Keeps it: an .svg of the first step, or an .html of all, which needs nothing else."""
        target = Path(path)
        if target.suffix not in (".svg", ".html"):
            raise BarrierscopeError(f"a view is kept as .svg or .html, not as {target}: name another file")
        try:
            target.write_text(self.svg if target.suffix == ".svg" else self.document(), encoding="utf-8")
        except OSError as error:
            raise BarrierscopeError(f"{target} cannot be written: {error.strerror}", 1) from None
        return target

    def document(self, live: bool = False) -> str:
        """A page of its own with all the pictures: buttons, a slider, arrow keys. ``live``: the page stands over them
        while this Python runs."""
        steps = json.dumps(list(self.svgs))
        packed = base64.b64encode(gzip.compress(json.dumps(list(self.svgs.values())).encode(), 9, mtime=0)).decode()
        text = files("barrierscope").joinpath("steps.html").read_text(encoding="utf-8")
        for name, value in {"@theme@": self._theme, "@of@": str(self._of), "@steps@": steps, "@pictures@": packed,
                            "@live@": json.dumps(self._live if live else None)}.items():
            text = text.replace(name, value)
        return text

    def _repr_html_(self) -> str:
        width, height = self._size
        if len(self.svgs) == 1 and not self._live:
            source = "data:image/svg+xml;base64," + base64.b64encode(self.svg.encode()).decode()
            return f'<img alt="{html.escape(repr(self))}" style="width:100%;max-width:{width}px" src="{source}">'
        # In a frame of its own: its styles and keys are not the notebook's.
        return (f'<iframe title="{html.escape(repr(self))}" sandbox="allow-scripts" '
                f'style="width:100%;max-width:{width}px;aspect-ratio:{width}/{height + BAR};border:0" '
                f'srcdoc="{html.escape(self.document(live=True))}"></iframe>')

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        # The SVG is for those that show no HTML: a page on paper, a text editor.
        return {"text/html": self._repr_html_(), "image/svg+xml": self.svg, "text/plain": repr(self)}

    def __repr__(self) -> str:
        first, last = min(self.svgs), max(self.svgs)
        which = f"step {first}" if first == last else f"steps {first} to {last}"
        return f"<View of {self.run.kernel}: {which} of {self._of}>"


def show(
    what: Source,
    *,
    step: int | None = None,
    steps: tuple[int, int] | None = None,
    tab: str = "watch",
    theme: str = "light",
    language: str = "en",
    size: tuple[int, int] = (1200, 675),
    predict: bool = False,
    live: bool = True,
    **request: Any,
) -> View:
    """The picture of a run: a kernel of the catalog, your own CUDA file, a kept .bscope file, or a Run.

    ``step`` is one interval between barriers, counted from 0; ``steps=(4, 9)`` are several; without either it is
    all of them, to walk through. ``tab`` is watch, run, banks, memory, atomics, compare, time or schedule; ``theme`` light,
    dark or projector; ``language`` en or zh; ``predict`` leaves open what the step changes, as a question.
    Where the wheel holds the page, the view is live: the app's own view, in place of the pictures, as long as this Python
    runs on the reader's machine; ``live=False`` leaves it at the pictures. Everything else says what runs: see ``trace``.
    """
    run = as_run(what, **request)
    of = run.steps
    if step is not None and steps is not None:
        raise TypeError("step and steps exclude each other")
    whole = tab in ("run", "time")  # one picture of all the steps
    if step is not None or whole:
        asked = [min(step or 0, of - 1)] if step is None or step >= 0 else [step]
    else:
        first, last = steps or (0, min(of, MOST_STEPS) - 1)
        asked = list(range(first, min(last, of - 1) + 1)) or [first]
        if len(asked) > MOST_STEPS:
            raise BarrierscopeError(f"{len(asked)} steps are too many for one view: ask for {MOST_STEPS} at most")
    look = [f"--view={tab}", f"--theme={theme}", f"--language={language}", f"--size={size[0]}x{size[1]}",
            *(["--predict"] if predict else [])]
    at = page.live(run, tab, theme, language) if live and not predict else None
    return View(run, pictures(run, asked, look), size, theme, of, at)


def pictures(run: Run, steps: list[int], look: list[str]) -> dict[int, str]:
    """Each step's SVG. One program draws them all: a long run takes longer to open than to draw."""
    with tempfile.TemporaryDirectory(prefix="barrierscope-") as folder:
        which = [f"--step={steps[0]}"] if len(steps) == 1 else [f"--steps={steps[0]}..{steps[-1]}"]
        name = f"{steps[0]}.svg" if len(steps) == 1 else "%d.svg"
        call(["render", run.file, *which, f"--output={Path(folder) / name}", *look])
        return {step: (Path(folder) / f"{step}.svg").read_text(encoding="utf-8") for step in steps}
