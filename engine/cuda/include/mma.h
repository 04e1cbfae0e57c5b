#error Barrierscope has no tensor cores: multiply with ordinary threads
