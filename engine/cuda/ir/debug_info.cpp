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

/// "BlockReduce", of "BlockReduce<int, 256>".
std::string_view before_template(std::string_view name) { return name.substr(0, name.find('<')); }

/// "barrier", of libcu++'s "__barrier_base".
std::string_view public_name(std::string_view type) {
  type.remove_prefix(std::min(type.find_first_not_of('_'), type.size()));
  return type.ends_with("_base") ? type.substr(0, type.size() - 5) : type;
}

/// "BlockReduce::Sum", where threads call that function of a library's class together; empty: each calls it
/// for itself.
std::string collective(std::string_view space, std::string_view type, std::string_view function) {
  const std::string_view made = public_name(type);
  if (function.empty() || function == type || function.starts_with('~')) return {};
  if (space == "cub")
    return made.starts_with("Block") || made.starts_with("Warp")
               ? std::string(made) + "::" + std::string(function)
               : std::string();
  if (space != "cuda") return {};
  if (type.empty()) return function.starts_with("memcpy_async") ? std::string(function) : std::string();
  constexpr std::string_view waited_for[] = {"barrier", "latch", "counting_semaphore", "pipeline"};
  const bool waits =
      std::ranges::find(waited_for, made) != std::end(waited_for) && !function.starts_with('_');
  return waits ? std::string(made) + "::" + std::string(function) : std::string();
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

bool DebugInfo::is_record(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(' '), line.size())).starts_with("#dbg_") ||
         line.find("@llvm.dbg.") != std::string_view::npos;
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

bool DebugInfo::is_ours(int file) const {
  return file >= 0 && std::ranges::any_of(folders_, [&](const std::string& folder) {
           return module_.files[size_t(file)].starts_with(folder);
         });
}

/// The number of the call that was inlined there; -1: its function is none that threads call together.
int DebugInfo::library_call(std::string_view inlined_at, std::string_view scope) {
  const auto [known, fresh] = library_calls_.try_emplace(inlined_at, -1);
  if (!fresh) return known->second;
  std::string name = library_name(scope);
  if (name.empty()) return -1;
  module_.library_calls.push_back(std::move(name));
  return known->second = int(module_.library_calls.size()) - 1;
}

Location DebugInfo::location(std::string_view id) { return known_location(id).at; }

/// Of the functions that it was inlined with, the outermost one of a library's that the student's code calls
/// counts: what that calls in turn, or is given to call, is inside it.
DebugInfo::KnownLocation DebugInfo::known_location(std::string_view id) {
  if (id.empty()) return {};
  const auto [known, fresh] = locations_.try_emplace(id);
  if (!fresh) return known->second;
  const std::string_view of = text(id), scope = field(of, "scope"), around = field(of, "inlinedAt");
  KnownLocation out{{file_of(scope), uint32_t(std::max(0, number(field(of, "line"))))}};
  out.is_ours = is_ours(out.at.file);
  out.around = out.at.file;
  if (!around.empty()) {
    const KnownLocation caller = known_location(around);
    out.around = caller.around;
    if (out.is_ours || out.at.file != out.around) out.at = caller.at;
    out.at.call = caller.at.call;
    if (out.at.call < 0 && out.is_ours && !caller.is_ours) out.at.call = library_call(around, scope);
  }
  return locations_[id] = out;
}

std::string DebugInfo::library_name(std::string_view scope) const {
  for (int depth = 0; depth < 64 && text(scope).find("!DISubprogram(") == std::string_view::npos; ++depth)
    scope = field(text(scope), "scope");
  const std::string_view name = before_template(field(text(scope), "name"));
  std::string_view type, space;
  for (int depth = 0; depth < 64 && !scope.empty(); ++depth) {
    scope = field(text(scope), "scope");
    const std::string_view of = text(scope);
    if (of.find("!DICompositeType(") != std::string_view::npos) type = before_template(field(of, "name"));
    if (of.find("!DINamespace(") != std::string_view::npos) space = field(of, "name");
  }
  return collective(space, type, name);
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
  for (size_t at = members.find('!', 1); at != std::string_view::npos; at = members.find('!', at + 1)) {
    const std::string_view of = text(members.substr(at, members.find_first_of(",}", at) - at));
    const bool holds = of.find("DW_TAG_member") != std::string_view::npos ||
                       of.find("DW_TAG_inheritance") != std::string_view::npos;
    if (!holds || of.find("DIFlagStaticMember") != std::string_view::npos) continue;
    const std::string one = element(field(of, "baseType"), left);
    if (one.empty() && of.find("DW_TAG_inheritance") != std::string_view::npos)
      continue;  // a base that holds nothing
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
