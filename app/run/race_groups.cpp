#include "app/run/race_groups.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "app/run/titles.hpp"
#include "engine/analysis/race_message.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

class RaceGrouping {
 public:
  RaceGrouping(const Trace& trace, std::vector<RaceGroup> groups)
      : trace_(trace), groups_(std::move(groups)) {}

  std::vector<RaceGroup> run() && {
    join_alike(
        [&](const RaceGroup& a, const RaceGroup& b) { return of_one_kernel(a, b) && same_lines(a, b); });
    join_alike([&](const RaceGroup& a, const RaceGroup& b) {
      return of_one_kernel(a, b) && is_before_one_line(a) && is_before_one_line(b) &&
             a.cure.places[0].to == b.cure.places[0].to;
    });
    join_alike([&](const RaceGroup& a, const RaceGroup& b) {
      return of_one_kernel(a, b) && is_at_end_of_round(a) && is_at_end_of_round(b) &&
             a.cure.places[0].from == b.cure.places[0].from;
    });
    join_warp_steps();
    return std::move(groups_);
  }

 private:
  std::string_view kernel(const RaceGroup& g) const {
    return template_name(trace_.launches[size_t(g.shown->launch)].name);
  }
  bool of_one_kernel(const RaceGroup& a, const RaceGroup& b) const {
    return a.shown->array == b.shown->array && kernel(a) == kernel(b);
  }
  static bool same_lines(const RaceGroup& a, const RaceGroup& b) {
    return std::minmax(a.shown->lines[0], a.shown->lines[1]) ==
           std::minmax(b.shown->lines[0], b.shown->lines[1]);
  }
  static bool is_one_barrier(const RaceGroup& g) {
    return g.cure.kind == CureKind::barrier && g.cure.places.size() == 1;
  }
  static bool is_before_one_line(const RaceGroup& g) {
    return is_one_barrier(g) && !g.cure.places[0].next_round;
  }
  static bool is_at_end_of_round(const RaceGroup& g) {
    return is_one_barrier(g) && g.cure.places[0].next_round;
  }

  static void add(RaceGroup& to, const RaceGroup& g) {
    to.count += g.count;
    to.launches = std::max(to.launches, g.launches);
    to.first_block = std::min(to.first_block, g.first_block);
    to.last_block = std::max(to.last_block, g.last_block);
    to.cure.is_volatile |= g.cure.is_volatile;
  }

  /// Joins the groups of each class to the first one of it that needs a block's barrier, else to the first.
  template <class Alike>
  void join_alike(Alike alike) {
    std::vector<RaceGroup> joined;
    for (RaceGroup& g : groups_) {
      const auto known = std::ranges::find_if(joined, [&](const RaceGroup& j) { return alike(j, g); });
      if (known == joined.end()) {
        joined.push_back(std::move(g));
        continue;
      }
      const bool again = same_lines(*known, g) && known->shown->launch != g.shown->launch;
      if (known->cure.scope != Cure::SyncScope::block && g.cure.scope == Cure::SyncScope::block)
        std::swap(*known, g);
      add(*known, g);
      known->launches += again;
    }
    groups_ = std::move(joined);
  }

  /// The line of a step that lanes of a warp make together; 0: it is none.
  static int warp_step(const RaceGroup& g) {
    if (g.cure.scope != Cure::SyncScope::warp) return 0;
    if (is_before_one_line(g)) return g.cure.places[0].to;
    return g.shown->lines[0] == g.shown->lines[1] ? g.shown->lines[0] : 0;
  }

  void join_warp_steps() {
    for (size_t first = 0; first < groups_.size(); ++first) {
      std::set<int> lines;
      const auto belongs = [&](const RaceGroup& g) {
        return warp_step(g) && of_one_kernel(g, groups_[first]);
      };
      for (const RaceGroup& g : groups_)
        if (warp_step(groups_[first]) && belongs(g)) lines.insert(warp_step(g));
      if (lines.size() < 2) continue;
      RaceGroup all = groups_[first];
      all.cure = {
          .kind = CureKind::warp_steps, .scope = Cure::SyncScope::warp, .is_volatile = all.cure.is_volatile};
      for (const int line : lines) all.cure.places.push_back({line, line});
      for (size_t k = groups_.size(); k-- > first + 1;)
        if (belongs(groups_[k])) {
          add(all, groups_[k]);
          groups_.erase(groups_.begin() + long(k));
        }
      all.help = warp_steps_help(all.cure);
      groups_[first] = std::move(all);
    }
  }

  const Trace& trace_;
  std::vector<RaceGroup> groups_;
};

}  // namespace

std::vector<RaceGroup> race_groups(const Trace& trace, const std::vector<Hazard>& hazards) {
  std::vector<RaceGroup> groups;
  for (const Hazard& h : hazards)
    if (h.alike >= 0)
      groups.push_back({.shown = &h,
                        .count = size_t(h.alike) + 1,
                        .first_block = h.first_block,
                        .last_block = h.last_block,
                        .cure = h.cure,
                        .help = h.help});
  return trace.dialect == Dialect::cuda ? RaceGrouping(trace, std::move(groups)).run() : groups;
}

}  // namespace bscope
