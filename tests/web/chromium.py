"""A headless Chromium, driven through the pipe that it offers (Chrome DevTools Protocol), with Python's library alone."""

import base64
import fcntl
import json
import os
import pathlib
import queue
import shutil
import subprocess
import tempfile
import threading
import time

KEYS = {"Control": ("ControlLeft", 17), "Shift": ("ShiftLeft", 16), "Alt": ("AltLeft", 18), "Enter": ("Enter", 13), "Escape": ("Escape", 27),
        "ArrowLeft": ("ArrowLeft", 37), "ArrowUp": ("ArrowUp", 38), "ArrowRight": ("ArrowRight", 39),
        "ArrowDown": ("ArrowDown", 40), "Backspace": ("Backspace", 8), "Tab": ("Tab", 9), "Home": ("Home", 36),
        "End": ("End", 35), " ": ("Space", 32), ",": ("Comma", 188), ".": ("Period", 190), "/": ("Slash", 191)}
MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}


def found():
    """The browser's program, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Chromium:
    """As a context: the browser runs until its end. A command takes at most `patience` seconds."""

    def __init__(self, *words, patience=600):
        self.patience = patience
        self.profile = tempfile.mkdtemp(prefix="barrierscope-chromium-")
        to_us, from_it = os.pipe()
        from_us, to_it = os.pipe()
        # it reads from its descriptor 3 and writes to 4, which none of these may be
        low = from_us, from_it
        from_us, from_it = (fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in low)
        for fd in low:
            os.close(fd)
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{from_us} 4>&{from_it}', "bash", found(), "--headless=new", "--no-sandbox",
             "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run",
             "--disable-extensions", "--force-color-profile=srgb", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}", *words, "about:blank"],
            pass_fds=(from_us, from_it), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(from_it)
        self.out = os.fdopen(to_it, "wb", buffering=0)
        self.into = os.fdopen(to_us, "rb", buffering=0)
        self.number = 0
        self.lock = threading.Lock()
        self.answers = {}
        self.listeners = {}
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        rest = b""
        while piece := self.into.read(1 << 16):
            *whole, rest = (rest + piece).split(b"\0")
            for text in whole:
                said = json.loads(text)
                if "id" in said:
                    self.answers.pop(said["id"]).put(said)
                elif listener := self.listeners.get(said.get("sessionId")):
                    listener(said)
        for waiting in list(self.answers.values()):
            waiting.put({"error": {"message": "the browser has ended"}})

    def send(self, method, session=None, **parameters):
        answer = queue.Queue()
        with self.lock:
            self.number += 1
            message = {"id": self.number, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            self.answers[self.number] = answer
            self.out.write(json.dumps(message).encode() + b"\0")
        said = answer.get(timeout=self.patience)
        if "error" in said:
            raise RuntimeError(f"{method}: {said['error']['message']}")
        return said["result"]

    def open(self, url, width=1600, height=900, ratio=1):
        return Page(self, url, width, height, ratio)

    def memory_of_pages(self):
        """MB that all of them take."""
        return sum(resident(p["id"]) for p in self.send("SystemInfo.getProcessInfo")["processInfo"] if p["type"] == "renderer")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
        except (RuntimeError, OSError, queue.Empty):
            self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


def resident(pid):
    """MB of a process's memory."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0


class Scripted:
    """What either browser's page does by its js()."""

    def until(self, expression, seconds=60):
        """Waits for it to be true; says whether it came to be."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.js(expression):
                    return True
            except RuntimeError:
                pass  # the page is being loaded
            time.sleep(0.03)
        return False

    def ready(self, seconds=120):
        """Waits for the app's first frame; False: it failed, or did not come."""
        self.until("window.barrierscope && barrierscope.firstFrame > 0 || document.getElementById('bar').hidden", seconds)
        return bool(self.js("!!(window.barrierscope && barrierscope.firstFrame > 0)"))

    def drop(self, name, data):
        """A file falls on the page."""
        self.js("""(() => {
          const d = new DataTransfer(), text = atob('%s');
          d.items.add(new File([Uint8Array.from(text, c => c.charCodeAt(0))], %s));
          window.dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true}));
        })()""" % (base64.b64encode(data).decode(), json.dumps(name)))
        time.sleep(0.3)


class Page(Scripted):
    """A tab of it, of so many CSS pixels. `said`: its console and what it threw."""

    def __init__(self, browser, url, width, height, ratio):
        self.browser = browser
        self.said, self.thrown = [], []
        target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.listeners[self.session] = self._hear
        for domain in ("Runtime", "Page"):
            self.send(f"{domain}.enable")
        self.size(width, height, ratio)
        self.go(url)

    def _hear(self, said):
        p = said["params"]
        if said["method"] == "Runtime.consoleAPICalled":
            self.said.append(" ".join(str(a.get("value", a.get("description"))) for a in p["args"]))
        elif said["method"] == "Runtime.exceptionThrown":
            d = p["exceptionDetails"]
            self.thrown.append(d.get("exception", {}).get("description") or d["text"])

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def size(self, width, height, ratio=1):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=False)

    def go(self, url):
        self.js("window.barrierscope && (barrierscope.firstFrame = 0)")  # until the new one's
        self.send("Page.navigate", url=url)

    def js(self, expression):
        r = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in r:
            d = r["exceptionDetails"]
            raise RuntimeError(d.get("exception", {}).get("description") or d["text"])
        return r["result"].get("value")

    def rest(self, seconds=60):
        """Waits until the app wants no frame before something happens; says whether it came to that."""
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return self.until("barrierscope.resting", seconds)

    def key(self, name, *held):
        modifiers = sum(MODIFIERS[h] for h in held)
        code, number = KEYS.get(name, (f"Key{name.upper()}" if name.isalpha() else f"Digit{name}", ord(name.upper()[0])))
        for h in held:
            self.send("Input.dispatchKeyEvent", type="rawKeyDown", key=h, code=KEYS[h][0], windowsVirtualKeyCode=KEYS[h][1],
                      modifiers=modifiers)
        text = {"text": name} if len(name) == 1 and not held else {}
        self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", key=name, code=code,
                  windowsVirtualKeyCode=number, modifiers=modifiers, **text)
        time.sleep(0.05)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=name, code=code, windowsVirtualKeyCode=number, modifiers=modifiers)
        for h in reversed(held):
            self.send("Input.dispatchKeyEvent", type="keyUp", key=h, code=KEYS[h][0], windowsVirtualKeyCode=KEYS[h][1])
        time.sleep(0.05)

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        time.sleep(0.05)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        time.sleep(0.05)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def paste(self, text):
        """As if the clipboard held it: this browser's own is empty, and is not heard."""
        self.js("""(() => {
          window.deaf ||= (window.addEventListener('paste', e => { if (e.isTrusted) e.stopImmediatePropagation(); }, true), true);
          const d = new DataTransfer();
          d.setData('text', %s);
          window.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true, cancelable: true}));
        })()""" % json.dumps(text))
        self.key("v", "Control")

    def has_fingers(self):
        """From now on."""
        self.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)

    def touch(self, kind, *points):
        """kind: touchStart, touchMove, touchEnd; points: those of all fingers that lie on the glass."""
        self.send("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)])

    def tap(self, x, y):
        self.touch("touchStart", (x, y))
        self.touch("touchEnd")

    def share_of_core(self, seconds):
        """How much of that time its main thread works."""
        self.send("Performance.enable")
        begin, end = None, None
        for _ in range(2):
            begin, end = end, {m["name"]: m["value"] for m in self.send("Performance.getMetrics")["metrics"]}
            if begin is None:
                time.sleep(seconds)
        return (end["TaskDuration"] - begin["TaskDuration"]) / (end["Timestamp"] - begin["Timestamp"])

    def picture(self, file):
        data = self.send("Page.captureScreenshot", format="png")["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)
