"""Users' programs in the page, in a headless Chromium or in Firefox: dropped, linked, edited, embedded, broken, hostile.

  own_code_test.py SITE NATIVE [--firefox] [--serve] [--pictures FOLDER] [--only NAME,...]

NATIVE: the native program, beside whose pictures the page's are held. --serve: it serves the site and compiles; else the site brings
its compiler along, or what was compiled ahead. Needs chromium, which compares the pictures of both, and for Firefox firefox-esr and
xvfb."""

import argparse
import base64
import contextlib
import io
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zipfile
import zlib

import firefox
from chromium import Chromium, found
from page_test import SHARE, Served, differing

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLELLOCH = ROOT / "kernels/scan/cuda/5_blelloch.cu"
LONG = ROOT / "tests/cuda/own/long_kernels.cu"
RACY = ROOT / "kernels/histogram/cuda/2_racy.cu"
ASSIGNMENT = ROOT / "assets/assignments/dropped-tail/assignment.json"
ALL = ["dropped", "again", "long", "linked", "longest", "broken", "racy", "endless", "edited", "begun", "judged", "embedded", "mutated_links", "hostile", "alone"]
TYPED = ["begun"]  # letter by letter, which is Chromium's alone
MAIN = "int main() { int* p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); cudaDeviceSynchronize(); }\n"


def program_hash(files):
    """What stands behind an address that holds these files (app/web/site/program_files.js)."""
    text = json.dumps([[name, data.decode("latin1")] for name, data in files.items()])
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    small = packer.compress(text.encode()) + packer.flush()
    return "#program=" + base64.urlsafe_b64encode(small).decode().rstrip("=")


class ServedByProgram:
    """`barrierscope serve`, as a context that gives its address."""

    def __init__(self, native, site):
        self.process = subprocess.Popen([native, "serve", site, "--port", "0"], stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return re.search(r"http://\S+", self.process.stdout.readline())[0]

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Test:
    def __init__(self, browser, judge, address, native, folder):
        self.browser, self.judge, self.address, self.native, self.folder = browser, judge, address, native, folder
        self.failed = []

    def expect(self, true, what):
        print(f"{'ok  ' if true else 'FAIL'} {what}", flush=True)
        if not true:
            self.failed.append(what)

    def open(self, rest="?kernel=scan/blelloch&n=16&theme=dark&language=en"):
        page = self.browser.open(self.address + "app.html" + rest)
        self.expect(page.ready(), f"the page opens {page.thrown} {page.said[-3:]}")
        page.js("""(() => {
          window.wrong = [];
          for (const name of ['_page_say', '_page_not_made']) {
            const real = Module[name];  // which replaces itself when it is called
            Object.defineProperty(Module, name, { get: () => (text, ...more) => { wrong.push(UTF8ToString(text)); real(text, ...more); }, set() {} });
          }
          window.made = 0;
          window.fetchedShares = [];
          const isFetched = Module._page_fetched;
          Object.defineProperty(Module, '_page_fetched', { get: () => share => { fetchedShares.push(share); isFetched(share); }, set() {} });
          const isMade = Module._page_made;
          Object.defineProperty(Module, '_page_made', { get: () => () => { ++made; isMade(); }, set() {} });
          window.stated = [];  // what assignments state of each program that is run
          const post = Worker.prototype.postMessage;
          Worker.prototype.postMessage = function (message, ...more) {
            if ('folder' in message) stated.push(JSON.parse(message.what).terms.stated?.text ?? '');
            return post.call(this, message, ...more);
          };
        })()""")
        return page

    def drop(self, page, name, data):
        page.js("wrong.length = 0")
        page.drop(name, data)

    def shows(self, page, name, seconds=90):
        """Waits for a program's run; the seconds that it took, or None."""
        began = time.monotonic()
        shown = f"location.search.includes('kernel={urllib.parse.quote(name)}') && location.hash.startsWith('#program=')"
        page.until(f"wrong.length || {shown}", seconds)
        took = time.monotonic() - began
        return took if page.js(shown) and page.rest() else None

    def like_native(self, page, file, name):
        ours, theirs = str(self.folder / f"{name}.png"), str(self.folder / f"{name}-native.png")
        page.mouse("mouseWheel", 100, 250, deltaX=0, deltaY=-5000)  # the list still stands where the run before was
        page.rest()
        page.js("Module.canvas.dispatchEvent(new PointerEvent('pointerleave'))")  # a pointer has a tip
        page.rest()
        page.picture(ours)
        subprocess.run([self.native, "render", file, "--theme", "dark", "-o", theirs], check=True, capture_output=True)
        other = self.judge.open(self.address)
        share = differing(other, ours, theirs)
        other.close()
        return share

    def opens_as_natively(self, file, name):
        """Drops the program; its page."""
        page = self.open()
        self.drop(page, file.name, file.read_bytes())
        took = self.shows(page, file.name, 240)
        self.expect(took is not None, f"{file.name} is shown after {took or 0:.1f} s {page.js('wrong')} {page.thrown}")
        share = self.like_native(page, file, name)
        self.expect(share <= SHARE, f"as natively: {100 * share:.3f}% of the pixels differ")
        return page

    def dropped(self):
        """A program opens as it does natively."""
        page = self.opens_as_natively(BLELLOCH, "dropped")
        shares = page.js("fetchedShares.slice(1)")  # the first is the worker's beginning
        if page.js("fetch('site.json').then(r => r.json()).then(site => site.compiler)") == "page":
            self.expect(len(shares) > 10 and shares == sorted(shares) and shares[-1] == 1, f"the page says how much of the compiler is here: {shares[::40]}")
        sent = page.js("performance.getEntriesByType('resource').map(r => r.name).filter(n => !n.startsWith(location.origin) && !n.startsWith('blob:'))")
        self.expect(sent == [], f"nothing but the page's own server is asked: {sent}")
        page.close()

    def again(self):
        """The next one is quicker: compiler and headers are there."""
        page = self.open()
        for file in (RACY, BLELLOCH):
            self.drop(page, file.name, file.read_bytes())
            took = self.shows(page, file.name, 240)
            self.expect(took is not None, f"{file.name} is shown after {took or 0:.1f} s {page.js('wrong')}")
        page.close()

    def long(self):
        """What is not shown of a long kernel runs as native code, compiled by the page."""
        self.opens_as_natively(LONG, "long").close()

    def linked(self):
        """A link holds the program, its constants and the place."""
        files = {"templates.cu": (ROOT / "assets/templates/reduce.cu").read_bytes()}
        page = self.open("?kernel=templates.cu&const=n%3D8&step=2&theme=dark&language=en" + program_hash(files))
        self.expect(self.shows(page, "templates.cu") is not None, f"a link opens {page.js('wrong')} {page.thrown}")
        self.expect("const=n" in page.js("location.search") and "step=2" in page.js("location.search"), f"where it says: {page.js('location.search')}")
        address = page.js("location.href")
        page.key("ArrowRight")
        page.rest()
        self.expect("step=3" in page.js("location.search") and page.js("location.hash") == address[address.index("#"):], "steps keep the program")
        page.close()

    def longest(self):
        """Of a program that no link can hold, a copied link says so. The tab still shows it when it is loaded again, with all of its
        files and where it was."""
        page = self.open()
        noise = random.Random(2)
        filler = "".join(f"// {noise.getrandbits(512):x}\n" for _ in range(1200))
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as all_files:
            all_files.writestr("longest.cu", '#include "longest.cuh"\n' + BLELLOCH.read_text())
            all_files.writestr("longest.cuh", filler)
        self.drop(page, "longest.zip", packed.getvalue())
        shown = page.until("location.pathname.endsWith('app.html') && !location.search && Module.page.compiles", 120)
        page.rest()
        page.js("Module.page.copy(location.origin + location.pathname + '?kernel=longest.cu')")
        self.expect(shown and page.until("wrong.some(w => w.includes('does not hold this program'))", 20), f"a program that is too long for a link: {page.js('wrong')}")
        page.key("ArrowRight")
        page.key("ArrowRight")
        page.rest()
        before = page.js("history.state.query")
        page.until("caches.open('opened in barrierscope').then(all => all.match(history.state.id)).then(there => !!there)", 10)
        page.js("window.wrong = null, location.reload(), 0")
        self.expect(page.until("window.wrong === undefined && window.barrierscope && barrierscope.firstFrame > 0", 120) and
                    page.until("history.state.query", 120) and page.rest(120), "it is loaded again")
        self.expect("step=2" in before and page.js("history.state.query") == before, f"and stands where it was: {before}, {page.js('history.state')}")
        self.expect(page.js("FS.readdir('/files').includes('longest.cuh')"), "with its header")
        page.close()

    def broken(self):
        """What does not compile is said in the compiler's words, at its line; the open run stays."""
        page = self.open()
        self.drop(page, "broken.cu", b"__global__ void k(int* p) { *p = missing; }\n" + MAIN.encode())
        self.expect(page.until("wrong.length", 120), "it is said that it does not compile")
        said = "".join(page.js("wrong"))
        self.expect("undeclared identifier 'missing'" in said and "broken.cu:1:34" in said, said)
        self.expect("broken.cu" not in page.js("location.search") and not page.thrown, f"the run stays {page.thrown}")
        page.picture(str(self.folder / "broken.png"))
        page.close()

    def racy(self):
        self.opens_as_natively(RACY, "racy").close()

    def endless(self):
        """A program that does not end is ended; another runs after it."""
        page = self.open()
        self.drop(page, "endless.cu", b"__global__ void k(int* p) { *p = 1; }\nint main() { for (;;) {} }\n")
        self.expect(page.until("wrong.some(w => /never ends|longer than|stopped/.test(w))", 120), f"an endless loop is ended: {page.js('wrong')}")
        self.drop(page, BLELLOCH.name, BLELLOCH.read_bytes())
        self.expect(self.shows(page, BLELLOCH.name) is not None, "another program runs after it")
        page.close()

    def edited(self):
        """Ctrl+E, a change, Ctrl+S: the new run; and the address holds the new text."""
        page = self.open()
        self.drop(page, "reduce.cu", (ROOT / "assets/templates/reduce.cu").read_bytes())
        self.shows(page, "reduce.cu")
        before = page.js("location.hash")
        page.key("e", "Control")
        page.rest()
        page.key("/")
        page.key("/")
        page.key("Enter")
        page.rest()
        page.picture(str(self.folder / "edited.png"))
        began = time.monotonic()
        page.js("barrierscope.tookOver = []")
        page.key("s", "Control")
        self.expect(page.until(f"barrierscope.tookOver.length && location.hash.startsWith('#program=') && location.hash !== {json.dumps(before)}", 60),
                    f"a change is run after {time.monotonic() - began:.1f} s {page.js('wrong')}")
        self.expect(page.js("/^\\/\\/$/m.test(new TextDecoder().decode(FS.readFile('/files/reduce.cu')))"), "and stands in the file")
        page.close()

    def begun(self):
        """A template from the palette."""
        page = self.open()
        page.key("k", "Control")
        page.rest()
        for letter in "New CUDA file: reduce":
            page.send("Input.dispatchKeyEvent", type="char", text=letter)
        page.rest()
        page.key("Enter")
        self.expect(self.shows(page, "reduce.cu") is not None, f"a template is written and runs {page.js('wrong')} {page.js('location.search')}")
        page.picture(str(self.folder / "begun.png"))
        page.close()

    def judged(self):
        """A program that began from an assignment is judged by its runs, and the banner says what is wrong as it does natively."""
        assignment, file = json.loads(ASSIGNMENT.read_text()), ASSIGNMENT.parent / "start.cu"
        page = self.open()
        self.drop(page, file.name, file.read_bytes())
        runs, began = len(assignment["runs"]), time.monotonic()
        self.expect(page.until(f"made > {runs}", 240) and page.rest(), f"it is judged after {time.monotonic() - began:.1f} s {page.js('wrong')} {page.thrown}")
        self.expect(page.js("stated") == [""] + runs * [assignment["expect"]], f"each run has the assignment's terms: {page.js('stated')}")
        share = self.like_native(page, file, "judged")
        self.expect(share <= SHARE, f"as natively: {100 * share:.3f}% of the pixels differ")
        page.close()

    def embedded(self):
        """A frame in a page of another's shows a program."""
        page = self.browser.open(self.address + "licences.html", width=900, height=600)
        page.until("document.readyState === 'complete'", 20)
        source = "app.html?kernel=a.cu&embed=watch" + program_hash({"a.cu": BLELLOCH.read_bytes()})
        page.js("""(() => {
          window.heard = [];
          addEventListener('message', e => heard.push(e.data));
          document.body.innerHTML = '<iframe style="width: 800px; height: 500px"></iframe>';
          document.querySelector('iframe').src = %s;
        })()""" % json.dumps(source))
        self.expect(page.until("heard.some(m => /kernel=a\\.cu/.test(m.link))", 120), f"a frame shows it: {page.js('heard')}")
        page.picture(str(self.folder / "embedded.png"))
        page.close()

    def mutated_links(self):
        """Whatever an address holds, the page opens, and says what is wrong."""
        rng, good = random.Random(1), program_hash({"a.cu": BLELLOCH.read_bytes()})
        page = self.open()
        for _ in range(60):
            text = list(good)
            for _ in range(rng.randrange(1, 6)):
                at = rng.randrange(9, len(text))
                text[at] = rng.choice("abcXYZ019-_%&#=") if rng.random() < 0.7 else ""
            if rng.random() < 0.3:
                text = text[:rng.randrange(9, len(text))]
            answer = page.js("""(async hash => {
              const of = await import('./program_files.js');
              try { return (await of.filesOfLink(hash)).length; } catch (e) { return e.chinese ? 'refused' : String(e); }
            })(%s)""" % json.dumps("".join(text)))
            if answer != "refused" and not isinstance(answer, int):
                self.expect(False, f"a broken link gives {answer}")
                break
        else:
            self.expect(True, "60 broken links are refused with a sentence, or hold files")
        page.close()
        page = self.open("?kernel=a.cu&language=en" + good[:200])
        self.expect(not page.thrown and page.js("document.getElementById('wait').hidden"), f"the page opens with half a program {page.thrown}")
        page.picture(str(self.folder / "half_a_link.png"))
        page.close()

    def hostile(self):
        """Programs that want out get nothing, and the page goes on."""
        page = self.open()
        for name, host in {"memory": "for (;;) { volatile char* p = new char[1 << 26]; p[5] = 1; }", "wild": "*(volatile int*)0x123456789abc = 1;",
                           "files": 'FILE* f = fopen("/etc/passwd", "r"); if (f) printf("open"); else abort();', "recursion":
                           "struct R { static int f(int n) { volatile char a[1000]; a[n % 1000] = 1; return f(n + 1) + a[7]; } }; return R::f(0);",
                           "process": 'return system("true") ? 3 : 4;', "throws": "throw 7;"}.items():
            self.drop(page, f"{name}.cu", f"#include <cstdio>\n#include <cstdlib>\n__global__ void k(int* p) {{ *p = 1; }}\nint main() {{ {host} }}\n".encode())
            self.expect(page.until("wrong.length", 90), f"{name}: {page.js('wrong')}")
        self.drop(page, BLELLOCH.name, BLELLOCH.read_bytes())
        self.expect(self.shows(page, BLELLOCH.name) is not None and not page.thrown, f"and another program runs {page.thrown}")
        page.close()

    def alone(self):
        """Everything that the page asked for is the page's own."""
        page = self.open()
        self.drop(page, BLELLOCH.name, BLELLOCH.read_bytes())
        self.shows(page, BLELLOCH.name)
        bytes_ = page.js("performance.getEntriesByType('resource').reduce((n, r) => n + r.transferSize, 0)")
        self.expect(True, f"{bytes_:,.0f} bytes were fetched by the page itself")
        page.close()


def main():
    given = argparse.ArgumentParser()
    given.add_argument("site", type=pathlib.Path)
    given.add_argument("native")
    given.add_argument("--firefox", action="store_true")
    given.add_argument("--serve", action="store_true")
    given.add_argument("--pictures", type=pathlib.Path)
    given.add_argument("--only", help="those of: " + " ".join(ALL))
    a = given.parse_args()
    if not found() or a.firefox and not firefox.found():
        print("left out: users' programs in a browser (there is no chromium, or no firefox-esr or Xvfb)")
        return 0
    served = ServedByProgram(a.native, a.site) if a.serve else Served(a.site)
    with tempfile.TemporaryDirectory() as folder, served as address, Chromium() as chromium:
        place = a.pictures or pathlib.Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        with firefox.Firefox(patience=300) if a.firefox else contextlib.nullcontext(chromium) as browser:
            test = Test(browser, chromium, address, a.native, place)
            for name in a.only.split(",") if a.only else [name for name in ALL if not (a.firefox and name in TYPED)]:
                getattr(test, name)()
    print(f"{len(test.failed)} failed")
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
