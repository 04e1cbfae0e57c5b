#include "tests/gpu/words.cu"
