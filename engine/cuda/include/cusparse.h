#error Barrierscope has no cuSPARSE: its kernels are not in source; write the product as a kernel
