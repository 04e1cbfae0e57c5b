"""A Firefox on a virtual display (Xvfb: without one it has no WebGL), driven as browsers offer it to all (WebDriver
BiDi, over a WebSocket), with Python's library alone.
Its pages answer as those of chromium.py do, as far as tests ask both."""

import base64
import json
import os
import queue
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time

from chromium import Scripted

KEYS = {"Control": "\ue009", "Shift": "\ue008", "Enter": "\ue006", "Escape": "\ue00c", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
        "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Home": "\ue011", "End": "\ue010"}
# There is no GPU; Mesa draws all the same.
PREFERENCES = {"webgl.force-enabled": True, "webgl.disabled": False, "browser.shell.checkDefaultBrowser": False,
               "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.reportingpolicy.firstRun": False,
               "remote.active-protocols": 1, "browser.sessionstore.resume_from_crash": False, "dom.w3c_touch_events.enabled": 1}


def found():
    """The browser's program, or None."""
    return shutil.which("Xvfb") and (shutil.which("firefox-esr") or shutil.which("firefox"))


class Socket:
    """As much of a WebSocket as this needs: texts to a server of this machine, and its texts."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.settimeout(None)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.socket.recv(4096)
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(head.decode())

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = struct.pack("!B", 0x80 | len(data)) if len(data) < 126 else struct.pack("!BH", 0x80 | 126, len(data)) \
            if len(data) < 65536 else struct.pack("!BQ", 0x80 | 127, len(data))
        masked = bytes(b ^ mask[k % 4] for k, b in enumerate(data))
        self.socket.sendall(b"\x81" + size + mask + masked)

    def take(self, n):
        while len(self.rest) < n:
            more = self.socket.recv(1 << 16)
            if not more:
                raise EOFError
            self.rest += more
        taken, self.rest = self.rest[:n], self.rest[n:]
        return taken

    def receive(self):
        whole = b""
        while True:
            first, second = self.take(2)
            n = second & 127
            if n == 126:
                n = struct.unpack("!H", self.take(2))[0]
            elif n == 127:
                n = struct.unpack("!Q", self.take(8))[0]
            data = self.take(n)
            if first & 15 == 8:
                raise EOFError
            if first & 15 in (0, 1):
                whole += data
            if first & 128 and first & 15 in (0, 1):
                return whole.decode()


class Firefox:
    """As a context: the browser runs until its end."""

    def __init__(self, patience=120):
        self.patience = patience
        self.profile = tempfile.mkdtemp(prefix="barrierscope-firefox-")
        with open(f"{self.profile}/user.js", "w", encoding="utf-8") as out:
            for name, value in PREFERENCES.items():
                out.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        end, begin = os.pipe()
        self.display = subprocess.Popen(["Xvfb", "-displayfd", str(begin), "-screen", "0", "1920x1200x24", "-nolisten", "tcp"],
                                        pass_fds=(begin,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(begin)
        with os.fdopen(end) as told:
            screen = told.readline().strip()
        self.process = subprocess.Popen([found(), "--no-remote", "--remote-debugging-port", "0", "--profile",
                                         self.profile, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                        text=True, env={**os.environ, "HOME": self.profile, "DISPLAY": f":{screen}"})
        port = None
        for line in self.process.stderr:
            if at := re.search(r"WebDriver BiDi listening on ws://127\.0\.0\.1:(\d+)", line):
                port = int(at[1])
                break
        if port is None:
            raise RuntimeError("Firefox did not begin")
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.socket = Socket(port, "/session")
        self.number, self.answers, self.listeners = 0, {}, []
        threading.Thread(target=self._listen, daemon=True).start()
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])

    def _listen(self):
        try:
            while True:
                said = json.loads(self.socket.receive())
                if said.get("id") is not None:
                    self.answers.pop(said["id"]).put(said)
                elif said.get("type") == "event":
                    for listener in self.listeners:
                        listener(said)
        except (EOFError, OSError):
            for waiting in list(self.answers.values()):
                waiting.put({"type": "error", "message": "the browser has ended"})

    def send(self, method, **parameters):
        answer = queue.Queue()
        self.number += 1
        self.answers[self.number] = answer
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        said = answer.get(timeout=self.patience)
        if said["type"] == "error":
            raise RuntimeError(f"{method}: {said['message']}")
        return said["result"]

    def open(self, url, width=1600, height=900):
        return Page(self, url, width, height)

    def memory_of_pages(self):
        """Unknown: Firefox does not report it."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("browser.close")
        except (RuntimeError, OSError, queue.Empty):
            self.process.kill()
        self.process.wait()
        self.display.terminate()
        self.display.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Page(Scripted):
    """A tab of it. `thrown`: what it threw, and its console's errors."""

    def __init__(self, browser, url, width, height):
        self.browser, self.said, self.thrown = browser, [], []
        self.context = browser.send("browsingContext.create", type="tab")["context"]
        browser.listeners.append(self._hear)
        browser.send("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})
        self.go(url)

    def _hear(self, said):
        p = said["params"]
        if p.get("source", {}).get("context") != self.context:
            return
        (self.thrown if p.get("type") == "javascript" and p.get("level") == "error" else self.said).append(p.get("text"))

    def go(self, url):
        self.browser.send("browsingContext.navigate", context=self.context, url=url, wait="none")

    def js(self, expression, by_hand=False):
        """by_hand: as if the user had just clicked, without which pages may not write to the clipboard."""
        r = self.browser.send("script.evaluate", expression=f"Promise.resolve((0, eval)({json.dumps(expression)})).then(v => JSON.stringify(v))",
                              target={"context": self.context}, awaitPromise=True, userActivation=by_hand)
        if r["type"] == "exception":
            raise RuntimeError(r["exceptionDetails"]["text"])
        value = r["result"].get("value")
        return json.loads(value) if value is not None else None

    def rest(self, seconds=60):
        time.sleep(0.1)
        return self.until("barrierscope.resting", seconds)

    def perform(self, kind, name, *actions, **more):
        """What one device does: its own actions, one after the other."""
        self.browser.send("input.performActions", context=self.context,
                          actions=[{"type": kind, "id": name, "actions": list(actions), **more}])

    def key(self, name, *held):
        one = KEYS.get(name, name)
        self.perform("key", "keyboard", *({"type": "keyDown", "value": KEYS[h]} for h in held), {"type": "keyDown", "value": one},
                     {"type": "keyUp", "value": one}, *({"type": "keyUp", "value": KEYS[h]} for h in reversed(held)))
        time.sleep(0.1)

    def paste(self, text):
        """By the clipboard of its display, and the keys."""
        self.js(f"navigator.clipboard.writeText({json.dumps(text)})", by_hand=True)
        self.key("v", "Control")

    def mouse(self, kind, x, y, deltaX=0, deltaY=0):
        """mouseMoved or mouseWheel, as Chromium names them."""
        if kind == "mouseWheel":
            self.perform("wheel", "wheel", {"type": "scroll", "x": int(x), "y": int(y), "deltaX": deltaX, "deltaY": deltaY})
        else:
            assert kind == "mouseMoved"
            self.perform("pointer", "mouse", {"type": "pointerMove", "x": int(x), "y": int(y)})

    def has_fingers(self):
        """It always has."""

    def touch(self, kind, *points):
        """kind: touchStart, touchMove, touchEnd; points: those of all fingers that lie on the glass."""
        if kind == "touchStart":
            self.fingers = len(points)
        then = {"touchStart": [{"type": "pointerDown", "button": 0}], "touchMove": [], "touchEnd": [{"type": "pointerUp", "button": 0}]}[kind]
        moves = [[{"type": "pointerMove", "x": int(x), "y": int(y)}] for x, y in points] or [[]] * self.fingers
        for k, move in enumerate(moves):  # of several that do something in one moment it tells the first alone
            self.perform("pointer", f"finger {k}", *move, *then, parameters={"pointerType": "touch"})

    def tap(self, x, y):
        self.touch("touchStart", (x, y))
        self.touch("touchEnd")

    def share_of_core(self, seconds):
        """Unknown: Firefox does not report it."""

    def picture(self, file):
        data = self.browser.send("browsingContext.captureScreenshot", context=self.context)["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))

    def close(self):
        self.browser.listeners.remove(self._hear)
        self.browser.send("browsingContext.close", context=self.context)
