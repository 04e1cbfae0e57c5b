"""Views in frames of other pages, in a headless Chromium: messages both ways, and that only those run that are seen.

  embed_test.py SITE [NATIVE] [--pictures FOLDER] [--only NAME] [--messages K]

Needs chromium."""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from chromium import Chromium, found
from page_test import Served

ALL = ["messages", "mutated", "handed_in", "walled_off", "beginnings", "manners", "ten", "sleep"]
VIEWS = ["watch", "run", "banks", "memory", "compare"]
KERNELS = ["scan/blelloch", "scan/kogge-stone"]
HOST = """<!doctype html><meta charset=utf-8><title>A course page</title>
<style>body {{ margin: 2em; font: 18px/1.5 serif }} iframe {{ width: 100%; height: 420px; border: 1px solid #888 }} p {{ height: 300px }}</style>
<script>
var heard = [];
addEventListener('message', e => heard.push({{ from: [...document.querySelectorAll('iframe')].findIndex(f => f.contentWindow === e.source),
  data: e.data, origin: e.origin }}));
const say = (n, message) => document.querySelectorAll('iframe')[n].contentWindow.postMessage(message, '*');
const last = (n, type) => heard.filter(h => h.from === n && h.data.type === type).map(h => h.data).pop();
</script>
{frames}
<p style="height: 1500px">The end.</p>"""


def frame(site, query):
    return f'<p>Text between figures.</p><iframe loading="lazy" src="{site}{query}" title="A figure"></iframe>'


# send(BEGIN, COUNT): messages to the view, each a good one with some of its members changed, by its number.
MUTATED = """(() => {
  const good = [{type: 'go', step: 3}, {type: 'go', step: 3, substep: 0}, {type: 'next'}, {type: 'back'}, {type: 'play'}, {type: 'pause'},
    {type: 'theme', theme: 'dark'}, {type: 'open', link: '?kernel=scan/kogge-stone&n=8&step=2'}, {type: 'open', link: '?kernel=a.cu#program=q1ZKVLJSSk'},
    {type: 'open', bytes: new Uint8Array(40).buffer}];
  const values = [null, undefined, -1, 0, 1, 2 ** 31, 2 ** 53, NaN, Infinity, 0.5, '', 'x', '3', '\\0', '?', '?kernel=', '../../etc/passwd', '<b>', '\\ud800', true, [], {}, [[1]],
    {step: 1}, 'a'.repeat(30000), new Date(0), new Map([[1, 2]]), new Uint8Array([123, 125]), new ArrayBuffer(0), 10n];
  const names = ['barrierscope', 'type', 'step', 'substep', 'link', 'theme', 'bytes', '__proto__', 'constructor', ''];
  window.send = (begin, count) => {
    for (let k = begin; k < begin + count; ++k) {
      let state = k + 1;
      const below = end => { state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9 >>> 0; return (state >>> 8) % end; };
      const message = {barrierscope: 1, ...good[below(good.length)]};
      for (let change = below(3); change >= 0; --change) {
        const name = names[below(names.length)];
        if (below(4) === 0) delete message[name];
        else if (typeof message[name] === 'string' && below(2)) {
          const at = below(message[name].length + 1);
          message[name] = message[name].slice(0, at) + String.fromCharCode(below(300)) + message[name].slice(at + below(3));
        } else Object.defineProperty(message, name, {value: values[below(values.length)], enumerable: true, configurable: true, writable: true});
      }
      try { say(0, message); } catch (e) { if (e.name !== 'DataCloneError') throw e; }
    }
  };
})()"""


class Test:
    def __init__(self, browser, address, a, folder):
        self.browser, self.site, self.folder = browser, address, folder
        self.site_folder, self.native, self.messages_sent = a.site, a.native, a.messages
        self.failed = []

    def expect(self, true, what):
        print(f"{'ok  ' if true else 'FAIL'} {what}", flush=True)
        if not true:
            self.failed.append(what)

    def host(self, *frames):
        self.hosts = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (self.hosts / "index.html").write_text(HOST.format(frames="\n".join(frames)), encoding="utf-8")
        return Served(str(self.hosts))

    def open(self, address, **size):
        page = self.browser.open(address, **size)
        page.until("document.readyState === 'complete' && document.querySelector('iframe')")
        return page

    def wait(self, page, expression, what, seconds=30):
        there = page.until(expression, seconds)
        self.expect(there, what if there else f"{what}; heard: {page.js('JSON.stringify(heard.slice(-4))')}")
        return there

    def messages(self):
        """From another origin, as a course page has it."""
        with self.host(frame(self.site, "?kernel=scan/blelloch&n=16&theme=light&embed=watch")) as address:
            page = self.open(address, width=900, height=900)
            if not self.wait(page, "last(0, 'ready')", "a view says that it is there"):
                return
            ready = page.js("last(0, 'ready')")
            self.expect((ready["barrierscope"], ready["kernel"], ready["step"], ready["view"]) == (1, "scan/blelloch", 0, "watch"),
                        f"and where it is: {ready}")
            self.expect(page.js("heard.every(h => h.origin !== location.origin)"), "the page around it is of another origin")
            for message, true in (({"type": "go", "step": 3}, "last(0, 'step').step === 3"),
                                  ({"type": "next"}, "last(0, 'step').step === 4"),
                                  ({"type": "back"}, "last(0, 'step').step === 3"),
                                  ({"type": "go", "step": 3, "substep": 0}, "last(0, 'step').substep === 0"),
                                  ({"type": "go", "step": 100000}, "last(0, 'step').step === last(0, 'step').of - 1"),
                                  ({"type": "go", "step": 0}, "last(0, 'step').step === 0"),
                                  ({"type": "play"}, "last(0, 'step').step >= 2"),
                                  ({"type": "pause"}, "!last(0, 'step').playing"),
                                  ({"type": "open", "link": "?kernel=scan/kogge-stone&n=8&step=2&tab=banks"},
                                   "last(0, 'step').kernel === 'scan/kogge-stone' && last(0, 'step').step === 2 && last(0, 'step').view === 'watch'"),
                                  ({"type": "theme", "theme": "dark"}, "!/theme/.test(last(0, 'step').link)")):
                page.js(f"say(0, {json.dumps(dict(message, barrierscope=1))})")
                self.wait(page, true, f"takes {message}")
            page.picture(str(self.folder / "embedded-messages.png"))
            said = page.js("heard.length")
            page.js("say(0, 'hello'); say(0, null); say(0, {type: 'next'}); say(0, [1]); say(0, 7)")
            time.sleep(0.5)
            self.expect(page.js("heard.length") == said, "what is none of its messages is ignored")
            for bad in ("{barrierscope: 1, type: 'jump'}", "{barrierscope: 2, type: 'next'}", "{barrierscope: 1, type: 'go', step: -1}",
                        "{barrierscope: 1, type: 'open', link: '?input=/etc/passwd'}", "{barrierscope: 1, type: 'open', link: '?kernel=nothing'}",
                        "{barrierscope: 1, type: 'open', link: '?n=-3'}", "(() => { const m = {barrierscope: 1}; m.m = m; return m; })()",
                        "{barrierscope: 1, type: 'open', link: 'x'.repeat(100000)}"):
                page.js("heard = []")
                page.js(f"say(0, {bad})")
                if page.until("heard.length", 10):
                    answer = page.js("heard[0].data")
                    self.expect(answer.get("type") == "error" and len(answer.get("sentence", "")) > 10, f"{bad}: {answer.get('sentence')!r}")
                else:
                    self.expect(False, f"{bad} is not answered")
            self.expect(not page.thrown, f"nothing is thrown {page.thrown}")
            page.close()

    def mutated(self):
        """Whatever the page around it sends, the view goes on, answers what it can and asks for nothing."""
        with self.host(frame(self.site, "?kernel=scan/blelloch&n=16&theme=light&embed=watch")) as address:
            page = self.open(address, width=900, height=900)
            if not self.wait(page, "last(0, 'ready')", "a view is there"):
                return
            page.js(MUTATED)
            sentences = set()
            for begin in range(0, self.messages_sent, 100):
                page.js(f"heard = [], send({begin}, {min(100, self.messages_sent - begin)})")
                page.js("say(0, {barrierscope: 1, type: 'open', link: '?kernel=scan/blelloch&n=16'})")
                page.js("say(0, {barrierscope: 1, type: 'go', step: 1}), say(0, {barrierscope: 1, type: 'go', step: 2}), 0")
                if not page.until("(last(0, 'step') || {}).step === 2 && last(0, 'step').kernel === 'scan/blelloch'", 60):
                    self.expect(False, f"after the messages from {begin} on it no longer answers: {page.js('JSON.stringify(heard.slice(-4))')}")
                    break
                sentences.update(page.js("heard.filter(h => h.data.type === 'error').map(h => h.data.sentence)"))
            else:
                self.expect(True, f"{self.messages_sent} changed messages leave it able to answer")
            self.expect(all(len(s) > 10 for s in sentences), f"and are refused in {len(sentences)} sentences, such as {sorted(sentences)[:3]}")
            asked = page.js("performance.getEntriesByType('resource').map(r => r.name)")
            self.expect(all(name.startswith((self.site, address)) for name in asked) and not page.thrown, f"nothing else was asked for, nothing thrown {page.thrown}")
            page.close()

    def handed_in(self):
        """A recorded run that the page around the view hands in; a forged one is refused with a sentence."""
        trace = self.folder / "handed.bscope"
        if not self.native:
            print("left out: recorded runs (no native program was named)")
            return
        subprocess.run([self.native, "trace", "histogram/racy", "-o", trace], check=True, capture_output=True)
        with self.host(frame(self.site, "?kernel=scan/blelloch&n=16&theme=light&embed=watch")) as address:
            shutil.copy(trace, self.hosts)
            (self.hosts / "forged.bscope").write_bytes(trace.read_bytes()[:500] + b"forged")
            page = self.open(address, width=900, height=900)
            self.wait(page, "last(0, 'ready')", "a view is there")
            hand = "fetch('{}').then(r => r.arrayBuffer()).then(bytes => say(0, {{barrierscope: 1, type: 'open', bytes}}))"
            page.js(hand.format("handed.bscope"))
            self.wait(page, "last(0, 'step') && last(0, 'step').kernel === 'histogram/racy'", "a recorded run opens in the view")
            self.expect(page.js("last(0, 'step').link") == "", "no link says it")
            page.picture(str(self.folder / "embedded-file.png"))
            page.js(hand.format("forged.bscope"))
            self.wait(page, "last(0, 'error')", "a forged one is told of")
            print(f"     {page.js('last(0, `error`).sentence')!r}")
            page.js("say(0, {barrierscope: 1, type: 'open', link: 'n=32&step=2'})")
            self.wait(page, "last(0, 'step').kernel === 'scan/blelloch' && last(0, 'step').step === 2", "then a link")
            self.expect(not page.thrown, f"nothing is thrown {page.thrown}")
            page.close()

    def walled_off(self):
        """In a sandbox, as notebooks have it, nothing has the page's own origin: its files, its worker."""
        walled = frame(self.site, "?kernel=scan/blelloch&n=16&embed=watch").replace("<iframe", '<iframe sandbox="allow-scripts"')
        with self.host(walled) as address:
            page = self.open(address, width=900, height=900)
            if not self.wait(page, "last(0, 'ready')", "a view in a sandbox is there"):
                return
            page.js("say(0, {barrierscope: 1, type: 'open', link: '?kernel=scan/hierarchical&n=65536'})")
            self.wait(page, "last(0, 'step') && last(0, 'step').kernel === 'scan/hierarchical'", "a long run opens in it", 60)
            page.close()

    def beginnings(self):
        """What asks before the view is there is answered when it is; a forged view is refused with a sentence."""
        with self.host(frame(self.site, "?embed=clouds"), frame(self.site, "?kernel=scan/blelloch&embed=run")) as address:
            page = self.open(address, width=900, height=1700)
            page.until("document.querySelectorAll('iframe')[1].contentWindow.length !== undefined")
            self.wait(page, "last(0, 'error')", "an unknown view is told to the page around it")
            said = page.js("last(0, 'error').sentence")
            self.expect("clouds" in said, f"embed=clouds: {said!r}")
            self.wait(page, "last(1, 'ready')", "the other view is there")
            page.js("document.querySelectorAll('iframe')[1].src += '&n=32'; heard = []")
            page.js("document.querySelectorAll('iframe')[1].addEventListener('load', () => say(1, {barrierscope: 1, type: 'go', step: 5}))")
            self.wait(page, "(last(1, 'step') || last(1, 'ready') || {}).step === 5", "what was asked for before it was there is done then")
            page.close()

    def manners(self):
        """The page around it keeps the wheel and the keyboard; the link leads to the whole app."""
        with self.same_origin(1) as address:
            page = self.open(address + "host.html", width=900, height=700)
            page.js("document.querySelector('iframe').scrollIntoView()")
            self.wait(page, "last(0, 'ready')", "a view of the same origin is there")
            self.expect(page.js("document.activeElement === document.body"), "it does not take the keyboard")
            page.js("scrollTo(0, 200)")
            time.sleep(0.5)
            page.mouse("mouseMoved", 450, 400)
            page.mouse("mouseWheel", 450, 400, deltaX=0, deltaY=120)
            self.wait(page, "scrollY > 210", "a wheel over it scrolls the page")
            page.js("document.querySelector('iframe').scrollIntoView()")
            href = page.js("frames[0].document.getElementById('whole').href")
            self.expect("embed" not in href and "step=3" in href, f"its link has the same state: {href}")
            box = page.js("(b => [b.x, b.y, b.width, b.height])(frames[0].document.getElementById('whole').getBoundingClientRect())")
            self.expect(box[2] > 60 and box[3] > 20, f"and can be hit: {box}")
            page.js("frames[0].focus(); frames[0].document.getElementById('canvas').focus()")
            page.key("ArrowRight")
            self.wait(page, "last(0, 'step') && last(0, 'step').step === 4", "a key steps on where it has the keyboard")
            self.expect(page.js("frames[0].location.search").startswith("?embed="), f"its address keeps the view: {page.js('frames[0].location.search')}")
            page.picture(str(self.folder / "embedded-same-origin.png"))
            page.close()

    def same_origin(self, count):
        """The site beside a host page: its frames can be looked into."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder)) / "site"
        shutil.copytree(self.site_folder, folder)
        frames = [frame("app.html", f"?kernel={KERNELS[k % 2]}&n=16&step=3&theme=light&embed={VIEWS[k % len(VIEWS)]}") for k in range(count)]
        (folder / "host.html").write_text(HOST.format(frames="\n".join(frames)), encoding="utf-8")
        return Served(str(folder))

    def ten(self):
        with self.same_origin(10) as address:
            page = self.open(address + "host.html", width=1280, height=800)
            for k in range(10):
                page.js(f"document.querySelectorAll('iframe')[{k}].scrollIntoView({{block: 'center'}})")
                if not self.wait(page, f"last({k}, 'ready')", f"view {k + 1} of ten is there when it is scrolled to"):
                    return
            page.js("scrollTo(0, 0)")
            time.sleep(2)
            counts = "Array.from(frames, (_, k) => frames[k]).map(f => f.barrierscope.frames)"
            before = page.js(counts)
            for k in range(5, 10):
                page.js(f"say({k}, {{barrierscope: 1, type: 'play'}})")
            time.sleep(2)
            after = page.js(counts)
            self.expect(after[5:] == before[5:], f"views out of sight draw nothing while they play: {before[5:]}, {after[5:]}")
            self.expect(all(page.js(f"last({k}, 'step').playing") for k in range(5, 10)), "but know that they are to play")
            self.expect(after == before, f"and those in sight, which nobody touches, neither: {before[:5]}, {after[:5]}")
            rest = page.share_of_core(3)
            page.js("document.querySelectorAll('iframe')[7].scrollIntoView({block: 'center'})")
            self.wait(page, f"frames[7].barrierscope.frames > {after[7] + 10}", "a view that is scrolled to goes on playing")
            for k in range(10):
                page.js(f"say({k}, {{barrierscope: 1, type: 'pause'}})")
            smooth = """new Promise(done => {
              const times = []; let last = performance.now();
              const go = () => { const now = performance.now(); times.push(now - last); last = now; scrollBy(0, 12);
                if (times.length < 240) requestAnimationFrame(go); else done(times.slice(5).sort((a, b) => a - b)); };
              scrollTo(0, 0); requestAnimationFrame(go); })"""
            times = page.js(smooth)
            heaps = page.js("Array.from(frames, (_, k) => frames[k]).map(f => f.HEAP8.length / 1048576)")
            memory = self.browser.memory_of_pages()
            page.picture(str(self.folder / "embedded-ten.png"))
            page.js("document.querySelectorAll('iframe').forEach(f => f.removeAttribute('loading'))")
            print(f"     ten views: the host scrolls at {1000 / times[len(times) // 2]:.0f} frames/s (median), 95% within {times[int(len(times) * 0.95)]:.0f} ms, "
                  f"longest {times[-1]:.0f} ms; heaps {sum(heaps):.0f} MB"
                  + ("" if rest is None else f"; at rest {100 * rest:.1f}% of a core, the process {memory:.0f} MB"))
            plain = self.browser.open("about:blank", width=1280, height=800)
            plain.js("document.body.innerHTML = '<p style=\"height:300px\">Text.</p><iframe style=\"width:100%;height:420px\"></iframe>'.repeat(10)")
            t = plain.js(smooth)
            print(f"     the same with empty frames: {1000 / t[len(t) // 2]:.0f} frames/s, 95% within {t[int(len(t) * 0.95)]:.0f} ms")
            plain.close()
            self.expect(not page.thrown, f"nothing is thrown {page.thrown}")
            page.close()

    def sleep(self):
        with self.same_origin(2) as address:
            page = self.open(address + "host.html", width=1280, height=600)
            page.js("document.querySelector('iframe').scrollIntoView()")
            self.wait(page, "last(0, 'ready')", "a view is there")
            page.js("say(0, {barrierscope: 1, type: 'go', step: 6}); frames[0].barrierscopeFrame.sleepsAfter = 300")
            self.wait(page, "last(0, 'step') && last(0, 'step').step === 6", "goes to its step")
            page.js("scrollTo(0, 1e6); heard = []")
            self.wait(page, "frames[0].barrierscopeFrame && !frames[0].HEAP8", "a view that was out of sight for long gives its memory back")
            page.js("say(0, {barrierscope: 1, type: 'next'})")
            time.sleep(1)
            self.expect(page.js("!frames[0].HEAP8"), "and is not woken by messages")
            page.js("document.querySelector('iframe').scrollIntoView()")
            self.wait(page, "(last(0, 'step') || last(0, 'ready') || {}).step === 7",
                      "seen again, it begins where it was and does what was asked for meanwhile")
            page.picture(str(self.folder / "embedded-woken.png"))
            page.close()


def main():
    given = argparse.ArgumentParser()
    given.add_argument("site")
    given.add_argument("native", nargs="?")
    given.add_argument("--pictures", type=pathlib.Path)
    given.add_argument("--only")
    given.add_argument("--messages", type=int, default=500, help="changed ones that are sent")
    a = given.parse_args()
    if not found():
        print("left out: views in frames (there is no chromium)")
        return 0
    with tempfile.TemporaryDirectory() as folder, Served(a.site) as address, Chromium() as browser:
        place = a.pictures or pathlib.Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        test = Test(browser, address + "app.html", a, place)
        for name in ALL:
            if a.only in (None, name):
                getattr(test, name)()
    print(f"{len(test.failed)} failed")
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
