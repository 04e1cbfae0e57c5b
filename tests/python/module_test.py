"""The module without a notebook, and the wheel itself."""

import inspect
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import barrierscope
import pytest
from barrierscope._program import program
from conftest import ROOT, pictures_of

RELEASE = Path(os.environ.get("BARRIERSCOPE_RELEASE", ROOT / "build/release/barrierscope"))
WHEELS = sorted((ROOT / "build/dist").glob("*.whl"))


def test_no_parameter_of_a_kernel_has_the_name_of_a_keyword():
    keywords = {name for call in (barrierscope.trace, barrierscope.show) for name in inspect.signature(call).parameters}
    for name, kernel in barrierscope.kernels().items():
        assert not keywords & {p["name"] for p in kernel["parameters"]}, name


def test_numbers_of_any_kind_are_values():
    class Number:
        def item(self):
            return 2.5

    run = barrierscope.trace("scan/blelloch", values=(v for v in [1, Number(), 3.25]), type="float", block=2)
    assert run.json["input"] == [1, 2.5, 3.25]


def test_a_view_is_one_step_or_several_and_never_too_many():
    run = barrierscope.trace("scan/blelloch", n=8)
    assert list(run.show(step=2).svgs) == [2]
    assert list(run.show(steps=(3, 5)).svgs) == [3, 4, 5]
    assert list(run.show(step=99).svgs) == [run.steps - 1], "as the program has it: the last one"
    assert list(run.show(tab="run").svgs) == [0], "one picture of all steps"
    assert run.show(steps=(3, 5)).run is run
    with pytest.raises(TypeError, match="exclude each other"):
        run.show(step=1, steps=(1, 2))
    with pytest.raises(TypeError, match="this run is over: n"):
        barrierscope.show(run, n=16)
    long = barrierscope.trace("scan/hierarchical", n=256, block=8)
    assert long.steps > 64
    assert len(long.show().svgs) == 64
    with pytest.raises(barrierscope.BarrierscopeError, match="ask for 64 at most"):
        long.show(steps=(0, 64))


def test_a_view_is_kept_as_a_picture_or_a_page(tmp_path):
    view = barrierscope.show("reduce/shared", n=16)
    assert view.save(tmp_path / "a.svg").read_text() == view.svg
    page = view.save(tmp_path / "a.html").read_text()
    assert not re.search("@[a-z]+@", page), "everything is filled in"
    assert pictures_of(view._repr_html_()) == list(view.svgs.values())
    with pytest.raises(barrierscope.BarrierscopeError, match=r"\.svg or \.html"):
        view.save(tmp_path / "a.png")
    assert {p.name for p in tmp_path.iterdir()} == {"a.svg", "a.html"}


@pytest.mark.skipif(not RELEASE.exists(), reason="the release preset is not built here")
@pytest.mark.parametrize("tab", ["watch", "run", "banks", "memory", "atomics", "compare", "time", "schedule"])
def test_pictures_are_those_of_the_program_with_cairo(tab, tmp_path):
    for number, words in enumerate([
        ["scan/blelloch", "--n", "16", "--step", "3"],
        ["histogram/shared-atomics", "--preset", "queue-7x20", "--step", "1", "--theme", "dark"],
        ["reduce/warp-shuffle", "--step", "2", "--language", "zh", "--theme", "projector"],
    ]):
        texts = []
        for name, one in {"wheel": program(), "release": RELEASE}.items():
            out = tmp_path / f"{name}-{number}.svg"
            done = subprocess.run([one, "render", *words, "--view", tab, "-o", out], capture_output=True, text=True)
            texts.append((done.returncode, done.stderr, out.read_text() if done.returncode == 0 else ""))
        assert texts[0] == texts[1], words


def test_other_pictures_are_refused_in_words(tmp_path):
    for name in ("a.png", "a.pdf", "a.mp4"):
        words = ["--steps", "0..2"] if name == "a.mp4" else []
        done = subprocess.run([program(), "render", "scan/blelloch", *words, "-o", tmp_path / name],
                              capture_output=True, text=True)
        assert done.returncode == 2
        assert "draws SVG alone" in done.stderr
    assert not list(tmp_path.iterdir())


def test_the_program_is_on_the_path_and_needs_nothing_but_glibc():
    command = Path(sys.executable).parent / "barrierscope"
    for words in ([command], [sys.executable, "-m", "barrierscope"]):
        assert subprocess.run([*words, "--version"], capture_output=True, text=True, check=True).stdout == \
            f"barrierscope {barrierscope.__version__}\n"
    assert subprocess.run([command, "check", "histogram/racy"], capture_output=True).returncode == 1
    needs = subprocess.run(["ldd", program()], capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"\b(lib[a-z+_]+)\.so", needs)) <= {"libc", "libm"}, needs


def test_without_clang_a_cuda_file_is_refused_in_a_sentence(tmp_path, monkeypatch):
    file = tmp_path / "a.cu"
    file.write_text("__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n")
    monkeypatch.setenv("CLANG", str(tmp_path / "no-clang"))
    with pytest.raises(barrierscope.BarrierscopeError, match="there is no compiler .*no-clang"):
        barrierscope.trace(file)


def test_without_the_program_it_says_so(monkeypatch):
    monkeypatch.setenv("BARRIERSCOPE_PROGRAM", "/nowhere/barrierscope")
    with pytest.raises(barrierscope.BarrierscopeError, match="/nowhere/barrierscope cannot be run"):
        barrierscope.kernels()


@pytest.mark.skipif(not WHEELS, reason="no wheel here")
def test_the_wheel_holds_what_it_should_and_names_no_place_of_this_machine(tmp_path):
    assert re.fullmatch(r"barrierscope-[0-9.]+-py3-none-manylinux_2_\d+_x86_64(\.manylinux\S+)?\.whl", WHEELS[-1].name)
    with zipfile.ZipFile(WHEELS[-1]) as wheel:
        names = wheel.namelist()
        for part in ("bin/barrierscope", "lib/barrierscope/cuda/lib/libbarrierscope_cuda.so", "steps.html", "py.typed",
                     "lib/barrierscope/cuda/include/cuda_runtime.h", "share/barrierscope/lessons/en"):
            assert any(name.startswith("barrierscope/" + part) for name in names), part
        assert not [name for name in names if name.endswith((".pyc", ".cpp", ".hpp", ".desktop"))]
        assert str(ROOT).encode() not in b"".join(wheel.read(name) for name in names)


def test_it_runs_wherever_it_is_unpacked(tmp_path):
    package = Path(barrierscope.__file__).parent
    shutil.copytree(package, tmp_path / "other place" / "barrierscope")
    (tmp_path / "a.cu").write_text("__global__ void k(int* a) { a[threadIdx.x] = threadIdx.x; }\n"
                                   "int main() { int* a; cudaMalloc(&a, 16); k<<<1, 4>>>(a); cudaDeviceSynchronize(); }\n")
    moved = tmp_path / "other place" / "barrierscope" / "bin" / "barrierscope"
    subprocess.run([moved, "check", "a.cu"], cwd=tmp_path, check=True, capture_output=True)
