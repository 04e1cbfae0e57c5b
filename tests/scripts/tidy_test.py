"""tools/tidy.py fails on a finding, passes without one, and says what it had no time for."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).parent.parent.parent / "tools" / "tidy.py"
sys.path.insert(0, str(TOOL.parent))
import tidy  # noqa: E402


@unittest.skipUnless(shutil.which("clang-tidy-16"), "no clang-tidy-16")
class Tidy(unittest.TestCase):
    def look(self, text, seconds="60", flags=""):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a.cpp"
            file.write_text(text)
            commands = [{"directory": folder, "file": str(file), "command": f"clang++-16 -std=c++20 {flags} -c a.cpp"}]
            (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps(commands))
            done = subprocess.run([sys.executable, TOOL, folder, seconds, file], capture_output=True, text=True)
            return done.returncode, done.stdout

    def test_finding(self):
        code, said = self.look("int* nothing() { return 0; }\n")
        self.assertEqual(code, 1, said)
        self.assertIn("use nullptr", said)

    def test_clean(self):
        code, said = self.look("int* nothing() { return nullptr; }\n")
        self.assertEqual(code, 0, said)
        self.assertIn("1 files clean", said)

    def test_precompiled_headers_are_left_aside(self):
        flags = "-Winvalid-pch -Xclang -include-pch -Xclang gone/cmake_pch.hxx.pch -Xclang -include -Xclang gone/cmake_pch.hxx"
        code, said = self.look("#include <vector>\nstd::vector<int> some() { return {}; }\n", flags=flags)
        self.assertEqual(code, 0, said)
        code, said = self.look("std::vector<int> some() { return {}; }\n", flags=flags)
        self.assertEqual(code, 1, said)

    def test_each_source_of_a_unity_build(self):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            unit = build / "Unity" / "unity_0_cxx.cxx"
            unit.parent.mkdir()
            unit.write_text('/* generated */\n\n#include "/a.cpp"\n\n#include "/b.cpp"\n')
            commands = [{"directory": folder, "file": str(unit), "command": f"clang++-16 -c {unit}"},
                        {"directory": folder, "file": "/c.cpp", "command": "clang++-16 -c /c.cpp"}]
            (build / "compile_commands.json").write_text(json.dumps(commands))
            self.assertEqual([(c["file"], c["command"]) for c in tidy.source_commands(build)],
                             [(f"/{name}.cpp", f"clang++-16 -c /{name}.cpp") for name in "abc"])

    def test_no_time(self):
        code, said = self.look("int* nothing() { return 0; }\n", "1")
        self.assertEqual(code, 0, said)
        self.assertIn("left out: no time for 1 of 1 files", said)


if __name__ == "__main__":
    unittest.main()
