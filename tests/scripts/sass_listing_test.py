"""tools/machine_code.py reads what the toolkit's disassembler prints: a sample, and the cases that differ in it."""

import json
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import machine_code  # noqa: E402

SYMBOL = "_ZN6bscope6on_gpu12run_untracedI3TwoJNS0_5ArrayIiEEEEEvDpT0_"
# As nvdisasm -c -gi writes it: a prologue of no line, a line of the kernel, a header's code that the kernel called twice,
# a helper in the kernel's own file, a branch to a label, and what fills the end.
LISTING = f"""	.target	sm_90

//--------------------- .text.{SYMBOL} --------------------------
	.section	.text.{SYMBOL},"ax",@progbits
        .global         {SYMBOL}
.text.{SYMBOL}:
	//## File "/home/x/engine/simt/gpu_program.hpp", line 43
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "/home/x/kernels/scan/2_two.cu", line 27 inlined at "/home/x/./engine/simt/gpu_program.hpp", line 45
	//## File "/home/x/./engine/simt/gpu_program.hpp", line 45
        /*0010*/                   ULDC UR25, c[0x0][0x0] ;
        /*0020*/              @!P0 LDG.E R13, desc[UR8][R4.64] ;
.L_x_1:
	//## File "/home/x/./engine/simt/array.hpp", line 84 inlined at "/home/x/kernels/scan/2_two.cu", line 32
	//## File "/home/x/kernels/scan/2_two.cu", line 32 inlined at "/home/x/./engine/simt/gpu_program.hpp", line 45
	//## File "/home/x/./engine/simt/gpu_program.hpp", line 45
        /*0030*/                   STS [R2], R13 ;
	//## File "/home/x/kernels/scan/2_two.cu", line 12 inlined at "/home/x/kernels/scan/2_two.cu", line 33
	//## File "/home/x/kernels/scan/2_two.cu", line 33 inlined at "/home/x/./engine/simt/gpu_program.hpp", line 45
	//## File "/home/x/./engine/simt/gpu_program.hpp", line 45
        /*0040*/                   BRA `(.L_x_1) ;
        /*0050*/                   EXIT ;
.L_x_0:
        /*0060*/                   BRA `(.L_x_0);
        /*0070*/                   NOP;
.L_x_2:
//--------------------- .nv.shared --------------------------
"""
USAGE = f""" Function {SYMBOL}:
  REG:31 STACK:8 SHARED:1040 LOCAL:4 CONSTANT[0]:596 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function other:
  REG:8 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:596
"""


class Listing(unittest.TestCase):
    def test_each_instruction_belongs_to_the_line_of_the_kernels_file(self):
        files, code = machine_code.forms_of_listing(LISTING)[SYMBOL]
        self.assertEqual(code, [(0, "LDC R1,c[0x0][0x28]"), (27, "ULDC UR25,c[0x0][0x0]"), (27, "@!P0 LDG.E R13,[R4.64]"),
                                (32, "STS [R2],R13"), (12, "BRA 0x30"), (12, "EXIT")])
        self.assertEqual(files, {"kernels/scan/2_two.cu": 7})

    def test_a_real_listing_is_read_as_the_program_reads_it(self):
        """tests/machine_code/own_code_test.cpp holds the C++ reader to the same lines."""
        own = ROOT / "tests" / "machine_code" / "own"
        forms = machine_code.forms_of_listing((own / "listing.txt").read_text(encoding="utf-8"))
        said = "".join(symbol + "\n" + "".join(f"{line} {what}\n" for line, what in code)
                       for symbol, (_, code) in forms.items())
        self.assertEqual(said, (own / "lines.txt").read_text(encoding="utf-8"))

    def test_what_it_takes(self):
        self.assertEqual(machine_code.resources_of(USAGE)[SYMBOL], {"registers": 31, "stack": 8, "shared": 16, "local": 4})
        self.assertEqual(machine_code.resources_of(USAGE)["other"]["shared"], 0)

    def test_the_key_is_what_stands_between_the_brackets(self):
        key = machine_code.FORM.match(SYMBOL)[1]
        self.assertEqual(key, "3TwoJNS0_5ArrayIiEEE")
        self.assertEqual(machine_code.kernel_name(key), "Two")

    def test_a_file_is_json_and_alike_each_time(self):
        _, code = machine_code.forms_of_listing(LISTING)[SYMBOL]
        form = {"key": "3Two", "registers": 31, "stack": 8, "shared": 16, "local": 4, "code": code}
        text = machine_code.written({"format": "f", "kernel": "Two"}, [form, {**form, "key": "4Twoo"}])
        self.assertEqual(text, machine_code.written({"format": "f", "kernel": "Two"}, [form, {**form, "key": "4Twoo"}]))
        file = json.loads(text)
        again = [(line, file["texts"][k]) for line, *run in file["forms"][0]["code"] for k in run]
        self.assertEqual(again, code)
        self.assertEqual(len(file["texts"]), 6, "each text once")


class Tools(unittest.TestCase):
    def test_what_other_tools_made_is_not_compared(self):
        text = '{"nvcc": "13.0.88", "nvdisasm": "13.5.37"}'
        self.assertIsNone(machine_code.other_tools([text, text], "13.0.88", "13.5.37"))
        self.assertIn("13.1.2", machine_code.other_tools([text], "13.1.2", "13.5.37"))
        self.assertIn("13.0.39", machine_code.other_tools([text], "13.0.88", "13.0.39"))


class Assets(unittest.TestCase):
    def test_each_file_is_whole(self):
        files = sorted((ROOT / "assets" / "machine-code").glob("*.json"))
        self.assertGreater(len(files), 25)
        for path in files:
            file = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual(file["kernel"], path.stem)
            self.assertTrue((ROOT / file["source"]).is_file(), file["source"])
            keys = [form["key"] for form in file["forms"]]
            self.assertEqual(keys, sorted(set(keys)), path.name)


if __name__ == "__main__":
    unittest.main()
