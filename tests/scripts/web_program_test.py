"""Users' programs as a page runs them: compiled for wasm64, narrowed (engine/cuda/web/narrow.js) and run by program.js under
node. Their output is that of the same programs compiled natively, and bad programs end with the sentences of native runs."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / "tests/web/program"
LIBRARIES = pathlib.Path(os.environ.get("BARRIERSCOPE_PROGRAM_LIBRARIES", ROOT / "build/web/program"))
NODE = shutil.which("node") or shutil.which("nodejs")
CLANG = shutil.which("clang++-19")
LINKER = shutil.which("wasm-ld-19")
NATIVE = shutil.which("clang++-19") or shutil.which("g++")
DUMP = shutil.which("llvm-dwarfdump-19")
ORDER = ("system", "c++", "c++abi", "c", "clang_rt.builtins")

STACK = "The host's stack is full: a recursion without end, or an array of the host that is too large for it."
NULL = ("The host reads through a null pointer.", "The host writes through a null pointer.")
WILD = ("The host reads memory that is not the program's.", "The host writes memory that is not the program's.")
ABORT = "The program gives up (abort, or an assert that fails)."
ZERO = "The host divides an integer by zero."
ENDLESS = "The program was stopped after 0.3 s: is there a loop of the host that never ends?"
CAUGHT = "Nobody catches an exception: nobody wants me."
# What programs/bad.cpp does by its argument: how it ends, its exit code, its sentence, and the comment that marks the line.
BAD = {
    "null": ("crashed", 139, NULL[1], "null"),
    "null-read": ("crashed", 139, NULL[0], "null-read"),
    "wild": ("crashed", 139, WILD[1], "wild"),
    "device-read": ("crashed", 139, WILD[0], "device-read"),
    "beyond": ("crashed", 139, WILD[1], "beyond"),
    "beyond-read": ("crashed", 139, WILD[0], "beyond-read"),
    "copy": ("crashed", 139, NULL[1], "copy"),
    "copy-device": ("crashed", 139, WILD[0], "copy-device"),
    "copy-nothing": ("returned", 0, "", None),
    "endless": ("stopped", 124, ENDLESS, "endless"),
    "endless-print": ("stopped", 124, ENDLESS, None),
    "endless-fill": ("stopped", 124, ENDLESS, None),
    "calls": ("stopped", 124, ENDLESS, None),
    "recursion": ("crashed", 139, STACK, None),
    "large-array": ("crashed", 139, STACK, "large-array"),
    "overrun": ("crashed", 139, WILD[1], "overrun"),
    "abort": ("crashed", 134, ABORT, "abort"),
    "assert": ("crashed", 134, ABORT, "assert"),
    "free-twice": ("crashed", 134, ABORT, "free-twice"),
    "throw": ("crashed", 134, CAUGHT, "throw"),
    "throw-int": ("crashed", 134, "Nobody catches an exception: it is no std::exception.", "throw-int"),
    "noexcept": ("crashed", 134, CAUGHT, "throw"),
    "thread": ("crashed", 134, CAUGHT, "throw"),
    "terminate": ("crashed", 134, ABORT, "terminate"),
    "new-too-much": ("stopped", 134, "The host asks for more memory than a program may have here (4 GB): make the input "
                     "smaller.", "new-too-much"),
    "exit": ("exited", 3, "", "exit"),
    "quick-exit": ("exited", 4, "", None),
    "divide": ("crashed", 136, ZERO, "divide"),
    "remainder": ("crashed", 136, ZERO, "remainder"),
    "divide-least": ("crashed", 136, ZERO, "divide-least"),
    "trap": ("crashed", 132, "The host runs into an instruction that is none.", "trap"),
    "null-function": ("crashed", 139, NULL[0], "null-function"),
    "other-function": ("crashed", 139, "The host calls a function through a pointer to a function of another type.",
                       "other-function"),
    "wild-function": ("crashed", 139, WILD[0], "wild-function"),
    "deadlock": ("stopped", 124, "A thread of the host waits for another one, and threads run one after the other in a "
                 "page: run the program natively.", None),
}


def missing():
    """A sentence about what the tests lack, or None."""
    for program, name in ((NODE, "node"), (CLANG, "clang++-19"), (LINKER, "wasm-ld-19"), (NATIVE, "a native compiler")):
        if not program:
            return f"there is no {name} here"
    absent = [name for name in ORDER if not (LIBRARIES / f"lib/lib{name}.a").exists()]
    if absent:
        return f"{LIBRARIES} has no lib{absent[0]}.a: cmake --preset web, cmake --build build/web --target web_program_libraries"
    return None


@unittest.skipIf(missing(), missing())
class WebProgram(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.place)

    def called(self, command, timeout=300, **options):
        """Runs a command that must succeed; returns what it prints."""
        made = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, timeout=timeout, **options)
        self.assertEqual(made.returncode, 0, f"{command}\n{made.stdout[-5000:]}{made.stderr[-3000:]}")
        return made.stdout

    def linked(self, source, *flags):
        """The module of a program in programs/."""
        name = self.place / f"{source}{''.join(flags)}"
        compiler = CLANG if source.endswith(".cpp") else CLANG.replace("clang++", "clang")
        self.called([compiler, f"--config={LIBRARIES}/program.cfg", "-O1", "-g", *flags, "-I", ROOT, "-c", TESTS / "programs" / source, "-o", f"{name}.o"])
        self.called([LINKER, f"@{LIBRARIES}/link.txt", f"{name}.o", *(LIBRARIES / f"lib/lib{n}.a" for n in ORDER), "-o", f"{name}.wasm"])
        return f"{name}.wasm"

    def run_page(self, module, **options):
        return json.loads(self.called([NODE, TESTS / "run.mjs", module, json.dumps(options)]))

    def same_as_native(self, source, arguments=(), stdin="", files=None, standard="c++17"):
        """Runs a program both ways; returns how it ended in the page."""
        program = self.place / pathlib.Path(source).stem
        self.called([NATIVE, f"-std={standard}", "-O1", "-w", "-pthread", TESTS / "programs" / source, "-o", program])
        folder = self.place / f"{source}-files"
        for path, text in (files or {}).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        folder.mkdir(exist_ok=True)
        native = subprocess.run([program, *arguments], input=stdin, capture_output=True, text=True, check=False, cwd=folder, timeout=60)
        page = self.run_page(self.linked(source, f"-std={standard}"), arguments=[f"./{program.name}", *arguments], stdin=stdin, files=files or {})
        self.assertEqual(page["stdout"], native.stdout)
        self.assertEqual(page["stderr"], native.stderr)
        self.assertEqual(page["exit"], native.returncode)
        return page

    def test_language(self):
        self.assertEqual(self.same_as_native("language.cpp")["how"], "returned")

    def test_library(self):
        page = self.same_as_native("library.cpp", ["a", "b c", ""], "3 4\nrest\nlast line",
                                   {"data/given.txt": "one\ntwo words\nlast"})
        self.assertEqual(page["how"], "exited")
        self.assertEqual(page["files"], {"/made.txt": "written 5\nand more\n"})

    def test_threads(self):
        self.assertEqual(self.same_as_native("threads.cpp", standard="c++20")["how"], "returned")

    def test_bad_programs(self):
        module = self.linked("bad.cpp", "-std=c++17")
        marks = {mark: number for number, line in enumerate((TESTS / "programs/bad.cpp").read_text().splitlines(), 1)
                 for mark in re.findall(r"// ([\w-]+)$", line)}
        for name, (how, code, sentence, mark) in BAD.items():
            with self.subTest(name):
                seconds = 0.3 if sentence == ENDLESS else 20
                page = self.run_page(module, arguments=["./bad", name], seconds=seconds)
                self.assertEqual((page["how"], page["exit"], page["sentence"]), (how, code, sentence))
                if name != "quick-exit":
                    self.assertTrue(page["stdout"].startswith("before"), page["stdout"][:100])
                if how not in ("returned", "exited"):
                    self.assertNotIn("after", page["stdout"])
                if mark:
                    self.assertIn(f"bad.cpp:{marks[mark]}", page["lines"][:1])
        page = self.run_page(module, arguments=["./bad", "assert"])
        self.assertRegex(page["stderr"], r"^bad: .*bad\.cpp:\d+: int main\(.*\): Assertion `zero == 1' failed\.\n$")
        page = self.run_page(module, arguments=["./bad", "throw"])
        self.assertEqual(page["stderr"], "terminate called after throwing an instance of 'std::runtime_error'\n  what():  nobody wants me\n")
        for options in ({"checks": False}, {"ticks": 0}):
            self.assertEqual(self.run_page(module, arguments=["./bad"], **options)["stdout"], "before after\n")

    def lines_program(self, version):
        """A module with a line table of that version, and beside it the rows that llvm-dwarfdump prints."""
        module = self.linked("lines.c", f"-gdwarf-{version}", "-O0")
        text = self.called([DUMP, "--debug-line", module])
        rows = {}
        for unit in text.split("debug_line[")[1:]:
            files = dict(re.findall(r'file_names\[ *(\d+)\]:\s+name: "([^"]*)"', unit))
            for address, line, file, flags in re.findall(r"^0x([0-9a-f]+) +(\d+) +\d+ +(\d+) +\d+ +\d+ +(?:\d+ +)?(.*)$", unit, re.M):
                if int(address, 16) < 1 << 31:
                    rows[int(address, 16)] = [int(address, 16), files[file].rsplit("/", 1)[-1], 0 if "end_sequence" in flags else int(line)]
        pathlib.Path(module + ".lines").write_text(json.dumps(list(rows.values())))
        return module

    def test_modules(self):
        if not DUMP:
            self.skipTest("there is no llvm-dwarfdump-19 here")
        environment = {**os.environ, "MACHINE_PROGRAM": self.linked("machine.c"),
                       "LINES_PROGRAMS": f"{self.lines_program(4)} {self.lines_program(5)}"}
        for name in ("narrow_test.mjs", "program_test.mjs", "ahead_test.mjs"):
            with self.subTest(name):
                self.run_node_test(TESTS / name, environment)

    def run_node_test(self, script, environment):
        """Runs a script of node:test. Its process now and then hangs when it ends, or when it compiles a module: node 20 waits
        for a task that waits for node (nodejs/node issue 54918). So a script that does not end is run once more."""
        for seconds in (60, 120):
            try:
                self.called([NODE, script], env=environment, timeout=seconds)
                return
            except subprocess.TimeoutExpired as error:
                printed = (error.stdout or b"").decode(errors="replace")
        self.fail(f"{script} does not end\n{printed[-3000:]}")


if __name__ == "__main__":
    unittest.main()
