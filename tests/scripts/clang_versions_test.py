"""What clang 16 and a later clang make of the same program: its trace must be the same, byte for byte.

The clangs after 16 that are installed are compared; where there is none, the test is left out. A program takes two to
four seconds of a processor for each clang, so CLANG_VERSIONS in the environment says which are compared beside the few
here: CLANG_VERSIONS='twins/*', or 'api/half*'; '*' compares all of tests/cuda, in half an hour.
"""

import fnmatch
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
RUNTIME = BUILD / "cuda" / "lib" / "libbarrierscope_cuda.so"
PROGRAMS = ROOT / "tests" / "cuda"
PATTERN = os.environ.get("CLANG_VERSIONS")
# Barriers, shared memory, a warp's shuffles, atomics, local arrays, virtual functions.
FEW = ["twins/scan_blelloch", "twins/scan_three_phase", "twins/histogram_privatised", "twins/reduce_warp_shuffle",
       "faults/26_virtual_from_host_fixed"]
FOLDERS = ["twins", "api", "faults", "own", "homework", "litmus"]


def clang(version):
    """The compiler of that version; None: it is not installed."""
    return shutil.which(f"clang++-{version}") or shutil.which(f"/usr/lib/llvm-{version}/bin/clang++")


LATER = [version for version in range(17, 22) if clang(version)]


def programs():
    """The names of the programs that are compared."""
    if not PATTERN:
        return FEW
    everything = [f"{folder}/{path.stem}" for folder in FOLDERS for path in sorted((PROGRAMS / folder).glob("*.cu"))]
    return [name for name in everything if fnmatch.fnmatch(name, PATTERN)]


@unittest.skipUnless(RUNTIME.exists(), "left out: built without the runtime of people's own CUDA programs")
@unittest.skipUnless(clang(16) and LATER, "left out: there is no clang++ 16, or none of 17 to 21 beside it")
class ClangVersions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_with(self, version, name):
        """What a run with that clang leaves: the trace, and what is said of the program."""
        trace = self.folder / "program.bscope"
        trace.unlink(missing_ok=True)
        environment = {**os.environ, "CLANG": clang(version)}
        done = subprocess.run([BUILD / "barrierscope", "trace", PROGRAMS / f"{name}.cu", "-o", trace], text=True,
                              env=environment, capture_output=True, timeout=240)
        self.assertIn(done.returncode, (0, 1), f"{name} with clang {version}: {done.stderr}")
        return trace.read_bytes() if trace.exists() else b"", done.stdout, done.stderr

    def test_traces_are_the_same(self):
        for name in programs():
            of_16 = self.run_with(16, name)
            for version in LATER:
                with self.subTest(name, clang=version):
                    trace, *said = self.run_with(version, name)
                    self.assertEqual(said, list(of_16[1:]))
                    self.assertEqual(trace == of_16[0], True, f"the traces of {name} differ")


if __name__ == "__main__":
    unittest.main()
