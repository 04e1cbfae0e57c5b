"""One block of 1024 threads of Kogge-Stone in numba's CUDA simulator, timed.

The simulator runs each thread of a block as a Python thread; it is what one uses today to look into a kernel
without a GPU. Prints one JSON object: {"numba": version, "seconds": [each run]}. Run by simulator.sh.
"""

import json
import os
import sys
import time

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"  # before numba is imported

import numba  # noqa: E402
import numpy  # noqa: E402
from numba import cuda  # noqa: E402

THREADS = 1024


@cuda.jit
def kogge_stone(data):
    total = cuda.shared.array(THREADS, numba.int32)
    i = cuda.threadIdx.x
    total[i] = data[i]
    stride = 1
    while stride < THREADS:
        left = 0
        cuda.syncthreads()
        if i >= stride:
            left = total[i - stride]
        cuda.syncthreads()
        if i >= stride:
            total[i] = left + total[i]
        stride *= 2
    data[i] = total[i]


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    values = numpy.arange(THREADS, dtype=numpy.int32) % 17
    seconds = []
    for _ in range(runs):
        data = values.copy()
        begin = time.perf_counter()
        kogge_stone[1, THREADS](data)
        seconds.append(time.perf_counter() - begin)
        if not numpy.array_equal(data, numpy.cumsum(values)):
            sys.exit("numba's simulator returned a wrong scan")
    print(json.dumps({"numba": numba.__version__, "seconds": seconds}))


if __name__ == "__main__":
    main()
