// A program with imports of its own beside the system's, as CUDA's runtime has: program_test.mjs gives them.
#include <stdio.h>
#include <string.h>

#include "engine/cuda/web/system.h"

#define MACHINE(name) __attribute__((import_module("machine"), import_name(#name)))
MACHINE(twice) long machine_twice(long number);
MACHINE(name) int machine_name(char* to, size_t most);
MACHINE(launch) int machine_launch(void);

int main(int count, char** words) {
  char name[8];
  printf("%ld ", machine_twice(1L << 40));
  printf("%d %s\n", machine_name(name, sizeof name), name);
  if (count > 1 && !strcmp(words[1], "launch")) {
    if (machine_launch()) system_trap();  // line: launch
  }
  if (count > 1 && !strcmp(words[1], "read")) printf("%d", *(volatile int*)0x200000000010);  // line: read
  return 0;
}
