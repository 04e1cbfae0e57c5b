// What the program's debug information says of its code. The build chooses who reads it: libbacktrace
// (debug_information.cpp), or the page (web/debug_information.cpp).
#pragma once

#include <cstdint>
#include <functional>

namespace bscope::cuda {

/// A function's code at an address. nullptr, 0: not known.
struct CodePlace {
  const char* file = nullptr;
  int line = 0;
  const char* function = nullptr;  ///< its name, mangled or not
};

/// Calls `take` for each function that is inlined at that address, innermost first, then for the one that it
/// is inlined into, until `take` returns true. This library's own functions are left out.
void for_each_place(uintptr_t at, const std::function<bool(const CodePlace&)>& take);

}  // namespace bscope::cuda
