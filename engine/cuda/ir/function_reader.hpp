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
  /// What LLVM up to 19 notes of a kernel; later ones say it in its head.
  void add_kernel(std::string_view name) { kernels_.emplace(name); }
  /// "attributes #0 = { convergent "nvvm.maxntid"="16,16" }": the bounds of a launch, which LLVM has there
  /// since 21.
  void add_attributes(std::string_view line);

 private:
  void read_head(Scanner&);
  void read_parameter(Scanner&, int number);
  /// Of a head whose parameters have been read.
  void read_behind_parameters(Scanner&);
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
  /// Of a DebugInfo::is_record: one that declares a variable gives its address a name.
  void name_variable(std::string_view record);
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
  std::map<std::string, uint32_t, std::less<>> launch_bounds_;  ///< by the group of attributes, "#0"
  std::map<std::string, std::string, std::less<>> last_label_;  ///< ExpandedBody's
};

}  // namespace bscope::cuda::ir
