// Functions of libraries that are not here. A program may mention them in code that never runs; a call ends
// it with a sentence at the line.
#pragma once

#include "host_api.h"

#define __BSCOPE_MISSING(library, R, name) \
  template <class... A>                    \
  static inline R name(A&&...) {           \
    __bscope_missing(library, #name);      \
    return R();                            \
  }
