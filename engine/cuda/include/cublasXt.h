#error Barrierscope has no cuBLAS: its kernels are not in source; write the product as a kernel
