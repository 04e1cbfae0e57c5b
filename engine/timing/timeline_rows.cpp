#include "engine/timing/timeline_rows.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace bscope {
namespace {

/// A change of what one warp of a block is at.
struct ActivityChange {
  long long at = 0;
  int by = 1;  ///< -1: it is at this no more
  WarpActivity activity = WarpActivity::work;
  int line = 0;
};

/// What a block is at, from what its warps are at.
struct Hands {
  std::map<int, int> of_line;
  int warps = 0, waiting = 0, tiles = 0, copy = 0;
  void take(const ActivityChange& c) {
    of_line[c.line] += c.by;
    warps += c.by;
    if (c.activity == WarpActivity::barrier) waiting += c.by;
    if (c.activity == WarpActivity::tiles) tiles += c.by;
    if (c.activity == WarpActivity::copy) copy += c.by;
  }
  WarpActivity activity() const {
    if (tiles > 0) return WarpActivity::tiles;
    if (copy > 0) return WarpActivity::copy;
    return 2 * waiting > warps ? WarpActivity::barrier : WarpActivity::work;
  }
  int line() const {
    return std::ranges::max_element(of_line, {}, [](const auto& one) { return one.second; })->first;
  }
};

std::vector<ActivityChange> changes_of(const TimelineLaunch& l, const TimelineBlock& b) {
  std::vector<ActivityChange> all;
  for (const TimelineWarp& w : b.warps)
    for (const TimelineStretch& s : stretches_of(l, w)) {
      all.push_back({s.begin, 1, s.activity, s.line});
      all.push_back({s.end, -1, s.activity, s.line});
    }
  std::ranges::stable_sort(all, {}, &ActivityChange::at);
  return all;
}

/// Numbers of phases by their lines.
using PhaseNumbers = std::map<int, int>;

PhaseNumbers number_phases(const TimelineLaunch& l, std::vector<std::string>& phases) {
  std::map<int, std::string> names{{0, ""}};
  for (const auto& path : l.paths)
    for (const TimelinePlace& p : path)
      if (p.kind == Stamp::phase) names.emplace(p.line, phase_name(l, p.line));
  PhaseNumbers numbers;
  for (const auto& [line, name] : names) {
    const auto it = std::ranges::find(phases, name);
    numbers[line] = int(it - phases.begin());
    if (it == phases.end()) phases.push_back(name);
  }
  return numbers;
}

TimelineRows::BlockBar bar_of(const TimelineLaunch& l, const TimelineBlock& b, long long since,
                              const PhaseNumbers& numbers) {
  TimelineRows::BlockBar bar{.begin = since + b.begin(), .end = since + b.end()};
  Hands hands;
  const std::vector<ActivityChange> changes = changes_of(l, b);
  for (size_t k = 0; k < changes.size();) {
    const long long now = changes[k].at;
    for (; k < changes.size() && changes[k].at == now; ++k) hands.take(changes[k]);
    if (k == changes.size() || hands.warps == 0) continue;
    const WarpActivity activity = hands.activity();
    const int phase = numbers.at(hands.line());
    auto& all = bar.stretches;
    if (!all.empty() && all.back().activity == activity && all.back().phase == phase)
      all.back().end = since + changes[k].at;
    else
      all.push_back({since + now, since + changes[k].at, activity, phase});
  }
  return bar;
}

/// Puts bars that overlap into different slots.
void find_slots(TimelineRows::MultiprocessorRow& row) {
  std::ranges::stable_sort(row.bars, {}, &TimelineRows::BlockBar::begin);
  std::vector<long long> until;
  for (TimelineRows::BlockBar& bar : row.bars) {
    const auto it = std::ranges::find_if(until, [&](long long end) { return end <= bar.begin; });
    bar.slot = int(it - until.begin());
    if (it == until.end()) until.push_back(0);
    until[size_t(bar.slot)] = bar.end;
  }
  row.slots = int(until.size());
}

/// What a warp of a block that is kept adds to the average of all multiprocessors: its block stands for those
/// of the launch that are not kept.
double share_of(const Timeline& t, const TimelineLaunch& l) {
  const double stands_for = l.whole && !l.blocks.empty() ? double(l.grid) / double(l.blocks.size()) : 1;
  return stands_for / std::max(1, t.multiprocessors);
}

std::vector<TimelineRows::Resident> resident_in(const Timeline& t, const TimelineRows& s) {
  std::map<long long, TimelineRows::Resident> changes;
  for (size_t k = 0; k < t.launches.size(); ++k) {
    const TimelineLaunch& l = t.launches[k];
    const double share = share_of(t, l);
    for (const TimelineBlock& b : l.blocks)
      for (const TimelineWarp& w : b.warps)
        for (const TimelineStretch& stretch : stretches_of(l, w))
          for (const int by : {1, -1}) {
            TimelineRows::Resident& at =
                changes[s.launches[k].begin + (by > 0 ? stretch.begin : stretch.end)];
            (stretch.activity == WarpActivity::work      ? at.working
             : stretch.activity == WarpActivity::barrier ? at.at_barrier
                                                         : at.awaiting) += by * share;
          }
  }
  std::vector<TimelineRows::Resident> all;
  TimelineRows::Resident now;
  for (const auto& [at, change] : changes) {
    now.working += change.working;
    now.at_barrier += change.at_barrier;
    now.awaiting += change.awaiting;
    all.push_back({at, now.working, now.at_barrier, now.awaiting});
  }
  return all;
}

/// When which block published what of each tile.
struct Published {
  long long at = 0;
  int block = 0;
};
using Publications = std::map<long long, std::vector<Published>>;

Publications publications_of(const TimelineLaunch& l, long long since) {
  Publications all;
  for (size_t b = 0; b < l.blocks.size(); ++b)
    for (const TimelineWarp& w : l.blocks[b].warps) {
      const auto& path = l.paths[size_t(w.path)];
      size_t numbered = 0;
      for (size_t k = 0; k < path.size(); ++k) {
        if (!Stamp::is_numbered(path[k].kind)) continue;
        const StampedTiles tiles = w.tiles[numbered++];
        if (path[k].kind == Stamp::publish) all[tiles.last].push_back({since + w.at[k], int(b)});
      }
    }
  return all;
}

void find_waits(const TimelineLaunch& l, int launch, long long since,
                std::vector<TimelineRows::Wait>& waits) {
  const Publications published = publications_of(l, since);
  for (size_t b = 0; b < l.blocks.size(); ++b)
    for (size_t w = 0; w < l.blocks[b].warps.size(); ++w)
      for (const TimelineStretch& s : stretches_of(l, l.blocks[b].warps[w])) {
        if (s.activity != WarpActivity::tiles) continue;
        TimelineRows::Wait wait{launch, int(b), int(w), since + s.begin, since + s.end, s.tiles};
        // What it waited for was there when the first word of each tile was: the last of these ended it. What
        // was there before it came cost the way to memory alone.
        for (auto it = published.lower_bound(s.tiles.first);
             it != published.end() && it->first <= s.tiles.last; ++it) {
          const Published& first = *std::ranges::min_element(it->second, {}, &Published::at);
          if (first.block == int(b) || first.at <= std::max(wait.begin, wait.published)) continue;
          wait.from = first.block;
          wait.from_tile = it->first;
          wait.published = first.at;
        }
        waits.push_back(wait);
      }
}

}  // namespace

TimelineRows rows_of(const Timeline& t) {
  TimelineRows s;
  std::map<int, TimelineRows::MultiprocessorRow> rows;
  long long after = 0;
  for (size_t k = 0; k < t.launches.size(); ++k) {
    const TimelineLaunch& l = t.launches[k];
    // Files of the first days do not say when a launch began.
    const long long since = k > 0 && l.since == 0 ? after : l.since;
    s.launches.push_back({since, since + l.end()});
    after = std::max(after, since + l.end());
    const PhaseNumbers numbers = number_phases(l, s.phases);
    for (size_t b = 0; b < l.blocks.size(); ++b) {
      TimelineRows::MultiprocessorRow& row = rows[l.blocks[b].multiprocessor];
      row.multiprocessor = l.blocks[b].multiprocessor;
      row.bars.push_back(bar_of(l, l.blocks[b], since, numbers));
      row.bars.back().launch = int(k);
      row.bars.back().block = int(b);
    }
    find_waits(l, int(k), since, s.waits);
  }
  s.end = after;
  for (auto& [multiprocessor, row] : rows) {
    for (size_t k = 0; k < t.launches.size(); ++k)
      if (t.launches[k].whole &&
          std::ranges::find(row.bars, int(k), &TimelineRows::BlockBar::launch) == row.bars.end())
        row.unkept.push_back(s.launches[k]);
    find_slots(row);
    s.most_slots = std::max(s.most_slots, row.slots);
    s.rows.push_back(std::move(row));
  }
  s.resident = resident_in(t, s);
  std::ranges::stable_sort(s.waits, {}, &TimelineRows::Wait::begin);
  return s;
}

std::vector<const TimelineRows::Wait*> chain_of(const TimelineRows& s, const TimelineRows::Wait& last) {
  std::vector<const TimelineRows::Wait*> chain{&last};
  while (chain.back()->from >= 0) {
    const TimelineRows::Wait& now = *chain.back();
    const TimelineRows::Wait* before = nullptr;
    for (const TimelineRows::Wait& w : s.waits) {
      if (w.begin >= now.begin) break;
      if (w.launch == now.launch && w.block == now.from && w.end <= now.published) before = &w;
    }
    if (!before) break;
    chain.push_back(before);
  }
  return chain;
}

std::vector<const TimelineRows::Wait*> waits_of(const TimelineRows& s, int launch, int block) {
  if (block < 0) {
    std::map<std::pair<int, int>, long long> in_all;
    long long most = 0;
    for (const TimelineRows::Wait& w : s.waits)
      if (const long long sum = in_all[{w.launch, w.block}] += w.from < 0 ? 0 : w.published - w.begin;
          sum > most) {
        most = sum;
        launch = w.launch;
        block = w.block;
      }
    if (block < 0) return {};
  }
  std::vector<const TimelineRows::Wait*> all;
  for (const TimelineRows::Wait& w : s.waits)
    if (w.launch == launch && w.block == block) all.push_back(&w);
  return all;
}

TimelineRows::Resident resident_between(const TimelineRows& s, long long begin, long long end) {
  TimelineRows::Resident sum{.at = begin};
  if (end <= begin) return sum;
  auto it = std::ranges::upper_bound(s.resident, begin, {}, &TimelineRows::Resident::at);
  if (it != s.resident.begin()) --it;
  for (; it != s.resident.end() && it->at < end; ++it) {
    const long long from = std::max(begin, it->at),
                    to = std::min(end, it + 1 == s.resident.end() ? end : (it + 1)->at);
    if (to <= from) continue;
    const double share = double(to - from) / double(end - begin);
    sum.working += it->working * share;
    sum.at_barrier += it->at_barrier * share;
    sum.awaiting += it->awaiting * share;
  }
  return sum;
}

}  // namespace bscope
