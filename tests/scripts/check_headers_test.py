"""tools/check_headers.py fails on a header that leans on another's includes, and passes one that does not."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).parent.parent.parent / "tools" / "check_headers.py"


class Headers(unittest.TestCase):
    def check(self, text, name="x.hpp", other="", source="a.cpp", flags=""):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "engine" / "simt").mkdir(parents=True)
            (root / "engine" / "simt" / name).write_text(text)
            if other:
                (root / "app").mkdir()
                (root / "app" / "other.hpp").write_text(other)
            commands = [{"file": str(source), "command": f"{os.environ.get('CXX', 'g++')} -DGIVEN=1 {flags} -c a.cpp"}]
            (root / "compile_commands.json").write_text(json.dumps(commands))
            done = subprocess.run([sys.executable, CHECKER, root, root], capture_output=True, text=True)
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
        """Compiled alone by the build: not here. Second of one, or without a guard: here."""
        leaning = "#pragma once\ninline std::vector<int> v;\n"
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "a.cpp"
            source.write_text('// Its own header first.\n#include "engine/simt/x.hpp"\n')
            code, said = self.check("#pragma once\nstruct X {};\n", source=source)
            self.assertEqual(code, 0, said)
            self.assertIn("1 compiled by the build, 1 here", said)
            code, said = self.check("struct X {};\n", source=source)
            self.assertEqual(code, 1, said)
            source.write_text('#include <vector>\n#include "engine/simt/x.hpp"\n')
            code, said = self.check(leaning, source=source)
            self.assertEqual(code, 1, said)

    def test_precompiled_headers_prove_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "a.cpp"
            source.write_text('#include "engine/simt/x.hpp"\n')
            code, said = self.check("#pragma once\ninline std::vector<int> v;\n", source=source,
                                    flags="-include a.dir/cmake_pch.hxx")
            self.assertEqual(code, 1, said)
            self.assertIn("engine/simt/x.hpp does not compile alone", said)

    def test_gpu_half_is_named(self):
        code, said = self.check("#pragma once\n", "gpu_x.hpp")
        self.assertEqual(code, 1, said)  # nothing at all was compiled
        self.assertIn("left out: no nvcc for engine/simt/gpu_x.hpp", said)


if __name__ == "__main__":
    unittest.main()
