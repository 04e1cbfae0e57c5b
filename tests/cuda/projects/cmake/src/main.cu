#include <bit>
#include <cstdio>
#include "bins.hpp"

int main() {
  static_assert(std::has_single_bit(unsigned(BINS)));
  FILE* file = fopen("../data/first.txt", "r");  // from the build folder
  int first = 0;
  if (!file || fscanf(file, "%d", &first) != 1) return 1;
  fclose(file);
  int keys[KEYS], bins[BINS];
  for (int i = 0; i < KEYS; ++i) keys[i] = first + i * i;
  count(keys, bins, KEYS);
#ifdef VERBOSE
  for (int b : bins) printf("%d ", b);
#endif
  printf("of %d keys\n", KEYS);
  return 0;
}
