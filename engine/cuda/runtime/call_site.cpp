#include "engine/cuda/runtime/call_site.hpp"

#include <backtrace.h>
#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

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
  std::string file = {};      ///< of the line that was found, as the debug information names it
  std::string function = {};  ///< that was called there, mangled
};

int look_at(void* data, uintptr_t, const char* file, int line, const char* function) {
  Search& search = *static_cast<Search*>(data);
  if (function && std::strstr(function, "__device_stub__")) return 0;  // clang's: in the line of the kernel
  if (!file || line <= 0 || !is_students(file, *search.settings)) {
    if (function) search.function = function;
    return 0;
  }
  const UserSource* const source = search.settings->source(file);
  search.found = {source ? source->shown : file, line};
  search.file = file;
  return 1;
}

Search students_place(const Stack& stack, const RuntimeSettings& settings) {
  Search search{&settings, {}};
  for (int k = 0; k < stack.depth && search.found.line == 0; ++k)
    if (!is_ours(stack.at[k]))
      backtrace_pcinfo(
          debug_information(), stack.at[k], look_at, [](void*, const char*, int) {}, &search);
  return search;
}

/// "thrust::X_NS::sort", of "void thrust::X_NS::sort<int*>(int*, int*)".
std::string without_types(std::string_view readable) {
  std::string name;
  int depth = 0;
  for (const char c : readable) {
    depth -= c == '>';
    if (depth == 0 && c == '(') break;
    if (depth == 0 && c == ' ')
      name.clear();  // it was the type of the result
    else if (depth == 0 && c != '<' && c != '>')
      name += c;
    depth += c == '<';
  }
  return name;
}

/// Of the library's making, not of the name that the student writes.
bool is_inner(std::string_view part) {
  return part.empty() || part == "detail" || part == "cuda_cub" || part.starts_with("__") ||
         part.ends_with("_NS") || part.starts_with("THRUST_") || part.starts_with("CUB_");
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
  return students_place(stack, settings).found;
}

LibraryCall library_call(const Stack& stack, const RuntimeSettings& settings) {
  const Search search = students_place(stack, settings);
  return {plain_function_name(search.function), search.file, search.found};
}

std::string plain_function_name(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> readable(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  const std::string all = without_types(readable ? readable.get() : mangled);
  std::string name, last;
  for (size_t begin = 0; begin <= all.size();) {
    const size_t end = std::min(all.find("::", begin), all.size());
    const std::string part = all.substr(begin, end - begin);
    if (!is_inner(part) && part != last)
      name += (name.empty() ? "" : "::") + part;  // a constructor has its class's name
    last = part;
    begin = end + 2;
  }
  return name;
}

}  // namespace bscope::cuda
