#include "engine/cuda/ir/promote.hpp"

#include <map>

#include "engine/cuda/ir/debug_info.hpp"
#include "engine/cuda/ir/scanner.hpp"

namespace bscope::cuda::ir {
namespace {

/// "load volatile i32, ptr %3": the type and the address behind it; the type is empty where it is no such
/// line.
struct MemoryOperand {
  std::string_view type, address;
};
MemoryOperand access_in(std::string_view line, std::string_view verb, std::string_view before_address) {
  const size_t at = line.find(verb);
  if (at == std::string_view::npos) return {};
  std::string_view rest = line.substr(at + verb.size());
  if (rest.starts_with("volatile ")) rest.remove_prefix(9);
  const size_t address = rest.find(before_address);
  if (address == std::string_view::npos) return {};
  return {rest.substr(0, rest.find_first_of(" ,")), rest.substr(address + before_address.size())};
}

std::string_view name_at(std::string_view s) {
  size_t n = 0;
  while (n < s.size() && (std::isalnum(static_cast<unsigned char>(s[n])) != 0 || s[n] == '_' || s[n] == '.' ||
                          s[n] == '$' || s[n] == '-'))
    ++n;
  return s.substr(0, n);
}

bool begins_scalar(std::string_view type) {
  return type == "ptr" || type == "float" || type == "double" || (type.size() > 1 && type[0] == 'i');
}

}  // namespace

std::set<std::string, std::less<>> registers_among(const std::vector<std::string_view>& body) {
  std::map<std::string_view, std::string_view> candidates;  // name, type
  for (const std::string_view line : body) {
    const size_t at = line.find(" = alloca ");
    if (at == std::string_view::npos || line.find('%') >= at) continue;
    const std::string_view rest = line.substr(at + 10), type = rest.substr(0, rest.find_first_of(" ,"));
    const std::string_view behind = rest.substr(std::min(rest.size(), type.size()));
    if (begins_scalar(type) && behind.starts_with(", align"))
      candidates[name_at(line.substr(line.find('%') + 1))] = type;
  }
  for (const std::string_view line : body) {
    if (line.find(" = alloca ") != std::string_view::npos || DebugInfo::is_record(line)) continue;
    const bool stores = line.starts_with("  store ");
    const MemoryOperand a =
        stores ? access_in(line, "store ", ", ptr %") : access_in(line, " = load ", ", ptr %");
    const std::string_view address = a.type.empty() ? std::string_view() : name_at(a.address);
    for (size_t k = line.find('%'); k != std::string_view::npos; k = line.find('%', k + 1)) {
      const std::string_view name = name_at(line.substr(k + 1));
      const auto candidate = candidates.find(name);
      if (candidate == candidates.end()) continue;
      const bool as_address =
          !address.empty() && name.data() == address.data() && a.type == candidate->second;
      if (!as_address) candidates.erase(candidate);
    }
  }
  std::set<std::string, std::less<>> out;
  for (const auto& [name, type] : candidates) out.emplace(name);
  return out;
}

std::set<std::string, std::less<>> unset_at_first(const std::vector<std::string_view>& body,
                                                  const std::set<std::string, std::less<>>& names) {
  std::set<std::string, std::less<>> unset = names, read;
  for (const std::string_view line : body) {
    const auto ends = [&](const char* word) { return line.starts_with(word); };
    if (ends("  br ") || ends("  switch ") || ends("  ret ") || ends("  unreachable")) break;
    const std::string_view stored = access_in(line, "  store ", ", ptr %").address,
                           loaded = access_in(line, " = load ", ", ptr %").address;
    if (!loaded.empty()) read.emplace(name_at(loaded));
    if (stored.empty()) continue;
    const auto set = unset.find(name_at(stored));
    if (set != unset.end() && !read.contains(*set)) unset.erase(set);
  }
  return unset;
}

}  // namespace bscope::cuda::ir
