"""What a student types into a notebook, in a real kernel, with the wheel as it is installed."""

import shutil
import xml.etree.ElementTree as xml

import pytest
from conftest import ROOT

PROGRAMS = ROOT / "kernels"
SUM = """#include <cstdio>
const int N = 32;
// barrierscope: expect out = sum(in)
__global__ void sum(const int* in, int* out) {
  __shared__ int s[N];
  int i = threadIdx.x;
  s[i] = in[i];
  BARRIER
  for (int d = N / 2; d > 0; d /= 2) {
    if (i < d) s[i] += s[i + d];
    __syncthreads();
  }
  if (i == 0) *out = s[0];
}
int main(int count, char** words) {
  int host[N], *in, *out, total;
  for (int i = 0; i < N; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof total);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sum<<<1, N>>>(in, out);
  cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost);
  printf("%s %d\\n", count > 1 ? words[1] : "sum", total);
}
"""
RIGHT, RACY = SUM.replace("BARRIER", "__syncthreads();"), SUM.replace("BARRIER", "")


def texts(svg):
    """The words of a picture, which must be a whole document."""
    return [node.text for node in xml.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_a_kernel_of_the_catalog_is_shown_step_by_step(notebook):
    imported, shown, one = notebook(
        "import barrierscope",
        'barrierscope.show("scan/blelloch", values=[3, 1, 7, 0, 4, 1, 6, 3])',
        "barrierscope.show('scan/blelloch', values=[3, 1, 7, 0, 4, 1, 6, 3], step=3, theme='dark').svg",
    )
    assert not imported.shown
    assert len(shown.pictures) == 9
    assert len(set(shown.pictures)) == 9
    assert {"3", "1", "7", "0", "4", "6"} <= set(texts(shown.pictures[0]))
    assert "25" in texts(shown.pictures[3]), "the sum of all is at the tree's root"
    assert shown.shown[0]["text/plain"] == "<View of scan/blelloch: steps 0 to 8 of 9>"
    assert texts(shown.shown[0]["image/svg+xml"]) == texts(shown.pictures[0])
    assert "25" in one.shown[0]["text/plain"]


def test_a_file_of_ones_own_is_traced_unchanged(notebook):
    shutil.copy(PROGRAMS / "scan/cuda/5_blelloch.cu", notebook.folder / "mine.cu")
    _, result, judged, printed, shown, saved = notebook(
        "import barrierscope\nrun = barrierscope.trace('mine.cu', const={'N': 16, 'BLOCK': 4})",
        "run.result == [sum(7 * i % 10 + 1 for i in range(k)) for k in range(16)]",
        "run.verdict.passed, run.verdict.proof['holds'], run.hazards, run.findings",
        "print(run.output.split()[:3], [launch['name'] for launch in run.launches])",
        "run",
        "again = barrierscope.load(run.save('kept.bscope')); again.json['launches'] == run.json['launches']",
    )
    assert result.shown[0]["text/plain"] == "True"
    assert judged.shown[0]["text/plain"] == "(True, True, [], [])"
    assert printed.printed == "['0', '1', '9'] ['scan', 'scan', 'add_totals']\n"
    assert len(shown.pictures) > 5
    assert any("scan_blelloch" not in t and "mine" in t for t in texts(shown.pictures[0]) if t)
    assert saved.shown[0]["text/plain"] == "True"
    assert (notebook.folder / "kept.bscope").stat().st_size > 0


def test_a_cell_of_cuda_is_judged_at_its_own_lines(notebook):
    _, racy, hazards, right, name = notebook(
        "%load_ext barrierscope",
        "%%cuda\n" + RACY,
        "[hazard['lines'] for hazard in _.hazards[:1]]",
        "%%cuda right.cu --tab banks --step 2 -- total\n" + RIGHT,
        "_.file.exists()",
    )
    assert "FAIL" in racy.printed and "__syncthreads() between line 8 and line 11" in racy.printed.replace("\n      ", " ")
    assert hazards.shown[0]["text/plain"] in ("[[8, 11]]", "[[11, 8]]"), "lines count from the one with %%cuda"
    assert len(racy.pictures) > 3
    assert right.printed.startswith("total 496\n") and "FAIL" not in right.printed
    assert len(right.pictures) == 1
    assert (notebook.folder / "right.cu").read_text() == "// %%cuda right.cu --tab banks --step 2 -- total\n" + RIGHT
    assert name.shown[0]["text/plain"] == "True"


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["import barrierscope", "barrierscope.show('scan/blellok')"],
         'There is no kernel "scan/blellok": did you mean scan/blelloch?'),
        (["import barrierscope", "barrierscope.trace('none.cu')"], "none.cu"),
        (["%load_ext barrierscope", "%%cuda\n" + SUM], "cell.cu:9"),
        (["%load_ext barrierscope", "%%cuda --step\n" + RIGHT], "--step: expected one argument; write %%cuda"),
        (["%load_ext barrierscope", "%%cuda --nonsense\n" + RIGHT], "--nonsense"),
    ],
)
def test_a_mistake_is_told_in_the_programs_own_words(notebook, cells, words):
    *_, failed = notebook(*cells, fails=True)
    assert failed.error["ename"] == "BarrierscopeError"
    assert words in failed.error["evalue"]
    assert not any("Traceback" in line for line in failed.error["traceback"]), "a student's mistake is no fault of ours"


def test_a_failed_check_is_an_answer_and_no_error(notebook):
    _, answer = notebook("import barrierscope\nv = barrierscope.check('histogram/racy')",
                         "bool(v), len(v.hazards) > 0, v.correct")
    assert answer.shown[0]["text/plain"] == "(False, True, False)"
