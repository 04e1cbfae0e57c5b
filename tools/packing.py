"""Packs of files that the page fetches as one."""

import json


def pack(files):
    """A line of JSON, [[path, bytes], ...], and the files' bytes."""
    return json.dumps([[path, len(data)] for path, data in files]).encode() + b"\n" + b"".join(d for _, d in files)
