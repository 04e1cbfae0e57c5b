"""Users' own CUDA files on the command line: what they print, what is said of them, and every way to go wrong."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
RUNTIME = BUILD / "cuda" / "lib" / "libbarrierscope_cuda.so"

SCAN = """#include <cstdio>
#define N 16
EXPECTED
__global__ void scan(int* in, int* out) {
  __shared__ int tile[2][N];
  int t = threadIdx.x, now = 0;
  tile[now][t] = in[t];
  __syncthreads();
  for (int d = 1; d < N; d *= 2) {
    tile[1 - now][t] = t >= d ? tile[now][t] + tile[now][t - d] : tile[now][t];
    now = 1 - now;
    BARRIER
  }
  out[t] = tile[now][t];
}
int main(int count, char** words) {
  int host[N], *in, *out;
  for (int i = 0; i < N; ++i) host[i] = i + 1;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  scan<<<1, N>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("last %d%s\\n", host[N - 1], count > 1 ? words[1] : "");
  END
}
"""
OWN = ROOT / "tests/cuda/own"  # programs, with what must be said of them here
EXPECTED = "// barrierscope: expect out = inclusive_scan(in)"


def scan(expected=EXPECTED, barrier="__syncthreads();", end="cudaFree(in); cudaFree(out);"):
    return SCAN.replace("EXPECTED", expected).replace("BARRIER", barrier).replace("END", end)


def line_of(text, part):
    return 1 + text[: text.index(part)].count("\n")


@unittest.skipUnless(RUNTIME.exists(), "built without the runtime of people's own CUDA programs")
class OwnCuda(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def run_it(self, *args):
        environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = subprocess.run([BUILD / "barrierscope", *map(str, args)], cwd=self.folder, env=environment,
                              capture_output=True, text=True, timeout=100)
        return done.returncode, done.stdout, done.stderr

    def expect(self, args, code, out=(), err=()):
        got, stdout, stderr = self.run_it(*args)
        self.assertEqual(got, code, stdout + stderr)
        for part in out:
            self.assertIn(part, stdout)
        for part in err:
            self.assertIn(part, stderr)
        return stdout, stderr

    def test_a_right_program_is_shown_proved_and_saved(self):
        self.write("scan.cu", scan())
        out, _ = self.expect(["show", "scan.cu", "--json", "--", " of 136"], 0, err=["  | last 136 of 136"])
        run = json.loads(out)
        self.assertEqual(run["output"][-1], 136)
        self.assertIs(run["correct"], True)
        self.assertEqual(run["program"]["output"], "last 136 of 136\n")
        self.assertEqual(run["program"]["ended"], "returned")
        self.assertEqual(run["launches"][0]["name"], "scan")
        self.expect(["check", "scan.cu"], 0, out=["pass  the result is right", "proved: "])
        self.expect(["trace", "scan.cu", "-o", "scan.bscope"], 0, err=["events in one launch"])
        self.expect(["show", "scan.bscope"], 0, out=["correct"])

    def test_without_a_display_it_is_walked_through(self):
        self.write("scan.cu", scan())
        self.expect(["scan.cu"], 0, out=["There is no display here", "correct"])

    def test_no_expectation_is_no_failure(self):
        self.write("scan.cu", scan(expected=""))
        self.expect(["check", "scan.cu"], 0, out=["nothing to compare the result with: add a comment"])
        out, _ = self.expect(["show", "scan.cu", "--json"], 0)
        self.assertIsNone(json.loads(out)["correct"])
        self.expect(["show", "scan.cu"], 0, out=["no expected result given"])

    def test_a_missing_barrier_is_a_race_at_its_line(self):
        text = scan(barrier="")
        self.write("scan.cu", text)
        self.expect(["check", "scan.cu"], 1, out=[f"line {line_of(text, 'tile[1 - now]')}", "tile"])

    def test_a_wrong_expectation_and_one_that_nobody_understands_fail(self):
        self.write("scan.cu", scan(expected="// barrierscope: expect out = exclusive_scan(in)"))
        self.expect(["check", "scan.cu"], 1, out=["scan.cu:", "error: the result is wrong: ", "FAIL  1 error; the result is wrong"])
        self.write("scan.cu", scan(expected="// barrierscope: expect out = integral(in)"))
        self.expect(["check", "scan.cu"], 1, out=["scan.cu:3: error: \"integral\" is not known"])

    def test_constants_change_in_a_copy(self):
        self.write("scan.cu", scan())
        before = (self.folder / "scan.cu").read_bytes()
        self.expect(["show", "scan.cu", "--const", "N=8"], 0, err=["last 36"])
        self.assertEqual((self.folder / "scan.cu").read_bytes(), before)
        self.expect(["show", "scan.cu", "--const", "M=8"], 2, err=["scan.cu declares no such constant"])
        self.write("part.h", "template <int N = 3>\nstruct Part {};\nconst int only_here = 5;\n")
        self.write("both.cu", '#include "part.h"\n' + scan().replace("%d%s", "%d%s %d").replace(
            "words[1] : \"\"", "words[1] : \"\", only_here"))
        self.expect(["show", "both.cu", "--const", "N=8"], 0, err=["last 36 5"])
        self.expect(["show", "both.cu", "--const", "only_here=6"], 0, err=["last 136 6"])
        self.expect(["show", "both.cu", "--const", "N:1=4"], 0, err=["last 136 5"])

    def test_the_compilers_words_at_their_line(self):
        self.write("bad.cu", "int main() {\n  return x;\n}\n")
        self.expect(["show", "bad.cu"], 2, err=["bad.cu:2:10: error: use of undeclared identifier 'x'"])
        self.write("missing.cu", '#include "nowhere.h"\nint main() {}\n')
        self.expect(["check", "missing.cu"], 2, err=["missing.cu:1:10: error: 'nowhere.h' file not found"])
        self.write("rand.cu", "#include <curand.h>\nint main() {\n  curandNothing(nullptr, 100);\n}\n")
        self.expect(["check", "rand.cu"], 2, err=["rand.cu:3: error: Barrierscope has no cuRAND (curandNothing): "])

    def test_why_there_is_nothing_to_show_is_said_once(self):
        self.write("bad.cu", "int main() {\n  return x;\n}\n")
        self.write("none.cu", "__global__ void k(int* a) { a[0] = 1; }\n")
        self.write("early.cu", "int main() {\n  volatile int* p = nullptr;\n  *p = 1;\n}\n")
        self.write("calm.cu", "int main() {}\n")
        for name, reason, end in [("bad.cu", "undeclared identifier", "bad.cu does not compile"),
                                  ("none.cu", "has no main", "none.cu does not compile"),
                                  ("early.cu", "null pointer", "there is nothing to show of early.cu"),
                                  ("calm.cu", "launches no kernel", "there is nothing to show of calm.cu")]:
            for verb in ("check", "show"):
                _, out, err = self.run_it(verb, name)
                self.assertEqual((out + err).count(reason), 1, f"{verb} {name}:\n{out}{err}")
                self.assertIn(f"barrierscope: {end}", err)

    def test_a_crash_over_arguments_that_were_not_given_asks_for_them(self):
        self.write("wants.cu", "#include <cstdlib>\nint main(int, char** argv) {\n  return atoi(argv[1]);\n}\n")
        self.expect(["check", "wants.cu"], 1, err=["there is nothing to show of wants.cu: does it want arguments?"])

    def test_a_result_that_lies_there_can_be_written_again(self):
        self.write("again.cu", "#include <cstdio>\n__global__ void k(int* a) { a[0] = 1; }\nint main() {\n  int* a;\n"
                   "  cudaMalloc(&a, 4);\n  k<<<1, 1>>>(a);\n  cudaFree(a);\n  FILE* f = fopen(\"result.txt\", \"w\");\n"
                   "  fputs(\"new\", f);\n  fclose(f);\n}\n")
        self.write("result.txt", "before")
        self.write("other.txt", "as it was")
        self.expect(["check", "again.cu"], 0, err=["the program wrote result.txt, which was thrown away"])
        self.assertEqual((self.folder / "result.txt").read_text(), "before")

    def test_a_file_that_others_write_meanwhile_is_not_the_programs(self):
        self.write("waits.cu", "#include <unistd.h>\n__global__ void k(int* a) { a[0] = 1; }\nint main() {\n  int* a;\n"
                   "  cudaMalloc(&a, 4);\n  k<<<1, 1>>>(a);\n  cudaFree(a);\n  usleep(300000);\n}\n")
        self.write("log.txt", "0")
        ended = threading.Event()

        def go_on_writing():
            while not ended.wait(0.05):
                self.write("log.txt", str(time.monotonic()))
        writer = threading.Thread(target=go_on_writing)
        writer.start()
        try:
            _, err = self.expect(["check", "waits.cu"], 0)
        finally:
            ended.set()
            writer.join()
        self.assertNotIn("thrown away", err)

    def test_libraries_are_refused_where_they_are_called(self):
        self.expect(["check", OWN / "library_headers.cu"], 0, err=["  | not initialized, invalid plan"])
        _, err = self.expect(["check", OWN / "library_calls.cu"], 2)
        wanted = [f"{k}: error: Barrierscope has no {line.split('// refused: ')[1]}"
                  for k, line in enumerate((OWN / "library_calls.cu").read_text().splitlines(), 1) if "refused: " in line]
        self.assertEqual(wanted, re.findall(r"^\S*library_calls\.cu:(\d+: error: [^)]*\))", err, re.MULTILINE))

    def test_a_function_of_a_library_that_is_missing_ends_the_program_only_where_it_is_called(self):
        text = ("#include <cusparse.h>\n#include <cublas_v2.h>\n#include <cstdio>\n"
                "void multiply() {\n  cusparseHandle_t handle;\n  cusparseCreate(&handle);\n"
                "  cusparseDestroy(handle);\n}\n__global__ void k(int* a) { a[threadIdx.x] = 1; }\n"
                "int main(int count, char**) {\n  int* a;\n  cudaMalloc(&a, 128);\n  k<<<1, 32>>>(a);\n"
                "  cudaDeviceSynchronize();\n  if (count > 1) multiply();\n  cudaFree(a);\n  puts(\"done\");\n}\n")
        self.write("sparse.cu", text)
        self.expect(["check", "sparse.cu"], 0, err=["  | done"])
        out, _ = self.expect(["check", "sparse.cu", "--", "now"], 2)
        said = " ".join(out.split())
        self.assertIn("not judged: sparse.cu:6: Barrierscope has no cuSPARSE (cusparseCreate): the program was stopped at its call.", said)
        self.assertNotIn("--seconds", said)

    def test_calls_of_cublas_are_ordered_with_their_streams(self):
        text = ("#include <cublas_v2.h>\nint main() {\n  cublasHandle_t h;\n  cublasCreate(&h);\n  float *x, one = 2;\n"
                "  cudaMallocManaged(&x, 64);\n  for (int k = 0; k < 16; ++k) x[k] = k;\n  cublasSscal(h, 16, &one, x, 1);\n"
                "  volatile float y = x[3];\n  cudaDeviceSynchronize();\n  cudaFree(x);\n  cublasDestroy(h);\n  return y != 6;\n}\n")
        self.write("early.cu", text)
        out, _ = self.expect(["check", "early.cu"], 1)
        self.assertIn("x[3] is read in line 9 while cublasSscal of line 8 may still be running", " ".join(out.split()))
        self.write("host.cu", text.replace("cudaMallocManaged(&x, 64)", "x = new float[16]"))
        out, _ = self.expect(["check", "host.cu"], 1)
        self.assertIn("cublasSscal is given memory of the host", " ".join(out.split()))

    def test_old_cuda_works_and_a_note_names_what_replaced_it(self):
        _, err = self.expect(["check", OWN / "old_cuda.cu"], 0, err=["  | 1503 1503 496, timed\n"])
        said = [(int(line), text) for line, text in re.findall(r"^\S*old_cuda\.cu:(\d+)[:\d]*: note: (.*)", err, re.MULTILINE)]
        wanted = [(k, line.split("// old: ")[1])
                  for k, line in enumerate((OWN / "old_cuda.cu").read_text().splitlines(), 1) if "// old: " in line]
        self.assertEqual([line for line, _ in said], [line for line, _ in wanted], err)
        for (line, words), (_, text) in zip(wanted, said):
            self.assertIn(words, text)
            self.assertIn("and nvcc refuses it today", text)

    def test_a_shuffle_with_lanes_that_are_not_there_is_a_finding(self):
        out, _ = self.expect(["check", OWN / "shuffle_in_branch.cu"], 1)
        self.assertIn("thread 0 of block 1 shuffles from lane 16 in line 8, which holds nothing: the full mask names "
                      "lanes 8-31 of warp 0, which are not there", " ".join(out.split()))
        out, _ = self.expect(["show", OWN / "shuffle_in_branch.cu", "--json"], 0)
        self.assertEqual(json.loads(out)["launches"][0]["name"], "sum")
        self.expect(["check", OWN / "exited_lanes.cu"], 0, err=["  | 8 right"])

    def test_accesses_race_where_they_share_a_byte(self):
        self.expect(["check", OWN / "narrow_accesses.cu"], 0, err=["  | bad 0, sum 2016"])
        out, _ = self.expect(["check", OWN / "narrow_race.cu"], 1)
        self.assertIn("in line 4", out)
        self.assertIn("writes words[0] in line 6", out)
        self.assertIn("in line 7", out)

    def test_notes_are_groups_of_the_severity_note(self):
        self.kernel("early.cu", "__shared__ int s; if (threadIdx.x > 7) return; s = 1; __syncthreads(); out[threadIdx.x] = s;")
        out, err = self.expect(["check", "early.cu", "--json"], 0)
        self.assertEqual([(g["rule"], g["severity"]) for g in json.loads(out)["groups"]], [("early-return", "note"), ("race", "note")])
        self.assertNotIn("return before", err, "once is enough")
        self.expect(["check", "early.cu"], 0, out=["early.cu:5:", "note: threads of k return before the barrier in line 5"])
        self.expect(["show", "early.cu"], 0, err=["note: early.cu:5: Threads of k return before the barrier in line 5"])

    def test_a_likely_cause_beside_an_error_is_a_note(self):
        self.kernel("ones.cu", "__shared__ int s[64]; s[threadIdx.x] = out[threadIdx.x]; out[threadIdx.x] = s[63 - threadIdx.x];",
                    grid="<<<1, 64>>>", after="cudaMemset(out, 1, 256); return 1;")
        groups = json.loads(self.expect(["check", "ones.cu", "--json", "--no-try"], 1)[0])["groups"]
        self.assertEqual([(g["rule"], g["severity"]) for g in groups], [("race", "error"), ("likely-cause", "note")])

    def test_an_int_that_overflows_is_widened(self):
        self.kernel("wide.cu", "int row = threadIdx.x; out[row * 100000001 % 32 * (row > 21)] = row;")
        out, _ = self.expect(["check", "wide.cu", "--fix", "wide.patch"], 1)
        self.assertIn("(unsigned)row * 100000001", (self.folder / "wide.patch").read_text(), out)

    def test_a_launch_keeps_to_its_launch_bounds(self):
        self.expect(["check", OWN / "launch_bounds.cu"], 1, out=["__launch_bounds__ allows 64"],
                    err=["  | cudaSuccess\n", "  | cudaErrorInvalidValue\n", "  | at most 128\n"])

    def kernel(self, name, body, before="", grid="<<<1, 32>>>", after=""):
        """A file with one kernel of that body in line 5, launched once with 64 ints; returns its name."""
        self.write(name, "#include <cstdio>\n#include <cooperative_groups.h>\n" + before + "\n__global__ void k(int* out) {\n  "
                   + body + "\n}\nint main() {\n  int *out, host[64];\n  cudaMalloc(&out, 256);\n  cudaMemset(out, 0, 256);\n"
                   f"  k{grid}(out);\n  cudaMemcpy(host, out, 256, cudaMemcpyDeviceToHost);\n  {after}\n  cudaFree(out);\n}}\n")
        return name

    def test_what_cannot_be_run_is_not_judged(self):
        asm = 'asm volatile("setmaxnreg.inc.sync.aligned.u32 24;");'
        self.expect(["check", self.kernel("ptx.cu", asm)], 2, err=["ptx.cu:5: ", "the PTX instruction setmaxnreg"])
        self.expect(["check", self.kernel("math.cu", "out[0] = __nv_rcp64h(out[0] + .5);")], 2,
                    err=["math.cu:5: ", "__nv_rcp64h"])
        self.expect(["check", self.kernel("other.cu", "if (out[0]) { " + asm + " }")], 0)  # it never comes there
        for name, body, before, words in [
                ("constraint.cu", 'asm("mov.u32 %0, 1;" : "=Q"(out[0]));', "", "does not know this inline PTX")]:
            self.expect(["check", self.kernel(name, body, before)], 2, err=[f"{name}:5:", words])
        self.write("none.cu", "__global__ void k(int* a) { a[0] = 1; }\n")
        _, err = self.expect(["check", "none.cu"], 2, err=["the program has no main: write one", "`barrierscope new`"])
        self.assertNotIn("linker", err)
        # what follows from what is refused is not said
        grids = self.kernel("rank.cu", "auto g = cooperative_groups::this_multi_grid(); out[0] = g.grid_rank();")
        _, err = self.expect(["check", grids], 2, err=["rank.cu:5:", "Barrierscope runs on one GPU"])
        self.assertNotIn("member reference", err)

    def test_a_file_is_the_standard_input_of_each_run(self):
        # the threads race, so that it runs twice
        name = self.kernel("read.cu", "out[0] = threadIdx.x;",
                           after='int n = -1; if (scanf("%d", &n) != 1) n = -1; printf("read %d\\n", n); if (n != 42) return 3;')
        self.write("data", "42\n")
        with open(self.folder / "data") as data:
            done = subprocess.run([BUILD / "barrierscope", "check", name, "--no-try"], cwd=self.folder, stdin=data,
                                  capture_output=True, text=True, timeout=100)
        self.assertIn("  | read 42", done.stderr)
        self.assertNotIn("exit code 3", done.stdout + done.stderr)
        self.expect(["check", name, "--no-try"], 1, err=["  | read -1"])

    def test_parts_around_the_program_that_no_build_file_names_are_found(self):
        self.write("host.cpp", "int twice(int x) { return 2 * x; }\n")
        self.write("device.cu", "__device__ int thrice(int x) { return 3 * x; }\n__global__ void fill(int* a) { *a = 1; }\n")
        self.write("main.cu", "void fill_all();\nint main() { fill_all(); }\n")
        for body, before, file, function in [("", "int twice(int); static int four = twice(2);", "host.cpp", "twice(int)"),
                                             ("out[threadIdx.x] = thrice(1);", "__device__ int thrice(int);", "device.cu", "thrice(int)"),
                                             ("} void f(int* a) { fill<<<1, 1>>>(a);", "__global__ void fill(int*);",
                                              "device.cu", "fill(int*)")]:
            name = self.kernel("parts.cu", body, before)
            self.expect(["check", name], 0, err=[f"{file} was compiled, too"])
        self.expect(["check", "--no-project", name], 2, err=[function, f"defined in {file}: name that file, too"])
        self.expect(["check", name, file], 0)
        self.write("part.cu", "__global__ void k(int* a) { a[0] = 1; }\nvoid fill_all() {\n  int* a;\n  cudaMalloc(&a, 4);\n"
                   "  k<<<1, 1>>>(a);\n  cudaDeviceSynchronize();\n  cudaFree(a);\n}\n")
        self.expect(["check", "part.cu"], 0, err=["main.cu was compiled, too"])
        self.expect(["check", "--no-project", "part.cu"], 2, err=["the program has no main, and main.cu has one that uses it"])
        self.write("other.cpp", "int twice(int x) { return x + x; }\n")  # which of the two is not known
        name = self.kernel("parts.cu", "", "int twice(int); static int four = twice(2);")
        self.expect(["check", name], 2, err=["defined in host.cpp: name that file, too"])
        for folder in ("lib/include", "lib/other"):
            (self.folder / folder).mkdir(parents=True)
        self.write("lib/include/four.h", "enum { four = 4 };\n")
        name = self.kernel("parts.cu", "out[0] = four;", '#include "four.h"', after='printf("%d\\n", host[0]);')
        self.expect(["check", name], 0, err=["four.h was found with -I lib/include", "  | 4"])
        self.expect(["check", name, "--const", "four=8"], 0, err=["four.h was found with -I lib/include", "  | 8"])
        self.expect(["check", name, "--const", "five=8"], 2, err=["parts.cu declares no such constant"])
        self.write("lib/other/four.h", "enum { four = 5 };\n")
        self.expect(["check", name], 2, err=["'four.h' file not found"])

    def test_many_launches_leave_a_report(self):
        name = self.kernel("many.cu", "if (threadIdx.x == 0) *out += 1;")
        text = (self.folder / name).read_text().replace("  k<<<", "  for (int i = 0; i < 50000; ++i) k<<<")
        self.write(name, text)
        self.expect(["check", name], 0, err=["49996 launches of k are not shown"])

    def test_kernels_are_told_what_cuda_tells_them(self):
        printing = self.kernel("print.cu", 'if (!threadIdx.x) out[0] = printf("%d %*d %s\\n", 1, 3, 2, "x"), out[1] = printf("-\\n");',
                               after='printf("%d %d\\n", host[0], host[1]);')
        self.expect(["check", printing], 0, err=["  | 4 0"])
        no_return = self.kernel("end.cu", "out[threadIdx.x] = f(threadIdx.x);", "__device__ int f(int x) { if (x > 3) return 1; }")
        self.expect(["check", no_return], 1, out=["a function that should return a value"])
        grid = "cooperative_groups::grid_group g = cooperative_groups::this_grid(); "
        self.expect(["check", self.kernel("valid.cu", grid + "if (!threadIdx.x) out[0] = g.is_valid();", after='printf("%d\\n", host[0]);')],
                    0, err=["  | 0"])
        self.expect(["check", self.kernel("grid.cu", grid + "out[0] = 1; g.sync();")], 1,
                    out=["cudaLaunchCooperativeKernel"])
        self.expect(["check", self.kernel("large.cu", "__shared__ int s[20000]; s[threadIdx.x] = 1; out[0] = s[0];")], 1,
                    out=["78.1 KB of shared memory", "cudaFuncSetAttribute"])
        out, _ = self.expect(["check", self.kernel("count.cu", "out[threadIdx.x] = __syncthreads_count(threadIdx.x < 3);")], 0)
        self.assertNotIn("could be left out", out)

    def test_managed_variables_begin_as_they_are_initialised(self):
        self.expect(["check", OWN / "managed.cu"], 0, err=["  | 8 7 2.5 4 6 0.5 1"])

    def test_a_file_that_needs_a_newer_standard_is_compiled_by_it(self):
        _, err = self.expect(["check", OWN / "cpp20.cu"], 0, err=["  | 1", "note: compiled as C++20", "nvcc needs -std=c++20"])
        self.assertIn("cpp20.cu:", err)
        self.assertNotIn("error:", err)
        for words in (["--std", "c++20"], ["-std=c++20"], ["-std", "c++20"]):
            self.expect(["check", OWN / "cpp20.cu", *words], 0, err=["  | 1"])
        self.write("bad.cu", "int main() {\n  return x;\n}\n")
        _, err = self.expect(["check", "bad.cu"], 2)
        self.assertNotIn("C++20", err)

    def test_several_files_folders_and_macros(self):
        (self.folder / "inc").mkdir()
        self.write("inc/part.h", "int from_elsewhere(int);\n")
        self.write("part.cpp", '#include "part.h"\nint from_elsewhere(int x) { return x * FACTOR; }\n')
        self.write("a.cu", '#include <cstdio>\n#include "part.h"\n__global__ void k(int* a) { a[threadIdx.x] = 1; }\n'
                   "int main() {\n  int* a;\n  cudaMalloc(&a, 16);\n  k<< <1, 4> >>(a);\n  cudaDeviceSynchronize();\n"
                   '  printf("%d\\n", from_elsewhere(4));\n}\n')
        for files in (["a.cu", "part.cpp"], ["part.cpp", "a.cu"]):
            self.expect(["show", *files, "-I", "inc", "-DFACTOR=3", "-std=c++20"], 0, err=["  | 12"])
        self.expect(["show", "part.cpp", "part.cpp"], 2)

    def test_a_file_may_have_functions_for_other_files_kernels_alone(self):
        self.write("point.cuh", "struct Point { int x; __host__ __device__ void move(int by); };\n")
        self.write("point.cu", '#include "point.cuh"\n__host__ __device__ void Point::move(int by) { x += by; }\n')
        self.write("main.cu", """#include <cstdio>
#include "point.cuh"
__global__ void move(Point* all) { all[threadIdx.x].move(threadIdx.x); }
int main() {
  Point host[32], *all;
  cudaMalloc(&all, sizeof host);
  cudaMemset(all, 0, sizeof host);
  move<<<1, 32>>>(all);
  cudaMemcpy(host, all, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(all);
  host[31].move(11);
  printf("at %d\\n", host[31].x);
}
""")
        for files in (["main.cu", "point.cu"], ["point.cu", "main.cu"]):
            self.expect(["check", *files], 0, err=["  | at 42"])

    def test_a_crash_keeps_what_was_traced(self):
        text = scan(end="int* nothing = nullptr; *nothing = count;")
        self.write("scan.cu", text)
        out, err = self.expect(["check", "scan.cu"], 1, out=["FAIL  1 error; the result is right"])
        self.assertIn(f"scan.cu:{line_of(text, '*nothing = count')}", out)

    def test_a_launch_without_an_end_in_sight_is_not_judged(self):
        source = """__global__ void spin(unsigned* out) {
  unsigned x = threadIdx.x;
  while (x != 7u || out[1] == 0u) x = x * 1664525u + 1013904223u;
  out[%s] = x;
}
int main() {
  unsigned* d;
  cudaMalloc(&d, 8);
  cudaMemset(d, 0, 8);
  spin<<<1, %d>>>(d);
  cudaDeviceSynchronize();
  cudaFree(d);
}
"""
        self.write("spin.cu", source % ("0", 1))
        out, _ = self.expect(["check", "spin.cu"], 2, out=["not judged: No end in sight", "line 3"])
        self.assertNotIn("FAIL", out)
        said = json.loads(self.expect(["check", "spin.cu", "--json"], 2)[0])
        self.assertFalse(said["passed"])
        self.assertEqual(said["findings"][0]["line"], 3)
        # what went wrong before that is wrong however it would have gone on
        self.write("race.cu", source.replace("unsigned x", "out[0] = threadIdx.x; unsigned x") % ("0", 2))
        self.expect(["check", "race.cu"], 1, out=["FAIL", "not judged: No end in sight"])

    def test_a_return_is_no_missed_barrier_but_a_branch_around_one_is(self):
        body = "if (threadIdx.x > 20) {{ out[threadIdx.x] = 1; {} __syncthreads(); out[threadIdx.x] = 2; {}"
        self.expect(["check", self.kernel("return.cu", body.format("return; }", ""))], 0, out=["note: threads of k return"])
        self.expect(["check", self.kernel("else.cu", body.format("} else {", "}"))], 1, out=["is not met by all"])
        loop = ("for (int i = 0;; ++i) { if (i > threadIdx.x) { out[threadIdx.x] = i; break; } __syncthreads(); }")
        self.expect(["check", self.kernel("break.cu", loop)], 1, out=["is not met by all"])

    def test_a_wait_by_the_clock_ends(self):
        for read in ("clock64()", "clock()", "__nanotime()"):
            body = f"long long begin = {read}; while ({read} - begin < 1000000000) {{}} out[threadIdx.x] = 1;"
            before = ("__device__ long long __nanotime() { unsigned long long t; "
                      'asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }')
            self.expect(["check", self.kernel("wait.cu", body, before)], 0)

    def test_a_read_of_unset_memory_is_an_error_where_its_result_is_used(self):
        text = ("__global__ void k(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }\n"
                "int main() {\n  int *in, *out, host[32];\n  cudaMalloc(&in, 128);\n  cudaMalloc(&out, 128);\n"
                "  k<<<1, 32>>>(in, out);\n  %s\n  cudaFree(in);\n  cudaFree(out);\n  return host == nullptr;\n}\n")
        for use, code, severity in [("cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost);", 1, "error"),
                                    ("cudaDeviceSynchronize();", 0, "note")]:
            self.write("unset.cu", text % use)
            self.expect(["check", "unset.cu"], code, out=[f"{severity}: thread 0 of block 0 reads in[0] in line 1, which was"])

    def test_a_kernel_that_no_shown_launch_is_of_is_not_judged(self):
        body = "auto grid = cooperative_groups::this_grid(); for (int i = 0; i < 60000; ++i) out[threadIdx.x] += i; grid.sync();"
        name = self.kernel("long.cu", body, grid="<<<1, 32>>>")
        text = (self.folder / name).read_text()
        launch = "void* all[] = {&out}; cudaLaunchCooperativeKernel(k, 1, 32, all); one<<<1, 1>>>(out);"
        one = "__global__ void one(int* a) { a[0] = 1; }\nint main() {"
        self.write(name, text.replace("k<<<1, 32>>>(out);", launch).replace("int main() {", one))
        said = ["in what is shown: no race", "not judged: no launch of k is shown"]
        self.expect(["check", name], 2, out=said)
        # also behind more launches than are listed
        self.write(name, (self.folder / name).read_text().replace("void* all", "for (int i = 0; i < 4200; ++i) one<<<1, 1>>>(out); void* all"))
        self.expect(["check", name], 2, out=said)

    def test_each_kernel_is_shown_however_large_its_arrays_are(self):
        launches = "".join(f"  k<{k}><<<1, 32>>>(in, out);\n" for k in range(14))
        self.write("large.cu", "template <int N> __global__ void k(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + N; }\n"
                   "int main() {\n  const size_t n = size_t(1) << 27;\n  int *in, *out;\n  cudaMalloc(&in, n);\n"
                   "  cudaMalloc(&out, n);\n  cudaMemset(in, 0, n);\n" + launches + "  cudaFree(in);\n  cudaFree(out);\n}\n")
        self.expect(["check", "large.cu"], 0)

    def test_a_kernel_that_waits_for_its_children_sees_what_they_made(self):
        """As CUDA 11 had it: a block halves its part of the array and lets a child do the rest."""
        self.write("nested.cu", """#include <cstdio>
__global__ void halve(int* data, int n) {
  int* mine = data + blockIdx.x * 2 * n;
  if (n > 0) mine[threadIdx.x] += mine[threadIdx.x + n];
  __syncthreads();
  if (threadIdx.x == 0 && n > 1) {
    halve<<<1, n / 2>>>(mine, n / 2);
    cudaDeviceSynchronize();
  }
  __syncthreads();
}
int main() {
  int host[64], *data;
  for (int& h : host) h = 1;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  halve<<<4, 8>>>(data, 8);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  printf("sums %d %d\\n", host[0], host[48]);
  cudaFree(data);
}
""")
        self.expect(["check", "nested.cu"], 0, err=["sums 16 16", "was removed from CUDA 12"])
        # a child that reads parts of cells, from the middle of one on
        self.write("bytes.cu", """#include <cstdio>
__global__ void part(const char* in, int* out) {
  int s = 0;
  for (int k = 1; k < 7; ++k) s += in[k];
  out[4] = s;
}
__global__ void parent(int* data) {
  data[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    part<<<1, 1>>>(reinterpret_cast<const char*>(data), data);
    cudaDeviceSynchronize();
  }
}
int main() {
  int h[8], *d; cudaMalloc(&d, 32); cudaMemset(d, 0, 32);
  parent<<<1, 4>>>(d);
  cudaMemcpy(h, d, 32, cudaMemcpyDeviceToHost);
  printf("sum %d\\n", h[4]);
  cudaFree(d);
}
""")
        self.expect(["check", "bytes.cu"], 0, err=["sum 1"])

    def test_what_does_not_end_is_stopped(self):
        self.write("loop.cu", "int main() { for (volatile int k = 0;; ++k) {} }\n")
        self.expect(["show", "loop.cu", "--seconds", "0.2"], 2, err=["there is nothing to show of loop.cu"])

    def test_what_a_limit_of_ours_stops_is_not_judged(self):
        for barrier, code, said in [("__syncthreads();", 2, "not judged:"), ("", 1, "FAIL")]:
            self.write("slow.cu", scan(barrier=barrier, end="for (volatile int k = 0;; ++k) {}"))
            out, _ = self.expect(["check", "slow.cu", "--seconds", "0.5"], code, out=[said, "--seconds"])
            self.assertEqual("FAIL" in out, code == 1)

    def test_a_loop_for_ever_is_one_short_sentence(self):
        self.write("loop.cu", "__global__ void k(int* a) { while (a[threadIdx.x] != 1) {} }\n"
                   "int main() {\n  int* a;\n  cudaMalloc(&a, 4096);\n  cudaMemset(a, 0, 4096);\n"
                   "  k<<<1, 1000>>>(a);\n  cudaDeviceSynchronize();\n  cudaFree(a);\n}\n")
        out, _ = self.expect(["check", "loop.cu"], 1)
        text = " ".join(out.split())
        self.assertIn("threads 0-999 loop for ever in line 1 (on a[0] to a[999])", text)
        self.assertLess(len(text[text.index("error: deadlock in block 0"):]), 400)

    def test_only_barriers_can_be_left_out(self):
        text = scan()
        self.write("scan.cu", text)
        first, last = (1 + text[:at].count("\n") for at in (text.index("__sync"), text.rindex("__sync")))
        for name in (f"scan.cu:{first}", f"./scan.cu:{last}", f"some/folder/scan.cu:{first}"):
            self.expect(["check", "scan.cu", "--schedule", f"lockstep without {name}"], 1, out=["error: race on "])
        for name in ("nosuch.cu:12", f"scan.cu:{first + 1}", f"scan:{first}"):
            for order in ("auto", "lockstep"):
                self.expect(["check", "scan.cu", "--schedule", f"{order} without {name}"], 2,
                            err=["did you mean scan.cu:", f"scan.cu:{first}, scan.cu:{last}"])

    def test_what_goes_wrong_on_the_host_is_told_at_its_line(self):
        for body, sentence in [("for (;;) {}", "stopped after 0.3 s"),
                               ("sleep(100);", "stopped after 0.3 s"),
                               ("int* p = nullptr; *p = 1;", "writes through a null pointer"),
                               ("static char* volatile p = new char[1ull << 40]; *p = 1;", "asks for more memory"),
                               ("give_back(new int);", "not of cudaMalloc")]:
            self.write("bad.cu", "#include <unistd.h>\nstatic cudaError_t give_back(void* p) { return cudaFree(p); }\n"
                                 "int main() {\n  cudaFree(nullptr);\n  " + body + "\n}\n")
            stopped = "stopped" in sentence or "memory" in sentence  # by a limit of ours, which judges nothing
            place = f"bad.cu:{2 if 'give_back' in body else 5}:"
            told = {"err": [place + " ", sentence]} if stopped else {"out": [place, " error: ", sentence]}
            self.expect(["check", "bad.cu", "--seconds", "0.3"], 2 if stopped else 1, **told)

    def test_a_damaged_heap_is_told_of(self):
        self.write("heap.cu", "#include <cstdlib>\nint main() {\n  volatile int* p = static_cast<volatile int*>(malloc(40));\n"
                   "  for (int i = 0; i <= 400; ++i) p[i] = 0x7fffffff;\n  int* a;\n  cudaMalloc(&a, 4);\n"
                   "  volatile char* q = static_cast<volatile char*>(malloc(1 << 20));\n  q[0] = 1;\n}\n")
        out, err = self.expect(["check", "heap.cu"], 1)
        self.assertIn("the host's heap is damaged", out + err)

    def test_printf_wants_an_argument_for_each_directive(self):
        name = self.kernel("say.cu", r'printf("%d %d\n", out[0]);', grid="<<<1, 1>>>")
        self.expect(["check", name], 1, out=["error: thread 0 of block 0 calls printf in line 5 with fewer arguments"])

    def test_each_call_is_told_of_in_its_line(self):
        """Two branches that end with one call have a line each, though a compiler could share the call."""
        text = ("__global__ void k(int* a) { a[threadIdx.x] = 1; }\nint main(int count, char**) {\n  int* a;\n"
                "  cudaMalloc(&a, 4096);\n  switch (count) {\n    case 1: k<<<1, 2048>>>(a); break;\n"
                "    case 2: k<<<1, 1025>>>(a); break;\n    case 3: k<<<0, 64>>>(a); break;\n  }\n  cudaFree(a);\n}\n")
        self.write("k.cu", text)
        for arguments, wrong in [([], "k<<<1, 2048"), (["x"], "k<<<1, 1025"), (["x", "y"], "k<<<0, 64")]:
            said = "".join(self.expect(["check", "k.cu", "--", *arguments], 1))
            self.assertIn(f"k.cu:{line_of(text, wrong)}:", said)

    def test_what_follows_from_a_fault_is_folded_under_it(self):
        """Neither the copy that brings nothing nor an array that the kernel did not come to is a second error, and what the
        program frees then is no leak."""
        homework = ROOT / "tests/cuda/homework/notouch.cu"
        said = json.loads(self.expect(["check", homework, "--json", "--no-try"], 1)[0])
        errors = [group for group in said["groups"] if group["severity"] == "error"]
        self.assertEqual([group["rule"] for group in errors], ["out-of-bounds"], errors)
        self.assertEqual([group["rule"] for group in errors[0]["consequences"]], ["cuda-call"])
        out, err = self.expect(["check", homework, "--no-try"], 1)
        self.assertNotIn("nothing to compare", out)
        self.write("beyond.cu", scan().replace("out[t] =", "out[t + 1] ="))
        _, freed = self.expect(["check", "beyond.cu", "--no-try"], 1, out=["out of bounds"])
        self.assertNotIn("never freed", err + freed, "cudaFree fails behind a fault")

    def test_the_return_that_leaves_memory_unset_is_named(self):
        homework = ROOT / "tests/cuda/homework/early.cu"
        line = line_of(homework.read_text(), "return;")
        self.expect(["check", homework, "--no-try"], 1, out=["uninitialised memory", f"return in line {line}, before"])

    def test_lanes_that_stand_idle_are_a_cost_with_a_line(self):
        text = ("__global__ void k(const int* in, int* out) {\n  int sum = 0;\n"
                "  for (int i = 0; i < in[threadIdx.x]; ++i)\n    sum += in[i];\n  out[threadIdx.x] = sum;\n}\n"
                "int main() {\n  int host[32] = {}, *in, *out;\n  host[7] = 31;\n  cudaMalloc(&in, sizeof host);\n"
                "  cudaMalloc(&out, sizeof host);\n  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);\n"
                "  k<<<1, 32>>>(in, out);\n  cudaFree(in);\n  cudaFree(out);\n}\n")
        self.write("k.cu", text)
        out, _ = self.expect(["check", "k.cu"], 0)
        self.assertRegex(out, r"lanes +\d\.\d of 32 active per instruction, \d+ idle, \d+ of them in line [34]")
        self.write("k.cu", text.replace("host[7] = 31", "host[7] = 0"))
        self.assertNotIn("lanes", self.expect(["check", "k.cu"], 0)[0])

    def test_launches_are_numbered_as_the_program_makes_them(self):
        text = ("__global__ void one(int* a) { a[threadIdx.x] = 1; }\n__global__ void two(int* a) { a[threadIdx.x] += 2; }\n"
                "int main() {\n  int* a;\n  cudaMalloc(&a, 128);\n  one<<<1, 32>>>(a);\n  cudaMemset(a, 5, 128);\n"
                "  two<<<1, 32>>>(a);\n  cudaFree(a);\n}\n")
        self.write("k.cu", text)
        out, _ = self.expect(["show", "k.cu", "--steps"], 0)
        self.assertIn("launch 1: one", out)
        self.assertIn("between launches", out)
        self.assertIn("launch 2: two", out)

    def test_nothing_is_written_outside(self):
        self.write("w.cu", "#include <cstdio>\n__global__ void k(int* a) { *a = 1; }\nint main() {\n  int* a;\n"
                   "  cudaMalloc(&a, 4);\n  k<<<1, 1>>>(a);\n  cudaDeviceSynchronize();\n"
                   f'  printf("%d\\n", fopen("{self.folder}/mine", "w") != nullptr);\n  fopen("own.txt", "w");\n}}\n')
        self.expect(["show", "w.cu"], 0, err=["  | 0", "note: the program wrote own.txt"])
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["w.cu"])

    def test_a_grader_lets_a_program_read_what_is_named_alone(self):
        self.write("solution.txt", "the answer is 42\n")
        self.write("data.txt", "7\n")
        reads = ("#include <cstdio>\n__global__ void k(int* a) { *a = 1; }\nint main(int, char** words) {\n  int* a;\n"
                 "  cudaMalloc(&a, 4);\n  k<<<1, 1>>>(a);\n  cudaDeviceSynchronize();\n"
                 '  printf("%d %d\\n", fopen("solution.txt", "r") != nullptr, fopen(words[1], "r") != nullptr);\n}\n')
        self.write("reads.cu", reads)
        self.expect(["check", "reads.cu", "--", "data.txt"], 0, err=["  | 1 1"])
        code, out, err = self.run_it("check", "reads.cu", "--grader", "--", "data.txt")
        if "needs Landlock" in err:
            self.assertEqual(code, 2)
            self.skipTest("this machine has no Landlock")
        self.assertEqual(code, 0, out + err)
        self.assertIn("  | 0 1", err)
        self.write("includes.cu", '#include "solution.txt"\n' + reads)
        code, out, err = self.run_it("check", "includes.cu", "--grader")
        self.assertEqual(code, 2, out + err)
        self.assertNotRegex(out + err, r"\b42\b")

    def test_no_launch_and_no_program(self):
        self.write("none.cu", "int main() {}\n")
        self.expect(["show", "none.cu"], 2, err=["there is nothing to show of none.cu"])
        self.write("binary.cu", b"\x7fELF\0\0\0")
        self.expect(["show", "binary.cu"], 2, err=["binary.cu is a binary file"])
        self.expect(["show", "gone.cu"], 2, err=["there is no file gone.cu"])

    def test_options_of_other_things_are_refused(self):
        self.write("scan.cu", scan())
        self.expect(["show", "scan.cu", "--n", "8"], 2, err=["leave out --n"])
        self.expect(["show", "scan/blelloch", "-I", "."], 2, err=["-I is for your own CUDA files"])
        self.expect(["show", "scan/blelloch", "--", "3"], 2, err=["is for your own CUDA files"])
        self.expect(["list", "--", "3"], 2, err=["takes nothing behind --"])
        self.expect(["show", "scan.cu", "scan/blelloch"], 2, err=["one too many"])
        self.expect(["show", "scan.cu", "--const", "N"], 2, err=["is no constant and value"])


if __name__ == "__main__":
    unittest.main()
