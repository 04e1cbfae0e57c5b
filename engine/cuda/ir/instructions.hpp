// The rows of instructions.def as types and tables.
#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

#include "engine/trace/trace.hpp"

namespace bscope::cuda::ir {

/// How an instruction that computes is written, and how many operands it has.
enum class Form : uint8_t {
  integer,    ///< add nuw i32 %a, %b
  floating,   ///< fadd fast float %a, %b
  unary,      ///< fneg float %a
  icmp,       ///< icmp eq i32 %a, %b
  fcmp,       ///< fcmp oeq float %a, %b
  cast,       ///< trunc i32 %a to i8
  call_of_1,  ///< call i32 @llvm.abs.i32(i32 %a, i1 false): operands behind the first are not needed
  call_of_2,
  call_of_3,
  overflow,  ///< call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
};
constexpr int operands_of(Form f) {
  return f == Form::unary || f == Form::cast || f == Form::call_of_1 ? 1 : f == Form::call_of_3 ? 3 : 2;
}
constexpr bool is_intrinsic(Form f) { return f >= Form::call_of_1; }
constexpr bool is_comparison(Form f) { return f == Form::icmp || f == Form::fcmp; }

/// The kind of the values that an instruction's event tells of.
enum class EventKind : uint8_t {
  like_operands,  ///< the kind that the operands were loaded as
  logical,        ///< the same; an xor of one bit with 1, which is C++'s !, is a comparison with 0
  signed_integer,
  unsigned_integer,
  floating_point,
  truncated,   ///< signed_integer; where one bit is left, the value is passed on
  same_value,  ///< it is passed on
  same_width,  ///< it is passed on; what is not as wide has no kind any more
};
/// Of an instruction that passes its operand on.
inline constexpr Op no_event = Op(255);

/// An instruction that computes.
enum class ComputeOp : uint8_t {
#define COMPUTE(id, ...) id,
#include "engine/cuda/ir/instructions.def"
};
struct ComputeInstruction {
  std::string_view name, id;
  Form form;
  Op event;
  EventKind kind;
};
inline constexpr ComputeInstruction compute_instructions[] = {
#define COMPUTE(id, name, form, event, kind, ...) {name, #id, Form::form, event, EventKind::kind},
#include "engine/cuda/ir/instructions.def"
};
constexpr const ComputeInstruction& row_of(ComputeOp op) { return compute_instructions[size_t(op)]; }
/// The row of that name that is no intrinsic; nullptr: there is none.
constexpr const ComputeInstruction* compute_named(std::string_view name) {
  for (const ComputeInstruction& row : compute_instructions)
    if (!is_intrinsic(row.form) && row.name == name) return &row;
  return nullptr;
}
/// The row of an intrinsic with types behind its name, llvm.smin.i32; nullptr: there is none.
constexpr const ComputeInstruction* intrinsic_named(std::string_view name) {
  if (!name.starts_with("llvm.")) return nullptr;
  for (const ComputeInstruction& row : compute_instructions)
    if (is_intrinsic(row.form) && name.starts_with(row.name) && name.substr(row.name.size()).starts_with('.'))
      return &row;
  return nullptr;
}
constexpr ComputeOp op_of(const ComputeInstruction& row) { return ComputeOp(&row - compute_instructions); }

/// The arithmetic that an intrinsic says the overflow of: that of its name, llvm.sadd.with.overflow.
constexpr const ComputeInstruction* arithmetic_of(const ComputeInstruction& row) {
  constexpr std::string_view before = "llvm.s";
  return compute_named(row.name.substr(before.size(), row.name.find('.', before.size()) - before.size()));
}
static_assert([] {
  for (const ComputeInstruction& row : compute_instructions)
    if (row.form == Form::overflow && !arithmetic_of(row)) return false;
  return true;
}());

/// What atomicrmw leaves of what was there and its operand.
enum class AtomicRmw : uint8_t {
#define ATOMIC_RMW(id, ...) id,
#include "engine/cuda/ir/instructions.def"
};
inline constexpr std::string_view atomic_rmw_names[] = {
#define ATOMIC_RMW(id, name, ...) name,
#include "engine/cuda/ir/instructions.def"
};

/// What an instruction is.
enum class Opcode : uint8_t {
#define OPCODE(id, ...) id,
#include "engine/cuda/ir/instructions.def"
};

}  // namespace bscope::cuda::ir
