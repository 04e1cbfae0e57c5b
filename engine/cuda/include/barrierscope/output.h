// What kernels say and how they stop: printf, assert, traps; clocks.
#pragma once

#include <stdio.h>
#include <time.h>

#include "qualifiers.h"

__BSCOPE_BUILTIN int printf(const char*, ...);
__BSCOPE_BUILTIN __attribute__((noreturn)) void __assert_fail(const char* what, const char* file,
                                                              unsigned line, const char* function);
__BSCOPE_BUILTIN void __bscope_trap(void);
__BSCOPE_BUILTIN unsigned long long __bscope_clock(void);
__BSCOPE_BUILTIN void __bscope_nanosleep(unsigned);

__BSCOPE_DEVICE void __trap(void) { __bscope_trap(); }
__BSCOPE_DEVICE void __brkpt(int = 0) { __bscope_trap(); }
__BSCOPE_DEVICE void __prof_trigger(int) {}
__BSCOPE_DEVICE clock_t clock(void) { return (clock_t)__bscope_clock(); }
__BSCOPE_DEVICE long long clock64(void) { return (long long)__bscope_clock(); }
__BSCOPE_DEVICE void __nanosleep(unsigned nanoseconds) { __bscope_nanosleep(nanoseconds); }
