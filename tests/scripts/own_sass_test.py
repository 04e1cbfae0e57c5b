"""barrierscope sass FILE.cu: users' own files through nvcc and nvdisasm. What the tools say is played by scripts, from
tests/machine_code/own; once more with the tools themselves, where they are (NVDISASM names a disassembler, as does
build/disassembler, which tools/machine_code.py fills)."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
RUNTIME = BUILD / "cuda" / "lib" / "libbarrierscope_cuda.so"
OWN = ROOT / "tests" / "machine_code" / "own"


def found(name):
    """The toolkit's program of that name; None: there is none."""
    path = os.environ.get("PATH", "") + ":/usr/local/cuda/bin:/opt/cuda/bin"
    kept = sorted((ROOT / "build" / "disassembler").glob(f"nvidia/*/bin/{name}"))
    return os.environ.get(name.upper()) or shutil.which(name, path=path) or (str(kept[0]) if kept else None)


NVCC, NVDISASM = found("nvcc"), found("nvdisasm")

# Each has a kernel of its own called set; the first one's needs the other's device code.
SHARING = {"one.cu": """__device__ int twice(int x);
extern __device__ int bias;
static __global__ void set(int* p) {
  __shared__ int mine[32];
  mine[threadIdx.x] = threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = twice(mine[31 - threadIdx.x]) + bias;
}
void second(int* p);
int main() {
  int* p;
  cudaMalloc(&p, 32 * sizeof(int));
  set<<<1, 32>>>(p);
  second(p);
  cudaFree(p);
}
""", "two.cu": """__device__ int bias = 5;
__device__ int twice(int x) { return 2 * x; }
static __global__ void set(int* p) { p[threadIdx.x] += 1; }
void second(int* p) { set<<<1, 32>>>(p); }
"""}


def instructions(launch):
    return [i for line in launch["lines"] for i in line["instructions"]]


@unittest.skipUnless(RUNTIME.exists(), "built without the runtime of people's own CUDA programs")
class OwnSass(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.cache = self.folder / "cache"
        for name in ("own.cu", "own.cuh"):
            shutil.copy(OWN / name, self.folder)
        self.line = {k: row for row, k in enumerate((OWN / "own.cu").read_text().splitlines(), 1)}

    def tool(self, name, script):
        file = self.folder / name
        file.write_text("#!/bin/sh\n" + script)
        file.chmod(0o755)
        return str(file)

    def played(self, *needed):
        """Scripts that say what the tools said. nvcc fails where it is not given the words that it needs."""
        checks = "".join(f'case "$*" in *"{word}"*) ;; *) echo "own.cu(1): error: nvcc was given $*" >&2; exit 1;; esac\n'
                         for word in needed)
        nvcc = self.tool("nvcc", f"""if [ "$1" = --version ]; then echo 'release 13.0, V13.0.88'; exit; fi
{checks}while [ $# -gt 0 ]; do if [ "$1" = -o ]; then echo cubin >"$2"; fi; shift; done
cat {OWN}/said.txt >&2
""")
        return {"NVCC": nvcc, "NVDISASM": self.tool("nvdisasm", f"cat {OWN}/listing.txt\n")}

    def sass(self, *words, **environment):
        r = subprocess.run([BUILD / "barrierscope", "sass", *words], cwd=self.folder, capture_output=True, text=True, timeout=300,
                           env={**os.environ, "XDG_CACHE_HOME": str(self.cache), **environment})
        self.assertEqual(list(self.cache.rglob("run-*")), [], "what was made on the way is gone")
        return r.returncode, r.stdout, r.stderr

    def check(self, launches):
        """What must be so with any nvcc."""
        by_name = {x["launch"]: x for x in launches}
        self.assertEqual(sorted(by_name), ["doubled", "mirror<float, 32>", "mirror<int, 64>", "parts"])
        for x in launches:
            self.assertEqual(x["source"], "own.cu")
            self.assertGreater(x["registers"], 4)
            self.assertGreater(x["blocks"], 0)
            self.assertIn(x["limit"], x["limits"])
        self.assertEqual(by_name["mirror<int, 64>"]["shared_bytes"], 256, "an array of 64 ints")
        self.assertEqual(by_name["mirror<float, 32>"]["shared_bytes"], 128)
        self.assertEqual(by_name["doubled"]["shared_bytes"], 256, "the launch asks for it")
        lines = {x["line"]: x for x in by_name["mirror<float, 32>"]["lines"]}
        self.assertEqual(lines[self.line["  tile[i] = in[i];"]]["lanes"]["read"], 32)
        self.assertEqual(lines[self.line["  __syncthreads();"]]["lanes"]["at_barrier"], 32)
        header = lines[self.line["  out[i] = scaled(tile[N - 1 - i]) + square(i);"]]
        self.assertTrue(any(i["text"].split()[0].startswith(("FFMA", "FMUL")) for i in header["instructions"]), header)
        self.assertTrue(any("BAR.SYNC" in i["text"] for i in lines[self.line["  __syncthreads();"]]["instructions"]))
        self.assertIn(self.line["  while (x > 1) x /= 2, ++n;"], {x["line"] for x in by_name["doubled"]["lines"]}, "not inlined")

    def test_instructions_by_line_of_every_launch(self):
        itself = f"{self.folder}/own.cu"  # no copy
        code, out, err = self.sass("own.cu", "--json", **self.played(itself, "-lineinfo", "-cubin", "-std=c++17", "-arch="))
        self.assertEqual(code, 0, err)
        self.check(json.loads(out)["launches"])

    def test_as_text(self):
        code, out, err = self.sass("own.cu", **self.played())
        self.assertEqual(code, 0, err)
        for part in ('launch "mirror<int, 64>": 1 blocks of 64 threads', "by nvcc 13.0.88", "12 registers",
                     "256 bytes of shared memory", "lanes: 64 read, 64 wrote", "BAR.SYNC.DEFER_BLOCKING 0x0"):
            self.assertIn(part, out)

    def test_options_reach_nvcc(self):
        program = self.folder / "own.cu"
        program.write_text(program.read_text().replace("int main", "#define COUNT 64\nint main"))
        needed = ("-DX=1", "-std=c++20", "/changed/own.cu", f"-I{self.folder}")
        code, _, err = self.sass("own.cu", "-D", "X=1", "--std", "c++20", "--const", "COUNT=32", **self.played(*needed))
        self.assertEqual(code, 0, err)

    def test_what_is_missing_is_said_with_what_to_do(self):
        for lacking, words in (({"NVCC": "/nowhere/nvcc"}, "there is no nvcc"), ({"NVDISASM": "/nowhere/nvdisasm"}, "there is no nvdisasm")):
            code, out, err = self.sass("own.cu", **{**self.played(), **lacking})
            self.assertEqual((code, out), (1, ""))
            self.assertIn(words, err)
            self.assertEqual(len(err.splitlines()), 1, err)

    def test_what_goes_wrong_is_told(self):
        tools = self.played()
        refuses = self.tool("refuses", 'if [ "$1" = --version ]; then exit; fi\necho "' + str(self.folder) + '/own.cu(7): error: no such thing" >&2\nexit 2\n')
        code, out, err = self.sass("own.cu", **{**tools, "NVCC": refuses})
        self.assertEqual((code, out), (2, ""))
        self.assertIn("own.cu:7: error: no such thing", err)
        self.assertIn("nvcc does not compile own.cu", err)
        for script, words in (("echo nvdisasm fatal: what is this >&2; exit 1", "what is this"), ("echo nothing to see", "no kernel is found")):
            code, out, err = self.sass("own.cu", **{**tools, "NVDISASM": self.tool("odd", script + "\n")})
            self.assertEqual((code, out), (1, ""), err)
            self.assertIn(words, err.splitlines()[-1])
        code, _, err = self.sass("none.cu", **tools)
        self.assertEqual(code, 2, err)

    def test_a_recording_of_one_says_where_to_look(self):
        subprocess.run([BUILD / "barrierscope", "trace", "own.cu", "-o", "own.bscope"], cwd=self.folder, check=True, capture_output=True, timeout=300)
        code, out, _ = self.sass("own.bscope")
        self.assertEqual(code, 1)
        self.assertIn("open that", out)

    @unittest.skipUnless(NVCC, "no nvcc")
    @unittest.skipUnless(NVDISASM, "no nvdisasm: name one in NVDISASM")
    def test_with_the_tools_themselves(self):
        code, out, err = self.sass("own.cu", "--json", NVCC=NVCC, NVDISASM=NVDISASM)
        self.assertEqual(code, 0, err)
        self.check(json.loads(out)["launches"])
        for name, text in SHARING.items():
            (self.folder / name).write_text(text)
        code, out, err = self.sass("one.cu", "two.cu", "--json", NVCC=NVCC, NVDISASM=NVDISASM)
        self.assertEqual((code, err), (0, ""))
        one, two = json.loads(out)["launches"]
        self.assertEqual([(x["launch"], x["source"]) for x in (one, two)], [("set", "one.cu"), ("set", "two.cu")])
        self.assertTrue(any("CALL" in i["text"] for i in instructions(one)), one)
        self.assertFalse(any("CALL" in i["text"] for i in instructions(two)), two)
        self.assertEqual(one["shared_bytes"], 128, "without what the system keeps")
        self.assertGreater(one["registers"], two["registers"])
        bad = self.folder / "bad.cu"
        bad.write_text("__global__ void k(int* p) { *p = 1; }\nint main() {\n  k<<<1, 1>>>(nullptr, 2);\n}\n")
        code, _, err = self.sass("bad.cu", NVCC=NVCC, NVDISASM=NVDISASM)
        self.assertEqual(code, 2)
        self.assertIn("bad.cu:3", err)


if __name__ == "__main__":
    unittest.main()
