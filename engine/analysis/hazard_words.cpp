#include "engine/analysis/hazard_words.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

#include "engine/analysis/hazard_order.hpp"
#include "engine/trace/spelling.hpp"

namespace bscope {
namespace {

using namespace touching;
using std::to_string;

const char* verb(uint8_t how) {
  if ((how & strong) && (how & write)) return how & read ? " updates " : " releases ";
  return how & write ? " writes " : " reads ";
}
/// What a line calls the one cell of an array that it writes and the one other that it reads; empty where it
/// has more of them, or none.
struct LineCells {
  std::string written, read;
};
LineCells cells_in(std::string_view line, std::string name) {
  name = name.substr(0, name.find('['));
  LineCells cells;
  std::vector<std::string> read;
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = 0; (at = line.find(name + "[", at)) != std::string_view::npos;) {
    size_t end = at + name.size();
    if (at > 0 && (letter(line[at - 1]) || line[at - 1] == '.' || line[at - 1] == '>')) {
      at = end;
      continue;
    }
    while (end < line.size() && line[end] == '[') {
      int open = 0;
      do open += line[end] == '[' ? 1 : line[end] == ']' ? -1 : 0;
      while (++end < line.size() && open);
      if (open) return {};
    }
    const std::string cell(line.substr(at, end - at));
    const std::string_view rest = line.substr(std::min(line.find_first_not_of(' ', end), line.size()));
    const bool assigned = (rest.starts_with("=") && !rest.starts_with("==")) ||
                          (rest.size() > 1 && rest[1] == '=' &&
                           std::string_view("+-*/|&^").find(rest[0]) != std::string_view::npos);
    const bool written = assigned || (at > 0 && line[at - 1] == '&');
    if (written && !cells.written.empty() && cells.written != cell) return {};
    if (written)
      cells.written = cell;
    else if (std::ranges::find(read, cell) == read.end())
      read.push_back(cell);
    at = end;
  }
  std::erase(read, cells.written);
  if (read.size() == 1) cells.read = read[0];
  return cells;
}

/// Without comments.
std::string text_of_line(const Trace& trace, const Launch& launch, int line) {
  if (size_t(launch.source) >= trace.sources.size()) return {};
  std::string_view rest = trace.sources[size_t(launch.source)].text;
  for (int k = 1; k < line && !rest.empty(); ++k)
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  rest = rest.substr(0, rest.find('\n'));
  return std::string(rest.substr(0, rest.find("//")));
}
bool is_guarded(std::string_view line) {
  const size_t at = line.find_first_not_of(' ');
  return at != std::string_view::npos &&
         (line.substr(at).starts_with("if (") || line.substr(at).starts_with("if("));
}

bool is_volatile(const Node& n) { return n.op == Op::load_volatile || n.op == Op::store_volatile; }

}  // namespace

HazardWords::HazardWords(const Trace& trace, const DataflowGraph& flow, int launch, int without_line)
    : trace_(trace),
      flow_(flow),
      launch_(trace.launches[size_t(launch)]),
      number_(launch),
      without_line_(without_line) {}

void HazardWords::add(Cause& c, const Race& r) const {
  constexpr size_t most_looked_at = 1024;  // a log is gone through for each
  const bool one_block = block_of(r.a) == block_of(r.b);
  c.one_block = c.one_block && one_block;
  c.one_warp = c.one_warp && one_block && warp_of(r.a) == warp_of(r.b);
  const bool both_write = (r.a_how & write) && (r.b_how & write);
  c.both_write = c.both_write || both_write;
  c.updates = c.updates && updates(r.a, r.a_how) && updates(r.b, r.b_how);
  if (++c.races > most_looked_at || is_bulk(r.a.op) || is_bulk(r.b.op)) return;
  if ((r.a_how | r.b_how) & strong) {
    const Node& plain = r.a_how & strong ? r.b : r.a;
    c.atomic_line = c.after_own_atomic ? own_atomic_before(plain) : 0;
    c.after_own_atomic = c.atomic_line != 0;
  }
  const bool plain_polls = (!(r.a_how & strong) && polls(r.a)) || (!(r.b_how & strong) && polls(r.b));
  c.polls = c.polls && plain_polls;
  if (!one_block) return;
  if (r.a.line != r.b.line) {
    const BarrierPlace p = place(r.a, r.b);
    if (std::ranges::find(c.places, p) == c.places.end()) c.places.push_back(p);
  } else if (!both_write) {
    const bool same = round(r.a) == round(r.b);
    (same ? c.same_round : c.other_round) = true;
  }
}

std::string HazardWords::sentence(const Race& r, const Cause& c) const {
  std::string first = thread_name(launch_, r.a.thread);
  first[0] = 'T';
  if (is_bulk(r.a.op) || is_bulk(r.b.op)) return bulk_sentence(first, r);
  if (const std::string s = read_first(r, c); !s.empty()) return s;
  const std::string cell = cell_name(trace_, number_, r.b.place), cure = mend(r, c);
  return first + verb(r.a_how) + cell + " in line " + to_string(r.a.line) + ", " +
         thread_name(launch_, r.b.thread) + verb(r.b_how) + "it in line " + to_string(r.b.line) +
         ", and nothing orders the two" + (cure.empty() ? "." : ": " + cure);
}

/// Where each thread writes a cell of its own and reads another's in the same line, as a scan does in place.
std::string HazardWords::read_first(const Race& r, const Cause& c) const {
  if (!c.one_block || c.both_write || c.updates || r.a.line != r.b.line) return {};
  if (!c.same_round || is_volatile(r.a) || is_volatile(r.b)) return {};
  const bool a_reads = !(r.a_how & write);
  std::string reader = thread_name(launch_, (a_reads ? r.a : r.b).thread);
  reader[0] = 'T';
  const std::string cell = cell_name(trace_, number_, r.b.place), line = to_string(r.a.line);
  const std::string text = text_of_line(trace_, launch_, r.a.line);
  const LineCells cells = cells_in(text, trace_.array(launch_, r.b.place.array).name);
  std::string s = reader + " reads " + cell + " in line " + line + " while " +
                  thread_name(launch_, (a_reads ? r.b : r.a).thread) + " may be writing it. ";
  s += "Read " + (cells.read.empty() ? "the other's cell" : cells.read) + " into a variable, call " +
       barrier(r, c, call(trace_.dialect, Op::sync)) + (is_guarded(text) ? " outside the if" : "") +
       ", then write " + (cells.written.empty() ? "the thread's own" : cells.written);
  return s + (c.other_round ? ", and call it again before the next round." : ".");
}

/// `word`, or its warp's where no race leaves a warp. In a branch that only some threads take, as a line that
/// is not guarded itself, a barrier of the whole block would wait for ever.
std::string HazardWords::barrier(const Race& r, const Cause& c, const std::string& word) const {
  if (!c.one_warp) return word;
  const std::string of_warp = spelling(trace_.dialect, Op::sync_warp);
  const std::vector<bool> first = who_runs(block_of(r.a), r.a.line),
                          second = who_runs(block_of(r.b), r.b.line);
  const auto all = [](const std::vector<bool>& threads) {
    return std::find(threads.begin(), threads.end(), false) == threads.end();
  };
  const auto within = [](const std::vector<bool>& few, const std::vector<bool>& many) {
    for (size_t t = 0; t < few.size(); ++t)
      if (few[t] && !many[t]) return false;
    return true;
  };
  const auto guarded = [&](const Node& n) { return is_guarded(text_of_line(trace_, launch_, n.line)); };
  if (!all(first) && !all(second) && (within(first, second) || within(second, first)) && !guarded(r.a) &&
      !guarded(r.b))
    return of_warp;
  return word + " (or, within this warp, " + of_warp + ")";
}

std::string HazardWords::between(const Race& r, const Cause& c) const {
  std::string s = barrier(r, c, a_barrier(trace_.dialect)) + " belongs ";
  constexpr size_t most = 2;
  std::vector<BarrierPlace> places = c.places;
  std::ranges::stable_sort(places, {}, &BarrierPlace::next_round);
  for (size_t k = 0; k < std::min(most, places.size()); ++k) {
    const BarrierPlace& p = places[k];
    s += std::string(k ? ", and " : "") + "between line " + to_string(p.from) + " and " +
         (p.next_round ? "the next round's line " : "line ") + to_string(p.to);
  }
  return s + ".";
}

std::string HazardWords::mend(const Race& r, const Cause& c) const {
  if ((r.a_how | r.b_how) & strong) return mend_beside_atomic(r, c);
  if (!c.one_block) return mend_between_blocks(r, c);
  std::string s;
  if (is_volatile(r.a) || is_volatile(r.b)) s = "volatile makes no thread wait for another, so ";
  if (c.updates) return s + "use an atomic, or give each thread a cell of its own.";
  if (r.a.line != r.b.line) return s + between(r, c);
  if (c.both_write) return s + "let one thread write the cell, or give each thread a cell of its own.";
  if (c.other_round && !c.same_round)
    return s + barrier(r, c, a_barrier(trace_.dialect)) +
           " belongs between two rounds of the loop around line " + to_string(r.a.line) + ".";
  return {};
}

std::string HazardWords::mend_beside_atomic(const Race& r, const Cause& c) const {
  const int line = (r.a_how & strong ? r.b : r.a).line;
  if (c.after_own_atomic)
    return "use the value that the atomic in line " + to_string(c.atomic_line) + " returns; by line " +
           to_string(line) + " others may have changed the cell.";
  if (c.updates || c.polls) return "make the access in line " + to_string(line) + " an atomic too.";
  if (!c.one_block)
    return "blocks do not wait for each other; put line " + to_string(line) + " into a launch of its own.";
  return r.a.line != r.b.line ? between(r, c) : "";
}

std::string HazardWords::mend_between_blocks(const Race& r, const Cause& c) const {
  const bool ours = trace_.dialect == Dialect::ours;
  const std::string fence = call(trace_.dialect, Op::fence);
  if (!ours && (r.a_how & write) && !(r.b_how & write)) {
    if (const int line = line_that_tells(r.a, r.b))
      return "put " + fence + " between line " + to_string(r.a.line) + " and line " + to_string(line) +
             ", so that whoever sees what line " + to_string(line) + " writes sees line " +
             to_string(r.a.line) + "'s, too.";
    if (is_volatile(r.a) && is_volatile(r.b))
      return "volatile alone makes no flag; put " + fence + " before line " + to_string(r.a.line) +
             " and after line " + to_string(r.b.line) + ", or use an atomic.";
  }
  if (c.polls && !ours) {
    const Node &set = r.a_how & write ? r.a : r.b, &seen = r.a_how & write ? r.b : r.a;
    return "make both accesses atomics, with " + fence + " before line " + to_string(set.line) +
           " and after line " + to_string(seen.line) + ".";
  }
  if (c.updates) return "blocks do not wait for each other; use an atomic, or a second launch.";
  if (c.both_write)
    return "blocks do not wait for each other; let one block write the cell, or give each block one of its "
           "own.";
  return "blocks do not wait for each other; use a flag (" +
         (ours ? "store_release and load_acquire" : fence + " before it is set and after it is seen") +
         "), or a second launch.";
}

/// Whether a's thread has published its write without a fence in between: the line of the atomic or volatile
/// store that b's block looks at; 0: none.
int HazardWords::line_that_tells(const Node& a, const Node& b) const {
  const std::span<const Event> log = log_of(a);
  const auto tells = [](const Event& e) {
    return (is_atomic(e.op) && writes(e.op)) || e.op == Op::store_volatile;
  };
  const auto told = std::find_if(log.begin() + a.event + 1, log.end(),
                                 [&](const Event& e) { return tells(e) || e.op == Op::fence; });
  if (told == log.end() || told->op == Op::fence || told->array >= first_shared) return 0;
  const std::vector<Event>& there = launch_.blocks[size_t(block_of(b))].events;
  const bool heard = std::any_of(there.begin(), there.end(), [&](const Event& e) {
    return (is_atomic(e.op) || e.op == Op::load_volatile) && e.array == told->array && e.a == told->a;
  });
  return heard ? told->line : 0;
}

std::span<const Event> HazardWords::log_of(const Node& n) const {
  return launch_.blocks[size_t(block_of(n))].log(n.thread % launch_.block);
}

/// A barrier that is not taken out.
bool HazardWords::counts(const Event& e) const { return is_barrier(e.op) && e.line != without_line_; }

/// Whether the thread of n runs that line again before its next barrier.
bool HazardWords::comes_again(const Node& n, int line) const {
  for (const Event& e : log_of(n).subspan(size_t(n.event) + 1)) {
    if (counts(e)) return false;
    if (e.line == line) return true;
  }
  return false;
}

/// How often the thread of n has written in n's line since the barrier before n: the round of a loop.
int HazardWords::round(const Node& n) const {
  const std::span<const Event> log = log_of(n);
  int times = 0;
  for (size_t k = size_t(n.event); k-- > 0 && !counts(log[k]);)
    times += log[k].line == n.line && writes(log[k].op);
  return times;
}

BarrierPlace HazardWords::place(const Node& a, const Node& b) const {
  const auto intervals = flow_.of_block(number_, block_of(b));
  int opened_by = 0;
  for (int k = b.interval - 1; k >= 0 && !opened_by; --k)
    if (intervals[size_t(k)].line != without_line_) opened_by = intervals[size_t(k)].line;
  auto order = [&](int line) { return line > opened_by ? line : line + (1 << 16); };
  if (order(a.line) <= order(b.line)) return {a.line, b.line, false};
  if (comes_again(a, b.line)) return {a.line, b.line, true};
  return {b.line, a.line, false};
}

/// Whether the access is part of an update: its thread stores in the cell what it has computed from that
/// cell, and from no other of the array. An atomic can do that at once.
bool HazardWords::updates(const Node& n, uint8_t how) const {
  if (how & strong) return true;
  const std::span<const Event> log = log_of(n);
  const auto same = [&](const Event& e) {
    return int(e.array) == n.place.array && int(e.a) == n.place.index;
  };
  size_t store = size_t(n.event);
  if (!(how & write))
    while (++store < log.size() && !(writes(log[store].op) && same(log[store])))
      if (counts(log[store])) return false;
  if (store >= log.size()) return false;
  if (is_atomic(log[store].op)) return true;
  constexpr size_t most_sources = 64;
  bool own = false;
  std::vector<uint32_t> sources{log[store].b};
  for (size_t k = 0; k < sources.size(); ++k) {
    if (!sources[k] || sources[k] > log.size()) continue;
    const Event& e = log[sources[k] - 1];
    if (computes(e.op)) {
      sources.insert(sources.end(), {e.a, e.b});
    } else if (reads(e.op) && int(e.array) == n.place.array) {
      if (!same(e)) return false;
      own = true;
    }
    if (sources.size() > most_sources) return false;
  }
  return own;
}

/// Whether its thread reads the cell again in the same line, before anything else in memory.
bool HazardWords::polls(const Node& n) const {
  if (writes(n.op)) return false;
  const std::span<const Event> log = log_of(n);
  const auto again = [&](const Event& e) {
    return e.line == n.line && e.op == n.op && int(e.array) == n.place.array && int(e.a) == n.place.index;
  };
  const auto memory = [](const Event& e) { return touches(e.op); };
  const auto next = std::find_if(log.begin() + n.event + 1, log.end(), memory);
  if (next != log.end() && again(*next)) return true;
  const auto before = std::find_if(std::make_reverse_iterator(log.begin() + n.event), log.rend(), memory);
  return before != log.rend() && again(*before);
}

/// The line of an atomic with which its thread has changed the cell since the latest barrier; 0: none.
int HazardWords::own_atomic_before(const Node& n) const {
  if (writes(n.op)) return 0;
  const std::span<const Event> log = log_of(n);
  for (size_t k = size_t(n.event); k-- > 0 && !counts(log[k]);)
    if (is_atomic(log[k].op) && writes(log[k].op) && int(log[k].array) == n.place.array &&
        int(log[k].a) == n.place.index)
      return log[k].line;
  return 0;
}

/// The threads of the block that reach that line.
std::vector<bool> HazardWords::who_runs(int block, int line) const {
  std::vector<bool> threads(size_t(launch_.block));
  for (int t = 0; t < launch_.block; ++t)
    threads[size_t(t)] = std::ranges::any_of(launch_.blocks[size_t(block)].log(t),
                                             [&](const Event& e) { return int(e.line) == line; });
  return threads;
}

std::string HazardWords::bulk_sentence(const std::string& first, const Race& r) const {
  const Node &a = r.a, &b = r.b;
  const std::string cell = cell_name(trace_, number_, b.place);
  const auto subject = [&](const Node& n, const std::string& thread) {
    return is_bulk(n.op)
               ? (&n == &a ? "The" : "the") + std::string(" bulk copy of ") + thread_name(launch_, n.thread)
               : thread;
  };
  std::string s = subject(a, first) + verb(r.a_how) + cell + " in line " + to_string(a.line) + ", " +
                  subject(b, thread_name(launch_, b.thread)) + verb(r.b_how) + "it in line " +
                  to_string(b.line);
  if (!is_bulk(a.op))
    return s +
           ", and the copy engine may not see it yet: after writing, the thread calls t.fence_async() "
           "before the barrier in between.";
  s += ", and nothing says that the copy is complete: ";
  if (mbarrier_of(launch_, a)) return s + "await its mbarrier in between.";
  return s + (r.a_how & write ? "its thread calls t.await_bulk" : "its thread calls t.await_bulk_read") +
         ", and a barrier follows, in between.";
}

}  // namespace bscope
