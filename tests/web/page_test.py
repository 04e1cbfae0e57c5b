"""The page in a headless Chromium: first frame, every tab beside the native `render`, what people do, what can go wrong.

  page_test.py SITE NATIVE [--pictures FOLDER] [--only NAME]

Of a tab's picture at most 1 pixel in 500 may differ from the native one by more than 16 of 255: fonts are cut, and another
OpenGL rounds otherwise. Needs chromium."""

import argparse
import base64
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from chromium import Chromium, found

HERE = pathlib.Path(__file__).resolve().parent
SERVER = HERE.parent.parent / "tools" / "web_server.py"
DIFFERENT, SHARE = 16, 1 / 500
TABS = ["watch", "run", "banks", "memory", "atomics", "compare", "time"]


class Served:
    def __init__(self, folder):
        self.process = subprocess.Popen([sys.executable, SERVER, folder, "--port", "0"], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def __enter__(self):
        return self.address

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def differing(page, ours, theirs):
    """The share of pixels that differ, as a browser reads both files."""
    texts = [base64.b64encode(pathlib.Path(f).read_bytes()).decode() for f in (ours, theirs)]
    return page.js("""(async texts => {
      const pixels = async text => {
        const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + text)).blob());
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), c = canvas.getContext('2d');
        c.drawImage(bitmap, 0, 0);
        return c.getImageData(0, 0, bitmap.width, bitmap.height);
      };
      const [a, b] = await Promise.all(texts.map(pixels));
      if (a.width !== b.width || a.height !== b.height) return 1;
      let n = 0;
      for (let k = 0; k < a.data.length; k += 4)
        n += Math.max(Math.abs(a.data[k] - b.data[k]), Math.abs(a.data[k + 1] - b.data[k + 1]), Math.abs(a.data[k + 2] - b.data[k + 2])) > """
                   + str(DIFFERENT) + """;
      return n / (a.width * a.height);
    })(""" + json.dumps(texts) + ")")


class Test:
    def __init__(self, browser, address, native, folder):
        self.browser, self.address, self.native, self.folder = browser, address, native, folder
        self.failed = []

    def expect(self, true, what):
        print(f"{'ok  ' if true else 'FAIL'} {what}", flush=True)
        if not true:
            self.failed.append(what)

    def open(self, query="", **size):
        page = self.browser.open(self.address + query, **size)
        if not page.ready():
            self.expect(False, f"{query or 'the page'} opens: {page.js('document.body.innerText')!r} {page.thrown} {page.said[-3:]}")
        return page

    def picture(self, name):
        return str(self.folder / f"{name}.png")

    def first_frame(self):
        page = self.open()
        cold = page.js("barrierscope.firstFrame")
        page.go(self.address)
        page.ready()
        self.expect(True, f"first frame after {cold:.0f} ms, loaded again after {page.js('barrierscope.firstFrame'):.0f} ms, "
                          f"memory {page.js('HEAP8.length / 1048576'):.0f} MB")
        page.rest()
        page.picture(self.picture("first"))
        self.expect(not page.thrown, f"nothing is thrown {page.thrown}")
        page.close()

    def tabs(self):
        for view in TABS:
            page = self.open(f"?kernel=scan/blelloch&n=16&step=3&view={view}&theme=dark")
            page.rest()
            ours, theirs = self.picture(view), self.picture(f"{view}-native")
            page.picture(ours)
            subprocess.run([self.native, "render", "scan/blelloch", "--n", "16", "--step", "3", "--view", view, "--theme", "dark",
                            "-o", theirs], check=True, capture_output=True)
            share = differing(page, ours, theirs)
            self.expect(share <= SHARE, f"tab {view}: {100 * share:.3f}% of the pixels differ")
            page.close()

    def steps(self):
        page = self.open("?kernel=scan/kogge-stone&n=256")
        self.expect(page.rest(), "comes to rest")
        before = page.js("barrierscope.frames")
        time.sleep(1)
        self.expect(page.js("barrierscope.frames") == before, "draws nothing while nothing happens")
        page.picture(self.picture("step-0"))
        page.key("ArrowRight")
        page.rest()
        page.picture(self.picture("step-1"))
        share = differing(page, self.picture("step-0"), self.picture("step-1"))
        self.expect("step=1" in page.js("location.search"), f"the address follows: {page.js('location.search')}")
        self.expect(share > 0.001, f"a key steps on ({100 * share:.2f}% of the pixels changed)")
        times = []
        for _ in range(8):
            page.js("barrierscope.longest = 0")
            page.key("ArrowRight")
            page.rest()
            times.append(page.js("barrierscope.longest"))
        self.expect(True, f"the longest frame of a step takes {sorted(times)[4]:.1f} ms (median of 8 steps), at most {max(times):.1f}")
        page.close()

    def chinese(self):
        page = self.open("?language=zh")
        page.rest()
        page.picture(self.picture("chinese"))
        self.expect(not page.thrown, f"Chinese is drawn {page.thrown}")
        page.close()

    def long_run(self):
        page = self.open("?kernel=scan/hierarchical&n=65536")
        first = page.js("barrierscope.firstFrame")
        self.expect(page.rest(), "a long run comes to rest")
        took = page.js("performance.now()") - first
        page.picture(self.picture("long"))
        self.expect("n=65536" in page.js("location.search"), f"a long run opens {took:.0f} ms after the first frame: "
                                                             f"{page.js('location.search')}")
        page.close()

    def sharp(self):
        page = self.open("?kernel=scan/blelloch&n=16", width=1280, height=720, ratio=2)
        page.rest()
        page.picture(self.picture("sharp"))
        self.expect(page.js("canvas.width") == 2560, "twice as many pixels on a sharp display")
        page.size(1000, 600)
        page.rest()
        page.picture(self.picture("smaller"))
        self.expect(page.js("canvas.width") == 1000, "follows its frame's size")
        page.close()

    def palette(self):
        page = self.open("?kernel=scan/blelloch&n=16")
        page.rest()
        page.key("k", "Control")
        for letter in "kogge":
            page.key(letter)
        page.rest()
        page.picture(self.picture("palette"))
        page.key("Enter")
        page.rest()
        page.picture(self.picture("palette-chosen"))
        self.expect(not page.thrown, f"the palette opens another kernel {page.thrown}")
        page.close()

    def files(self):
        trace = self.folder / "dropped.bscope"
        subprocess.run([self.native, "trace", "histogram/racy", "-o", trace], check=True, capture_output=True)
        text = base64.b64encode(trace.read_bytes()).decode()
        page = self.open("?kernel=scan/blelloch&n=16")
        page.rest()
        page.picture(self.picture("before-drop"))
        page.js("""(() => {
          const d = new DataTransfer(), text = atob('%s');
          d.items.add(new File([Uint8Array.from(text, c => c.charCodeAt(0))], 'dropped.bscope'));
          window.dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true}));
        })()""" % text)
        time.sleep(1)
        page.rest()
        page.picture(self.picture("dropped"))
        self.expect(differing(page, self.picture("before-drop"), self.picture("dropped")) > 0.05, "a dropped trace opens")
        page.js("window.downloads = []; HTMLAnchorElement.prototype.click = function() { downloads.push(this.download); }")
        page.key("s", "Control")
        page.rest()
        self.expect(page.js("downloads.length") == 1, f"saving is a download: {page.js('downloads')}")
        page.key("e", "Control")
        page.rest()
        page.picture(self.picture("export"))
        page.key("Enter")
        page.rest()
        self.expect(page.js("downloads.length") == 2, f"a picture is exported: {page.js('downloads')}")
        page.key("Escape")
        page.js("""(() => {
          const d = new DataTransfer();
          d.items.add(new File(['nonsense'], 'forged.bscope'));
          window.dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true}));
        })()""")
        time.sleep(1)
        page.rest()
        page.picture(self.picture("forged"))
        self.expect(not page.thrown and page.js("document.getElementById('wait').hidden"), "a forged trace is refused in words")
        page.close()

    def kept(self):
        page = self.open("?kernel=scan/blelloch&n=16")
        page.rest()
        before = self.picture("dark")
        page.picture(before)
        page.key("t")
        page.rest()
        page.js("window.dispatchEvent(new Event('pagehide'))")
        time.sleep(1)
        page.go(self.address + "?kernel=scan/blelloch&n=16")
        page.ready()
        page.rest()
        page.picture(self.picture("kept-theme"))
        self.expect(differing(page, before, self.picture("kept-theme")) > 0.3, "the theme is kept over a reload")
        page.key("t")
        page.rest()
        page.close()

    def refusals(self):
        for query, words in (("?kernel=scan/blelloc", "scan/blelloch"), ("?kernel=scan/blelloch&n=-3", "n"),
                             ("?kernel=scan/blelloch&view=nothing", "nothing")):
            page = self.browser.open(self.address + query)
            page.until("document.getElementById('bar').hidden || barrierscope.firstFrame > 0", 60)
            said = page.js("document.getElementById('wait').innerText")
            self.expect(page.js("barrierscope.firstFrame") == 0 and words in said, f"{query}: {said!r}")
            page.close()
        page = self.browser.open("about:blank")
        page.send("Page.addScriptToEvaluateOnNewDocument",
                  source="const g = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = "
                         "function(k, ...r) { return k === 'webgl2' ? null : g.call(this, k, ...r); }")
        page.go(self.address)
        page.until("document.getElementById('bar')?.hidden", 30)
        said = page.js("document.getElementById('wait').innerText")
        self.expect("WebGL 2" in said, f"without WebGL 2: {said!r}")
        page.close()
        page = self.browser.open("about:blank")
        page.send("Page.addScriptToEvaluateOnNewDocument", source="delete window.WebAssembly")
        page.go(self.address)
        page.until("document.getElementById('bar')?.hidden", 30)
        said = page.js("document.getElementById('wait').innerText")
        self.expect("WebAssembly" in said, f"without WebAssembly: {said!r}")
        page.close()


def main():
    given = argparse.ArgumentParser()
    given.add_argument("site")
    given.add_argument("native")
    given.add_argument("--pictures", type=pathlib.Path)
    given.add_argument("--only")
    a = given.parse_args()
    if not found():
        print("left out: the page in a browser (there is no chromium)")
        return 0
    with tempfile.TemporaryDirectory() as folder, Served(a.site) as address, Chromium() as browser:
        place = a.pictures or pathlib.Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        test = Test(browser, address + "app.html", a.native, place)
        for name in ("first_frame", "tabs", "steps", "long_run", "chinese", "sharp", "palette", "files", "kept", "refusals"):
            if a.only in (None, name):
                getattr(test, name)()
    print(f"{len(test.failed)} failed")
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
