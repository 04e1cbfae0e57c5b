#error Barrierscope has no half precision: use float
