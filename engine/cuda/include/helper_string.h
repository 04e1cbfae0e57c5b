// The command line of NVIDIA's samples, for programs whose Common folder is not there.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

/// What follows "name" in an argument of that name ("" if nothing, "=VALUE"); null: there is none.
static inline const char* __bscope_argument(int count, const char** arguments, const char* name) {
  size_t length = strlen(name);
  for (int k = 1; k < count; ++k) {
    const char* text = arguments[k];
    while (*text == '-') ++text;
    if (!strncasecmp(text, name, length) && (text[length] == 0 || text[length] == '=')) return text + length;
  }
  return 0;
}
static inline bool checkCmdLineFlag(int count, const char** arguments, const char* name) {
  return __bscope_argument(count, arguments, name) != 0;
}
static inline int getCmdLineArgumentInt(int count, const char** arguments, const char* name) {
  const char* value = __bscope_argument(count, arguments, name);
  return value && *value ? atoi(value + 1) : 0;
}
static inline float getCmdLineArgumentFloat(int count, const char** arguments, const char* name) {
  const char* value = __bscope_argument(count, arguments, name);
  return value && *value ? (float)atof(value + 1) : 0;
}
static inline bool getCmdLineArgumentString(int count, const char** arguments, const char* name,
                                            char** text) {
  const char* value = __bscope_argument(count, arguments, name);
  *text = value && *value ? (char*)value + 1 : 0;
  return *text != 0;
}
/// The samples look in a dozen folders; here the file lies beside the program or nowhere.
static inline char* sdkFindFilePath(const char* name, const char*) {
  FILE* file = fopen(name, "rb");
  if (!file) return 0;
  fclose(file);
  return strdup(name);
}
