// rand() and random() as glibc makes them, so that a program works on the same data as natively: an additive
// feedback generator of 31 words, each the sum of the words 31 and 3 before it.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { words = 31, lag = 3, warm_up = 10 * words };

static uint32_t state[words];
static int next_word;
static bool is_seeded;

static uint32_t next(void) {
  const uint32_t value = state[next_word] + state[(next_word + words - lag) % words];
  state[next_word] = value;
  next_word = (next_word + 1) % words;
  return value;
}

void srand(unsigned seed) {
  int64_t word = seed ? (int32_t)seed : 1;
  for (int k = 0; k < words; ++k) {
    state[k] = (uint32_t)word;
    word = 16807 * word % 2147483647;
    if (word < 0) word += 2147483647;
  }
  next_word = lag;
  is_seeded = true;
  for (int k = 0; k < warm_up; ++k) next();
}

int rand(void) {
  if (!is_seeded) srand(1);
  return (int)(next() >> 1);
}

long random(void) { return rand(); }
void srandom(unsigned seed) { srand(seed); }
