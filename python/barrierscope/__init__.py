"""Barrierscope in Python: watch GPU kernels barrier by barrier, in a notebook, without a GPU.

>>> import barrierscope
>>> barrierscope.show("scan/blelloch", values=[3, 1, 7, 0, 4, 1, 6, 3])    # in a notebook: the picture, step by step
>>> run = barrierscope.trace("mine.cu", args=[1024])                       # your own CUDA file, unchanged
>>> run.hazards, run.verdict.passed, run.result

``%load_ext barrierscope`` adds the cell magic ``%%cuda``.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

from barrierscope._program import BarrierscopeError
from barrierscope._run import Run, Verdict, check, kernels, load, trace
from barrierscope._view import View, show

__all__ = ["BarrierscopeError", "Run", "Verdict", "View", "check", "kernels", "load", "show", "trace"]

try:
    __version__ = version("barrierscope")
except PackageNotFoundError:  # run from a clone
    __version__ = "0"


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext barrierscope``."""
    from barrierscope._magic import register

    register(shell)
