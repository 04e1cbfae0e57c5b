#include "engine/analysis/library_calls.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/trace/operation_names.hpp"

namespace bscope {
namespace {

bool is_of_block(const std::string& name) { return name.starts_with("Block"); }
bool is_of_warp(const std::string& name) { return name.starts_with("Warp"); }

const std::string* name_in(const Launch& l, const Event& e) {
  const auto known = l.phases.find(e.bits);
  return known == l.phases.end() ? nullptr : &known->second;
}

}  // namespace

LibraryCalls::LibraryCalls(const Trace& trace, int launch)
    : block_size_(trace.launches[size_t(launch)].block) {
  const Launch& l = trace.launches[size_t(launch)];
  if (trace.dialect != Dialect::cuda || l.phases.empty()) return;
  marks_.resize(size_t(l.grid) * size_t(l.block));
  for (int b = 0; b < l.grid; ++b)
    for (int t = 0; t < l.block; ++t) {
      std::vector<CallMark>& marks = marks_[size_t(b) * size_t(l.block) + size_t(t)];
      const auto log = l.blocks[size_t(b)].log(t);
      for (uint32_t k = 0; k < log.size(); ++k) {
        const Event& e = log[k];
        if (e.op == Op::phase) {
          const int call = leaves_library(e) ? 0 : number_of(l, e);
          marks.push_back({k, call});
        } else if (is_barrier(e.op) && !marks.empty() && marks.back().call) {
          const std::pair<int, const std::string*> at(e.line, calls_[size_t(marks.back().call) - 1].name);
          if (std::ranges::find(barriers_, at) == barriers_.end()) barriers_.push_back(at);
        }
      }
    }
}

int LibraryCalls::number_of(const Launch& l, const Event& e) {
  const std::string* const name = enters_library(e) ? name_in(l, e) : nullptr;
  if (!name) return 0;
  const Call call{e.b, e.a, name};
  const auto known = numbers_.try_emplace({e.b, e.a}, int(calls_.size()) + 1);
  if (known.second) calls_.push_back(call);
  return known.first->second;
}

int LibraryCalls::of(const Node& n) const {
  if (calls_.empty()) return 0;
  const std::vector<CallMark>& marks = marks_[size_t(n.thread)];
  const auto behind = std::ranges::upper_bound(marks, uint32_t(n.event), {}, &CallMark::event);
  return behind == marks.begin() ? 0 : std::prev(behind)->call;
}

bool LibraryCalls::of_one_group(const Node& a, const Node& b, const Call& call) const {
  if (a.thread / block_size_ != b.thread / block_size_) return false;
  const auto warp = [&](const Node& n) { return n.thread % block_size_ / warp_size; };
  return !is_of_warp(*call.name) || warp(a) == warp(b);
}

bool LibraryCalls::within_one(const Node& a, const Node& b) const {
  const int call = of(a);
  return call && call == of(b) && of_one_group(a, b, calls_[size_t(call) - 1]);
}

bool LibraryCalls::within_two(const Node& a, const Node& b) const {
  const int first = of(a), second = of(b);
  if (!first || !second || first == second || !a.place.shared()) return false;
  const auto is_cubs = [&](int call) {
    const std::string& name = *calls_[size_t(call) - 1].name;
    return is_of_block(name) || is_of_warp(name);
  };
  return is_cubs(first) && is_cubs(second) && of_one_group(a, b, calls_[size_t(first) - 1]) &&
         of_one_group(a, b, calls_[size_t(second) - 1]);
}

const std::string* LibraryCalls::owner_of_barrier(int line) const {
  const auto known = std::ranges::find(barriers_, line, &std::pair<int, const std::string*>::first);
  return known == barriers_.end() ? nullptr : known->second;
}

namespace {

/// What a block's threads did with shared memory inside calls.
class StorageUse {
 public:
  /// By the places of the two calls.
  using Found = std::map<std::pair<uint32_t, uint32_t>, Finding>;

  StorageUse(const Trace& trace, int launch, int block, int without_line)
      : launch_(trace.launches[size_t(launch)]),
        number_(launch),
        block_(block),
        without_line_(without_line) {}

  void find(Found& found) {
    for (int t = 0; t < launch_.block; ++t) follow(t);
    for (auto& [cell, uses] : cells_) {
      const auto order = [&](int k) {
        const Use& u = uses_[size_t(k)];
        return std::tuple(u.warp, u.barriers, u.order, k);
      };
      std::ranges::sort(uses, {}, order);
      for (size_t k = 1; k < uses.size(); ++k)
        if (uses[k] != uses[k - 1]) compare(uses_[size_t(uses[k - 1])], uses_[size_t(uses[k])], found);
    }
  }

 private:
  /// A call.
  struct Use {
    uint32_t place = 0, name = 0;
    int warp = -1;     ///< that made it; -1: the block did
    int barriers = 0;  ///< of the kernel's own that its threads had met before
    int order = 0;     ///< among the calls of its threads
    int line = 0, thread = 0;
  };

  void follow(int t) {
    int now = -1, barriers = 0, warp_barriers = 0, calls = 0;
    for (const Event& e : launch_.blocks[size_t(block_)].log(t)) {
      if (e.op == Op::phase)
        now = enters_library(e) ? use_of(e, t, barriers, warp_barriers, calls++) : -1;
      else if (now < 0 && e.line != without_line_) {
        barriers += is_barrier(e.op);
        warp_barriers += e.op == Op::sync_warp;
      } else if (now >= 0 && touches(e.op) && e.array >= first_shared) {
        std::vector<int>& uses = cells_[{e.array, int(e.a)}];
        if (uses.empty() || uses.back() != now) uses.push_back(now);
      }
    }
  }
  int use_of(const Event& e, int t, int barriers, int warp_barriers, int order) {
    const std::string* const name = name_in(launch_, e);
    if (!name || (!is_of_block(*name) && !is_of_warp(*name))) return -1;
    const bool of_warp = is_of_warp(*name);
    const int warp = of_warp ? t / warp_size : -1;
    const auto [known, fresh] = known_.try_emplace({e.b, e.a, warp}, int(uses_.size()));
    if (fresh)
      uses_.push_back({e.b, e.bits, warp, barriers + (of_warp ? warp_barriers : 0), order, e.line, t});
    return known->second;
  }
  void compare(const Use& first, const Use& second, Found& found) const {
    if (first.barriers != second.barriers || first.warp != second.warp) return;
    const std::pair places(first.place, second.place);
    if (found.size() < most_found && !found.contains(places)) found[places] = finding(first, second);
  }
  Finding finding(const Use& first, const Use& second) const {
    const std::string &one = launch_.phases.at(first.name), &other = launch_.phases.at(second.name);
    const std::string barrier = operation_name(first.warp < 0 ? Op::sync : Op::sync_warp);
    Finding f{.block = block_, .thread = second.thread, .line = second.line};
    f.launch = number_;
    if (first.place == second.place) {
      f.message =
          message("{} in line {} uses its TempStorage again in the next round, with no barrier in between.",
                  one, first.line);
      f.help = message("Put {} behind line {} inside the loop.", barrier, first.line);
      return f;
    }
    f.message =
        message("{} in line {} uses the TempStorage of {} in line {} again, with no barrier in between.",
                other, second.line, one, first.line);
    f.help =
        first.line < second.line
            ? message("Put {} between line {} and line {}, or give the second call a TempStorage of its own.",
                      barrier, first.line, second.line)
            : message("Put {} between line {} and the next round's line {}.", barrier, first.line,
                      second.line);
    return f;
  }

  static constexpr size_t most_found = 16;
  const Launch& launch_;
  const int number_, block_, without_line_;
  std::vector<Use> uses_;
  std::map<std::tuple<uint32_t, uint32_t, int>, int> known_;  ///< uses, by place, number and warp
  std::map<std::pair<int, int>, std::vector<int>> cells_;     ///< by array and index: their uses
};

}  // namespace

namespace {

/// What a block does between two barriers of the kernel's own: the shared arrays that it touches.
struct Stretch {
  int line = 0;                                ///< of the barrier that ends it; 0: the kernel's end
  std::map<int, const std::string*> in_calls;  ///< with the function's name
  std::set<int> outside;
};

std::vector<Stretch> stretches(const Launch& l, const BlockRun& block) {
  std::vector<Stretch> all;
  for (int t = 0; t < l.block; ++t) {
    size_t now = 0;
    const std::string* call = nullptr;
    for (const Event& e : block.log(t)) {
      if (all.size() <= now) all.resize(now + 1);
      if (e.op == Op::phase) {
        call = enters_library(e) ? name_in(l, e) : nullptr;
      } else if (is_barrier(e.op) && !call) {
        all[now++].line = e.line;
      } else if (touches(e.op) && e.array >= first_shared) {
        if (call)
          all[now].in_calls.try_emplace(e.array, call);
        else
          all[now].outside.insert(e.array);
      }
    }
  }
  return all;
}

}  // namespace

Message why_library_needs_barrier(const Trace& trace, int launch, int line) {
  const Launch& l = trace.launches[size_t(launch)];
  const auto told = [&](int array, const std::string& name) {
    return message("The barrier in line {} keeps {} apart from other uses of {}.", line, name,
                   trace.array(l, array).name);
  };
  for (const BlockRun& block : l.blocks) {
    const std::vector<Stretch> all = stretches(l, block);
    for (size_t k = 0; k + 1 < all.size(); ++k) {
      if (all[k].line != line) continue;
      for (const auto& [first, second] : {std::pair(k, k + 1), std::pair(k + 1, k)})
        for (const auto& [array, name] : all[first].in_calls)
          if (all[second].outside.contains(array) || all[second].in_calls.contains(array))
            return told(array, *name);
    }
  }
  return {};
}

std::vector<Finding> storage_reused(const Trace& trace, int launch, int without_line) {
  const Launch& l = trace.launches[size_t(launch)];
  if (trace.dialect != Dialect::cuda || l.phases.empty() || l.shared.empty()) return {};
  StorageUse::Found found;
  for (int b = 0; b < l.grid; ++b) StorageUse(trace, launch, b, without_line).find(found);
  std::vector<Finding> all;
  for (auto& [places, f] : found) all.push_back(std::move(f));
  return all;
}

}  // namespace bscope
