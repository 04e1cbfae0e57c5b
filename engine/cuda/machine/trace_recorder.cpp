#include "engine/cuda/machine/trace_recorder.hpp"

#include <algorithm>

namespace bscope::cuda {
namespace {

constexpr size_t most_told_changes = size_t(1) << 20;  // cells; if more have changed, the array begins anew
constexpr size_t most_told_of_library = size_t(1) << 16;  // the same, by one call

std::span<const std::byte> content_of(const Memory& m) {
  return std::as_bytes(std::span(m.data(), m.traced_bytes));
}

void add_once(auto& all, auto&& one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(std::forward<decltype(one)>(one));
}

}  // namespace

void TraceRecorder::note(Message m) { add_once(notes_, std::move(m)); }
void TraceRecorder::note_early_return(KernelRemark r) { add_once(early_returns_, std::move(r)); }
void TraceRecorder::note_overflow(OverflowingIndex o) { add_once(overflows_, std::move(o)); }

void TraceRecorder::note_pointer(const InnerPointer& p) {
  const auto [known, fresh] = inner_pointers_.try_emplace({p.kernel, p.parameter}, p);
  if (!fresh && known->second != p) known->second.reset();
}

std::vector<InnerPointer> TraceRecorder::inner_pointers() const {
  std::vector<InnerPointer> all;
  for (const auto& [name, pointer] : inner_pointers_)
    if (pointer) all.push_back(*pointer);
  return all;
}

std::vector<Message> TraceRecorder::notes() const {
  std::vector<Message> all = notes_;
  for (const auto& [cells, names] : cut_arrays_)
    all.push_back(
        message("Of {} the first {} of {} cells are shown: kernels use the others, too, but the trace does "
                "not hold them.",
                comma_list(names), cells.first, cells.second));
  return all;
}

void TraceRecorder::rename_if_taken(Memory& m) const {
  const std::string name = m.name;
  const auto taken = [&] { return std::ranges::find(arrays(), m.name, &ArrayInfo::name) != arrays().end(); };
  for (int k = 2; taken(); ++k) m.name = name + "_" + std::to_string(k);
}

/// How many cells of it the trace holds, and how many rows they are: whole rows, where the array has some.
std::pair<uint64_t, uint64_t> TraceRecorder::traced_cells(const Memory& m) const {
  const uint64_t all = m.cells(), rows = all % uint64_t(m.rows) ? 1 : uint64_t(m.rows), row = all / rows;
  // what a thread asks for at once is traced whole or not at all
  const uint64_t width = uint64_t(m.width), request = largest_request;
  const uint64_t most = array_bytes_ / request * request / width;
  if (all <= most) return {all, rows};
  const uint64_t of_rows = row <= most ? most / row * row : 0;
  return of_rows && of_rows * width % request == 0 ? std::pair(of_rows, of_rows / row)
                                                   : std::pair(most, uint64_t(1));
}

bool TraceRecorder::add(Memory& m) {
  if (m.id >= 0) return true;
  if (m.left_out || !m.traceable()) return false;
  if (memories_.size() >= first_shared) {
    m.left_out = true;
    note(
        message("More than 128 arrays are used: the first 128 are shown, and what kernels do with the "
                "others runs, but is not written down."));
    return false;
  }
  variables_.push_back(m.name);
  rename_if_taken(m);
  const auto [cells, rows] = traced_cells(m);
  m.traced_bytes = cells * uint64_t(m.width);
  const auto bytes = content_of(m);
  trace_.arrays.push_back({m.name, m.kind, int(cells), 0, {bytes.begin(), bytes.end()}, int(rows)});
  if (cells < m.cells()) {
    trace_.arrays.back().whole = int64_t(m.cells());
    add_once(cut_arrays_[{cells, m.cells()}], Message::verbatim(variables_.back()));
  }
  bytes_ += bytes.size();
  m.id = int(memories_.size());
  m.changed_by = nullptr;
  memories_.push_back(&m);
  return true;
}

bool TraceRecorder::add(Memory& m, std::span<const uint8_t> before) {
  // No kernel that is shown has said what its cells are: they are as the host declares them, else words.
  const bool in_words = m.bytes % 4 == 0;
  if (m.id < 0 && !m.width) m.cut(in_words ? 4 : 1, in_words ? ElementType::i32 : ElementType::u8);
  if (m.id >= 0 || !add(m)) return m.id >= 0;
  std::vector<std::byte>& initial = trace_.arrays[size_t(m.id)].initial;
  std::memcpy(initial.data(), before.data(), std::min(initial.size(), before.size()));
  return true;
}

std::span<const std::byte> TraceRecorder::last_content(size_t id) const {
  if (!trace_.launches.empty() && id < trace_.launches.back().after.size())
    return trace_.launches.back().after[id];
  return trace_.arrays[id].initial;
}

std::vector<std::vector<std::byte>> TraceRecorder::contents() const {
  std::vector<std::vector<std::byte>> all;
  for (size_t id = 0; id < memories_.size(); ++id) {
    const auto bytes = memories_[id] ? content_of(*memories_[id]) : last_content(id);
    all.emplace_back(bytes.begin(), bytes.end());
  }
  return all;
}

void TraceRecorder::push(Launch l, std::vector<Finding> findings) {
  for (const BlockRun& b : l.blocks) {
    events_ += b.events.size();
    bytes_ += b.snapshots.size();
    if (b.rounds) bytes_ += b.rounds->marks.size() * sizeof(LoopRounds::Mark);
  }
  for (const auto& a : l.after) bytes_ += a.size();
  for (Finding& f : findings) {
    f.launch = int(trace_.launches.size());
    trace_.findings.push_back(std::move(f));
  }
  trace_.launches.push_back(std::move(l));
}

void TraceRecorder::retire(Memory& m) {
  if (m.id < 0) return;
  tell_of_changes();
  if (m.id >= 0) memories_[size_t(m.id)] = nullptr;
  m.id = -1;
  m.left_out = true;
}

/// Of an array that has changed in more cells than a launch lists.
void TraceRecorder::begin_anew(Memory& m) {
  const int id = m.id;
  memories_[size_t(id)] = nullptr;
  m.id = -1;
  m.name = variables_[size_t(id)];
  add(m);
  for (int* way_out : {&copied_out_, &written_})
    if (*way_out == id && m.id >= 0) *way_out = m.id;
}

void TraceRecorder::tell_of_library(const LibraryUse& call, std::vector<Memory*> memories, bool goes_on) {
  if (goes_on) {  // what it had changed before belongs to the new one, too
    const Launch& before = trace_.launches.back();
    for (const Event& e : before.blocks[0].events)
      if (Memory* const m = writes(e.op) ? memories_[e.array] : nullptr;
          m && std::ranges::find(memories, m) == memories.end())
        memories.push_back(m);
    std::ranges::sort(memories, {}, &Memory::id);
    for (const auto& a : before.after) bytes_ -= a.size();
    trace_.launches.pop_back();
  }
  std::vector<Memory*> told;
  for (Memory* const m : memories) {
    const size_t cells = changed_cells(*m);
    m->changed_by = nullptr;
    if (cells > most_told_of_library)
      begin_anew(*m);
    else if (cells)
      told.push_back(m);
    if (cells) note_written(m->id);
  }
  const auto line = uint16_t(std::clamp(call.line, 0, 65535));
  Launch l = launch_of_changes(call.function + (line ? ", line " + std::to_string(line) : ""), told, line);
  const uint32_t hash = hash_of(call.function.c_str());
  l.phases[hash] = call.function;
  std::vector<Event>& events = l.blocks[0].events;
  events.insert(events.begin(), {line, Op::phase, 0, hash, 0, 1});
  l.turns[0].end = l.blocks[0].first[1] = uint32_t(events.size());
  push(std::move(l), {});
}

void TraceRecorder::tell_of_changes() {
  std::vector<std::pair<std::string, std::vector<Memory*>>> told;  // by whom
  for (size_t id = 0, n = memories_.size(); id < n; ++id) {
    Memory* const m = memories_[id];
    const char* const by = m ? std::exchange(m->changed_by, nullptr) : nullptr;
    const size_t cells = by ? changed_cells(*m) : 0;
    if (cells > most_told_changes) {
      begin_anew(*m);
    } else if (cells) {
      auto group = std::ranges::find(told, by, [](const auto& g) { return g.first; });
      if (group == told.end()) group = told.insert(told.end(), {by, {}});
      group->second.push_back(m);
    }
  }
  for (const auto& [by, memories] : told) push(launch_of_changes(by, memories), {});
}

size_t TraceRecorder::changed_cells(const Memory& m) const {
  const auto before = last_content(size_t(m.id)), now = content_of(m);
  if (std::equal(before.begin(), before.end(), now.begin(), now.end())) return 0;
  size_t n = 0;
  for (size_t at = 0; at < now.size(); at += size_t(m.width))
    n += std::memcmp(before.data() + at, now.data() + at, size_t(m.width)) != 0;
  return n;
}

Launch TraceRecorder::launch_of_changes(const std::string& by, const std::vector<Memory*>& memories,
                                        uint16_t line) const {
  Launch l;
  l.name = by;
  l.blocks.resize(1);
  std::vector<Event>& events = l.blocks[0].events;
  for (size_t id = 0; id < memories_.size(); ++id) {
    const auto before = last_content(id);
    l.after.emplace_back(before.begin(), before.end());
  }
  for (const Memory* m : memories) {
    const auto now = content_of(*m);
    std::vector<std::byte>& before = l.after[size_t(m->id)];
    const auto width = size_t(m->width);
    for (size_t at = 0; at < now.size(); at += width) {
      if (!std::memcmp(before.data() + at, now.data() + at, width)) continue;
      uint64_t bits = 0;
      std::memcpy(&bits, now.data() + at, width);
      events.push_back({line, Op::store, uint8_t(m->id), uint32_t(bits), uint32_t(at / width), 0});
      if (width > 4) events.push_back({line, Op::high, uint8_t(m->id), uint32_t(bits >> 32), 0, 0});
    }
    before.assign(now.begin(), now.end());
  }
  const auto n = uint32_t(events.size());
  l.blocks[0].first = {0, n};
  l.turns = {{0, n}};
  return l;
}

}  // namespace bscope::cuda
