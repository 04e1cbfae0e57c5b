// Children: the grids that a kernel has launched. They run when their parent has ended, in the order of their
// launches, those of cudaStreamTailLaunch after all others, and each with its own children before the next.
// That is one of the orders that CUDA allows; where the order matters, a finding says so.
#include <algorithm>
#include <exception>
#include <system_error>

#include "engine/cuda/machine/launcher.hpp"
#include "engine/cuda/machine/memory_use.hpp"
#include "engine/trace/scoped_assign.hpp"

namespace bscope::cuda {
namespace {

using std::to_string;

constexpr size_t most_compared = 64;  ///< children of a grid, for races among them
constexpr uint64_t most_snapshot = uint64_t(256) << 20;

std::vector<Interpreter::Given> given_of(const ChildLaunch& c) {
  std::vector<Interpreter::Given> all;
  for (const ChildLaunch::Argument& a : c.arguments) all.push_back({a.bits, a.by_value});
  return all;
}

LaunchRequest request_of(const ChildLaunch& c) {
  return {.kernel = c.kernel,
          .grid = c.grid,
          .block = c.block,
          .dynamic_shared = c.dynamic_shared,
          .wants_use = true};
}

bool is_tail(const ChildLaunch& c) { return c.stream == ChildLaunch::tail; }

/// Whether two children run one after the other: by a stream of their block.
bool are_ordered(const ChildLaunch& a, const ChildLaunch& b) {
  if (is_tail(a) || is_tail(b)) return true;
  return a.parent_block == b.parent_block && a.stream_handle == b.stream_handle &&
         a.stream != ChildLaunch::fire_and_forget;
}

bool holds(const std::vector<AddressRange>& ranges, uint64_t begin, uint64_t end) {
  return first_common(ranges, {{begin, end}}) != 0;
}

std::string cell_name(const Memory& m, uint64_t offset) {
  return m.name + "[" + to_string(offset / uint64_t(std::max(1, m.width))) + "]";
}

}  // namespace

/// A finding of the parent's launch; where that is not shown, a note, unless its line has a finding already.
void Launcher::tell_of_child(const Parent& parent, Finding f) {
  const bool is_new = told_children_.emplace(parent.name, f.line).second;
  if (parent.launch < 0 && !is_new) return;
  if (parent.launch < 0)
    return recorder_.note(message("In a launch of {} that is not shown: {}", parent.name, f.sentences()));
  f.launch = parent.launch;
  f.block = std::min(f.block, int(recorder_.trace().launches[size_t(parent.launch)].blocks.size()) - 1);
  const auto same = [&](const Finding& other) {
    return other.launch == f.launch && other.line == f.line && other.help == f.help;
  };
  if (std::ranges::any_of(findings_, same)) return;
  findings_.push_back(f);
  recorder_.add_findings({f});
}

/// What the parent does after the launch is not ordered with what the child does.
void Launcher::find_races_with_parent(const Parent& parent, const EndedChild& ended) {
  const ChildLaunch& c = *ended.child;
  if (is_tail(c)) return;
  for (const AccessBesideChildren& a : parent.beside_children) {
    if (a.children <= c.number || a.memory->freed) continue;
    const uint64_t begin = a.memory->address + a.offset, end = begin + a.bytes;
    const bool reads = a.kind == Footprint::read;
    const bool child_writes = holds(ended.use.written, begin, end) ||
                              (a.kind != Footprint::updated && holds(ended.use.updated, begin, end));
    if (!child_writes && (reads || !holds(ended.use.read, begin, end))) continue;
    Launch places;
    if (parent.launch >= 0) {
      places.grid_extent = recorder_.trace().launches[size_t(parent.launch)].grid_extent;
      places.block_extent = recorder_.trace().launches[size_t(parent.launch)].block_extent;
    }
    const std::string cell = cell_name(*a.memory, a.offset);
    const std::string& child = c.kernel->source_name;
    tell_of_child(
        parent,
        {.block = int(a.block),
         .thread = a.thread,
         .line = int(a.line),
         .message =
             reads ? message("Thread {} of block {} reads {} in line {}, while the child grid {} of line {} "
                             "may still be writing it.",
                             a.thread, a.block, cell, a.line, child, c.line)
             : child_writes
                 ? message("Thread {} of block {} writes {} in line {}, while the child grid {} of line {} "
                           "may still be writing it.",
                           a.thread, a.block, cell, a.line, child, c.line)
                 : message("Thread {} of block {} writes {} in line {}, while the child grid {} of line {} "
                           "may still be reading it.",
                           a.thread, a.block, cell, a.line, child, c.line),
         .help = message("A kernel cannot wait for its children. Put what comes after them into a kernel of "
                         "its own and launch that with <<<grid, block, 0, cudaStreamTailLaunch>>>.")});
    return;
  }
}

/// Children of different blocks or streams run at the same time.
void Launcher::find_race_of_children(const Parent& parent, const EndedChild& first,
                                     const EndedChild& second) {
  if (are_ordered(*first.child, *second.child)) return;
  const uint64_t written_first = first_common(first.use.written, second.use.read),
                 read_first = first_common(first.use.read, second.use.written),
                 address = written_first ? written_first : read_first;
  const Memory* const m = address ? memories_.at(address) : nullptr;
  if (!m) return;
  const ChildLaunch &writer = written_first ? *first.child : *second.child,
                    &reader = written_first ? *second.child : *first.child;
  tell_of_child(parent,
                {.block = int(second.child->parent_block),
                 .thread = second.child->parent_thread,
                 .line = int(second.child->line),
                 .message = message("The child grids {} of line {} and {} of line {} may run at the "
                                    "same time: the first writes {}, the second reads it.",
                                    writer.kernel->source_name, writer.line, reader.kernel->source_name,
                                    reader.line, cell_name(*m, address - m->address)),
                 .help = message("Launch both from one block, in the same stream.")});
}

LaunchOutcome Launcher::run_child(const Parent& parent, const ChildLaunch& c, const Print& print) {
  LaunchRequest request = request_of(c);
  request.label = message("{} (child of {}, block {}, thread {}, line {})", c.kernel->source_name,
                          parent.name, c.parent_block, c.parent_thread, c.line)
                      .english();
  Parent self{.name = c.kernel->source_name, .depth = parent.depth + 1};
  depth_ = self.depth;
  LaunchOutcome outcome = launch_one(request, given_of(c), print, self);
  run_children(self, outcome, print);
  depth_ = parent.depth;
  return outcome;
}

void Launcher::run_children(Parent& parent, LaunchOutcome& outcome, const Print& print) {
  if (parent.children.empty() || outcome.code != LaunchOutcome::done) return;
  std::ranges::stable_partition(parent.children, [](const ChildLaunch& c) { return !is_tail(c); });
  if (parent.children.size() > pending_children_) {
    const ChildLaunch& last = parent.children.back();
    tell_of_child(
        parent, {.block = int(last.parent_block),
                 .thread = last.parent_thread,
                 .line = int(last.line),
                 .message = message("A grid of {} launches {} children in line {}, and {} may wait at once: "
                                    "on a GPU launches can fail.",
                                    parent.name, parent.children.size(), last.line, pending_children_),
                 .help = message("Launch fewer, or call {} first.",
                                 "cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, n)")});
  }
  std::vector<EndedChild> ended;
  for (const ChildLaunch& c : parent.children) {
    LaunchOutcome of_child = run_child(parent, c, print);
    outcome.printed = outcome.printed || of_child.printed;
    if (of_child.code != LaunchOutcome::done) {
      outcome = std::move(of_child);
      return;
    }
    EndedChild now{&c, std::move(of_child.use)};
    find_races_with_parent(parent, now);
    outcome.use = united(outcome.use, now.use);
    for (const EndedChild& before : ended) find_race_of_children(parent, before, now);
    if (ended.size() < most_compared) ended.push_back(std::move(now));
  }
}

// ---- children that their parent waits for, as before CUDA 12 ---------------------------------------------

/// Runs a child and its own children in the middle of its parent. Returns what went wrong; empty: nothing.
Message Launcher::run_inside(LaunchState& parent, ChildLaunch c, std::string& printed) {
  const ScopedAssign waits(waiting_, &parent);
  const ScopedAssign deeper(depth_, parent.depth + 1);
  Blocks all{0, c.grid};
  all.interpreted = !outermost_waiter_->quiet;  // native code does not tell what it reads
  Attempt a = attempt(request_of(c), given_of(c), all, true);
  parent.changed_memory |= a.changed_memory;
  printed += a.printed;
  if (!a.unsupported.empty()) return a.unsupported;
  if (!a.findings.empty()) {
    if (inner_fault_.empty())  // else a child of its own has said it
      inner_fault_ = message("In the child grid {} of line {}: {}", c.kernel->source_name, c.line,
                             a.findings.front().sentences());
    return inner_fault_;
  }
  std::ranges::stable_partition(a.children, [](const ChildLaunch& child) { return !is_tail(child); });
  for (ChildLaunch& child : a.children)
    if (Message wrong = run_inside(parent, std::move(child), printed); !wrong.empty()) return wrong;
  return {};
}

/// Of all memory but the constant, as far as it is little enough to be copied.
Launcher::Contents Launcher::contents() const {
  Contents all;
  uint64_t bytes = 0;
  for (const auto& m : memories_.all())
    if (!m->freed && m->origin != Memory::Origin::constant && (bytes += m->bytes) <= most_snapshot)
      all.emplace_back(m.get(), std::vector<uint8_t>(m->data(), m->data() + m->bytes));
  return all;
}

/// What children have read and changed becomes loads and stores of the thread that waited for them, so that
/// the trace knows it.
void Launcher::adopt_accesses(const Contents& before, const std::vector<AddressRange>& read, Interpreter& w,
                              uint32_t line) {
  for (const auto& [m, bytes] : before) {
    if (m->freed) continue;
    const int width = m->width && m->width <= 8 ? m->width : 1;
    const ElementType kind = m->width ? m->kind : ElementType::u8;
    std::vector<std::pair<uint64_t, uint64_t>> changes;  // address, what lies there now
    for (uint64_t at = 0; at + uint64_t(width) <= m->bytes; at += uint64_t(width)) {
      if (!std::memcmp(m->data() + at, bytes.data() + at, size_t(width))) continue;
      std::memcpy(&changes.emplace_back(m->address + at, 0).second, m->data() + at, size_t(width));
      std::memcpy(m->data() + at, bytes.data() + at, size_t(width));
    }
    for (const AddressRange& r : read)  // a child may have read parts of cells
      for (uint64_t at = std::max(r.begin, m->address) / uint64_t(width) * uint64_t(width);
           at < r.end && at + uint64_t(width) <= m->address + m->bytes; at += uint64_t(width))
        w.note(Op::escape, w.load({at, 0, no_kind}, {width, kind, line, Op::load}), width * 8);
    for (const auto& [address, now] : changes)
      w.store({address, 0, no_kind}, {now, 0, no_kind}, {width, kind, line, Op::store});
  }
}

/// What children touch is touched by the launch that waits for them.
void Launcher::note_inner_use(Footprint& footprint) const {
  const MemoryUse use = inner_footprint_.use();
  for (const auto& [ranges, kind] :
       {std::pair(&use.read, Footprint::read), std::pair(&use.written, Footprint::written),
        std::pair(&use.updated, Footprint::updated)})
    for (const AddressRange& r : *ranges)
      if (const Memory* const m = memories_.at(r.begin))
        footprint.note(*m, r.begin - m->address, r.end - r.begin, kind);
}

/// cudaDeviceSynchronize in device code. The children run on another thread, because the executor of this one
/// is in the middle of their parent.
void Launcher::await_children(LaunchState& l, Interpreter& w, uint32_t line) {
  const auto theirs = [&](const ChildLaunch& c) { return c.parent_block != w.block_number() || is_tail(c); };
  const auto mine = std::ranges::stable_partition(l.children, theirs);
  std::vector<ChildLaunch> waited(std::make_move_iterator(mine.begin()), std::make_move_iterator(mine.end()));
  l.children.erase(mine.begin(), mine.end());
  if (waited.empty()) return;
  const Contents before = l.quiet ? Contents() : contents();  // an unseen launch tells of no change
  if (!waiting_) {
    outermost_waiter_ = &l;
    inner_footprint_.clear();
    inner_fault_ = {};
  }
  Message wrong;
  std::exception_ptr thrown;
  std::string printed;
  const auto run_all = [&] {
    try {
      for (ChildLaunch& c : waited)
        if (wrong = run_inside(l, std::move(c), printed); !wrong.empty()) break;
    } catch (...) { thrown = std::current_exception(); }
  };
  try {
    inner_threads_[l.depth].run(run_all);
  } catch (const std::system_error&) {  // there are no threads in a page
    w.refuse(line,
             message("Barrierscope cannot wait for child grids in a kernel here (line {}): run the program "
                     "natively.",
                     line));
  }
  if (thrown) std::rethrow_exception(thrown);
  l.printed += printed;
  if (!l.quiet)
    adopt_accesses(before, inner_footprint_.use().read, w, line);
  else if (!waiting_ && l.footprint)
    note_inner_use(*l.footprint);
  if (!wrong.empty()) w.fail(line, wrong);
}

}  // namespace bscope::cuda
