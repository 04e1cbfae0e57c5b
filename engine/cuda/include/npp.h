#error Barrierscope has no NPP: its kernels are not in source; write the filter as a kernel
