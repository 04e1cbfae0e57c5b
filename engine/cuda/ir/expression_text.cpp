#include "engine/cuda/ir/expression_text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/cuda/ir/constants.hpp"

namespace bscope::cuda::ir {
namespace {

constexpr int deepest_expression = 12;  // operators in operators

struct InfixOperator {
  ComputeOp op;
  const char* text;
  int precedence;  ///< as in C++: what binds more strongly has more
};
constexpr std::array infix = {
    InfixOperator{ComputeOp::mul, "*", 9},       InfixOperator{ComputeOp::fmul, "*", 9},
    InfixOperator{ComputeOp::sdiv, "/", 9},      InfixOperator{ComputeOp::udiv, "/", 9},
    InfixOperator{ComputeOp::fdiv, "/", 9},      InfixOperator{ComputeOp::srem, "%", 9},
    InfixOperator{ComputeOp::urem, "%", 9},      InfixOperator{ComputeOp::add, "+", 8},
    InfixOperator{ComputeOp::fadd, "+", 8},      InfixOperator{ComputeOp::sub, "-", 8},
    InfixOperator{ComputeOp::fsub, "-", 8},      InfixOperator{ComputeOp::shl, "<<", 7},
    InfixOperator{ComputeOp::ashr, ">>", 7},     InfixOperator{ComputeOp::lshr, ">>", 7},
    InfixOperator{ComputeOp::icmp_slt, "<", 6},  InfixOperator{ComputeOp::icmp_ult, "<", 6},
    InfixOperator{ComputeOp::icmp_sle, "<=", 6}, InfixOperator{ComputeOp::icmp_ule, "<=", 6},
    InfixOperator{ComputeOp::icmp_sgt, ">", 6},  InfixOperator{ComputeOp::icmp_ugt, ">", 6},
    InfixOperator{ComputeOp::icmp_sge, ">=", 6}, InfixOperator{ComputeOp::icmp_uge, ">=", 6},
    InfixOperator{ComputeOp::icmp_eq, "==", 5},  InfixOperator{ComputeOp::icmp_ne, "!=", 5},
    InfixOperator{ComputeOp::bit_and, "&", 4},   InfixOperator{ComputeOp::bit_xor, "^", 3},
    InfixOperator{ComputeOp::bit_or, "|", 2}};

/// threadIdx.x and its like, which clang reads through functions of these names.
std::string position_named(std::string_view callee) {
  constexpr std::string_view before = "__cuda_builtin_", fetch = "__fetch_builtin_";
  const size_t name = callee.find(before), axis = callee.find(fetch);
  if (name == std::string_view::npos || axis == std::string_view::npos) return {};
  const std::string_view rest = callee.substr(name + before.size());
  const size_t end = rest.find("_t");
  if (end == std::string_view::npos || axis + fetch.size() >= callee.size()) return {};
  return std::string(rest.substr(0, end)) + "." + callee[axis + fetch.size()];
}

bool changes_width_only(const Instruction& i) {
  if (i.op == Opcode::copy) return i.count == 1;
  if (i.op != Opcode::compute) return false;
  const auto op = ComputeOp(i.what);
  return op == ComputeOp::sext || op == ComputeOp::zext || op == ComputeOp::trunc ||
         op == ComputeOp::bitcast || op == ComputeOp::freeze;
}

class Printer {
 public:
  explicit Printer(const Function& f) : f_(f) {}

  std::string text(Operand o, int bits, int outer, int depth) const {
    if (depth > deepest_expression) return {};
    if (o < 0) {
      const size_t at = size_t(~o);
      if (!bits || at >= f_.constants.size()) return {};
      return std::to_string(sign_extended(f_.constants[at], bits));
    }
    if (const auto v = f_.variables.find(o); v != f_.variables.end()) return v->second.name;
    const Instruction* const i = instruction_making(f_, o);
    if (!i) return {};
    switch (i->op) {
      case Opcode::copy: return i->count == 1 ? text(i->a, bits, outer, depth + 1) : std::string();
      case Opcode::compute: return computed(*i, outer, depth);
      case Opcode::load: return loaded(i->a, depth);
      case Opcode::call: return position_named(i->callee);
      default: return {};
    }
  }

 private:
  std::string computed(const Instruction& i, int outer, int depth) const {
    const ComputeInstruction& row = row_of(ComputeOp(i.what));
    if (row.form == Form::cast) return text(i.a, i.from, outer, depth + 1);
    const auto known = std::ranges::find(infix, ComputeOp(i.what), &InfixOperator::op);
    if (known == infix.end() || i.count != 1) return {};
    const int bits = i.is_float ? 0 : i.bits;  // a number with a point is not written down
    const std::string left = text(i.a, bits, known->precedence, depth + 1),
                      right = text(i.b, bits, known->precedence + 1, depth + 1);
    if (left.empty() || right.empty()) return {};
    const std::string all = left + " " + known->text + " " + right;
    return known->precedence < outer ? "(" + all + ")" : all;
  }
  /// What lies at an address.
  std::string loaded(Operand address, int depth) const {
    const Instruction* const i = instruction_making(f_, address);
    if (!i || i->op == Opcode::copy) {
      const std::string pointer = text(address, 0, 0, depth + 1);
      const bool is_array = !i;
      return pointer.empty() || is_array ? pointer : "*" + pointer;
    }
    if (i->op != Opcode::address || i->count || i->scaled.empty()) return {};
    std::string all = text(i->a, 0, 0, depth + 1);
    if (all.empty()) return {};
    for (const Instruction::Scaled& s : i->scaled) {
      const std::string index = text(s.index, s.bits, 0, depth + 1);
      if (index.empty()) return {};
      all += "[" + index + "]";
    }
    return all;
  }

  const Function& f_;
};

void add_variables(const Function& f, Operand o, std::vector<Operand>& all, int depth) {
  if (o < 0 || depth > deepest_expression) return;
  if (f.variables.contains(o)) {
    if (std::ranges::find(all, o) == all.end()) all.push_back(o);
    return;
  }
  const Instruction* const i = instruction_making(f, o);
  if (!i) return;
  if (i->op == Opcode::copy || i->op == Opcode::compute) add_variables(f, i->a, all, depth + 1);
  if (i->op == Opcode::compute && operands_of(row_of(ComputeOp(i->what)).form) > 1)
    add_variables(f, i->b, all, depth + 1);
}

}  // namespace

const Instruction* instruction_making(const Function& f, Operand o) {
  if (o < 0 || f.variables.contains(o)) return nullptr;
  const Instruction* made_by = nullptr;
  for (const BasicBlock& b : f.blocks)
    for (const Instruction& i : b.body) {
      if (i.to != o) continue;
      if (made_by) return nullptr;  // a variable without a name
      made_by = &i;
    }
  return made_by;
}

Operand without_casts(const Function& f, Operand o) {
  for (int depth = 0; depth < deepest_expression; ++depth) {
    const Instruction* const i = instruction_making(f, o);
    if (!i || !changes_width_only(*i)) break;
    o = i->a;
  }
  return o;
}

std::string expression_text(const Function& f, Operand o) {
  const Instruction* const i = instruction_making(f, o);
  return Printer(f).text(o, i ? i->bits : 32, 0, 0);
}

std::vector<Operand> variables_in(const Function& f, Operand o) {
  std::vector<Operand> all;
  add_variables(f, o, all, 0);
  return all;
}

}  // namespace bscope::cuda::ir
