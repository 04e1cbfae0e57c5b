#error Barrierscope has no cuSOLVER: its kernels are not in source
