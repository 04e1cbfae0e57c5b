#include "engine/cuda/native/same_registers.hpp"

#include <algorithm>
#include <array>

#include "engine/cuda/native/inline_builtins.hpp"
#include "engine/cuda/native/operands.hpp"

namespace bscope::cuda {
namespace {

constexpr int32_t nowhere = -1;

/// The step where all ways from a step meet again, by the usual iteration over postdominators.
class Meetings {
 public:
  explicit Meetings(const BytecodeFunction& code) : end_(int32_t(code.steps.size())) {
    for (size_t k = 0; k < code.steps.size(); ++k) behind_.push_back(steps_behind(code, k));
    meeting_.assign(code.steps.size() + 1, nowhere);
    meeting_.back() = end_;
    number_steps();
    for (bool more = true; more;) {
      more = false;
      for (const int32_t k : order_) {
        const int32_t now = meeting_of(k);
        more = more || now != meeting_[size_t(k)];
        meeting_[size_t(k)] = now;
      }
    }
  }
  /// The number of steps: where the function ends. nowhere: no way from there ends.
  int32_t of(size_t step) const { return meeting_[step]; }
  const std::vector<int32_t>& behind(size_t step) const { return behind_[step]; }

 private:
  /// In postorder from the end on, backwards.
  void number_steps() {
    std::vector<std::vector<int32_t>> before(behind_.size() + 1);
    for (size_t k = 0; k < behind_.size(); ++k) {
      for (const int32_t to : behind_[k]) before[size_t(to)].push_back(int32_t(k));
      if (behind_[k].empty()) before.back().push_back(int32_t(k));
    }
    rank_.assign(before.size(), nowhere);
    std::vector<std::pair<int32_t, size_t>> way = {{end_, 0}};
    std::vector<bool> seen(before.size());
    seen.back() = true;
    for (int32_t rank = 0; !way.empty();) {
      auto& [step, next] = way.back();
      if (next < before[size_t(step)].size()) {
        const int32_t from = before[size_t(step)][next++];
        if (seen[size_t(from)]) continue;
        seen[size_t(from)] = true;
        way.emplace_back(from, 0);
        continue;
      }
      rank_[size_t(step)] = rank++;
      if (step != end_) order_.push_back(step);
      way.pop_back();
    }
    std::ranges::reverse(order_);
  }
  int32_t meeting_of(int32_t step) const {
    if (behind_[size_t(step)].empty()) return end_;
    int32_t all = nowhere;
    for (int32_t to : behind_[size_t(step)]) {
      if (meeting_[size_t(to)] == nowhere) continue;
      while (all != nowhere && all != to) {
        int32_t& lower = rank_[size_t(all)] < rank_[size_t(to)] ? all : to;
        lower = meeting_[size_t(lower)];
      }
      all = to;
    }
    return all;
  }

  int32_t end_;
  std::vector<std::vector<int32_t>> behind_;
  std::vector<int32_t> meeting_, rank_, order_;
};

class Divergence {
 public:
  explicit Divergence(const BytecodeFunction& code)
      : code_(code), meetings_(code), differs_(size_t(code.registers) + 1) {}

  std::vector<bool> same() {
    while (look()) {}
    std::vector<bool> all(differs_.size());
    for (size_t k = 0; k < all.size(); ++k) all[k] = !differs_[k];
    return all;
  }

 private:
  bool look() {
    bool more = false;
    std::vector<bool> apart(code_.steps.size());  // which only some threads may come to
    for (size_t k = 0; k < code_.steps.size(); ++k)
      if (effect_of(code_.steps[k].op) == Effect::jumps && reads_what_differs(code_.steps[k]))
        add_ways(k, apart);
    for (size_t k = 0; k < code_.steps.size(); ++k)
      if (apart[k] || makes_what_differs(code_.steps[k])) more = differ(code_.steps[k]) || more;
    return more;
  }
  bool differ(const BytecodeInstruction& s) {
    bool more = false;
    const Operands set = set_by(code_, s);
    for (int64_t k = 0; s.to >= 0 && k < set.count; ++k) {
      more = more || !differs_[size_t(s.to + k)];
      differs_[size_t(s.to + k)] = true;
    }
    return more;
  }
  void add_ways(size_t branch, std::vector<bool>& apart) const {
    std::vector<int32_t> next = meetings_.behind(branch);
    while (!next.empty()) {
      const int32_t step = next.back();
      next.pop_back();
      if (step == meetings_.of(branch) || apart[size_t(step)]) continue;
      apart[size_t(step)] = true;
      next.insert(next.end(), meetings_.behind(size_t(step)).begin(), meetings_.behind(size_t(step)).end());
    }
  }
  bool reads_what_differs(const BytecodeInstruction& s) const {
    bool any = false;
    const auto look_at = [&](const Operands& o) {
      for (int64_t k = 0; o.first >= 0 && k < o.count; ++k) any = any || differs_[size_t(o.first + k)];
    };
    each_value_read(code_, s, look_at);
    if (effect_of(s.op) == Effect::addresses) look_at({s.a, 1});
    return any;
  }
  bool makes_what_differs(const BytecodeInstruction& s) const {
    if (s.op == BytecodeOp::builtin) {
      const Call& c = code_.calls[s.index];
      static constexpr std::array of_block = {"ctaid.", "ntid.", "nctaid."};
      const bool of_all = std::ranges::any_of(of_block, [&](const char* word) {
        return c.name.starts_with(std::string("llvm.nvvm.read.ptx.sreg.") + word);
      });
      if (of_all) return false;
      std::vector<std::string> nothing(c.arguments.size(), "0");
      const bool computes = !nothing.empty() && inline_builtin(c.name, s.bits, nothing);
      return !computes || reads_what_differs(s);
    }
    const Effect effect = effect_of(s.op);
    if (s.op == BytecodeOp::put_element) return true;  // it leaves all but one as they were
    if (effect == Effect::computes || effect == Effect::addresses) return reads_what_differs(s);
    return true;
  }

  const BytecodeFunction& code_;
  Meetings meetings_;
  std::vector<bool> differs_;
};

}  // namespace

std::vector<int32_t> steps_behind(const BytecodeFunction& code, size_t step) {
  const BytecodeInstruction& s = code.steps[step];
  if (effect_of(s.op) == Effect::ends) return {};
  if (effect_of(s.op) != Effect::jumps) return {int32_t(step) + 1};
  std::vector<int32_t> all = {s.b};
  if (s.op == BytecodeOp::branch) all.push_back(s.c);
  if (s.op == BytecodeOp::switch_)
    for (const auto& [value, to] : code.choices[s.index].cases) all.push_back(to);
  return all;
}

std::vector<bool> same_in_all_threads(const BytecodeFunction& kernel) { return Divergence(kernel).same(); }

}  // namespace bscope::cuda
