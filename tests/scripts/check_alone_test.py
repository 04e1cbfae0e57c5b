"""tools/check_alone.py fails on what leans on another file's includes, and passes what does not."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).parent.parent.parent / "tools" / "check_alone.py"
COMPILER = os.environ.get("CXX", "g++")


class Alone(unittest.TestCase):
    def check(self, text, name="x.hpp", other="", source="", unity=False, options=()):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "engine" / "simt").mkdir(parents=True)
            (root / "engine" / "simt" / name).write_text(text)
            if other:
                (root / "app").mkdir()
                (root / "app" / "other.hpp").write_text(other)
            file = root / "engine" / "simt" / "a.cpp" if source else root / "gone.cpp"
            if source:
                file.write_text(source)
            if unity:
                unit = root / "Unity" / "unity_0.cxx"
                unit.parent.mkdir()
                unit.write_text(f'#include <vector>\n#include "{file}"\n')
                file = unit
            commands = [{"directory": str(root), "file": str(file), "command": f"{COMPILER} -DGIVEN=1 -c {file}"}]
            (root / "compile_commands.json").write_text(json.dumps(commands))
            done = subprocess.run([sys.executable, CHECKER, root, root, *options], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

    def test_alone(self):
        code, said = self.check("#pragma once\n#include <vector>\ninline std::vector<int> v{GIVEN};\n")
        self.assertEqual(code, 0, said)

    def test_leaning(self):
        code, said = self.check("#pragma once\ninline std::vector<int> v;\n")
        self.assertEqual(code, 1, said)
        self.assertIn("engine/simt/x.hpp does not compile alone", said)

    def test_without_a_guard(self):
        code, said = self.check("struct Twice {};\n")
        self.assertEqual(code, 1, said)

    def test_warning(self):
        code, said = self.check("#pragma once\ninline int f(int unused) { return 1; }\n")
        self.assertEqual(code, 1, said)

    def test_two_types_of_one_name(self):
        code, said = self.check("#pragma once\nstruct Step {};\n", other="#pragma once\nstruct Step { int of; };\n")
        self.assertEqual(code, 1, said)
        self.assertIn("two things of one name need two names", said)
        self.assertIn("Step", said)
        code, said = self.check("#pragma once\nstruct Step {};\n", other="#pragma once\nstruct Stair {};\n")
        self.assertEqual(code, 0, said)

    def test_first_of_a_source(self):
        """Compiled alone with it. Second of one, or without a guard: once more."""
        first = '// Its own header first.\n#include "engine/simt/x.hpp"\n'
        code, said = self.check("#pragma once\nstruct X {};\n", source=first)
        self.assertEqual(code, 0, said)
        self.assertIn("1 sources, 1 of headers", said)
        code, said = self.check("struct X {};\n", source=first)
        self.assertEqual(code, 1, said)
        second = '#include <vector>\n#include "engine/simt/x.hpp"\n'
        code, said = self.check("#pragma once\ninline std::vector<int> v;\n", source=second)
        self.assertEqual(code, 1, said)
        self.assertIn("engine/simt/x.hpp does not compile alone", said)

    def test_source(self):
        leaning = '#include "engine/simt/x.hpp"\nstd::vector<int> v;\n'
        for unity in (False, True):  # where it finds what it leans on
            code, said = self.check("#pragma once\n", source=leaning, unity=unity)
            self.assertEqual(code, 1, said)
            self.assertIn("engine/simt/a.cpp does not compile alone", said)
        code, said = self.check("#pragma once\n", source="#include <vector>\nstd::vector<int> v(GIVEN);\n", unity=True)
        self.assertEqual(code, 0, said)

    def test_time_is_over(self):
        code, said = self.check("#pragma once\n", source="int f() { return missing; }\n", options=["--seconds", "-1"])
        self.assertEqual(code, 0, said)
        self.assertIn("left out: 1 of 1 sources alone", said)

    def test_gpu_half_is_named(self):
        code, said = self.check("#pragma once\n", "gpu_x.hpp")
        self.assertEqual(code, 1, said)  # nothing at all was compiled
        self.assertIn("left out: no nvcc for engine/simt/gpu_x.hpp", said)


if __name__ == "__main__":
    unittest.main()
