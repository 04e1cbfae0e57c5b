"""The page's service worker: it knows each file of its version that pages ask for, by its content."""

import hashlib
import json
import pathlib

TEMPLATE = pathlib.Path(__file__).resolve().parent.parent / "app" / "web" / "site" / "service_worker.js"


def service_worker(site, version):
    """Its text, for the files of the folder."""
    hashes = {file.relative_to(site).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()[:12]
              for file in sorted(site.rglob("*")) if file.is_file() and file.suffix != ".html" and file.name != "site.json"}
    return TEMPLATE.read_text(encoding="utf-8").replace("@version@", version).replace("@hashes@", json.dumps(hashes))
