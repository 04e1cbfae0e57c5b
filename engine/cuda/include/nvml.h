#error Barrierscope has no NVML: there is no GPU whose state it could tell
