"""tools/check_style.py passes on the project, and fails on each kind of breach."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CHECKER = ROOT / "tools" / "check_style.py"


def check(root):
    done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True)
    return done.returncode, done.stdout


class Style(unittest.TestCase):
    def check_file(self, path, text):
        """A project that holds this one file."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            return check(folder)

    def assert_refused(self, path, text, line, words):
        code, said = self.check_file(path, text)
        self.assertEqual(code, 1, f"{path} is not refused: {text}")
        self.assertIn(f"{path}:{line}: ", said)
        self.assertIn(words, said)

    def assert_accepted(self, path, text):
        code, said = self.check_file(path, text)
        self.assertEqual(code, 0, said)

    def test_the_project_keeps_it(self):
        code, said = check(ROOT)
        self.assertEqual(code, 0, said)

    def test_each_private_word(self):
        for word in ("people", "people's", "users of other peoples' code", "somebody", "Anybody", "anyone", "Nobody",
                     "whoever", "those who wait", "Who waits", "beside the frames", "beside frames", "under way", "underway",
                     "comes along", "a rung", "the ladder", "is told", "told apart", "mended", "gives it back", "given back",
                     "the house", "the hardware's word"):
            self.assert_refused("engine/a.hpp", f"int a;\n/// It is {word} here.\n", 2, "write ")

    def test_each_language(self):
        for path, text in (("app/a.cpp", "int a;  // for nobody\n"), ("engine/a.cu", "/* a\n for nobody */\n"),
                           ("tests/a.h", "int a;  ///< for nobody\n"), ("tools/a.py", "a = 1  # for nobody\n"),
                           ("tools/b.py", '"""Makes a file\nfor nobody."""\n'), ("tools/c.sh", "a=1 # for nobody\n"),
                           ("cmake/a.cmake", "# for nobody\n"), ("app/CMakeLists.txt", "set(a b)  # for nobody\n"),
                           ("README.md", "For nobody.\n"), ("docs/a.md", "For\nnobody.\n"), ("run.sh", "# for nobody\n")):
            code, said = self.check_file(path, text)
            self.assertEqual(code, 1, path)
            self.assertIn("nobody", said)

    def test_the_line_is_named(self):
        self.assert_refused("engine/a.cu", "/* a\n b\n for nobody */\n", 3, "nobody")
        self.assert_refused("tools/a.py", 'def a():\n    """A.\n\n    For nobody."""\n', 4, "nobody")
        self.assert_refused("docs/a.md", "# A\n\n```\nnobody\n```\nnobody\n", 6, "nobody")

    def test_marks_of_a_merge(self):
        for path in ("docs/a.md", "engine/a.cpp", "tools/a.py"):
            self.assert_refused(path, "<" * 7 + " HEAD\n", 1, "a merge has left its mark")
            self.assert_refused(path, "\n" + ">" * 7 + " other\n", 2, "a merge has left its mark")

    def test_questions(self):
        question = "a statement, not a question"
        self.assert_refused("app/a.hpp", "/// Is it open?\nbool is_open();\n", 1, question)
        self.assert_refused("app/a.hpp", "bool open;  ///< is it open? Null: no\n", 1, question)
        self.assert_refused("app/a.hpp", "// Which one (of `these`)?\n", 1, question)
        self.assert_refused("tools/a.py", '"""Is it whole?\n\nExits 1 if not."""\n', 1, question)
        self.assert_refused("tools/a.sh", "# Has it ended?\n", 1, question)

    def test_no_comment(self):
        self.assert_accepted("app/a.cpp", 'tr("Is nobody there?");  // asks\nchar c = \'"\';\n')
        self.assert_accepted("app/a.cpp", 'auto a = R"(// nobody?)";\nauto b = "// nobody";\n')
        self.assert_accepted("app/a.cpp", "int nobody = a ? b : c;\n")
        self.assert_accepted("tools/a.py", 'print("# nobody? ")\nnobody = """people?"""\n')
        self.assert_accepted("tools/a.sh", "echo 'nobody # told?' \"people # told\"\n")
        self.assert_accepted("cmake/a.cmake", 'message("# people")\n')

    def test_quoted_texts(self):
        self.assert_accepted("app/a.hpp", '/// "Is it right?" and "why?" are titles, `nobody` a name, a?b:c code.\n')

    def test_plain_comments(self):
        self.assert_accepted("app/a.hpp", "/// Whether it is open. Returns the user's choice; recommends nothing, amends all.\n")
        self.assert_accepted("app/a.hpp", "/// For users who wait. The whole of it.\n")


if __name__ == "__main__":
    unittest.main()
