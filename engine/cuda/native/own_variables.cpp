#include "engine/cuda/native/own_variables.hpp"

#include "engine/cuda/native/operands.hpp"

namespace bscope::cuda {
namespace {

/// How often each register is set; parameters are, by the caller.
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

}  // namespace

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

}  // namespace bscope::cuda
