#!/usr/bin/env python3
"""Serves the page's folder on this machine alone, as any static server would: compressed files to browsers that accept
them, and a check instead of a download to browsers that have them.

  web_server.py FOLDER [--port P]        P 0: any that is free; the address is printed"""

import argparse
import http.server
import os
import sys

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".wasm": "application/wasm",
         ".svg": "image/svg+xml", ".json": "application/json", ".pack": "application/octet-stream",
         ".webmanifest": "application/manifest+json"}
CODINGS = (("br", ".br"), ("gzip", ".gz"))


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, **TYPES}
    coding = None

    def send_head(self):
        self.coding = None
        path = self.translate_path(self.path)
        if os.path.isdir(path):
            path = os.path.join(path, "index.html")
        taken = {word.split(";")[0].strip() for word in self.headers.get("Accept-Encoding", "").split(",")}
        kind = self.guess_type(path)
        for name, ending in CODINGS:
            if name in taken and os.path.isfile(path + ending):
                self.coding, path = name, path + ending
                break
        try:
            file = open(path, "rb")
        except OSError:
            self.send_error(404)
            return None
        about = os.fstat(file.fileno())
        mark = f'"{about.st_mtime_ns:x}-{about.st_size:x}"'
        same = self.headers.get("If-None-Match") == mark
        self.send_response(304 if same else 200)
        self.send_header("ETag", mark)
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Access-Control-Allow-Origin", "*")  # a frame in a sandbox has no origin of its own
        self.send_header("Vary", "Accept-Encoding")
        if same:
            self.end_headers()
            file.close()
            return None
        self.send_header("Content-Type", kind)
        if self.coding:
            self.send_header("Content-Encoding", self.coding)
        self.send_header("Content-Length", str(about.st_size))
        self.end_headers()
        return file

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """A browser that goes away is no mistake."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def main():
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("folder")
    given.add_argument("--port", type=int, default=8000)
    a = given.parse_args()
    if not os.path.isfile(os.path.join(a.folder, "index.html")):
        sys.exit(f"{a.folder} holds no page: ./web.sh builds it")
    try:
        server = Server(("127.0.0.1", a.port), lambda *x: Handler(*x, directory=a.folder))
    except OSError as e:
        sys.exit(f"port {a.port} cannot be had ({e.strerror}): choose another with --port")
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
