#include "engine/cuda/native/live_registers.hpp"

#include <map>

#include "engine/cuda/native/operands.hpp"

namespace bscope::cuda {
namespace {

using Registers = std::vector<bool>;

/// Adds what is in another set. Returns whether that was more.
bool add(Registers& to, const Registers& from) {
  bool more = false;
  for (size_t k = 0; k < to.size(); ++k)
    if (from[k] && !to[k]) to[k] = more = true;
  return more;
}

class LiveRegisters {
 public:
  explicit LiveRegisters(const BytecodeFunction& code) : code_(code) {
    for (const BytecodeInstruction& s : code.steps)
      each_target(s, [&](int32_t to) { at_.try_emplace(to, none()); });
  }

  std::vector<std::vector<ir::Operand>> behind(const auto& wanted) {
    std::vector<std::vector<ir::Operand>> all;
    for (bool more = true; more;) {
      more = false;
      all.clear();
      Registers live = none();
      for (size_t k = code_.steps.size(); k-- > 0;) {
        const BytecodeInstruction& s = code_.steps[k];
        if (wanted(code_, s)) all.insert(all.begin(), listed(live));
        step(s, live);
        if (const auto it = at_.find(int32_t(k)); it != at_.end()) more = add(it->second, live) || more;
      }
    }
    return all;
  }

 private:
  Registers none() const { return Registers(size_t(code_.registers)); }
  static std::vector<ir::Operand> listed(const Registers& live) {
    std::vector<ir::Operand> all;
    for (size_t k = 0; k < live.size(); ++k)
      if (live[k]) all.push_back(ir::Operand(k));
    return all;
  }
  void each_target(const BytecodeInstruction& s, const auto& f) const {
    if (effect_of(s.op) == Effect::jumps) f(s.b);
    if (s.op == BytecodeOp::branch) f(s.c);
    if (s.op == BytecodeOp::switch_)
      for (const auto& [value, to] : code_.choices[s.index].cases) f(int32_t(to));
  }
  /// From what is live behind a step to what is live before it.
  void step(const BytecodeInstruction& s, Registers& live) const {
    const Effect effect = effect_of(s.op);
    if (effect == Effect::jumps || effect == Effect::ends) live = none();
    each_target(s, [&](int32_t to) { add(live, at_.at(to)); });
    const Operands set = set_by(code_, s);
    if (s.to >= 0 && s.op != BytecodeOp::put_element)  // which leaves all but one of them as they were
      for (int64_t k = 0; k < set.count; ++k) live[size_t(s.to + k)] = false;
    const auto reads = [&](const Operands& o) {
      for (int64_t k = 0; o.first >= 0 && k < o.count; ++k) live[size_t(o.first + k)] = true;
    };
    each_value_read(code_, s, reads);
    const bool by_address =
        effect == Effect::addresses || effect == Effect::loads || effect == Effect::stores;
    if (by_address) reads({s.a, 1});
  }

  const BytecodeFunction& code_;
  std::map<int32_t, Registers> at_;  ///< live at each target of a jump
};

}  // namespace

std::vector<std::vector<ir::Operand>> live_behind(
    const BytecodeFunction& code,
    const std::function<bool(const BytecodeFunction&, const BytecodeInstruction&)>& wanted) {
  return LiveRegisters(code).behind(wanted);
}

}  // namespace bscope::cuda
