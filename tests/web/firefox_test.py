"""The page in Firefox: first frame, tabs beside the native `render`, steps, Chinese, a long run; then what page_test.py asks
of Chromium, too: lessons, links, files, what is kept, refusals, a monkey.

  firefox_test.py SITE NATIVE [--pictures FOLDER] [--seed N] [--events N]

Its letters are drawn by the app, so a tab's picture is as near to the native one as in Chromium. Needs firefox-esr, and xvfb:
without a display it has no WebGL 2."""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

from chromium import Chromium
from chromium import found as has_chromium
from firefox import Firefox, found
from page_test import SHARE, TABS, Served, Test, differing

BOTH = ["files", "kept", "refusals", "forged", "links", "lessons", "monkey"]


def main():
    given = argparse.ArgumentParser()
    given.add_argument("site", type=pathlib.Path)
    given.add_argument("native")
    given.add_argument("--pictures", type=pathlib.Path)
    given.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    given.add_argument("--events", type=int, default=20000, help="of the monkey")
    a = given.parse_args()
    if not found():
        print("left out: the page in Firefox (there is no firefox-esr, or no Xvfb)")
        return 0
    failed = []

    def expect(true, what):
        print(f"{'ok  ' if true else 'FAIL'} {what}", flush=True)
        if not true:
            failed.append(what)

    with tempfile.TemporaryDirectory() as folder, Served(a.site) as served, Firefox(patience=300) as browser:
        address = served + "app.html"
        place = a.pictures or pathlib.Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        page = browser.open("about:blank")
        if not page.js("!!document.createElement('canvas').getContext('webgl2')"):
            page.go(address)
            page.until("document.getElementById('bar').hidden", 60)
            said = page.js("document.getElementById('wait').innerText")
            expect("WebGL 2" in said, f"without WebGL 2 it says so: {said!r}")
            print("left out: the page's pictures in Firefox (it has no WebGL 2 on this machine)")
            return 1 if failed else 0
        page.go(address)
        if not page.ready():
            expect(False, f"it opens: {page.js('document.body.innerText')!r} {page.thrown}")
            return 1
        expect(True, f"first frame after {page.js('barrierscope.firstFrame'):.0f} ms")
        pairs = []
        for view in TABS:
            page.go(f"{address}?kernel=scan/blelloch&n=16&step=3&view={view}&theme=dark")
            page.ready()
            page.rest()
            ours, theirs = str(place / f"firefox-{view}.png"), str(place / f"{view}-native.png")
            page.picture(ours)
            subprocess.run([a.native, "render", "scan/blelloch", "--n", "16", "--step", "3", "--view", view, "--theme", "dark",
                            "-o", theirs], check=True, capture_output=True)
            pairs.append((view, ours, theirs))
        if has_chromium():  # which compares them
            with Chromium() as other:
                for view, ours, theirs in pairs:
                    share = differing(other.open(address), ours, theirs)
                    expect(share <= SHARE, f"tab {view}: {100 * share:.3f}% of the pixels differ")
        else:
            print("left out: Firefox's pictures beside the native ones (there is no chromium to compare them)")
        page.go(f"{address}?kernel=scan/kogge-stone&n=64")
        page.ready()
        page.rest()
        page.key("ArrowRight")
        page.rest()
        expect("step=1" in page.js("location.search"), f"a key steps on: {page.js('location.search')}")
        page.go(f"{address}?lesson=blelloch&language=zh")
        expect(page.ready() and page.rest(), "a lesson opens, in Chinese")
        before = page.js("location.search")
        page.key("n")
        page.rest()
        expect(page.js("location.search") != before, f"and goes on: {page.js('location.search')}")
        page.go(f"{address}?kernel=scan/hierarchical&n=65536")
        page.ready()
        expect(page.rest(), "a long run is made by a worker")
        expect(not page.thrown, f"nothing is thrown {page.thrown[:3]}")
        page.close()
        both = Test(browser, address, a, place)
        for name in BOTH:
            getattr(both, name)()
        failed += both.failed
    print(f"{len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
