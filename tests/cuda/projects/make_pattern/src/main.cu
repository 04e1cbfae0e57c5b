#include <cstdio>
#include <cstdlib>
#include "reduce.hpp"

int main(int count, char** words) {
  const int factor = count > 1 ? atoi(words[1]) : 1;
  int values[N];
  for (int i = 0; i < N; ++i) values[i] = factor * i;
  const int gpu = sum_on_gpu(values, N), host = sum_on_host(values, N);
  printf("%s: %d of %d values\n", gpu == host ? "same" : "different", gpu, N);
  return gpu != host;
}
