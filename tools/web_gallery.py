"""The gallery: what a visitor sees first. Lessons and kernels, each with a small picture, a sentence and its link; a page
a language, without a program of its own. Of the catalog as `barrierscope list --json` has it and of assets/lessons."""

import concurrent.futures
import html
import json
import os
import pathlib
import re
import subprocess
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "app" / "web" / "site" / "gallery.html"
SIZE = "640x360"
WORDS = {
    "en": {"page": "index.html", "language": "", "other_page": "index.zh.html", "other": "中文", "lang": "en",
           "what": "Watch GPU kernels barrier by barrier", "open": "Open the app",
           "why": "Step through a reduction, a scan or a histogram: which thread reads which cell, where every value came from, "
                  "what a barrier guards, what queues, and what goes wrong without it. All of it is computed from a trace of the "
                  "real kernel, in your browser; nothing is sent.",
           "lessons": "Lessons", "steps": "{} steps",
           "embed": "One view in your own page", "course": "a course page", "slides": "slides", "licences": "licences",
           "families": {"reduce": "Reduction", "scan": "Scan", "histogram": "Histogram", "mistakes": "Mistakes that people make",
                        "patterns": "Access patterns"}},
    "zh": {"page": "index.zh.html", "language": "?language=zh", "other_page": "index.html", "other": "English", "lang": "zh",
           "what": "逐个屏障地观看 GPU 内核", "open": "打开程序",
           "why": "逐步观看归约、扫描或直方图：哪个线程读哪个单元，每个值从哪里来，屏障保护什么，什么在排队，缺少它会出什么错。"
                  "这一切都由真实内核的轨迹在您的浏览器中算出；不发送任何数据。",
           "lessons": "课程", "steps": "{} 步",
           "embed": "在您的网页中嵌入一个视图", "course": "课程网页", "slides": "幻灯片", "licences": "许可证",
           "families": {"reduce": "归约", "scan": "扫描", "histogram": "直方图", "mistakes": "常见的错误", "patterns": "访问模式"}},
}


# The program reads the Chinese words where a page has fetched them to.
REDIRECT = """const fs = require('fs');
for (const name of ['openSync', 'lstatSync', 'statSync']) {
  const real = fs[name];
  fs[name] = (path, ...rest) => real(path === '/assets/words/zh.json' ? WORDS : path, ...rest);
}
"""


def chinese_words():
    """All files of Chinese words as the one that a page fetches: {path: its texts}."""
    words = {file.relative_to(ROOT).as_posix(): json.loads(file.read_text(encoding="utf-8"))
             for file in sorted((ROOT / "assets" / "words" / "zh").glob("*.json"))}
    return json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode()


def program(build, out):
    """The command line that came out of the same build, under node."""
    words, redirect = out.with_name("words.json"), out.with_name("words.cjs")
    words.write_bytes(chinese_words())
    redirect.write_text(REDIRECT.replace("WORDS", json.dumps(str(words.resolve()))), encoding="utf-8")
    node = ["node", "--require", str(redirect.resolve()), "--no-experimental-fetch", str(build / "barrierscope.js")]

    def run(*words):
        done = subprocess.run([*node, *map(str, words)], capture_output=True, text=True, cwd=ROOT, check=False)
        if done.returncode:
            raise SystemExit(f"barrierscope {' '.join(map(str, words))}: {done.stderr}")
        return done.stdout
    return run


def translations():
    found = {}
    for file in sorted((ROOT / "assets" / "words" / "zh").glob("*.json")):
        found.update(json.loads(file.read_text(encoding="utf-8")))
    return found


def lesson(file):
    """Its heading, its sentence, how many steps it has, and the words that draw its run: the one of its fourth step, in the
    tab that most steps are on; of a lesson on a program none."""
    text = file.read_text(encoding="utf-8")
    steps = re.split(r"^## ", text, flags=re.M)[1:]
    tabs = re.findall(r"^tab: (\w+)", text, re.M)
    most = max(set(tabs), key=tabs.count) if tabs else ""
    run = {}
    for key, value in re.findall(r"^(\w+): (.*)", "".join(re.findall(r"```show\n(.*?)```", "".join(steps[:4]), re.S)), re.M):
        if key == "kernel":
            run = {}  # begins a new one, as docs/lessons.md has it
        if key == "values":
            value = ",".join(value.split())
        if key in ("kernel", "n", "values", "pattern", "seed", "skew", "block", "preset", "set"):
            run[key] = value
    words = [run.pop("kernel")] if "kernel" in run else []
    for key, value in run.items():
        if value != "auto":
            for one in value.split():
                words += [f"--{key}", str(2 ** int(one[2:])) if one.startswith("2^") else one]
    return {"title": re.search(r"^# (.*)", text, re.M)[1], "about": re.search(r"^about: (.*)", text, re.M)[1], "steps": len(steps),
            "picture": [*words, "--view", most if tabs.count(most) > len(steps) / 2 else "run"] if words else []}


def lesson_programs():
    """What the lessons run of their own programs: {lesson: [(file, its constants' texts by name, the GPU that is played)]}, each
    once, the first first."""
    found = {}
    for path in sorted((ROOT / "assets" / "lessons" / "en").glob("*.md")):
        file, constants, device, all_of = "", "", "", found.setdefault(path.stem.split("-", 1)[1], [])
        for block in re.findall(r"```show\n(.*?)```", path.read_text(encoding="utf-8"), re.S):
            said = dict(re.findall(r"^(\w+): (.*)", block, re.M))
            if "file" in said or "kernel" in said:
                file, constants, device = said.get("file", ""), "", ""
            device = said.get("device", device)
            constants = said.get("const", constants)
            compared = said.get("compare", "").split()
            if compared[:1] == [file]:  # of the same file, what it does not say stays as it is
                compared[1:1] = constants.split()
            for words in ([file, *constants.split()], compared):
                one = next(iter(words), ""), dict(word.split("=", 1) for word in words[1:]), device
                if one[0].endswith(".cu") and one not in all_of:
                    all_of.append(one)
    return {name: all_of for name, all_of in found.items() if all_of}


def entries(run, traces):
    """(section, [(name, link, words of its picture, {language: (title, sentence, steps)})])"""
    chinese = translations()
    lessons = []
    for file in sorted((ROOT / "assets" / "lessons" / "en").glob("*.md")):
        name, en, zh = file.stem.split("-", 1)[1], lesson(file), lesson(ROOT / "assets" / "lessons" / "zh" / file.name)
        picture = en["picture"] or ([traces[name], "--view", "run"] if name in traces else [])
        if not picture:
            continue
        lessons.append((f"lesson-{name}", {"lesson": name}, picture,
                        {"en": (en["title"], en["about"], en["steps"]), "zh": (zh["title"], zh["about"], zh["steps"])}))
    families = {}
    for kernel in json.loads(run("list", "--json"))["kernels"]:
        name, link = kernel["name"], {"kernel": kernel["name"]}
        # of few keys, so that each bin is seen
        if "queue-7x20" in [p["name"] if isinstance(p, dict) else p for p in kernel["presets"]]:
            link["preset"] = "queue-7x20"
        view = {"patterns/shared-stride": "banks", "patterns/global-stride": "memory"}.get(name, "run")
        if view != "run":
            link["tab"] = view
        picture = [name, "--view", view] + (["--preset", link["preset"]] if "preset" in link else [])
        sentence, title = kernel["lesson"], kernel["title"]
        # a sentence that begins with code stays as it is
        upper = (sentence[0].upper() + sentence[1:] if re.match("[a-z-]+[ ,:]", sentence) else sentence) + "."
        families.setdefault(name.split("/")[0], []).append(
            (name.replace("/", "-"), link, picture,
             {"en": (title, upper, 0), "zh": (chinese.get(title, title), chinese.get(sentence, sentence) + "。", 0)}))
    return [("lessons", lessons), *families.items()]


def draw(run, out, sections):
    """Each picture, light and dark, in each language."""
    def one(job):
        file, words = job
        run("render", *words, "-o", file)
        os.chmod(file, 0o644)  # node's own umask is none
    for language in WORDS:
        (out / "pictures" / language).mkdir(parents=True)
    jobs = [(out / "pictures" / language / f"{name}-{theme}.svg",
             [*words, "--language", language, "--step", "1000", "--size", SIZE, "--theme", theme])
            for _, all_of in sections for name, _, words, _ in all_of for theme in ("light", "dark") for language in WORDS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, jobs))


def page(language, sections, version):
    said = WORDS[language]

    def card(entry):
        name, link, _, words = entry
        title, sentence, steps = words[language]
        query = urllib.parse.urlencode({**link, **({"language": "zh"} if language == "zh" else {})}, safe="/")
        picture = f"pictures/{language}/{name}-{{}}.svg?{version}"
        note = f'<small>{said["steps"].format(steps)}</small>' if steps else f"<small>{html.escape(link['kernel'])}</small>"
        return (f'<li><a href="app.html?{html.escape(query)}"><picture><source media="(prefers-color-scheme: dark)" '
                f'srcset="{picture.format("dark")}"><img src="{picture.format("light")}" alt="" loading="lazy" width="640" height="360">'
                f"</picture><h3>{html.escape(title)}</h3></a><p>{html.escape(sentence)}</p>{note}</li>")

    body = nav = ""
    for section, all_of in sections:
        heading = said["lessons"] if section == "lessons" else said["families"].get(section, section)
        nav += f'<a href="#{section}">{html.escape(heading)}</a>'
        body += f'<h2 id="{section}">{html.escape(heading)}</h2>\n<ul>\n' + "\n".join(map(card, all_of)) + "\n</ul>\n"
    text = TEMPLATE.read_text(encoding="utf-8").replace("@body@", body).replace("@nav@", nav).replace("@version@", version)
    for key, value in said.items():
        if isinstance(value, str):
            text = text.replace(f"@{key}@", html.escape(value))
    left = re.search(r"@\w+@", text)
    if left:
        raise SystemExit(f"{TEMPLATE.name} asks for {left[0]}, which nobody says")
    return text


def write(build, out, version, traces):
    """index.html, index.zh.html and their pictures. `traces`: of lessons on programs, a recorded run by the lesson's name; a page
    that cannot run them does without these lessons."""
    run = program(build, out)
    sections = entries(run, traces)
    draw(run, out, sections)
    for language, said in WORDS.items():
        (out / said["page"]).write_text(page(language, sections, version), encoding="utf-8")
