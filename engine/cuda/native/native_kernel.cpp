#include "engine/cuda/native/native_kernel.hpp"

#include <algorithm>
#include <array>

namespace bscope::cuda {
namespace {

constexpr uint64_t times_faster = 32;  // native loops are: they may go round so much more often

/// Whether a thread in that state waits at a barrier.
bool resumes(uint32_t state) { return state != 0 && state != bscope_ended; }

}  // namespace

NativeKernel::NativeKernel(const std::filesystem::path& library, NativeText text)
    : text_(std::move(text)), by_step_(text_.left.steps.size(), {0, 0}), library_(library) {
  for (int k = 0; k < int(text_.sites.size()); ++k) {
    auto& [first, last] = by_step_[size_t(text_.sites[size_t(k)].step)];
    if (first == last) first = k;
    last = k + 1;
  }
}

/// A thread at work. Its first member is what native code knows of it.
struct NativeLaunch::Thread {
  Thread(NativeLaunch& l, CpuThread& t) : launch(l), interpreter(l.launch_, t) {
    interpreter.begin(l.kernel_.left());
    known.sites = l.sites_.data();
    known.bases = bases.data();
    known.leave = leave;
    known.sync = sync;
    known.look = look;
    bases[0] = 0;
    for (size_t k = 0; k < interpreter.shared().size(); ++k)
      bases[k + 1] = reinterpret_cast<uint64_t>(interpreter.shared()[k]);
    put(3, interpreter.block_index());
    put(6, l.launch_.block);
    put(9, l.launch_.grid);
    known.local = nullptr;
    known.turns = 0;
  }
  /// Becomes a thread of that block of the grid, which none has run in.
  void enter(uint32_t block) {
    launch.launch_.first_block = block;
    put(3, launch.launch_.grid.place(block));
    for (auto& array : interpreter.block().shared) std::ranges::fill(array, 0);
  }
  void put(int at, const Extent& e) {
    known.place[at] = uint32_t(e.x);
    known.place[at + 1] = uint32_t(e.y);
    known.place[at + 2] = uint32_t(e.z);
  }

  bscope_thread known;
  NativeLaunch& launch;
  Interpreter interpreter;
  std::array<uint64_t, most_shared_arrays + 1> bases;
  std::vector<uint64_t> kept;  ///< where it has a fiber of its own
};

NativeLaunch::NativeLaunch(const NativeKernel& kernel, LaunchState& launch,
                           const std::vector<Interpreter::Given>& given, bool in_lockstep)
    : kernel_(kernel), launch_(launch), sites_(kernel.sites().size() + 1), in_lockstep_(in_lockstep) {
  for (const Interpreter::Given& g : given)
    given_.push_back(g.by_value.empty() ? g.bits : reinterpret_cast<uint64_t>(g.by_value.data()));
}

/// On the heap: a fiber may have little stack.
NativeLaunch::Thread& NativeLaunch::begin(CpuThread& t) {
  NativeLibrary::clear_stack();
  auto* const thread = new Thread(*this, t);
  t.at_end([](void* at_work) { delete static_cast<Thread*>(at_work); }, thread);
  return *thread;
}

void NativeLaunch::run(CpuThread& t) {
  Thread& thread = begin(t);
  const size_t same = kernel_.same_words();
  thread.kept.resize(kernel_.kept_words() + 2 * same);
  uint64_t* const kept = thread.kept.data();
  uint32_t state = 0;
  bscope_threads all{uint32_t(t.rank()), 1, &state, kept + 2 * same, kept, kept + same, 0, 0, 0, 0};
  for (;;) {
    kernel_.entry()(&thread.known, given_.data(), &all);
    if (!resumes(state)) return thread.interpreter.finish_copies();
    thread.interpreter.sync(kernel_.barrier_line(state));
    std::swap(all.next_same, const_cast<uint64_t*&>(all.same));
  }
}

void NativeLaunch::run_blocks(CpuThread& t, uint32_t first, uint32_t count) {
  Thread& thread = begin(t);
  for (uint32_t block = first; block < first + count && !launch_.faulted; ++block) {
    t.look_whether_wanted();  // a page has no other process that would end it
    thread.enter(block);
    run_block(thread);
  }
}

/// Threads that have ended are not waited for. Where others wait at different barriers, the executor has to
/// say what becomes of them.
void NativeLaunch::run_block(Thread& thread) {
  const auto count = uint32_t(launch_.block.count());
  const size_t same = kernel_.same_words();
  states_.assign(kernel_.resumable() ? count : 1, 0);
  kept_.resize(count * kernel_.kept_words());
  same_.resize(2 * same);
  bscope_threads all{0, count, states_.data(), kept_.data(), same_.data(), same_.data() + same, 0, 0, 0, 0};
  while (run_interval(thread, all)) std::swap(all.next_same, const_cast<uint64_t*&>(all.same));
}

/// Runs intervals as long as all threads come to the same barrier. False: the block has ended, or cannot go
/// on.
bool NativeLaunch::run_interval(Thread& thread, bscope_threads& all) {
  all.together = all.some_states == all.all_states;
  kernel_.entry()(&thread.known, given_.data(), &all);
  if (!kernel_.resumable() || (all.some_states == all.all_states && !resumes(states_[0]))) return false;
  if (all.intervals % bscope_turns == 0)
    thread.interpreter.look_up(all.intervals, times_faster * launch_.limits.loop_turns,
                               kernel_.barrier_line(1), NativeLibrary::can_be_left);
  if (all.some_states == all.all_states) return true;
  return can_go_on();
}

/// Whether the threads that have not ended wait at one barrier.
bool NativeLaunch::can_go_on() {
  const auto begin = states_.begin(), end = states_.end();
  const auto going = std::find_if(begin, end, resumes);
  if (going == end) return false;
  const auto differs = [&](uint32_t s) { return s != *going; };
  if (const auto other = std::find_if(begin, end, differs); other != end) {
    if (std::any_of(begin, end, [&](uint32_t s) { return resumes(s) && differs(s); })) {
      launch_.faulted = true;
      return false;
    }
    launch_.lines_met_by_few.insert(kernel_.barrier_line(*going));
  }
  return true;
}

void NativeLaunch::leave(bscope_thread* t, int32_t step, uint32_t line) {
  Thread& thread = *reinterpret_cast<Thread*>(t);
  NativeLaunch& launch = thread.launch;
  thread.interpreter.show({t->local, t->valid, t->local_bytes});
  std::array<Value, bscope_values> values;
  for (size_t k = 0; k < values.size(); ++k) values[k] = {t->values[k], 0, no_kind};
  thread.interpreter.do_left(step, line, values.data());
  const auto [first, last] = launch.kernel_.sites_of(step);
  for (int site = first; site < last; ++site)
    launch.remember(site, t->values[launch.kernel_.sites()[size_t(site)].operand]);
  for (size_t k = bscope_results; k < values.size(); ++k) t->values[k] = values[k].bits;
}

void NativeLaunch::sync(bscope_thread* t, uint32_t line) {
  reinterpret_cast<Thread*>(t)->interpreter.sync(line);
}

void NativeLaunch::look(bscope_thread* t, uint32_t turns, uint32_t line) {
  Thread& thread = *reinterpret_cast<Thread*>(t);
  t->turns += turns;
  thread.interpreter.look_up(t->turns, times_faster * thread.launch.launch_.limits.loop_turns, line,
                             NativeLibrary::can_be_left);
}

/// The interpreter has found the memory and all was well: from now on the site finds it by itself. In
/// lockstep
/// each access waits for its turn, which is the interpreter's work.
void NativeLaunch::remember(int site, uint64_t address) {
  if (in_lockstep_) return;
  const NativeText::Site& what = kernel_.sites()[size_t(site)];
  bscope_site& known = sites_[size_t(site)];
  const auto set = [&](const Memory& m, uint64_t begin, uint64_t shift, uint64_t base) {
    const uint64_t bytes = m.width ? m.cells() * uint64_t(m.width) : 0;
    if (bytes >= what.bytes) known = {begin, bytes - what.bytes + 1, shift, base};
  };
  if (address >> ir::kind_shift == ir::shared_base >> ir::kind_shift) {
    const int which = launch_.shared_at(address);
    if (which < 0) return;
    const uint64_t zone = (address - ir::shared_base) >> ir::shared_shift;
    const uint64_t begin = ir::middle_of(ir::shared_base, zone, ir::shared_shift);
    return set(*launch_.shared[size_t(which)], begin, 0 - begin, uint64_t(which) + 1);
  }
  Memory* const m = launch_.memories.at(address);
  if (!m || m->freed || m->origin == Memory::Origin::heap) return;
  if (what.writes) {
    if (m->origin == Memory::Origin::constant || m->kept_for != launch_.number) return;
    m->written.clear();  // which bytes of it native code writes is not known
  }
  set(*m, m->address, reinterpret_cast<uint64_t>(m->data()) - m->address, 0);
}

}  // namespace bscope::cuda
