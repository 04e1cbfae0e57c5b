// Functions whose line tables program_test.mjs compares with those that llvm-dwarfdump prints.
static inline int square(int n) { return n * n; }

int sum(const int* values, int count) {
  int total = 0;
  for (int k = 0; k < count; ++k) {
    total += square(values[k]);
    if (total < 0) return -1;
  }
  return total;
}

int unused(int n) { return n + 1; }

#line 1000 "elsewhere.h"
int elsewhere(int n) { return n / 3; }

int main(void) {
  int values[] = {1, 2, 3};
  return sum(values, 3) + elsewhere(9);
}
