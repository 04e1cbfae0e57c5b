"""tools/check_includes.py passes on the project, and fails on each kind of breach."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
CHECKER = ROOT / "tools" / "check_includes.py"


def check(root):
    done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True)
    return done.returncode, done.stdout


class IncludeRules(unittest.TestCase):
    def breach(self, path, text):
        """A project that holds this one file."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True)
            file.write_text(text)
            return check(folder)

    def assert_found(self, path, text, words):
        code, said = self.breach(path, text)
        self.assertEqual(code, 1, said)
        self.assertIn(words, said)
        self.assertIn(f"{path}:1", said)

    def test_the_project_keeps_them(self):
        code, said = check(ROOT)
        self.assertEqual(code, 0, said)

    def test_allowed(self):
        for path, text in [
            ("app/parts/x.cpp", '#include "engine/analysis/dataflow_graph.hpp"\n'),
            ("app/tabs/time/x.cpp", '#include "app/tabs/time/sheet.hpp"\n#include "app/parts/caption.hpp"\n'),
            ("app/main.cpp", '#include "app/window/window.hpp"\n'),
            ("kernels/scan/1.cu", '#include "engine/simt/program.hpp"\n'),
            ("app/shell/x.cpp", '#include "imgui.h"\n#include <GLFW/glfw3.h>\n'),
            ("engine/simt/gpu_x.cu", "#include <cuda_runtime.h>\n"),
        ]:
            code, said = self.breach(path, text)
            self.assertEqual(code, 0, said)

    def test_the_wrong_way_up_the_house(self):
        self.assert_found("engine/trace/x.cpp", '#include "engine/analysis/dataflow_graph.hpp"\n', "may not include engine/analysis")
        self.assert_found("engine/analysis/x.hpp", '#include "engine/simt/program.hpp"\n', "may not include engine/simt")
        self.assert_found("app/parts/x.cpp", '#include "engine/simt/program.hpp"\n', "may not include engine/simt")
        self.assert_found("app/cli/x.cpp", '#include "kernels/scan/tiles.hpp"\n', "may not include kernels")
        self.assert_found("engine/catalog/x.cpp", '  #  include "app/run/run.hpp"\n', "may not include app")
        self.assert_found("app/draw/x.cpp", '#include "app/tabs/time/picture.hpp"\n', "may not include app/tabs/time")
        self.assert_found("app/session/x.cpp", '#include "app/tabs/time/tab.hpp"\n', "may not include app/tabs/time")
        self.assert_found("app/tabs/time/x.cpp", '#include "app/tabs/watch/x.hpp"\n', "may not include app/tabs/watch")
        self.assert_found("app/tabs/time/x.cpp", '#include "app/shell/panel.hpp"\n', "may not include app/shell")
        self.assert_found("app/cli/x.cpp", '#include "app/shell/panel.hpp"\n', "may not include app/shell")
        self.assert_found("app/cli/x.cpp", '#include "engine/other/x.hpp"\n', "add it to KNOWS")

    def test_other_peoples_headers_out_of_place(self):
        self.assert_found("app/parts/x.cpp", '#include "imgui.h"\n', "Dear ImGui")
        self.assert_found("app/tabs/watch/x.cpp", '#include "imgui.h"\n', "Dear ImGui")
        self.assert_found("engine/trace/x.cpp", "#include <GLFW/glfw3.h>\n", "Dear ImGui")
        self.assert_found("engine/simt/cpu.cpp", "#include <cuda_runtime.h>\n", "CUDA runtime")
        self.assert_found("app/cli/x.cpp", "#include <cairo/cairo.h>\n", "cairo")
        self.assert_found("app/cli/x.cpp", "#include <fstream>\n", "files")

    def test_json_read_and_written_by_hand(self):
        self.assert_found("app/cli/x.cpp", 'const auto all = nlohmann::json::parse(text);\n', "call parse_json")
        self.assert_found("engine/timing/x.cpp", "text = Json::parse(text, nullptr, false);\n", "call parse_json")
        self.assert_found("engine/timing/x.cpp", "std::string text = all.dump(1);\n", "json_text")
        for path, text in [("engine/trace/json_text.cpp", "return j.dump(indent);\n"),
                           ("tests/cli/x_test.cpp", "const auto all = nlohmann::json::parse(text);\n"),
                           ("app/cli/x.cpp", "// as json::parse(text) does\nconst auto all = parse_json(text, name);\n")]:
            code, said = self.breach(path, text)
            self.assertEqual(code, 0, said)

    def test_tabs_known_by_name(self):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in [
                    ("app/tabs/seventh/tab.cpp", 'const RegisterTab seventh{{.name = "seventh"}};\n'),
                    ("app/shell/x.cpp", 'bool shown(const State& s) { return s.tab == "seventh"; }\n'),
                    ("app/cli/x.cpp", 'void show(State& s) { s.tab = "seventh"; }\n'),
                    ("app/parts/x.cpp", 'const Tab* tab = tab_named("seventh");\n'),
                    ("app/export/x.cpp", 'std::string words = tr("the seventh");\n'),
                    ("app/session/state.hpp", 'inline constexpr const char* main_tab = "seventh";\n')]:
                file = pathlib.Path(folder) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            code, said = check(folder)
        self.assertEqual(code, 1)
        self.assertIn('app/shell/x.cpp:1: this knows the tab "seventh" by its name', said)
        self.assertIn("include rules: 3 broken", said)

    def test_paths_from_the_root(self):
        self.assert_found("app/parts/x.cpp", '#include "../session.hpp"\n', "from the root")


if __name__ == "__main__":
    unittest.main()
