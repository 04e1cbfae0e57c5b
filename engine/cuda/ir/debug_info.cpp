#include "engine/cuda/ir/debug_info.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace bscope::cuda::ir {
namespace {

constexpr int most_types = 200;  // that are looked at to say what one is made of

/// What stands behind `key: ` in "!DILocation(line: 3, scope: !4)"; empty: nothing does.
std::string_view field(std::string_view s, std::string_view key) {
  for (size_t at = s.find(key); at != std::string_view::npos; at = s.find(key, at + 1)) {
    const bool begins = at > 0 && (s[at - 1] == '(' || s[at - 1] == ' ');
    if (!begins || s.substr(at + key.size(), 2) != ": ") continue;
    const std::string_view value = s.substr(at + key.size() + 2);
    if (value.starts_with('"')) return value.substr(1, value.find('"', 1) - 1);
    return value.substr(0, value.find_first_of(",)"));
  }
  return {};
}

int number(std::string_view s) {
  int n = 0;
  std::from_chars(s.data(), s.data() + s.size(), n);
  return n;
}

}  // namespace

void DebugInfo::note(std::string_view line) {
  const size_t equals = line.find(" = ");
  if (equals == std::string_view::npos) return;
  const std::string_view id = line.substr(0, equals), what = line.substr(equals + 3);
  texts_[id] = what;
  if (what.starts_with("!DILocalVariable(")) {
    if (const int n = number(field(what, "arg"))) parameters_[field(what, "scope")].emplace_back(n, id);
  } else if (what.find("!DIGlobalVariable(") != std::string_view::npos) {
    const std::string_view linkage = field(what, "linkageName");
    types_of_globals_[std::string(linkage.empty() ? field(what, "name") : linkage)] = field(what, "type");
  }
}

std::string_view DebugInfo::id_in(std::string_view line) {
  const size_t at = line.find("!dbg ");
  if (at == std::string_view::npos) return {};
  size_t end = at + 6;
  while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end]))) ++end;
  return line.substr(at + 5, end - at - 5);
}

std::string_view DebugInfo::text(std::string_view id) const {
  const auto it = texts_.find(id);
  return it == texts_.end() ? std::string_view() : it->second;
}

int DebugInfo::file_of(std::string_view scope) {
  for (int depth = 0; depth < 64 && !scope.empty(); ++depth) {
    const std::string_view of = text(scope);
    if (const std::string_view file = field(of, "file"); !file.empty()) {
      std::string path(field(text(file), "filename"));
      if (!path.empty() && path[0] != '/') path = std::string(field(text(file), "directory")) + "/" + path;
      const auto known = std::ranges::find(module_.files, path);
      if (known == module_.files.end()) {
        module_.files.push_back(path);
        return int(module_.files.size()) - 1;
      }
      return int(known - module_.files.begin());
    }
    scope = field(of, "scope");
  }
  return -1;
}

Location DebugInfo::location(std::string_view id) {
  if (id.empty()) return {};
  if (const auto known = locations_.find(id); known != locations_.end()) return known->second;
  Location out;
  std::string_view at = id;
  for (int depth = 0; depth < 64; ++depth) {
    const std::string_view of = text(at);
    out = {file_of(field(of, "scope")), uint32_t(std::max(0, number(field(of, "line"))))};
    at = field(of, "inlinedAt");
    const auto stands_in = [&](const std::string& folder) {
      return out.file >= 0 && module_.files[size_t(out.file)].starts_with(folder);
    };
    if (at.empty() || std::ranges::none_of(folders_, stands_in)) break;
  }
  return locations_[id] = out;
}

Location DebugInfo::begin_of(std::string_view function) {
  return {file_of(function), uint32_t(std::max(0, number(field(text(function), "line"))))};
}

std::string DebugInfo::name_of(std::string_view id) const { return std::string(field(text(id), "name")); }

std::string DebugInfo::element(std::string_view type) const {
  int left = most_types;
  return element(type, left);
}
std::string DebugInfo::element(std::string_view type, int& left) const {
  while (--left > 0) {
    const std::string_view of = text(type);
    if (of.starts_with("!DIBasicType(")) return std::string(field(of, "name"));
    const bool composed = of.find("!DICompositeType(") != std::string_view::npos;
    if (composed && of.find("DW_TAG_array_type") == std::string_view::npos)
      return element_of_members(text(field(of, "elements")), left);
    type = field(of, "baseType");
    if (type.empty()) return {};
  }
  return {};
}

/// "!{!13, !14}": what all of them are made of, if that is one.
std::string DebugInfo::element_of_members(std::string_view members, int& left) const {
  std::string all;
  for (size_t at = members.find("!", 1); at != std::string_view::npos; at = members.find('!', at + 1)) {
    const std::string_view of = text(members.substr(at, members.find_first_of(",}", at) - at));
    const bool holds = of.find("DW_TAG_member") != std::string_view::npos ||
                       of.find("DW_TAG_inheritance") != std::string_view::npos;
    if (!holds || of.find("DIFlagStaticMember") != std::string_view::npos) continue;
    const std::string one = element(field(of, "baseType"), left);
    if (one.empty() || (!all.empty() && one != all)) return {};
    all = one;
  }
  return all;
}

void DebugInfo::name_parameters(std::string_view function, std::vector<FunctionParameter>& all) const {
  const auto it = parameters_.find(function);
  if (it == parameters_.end()) return;
  for (const auto& [number, id] : it->second) {
    if (number < 1 || size_t(number) > all.size()) continue;
    all[size_t(number) - 1].name = name_of(id);
    all[size_t(number) - 1].element = element(field(text(id), "type"));
  }
}

std::string DebugInfo::element_of_global(const std::string& linkage_name) const {
  const auto it = types_of_globals_.find(linkage_name);
  return it == types_of_globals_.end() ? std::string() : element(it->second);
}

}  // namespace bscope::cuda::ir
