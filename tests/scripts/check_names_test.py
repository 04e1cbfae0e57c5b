"""tools/check_names.py passes on the project, and names what two sources of a folder both define for themselves."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
CHECKER = ROOT / "tools" / "check_names.py"


def check(root):
    done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True)
    return done.returncode, done.stdout


class OwnNames(unittest.TestCase):
    def of(self, **texts):
        """What is said of sources whose anonymous namespaces hold these texts."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in texts.items():
                file = pathlib.Path(folder) / f"{name.replace('__', '/')}.cpp"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(f"namespace bscope {{\nnamespace {{\n{text}\n}}  // namespace\n}}  // namespace bscope\n")
            return check(folder)

    def test_the_project_keeps_them(self):
        code, said = check(ROOT)
        self.assertEqual(code, 0, said)

    def test_functions_types_and_constants(self):
        for first, second in [
            ("std::string trimmed(std::string s) {", "std::string_view trimmed(std::string_view s) {"),
            ("struct Counts {", "class Counts {"),
            ("constexpr size_t most_text = 8;", "constexpr int most_text = 9, largest = 2;"),
            ("enum class Extreme : uint8_t { least };", "const Extreme* Extreme(int k) {"),
        ]:
            code, said = self.of(engine__trace__a=first, engine__trace__b=second)
            self.assertEqual(code, 1, first)
            self.assertIn("engine/trace: a.cpp and b.cpp each have a ", said)

    def test_other_folders_may_have_the_name(self):
        text = "int depth(int k) {"
        self.assertEqual(self.of(engine__trace__a=text, engine__cuda__b=text)[0], 0)


if __name__ == "__main__":
    unittest.main()
