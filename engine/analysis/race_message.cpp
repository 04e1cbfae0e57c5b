#include "engine/analysis/race_message.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/cell_expressions.hpp"
#include "engine/analysis/source_loops.hpp"
#include "engine/trace/operation_names.hpp"
#include "engine/trace/source_line.hpp"

namespace bscope {
namespace {

using namespace touching;

/// What a line calls the one cell of an array that it writes and the one other that it reads; empty where it
/// has more of them, or none.
struct LineCells {
  std::string written, read;
};
LineCells cells_in(const std::string& line, const std::string& array) {
  LineCells cells;
  std::vector<std::string> read;
  for (const CellExpression& cell : cell_expressions(line, array)) {
    if (cell.written && !cells.written.empty() && cells.written != cell.text) return {};
    if (cell.written)
      cells.written = cell.text;
    else if (std::ranges::find(read, cell.text) == read.end())
      read.push_back(cell.text);
  }
  std::erase(read, cells.written);
  if (read.size() == 1) cells.read = read[0];
  return cells;
}

class RaceWords {
 public:
  RaceWords(const Trace& trace, int launch, const Race& race, const Cure& cure)
      : trace_(trace), launch_(trace.launches[size_t(launch)]), number_(launch), race_(race), cure_(cure) {}

  /// What happened, and where.
  Message what() const {
    if (cure_.kind == CureKind::read_then_write) return reads_while_written();
    const Message first = first_access(), second = second_access();
    const int line = race_.a.line, other = race_.b.line;
    switch (cure_.kind) {
      case CureKind::fence_async:
        return message("{} in line {}, {} in line {}, and the copy engine may not see it yet.", first, line,
                       second, other);
      case CureKind::await_mbarrier:
      case CureKind::await_bulk:
      case CureKind::await_bulk_read:
      case CureKind::await_copy:
      case CureKind::await_barrier_of_copy:
        return message("{} in line {}, {} in line {}, and nothing says that the copy is complete.", first,
                       line, second, other);
      default:
        return message("{} in line {}, {} in line {}, and nothing orders the two.", first, line, second,
                       other);
    }
  }

  /// What to change.
  Message help() const {
    switch (cure_.kind) {
      case CureKind::none: return {};
      case CureKind::read_then_write: return read_then_write();
      case CureKind::fence_async:
        return message("After writing, the thread calls t.fence_async() before the barrier in between.");
      case CureKind::await_mbarrier: return message("Await the copy's mbarrier in between.");
      case CureKind::await_copy:
      case CureKind::await_barrier_of_copy:
        return await_copy_help(race_.b.line, cure_.line, cure_.kind == CureKind::await_barrier_of_copy);
      case CureKind::await_bulk:
      case CureKind::await_bulk_read:
        return message("Its thread calls {}, and a barrier follows, in between.",
                       cure_.kind == CureKind::await_bulk ? "t.await_bulk" : "t.await_bulk_read");
      default:
        return cure_.is_volatile ? followed_by(message("volatile makes no thread wait for another."), cure())
                                 : cure();
    }
  }

 private:
  // ---- the accesses

  std::string cell() const { return cell_name(trace_, number_, race_.b.place); }

  Message first_access() const {
    const Node& n = race_.a;
    const uint8_t how = race_.a_how;
    if (is_bulk(n.op)) {
      const Message thread = thread_message(launch_, n.thread);
      return how & write ? message("The bulk copy of {} writes {}", thread, cell())
                         : message("The bulk copy of {} reads {}", thread, cell());
    }
    if (n.op == Op::store_async)
      return message("The copy of {} writes {}", thread_message(launch_, n.thread), cell());
    const Message thread = thread_message_at_start(launch_, n.thread);
    if ((how & strong) && (how & write))
      return how & read ? message("{} updates {}", thread, cell())
                        : message("{} releases {}", thread, cell());
    return how & write ? message("{} writes {}", thread, cell()) : message("{} reads {}", thread, cell());
  }

  Message second_access() const {
    const Node& n = race_.b;
    const uint8_t how = race_.b_how;
    const Message thread = thread_message(launch_, n.thread);
    if (is_bulk(n.op))
      return how & write ? message("the bulk copy of {} writes it", thread)
                         : message("the bulk copy of {} reads it", thread);
    if (n.op == Op::store_async) return message("the copy of {} writes it", thread);
    if ((how & strong) && (how & write))
      return how & read ? message("{} updates it", thread) : message("{} releases it", thread);
    return how & write ? message("{} writes it", thread) : message("{} reads it", thread);
  }

  // ---- the cure

  Message cure() const {
    const Dialect dialect = trace_.dialect;
    const std::string fence = operation_name(Op::fence);
    const int line = cure_.line, other = cure_.other_line;
    switch (cure_.kind) {
      case CureKind::barrier: return between();
      case CureKind::barrier_in_loop: return between_rounds();
      case CureKind::atomic:
        return cure_.between_blocks
                   ? message("Use an atomic: threads of other blocks come to this cell, too.")
                   : message("Use an atomic, or give each thread a cell of its own.");
      case CureKind::atomic_access: return message("Make the access in line {} an atomic, too.", line);
      case CureKind::use_atomics_value:
        return message(
            "Use the value that the atomic in line {} returns: by line {} other threads may have changed the "
            "cell.",
            other, line);
      case CureKind::own_cells:
        return cure_.between_blocks
                   ? message(
                         "Blocks do not wait for each other: let one block write the cell, or give each "
                         "block one of its own.")
                   : message("Let one thread write the cell, or give each thread a cell of its own.");
      case CureKind::fence:
        return message(
            "Put {} between line {} and line {}, so that a thread that sees the write of line {} sees that "
            "of "
            "line {}, too.",
            fence, line, other, other, line);
      case CureKind::volatile_fences:
        return message(
            "volatile alone makes no flag: put {} before line {} and after line {}, or use an atomic.", fence,
            line, other);
      case CureKind::atomics_and_fences:
        return message("Make both accesses atomics, with {} before line {} and after line {}.", fence, line,
                       other);
      case CureKind::second_array:
        return message(
            "Write into another array than the threads read, and swap the two for the next launch.");
      case CureKind::block_then_ticket:
        return message(
            "Put {} between line {} and line {}: only then have all threads of the block written when one of "
            "them says so.",
            operation_name(Op::sync), line, other);
      case CureKind::one_atomic:
        return message(
            "The atomic in line {} and the write in line {} are two steps, and other threads come in "
            "between: put both values into one word of 64 bits, and change that with one atomic.",
            other, line);
      case CureKind::atomic_or_other_array:
        return message(
            "Read with an atomic in line {}, too, or let the atomic in line {} change another array.", line,
            other);
      case CureKind::apart:
        return message(
            "The arrays of line {} and line {} overlap: let the second begin behind the first, at the number "
            "of its elements times their size.",
            line, other);
      case CureKind::own_launch:
        return message("Blocks do not wait for each other: put line {} into a launch of its own.", line);
      default: break;
    }
    return dialect == Dialect::ours
               ? message(
                     "Blocks do not wait for each other: use a flag (store_release and load_acquire), or a "
                     "second launch.")
               : message(
                     "Blocks do not wait for each other: use a flag (__threadfence() before it is set and "
                     "after it is seen), or a second launch.");
  }

  /// `name`, or its warp's.
  Message barrier(const Message& name) const {
    const std::string of_warp = operation_name(Op::sync_warp);
    if (cure_.scope == Cure::SyncScope::warp) return Message::verbatim(of_warp);
    return cure_.scope == Cure::SyncScope::block ? name
                                                 : message("{} (or, within this warp, {})", name, of_warp);
  }
  Message between() const {
    const Message name = barrier(Message::verbatim(operation_name(Op::sync)));
    const auto from = [](const BarrierPlace& p) { return message("line {}", p.from); };
    const BarrierPlace p = cure_.places.at(0);
    if (cure_.places.size() == 1) return message("Put {} between {} and {}.", name, from(p), to(p));
    const BarrierPlace q = cure_.places[1];  // no more of them can be read
    return message("Put {} between {} and {}, and between {} and {}.", name, from(p), to(p), from(q), to(q));
  }
  /// Where the second access is: a thread comes back to its line in a loop, or in a function that is called
  /// again. Of lines of two functions their order tells nothing.
  Message to(const BarrierPlace& p) const {
    const std::optional<SourceLoops> loops = p.next_round ? loops_of_text() : std::nullopt;
    const bool in_text = loops && loops->has_code(p.to) && !loops->share_loop(p.from, p.to);
    if (!p.next_round || (in_text && !loops->share_function(p.from, p.to))) return message("line {}", p.to);
    return in_text ? message("the next call's line {}", p.to) : message("the next round's line {}", p.to);
  }
  /// Of a program's text; of a kernel in Barrierscope's dialect, whose loops may be calls, there are none.
  std::optional<SourceLoops> loops_of_text() const {
    if (trace_.dialect == Dialect::ours || size_t(launch_.source) >= trace_.sources.size()) return {};
    const std::string& text = trace_.sources[size_t(launch_.source)].text;
    if (text.empty()) return {};
    return SourceLoops(text);
  }
  Message between_rounds() const {
    const Message name = barrier(Message::verbatim(operation_name(Op::sync)));
    const int line = cure_.line;
    const std::optional<SourceLoops> loops = loops_of_text();
    if (loops && loops->has_code(line) && loops->loop_at(line) < 0)
      return message("Put {} between the write and the read of {} in line {}.", name,
                     trace_.array(launch_, race_.b.place.array).name, line);
    return message("Put {} between two rounds of the loop around line {}.", name, line);
  }

  Message read_then_write() const {
    const bool a_reads = !(race_.a_how & write);
    const Node& reader = a_reads ? race_.a : race_.b;
    const LineCells cells =
        cells_in(source_line(trace_, number_, reader.line), trace_.array(launch_, race_.b.place.array).name);
    const Message read = cells.read.empty() ? message("the other's cell") : Message::verbatim(cells.read);
    const Message written =
        cells.written.empty() ? message("the thread's own") : Message::verbatim(cells.written);
    const Message wait = barrier(Message::verbatim(operation_name(Op::sync)));
    if (cure_.outside_if)
      return cure_.every_round
                 ? message(
                       "Read {} into a variable, call {} outside the if, then write {}, and call "
                       "it again before the next round.",
                       read, wait, written)
                 : message("Read {} into a variable, call {} outside the if, then write {}.", read, wait,
                           written);
    return cure_.every_round
               ? message(
                     "Read {} into a variable, call {}, then write {}, and call it again before the next "
                     "round.",
                     read, wait, written)
               : message("Read {} into a variable, call {}, then write {}.", read, wait, written);
  }

  Message reads_while_written() const {
    const bool a_reads = !(race_.a_how & write);
    const Node &reader = a_reads ? race_.a : race_.b, &writer = a_reads ? race_.b : race_.a;
    return message("{} reads {} in line {} while {} may be writing it.",
                   thread_message_at_start(launch_, reader.thread), cell(), reader.line,
                   thread_message(launch_, writer.thread));
  }

  const Trace& trace_;
  const Launch& launch_;
  const int number_;
  const Race& race_;
  const Cure& cure_;
};

}  // namespace

Message await_copy_help(int line, int reader, bool at_barrier) {
  if (at_barrier)
    return message(
        "Wait at the cuda::barrier that the copy of line {} was given, before line {}: {} does not wait for "
        "copies.",
        line, reader, operation_name(Op::sync));
  return message(
      "Let the thread that asks for the copy of line {} wait for it, and call {} after that, before line {}: "
      "a barrier alone does not wait for copies.",
      line, operation_name(Op::sync), reader);
}

Message warp_steps_help(const Cure& cure) {
  const Message steps = message(
      "The lanes of a warp do not wait for each other. In each of the lines {} to {}: call "
      "__syncwarp(), read into a variable, call __syncwarp(), then write.",
      cure.places.front().from, cure.places.back().from);
  return cure.is_volatile ? followed_by(message("volatile makes no thread wait for another."), steps) : steps;
}

Message race_message(const Trace& trace, int launch, const Race& race, const Cure& cure) {
  return RaceWords(trace, launch, race, cure).what();
}

Message race_help(const Trace& trace, int launch, const Race& race, const Cure& cure) {
  return RaceWords(trace, launch, race, cure).help();
}

}  // namespace bscope
