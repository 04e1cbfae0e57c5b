#include "engine/analysis/hazard_words.hpp"

#include <algorithm>

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
bool is_volatile(const Node& n) { return n.op == Op::load_volatile || n.op == Op::store_volatile; }

}  // namespace

HazardWords::HazardWords(const Trace& trace, const Flow& flow, int launch, int without_line)
    : trace_(trace),
      flow_(flow),
      launch_(trace.launches[size_t(launch)]),
      number_(launch),
      without_line_(without_line) {}

std::string HazardWords::sentence(const Node& a, uint8_t a_how, const Node& b, uint8_t b_how) const {
  std::string first = thread_name(launch_, a.thread);
  first[0] = 'T';
  if (is_bulk(a.op) || is_bulk(b.op)) return bulk_sentence(first, a, a_how, b, b_how);
  const std::string cell = cell_name(trace_, number_, b.place);
  return first + verb(a_how) + cell + " in line " + to_string(a.line) + ", " +
         thread_name(launch_, b.thread) + verb(b_how) + "it in line " + to_string(b.line) +
         ", and nothing orders the two: " + mend(a, a_how, b, b_how);
}

std::string HazardWords::mend(const Node& a, uint8_t a_how, const Node& b, uint8_t b_how) const {
  const Dialect d = trace_.dialect;
  const bool both_write = (a_how & write) && (b_how & write);
  const bool one_block = block_of(a) == block_of(b), weak = !((a_how | b_how) & strong);
  std::string barrier = a_barrier(d);
  if (one_block && warp_of(a) == warp_of(b))
    barrier += " (or, within this warp, " + spelling(d, Op::sync_warp) + ")";
  const auto [from, to, next_round] = fix(a, b);
  const std::string between = barrier + " belongs between line " + to_string(from) + " and " +
                              (next_round ? "the next round's line " : "line ") + to_string(to);
  if (!weak) {
    const std::string plain =
        "make the access in line " + to_string(a_how & strong ? b.line : a.line) + " an atomic too";
    return (one_block && a.line != b.line ? between + "; or " + plain : plain) + ".";
  }
  if (!one_block) return mend_between_blocks(a, a_how, b, b_how);
  std::string s;
  if (is_volatile(a) || is_volatile(b)) s = "volatile makes no thread wait for another, so ";
  if (a.line == b.line && !both_write && round(a) != round(b))
    return s + barrier + " belongs between two rounds of the loop around line " + to_string(a.line) + ".";
  if (a.line != b.line) return s + between + ".";
  if (both_write) return s + "use an atomic, or give each thread a cell of its own.";
  return s + "use an atomic; or, if each thread writes a cell of its own, read into a variable, then " +
         barrier + ", then write.";
}

std::string HazardWords::mend_between_blocks(const Node& a, uint8_t a_how, const Node& b,
                                             uint8_t b_how) const {
  if (trace_.dialect == Dialect::ours)
    return "blocks do not wait for each other; use an atomic, a flag (store_release and load_acquire), or a "
           "second launch.";
  const std::string fence = call(trace_.dialect, Op::fence);
  if ((a_how & write) && !(b_how & write)) {
    if (const int line = line_that_tells(a, b))
      return "put " + fence + " between line " + to_string(a.line) + " and line " + to_string(line) +
             ", so that whoever sees what line " + to_string(line) + " writes sees line " +
             to_string(a.line) + "'s, too.";
    if (is_volatile(a) && is_volatile(b))
      return "volatile alone makes no flag; put " + fence + " before line " + to_string(a.line) +
             " and after line " + to_string(b.line) + ", or use an atomic.";
  }
  return "blocks do not wait for each other; use an atomic, a flag (" + fence +
         " before it is set and after it is seen), or a second launch.";
}

/// Has a's thread told others of its write without a fence in between? The line of the atomic or volatile
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

/// Does the thread of n run that line again before its next barrier?
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

HazardWords::Fix HazardWords::fix(const Node& a, const Node& b) const {
  const auto intervals = flow_.of_block(number_, block_of(b));
  int opened_by = 0;
  for (int k = b.interval - 1; k >= 0 && !opened_by; --k)
    if (intervals[size_t(k)].line != without_line_) opened_by = intervals[size_t(k)].line;
  auto place = [&](int line) { return line > opened_by ? line : line + (1 << 16); };
  if (place(a.line) <= place(b.line)) return {a.line, b.line, false};
  if (comes_again(a, b.line)) return {a.line, b.line, true};
  return {b.line, a.line, false};
}

std::string HazardWords::bulk_sentence(const std::string& first, const Node& a, uint8_t a_how, const Node& b,
                                       uint8_t b_how) const {
  const std::string cell = cell_name(trace_, number_, b.place);
  const auto subject = [&](const Node& n, const std::string& thread) {
    return is_bulk(n.op)
               ? (&n == &a ? "The" : "the") + std::string(" bulk copy of ") + thread_name(launch_, n.thread)
               : thread;
  };
  std::string s = subject(a, first) + verb(a_how) + cell + " in line " + to_string(a.line) + ", " +
                  subject(b, thread_name(launch_, b.thread)) + verb(b_how) + "it in line " +
                  to_string(b.line);
  if (!is_bulk(a.op))
    return s +
           ", and the copy engine may not see it yet: after writing, the thread calls t.fence_async() "
           "before the barrier in between.";
  s += ", and nothing says that the copy is complete: ";
  if (mbarrier_of(launch_, a)) return s + "await its mbarrier in between.";
  return s + (a_how & write ? "its thread calls t.await_bulk" : "its thread calls t.await_bulk_read") +
         ", and a barrier follows, in between.";
}

}  // namespace bscope
