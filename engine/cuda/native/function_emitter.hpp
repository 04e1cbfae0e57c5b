// One function's steps as C.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/cuda/native/emitter.hpp"
#include "engine/cuda/native/row_shapes.hpp"

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
/// Registers that it is given.
int parameters_of(const BytecodeFunction&);
/// __syncthreads()
bool is_barrier(const BytecodeFunction&, const BytecodeInstruction&);
/// What a register is called in C, and "f(a, b)".
std::string register_name(ir::Operand);
std::string call_text(const std::string& f, std::initializer_list<std::string> arguments);

/// An access that counts its elements from a pointer on that is the same in all threads of a launch.
struct ElementSite {
  int site = 0;
  uint64_t bytes = 0;        ///< of an element
  ir::Operand origin = 0;    ///< a parameter of the kernel, where it is not negative
  std::string literal = {};  ///< else the pointer itself
};

class FunctionEmitter {
 public:
  enum Form : uint8_t {
    called,
    kernel,
    resumable,  ///< a kernel that returns at its barriers, as NativeText::resumable says
  };
  FunctionEmitter(NativeUnit& unit, const BytecodeFunction& code, Form form);
  /// A static C function of that number.
  std::string definition(int number);
  /// Where threads of a row can run in segments, of a kernel: 0, its beginning, or the number of a barrier.
  const std::vector<uint32_t>& segments() const { return segments_; }
  /// C functions that find the next segment from there on: find_segment_NUMBER.
  std::string segment_definition(int number, uint32_t from) const;
  /// Values that a probe notes.
  int notes() const { return notes_; }
  /// C that makes accesses of one pointer the same to a compiler, and says where they are not.
  std::string shared_sites() const;
  /// Of a kernel: its accesses to elements.
  const std::vector<ElementSite>& element_sites() const { return element_sites_; }
  /// Bytes of local memory that a call takes, for variables whose addresses go about.
  uint64_t local_bytes() const { return local_bytes_; }
  /// Words that a resumable one keeps of each thread: its registers, and arrays. Those that are kept once.
  uint64_t kept_words() const { return kept_words_; }
  uint64_t array_words() const { return array_words_; }
  uint64_t same_words() const { return same_words_; }
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
  void lay_out_kept();
  void find_made_again();
  std::string variables() const;
  std::string result_type(int results) const;

  void find_segments();
  bool is_in_segments(size_t step) const;
  bool is_guard(size_t branch) const;
  bool is_even(ir::Operand) const;
  const BytecodeInstruction* only_setter(ir::Operand) const;
  bool notes_index(ir::Operand index, int bits) const;
  bool notes_address(ir::Operand address) const;
  void number_notes(size_t step);
  std::string note_of(const BytecodeInstruction& s) const { return std::to_string(note_of_[index_of(s)]); }
  std::string noted(const BytecodeInstruction&, const std::string& statement) const;
  std::string guard(size_t branch) const;
  std::string parameters() const;
  size_t index_of(const BytecodeInstruction& s) const { return size_t(&s - code_.steps.data()); }
  ir::Operand root_of(ir::Operand) const;

  std::string statement(size_t k);
  std::string new_variable(size_t k) const;
  static std::string assigned(const BytecodeInstruction&, const std::string& value);
  std::string computed(const BytecodeInstruction&, std::string_view function) const;
  std::string address(const BytecodeInstruction&) const;
  std::string access(const BytecodeInstruction&);
  struct Element {
    ir::Operand origin;
    std::string index;
  };
  std::optional<Element> element_at(const BytecodeInstruction& access, uint64_t bytes) const;
  bool adds_elements(size_t step, size_t access, uint64_t bytes, std::string& index) const;
  bool is_set_before_branches(size_t step) const;
  std::string select(const BytecodeInstruction&) const;
  std::string element(const BytecodeInstruction&);
  /// A call's results to their registers.
  static std::string with_results(const BytecodeInstruction&, const BytecodeFunction& callee, int wanted,
                                  const std::string& call);
  std::string call(const BytecodeInstruction&);
  std::string barrier(const BytecodeInstruction&);
  struct Kept {
    std::string keep, take;
  };
  std::string made_again(const BytecodeInstruction&) const;
  Kept kept_at(int barrier) const;
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
  int add_site(const BytecodeInstruction&, int step, uint8_t operand, bool writes, uint64_t bytes);

  NativeUnit& unit_;
  const BytecodeFunction code_;
  std::vector<int32_t> own_;     ///< of each register: the variable that it points into
  std::vector<uint64_t> begin_;  ///< of each step that is a variable in local memory
  std::vector<bool> target_;     ///< steps that are jump targets
  uint64_t local_bytes_ = 0, own_bytes_ = 0;
  Form form_;
  bool turns_ = false;  ///< it has loops or calls: it counts turns
  int barriers_ = 0;
  uint64_t kept_words_ = 0, array_words_ = 0, same_words_ = 0;
  std::vector<std::vector<ir::Operand>> live_;  ///< registers, behind each barrier in the order of the steps
  std::vector<bool> same_;                      ///< registers that are the same in all threads
  std::vector<int32_t> made_again_;  ///< of each register the step that makes it again; -1: it is kept
  std::vector<int> site_of_;         ///< of each step that accesses memory: the first; -1: none
  std::vector<ElementSite> element_sites_;
  std::vector<int> times_set_;    ///< of each register
  std::vector<RowShape> shapes_;  ///< of each register of a kernel
  std::vector<uint32_t> segments_;
  std::vector<int> guards_;  ///< steps that are one: their note is that of their comparison
  int notes_ = 0;
  std::vector<int32_t> set_by_;  ///< the last step that sets each of them; -1: none does
  std::vector<int> note_of_;     ///< of each step, the first; 0 where no probe comes
};

}  // namespace bscope::cuda
