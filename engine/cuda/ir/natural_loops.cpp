#include "engine/cuda/ir/natural_loops.hpp"

#include <algorithm>
#include <utility>

namespace bscope::cuda::ir {
namespace {

/// Which block lies on every path to which other one.
class Dominators {
 public:
  explicit Dominators(const Function& f) : before_(f.blocks.size()), number_(f.blocks.size(), -1) {
    for (size_t b = 0; b < f.blocks.size(); ++b)
      each_target(f.blocks[b], [&](size_t to) { before_[to].push_back(int(b)); });
    number_blocks(f);
    parent_.assign(order_.size(), -1);
    parent_[0] = 0;
    for (bool changes = true; changes;) {
      changes = false;
      for (size_t k = 1; k < order_.size(); ++k) {
        const int parent = common_parent(order_[k]);
        changes |= std::exchange(parent_[k], parent) != parent;
      }
    }
  }
  const std::vector<int>& before(int block) const { return before_[size_t(block)]; }
  /// Blocks that the first one leads to, each behind those that dominate it.
  const std::vector<int>& order() const { return order_; }
  bool is_reached(int block) const { return number_[size_t(block)] >= 0; }
  /// Of blocks that are reached.
  bool dominates(int a, int b) const {
    int k = number_[size_t(b)];
    while (k > number_[size_t(a)]) k = parent_[size_t(k)];
    return k == number_[size_t(a)];
  }

 private:
  /// In reverse postorder.
  void number_blocks(const Function& f) {
    struct Visit {
      int block;
      std::vector<int> left;  // targets, the last one next
    };
    std::vector<bool> seen(f.blocks.size());
    std::vector<Visit> path;
    const auto visit = [&](int block) {
      seen[size_t(block)] = true;
      path.push_back({block, {}});
      each_target(f.blocks[size_t(block)], [&](size_t to) { path.back().left.push_back(int(to)); });
    };
    visit(0);
    while (!path.empty()) {
      Visit& now = path.back();
      if (now.left.empty()) {
        order_.push_back(now.block);
        path.pop_back();
        continue;
      }
      const int to = now.left.back();
      now.left.pop_back();
      if (!seen[size_t(to)]) visit(to);
    }
    std::ranges::reverse(order_);
    for (size_t k = 0; k < order_.size(); ++k) number_[size_t(order_[k])] = int(k);
  }
  int common_parent(int block) const {
    int parent = -1;
    for (const int b : before(block)) {
      int k = number_[size_t(b)];
      if (k < 0 || parent_[size_t(k)] < 0) continue;
      if (parent < 0) {
        parent = k;
        continue;
      }
      while (k != parent) {
        int& later = k > parent ? k : parent;
        later = parent_[size_t(later)];
      }
    }
    return parent;
  }

  std::vector<std::vector<int>> before_;  // by block
  std::vector<int> number_;               // by block: its place in `order_`; -1: not reached
  std::vector<int> order_;
  std::vector<int> parent_;  // by place in the order: the nearest dominator's
};

bool has_jump_back(const Function& f) {
  bool any = false;
  for (size_t b = 0; b < f.blocks.size() && !any; ++b)
    each_target(f.blocks[b], [&](size_t to) { any |= to <= b; });
  return any;
}

void take_first_line(Location& first, const BasicBlock& b, int file) {
  for (const Instruction& i : b.body)
    if (i.at.file == file && i.at.line && (!first.line || i.at.line < first.line)) first = i.at;
}

}  // namespace

NaturalLoops::NaturalLoops(const Function& f) {
  if (!has_jump_back(f)) return;
  const Dominators dominators(f);
  of_block_.assign(f.blocks.size(), -1);
  for (const int header : dominators.order()) {
    std::vector<int> inside;  // blocks to go back from
    for (const int b : dominators.before(header))
      if (dominators.is_reached(b) && dominators.dominates(header, b)) inside.push_back(b);
    if (inside.empty()) continue;
    const auto number = int(loops_.size());
    const int around = of_block_[size_t(header)];
    loops_.push_back({header, around, around < 0 ? 1 : loops_[size_t(around)].depth + 1, {}});
    of_block_[size_t(header)] = number;
    while (!inside.empty()) {
      const int b = inside.back();
      inside.pop_back();
      if (!dominators.is_reached(b) || std::exchange(of_block_[size_t(b)], number) == number) continue;
      inside.insert(inside.end(), dominators.before(b).begin(), dominators.before(b).end());
    }
  }
  for (size_t b = 0; b < f.blocks.size(); ++b)
    for (int loop = of_block_[b]; loop >= 0; loop = loops_[size_t(loop)].around)
      take_first_line(loops_[size_t(loop)].at, f.blocks[b], f.at.file);
}

bool NaturalLoops::lies_in(int loop, int outer) const {
  while (loop >= 0 && loop != outer) loop = loops_[size_t(loop)].around;
  return loop >= 0 && loop == outer;
}

}  // namespace bscope::cuda::ir
