#error Barrierscope has no Thrust: its kernels could not be watched; write the scan, sort or reduction as a kernel
