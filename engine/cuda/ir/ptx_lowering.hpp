// From PTX's instructions to LLVM's, as lines of text: what inline_asm.cpp puts in place of an asm. The
// language: https://docs.nvidia.com/cuda/parallel-thread-execution.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/ir/ptx.hpp"

namespace bscope::cuda::ir {

/// Types as LLVM's text has them.
inline const std::string i1 = "i1", i32 = "i32", i64 = "i64";

/// A value as LLVM's text has it: "%5" of the type "i32".
struct LlvmValue {
  std::string text, type;
};

/// "u32" of an opcode.
struct PtxType {
  char letter = 0;  ///< u, s, b, f, or p: a predicate
  int bits = 0;
  std::string llvm() const;  ///< "i32", "float"
  bool is_float() const { return letter == 'f'; }
  bool is_signed() const { return letter == 's'; }
  std::string suffix() const;  ///< "u32", as our builtins' names end; of plain bits unsigned
};
std::optional<PtxType> ptx_type(std::string_view word);

class PtxLowering {
 public:
  /// Lines are added behind `lines`, each with `debug` at its end. `number`: of the next name, of all asm of
  /// a function. `label`: of the block that the lines belong to, which may change.
  PtxLowering(std::vector<std::string>& lines, std::string debug, int& number, std::string& label,
              bool in_kernel)
      : lines_(lines), debug_(std::move(debug)), number_(number), label_(label), in_kernel_(in_kernel) {}

  void set(const std::string& name, LlvmValue v) { values_[name] = std::move(v); }
  /// Throws Unsupported.
  void run(const std::vector<PtxStatement>&);
  /// What a register holds in the end.
  LlvmValue result(const std::string& name, const std::string& type);
  /// Defines a name of the function around.
  void define(std::string_view name, const std::string& instruction) {
    line(std::string(name) + " = " + instruction);
  }

 private:
  using Handler = void (PtxLowering::*)();
  struct Row {
    std::string_view name;
    Handler handler;
    std::string_view modifiers;  ///< the words that are known behind the name, but types
    bool has_effect = false;     ///< it must not be done where its guard does not hold
  };
  static std::span<const Row> arithmetic_rows(), memory_rows(), warp_rows();
  static const Row* row_named(std::string_view);

  void statement(const PtxStatement&);
  void check(const Row&) const;
  [[noreturn]] void refuse() const;

  // what is written
  void line(const std::string& text) { lines_.push_back("  " + text + debug_); }
  std::string fresh() { return "%ptx." + std::to_string(number_++); }
  LlvmValue make(const std::string& type, const std::string& instruction);
  LlvmValue call(const std::string& type, const std::string& callee, const std::vector<LlvmValue>& arguments);
  void call_nothing(const std::string& callee, const std::vector<LlvmValue>& arguments = {});
  LlvmValue binary(const std::string& op, const LlvmValue& a, const LlvmValue& b);
  LlvmValue compared(const std::string& op, const LlvmValue& a, const LlvmValue& b);
  LlvmValue selected(const LlvmValue& condition, const LlvmValue& yes, const LlvmValue& no);
  LlvmValue converted(const LlvmValue&, const std::string& type);
  LlvmValue extended(const LlvmValue&, const std::string& type, bool with_sign);
  static LlvmValue constant(int64_t, const std::string& type);

  // what the statement says
  bool has(std::string_view word) const;
  /// The n-th type among the words, from 0 on.
  PtxType type(int n = 0) const;
  size_t count() const { return s_->operands.size(); }
  const PtxOperand& at(size_t k) const;
  LlvmValue in(size_t k, const std::string& type) { return value_of(at(k), type); }
  LlvmValue value_of(const PtxOperand&, const std::string& type);
  LlvmValue special(const std::string& name);
  void out(size_t k, const LlvmValue& v) { assign(at(k), v); }
  void assign(const PtxOperand&, const LlvmValue&);
  LlvmValue address(const PtxOperand&);
  LlvmValue from_shared(const LlvmValue& offset);
  LlvmValue to_shared(const LlvmValue& pointer);
  std::string scope() const;
  void fence_of_scope(std::string_view part = "");
  void set_scope();
  bool acquires() const { return has("acquire") || has("acq_rel") || has("sc"); }
  bool releases() const { return has("release") || has("acq_rel") || has("sc"); }

  // ptx_arithmetic.cpp
  void declare();
  void two();
  void multiply();
  void carrying();
  void divide();
  void one();
  void extreme();
  void shift();
  void funnel();
  void count_bits();
  void find_bit();
  void extract_field();
  void insert_field();
  void permute();
  void three_way_logic();
  void compare();
  void select();
  void sum_of_differences();
  void dot();
  void move();
  void convert();
  void round_to_integer(const PtxType& to, const PtxType& from, LlvmValue v);
  void function_of_number();
  LlvmValue add_with_carry(const LlvmValue& a, const LlvmValue& b, bool takes, bool leaves);
  LlvmValue product(const PtxType&, const LlvmValue& a, const LlvmValue& b);
  LlvmValue saturated(const LlvmValue&);
  LlvmValue comparison(std::string_view op, const PtxType&, const LlvmValue& a, const LlvmValue& b);
  std::string comparison_word() const;

  // ptx_memory.cpp
  void load();
  void store();
  void atomic();
  void fence();
  void nothing() {}
  void to_address();
  void is_in_space();
  void copy_async();
  LlvmValue strong_load(const LlvmValue& pointer, const std::string& type);
  LlvmValue element(const LlvmValue& first, const std::string& of, size_t k);
  void strong_store(const LlvmValue& pointer, const LlvmValue&);
  bool is_strong() const { return has("relaxed") || has("acquire") || has("release") || has("mmio"); }

  // ptx_warp.cpp
  void barrier();
  void shuffle();
  void vote();
  void match();
  void active();
  void reduce();
  void sleep();
  void leave();
  void stop();

  std::vector<std::string>& lines_;
  std::string debug_;
  int& number_;
  std::string& label_;
  bool in_kernel_;
  std::map<std::string, LlvmValue, std::less<>> values_;
  std::map<std::string, PtxType, std::less<>> declared_;
  const PtxStatement* s_ = nullptr;
  std::optional<LlvmValue> guard_;  ///< of what is computed all the same and not assigned
  std::optional<LlvmValue> carry_;
};

}  // namespace bscope::cuda::ir
