#include "engine/cuda/runtime/call_site.hpp"

#include <backtrace.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstring>

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
  return dladdr(reinterpret_cast<void*>(&is_ours), &here) && dladdr(reinterpret_cast<void*>(at), &there) &&
         here.dli_fbase == there.dli_fbase;
}

bool is_students(const std::string& file, const RuntimeSettings& settings) {
  if (settings.source(file)) return true;
  if (!settings.sources.empty() && file.starts_with("/usr/")) return false;
  return !file.starts_with("/usr/") && file.starts_with("/") &&
         std::none_of(settings.our_folders.begin(), settings.our_folders.end(),
                      [&](const std::string& folder) { return file.starts_with(folder); });
}

struct Search {
  const RuntimeSettings* settings;
  HostLine found;
};

int look_at(void* data, uintptr_t, const char* file, int line, const char* function) {
  Search& search = *static_cast<Search*>(data);
  if (function && std::strstr(function, "__device_stub__")) return 0;  // clang's: in the line of the kernel
  if (!file || line <= 0 || !is_students(file, *search.settings)) return 0;
  const UserSource* const source = search.settings->source(file);
  search.found = {source ? source->shown : file, line};
  return 1;
}

}  // namespace

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

HostLine students_line(const Stack& stack, const RuntimeSettings& settings) {
  Search search{&settings, {}};
  for (int k = 0; k < stack.depth && search.found.line == 0; ++k)
    if (!is_ours(stack.at[k]))
      backtrace_pcinfo(
          debug_information(), stack.at[k], look_at, [](void*, const char*, int) {}, &search);
  return search.found;
}

}  // namespace bscope::cuda
