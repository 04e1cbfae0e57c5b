#include "engine/catalog/estimate.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>

#include "engine/catalog/patterns.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/simt/made_input.hpp"
#include "engine/simt/problem.hpp"
#include "engine/simt/schedule.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/finding.hpp"
#include "engine/trace/progress.hpp"
#include "engine/trace/scoped_assign.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

// Measured with `show` and `check` on every kernel, at the worst.
constexpr double bytes_an_event = 250;  // its own 16, its node, word, request and places in lists
constexpr double bytes_a_block = 2500, bytes_a_cell = 140, bytes_an_element = 64;
constexpr double bytes_a_thread = 12 << 10;  // of those that run side by side: what of its stack it touches
constexpr double bytes_at_least = 2 << 20;   // the kernels' sources, tables that every run has

constexpr long long most_elements = 1 << 30;    // positions are ints
constexpr double few_bytes = 256e6;             // a limit that runs of a few tiles may well go beyond
constexpr size_t rehearsed_events = 4 << 20;    // a beginning that makes more has a loop that never ends
constexpr double enough_events = 250'000;       // for a good look,
constexpr long long enough_elements = 1 << 16;  // where what waits for ever makes few
constexpr double margin = 1.1, clearly = 3;

std::atomic<double> limit{2e9};

/// What a run takes of each thing, so that each can be drawn on by itself.
struct Taken {
  double events = 0, blocks = 0, snapshots = 0, cells = 0, after = 0;
  static constexpr std::array members{&Taken::events, &Taken::blocks, &Taken::snapshots, &Taken::cells,
                                      &Taken::after};
  bool waits = false;    ///< threads wait for others' writes: who knows what is remembered
  bool endless = false;  ///< stopped
};

bool awaits(const Trace& t) {
  for (const Launch& l : t.launches)
    for (const BlockRun& b : l.blocks)
      for (const Event& e : b.events)
        if (e.op == Op::wait || e.op == Op::observe || e.op == Op::await) return true;
  return false;
}

Taken taken(const Trace& t) {
  Taken all;
  all.events = double(t.events());
  for (const Launch& l : t.launches) {
    all.blocks += l.grid;
    for (const BlockRun& b : l.blocks) all.snapshots += double(b.snapshots.size());
    for (const auto& bytes : l.after) all.after += double(bytes.size());
  }
  for (const ArrayInfo& a : t.arrays) all.cells += a.size;
  all.endless = std::ranges::any_of(t.findings, is_endless);
  all.waits = awaits(t);
  return all;
}

/// The beginning of a problem, held.
Problem beginning(const Problem& p, long long n) {
  Problem q;
  q.block = p.block;
  q.set = p.set;
  if (p.made) {
    MadeInput in = *p.made;
    in.n = n;
    q.data = taught_values(in);
  } else {
    q.data.assign(p.data.begin(), p.data.begin() + n);
  }
  return q;
}

Taken rehearsed(const Algorithm& a, const Problem& p, long long n) {
  throw_if_cancelled();
  Schedule quick;
  quick.kind = Schedule::to_barrier;
  quick.most_events = rehearsed_events;
  const ScopedAssign nobody(current_progress,
                            nullptr);  // its events are no part of the run that is waited for
  return taken(a.cpu(beginning(p, n), quick));
}

/// Elements of a block's tile, of a kernel that takes any length at once some.
long long tile_of(const Algorithm& a, const Problem& p) {
  constexpr long long some = 256, most = 1 << 20;
  return std::clamp<long long>(a.tile ? a.tile(beginning(p, std::min(p.n(), some))) : 1, 1, most);
}

Cost cost_of(const Taken& t, long long n, int block) {
  const double side_by_side = std::min<double>(t.blocks, Schedule{}.resident_blocks) * block;
  // what blocks that wait for each other know of each other; the search for races ends where it grows
  const double known = t.waits ? std::min(256e6, 32 * t.blocks * t.blocks) : 0;
  return {t.events, bytes_at_least + bytes_an_event * t.events + bytes_a_block * t.blocks + 3 * t.snapshots +
                        bytes_a_cell * t.cells + 3 * t.after + bytes_an_element * double(n) +
                        bytes_a_thread * side_by_side + known};
}

/// How what a run takes grows with its length: drawn on from the last two of its beginnings.
class Growth {
 public:
  Growth(const Algorithm& a, const Problem& p) : block_(p.block) {
    const double enough = memory_limit();
    for (long long n = tile_of(a, p);; n = std::min(4 * n, p.n())) {
      n = std::min(n, p.n());
      const Taken t = rehearsed(a, p, n);
      if (t.endless && size_) break;  // judged by those before it
      before_ = last_;
      last_ = {n, t};
      ++size_;
      if (n == p.n() || t.endless) break;
      const bool seen = t.events >= enough_events || n >= enough_elements || at(n).bytes > enough;
      if (size_ == 1) tile_ = t;
      if (size_ > 2 && (seen || at(p.n()).bytes * clearly < enough)) break;
    }
  }
  /// Where drawing on begins.
  long long looked_at() const { return last_.n; }
  Cost at(long long n) const {
    const auto& [last, so_far] = last_;
    Taken all = so_far;
    if (n > last && so_far.endless) {  // it is stopped at any length, and its arrays are as long as they are
      for (const auto m : {&Taken::cells, &Taken::after}) all.*m *= double(n) / double(last);
    } else if (n > last) {
      const double more = double(n) - double(last), seen = double(last - (size_ > 1 ? before_.n : 0));
      for (const auto m : Taken::members) {
        const double grew = so_far.*m - (size_ > 1 ? before_.taken.*m : 0);
        // and a tile that is begun counts whole
        all.*m = so_far.*m + tile_.*m + margin * std::max(0.0, grew) / seen * more;
      }
      // each level of tiles is a launch more, after which every array is kept
      all.after *= std::max(1.0, std::log2(double(n)) / std::max(1.0, std::log2(double(last))));
    }
    for (const auto m : Taken::members) all.*m *= 1.05;  // another order may spin a little more
    return cost_of(all, n, block_);
  }

 private:
  struct Look {
    long long n = 0;
    Taken taken;
  };
  Look before_, last_;
  Taken tile_;  ///< of the first
  int size_ = 0, block_;
};

bool goes(const Cost& c, long long n) { return c.bytes <= memory_limit() && n <= most_elements; }

/// Runs of so few tiles are begun without a look ahead: what a block takes is little beside the limit, and
/// the executor stops where it is not.
bool is_small(const Algorithm& a, const Problem& p) {
  return memory_limit() >= few_bytes && p.n() <= 4 * tile_of(a, p) && p.n() <= 1 << 14;
}

/// The largest number below `too_many` that goes, by how this one grows; 0: none does.
long long largest(const Algorithm& a, const Growth& growth, long long too_many, const AtLength& at) {
  const auto cost = [&](long long n) { return expected_cost(a, at(n)); };
  long long most = growth.looked_at();
  const auto drawn_on = [&](long long n) { return goes(growth.at(n), n); };
  if (drawn_on(most)) {
    // doubles of lengths are exact enough: the message has three digits
    long long low = most, high = std::min(too_many, most_elements + 1);
    while (high - low > 1) {
      const long long middle = low + (high - low) / 2;
      (drawn_on(middle) ? low : high) = middle;
    }
    const auto digits = std::max(0, int(std::floor(std::log10(double(low)))) - 2);
    const auto unit = (long long)(std::pow(10.0, digits));
    most = std::max(most, low / unit * unit);
    // a block that is chosen by the length may be another there
    for (; most > growth.looked_at(); most = most / 20 * 19)
      if (goes(cost(most), most)) return most;
  }
  long long low = 0, high = most;
  while (high - low > std::max(1LL, low / 100)) {
    const long long middle = low + (high - low) / 2;
    (goes(cost(middle), middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

double memory_limit() { return limit; }
void limit_memory(double bytes) { limit = bytes; }
size_t most_events() { return size_t(std::clamp(limit / bytes_an_event, 1.0, 1e15)); }

std::string memory_text(double bytes) {
  char text[32];
  if (bytes < 1000) {
    std::snprintf(text, sizeof text, "%.0f byte%s", std::ceil(bytes), std::ceil(bytes) == 1 ? "" : "s");
    return text;
  }
  constexpr std::array units{"KB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"};
  size_t unit = 0;
  for (bytes /= 1000; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  const double tenths = std::round(bytes * 10);
  const bool whole = bytes >= 9.95 || std::fmod(tenths, 10) == 0;
  std::snprintf(text, sizeof text, "%.*f %s", whole ? 0 : 1, bytes, units[unit]);
  return text;
}

Cost expected_cost(const Algorithm& a, const Problem& p) { return Growth(a, p).at(p.n()); }

Cost cost_or_refusal(const Algorithm& a, long long n, const AtLength& at) {
  const Problem p = at(n);
  if (!a.cpu || is_small(a, p)) return {};
  const Growth growth(a, p);
  const Cost c = growth.at(n);
  if (goes(c, n)) return c;
  const std::string allowed = memory_text(memory_limit());
  if (const long long most = n > 1 ? largest(a, growth, n, at) : 0)
    throw UsageError(
        message("A run of {} with n = {} would need about {} of memory, more than the {} allowed: use at "
                "most --n {}, or raise --max-memory.",
                a.name, n, memory_text(c.bytes), allowed, most));
  const double least = n > 1 ? expected_cost(a, at(1)).bytes : c.bytes;
  throw UsageError(message(
      "A run of {} with one element needs about {} of memory, more than the {} allowed: raise --max-memory.",
      a.name, memory_text(least), allowed));
}

}  // namespace bscope
