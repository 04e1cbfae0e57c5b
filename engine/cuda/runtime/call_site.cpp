#include "engine/cuda/runtime/call_site.hpp"

#include <algorithm>
#include <cstring>

#include "engine/cuda/runtime/debug_information.hpp"
#include "engine/trace/demangled.hpp"

namespace bscope::cuda {
namespace {

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
  std::string file = {};      ///< of the line that was found
  std::string function = {};  ///< that was called there, mangled
};

/// Whether the search is over.
bool look_at(Search& search, const CodePlace& place) {
  // clang's: in the line of the kernel
  if (place.function && std::strstr(place.function, "__device_stub__")) return false;
  if (!place.file || place.line <= 0 || !is_students(place.file, *search.settings)) {
    if (place.function) search.function = place.function;
    return false;
  }
  const UserSource* const source = search.settings->source(place.file);
  search.found = {source ? source->shown : place.file, place.line};
  search.file = source ? source->file : place.file;  // debug information may spell one path in two ways
  return true;
}

Search students_place(const Stack& stack, const RuntimeSettings& settings) {
  Search search{&settings, {}};
  for (int k = 0; k < stack.depth && search.found.line == 0; ++k)
    for_each_place(stack.at[k], [&](const CodePlace& place) { return look_at(search, place); });
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

HostLine students_line(const Stack& stack, const RuntimeSettings& settings) {
  return students_place(stack, settings).found;
}

LibraryCall library_call(const Stack& stack, const RuntimeSettings& settings) {
  const Search search = students_place(stack, settings);
  return {plain_function_name(search.function), search.file, search.found};
}

std::string plain_function_name(const std::string& mangled) {
  const std::string all = without_types(demangled(mangled));
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
