#error Barrierscope has no numbers of 8 bits or bfloat16: use float
