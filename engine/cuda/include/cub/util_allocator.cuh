#error Barrierscope has no CUB: write the scan or the reduction as a kernel, which is what it is there to show
