"""The program loads a GPU module when a GPU is first requested, and refuses one that is none, or another build's, in a
sentence. The module here is made by the C++ compiler: its device is this machine's processor."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build" / "release"))
PROGRAM = BUILD / "barrierscope"
BUILT = BUILD / "libbarrierscope_gpu.so"
CXX = os.environ.get("CXX", "g++")
STOOD_IN = """
#include "engine/simt/algorithm.hpp"
#include "engine/simt/device_module.hpp"
#include "engine/simt/problem.hpp"
#include "engine/simt/schedule.hpp"
#include "engine/timing/gpu_meters.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/trace.hpp"
using namespace bscope;
namespace {
std::optional<GpuInfo> gpu_here(Message* why) { if (why) *why = {}; return GpuInfo{.name = "Stand-in 1"}; }
const RegisterDevice device({gpu_here, [] { return 1; }});
const RegisterGpuMeter meter([](const Patience&, std::function<bool()>, int) -> std::unique_ptr<Meter> {
  throw NoDevice(message("the stand-in measures nothing"));
});
const bool kernel = [] {
  Algorithm& a = registered()["scan/blelloch"];
  a.gpu = [&a](const Problem& p) { Trace t = a.cpu(p, {}); t.device = "Stand-in 1"; return t; };
  return true;
}();
}
"""
YESTERDAYS = """
#include "engine/simt/device_module.hpp"
const bscope::RegisterDevice device({});
"""


def ask(*arguments, module=None, program=PROGRAM):
    environment = {k: v for k, v in os.environ.items() if k != "BARRIERSCOPE_GPU_MODULE"}
    if module:
        environment["BARRIERSCOPE_GPU_MODULE"] = str(module)
    done = subprocess.run([program, *arguments], capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout, done.stderr


SHOW = ("show", "scan/blelloch", "--n", "8", "--device", "gpu")


class GpuModule(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.place = pathlib.Path(cls.folder.name)
        cls.module = cls.place / "lib" / "libbarrierscope_gpu.so"
        cls.module.parent.mkdir()
        cls.make(cls.module)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def make(cls, file, text=STOOD_IN, generated=BUILD / "generated"):
        source = cls.place / "module.cpp"
        source.write_text(text)
        subprocess.run([CXX, "-std=c++20", "-O0", "-shared", "-fPIC", f"-I{generated}", f"-I{ROOT}", source, "-o", file],
                       check=True)

    def test_loaded_when_asked_for(self):
        code, out, err = ask(*SHOW, module=self.module)
        self.assertEqual(code, 0, err)
        self.assertIn("Stand-in 1", out)
        code, out, err = ask(*SHOW[:-2], module=self.place / "nothing.so")  # no GPU is asked for
        self.assertEqual((code, err), (0, ""))

    def test_found_beside_the_program_and_in_lib(self):
        (self.place / "bin").mkdir(exist_ok=True)
        program = self.place / "bin" / "barrierscope"
        shutil.copy(PROGRAM, program)
        self.assertIn("Stand-in 1", ask(*SHOW, program=program)[1])
        shutil.copy(PROGRAM, self.module.parent / "barrierscope")
        self.assertIn("Stand-in 1", ask(*SHOW, program=self.module.parent / "barrierscope")[1])

    def test_its_errors_are_the_programs(self):
        code, _, err = ask("time", "scan/blelloch", "--device", "gpu", "--n", "1024", module=self.module)
        self.assertEqual(code, 1, err)
        self.assertIn("the stand-in measures nothing", err)

    def test_of_another_build(self):
        other = self.place / "other"
        (other / "engine" / "simt").mkdir(parents=True, exist_ok=True)
        (other / "engine/simt/engine_id.hpp").write_text("#define BARRIERSCOPE_ENGINE barrierscope_engine_of_yesterday\n")
        self.make(self.place / "yesterday.so", YESTERDAYS, other)
        code, _, err = ask(*SHOW, module=self.place / "yesterday.so")
        self.assertEqual(code, 1, err)
        self.assertIn("yesterday.so belongs to another build of this program", err)

    def test_no_module(self):
        for file, text in ("gone.so", "No such file"), ("text.so", "cannot be loaded"):
            if file == "text.so":
                (self.place / file).write_text("no library\n")
            code, _, err = ask(*SHOW, module=self.place / file)
            self.assertEqual(code, 1, err)
            self.assertIn("no CUDA device: the GPU module cannot be loaded", err)
            self.assertIn(text, err)
        code, _, err = ask(*SHOW, program=shutil.copy(PROGRAM, self.place / "barrierscope"))
        self.assertEqual(code, 1, err)
        self.assertIn("has no GPU module beside it; ./run.sh --with-gpu builds one", err)

    @unittest.skipUnless(BUILT.exists(), "nvcc's module was not built here")
    def test_what_nvcc_made(self):
        """It loads, so that what is said of the device is its own word: there is one, or why there is none."""
        code, out, err = ask(*SHOW, module=BUILT)
        self.assertNotIn("GPU module", err)
        self.assertTrue(code == 0 or "no CUDA device" in err, err)


if __name__ == "__main__":
    unittest.main()
