// Half precision: each operation on pairs of chosen values, as bits, and on many others, as a checksum; then
// the same on the host.
#include <cuda_fp16.h>

using Small = __half;
using SmallRaw = __half_raw;
const unsigned short chosen[] = {0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x8401, 0x2e66, 0x3555, 0x3c00,
                                 0xbc00, 0x3c01, 0x4248, 0xc900, 0x6800, 0x7bff, 0xfbff, 0x7c00, 0x7fff};
const unsigned first = 0x3000, most = 0x1fff;

#include "small_float_arithmetic.cuh"
