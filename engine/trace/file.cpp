// The .bscope file. Reading is three steps, each of which trusts only the one before: FlatBuffers' verifier
// (offsets stay inside the file), unpacking under a budget (memory stays in proportion to the file), and
// `validate` (the trace means something, so that no analysis needs to check).
#include "engine/trace/file.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <string_view>
#include <system_error>

#include "engine/trace/bscope_generated.h"
#include "engine/trace/descriptor.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/fence_part.hpp"
#include "engine/trace/own_trace.hpp"
#include "engine/trace/parallel.hpp"
#include "engine/trace/shown_text.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

using std::to_string;
using Builder = flatbuffers::FlatBufferBuilder;

static_assert(std::endian::native == std::endian::little, "logs are copied whole: the file is little-endian");
static_assert(sizeof(Event) == sizeof(file::Event) && sizeof(Turn) == sizeof(file::Turn));
static_assert(sizeof(CellRef) == sizeof(file::Cell) && std::is_trivially_copyable_v<CellRef>);
static_assert(std::is_trivially_copyable_v<Event> && std::is_trivially_copyable_v<Turn>);
static_assert(sizeof(LoopRounds::Round) == sizeof(file::LoopRound) &&
              sizeof(LoopRounds::Mark) == sizeof(file::RoundMark));

constexpr uint32_t version = 1;
constexpr size_t most_bytes = FLATBUFFERS_MAX_BUFFER_SIZE - 1;  // offsets are 31 bits
constexpr size_t longest_name = 200, longest_text = 65536, longest_session = size_t(64) << 20;
constexpr int64_t most_cells_of_an_array = int64_t(1) << 40;  // more than there is memory for
constexpr uint32_t most_shared_bytes = 1 << 20;

[[noreturn]] void bad(Message what) { throw BadFile(std::move(what)); }

/// In messages. The name is English text of the program that wrote the file.
Message launch_name(const Launch& l) { return Message::plain(l.name); }

/// Calls f with each number below n; from several threads where there are enough bytes to be worth them.
void for_each_number(size_t n, size_t bytes, const std::function<void(size_t)>& f) {
  if (bytes >= size_t(4) << 20) return parallel(n, f);
  for (size_t k = 0; k < n; ++k) f(k);
}

std::string gigabytes(size_t n) {
  return to_string(n / 1000000000) + "." + to_string(n / 100000000 % 10) + " GB";
}

// ---- writing ---------------------------------------------------------------------------------------------

size_t bytes_of(const std::optional<LoopRounds>& r) {
  return r ? 32 + sizeof(LoopRounds::Round) * r->rounds.size() + sizeof(LoopRounds::Mark) * r->marks.size() +
                 4 * r->first.size()
           : 0;
}

size_t size_of(const Trace& t) {
  size_t n = 4096 + t.expected.size();
  for (const auto& s : t.sources) n += s.path.size() + s.text.size() + 64;
  for (const auto& f : t.findings) n += 4 * f.text().size() + 8 * f.cells.size() + 512;
  for (const auto& a : t.arrays) n += a.name.size() + a.initial.size() + 64;
  for (const auto& l : t.launches) {
    n += l.name.size() + 128 * (1 + l.shared.size() + l.phases.size() + l.after.size()) +
         sizeof(Turn) * l.turns.size();
    for (const auto& a : l.after) n += a.size();
    for (const auto& b : l.blocks)
      n +=
          64 + 4 * b.first.size() + sizeof(Event) * b.events.size() + b.snapshots.size() + bytes_of(b.rounds);
  }
  return n;
}

auto put(Builder& b, const std::vector<std::byte>& v) {
  return b.CreateVector(reinterpret_cast<const uint8_t*>(v.data()), v.size());
}
std::optional<file::Extent> put(const std::optional<Extent>& e) {
  return e ? std::optional(file::Extent(e->x, e->y, e->z)) : std::nullopt;
}
template <class Out, class In>
auto put_structs(Builder& b, const std::vector<In>& v) {
  return b.CreateVectorOfStructs(reinterpret_cast<const Out*>(v.data()), v.size());
}
/// A vector of tables, each made by `one`.
template <class Out, class Range>
auto put_tables(Builder& b, const Range& range, auto one) {
  std::vector<flatbuffers::Offset<Out>> all;
  for (const auto& x : range) all.push_back(one(x));
  return b.CreateVector(all);
}

flatbuffers::Offset<file::Block> put(Builder& b, const BlockRun& r) {
  const auto first = b.CreateVector(r.first);
  const auto events = put_structs<file::Event>(b, r.events);
  const auto snapshots = put(b, r.snapshots);
  if (!r.rounds) return file::CreateBlock(b, first, events, snapshots);
  const auto rounds = put_structs<file::LoopRound>(b, r.rounds->rounds);
  if (r.rounds->first.empty()) return file::CreateBlock(b, first, events, snapshots, rounds);
  const auto marks = put_structs<file::RoundMark>(b, r.rounds->marks);
  return file::CreateBlock(b, first, events, snapshots, rounds, marks, b.CreateVector(r.rounds->first));
}

void build(Builder& b, const Trace& t, std::string_view session) {
  auto array = [&](const ArrayInfo& a) {
    return file::CreateArray(b, b.CreateString(a.name), uint8_t(a.kind), a.size, a.offset, put(b, a.initial),
                             a.rows, a.whole);
  };
  auto block = [&](const BlockRun& r) { return put(b, r); };
  auto launch = [&](const Launch& l) {
    const auto name = b.CreateString(l.name);
    const auto shared = put_tables<file::Array>(b, l.shared, array);
    const auto phases = put_tables<file::Phase>(
        b, l.phases, [&](const auto& p) { return file::CreatePhase(b, b.CreateString(p.second)); });
    const auto blocks = put_tables<file::Block>(b, l.blocks, block);
    const auto after =
        put_tables<file::Bytes>(b, l.after, [&](const auto& a) { return file::CreateBytes(b, put(b, a)); });
    const auto turns = put_structs<file::Turn>(b, l.turns);
    const auto grid = put(l.grid_extent), threads = put(l.block_extent);
    return file::CreateLaunch(b, name, l.source, l.grid, l.block, l.shared_bytes, shared, phases, blocks,
                              after, turns, grid ? &*grid : nullptr, threads ? &*threads : nullptr);
  };
  const auto kernel = b.CreateString(t.kernel), device = b.CreateString(t.device),
             driver = b.CreateString(t.driver);
  const auto parameters = put_tables<file::Parameter>(b, t.parameters, [&](const auto& p) {
    const auto name = b.CreateString(p.first);
    return file::CreateParameter(b, name, b.CreateString(p.second));
  });
  const auto sources = put_tables<file::Source>(b, t.sources, [&](const Source& s) {
    const auto path = b.CreateString(s.path);
    return file::CreateSource(b, path, b.CreateString(s.text));
  });
  const auto expected = put(b, t.expected);
  const auto formulas = put_tables<file::Formula>(b, t.formulas, [&](const Formula& f) {
    const auto of = b.CreateString(f.of);
    return file::CreateFormula(b, of, b.CreateString(f.text), f.value);
  });
  const auto arrays = put_tables<file::Array>(b, t.arrays, array);
  const auto launches = put_tables<file::Launch>(b, t.launches, launch);
  const auto findings = put_tables<file::Finding>(b, t.findings, [&](const Finding& f) {
    const auto text = b.CreateString(f.text()), words = b.CreateString(f.message.serialized());
    const auto cells = put_structs<file::Cell>(b, f.cells);
    const auto help =
        f.help.empty() ? flatbuffers::Offset<flatbuffers::String>() : b.CreateString(f.help.serialized());
    return file::CreateFinding(b, f.launch, f.block, f.thread, f.line, text, words, uint8_t(f.kind), cells,
                               help, uint32_t(f.more));
  });
  const auto said = session.empty() ? flatbuffers::Offset<flatbuffers::String>()
                                    : b.CreateString(session.data(), session.size());
  // With its size in front: then a file that was cut short is known by its length alone.
  file::FinishSizePrefixedTraceBuffer(
      b,
      file::CreateTrace(b, version, kernel, parameters, sources, device, driver, uint8_t(t.property), t.input,
                        t.output, expected, formulas, arrays, launches, findings, said, uint8_t(t.dialect)));
}

/// Throws system_error where the builder would abort.
size_t room_for(const Trace& t, std::string_view session) {
  const size_t n = size_of(t) + session.size();
  if (n > most_bytes - (64 << 20))
    throw SystemError(
        message("a trace of {} does not fit into one file (2 GB): trace a smaller n", gigabytes(n)),
        {EFBIG, std::generic_category()});
  return n + n / 64;
}

// ---- reading ---------------------------------------------------------------------------------------------

/// What unpacking may still take: at first the file's size. Every byte of a true file is named once, so the
/// budget never runs out; a file whose offsets name one place many times runs out of it.
class Budget {
 public:
  explicit Budget(size_t bytes) : left_(bytes) {}
  void take(size_t bytes) {
    if (bytes > left_) bad(message("its parts overlap: it was damaged or forged"));
    left_ -= bytes;
  }
  size_t left() const { return left_; }

 private:
  size_t left_;
};

class Unpack {
 public:
  explicit Unpack(size_t file_bytes) : budget_(file_bytes) {}

  std::string text(const flatbuffers::String* s) {
    budget_.take(s->size());
    return {s->c_str(), s->size()};
  }

 private:
  std::vector<std::byte> bytes(const flatbuffers::Vector<uint8_t>* v) { return copy<std::byte>(v); }
  /// Numbers and structs of the same layout.
  template <class Out, class In>
  std::vector<Out> copy(const flatbuffers::Vector<In>* v) {
    take<Out>(v);
    return copied<Out>(v);
  }
  template <class Out, class In>
  void take(const flatbuffers::Vector<In>* v) {
    if (v) budget_.take(v->size() * sizeof(Out));
  }
  /// What has been taken from the budget before.
  template <class Out, class In>
  static std::vector<Out> copied(const flatbuffers::Vector<In>* v) {
    if (!v || !v->size()) return {};
    const auto* from = reinterpret_cast<const Out*>(v->Data());
    return std::vector<Out>(from, from + v->size());
  }
  /// `least`: the fewest bytes that such a table takes in a file.
  template <class Table, class F>
  auto tables(const flatbuffers::Vector<flatbuffers::Offset<Table>>* v, size_t least, F one) {
    std::vector<decltype(one(std::declval<const Table&>()))> out;
    budget_.take(v->size() * least);
    out.reserve(v->size());
    for (const Table* x : *v) out.push_back(one(*x));
    return out;
  }
  ArrayInfo array(const file::Array& a) {
    return {text(a.name()), ElementType(a.kind()), a.size(), a.offset(), bytes(a.initial()), a.rows(),
            a.whole()};
  }
  static std::optional<Extent> extent(const file::Extent* e) {
    return e ? std::optional(Extent{e->x(), e->y(), e->z()}) : std::nullopt;
  }
  /// The logs are nearly all of a large file: they are copied by several threads, once the budget has been
  /// asked for all of them.
  void logs(const file::Launch& f, Launch& l) {
    const auto& from = *f.blocks();
    const size_t before = budget_.left();
    budget_.take(from.size() * 32);
    for (const file::Block* b : from) {
      take<uint32_t>(b->first());
      take<Event>(b->events());
      take<std::byte>(b->snapshots());
      take<LoopRounds::Round>(b->rounds());
      take<LoopRounds::Mark>(b->round_marks());
      take<uint32_t>(b->first_mark());
    }
    take<Turn>(f.turns());
    l.blocks.resize(from.size());
    for_each_number(from.size() + 1, before - budget_.left(), [&](size_t k) {
      if (k == 0) {
        l.turns = copied<Turn>(f.turns());
        return;
      }
      const file::Block& b = *from[flatbuffers::uoffset_t(k - 1)];
      BlockRun& r = l.blocks[k - 1];
      r.first = copied<uint32_t>(b.first());
      r.events = copied<Event>(b.events());
      r.snapshots = copied<std::byte>(b.snapshots());
      if (b.rounds())
        r.rounds = {copied<LoopRounds::Round>(b.rounds()), copied<LoopRounds::Mark>(b.round_marks()),
                    copied<uint32_t>(b.first_mark())};
    });
  }
  /// Older files hold the English text alone; so does a file whose messages say something else.
  Finding finding(const file::Finding& x) {
    Finding f{.launch = x.launch(),
              .block = x.block(),
              .thread = x.thread(),
              .line = x.line(),
              .kind = FindingKind(x.kind()),
              .cells = copy<CellRef>(x.cells()),
              .more = int(std::min(x.more(), uint32_t(INT32_MAX)))};
    const std::string english = text(x.text());
    try {
      if (x.message()) f.message = Message::parse(text(x.message()));
      if (x.help()) f.help = Message::parse(text(x.help()));
    } catch (const BadFile&) {}
    if (f.text() != english) f.message = Message::plain(english), f.help = {};
    return f;
  }
  Launch launch(const file::Launch& f) {
    Launch l;
    l.name = text(f.name());
    l.source = f.source();
    l.grid = f.grid();
    l.block = f.block();
    l.grid_extent = extent(f.grid_extent());
    l.block_extent = extent(f.block_extent());
    l.shared_bytes = f.shared_bytes();
    l.shared = tables(f.shared(), 16, [&](const file::Array& a) { return array(a); });
    for (auto& name : tables(f.phases(), 16, [&](const file::Phase& p) { return text(p.name()); })) {
      const uint32_t key = hash_of(name.c_str());
      if (!l.phases.try_emplace(key, std::move(name)).second)
        bad(message("launch {} names a phase twice", launch_name(l)));
    }
    logs(f, l);
    l.after = tables(f.after(), 16, [&](const file::Bytes& b) { return bytes(b.data()); });
    return l;
  }

 public:
  Trace operator()(const file::Trace& f) {
    Trace t;
    t.kernel = text(f.kernel());
    t.parameters = tables(f.parameters(), 24, [&](const file::Parameter& p) {
      return std::pair(text(p.name()), text(p.value()));
    });
    t.sources = tables(f.sources(), 24, [&](const file::Source& s) {
      return Source{text(s.path()), text(s.text())};
    });
    t.device = text(f.device());
    t.driver = text(f.driver());
    t.property = Property(f.promise());
    t.dialect = Dialect(f.dialect());
    t.input = f.input();
    t.output = f.output();
    t.expected = bytes(f.expected());
    t.formulas = tables(f.formulas(), 24, [&](const file::Formula& x) {
      return Formula{text(x.of()), text(x.text()), x.value()};
    });
    t.arrays = tables(f.arrays(), 16, [&](const file::Array& a) { return array(a); });
    t.launches = tables(f.launches(), 56, [&](const file::Launch& l) { return launch(l); });
    t.findings = tables(f.findings(), 16, [&](const file::Finding& x) { return finding(x); });
    return t;
  }

 private:
  Budget budget_;
};

// ---- meaning ---------------------------------------------------------------------------------------------

void need_name(const std::string& s, const Message& what, bool may_be_empty = false) {
  if (s.size() > longest_name || (s.empty() && !may_be_empty) || !is_printable(s, false))
    bad(message("the name of {} is empty, too long or not printable", what));
}
void need_text(const std::string& s, const Message& what) {
  if (s.size() > longest_text || !is_printable(s, false))
    bad(message("{} is too long or not printable", what));
}

/// Bytes of a cell; of a `wide` kind without a size of its own, from the array's initial content.
size_t cell_bytes(const ArrayInfo& a) {
  if (a.kind != ElementType::other) return size_t(bscope::bytes_of(a.kind));
  return a.size ? a.initial.size() / size_t(a.size) : 0;
}

/// Uses a value and makes none.
bool asks(Op o) { return group_of(o) == EventGroup::steering; }

/// One thread's log, event by event.
class CheckLog {
 public:
  CheckLog(const Trace& t, const Launch& l, int lines, const BlockRun& block, int thread)
      : trace_(t), launch_(l), lines_(lines), block_(block), thread_(thread), log_(block.log(thread)) {}

  /// Returns how many cells its bulk copies move.
  size_t run() {
    size_t copied = 0;
    for (size_t k = 0; k < log_.size(); ++k) {
      one(log_[k], k);
      if (log_[k].op == Op::bulk_write) copied += log_[k].bits;
    }
    return copied;
  }

 private:
  [[noreturn]] void wrong(size_t k, const Message& what) const {
    bad(message("event {} of thread {} in launch {} {}", k + 1, thread_, launch_name(launch_), what));
  }
  void source(uint32_t s, size_t k) const {
    if (s > k || (s && !makes_a_value(log_[s - 1].op)))
      wrong(k, message("names a source that is no earlier value"));
  }
  void sources(const Event& e, size_t k) const {
    switch (row_of(e.op).source) {
      case EventSource::none: break;
      case EventSource::in_a: return source(e.a, k);
      case EventSource::in_b: return source(e.b, k);
      case EventSource::in_a_and_b:
        source(e.a, k);
        source(e.b, k);
        break;
      case EventSource::of_another_lane: return source_of_lane(e, k);
    }
  }
  void source_of_lane(const Event& e, size_t k) const {
    const size_t peer = size_t(thread_) / warp_size * warp_size + e.a;
    if (e.a >= warp_size || peer >= size_t(launch_.block))
      wrong(k, message("reads a lane that does not exist"));
    const auto there = block_.log(int(peer));
    if (e.b > there.size() || (e.b && !makes_a_value(there[e.b - 1].op)))
      wrong(k, message("names a source that the other lane does not have"));
  }
  const ArrayInfo& array(const Event& e, size_t k) const {
    const bool known = e.array < first_shared ? e.array < trace_.arrays.size()
                                              : size_t(e.array - first_shared) < launch_.shared.size();
    if (!known) wrong(k, message("names an array that does not exist"));
    return trace_.array(launch_, e.array);
  }
  void kind(const Event& e, size_t k) const {
    if (e.array >= kind_count) wrong(k, message("has a value of an unknown type"));
  }
  /// A value of 8 bytes goes on in the next event; a log that was cut short may lack it.
  void high_follows(size_t k, int bytes) const {
    if (k + 1 == log_.size()) return;
    const bool high = log_[k + 1].op == Op::high;
    if (bytes && high != (bytes == 8))
      wrong(k, high ? message("is followed by an upper half") : message("lacks its upper half"));
  }

  /// Bulk copies and mbarriers.
  void bulk(const Event& e, size_t k) const {
    const ArrayInfo& a = array(e, k);
    if (e.op == Op::complete) wrong(k, message("is of a sort that no log holds"));
    if (of_mbarrier(e.op)) return mbarrier(e.array, e.a, k);
    if (uint64_t(e.a) + e.bits > uint64_t(a.size) && e.bits) wrong(k, message("is outside its array"));
    if (e.op == Op::bulk_read) {
      if (k + 1 == log_.size() || log_[k + 1].op != Op::bulk_write) wrong(k, message("copies to nowhere"));
      if (e.b) mbarrier(int(e.b >> 24), (e.b & 0xffffff) - 1, k);
      return;
    }
    if (!k || log_[k - 1].op != Op::bulk_read) wrong(k, message("copies from nowhere"));
    if (log_[k - 1].bits != e.bits || trace_.array(launch_, log_[k - 1].array).kind != a.kind)
      wrong(k, message("writes other cells than it reads"));
  }
  void mbarrier(int id, uint32_t index, size_t k) const {
    if (id < first_shared || size_t(id - first_shared) >= launch_.shared.size() ||
        index >= uint32_t(trace_.array(launch_, id).size) ||
        trace_.array(launch_, id).kind != ElementType::u64)
      wrong(k, message("names an mbarrier that does not exist"));
  }

  /// What is expected is said right before the compare-and-swap; a log that was cut short may lack that.
  void swap_follows(size_t k) const {
    const size_t next = k + 1 + (k + 1 < log_.size() && log_[k + 1].op == Op::high);
    if (next < log_.size() && instruction_of(log_[next].op) != Op::atomic_cas)
      wrong(k, message("expects something of an event that compares nothing"));
  }

  void one(const Event& e, size_t k) const {
    if (int(e.op) >= op_count) wrong(k, message("is of an unknown sort"));
    if (e.line > lines_) wrong(k, message("names a line that the source does not have"));
    if (k + 1 < log_.size() && log_[k + 1].op == Op::high && !makes_a_value(e.op) && !asks(e.op))
      wrong(k + 1, message("is an upper half of nothing"));
    if (is_bulk(e.op) || of_mbarrier(e.op)) return bulk(e, k);
    if (touches(e.op)) {
      const ArrayInfo& a = array(e, k);
      if (e.a >= uint32_t(a.size)) wrong(k, message("is outside its array"));
      sources(e, k);
      return high_follows(k, bscope::bytes_of(a.kind));
    }
    switch (group_of(e.op)) {
      case EventGroup::copy_order:
        if (e.op == Op::commit) wrong(k, message("is of a sort that no log holds"));
        break;
      case EventGroup::warp_value:
        kind(e, k);
        sources(e, k);
        break;
      case EventGroup::fence:
        if (e.a > uint32_t(Scope::system)) wrong(k, message("is for an unknown scope"));
        if (e.b > uint32_t(FencePart::acquire)) wrong(k, message("is of an unknown part of an access"));
        break;
      case EventGroup::steering:
      case EventGroup::constant:
      case EventGroup::arithmetic:
        if (e.op == Op::expect) swap_follows(k);
        kind(e, k);
        sources(e, k);
        high_follows(k, bscope::bytes_of(ElementType(e.array)));
        break;
      case EventGroup::address:
        array(e, k);
        sources(e, k);
        break;
      case EventGroup::mark: return mark(e, k);
      default: break;
    }
  }

  void mark(const Event& e, size_t k) const {
    if (e.op == Op::high) {
      if (!k) wrong(k, message("is an upper half of nothing"));
    } else if (e.op == Op::together) {
      array(e, k);
      if (e.a < 1 || e.a > 16) wrong(k, message("joins an impossible number of cells"));
      if (e.bits > whole_cell || (e.bits && e.a != 1)) wrong(k, message("names bytes that no cell has"));
    } else if (e.op == Op::fault) {
      array(e, k);
      sources(e, k);
    }
  }

  const Trace& trace_;
  const Launch& launch_;
  int lines_;
  const BlockRun& block_;
  int thread_;
  std::span<const Event> log_;
};

void check_globals(const Trace& t) {
  if (t.arrays.empty() || t.arrays.size() > first_shared)
    bad(message("it holds no arrays, or more than 128"));
  for (const auto& a : t.arrays) {
    need_name(a.name, message("an array"));
    if (int(a.kind) >= kind_count || a.size < 0 || a.rows < 1 || a.size % a.rows)
      bad(message("array {} has an impossible type or size", a.name));
    if (a.whole && (a.whole <= a.size || a.whole > most_cells_of_an_array))
      bad(message("array {} has an impossible type or size", a.name));
    // The content is in the file, so the size is no larger than the file.
    const size_t cell = cell_bytes(a);
    if (a.initial.size() != cell * size_t(a.size) || (a.size && !cell))
      bad(message("array {} does not hold as many cells as it says", a.name));
  }
  auto known = [&](int id) { return id >= 0 && size_t(id) < t.arrays.size(); };
  if (!known(t.input) || !known(t.output)) bad(message("its input or output is no array"));
  const auto& out = t.arrays[size_t(t.output)];
  if (t.expected.size() > out.initial.size() || (cell_bytes(out) && t.expected.size() % cell_bytes(out)))
    bad(message("its expected result does not fit its output"));
}

/// Whether the extent has so many members.
bool holds(const Extent& e, int count) {
  const auto most = uint32_t(std::numeric_limits<int>::max());
  return e.x <= most && e.y <= most && e.z <= most && uint64_t(e.x) * e.y <= most &&
         e.count() == uint64_t(count);
}

/// Each round lies in an earlier one, and each thread's marks are in its log.
bool is_sound(const LoopRounds& r, const BlockRun& b) {
  for (size_t k = 0; k < r.rounds.size(); ++k)
    if (r.rounds[k].around > k) return false;
  if (r.first.empty()) return r.marks.empty();
  if (r.first.size() != b.first.size() || r.first.front() != 0 || r.first.back() != r.marks.size() ||
      !std::is_sorted(r.first.begin(), r.first.end()))
    return false;
  for (size_t thread = 0; thread + 1 < r.first.size(); ++thread)
    for (size_t k = r.first[thread]; k < r.first[thread + 1]; ++k) {
      const LoopRounds::Mark& m = r.marks[k];
      const bool is_behind = k == r.first[thread] || r.marks[k - 1].event < m.event;
      if (!is_behind || m.event >= b.log(int(thread)).size() || m.round > r.rounds.size()) return false;
    }
  return true;
}

void check_shape(const Trace& t, const Launch& l) {
  need_name(l.name, message("a launch"));
  if (l.source < 0 || size_t(l.source) >= t.sources.size())
    bad(message("launch {} has no source", launch_name(l)));
  if (l.grid < 1 || size_t(l.grid) != l.blocks.size() || l.block < 1 || l.block > 1024)
    bad(message("launch {} has an impossible grid or block", launch_name(l)));
  if (size_t(l.grid) * size_t(l.block) > size_t(std::numeric_limits<int>::max()))
    bad(message("launch {} has too many threads", launch_name(l)));
  if ((l.grid_extent && !holds(*l.grid_extent, l.grid)) ||
      (l.block_extent && !holds(*l.block_extent, l.block)))
    bad(message("launch {} has an extent that is not as large as its grid or block", launch_name(l)));
  if (l.shared_bytes > most_shared_bytes || l.shared.size() > 255 - first_shared)
    bad(message("launch {} has more shared memory than a block can", launch_name(l)));
  uint64_t end = 0;
  for (const auto& a : l.shared) {
    need_name(a.name, message("a shared array"));
    if (int(a.kind) >= kind_count || a.size < 0 || a.rows < 1 || a.size % a.rows || !a.initial.empty())
      bad(message("shared array {} has an impossible type or size", a.name));
    const uint64_t cell = std::max(1, bscope::bytes_of(a.kind));
    if (a.offset < end || a.offset % cell || (end = a.offset + cell * uint64_t(a.size)) > l.shared_bytes)
      bad(message("shared array {} does not lie in its block's shared memory", a.name));
  }
  for (const auto& [key, name] : l.phases) {
    need_name(name, message("a phase"));
    if (key != hash_of(name.c_str())) bad(message("phase {} has the wrong key", name));
  }
  if (l.after.size() > t.arrays.size())
    bad(message("launch {} leaves arrays that do not exist", launch_name(l)));
  for (size_t a = 0; a < l.after.size(); ++a)
    if (l.after[a].size() != t.arrays[a].initial.size())
      bad(message("array {} changes its size in launch {}", t.arrays[a].name, launch_name(l)));
  for (const auto& b : l.blocks) {
    if (b.first.size() != size_t(l.block) + 1 || b.first.front() != 0 || b.first.back() != b.events.size() ||
        !std::is_sorted(b.first.begin(), b.first.end()))
      bad(message("the logs of launch {} do not fit its threads", launch_name(l)));
    if (l.shared_bytes ? b.snapshots.size() % l.shared_bytes : b.snapshots.size())
      bad(message("the snapshots of launch {} do not fit its shared memory", launch_name(l)));
    if (b.rounds && !is_sound(*b.rounds, b))
      bad(message("the rounds of loops of launch {} do not fit its logs", launch_name(l)));
  }
}

void check_turns(const Launch& l) {
  if (l.turns.empty()) return;
  // Each task looks after some of the blocks: what a thread's turns say depends on no other's.
  const size_t parts = std::min({l.turns.size() / 100'000 + 1, size_t(l.grid), workers()});
  const auto block = uint32_t(l.block);
  parallel(parts, [&](size_t part) {
    const auto first = uint32_t(size_t(l.grid) * part / parts) * block,
               end = uint32_t(size_t(l.grid) * (part + 1) / parts) * block;
    std::vector<uint32_t> so_far(end - first);
    for (const auto& turn : l.turns) {
      if (turn.thread - first >= end - first) {
        if (turn.thread >= uint32_t(l.grid) * block)
          bad(message("launch {} gives a turn to a thread that does not exist", launch_name(l)));
        continue;
      }
      uint32_t& before = so_far[turn.thread - first];
      const auto log = l.blocks[turn.thread / block].log(int(turn.thread % block));
      if (turn.end < before || turn.end > log.size())
        bad(message("the turns of launch {} do not fit its logs", launch_name(l)));
      before = turn.end;
    }
  });
}

/// Intervals that a replay of this block can have: barriers open for all threads together.
size_t intervals(const Launch& l, const BlockRun& b) {
  size_t most = 0;
  for (int t = 0; t < l.block; ++t) {
    const auto log = b.log(t);
    most = std::max(most,
                    size_t(std::count_if(log.begin(), log.end(), [](auto& e) { return e.op == Op::sync; })));
  }
  return most + 1;
}

/// What a replay makes of a trace.
struct ReplayMemoryUse {
  size_t intervals = 0, shared = 0, copied = 0;
};
/// Every event of a launch. Says how many intervals a replay of its blocks can have, together, and how many
/// cells bulk copies move.
ReplayMemoryUse check_logs(const Trace& t, const Launch& l) {
  const auto& text = t.sources[size_t(l.source)].text;
  const auto lines = int(std::min<ptrdiff_t>(std::count(text.begin(), text.end(), '\n') + 1, 65535));
  size_t bytes = 0;
  for (const auto& b : l.blocks) bytes += b.events.size() * sizeof(Event);
  std::vector<ReplayMemoryUse> most(l.blocks.size());
  for_each_number(l.blocks.size(), bytes, [&](size_t k) {
    for (int thread = 0; thread < l.block; ++thread)
      most[k].copied += CheckLog(t, l, lines, l.blocks[k], thread).run();
    most[k].intervals = intervals(l, l.blocks[k]);
  });
  ReplayMemoryUse all;
  for (const ReplayMemoryUse& c : most) all.intervals += c.intervals, all.copied += c.copied;
  return all;
}

/// A replay keeps shared memory for each interval (`shared` bytes), each global cell for each launch and each
/// cell that a bulk copy moves. In a true trace the file holds them too; in a forged one they might come out
/// of nothing.
void check_cost(const Trace& t, const ReplayMemoryUse& cost) {
  size_t held = 0, cells = 0;
  for (const auto& a : t.arrays) cells += size_t(a.size), held += a.initial.size();
  for (const auto& l : t.launches) {
    for (const auto& a : l.after) held += a.size();
    for (const auto& b : l.blocks)
      held += b.events.size() * sizeof(Event) + b.first.size() * 4 + b.snapshots.size();
  }
  const size_t most = 16 * held + (size_t(64) << 20);
  if (cost.shared > most || cells * t.launches.size() > most / 4 || cost.copied > most / 128)
    bad(message("a replay would need far more memory than it holds: it was damaged or forged"));
}

}  // namespace

void validate(const Trace& t) {
  need_name(t.kernel, message("the kernel"));
  need_text(t.device, message("the device's name"));
  need_text(t.driver, message("the driver's name"));
  for (const auto& [name, value] : t.parameters)
    need_name(name, message("a parameter")), need_text(value, message("a parameter"));
  for (const auto& s : t.sources) {
    need_name(s.path, message("a source file"));
    if (!is_printable(s.text, true)) bad(message("source {} is not text", s.path));
  }
  for (const auto& f : t.formulas) {
    need_name(f.of, message("a formula"));
    need_name(f.text, message("a formula"));
    if (!std::isfinite(f.value)) bad(message("a formula has no finite value"));
  }
  if (t.property > Property::histogram) bad(message("it promises something unknown"));
  if (t.dialect > Dialect::ours_in_cuda) bad(message("its sources are of an unknown dialect"));
  check_globals(t);
  ReplayMemoryUse cost;
  for (const auto& l : t.launches) {
    check_shape(t, l);
    const ReplayMemoryUse more = check_logs(t, l);
    cost.shared += more.intervals * l.shared_bytes;
    cost.copied += more.copied;
    check_turns(l);
  }
  for (const auto& f : t.findings) {
    need_text(f.text(), message("a finding"));
    if (f.kind > FindingKind::last) bad(message("a finding is of an unknown kind"));
    if (f.launch < 0 || size_t(f.launch) >= t.launches.size()) bad(message("a finding names no launch"));
    const auto& l = t.launches[size_t(f.launch)];
    if (f.block < 0 || f.block >= l.grid || f.thread < 0 || f.thread >= l.grid * l.block || f.line < 0 ||
        f.line > 65535)
      bad(message("a finding names no place in its launch"));
    for (const CellRef& c : f.cells)
      if (c.array < 0 || size_t(c.shared() ? c.array - first_shared : c.array) >=
                             (c.shared() ? l.shared.size() : t.arrays.size()))
        bad(message("a finding names no array"));
  }
  check_cost(t, cost);
}

bool is_session(std::string_view s) { return s.size() <= longest_session && is_printable(s, true); }

Trace read_trace(std::span<const std::byte> bytes, std::string* session) {
  if (bytes.empty()) bad(message("it is empty"));
  if (bytes.size() > most_bytes) bad(message("it is larger than a trace can be (2 GB)"));
  // FlatBuffers reads through typed pointers.
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(std::max_align_t)) {
    const std::vector<std::byte> aligned(bytes.begin(), bytes.end());
    return read_trace(aligned, session);
  }
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  if (bytes.size() < 16 || !flatbuffers::BufferHasIdentifier(data, file::TraceIdentifier(), true))
    bad(message("it is no .bscope file"));
  const size_t promised = size_t(flatbuffers::GetPrefixedSize(data)) + sizeof(flatbuffers::uoffset_t);
  if (bytes.size() != promised)
    bad(message("it is cut short or damaged: {} bytes instead of {}", to_string(bytes.size()),
                to_string(promised)));
  flatbuffers::Verifier::Options options;
  options.max_depth = 8;
  options.max_tables = flatbuffers::uoffset_t(bytes.size() / 8);  // an offset and a vtable's offset each
  flatbuffers::Verifier verifier(data, bytes.size(), options);
  if (!file::VerifySizePrefixedTraceBuffer(verifier)) bad(message("it is damaged"));
  const auto& root = *file::GetSizePrefixedTrace(data);
  if (root.version() != version)
    bad(message("it is of version {}, this program reads version {}", to_string(root.version()),
                to_string(version)));
  Unpack unpack(bytes.size());
  Trace t = unpack(root);
  validate(t);
  std::string said = root.session() ? unpack.text(root.session()) : std::string();
  if (!is_session(said)) bad(message("its session is not text"));
  if (session) *session = std::move(said);
  return t;
}

Trace read_own_trace(std::span<const std::byte> bytes) {
  return Unpack(bytes.size())(*file::GetSizePrefixedTrace(bytes.data()));
}

std::vector<std::byte> write_trace(const Trace& t, std::string_view session) {
  Builder b(room_for(t, session));
  build(b, t, session);
  const auto* p = reinterpret_cast<const std::byte*>(b.GetBufferPointer());
  return {p, p + b.GetSize()};
}

// ---- files -----------------------------------------------------------------------------------------------
void save(const Trace& t, const std::filesystem::path& path, std::string_view session) {
  Builder b(room_for(t, session));
  build(b, t, session);
  write_whole(path, {reinterpret_cast<const char*>(b.GetBufferPointer()), b.GetSize()});
}

Trace load(const std::filesystem::path& path, std::string* session) {
  auto fail = [&](const Message& why) { throw BadFile(message("cannot open {}: {}", path.string(), why)); };
  const OpenFile file = open_to_read(path);
  const Descriptor& d = file.descriptor;
  const size_t size = file.size;
  if (size > most_bytes) fail(message("{} is more than a trace can be (2 GB)", gigabytes(size)));
  const auto bytes = std::make_unique_for_overwrite<std::byte[]>(size);
  constexpr size_t piece = size_t(8) << 20;
  std::atomic<size_t> length{size};
  parallel((size + piece - 1) / piece, [&](size_t k) {
    const size_t end = std::min(size, (k + 1) * piece);
    for (size_t at = k * piece; at < end;) {
      const ssize_t n = ::pread(d.get(), bytes.get() + at, end - at, off_t(at));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail(Message::plain(std::generic_category().message(errno)));
      if (n == 0) {  // it became shorter meanwhile
        size_t before = length;
        while (at < before && !length.compare_exchange_weak(before, at)) {}
        return;
      }
      at += size_t(n);
    }
  });
  try {
    return read_trace({bytes.get(), length}, session);
  } catch (const BadFile& e) {
    throw BadFile(message(
        "{} is not a usable trace: {}. Make it again with `barrierscope trace KERNEL -o FILE.bscope`.",
        path.string(), e.message()));
  }
}

}  // namespace bscope
