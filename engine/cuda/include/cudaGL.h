#error Barrierscope has no graphics interoperation: copy the picture back with cudaMemcpy
