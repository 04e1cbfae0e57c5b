"""The page's service worker, with small files in the place of the program's: works without a server, a new version takes the
place of the old one, and no page gets files of two.

  service_worker_test.py

Needs chromium, and no build."""

import pathlib
import sys
import tempfile

from chromium import Chromium, found
from page_test import Served

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from web_service_worker import service_worker  # noqa: E402

OLD, NEW = "111111111111", "222222222222"
PROGRAM = ("frame.js", "barrierscope.js", "barrierscope.wasm", "base.pack", "worker.js", "program_files.js")

failed = []


def expect(true, what):
    print(f"{'ok  ' if true else 'FAIL'} {what}", flush=True)
    if not true:
        failed.append(what)


def make_site(folder, version):
    folder.mkdir()
    for name in PROGRAM:
        (folder / name).write_text(f"/* {name} {version} */")
    (folder / "site.json").write_text("{}")
    (folder / "page.js").write_text(f"window.version = '{version}'; navigator.serviceWorker.register('service_worker.js');")
    (folder / "recorded").mkdir()
    for name in ("a", "b"):
        (folder / "recorded" / f"{name}.json").write_text(version)
    (folder / "app.html").write_text(f'<!doctype html><link rel="manifest" href="site.webmanifest?{version}"><script src="page.js?{version}"></script>')
    (folder / "index.html").write_text(f'<!doctype html><title>{version}</title><img src="barrierscope.svg?{version}">')
    manifest = (ROOT / "app" / "web" / "site" / "site.webmanifest").read_text(encoding="utf-8")
    (folder / "site.webmanifest").write_text(manifest.replace("@version@", version))
    (folder / "barrierscope.svg").write_bytes((ROOT / "assets" / "barrierscope.svg").read_bytes())
    (folder / "service_worker.js").write_text(service_worker(folder, version))


def text_of(page, file):
    return page.js(f"fetch('{file}').then(r => r.ok ? r.text() : r.status)")


def stores(version):
    """Whether its files, and those of no other version, are kept."""
    return f"caches.keys().then(all => all.length === 1 && all[0].endsWith('{version}') && !!navigator.serviceWorker.controller)"


def run(folder):
    make_site(folder / "old", OLD)
    make_site(folder / "new", NEW)
    site = folder / "site"
    site.symlink_to(folder / "old")
    with Chromium() as browser:
        with Served(site) as address:
            port = int(address.rstrip("/").split(":")[-1])
            page = browser.open(address + "app.html?n=1")
            expect(page.until(stores(OLD), 20), "a first visit keeps the files")
            expect(text_of(page, f"recorded/a.json?{OLD}") == OLD, "what is fetched later is kept on use")
            page.go(address)
            page.until(f"document.title === '{OLD}'", 10)
            page.until("caches.match('index.html').then(kept => !!kept)", 10)
        page.go(address)
        expect(page.until(f"document.title === '{OLD}'", 10), "the gallery opens without a server")
        page.go(address + "app.html?n=2")
        expect(page.until(f"window.version === '{OLD}'", 10) and "n=2" in page.js("location.search"), "and so does the app, with another link")
        expect(text_of(page, f"recorded/a.json?{OLD}") == OLD, "with what was fetched")
        expect(text_of(page, f"site.json?{OLD}") == "{}" and OLD in text_of(page, f"program_files.js?{OLD}"), "and with what opening a file needs")
        expect(page.js(f"fetch('recorded/b.json?{OLD}').catch(() => 'nothing')") == "nothing", "and without what was not")
        site.unlink()
        site.symlink_to(folder / "new")
        with Served(site, port):
            expect(text_of(page, f"recorded/b.json?{OLD}") == 410, "a page of the old version gets no file of the new one")
            other = browser.open(address + "app.html?n=3")
            expect(other.until(f"window.version === '{NEW}'", 10), "the next visit gets the new version")
            expect(other.until(stores(NEW), 20), "which takes the place of the old one")
            expect(text_of(page, f"recorded/b.json?{OLD}") == 410, "still nothing of the new version for a page of the old one")
            expect(text_of(other, f"recorded/b.json?{NEW}") == NEW, "and all of it for one of the new")
        other.go(address + "app.html?n=4")
        expect(other.until(f"window.version === '{NEW}'", 10), "the new version works without a server")
        expect(other.send("Page.getInstallabilityErrors")["installabilityErrors"] == [], "browsers offer to install the page")


def main():
    if not found():
        print("left out: the service worker in a browser (there is no chromium)")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        run(pathlib.Path(folder))
    print(f"{len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
