#include "engine/cuda/native/own_variables.hpp"

#include "engine/cuda/native/operands.hpp"

namespace bscope::cuda {
namespace {

/// An own variable that may stand in a register: how many bits each access has.
struct Scalar {
  int bits = 0;  ///< 0: none was seen
  bool whole = true;

  void access(const BytecodeInstruction& s, const BytecodeInstruction& variable) {
    const bool plain = !s.is_volatile && s.ordering == ir::Ordering::none;
    const bool of_all = s.a == variable.to && s.number == 0 && (bits == 0 || bits == s.bits);
    whole = whole && plain && of_all && s.bits / 8 <= variable.number;
    bits = s.bits;
  }
  bool in_register() const { return whole && bits > 0; }
};

}  // namespace

std::vector<int> times_set(const BytecodeFunction& code) {
  std::vector<int> times(size_t(code.registers) + 1);
  const auto parameters = std::min<size_t>(times.size(), code.function->parameters.size());
  for (size_t k = 0; k < parameters; ++k) ++times[k];
  for (const BytecodeInstruction& s : code.steps) {
    const Operands o = set_by(code, s);
    for (int64_t k = 0; k < o.count; ++k) ++times[size_t(o.first + k)];
  }
  return times;
}

std::vector<int32_t> own_variables(const BytecodeFunction& code) {
  const std::vector<int> times = times_set(code);
  std::vector<int32_t> variable(size_t(code.registers) + 1, -1);
  const auto of = [&](ir::Operand o) { return o >= 0 ? variable[size_t(o)] : -1; };
  std::vector<bool> escapes(code.steps.size());
  for (size_t k = 0; k < code.steps.size(); ++k)
    if (const BytecodeInstruction& s = code.steps[k]; s.op == BytecodeOp::local) {
      variable[size_t(s.to)] = int32_t(k);
      escapes[k] = times[size_t(s.to)] > 1;
    }
  for (bool more = true; more;) {  // addresses of addresses, in whatever order blocks stand
    more = false;
    for (const BytecodeInstruction& s : code.steps)
      if (effect_of(s.op) == Effect::addresses && of(s.a) >= 0 && of(s.to) < 0) {
        variable[size_t(s.to)] = of(s.a);
        if (times[size_t(s.to)] > 1) escapes[size_t(of(s.a))] = true;
        more = true;
      }
  }
  for (const BytecodeInstruction& s : code.steps)
    each_value_read(code, s, [&](Operands o) {
      for (int64_t k = 0; k < o.count; ++k)
        if (const int32_t v = of(part(o.first, int(k))); v >= 0) escapes[size_t(v)] = true;
    });
  for (int32_t& v : variable)
    if (v >= 0 && escapes[size_t(v)]) v = -1;
  return variable;
}

BytecodeFunction with_variables_in_registers(BytecodeFunction code) {
  const std::vector<int32_t> own = own_variables(code);
  std::vector<Scalar> scalars(code.steps.size());
  const auto variable_of = [&](const BytecodeInstruction& s) {
    const Effect effect = effect_of(s.op);
    const bool by_address =
        effect == Effect::addresses || effect == Effect::loads || effect == Effect::stores;
    return by_address && s.a >= 0 ? own[size_t(s.a)] : -1;
  };
  for (const BytecodeInstruction& s : code.steps)
    if (const int32_t v = variable_of(s); v >= 0) {
      if (effect_of(s.op) == Effect::addresses)
        scalars[size_t(v)].whole = false;
      else
        scalars[size_t(v)].access(s, code.steps[size_t(v)]);
    }
  for (BytecodeInstruction& s : code.steps) {
    const int32_t v = variable_of(s);
    if (v < 0 || !scalars[size_t(v)].in_register()) continue;
    if (s.op == BytecodeOp::load) {
      s.op = BytecodeOp::copy;
    } else {
      s.op = BytecodeOp::trunc;
      s.to = s.a;
      s.a = s.b;
      s.from = 64;
    }
  }
  for (size_t k = 0; k < code.steps.size(); ++k)
    if (code.steps[k].op == BytecodeOp::local && scalars[k].in_register())
      code.steps[k].op = BytecodeOp::unset;
  return code;
}

}  // namespace bscope::cuda
