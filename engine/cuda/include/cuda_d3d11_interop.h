#error Barrierscope has no Direct3D interoperation: copy the picture back with cudaMemcpy
