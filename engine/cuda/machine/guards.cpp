#include "engine/cuda/machine/guards.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/cuda/ir/constants.hpp"
#include "engine/cuda/ir/expression_text.hpp"

namespace bscope::cuda {
namespace {

using ir::ComputeOp;
using ir::Instruction;
using ir::Operand;

/// A comparison that lets equal values through to the access, and the operator that would not.
struct InclusiveComparison {
  ComputeOp op;
  const char* better;
};
constexpr std::array inclusive = {
    InclusiveComparison{ComputeOp::icmp_sle, "<"},  InclusiveComparison{ComputeOp::icmp_ule, "<"},
    InclusiveComparison{ComputeOp::icmp_sge, ">"},  InclusiveComparison{ComputeOp::icmp_uge, ">"},
    InclusiveComparison{ComputeOp::icmp_sgt, ">="}, InclusiveComparison{ComputeOp::icmp_ugt, ">="},
    InclusiveComparison{ComputeOp::icmp_slt, "<="}, InclusiveComparison{ComputeOp::icmp_ult, "<="}};
/// The last four are of `if (i > n) return;`, which an equal index passes by failing.
bool is_strict(ComputeOp op) {
  return op == ComputeOp::icmp_sgt || op == ComputeOp::icmp_ugt || op == ComputeOp::icmp_slt ||
         op == ComputeOp::icmp_ult;
}
/// Whether the left side is the one that should stay below.
bool bounds_left(ComputeOp op) {
  return op == ComputeOp::icmp_sle || op == ComputeOp::icmp_ule || op == ComputeOp::icmp_sgt ||
         op == ComputeOp::icmp_ugt;
}

class IndexSearch {
 public:
  IndexSearch(const BytecodeFunction& code, const Value* registers, const Value* constants)
      : f_(*code.function), registers_(registers), constants_(constants) {}

  IndexCause cause(Operand address, uint64_t cells, uint64_t bytes) const {
    const Instruction* const made = ir::instruction_making(f_, without_parameters(address));
    if (!made || made->op != ir::Opcode::address) return {};
    std::vector<Operand> variables;
    for (const Instruction::Scaled& s : made->scaled)
      for (const Operand v : ir::variables_in(f_, s.index)) variables.push_back(v);
    bool guarded = false, by_bytes = false;
    for (const ir::BasicBlock& b : f_.blocks)
      for (const Instruction& i : b.body) {
        if (i.op != ir::Opcode::compute || row_of(ComputeOp(i.what)).form != ir::Form::icmp) continue;
        for (const Operand v : variables) {
          const bool left = ir::without_casts(f_, i.a) == v, right = ir::without_casts(f_, i.b) == v;
          if (!left && !right) continue;
          guarded = true;
          by_bytes = by_bytes || this->bits(left ? i.b : i.a) == bytes;
          if (IndexCause c = let_through(i, v, left); !c.why.empty()) return c;
        }
      }
    if (!guarded && made->scaled.size() == 1 && !made->count) return {{}, missing_guard(*made, cells)};
    return {{}, {}, by_bytes};
  }

 private:
  /// The address that was given to a function that clang has inlined, such as atomicAdd: a variable that is
  /// set once.
  Operand without_parameters(Operand o) const {
    for (int depth = 0; depth < 8 && o >= 0; ++depth) {
      const Instruction* set = nullptr;
      int times = 0;
      for (const ir::BasicBlock& b : f_.blocks)
        for (const Instruction& i : b.body)
          if (i.to == o && i.op == ir::Opcode::copy) set = &i, ++times;
      if (times != 1 || set->count != 1) break;
      o = set->a;
    }
    return o;
  }

  uint64_t bits(Operand o) const { return (o >= 0 ? registers_ : constants_)[o].bits; }

  /// The operands are as they were when the comparison was made last, so that equal ones say that it was.
  IndexCause let_through(const Instruction& i, Operand variable, bool left) const {
    const auto op = ComputeOp(i.what);
    const auto known = std::ranges::find(inclusive, op, &InclusiveComparison::op);
    if (known == inclusive.end() || bounds_left(op) != left) return {};
    const uint64_t value = bits(i.a);
    if (!value || value != bits(i.b) || bits(variable) != value) return {};
    if ((bits(i.to) & 1) == uint64_t(is_strict(op))) return {};
    const std::string a = ir::expression_text(f_, i.a), b = side(i.b, i.bits),
                      all = ir::expression_text(f_, i.to);
    if (a.empty() || b.empty() || all.empty() || !i.at.line) return {};
    const std::string name = f_.variables.at(variable).name;
    return {
        message("{} in line {} lets {} = {} through", all, i.at.line, name, ir::sign_extended(value, i.bits)),
        message("Use {} {} {} in line {}.", a, known->better, b, i.at.line)};
  }
  std::string side(Operand o, int bits_of_it) const {
    return o < 0 ? std::to_string(ir::sign_extended(bits(o), bits_of_it)) : ir::expression_text(f_, o);
  }

  /// Where nothing compares the index, a parameter that holds the array's length may be what was meant.
  Message missing_guard(const Instruction& address, uint64_t cells) const {
    const Operand o = address.scaled[0].index;
    const std::string index = ir::expression_text(f_, o);
    if (index.empty() || ir::sign_extended(bits(o), address.scaled[0].bits) < 0) return {};
    for (const ir::FunctionParameter& p : f_.parameters) {
      if (p.name.empty() || p.type->kind != ir::Type::integer) continue;
      for (const auto& [at, variable] : f_.variables)
        if (variable.name == p.name && bits(at) == cells)
          return message("Guard the access: if ({} < {}).", index, p.name);
    }
    return {};
  }

  const ir::Function& f_;
  const Value* registers_;
  const Value* constants_;
};

}  // namespace

IndexCause index_cause(const BytecodeFunction& code, const Value* registers, const Value* constants,
                       ir::Operand address, uint64_t cells, uint64_t bytes) {
  return IndexSearch(code, registers, constants).cause(address, cells, bytes);
}

}  // namespace bscope::cuda
