// Constants as the device code spells them: numbers, strings, addresses, and expressions of them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/cuda/ir/types.hpp"

namespace bscope::cuda::ir {

class Constants {
 public:
  Constants(Module& m, Types& types) : module_(m), types_(types) {}

  void add_global(const std::string& name, int number) { globals_[name] = number; }
  /// The bits of each scalar of a constant of that type.
  std::vector<uint64_t> read(Scanner&, const Type&);
  /// Where the constant's scalars lie in memory.
  static void put(const Type&, const std::vector<uint64_t>&, std::vector<uint8_t>& bytes);
  /// Whether a constant begins with that keyword.
  static bool begins(std::string_view word);
  /// Called for each global that a constant names.
  std::function<void(int global)> names = {};

 private:
  void add(Scanner&, const Type&, std::vector<uint64_t>& to);
  void add_string(Scanner&, std::vector<uint64_t>& to);
  void add_parts(Scanner&, std::vector<uint64_t>& to);
  void add_splat(Scanner&, const Type&, std::vector<uint64_t>& to);
  uint64_t number(Scanner&, const Type&);
  uint64_t address_of(Scanner&, const std::string& name);
  uint64_t element_address(Scanner&);

  Module& module_;
  Types& types_;
  std::map<std::string, int, std::less<>> globals_;
  std::map<std::string, uint64_t, std::less<>> functions_;
  int depth_ = 0;
};

/// The number of so many bits, at least one, as one of 64 that may be below zero.
constexpr int64_t sign_extended(uint64_t bits, int width) {
  return width >= 64 ? int64_t(bits) : int64_t(bits << (64 - width)) >> (64 - width);
}
constexpr uint64_t cut_to(uint64_t bits, int width) {
  return width >= 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}

}  // namespace bscope::cuda::ir
