#!/usr/bin/python3
"""The folder that any web server can host: the page, its program, and packs of the files that it opens, each also
compressed (.br, .gz) for servers that hand those out; the gallery that leads into it, examples, licences. Recordings, lessons and
what Chinese needs are fetched when they are asked for.

  web_site.py BUILD OUT [--programs] [--clang FOLDER]

BUILD: build/web, which holds the program; OUT: the folder to write; --programs: with what runs users' own programs; --clang: also
with their compiler, which is in FOLDER (build/web/clang).

Fonts are cut to the characters that the app writes. Needs Debian's
python3-fonttools, uglifyjs and brotli."""

import argparse
import concurrent.futures
import gzip
import hashlib
import html
import io
import json
import pathlib
import shutil
import subprocess
import tempfile

from fontTools import subset
from fontTools.ttLib import TTFont

import web_gallery
from packing import pack
from web_own_code import compile_lessons, own_code
from web_service_worker import service_worker

ROOT = pathlib.Path(__file__).resolve().parent.parent
SITE = ROOT / "app" / "web" / "site"
FONTS = pathlib.Path("/usr/share/fonts")
REGULAR = ["opentype/inter/Inter-Regular.otf", "truetype/jetbrains-mono/JetBrainsMono-Regular.ttf"]
BOLD = ["opentype/inter/Inter-SemiBold.otf", "truetype/jetbrains-mono/JetBrainsMono-Bold.ttf"]
CHINESE = "truetype/wqy/wqy-microhei.ttc"
# Western letters, Greek, punctuation, arrows, mathematics, boxes: what users type into values and programs, too.
BLOCKS = [(0x20, 0x17F), (0x370, 0x3FF), (0x2000, 0x206F), (0x2070, 0x209F), (0x2190, 0x21FF), (0x2200, 0x22FF),
          (0x2500, 0x25FF), (0x2713, 0x2717)]
# The bold faces have these alone, and what texts of the project need: the app embolds the regular ones for all others.
BLOCKS_OF_BOLD = [(0x20, 0xFF)]

# What a first visit to the app fetches.
FIRST_VISIT = ("app.html", "site.json", "frame.js", "page.js", "barrierscope.js", "barrierscope.wasm", "base.pack", "barrierscope.svg",
               "site.webmanifest", "service_worker.js", "worker.js")


def characters():
    """Of all texts of the project that are shown."""
    found = set()
    for folder in ("app", "engine", "kernels", "assets"):
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in (".cpp", ".hpp", ".cu", ".json", ".md", ".txt") and not {"recorded", "timelines", "machine-code"} & set(file.parts):
                found.update(map(ord, file.read_text(encoding="utf-8")))
    return found


def cut(path, wanted, number=-1):
    """The font with these characters alone. FreeType's light hinting reads the hints of CFF fonts and none of TrueType's, whose
    programs are a third of such a font. Subroutines of CFF only hinder compression."""
    font = TTFont(path, fontNumber=number, lazy=True)
    options = subset.Options(layout_features=[], hinting="CFF " in font, desubroutinize=True, name_IDs=[1, 2], notdef_outline=True,
                             drop_tables=["DSIG", "GPOS", "GSUB", "GDEF"])  # ImGui asks for none of these
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=sorted(wanted))
    cutter.subset(font)
    into = io.BytesIO()
    font.save(into)
    return into.getvalue()


def assets(*folders):
    return [(f"/assets/{file.relative_to(ROOT / 'assets').as_posix()}", file.read_bytes())
            for folder in folders for file in sorted((ROOT / "assets" / folder).rglob("*")) if file.is_file()]


def minify(file):
    """What names are known outside of the file stay."""
    subprocess.run(["uglifyjs", file, "--compress", "--mangle", "--output", file], check=True)


def compress(file):
    data = file.read_bytes()
    with gzip.GzipFile(f"{file}.gz", "wb", 9, mtime=0) as out:
        out.write(data)
    subprocess.run(["brotli", "--best", "--force", "--keep", file], check=True)


def licences(build, clang):
    """Ours, and those of what is linked into the program or handed out beside it."""
    notices = clang / "licences.txt" if clang else build / "third-party.txt"
    text = (ROOT / "LICENSE").read_text(encoding="utf-8") + "\n\n" + notices.read_text(encoding="utf-8")
    return ('<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            "<title>Barrierscope: licences</title><style>:root { color-scheme: light dark } pre { white-space: pre-wrap; "
            f"max-width: 50rem; margin: 2rem auto; padding: 0 1rem }}</style><pre>{html.escape(text)}</pre></html>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--programs", action="store_true")
    parser.add_argument("--clang", type=pathlib.Path)
    a = parser.parse_args()
    build, out, clang = a.build, a.out, a.clang
    new = out.with_name(out.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    for name in ("barrierscope.js", "barrierscope.wasm"):
        shutil.copy(build / "page" / name, new)
    shutil.copy(ROOT / "assets" / "barrierscope.svg", new)
    shutil.copy(SITE / "program_files.js", new)
    shutil.copytree(ROOT / "examples" / "web", new / "examples")

    print("# fonts and packs", flush=True)
    used = characters()

    def western(blocks):
        return {c for a, b in blocks for c in range(a, b + 1)} | {c for c in used if c < 0x2E80}
    (new / "base.pack").write_bytes(pack(
        [(f"{FONTS}/{name}", cut(FONTS / name, western(blocks))) for names, blocks in ((REGULAR, BLOCKS), (BOLD, BLOCKS_OF_BOLD)) for name in names]
        + [(f"{FONTS}/truetype/wqy/few.ttf", cut(FONTS / CHINESE, map(ord, "中文"), 0))]))
    # Chinese texts are a pack of their own, which is asked for by its first file.
    chinese_lessons = assets("lessons/zh")
    (new / "lessons.pack").write_bytes(pack(
        [file for file in assets("lessons", "templates", "assignments", "inputs") if file not in chinese_lessons]))
    (new / "chinese.ttf").write_bytes(cut(FONTS / CHINESE, {c for c in used if c > 0xFF}, 0))
    (new / "chinese.pack").write_bytes(pack([("/assets/words/zh.json", web_gallery.chinese_words()), *chinese_lessons]))
    shutil.copytree(ROOT / "assets" / "recorded", new / "recorded", ignore=shutil.ignore_patterns("*.md"))
    looked_at = ("recorded", "timelines", "machine-code")
    for folder in looked_at[1:]:
        shutil.copytree(ROOT / "assets" / folder, new / folder, ignore=shutil.ignore_patterns("*.md"))
    recorded = json.dumps(sorted(f"{folder}/{file.name}" for folder in looked_at for file in (new / folder).glob("*.json")))

    version = hashlib.sha256(b"".join(f.read_bytes() for f in [*sorted(new.rglob("*")), *sorted(SITE.iterdir())] if f.is_file())).hexdigest()[:12]
    sizes = json.dumps({"wasm": (new / "barrierscope.wasm").stat().st_size, "base": (new / "base.pack").stat().st_size})
    for name in ("app.html", "course_template.html", "frame.js", "page.js", "worker.js", "site.webmanifest"):
        text = (SITE / name).read_text(encoding="utf-8")
        (new / name).write_text(text.replace("@version@", version).replace("@sizes@", sizes).replace("@recorded@", recorded), encoding="utf-8")

    ahead, traces = {}, {}
    with tempfile.TemporaryDirectory() as work:
        if a.programs or clang:
            print("# headers, and the programs of lessons", flush=True)
            own_code(build, build / "cuda" / "include", new / "own_code" / version, clang)
            ahead, traces = compile_lessons(new, new / "own_code" / version, pathlib.Path(work))
        print("# the gallery's pictures", flush=True)
        web_gallery.write(build, new, version, traces)
    (new / "site.json").write_text(json.dumps({"compiler": "page" if clang else "none", "ahead": ahead}) + "\n", encoding="utf-8")
    (new / "licences.html").write_text(licences(build, clang), encoding="utf-8")

    print("# compressing all files", flush=True)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(minify, [*new.glob("*.js"), *(new / "own_code").rglob("*.js")]))
        (new / "service_worker.js").write_text(service_worker(new, version), encoding="utf-8")
        minify(new / "service_worker.js")
        list(pool.map(compress, sorted(f for f in new.rglob("*") if f.is_file())))
    shutil.rmtree(out, ignore_errors=True)
    new.rename(out)
    total = 0
    for file in sorted(f for f in out.rglob("*") if f.is_file() and f.suffix not in (".br", ".gz")):
        small = file.with_name(file.name + ".br").stat().st_size
        name = file.relative_to(out).as_posix()
        total += small if name in FIRST_VISIT else 0
        if name.startswith("pictures/"):
            continue
        print(f"{name:30} {file.stat().st_size:10,} bytes, {small:9,} by brotli")
    print(f"a first visit fetches {total:,} bytes")


if __name__ == "__main__":
    main()
