"""A view in a browser: its frame unpacks the pictures, and buttons, keys and the slider walk through them."""

import base64
import json
import os
import shutil
import subprocess
import time

import barrierscope
import pytest
from barrierscope import _page

CHROMIUM = shutil.which("chromium")


class Page:
    """A headless Chromium, driven through its pipe (the DevTools protocol)."""

    def __init__(self, folder, address, width=1000, height=700):
        here, there = os.pipe(), os.pipe()
        os.set_inheritable(here[0], True)
        os.set_inheritable(there[1], True)
        words = [CHROMIUM, "--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader",
                 "--enable-unsafe-swiftshader", f"--user-data-dir={folder}/profile",
                 f"--window-size={width},{height}", "--remote-debugging-pipe"]
        # The browser reads from its descriptor 3 and writes to 4.
        self.process = subprocess.Popen(["/bin/bash", "-c", f'exec "$@" 3<&{here[0]} 4>&{there[1]}', "-", *words],
                                        pass_fds=(here[0], there[1]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(here[0])
        os.close(there[1])
        self.to, self.answers, self.number, self.session = here[1], os.fdopen(there[0], "rb"), 0, None
        target = self.ask("Target.createTarget", url=address)["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        said = b""
        while True:
            said += self.answers.read(1)
            if not said.endswith(b"\0"):
                continue
            answer, said = json.loads(said[:-1]), b""
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]

    def value(self, expression):
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def wait_for(self, expression, expected):
        """Asks until the answer is as expected, because a browser takes an unknown time."""
        for _ in range(300):
            if (got := self.value(expression)) == expected:
                return
            time.sleep(0.1)
        pytest.fail(f"{expression} is {got!r}, not {expected!r}")

    def press(self, key):
        for kind in ("rawKeyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot")["data"]))

    def close(self):
        os.close(self.to)  # it ends with its pipe
        self.process.wait(30)
        self.answers.close()


@pytest.fixture
def browser(tmp_path):
    pages = []

    def open_page(text):
        file = tmp_path / f"{len(pages)}.html"
        file.write_text(text, encoding="utf-8")
        pages.append(Page(tmp_path, file.as_uri()))
        return pages[-1]

    yield open_page
    for page in pages:
        page.close()


@pytest.mark.skipif(not CHROMIUM, reason="no chromium here")
def test_a_view_is_walked_through(browser):
    view = barrierscope.show("scan/blelloch", values=[3, 1, 7, 0, 4, 1, 6, 3])
    where = "document.getElementById('where').textContent"
    page = browser(view.document())
    page.wait_for(where, "step=0 \u00b7 1 of 9")
    for key, expected in {"ArrowRight": 1, "End": 8, "ArrowLeft": 7, "Home": 0}.items():
        page.press(key)
        page.wait_for(where, f"step={expected} \u00b7 {expected + 1} of 9")
    assert page.value("document.getElementById('back').disabled")
    page.value("document.getElementById('on').click()")
    page.wait_for(where, "step=1 \u00b7 2 of 9")
    page.value("const s = document.getElementById('slider'); s.value = 3; s.oninput()")
    page.wait_for(where, "step=3 \u00b7 4 of 9")
    assert "25" in page.value("[...document.querySelectorAll('#picture text')].map(t => t.textContent)")
    page.press("End")
    page.press("ArrowLeft")
    page.value("document.getElementById('play').click()")
    page.wait_for(where, "step=8 \u00b7 9 of 9")


@pytest.mark.skipif(not CHROMIUM, reason="no chromium here")
def test_in_a_notebooks_page_it_has_a_frame_of_its_own(browser, tmp_path):
    view = barrierscope.show("reduce/shared", n=16, theme="dark")
    style = "<style>.t, .b { display: none }</style>"  # of the notebook's own
    page = browser(f"<!doctype html>{style}<div style='width:900px'>{view._repr_html_()}</div>")
    page.wait_for("document.querySelector('iframe').offsetWidth", 900)
    # The frame is walled off, so that it is looked at from outside: one picture is many colours, an empty frame few.
    for _ in range(100):
        page.screenshot(tmp_path / "seen.png")
        if (tmp_path / "seen.png").stat().st_size > 60_000:
            return
        time.sleep(0.1)
    pytest.fail("the frame stayed empty")


live = pytest.mark.skipif(not CHROMIUM or not _page.folder(), reason="no chromium, or no page in this wheel")


@live
def test_the_live_page_takes_the_pictures_place_at_their_step(browser, tmp_path):
    view = barrierscope.show("histogram/racy", preset="queue-7x20", tab="watch", theme="light")
    page = browser(view.document(live=True))
    page.wait_for("document.getElementById('live')?.classList.contains('there')", True)
    page.wait_for("document.getElementById('live').title", "Barrierscope: histogram/racy")
    page.screenshot(tmp_path / "live.png")
    assert (tmp_path / "live.png").stat().st_size > 30_000


@live
def test_in_a_notebooks_page_the_live_view_asks_for_its_run(browser, monkeypatch):
    view = barrierscope.show("scan/blelloch", values=[3, 1, 7, 0, 4, 1, 6, 3])
    asked = []
    answer = _page.Handler.asked

    def noted(self):
        asked.append(self.path.split("?")[0].rsplit("/", 1)[1])
        return answer(self)

    monkeypatch.setattr(_page.Handler, "asked", noted)
    browser(f"<!doctype html><div style='width:900px'>{view._repr_html_()}</div>")
    for _ in range(300):
        if any(name.endswith(".bscope") for name in asked):
            return
        time.sleep(0.1)
    pytest.fail(f"its page asked for {asked} alone")


@pytest.mark.skipif(not CHROMIUM, reason="no chromium here")
def test_where_nobody_answers_the_pictures_stay(browser):
    view = barrierscope.show("reduce/shared", n=16, live=False)
    view._live = {"page": "http://127.0.0.1:9/nobody/app.html?embed=watch", "run": "http://127.0.0.1:9/nobody/x.bscope"}
    page = browser(view.document(live=True))
    page.wait_for("document.querySelectorAll('#picture svg').length", 1)
    page.press("ArrowRight")
    page.wait_for("document.getElementById('where').textContent.startsWith('step=1')", True)
    assert not page.value("document.getElementById('live')?.classList.contains('there') ?? false")
