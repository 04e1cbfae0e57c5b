// Which line of the student's host code is being run: the stack, walked and looked up in the debug
// information.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/cuda/runtime/settings.hpp"

namespace bscope::cuda {

/// A line of a file; 0: not known.
struct HostLine {
  std::string file;
  int line = 0;
};

/// The functions that are running, innermost first. Taken without memory from the heap: in a signal handler,
/// too.
struct Stack {
  static constexpr int most = 64;
  uintptr_t at[most] = {};
  int depth = 0;

  static Stack now();
};

/// What the linker calls the variable at that address of the program; empty: unknown.
std::string symbol_at(const void*);

/// The innermost line of the stack that is the student's own.
HostLine students_line(const Stack&, const RuntimeSettings&);

/// A call of a library's function in the student's code.
struct LibraryCall {
  std::string function;  ///< "thrust::sort"; empty: not known
  std::string file;      ///< of the call: UserSource::file, or as the debug information names another
  HostLine at;
};
/// The call that the stack came through last on its way out of the student's own code.
LibraryCall library_call(const Stack&, const RuntimeSettings&);
/// "thrust::sort", of its mangled name: without inner namespaces, template arguments and parameters.
std::string plain_function_name(const std::string& mangled);

}  // namespace bscope::cuda
