// bfloat16: each operation on pairs of chosen values, as bits, and on many others, as a checksum; then the
// same on the host.
#include <cuda_bf16.h>

using Small = __nv_bfloat16;
using SmallRaw = __nv_bfloat16_raw;
const unsigned short chosen[] = {0x0000, 0x8000, 0x0001, 0x807f, 0x0080, 0x8081, 0x3dcd, 0x3eab, 0x3f80,
                                 0xbf80, 0x3f81, 0x4049, 0xc120, 0x4380, 0x7f7f, 0xff7f, 0x7f80, 0x7fff};
const unsigned first = 0x3c00, most = 0x07ff;

#include "small_float_arithmetic.cuh"
