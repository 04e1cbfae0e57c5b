"""The server of the live page: it answers only clients that know its secret, and serves only its own files and runs."""

import http.client
from urllib.parse import urlsplit

import barrierscope
import pytest
from barrierscope import _page


@pytest.fixture
def site(tmp_path, monkeypatch):
    """Files that stand for a page: the server looks at names alone."""
    for name in ("app.html", "page.js", "barrierscope.wasm"):
        (tmp_path / name).write_text(name)
    (tmp_path.parent / "private.txt").write_text("nobody's business")
    monkeypatch.setenv("BARRIERSCOPE_PAGE", str(tmp_path))
    return tmp_path


def get(address, path=None, host=None):
    at = urlsplit(address)
    connection = http.client.HTTPConnection(at.hostname, at.port, timeout=10)
    connection.request("GET", path or f"{at.path}?{at.query}", headers={"Host": host} if host else {})
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_it_hands_out_its_files_and_the_run(site):
    view = barrierscope.show("scan/blelloch", n=8, tab="banks")
    assert get(view._live["page"]) == (200, b"app.html")
    assert "embed=banks" in view._live["page"]
    assert get(view._live["run"]) == (200, view.run.file.read_bytes())
    again = view.run.show(tab="watch")
    assert again._live["run"] == view._live["run"], "one run, one name"


def test_others_get_nothing(site):
    view = barrierscope.show("scan/blelloch", n=8)
    page = view._live["page"]
    secret = urlsplit(page).path.split("/")[1]
    port = urlsplit(page).port
    for path in ("/", "/app.html", "/x/app.html", f"/{secret}", f"/{secret}/", f"/{secret}/../private.txt",
                 f"/{secret}/..%2fprivate.txt", f"/{secret}//etc/passwd", f"/{secret}/none.bscope"):
        assert get(page, path)[0] == 404, path
    assert get(page, host="example.org")[0] == 404, "a name that leads here is another page's trick"
    assert get(page, host=f"127.0.0.1:{port}")[0] == 200


def test_without_page_or_wish_there_are_pictures_alone(site, monkeypatch):
    for view in (barrierscope.show("scan/blelloch", n=8, live=False), barrierscope.show("scan/blelloch", n=8, predict=True)):
        assert view._live is None
        assert "127.0.0.1" not in view._repr_html_()
    monkeypatch.setenv("BARRIERSCOPE_PAGE", str(site / "nothing"))
    assert barrierscope.show("scan/blelloch", n=8)._live is None


def test_what_is_kept_never_calls_home(site, tmp_path):
    view = barrierscope.show("scan/blelloch", n=8)
    assert "127.0.0.1" in view._repr_html_().replace("&quot;", '"')
    assert "127.0.0.1" not in view.save(tmp_path / "kept.html").read_text()
