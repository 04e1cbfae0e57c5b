#error Barrierscope has no NCCL: it runs one process on one GPU
