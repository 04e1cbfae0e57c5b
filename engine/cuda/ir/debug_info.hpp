// What clang notes of the source: lines, files, the names of variables and their types.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/cuda/ir/module.hpp"

namespace bscope::cuda::ir {

class DebugInfo {
 public:
  /// `folders`: what stands in their files was written for the place that it was inlined into.
  DebugInfo(Module& m, const std::vector<std::string>& folders) : module_(m), folders_(folders) {}

  /// "!12 = distinct !DISubprogram(name: ...)".
  void note(std::string_view line);
  /// "!12", as it stands behind !dbg in a line; empty: none does.
  static std::string_view id_in(std::string_view line);

  /// Whether a line of a function only tells debuggers something: "#dbg_declare(ptr %5, !18, ...)" of LLVM 19
  /// and later, "call void @llvm.dbg.declare(metadata ptr %5, metadata !18, ...)" of those before.
  static bool is_record(std::string_view line);

  /// Of a !DILocation; the place that it was inlined into, as often as it stands in one of the folders, or in
  /// another file than the function that it was inlined into: its line would be taken for one of that file.
  Location location(std::string_view id);
  /// Of a !DISubprogram: where it begins, and what the source calls it.
  Location begin_of(std::string_view function);
  std::string name_of(std::string_view id) const;
  /// "BlockReduce::Sum": what the source calls a function of CUB or libcu++ that threads call together, by
  /// any scope in it; empty: it is no such function.
  std::string library_name(std::string_view scope) const;
  /// Whether a file stands in one of the folders.
  bool is_ours(int file) const;
  /// Names the function's parameters and what they point to.
  void name_parameters(std::string_view function, std::vector<FunctionParameter>&) const;
  /// "unsigned int", of a global of that name: what its type comes to behind arrays and qualifiers.
  std::string element_of_global(const std::string& linkage_name) const;

 private:
  std::string_view text(std::string_view id) const;
  /// What a type comes to behind pointers, arrays and structs of one scalar type; empty: it holds several.
  std::string element(std::string_view type) const;
  std::string element(std::string_view type, int& left) const;
  std::string element_of_members(std::string_view members, int& left) const;
  int file_of(std::string_view scope);
  int library_call(std::string_view inlined_at, std::string_view scope);
  struct KnownLocation {
    Location at;
    bool is_ours = false;  ///< its own file stands in one of the folders
    int around = -1;       ///< the file of the function that all of it was inlined into
  };
  KnownLocation known_location(std::string_view id);

  Module& module_;
  const std::vector<std::string>& folders_;
  std::unordered_map<std::string_view, std::string_view> texts_;
  std::unordered_map<std::string_view, KnownLocation> locations_;
  std::unordered_map<std::string_view, int> library_calls_;  ///< by where they were inlined
  std::unordered_map<std::string_view, std::vector<std::pair<int, std::string_view>>> parameters_;
  std::map<std::string, std::string_view, std::less<>> types_of_globals_;
};

}  // namespace bscope::cuda::ir
