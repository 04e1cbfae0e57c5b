#error Barrierscope has no OpenGL interoperation: copy the picture back with cudaMemcpy
