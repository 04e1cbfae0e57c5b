// The stop watch of NVIDIA's samples.
#pragma once
#include <time.h>

struct StopWatchInterface {
  double milliseconds = 0, since = 0;
  int sessions = 0;
  bool running = false;
};
static inline double __bscope_milliseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}
static inline bool sdkCreateTimer(StopWatchInterface** timer) {
  *timer = new StopWatchInterface;
  return true;
}
static inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = 0;
  return true;
}
static inline bool sdkStartTimer(StopWatchInterface** timer) {
  (*timer)->since = __bscope_milliseconds();
  (*timer)->running = true;
  return true;
}
static inline bool sdkStopTimer(StopWatchInterface** timer) {
  (*timer)->milliseconds += __bscope_milliseconds() - (*timer)->since;
  (*timer)->running = false;
  ++(*timer)->sessions;
  return true;
}
static inline bool sdkResetTimer(StopWatchInterface** timer) {
  (*timer)->milliseconds = 0;
  (*timer)->sessions = 0;
  (*timer)->since = __bscope_milliseconds();
  return true;
}
static inline float sdkGetTimerValue(StopWatchInterface** timer) {
  double more = (*timer)->running ? __bscope_milliseconds() - (*timer)->since : 0;
  return (float)((*timer)->milliseconds + more);
}
static inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
  return (float)((*timer)->sessions ? (*timer)->milliseconds / (*timer)->sessions : 0);
}
