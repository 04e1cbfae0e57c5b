"""The part of the page's folder that runs users' own programs: modules, their JavaScript, packs of headers, and what the lessons
run, compiled ahead."""

import json
import pathlib
import shutil
import subprocess

import header_packs
import web_gallery

ROOT = pathlib.Path(__file__).resolve().parent.parent
SITE = ROOT / "app" / "web" / "site"


def own_code(build, headers, out, clang=None):
    """What users' programs need: modules, their JavaScript, and packs of headers. OUT is a folder of the page's version, for
    these files name each other."""
    out.mkdir(parents=True)
    for name in ("worker", "web"):
        (out / name).mkdir()
        for file in (ROOT / "engine" / "cuda" / name).glob("*.js"):
            if file.name != "library.js":
                shutil.copy(file, out / name)
        (out / name / "package.json").write_text('{ "type": "module" }\n', encoding="utf-8")  # for node
    shutil.copy(ROOT / "engine" / "cuda" / "worker" / "compile_ahead.mjs", out / "worker")
    shutil.copy(SITE / "own_code_worker.js", out / "worker.js")
    shutil.copy(build / "own_code.js", out / "module.js")
    shutil.copy(build / "own_code.wasm", out)
    header_packs.main(build, headers, out / "packs")
    if clang:
        for name in ("clang.js", "clang.wasm"):
            shutil.copy(clang / name, out)
        index = json.loads((out / "packs" / "headers.json").read_text(encoding="utf-8"))
        index["clang"] = {"bytes": (out / "clang.wasm").stat().st_size, "headers": []}
        (out / "packs" / "headers.json").write_text(json.dumps(index, separators=(",", ":")), encoding="utf-8")


def compile_lessons(out, own_code_folder, work, programs=None):
    """Compiles what the lessons run of their own programs, as the page would ask for it. Returns the site's setting `ahead`, and
    the trace of each such lesson's first run, by its name. `programs`: those alone, as web_gallery.lesson_programs has them."""
    folder = own_code_folder / "ahead"
    folder.mkdir()
    runs, traces = {}, {}  # by file, then by its constants; by lesson
    for lesson, all_of in (programs or web_gallery.lesson_programs()).items():
        for file, constants, device in all_of:
            path = f"assets/lessons/programs/{file}"
            run = runs.setdefault(file, {}).setdefault(f"{constants} {device}", {
                "name": f"{file} {constants} {device}", "device_model": device, "main": path, "files": {path: str(ROOT / path)},
                "constants": [{"name": name, "value": value} for name, value in constants.items()]})
            if lesson not in traces:
                traces[lesson] = run.setdefault("trace", str(work / f"{lesson}.bscope"))
    asked = [{"record": str(folder / f"{pathlib.Path(file).stem}.ahead"), "programs": list(of_file.values())} for file, of_file in runs.items()]
    (work / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    subprocess.run(["node", own_code_folder / "worker" / "compile_ahead.mjs", work / "asked.json", work / "said.json"], check=True)
    if wrong := json.loads((work / "said.json").read_text(encoding="utf-8")):
        raise SystemExit(f"programs of lessons do not compile: {wrong}")
    return {f"assets/lessons/programs/{file}": (folder / f"{pathlib.Path(file).stem}.ahead").relative_to(out).as_posix() for file in runs}, traces
