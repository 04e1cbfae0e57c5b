#error Barrierscope has no cuDNN: its kernels are not in source
