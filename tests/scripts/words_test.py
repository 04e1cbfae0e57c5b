"""Everything that the app says is translated, and the checker can tell otherwise."""

import importlib.util
import json
import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
spec = importlib.util.spec_from_file_location("check_words", ROOT / "tools" / "check_words.py")
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)


class Words(unittest.TestCase):
    def test_the_project(self):
        self.assertEqual(list(tool.problems(ROOT)), [])

    def found(self, source, translations, place="app/a.cpp", page=None):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / place).parent.mkdir(parents=True)
            (root / place).write_text(source)
            (root / "assets/words/zh").mkdir(parents=True)
            (root / "assets/words/zh/a.json").write_text(json.dumps(translations))
            if page:
                (root / "assets/words/page.json").write_text(json.dumps(page))
            return list(tool.problems(root))

    def test_good(self):
        self.assertEqual(self.found('tr("a {}"\n " b", 1); tr_noop("c"); tr_count(n, "{} add", "{} adds");',
                                    {"a {} b": "甲 {}", "c": "丙", "{} add": "{} 次", "{} adds": "{} 次"}), [])

    def test_bad(self):
        self.assertIn("not translated", self.found('tr("a")', {})[0])
        self.assertIn("nobody says", self.found("", {"a": "甲"})[0])
        self.assertIn("fewer {}", self.found('tr("a")', {"a": "甲 {}"})[0])
        self.assertIn("not all", self.found('tr("a {} {}", 1, 2)', {"a {} {}": "甲 {} {1}"})[0])

    def test_messages(self):
        self.assertEqual(self.found('message("{} waits", who);', {"{} waits": "{} 等待"})[1:], [])
        self.assertIn("the message", self.found('message("{} waits", who);', {})[0])
        self.assertIn('the message "write // {}"', self.found('message("write // {}", what);', {})[0])
        self.assertEqual([], self.found('// message("{} waits", who);', {}))

    def test_a_page_has_no_command_line(self):
        both = {"use --n {}": "用 --n {}", "use n = {}": "用 n = {}"}
        said = 'throw UsageError(message("use --n {}", n));'
        self.assertIn("has no command line", self.found(said, both, "app/run/a.cpp")[-1])
        self.assertEqual([], self.found(said, both, "app/run/a.cpp", {"use --n {}": "use n = {}"}))
        self.assertEqual([], [p for p in self.found(said, both, "app/cli/a.cpp") if "command line" in p])

    def test_one_word_for_one_thing(self):
        self.assertEqual(self.found('tr("span");', {"span": "跨度"}), [])
        self.assertIn("say 跨度", self.found('tr("span");', {"span": "关键路径"})[0])
        self.assertIn("say 写入", self.found('tr("line {} stores it", 1);', {"line {} stores it": "第 {} 行写回它"})[0])
        self.assertIn("say 步长", self.found('tr("by {}", stride);', {"by {}": "步幅 {}"})[0])
        self.assertIn("say 复制", self.found('tr("copy");', {"copy": "拷贝"})[0])
        self.assertEqual(self.found('tr("grid-stride loop");', {"grid-stride loop": "网格跨步循环"}), [])
        self.assertEqual(self.found('tr("read, add, write back");', {"read, add, write back": "读、加、写回"}), [])
        with tempfile.TemporaryDirectory() as folder:
            lesson = pathlib.Path(folder) / "assets/lessons/zh/01-a.md"
            lesson.parent.mkdir(parents=True)
            lesson.write_text("最长的**关键路径**\n读出桶，加一，写回去。\n")
            self.assertEqual([where for where, _, _ in tool.lessons_terms(pathlib.Path(folder), "zh")],
                             ["assets/lessons/zh/01-a.md:1"])

    def test_commas(self):
        self.assertIn("narrow comma", self.found('tr("a, b");', {"a, b": "甲, 乙"})[0])
        self.assertEqual([], self.found('tr("press , or .");', {"press , or .": "用 , 和 . 键"}))
        self.assertIn("other commas", self.found('all += ", " + tr("a");', {"a": "甲"}, "app/tabs/a.cpp")[0])
        self.assertEqual([], self.found('all += tr(", ") + tr("a");', {"a": "甲", ", ": "、"}, "app/tabs/a.cpp"))

    def test_sentences_that_nobody_says(self):
        self.assertIn("neither said", self.found('throw Error("this is not right");', {})[0])
        self.assertEqual([], self.found('throw Error("cannot " + what + " the file");', {"cannot {} the file": "甲 {}"})[1:])
        for quiet in ('// "this is not right"', 'id("all troubles")', 'R"(this is not right)"', 'char c = \'"\';'):
            self.assertEqual([], self.found(quiet, {}))

    def test_literals_as_the_compiler_reads_them(self):
        self.assertEqual(tool.literal(r'"\x1b[1m" "a\"b\n" "\u4e2d"'), '\x1b[1ma"b\n\u4e2d')


if __name__ == "__main__":
    unittest.main()
