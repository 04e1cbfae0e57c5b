"""Users' programs compiled, run and judged as a page does it, under node (own_code.wasm, with Debian's clang 19 and wasm-ld in the
place of the page's), against the native toolchain with the same clang: the same commands, device code and diagnostics, and the
same outcome of a run, with its trace byte for byte.

WEB_TOOLCHAIN in the environment says which programs of tests/cuda are compared, beside the few here: WEB_TOOLCHAIN='cuda/*', or
'*'. Then each is named.
"""

import collections
import fnmatch
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/web")]
import clang_commands
import same_programs
import web_gallery
import web_own_code
from same_programs import CLANG, HEADERS, NODE, WEB, missing

CONFIG = WEB / "program/program.cfg"
PROGRAMS = ROOT / "tests/cuda"
FOLDERS = [*sorted(ROOT.glob("kernels/*/cuda")), "api", "faults", "own", "homework", "litmus", "../../assets/templates"]
FEW = ["cuda/5_blelloch", "api/half_packed", "own/texture_references", "templates/reduce"]
# One whose order matters, one that expects a result, a crash of the host, kernel printf, C++20, a read of what is unwritten.
FEW_RUN = ["cuda/2_racy", "cuda/2_tree_mask", "faults/91_host_reads_device", "faults/35_printf_lost", "own/cpp20", "own/lambda_in_main", "faults/14_other_blocks"]
PATTERN = os.environ.get("WEB_TOOLCHAIN")

KERNEL = "__global__ void k(int* p) { p[threadIdx.x] = N; }\n"
MAIN = "int main() { int* p; cudaMalloc(&p, 256); k<<<1, 32>>>(p); cudaDeviceSynchronize(); }\n"
# What does not compile, or not without a word: the program's files, and its other options.
WRONG = {
    "syntax": ({"a.cu": "#define N 1\n" + KERNEL + "int main() { k<<<1, 2>>>(nullptr) return missing; }\n"}, {}),
    "types": ({"a.cu": "#define N 1\n" + KERNEL + 'int main() { k<<<1, 2>>>("x"); int x = nullptr; }\n'}, {}),
    "library": ({"a.cu": "#include <cublas_v2.h>\n#define N 1\n" + KERNEL + "int main() { ncclSend(1); cudnnCreate(0); }\n"}, {}),
    "header": ({"a.cu": '#include "b.cuh"\n' + MAIN, "b.cuh": "#pragma once\n#define N 2\n" + KERNEL + "int f() { return g; }\n"}, {}),
    "missing header": ({"a.cu": '#include "none.h"\n#include <boost/none.hpp>\n' + MAIN}, {}),
    "ptx": ({"a.cu": "__global__ void k(int* p) { asm(\"frobnicate.u32 %0, %1;\" : \"=r\"(*p) : \"zz\"(1)); }\n" + MAIN}, {}),
    "functions": ({"a.cu": "#define N 1\n" + KERNEL + "int f(int);\nstruct P { void go(long); };\nint main() {\n  P p;\n  p.go(1);\n"
                   "  k<<<1, 2>>>(nullptr);\n  return f(1) +\n         f(2);\n}\n"}, {}),
    "sibling": ({"a.cu": "#define N 1\n" + KERNEL + "int helped(int);\n__device__ int on_device(int);\n__global__ void l(int* p) { *p = on_device(1); }\n"
                 "int main() { k<<<1, 2>>>(nullptr); l<<<1, 1>>>(nullptr); return helped(1); }\n",
                 "b.cpp": "int helped(int n) { return n; }\n", "c.cu": "__device__ int on_device(int n) { return n; }\n"}, {"files": ["a.cu"]}),
    "main": ({"a.cu": "#define N 1\n" + KERNEL}, {}),
    "main elsewhere": ({"a.cu": "#define N 1\n" + KERNEL + "void start() {}\n", "m.cu": "void start();\nint main() { start(); }\n"}, {"files": ["a.cu"]}),
    "twice": ({"a.cu": "#define N 1\n" + KERNEL + MAIN + "int f() { return 1; }\n", "b.cu": "int f() { return 2; }\n"}, {}),
    "constant": ({"a.cu": "#define N 1\n" + KERNEL + MAIN}, {"constants": [{"name": "M", "value": "2"}]}),
    "constant breaks": ({"a.cu": "#define N 1\n" + KERNEL + "static_assert(N == 1);\n" + MAIN}, {"constants": [{"name": "N", "value": "2"}]}),
    "folder": ({"a.cu": "#define N 1\n" + KERNEL + MAIN}, {"includes": ["none"]}),
    "c": ({"a.cu": "#define N 1\n" + KERNEL + 'extern "C" int f(int*);\nint x = f(0);\n' + MAIN, "f.c": "int f(int* p) { int x = p; return g(x); }\n"}, {}),
    "child launches": ({"a.cu": "#define N 1\n" + KERNEL + "#define GO k<<<1, 1>>>\n__global__ void l(int* p) { GO(p); k<<<1, 2>>>(p); }\n" + MAIN}, {}),
    "warnings": ({"a.cu": "#define N 1\n" + KERNEL + "int f(int n) { if (n) return 1; }\n#warning stale\n" + MAIN + "int x = \"y\";\n"}, {}),
}


def programs(few):
    """The names of the programs that are compared."""
    if not PATTERN:
        return few
    paths = (path for folder in FOLDERS for path in sorted((PROGRAMS / folder).resolve().glob("*.cu")))
    return [name for path in paths if fnmatch.fnmatch(name := f"{path.parent.name}/{path.stem}", PATTERN)]


def source_of(name):
    return next(path for folder in FOLDERS if (path := (PROGRAMS / folder).resolve() / f"{name.split('/')[1]}.cu").exists()
                and path.parent.name == name.split("/")[0])


def code_of(ir):
    """Device code without what depends on the C library's headers and on folders: declarations for debuggers."""
    lines = [re.sub(r"!\d+", "!", line) for line in ir.splitlines() if not line.startswith(("!", "; ModuleID", "source_filename"))]
    return [re.sub(r", ! (?=[,)])", "", line) for line in lines]


@unittest.skipIf(missing(), missing())
class WebToolchain(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.place)
        cls.clang_headers = same_programs.clang_headers()

    def in_page(self, requests, **folders):
        """What a page makes of each request (tests/web/program/own_code.mjs)."""
        made, self.said = same_programs.in_page(requests, self.place, **folders)
        return made

    def native(self, folder, request, clang=CLANG):
        """What the native toolchain makes of the same request in that folder."""
        return same_programs.natively(folder, request, self.place, clang)

    def written(self, name, files):
        """A folder with these files."""
        folder = self.place / name.replace(" ", "-")
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        return folder

    def test_diagnostics(self):
        requests, folders = [], []
        for name, (files, options) in WRONG.items():
            folders.append(self.written(name, files))
            program = {"files": [f for f in files if not f.endswith("h")], **options}
            requests.append({"program": program, "until": "program"})
        made = self.in_page([{**request, "on_disk": {str(path.relative_to(folder)): str(path) for path in folder.rglob("*") if path.is_file()}}
                             for request, folder in zip(requests, folders)])
        for name, request, folder, page in zip(WRONG, requests, folders, made):
            with self.subTest(name):
                native = self.native(folder, request)
                self.assertEqual(page["error"], native["error"])
                self.assertEqual(page["run"], native["run"])
                self.assertTrue(page["error"] or page["run"]["diagnostics"])

    def test_runs(self):
        names = programs(FEW_RUN)
        requests = [{"program": {"files": [source_of(name).name]}, "until": "run"} for name in names]
        made = self.in_page([{**request, "on_disk": {path.name: str(path) for path in source_of(name).parent.iterdir() if path.is_file()}}
                             for name, request in zip(names, requests)])
        for name, request, page in zip(names, requests, made):
            with self.subTest(name):
                native = self.native(source_of(name).parent, request)
                if PATTERN:
                    print(name, f"{page['seconds']:.2f} s", "equal" if all(page[k] == native[k] for k in native) else "differs", flush=True)
                self.assertEqual(page["error"], native["error"])
                self.assertEqual(page["run"], native["run"])
                self.assertTrue(page["trace"] == native["trace"], "the traces differ")

    def test_what_no_page_runs_is_refused(self):
        """Programs that were linked, and import what is not of the interface, or take its names."""
        hostile = ROOT / "tests/fuzz/hostile"
        refusals = {"imports_other": ["The program imports {} of {}, which a page does not have.", "outside", "env"],
                    "imports_prototype": ["The program imports {} of {}, which a page does not have.", "constructor", "system"],
                    "exports_tick": ["This browser cannot run the program: {}."]}
        made = self.in_page([{"program": {"files": [f"{name}.cu"]}, "until": "run", "on_disk": {f"{name}.cu": str(hostile / f"{name}.cu")}}
                             for name in refusals])
        for (name, message), page in zip(refusals.items(), made):
            with self.subTest(name):
                self.assertEqual(page["run"]["report"]["ended"], "refused")
                self.assertEqual(page["run"]["report"]["message"][:len(message)], message)

    def test_a_program_changes_nothing_that_it_was_given(self):
        """One that writes its run's settings runs in both orders as the same program without that does."""
        harmful = (ROOT / "tests/fuzz/hostile/host_reads_system.cu").read_text()
        folder = self.written("settings", {"a.cu": harmful, "b.cu": harmful.replace('"{}"', '""').replace('"w"', '"r"')})
        made = self.in_page([{"program": {"files": [name]}, "until": "run", "on_disk": {name: str(folder / name)}} for name in ("a.cu", "b.cu")])
        for page in made:
            self.assertEqual(page["run"]["report"]["ended"], "returned")
            self.assertEqual(page["run"]["report"]["launches"][0]["shown"], "in_full")
        self.assertEqual(made[0]["run"]["report"], made[1]["run"]["report"])

    def test_terms(self):
        """What an assignment or a change that is tried adds to a run: each of the terms reaches the page's module, and does there what
        it does natively."""
        folder = self.written("terms", {"a.cu": "__global__ void k(int* out) {\n  out[threadIdx.x] += 1;\n}\nint main() {\n  int* out;\n  cudaMalloc(&out, 16);\n  cudaMemset(out, 0, 16);\n"
                                                "  for (int i = 0; i < 6; i++) k<<<1, 4>>>(out);\n  cudaDeviceSynchronize();\n}\n"})
        terms = [{}, {"shown_launches": 6}, {"stated": {"text": "out = scan(none)", "file": "assignment.json", "line": 7}},
                 {"edits": [{"file": "a.cu", "line": 2, "removed": 1, "inserted": ["  out[threadIdx.x + 1] += 1;"]}]}]
        requests = [{"program": {"files": ["a.cu"], "named_only": True}, "terms": one, "until": "run"} for one in terms]
        made = self.in_page([{**request, "on_disk": {"a.cu": str(folder / "a.cu")}} for request in requests])
        for request, page in zip(requests, made):
            with self.subTest(request["terms"]):
                native = self.native(folder, request)
                self.assertEqual(page["error"], native["error"])
                self.assertEqual(page["run"], native["run"])
                self.assertTrue(page["trace"] == native["trace"], "the traces differ")
        plain = json.dumps([made[0]["run"], made[0]["trace"]])
        for request, page in zip(requests[1:], made[1:]):
            self.assertNotEqual(plain, json.dumps([page["run"], page["trace"]]), request["terms"])

    def test_long_kernels(self):
        """What is not shown of them runs as native code, which is a module of WebAssembly: one that ends well, one that fails in
        its last round."""
        long = (PROGRAMS / "own/long_kernels.cu").read_text()
        folder = self.written("long", {"good.cu": long, "bad.cu": long.replace("threads = 4096", "threads = 1024").replace("out[i].high += x", "out[i + (k == 999 && i == 1023)].high += x")})
        requests = [{"program": {"files": [name]}, "until": "run"} for name in ("good.cu", "bad.cu")]
        made = self.in_page([{**request, "on_disk": {path.name: str(path) for path in folder.iterdir()}} for request in requests])
        self.assertEqual(self.said, "")  # all was compiled and loaded
        for request, page in zip(requests, made):
            native = self.native(folder, request)
            self.assertEqual(page["error"], native["error"])
            self.assertEqual(page["run"], native["run"])
            self.assertTrue(page["trace"] == native["trace"], "the traces differ")
            self.assertTrue(any(words[-1].startswith("/barrierscope/kernels/") for words in page["commands"]), "nothing ran as native code")

    def test_device_code(self):
        requests = []
        for name in programs(FEW):
            source, keep = source_of(name), self.place / name
            keep.mkdir(parents=True)
            requests.append({"program": {"files": [source.name]}, "until": "objects", "keep": str(keep),
                             "on_disk": {path.name: str(path) for path in source.parent.iterdir() if path.is_file()}})
        for name, made in zip(programs(FEW), self.in_page(requests)):
            with self.subTest(name):
                self.assertIsNone(made["error"])
                newest = any("compiled as C++20" in d["text"][0] for d in made["run"]["diagnostics"] if isinstance(d["text"], list))
                native = self.native_code(source_of(name), "c++20" if newest else "c++17")
                self.assertEqual(made["run"]["compiled"], native is not None, made["run"]["diagnostics"])
                if native is not None:
                    self.assertEqual(code_of((self.place / name / "device-0.ll").read_text()), code_of(native))

    def test_packs(self):
        """Of the packs of headers, a program compiles with those that its text asks for."""
        packs = self.place / "packs"
        subprocess.run([sys.executable, ROOT / "tools/header_packs.py", WEB, HEADERS, packs, CLANG], check=True)
        index = packs / "headers.json"
        choose = (f"import {{ packsFor }} from '{ROOT}/engine/cuda/worker/header_packs.js'; import fs from 'node:fs';"
                  f"console.log(packsFor(JSON.parse(fs.readFileSync('{index}')), [fs.readFileSync(process.argv[1], 'utf8')]).join(' '))")
        for source, names in ((source_of("cuda/5_blelloch"), "plain libraries"), (source_of("api/thrust_streams"), "plain libraries cccl cxx")):
            chosen = subprocess.run([NODE, "--input-type=module", "-e", choose, source], capture_output=True, text=True, check=True).stdout.split()
            self.assertEqual(sorted(chosen), sorted(names.split()))
            here = self.place / f"of-{source.stem}"
            for name in chosen:
                head, _, rest = (packs / f"{name}.pack").read_bytes().partition(b"\n")
                for path, size in json.loads(head):
                    (here / path.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
                    (here / path.lstrip("/")).write_bytes(rest[:size])
                    rest = rest[size:]
            ours = here / "barrierscope"
            made = self.in_page([{"program": {"files": [source.name]}, "until": "objects", "on_disk": {source.name: str(source)}}],
                                program=str(ours / "program"), headers=str(ours / "include"), clang=str(ours / "clang"))[0]
            self.assertEqual(made["run"]["diagnostics"], [])
            self.assertTrue(made["run"]["compiled"])

    def native_code(self, source, standard):
        """Device code by the native driver; None: the program does not compile."""
        text = source.read_text()
        words = clang_commands.options(["every_file", "cuda_file", "device_code"])
        more = ["-include", "functional"] if "std::" in text else []
        if re.search(r"\btexture\s*<|\bsurface\s*<", text):
            more += ["-include", HEADERS / "barrierscope/texture_references.h"]
        done = subprocess.run([CLANG, *words, f"-std={standard}", "-x", "cuda", "-isystem", HEADERS, "-Xclang", "-target-sdk-version=11.0",
                               "-Xclang", "-fcuda-allow-variadic-functions", "-include", HEADERS / "cuda_runtime.h", *more, "-S", "-emit-llvm", "-o", "-", source],
                              capture_output=True, text=True, cwd="/")
        return done.stdout if done.returncode == 0 else None

    def test_commands(self):
        """What the page's table of commands and the driver of the same clang make of all options that a program has."""
        files = {"a.cu": "#include <string>\n#define N 1\n" + KERNEL + 'extern "C" int f();\n' + MAIN, "f.c": "int f() { return 1; }\n",
                 "g.cpp": "int g() { return 2; }\n", "inc/x.h": ""}
        folder = self.written("commands", files)
        recorder = self.place / "recorder"
        recorder.write_text("#!/bin/sh\nk=0\nfor word; do k=$((k + 1)); echo \"a.cu:1: error: word $$ $k $word\"; done >&2\nexit 1\n")
        recorder.chmod(0o755)
        for more in ({}, {"includes": ["inc"], "defines": ["X=1", "Y"], "standard": "c++20", "standard_given": True, "device_model": "sm_90"}):
            request = {"program": {"files": ["a.cu", "f.c", "g.cpp"], **more}, "until": "objects"}
            made = self.in_page([{**request, "on_disk": {path: str(folder / path) for path in files}}])[0]
            self.assertTrue(made["run"]["compiled"], made["run"]["diagnostics"])
            page = [self.comparable(words) for words in made["commands"]]
            commands = collections.defaultdict(list)  # by process
            for diagnostic in self.native(folder, request, recorder)["run"]["diagnostics"]:
                if said := re.fullmatch(r"word (\d+) \d+ (.*)", diagnostic["text"] if isinstance(diagnostic["text"], str) else ""):
                    commands[said[1]].append(said[2])
            self.assertEqual(len(commands), 4)
            driven = [self.comparable(self.driven([word.replace("/barrierscope/files", str(folder)) for word in command]))
                      for command in commands.values()]
            self.assertEqual(len(page), len(driven))
            for words in page:
                closest = min(driven, key=lambda other: (words - other).total() + (other - words).total())
                self.assertEqual((words - closest, closest - words), (collections.Counter(), collections.Counter()))

    def driven(self, words):
        """The words of cc1 that the driver makes of such words for a page's program."""
        target = CONFIG.read_text().replace("<CFGDIR>", str(CONFIG.parent)).split()
        if "--cuda-device-only" in words:
            target.remove(clang_commands.OF_HOST)
        said = subprocess.run([CLANG, "-###", *target, *words], capture_output=True, text=True, cwd="/").stderr
        self.assertIn('"-cc1"', said)
        made = shlex.split(next(line for line in said.splitlines() if '"-cc1"' in line))
        if "--cuda-host-only" in words:  # as for Linux
            made += ["-internal-isystem", f"{self.clang_headers}/include/cuda_wrappers"]
        return made

    def comparable(self, words):
        """Words of cc1, counted, with their paths as the page has them."""
        roots = {str(WEB / "program"): "/barrierscope/program", str(HEADERS): "/barrierscope/include", str(HEADERS.resolve()): "/barrierscope/include", self.clang_headers: "/barrierscope/clang",
                 str(self.place / "commands"): "/barrierscope/files"}
        words = words[words.index("-cc1") + 1:]
        for here, there in roots.items():
            words = [word.replace(here, there) for word in words]
        of_units = ("-cuid=", "-fno-implicit-modules")  # which no program of one link, and without modules, needs
        words = [re.sub(r"/\S*/run-\w+/", "/run/", word) for word in words if not word.startswith(of_units)]
        joined = [part for word in words for part in ([word[:2], word[2:]] if re.match(r"-[DUI].", word) else [word])]
        return collections.Counter("-isystem" if word == "-internal-isystem" else word for word in joined)

    def test_programs_of_lessons_are_compiled_ahead(self):
        """All that lessons run is known when a page is built, and what is played on another GPU is there without a compiler."""
        said = subprocess.run([same_programs.BUILD / "barrierscope", "list", "--json"], capture_output=True, text=True, check=True, cwd=ROOT).stdout
        lessons = {lesson["name"]: lesson["programs"] for lesson in json.loads(said)["lessons"] if lesson["programs"]}
        known = web_gallery.lesson_programs()

        def key(file, constants, device):
            return file, json.dumps(constants, sort_keys=True), device

        for lesson, programs in lessons.items():
            asked = {key(p["file"], {c["name"]: c["value"] for c in p["constants"]}, p["device_model"]) for p in programs}
            self.assertEqual(asked, {key(*one) for one in known.get(lesson, [])}, lesson)
        playing = {lesson: [one for one in all_of if one[2]] for lesson, all_of in known.items() if any(one[2] for one in all_of)}
        self.assertTrue(playing)
        site = self.place / "site"
        own_code = site / "own_code" / "1"
        web_own_code.own_code(WEB, HEADERS, own_code)
        ahead, _ = web_own_code.compile_lessons(site, own_code, self.place, playing)
        asked = [{"name": f"{lesson}: {p['file']} {p['constants']} {p['device_model']}", "record": str(site / ahead[file]), "files": {file: str(ROOT / file)},
                  "program": {"files": [file], "constants": p["constants"], "device_model": p["device_model"]}}
                 for lesson, programs in lessons.items() for p in programs if p["device_model"] for file in [f"assets/lessons/programs/{p['file']}"]]
        (self.place / "ahead.json").write_text(json.dumps(asked))
        answers = subprocess.run([same_programs.NODE, ROOT / "tests/web/program/ahead.mjs", own_code, self.place / "ahead.json"],
                                 capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual([json.loads(answer) for answer in answers], [{"name": one["name"], "wrong": None} for one in asked])


if __name__ == "__main__":
    unittest.main()
