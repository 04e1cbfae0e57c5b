#include "engine/cuda/machine/launcher.hpp"

#include <algorithm>
#include <limits>

#include "engine/simt/cpu_executor.hpp"
#include "engine/simt/faults.hpp"
#include "engine/trace/progress.hpp"

namespace bscope::cuda {

using std::to_string;

namespace {

constexpr uint64_t slice_blocks = 1024;  // that run between two clearances of what the executor keeps
constexpr size_t most_trace_bytes = size_t(640) << 20;  // of arrays' contents
constexpr uint64_t part_of_begun = 16;  ///< of the blocks that begin before a launch is too long, so many
                                        ///< fewer are quick to look through
constexpr uint64_t blocks_of_beginning = 8, events_of_beginning = 1u << 20;  // where no block is short enough
constexpr uint64_t quick_threads = 1u << 15;      ///< where nothing is known but that the launch is too long
constexpr uint64_t most_kept_room = 256u << 20;   // for copies of arrays, between launches
constexpr uint64_t least_array_bytes = 8u << 20;  // that a trace holds where many kernels share it
constexpr size_t most_part_bytes = size_t(400) << 20;  // the same, of a trace that shows launches in part

std::string text_of(const Extent& e) {
  return "(" + to_string(e.x) + ", " + to_string(e.y) + ", " + to_string(e.z) + ")";
}

std::string configuration_of(const LaunchRequest& r) {
  return r.kernel->name + text_of(r.grid) + text_of(r.block) + to_string(r.dynamic_shared);
}

const ir::Type& leaf(const ir::Type& t) {
  const bool holds_one = t.kind == ir::Type::structure && t.parts.size() == 1;
  return t.kind == ir::Type::array || t.kind == ir::Type::vector || holds_one ? leaf(*t.parts.front()) : t;
}

void each_scalar(const ir::Type& t, uint64_t at, const auto& f) {
  if (t.scalar()) return f(t, at);
  const uint64_t parts = t.kind == ir::Type::structure ? t.parts.size() : t.count;
  for (uint64_t k = 0; k < parts; ++k) each_scalar(*t.part(k).type, at + t.part(k).offset, f);
}

/// Findings of several threads in the same line become one.
std::vector<Finding> without_repeats(const std::vector<Finding>& all) {
  std::map<int, int> by_line;
  std::vector<Finding> few;
  for (const Finding& f : all)
    if (by_line[f.line]++ == 0) few.push_back(f);
  for (Finding& f : few) f.more += by_line[f.line] - 1;
  return few;
}

uint64_t begun(const Launch& l) {
  return uint64_t(std::ranges::count_if(l.blocks, [](const BlockRun& b) { return !b.events.empty(); }));
}

/// So many blocks or somewhat fewer from the beginning of a grid: whole rows of it, or a part of the first.
Extent beginning_of(const Extent& grid, uint64_t blocks) {
  const auto of = [](uint64_t n) { return uint32_t(std::max<uint64_t>(1, n)); };
  if (blocks >= uint64_t(grid.x) * grid.y) return {grid.x, grid.y, of(blocks / (uint64_t(grid.x) * grid.y))};
  return blocks >= grid.x ? Extent{grid.x, of(blocks / grid.x), 1} : Extent{of(blocks), 1, 1};
}

BlockClusters clusters_of(const LaunchState& l) {
  const Extent c = l.cluster, grid = l.grid;
  if (c.count() == 1) return {};
  const auto of = [c, grid, first = l.first_block](int block) {
    const Extent at = grid.place(first + uint32_t(block));
    return int((at.z / c.z * (grid.y / c.y) + at.y / c.y) * (grid.x / c.x) + at.x / c.x);
  };
  return {of, int(((c.z - 1) * grid.y + c.y - 1) * grid.x + c.x - 1)};
}

bool has_too_many_events(const Finding& f) { return f.kind == FindingKind::too_many_events; }
bool ends_launch(const Finding& f) { return is_endless(f) || f.kind == FindingKind::deadlock; }

}  // namespace

// ---- before a launch -------------------------------------------------------------------------------------

uint64_t Launcher::shared_bytes(const ir::Function& kernel) const {
  uint64_t bytes = 0;
  for (const auto& a : program_.shared_of(kernel)) bytes += a.global->type->size;
  return bytes;
}

std::optional<BrokenRule> Launcher::broken_rule(const LaunchRequest& r) const {
  return cuda::broken_rule(r, shared_bytes(*r.kernel), *limits_.device);
}

std::vector<Interpreter::Given> Launcher::given(const LaunchRequest& r) const {
  std::vector<Interpreter::Given> all;
  for (size_t k = 0; k < r.kernel->parameters.size(); ++k) {
    const ir::FunctionParameter& p = r.kernel->parameters[k];
    const auto* bytes = static_cast<const std::byte*>(r.arguments[k]);
    if (p.by_value) {
      all.push_back({0, {bytes, size_t(p.by_value->size)}});
      continue;
    }
    each_scalar(*p.type, 0, [&](const ir::Type& t, uint64_t at) {
      Interpreter::Given g;
      std::memcpy(&g.bits, bytes + at, std::min<size_t>(t.size, 8));
      if (t.kind == ir::Type::integer && t.bits == 1) g.bits &= 1;
      all.push_back(g);
    });
    if (p.type->slots == 0) all.push_back({});
  }
  return all;
}

/// Calls `f(parameter, memory, address)` for each pointer that a kernel is given into memory.
void Launcher::for_each_pointer(
    const LaunchRequest& r, const std::vector<Interpreter::Given>& arguments,
    const std::function<void(const ir::FunctionParameter&, Memory&, uint64_t)>& f) const {
  size_t at = 0;
  for (const ir::FunctionParameter& p : r.kernel->parameters) {
    if (p.type->kind == ir::Type::pointer && !p.by_value && at < arguments.size())
      if (Memory* const m = memories_.at(arguments[at].bits)) f(p, *m, arguments[at].bits);
    at += p.by_value ? 1 : std::max(1u, p.type->slots);
  }
}

/// An array is called what the kernel that touches it first calls it: by the pointer to its beginning, if the
/// kernel has several into it.
void Launcher::name_arrays(const LaunchRequest& r, const std::vector<Interpreter::Given>& arguments) {
  std::set<const Memory*> named;  // by a pointer to the beginning
  for_each_pointer(r, arguments, [&](const ir::FunctionParameter& p, Memory& m, uint64_t address) {
    if (m.id >= 0 || m.origin != Memory::Origin::allocation) return;
    const bool begins = address == m.address;
    if (!p.name.empty() && (begins || !named.contains(&m))) m.name = p.name;
    if (begins) named.insert(&m);
    if (!p.element.empty() && !m.width) m.element = p.element;
  });
  size_t at = 0;
  for (const ir::FunctionParameter& p : r.kernel->parameters) {
    if (p.by_value && at < arguments.size()) name_from_struct(p, arguments[at].by_value);
    at += p.by_value ? 1 : std::max(1u, p.type->slots);
  }
  for (const auto& m : memories_.all()) name_from_host(*m);
}

/// A span, or another struct that holds a pointer: its parameter's name, if it holds no second one.
void Launcher::name_from_struct(const ir::FunctionParameter& p, std::span<const std::byte> bytes) {
  std::set<Memory*> all;
  for (size_t at = 0; at + sizeof(uint64_t) <= bytes.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if (Memory* const m = memories_.at(word); m && m->origin == Memory::Origin::allocation) all.insert(m);
  }
  if (all.size() != 1 || p.name.empty()) return;
  Memory& m = **all.begin();
  if (m.id < 0 && !m.asked_host && !m.freed && m.name.starts_with(unnamed_array)) m.name = p.name;
}

/// What no kernel has named yet is called as the host calls it.
void Launcher::name_from_host(Memory& m) const {
  if (m.id >= 0 || m.freed || m.asked_host || m.origin != Memory::Origin::allocation || !allocated_at_)
    return;
  if (!m.name.starts_with(unnamed_array)) return;
  m.asked_host = true;
  Machine::AllocationSite site = allocated_at_(m.address);
  if (!site.variable.empty()) m.name = std::move(site.variable);
  if (m.element.empty() && !m.width) m.element = std::move(site.element);
}

/// What the kernel calls cells behind the beginning of an array that has another name.
void Launcher::note_inner_pointers(const LaunchRequest& r, const std::vector<Interpreter::Given>& arguments) {
  for_each_pointer(r, arguments, [&](const ir::FunctionParameter& p, const Memory& m, uint64_t address) {
    const uint64_t offset = address - m.address, width = uint64_t(m.width);
    if (m.id < 0 || !width || offset >= m.bytes || offset % width || p.name.empty() || p.name == m.name)
      return;
    recorder_.note_pointer({r.kernel->source_name, p.name, m.name, offset / width});
  });
}

std::unique_ptr<Memory> Launcher::shared_array(const ir::GlobalVariable& g, uint64_t dynamic_bytes) const {
  auto m = std::make_unique<Memory>();
  const bool dynamic = g.external || g.type->size == 0;
  const ir::Type& of = leaf(*g.type);
  m->origin = Memory::Origin::shared;
  m->name = g.source_name;
  m->element = g.element;
  m->bytes = dynamic ? dynamic_bytes : g.type->size;
  if (const auto known = cuts_.find(&g); known != cuts_.end()) {
    m->kind = known->second.kind;
    m->width = known->second.width;
  } else if (of.scalar() && !(dynamic && of.size == 1)) {
    m->cut(int(of.size),
           of.kind == ir::Type::pointer ? ElementType::u64 : plain_kind(of.width(), of.format()));
  }
  if (!dynamic && m->width) m->rows = rows_of(*g.type);
  if (m->rows < 1 || m->cells() % uint64_t(m->rows)) m->rows = 1;
  return m;
}

void Launcher::declare_shared(LaunchState& l, const LaunchRequest& r) {
  int dynamic = -1;  // which all names of it share
  for (const auto& [global, number] : program_.shared_of(*r.kernel)) {
    const bool is_dynamic = global->external || global->type->size == 0;
    if (!is_dynamic || dynamic < 0) l.shared.push_back(shared_array(*global, r.dynamic_shared));
    if (is_dynamic && dynamic < 0) dynamic = int(l.shared.size()) - 1;
    if (l.shared_by_zone.size() <= number) l.shared_by_zone.resize(number + 1, -1);
    l.shared_by_zone[number] = int16_t(is_dynamic ? dynamic : int(l.shared.size()) - 1);
    if (l.globals.size() == l.shared.size()) continue;
    l.globals.push_back(global);
    l.cut_at_first.push_back(l.shared.back()->width != 0);
  }
}

/// Whether a function of the kernel's module asks for another block's shared memory.
bool Launcher::shares_in_clusters(const ir::Function& kernel) const {
  const auto asks = [](const ir::Instruction& i) { return i.callee == "__bscope_cluster_map"; };
  const ir::Module& module = *program_.modules()[size_t(program_.module_of(kernel))];
  return std::ranges::any_of(module.functions, [&](const auto& f) {
    return std::ranges::any_of(f.second->blocks,
                               [&](const ir::BasicBlock& b) { return std::ranges::any_of(b.body, asks); });
  });
}

/// False: there is not so much memory.
bool Launcher::declare_cluster_arrays(LaunchState& l) {
  for (const auto& shared : l.shared) {
    Memory* const m = memories_.allocate(std::max<uint64_t>(1, shared->bytes * l.grid.count()),
                                         Placement::device, Memory::Origin::allocation);
    if (!m) return false;
    m->name = shared->name;
    m->element = shared->element;
    m->kind = shared->kind;
    m->width = shared->width;
    m->written.clear();
    m->rows = int(l.grid.count());
    l.cluster_arrays.push_back(m);
    cluster_arrays_.push_back(m);
  }
  return true;
}

void Launcher::free_cluster_arrays() {
  for (Memory* const m : std::exchange(cluster_arrays_, {})) {
    recorder_.retire(*m);
    memories_.free(m->address);
  }
}

void Launcher::look_at_visible_memory() {
  for (const auto& m : memories_.all()) {
    if (m->placement != Placement::visible || m->freed) continue;
    const bool same =
        m->seen_by_host.size() == m->bytes && !std::memcmp(m->seen_by_host.data(), m->data(), m->bytes);
    if (same) continue;
    ++changes_;
    if (!m->changed_by) m->changed_by = "host";
  }
}

std::string Launcher::key_of(const LaunchRequest& r, const std::vector<Interpreter::Given>& arguments) {
  std::string key = configuration_of(r);
  for (const Interpreter::Given& g : arguments) {
    key += ' ' + to_string(g.bits) + ' ';
    key.append(reinterpret_cast<const char*>(g.by_value.data()), g.by_value.size());
  }
  return key;
}

/// What a trace would hold of arrays after a launch, with the first contents of those that are new to it. The
/// host's memory comes to it only where a kernel has touched it.
uint64_t Launcher::bytes_of_arrays(uint64_t most_of_each) const {
  uint64_t bytes = 0;
  for (const auto& m : memories_.all())
    if (!m->freed && !m->left_out && (m->id >= 0 || m->placement == Placement::device))
      bytes += m->id >= 0 ? m->traced_bytes : 2 * std::min(m->bytes, most_of_each);
  return bytes;
}

/// So much of each array that the trace has room for a launch of every kernel.
uint64_t Launcher::array_bytes() const {
  uint64_t most = limits_.array_bytes;
  while (most > least_array_bytes && program_.kernels() * bytes_of_arrays(most) > most_part_bytes) most /= 2;
  return most;
}

uint64_t Launcher::trace_bytes_with_another() const {
  return recorder_.bytes() + bytes_of_arrays(recorder_.array_bytes());
}

bool Launcher::is_known_to_be_long(const LaunchRequest& r) const {
  return too_long_.contains(configuration_of(r));
}

bool Launcher::wants_to_be_shown(const LaunchRequest& r, LaunchNote& note) {
  recorder_.limit_arrays(array_bytes());
  const bool full =
      recorder_.events() >= limits_.trace_events || trace_bytes_with_another() >= most_trace_bytes;
  if (shown_[r.kernel] >= limits_.shown_launches)
    note.shown = LaunchNote::too_many;
  else if (full)
    note.shown = LaunchNote::trace_full;
  else if (r.grid.count() * r.block.count() > 4 * limits_.launch_events || is_known_to_be_long(r))
    note.shown = LaunchNote::too_long;
  return note.shown == LaunchNote::in_full;
}

// ---- a launch --------------------------------------------------------------------------------------------

/// A grid that leaves nothing behind but memory is run in parts, so that what the executor keeps of each
/// block is bounded.
void Launcher::run_slices(LaunchState& l, Attempt& a, const Schedule& s, NativeKernels::Running& running) {
  const uint64_t blocks = l.grid.count();
  for (uint64_t first = l.first_block; first < blocks && !l.faulted; first += slice_blocks) {
    report_progress();  // compiled blocks without loops never ask
    Launch part;
    part.name = a.launch.name;
    const uint64_t count = std::min(slice_blocks, blocks - first);
    const bool alone = running.blocks_alone();
    part.grid = alone ? 1 : int(count);
    part.block = alone ? 1 : int(l.block.count());
    l.first_block = uint32_t(first);
    l.forget_blocks();
    const auto kernel = [&](CpuThread& t) {
      alone ? running.run_blocks(t, uint32_t(first), uint32_t(count)) : running.run(t);
    };
    Executor::here().run(part, 0, a.findings, recorder_.arrays(), s, kernel, Dialect::cuda);
    l.went_wrong_alone = alone && l.faulted;
    a.launch.grid = int(count);
  }
}

/// Kernels whose threads need no fibers of their own run without, unless something goes wrong: then all
/// begins anew.
void Launcher::run_unseen(LaunchState& l, Attempt& a, const Schedule& s, NativeKernels::Running& running) {
  const uint32_t first = l.first_block;
  run_slices(l, a, s, running);
  while (l.went_wrong_alone) {
    restore();
    l.first_block = first;
    a.findings.clear();
    l.faulted = l.went_wrong_alone = false;
    l.fault_kind = LaunchOutcome::none;
    running.begin_anew();
    run_slices(l, a, s, running);
  }
  a.natively = running.natively();
}

void Launcher::run(LaunchState& l, const LaunchRequest& r, const std::vector<Interpreter::Given>& arguments,
                   const Blocks& blocks, Attempt& a) {
  const BytecodeFunction& code = program_.code(*r.kernel);
  Schedule s = within(schedule_, l.file < 0 ? "" : program_.files()[size_t(l.file)]);
  if (s.kind == Schedule::automatic) s.kind = Schedule::to_barrier;
  if (l.quiet && !limits_.unseen_alike) s.kind = Schedule::to_barrier;
  if (r.cooperative) s.resident_blocks = std::max(s.resident_blocks, int(r.grid.count()));
  const BlockClusters clusters = clusters_of(l);
  s.resident_blocks = std::max(s.resident_blocks, clusters.span + 1);
  s.most_events = l.quiet ? std::numeric_limits<size_t>::max() / 2 : size_t(limits_.launch_events);
  if (blocks.most_events) {
    s.most_events = size_t(std::min(blocks.most_events, limits_.launch_events));
    s.kind = std::max(s.kind, Schedule::lockstep);  // so that all threads get as far
  }
  if (l.quiet && !r.cooperative && !clusters.of && !blocks.interpreted) {
    NativeKernels::Running running(natives_, l, *r.kernel, arguments, s.kind >= Schedule::lockstep);
    return run_unseen(l, a, s, running);
  }
  const auto kernel = [&](CpuThread& t) { Interpreter::run_in(l, t, code, arguments); };
  a.launch.grid = int(blocks.extent.count());
  Executor::here().run(a.launch, 0, a.findings, recorder_.arrays(), s, kernel, Dialect::cuda, clusters);
}

Launcher::Attempt Launcher::attempt(const LaunchRequest& r, const std::vector<Interpreter::Given>& arguments,
                                    const Blocks& blocks, bool quiet) {
  LaunchState l(limits_, program_, memories_, recorder_);
  l.grid = r.grid;
  l.block = r.block;
  l.first_block = uint32_t(blocks.first);
  l.file =
      r.kernel->at.file < 0 ? -1 : r.kernel->at.file + program_.first_file(program_.module_of(*r.kernel));
  if (!r.library.function.empty()) {
    l.file = r.library.file.empty() ? -1 : program_.file_number(r.library.file);
    l.site = uint32_t(std::max(0, r.library.line));
  }
  l.number = waiting_ ? waiting_->number : ++number_;
  l.quiet = quiet;
  l.depth = depth_;
  l.cluster = cluster_of(r);
  l.await_children = [&](Interpreter& w, uint32_t line) { await_children(l, w, line); };
  l.cooperative = r.cooperative;
  l.footprint = waiting_ ? &inner_footprint_ : r.wants_use ? &footprint_ : nullptr;
  l.early_footprint = r.begins_early ? &early_footprint_ : nullptr;
  declare_shared(l, r);
  Attempt a;
  if (!quiet && l.cluster.count() > 1 && shares_in_clusters(*r.kernel) && !declare_cluster_arrays(l)) {
    a.too_long = true;  // there is no memory to show it in
    return a;
  }
  a.launch.name = r.label.empty() ? r.kernel->source_name : r.label;
  a.launch.block = int(r.block.count());
  a.launch.grid_extent = blocks.extent;
  a.launch.block_extent = r.block;
  try {
    run(l, r, arguments, blocks, a);
    a.begun = begun(a.launch);
    a.launch.phases = std::move(l.library_functions);
    for (auto& [block, rounds] : l.loop_rounds) a.launch.blocks[size_t(block)].rounds = std::move(rounds);
  } catch (const TooLong&) {
    a.too_long = true;
    a.begun = begun(a.launch);
    a.launch = {};
    a.findings.clear();
  }
  if (l.faulted)  // a thread that was ended misses the barriers behind: that is no mistake of its own
    std::erase_if(a.findings, [&](const Finding& f) {
      return f.kind == FindingKind::missed_barrier && !l.uneven_blocks.contains(f.block);
    });
  for (Finding& f : a.findings) {
    if (waits_for_host(f)) say_who_waits_for_whom(l, a, f);
    a.too_long = a.too_long || (!quiet && has_too_many_events(f));
    l.faulted = l.faulted || ends_launch(f);
  }
  if (!a.too_long && l.uneven_blocks.empty()) note_early_returns(r, l, a.findings);
  say_where_allocated(l, a.findings);
  if (!quiet) {  // native code does not tell of these
    a.findings.insert(a.findings.end(), l.findings.begin(), l.findings.end());
    note_overflows(l);
  }
  a.faulted = l.faulted;
  a.fault_kind = l.fault_kind == LaunchOutcome::none ? LaunchOutcome::other : l.fault_kind;
  a.changed_memory =
      l.changed_memory && (waiting_ || std::ranges::any_of(memories_.all(), [&](const auto& m) {
                             return m->kept_for == number_ && !m->freed &&
                                    std::memcmp(m->kept.data(), m->data(), m->bytes) != 0;
                           }));
  if (l.footprint && a.natively) note_native_writes();
  a.has_effects = l.has_effects;
  a.printed = std::move(l.printed);
  a.unsupported = std::move(l.unsupported);
  a.unsupported_line = l.unsupported_line;
  a.children = std::move(l.children);
  a.beside_children = std::move(l.beside_children);
  if (!quiet && !a.launch.blocks.empty()) {
    keep_cuts(l, a.launch);
    note_inner_pointers(r, arguments);
    a.launch.after = recorder_.contents();
  }
  return a;
}

/// Where an index was bounded by the array's bytes, the allocation may lack a sizeof.
void Launcher::say_where_allocated(const LaunchState& l, std::vector<Finding>& findings) const {
  for (const StrayAccess& s : l.strays) {
    const auto f = std::ranges::find_if(findings, [&](const Finding& one) {
      return one.kind == FindingKind::out_of_bounds && one.line == int(s.line);
    });
    const Memory& m = *s.memory;
    if (f == findings.end() || m.origin != Memory::Origin::allocation || m.width < 2) continue;
    if (uint64_t(s.index) >= m.bytes || !allocated_at_) continue;
    const Machine::AllocationSite site = allocated_at_(m.address);
    if (site.by.empty() || !site.line) continue;
    const std::string type = m.element.empty() ? std::string(name_of(m.kind)) : m.element;
    f->help = message("{} in line {} gave {} {} bytes, which are {} of {}: multiply by sizeof({}) there.",
                      site.by, site.line, m.name, m.bytes, m.cells(), type, type);
  }
}

/// Threads that return before a barrier are no fault since Volta, which Barrierscope plays.
void Launcher::note_early_returns(const LaunchRequest& r, const LaunchState& l,
                                  std::vector<Finding>& findings) {
  std::set<uint32_t> lines = l.lines_met_by_few;
  std::erase_if(findings, [&](const Finding& f) {
    if (f.kind != FindingKind::missed_barrier) return false;
    lines.insert(uint32_t(f.line));
    return true;
  });
  for (const uint32_t line : lines)
    recorder_.note_early_return(
        {message("Threads of {} return before the barrier in line {}, which others wait at: GPUs since Volta "
                 "go on without them, older ones may wait for ever.",
                 r.kernel->source_name, line),
         {},
         l.file_name(),
         line});
}

/// Of arithmetic whose result went into memory without leaving an array.
void Launcher::note_overflows(const LaunchState& l) {
  for (const ValueOrigin& o : l.origins)
    if (o.kind == ValueOrigin::overflow && o.told && !o.in_finding && told_overflows_.insert(o.step).second)
      recorder_.note(
          message("{}. C++ does not say what it is then: compute in size_t, or in unsigned where it "
                  "should wrap.",
                  overflow_message(o)));
}

/// A deadlock of threads that wait for memory which the host can write, too.
bool Launcher::waits_for_host(const Finding& f) const {
  return f.kind == FindingKind::deadlock && std::ranges::any_of(memories_.all(), [&](const auto& m) {
           return m->placement == Placement::visible && !m->freed &&
                  std::ranges::find(f.cells, m->id, &CellRef::array) != f.cells.end();
         });
}

/// Where all blocks have begun and the launch has written none of that memory, only the host can let it go
/// on: on a GPU it may, so that is no mistake of the program.
void Launcher::say_who_waits_for_whom(LaunchState& l, const Attempt& a, Finding& f) const {
  const bool may_be_written = std::ranges::any_of(memories_.all(), [&](const auto& m) {
    return m->kept_for == number_ && std::ranges::find(f.cells, m->id, &CellRef::array) != f.cells.end();
  });
  if (may_be_written || a.begun < uint64_t(a.launch.grid)) {
    f.message = followed_by(f.message, message("The host could, but here it goes on only when the launch has "
                                               "ended: a kernel that waits for its host cannot be run."));
    return;
  }
  const CellRef cell = f.cells.front();
  const auto m =
      std::ranges::find_if(memories_.all(), [&](const auto& one) { return one->id == cell.array; });
  l.unsupported = message(
      "The kernel waits for the host to change {}[{}], and the host waits for the kernel: here a launch ends "
      "before the host goes on, while a GPU runs both at a time.",
      (*m)->name, cell.index);
  l.unsupported_line = uint32_t(f.line);
}

/// What its first access has said about a shared array counts for the whole launch, and for later ones.
void Launcher::keep_cuts(const LaunchState& l, Launch& launch) {
  for (size_t k = 0; k < l.shared.size(); ++k) {
    const Memory& m = *l.shared[k];
    const ElementType kind = m.width ? m.kind : ElementType::u8;
    const int width = std::max(1, m.width);
    if (m.width) cuts_.try_emplace(l.globals[k], Cut{m.kind, m.width});
    if (k >= launch.shared.size()) continue;  // no thread came so far
    launch.shared[k].kind = kind;
    launch.shared[k].size = int(m.bytes / uint64_t(width));
    launch.shared[k].rows = m.rows;
  }
}

/// Native code accesses memory without a word to the machine: of it, the bytes that it changed are known.
void Launcher::note_native_writes() {
  for (const auto& m : memories_.all()) {
    if (m->kept_for != number_ || m->freed) continue;
    const uint8_t *const now = m->data(), *const before = m->kept.data();
    for (uint64_t at = 0; at < m->bytes;) {
      const auto first = std::mismatch(now + at, now + m->bytes, before + at).first;
      at = uint64_t(first - now);
      uint64_t end = at;
      while (end < m->bytes && now[end] != before[end]) ++end;
      if (end > at) footprint_.note_changed(*m, at, end - at);
      at = end;
    }
  }
}

/// Memory as it was before the attempt.
void Launcher::restore() {
  for (const auto& m : memories_.all())
    if (m->kept_for == number_ && !m->freed) std::memcpy(m->data(), m->kept.data(), m->bytes);
}

/// What goes wrong behind the part of a launch that is shown belongs to that part's end.
void Launcher::tell_of_rest(std::vector<Finding> findings, int shown_blocks) {
  for (Finding& f : findings = without_repeats(findings)) {
    f.launch = int(recorder_.trace().launches.size()) - 1;
    f.block = std::min(f.block, shown_blocks - 1);
  }
  findings_.insert(findings_.end(), findings.begin(), findings.end());
  recorder_.add_findings(findings);
}

/// Of a launch that is too long: runs the first blocks and shows them, then the rest of them unseen. False:
/// they cannot be shown alone (they wait for others, or something goes wrong), and memory is as it was.
bool Launcher::show_part(const LaunchRequest& r, const std::vector<Interpreter::Given>& arguments,
                         uint64_t blocks, Attempt& rest) {
  if (r.cooperative || cluster_of(r).count() > 1 || r.grid.count() < 2 ||
      trace_bytes_with_another() >= most_part_bytes)
    return false;
  const Extent shown = beginning_of(r.grid, std::clamp<uint64_t>(blocks, 1, r.grid.count() - 1));
  Attempt part = attempt(r, arguments, {0, shown}, false);
  if (part.too_long || part.faulted) {
    restore();
    return false;
  }
  LaunchNote in_full;
  accept(part, r, in_full);  // before the rest, in which the program may be stopped
  notes_.back().shown = LaunchNote::in_part;
  recorder_.note(
      message("Of a launch of {} the first {} of {} blocks are shown: a trace of all of them would be too "
              "long. All of them run.",
              r.kernel->source_name, shown.count(), r.grid.count()));
  rest = attempt(r, arguments, {shown.count(), r.grid}, true);
  tell_of_rest(rest.findings, int(shown.count()));
  rest.changed_memory |= part.changed_memory;
  rest.has_effects |= part.has_effects;
  rest.printed = part.printed + rest.printed;
  rest.children.insert(rest.children.begin(), part.children.begin(), part.children.end());
  return true;
}

/// Of a launch whose first blocks are too long alone: shows how they begin, and runs all unseen from there
/// where it began. False: memory is as it was.
bool Launcher::show_beginning(const LaunchRequest& r, const std::vector<Interpreter::Given>& arguments,
                              Attempt& rest) {
  if (r.cooperative || cluster_of(r).count() > 1 || trace_bytes_with_another() >= most_part_bytes)
    return false;
  const Extent shown = beginning_of(r.grid, std::min(blocks_of_beginning, r.grid.count()));
  Attempt part = attempt(r, arguments, {0, shown, events_of_beginning}, false);
  restore();
  std::erase_if(part.findings, has_too_many_events);
  if (!part.too_long || !part.findings.empty() || part.launch.blocks.empty()) return false;
  LaunchNote in_full;
  accept(part, r, in_full);
  notes_.back().shown = LaunchNote::in_part;
  recorder_.note(shown.count() == r.grid.count()
                     ? message("Of a launch of {} only the beginning is shown: a trace of all of it would "
                               "be too long. All of it runs.",
                               r.kernel->source_name)
                     : message("Of a launch of {} only the beginning is shown, in the first {} of {} blocks: "
                               "a trace of all of it would be too long. All of it runs.",
                               r.kernel->source_name, shown.count(), r.grid.count()));
  rest = attempt(r, arguments, {0, r.grid}, true);
  rest.rest = "steps not shown";
  tell_of_rest(rest.findings, int(shown.count()));
  return true;
}

/// Shown if it can be, and without being written down if it cannot. What goes wrong unseen is run again to
/// be seen.
Launcher::Attempt Launcher::best_attempt(const LaunchRequest& r,
                                         const std::vector<Interpreter::Given>& arguments, LaunchNote& note) {
  const bool show = note.shown == LaunchNote::in_full;
  const Blocks all{0, r.grid};
  if (show || note.shown == LaunchNote::too_long) recorder_.tell_of_changes();
  const auto like_it = too_long_.find(configuration_of(r));
  const uint64_t few = like_it == too_long_.end() ? quick_threads / r.block.count() : like_it->second;
  if (Attempt rest; note.shown == LaunchNote::too_long &&
                    (show_part(r, arguments, few, rest) || show_beginning(r, arguments, rest))) {
    note.shown = LaunchNote::in_part;
    return rest;
  }
  Attempt first = attempt(r, arguments, all, !show);
  if (show && first.too_long) {
    restore();
    notes_.back().shown = LaunchNote::too_long;
    const uint64_t quick = first.begun / part_of_begun;
    too_long_[configuration_of(r)] = quick;
    natives_.note_long(*r.kernel);
    if (Attempt rest; show_part(r, arguments, quick, rest) || show_beginning(r, arguments, rest)) {
      note.shown = LaunchNote::in_part;
      return rest;
    }
    Attempt quiet = attempt(r, arguments, all, true);
    note.shown = LaunchNote::too_long;
    if (!quiet.faulted || first.launch.blocks.empty()) return quiet;
    first.findings = std::move(quiet.findings);  // what it has shown so far leads there
    first.faulted = true;
    first.printed = std::move(quiet.printed);
    note.shown = LaunchNote::in_full;
    return first;
  }
  if (!show && first.faulted && note.shown != LaunchNote::too_long) {
    restore();
    recorder_.tell_of_changes();
    Attempt again = attempt(r, arguments, all, false);
    if (!again.too_long) {
      note.shown = LaunchNote::in_full;
      return again;
    }
  }
  return first;
}

void Launcher::accept(Attempt& a, const LaunchRequest& r, LaunchNote& note) {
  if (note.shown == LaunchNote::in_full) {
    ++shown_[r.kernel];
    a.launch.source = 0;
    for (Finding& f : a.findings) f.launch = int(recorder_.trace().launches.size());
    findings_.insert(findings_.end(), a.findings.begin(), a.findings.end());
    const int module = program_.module_of(*r.kernel);
    files_.resize(recorder_.trace().launches.size(), -1);
    files_.push_back(r.kernel->at.file < 0 ? -1 : r.kernel->at.file + program_.first_file(module));
    recorder_.push(std::move(a.launch), a.findings);
  } else {
    const bool in_part = note.shown == LaunchNote::in_part;
    for (const auto& m : memories_.all())
      if (m->kept_for == number_ && !m->freed) m->changed_by = in_part ? a.rest : "launches not shown";
    for (const Finding& f : in_part ? std::vector<Finding>() : a.findings)  // the part has its own
      recorder_.note(
          message("In a launch of {} that is not shown: {}", r.kernel->source_name, f.sentences()));
  }
}

// ---- launches of a library's kernels ---------------------------------------------------------------------

/// Memory that the library takes for the time of its call, or that it is given to work in.
bool Launcher::is_librarys_own(const Memory& m) const {
  if (m.freed || m.origin != Memory::Origin::allocation) return true;
  if (!allocated_at_) return false;
  const Machine::AllocationSite site = allocated_at_(m.address);
  const bool of_vector = site.within.find("vector") != std::string::npos;
  return site.untyped || (!site.within.empty() && !of_vector);
}

bool Launcher::is_inside_library() {
  if (library_.use.function.empty()) return false;
  if (library_.computed) return true;
  if (caller_ && caller_() == library_.use) return true;
  end_library_call();
  return false;
}

bool Launcher::is_librarys_change(Memory& m) {
  if (!is_inside_library()) return false;
  library_.before.try_emplace(&m, m.data(), m.data() + m.bytes);
  return true;
}

void Launcher::note_free(Memory& m) {
  if (is_inside_library()) library_.before.erase(&m);
}

void Launcher::open_library_call(const LibraryUse& use, LaunchNote note) {
  end_library_call();
  recorder_.tell_of_changes();
  library_.use = use;
  notes_.push_back(std::move(note));
}

void Launcher::begin_library_call(const LibraryUse& use) {
  look_at_visible_memory();
  open_library_call(use, {.kernel = use.function, .grid = {1, 1, 1}, .block = {1, 1, 1}});
  library_.computed = true;
  for (const auto& m : memories_.all()) name_from_host(*m);
}

void Launcher::end_library_call() {
  const OpenLibraryCall call = std::exchange(library_, {});
  if (call.use.function.empty()) return;
  std::vector<Memory*> told;
  for (const auto& [m, before] : call.before)
    if (!m->freed && (m->id >= 0 || !is_librarys_own(*m)) && recorder_.add(*m, before)) told.push_back(m);
  std::ranges::sort(told, {}, &Memory::id);
  const size_t launches = recorder_.trace().launches.size();
  const bool goes_on = launches > 0 && last_library_launch_ == launches - 1 && last_library_ == call.use;
  recorder_.tell_of_library(call.use, told, goes_on);
  last_library_launch_ = recorder_.trace().launches.size() - 1;
  last_library_ = call.use;
  files_.resize(last_library_launch_, -1);
  files_.push_back(call.use.file.empty() ? -1 : program_.file_number(call.use.file));
}

/// Unseen, and natively where it takes long. What goes wrong is looked for again by single steps, which know
/// the line of the call.
Launcher::Attempt Launcher::attempt_of_library(const LaunchRequest& r,
                                               const std::vector<Interpreter::Given>& arguments) {
  Attempt a = attempt(r, arguments, {0, r.grid}, true);
  if (!a.faulted || !a.natively) return a;
  restore();
  Blocks all{0, r.grid};
  all.interpreted = true;
  return attempt(r, arguments, all, true);
}

void Launcher::tell_of_library_findings(std::vector<Finding> findings) {
  end_library_call();
  for (Finding& f : findings) {
    f.launch = int(recorder_.trace().launches.size()) - 1;
    f.block = f.thread = 0;
    f.cells.clear();
  }
  findings_.insert(findings_.end(), findings.begin(), findings.end());
  recorder_.add_findings(findings);
}

LaunchOutcome Launcher::launch_of_library(const LaunchRequest& r, const Print& print) {
  look_at_visible_memory();
  if (library_.use != r.library)
    open_library_call(
        r.library,
        {.kernel = r.library.function, .grid = r.grid, .block = r.block, .symbol = r.kernel->name});
  const std::vector<Interpreter::Given> arguments = given(r);
  footprint_.clear();
  for (const auto& m : memories_.all()) name_from_host(*m);
  Attempt a = attempt_of_library(r, arguments);
  if (!a.unsupported.empty()) return unsupported(r, a);
  notes_.back().natively |= a.natively;
  if (a.changed_memory) ++changes_;
  steady_key_ = "";
  for (const auto& m : memories_.all())
    if (m->kept_for == number_ && !m->freed && std::memcmp(m->kept.data(), m->data(), m->bytes) != 0)
      library_.before.try_emplace(m.get(), std::move(m->kept));
  a.findings = without_repeats(a.findings);
  if (print && !a.printed.empty()) print(a.printed);
  LaunchOutcome outcome;
  if (a.faulted)
    outcome = {LaunchOutcome::fault, a.findings.empty() ? Message() : a.findings.front().sentences(),
               a.fault_kind};
  if (!a.findings.empty()) tell_of_library_findings(std::move(a.findings));
  forget_kept();
  if (r.wants_use) outcome.use = footprint_.use();
  outcome.printed = !a.printed.empty();
  return outcome;
}

/// Where in the student's source Barrierscope cannot go on.
LaunchOutcome Launcher::unsupported(const LaunchRequest& r, Attempt& a) const {
  const ir::Location& at = r.kernel->at;
  const int file = at.file < 0 ? -1 : at.file + program_.first_file(program_.module_of(*r.kernel));
  std::string path = file < 0 ? "" : program_.files()[size_t(file)];
  if (!r.library.function.empty()) path = r.library.file;
  return {LaunchOutcome::unsupported, std::move(a.unsupported), LaunchOutcome::other, std::move(path),
          a.unsupported_line};
}

/// A launch has ended.
void Launcher::forget_kept() {
  uint64_t room = 0;  // that stays, for fresh memory costs more than the copy into it
  for (const auto& m : memories_.all()) {
    if (m->placement == Placement::visible && !m->freed)
      m->seen_by_host.assign(m->data(), m->data() + m->bytes);
    m->kept_for = 0;
    m->kept.clear();
    if ((room += m->kept.capacity()) > most_kept_room) m->kept.shrink_to_fit();
  }
}

LaunchOutcome Launcher::launch(const LaunchRequest& r, const Print& print) {
  if (auto rule = broken_rule(r)) return {LaunchOutcome::bad_configuration, std::move(rule->message)};
  if (!r.library.function.empty()) return launch_of_library(r, print);
  end_library_call();
  Parent self{.name = r.kernel->source_name};
  LaunchOutcome outcome = launch_one(r, given(r), print, self);
  run_children(self, outcome, print);
  return outcome;
}

LaunchOutcome Launcher::launch_one(const LaunchRequest& r, const std::vector<Interpreter::Given>& arguments,
                                   const Print& print, Parent& self) {
  LaunchNote note{.kernel = r.kernel->source_name,
                  .grid = r.grid,
                  .block = r.block,
                  .symbol = r.kernel->name,
                  .dynamic_shared = r.dynamic_shared};
  look_at_visible_memory();
  const std::string key = key_of(r, arguments);
  const bool show = wants_to_be_shown(r, note);
  if (!show && key == steady_key_ && changes_ == steady_changes_) {
    note.shown = LaunchNote::repeated;
    notes_.push_back(std::move(note));
    return {.use = r.wants_use ? steady_use_ : MemoryUse()};
  }
  footprint_.clear();
  early_footprint_.clear();
  if (note.shown == LaunchNote::too_long) natives_.note_long(*r.kernel);
  name_arrays(r, arguments);
  notes_.push_back(note);  // so that it is known of, should the program be stopped in it
  Attempt a = best_attempt(r, arguments, note);
  if (!a.unsupported.empty()) {
    if (notes_.back().shown != LaunchNote::in_part) notes_.pop_back();
    return unsupported(r, a);
  }
  note.natively = a.natively;
  if (a.changed_memory) ++changes_;
  const bool steady = !a.changed_memory && !a.has_effects && !a.faulted;
  steady_key_ = steady ? key : "";
  steady_changes_ = changes_;
  a.findings = without_repeats(a.findings);
  const bool printed = !a.printed.empty();
  if (print && printed) print(a.printed);
  LaunchOutcome outcome;
  if (r.wants_use) steady_use_ = footprint_.use();
  if (a.faulted)
    outcome = {LaunchOutcome::fault, a.findings.empty() ? Message() : a.findings.front().sentences(),
               a.fault_kind};
  accept(a, r, note);
  if (note.shown <= LaunchNote::in_part) self.launch = int(recorder_.trace().launches.size()) - 1;
  self.children = std::move(a.children);
  self.beside_children = std::move(a.beside_children);
  notes_.back() = std::move(note);
  forget_kept();
  outcome.use = r.wants_use ? steady_use_ : MemoryUse();
  free_cluster_arrays();
  if (r.begins_early) outcome.early_use = early_footprint_.use();
  outcome.printed = printed;
  return outcome;
}

}  // namespace bscope::cuda
