// Types as the device code spells them, each made and laid out once.
#pragma once

#include <map>
#include <set>
#include <string>

#include "engine/cuda/ir/module.hpp"
#include "engine/cuda/ir/scanner.hpp"

namespace bscope::cuda::ir {

class Types {
 public:
  explicit Types(Module& m) : module_(m) {}

  /// "%name = type {...}": what it holds is read when it is asked for.
  void define(Scanner&);
  bool comes(Scanner&);
  const Type& read(Scanner&);
  /// That of an index: an integer of at most 64 bits, or the text is refused.
  const Type& read_of_index(Scanner&);
  const Type& integer(uint32_t bits);
  const Type& simple(Type::TypeID);
  const Type& pair_of(const Type& a, const Type& b) {
    return made({.kind = Type::structure, .parts = {&a, &b}});
  }
  const Type& vector_of(const Type& element, uint64_t count);
  /// "addrspace(3)"; 0 where none comes.
  static int space(Scanner&);

 private:
  const Type& made(Type);
  const Type& named(Scanner&, const std::string& name);
  const Type& structure(Scanner&);
  const Type& counted(Scanner&);

  Module& module_;
  std::map<std::string, Scanner> texts_;
  std::map<std::string, const Type*> named_;
  std::map<uint32_t, const Type*> integers_;
  std::map<Type::TypeID, const Type*> simple_;
  std::set<std::string> under_way_;
  int depth_ = 0;
};

}  // namespace bscope::cuda::ir
