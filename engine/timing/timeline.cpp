#include "engine/timing/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/timing/statistics.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* format_name = "barrierscope.timeline/1";
constexpr size_t largest_file = size_t(256) << 20;
constexpr double long_enough = 20'000;  // nanoseconds, of which the timer's step is a thousandth

/// What a multiprocessor's clock read when the GPU's time was this.
struct Reading {
  uint64_t clock, time;
};

std::map<uint32_t, std::vector<Reading>> readings_of(const std::vector<StampedLaunch>& launches) {
  std::map<uint32_t, std::vector<Reading>> all;
  for (const StampedLaunch& l : launches)
    for (const WarpStamps& w : l.warps) {
      auto& of_one = all[w.multiprocessor];
      of_one.push_back({w.begin_clock, w.begin_time});
      of_one.push_back({w.end_clock, w.end_time});
    }
  return all;
}

/// Cycles a nanosecond, by the multiprocessors that worked long enough to tell; else what is given.
double speed_of(const std::map<uint32_t, std::vector<Reading>>& all, double given) {
  std::vector<double> speeds;
  for (const auto& [multiprocessor, readings] : all) {
    const auto [first, last] =
        std::minmax_element(readings.begin(), readings.end(),
                            [](const Reading& a, const Reading& b) { return a.clock < b.clock; });
    const double ns = double(last->time) - double(first->time);
    if (ns >= long_enough) speeds.push_back(double(last->clock - first->clock) / ns);
  }
  return speeds.empty() ? given : summarise(std::move(speeds)).median;
}

/// What must be added to each multiprocessor's clock, so that all show one time. The GPU's time is cut off to
/// its step, so of many readings the one that is least behind counts.
std::map<uint32_t, long long> shifts_of(const std::map<uint32_t, std::vector<Reading>>& all, double speed) {
  uint64_t zero = std::numeric_limits<uint64_t>::max();
  for (const auto& [multiprocessor, readings] : all)
    for (const Reading& r : readings) zero = std::min(zero, r.time);
  std::map<uint32_t, long long> shifts;
  for (const auto& [multiprocessor, readings] : all) {
    const uint64_t first = readings.front().clock;
    double most = -std::numeric_limits<double>::max();
    for (const Reading& r : readings)
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
    path.push_back({Stamp::kind_of(words[k]), Stamp::line_of(words[k])});
    warp.at.push_back(unwrapped(words[k] & Stamp::clock_mask, w.begin_clock) + shift);
  }
  const auto it = std::find(l.paths.begin(), l.paths.end(), path);
  warp.path = int(it - l.paths.begin());
  if (it == l.paths.end()) l.paths.push_back(std::move(path));
  return warp;
}

void begin_at_zero(TimelineLaunch& l) {
  long long zero = std::numeric_limits<long long>::max();
  for (const TimelineBlock& b : l.blocks) zero = std::min(zero, b.begin());
  for (TimelineBlock& b : l.blocks)
    for (TimelineWarp& w : b.warps) {
      w.begin -= zero;
      w.end -= zero;
      for (long long& at : w.at) at -= zero;
    }
}

/// The k-th barrier of every warp of a block: when the last one came, and when the first one was let go.
struct Meeting {
  long long last_arrival = std::numeric_limits<long long>::min(),
            first_release = std::numeric_limits<long long>::max();
  int line = 0;
};
std::vector<Meeting> meetings_of(const TimelineLaunch& l, const TimelineBlock& b) {
  std::vector<Meeting> all;
  for (const TimelineWarp& w : b.warps) {
    size_t arrivals = 0, releases = 0;
    const auto& path = l.paths[size_t(w.path)];
    for (size_t k = 0; k < path.size(); ++k) {
      if (path[k].kind == Stamp::phase) continue;
      size_t& nth = path[k].kind == Stamp::arrival ? arrivals : releases;
      if (nth >= all.size()) all.resize(nth + 1);
      Meeting& m = all[nth++];
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

const char* name_of(Stamp::Kind kind) {
  return kind == Stamp::phase ? "phase" : kind == Stamp::arrival ? "arrival" : "release";
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
  long long t = 0;
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
    l.shared_bytes = from.shared_bytes;
    l.registers = from.registers;
    l.untraced_registers = from.untraced_registers;
    l.resident = from.resident;
    l.untraced_resident = from.untraced_resident;
    const size_t of_block = size_t(from.warps_of_block());
    for (size_t first = 0; first < from.warps.size(); first += of_block) {
      TimelineBlock& b = l.blocks.emplace_back();
      b.multiprocessor = int(from.warps[first].multiprocessor);
      for (size_t k = first; k < first + of_block; ++k) {
        const WarpStamps& w = from.warps[k];
        // A block does not move: a warp that says otherwise is told by contradictions().
        if (int(w.multiprocessor) != b.multiprocessor) b.multiprocessor = -1;
        const uint32_t kept = std::min(w.count, from.room);
        l.dropped += w.count - kept;
        b.warps.push_back(
            warp_of(w, from.words.data() + k * from.room, kept, shifts.at(w.multiprocessor), l));
      }
    }
    begin_at_zero(l);
  }
  return all;
}

std::vector<std::string> contradictions(const Timeline& t) {
  std::vector<std::string> all;
  for (const TimelineLaunch& l : t.launches) {
    const std::string of = " of launch \"" + l.name + "\"";
    if (l.dropped) all.push_back(std::to_string(l.dropped) + " stamps" + of + " were not kept");
    for (size_t b = 0; b < l.blocks.size(); ++b) {
      const TimelineBlock& block = l.blocks[b];
      const std::string where = "block " + std::to_string(b) + of;
      if (block.multiprocessor < 0) all.push_back(where + " was on several multiprocessors");
      for (size_t w = 0; w < block.warps.size(); ++w)
        if (!goes_forward(block.warps[w]))
          all.push_back("warp " + std::to_string(w) + " of " + where + " goes back in time");
      for (const Meeting& m : meetings_of(l, block))
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

TimelineMeasures measures_of(const Timeline& t, const TimelineLaunch& l) {
  TimelineMeasures m;
  m.cycles = l.end();
  std::map<std::string, size_t> index;
  const auto share = [&](const std::string& phase) -> TimelineShare& {
    const auto [it, is_new] = index.emplace(phase, m.phases.size());
    if (is_new) m.phases.push_back({phase});
    return m.phases[it->second];
  };
  double at_work = 0, waiting = 0;
  for (const TimelineBlock& b : l.blocks)
    for (const TimelineWarp& w : b.warps) {
      std::string phase;
      long long since = w.begin;
      bool waits = false;
      const auto up_to = [&](long long now) {
        (waits ? share(phase).waiting : share(phase).cycles) += double(now - since);
        (waits ? waiting : at_work) += double(now - since);
        since = now;
      };
      const auto& path = l.paths[size_t(w.path)];
      for (size_t k = 0; k < path.size(); ++k) {
        up_to(w.at[k]);
        waits = path[k].kind == Stamp::arrival;
        if (path[k].kind != Stamp::phase) continue;
        const auto it = l.phases.find(path[k].line);
        phase = it == l.phases.end() ? "line " + std::to_string(path[k].line) : it->second;
      }
      up_to(w.end);
    }
  std::erase_if(m.phases, [](const TimelineShare& s) { return s.cycles + s.waiting == 0; });
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
  if (time > 0) m.warps = (at_work + waiting) / time, m.waiting_warps = waiting / time;
  return m;
}

std::string to_json(const Timeline& t) {
  ordered_json head{{"format", format_name},
                    {"device", t.device},
                    {"driver", t.driver},
                    {"date", t.date},
                    {"kernel", t.kernel},
                    {"parameters", t.parameters},
                    {"n", t.n},
                    {"multiprocessors", t.multiprocessors},
                    {"clock_mhz", std::round(t.clock_mhz * 100) / 100},
                    {"untraced_s", t.untraced_s},
                    {"stamped_s", t.stamped_s}};
  std::string text = head.dump(-1, ' ', false, json::error_handler_t::replace);
  text.back() = ',';
  text += "\"launches\":[";
  const char* between_launches = "\n";
  for (const TimelineLaunch& l : t.launches) {
    ordered_json phases = ordered_json::object(), paths = ordered_json::array();
    for (const auto& [line, name] : l.phases) phases[std::to_string(line)] = name;
    for (const auto& path : l.paths) {
      ordered_json& places = paths.emplace_back(ordered_json::array());
      for (const TimelinePlace& p : path) places.push_back({name_of(p.kind), p.line});
    }
    const ordered_json launch{{"name", l.name},
                              {"block", l.block},
                              {"shared_bytes", l.shared_bytes},
                              {"registers", l.registers},
                              {"untraced_registers", l.untraced_registers},
                              {"resident", l.resident},
                              {"untraced_resident", l.untraced_resident},
                              {"dropped", l.dropped},
                              {"phases", phases},
                              {"paths", paths}};
    std::string all = between_launches + launch.dump(-1, ' ', false, json::error_handler_t::replace);
    all.back() = ',';
    all += "\"blocks\":[";
    // One block a line: its multiprocessor, then of each warp its path, its begin and how long to each place
    // and the end.
    const char* between_blocks = "\n";
    for (const TimelineBlock& b : l.blocks) {
      all += between_blocks + ("[" + std::to_string(b.multiprocessor));
      for (const TimelineWarp& w : b.warps) {
        all += ",[" + std::to_string(w.path) + "," + std::to_string(w.begin);
        long long now = w.begin;
        for (const long long at : w.at) {
          all += "," + std::to_string(at - now);
          now = at;
        }
        all += "," + std::to_string(w.end - now) + "]";
      }
      all += "]";
      between_blocks = ",\n";
    }
    text += all + "\n]}";
    between_launches = ",\n";
  }
  return text + "\n]}\n";
}

namespace {

/// Throws what json throws where the file holds something else; the reader tells it in one sentence.
[[noreturn]] void other(const std::string& what) { throw std::invalid_argument(what); }

std::vector<TimelinePlace> path_from(const json& from) {
  std::vector<TimelinePlace> path;
  for (const json& place : from) {
    const auto kind = place.at(0).get<std::string>();
    TimelinePlace p{Stamp::phase, place.at(1).get<int>()};
    if (kind == name_of(Stamp::arrival))
      p.kind = Stamp::arrival;
    else if (kind == name_of(Stamp::release))
      p.kind = Stamp::release;
    else if (kind != name_of(Stamp::phase))
      other("has a place of kind \"" + kind + "\"");
    path.push_back(p);
  }
  return path;
}

/// So long after another time.
long long time_from(const json& from, long long before) {
  const auto t = from.get<long long>();
  if (std::abs(t) > 1LL << 50 || std::abs(before + t) > 1LL << 50) other("has a time that no run takes");
  return before + t;
}

TimelineWarp warp_from(const json& from, const TimelineLaunch& l) {
  TimelineWarp w;
  w.path = from.at(0).get<int>();
  if (w.path < 0 || size_t(w.path) >= l.paths.size()) other("has a warp on a path that is not there");
  const size_t places = l.paths[size_t(w.path)].size();
  if (from.size() != places + 3) other("has a warp with more or fewer times than its path has places");
  long long now = w.begin = time_from(from[1], 0);
  for (size_t k = 0; k < places; ++k) w.at.push_back(now = time_from(from[k + 2], now));
  w.end = time_from(from.back(), now);
  return w;
}

TimelineLaunch launch_from(const json& from) {
  TimelineLaunch l;
  from.at("name").get_to(l.name);
  from.at("block").get_to(l.block);
  from.at("shared_bytes").get_to(l.shared_bytes);
  from.at("registers").get_to(l.registers);
  from.at("untraced_registers").get_to(l.untraced_registers);
  from.at("resident").get_to(l.resident);
  from.at("untraced_resident").get_to(l.untraced_resident);
  from.at("dropped").get_to(l.dropped);
  if (l.block < 1 || l.block > 1024) other("has a block of no size that there is");
  for (const auto& [line, name] : from.at("phases").items())
    l.phases[std::stoi(line)] = name.get<std::string>();
  for (const json& path : from.at("paths")) l.paths.push_back(path_from(path));
  for (const json& block : from.at("blocks")) {
    TimelineBlock& b = l.blocks.emplace_back();
    b.multiprocessor = block.at(0).get<int>();
    if (block.size() != size_t((l.block + 31) / 32) + 1)
      other("has a block with more or fewer warps than fit it");
    for (size_t k = 1; k < block.size(); ++k) b.warps.push_back(warp_from(block[k], l));
  }
  if (l.blocks.empty()) other("has a launch without blocks");
  return l;
}

}  // namespace

Timeline read_timeline(std::string_view text, const std::string& name) {
  try {
    const json from = json::parse(text);
    if (from.at("format") != format_name) other("is of another format than " + std::string(format_name));
    Timeline t;
    from.at("device").get_to(t.device);
    from.at("driver").get_to(t.driver);
    from.at("date").get_to(t.date);
    from.at("kernel").get_to(t.kernel);
    from.at("parameters").get_to(t.parameters);
    from.at("n").get_to(t.n);
    from.at("multiprocessors").get_to(t.multiprocessors);
    from.at("clock_mhz").get_to(t.clock_mhz);
    from.at("untraced_s").get_to(t.untraced_s);
    from.at("stamped_s").get_to(t.stamped_s);
    for (const json& launch : from.at("launches")) t.launches.push_back(launch_from(launch));
    return t;
  } catch (const json::exception& e) {
    throw BadFile(name + " is no timeline of a GPU: " + e.what());
  } catch (const std::logic_error& e) {  // ours, and of numbers that are none
    throw BadFile(name + " is no timeline of a GPU: it " + e.what());
  }
}

Timeline load_timeline(const std::filesystem::path& path) {
  return read_timeline(as_text(read_file(path, largest_file), path.string()), path.string());
}

}  // namespace bscope
