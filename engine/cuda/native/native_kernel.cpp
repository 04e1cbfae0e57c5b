#include "engine/cuda/native/native_kernel.hpp"

#include <algorithm>
#include <array>

namespace bscope::cuda {
namespace {

constexpr uint64_t times_faster = 32;  // native loops are: they may go round so much more often

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
  }
  /// Becomes the thread of that rank.
  void stand(uint32_t rank) {
    put(0, launch.launch_.block.place(rank));
    known.place[12] = rank % warp_size;
    known.place[13] = rank / warp_size;
    known.local = nullptr;
    turns = 0;
  }
  void put(int at, const Extent& e) {
    known.place[at] = uint32_t(e.x);
    known.place[at + 1] = uint32_t(e.y);
    known.place[at + 2] = uint32_t(e.z);
  }

  bscope_thread known;
  NativeLaunch& launch;
  Interpreter interpreter;
  uint64_t turns = 0;
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
  thread.stand(uint32_t(t.rank()));
  thread.kept.resize(kernel_.kept_words());
  for (uint32_t state = 0;
       (state = kernel_.entry()(&thread.known, given_.data(), state, thread.kept.data())) != 0;)
    thread.interpreter.sync(thread.known.barrier_line);
}

/// Threads that have ended are not waited for. Where others wait at different barriers, the executor has to
/// say what becomes of them.
void NativeLaunch::run_block(CpuThread& t) {
  struct Coroutine {
    uint32_t rank, state = 0;
    uint64_t turns = 0;
  };
  Thread& thread = begin(t);
  const size_t words = kernel_.kept_words();
  std::vector<Coroutine> going(launch_.block.count());
  for (size_t k = 0; k < going.size(); ++k) going[k].rank = uint32_t(k);
  kept_.resize(going.size() * words);
  while (!going.empty()) {
    for (Coroutine& c : going) {
      thread.stand(c.rank);
      thread.turns = c.turns;
      c.state = kernel_.entry()(&thread.known, given_.data(), c.state, kept_.data() + c.rank * words);
      c.turns = thread.turns;
    }
    std::erase_if(going, [](const Coroutine& c) { return c.state == 0; });
    if (!going.empty() && going.size() < launch_.block.count())
      launch_.lines_met_by_few.insert(thread.known.barrier_line);
    if (std::ranges::any_of(going, [&](const Coroutine& c) { return c.state != going[0].state; })) {
      launch_.faulted = true;
      return;
    }
  }
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
  thread.turns += turns;
  thread.interpreter.look_up(thread.turns, times_faster * thread.launch.launch_.limits.loop_turns, line,
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
