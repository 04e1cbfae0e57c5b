"""Calls of CUB and Thrust in users' programs: how they are named, shown and judged on the command line."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
RUNTIME = BUILD / "cuda" / "lib" / "libbarrierscope_cuda.so"
SORT = BUILD / "cuda" / "include" / "thrust" / "sort.h"

THRUST = """#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/sort.h>
#include <cstdio>
__global__ void twice(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}
int main() {
  thrust::device_vector<int> numbers(1000);
  for (int i = 0; i < 1000; i += 100) numbers[i] = i % 300;
  thrust::sort(numbers.begin(), numbers.end());
  cudaStream_t stream;  // which waits for Thrust's, the default one, as that does for it
  cudaStreamCreate(&stream);
  twice<<<4, 256, 0, stream>>>(thrust::raw_pointer_cast(numbers.data()), 1000);
  printf("%d %d\\n", int(numbers[0]), int(numbers[999]));
}
"""

CUBLAS = """#include <cublas_v2.h>
int main() {
  float host[4] = {1, 2, 3, 4}, factor = 2, *x, *y;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(y, host, sizeof host, cudaMemcpyHostToDevice);
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSaxpy(handle, 4, &factor, x, 1, y, 1);
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
  cublasDestroy(handle);
  cudaFree(x);
  cudaFree(y);
  return host[3] != 12;
}
"""

IN_A_LOOP = """#include <cublas_v2.h>
__global__ void rest(float* values) { values[threadIdx.x] *= 1; }
__global__ void take(float* values) { values[threadIdx.x] -= 1; }
int main() {
  float host[4] = {1, 2, 3, 4}, factor = 1, *x, *both[2];
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  for (float*& y : both) {
    cudaMalloc(&y, sizeof host);
    cudaMemset(y, 0, sizeof host);
  }
  cublasHandle_t handle;
  cublasCreate(&handle);
  for (int k = 0; k < 4; ++k) {
    for (float* y : both) {
      cublasSaxpy(handle, 4, &factor, x, 1, y, 1);
      rest<<<1, 4>>>(y);
    }
    take<<<1, 4>>>(both[0]);
  }
  cudaMemcpy(host, both[0], sizeof host, cudaMemcpyDeviceToHost);
  cublasDestroy(handle);
  for (float* y : {x, both[0], both[1]}) cudaFree(y);
  return host[3] != 12;
}
"""

BARRIER = """#include <cuda/barrier>
__global__ void rounds(int* out, int n) {
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  __shared__ int s[96];
  int i = threadIdx.x;
  if (i == 0) init(&all, blockDim.x);
  __syncthreads();
  s[i] = i;
  for (int k = 0; k < n; ++k) {
    all.arrive_and_wait();
    int next = s[(i + 1) % 96];
    all.arrive_and_wait();
    s[i] += next;
  }
  out[i] = s[i];
}
int main() {
  int *out, host[96];
  cudaMalloc(&out, sizeof host);
  rounds<<<1, 96>>>(out, 4);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return host[0] != 32 || host[95] != 112;
}
"""

SPAN = """#include <cuda/std/span>
#include <cstdio>
__global__ void twice(cuda::std::span<int> values) {
  int i = threadIdx.x;
  if (i < values.size()) values[i] *= 2;
}
int main() {
  int host[32], *memory;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&memory, sizeof host);
  cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
  twice<<<1, 32>>>(cuda::std::span<int>(memory, 32));
  cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(memory);
  printf("%d\\n", host[31]);
}
"""


@unittest.skipUnless(RUNTIME.is_file() and SORT.is_file(), "users' own CUDA was not built with CCCL")
class LibraryCalls(unittest.TestCase):
    def run_on(self, text, *words):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "program.cu")
            file.write_text(text)
            verb, *options = words
            done = subprocess.run([BUILD / "barrierscope", verb, file, *options], cwd=folder, capture_output=True, text=True, timeout=300)
        return done

    def test_a_call_on_the_host_is_one_launch(self):
        done = self.run_on(THRUST, "show", "--steps")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertTrue(any(line.startswith("thrust::sort, line 12   changes") and "numbers" in line for line in lines), done.stdout[:3000])
        self.assertNotIn("array_", done.stdout)
        self.assertNotIn("Kernel", done.stdout)
        self.assertNotIn("another stream", done.stdout + done.stderr)

    def test_the_kernels_of_a_call_can_be_shown(self):
        done = self.run_on(THRUST, "show", "--steps", "--inside-libraries")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("thrust::sort, line 12", done.stdout)
        self.assertRegex(done.stdout, r"Kernel.*   grid \d+ x block \d+   (cub|thrust)/.*\.cuh\n")
        self.assertIn("barrier in line", done.stdout)

    def test_a_call_that_the_runtime_computes_is_a_launch_too(self):
        done = self.run_on(CUBLAS, "show", "--steps")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("\ncublasSaxpy, line 10   changes 4 cells of y\n", done.stdout)
        self.assertIn("output    3 6 9 12", done.stdout)

    def test_a_file_stands_in_a_trace_once(self):
        program = ROOT / "tests/cuda/api/cublas_levels.cu"
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder, "levels.bscope")
            subprocess.run([BUILD / "barrierscope", "trace", program, "-o", trace], check=True, capture_output=True, timeout=300)
            self.assertEqual(trace.read_bytes().count(program.read_bytes()), 1)

    def test_calls_with_kernels_between_that_are_not_shown(self):
        done = self.run_on(IN_A_LOOP, "check", "--no-try")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("4 launches of rest are not shown", done.stdout + done.stderr)

    def test_waiting_at_a_barrier_is_no_deadlock_and_fills_no_trace(self):
        for schedule in ["to-barrier", "lockstep", "shuffle:1"]:
            done = self.run_on(BARRIER, "check", "--no-try", "--schedule", schedule)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertNotIn("only the beginning", done.stderr)

    def test_its_inside_is_not_in_the_json(self):
        done = self.run_on(THRUST, "show", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(len(done.stdout), 20_000_000)
        json.loads(done.stdout)

    def test_a_span_is_called_as_its_parameter(self):
        done = self.run_on(SPAN, "show", "--steps")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("values", done.stdout)
        self.assertNotIn("array_", done.stdout)

    def test_a_block_primitive_heads_its_steps(self):
        text = (ROOT / "tests" / "cuda" / "faults" / "77_temp_storage_again_fixed.cu").read_text()
        done = self.run_on(text, "show", "--steps")
        self.assertIn("BlockReduce::Sum", done.stdout)
        self.assertIn("then the barrier in line 10", done.stdout)
        judged = self.run_on(text, "check")
        self.assertEqual(judged.returncode, 0, judged.stdout)
        self.assertNotIn("could be left out", judged.stdout)


if __name__ == "__main__":
    unittest.main()
