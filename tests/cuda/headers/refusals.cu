// What cannot be done: each line that says `refused` gives one error there, or in a header that it includes,
// with the words that follow; no other line gives any (headers_test.cpp).
#include <cuda.h>

__global__ void child(int*) {}
int main() {
  cuModuleUnload(0);  // refused: loads no machine code
  return 0;
}
