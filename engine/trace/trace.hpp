// The record of a run. Plain data that both executors write and every analysis reads. Includes no other part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace/finding.hpp"

namespace bscope {

/// What an event is: events.def has a row for each.
enum class Op : uint8_t {
#define EVENT(op, ...) op,
#include "engine/trace/events.def"
};

/// What sort of event it is.
enum class EventGroup : uint8_t {
  unknown,  ///< of a number that no event has
  load,
  store,
  atomic,
  synchronising,  ///< loads and stores that order others
  barrier,        ///< where all threads of a block meet
  warp_barrier,
  warp_value,  ///< made by the lanes of a warp together
  steering,    ///< the data steer the thread
  address,     ///< the data choose a cell
  mark,
  constant,
  arithmetic,
  bulk_copy,  ///< the copy engine's: ordered by what waits for it, not by the thread that asked for it
  mbarrier,
  flagged_word,  ///< words that say by themselves whether they are there
  copy_order,    ///< wait for the copy engine, or make it see; ask for copies that come later
  fence,
};
/// What an event does with a cell.
enum class EventAccess : uint8_t { none = 0, read = 1, write = 2, read_and_write = 3 };
/// Which fields of an event hold sources.
enum class EventSource : uint8_t { none, in_a, in_b, in_a_and_b, of_another_lane };

/// A row of events.def.
struct EventRow {
  const char* name = "unknown";
  EventGroup group = EventGroup::unknown;
  EventAccess access = EventAccess::none;
  EventSource source = EventSource::none;
  Op joins = Op::load;
};
/// A row for each number that a file may hold.
struct EventTable {
  EventRow rows[256] = {
#define EVENT(op, name, group, access, source, joins) \
  {name, EventGroup::group, EventAccess::access, EventSource::source, Op::joins},
#include "engine/trace/events.def"
  };
};
inline constexpr EventTable event_table;
inline constexpr int op_count = 0
#define EVENT(...) +1
#include "engine/trace/events.def"
    ;
constexpr const EventRow& row_of(Op o) { return event_table.rows[size_t(o)]; }
constexpr EventGroup group_of(Op o) { return row_of(o).group; }

constexpr bool reads(Op o) { return (uint8_t(row_of(o).access) & uint8_t(EventAccess::read)) != 0; }
constexpr bool writes(Op o) { return (uint8_t(row_of(o).access) & uint8_t(EventAccess::write)) != 0; }
constexpr bool touches(Op o) { return row_of(o).access != EventAccess::none; }
/// Where all threads of a block meet.
constexpr bool is_barrier(Op o) { return group_of(o) == EventGroup::barrier; }
constexpr bool is_load(Op o) { return group_of(o) == EventGroup::load; }
constexpr bool is_store(Op o) { return group_of(o) == EventGroup::store; }
/// The copy engine's: ordered by what waits for it, not by the thread that asked for it.
constexpr bool is_bulk(Op o) { return group_of(o) == EventGroup::bulk_copy; }
constexpr bool of_mbarrier(Op o) { return group_of(o) == EventGroup::mbarrier; }
constexpr bool is_atomic(Op o) { return group_of(o) == EventGroup::atomic; }
/// An access that threads synchronise with, but that orders others only with a fence.
constexpr bool is_relaxed(Op o) { return o == Op::load_relaxed || o == Op::store_relaxed; }
/// The instruction that an access is of: whether a compare-and-swap finds what it expects shows when it runs.
constexpr Op instruction_of(Op o) { return o == Op::atomic_cas_failed ? Op::atomic_cas : o; }
constexpr bool computes(Op o) { return group_of(o) == EventGroup::arithmetic; }
/// Waits for the copy engine, or makes it see.
constexpr bool orders_copies(Op o) { return group_of(o) == EventGroup::copy_order; }
/// Its value may be a source of others.
constexpr bool makes_a_value(Op o) {
  const EventGroup g = group_of(o);
  return (touches(o) && !is_bulk(o) && !of_mbarrier(o)) || g == EventGroup::warp_value ||
         g == EventGroup::constant || g == EventGroup::arithmetic;
}

/// The element type of an array or a value.
/// `affine` is the map y -> slope y + offset on 16-bit integers: offset in the low half, slope in the high.
/// `counted` is a 32-bit sum (upper half) and the number of its parts (lower half).
/// `f16` is half precision, `bf16` bfloat16. Files hold the numbers: new ones come last.
enum class ElementType : uint8_t {
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  f32,
  f64,
  other,
  affine,
  counted,
  f16,
  bf16,
};
inline constexpr int kind_count = int(ElementType::bf16) + 1;
/// Whether its values have a fraction.
constexpr bool is_float(ElementType k) {
  return k == ElementType::f32 || k == ElementType::f64 || k == ElementType::f16 || k == ElementType::bf16;
}
/// Bytes of one element; 0 for `other`.
constexpr int bytes_of(ElementType k) {
  constexpr int bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0, 4, 8, 2, 2};
  return bytes[int(k)];
}

/// All bytes of a cell, a bit each.
inline constexpr uint8_t whole_cell = 0xff;

/// One thing that one thread did. Logs are per thread; a source is the 1-based number of an event of the
/// same log, 0 a constant. What comes from another thread comes by shuffle (lane and number in that lane's
/// log) or through a cell, and is then found by replay.
///
///   op                       bits            a                 b
///   load(_volatile, _relaxed), acquire, wait value read      index             -
///   store(_volatile, _relaxed), release      value written   index             source
///   atomic_*                 old value       index             source of the operand (cas: of what is put
///                                                              there; cas_failed: -)
///   expect                   value expected  source            -                (array: type; right before
///                                                              an atomic_cas or atomic_cas_failed)
///   fence                    -               Scope             FencePart (fence_part.hpp)
///   sync, sync_grid          -               -                 -
///   shuffle                  value received  lane read from    source there     (array: type)
///   reduce, ballot, match    result          mask              own source
///   sync_warp                -               mask              -
///   compute                  result          left source       right source     (array: type of the result)
///   branch, escape           value           source            -                (array: type)
///   address                  index           source            -                (follows the array's id)
///   phase                    hash of name    -                 -
///   together                 bytes, 0: all   cells of one vector request
///                                                              (bytes: of the one cell, those that the
///                                                              access that follows touches, a bit each)
///   fault                    array size      index             source of the index, if the data chose it
///                                                              (an access out of bounds)
///   observe                  value read      index             -
///   publish                  value written   index             source
///   bulk_read                cells           first index       mbarrier (array << 24 | index + 1), 0: none
///   bulk_write               cells           first index       -                (right after its bulk_read)
///   arrive                   bytes expected  index             -                (of an mbarrier)
///   await                    parity          index             -                (of an mbarrier)
///   await_bulk(_read)        -               groups that may be on their way still
///   fence_async              -               -                 -
///   copy_async               -               1: given a barrier -
///   copy_arrives             -               -                 -
///
/// A value of 8 bytes goes on in the next event of the log: `high`, its upper half in bits.
struct Event {
  uint16_t line;
  Op op;
  uint8_t array;
  uint32_t bits;
  uint32_t a, b;
  bool operator==(const Event&) const = default;
};
static_assert(sizeof(Event) == 16);

#ifdef __CUDACC__
#define ON_BOTH_SIDES __host__ __device__
#else
#define ON_BOTH_SIDES
#endif
/// What an mbarrier's 8 bytes hold in a trace: the phases that are complete, then the bytes still to come.
/// (On the GPU untraced they are the hardware's, which no program may read.)
struct Mbarrier {
  uint32_t phases = 0;
  int32_t bytes = 0;
  ON_BOTH_SIDES static constexpr Mbarrier of(uint64_t word) { return {uint32_t(word), int32_t(word >> 32)}; }
  ON_BOTH_SIDES constexpr uint64_t word() const { return uint64_t(uint32_t(bytes)) << 32 | phases; }
  /// After so many bytes more are expected (an arrival), or fewer (they have come).
  ON_BOTH_SIDES constexpr Mbarrier after(int32_t more) const {
    const auto now = int32_t(uint32_t(bytes) + uint32_t(more));
    return {phases + (now == 0), now};
  }
  ON_BOTH_SIDES constexpr bool complete(uint32_t parity) const { return (phases & 1) != (parity & 1); }
};
#undef ON_BOTH_SIDES

/// The threads that a fence makes a thread's writes visible to: __threadfence_block(), __threadfence(),
/// __threadfence_system().
enum class Scope : uint32_t { block, device, system };

/// A grid or a block in up to three dimensions, x the fastest. Also a place in it.
struct Extent {
  uint32_t x = 1, y = 1, z = 1;
  constexpr uint64_t count() const { return uint64_t(x) * y * z; }
  /// How many dimensions it takes to say it: 1 where only x is more than 1.
  constexpr int dimensions() const { return z > 1 ? 3 : y > 1 ? 2 : 1; }
  /// Where the member of that number stands, from 0.
  constexpr Extent place(uint32_t number) const { return {number % x, number / x % y, number / x / y}; }
  bool operator==(const Extent&) const = default;
};

/// Lanes of a warp.
inline constexpr int warp_size = 32;

/// A named array. `initial` holds a global array's content at creation; `offset` is a shared array's place
/// in its block's shared memory, in bytes. `rows`: it was declared, or is used, as so many equal parts, one
/// after the other (buffers that take turns, the rows of a tile), which are drawn as rows; what happened does
/// not depend on it.
struct ArrayInfo {
  std::string name;
  ElementType kind = ElementType::i32;
  int size = 0;  ///< cells
  uint32_t offset = 0;
  std::vector<std::byte> initial;
  int rows = 1;
  int64_t whole = 0;  ///< cells of the array, where the trace has its first ones alone; 0: it has all
  int64_t cells() const { return whole ? whole : size; }
  int row_size() const { return size / rows; }
  bool operator==(const ArrayInfo&) const = default;
};

/// A turn of the schedule: this thread (of the grid, block * block size + rank), until its log held `end`
/// events.
struct Turn {
  uint32_t thread, end;
  bool operator==(const Turn&) const = default;
};

/// In which rounds of loops the threads of a block were. A lane that goes round a loop without an event
/// leaves no trace of that in its log, so the logs alone do not say which lanes came to a line together.
struct LoopRounds {
  /// A round of a loop, within a round of the loop around it. Numbers of rounds count from 1; 0 is none.
  struct Round {
    uint32_t around = 0;  ///< the round of the loop around it
    uint32_t number = 0;  ///< how often the loop had gone round since it was entered
    uint16_t line = 0;    ///< where the loop begins
    uint16_t loop = 0;    ///< tells the loops of a line apart
    bool operator==(const Round&) const = default;
  };
  /// From this event on, counted from 0, the thread is in that round.
  struct Mark {
    uint32_t event, round;
    bool operator==(const Mark&) const = default;
  };
  std::vector<Round> rounds;    ///< in the order of the program; each behind the one around it
  std::vector<Mark> marks;      ///< thread after thread, in the order of events
  std::vector<uint32_t> first;  ///< where each thread's marks begin; one more at the end
  /// The round that a thread makes an event in; 0: in none, or each warp's lanes did all alike.
  uint32_t at(int thread, uint32_t event) const;
  bool operator==(const LoopRounds&) const = default;
};

/// The logs of one block, thread after thread, and the real content of its shared memory at each barrier
/// and at the end (`Launch::shared_bytes` each).
struct BlockRun {
  std::vector<uint32_t> first;  ///< where each thread's log begins in `events`; one more at the end
  std::vector<Event> events;
  std::vector<std::byte> snapshots;
  /// Of users' CUDA programs. All is empty where the lanes of each warp made the same events in the same
  /// rounds; none: not known.
  std::optional<LoopRounds> rounds = {};
  std::span<const Event> log(int thread) const {
    return {events.data() + first[thread], first[thread + 1] - first[thread]};
  }
  bool operator==(const BlockRun&) const = default;
};

/// One kernel launch.
struct Launch {
  std::string name;
  int source = 0;  ///< index into Trace::sources of the file that the events' lines belong to
  int grid = 1, block = 1;
  std::optional<Extent> grid_extent = {}, block_extent = {};  ///< as many blocks and threads; none: flat
  uint32_t shared_bytes = 0;
  std::vector<ArrayInfo> shared;
  std::map<uint32_t, std::string> phases;     ///< hash_of(name) -> name
  std::vector<BlockRun> blocks;               ///< one a block of the grid
  std::vector<std::vector<std::byte>> after;  ///< real content of each global array when the launch ended
  std::vector<Turn>
      turns;  ///< CPU: who ran when. GPU: empty; the replay finds an order that explains the values
  bool operator==(const Launch&) const = default;
};

/// Whether it is no kernel's launch, but what changed memory between two: the host, or launches that are not
/// shown. It has one log, which stands in no line of the source.
bool is_between_launches(const Launch&);

/// A kernel's source file as it was when it was compiled.
struct Source {
  std::string path;  ///< from the root of the project, e.g. kernels/scan/5_blelloch.cu
  std::string text;
  bool operator==(const Source&) const = default;
};

/// The language of a source file.
enum class Dialect : uint8_t {
  ours,          ///< the kernels of the catalog: t.sync(), atomic_add
  cuda,          ///< users' own files: __syncthreads(), atomicAdd
  ours_in_cuda,  ///< kernels of the catalog whose lines are those of their CUDA programs (app/run/cuda_text)
};

/// What the algorithm claims to compute from `input` into `output`: what a proof has to show.
enum class Property : uint8_t { none, inclusive_scan, exclusive_scan, reduction, histogram };

/// A textbook's count beside ours, e.g. {"adds", "2(n-1)", 30}.
struct Formula {
  std::string of, text;
  double value = 0;
  bool operator==(const Formula&) const = default;
};

/// One traced run of one algorithm: everything that the analyses and the views need, and no more.
struct Trace {
  std::string kernel;                                           ///< scan/blelloch
  std::vector<std::pair<std::string, std::string>> parameters;  ///< name and value, "block" and "n" first
  std::vector<Source> sources;
  std::string device, driver;  ///< "cpu" and the schedule's name; or the GPU's name and driver version
  Property property = Property::none;
  int input = 0, output = 0;        ///< ids of global arrays
  std::vector<std::byte> expected;  ///< what the output must be, in the output array's type; empty: not known
  std::vector<Formula> formulas;
  std::vector<ArrayInfo> arrays;  ///< global arrays
  std::vector<Launch> launches;
  std::vector<Finding> findings;
  Dialect dialect = Dialect::ours;

  size_t events() const {
    size_t n = 0;
    for (const auto& l : launches)
      for (const auto& b : l.blocks) n += b.events.size();
    return n;
  }
  /// The array that an event of a launch means by this id; the id must be valid.
  const ArrayInfo& array(const Launch& l, int id) const {
    return id < first_shared ? arrays[id] : l.shared[id - first_shared];
  }
  bool operator==(const Trace&) const = default;
};

/// FNV-1a, as used for the names of phases.
constexpr uint32_t hash_of(const char* s) {
  uint32_t h = 2166136261u;
  for (; *s; ++s) h = (h ^ uint8_t(*s)) * 16777619u;
  return h;
}

/// A digest of what happened, without the order of turns, names of devices and findings: equal on CPU and GPU
/// for a deterministic kernel.
uint64_t digest(const Trace&);

/// " (x 5, y 2)": where a thread stands in its block, or a block in its grid, to be said after its number;
/// nothing where one dimension is all there is.
std::string place_in_block(const Launch&, int rank);
std::string place_in_grid(const Launch&, int block);

/// The word for an operation in outputs: load, store, atomic_add, ..., add, subtract, multiply, ...
const char* name_of(Op);
/// int8, uint8, ..., int32, ..., float, double, half, bfloat16, affine.
const char* name_of(ElementType);

/// One value of an array read as a double (exact for all kinds up to 32 bits and all floats; an affine map
/// as its 32 bits).
double number(ElementType, const std::byte* cell);
/// The same from the bits that an event holds.
double number(ElementType, uint64_t bits);
/// A value as text: integers without a point, shortest text that reads back for float and double, six digits
/// for half and bfloat16, as programs print them, 3y+1 for an affine map.
std::string text_of(ElementType, uint64_t bits);

}  // namespace bscope
