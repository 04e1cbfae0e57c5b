#include "engine/simt/cpu_executor.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/simt/cpu_fiber.hpp"
#include "engine/simt/faults.hpp"
#include "engine/trace/operation_names.hpp"
#include "engine/trace/progress.hpp"

namespace bscope {
inline namespace on_cpu {

using std::to_string;
using State = CpuThread::State;

namespace {

/// Thrown to end a thread that cannot go on.
struct Stray {};

constexpr int most_threads = 1024, most_warps = most_threads / warp_size;
constexpr size_t most_shared = size_t(227) << 10;  // of a block on an H100
constexpr int most_shared_arrays = 128;
constexpr uint32_t kept_room = 1 << 16;  // events; a longer log gives its memory back after the launch
constexpr size_t most_findings = 64;
constexpr uint8_t spinning = 2;  // stops in a row before the same access

constexpr size_t cache_line = 64;
/// Prefetches the cache line there, which need not be allocated.
void fetch(const void* p, size_t offset) {
  const auto line = reinterpret_cast<uintptr_t>(p) + offset;
  __builtin_prefetch(reinterpret_cast<const void*>(line), 1);  // NOLINT(performance-no-int-to-ptr)
}

/// "7", "0-3, 7"; of many ranges the first, and how many numbers are left.
struct NumberRanges {
  std::string text;
  size_t more = 0;
};
NumberRanges ranges_of(const std::vector<int>& numbers) {
  constexpr int most_ranges = 8;
  NumberRanges r;
  int told = 0;
  for (size_t i = 0; i < numbers.size();) {
    size_t j = i;
    while (j + 1 < numbers.size() && numbers[j + 1] == numbers[j] + 1) ++j;
    if (told++ == most_ranges) {
      r.more = numbers.size() - i;
      return r;
    }
    if (i) r.text += ", ";
    r.text += to_string(numbers[i]);
    if (j > i) r.text += "-" + to_string(numbers[j]);
    i = j + 1;
  }
  return r;
}

/// "thread 7", "threads 0-3, 7".
Message threads_message(const std::vector<int>& ranks) {
  const NumberRanges r = ranges_of(ranks);
  if (r.more) return message("threads {} and {} more", r.text, r.more);
  return ranks.size() == 1 ? message("thread {}", r.text) : message("threads {}", r.text);
}

/// What helps where lanes call something of the warp that others of its mask do not come to.
Message call_with_all_lanes(const Message& what) {
  return message(
      "Call {} outside of the branch, with all lanes of the mask, or name only those that take the branch.",
      what);
}

/// "lane 7", "lanes 0-3, 7".
Message lanes_message(uint32_t mask) {
  std::vector<int> lanes;
  for (; mask; mask &= mask - 1) lanes.push_back(std::countr_zero(mask));
  const NumberRanges r = ranges_of(lanes);
  if (r.more) return message("lanes {} and {} more", r.text, r.more);
  return lanes.size() == 1 ? message("lane {}", r.text) : message("lanes {}", r.text);
}

/// Lays rows of `from` bytes out as rows of `to` bytes, the rest zeros.
void widen_rows(std::vector<std::byte>& bytes, size_t from, size_t to, size_t rows) {
  std::vector<std::byte> wide(rows * to);
  for (size_t r = 0; r < rows; ++r)
    if (from) memcpy(wide.data() + r * to, bytes.data() + r * from, from);
  bytes = std::move(wide);
}

}  // namespace

/// A piece of shared memory, aligned for every element type and vector.
struct alignas(64) Aligned {
  std::byte bytes[64];
};

/// A resident block: its threads, their stacks and its shared memory outlive launches.
struct ResidentBlock {
  Executor& machine;
  fiber::Stacks stacks;
  std::unique_ptr<CpuThread[]> threads = std::make_unique<CpuThread[]>(most_threads);
  int prepared = 0;  ///< threads that have a stack and a fiber
  std::vector<Aligned> shared = std::vector<Aligned>(most_shared / sizeof(Aligned));

  int index = 0, size = 0, warps = 0;
  int at_barrier = 0, meeting = 0, done = 0;            ///< threads in that state
  int at_grid_barrier = 0;                              ///< of those at a barrier: the grid's
  std::vector<int> stopped;                             ///< threads that a fault has ended
  uint32_t barrier_line = 0;                            ///< where the first of them stopped
  bool one_line = true;                                 ///< and all others, too
  std::array<uint32_t, most_warps> ready{}, waiting{};  ///< lanes of each warp in that state
  uint32_t shared_used = 0;
  BlockRun* log = nullptr;
  size_t rows = 0, row_bytes = 0;  ///< of the snapshots

  explicit ResidentBlock(Executor& m) : machine(m) {}

  std::byte* memory() { return shared.data()->bytes; }
  bool is_complete() const { return at_barrier && at_barrier + done == size; }
  CpuThread* warp(int w) { return &threads[w * warp_size]; }
  int lanes_in(int w) const { return std::min(warp_size, size - w * warp_size); }
  uint32_t all_lanes(int w) const { return full_warp >> (warp_size - lanes_in(w)); }

  void prepare(int n) {
    for (; prepared < n; ++prepared) {
      CpuThread& t = threads[prepared];
      t.stack_ = stacks.guarded(size_t(prepared));
      t.fiber_ = fiber::make<CpuThread::Body>(t.stack_, size_t(prepared));
    }
  }
  void snapshot() {
    if (shared_used > row_bytes) {
      widen_rows(log->snapshots, row_bytes, shared_used, rows);
      row_bytes = shared_used;
    }
    log->snapshots.insert(log->snapshots.end(), memory(), memory() + row_bytes);
    ++rows;
  }
};

// ---- one thread
// -----------------------------------------------------------------------------------------------

void Log::grow() {
  auto& t = static_cast<CpuThread&>(*this);
  Executor& m = t.home_->machine;
  // twice as much, but no more than there is: unused room must not end a launch
  const size_t left = m.schedule_.most_events - std::min(m.events_, m.schedule_.most_events);
  const auto more = uint32_t(std::min<size_t>(room ? room : 64, left));
  m.events_ += more;
  if (current_progress) current_progress->events += more;
  t.look_whether_wanted();
  if (!more) {
    const uint32_t line = count ? at[count - 1].line : 0;
    const Message what = message(
        "No end in sight: this launch has made more than {} events, thread {} of block {} the last of them "
        "in line {}.",
        m.schedule_.most_events, rank_text(*m.launch_, t.rank_), block_text(*m.launch_, t.block_index_),
        line);
    m.find(t, {.line = int(line),
               .message = what,
               .kind = FindingKind::too_many_events,
               .help = message("Look for a loop that never ends.")});
    m.cancelled_ = true;
    throw Stray{};
  }
  if (t.memory_.size() < room + more) t.memory_.resize(room + more);
  at = t.memory_.data();
  room += more;
}

void CpuThread::look_whether_wanted() {
  if (!current_progress) return;
  if (current_progress->tell) current_progress->tell(*current_progress);
  if (!current_progress->stop) return;
  Executor& m = home_->machine;
  m.thrown_ = std::make_exception_ptr(Cancelled{});
  m.cancelled_ = true;
  throw Stray{};
}

// Reads commute, so a thread stops before whatever may write and before the first read after its own write:
// by then the other lanes have made theirs, as if all had gone access by access. A read that is repeated may
// be waiting for another thread's write.
void Log::pause(Event e) {
  auto& t = static_cast<CpuThread&>(*this);
  const bool again = e.line == t.last_line_ && e.a == t.last_index_;
  t.last_line_ = e.line;
  t.last_index_ = e.a;
  if (is_load(e.op) && !t.wrote_ && !again) return;
  t.spins_ = again ? uint8_t(std::min(t.spins_ + 1, int(spinning))) : uint8_t(0);
  t.leave(State::ready, e.line, e.op);
  t.wrote_ = writes(e.op);
}

void Log::wait(Event e, const void* cell, const void* old, size_t bytes) {
  auto& t = static_cast<CpuThread&>(*this);
  t.watched_ = cell;
  t.watched_bytes_ = bytes;
  t.watched_array_ = e.array;
  t.watched_index_ = e.a;
  memcpy(&t.old_, old, bytes);
  while (memcmp(cell, &t.old_, bytes) == 0) t.leave(State::waiting, e.line, e.op);
}

void Log::stray(Event e) {
  auto& t = static_cast<CpuThread&>(*this);
  Executor& m = t.home_->machine;
  push(e);
  m.find(t, {.line = e.line,
             .message = out_of_bounds_message(*m.launch_, t.rank_, t.block_index_, m.name_of_array(e.array),
                                              int(e.a), int(e.bits), e.line),
             .kind = FindingKind::out_of_bounds,
             .cells = {{e.array, int(e.a)}}});
  throw Stray{};
}

void CpuThread::fail(Finding f, StopScope ends) {
  Executor& m = home_->machine;
  m.find(*this, std::move(f));
  m.cancelled_ = m.cancelled_ || ends == StopScope::launch;
  throw Stray{};
}

void Log::unaligned(Event e) {
  auto& t = static_cast<CpuThread&>(*this);
  Executor& m = t.home_->machine;
  const Message what =
      message("{} copies {} cells from {}[{}] on in line {}, but the copy engine moves 16 bytes at a time.",
              m.who_at_start(t), e.bits, m.name_of_array(e.array), e.a, e.line);
  m.find(t, {.line = e.line,
             .message = what,
             .cells = {{e.array, int(e.a)}},
             .help = message("Begin and end at a multiple of 16 bytes.")});
  throw Stray{};
}

void CpuThread::phase(const char* name, uint32_t line) {
  const uint32_t hash = hash_of(name);
  push({uint16_t(line), Op::phase, 0, hash, 0, 0});
  home_->machine.launch_->phases.try_emplace(hash, name);
}

bool CpuThread::left_out(uint32_t line) const {
  return std::ranges::find(home_->machine.schedule_.without, int(line), &LeftOut::line) !=
         home_->machine.schedule_.without.end();
}

void CpuThread::absent(int from, uint32_t line) {
  Executor& m = home_->machine;
  const Message who = m.who_at_start(*this);
  const uint32_t existing = home_->all_lanes(warp()), missing = mask_ & existing & ~group_;
  Finding f{.line = int(line)};
  if (m.dialect_ != Dialect::cuda) {
    f.message = message("{} shuffles from lane {} in line {}, but that lane takes no part.", who, from, line);
    f.help = message("Let every lane of the mask call the shuffle.");
  } else if (!(existing >> from & 1)) {
    f.message = message(
        "{} shuffles from lane {} in line {}, which holds nothing: the block has {} threads, so the "
        "warp has no such lane.",
        who, from, line, block_size_);
    f.help = message("Shuffle among the lanes that the warp has.");
  } else if (!(mask_ >> from & 1)) {
    f.message = message("{} shuffles from lane {} in line {}, which the mask leaves out.", who, from, line);
    f.help = message("Put each lane that is read into the mask.");
  } else {
    f.message = mask_ == full_warp
                    ? message(
                          "{} shuffles from lane {} in line {}, which holds nothing: the full mask names {} "
                          "of warp {}, which are not there.",
                          who, from, line, lanes_message(missing), warp())
                    : message(
                          "{} shuffles from lane {} in line {}, which holds nothing: the mask names {} of "
                          "warp {}, which are not there.",
                          who, from, line, lanes_message(missing), warp());
    f.help = call_with_all_lanes(message("the shuffle"));
  }
  m.find(*this, std::move(f));
}

void* CpuThread::declare(const char* name, int n, int rows, ElementType kind, uint8_t& id) {
  Executor& m = home_->machine;
  Launch& l = *m.launch_;
  const auto refuse = [&](Message why, Message help = {}) {
    m.find(*this, {.message = std::move(why), .help = std::move(help)});
    throw Stray{};
  };
  if (n < 0)
    refuse(message("Shared array {} of launch {} has the size {}.", name, l.name, n),
           message("Give it at least one cell."));
  if (rows < 1)
    refuse(message("Shared array {} of launch {} has {} rows.", name, l.name, rows),
           message("Give it at least one row."));
  if (synced_)
    refuse(message("Shared array {} of launch {} is declared after a barrier.", name, l.name),
           message("Declare shared arrays before the first barrier."));
  const uint64_t begin = (uint64_t(shared_used_) + 15) / 16 * 16,
                 end = begin + uint64_t(n) * uint64_t(rows) * uint64_t(bytes_of(kind));
  if (end > most_shared)
    refuse(message("Shared array {} of launch {} needs {} bytes, and a block has {}.", name, l.name, end,
                   most_shared),
           message("Use a smaller block or fewer cells."));
  if (shared_count_ == most_shared_arrays)
    refuse(message("Shared array {} of launch {} is one too many: a kernel has at most {} of them.", name,
                   l.name, most_shared_arrays));
  if (int(l.shared.size()) == shared_count_)
    l.shared.push_back({name, kind, n * rows, uint32_t(begin), {}, rows});
  const ArrayInfo& first = l.shared[size_t(shared_count_)];
  if (first.name != name || first.kind != kind || first.size != n * rows || first.offset != begin ||
      first.rows != rows)
    refuse(message("Shared array {} of launch {} is not declared alike by all threads.", name, l.name),
           message("Declare the same shared arrays, in the same order, in each."));
  shared_used_ = uint32_t(end);
  id = uint8_t(first_shared + shared_count_++);
  home_->shared_used = std::max(home_->shared_used, shared_used_);
  return home_->memory() + begin;
}

void CpuThread::note_turn() {
  noted_ = count;
  home_->machine.launch_->turns.push_back({id_, count});
}

void CpuThread::stop(State s, uint32_t line, Op op) {
  state_ = s;
  line_ = line;
  op_ = op;
  ResidentBlock& b = *home_;
  const auto warp = size_t(rank_) / warp_size;
  const uint32_t lane = 1u << rank_ % warp_size;
  switch (s) {
    case State::at_barrier:
      if (!b.at_barrier++) b.barrier_line = line, b.one_line = true;
      b.one_line &= line == b.barrier_line;
      b.at_grid_barrier += op == Op::sync_grid;
      break;
    case State::meeting: ++b.meeting; break;
    case State::done: ++b.done; break;
    case State::ready: b.ready[warp] |= lane; break;
    case State::waiting: b.waiting[warp] |= lane; break;
  }
}

// A thread's stack and log have long left the nearest cache when its turn comes again: they are fetched while
// the one before it runs.
void CpuThread::prefetch() const {
  for (size_t k = 0; k < 6; ++k) fetch(fiber_, k * cache_line);  // what a kernel keeps on its stack, usually
  fetch(at, count * sizeof(Event));
  fetch(at, count * sizeof(Event) + cache_line);
}

// The next of the batch goes on, straight from stack to stack; the last hands back to the executor.
fiber::Next CpuThread::next_of_batch() const {
  Executor& m = home_->machine;
  if (!m.batch_) return {};
  CpuThread& next = warp_[std::countr_zero(m.batch_)];
  m.batch_ &= m.batch_ - 1;
  if (m.batch_) warp_[std::countr_zero(m.batch_)].prefetch();
  fetch(&next, 4 * sizeof next);
  return {next.fiber_, &next, next.stack_};
}

fiber::Next CpuThread::depart(State s, uint32_t line, Op op) {
  if (count != noted_) note_turn();
  stop(s, line, op);
  wrote_ = false;  // a thread that meets others comes after all that they wrote
  return next_of_batch();
}
void CpuThread::give_up() { throw Stray{}; }

// What a fiber does in one launch.
struct CpuThread::Body {
  static void*& fiber(void* thread) { return of(thread).fiber_; }
  static void run(void* thread) {
    CpuThread& t = of(thread);
    guarded(t, [&t] {
      if (fiber::again() || !t.home_->machine.cancelled_) t.run_kernel();
    });
  }
  static fiber::Next end(void* thread) {
    CpuThread& t = of(thread);
    guarded(t, [&t] {
      if (auto* const act = std::exchange(t.act_at_end_, nullptr)) act(t.data_at_end_);
      t.note_turn();
    });
    t.stop(State::done, 0, Op::sync);
    return t.next_of_batch();
  }

 private:
  static CpuThread& of(void* thread) { return *static_cast<CpuThread*>(thread); }
  static void guarded(CpuThread& t, auto act) {
    Executor& m = t.home_->machine;
    try {
      act();
    } catch (const Stray&) { t.home_->stopped.push_back(t.rank_); } catch (...) {
      if (!m.thrown_) m.thrown_ = std::current_exception();
      m.cancelled_ = true;
    }
  }
};

// A function of its own, for the pass that makes WebAssembly's fibers knows it by its name: of all functions
// of a fiber it alone calls the next through a pointer.
[[gnu::noinline]] void CpuThread::run_kernel() { home_->machine.kernel_(*this); }

// ---- the machine
// ----------------------------------------------------------------------------------------------

Executor::Executor() = default;
Executor::~Executor() = default;

Executor& Executor::here() {
  // a user's static destructor may launch a kernel when the main thread's own objects are gone
  constinit thread_local static Executor* current = nullptr;
  struct Owner {
    ~Owner() { delete std::exchange(current, nullptr); }
  };
  if (!current) {
    thread_local const Owner owner;
    current = new Executor;
  }
  return *current;
}

const std::string& Executor::name_of_array(int id) const {
  return id < first_shared ? (*globals_)[size_t(id)].name : launch_->shared[size_t(id - first_shared)].name;
}

Message Executor::who(const CpuThread& t) const { return thread_of_block(*launch_, t.rank_, t.block_index_); }
Message Executor::who_at_start(const CpuThread& t) const {
  return thread_of_block_at_start(*launch_, t.rank_, t.block_index_);
}

void Executor::find(const CpuThread& t, Finding f) {
  if (findings_->size() == most_findings) return;
  f.launch = number_;
  f.block = t.block_index_;
  f.thread = t.rank_;
  findings_->push_back(std::move(f));
}

// These lanes of a warp run, in lane order, each to its next stop.
void Executor::resume(ResidentBlock& b, int w, uint32_t lanes) {
  b.ready[size_t(w)] &= ~lanes;
  CpuThread& t = b.warp(w)[std::countr_zero(lanes)];
  batch_ = lanes & (lanes - 1);
  fiber::run({t.fiber_, &t, t.stack_});
}

void Executor::start(int index) {
  if (spare_.empty()) spare_.push_back(std::make_unique<ResidentBlock>(*this));
  ResidentBlock& b = *spare_.back();
  b.prepare(launch_->block);
  resident_.push_back(std::move(spare_.back()));
  spare_.pop_back();

  b.index = index;
  b.size = launch_->block;
  b.warps = ceil_div(b.size, warp_size);
  b.at_barrier = b.at_grid_barrier = b.meeting = b.done = 0;
  b.stopped.clear();
  for (int w = 0; w < b.warps; ++w) {
    b.ready[size_t(w)] = b.all_lanes(w);
    b.waiting[size_t(w)] = 0;
  }
  b.log = &launch_->blocks[size_t(index)];
  b.rows = b.row_bytes = 0;
  memset(b.memory(), 0, b.shared_used);  // what the block before may have left
  b.shared_used = 0;
  for (int i = 0; i < b.size; ++i) {
    CpuThread& t = b.threads[i];
    t.home_ = &b;
    t.warp_ = b.warp(i / warp_size);
    t.id_ = uint32_t(index * b.size + i);
    t.rank_ = i;
    t.block_index_ = index;
    t.block_size_ = b.size;
    t.grid_size_ = launch_->grid;
    t.at = t.memory_.data();
    t.count = t.room = 0;
    t.pauses = schedule_.kind >= Schedule::lockstep;
    t.leaves_out_ = !schedule_.without.empty();
    t.has_to_look_ = false;
    t.state_ = State::ready;
    t.op_ = {};
    t.line_ = t.noted_ = 0;
    t.synced_ = false;
    t.cancelled_ = &cancelled_;
    t.spins_ = 0;
    t.last_line_ = t.last_index_ = 0;
    t.wrote_ = false;
    t.shared_used_ = 0;
    t.shared_count_ = 0;
  }
}

void Executor::feed() {
  while (int(resident_.size()) < std::max(1, schedule_.resident_blocks) && started_ < launch_->grid)
    start(started_++);
}

void Executor::retire(ResidentBlock& b) {
  b.snapshot();
  BlockRun& log = *b.log;
  size_t events = 0;
  for (int i = 0; i < b.size; ++i) events += b.threads[i].count;
  log.events.reserve(events);
  log.first.reserve(size_t(b.size) + 1);
  for (int i = 0; i < b.size; ++i) {
    CpuThread& t = b.threads[i];
    log.first.push_back(uint32_t(log.events.size()));
    log.events.insert(log.events.end(), t.at, t.at + t.count);
    events_ -= t.room - t.count;  // room that was never used made no events
    if (current_progress) current_progress->events -= t.room - t.count;
    if (t.memory_.size() > kept_room) t.memory_ = {};
  }
  log.first.push_back(uint32_t(log.events.size()));
  snapshots_[size_t(b.index)] = {b.rows, b.row_bytes};
  launch_->shared_bytes = std::max(launch_->shared_bytes, uint32_t(b.row_bytes));

  const auto it = std::find_if(resident_.begin(), resident_.end(), [&](auto& r) { return r.get() == &b; });
  spare_.push_back(std::move(*it));
  resident_.erase(it);
}

bool Executor::retire_finished() {
  bool any = false;
  for (size_t k = 0; k < resident_.size();) {
    if (resident_[k]->done < resident_[k]->size) {
      ++k;
      continue;
    }
    retire(*resident_[k]);
    any = true;
  }
  if (any) feed();
  return any;
}

// The barrier opens when all are there; a thread that has returned counts, as on the GPU, and is reported.
// The grid's opens for all blocks at once; with clusters, for those of the cluster that have not ended.
bool Executor::open_barrier(ResidentBlock& b) {
  if (!b.is_complete()) return false;
  if (!b.at_grid_barrier) {
    open(b);
    return true;
  }
  const auto meets = [&](const auto& r) {
    return !clusters_.of || clusters_.of(r->index) == clusters_.of(b.index);
  };
  const bool are_there = clusters_.of ? started_ > std::min(launch_->grid - 1, b.index + clusters_.span)
                                      : int(resident_.size()) == launch_->grid;
  const bool all =
      are_there && std::all_of(resident_.begin(), resident_.end(), [&](const auto& r) {
        return !meets(r) || (clusters_.of && r->done == r->size) || (r->is_complete() && r->at_grid_barrier);
      });
  if (all)
    for (const auto& r : resident_)
      if (meets(r) && r->at_grid_barrier) open(*r);
  return all;
}

void Executor::open(ResidentBlock& b) {
  if (b.done || !b.one_line) explain_uneven_barrier(b);
  b.snapshot();
  b.at_barrier = b.at_grid_barrier = 0;
  for (int w = 0; w < b.warps; ++w) b.ready[size_t(w)] = b.all_lanes(w) & ~(b.done ? lanes_done(b, w) : 0);
}

uint32_t Executor::lanes_done(ResidentBlock& b, int w) {
  uint32_t lanes = 0;
  for (int l = 0, n = b.lanes_in(w); l < n; ++l)
    if (b.warp(w)[l].state_ == State::done) lanes |= 1u << l;
  return lanes;
}

void Executor::explain_uneven_barrier(ResidentBlock& b) {
  // who misses it because a fault has stopped it makes no second mistake
  if (b.one_line && size_t(b.done) == b.stopped.size()) return;
  std::map<uint32_t, std::vector<int>> at_line;  // 0: has returned, or was stopped
  const Op barrier = b.at_grid_barrier ? Op::sync_grid : Op::sync;
  for (int i = 0; i < b.size; ++i) {
    const CpuThread& t = b.threads[i];
    at_line[t.state_ == State::done ? 0 : t.line_].push_back(i);
  }
  std::vector<Message> where;
  if (!b.stopped.empty()) {  // that is said of them already
    std::ranges::sort(b.stopped);
    where.push_back(message("a fault has stopped {}", threads_message(b.stopped)));
    std::erase_if(at_line[0], [&](int rank) { return std::ranges::binary_search(b.stopped, rank); });
    if (at_line[0].empty()) at_line.erase(0);
  }
  for (const auto& [line, ranks] : at_line) {
    const bool one = ranks.size() == 1;
    const Message who = threads_message(ranks);
    if (line)
      where.push_back(one ? message("{} is in line {}", who, line) : message("{} are in line {}", who, line));
    else
      where.push_back(one ? message("{} has returned", who) : message("{} have returned", who));
  }
  const auto& [line, ranks] = *at_line.rbegin();
  const Message what = message("A barrier of block {} is not met by all: {}.", b.index, comma_list(where));
  const int warp = ranks.front() / warp_size;
  const bool one_warp = warp == ranks.back() / warp_size && int(ranks.size()) == b.lanes_in(warp);
  Message help = message("Put {} where every thread of the block passes it.", operation_name(barrier));
  if (one_warp && barrier == Op::sync)
    help = followed_by(std::move(help),
                       message("If that warp alone should wait, call {}.", operation_name(Op::sync_warp)));
  find(b.threads[ranks[0]],
       {.line = int(line), .message = what, .kind = FindingKind::missed_barrier, .help = help});
}

// Whether a slower lane has yet to look at what one of these showed when they met last.
bool Executor::is_looked_at(const CpuThread* warp, uint32_t lanes) {
  uint32_t met = 0;
  for (uint32_t m = lanes; m; m &= m - 1) met |= warp[std::countr_zero(m)].group_;
  for (uint32_t m = met & ~lanes; m; m &= m - 1)
    if (warp[std::countr_zero(m)].has_to_look_) return true;
  return false;
}

// Lets those lanes meet whose whole mask is there. `without_returned`: nothing else can move, so lanes that
// have returned are no longer waited for.
bool Executor::settle(ResidentBlock& b, int w, bool without_returned) {
  CpuThread* warp = b.warp(w);
  const uint32_t existing = b.all_lanes(w), returned = without_returned ? lanes_done(b, w) : 0;
  uint32_t here = 0;
  for (int l = 0, n = b.lanes_in(w); l < n; ++l)
    if (warp[l].state_ == State::meeting) here |= 1u << l;
  bool met = false;
  for (uint32_t open = here; open;) {
    const int l = std::countr_zero(open);
    const CpuThread& t = warp[l];
    const uint32_t named = t.mask_ & existing, needed = named & ~returned;
    uint32_t group = 0;
    for (uint32_t m = needed & here; m; m &= m - 1) {
      const CpuThread& other = warp[std::countr_zero(m)];
      if (other.mask_ == t.mask_ && other.op_ == t.op_) group |= 1u << std::countr_zero(m);
    }
    open &= ~(group | 1u << l);
    const std::string name = operation_name(t.op_);
    const auto report = [&](Message what, Message help) {
      find(t, {.line = int(t.line_), .message = std::move(what), .help = std::move(help)});
    };
    if (!(t.mask_ >> l & 1)) {
      report(message("The {} of {} in line {} leaves its own lane out of the mask.", name, who(t), t.line_),
             message("Put lane {} into the mask.", l));
      group = 1u << l;
    } else if (group != needed || is_looked_at(warp, group)) {
      continue;
    } else if (needed != named && dialect_ != Dialect::cuda) {  // CUDA asks it of non-exited lanes only
      report(message("The {} of {} in line {} names lanes that have returned.", name, who(t), t.line_),
             message("Let them call it too, or leave them out of the mask."));
    }
    for (uint32_t m = group; m; m &= m - 1) {
      CpuThread& other = warp[std::countr_zero(m)];
      other.group_ = group;
      other.shown_ = other.given_;
      other.shown_source_ = other.given_source_;
      other.state_ = State::ready;
      other.has_to_look_ = true;
      b.ready[size_t(w)] |= 1u << std::countr_zero(m);
      --b.meeting;
    }
    met = true;
  }
  return met;
}

uint32_t Executor::ready_lanes(ResidentBlock& b, int w) {
  const auto k = size_t(w);
  for (uint32_t m = b.waiting[k]; m; m &= m - 1) {
    const CpuThread& t = b.warp(w)[std::countr_zero(m)];
    if (memcmp(t.watched_, &t.old_, t.watched_bytes_) == 0) continue;
    b.waiting[k] &= ~(m & -m);
    b.ready[k] |= m & -m;
  }
  return b.ready[k];
}

// Every thread runs to its next stop, warp by warp, until nothing in the block moves.
bool Executor::run_to_barrier(ResidentBlock& b) {
  bool moved = false;
  do {
    for (int w = 0; w < b.warps; ++w) do {
        if (const uint32_t lanes = ready_lanes(b, w)) {
          resume(b, w, lanes);
          moved = true;
        }
      } while (b.meeting && settle(b, w, false));
  } while (open_barrier(b));
  return moved;
}

// To the next stop, those lanes of a warp that are furthest behind in the source, so that paths meet again.
// Lanes that spin give way.
bool Executor::step(ResidentBlock& b, int w) {
  CpuThread* warp = b.warp(w);
  uint32_t lanes = 0;
  uint64_t least = ~0ull;
  for (uint32_t ready = ready_lanes(b, w); ready; ready &= ready - 1) {
    const int l = std::countr_zero(ready);
    const CpuThread& t = warp[l];
    const uint64_t place = uint64_t(t.spins_ == spinning) << 40 | uint64_t(t.line_) << 8 | uint64_t(t.op_);
    if (place < least) {
      least = place;
      lanes = 0;
    }
    if (place == least) lanes |= 1u << l;
  }
  if (lanes) resume(b, w, lanes);
  if (b.meeting) settle(b, w, false);
  open_barrier(b);
  return lanes != 0;
}

uint32_t Executor::next_number() {
  if (schedule_.kind != Schedule::shuffled) return round_++;
  random_ ^= random_ << 13;
  random_ ^= random_ >> 17;
  return random_ ^= random_ << 5;
}

bool Executor::step_any() {
  const size_t each = size_t(resident_[0]->warps), warps = resident_.size() * each;
  for (size_t tries = 0; tries < 4 * warps; ++tries) {
    const size_t k = next_number() % warps;
    if (step(*resident_[k / each], int(k % each))) return true;
  }
  for (auto& b : resident_)
    for (int w = 0; w < b->warps; ++w)
      if (step(*b, w)) return true;
  return false;
}

bool Executor::stuck() {
  for (auto& b : resident_)
    for (int w = 0; w < b->warps; ++w)
      if (settle(*b, w, true)) return false;
  // The newest first: it is what the others wait for, one after the other.
  for (auto b = resident_.rbegin(); b != resident_.rend(); ++b) explain_deadlock(**b);
  return true;
}

/// "await on full[0]", with what that mbarrier still waits for.
Message awaiting(const std::string& await, const std::string& cell, const void* mbarrier) {
  uint64_t word = 0;
  memcpy(&word, mbarrier, sizeof word);
  const int bytes = Mbarrier::of(word).bytes;
  const Message what = message("{} on {}", await, cell);
  if (bytes > 0) return message("{}, to which {} expected bytes have not come", what, bytes);
  return bytes < 0 ? message("{}, to which {} bytes came that were not expected", what, -bytes)
                   : message("{}, at which no thread arrives", what);
}

/// Threads of a block that wait in one line for one thing.
struct WaitingThreads {
  std::vector<int> ranks;
  const CpuThread* one = nullptr;
  CellRef first{-1, INT_MAX}, last{-1, -1};  ///< cells of the array that they watch
};

/// "threads 0-3 wait in line 7 (sync)".
Message Executor::explain_waiting(const WaitingThreads& w, bool loops) const {
  const CpuThread& t = *w.one;
  const bool alone = w.ranks.size() == 1;
  const Message who = threads_message(w.ranks);
  if (t.state_ == State::done)
    return alone ? message("{} has returned", who) : message("{} have returned", who);
  const auto cell = [&](CellRef c) { return name_of_array(c.array) + "[" + to_string(c.index) + "]"; };
  Message cells;
  if (w.last.array >= 0)
    cells = w.first == w.last ? Message::verbatim(cell(w.first))
                              : message("{} to {}", cell(w.first), cell(w.last));
  if (loops)
    return alone ? message("{} loops for ever in line {} (on {})", who, t.line_, cells)
                 : message("{} loop for ever in line {} (on {})", who, t.line_, cells);
  const bool spins = t.op_ == Op::wait || t.op_ == Op::observe;
  const Message name = spins ? message("a loop that waits") : Message::verbatim(operation_name(t.op_));
  const Message what = t.op_ == Op::await ? awaiting(operation_name(t.op_), cell(w.first), t.watched_)
                       : cells.empty()    ? name
                                          : message("{} on {}", name, cells);
  return alone ? message("{} waits in line {} ({})", who, t.line_, what)
               : message("{} wait in line {} ({})", who, t.line_, what);
}

void Executor::explain_deadlock(ResidentBlock& b) {
  /// By line, operation and array, and for an mbarrier its cell.
  using Where = std::tuple<uint32_t, std::string, std::string, int>;
  std::map<Where, WaitingThreads> groups;
  bool loops = dialect_ == Dialect::cuda;
  for (int i = 0; i < b.size; ++i) {
    const CpuThread& t = b.threads[i];
    const bool done = t.state_ == State::done, memory = t.state_ == State::waiting,
               awaits = t.op_ == Op::await;
    Where where;
    if (!done) {
      where = {t.line_, operation_name(t.op_), memory ? name_of_array(t.watched_array_) : "",
               awaits ? int(t.watched_index_) : -1};
      loops = loops && memory && !awaits;
    }
    WaitingThreads& g = groups[where];
    g.ranks.push_back(i);
    g.one = &t;
    if (memory) {
      g.first = {t.watched_array_, std::min(g.first.index, int(t.watched_index_))};
      g.last = {t.watched_array_, std::max(g.last.index, int(t.watched_index_))};
    }
  }
  constexpr size_t most_groups = 4;
  Finding f{.kind = FindingKind::deadlock};
  std::vector<Message> clauses;
  for (const auto& [where, g] : groups) {
    if (g.last.array >= 0) f.cells.push_back(g.first);
    if (clauses.size() < most_groups) clauses.push_back(explain_waiting(g, loops));
  }
  Message who = comma_list(clauses);
  if (groups.size() > most_groups) who = message("{}, and others wait in other lines", who);
  f.message = loops
                  ? message("Deadlock in block {}: {}: no thread changes that memory any more.", b.index, who)
                  : message("Deadlock in block {}: {}: no thread is left to release them.", b.index, who);
  if (started_ < launch_->grid) {
    const bool one = started_ + 1 == launch_->grid;
    const size_t fit = resident_.size();
    f.message = followed_by(
        f.message,
        one ? message(
                  "Block {} has not started: {} blocks fit at a time, and the next starts when one of them "
                  "ends.",
                  started_, fit)
            : message(
                  "Blocks {} to {} have not started: {} blocks fit at a time, and the next starts when one "
                  "of them ends.",
                  started_, launch_->grid - 1, fit));
  }
  const auto& [where, last] = *groups.rbegin();
  f.line = int(std::get<0>(where));
  for (const auto& [of, g] : groups)
    if (g.one->state_ == State::meeting)
      f.help = call_with_all_lanes(Message::verbatim(operation_name(g.one->op_)));
  find(b.threads[last.ranks[0]], std::move(f));
}

void Executor::schedule_all() {
  feed();
  while (!resident_.empty() && !cancelled_) {
    throw_if_cancelled();
    bool moved = false;
    if (schedule_.kind >= Schedule::lockstep)
      moved = step_any();
    else
      for (auto& b : resident_) moved |= run_to_barrier(*b);
    if (cancelled_) return;
    if (!retire_finished() && !moved && stuck()) return;
  }
}

// Ends the fibers of a launch that cannot go on, and keeps what they had done so far.
void Executor::unwind() {
  cancelled_ = true;
  for (auto& b : resident_)
    for (int i = 0; i < b->size; ++i)
      if (b->threads[i].state_ != State::done) resume(*b, i / warp_size, 1u << i % warp_size);
  while (!resident_.empty()) {
    if (thrown_) {
      spare_.push_back(std::move(resident_.back()));
      resident_.pop_back();
    } else {
      retire(*resident_.front());
    }
  }
}

void Executor::run(Launch& l, int number, std::vector<Finding>& findings,
                   const std::vector<ArrayInfo>& globals, const Schedule& s,
                   std::function<void(CpuThread&)> kernel, Dialect dialect, BlockClusters clusters) {
  launch_ = &l;
  dialect_ = dialect;
  number_ = number;
  findings_ = &findings;
  globals_ = &globals;
  schedule_ = s;
  clusters_ = std::move(clusters);
  kernel_ = std::move(kernel);
  thrown_ = nullptr;
  cancelled_ = false;
  started_ = 0;
  events_ = 0;
  round_ = 0;
  random_ = std::max(1u, s.seed * 2654435761u + 1);  // zero would stay zero
  l.blocks.resize(size_t(l.grid));
  snapshots_.assign(size_t(l.grid), {0, 0});
  l.turns.reserve(last_turns_);

  try {
    schedule_all();
  } catch (...) { thrown_ = std::current_exception(); }
  unwind();
  kernel_ = nullptr;
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));

  for (size_t k = 0; k < l.blocks.size(); ++k) {
    BlockRun& b = l.blocks[k];
    if (b.first.empty()) b.first.assign(size_t(l.block) + 1, 0);  // never started
    const auto [rows, row_bytes] = snapshots_[k];
    if (row_bytes < l.shared_bytes) widen_rows(b.snapshots, row_bytes, l.shared_bytes, rows);
    b.snapshots.shrink_to_fit();
  }
  last_turns_ = l.turns.size();
  // A trace is kept for long: room that was only for growing, or guessed, goes back.
  if (l.turns.capacity() > l.turns.size() + l.turns.size() / 8) l.turns.shrink_to_fit();
}

}  // namespace on_cpu
}  // namespace bscope
