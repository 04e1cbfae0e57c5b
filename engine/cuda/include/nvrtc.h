#error Barrierscope has no NVRTC: compile the kernel with the program
