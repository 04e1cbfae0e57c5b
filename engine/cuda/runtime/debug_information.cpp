#include "engine/cuda/runtime/debug_information.hpp"

#include <backtrace.h>
#include <dlfcn.h>
#include <link.h>

#include <string_view>

#include "engine/cuda/runtime/call_site.hpp"

using ModuleVisitor = int (*)(dl_phdr_info*, size_t, void*);

// The linker hands libbacktrace's calls of dl_iterate_phdr to the second of these (--wrap).
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's names
int __real_dl_iterate_phdr(ModuleVisitor, void*);

/// Leaves out the system's libraries: where the C library's debug information is installed (libc6-dbg, which
/// gdb brings with it), reading it takes a third of a check's time, and no line of it is the student's.
int __wrap_dl_iterate_phdr(ModuleVisitor visit, void* data) {
  struct Visit {
    ModuleVisitor visit;
    void* data;
  } all{visit, data};
  const ModuleVisitor unless_of_system = [](dl_phdr_info* module, size_t size, void* of) {
    const std::string_view name = module->dlpi_name ? module->dlpi_name : "";
    const bool of_system = name.starts_with("/lib") || name.starts_with("/usr/lib");
    const Visit& v = *static_cast<Visit*>(of);
    return of_system ? 0 : v.visit(module, size, v.data);
  };
  return __real_dl_iterate_phdr(unless_of_system, &all);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace bscope::cuda {
namespace {

/// Reads the program's debug information when it is first asked.
backtrace_state* debug_information() {
  static backtrace_state* const state = backtrace_create_state(
      nullptr, 1, [](void*, const char*, int) {}, nullptr);
  return state;
}

/// Whether that address is in this library.
bool is_ours(uintptr_t at) {
  Dl_info here, there;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of code
  return dladdr(reinterpret_cast<void*>(&is_ours), &here) && dladdr(reinterpret_cast<void*>(at), &there) &&
         here.dli_fbase == there.dli_fbase;
}

}  // namespace

void for_each_place(uintptr_t at, const std::function<bool(const CodePlace&)>& take) {
  if (is_ours(at)) return;
  const auto look_at = [](void* data, uintptr_t, const char* file, int line, const char* function) -> int {
    return (*static_cast<const std::function<bool(const CodePlace&)>*>(data))({file, line, function});
  };
  backtrace_pcinfo(
      debug_information(), at, look_at, [](void*, const char*, int) {},
      const_cast<void*>(static_cast<const void*>(&take)));
}

Stack Stack::now() {
  Stack stack;
  const auto take = [](void* data, uintptr_t at) {
    Stack& taken = *static_cast<Stack*>(data);
    if (at != 0 && at != ~uintptr_t(0)) taken.at[taken.depth++] = at;
    return taken.depth == most ? 1 : 0;
  };
  backtrace_simple(
      debug_information(), 0, take, [](void*, const char*, int) {}, &stack);
  return stack;
}

std::string symbol_at(const void* at) {
  std::string name;
  const auto take = [](void* data, uintptr_t, const char* symbol, uintptr_t, uintptr_t) {
    if (symbol) *static_cast<std::string*>(data) = symbol;
  };
  backtrace_syminfo(
      debug_information(), reinterpret_cast<uintptr_t>(at), take, [](void*, const char*, int) {}, &name);
  return name;
}

}  // namespace bscope::cuda
