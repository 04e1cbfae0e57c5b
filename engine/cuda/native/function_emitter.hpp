// One function's steps as C.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/cuda/native/emitter.hpp"

namespace bscope::cuda {

/// What the functions of one text have in common.
struct NativeUnit {
  const BytecodeProgram& program;
  int file;                                                  ///< whose lines are the kernel's own
  NativeText& made;                                          ///< `text` is put together at the end
  std::unordered_map<const BytecodeFunction*, int> numbers;  ///< of the functions that are written already
  /// Those of them that show what other threads do: a loop around a call may wait.
  std::unordered_set<const BytecodeFunction*> waited_for;
};

/// What the C function of that number is called.
std::string function_name(int number);

/// The function that a call means; nullptr: none that has a body.
const BytecodeFunction* callee_of(const BytecodeProgram&, const Call&);
/// Whether a loop around a call of the function can hang on what another thread does. The functions that it
/// calls are written already.
bool may_wait(const NativeUnit&, const BytecodeFunction&);
/// Registers that a function returns.
int results_of(const BytecodeFunction&);

class FunctionEmitter {
 public:
  /// `resumable`: it returns at its barriers, as NativeText::resumable says.
  FunctionEmitter(NativeUnit& unit, const BytecodeFunction& code, bool resumable = false);
  /// A static C function of that number.
  std::string definition(int number);
  /// Bytes of local memory that a call takes, for variables whose addresses go about.
  uint64_t local_bytes() const { return local_bytes_; }
  /// Words that a resumable one keeps of each thread.
  uint64_t kept_words() const { return kept_words_; }
  /// Barriers of its own.
  int barriers() const { return barriers_; }
  /// Bytes on the stack of the processor's own.
  uint64_t stack_bytes() const { return own_bytes_ + 8 * uint64_t(code_.registers); }

 private:
  std::string operand(ir::Operand) const;
  std::string operand(ir::Operand first, int k) const { return operand(part(first, k)); }
  std::string line(const BytecodeInstruction&) const;
  bool is_own(ir::Operand o) const { return o >= 0 && own_[size_t(o)] >= 0; }
  std::string own_name(ir::Operand o) const { return "own" + std::to_string(own_[size_t(o)]); }
  void place_variables();
  void find_targets();

  std::string statement(size_t k);
  std::string new_variable(size_t k) const;
  static std::string assigned(const BytecodeInstruction&, const std::string& value);
  std::string computed(const BytecodeInstruction&, std::string_view function) const;
  std::string address(const BytecodeInstruction&) const;
  std::string access(const BytecodeInstruction&);
  std::string select(const BytecodeInstruction&) const;
  std::string element(const BytecodeInstruction&);
  std::string call(const BytecodeInstruction&);
  std::string barrier(const BytecodeInstruction&);
  std::string builtin(const BytecodeInstruction&);
  std::string copy(const BytecodeInstruction&, const Call&);
  std::string ret(const BytecodeInstruction&) const;
  std::string go(size_t from, int32_t to, const BytecodeInstruction&);
  std::string branch(size_t k);
  std::string switch_(size_t k);

  /// Leaves a step to the interpreter: with these operands, and its results to registers from `to` on.
  std::string left(const BytecodeInstruction&, std::vector<std::string> operands, ir::Operand to,
                   int results);
  std::string ended(const BytecodeInstruction&);
  int add_left(BytecodeInstruction, std::span<const ir::Operand> operands_as);
  int add_left_call(const BytecodeInstruction&);
  int add_site(int step, uint8_t operand, bool writes, uint64_t bytes);

  NativeUnit& unit_;
  const BytecodeFunction& code_;
  std::vector<int32_t> own_;     ///< of each register: the variable that it points into
  std::vector<uint64_t> begin_;  ///< of each step that is a variable in local memory
  std::vector<bool> target_;     ///< steps that are jump targets
  uint64_t local_bytes_ = 0, own_bytes_ = 0;
  bool resumable_ = false;
  int barriers_ = 0;
  uint64_t kept_words_ = 0;
  std::vector<std::vector<ir::Operand>> live_;  ///< registers, behind each barrier in the order of the steps
};

}  // namespace bscope::cuda
