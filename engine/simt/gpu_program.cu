// The passes over a program on the GPU: rehearse, count, record; or prepare once and run often.
#include <algorithm>
#include <functional>
#include <map>

#include "engine/simt/faults.hpp"
#include "engine/simt/gpu_machine.hpp"
#include "engine/simt/gpu_made_input.hpp"
#include "engine/simt/gpu_memory.hpp"
#include "engine/simt/half.hpp"
#include "engine/simt/problem.hpp"
#include "engine/simt/schedule.hpp"
#include "engine/simt/traced_grid.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
inline namespace on_gpu {
namespace {

constexpr size_t most_findings = 64;  // as on the CPU

/// What a launch declares before its first barrier.
struct Declared {
  uint32_t bytes = 0;
  std::vector<ArrayInfo> arrays;
};

/// Turns what a pass could not keep into a sentence; nothing is ever left out of a trace in silence.
void refuse_trouble(uint32_t trouble, const std::string& launch) {
  if (trouble & Recorder::too_many_arrays)
    throw UsageError(
        message("launch \"{}\" declares more than {} shared arrays, which a GPU trace cannot hold: trace it "
                "on the CPU",
                launch, Recorder::most_shared_arrays));
  if (trouble & Recorder::too_many_phases)
    throw UsageError(
        message("launch \"{}\" has more than {} phases, which a GPU trace cannot hold: trace it on the CPU",
                launch, Recorder::most_phases));
  if (trouble & Recorder::name_too_long)
    throw UsageError(
        message("launch \"{}\" has the name of a shared array of 60 characters or more, or of a phase of 124 "
                "or more: shorten it",
                launch));
  if (trouble & Recorder::endless_rehearsal)
    throw UsageError(
        message("launch \"{}\" does not reach its first barrier when run by one thread that reads zeros, so "
                "its shared arrays cannot be found: declare them first",
                launch));
}

/// One thread runs the kernel up to its first barrier, touching no array, to learn what it declares. With
/// `long_input` one that still runs after many steps has declared what it will: it has gone through a short
/// input.
Declared rehearse(const LaunchForm& form, bool long_input = false) {
  DeviceArray<uint32_t> used(1), trouble(1);
  DeviceArray<Recorder::SharedArray> table(Recorder::most_shared_arrays);
  Recorder r{};
  r.grid = form.shape.grid;
  r.block = form.shape.block;
  r.dry = true;
  r.shared_used = used.get();
  r.shared = table.get();
  r.trouble = trouble.get();
  form.traced({1, 1}, 0, r);
  must(cudaGetLastError(), "starting the rehearsal of \"" + form.name + "\"");
  must(cudaDeviceSynchronize(), "rehearsing \"" + form.name + "\"");
  refuse_trouble(trouble.host()[0] & ~(long_input ? uint32_t(Recorder::endless_rehearsal) : 0u), form.name);

  Declared d;
  d.bytes = used.host()[0];
  for (const auto& a : table.host())
    if (a.kind) d.arrays.push_back({a.name, ElementType(a.kind - 1), a.size, a.offset, {}, a.rows});
  return d;
}

/// More than 48 KB of shared memory a block must be asked for; more than the GPU has is an error for the
/// user.
void allow_shared(const void* function, uint32_t bytes, const std::string& launch) {
  if (bytes <= 48 << 10) return;
  int most = 0;
  must(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0),
       "asking how much shared memory a block has");
  if (bytes > uint32_t(most))
    throw UsageError(
        message("launch \"{}\" declares {} bytes of shared memory and a block of this GPU has {}: use a "
                "smaller --block",
                launch, bytes, most));
  must(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)),
       "asking for shared memory of \"" + launch + "\"");
}

/// A global array on the device.
struct DeviceGlobal {
  DeviceArray<std::byte> content;
  ElementType kind;
  long long size;
};
void refuse_many(const char* name, int already) {
  if (already >= first_shared)
    throw UsageError(
        message("a program has at most {} global arrays; \"{}\" is one too many", first_shared, name));
}

DeviceGlobal make_global(const char* name, long long n, ElementType kind, const ArrayInitializer& begins) {
  const size_t bytes = size_t(n) * size_t(bytes_of(kind));
  need_memory(double(bytes), std::string("array \"") + name + "\"");
  DeviceGlobal g{DeviceArray<std::byte>(bytes), kind, n};
  if (begins.values)
    must(cudaMemcpy(g.content.get(), begins.values, bytes, cudaMemcpyHostToDevice),
         std::string("copying \"") + name + "\" to the GPU");
  if (begins.made) make_on_device(g.content.get(), kind, *begins.made);
  return g;
}

/// What a launch wrote, or is given room for.
struct Counts {
  Declared declared;
  std::vector<uint32_t> events;    ///< of each thread of the grid
  std::vector<uint32_t> barriers;  ///< of each block
};

/// One traced pass over the program: counting without `room`, recording with it.
class TracedPass final : public GpuMachine {
 public:
  explicit TracedPass(const std::vector<Counts>* room) : room_(room) {}
  Trace trace;
  std::vector<Counts> seen;
  bool fits = true;  ///< nothing had to be left out

 private:
  void* allocate(const char* name, long long n, ElementType kind, const ArrayInitializer& begins) override {
    if (begins.made)
      throw UsageError(
          message("an input of this length can be timed on a GPU, not traced: use a smaller --n."));
    refuse_many(name, allocated_++);
    globals_.push_back(make_global(name, n, kind, begins));
    ArrayInfo info{name, kind, int(n), 0, {}};
    if (room_) {
      info.initial.resize(globals_.back().content.size());
      if (begins.values) std::memcpy(info.initial.data(), begins.values, info.initial.size());
    }
    trace.arrays.push_back(std::move(info));
    return globals_.back().content.get();
  }
  void run(LaunchForm form) override;
  void keep(const LaunchForm&, const Counts&, const std::vector<Event>&, const std::vector<uint64_t>& first,
            const std::vector<std::byte>& snapshots, const std::vector<uint64_t>& snapshot_first,
            const std::vector<Recorder::Phase>&);
  void find_faults(const Launch&);

  const std::vector<Counts>* room_;
  std::vector<DeviceGlobal> globals_;
};

void TracedPass::run(LaunchForm form) {
  if (!fits) return;  // the pass will be repeated; what follows could depend on what is missing
  const size_t at = seen.size(), blocks = size_t(form.shape.grid),
               threads = blocks * size_t(form.shape.block);
  if (room_ && (at >= room_->size() || (*room_)[at].events.size() != threads))
    throw Error(message("launch \"{}\" of this program differs from run to run", form.name));
  Counts counts;
  counts.declared = room_ ? (*room_)[at].declared : rehearse(form);
  const uint32_t bytes = counts.declared.bytes;
  allow_shared(form.traced_function, bytes, form.name);

  std::vector<uint64_t> first, snapshot_first;
  if (room_) {
    const Counts& given = (*room_)[at];
    first.assign(threads + 1, 0);
    snapshot_first.assign(blocks + 1, 0);
    for (size_t i = 0; i < threads; ++i) first[i + 1] = first[i] + given.events[i];
    for (size_t b = 0; b < blocks; ++b)
      snapshot_first[b + 1] = snapshot_first[b] + uint64_t(given.barriers[b] + 1) * bytes;
    if (first.back() > Schedule{}.most_events)
      throw UsageError(
          message("tracing this run would record {} events, more than the limit of {}: use a smaller --n",
                  first.back(), Schedule{}.most_events));
    need_memory(double(first.back()) * sizeof(Event) + double(snapshot_first.back()) + 20.0 * double(threads),
                "recording launch \"" + form.name + "\"");
  } else {
    need_memory(4.0 * double(threads), "counting the events of launch \"" + form.name + "\"");
  }
  DeviceArray<uint32_t> count(threads), barriers(blocks), strayed(blocks), trouble(1);
  DeviceArray<uint64_t> device_first(first), device_snapshot_first(snapshot_first);
  DeviceArray<Event> events(room_ ? first.back() : 0);
  DeviceArray<std::byte> snapshots(room_ ? snapshot_first.back() : 0);
  DeviceArray<Recorder::Phase> phases(Recorder::most_phases);

  Recorder r{};
  r.grid = form.shape.grid;
  r.block = form.shape.block;
  r.shared_bytes = bytes;
  r.count = count.get();
  r.barriers = barriers.get();
  r.strayed = strayed.get();
  r.trouble = trouble.get();
  if (room_) {
    r.events = events.get();
    r.first = device_first.get();
    r.snapshots = reinterpret_cast<char*>(snapshots.get());
    r.snapshot_first = device_snapshot_first.get();
    r.phases = phases.get();
  }
  form.traced(form.shape, bytes, r);
  must(cudaGetLastError(), "starting \"" + form.name + "\" traced");
  must(cudaDeviceSynchronize(), "running \"" + form.name + "\" traced");
  refuse_trouble(trouble.host()[0], form.name);
  counts.events = count.host();
  counts.barriers = barriers.host();
  if (room_) {
    const Counts& given = (*room_)[at];
    for (size_t i = 0; i < threads; ++i) fits &= counts.events[i] <= given.events[i];
    for (size_t b = 0; b < blocks; ++b) fits &= counts.barriers[b] <= given.barriers[b];
    if (fits) keep(form, counts, events.host(), first, snapshots.host(), snapshot_first, phases.host());
  }
  seen.push_back(std::move(counts));
}

void TracedPass::keep(const LaunchForm& form, const Counts& counts, const std::vector<Event>& events,
                      const std::vector<uint64_t>& first, const std::vector<std::byte>& snapshots,
                      const std::vector<uint64_t>& snapshot_first,
                      const std::vector<Recorder::Phase>& phases) {
  Launch l;
  l.name = form.name;
  size_t source = 0;
  while (source < trace.sources.size() && trace.sources[source].path != form.file) ++source;
  if (source == trace.sources.size()) trace.sources.push_back({form.file, ""});  // the catalog adds the text
  l.source = int(source);
  l.grid = form.shape.grid;
  l.block = form.shape.block;
  l.shared_bytes = counts.declared.bytes;
  l.shared = counts.declared.arrays;
  for (const auto& p : phases)
    if (p.hash) l.phases[p.hash] = p.name;
  l.blocks.resize(size_t(l.grid));
  for (int b = 0; b < l.grid; ++b) {
    BlockRun& run = l.blocks[size_t(b)];
    for (int t = 0; t < l.block; ++t) {
      const size_t i = size_t(b) * size_t(l.block) + size_t(t);
      const auto begin = events.begin() + ptrdiff_t(first[i]);
      run.first.push_back(uint32_t(run.events.size()));
      run.events.insert(run.events.end(), begin, begin + counts.events[i]);
    }
    run.first.push_back(uint32_t(run.events.size()));
    const auto begin = snapshots.begin() + ptrdiff_t(snapshot_first[size_t(b)]);
    run.snapshots.assign(begin, begin + ptrdiff_t(counts.barriers[size_t(b)] + 1) * l.shared_bytes);
  }
  for (const DeviceGlobal& g : globals_) l.after.push_back(g.content.host());
  trace.launches.push_back(std::move(l));
  find_faults(trace.launches.back());
}

void TracedPass::find_faults(const Launch& l) {
  for (int b = 0; b < l.grid; ++b)
    for (int t = 0; t < l.block; ++t) {
      const auto log = l.blocks[size_t(b)].log(t);
      if (log.empty() || log.back().op != Op::fault || trace.findings.size() >= most_findings) continue;
      const Event& e = log.back();
      trace.findings.push_back(
          {int(trace.launches.size()) - 1,
           b,
           t,
           e.line,
           out_of_bounds_message(l, t, b, trace.array(l, e.array).name, int(e.a), int(e.bits), e.line),
           FindingKind::out_of_bounds,
           {{e.array, int(e.a)}}});
    }
}

/// That timed runs count on.
int multiprocessors_to_fill() {
  if (TracedGrid::wanted()) return traced_multiprocessors;
  int device = 0, n = 0;
  must(cudaGetDevice(&device), "asking which GPU is in use");
  must(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device), "counting multiprocessors");
  return n;
}

/// Learns what a timed run will take, and takes nothing: memory, and the shared memory of each launch.
class Sizing final : public GpuMachine {
 public:
  explicit Sizing(bool rehearses) : rehearses_(rehearses) { multiprocessors_ = multiprocessors_to_fill(); }
  /// Of the arrays, and of the copies of those that launches change.
  double bytes() const {
    double sum = 0;
    for (const Array& a : arrays_) sum += a.bytes * (a.kept && a.written ? 2 : 1);
    return sum;
  }
  /// A level of tiles that only a longer input has is scanned as the levels before it are.
  uint32_t shared_bytes(const std::string& launch) const {
    const auto it = shared_.find(launch);
    return it != shared_.end() ? it->second : most_;
  }

 private:
  struct Array {
    double bytes;
    bool kept, written = false;
  };
  void* allocate(const char* name, long long n, ElementType kind, const ArrayInitializer& begins) override {
    refuse_many(name, allocated_++);
    arrays_.push_back({double(n) * bytes_of(kind), begins.values || begins.made});
    return nullptr;
  }
  void run(LaunchForm form) override {
    for (int id : form.writes) arrays_[size_t(id)].written = true;
    if (!rehearses_) return;
    const uint32_t bytes = rehearse(form, true).bytes;
    most_ = std::max(most_, bytes);
    shared_[form.name] = bytes;
  }

  bool rehearses_;
  std::vector<Array> arrays_;
  std::map<std::string, uint32_t> shared_;
  uint32_t most_ = 0;
};

/// The program with its launches kept for running again and again.
class TimedPass final : public GpuMachine {
 public:
  explicit TimedPass(const Sizing& sizes) : sizes_(sizes) { multiprocessors_ = multiprocessors_to_fill(); }
  struct RecordedLaunch {
    LaunchForm form;
    uint32_t shared_bytes;
    uint32_t padding = 0;  ///< of these, what no array uses
  };
  /// An array and, if launches write it and it did not begin as zeros, a copy of how it began.
  struct Array {
    DeviceGlobal global;
    bool given, cleared, written = false;
    DeviceArray<std::byte> initial;
  };
  std::vector<Array> arrays;
  std::vector<RecordedLaunch> launches;

  /// After the program has run: keeps what restoring needs. Nothing has been launched yet, so the arrays
  /// still hold their initial contents.
  void keep_initial() {
    for (Array& a : arrays) {
      if (!a.written || !a.given) continue;
      need_memory(double(a.global.content.bytes()), "keeping the input for the next run");
      a.initial = DeviceArray<std::byte>(a.global.content.size());
      must(cudaMemcpy(a.initial.get(), a.global.content.get(), a.initial.bytes(), cudaMemcpyDeviceToDevice),
           "keeping the input");
    }
    must(cudaDeviceSynchronize(), "keeping the input");
  }

 private:
  void* allocate(const char* name, long long n, ElementType kind, const ArrayInitializer& begins) override {
    refuse_many(name, allocated_++);
    arrays.push_back(
        {make_global(name, n, kind, begins), begins.values || begins.made, begins.cleared, false, {}});
    return arrays.back().global.content.get();
  }
  void run(LaunchForm form) override {
    const uint32_t bytes = sizes_.shared_bytes(form.name);
    allow_shared(form.untraced_function, bytes, form.name);
    for (int id : form.writes) arrays[size_t(id)].written = true;
    launches.push_back({std::move(form), bytes});
  }

  const Sizing& sizes_;
};

/// What the narrow program is rehearsed with in the place of an input that is too long for it.
Problem as_long_as_fits(Problem p) {
  if (p.made) p.made->n = std::min(p.made->n, most_narrow);
  return p;
}

class PreparedRun final : public TimedRun {
 public:
  PreparedRun(const GpuProgram& narrow, const GpuProgram& program, const Problem& p) {
    Sizing rehearsal(true), sizes(false);
    narrow(rehearsal, as_long_as_fits(p));
    program(sizes, p);
    need_memory(sizes.bytes(), "this run");
    TimedPass pass(rehearsal);
    ends_ = program(pass, p);
    pass.keep_initial();
    arrays_ = std::move(pass.arrays);
    launches_ = std::move(pass.launches);
  }
  void restore(void* stream) override {
    for (auto& a : arrays_)
      if (a.given && a.written)
        must(cudaMemcpyAsync(a.global.content.get(), a.initial.get(), a.initial.bytes(),
                             cudaMemcpyDeviceToDevice, cudaStream_t(stream)),
             "putting the input back");
  }
  void launch(void* stream) override {
    clear(cudaStream_t(stream));
    for (auto& l : launches_) l.form.untraced(l.shared_bytes, cudaStream_t(stream));
    must(cudaGetLastError(), "starting the timed launches");
  }
  std::vector<double> output() override {
    must(cudaDeviceSynchronize(), "running the timed launches");
    const DeviceGlobal& g = arrays_[size_t(ends_.output)].global;
    const std::vector<std::byte> bytes = g.content.host();
    std::vector<double> v(size_t(g.size));
    for (size_t i = 0; i < v.size(); ++i) v[i] = number(g.kind, bytes.data() + i * size_t(bytes_of(g.kind)));
    return v;
  }
  DeviceSpan input() const override {
    const auto& a = arrays_[size_t(ends_.input)];
    return {a.written ? a.initial.get() : a.global.content.get(), a.global.size, a.global.kind};
  }
  void* working() override { return arrays_[size_t(ends_.input)].global.content.get(); }
  DeviceSpan result() const override {
    const DeviceGlobal& g = arrays_[size_t(ends_.output)].global;
    return {g.content.get(), g.size, g.kind};
  }
  void spoil() override {
    auto& a = arrays_[size_t(ends_.output)];
    if (!a.given && !a.cleared)
      must(cudaMemset(a.global.content.get(), 0xCD, a.global.content.bytes()), "spoiling the result");
  }
  void limit_residency(int blocks) override {
    int most = 0, multiprocessors = 0;
    must(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0),
         "asking how much shared memory a multiprocessor has");
    must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0),
         "counting multiprocessors");
    for (auto& l : launches_) {
      if (l.form.shape.together && l.form.shape.grid > Index(blocks) * multiprocessors)
        throw UsageError(
            message("launch \"{}\" has {} blocks that must all run at a time: let more of them onto a "
                    "multiprocessor.",
                    l.form.name, l.form.shape.grid));
      const uint32_t needed = l.shared_bytes;
      // In shares of 128 bytes, as the hardware gives it out; the driver takes a little of it for each block.
      const auto too_much = uint32_t(most / (blocks + 1)) / 128 * 128;
      for (const void* function : {l.form.untraced_function, l.form.stamped_function}) {
        if (!function || resident_of(function, l.form.shape.block, needed) <= blocks) continue;
        l.shared_bytes = std::max(l.shared_bytes, too_much);
      }
      l.padding = l.shared_bytes - needed;
      for (const void* function : {l.form.untraced_function, l.form.stamped_function}) {
        if (!function) continue;
        allow_shared(function, l.shared_bytes, l.form.name);
        // The same split of the cache for any number of blocks, so that they differ in nothing else.
        must(cudaFuncSetAttribute(function, cudaFuncAttributePreferredSharedMemoryCarveout,
                                  cudaSharedmemCarveoutMaxShared),
             "asking for shared memory of \"" + l.form.name + "\"");
        if (resident_of(function, l.form.shape.block, l.shared_bytes) > blocks)
          throw UsageError(
              message("this GPU cannot be kept from running more than {} blocks of launch \"{}\" on a "
                      "multiprocessor.",
                      blocks, l.form.name));
      }
    }
  }
  void make_room_for_stamps() override {
    rooms_.clear();
    stamp_logs_.clear();
    for (const auto& l : launches_) {
      if (!l.form.stamped)
        throw UsageError(
            message("launch \"{}\" has no stamped form: use at most {} elements.", l.form.name, most_narrow));
      allow_shared(l.form.stamped_function, l.shared_bytes, l.form.name);
      rooms_.push_back(0);
    }
    take_stamp_logs();
    launch_stamped(nullptr);
    for (size_t k = 0; k < launches_.size(); ++k)
      for (const WarpStamps& w : stamp_logs_[k].warps.host()) rooms_[k] = std::max(rooms_[k], w.count);
    // Threads that draw tickets or wait may come to more places the next time.
    for (uint32_t& room : rooms_) room += room / 2 + 16;
    take_stamp_logs();
  }
  void launch_stamped(void* stream) override {
    clear(cudaStream_t(stream));
    for (size_t k = 0; k < launches_.size(); ++k)
      launches_[k].form.stamped(launches_[k].shared_bytes,
                                {stamp_logs_.at(k).warps.get(), stamp_logs_[k].words.get(), rooms_[k]},
                                cudaStream_t(stream));
    must(cudaGetLastError(), "starting the stamped launches");
  }
  std::vector<StampedLaunch> stamps() override {
    must(cudaDeviceSynchronize(), "running the stamped launches");
    std::vector<StampedLaunch> all;
    for (size_t k = 0; k < stamp_logs_.size(); ++k) {
      const LaunchForm& form = launches_[k].form;
      const uint32_t bytes = launches_[k].shared_bytes;
      StampedLaunch& l = all.emplace_back();
      l.name = form.name;
      l.grid = int(form.shape.grid);
      l.block = form.shape.block;
      l.shared_bytes = bytes;
      l.padding = launches_[k].padding;
      l.registers = registers_of(form.stamped_function);
      l.untraced_registers = registers_of(form.untraced_function);
      l.resident = resident_of(form.stamped_function, l.block, bytes);
      l.untraced_resident = resident_of(form.untraced_function, l.block, bytes);
      l.room = rooms_[k];
      l.warps = stamp_logs_[k].warps.host();
      const auto words = stamp_logs_[k].words.host();
      l.words.assign(words.begin(), words.end());
    }
    return all;
  }
  std::vector<double> cycles() override {
    if (launches_.empty() || !launches_.front().form.clocked) return {};
    const auto& first = launches_.front();
    DeviceArray<long long> of_blocks(size_t(first.form.shape.grid));
    first.form.clocked(first.shared_bytes, of_blocks.get());
    must(cudaGetLastError(), "starting the clocked launch");
    must(cudaDeviceSynchronize(), "running the clocked launch");
    const auto cycles = of_blocks.host();
    return {cycles.begin(), cycles.end()};
  }

 private:
  struct StampLog {
    DeviceArray<WarpStamps> warps;
    DeviceArray<unsigned long long> words;
  };
  void clear(cudaStream_t stream) {
    for (auto& a : arrays_)
      if (a.cleared)
        must(cudaMemsetAsync(a.global.content.get(), 0, a.global.content.bytes(), stream),
             "clearing an array");
  }
  /// As many as `rooms_` says.
  void take_stamp_logs() {
    stamp_logs_.clear();
    for (size_t k = 0; k < launches_.size(); ++k) {
      const LaunchShape& shape = launches_[k].form.shape;
      const size_t warps = size_t(shape.grid) * size_t((shape.block + 31) / 32);
      need_memory(double(warps) * (sizeof(WarpStamps) + 8.0 * rooms_[k]), "the stamps of this run");
      stamp_logs_.push_back(
          {DeviceArray<WarpStamps>(warps), DeviceArray<unsigned long long>(warps * rooms_[k])});
    }
  }
  static int registers_of(const void* function) {
    cudaFuncAttributes a{};
    must(cudaFuncGetAttributes(&a, function), "asking for a kernel's registers");
    return a.numRegs;
  }
  static int resident_of(const void* function, int block, uint32_t bytes) {
    int n = 0;
    must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, function, block, bytes),
         "asking how many blocks fit on a multiprocessor");
    return n;
  }

  std::vector<TimedPass::Array> arrays_;
  std::vector<TimedPass::RecordedLaunch> launches_;
  std::vector<uint32_t> rooms_;  ///< words of a warp, launch by launch
  std::vector<StampLog> stamp_logs_;
  ProgramArrays ends_{};
};
}  // namespace

Trace record_on_gpu(const GpuProgram& program, const Problem& p) {
  need_device();
  TracedPass counting(nullptr);
  program(counting, p);
  std::vector<Counts> room = std::move(counting.seen);
  // A kernel that waits or races may do more the next time: then once more, with more room where it was
  // short.
  for (int tries = 0; tries < 8; ++tries) {
    TracedPass recording(&room);
    const ProgramArrays ends = program(recording, p);
    if (recording.fits) {
      const auto info = gpu();
      recording.trace.device = info->name;
      recording.trace.driver = info->driver;
      recording.trace.input = ends.input;
      recording.trace.output = ends.output;
      return std::move(recording.trace);
    }
    for (size_t l = 0; l < recording.seen.size(); ++l) {
      const Counts& seen = recording.seen[l];
      auto& events = room[l].events;
      if (!std::equal(seen.events.begin(), seen.events.end(), events.begin(), std::less_equal<>())) {
        // Next time another block may draw this tile: a thread's room is what its like needs in any block.
        const size_t block = seen.events.size() / seen.barriers.size();
        for (size_t rank = 0; rank < block; ++rank) {
          uint32_t most = 0;
          for (size_t i = rank; i < events.size(); i += block)
            most = std::max({most, seen.events[i], events[i]});
          for (size_t i = rank; i < events.size(); i += block) events[i] = most + most / 2 + 64;
        }
      }
      for (size_t b = 0; b < seen.barriers.size(); ++b)
        room[l].barriers[b] = std::max(room[l].barriers[b], seen.barriers[b]);
    }
  }
  throw Error(
      message("the kernel did more in each of 8 recordings than in the one before: it cannot be "
              "recorded on the GPU; trace it on the CPU"));
}

std::map<std::string, GpuProgram>& wide_programs() {
  static std::map<std::string, GpuProgram> all;
  return all;
}

std::unique_ptr<TimedRun> prepare_on_gpu(const std::string& algorithm, const GpuProgram& program,
                                         const Problem& p) {
  need_device();
  if (p.n() <= most_narrow) return std::make_unique<PreparedRun>(program, program, p);
  const auto wide = wide_programs().find(algorithm);
  if (wide == wide_programs().end())
    throw UsageError(
        message("{} is compiled for up to {} elements: use a smaller --n.", algorithm, most_narrow));
  return std::make_unique<PreparedRun>(program, wide->second, p);
}

std::unique_ptr<TimedRun> input_on_gpu(const Problem& p) {
  need_device();
  const GpuProgram only_input = [](GpuMachine& machine, const Problem& q) {
    const auto take = [&](auto zero) {
      using T = decltype(zero);
      const Values<T> values = q.values<T>();
      machine.allocate("data", values.size(), kind_of<T>,
                       {.values = values.made ? nullptr : values.held.data(), .made = values.made});
    };
    if (q.set.contains("bins"))
      take(uint8_t{});
    else
      with_element(q, take);
    return ProgramArrays{0, 0};
  };
  return std::make_unique<PreparedRun>(only_input, only_input, p);
}

}  // namespace on_gpu
}  // namespace bscope
