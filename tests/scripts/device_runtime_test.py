"""What is found in programs whose kernels launch kernels, in graphs and in clusters, and what devices can be played."""

import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
PROGRAM = BUILD / "barrierscope"
RUNTIME = BUILD / "cuda" / "lib" / "libbarrierscope_cuda.so"
HEAD = """#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
"""


def main_of(body):
    return "int main() {\n  int *x, *y, host[64];\n  cudaMalloc(&x, 256);\n  cudaMalloc(&y, 256);\n  cudaMemset(x, 0, 256);\n" \
           "  cudaMemset(y, 0, 256);\n" + body + "\n  cudaDeviceSynchronize();\n" \
           "  cudaMemcpy(host, x, 256, cudaMemcpyDeviceToHost);\n  printf(\"%d %d\\n\", host[0], host[5]);\n  return 0;\n}\n"


@unittest.skipUnless(RUNTIME.exists(), "built without the runtime of users' own CUDA programs")
class DeviceRuntime(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check(self, kernels, body, code, says=(), options=(), without=()):
        """Checks a program; `kernels` begin in line 4."""
        (self.folder / "a.cu").write_text(HEAD + kernels + main_of(body))
        ran = subprocess.run([PROGRAM, "check", "a.cu", *options], cwd=self.folder, capture_output=True, text=True, check=False)
        said = ran.stdout + ran.stderr
        self.assertEqual(ran.returncode, code, said)
        for words in says:
            self.assertIn(words, said)
        for words in without:
            self.assertNotIn(words, said)
        return said

    CHILD = "__global__ void child(int* a) { a[threadIdx.x] += 1; }\n"

    def test_children_and_their_parent(self):
        # right: what comes after the children is a tail launch, which sees what they wrote
        self.check(self.CHILD + "__global__ void last(int* a) { a[5] *= 10; }\n"
                   "__global__ void parent(int* a) { a[0] = 4; child<<<1, 32>>>(a); last<<<1, 1, 0, cudaStreamTailLaunch>>>(a); }\n",
                   "  parent<<<1, 1>>>(x);", 0, ["| 5 10"])
        for body, words in [
                ("child<<<1, 32>>>(a); b[0] = a[3];", "reads a[3] in line 5, while the child grid child of line 5"),
                ("child<<<1, 32>>>(a); a[3] = 1;", "writes a[3] in line 5, while the child grid child of line 5"),
                ("__shared__ int s[32]; child<<<1, 32>>>(s);", "passes a pointer to shared memory to a child grid in line 5"),
                ("int s[32]; child<<<1, 32>>>(s);", "passes a pointer to a local variable to a child grid in line 5"),
                ("child<<<1, 2000>>>(a);", "asks for blocks of 2000 threads")]:
            self.check(self.CHILD + "__global__ void parent(int* a, int* b) { " + body + " }\n", "  parent<<<1, 1>>>(x, y);", 1,
                       [words])

    def test_children_of_other_blocks_run_at_the_same_time(self):
        kernels = "__global__ void to(int* a) { *a = 7; }\n__global__ void from(int* a, int* b) { *b = *a; }\n" \
                  "__global__ void parent(int* a, int* b) {\n  if (WHERE == 0) to<<<1, 1>>>(a);\n" \
                  "  if (WHERE == ORDER) from<<<1, 1>>>(a, b);\n}\n"
        for order, code in ("0", 0), ("1", 1):
            self.check(kernels.replace("WHERE", "blockIdx.x").replace("ORDER", order), "  parent<<<2, 1>>>(x, y);", code,
                       ["may run at the same time: the first writes a[0]"] if code else [])

    def test_a_depth_that_no_gpu_has(self):
        self.check("__global__ void down(int* a, int n) { a[0] = n; if (n < 40) down<<<1, 1>>>(a, n + 1); }\n",
                   "  down<<<1, 1>>>(x, 0);", 1, ["at a depth of 25: a GPU has at most 24"])

    def test_waiting_for_children_as_before_cuda_12(self):
        self.check(self.CHILD + "__global__ void parent(int* a) { child<<<1, 32>>>(a); cudaDeviceSynchronize(); a[5] += a[0]; }\n",
                   "  parent<<<1, 1>>>(x);", 0, ["| 1 2", "was removed from CUDA 12"])

    def test_what_the_edges_of_a_graph_do_not_order(self):
        kernels = "__global__ void to(int* a) { a[threadIdx.x] = 7; }\n" \
                  "__global__ void from(int* a, int* b) { b[threadIdx.x] = a[threadIdx.x]; }\n"
        body = """  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t first, second;
  cudaGraphCreate(&graph, 0);
  void *one[] = {&x}, *two[] = {&x, &y};
  cudaKernelNodeParams p = {(void*)to, dim3(1), dim3(32), 0, one, nullptr};
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &p);
  p = {(void*)from, dim3(1), dim3(32), 0, two, nullptr};
  cudaGraphAddKernelNode(&second, graph, EDGE, &p);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0);"""
        self.check(kernels, body.replace("EDGE", "&first, 1"), 0)
        self.check(kernels, body.replace("EDGE", "nullptr, 0"), 1,
                   ["a.cu:20", "reads x[0] while the kernel to of line 18 may still be writing it, in another stream"])

    def test_shared_memory_of_a_cluster(self):
        kernel = """__global__ void __cluster_dims__(2, 1, 1) k(int* a) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = blockIdx.x + 1;
  FIRST
  int* other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  if (blockIdx.x == 0 || LAST) a[blockIdx.x] = other[threadIdx.x];
  if (LAST) cluster.sync();
}
"""
        launch = "  k<<<2, 32>>>(x);"
        sync = "cluster.sync();"
        self.check(kernel.replace("FIRST", sync).replace("LAST", "true"), launch, 0, ["| 2 0"])
        self.check(kernel.replace("FIRST", "").replace("LAST", "true"), launch, 1, ["which may not have begun"])
        self.check(kernel.replace("FIRST", sync).replace("LAST", "true"), "  k<<<3, 32>>>(x);", 1, ["must be a multiple"])
        self.check(kernel.replace("FIRST", sync).replace("LAST", "true"), launch, 1, ["sm_80 does not have"],
                   ["--device-model", "sm_80"])

    def test_the_device_that_is_played(self):
        body = """  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  int blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, child, 256, 0);
  printf("%d.%d %d %d\\n", p.major, p.minor, p.multiProcessorCount, blocks);
  child<<<1, 32>>>(x);"""
        self.check(self.CHILD, body, 0, ["| 7.0 2 8"])
        for model, words in ("sm_75", "| 7.5 40 4"), ("sm_80", "| 8.0 108 8"), ("sm_90", "| 9.0 132 8"), ("sm_120", "| 12.0 170 6"):
            self.check(self.CHILD, body, 0, [words], ["--device-model", model])
        self.check(self.CHILD, body, 2, ["sm_75"], ["--device-model", "sm_1"])


if __name__ == "__main__":
    unittest.main()
