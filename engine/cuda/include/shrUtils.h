// The utilities that NVIDIA's SDK of CUDA 3 and 4 shared with OpenCL: a log, the command line, comparisons.
#pragma once
#warning old CUDA 'shrUtils.h' before 5.0: printf, helper_string.h and helper_timer.h
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_runtime.h"
#include "helper_string.h"
#include "helper_timer.h"

typedef bool shrBOOL;
#define shrFALSE false
#define shrTRUE true
enum LOGMODES {
  LOGCONSOLE = 1,
  LOGFILE = 2,
  LOGBOTH = 3,
  APPENDMODE = 4,
  MASTER = 8,
  ERRORMSG = 16,
  CLOSELOG = 32
};
#define STDERROR "file %s, line %i\n\n", __FILE__, __LINE__

static inline void shrSetLogFileName(const char*) {}
static inline int shrLog(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int written = vprintf(format, arguments);
  va_end(arguments);
  return written;
}
static inline int shrLogEx(int, int, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int written = vprintf(format, arguments);
  va_end(arguments);
  return written;
}
/// Seconds since its last call for that counter; 0 at the first.
static inline double shrDeltaT(int counter = 0) {
  static double last[3];
  double now = __bscope_milliseconds() / 1000, before = last[counter % 3];
  last[counter % 3] = now;
  return before ? now - before : 0;
}
static inline size_t shrRoundUp(int group, int global) {
  int rest = global % group;
  return (size_t)(rest ? global + group - rest : global);
}
#define shrEXIT(...) exit(EXIT_SUCCESS)
#define shrExitEX(count, arguments, code) exit(code)
#define shrCheckError(value, expected)                                                         \
  do {                                                                                         \
    if ((value) != (expected)) {                                                               \
      fprintf(stderr, "error %d in file '%s' in line %i\n", (int)(value), __FILE__, __LINE__); \
      exit(EXIT_FAILURE);                                                                      \
    }                                                                                          \
  } while (0)
#define shrCheckErrorEX(value, expected, cleanup) shrCheckError(value, expected)
static inline shrBOOL shrCheckCmdLineFlag(int count, const char** arguments, const char* name) {
  return checkCmdLineFlag(count, arguments, name);
}
static inline shrBOOL shrGetCmdLineArgumenti(int count, const char** arguments, const char* name,
                                             int* value) {
  if (!checkCmdLineFlag(count, arguments, name)) return false;
  *value = getCmdLineArgumentInt(count, arguments, name);
  return true;
}
static inline shrBOOL shrGetCmdLineArgumentf(int count, const char** arguments, const char* name,
                                             float* value) {
  if (!checkCmdLineFlag(count, arguments, name)) return false;
  *value = getCmdLineArgumentFloat(count, arguments, name);
  return true;
}
static inline shrBOOL shrGetCmdLineArgumentstr(int count, const char** arguments, const char* name,
                                               char** text) {
  return getCmdLineArgumentString(count, arguments, name, text);
}
static inline char* shrFindFilePath(const char* name, const char* program) {
  return sdkFindFilePath(name, program);
}
static inline void shrFree(void* memory) { free(memory); }
static inline void shrFillArray(float* data, int count) {
  for (int k = 0; k < count; ++k) data[k] = (float)rand() / (float)RAND_MAX;
}
static inline shrBOOL shrComparefet(const float* reference, const float* data, unsigned length, float epsilon,
                                    float threshold) {
  unsigned wrong = 0;
  for (unsigned k = 0; k < length; ++k)
    if (!(fabs((double)reference[k] - data[k]) <= epsilon)) ++wrong;
  return wrong <= length * threshold;
}
static inline shrBOOL shrComparefe(const float* reference, const float* data, unsigned length,
                                   float epsilon) {
  return shrComparefet(reference, data, length, epsilon, 0);
}
