"""docs/cuda-api.md says what the programs of tests/cuda/api and the headers say, and a change of either is found."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import api_page  # noqa: E402


class ApiPage(unittest.TestCase):
    def test_the_page_is_todays(self):
        self.assertEqual(api_page.PAGE.read_text(), api_page.page(), "run tools/api_page.py")

    def test_names_are_those_that_code_uses(self):
        code = '// texFetch(\n#include <cub/cub.cuh>\nint main() { cudaMemset(p, 0, 4); printf("cudaFree("); cub::BlockReduce<int, 32>(t).Sum(1); }'
        self.assertEqual(api_page.names_in(code), ["cub::BlockReduce", "cudaMemset"])

    def test_a_new_program_is_on_the_page(self):
        before = api_page.PROGRAMS
        with tempfile.TemporaryDirectory() as folder:
            api_page.PROGRAMS = pathlib.Path(folder)
            (api_page.PROGRAMS / "pools_more.cu").write_text("// Pools once more.\nint main() { cudaMemPoolTrimTo(pool, 0); }\n")
            try:
                self.assertIn("| `pools_more.cu` | Pools once more. | `cudaMemPoolTrimTo` | no |", api_page.page())
            finally:
                api_page.PROGRAMS = before


if __name__ == "__main__":
    unittest.main()
