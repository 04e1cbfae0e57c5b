"""run.sh's set-up: what it installs, what it says without rights, and that it costs nothing when all is built."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent

# Programs that stand in for the machine's: dpkg-query knows `installed`, apt-get and cmake write down how they
# were called.
FAKES = {
    "dpkg-query": '#!/bin/sh\nfor p in $INSTALLED; do echo "ii  $p"; done\n',
    "apt-get": '#!/bin/sh\necho "apt-get $*" >>"$CALLS"\n',
    "sudo": '#!/bin/sh\n[ -n "$SUDO_WORKS" ] || exit 1\nshift\nexec "$@"\n',
    "cmake": (
        '#!/bin/sh\necho "cmake $*" >>"$CALLS"\nsleep "${BUILD_SECONDS:-0}"\n'
        'case "$*" in\n'
        '  *"--preset gpu"*) while [ -e "$HELD_BACK" ]; do sleep 0.05; done; mkdir -p build/gpu && : >build/gpu/build.ninja;;\n'
        '  *--build*barrierscope_gpu*) date +%N >build/gpu/libbarrierscope_gpu.so;;\n'
        '  *--preset*) mkdir -p build/release && : >build/release/build.ninja;;\n'
        '  *--build*) printf "#!/bin/sh\\necho ran \\"\\$@\\"\\n" >build/release/barrierscope\n'
        "    chmod +x build/release/barrierscope;;\n"
        "esac\n"
    ),
    "nvcc": "#!/bin/sh\n",
    "nvidia-smi": "#!/bin/sh\n",
}


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name) / "project"
        (self.root / "tools").mkdir(parents=True)
        shutil.copy(ROOT / "run.sh", self.root)
        shutil.copy(ROOT / "tools" / "setup.sh", self.root / "tools")
        (self.root / "CMakeLists.txt").write_text("")
        (self.root / "app").mkdir()
        (self.root / "app" / "a.cpp").write_text("")
        bin_folder = pathlib.Path(self.folder.name) / "bin"
        bin_folder.mkdir()
        for name, text in FAKES.items():
            (bin_folder / name).write_text(text)
            (bin_folder / name).chmod(0o755)
        self.calls = pathlib.Path(self.folder.name) / "calls"
        self.environment = dict(os.environ, PATH=f"{bin_folder}:/usr/bin:/bin", CALLS=str(self.calls), BARRIERSCOPE_GPU="no",
                                INSTALLED=self.packages())

    def tearDown(self):
        self.folder.cleanup()

    def packages(self):
        done = subprocess.run(["bash", "-c", f"source {ROOT}/tools/setup.sh; echo ${{PACKAGES_RUN[*]}}"],
                              capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def start(self, *arguments):
        return subprocess.Popen(["./run.sh", *arguments], cwd=self.root, env=self.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run_it(self, *arguments):
        process = self.start(*arguments)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def called(self):
        text = self.calls.read_text() if self.calls.exists() else ""
        self.calls.unlink(missing_ok=True)
        return text

    def test_builds_once_then_costs_nothing(self):
        code, out, _ = self.run_it("show", "a b")
        self.assertEqual((code, out), (0, "ran show a b\n"))
        self.assertIn("--preset release", self.called())
        begin = time.monotonic()
        code, out, err = self.run_it("--json")
        self.assertLess(time.monotonic() - begin, 0.2)
        self.assertEqual((code, out, err, self.called()), (0, "ran --json\n", "", ""))

    def test_builds_again_when_a_source_changes_comes_or_goes(self):
        self.run_it()
        for change in (lambda f: f.write_text("x"), lambda f: (f.parent / "b.cpp").write_text(""),
                       lambda f: f.unlink()):
            time.sleep(0.05)
            self.called()
            change(self.root / "app" / "a.cpp")
            self.run_it()
            self.assertIn("--build", self.called())

    def beside(self):
        return self.root / "build/release/libbarrierscope_gpu.so"

    def test_no_gpu_no_nvcc(self):
        """nvcc alone changes nothing: the program is built without it."""
        self.run_it()
        self.assertIn("-DBARRIERSCOPE_CUDA_MODE=OFF", called := self.called())
        self.assertNotIn("gpu", called)
        self.assertFalse(self.beside().exists())

    def test_gpu_module_when_asked_for(self):
        code, out, err = self.run_it("--with-gpu", "list")
        self.assertEqual((code, out), (0, "ran list\n"), err)
        self.assertIn("--target barrierscope_gpu", self.called())
        self.assertTrue(self.beside().exists())
        self.run_it("--with-gpu", "list")
        self.assertEqual(self.called(), "")
        (self.root / "kernels").mkdir()
        (self.root / "kernels/a.cu").write_text("")
        self.run_it("--with-gpu", "list")
        self.assertIn("--target barrierscope_gpu", self.called())
        self.assertEqual(self.beside().read_text(), (self.root / "build/gpu/libbarrierscope_gpu.so").read_text())

    def test_gpu_module_comes_behind_the_window(self):
        """Where there is a GPU the program opens at once, and the module is there later; one build for two starts."""
        held_back = pathlib.Path(self.folder.name) / "held back"
        held_back.write_text("")
        self.environment["HELD_BACK"] = str(held_back)
        del self.environment["BARRIERSCOPE_GPU"]
        for _ in range(2):
            code, out, err = self.run_it("list")
            self.assertEqual((code, out), (0, "ran list\n"))
            self.assertIn("built in the background", err)
            self.assertFalse(self.beside().exists())
        held_back.unlink()
        for _ in range(300):
            time.sleep(0 if self.beside().exists() else 0.1)
        self.assertTrue(self.beside().exists())
        self.assertEqual(self.called().count("--target barrierscope_gpu"), 1)
        self.assertEqual(self.run_it("list"), (0, "ran list\n", ""))

    def test_set_up_is_said_on_stderr(self):
        _, out, err = self.run_it("list")
        self.assertEqual(out, "ran list\n")
        self.assertIn("Building", err)

    def test_twice_at_once_builds_once(self):
        self.environment["BUILD_SECONDS"] = "0.5"
        processes = [self.start("one"), self.start("two")]
        outs = sorted(p.communicate(timeout=60)[0] for p in processes)
        self.assertEqual(outs, ["ran one\n", "ran two\n"])
        self.assertEqual(self.called().count("--build"), 1)

    def test_missing_packages(self):
        packages = self.packages().split()
        self.environment["INSTALLED"] = " ".join(p for p in packages if p not in ("g++", "libfmt-dev"))
        self.environment["SUDO_WORKS"] = "yes"
        code, _, err = self.run_it()
        self.assertEqual(code, 0, err)
        self.assertIn("Installing Debian packages: g++ libfmt-dev\n", err)
        self.assertIn("install -y --no-install-recommends g++ libfmt-dev\n", self.called())

    def test_what_a_video_needs_comes_with_the_first_one(self):
        self.run_it()
        self.called()
        self.run_it("render", "scan/blelloch", "-o", "step.png")
        self.assertEqual(self.called(), "")
        for film in ("scan.mp4", "scan.webp"):
            code, out, _ = self.run_it("render", "scan/blelloch", "--steps", "0..3", "-o", film)
            self.assertEqual((code, out), (0, f"ran render scan/blelloch --steps 0..3 -o {film}\n"))
            self.assertIn("install -y --no-install-recommends ffmpeg\n", self.called())

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "needs root, to become somebody else")
    def test_without_rights(self):
        """Not root and no sudo: the one line to type, and exit code 1."""
        self.environment["INSTALLED"] = " ".join(p for p in self.packages().split() if p != "cmake")
        for folder in (pathlib.Path(self.folder.name), self.root):
            folder.chmod(0o777)
        done = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "./run.sh"],
                              cwd=self.root, env=self.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.splitlines()[-1].strip(),
                         "sudo apt-get update && sudo apt-get install --no-install-recommends cmake")
        self.assertEqual(self.called(), "")

    def test_a_failed_build_fails(self):
        bin_folder = pathlib.Path(self.folder.name) / "bin"
        (bin_folder / "cmake").write_text(FAKES["cmake"].replace("esac\n", "esac\necho 'a.cpp:1: error: no'\nexit 1\n"))
        code, out, err = self.run_it()
        self.assertEqual((code, out), (1, ""))
        self.assertIn("a.cpp:1: error: no", err)


if __name__ == "__main__":
    unittest.main()
