"""The live page in a notebook: its files, which come with the wheel, and runs, handed out on this machine alone."""

from __future__ import annotations

import http.server
import os
import secrets
import threading
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    from barrierscope._run import Run

MOST_RUNS = 64  # that are kept for views on screen
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".wasm": "application/wasm",
         ".svg": "image/svg+xml"}


def folder() -> Path | None:
    """Where the page's files are; None: this wheel was built without them."""
    named = os.environ.get("BARRIERSCOPE_PAGE")
    found = Path(named) if named else Path(__file__).parent / "page"
    return found if (found / "app.html").is_file() else None


class Server(http.server.ThreadingHTTPServer):
    """Answers only clients that know the secret in its addresses: not other users of this machine, nor pages that send a
    browser here by another name."""

    daemon_threads = True

    def __init__(self, files: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = files
        self.secret = secrets.token_urlsafe(16)
        self.runs: OrderedDict[str, Run] = OrderedDict()
        threading.Thread(target=self.serve_forever, daemon=True, name="barrierscope page").start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/{self.secret}"

    def keep(self, run: Run) -> str:
        """The name under which the run is handed out."""
        name = next((name for name, kept in self.runs.items() if kept is run), f"{secrets.token_hex(8)}.bscope")
        self.runs[name] = run
        self.runs.move_to_end(name)
        while len(self.runs) > MOST_RUNS:
            self.runs.popitem(last=False)
        return name


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        file = self.asked()
        try:
            data = file.read_bytes() if file else None
        except OSError:
            data = None
        if data is None or file is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", TYPES.get(file.suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(len(data)))
        # a view's frame is walled off, and so has no origin of its own
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Cache-Control", "no-store" if file.suffix == ".bscope" else "private, max-age=86400")
        self.end_headers()
        self.wfile.write(data)

    def asked(self) -> Path | None:
        if self.headers.get("Host") != f"127.0.0.1:{self.server.server_port}":
            return None
        secret, _, name = self.path.split("?")[0].lstrip("/").partition("/")
        if not secrets.compare_digest(secret.encode(), self.server.secret.encode()):
            return None
        if run := self.server.runs.get(name):
            return run.file
        known = {file.name: file for file in self.server.files.iterdir() if file.is_file()}
        return known.get(name)

    def log_message(self, *_: Any) -> None:
        """A notebook's reader asks for no log."""


_server: Server | None = None
_lock = threading.Lock()


def live(run: Run, tab: str, theme: str, language: str) -> dict[str, str] | None:
    """Where the view's page and its run are handed out; None: there is no page here."""
    global _server
    files = folder()
    if files is None or tab in ("time", "compare"):  # the recordings that they show do not travel in the wheel
        return None
    with _lock:
        if _server is None or _server.files != files:
            _server = Server(files)
        name = _server.keep(run)
    words = urlencode({"embed": tab, "theme": theme, "language": language})
    return {"page": f"{_server.address}/app.html?{words}", "run": f"{_server.address}/{name}"}
