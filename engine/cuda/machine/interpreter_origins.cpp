// Values that something is wrong with: what was read before it was set, and what did not fit.
#include "engine/cuda/ir/constants.hpp"
#include "engine/cuda/ir/expression_text.hpp"
#include "engine/cuda/machine/interpreter.hpp"

namespace bscope::cuda {

/// What a library does within one of its functions is its own affair.
uint16_t Interpreter::origin_at(ValueOrigin::OriginKind kind, const BytecodeInstruction& s) {
  if (is_in_library()) return 0;
  const auto [known, fresh] = launch_.origin_of.try_emplace(&s, uint16_t(0));
  if (!fresh) return known->second;
  if (launch_.origins.size() == UINT16_MAX) return 0;
  launch_.origins.push_back({.kind = kind, .code = room_.frames.back().code, .step = &s});
  return known->second = uint16_t(launch_.origins.size());
}

Value Interpreter::unset(const BytecodeInstruction& s) {
  return {0, 0, no_kind, origin_at(ValueOrigin::unset, s)};
}

/// Keeps the first thread by its number, so that another order of the threads tells the same.
uint16_t Interpreter::overflowed(const BytecodeInstruction& s, uint64_t a, uint64_t b, uint32_t line) {
  const uint16_t number = origin_at(ValueOrigin::overflow, s);
  if (!number) return 0;
  ValueOrigin& o = launch_.origins[number - 1];
  const auto here = std::pair(block_number(), thread_.rank());
  if (o.line && std::pair(o.block, o.thread) <= here) return number;
  o.line = line;
  std::tie(o.block, o.thread) = here;
  o.a = a;
  o.b = b;
  return number;
}

/// What was never set counts for more than what did not fit.
uint16_t Interpreter::carried(const Value& a, const Value& b, uint32_t line) {
  uint16_t origin = 0;
  for (const uint16_t of : {a.origin, b.origin}) {
    if (!of) continue;
    ValueOrigin& o = launch_.origins[of - 1];
    if (o.kind == ValueOrigin::unset && !o.line) o.line = line;
    if (!origin || o.kind == ValueOrigin::unset) origin = of;
  }
  return origin;
}

void Interpreter::takes_effect(uint16_t origin, uint32_t line) {
  ValueOrigin& o = launch_.origins[origin - 1];
  if (std::exchange(o.told, true) || o.kind != ValueOrigin::unset) return;
  const ir::Function& f = *o.code->function;
  const auto variable = f.variables.find(o.step->to);
  const bool is_register = o.step->op == BytecodeOp::unset;
  const std::string name = !is_register                    ? ir::expression_text(f, o.step->to)
                           : variable != f.variables.end() ? variable->second.name
                                                           : std::string();
  if (is_register && name.empty()) return;  // of the compiler's own
  if (!o.line) o.line = line;
  const int at = int(o.line);
  Finding finding{.block = thread_.block(), .thread = thread_.rank(), .line = at};
  finding.message =
      with_header(name.empty() ? message("{} reads a local variable in line {} before it is set.", who(), at)
                               : message("{} reads {} in line {} before it is set.", who(), name, at));
  if (is_register)
    finding.help =
        message("Give {} its first value where it is declared, in line {}.", name, variable->second.line);
  else if (const size_t bracket = name.find('['); bracket != std::string::npos)
    finding.help = message("Set all of {} before they are read.", name.substr(0, bracket));
  finding.kind = FindingKind::uninitialised_read;
  launch_.findings.push_back(std::move(finding));
}

std::string overflowing_text(const ValueOrigin& o) {
  return ir::expression_text(*o.code->function, o.step->to);
}

Message overflow_message(const ValueOrigin& o) {
  const std::string text = overflowing_text(o);
  const Message what = !text.empty()                   ? message("{} in line {}", text, o.line)
                       : o.step->op == BytecodeOp::mul ? message("a multiplication in line {}", o.line)
                       : o.step->op == BytecodeOp::add ? message("an addition in line {}", o.line)
                                                       : message("a subtraction in line {}", o.line);
  if (o.step->bits != 32)
    return message("{} does not fit {} bits in thread {} of block {}", what, o.step->bits, o.thread, o.block);
  const int64_t a = ir::sign_extended(o.a, 32), b = ir::sign_extended(o.b, 32),
                result = o.step->op == BytecodeOp::mul   ? a * b
                         : o.step->op == BytecodeOp::add ? a + b
                                                         : a - b;
  return message("{} does not fit an int: in thread {} of block {} it would be {}", what, o.thread, o.block,
                 result);
}

}  // namespace bscope::cuda
