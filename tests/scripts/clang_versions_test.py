"""What clang 19 and another clang make of the same program: its trace must be the same, byte for byte.

The clangs of 16 to 21 that are installed are compared; where 19 is alone, the test is left out. A program takes a second
of a processor or more for each clang. CLANG_VERSIONS in the environment compares others than the few here:
CLANG_VERSIONS='cuda/*', the catalog's programs, or 'api/half*'; '*' compares them and all programs of tests/cuda.
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
# Barriers, shared memory, a warp's shuffles, atomics, local arrays, races; virtual functions.
FEW = [*(f"cuda/{name}" for name in ("6_privatised", "2_racy", "4_shared_atomics", "2_divergent_barrier", "5_in_place",
                                     "6_grid_stride", "2_tree_mask", "5_warp_shuffle", "6_blelloch_padded",
                                     "3_brent_kung", "1_hillis_steele", "4_three_phase")),
       "faults/26_virtual_from_host_fixed"]
# What differs from run to run with any clang: addresses of the host, measured times.
DIFFER = ["faults/27_host_pointer", "faults/30_event_early_fixed"]
FOLDERS = [*sorted(ROOT.glob("kernels/*/cuda")), *(PROGRAMS / folder for folder in ("api", "faults", "own", "homework", "litmus"))]


def clang(version):
    """The compiler of that version; None: it is not installed."""
    return shutil.which(f"clang++-{version}") or shutil.which(f"/usr/lib/llvm-{version}/bin/clang++")


OTHERS = [version for version in range(16, 22) if version != 19 and clang(version)]


def programs():
    """The programs that are compared, by their names."""
    everything = {f"{folder.name}/{path.stem}": path for folder in FOLDERS for path in sorted(folder.glob("*.cu"))}
    if not PATTERN:
        return {name: everything[name] for name in FEW}
    return {name: path for name, path in everything.items() if fnmatch.fnmatch(name, PATTERN) and name not in DIFFER}


@unittest.skipUnless(RUNTIME.exists(), "left out: built without the runtime of users' programs")
@unittest.skipUnless(clang(19) and OTHERS, "left out: there is no clang++ 19, or none of 16 to 21 beside it")
class ClangVersions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_with(self, version, name, program):
        """What a run with that clang leaves: the trace, and what is said of the program. None: it does not compile."""
        trace = self.folder / "program.bscope"
        trace.unlink(missing_ok=True)
        environment = {**os.environ, "CLANG": clang(version)}
        done = subprocess.run([BUILD / "barrierscope", "trace", program, "-o", trace], text=True,
                              env=environment, capture_output=True, timeout=240)
        if "does not compile" in done.stderr:
            return None
        self.assertIn(done.returncode, (0, 1), f"{name} with clang {version}: {done.stderr}")
        return trace.read_bytes() if trace.exists() else b"", done.stdout, done.stderr

    def test_traces_are_the_same(self):
        for name, program in programs().items():
            usual = self.run_with(19, name, program)
            if not usual:  # faults/39_template_shared, on purpose
                continue
            self.assertTrue(usual[0] or PATTERN, f"{name} leaves no trace")
            for version in OTHERS:
                with self.subTest(name, clang=version):
                    other = self.run_with(version, name, program)
                    self.assertIsNotNone(other, f"clang {version} does not compile {name}, and 19 does")
                    self.assertEqual(other[1:], usual[1:])
                    self.assertTrue(other[0] == usual[0], f"the traces of {name} differ")


if __name__ == "__main__":
    unittest.main()
