#include "engine/timing/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "engine/timing/statistics.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* timeline_format = "barrierscope.timeline/1";
constexpr size_t largest_timeline = size_t(256) << 20;
constexpr double long_enough = 20'000;  // nanoseconds, of which the timer's step is a thousandth

/// What a multiprocessor's clock read when the GPU's time was this.
struct ClockSample {
  uint64_t clock, time;
};

std::map<uint32_t, std::vector<ClockSample>> readings_of(const std::vector<StampedLaunch>& launches) {
  std::map<uint32_t, std::vector<ClockSample>> all;
  for (const StampedLaunch& l : launches)
    for (const WarpStamps& w : l.warps) {
      auto& of_one = all[w.multiprocessor];
      of_one.push_back({w.begin_clock, w.begin_time});
      of_one.push_back({w.end_clock, w.end_time});
    }
  return all;
}

/// Cycles a nanosecond, by the multiprocessors that worked long enough to tell; else what is given.
double speed_of(const std::map<uint32_t, std::vector<ClockSample>>& all, double given) {
  std::vector<double> speeds;
  for (const auto& [multiprocessor, readings] : all) {
    const auto [first, last] =
        std::minmax_element(readings.begin(), readings.end(),
                            [](const ClockSample& a, const ClockSample& b) { return a.clock < b.clock; });
    const double ns = double(last->time) - double(first->time);
    if (ns >= long_enough) speeds.push_back(double(last->clock - first->clock) / ns);
  }
  return speeds.empty() ? given : summarise(std::move(speeds)).median;
}

/// What must be added to each multiprocessor's clock, so that all show one time. The GPU's time is cut off to
/// its step, so of many readings the one that is least behind counts.
std::map<uint32_t, long long> shifts_of(const std::map<uint32_t, std::vector<ClockSample>>& all,
                                        double speed) {
  uint64_t zero = std::numeric_limits<uint64_t>::max();
  for (const auto& [multiprocessor, readings] : all)
    for (const ClockSample& r : readings) zero = std::min(zero, r.time);
  std::map<uint32_t, long long> shifts;
  for (const auto& [multiprocessor, readings] : all) {
    const uint64_t first = readings.front().clock;
    double most = -std::numeric_limits<double>::max();
    for (const ClockSample& r : readings)
      most = std::max(most, double(r.time - zero) * speed - double((long long)(r.clock - first)));
    shifts[multiprocessor] = std::llround(most) - (long long)(first);
  }
  return shifts;
}

/// A stamp keeps the low bits of a clock that has been running since the warp began.
long long unwrapped(uint64_t low, uint64_t begin) {
  return (long long)(begin + ((low - begin) & Stamp::clock_mask));
}

TimelineWarp warp_of(const WarpStamps& w, const uint64_t* words, uint32_t kept, long long shift,
                     TimelineLaunch& l) {
  TimelineWarp warp{(long long)(w.begin_clock) + shift, (long long)(w.end_clock) + shift};
  std::vector<TimelinePlace> path;
  for (uint32_t k = 0; k < kept; ++k) {
    const Stamp::Kind kind = Stamp::kind_of(words[k]);
    if (Stamp::is_numbered(kind) && k + 1 == kept) break;  // its numbers were not kept
    path.push_back({kind, Stamp::line_of(words[k])});
    warp.at.push_back(unwrapped(words[k] & Stamp::clock_mask, w.begin_clock) + shift);
    if (Stamp::is_numbered(kind)) warp.tiles.push_back(StampedTiles::of(words[++k]));
  }
  const auto it = std::find(l.paths.begin(), l.paths.end(), path);
  warp.path = int(it - l.paths.begin());
  if (it == l.paths.end()) l.paths.push_back(std::move(path));
  return warp;
}

void begin_at_zero(TimelineLaunch& l) {
  long long zero = std::numeric_limits<long long>::max();
  for (const TimelineBlock& b : l.blocks) zero = std::min(zero, b.begin());
  l.since = zero;
  for (TimelineBlock& b : l.blocks)
    for (TimelineWarp& w : b.warps) {
      w.begin -= zero;
      w.end -= zero;
      for (long long& at : w.at) at -= zero;
    }
}

/// The k-th barrier of every warp of a block: when the last one came, and when the first one was let go.
struct BarrierTimes {
  long long last_arrival = std::numeric_limits<long long>::min(),
            first_release = std::numeric_limits<long long>::max();
  int line = 0;
};
std::vector<BarrierTimes> meetings_of(const TimelineLaunch& l, const TimelineBlock& b) {
  std::vector<BarrierTimes> all;
  for (const TimelineWarp& w : b.warps) {
    size_t arrivals = 0, releases = 0;
    const auto& path = l.paths[size_t(w.path)];
    for (size_t k = 0; k < path.size(); ++k) {
      if (path[k].kind != Stamp::arrival && path[k].kind != Stamp::release) continue;
      size_t& nth = path[k].kind == Stamp::arrival ? arrivals : releases;
      if (nth >= all.size()) all.resize(nth + 1);
      BarrierTimes& m = all[nth++];
      m.line = path[k].line;
      if (path[k].kind == Stamp::arrival)
        m.last_arrival = std::max(m.last_arrival, w.at[k]);
      else
        m.first_release = std::min(m.first_release, w.at[k]);
    }
  }
  return all;
}

bool goes_forward(const TimelineWarp& w) {
  long long now = w.begin;
  for (const long long at : w.at) {
    if (at < now) return false;
    now = at;
  }
  return now <= w.end;
}

std::map<int, std::vector<const TimelineBlock*>> by_multiprocessor(const TimelineLaunch& l) {
  std::map<int, std::vector<const TimelineBlock*>> all;
  for (const TimelineBlock& b : l.blocks) all[b.multiprocessor].push_back(&b);
  return all;
}

/// How many of the blocks run side by side, at most. One that ends as another begins has made room for it.
int most_at_a_time(const std::vector<const TimelineBlock*>& blocks) {
  std::vector<std::pair<long long, int>> changes;
  for (const TimelineBlock* b : blocks) {
    changes.emplace_back(b->begin(), 1);
    changes.emplace_back(b->end(), -1);
  }
  std::sort(changes.begin(), changes.end());
  int now = 0, most = 0;
  for (const auto& [when, change] : changes) most = std::max(most, now += change);
  return most;
}

}  // namespace

long long TimelineBlock::begin() const {
  long long t = std::numeric_limits<long long>::max();
  for (const TimelineWarp& w : warps) t = std::min(t, w.begin);
  return t;
}
long long TimelineBlock::end() const {
  long long t = std::numeric_limits<long long>::min();
  for (const TimelineWarp& w : warps) t = std::max(t, w.end);
  return t;
}
long long TimelineLaunch::end() const {
  long long t = whole ? whole->cycles : 0;
  for (const TimelineBlock& b : blocks) t = std::max(t, b.end());
  return t;
}

std::vector<TimelineLaunch> timeline_of(const std::vector<StampedLaunch>& launches, double& clock_mhz) {
  const auto readings = readings_of(launches);
  const double speed = speed_of(readings, clock_mhz * 1e-3);
  clock_mhz = speed * 1e3;
  const auto shifts = shifts_of(readings, speed);
  std::vector<TimelineLaunch> all;
  for (const StampedLaunch& from : launches) {
    TimelineLaunch& l = all.emplace_back();
    l.name = from.name;
    l.block = from.block;
    l.grid = from.grid;
    l.shared_bytes = from.shared_bytes;
    l.padding = from.padding;
    l.registers = from.registers;
    l.untraced_registers = from.untraced_registers;
    l.resident = from.resident;
    l.untraced_resident = from.untraced_resident;
    const size_t of_block = size_t(from.warps_of_block());
    for (size_t first = 0; first < from.warps.size(); first += of_block) {
      TimelineBlock& b = l.blocks.emplace_back();
      b.multiprocessor = int(from.warps[first].multiprocessor);
      b.number = int(first / of_block);
      for (size_t k = first; k < first + of_block; ++k) {
        const WarpStamps& w = from.warps[k];
        // A block does not move: contradictions() reports a warp that says otherwise.
        if (int(w.multiprocessor) != b.multiprocessor) b.multiprocessor = -1;
        const uint32_t kept = std::min(w.count, from.room);
        l.dropped += w.count - kept;
        b.warps.push_back(
            warp_of(w, from.words.data() + k * from.room, kept, shifts.at(w.multiprocessor), l));
      }
    }
    begin_at_zero(l);
  }
  for (TimelineLaunch& l : all)
    if (&l != &all.front()) l.since -= all.front().since;
  if (!all.empty()) all.front().since = 0;
  return all;
}

std::vector<std::string> contradictions(const Timeline& t) {
  std::vector<std::string> all;
  for (const TimelineLaunch& l : t.launches) {
    const std::string of = " of launch \"" + l.name + "\"";
    if (l.dropped) all.push_back(std::to_string(l.dropped) + " stamps" + of + " were not kept");
    for (const TimelineBlock& block : l.blocks) {
      const std::string where = "block " + std::to_string(block.number) + of;
      if (block.multiprocessor < 0) all.push_back(where + " was on several multiprocessors");
      for (size_t w = 0; w < block.warps.size(); ++w)
        if (!goes_forward(block.warps[w]))
          all.push_back("warp " + std::to_string(w) + " of " + where + " goes back in time");
      for (const BarrierTimes& m : meetings_of(l, block))
        if (m.first_release < m.last_arrival)
          all.push_back("in line " + std::to_string(m.line) + " a warp of " + where + " was let go " +
                        std::to_string(m.last_arrival - m.first_release) +
                        " cycles before the last one came");
    }
    for (const auto& [multiprocessor, blocks] : by_multiprocessor(l))
      if (const int most = most_at_a_time(blocks); most > l.resident)
        all.push_back("multiprocessor " + std::to_string(multiprocessor) + " had " + std::to_string(most) +
                      " blocks" + of + " at a time, and " + std::to_string(l.resident) + " fit");
  }
  return all;
}

std::string phase_name(const TimelineLaunch& l, int line) {
  if (line == 0) return "";
  const auto it = l.phases.find(line);
  return it == l.phases.end() ? "line " + std::to_string(line) : it->second;
}

std::vector<TimelineStretch> stretches_of(const TimelineLaunch& l, const TimelineWarp& w) {
  std::vector<TimelineStretch> all;
  TimelineStretch now{.begin = w.begin};
  const auto up_to = [&](long long end) {
    now.end = end;
    if (now.end > now.begin) all.push_back(now);
    now.begin = end;
  };
  const auto& path = l.paths[size_t(w.path)];
  size_t numbered = 0;
  for (size_t k = 0; k < path.size(); ++k) {
    const Stamp::Kind kind = path[k].kind;
    const StampedTiles tiles = Stamp::is_numbered(kind) ? w.tiles[numbered++] : StampedTiles{};
    if (kind == Stamp::tile || kind == Stamp::publish) continue;  // it goes on with what it was at
    up_to(w.at[k]);
    now.activity = kind == Stamp::arrival ? WarpActivity::barrier
                   : kind != Stamp::wait  ? WarpActivity::work
                   : tiles.last < 0       ? WarpActivity::copy
                                          : WarpActivity::tiles;
    now.tiles = tiles;
    if (kind == Stamp::phase) now.line = path[k].line;
  }
  up_to(w.end);
  return all;
}

TimelineMeasures measures_of(const Timeline& t, const TimelineLaunch& l) {
  if (l.whole) return *l.whole;
  TimelineMeasures m;
  m.cycles = l.end();
  std::map<int, TimelineShare> of_lines;
  double at_work = 0, waiting = 0, awaiting = 0;
  for (const TimelineBlock& b : l.blocks)
    for (const TimelineWarp& w : b.warps)
      for (const TimelineStretch& s : stretches_of(l, w)) {
        const auto cycles = double(s.end - s.begin);
        TimelineShare& to = of_lines[s.line];
        (s.activity == WarpActivity::work      ? to.cycles
         : s.activity == WarpActivity::barrier ? to.waiting
                                               : to.awaiting) += cycles;
        (s.activity == WarpActivity::work      ? at_work
         : s.activity == WarpActivity::barrier ? waiting
                                               : awaiting) += cycles;
      }
  // A phase that is said in two places is one, where it comes first.
  for (auto& [line, of_line] : of_lines) {
    of_line.phase = phase_name(l, line);
    const auto it = std::ranges::find(m.phases, of_line.phase, &TimelineShare::phase);
    if (it == m.phases.end()) {
      m.phases.push_back(of_line);
    } else {
      it->cycles += of_line.cycles;
      it->waiting += of_line.waiting;
      it->awaiting += of_line.awaiting;
    }
  }
  long long first_idle = m.cycles;
  for (const auto& [multiprocessor, blocks] : by_multiprocessor(l)) {
    ++m.multiprocessors;
    m.most_blocks = std::max(m.most_blocks, most_at_a_time(blocks));
    long long last = 0;
    for (const TimelineBlock* b : blocks) last = std::max(last, b->end());
    first_idle = std::min(first_idle, last);
  }
  m.tail = m.multiprocessors < t.multiprocessors ? m.cycles : m.cycles - first_idle;
  const double time = double(m.cycles) * t.multiprocessors;
  if (time > 0) {
    m.warps = (at_work + waiting + awaiting) / time;
    m.waiting_warps = waiting / time;
    m.awaiting_warps = awaiting / time;
  }
  return m;
}

Timeline thinned(Timeline t, int multiprocessors) {
  if (multiprocessors < 1) throw UsageError(message("no multiprocessor is to be kept"));
  std::set<int> all;
  for (const TimelineLaunch& l : t.launches)
    for (const TimelineBlock& b : l.blocks) all.insert(b.multiprocessor);
  if (int(all.size()) <= multiprocessors) return t;
  const std::vector<int> in_order(all.begin(), all.end());
  std::set<int> kept;
  for (int k = 0; k < multiprocessors; ++k)
    kept.insert(in_order[size_t(k) * in_order.size() / size_t(multiprocessors)]);
  for (TimelineLaunch& l : t.launches) {
    if (int(l.blocks.size()) <= multiprocessors) continue;
    l.whole = measures_of(t, l);
    std::set<int> here = kept;
    if (std::ranges::none_of(l.blocks,
                             [&](const TimelineBlock& b) { return kept.contains(b.multiprocessor); }))
      here.insert(l.blocks.front().multiprocessor);
    std::erase_if(l.blocks, [&](const TimelineBlock& b) { return !here.contains(b.multiprocessor); });
    const auto paths = std::exchange(l.paths, {});
    for (TimelineBlock& b : l.blocks)
      for (TimelineWarp& w : b.warps) {
        const auto& path = paths[size_t(w.path)];
        const auto it = std::find(l.paths.begin(), l.paths.end(), path);
        w.path = int(it - l.paths.begin());
        if (it == l.paths.end()) l.paths.push_back(path);
      }
  }
  return t;
}

namespace {
/// Of a warp its path, its begin, how long to each place (and the tiles that this is about) and to the end.
std::string text_of(const TimelineWarp& w, const std::vector<TimelinePlace>& path) {
  std::string all = "[" + std::to_string(w.path) + "," + std::to_string(w.begin);
  long long now = w.begin;
  size_t numbered = 0;
  for (size_t k = 0; k < w.at.size(); ++k) {
    all += "," + std::to_string(w.at[k] - now);
    now = w.at[k];
    if (!Stamp::is_numbered(path[k].kind)) continue;
    const StampedTiles& tiles = w.tiles[numbered++];
    all += tiles.first == tiles.last
               ? "," + std::to_string(tiles.last)
               : ",[" + std::to_string(tiles.first) + "," + std::to_string(tiles.last) + "]";
  }
  return all + "," + std::to_string(w.end - now) + "]";
}

/// One block a line: its multiprocessor, and its warps.
std::string text_of(const TimelineLaunch& l) {
  json launch = to_fields_json(l);
  std::vector<std::string> blocks;
  for (const TimelineBlock& b : l.blocks) {
    if (l.whole) launch["numbers"].push_back(b.number);
    std::string& line = blocks.emplace_back("[" + std::to_string(b.multiprocessor));
    for (const TimelineWarp& w : b.warps) line += "," + text_of(w, l.paths[size_t(w.path)]);
    line += "]";
  }
  return json_text_by_line(launch, "blocks", blocks);
}
}  // namespace

std::string to_json(const Timeline& t) {
  json head{{"format", timeline_format}};
  head.update(to_fields_json(t));
  head["clock_mhz"] = std::round(t.clock_mhz * 100) / 100;
  std::vector<std::string> launches;
  for (const TimelineLaunch& l : t.launches) launches.push_back(text_of(l));
  return json_text_by_line(head, "launches", launches) + "\n";
}

namespace {

/// What a timeline has that none can have: a clause that follows "it".
struct Impossible : Error {
  using Error::Error;
};

/// So long after another time.
long long time_from(const json& from, long long before) {
  const auto t = from.get<long long>();
  if (std::abs(t) > 1LL << 50 || std::abs(before + t) > 1LL << 50)
    throw Impossible(message("has a time that no run takes"));
  return before + t;
}

StampedTiles tiles_from(const json& from) {
  StampedTiles tiles;
  if (from.is_array())
    tiles = {from.at(0).get<long long>(), from.at(1).get<long long>()};
  else
    tiles.first = tiles.last = from.get<long long>();
  if (tiles.first < -1 || tiles.last < tiles.first || tiles.last >= 1LL << Stamp::tile_bits)
    throw Impossible(message("has a tile of a number that there is not"));
  return tiles;
}

TimelineWarp warp_from(const json& from, const TimelineLaunch& l) {
  TimelineWarp w;
  w.path = from.at(0).get<int>();
  if (w.path < 0 || size_t(w.path) >= l.paths.size())
    throw Impossible(message("has a warp on a path that is not there"));
  const auto& path = l.paths[size_t(w.path)];
  const auto numbered =
      size_t(std::ranges::count_if(path, [](const TimelinePlace& p) { return Stamp::is_numbered(p.kind); }));
  if (from.size() != path.size() + numbered + 3)
    throw Impossible(message("has a warp with more or fewer times than its path has places"));
  size_t next = 1;
  long long now = w.begin = time_from(from[next++], 0);
  for (const TimelinePlace& p : path) {
    w.at.push_back(now = time_from(from[next++], now));
    if (Stamp::is_numbered(p.kind)) w.tiles.push_back(tiles_from(from[next++]));
  }
  w.end = time_from(from[next], now);
  return w;
}

TimelineLaunch launch_from(const json& from, const std::string& where) {
  TimelineLaunch l;
  from_fields_json(l, from, where);
  for (const json& block : from.at("blocks")) {
    TimelineBlock& b = l.blocks.emplace_back();
    b.multiprocessor = block.at(0).get<int>();
    b.number = from.contains("numbers") ? from.at("numbers").at(l.blocks.size() - 1).get<int>()
                                        : int(l.blocks.size()) - 1;
    if (block.size() != size_t((l.block + 31) / 32) + 1)
      throw Impossible(message("has a block with more or fewer warps than fit it"));
    for (size_t k = 1; k < block.size(); ++k) b.warps.push_back(warp_from(block[k], l));
  }
  if (l.blocks.empty()) throw Impossible(message("has a launch without blocks"));
  if (!from.contains("grid")) l.grid = int(l.blocks.size());  // in files of the first days
  return l;
}

}  // namespace

Timeline read_timeline(std::string_view text, const std::string& name) {
  try {
    const auto all = try_parse_json(text);
    if (!all) throw Impossible(message("is no JSON"));
    const json& from = *all;
    if (from.at("format") != timeline_format)
      throw Impossible(message("is of another format than {}", timeline_format));
    Timeline t;
    from_fields_json(t, from, {});
    for (const json& launch : from.at("launches"))
      t.launches.push_back(launch_from(launch, "launches." + std::to_string(t.launches.size())));
    return t;
  } catch (const BadFile& e) {
    throw BadFile(message("{} is no timeline of a GPU: {}", name, e.message()));
  } catch (const Impossible& e) {
    throw BadFile(message("{} is no timeline of a GPU: it {}", name, e.message()));
  } catch (const json::exception& e) {
    throw BadFile(message("{} is no timeline of a GPU: {}", name, e.what()));
  }
}

bool is_timeline(std::string_view beginning) {
  return beginning.substr(0, 200).find("\"barrierscope.timeline/") != std::string_view::npos;
}

Timeline load_timeline(const std::filesystem::path& path) {
  return read_timeline(as_text(read_file(path, largest_timeline), path.string()), path.string());
}

}  // namespace bscope
