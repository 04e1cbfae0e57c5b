"""The page in a headless Chromium: first frame, every tab beside the native `render`, what users do, what can go wrong.

  page_test.py SITE NATIVE [--pictures FOLDER] [--only NAME,...] [--seed S] [--events K]

Of a tab's picture at most 1 pixel in 500 may differ from the native one by more than 16 of 255: fonts are cut, and another
OpenGL rounds otherwise. Needs chromium."""

import argparse
import base64
import concurrent.futures
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from chromium import Chromium, found

HERE = pathlib.Path(__file__).resolve().parent
SERVER = HERE.parent.parent / "tools" / "web_server.py"
LESSONS = HERE.parent.parent / "assets" / "lessons" / "en"
ALL = ["size", "first_frame", "lost_context", "second_visit", "offline", "tabs", "first_looks", "machine_code", "digests", "steps", "long_run",
       "on_demand", "chinese", "system_theme", "sharp", "palette", "files", "printed", "paste", "kept", "two_tabs", "looks_of_links", "progress", "keys", "dropped_links",
       "refusals", "memory", "memory_ends", "forged", "lessons", "links", "touch", "monkey"]
# Of a first look at a tab, in ms.
LONGEST_FRAME = 150
SETTINGS = """(file => FS.analyzePath(file).exists ? JSON.parse(FS.readFile(file, { encoding: 'utf8' })) : {})(
  '/home/web_user/.config/barrierscope/settings.json')"""
MOST_BYTES = 2_000_000
# No memory of the page's grows beyond window.mostMemory bytes, nor one of its workers' beyond window.mostOfWorkers.
CONFINES = """(() => {
  const confine = (most) => {
    const grow = WebAssembly.Memory.prototype.grow;
    WebAssembly.Memory.prototype.grow = function(pages) {
      if (this.buffer.byteLength + 65536 * pages > most()) throw new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded');
      return grow.call(this, pages);
    };
  };
  window.mostMemory = window.mostOfWorkers = Infinity;
  confine(() => window.mostMemory);
  const Real = Worker;
  window.Worker = function(address) {
    const text = `(${confine})(() => ${window.mostOfWorkers}); importScripts(${JSON.stringify(address)});`;
    return new Real(URL.createObjectURL(new Blob([text])));
  };
})()"""
# The galleries, and what is fetched when it is asked for.
LATER = ["index.html", "index.zh.html", "licences.html", "course_template.html", "lessons.pack", "chinese.ttf", "chinese.pack"]
DIFFERENT, SHARE = 16, 1 / 500
SCHEDULES = ["to-barrier", "lockstep", "shuffle:7"]
TABS = ["watch", "run", "banks", "memory", "atomics", "compare", "time", "schedule"]


class Served:
    def __init__(self, folder, port=0):
        self.process = subprocess.Popen([sys.executable, SERVER, folder, "--port", str(port)], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def __enter__(self):
        return self.address

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def differing(page, ours, theirs, left=0):
    """The share of pixels that differ from column `left` on, as a browser reads both files."""
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
        if (k / 4 % a.width >= """ + str(left) + """) n += Math.max(Math.abs(a.data[k] - b.data[k]), Math.abs(a.data[k + 1] - b.data[k + 1]), Math.abs(a.data[k + 2] - b.data[k + 2])) > """
                   + str(DIFFERENT) + """;
      return n / (a.width * a.height);
    })(""" + json.dumps(texts) + ")")


def export(page):
    """Opens the sheet, by its command: browsers keep its key."""
    page.key("k", "Control")
    for letter in "export":
        page.key(letter)
    page.rest()
    page.key("Enter")
    page.rest()


class Test:
    def __init__(self, browser, address, a, folder):
        self.browser, self.address, self.folder = browser, address, folder
        self.site, self.native, self.seed, self.events = a.site, a.native, a.seed, a.events
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

    def lost_context(self):
        """What was on the screen is there again when the browser gives the graphics back."""
        page = self.open("?kernel=scan/blelloch&n=16&step=3")
        page.rest()
        page.js("window.lost = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context'), lost.loseContext(), 0")
        self.expect(page.until("document.getElementById('said').textContent.includes('taken the graphics away')", 20), "a lost context is told")
        page.js("setTimeout(() => lost.restoreContext(), 100), 0")
        self.expect(page.until("!window.lost && barrierscope.firstFrame > 0", 60), "and the page begins anew")
        self.expect("n=16&step=3" in page.js("location.search"), "with the run that was open")
        page.close()

    def offline(self):
        """Once loaded the page works without its server (tests/web/service_worker_test.py has the rest)."""
        with Chromium() as browser:
            with Served(self.site) as address:
                page = browser.open(address + "app.html?kernel=scan/blelloch&n=16&step=3")
                page.ready()
                self.expect(page.until("caches.keys().then(all => all.length > 0 && !!navigator.serviceWorker.controller)", 60),
                            "the page's files are kept")
                page.rest()
            page.go(address + "app.html?kernel=scan/kogge-stone&n=16")
            self.expect(page.ready() and page.rest() and "kogge-stone" in page.js("location.search"), "the page opens without a server")
            page.key("ArrowRight")
            page.rest()
            self.expect("step=1" in page.js("location.search"), f"and steps: {page.js('location.search')}")
            page.paste("barrierscope:?kernel=scan/hierarchical&n=65536")
            self.expect(page.until("location.search.includes('n=65536')", 60), "its worker makes a run")
            for key, tab in (("6", "time"), ("7", "schedule")):
                page.key(key)
                time.sleep(1)
                page.picture(self.picture(f"offline-{tab}"))
            self.expect(page.js("document.getElementById('wait').hidden") and not page.thrown, f"tabs say what is missing {page.thrown}")

    def first_looks(self):
        """No first look at a tab takes longer than a user waits without a word."""
        page = self.open("?kernel=scan/blelloch")
        page.rest()
        page.js("new PerformanceObserver(list => { for (const e of list.getEntries()) tasks.push(Math.round(e.duration)); }).observe({ type: 'longtask' }), "
                "window.tasks = [], 0")
        for key, tab in zip("234567", TABS[2:]):
            page.js("barrierscope.longest = 0, tasks.length = 0")
            began = time.monotonic()
            page.key(key)
            page.rest()
            time.sleep(0.2)
            page.rest()
            page.picture(self.picture(f"first-{tab}"))
            longest, tasks = page.js("barrierscope.longest"), page.js("tasks")
            self.expect(max([longest, *tasks]) <= LONGEST_FRAME, f"first look at {tab}: the longest frame takes {longest:.0f} ms, long tasks {sorted(tasks)[-3:]}, "
                                                                 f"all of it {time.monotonic() - began:.1f} s")
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
            # a page measures nothing, so Time's panel with the button differs
            share = differing(page, ours, theirs, 320 if view == "time" else 0)
            self.expect(share <= SHARE, f"tab {view}: {100 * share:.3f}% of the pixels differ")
            page.close()

    def machine_code(self):
        """A kernel's file is fetched on demand, and then the panel says what the program says."""
        page = self.open("?kernel=scan/blelloch&n=16&step=3&theme=dark")
        page.rest()
        fetched = "performance.getEntriesByType('resource').map(r => r.name.split('?')[0]).filter(n => n.includes('machine-code'))"
        self.expect(page.js(fetched) == [], "no machine code is fetched before somebody asks for it")
        page.key("m", "Alt")
        page.until(f"{fetched}.length", 20)
        page.rest()
        names = [name.split("/")[-1] for name in page.js(fetched)]
        self.expect(names == ["Blelloch.json"], f"the open kernel's alone is fetched {names}")
        ours, theirs, without = self.picture("code"), self.picture("code-native"), self.picture("code-folded-native")
        page.picture(ours)
        words = [self.native, "render", "scan/blelloch", "--n", "16", "--step", "3", "--theme", "dark"]
        subprocess.run([*words, "--state", "watch.machine_code=true", "-o", theirs], check=True, capture_output=True)
        subprocess.run([*words, "-o", without], check=True, capture_output=True)
        share, folded = differing(page, ours, theirs), differing(page, ours, without)
        self.expect(share <= SHARE, f"registers and occupancy stand there: {100 * share:.3f}% of the pixels differ")
        self.expect(folded > share, f"and show: {100 * folded:.3f}% differ from the panel without them")
        self.expect(not page.thrown, f"nothing is thrown {page.thrown}")
        page.close()

    def digests(self):
        """The page's worker makes every kernel's default and presets, in three schedules: whole traces, equal byte for byte."""
        listed = json.loads(subprocess.run([self.native, "list", "--json"], check=True, capture_output=True).stdout)["kernels"]
        asked = [{"kernel": k["name"], "set": {}, **({"preset": p} if p else {}), "schedule": s}
                 for k in listed for p in ["", *k["presets"]] for s in SCHEDULES]

        def native(a):
            file = self.folder / f"digest-{asked.index(a)}.bscope"
            words = ["--preset", a["preset"]] if "preset" in a else []
            done = subprocess.run([self.native, "trace", a["kernel"], *words, "--schedule", a["schedule"], "-o", file],
                                  check=False, capture_output=True)
            return hashlib.sha256(file.read_bytes()).hexdigest() if done.returncode == 0 else done.stderr.decode()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            theirs = list(pool.map(native, asked))
        page = self.open()
        made = page.js("""(async asked => {
          const worker = new Worker('worker.js'), all = [];
          worker.postMessage({ module: barrierscope.compiled, program: 'barrierscope.js' });
          const make = what => new Promise((done, failed) => {
            worker.onmessage = m => { if (m.data.made || m.data.failed) done(m.data); };
            worker.onerror = e => failed(new Error(e.message));
            worker.postMessage({ what: JSON.stringify(what), files: [] });
          });
          for (const { schedule, ...request } of asked) {
            const what = { language: 'en', target: { device: 'cpu', schedule, request } }, times = [];
            let answer;
            for (let k = 0; k < 3; ++k) {
              const began = performance.now();
              answer = await make(what);
              times.push(performance.now() - began);
            }
            const hash = answer.failed ? answer.failed : [...new Uint8Array(await crypto.subtle.digest('SHA-256', answer.made[1]))]
              .map(b => b.toString(16).padStart(2, '0')).join('');
            all.push([hash, times.sort((a, b) => a - b)[1]]);
          }
          worker.terminate();
          return all;
        })(""" + json.dumps(asked) + ")")
        page.close()
        wrong = [f"{a} {m[0][:60]} {t[:60]}" for a, m, t in zip(asked, made, theirs) if m[0] != t]
        self.expect(not wrong, f"{len(asked)} traces of {len(listed)} kernels, their presets and {len(SCHEDULES)} schedules have "
                               f"the native digests {wrong[:5]}")
        took = sorted((round(m[1], 1), f"{a['kernel']} {a.get('preset', '')} {a['schedule']}") for a, m in zip(asked, made))
        self.expect(True, f"the longest of them, traced, analysed and handed over: {took[-3:][::-1]}")

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
        fetched = "performance.getEntriesByType('resource').filter(e => e.name.includes('/chinese.')).length"
        self.expect(page.js(fetched) == 2, "its font and its words are fetched")
        page.go(self.address + "?language=en")
        page.rest()
        self.expect(page.js(fetched) == 0, "which a page in English does without")
        page.close()

    def on_demand(self):
        """Lessons, templates and assignments come when a list first shows them, and a language's with its words."""
        fetched = "performance.getEntriesByType('resource').filter(e => e.name.includes('/{}.pack')).length"
        there = "FS.analyzePath('/assets/lessons/zh/01-tree.md').exists"
        page = self.open("?kernel=scan/blelloch&n=16")
        page.rest()
        self.expect(page.js(fetched.format("lessons")) == 0, "the first picture needs no lessons")
        page.key("k", "Control")
        self.expect(page.until(fetched.format("lessons") + " === 1", 10), "the palette asks for them")
        page.rest()
        page.picture(self.picture("palette-fetched"))
        page.key("Escape")
        page.key("l")
        page.rest()
        page.key("n")  # the first is about a program, which not every page runs
        page.key("Enter")
        self.expect(page.until("location.search.includes('lesson=')", 20), f"the list has them: {page.js('location.search')}")
        self.expect(not page.js(there), "in English alone")
        page.paste("barrierscope:?lesson=tree&language=zh")
        self.expect(page.until("location.search.includes('language=zh')", 20) and page.js(there) and page.js(fetched.format("chinese")) == 1,
                    f"Chinese lessons come with the words {page.js('location.search')}")
        page.rest()
        page.picture(self.picture("chinese-lesson"))
        page.close()
        page = self.open("?lesson=tree:2")
        page.rest()
        self.expect("lesson=tree" in page.js("location.search") and not page.thrown, f"a lesson's link opens it {page.thrown}")
        page.close()

    def system_theme(self):
        """The page is as light as the system as long as the user has chosen no theme; its links do not say so."""
        with Chromium() as browser:
            pictures = {}
            for theme in ("dark", "light"):
                page = browser.open("about:blank")
                page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
                page.go(self.address + "?kernel=scan/blelloch&n=16")
                page.ready()
                page.rest()
                pictures[theme] = self.picture(f"system-{theme}")
                page.picture(pictures[theme])
                self.expect("theme" not in page.js("location.search"), f"its link has no theme: {page.js('location.search')}")
                page.js("window.dispatchEvent(new Event('pagehide'))")
                time.sleep(1)
            self.expect(differing(page, pictures["dark"], pictures["light"]) > 0.3, "a light system's page is light")
            page.key("t")
            page.rest()
            chosen = page.js("location.search")
            page.js("window.dispatchEvent(new Event('pagehide'))")
            time.sleep(1)
            page.go(self.address + "?kernel=scan/blelloch&n=16")
            page.ready()
            page.rest()
            self.expect("theme=" in chosen and page.js("location.search") == chosen, f"what was chosen stays: {chosen}, {page.js('location.search')}")

    def long_run(self):
        """A worker makes it; the page goes on meanwhile, and Escape ends the worker."""
        page = self.open("?kernel=scan/hierarchical&n=65536")
        first = page.js("barrierscope.firstFrame")
        self.expect(page.rest(), "a long run comes to rest")
        took = page.js("performance.now()") - first
        self.expect("n=65536" in page.js("location.search"), f"a long run opens {took:.0f} ms after the first frame: "
                                                             f"{page.js('location.search')}")
        page.picture(self.picture("long"))
        page.go(self.address + "?kernel=scan/blelloch&n=16")
        page.ready()
        page.rest()
        before = page.js("barrierscope.longest = 0, barrierscope.frames")
        page.paste("barrierscope:?kernel=scan/hierarchical&n=100000")
        self.expect(page.until("location.search.includes('n=100000')", 120), f"another opens from its link: {page.js('location.search')}")
        page.rest()
        frames = page.js("barrierscope.frames") - before
        self.expect(frames > 5, f"{frames} frames meanwhile, the longest of {page.js('barrierscope.longest'):.0f} ms; "
                                f"its run is taken over in pieces of "
                                f"{', '.join(f'{t:.0f}' for t in page.js('barrierscope.tookOver'))} ms; "
                                f"memory {page.js('HEAP8.length / 1048576'):.0f} MB")
        page.paste("barrierscope:?kernel=scan/hierarchical&n=200000")
        time.sleep(0.6)
        page.picture(self.picture("long-underway"))
        page.key("Escape")
        page.rest()
        time.sleep(3)
        self.expect("n=100000" in page.js("location.search") and page.js("barrierscope.resting"),
                    f"Escape ends it: {page.js('location.search')} {page.thrown}")
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
        page = self.open("?kernel=scan/blelloch&n=16&language=en&theme=dark")
        page.rest()
        page.picture(self.picture("before-drop"))
        page.drop("dropped.bscope", trace.read_bytes())
        page.rest()
        page.picture(self.picture("dropped"))
        self.expect(differing(page, self.picture("before-drop"), self.picture("dropped")) > 0.05, "a dropped trace opens")
        page.js("""(() => {
          window.downloads = [];
          window.contents = [];
          HTMLAnchorElement.prototype.click = function() { downloads.push(this.download); contents.push(this.href); };
        })()""")
        page.key("s", "Control")
        page.rest()
        self.expect(page.js("downloads.length") == 1, f"saving is a download: {page.js('downloads')}")
        export(page)
        page.picture(self.picture("export"))
        page.key("Enter")
        page.rest()
        self.expect(page.until("downloads.length == 2"), f"a picture is exported: {page.js('downloads')}")
        exported, native = self.folder / "exported.png", self.folder / "exported-native.png"
        exported.write_bytes(base64.b64decode(page.js("""(async () => {
          const bytes = new Uint8Array(await (await fetch(contents[1])).arrayBuffer());
          return btoa(Array.from(bytes, b => String.fromCharCode(b)).join(''));
        })()""")))
        subprocess.run([self.native, "render", trace, "--plain", "--theme", "dark", "--size", "1920x1080", "-o", native],
                       check=True, capture_output=True)
        off = differing(page, exported, native)  # the edges of letters, which another library draws
        self.expect(off < 0.03, f"it is the PNG that the program writes ({100 * off:.2f}% of the pixels differ)")
        page.key("Escape")
        page.drop("forged.bscope", b"nonsense")
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

    def two_tabs(self):
        """A tab in which nothing was changed takes nothing back that another has changed."""
        first, second = self.open("?kernel=scan/blelloch&n=16"), self.open("?kernel=scan/blelloch&n=16")
        before = second.js(f"{SETTINGS}.theme")
        second.rest()
        second.key("t")
        second.rest()
        after = second.js(f"{SETTINGS}.theme")
        for page in (second, first):
            page.js("window.dispatchEvent(new Event('pagehide'))")
            time.sleep(1)
            page.close()
        page = self.open("?kernel=scan/blelloch&n=16")
        self.expect(before != after == page.js(f"{SETTINGS}.theme"), f"what the second tab has chosen stays: {before}, {after}, {page.js(f'{SETTINGS}.theme')}")
        page.rest()
        page.key("t")
        page.rest()
        page.js("window.dispatchEvent(new Event('pagehide'))")
        time.sleep(1)
        page.close()

    def looks_of_links(self):
        """A link's theme and language hold for its visit alone."""
        page = self.open("?kernel=scan/blelloch&n=16")
        page.rest()
        before = page.js("location.search")
        page.go(self.address + "?kernel=scan/blelloch&n=16&language=zh&theme=projector")
        page.ready()
        page.rest()
        self.expect("language=zh" in page.js("location.search") and "theme=projector" in page.js("location.search"), "a link sets theme and language")
        page.key("ArrowRight")
        page.rest()
        page.js("window.dispatchEvent(new Event('pagehide'))")
        time.sleep(1)
        page.go(self.address + "?kernel=scan/blelloch&n=16")
        page.ready()
        page.rest()
        self.expect(page.js("location.search") == before, f"the next visit has the reader's own: {page.js('location.search')}")
        page.close()

    def progress(self):
        """What is done of a lesson is there after a reload."""
        page = self.open("?lesson=tree")
        page.rest()
        for _ in range(6):
            page.key("n")
            page.rest()
        page.js("window.dispatchEvent(new Event('pagehide'))")
        time.sleep(1)
        page.go(self.address + "?lesson=tree")
        page.ready()
        page.rest()
        done = page.js(f"{SETTINGS}.lesson_progress")
        page.picture(self.picture("progress"))
        self.expect("tree/0" in done, f"ticks of a lesson stay: {done}")
        page.close()

    def keys(self):
        """Keys that the browser acts on are the browser's."""
        browsers = [("ArrowLeft", "alt"), ("ArrowRight", "alt"), ("d", "alt"), ("F5", ""), ("F6", ""), ("F11", ""), ("F12", ""),
                    *((key, "ctrl") for key in "fdjhultwnr+-0"), ("Tab", "ctrl"), ("i", "ctrl shift"),
                    ("[", "meta"), ("ArrowLeft", "meta"), (",", "meta"), ("t", "meta"), ("l", "meta")]
        apps = [("ArrowRight", ""), (" ", ""), ("k", "ctrl"), ("s", "ctrl"), ("o", "ctrl"), ("z", "ctrl"), ("z", "meta"), ("F1", ""), ("m", "alt")]
        page = self.open("?kernel=scan/blelloch&n=16")
        page.rest()
        taken = page.js("""(keys => keys.map(([key, held]) => {
          const of = kind => new KeyboardEvent(kind, { key, code: /^[a-z]$/.test(key) ? 'Key' + key.toUpperCase() : key, ctrlKey: held.includes('ctrl'),
            altKey: held.includes('alt'), shiftKey: held.includes('shift'), metaKey: held.includes('meta'), bubbles: true, cancelable: true });
          const down = of('keydown');
          document.getElementById('canvas').dispatchEvent(down);
          document.getElementById('canvas').dispatchEvent(of('keyup'));
          return down.defaultPrevented;
        }))(""" + json.dumps(browsers + apps) + ")")
        wrong = [key for key, t in zip(browsers, taken) if t] + [key for key, t in zip(apps, taken[len(browsers):]) if not t]
        self.expect(not wrong, f"{len(browsers)} keys go to the browser, {len(apps)} to the app {wrong}")
        page.close()

    def dropped_links(self):
        """A link that is dropped as text opens; a file that was dropped is open again after a reload."""
        page = self.open("?kernel=scan/blelloch&n=16")
        page.rest()
        page.js("""(() => {
          const d = new DataTransfer();
          d.setData('text/plain', 'https://example.org/app.html?kernel=scan/kogge-stone&n=8&utm_source=x');
          window.dispatchEvent(new DragEvent('drop', { dataTransfer: d, bubbles: true, cancelable: true }));
        })()""")
        self.expect(page.until("location.search.includes('kernel=scan/kogge-stone')", 20), f"a dropped link opens: {page.js('location.search')}")
        trace = self.folder / "again.bscope"
        subprocess.run([self.native, "trace", "histogram/racy", "-o", trace], check=True, capture_output=True)
        page.drop("again.bscope", trace.read_bytes())
        page.rest()
        self.expect(page.until("history.state && history.state.name === 'again.bscope' && "
                               "caches.open('opened in barrierscope').then(all => all.match(history.state.id)).then(file => !!file)", 20), "a dropped file is kept")
        page.picture(self.picture("file-before"))
        page.js("barrierscope.firstFrame = 0")
        page.send("Page.reload")
        self.expect(page.ready() and page.rest(), "the page is loaded again")
        page.picture(self.picture("file-again"))
        share = differing(page, self.picture("file-before"), self.picture("file-again"))
        self.expect(share < 0.02, f"the file is open again: {100 * share:.1f}% of the pixels differ")
        page.js("caches.delete('opened in barrierscope')")
        page.js("barrierscope.firstFrame = 0")
        page.send("Page.reload")
        self.expect(page.ready() and page.rest() and not page.thrown, f"without it the page opens, too {page.thrown}")
        page.picture(self.picture("file-forgotten"))
        page.close()

    def refusals(self):
        """Whatever an address says the app opens: of a wrong one without it, of keys that others have added without those."""
        for query, kept in (("?kernel=scan/blelloc", ""), ("?kernel=scan/blelloch&n=-3", ""), ("?kernel=scan/blelloch&view=nothing", ""), ("?foo=bar", ""),
                            ("?utm_source=x", ""), ("?utm_source=x&kernel=scan/kogge-stone&fbclid=7", "kernel=scan/kogge-stone")):
            page = self.open(query)
            page.rest()
            link = page.js("location.search")
            self.expect(page.js("document.getElementById('wait').hidden") and kept in link and not re.search("blelloc|-3|nothing|foo|utm|fbclid", link)
                        and not page.thrown, f"{query}: the app opens, at {link!r} {page.thrown}")
            page.close()
        # what the browser lacks
        for words, script, lack in ((["--disable-3d-apis"], "", "WebGL 2"), ([], "delete window.WebAssembly", "WebAssembly")):
            with Chromium(*words) as browser:
                page = browser.open("about:blank")
                page.send("Page.addScriptToEvaluateOnNewDocument", source=script)
                page.go(self.address)
                page.until("document.getElementById('bar')?.hidden", 30)
                said = page.js("document.getElementById('wait').innerText")
                self.expect(lack in said and not page.thrown, f"without {lack}: {said!r} {page.thrown}")

    def memory(self):
        """Runs that are too large are refused, and the app opens without them."""
        page = self.open("?kernel=scan/blelloch&n=16")
        for query in ("?kernel=scan/hierarchical&n=2000000000", "?kernel=scan/kogge-stone&n=9000000000000000000"):
            page.go(self.address + query)
            page.ready()
            self.expect(page.until("document.getElementById('wait').hidden && !location.search.includes('000000')", 60) and page.rest() and not page.thrown,
                        f"{query}: the app opens, at {page.js('location.search')!r} {page.thrown}")
        page.close()

    def memory_ends(self):
        """Memory that does not grow any more: of the worker, of the page when it takes a run over, and within a frame."""
        page = self.browser.open("about:blank")
        page.send("Page.addScriptToEvaluateOnNewDocument", source=CONFINES)
        page.go(self.address + "?kernel=scan/blelloch&n=16&step=3&language=en")
        page.ready()
        page.rest()
        kept = page.js("location.search")
        for where, confine in (("of the worker", "mostOfWorkers = 50e6"), ("of the page", "mostOfWorkers = Infinity; mostMemory = HEAP8.length")):
            page.js(f"barrierscope.dismiss(); {confine}")
            page.picture(self.picture("memory-before"))
            page.paste("barrierscope:?kernel=scan/hierarchical&n=100000")
            time.sleep(1)
            page.rest()
            page.picture(self.picture(f"memory-{where.split()[-1]}"))
            share = differing(page, self.picture("memory-before"), self.picture(f"memory-{where.split()[-1]}"))
            self.expect(page.js("location.search") == kept and page.js("document.getElementById('wait').hidden") and 0.001 < share < 0.1,
                        f"the memory {where} ends: a sentence ({100 * share:.1f}% of the pixels), and the run that was open stays: {page.js('location.search')}")
            page.key("Escape")
            page.rest()
            page.key("ArrowRight")
            page.rest()
            stepped = page.js("location.search")
            self.expect("step=4" in stepped, f"it goes on: {stepped}")
            page.key("ArrowLeft")
            page.rest()
        page.js("(() => { for (let n = 1 << 24; n >= 8; n >>= 1) while (Module._malloc(n)); })()")
        for key in ("ArrowRight", "2", "3", "k", "Enter", "1"):
            if not page.js("document.getElementById('wait').hidden"):
                break
            page.key(key)
            time.sleep(0.3)
        said = page.js("document.getElementById('wait').innerText")
        page.picture(self.picture("memory-full"))
        self.expect("There is not enough memory" in said, f"memory that is full to the last byte: {said!r} {page.thrown[:2]}")
        self.expect(page.js("!document.getElementById('again').hidden"), "a button loads the page again")
        kept = page.js("location.search")
        page.js("barrierscope.firstFrame = 0; document.getElementById('again').click()")
        time.sleep(0.5)
        self.expect(page.ready() and page.rest() and page.js("location.search") == kept,
                    f"and what was open is there again: {page.js('location.search')}")
        page.close()

    def second_visit(self):
        """What comes over the wire when the page is visited again: nothing but answers that nothing has changed."""
        came = []
        page = self.browser.open("about:blank")
        page.send("Network.enable")
        hear = page._hear
        def listen(said):
            if said["method"] == "Network.responseReceived":
                r = said["params"]["response"]
                came.append([said["params"]["requestId"], r["url"].split("?")[0].split("/")[-1], r["status"],
                             r.get("fromDiskCache") or r.get("fromServiceWorker"), 0])
            elif said["method"] == "Network.responseReceivedExtraInfo":
                statuses[said["params"]["requestId"]] = said["params"]["statusCode"]
            elif said["method"] == "Network.loadingFinished":
                for each in came:
                    if each[0] == said["params"]["requestId"]:
                        each[4] = said["params"]["encodedDataLength"]
            else:
                hear(said)
        self.browser.listeners[page.session] = listen
        for visit, query in (("first", "?kernel=scan/kogge-stone&n=32"), ("second", "?kernel=scan/kogge-stone&n=32"), ("another link's", "?n=8")):
            statuses = {}
            came.clear()
            page.js("window.barrierscope && (barrierscope.firstFrame = 0)")
            page.go(self.address + query)
            page.ready()
            page.rest()
            time.sleep(0.5)
            ours = [c for c in came if not c[1].startswith("data:")]
            files = [(name, statuses.get(i, "from its cache" if cached else status)) for i, name, status, cached, _ in ours]
            total = sum(c[4] for c in ours)
            print(f"     {visit} visit: {total:,} bytes, {files}")
            if visit != "first":  # another link is another address, of the same short page
                again = [f for f in files if f[1] not in (304, "from its cache") and f[0] != "app.html"]
                self.expect(len(files) >= 5 and not again and total < 5000,
                            f"the {visit} visit fetches no file again: {total:,} bytes, {again}")
            page.go("about:blank")
            page.until("location.href === 'about:blank'")
        page.close()

    def printed(self):
        """A PDF is what the browser prints: the figure, in its fonts, on a sheet of its size."""
        page = self.open("?kernel=scan/blelloch&n=16&step=3&language=en&theme=light")
        page.rest()
        page.js("""(() => {
          window.printed = [];
          new MutationObserver(all => all.forEach(m => m.addedNodes.forEach(f => { if (f.tagName === 'IFRAME') f.addEventListener('load', () => {
            f.contentWindow.print = () => printed.push(f.srcdoc); }); }))).observe(document.body, { childList: true });
        })()""")
        export(page)
        page.picture(self.picture("export-formats"))
        page.click(1144, 130)  # the third format
        page.rest()
        page.picture(self.picture("export-pdf"))
        page.key("Enter")
        there = page.until("printed.length", 20)
        self.expect(there, "a PDF is printed by the browser")
        if there:
            sheet = self.folder / "printed.html"
            sheet.write_text(page.js("printed[0]"), encoding="utf-8")
            self.expect(re.search(r"@page\{size:1920px 1080px", sheet.read_text()) is not None, "on a sheet of the figure's size")
            paper = self.browser.open(sheet.as_uri())
            paper.until("document.readyState === 'complete'")
            data = base64.b64decode(paper.send("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])
            (self.folder / "printed.pdf").write_bytes(data)
            self.expect(data.count(b"/Type /Page\n") == 1 and b"Inter" in data, f"one page, with its fonts: {len(data):,} bytes")
            paper.close()
        self.expect(not page.thrown, f"nothing is thrown {page.thrown}")
        page.close()

    def forged(self):
        """Garbage for links and files: a sentence or the app, never a blank page, and nothing is thrown."""
        pick = random.Random(self.seed)
        page = self.open("?kernel=scan/blelloch&n=16")
        keys = ["kernel", "n", "values", "block", "set", "preset", "schedule", "tab", "step", "substep", "thread", "cell", "line",
                "theme", "lesson", "language", "cursor.zoom", "compare.right.kernel", "time.set.items", "device", "x", "input"]
        values = ["scan/kogge-stone", "-1", "99999999999999999999", "1e999", "nan", "%", "%00", "%ff", "sum[3]", "zh", "races:3+",
                  "3,1,,4", "shuffle:1", "\u4e2d\u6587", "a" * 3000, "", "=", "&", "watch", "time", "7"]
        bad = []
        for k in range(30):
            query = "?" + "&".join(f"{pick.choice(keys)}={pick.choice(values)}" for _ in range(pick.randrange(1, 6)))
            page.go(self.address + query)
            page.until("document.getElementById('bar').hidden || barrierscope.firstFrame > 0", 60)
            opened, said = page.js("barrierscope.firstFrame > 0"), page.js("document.getElementById('wait').innerText")
            if not opened and len(said) < 10 or "mistake of its own" in said:
                bad.append(f"{query}: {said!r}")
        self.expect(not bad and not page.thrown, f"30 forged links open or are refused in words (seed {self.seed}) {bad[:3]} {page.thrown[:3]}")
        trace = self.folder / "whole.bscope"
        subprocess.run([self.native, "trace", "scan/blelloch", "-o", trace], check=True, capture_output=True)
        whole = trace.read_bytes()
        page.go(self.address + "?kernel=scan/blelloch&n=16")
        page.ready()
        for k in range(40):
            data = bytearray(whole[:pick.randrange(len(whole))] if pick.random() < 0.3 else whole)
            for _ in range(pick.randrange(1, 30)):
                if data:
                    data[pick.randrange(len(data))] = pick.randrange(256)
            page.drop(f"forged-{k}.bscope", bytes(data))
            page.rest()
        self.expect(not page.thrown and page.js("document.getElementById('wait').hidden"),
                    f"40 forged traces open or are refused, and the app goes on {page.thrown[:3]}")
        page.close()

    def paste(self):
        page = self.open("?kernel=scan/blelloch&n=16")
        page.rest()
        page.paste("5 4 3 2 1 0 9 8")
        page.rest()
        self.expect("values=5,4,3,2,1,0,9,8" in page.js("location.search"), f"pasted numbers are the input: {page.js('location.search')}")
        page.close()

    def lessons(self):
        """Each is played from its beginning to its end."""
        names = sorted(f.stem.split("-", 1)[1] for f in LESSONS.glob("*.md"))
        page = self.open()
        for name in names:
            page.go(f"{self.address}?lesson={name}")
            if not page.ready():
                self.expect(False, f"lesson {name} opens: {page.js('document.body.innerText')!r}")
                continue
            page.rest()
            places, still = [page.js("location.search")], 0
            while still < 3 and len(places) < 90:
                page.key("n")
                page.rest()
                now = page.js("location.search")
                still = still + 1 if now == places[-1] else 0
                places.append(now)
            page.picture(self.picture(f"lesson-{name}"))
            self.expect(len(set(places)) > 2 and not page.thrown, f"lesson {name} is played: {len(set(places))} places {page.thrown[:2]}")
        page.close()

    def links(self):
        """A random state, its link in a new page: the same picture and the same link."""
        pick = random.Random(self.seed)
        kernels = [k["name"] for k in json.loads(subprocess.run([self.native, "list", "--json"], check=True, capture_output=True).stdout)["kernels"]]
        page = self.open()
        wrong = []
        for k in range(12):
            query = (f"?kernel={pick.choice(kernels)}&values={','.join(str(pick.randrange(50)) for _ in range(pick.choice([4, 8, 16])))}"
                     f"&theme={pick.choice(['dark', 'light'])}&language={pick.choice(['en', 'zh'])}")
            page.go(self.address + query)
            if not page.ready():
                continue  # this kernel takes no such values, and says so
            page.rest()
            for _ in range(pick.randrange(1, 12)):
                page.key(pick.choice(["ArrowRight"] * 5 + ["ArrowLeft", "ArrowDown", "ArrowUp", "1", "2", "3", "4", "5", "End", "Home", "w", ".", ","]))
            page.rest()
            page.mouse("mouseMoved", x=1, y=1)
            time.sleep(0.3)
            page.rest()
            link = page.js("location.search")
            page.picture(self.picture("state"))
            # the system's theme, which is light here, and English are not said: a reader who keeps others has those
            page.go(self.address + link + ("" if "theme=" in link else "&theme=light") + ("" if "language=" in link else "&language=en"))
            page.ready()
            page.rest()
            time.sleep(0.3)
            page.rest()
            page.picture(self.picture("state-again"))
            share = differing(page, self.picture("state"), self.picture("state-again"))
            if page.js("location.search") != link or share > SHARE:
                wrong.append(f"{link}: {page.js('location.search')}, {100 * share:.2f}%")
                page.picture(self.picture(f"state-again-{k}"))
                pathlib.Path(self.picture("state")).rename(self.picture(f"state-{k}"))
        self.expect(not wrong and not page.thrown, f"12 random states are shown again by their links (seed {self.seed}) {wrong[:3]} {page.thrown[:2]}")
        page.close()

    def touch(self):
        page = self.open("?kernel=scan/kogge-stone&n=64", width=1024, height=768)
        page.has_fingers()
        page.rest()
        page.picture(self.picture("touch-before"))
        middle = (430, 220)
        page.touch("touchStart", (middle[0] - 30, middle[1]), (middle[0] + 30, middle[1]))
        for k in range(1, 6):
            page.touch("touchMove", (middle[0] - 30 - 20 * k, middle[1]), (middle[0] + 30 + 20 * k, middle[1]))
        page.touch("touchEnd")
        page.rest()
        page.picture(self.picture("touch-pinched"))
        self.expect("cursor.zoom=" in page.js("location.search"), f"two fingers zoom: {page.js('location.search')}")
        before = page.js("location.search")
        page.touch("touchStart", middle)
        time.sleep(0.8)
        page.picture(self.picture("touch-long-press"))
        page.touch("touchEnd")
        page.rest()
        self.expect(page.js("location.search") == before, "a long press selects nothing")
        # where cells lie, however far two fingers have zoomed; one panel at a time where the browser says that fingers point
        page.tap(middle[0], 315 if page.js("matchMedia('(pointer: coarse)').matches") else 277)
        page.rest()
        page.picture(self.picture("touch-tapped"))
        self.expect("cell=" in page.js("location.search"), f"a tap selects a cell: {page.js('location.search')}")
        self.expect(not page.thrown, f"nothing is thrown {page.thrown}")
        page.close()

    def monkey(self):
        page = self.open("?kernel=scan/blelloch&n=16", width=1280, height=800)
        page.rest()
        began = time.monotonic()
        page.js("""(async (count, seed) => {
          // what leaves the page is none of its business here
          HTMLAnchorElement.prototype.click = HTMLInputElement.prototype.click = function() {};
          const canvas = document.getElementById('canvas');
          canvas.setPointerCapture = () => {};
          let state = seed >>> 0;
          const random = n => {  // mulberry32
            state = state + 0x6d2b79f5 >>> 0;
            let t = Math.imul(state ^ state >>> 15, 1 | state);
            t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
            return ((t ^ t >>> 14) >>> 0) % n;
          };
          const names = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', 'Enter', 'Escape', 'Tab',
            'Backspace', ' ', ',', '.', '+', '-', '?', '/', '[', ']', ...'abcdefghijklmnopqrstuvwxyz0123456789'];
          const codes = { ' ': 'Space', ',': 'Comma', '.': 'Period', '+': 'Equal', '-': 'Minus', '?': 'Slash', '/': 'Slash',
            '[': 'BracketLeft', ']': 'BracketRight' };
          const at = () => ({ clientX: random(innerWidth), clientY: random(innerHeight), bubbles: true, cancelable: true });
          let down = false, fingers = new Map(), last = at();
          for (let k = 0; k < count; ++k) {
            const what = random(20);
            if (what < 6) canvas.dispatchEvent(new PointerEvent('pointermove', { ...(last = at()), pointerType: 'mouse' }));
            else if (what < 10) {
              down = !down;
              canvas.dispatchEvent(new PointerEvent(down ? 'pointerdown' : 'pointerup', { ...last, pointerType: 'mouse', button: random(12) ? 0 : 2 }));
            } else if (what < 15) {
              const key = names[random(names.length)];
              const e = { key, code: codes[key] || (/^[a-z]$/.test(key) ? 'Key' + key.toUpperCase() : /^[0-9]$/.test(key) ? 'Digit' + key : key),
                ctrlKey: !random(10), shiftKey: !random(6), altKey: !random(20), bubbles: true, cancelable: true };
              window.dispatchEvent(new KeyboardEvent('keydown', e));
              window.dispatchEvent(new KeyboardEvent('keyup', e));
            } else if (what < 17) canvas.dispatchEvent(new WheelEvent('wheel', { ...last, deltaY: 100 * (random(7) - 3), deltaX: 50 * (random(3) - 1) }));
            else if (what < 19) {
              const id = random(3) + 10, kind = !fingers.has(id) ? 'pointerdown' : random(3) ? 'pointermove' : 'pointerup';
              if (kind === 'pointerdown') fingers.set(id, 1);
              if (kind === 'pointerup') fingers.delete(id);
              canvas.dispatchEvent(new PointerEvent(kind, { ...at(), pointerType: 'touch', pointerId: id }));
            } else if (!random(20)) {
              document.getElementById('canvas').style.width = 300 + random(1000) + 'px';
              document.getElementById('canvas').style.height = 300 + random(600) + 'px';
            }
            if (k % 4 === 0) await new Promise(done => requestAnimationFrame(done));
          }
        })(""" + f"{self.events}, {self.seed}" + ")")
        page.picture(self.picture("monkey"))
        alive = page.js("document.getElementById('wait').hidden")
        self.expect(alive and not page.thrown, f"{self.events} random events in {time.monotonic() - began:.0f} s (seed {self.seed}): nothing is "
                                               f"thrown and the app goes on {page.thrown[:3]} {page.js('document.body.innerText')!r}")
        page.close()

    def size(self):
        """What a first visit fetches, compressed."""
        total = sum(f.with_name(f.name + ".br").stat().st_size for f in self.site.iterdir()
                    if f.is_file() and f.suffix not in (".br", ".gz") and f.name not in LATER)
        self.expect(total <= MOST_BYTES, f"a first visit fetches {total:,} bytes of at most {MOST_BYTES:,}")


def main():
    given = argparse.ArgumentParser()
    given.add_argument("site", type=pathlib.Path)
    given.add_argument("native")
    given.add_argument("--pictures", type=pathlib.Path)
    given.add_argument("--only", help="those of: " + " ".join(ALL))
    given.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    given.add_argument("--events", type=int, default=20000, help="of the monkey")
    a = given.parse_args()
    if not found():
        print("left out: the page in a browser (there is no chromium)")
        return 0
    with tempfile.TemporaryDirectory() as folder, Served(a.site) as address, Chromium() as browser:
        place = a.pictures or pathlib.Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        test = Test(browser, address + "app.html", a, place)
        for name in a.only.split(",") if a.only else ALL:
            getattr(test, name)()
    print(f"{len(test.failed)} failed")
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
