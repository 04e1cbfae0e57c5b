#!/usr/bin/env python3
"""Checks that everything that the app says is translated. Exits 1 and names each text that is missing, or unused.

  tools/check_words.py [ROOT]

Texts are the literals in tr("..."), tr_count(n, "...", "...") and tr_noop("...") (a literal that is said later) under
app/, and the patterns in message("...", ...) under engine/ and app/, in JavaScript as well: errors and findings are messages. Any other
literal under app/ that reads like a sentence, or like a piece of one, must be (part of) a sentence that is translated.
The reports of the command line stay English, because scripts read them and users paste them into letters, and so do
names that are not shown.

Translations lie in assets/words/LANGUAGE/*.json. Files named engine*, lessons*, templates* and terminal* hold
sentences that are found as a whole when they are shown; a test compares the engine's with what it really says.
"""

import json
import pathlib
import re
import sys

STRING = r'"((?:[^"\\\n]|\\.)*)"'
LITERAL = re.compile(r"(?:" + STRING + r"\s*)+")
SAID = re.compile(r"\b(?:tr|tr_noop)\(\s*((?:" + STRING + r"\s*)+)")
MESSAGE = re.compile(r"\bmessage\(\s*((?:" + STRING + r"\s*)+)")  # of the engine, and of what is found wrong
IN_JAVASCRIPT = re.compile(r"\bmessage\(\s*'((?:[^'\\\n]|\\.)*)'")
COUNTED = re.compile(r"\btr_count\(\s*[^\"]*?((?:" + STRING + r"\s*)+),\s*((?:" + STRING + r"\s*)+)")
NO_TEXT = re.compile(r"//[^\n]*|#include[^\n]*|R\"\(.*?\)\"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
REPORTS = tuple(f"app/cli/{name}.cpp" for name in
                ("text", "lines", "list_text", "check_text", "time", "time_table", "timeline_text", "sass_text", "walk", "json",
                 "assignment_report", "puzzle", "finding_text", "sarif"))
# What the engine says only on machines that the tests do not run on.
UNTESTED = ("engine/simt/gpu_device.cu", "engine/simt/device.cpp")
# Messages of these parts are shown in a page, too, where there is no command line.
OF_PAGES = ("engine/catalog/", "engine/simt/buffer", "engine/simt/cpu_", "app/lessons/", "app/links/", "app/options/",
            "app/run/")
OPTION = re.compile(r"(?<![\w-])--[a-z]")
# What is said of users' own programs: too much of it for tests to bring about.
OF_PROGRAMS = ("machine", "runtime", "toolchain")
NO_SENTENCES = ("device.cpp", "diagnostics.cpp", "allowed_calls.cpp", "line_edits.cpp")  # names, and what compilers say
FOUND_WHOLE = ("engine", "lessons", "templates", "terminal")
# One word for one thing. Language: what English says, the word for it, words that others use for the same.
TERMS = {"zh": [(re.compile(r"\bspan\b", re.I), "跨度", ("关键路径", "持续时间")),
                (re.compile(r"\bstor(e|es|ed)\b", re.I), "写入", ("写回", "存入")),
                (re.compile(r"(?<!grid-)(?<!--set )\bstrides?\b", re.I), "步长", ("步幅", "距 "))]}
# Words that stand for nothing but what another word is for, in the app and in the lessons.
NEVER = {"zh": {"关键路径": "跨度", "步幅": "步长", "装入": "加载", "队长": "队列长度", "拷贝": "复制", "间隔": "步", "搬动": "搬运", "不填充": "无填充",
                "加回总和": "加上总和", "个块": "个线程块", "发布": "公布", "多数出": "多算", "不错：": "不会："}}
# A comma or semicolon of Latin letters beside a Chinese character. One that a blank stands before is a key, and one in
# brackets is code.
NARROW_COMMA = re.compile(r"[\u3400-\u9fff][,;](?![^\[\]]*\])|(?<! )[,;] ?[\u3400-\u9fff](?![^\[\]]*\])")
# Parts that draw what they say.
SHOWN = ("app/tabs/", "app/shell/", "app/parts/", "app/run/titles", "app/lessons/question_form")
# Of those, the ones whose commas part arguments of calls and values beside code, which are alike in every language.
CODE_COMMAS = tuple(f"app/tabs/watch/{name}.cpp" for name in ("source/code", "source/lines", "terms", "why_panel"))
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def literal(text):
    """Adjacent C++ literals -> the string."""
    escape = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)")

    def one(match):
        code = match[1]
        if code[0] in "ux" and len(code) > 1:
            return chr(int(code[1:], 16))
        return ESCAPES.get(code) or (chr(int(code, 8)) if code.isdigit() else code)

    return "".join(escape.sub(one, part) for part in re.findall(STRING, text))


def sources(root):
    """(file, its text without comments and characters), file by file; every line stays where it was."""
    of_programs = [f for part in OF_PROGRAMS for f in sorted((root / "engine/cuda" / part).glob("*.cpp"))
                   if f.name not in NO_SENTENCES]
    rest = [f for f in map(root.joinpath, UNTESTED) if f.exists()] + of_programs
    for file in sorted((root / "app").rglob("*.[ch]pp")) + rest:
        text = file.read_text(encoding="utf-8")
        blank = lambda match: match[0] if match[0].startswith('"') else re.sub(r"[^\n]", " ", match[0])
        yield file.relative_to(root).as_posix(), re.sub(STRING + "|" + NO_TEXT.pattern, blank, text, flags=re.DOTALL)


def said(root):
    """text -> the first file that says it."""
    found = {}
    for where, text in sources(root):
        for match in SAID.finditer(text):
            found.setdefault(literal(match[1]), where)
        for match in COUNTED.finditer(text):
            found.setdefault(literal(match[1]), where)
            found.setdefault(literal(match[3]), where)
    return found


def messages(root):
    """pattern -> the first file whose message() has it."""
    found = {}
    files = [f for part in ("engine", "app") for end in ("*.[ch]pp", "*.cu") for f in sorted((root / part).rglob(end))]
    for file in files:
        text = re.sub(STRING + r"|//[^\n]*", lambda match: match[0] if match[0].startswith('"') else "",
                      file.read_text(encoding="utf-8"))
        for match in MESSAGE.finditer(text):
            found.setdefault(literal(match[1]), file.relative_to(root).as_posix())
    for part in ("engine", "app"):
        for file in sorted((root / part).rglob("*.js")):
            for match in IN_JAVASCRIPT.finditer(file.read_text(encoding="utf-8")):
                found.setdefault(match[1].replace("\\'", "'"), file.relative_to(root).as_posix())
    return found


def is_sentence(text):
    """Whether a reader would take it for words. Not: "fact kernel", "lost in warps", <svg ...>."""
    if text.startswith("<") or "##" in text or not re.search(r"[A-Za-z]{2,} [a-z]{2,}", text):
        return False
    return not re.fullmatch(r"[a-z]+( [a-z]+){1,2}", text) and not text.strip().startswith("barrierscope ")


def unsaid(root):
    """(place, text) of each literal that reads like a sentence and stands in nothing that says it."""
    for where, text in sources(root):
        if where in REPORTS:
            continue
        inside = [m.span() for pattern in (SAID, COUNTED, MESSAGE) for m in pattern.finditer(text)]
        for match in LITERAL.finditer(text):
            if any(a <= match.start() < b for a, b in inside):
                continue
            if is_sentence(words := literal(match[0])):
                yield f"{where}:{text.count(chr(10), 0, match.start()) + 1}", words


def narrow_commas(root):
    """(place, literal) of each comma between words on screen that no language can replace."""
    for where, text in sources(root):
        if not where.startswith(SHOWN) or where in CODE_COMMAS:
            continue
        for match in re.finditer(STRING, text):
            if match[1] in (", ", "; ") and not text[:match.start()].endswith(("tr(", "find(")):
                yield f"{where}:{text.count(chr(10), 0, match.start()) + 1}", match[0]


def without_names(text):
    """The same with empty holes: {:.1f} and {0} are {}."""
    return re.sub(r"\{[^{}]*\}", "{}", text)


def holes(text):
    return len(re.findall(r"\{[^{}]*\}", text))


def other_terms(language, english, other):
    """The (right, wrong) words of a translation that names a thing as nothing else does."""
    for named, right, wrong in TERMS.get(language, ()):
        if named.search(english):
            yield from ((right, word) for word in wrong if word in other)
            if right not in other:
                yield right, other


def lessons_terms(root, language):
    """The same of the lessons."""
    for file in sorted((root / "assets/lessons" / language).glob("*.md")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            for wrong, right in NEVER.get(language, {}).items():
                if wrong in line:
                    yield f"{file.relative_to(root).as_posix()}:{number}", right, wrong


def problems(root):
    texts, patterns = said(root), messages(root)
    others = {f.name: json.loads(f.read_text(encoding="utf-8")) for f in sorted((root / "assets/words").glob("*.json"))}
    for_pages = {**others.get("graphical.json", {}), **others.get("page.json", {})}
    for folder in sorted(p for p in (root / "assets/words").iterdir() if p.is_dir()):
        entries = {}
        for file in sorted(folder.glob("*.json")):
            where = file.relative_to(root).as_posix()
            for english, other in json.loads(file.read_text(encoding="utf-8")).items():
                if english in entries and entries[english][0] != other:
                    yield f'{where}: "{english}" is said otherwise in {entries[english][1]}'
                entries[english] = (other, where)
                for wrong, right in NEVER.get(folder.name, {}).items():
                    if wrong in other:
                        yield f'{where}: "{english}": say {right}, as elsewhere, and not {wrong}'
                for right, wrong in other_terms(folder.name, english, other):
                    yield f'{where}: "{english}": say {right}, as elsewhere, and not {wrong}'
                if holes(other) > holes(english):
                    yield f'{where}: "{english}" has fewer {{}} than its translation'
                numbered = [bool(n) for n in re.findall(r"\{(\d*)", other)]
                if any(numbered) and not all(numbered):
                    yield f'{where}: "{other}" numbers some of its {{}} and not all'
                used = without_names(english) in patterns or any(english in words.values() for words in others.values())
                if file.name != "messages.json":
                    used = used or file.name.startswith(FOUND_WHOLE) or english in texts
                if not used:
                    yield f'{where}: nobody says "{english}" any more'
        for name, words in others.items():
            for english, other in words.items():
                for one in (english, other):
                    if one not in entries:
                        yield f'assets/words/{name}: "{one}" is not translated in assets/words/{folder.name}'
                if holes(other) != holes(english):
                    yield f'assets/words/{name}: "{english}" has other {{}} than what is said for it'
        for pattern, where in sorted(patterns.items()):
            if where.startswith(OF_PAGES) and OPTION.search(re.sub(r"`[^`]*`", "", pattern)) and pattern not in for_pages:
                yield f'{where}: a page has no command line: add words without dashes for "{pattern}" to assets/words/graphical.json'
        if folder.name == "zh":
            for english, (other, where) in entries.items():
                if NARROW_COMMA.search(other):
                    yield f'{where}: "{english}" has a narrow comma in "{other}"'
        for where, words in narrow_commas(root) if folder.name == "zh" else ():
            yield f'{where}: other languages have other commas than {words}: say tr(", ") in lists, tr("{{}}, {{}}") else'
        for where, right, wrong in lessons_terms(root, folder.name):
            yield f"{where}: say {right}, as elsewhere, and not {wrong}"
        for english, where in sorted(texts.items()):
            if english and english not in entries:
                yield f'{where}: "{english}" is not translated in assets/words/{folder.name}'
        known = {without_names(english) for english in entries}
        for pattern, where in sorted(patterns.items()):
            if pattern not in known:
                yield f'{where}: the message "{pattern}" is not translated in assets/words/{folder.name}'
        whole = "\0".join(known)
        for where, words in unsaid(root):
            if without_names(words) not in whole:
                yield f'{where}: "{words}" is neither said nor part of a sentence in assets/words/{folder.name}'


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = list(problems(root))
    for problem in found:
        print(problem)
    print(f"words: {len(found)} problems" if found else "words: all said in every language")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
