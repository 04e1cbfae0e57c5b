"""Notebooks that are run for real: their cells go to an IPython kernel of the Python that runs these tests."""

import base64
import gzip
import html
import json
import os
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).parent.parent.parent


def pictures_of(text):
    """The SVG documents that a view's HTML holds, as a browser unpacks them."""
    if image := re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', text):
        return [base64.b64decode(image[1]).decode()]
    document = html.unescape(re.search(r'srcdoc="([^"]*)"', text)[1])
    return json.loads(gzip.decompress(base64.b64decode(re.search(r'packed = "([^"]+)"', document)[1])))


class Ran:
    """One cell's outputs."""

    def __init__(self, cell):
        self.printed = "".join(o["text"] for o in cell.outputs if o.output_type == "stream")
        self.shown = [o["data"] for o in cell.outputs if o.output_type in ("execute_result", "display_data")]
        self.error = next((o for o in cell.outputs if o.output_type == "error"), None)

    @property
    def pictures(self):
        return pictures_of(self.shown[-1]["text/html"])


@pytest.fixture
def notebook(tmp_path):
    """notebook(cell, ...): runs them in one kernel, in a folder of their own; the cells' outputs."""

    def run(*cells, fails=False):
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
        client = NotebookClient(book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
        try:
            client.execute(env={**os.environ, "BARRIERSCOPE_PROGRAM": ""})
            assert not fails, "nothing failed"
        except CellExecutionError as error:
            assert fails, error
        return [Ran(cell) for cell in book.cells]

    run.folder = tmp_path
    return run
