// Device code as it is walked through: one list of small steps for each function, on scalars alone, with
// lines, callees and ways resolved.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/cuda/ir/module.hpp"
#include "engine/cuda/machine/builtins.hpp"
#include "engine/cuda/machine/value.hpp"

namespace bscope::cuda {

/// What a step does. The first are instructions that compute, each as its ir::ComputeOp.
enum class BytecodeOp : uint8_t {
#define COMPUTE(id, ...) id,
#include "engine/cuda/ir/instructions.def"
#define STEP(id, ...) id,
#include "engine/cuda/ir/instructions.def"
};
/// What a step does beside making values.
enum class Effect : uint8_t { computes, addresses, loads, stores, atomically, fences, calls, jumps, ends };
constexpr Effect effect_of(BytecodeOp op) {
  constexpr Effect effects[] = {
#define COMPUTE(...) Effect::computes,
#include "engine/cuda/ir/instructions.def"
#define STEP(id, effect, ...) Effect::effect,
#include "engine/cuda/ir/instructions.def"
  };
  return effects[size_t(op)];
}
/// Of a step that computes, its row of the table; nullptr: it is another.
constexpr const ir::ComputeInstruction* compute_row_of(BytecodeOp op) {
  return size_t(op) < std::size(ir::compute_instructions) ? &ir::compute_instructions[size_t(op)] : nullptr;
}

/// Where a thread stands as to a call of a library's function that threads call together.
enum class LibraryStep : uint8_t {
  enter,
  resume,  ///< it is inside, if it was when it last stood in that function
  leave,
};

/// What a jump does to the loops of its function that a thread is in.
class LoopJump {
 public:
  enum LoopStep : uint32_t { none, leave, go_round, enter };
  constexpr LoopJump() = default;
  /// `depth`: in so many of them the thread is behind it. `loop`: the innermost of these, which it goes round
  /// or enters. What does not fit is nothing.
  constexpr LoopJump(LoopStep step, size_t depth, size_t loop)
      : LoopJump(depth > most_depth || loop > most_loops ? 0 : uint32_t(step << 30 | depth << 20 | loop)) {}
  explicit constexpr LoopJump(uint32_t bits) : bits_(bits) {}
  constexpr uint32_t bits() const { return bits_; }
  constexpr LoopStep step() const { return LoopStep(bits_ >> 30); }
  constexpr uint32_t depth() const { return bits_ >> 20 & most_depth; }
  constexpr uint32_t loop() const { return bits_ & most_loops; }

 private:
  static constexpr uint32_t most_depth = (1u << 10) - 1, most_loops = (1u << 20) - 1;
  uint32_t bits_ = 0;
};

struct BytecodeInstruction {
  BytecodeOp op = BytecodeOp::unreachable;
  uint8_t what = 0;            ///< an ir::AtomicRmw, a LibraryStep; of a jump: it is a `return`
  uint8_t bits = 0, from = 0;  ///< of the result or of what is accessed; before a cast
  ir::NumberFormat format = ir::NumberFormat::integer;
  bool is_volatile = false;
  ir::Ordering ordering = ir::Ordering::none;
  bool no_overflow = false;  ///< signed arithmetic
  int16_t file = -1;
  uint16_t line = 0;
  ir::Operand to = -1, a = 0, b = 0, c = 0;
  uint32_t index = 0;
  int64_t number = 0;

  /// Of a jump, by its target.
  LoopJump loop_jump_to_b() const { return LoopJump(uint32_t(uint64_t(number))); }
  LoopJump loop_jump_to_c() const { return LoopJump(uint32_t(uint64_t(number) >> 32)); }
  void set_loop_jump(ir::Operand BytecodeInstruction::*target, LoopJump jump) {
    const bool to_c = target == &BytecodeInstruction::c;
    number = int64_t(uint64_t(number) | uint64_t(jump.bits()) << (to_c ? 32 : 0));
  }
};

struct BytecodeFunction;
struct Call {
  const BytecodeFunction* code = nullptr;  ///< none: a builtin, or through a pointer (the step's a)
  Builtin builtin = {};
  std::string name;
  std::vector<ir::Operand> arguments = {};  ///< scalars, one behind the other
  std::vector<uint32_t> aligns = {};        ///< of what each points to
  int32_t results = 0;                      ///< registers
  ElementType copied = ElementType::other;  ///< of a copy to or from a local variable: what it is made of
  bool computes = false;  ///< a builtin whose result depends on its thread's arguments alone
};
struct SwitchTable {
  std::vector<std::pair<uint64_t, int32_t>> cases;  ///< value, step
  std::vector<LoopJump> loop_jumps = {};            ///< of each case
};

/// A function.
struct BytecodeFunction {
  const ir::Function* function = nullptr;
  std::vector<BytecodeInstruction> steps;
  std::vector<Value> constants;  ///< backwards: the last is the operand -1
  int32_t registers = 0;
  std::vector<std::vector<ir::Instruction::Scaled>> addresses;
  std::vector<Call> calls;
  std::vector<SwitchTable> choices;
  std::vector<std::string> sentences;  ///< of what is not supported
  std::vector<ir::Location> loops;     ///< where each begins, with its file among all modules'
};

/// The functions of all modules.
class BytecodeProgram {
 public:
  /// Takes a module in; returns its number. Throws std::runtime_error.
  int add(std::string_view llvm_ir, const std::vector<std::string>& our_folders);
  const std::vector<std::unique_ptr<ir::Module>>& modules() const { return modules_; }
  /// How many kernels the program's own files have.
  uint64_t kernels() const { return kernels_; }
  const BytecodeFunction& code(const ir::Function& f) const { return *codes_.at(&f); }
  /// The function that a pointer means; nullptr: none, or one that has no body.
  const BytecodeFunction* at(uint64_t address) const;
  /// A function by its mangled name, in whichever module it has a body.
  const BytecodeFunction* find(const std::string& mangled) const;
  /// Shared arrays that a kernel and all that it may call name; each with its module's number.
  struct SharedVariable {
    const ir::GlobalVariable* global;
    uint64_t number;  ///< among all modules' variables
  };
  std::vector<SharedVariable> shared_of(const ir::Function& kernel) const;
  /// The path of a file of debug info, and its number among all modules' files.
  const std::vector<std::string>& files() const { return files_; }
  /// The number of the file of that path, which is taken in where no module names it.
  int file_number(const std::string& path);
  /// Whether a file (its number among all) is one of Barrierscope's own headers.
  bool is_ours(int file) const { return ours_[size_t(file)]; }
  int first_file(int module) const { return first_file_[size_t(module)]; }
  /// What a next module would live beside.
  const ir::Beside& beside() const { return beside_; }
  int module_of(const ir::Function& f) const { return module_of_.at(&f); }
  /// The calls of a library's collective functions in all modules, each by the function's name.
  const std::vector<std::string>& library_calls() const { return library_calls_; }

 private:
  std::vector<std::unique_ptr<ir::Module>> modules_;
  uint64_t kernels_ = 0;
  std::unordered_map<const ir::Function*, std::unique_ptr<BytecodeFunction>> codes_;
  std::unordered_map<const ir::Function*, int> module_of_;
  std::vector<std::string> files_;
  std::vector<bool> ours_;
  std::vector<std::string> library_calls_;
  std::vector<int> first_file_;
  ir::Beside beside_;
};

/// Where the k-th scalar of a value stands.
constexpr ir::Operand part(ir::Operand o, int k) { return o >= 0 ? o + k : o - k; }

}  // namespace bscope::cuda
