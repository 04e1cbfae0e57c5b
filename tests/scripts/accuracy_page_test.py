"""The committed page is the record's, every disagreement in it is explained, and the tool that says
so can tell otherwise."""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "tools" / "accuracy_page.py"


def loaded(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tool = loaded(TOOL)
suite_tool = loaded(TOOL.parent / "race_suite.py")

NCU = '''==PROF== Connected to process 7
"ID","Block Size","Grid Size","{shared}_op_ld.sum","{sectors}red.sum","{sectors}atom.sum","sass__inst_executed_per_opcode","sass__thread_inst_executed_true_per_opcode"
"","","","","","","",""
"0","(64, 1, 1)","(3, 1, 1)","1,024","5","2","1,030 (BAR: 12; LDS: 1,018)","33 (LDS: 32; STS: 1; REDG: 9)"
'''.format(shared=tool.WAVEFRONTS, sectors=tool.SECTORS)


def record(**changes):
    counts = [7] + [0] * 18
    return {
        "device": "a GPU", "driver": "1", "date": "2026-01-01", "checks": 5, "failed": 0, "failures": [], "left_out": [],
        "digests": {}, "every_block": {"scan/a": {"runs": 2}}, "libraries": {},
        "untraced_over_raw": {"scan/a": {"median": 1.002, "min": 1.0, "max": 1.01, "ours_ms": 1, "raw_ms": 1, "n": 4,
                                         "block": 2}},
        "verdicts": {"racecheck traced scan/a": ["clean", "clean"]},
        "counters": {"names": ["shared_load_wavefronts"] + [f"c{k}_lanes" for k in range(18)],
                     "runs": {"scan/a n=4 block=2 seed=1": [["scan", 1, 2, counts, counts, 31.0]]}},
    } | changes


class AccuracyPage(unittest.TestCase):
    def test_rows_of_ncu(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.csv"
            path.write_text(NCU)
            (row,) = tool.rows_of(path)
        self.assertEqual(tool.shape(row), (3, 64))
        got = tool.measured(row)
        self.assertEqual(got["shared_load_wavefronts"], 1024)
        self.assertEqual(got["global_atomic_sectors"], 7)
        self.assertEqual((got["shared_load_lanes"], got["global_atomic_lanes"], got["barriers"]), (32, 9, 12))
        self.assertNotIn("global_load_sectors", got)  # not read is not zero

    def names_missing(self, text, unexplained, *wanted):
        self.assertEqual(len(unexplained), len(wanted), unexplained)
        for sentence, words in zip(unexplained, wanted):
            self.assertIn(words, sentence)
        self.assertEqual("not explained" in text, bool(wanted))

    def page(self, record, *entries):
        return tool.page(record, tool.Explanations(list(entries)))

    def columns(self, record):
        names = record["counters"]["names"]
        for wanted in ("shared_store_wavefronts", "shared_atomic_wavefronts", "global_load_sectors",
                       "global_store_sectors", "global_atomic_sectors", "shared_atomic_lanes", "global_atomic_lanes",
                       "barriers"):
            names[names.index(next(n for n in names if n.startswith("c")))] = wanted
        return record

    def test_agreement_needs_no_explanation(self):
        self.names_missing(*self.page(self.columns(record())))

    def test_each_kind_of_disagreement_must_be_explained(self):
        bad = self.columns(record(verdicts={"racecheck traced scan/a": ["clean", "race"]}))
        bad["counters"]["runs"]["scan/a n=4 block=2 seed=1"][0][4] = [8] + [0] * 18
        bad["untraced_over_raw"]["scan/a"]["median"] = 1.02
        self.names_missing(*self.page(bad), "shared_load_wavefronts: predicted 7, counted 8",
                           "the CPU's trace says clean, racecheck says race", "1.0200")
        why = [{"kernel": "scan/*", "counter": "shared_load_*", "why": "because"},
               {"kernel": "scan/a", "verdict": "* clean -> race", "why": "because"},
               {"kernel": "scan/a", "counter": "time", "why": "because"}]
        self.names_missing(*self.page(bad, *why))

    def test_a_labelled_suite(self):
        suite = {"suite": "Indigo", "version": "1", "kernels": 8, "most": 0, "graph": "g", "threads": 64, "blocks": 2, "persistent_blocks": 1, "verdicts": {
            "push": "clean", "push_cond": "race", "push_atomicBug": "race", "push_cond_atomicBug": "clean",
            "push_boundsBug_atomicBug": "bounds", "pull_boundsBug": "clean", "pull_boundsBug_syncBug": "race and bounds",
            "push_syncBug": "not judged: it takes too long"}}
        text, unexplained = self.page(self.columns(record()))
        self.assertNotIn("labelled suite", text)
        text, unexplained = tool.page(self.columns(record()), tool.Explanations([]), suite)
        self.names_missing(text, unexplained, "push_cond: its label says clean, check says race",
                           "push_cond_atomicBug: its label says race, check says clean",
                           "pull_boundsBug: its label says bounds, check says clean",
                           "push_syncBug: its label says race, check says not judged")
        for line in ("| race-free | none | 2 | 1 | 0 | 1 | 0 | 0 |",
                     "| boundsBug + syncBug | a guard of the index is missing; a barrier is missing | 1 | 1 | 1 | 0 | 0 | 0 |",
                     "| races (kernels without an index out of bounds) | 1 | 1 | 1 | 1 | 50.0% | 50.0% |",
                     "| indices out of bounds | 2 | 1 | 0 | 4 | 66.7% | 100.0% |",
                     "- Not judged, 1: it takes too long (push_syncBug)"):
            self.assertIn(line, text)
        why = [{"kernel": f"indigo/{name}", "verdict": verdict, "why": "because"} for name, verdict in (
            ("push_cond", "clean -> race"), ("push_cond_atomicBug", "race -> clean"), ("pull_boundsBug", "bounds -> clean"),
            ("push_syncBug", "race -> not judged: *"))]
        explanations = tool.Explanations(why)
        text, unexplained = tool.page(self.columns(record()), explanations, suite)
        self.names_missing(text, unexplained)
        self.assertEqual(len(explanations.used), 4)

    def test_verdicts_on_a_suite_s_kernel(self):
        def said(code, hazards=0, groups=(), **more):
            return suite_tool.reported(code, json.dumps({"hazards": [{}] * hazards, "groups": list(groups)} | more), "")

        self.assertEqual(said(0), "clean")
        self.assertEqual(said(1, hazards=3), "race")
        bounds = {"rule": "out-of-bounds", "message": "Thread 1 of block 0 reads a[4] in line 7, but a has only the cells 0 to 3."}
        race = {"rule": "race", "message": "Thread 1 reads a[0], thread 0 writes it.", "consequences": [bounds]}
        self.assertEqual(said(1, groups=[bounds]), "bounds")
        self.assertEqual(said(1, hazards=1, groups=[race]), "race and bounds")
        self.assertEqual(said(2, not_judged="it takes too long"), "not judged: it takes too long")
        ended = {"rule": "program", "message": "the program ended with exit code 1"}
        self.assertEqual(said(1, groups=[ended]), "other: the program ended with exit code 1")
        self.assertEqual(suite_tool.reported(2, "", "  | output\na.cu:1: error: no"), "not judged: a.cu:1: error: no")
        files = [pathlib.Path(f"{name}.cu") for name in ("a", "b", "c", "d", "a_syncBug", "b_syncBug", "c_syncBug")]
        self.assertEqual([f.stem for f in suite_tool.chosen(files, 1)], ["a", "a_syncBug", "b", "c"])

    def test_what_was_not_read_is_no_disagreement(self):
        some = self.columns(record())
        some["counters"]["runs"]["scan/a n=4 block=2 seed=1"][0][4] = [None] * 19
        text, unexplained = self.page(some)
        self.names_missing(text, unexplained)
        self.assertIn("not read", text)

    def test_a_later_run_replaces_what_it_ran_and_leaves_the_rest(self):
        before = record(left_out=["time of scan/b: no time left", "racecheck on mistakes/m, traced: no time left",
                                  "CUB and Thrust beside scan/a: no time left", "metric x: ncu does not have it"],
                        digests={"scan/a n=1": "aa", "scan/a n=2": "bb", "scan/b n=1": "cc"},
                        parts={"checks/scan-a": {"checks": 5, "failed": 1, "failures": ["scan/a is wrong"]}})
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for path, text in {
                "device.json": {"device": "a GPU", "driver": "1", "date": "2026-01-02"},
                "checks/scan-a.json": {"kernel": "scan/a", "digests": {"scan/a n=1": "dd"}, "checks": 3, "failed": 0,
                                       "failures": []},
                "raw/scan-b.json": {"kernel": "scan/b", "untraced_over_raw": {"scan/b": {"median": 1}}, "checks": 2,
                                    "failed": 0, "failures": []},
                "predicted.json": {"counters": before["counters"]["names"], "runs": {
                    "scan/a n=4 block=2 seed=1": [["scan", 1, 2, [0] * 19]], "scan/b n=1": [["scan", 1, 2, [0] * 19]]}},
            }.items():
                (folder / path).parent.mkdir(exist_ok=True)
                (folder / path).write_text(json.dumps(text))
            (folder / "verdicts.tsv").write_text("racecheck\ttraced\tmistakes/m\trace\trace\n")
            predict = folder / "predict"
            predict.write_text('#!/bin/sh\ncp "${0%/*}/predicted.json" "$3"\n')
            predict.chmod(0o755)
            now = tool.make_record([folder], predict, before)
            self.assertEqual(now["digests"], {"scan/a n=1": "dd", "scan/b n=1": "cc"})
            self.assertEqual(sorted(now["untraced_over_raw"]), ["scan/a", "scan/b"])
            self.assertEqual(now["counters"], before["counters"])
            self.assertEqual(len(now["verdicts"]), 2)
            self.assertEqual((now["checks"], now["failed"], now["failures"]), (5, 0, []))
            self.assertEqual(now["left_out"], ["CUB and Thrust beside scan/a: no time left",
                                               "metric x: ncu does not have it",
                                               "hardware counters of scan/b: none were read"])
            # what stays says of which GPU and day it is
            stays = {"counters/scan-a", "sanitizer/racecheck traced scan/a"}
            self.assertEqual(now["made"], dict.fromkeys(stays, "a GPU, driver 1, 2026-01-01"))
            (folder / "device.json").write_text(json.dumps({"device": "another", "driver": "1", "date": "2026-01-03"}))
            (folder / "checks/scan-a.json").unlink()
            # another verdict of the same kernel makes none of the others new
            (folder / "verdicts.tsv").write_text("memcheck\ttraced\tscan/a\tclean\tclean\n")
            again = tool.make_record([folder], predict, now)
            self.assertEqual(again["made"], dict.fromkeys(stays, "a GPU, driver 1, 2026-01-01")
                             | dict.fromkeys({"checks/scan-a", "sanitizer/racecheck traced mistakes/m"}, "a GPU, driver 1, 2026-01-02"))
            text, _ = self.page(self.columns(again | {"stamped_over_untraced": {}, "untraced_over_raw": {}}))
            self.assertIn("another, driver 1, 2026-01-03, unless stated otherwise.", text)
            self.assertIn("| scan/a | 2 | - | - | checks: a GPU, driver 1, 2026-01-02 |", text)
            self.assertIn("#### scan/a\n\nOn a GPU, driver 1, 2026-01-01.", text)
            self.assertIn("On a GPU, driver 1, 2026-01-01: racecheck traced scan/a.", text)

    def test_what_a_record_lacks(self):
        everything = tool.wanted(["scan/a", "patterns/p", "skeleton/s"], ["mistakes/m"], ["scan/a without line 3"])
        self.assertEqual(tool.lacking({}, everything), everything)
        self.assertNotIn("timing patterns/p", everything)
        self.assertNotIn("counters skeleton/s", everything)
        self.assertIn("sanitizer memcheck stamped patterns/p", everything)
        some = record(stamped_over_untraced={"scan/a": {}}, parts={"checks/scan-a": {}, "checks/words": {}, "libraries/patterns-p": {"failed": 0},
                             "libraries/scan-a": {"failed": 1}},
                      verdicts={"racecheck traced scan/a": ["clean", "clean"],
                                "racecheck traced scan/a without line 3": ["race", "race"]})
        not_there = set(tool.lacking(some, everything))
        self.assertEqual(set(everything) - not_there,
                         {"words", "checks scan/a", "counters scan/a", "libraries patterns/p", "timing scan/a", "stamped scan/a",
                          "sanitizer racecheck traced scan/a", "sanitizer racecheck traced scan/a without line 3"})

    def test_the_committed_record_lacks_nothing_of_its_kernels(self):
        now = json.loads(tool.RECORD.read_text())
        kernels = list(now["every_block"])
        mutants = {k.split(" ", 2)[2] for k in now["verdicts"] if " without " in k}
        self.assertEqual(tool.lacking(now, tool.wanted(kernels, [], sorted(mutants))), [])
        self.assertEqual(now["left_out"], [])

    def test_the_committed_page(self):
        if json.loads(tool.RECORD.read_text())["format"] != "barrierscope.gpu-checks/2":
            self.skipTest("the record is from before there were counters")
        done = subprocess.run([sys.executable, TOOL, "check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
