"""The page in Firefox: first frame, tabs beside the native `render`, steps, Chinese, a long run; then what page_test.py asks
of Chromium, too: lessons, links, files, pasting, fingers, what is kept, refusals, a monkey; and all that embed_test.py asks.

  firefox_test.py SITE NATIVE [--pictures FOLDER] [--only NAME,...] [--seed N] [--events N]

Its letters are drawn by the app, so a tab's picture is as near to the native one as in Chromium. Needs firefox-esr, and xvfb:
without a display it has no WebGL 2."""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

import embed_test
from chromium import Chromium
from chromium import found as has_chromium
from firefox import Firefox, found
from page_test import SHARE, TABS, Served, Test, differing

BOTH = ["files", "paste", "touch", "kept", "refusals", "forged", "links", "lessons", "monkey"]
ALL = ["first", *BOTH, *embed_test.ALL]


class First(Test):
    def first(self):
        page = self.open()
        if not page.js("barrierscope.firstFrame > 0"):
            return
        self.expect(True, f"first frame after {page.js('barrierscope.firstFrame'):.0f} ms")
        pairs = []
        for view in TABS:
            page.go(f"{self.address}?kernel=scan/blelloch&n=16&step=3&view={view}&theme=dark")
            page.ready()
            page.rest()
            ours, theirs = self.picture(f"firefox-{view}"), self.picture(f"{view}-native")
            page.picture(ours)
            subprocess.run([self.native, "render", "scan/blelloch", "--n", "16", "--step", "3", "--view", view, "--theme", "dark",
                            "-o", theirs], check=True, capture_output=True)
            pairs.append((view, ours, theirs))
        if has_chromium():  # which compares them
            with Chromium() as other:
                for view, ours, theirs in pairs:
                    share = differing(other.open(self.address), ours, theirs)
                    self.expect(share <= SHARE, f"tab {view}: {100 * share:.3f}% of the pixels differ")
        else:
            print("left out: Firefox's pictures beside the native ones (there is no chromium to compare them)")
        page.go(f"{self.address}?kernel=scan/kogge-stone&n=64")
        page.ready()
        page.rest()
        page.key("ArrowRight")
        page.rest()
        self.expect("step=1" in page.js("location.search"), f"a key steps on: {page.js('location.search')}")
        page.go(f"{self.address}?lesson=blelloch&language=zh")
        self.expect(page.ready() and page.rest(), "a lesson opens, in Chinese")
        before = page.js("location.search")
        page.key("n")
        page.rest()
        self.expect(page.js("location.search") != before, f"and goes on: {page.js('location.search')}")
        page.go(f"{self.address}?kernel=scan/hierarchical&n=65536")
        page.ready()
        self.expect(page.rest(), "a long run is made by a worker")
        self.expect(not page.thrown, f"nothing is thrown {page.thrown[:3]}")
        page.close()


def has_webgl(browser, address):
    """False: then the page says so."""
    page = browser.open("about:blank")
    has = page.js("!!document.createElement('canvas').getContext('webgl2')")
    said = ""
    if not has:
        page.go(address)
        page.until("document.getElementById('bar').hidden", 60)
        said = page.js("document.getElementById('wait').innerText")
        print(f"{'ok  ' if 'WebGL 2' in said else 'FAIL'} without WebGL 2 it says so: {said!r}")
        print("left out: the page in Firefox (it has no WebGL 2 on this machine)")
    page.close()
    return has, has or "WebGL 2" in said


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
        print("left out: the page in Firefox (there is no firefox-esr, or no Xvfb)")
        return 0
    with tempfile.TemporaryDirectory() as folder, Served(a.site) as served, Firefox(patience=300) as browser:
        address = served + "app.html"
        place = a.pictures or pathlib.Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        has, right = has_webgl(browser, address)
        if not has:
            return 0 if right else 1
        tests = [First(browser, address, a, place), embed_test.Test(browser, address, a, place)]
        for name in a.only.split(",") if a.only else ALL:
            getattr(tests[name in embed_test.ALL], name)()
        failed = [what for test in tests for what in test.failed]
    print(f"{len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
