"""The gallery that a visitor sees first: complete, small, readable without a program; its links open what they say.

  gallery_test.py SITE NATIVE [--pictures FOLDER]

What needs a browser is left out where there is no chromium."""

import argparse
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from chromium import Chromium, found
from page_test import Served

PAGES = ("index.html", "index.zh.html")
MOST = 150_000  # bytes of a page without its pictures
CHINESE = re.compile("[\u4e00-\u9fff]")

failed = []


def expect(true, what):
    print(f"{'ok  ' if true else 'FAIL'} {what}", flush=True)
    if not true:
        failed.append(what)


def cards(site, page):
    """[(link, pictures, heading)]"""
    text = (site / page).read_text(encoding="utf-8")
    return [(html.unescape(link), [html.unescape(p).split("?")[0] for p in re.findall(r'(?:srcset|src)="([^"]+)"', inside)],
             html.unescape(re.search("<h3>(.*?)</h3>", inside)[1]))
            for link, inside in re.findall(r'<li><a href="([^"]+)">(.*?)</a>', text, re.S)]


def whole(site, native):
    catalog = json.loads(subprocess.run([native, "list", "--json"], check=True, capture_output=True, text=True).stdout)["kernels"]
    lessons = list((pathlib.Path(__file__).resolve().parent.parent.parent / "assets" / "lessons" / "en").glob("*.md"))
    for page in PAGES:
        size, text = (site / page).stat().st_size, (site / page).read_text(encoding="utf-8")
        expect(size < MOST, f"{page}: {size:,} bytes")
        all_of = cards(site, page)
        expect(len(all_of) == len(catalog) + len(lessons), f"{page}: {len(all_of)} cards")
        for name in [k["name"] for k in catalog]:
            if not any(re.search(f"kernel={name}(&|$)", link) for link, _, _ in all_of):
                expect(False, f"{page} has {name}")
        lacking = [p for _, pictures, _ in all_of for p in pictures if not (site / p).is_file()]
        expect(not lacking and all(len(pictures) == 2 for _, pictures, _ in all_of), f"{page}: each card has its two pictures {lacking}")
        chinese = page == PAGES[1]
        others = [p for _, pictures, _ in all_of for p in pictures if p not in lacking and bool(CHINESE.search((site / p).read_text(encoding="utf-8"))) != chinese]
        expect(not others, f"{page}: the pictures speak its language {others[:3]}")
        go = html.unescape(re.search('<a class="go" href="([^"]*)"', text)[1])
        expect(go == "app.html" + ("?language=zh" if chinese else ""), f"{page}: the app opens in its language: {go}")
        sections = re.findall('<h2 id="([^"]+)"', text)
        listed = re.findall('<a href="#([^"]+)"', text)
        expect(len(sections) > 3 and listed == sections, f"{page}: its sections are listed at its top: {listed}")
        refused = []
        for link, _, _ in all_of:
            done = subprocess.run([native, "render", link, "-o", "/dev/null/x.svg"], capture_output=True, text=True, check=False)
            if done.returncode == 2:  # 1: the file, which is none, cannot be written
                refused.append((link, done.stderr))
        expect(not refused, f"{page}: each link is one that the program takes {refused[:2]}")
    expect([link for link, _, _ in cards(site, PAGES[0])] == [link.replace("&language=zh", "") for link, _, _ in cards(site, PAGES[1])],
           "both languages lead to the same")
    for kept in ("examples/course.html", "examples/slides.html", "licences.html", "app.html"):
        expect((site / kept).is_file(), f"{kept} is there")


def in_browser(site, folder):
    with Served(str(site)) as address, Chromium() as browser:
        for width, height, page, scheme in ((1280, 1000, PAGES[0], "light"), (768, 1000, PAGES[0], "dark"), (390, 844, PAGES[1], "light")):
            p = browser.open("about:blank", width=width, height=height)
            p.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            p.send("Emulation.setScriptExecutionDisabled", value=True)
            p.go(address + page)
            p.send("Emulation.setScriptExecutionDisabled", value=False)
            p.until("document.readyState === 'complete' && document.images.length > 40")
            expect(p.js("document.documentElement.scrollWidth <= innerWidth"), f"{page} at {width}: nothing hangs over")
            p.until("document.images[1].complete")
            expect(p.js("document.images[1].naturalWidth > 0"), f"{page} at {width}: pictures are drawn")
            p.picture(str(folder / f"gallery-{width}.png"))
            p.close()
        p = browser.open(address + "index.html?kernel=scan/kogge-stone&n=8&step=2")
        expect(p.ready() and p.rest() and "step=2" in p.js("location.href") and "app.html" in p.js("location.href"),
               f"a link to the folder opens the app: {p.js('location.href')}")
        p.go(address)
        p.until("document.querySelector('li a')")
        p.js("document.querySelector('a[href*=\"lesson=blelloch\"]').click()")
        expect(p.ready() and p.rest() and "lesson=blelloch" in p.js("location.href"), f"a card opens its lesson: {p.js('location.href')}")
        p.picture(str(folder / "gallery-lesson.png"))
        expect(not p.thrown, f"nothing is thrown {p.thrown}")
        p.close()


def main():
    given = argparse.ArgumentParser()
    given.add_argument("site", type=pathlib.Path)
    given.add_argument("native")
    given.add_argument("--pictures", type=pathlib.Path)
    a = given.parse_args()
    whole(a.site, a.native)
    if found():
        with tempfile.TemporaryDirectory() as folder:
            place = a.pictures or pathlib.Path(folder)
            place.mkdir(parents=True, exist_ok=True)
            in_browser(a.site, place)
    else:
        print("left out: the gallery in a browser (there is no chromium)")
    print(f"{len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
