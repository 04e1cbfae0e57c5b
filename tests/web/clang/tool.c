// A tool for a test of clang_tools.js: does what its first argument says.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int deep(int n) {
  volatile char frame[64] = {0};
  return deep(n + 1) + frame[n & 63];
}

int main(int count, char** words) {
  fprintf(stderr, "%s %s\n", words[0], words[1]);
  if (!strcmp(words[1], "exit")) exit(3);
  if (!strcmp(words[1], "abort")) abort();
  if (!strcmp(words[1], "recursion")) return deep(0);
  if (!strcmp(words[1], "memory")) {
    for (volatile char* block; (block = malloc(1 << 26));) *block = 1;
    fputs("LLVM ERROR: out of memory\n", stderr);
    abort();
  }
  for (int k = 2; k + 1 < count; k += 2) {  // copies a file to another
    FILE *from = fopen(words[k], "r"), *to = fopen(words[k + 1], "w");
    if (!from || !to) return 2;
    for (int c; (c = getc(from)) != EOF;) putc(c, to);
    fclose(to);
  }
  return 0;
}
