// A function of the device code, line by line.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/cuda/ir/constants.hpp"
#include "engine/cuda/ir/debug_info.hpp"
#include "engine/cuda/ir/types.hpp"

namespace bscope::cuda::ir {

class FunctionReader {
 public:
  FunctionReader(Module& m, Types& types, Constants& constants, DebugInfo& notes)
      : module_(m), types_(types), constants_(constants), notes_(notes) {}

  /// "define ... {" and what stands up to its "}". `number`: the first line's.
  void read(std::string_view head, const std::vector<std::string_view>& body, int number);
  void add_kernel(std::string_view name) { kernels_.emplace(name); }

 private:
  void read_head(Scanner&);
  void read_parameter(Scanner&, int number);
  void find_labels(const std::vector<std::string_view>& body);
  void read_instruction(Scanner&);
  /// Throws Unsupported.
  void read_known(Scanner&, Instruction&);
  void read_other(Scanner&, Instruction&, const std::string& to, std::string_view word);
  void read_phi(Scanner&, const std::string& to);
  // one for each form of instructions that compute, and for each other instruction
  void read_compute(Scanner&, Instruction&, const std::string& to, const ComputeInstruction&);
  void read_two(Scanner&, Instruction&, const std::string& to);
  void read_unary(Scanner&, Instruction&, const std::string& to);
  void read_comparison(Scanner&, Instruction&, const std::string& to);
  void read_cast(Scanner&, Instruction&, const std::string& to);
  void read_intrinsic(Instruction&);
#define INSTRUCTION(id, name, read, lower) void read(Scanner&, Instruction&, const std::string& to);
#include "engine/cuda/ir/instructions.def"

  /// Returns the alignment that is among them; 1: none is.
  uint32_t skip_attributes(Scanner&);
  static Ordering ordering(Scanner&);
  void skip_to_type(Scanner&);
  /// Returns whether nsw was among them.
  bool skip_flags(Scanner&);
  const Type& value_type(Scanner&);
  const Type& vector_type(Scanner&);
  Operand register_of(const std::string& name, const Type&);
  Operand operand(Scanner&, const Type&);
  /// The register of a local variable that needs no memory, if one comes.
  const Type* promoted(Scanner&, Operand& at);
  /// "(metadata ptr %5, metadata !18, ...)" of llvm.dbg.declare.
  void name_variable(std::string_view arguments);
  int label(Scanner&);

  Module& module_;
  Types& types_;
  Constants& constants_;
  DebugInfo& notes_;
  Function* f_ = nullptr;
  BasicBlock* block_ = nullptr;
  std::unordered_map<std::string, Operand> registers_;
  std::unordered_map<std::string, int> labels_;
  std::set<std::string, std::less<>> promotable_;
  std::set<std::string, std::less<>> unset_;  ///< those of them that may be read before they are set
  std::unordered_map<std::string, const Type*> promoted_;
  std::set<std::string, std::less<>> kernels_;
  std::map<std::string, std::string, std::less<>> last_label_;  ///< ExpandedBody's
};

}  // namespace bscope::cuda::ir
