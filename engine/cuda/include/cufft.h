#error Barrierscope has no cuFFT: its kernels are not in source; write the transform as a kernel
