"""Textures and surfaces of users' programs: what they compute, and what is said of mistakes with them."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("BARRIERSCOPE_BUILD", ROOT / "build/release")).resolve()
OWN = ROOT / "tests/cuda/own"
RUNTIME = BUILD / "cuda" / "lib" / "libbarrierscope_cuda.so"

REFERENCES = """0: 700 600.5 501 401.5 302 202.5 103 3.5
1 2 3 0.2 
0 5 10 15 20 25 30 30 
1
0 10 20 1 11 21 
"""
FAULTS = {  # what must be said of the line that names the number
    1: "tex2D", 2: "no texture object", 3: "unsigned char", 4: "tex2D reads", 5: "reference, which is bound to nothing",
    6: "outside of image", 7: "no multiple of the 4 bytes", 8: "this launch has changed it",
    9: "integers are not filtered", 10: "goes beyond 'image'", 11: "is freed", 12: "no multiple of 512",
}
SIMPLE = """#include <cstdio>
__global__ void blur(cudaTextureObject_t t, float* out) {
  out[threadIdx.y * 4 + threadIdx.x] = tex2D<float>(t, threadIdx.x + 1, threadIdx.y + 0.5f);
}
int main() {
  float host[16], *d_out;
  for (int k = 0; k < 16; ++k) host[k] = k;
  cudaArray_t picture;
  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  cudaMallocArray(&picture, &f, 4, 4);
  cudaMemcpy2DToArray(picture, 0, 0, host, 16, 16, 4, cudaMemcpyHostToDevice);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = picture;
  cudaTextureDesc d = {};
  d.filterMode = cudaFilterModeLinear;
  d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, &r, &d, nullptr);
  cudaMalloc(&d_out, sizeof host);
  blur<<<1, dim3(4, 4)>>>(t, d_out);
  cudaMemcpy(host, d_out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g %g\\n", host[0], host[15]);
  cudaDestroyTextureObject(t);
  cudaFreeArray(picture);
  cudaFree(d_out);
}
"""
OTHERS_NAMES = """#include <cstdio>
#include <vector>
template <class T> class texture { public: T at(int x) const { return T(x); } };  // a name that is free since CUDA 12
struct surface { int id; };
__global__ void k(int* out) { out[threadIdx.x] = int(threadIdx.x); }
int main() {
  texture<float> t;
  surface s{3};
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("%g %d\\n", t.at(4), s.id);
  cudaFree(out);
}
"""


@unittest.skipUnless(RUNTIME.exists(), "built without the runtime of users' CUDA programs")
class Textures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_it(self, *args):
        environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = subprocess.run([BUILD / "barrierscope", *map(str, args)], cwd=self.folder, env=environment,
                              capture_output=True, text=True, timeout=100)
        return done.returncode, done.stdout, done.stderr

    def test_references_open_with_a_note_of_what_took_their_place(self):
        code, out, err = self.run_it("check", OWN / "texture_references.cu")
        self.assertEqual(code, 0, out + err)
        printed = "".join(line[4:] + "\n" for line in err.splitlines() if line.startswith("  | "))
        self.assertEqual([line.rstrip() for line in printed.splitlines()],
                         [line.rstrip() for line in REFERENCES.splitlines()])
        for name, instead in (("texture", "cudaCreateTextureObject"), ("surface", "cudaCreateSurfaceObject")):
            self.assertIn(f"note: {name} is of CUDA before 12.0, and nvcc refuses it today: use {instead}", out + err)

    def test_mistakes_are_said_at_their_line(self):
        text = (OWN / "texture_faults.cu").read_text().splitlines()
        for number, said in FAULTS.items():
            with self.subTest(number):
                line = next(k for k, words in enumerate(text, 1)
                            if "// fault: " in words and str(number) in words.split("// fault: ")[1].split())
                code, out, err = self.run_it("check", OWN / "texture_faults.cu", "--no-try", "--", number)
                self.assertEqual(code, 1, out + err)
                at_line = [words for words in out.splitlines() if f"texture_faults.cu:{line}:" in words]
                self.assertTrue(any(said in words for words in at_line), out + err)

    def test_a_texture_is_memory_like_any_other(self):
        (self.folder / "blur.cu").write_text(SIMPLE)
        code, out, err = self.run_it("show", "blur.cu", "--json")
        self.assertEqual(code, 0, out + err)
        self.assertIn("  | 0.5 15", err)
        run = json.loads(out)
        arrays = {a["name"]: a for a in run["launches"][0]["arrays"]}
        self.assertIn("picture", arrays)
        self.assertEqual(arrays["picture"]["rows"], 4)
        self.assertEqual(run["launches"][0]["name"], "blur")

    def test_the_names_are_free_where_there_are_no_references(self):
        (self.folder / "names.cu").write_text(OTHERS_NAMES)
        code, out, err = self.run_it("check", "names.cu")
        self.assertEqual(code, 0, out + err)
        self.assertIn("  | 4 3", err)


if __name__ == "__main__":
    unittest.main()
