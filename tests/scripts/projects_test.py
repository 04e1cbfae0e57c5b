"""Projects of several files: what a build file gives, which program is opened, and make with NVCC="barrierscope nvcc"."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
RUNTIME = BUILD / "cuda" / "lib" / "libbarrierscope_cuda.so"
PROJECTS = ROOT / "tests/cuda/projects"
BARRIERSCOPE = BUILD / "barrierscope"


@unittest.skipUnless(RUNTIME.exists(), "built without the runtime of users' own CUDA programs")
class Projects(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copytree(PROJECTS, self.folder, dirs_exist_ok=True)

    def run_it(self, *words, where="."):
        environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = subprocess.run([str(w) for w in words], cwd=self.folder / where, env=environment, capture_output=True, text=True,
                              timeout=200)
        return done.returncode, done.stdout + done.stderr

    def expect(self, code, *parts, verb="check", words=(), where="."):
        got, text = self.run_it(BARRIERSCOPE, verb, *words, where=where)
        self.assertEqual(got, code, text)
        for part in parts:
            self.assertIn(part, text)
        return text

    def test_a_file_gets_what_it_lacks(self):
        self.expect(0, "same: 2016 of 64 values", "Makefile builds reduce of: main.cu, reduce.cu, host.cpp, -I include, -DN=64, -arch=sm_80",
                    "(make run): -- 3", words=["make_pattern/src/main.cu"])
        self.expect(0, "same: 2016 of 32 values".replace("2016", "496"), words=["make_pattern/src/main.cu", "-D", "N=32"])
        self.expect(2, "'reduce.hpp' file not found", words=["make_pattern/src/main.cu", "--no-project"])

    def test_a_file_that_compiles_alone_is_not_changed(self):
        text = self.expect(0, "16 threads", words=["exercises/add.cu"])
        self.assertNotIn("Makefile", text)
        self.expect(0, "last 93", "Makefile builds scale of: scale.cu, -DTHREADS=32", words=["exercises/scale.cu"])

    def test_a_mistake_of_the_file_is_told_once(self):
        main = self.folder / "exercises/scale.cu"
        main.write_text(main.read_text().replace("return 0;", "return nothing;"))
        text = self.expect(2, "'nothing'", words=["exercises/scale.cu"])
        self.assertEqual(len(re.findall(r"(?m)^\S+: error: use of undeclared identifier 'nothing'", text)), 1, text)

    def test_a_folder_or_a_build_file_opens_its_program(self):
        self.expect(0, "same: 4032 of 64 values", words=["make_pattern", "--", "2"])
        self.expect(0, "32 0 0 0 32 64 0 of 128 keys", "-std=c++20", words=["cmake/CMakeLists.txt"])
        self.expect(2, "exercises builds 2 programs: choose one with --program add or scale", words=["exercises"])
        self.expect(0, "32 threads", words=["exercises/Makefile", "--program", "add"])
        self.expect(2, "choose add or scale", words=["exercises", "--program", "sub"])
        self.expect(2, words=["exercises", "--grader"])

    def test_files_of_cmake_are_found_from_both_folders(self):
        main = self.folder / "cmake/src/main.cu"
        main.write_text(main.read_text().replace("../data/", "data/"))
        self.expect(0, "of 128 keys", words=["cmake"])

    def test_files_share_device_code(self):
        self.expect(0, "200 422 644 866 288 510 732 954 after 8 calls", words=["shared_device_code"])

    def test_kernels_in_files_of_any_name(self):
        self.expect(0, "last 961", words=["kernels_in_cpp/main.cpp"])
        self.expect(0, "last 961", words=["kernels_in_cpp"])

    @unittest.skipUnless(shutil.which("make"), "there is no make")
    def test_make_with_our_nvcc(self):
        for project, program, printed in (("make_pattern", "reduce", "same: 2016 of 64 values"), ("exercises", "add", "32 threads"),
                                          ("shared_device_code", "program", "after 8 calls")):
            code, text = self.run_it("make", f"NVCC={BARRIERSCOPE} nvcc", where=project)
            self.assertEqual(code, 0, text)
            code, text = self.run_it(f"./{program}", where=project)
            self.assertEqual(code, 0, text)
            self.assertIn(printed, text)
            self.expect(0, printed, words=[f"./{program}"], where=project)

    @unittest.skipUnless(shutil.which("make"), "there is no make")
    def test_a_mistake_stops_make(self):
        main = self.folder / "exercises/add.cu"
        main.write_text(main.read_text().replace("cudaDeviceSynchronize();", "cudaDeviceSynchronise();"))
        code, text = self.run_it("make", f"NVCC={BARRIERSCOPE} nvcc", where="exercises")
        self.assertEqual(code, 2, text)
        self.assertIn("add.cu:11:3: error: use of undeclared identifier 'cudaDeviceSynchronise'", text)
        self.assertFalse((self.folder / "exercises/add").exists())

    def test_our_nvcc_takes_options_as_nvcc_does(self):
        (self.folder / "options").write_text("-O2 -DTHREADS=8\n-lineinfo")
        self.expect(0, verb="nvcc", words=["--options-file", "options", "exercises/scale.cu", "-o", "scale", "-Xcompiler", "-Wall",
                                           "-gencode", "arch=compute_80,code=sm_80", "-use_fast_math"])
        code, text = self.run_it("./scale")
        self.assertEqual(code, 0, text)
        self.assertIn("last 21", text)
        self.expect(2, "unknown option -arhc=sm_80: did you mean -arch", verb="nvcc", words=["-arhc=sm_80", "exercises/add.cu"])
        self.expect(2, "no input files", verb="nvcc")
        self.expect(0, "release 13", verb="nvcc", words=["--version"])


if __name__ == "__main__":
    unittest.main()
