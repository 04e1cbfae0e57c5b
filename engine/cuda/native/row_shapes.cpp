#include "engine/cuda/native/row_shapes.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "engine/cuda/native/function_emitter.hpp"
#include "engine/cuda/native/inline_builtins.hpp"
#include "engine/cuda/native/operands.hpp"
#include "engine/cuda/native/same_registers.hpp"

namespace bscope::cuda {
namespace {

constexpr int least_bits = 32;  // of a number whose range a row does not go round

class Shapes {
 public:
  Shapes(const BytecodeFunction& code, const std::vector<bool>& unknown)
      : code_(code), all_(size_t(code.registers) + 1, RowShape::same) {
    for (size_t k = 0; k < unknown.size(); ++k)
      if (unknown[k]) all_[k] = RowShape::unknown;
  }

  std::vector<RowShape> found() {
    for (bool more = true; more;) {
      more = false;
      for (const BytecodeInstruction& s : code_.steps) {
        const Operands set = set_by(code_, s);
        if (s.to < 0) continue;
        const RowShape shape = made_by(s);
        for (int64_t k = 0; k < set.count; ++k) {
          RowShape& known = all_[size_t(s.to + k)];
          more = more || known < shape;
          known = std::max(known, shape);
        }
      }
    }
    return all_;
  }

 private:
  RowShape of(ir::Operand o) const { return o < 0 ? RowShape::same : all_[size_t(o)]; }
  RowShape greatest(const BytecodeInstruction& s) const {
    RowShape most = RowShape::same;
    each_value_read(code_, s, [&](const Operands& o) {
      for (int64_t k = 0; k < o.count; ++k) most = std::max(most, of(part(o.first, int(k))));
    });
    return most;
  }
  /// Even only where the number has enough bits.
  static RowShape wide(RowShape shape, int bits) {
    return shape == RowShape::even && bits < least_bits ? RowShape::unknown : shape;
  }

  RowShape made_by(const BytecodeInstruction& s) const {
    const RowShape most = greatest(s);
    switch (s.op) {
      case BytecodeOp::copy: return most;
      case BytecodeOp::add:
      case BytecodeOp::sub:
      case BytecodeOp::trunc:
      case BytecodeOp::bitcast:
      case BytecodeOp::addrspacecast:
      case BytecodeOp::inttoptr:
      case BytecodeOp::ptrtoint: return wide(most, s.bits);
      case BytecodeOp::zext:
      case BytecodeOp::sext: return wide(most, s.from);
      case BytecodeOp::mul:
        return of(s.a) == RowShape::same || of(s.b) == RowShape::same ? wide(most, s.bits)
                                                                      : RowShape::unknown;
      case BytecodeOp::shl: return of(s.b) == RowShape::same ? wide(most, s.bits) : RowShape::unknown;
      case BytecodeOp::address:
      case BytecodeOp::index: return std::max(of(s.a), of_indices(s));
      case BytecodeOp::builtin: return of_builtin(s, most);
      default: break;
    }
    if (effect_of(s.op) != Effect::computes) return RowShape::unknown;
    return most == RowShape::same ? most : RowShape::unknown;
  }
  RowShape of_indices(const BytecodeInstruction& s) const {
    if (s.op == BytecodeOp::index) return wide(of(s.b), s.from);
    RowShape most = RowShape::same;
    for (const auto& scaled : code_.addresses[s.index])
      most = std::max(most, wide(of(scaled.index), scaled.bits));
    return most;
  }
  RowShape of_builtin(const BytecodeInstruction& s, RowShape most) const {
    const Call& c = code_.calls[s.index];
    constexpr std::string_view registers = "llvm.nvvm.read.ptx.sreg.";
    if (std::string_view(c.name).starts_with(registers)) {
      const std::string_view name = std::string_view(c.name).substr(registers.size());
      static constexpr std::array of_row = {"tid.y", "tid.z", "ctaid.", "ntid.", "nctaid."};
      const auto begins = [&](const char* word) { return name.starts_with(word); };
      return name == "tid.x"                       ? RowShape::even
             : std::ranges::any_of(of_row, begins) ? RowShape::same
                                                   : RowShape::unknown;
    }
    const std::vector<std::string> nothing(c.arguments.size(), "0");
    const bool computes = !nothing.empty() && inline_builtin(c.name, s.bits, nothing);
    return computes && most == RowShape::same ? most : RowShape::unknown;
  }

  const BytecodeFunction& code_;
  std::vector<RowShape> all_;
};

}  // namespace

std::vector<RowShape> row_shapes(const BytecodeFunction& code, const std::vector<bool>& unknown) {
  return Shapes(code, unknown).found();
}

std::optional<std::vector<size_t>> steps_to_barriers(const BytecodeFunction& code, size_t first) {
  enum Visit : uint8_t { fresh, open, done };
  std::vector<Visit> states(code.steps.size());
  std::vector<size_t> way = {first}, all;
  while (!way.empty()) {
    const size_t k = way.back();
    if (states[k] != fresh) {
      way.pop_back();
      states[k] = done;
      continue;
    }
    states[k] = open;
    all.push_back(k);
    if (is_barrier(code, code.steps[k])) continue;
    for (const int32_t to : steps_behind(code, k)) {
      if (states[size_t(to)] == open) return {};  // a loop
      if (states[size_t(to)] == fresh) way.push_back(size_t(to));
    }
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace bscope::cuda
