// What all threads of a running launch have in common.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/cuda/machine/bytecode.hpp"
#include "engine/cuda/machine/footprint.hpp"
#include "engine/cuda/machine/loop_rounds.hpp"
#include "engine/cuda/machine/memory.hpp"
#include "engine/cuda/machine/trace_recorder.hpp"
#include "engine/cuda/machine/value.hpp"
#include "engine/trace/trace.hpp"

namespace bscope::cuda {

class NativeLaunch;

/// Where a value in local memory came from; one for each byte.
struct Shadow {
  uint32_t source = 0;
  uint8_t kind = no_kind;
  uint8_t width = 0;  ///< bytes that were stored from here on; 0: nothing begins here
  uint16_t origin = 0;
};
inline constexpr uint8_t no_mans_land = 255,  ///< the width of bytes between variables
    never_set = 254;                          ///< of bytes of a variable that nothing was stored in

/// What is wrong with a value, and with all that is computed from it.
struct ValueOrigin {
  enum OriginKind : uint8_t {
    unset,     ///< a variable was read before it was set
    overflow,  ///< signed arithmetic had a result that does not fit
  } kind = unset;
  const BytecodeFunction* code = nullptr;
  const BytecodeInstruction* step = nullptr;  ///< that declares or loads the variable; that overflowed
  uint32_t line = 0;                          ///< of the first use; of the arithmetic. 0: not used yet
  uint32_t block = 0;                         ///< of the first thread, by its number, that came to it
  int thread = 0;
  uint64_t a = 0, b = 0;    ///< operands of the arithmetic there
  bool told = false;        ///< it has had an effect
  bool in_finding = false;  ///< that effect is a finding, which tells of it
};

/// A call that has not returned.
struct Frame {
  const BytecodeFunction* code = nullptr;
  int32_t next = 0;        ///< step
  uint32_t registers = 0;  ///< where its own begin
  uint32_t site = 0;       ///< the line of the call, in the kernel's own file
  ir::Operand to = -1;     ///< the caller's register for the result
  uint64_t local = 0;      ///< bytes of local memory before it
  uint32_t loops = 0;      ///< that its callers are in
};

/// What a thread needs while it runs; taken over from one that has ended.
struct Room {
  std::vector<Frame> frames;
  std::vector<Value> registers;
  std::vector<uint8_t> local;
  std::vector<Shadow> shadow;
  ThreadRounds rounds;
};

/// What the lanes of a warp have of two matrices that they multiply.
struct MatrixLanes {
  static constexpr size_t most = 16;  ///< elements of a lane
  struct Lane {
    std::array<Value, most> a, b;
  };
  std::array<Lane, size_t(warp_size)> lanes;
};

/// What the threads of a block do together beyond what the executor knows.
struct BlockState {
  /// __syncthreads_count and its like: the latest two barriers, which alone can be pending.
  struct Vote {
    int number = -1, yes = 0, no = 0;
  };
  std::array<Vote, 2> votes;
  /// Lanes that come to the same call at the same time.
  struct Gathering {
    uint32_t arrived = 0, left = 0, lanes = 0;
  };
  std::map<std::pair<int, const BytecodeInstruction*>, Gathering> gatherings;  ///< by warp and call
  std::map<std::pair<int, int>, MatrixLanes> matrices;  ///< by warp, and of which of two products in a row
  std::vector<std::vector<uint64_t>> shared;  ///< shared arrays, where the executor does not keep them
  int ended = 0;                              ///< threads
  std::array<std::pair<int, uint32_t>, 2> barrier_lines = {};  ///< of the latest two barriers: number, line
  int most_barriers = 0;                                       ///< that a thread has come to
  int fewest_barriers_at_end = 1 << 30;  ///< the same, of a thread that reached the kernel's end
  bool begun = false;
  NativeLaunch* native = nullptr;  ///< its threads run natively
  BlockRounds rounds;              ///< of its threads that have ended
};

/// "row * 100000000 in line 7 does not fit an int: in thread 22 of block 0 it would be 2200000000", without
/// an end.
Message overflow_message(const ValueOrigin&);
/// "row * 100000000"; empty: it cannot be said.
std::string overflowing_text(const ValueOrigin&);

/// An access outside of an array by an index that is bounded by the array's bytes, as if they were cells.
struct StrayAccess {
  uint32_t line = 0;
  const Memory* memory = nullptr;
  int64_t index = 0;
};

/// How the source says that an atomic orders a block's threads only, and all: "atomicAdd_block", "atomicAdd".
struct ScopeNames {
  std::string of_block, of_all;
};

/// A launch that a kernel has asked for (interpreter_children.cpp).
struct ChildLaunch {
  enum Stream : uint8_t { default_stream, other, fire_and_forget, tail };
  /// An argument as Interpreter::Given has it: a scalar, or the bytes of a struct.
  struct Argument {
    uint64_t bits = 0;
    std::vector<std::byte> by_value = {};
  };
  const ir::Function* kernel = nullptr;
  Extent grid, block;
  uint64_t dynamic_shared = 0;
  Stream stream = default_stream;
  uint64_t stream_handle = 0;  ///< of a stream that the kernel made
  std::vector<Argument> arguments = {};
  uint32_t parent_block = 0, line = 0;
  int parent_thread = 0;
  size_t number = 0;  ///< among its parent's children, in the order of the launches
};

/// What a grid touches after it has launched a child.
struct AccessBesideChildren {
  const Memory* memory = nullptr;
  uint64_t offset = 0;
  uint32_t bytes = 0, line = 0, block = 0;
  int thread = 0;
  Footprint::Kind kind = Footprint::read;
  size_t children = 0;  ///< that had been launched
};

struct LaunchState {
  LaunchState(const Limits& l, BytecodeProgram& p, Memories& m, TraceRecorder& r)
      : limits(l), program(p), memories(m), recorder(r) {}

  const Limits& limits;
  BytecodeProgram& program;
  Memories& memories;
  TraceRecorder& recorder;
  Extent grid, block;
  int file = -1;      ///< the kernel's own: of BytecodeProgram::files
  uint32_t site = 0;  ///< the line there that a kernel in another file was launched by; 0: none
  std::string file_name() const { return file < 0 ? std::string() : program.files()[size_t(file)]; }
  uint64_t number = 0;  ///< of all launches, from 1
  bool quiet = false;   ///< runs, and writes nothing down
  bool cooperative = false;
  Footprint* early_footprint = nullptr;  ///< before cudaGridDependencySynchronize(); nullptr: not collected
  Footprint* footprint = nullptr;        ///< nullptr: it is not collected
  uint32_t first_block = 0;              ///< that of the executor's block 0
  std::vector<std::unique_ptr<Memory>> shared;     ///< arrays, as the kernel declares them
  std::vector<const ir::GlobalVariable*> globals;  ///< which each of them is
  std::vector<bool> cut_at_first;       ///< its cells were known at the launch, and all threads declare it so
  std::vector<int16_t> shared_by_zone;  ///< which array lies in a zone of addresses; -1: none

  /// Which shared array an address points into or near to; -1: none.
  int shared_at(uint64_t address) const {
    const uint64_t zone = (address - ir::shared_base) >> ir::shared_shift;
    return zone < shared_by_zone.size() ? shared_by_zone[zone] : -1;
  }

  /// A block's, from when its first thread begins until its last has ended.
  BlockState& block_state(int number) {
    if (number != latest_number_ || !latest_) {
      latest_number_ = number;
      latest_ = &blocks_[number];
    }
    return *latest_;
  }
  void forget(int number) {
    latest_ = nullptr;
    blocks_.erase(number);
  }
  void forget_blocks() {
    latest_ = nullptr;
    blocks_.clear();
  }

  Extent cluster;  ///< blocks that run together
  /// Where the shared arrays of blocks begin, by the block's number; none: it has ended. Of clusters alone.
  std::map<uint32_t, std::vector<uint8_t*>> shared_of_blocks;
  /// Where blocks use each other's shared memory and the launch is shown: each shared array of all blocks,
  /// one behind the other, as an array of the trace. Empty: each block has its own, which the executor keeps.
  std::vector<Memory*> cluster_arrays;

  // ---- what its kernel launches
  int depth = 0;                      ///< launches above this one
  std::vector<ChildLaunch> children;  ///< that have not run
  size_t launched = 0;                ///< all of them
  std::vector<AccessBesideChildren> beside_children;
  /// Runs those that a block has launched, now.
  std::function<void(class Interpreter&, uint32_t line)> await_children;
  uint64_t handles = 0;  ///< streams and events that threads have made

  std::vector<Room> rooms;
  std::string printed;
  /// What Barrierscope cannot run and a thread came to; empty: nothing.
  Message unsupported;
  uint32_t unsupported_line = 0;
  LaunchOutcome::Fault fault_kind = LaunchOutcome::none;  ///< of the first thread
  std::vector<ValueOrigin> origins;                       ///< Value::origin is the number, from 1
  std::map<const BytecodeInstruction*, uint16_t> origin_of;
  std::vector<Finding> findings;  ///< those that end no thread
  std::vector<StrayAccess> strays;
  std::map<int, LoopRounds> loop_rounds;              ///< of blocks that have ended, for BlockRun::rounds
  std::map<uint32_t, std::string> library_functions;  ///< that threads were in, for Launch::phases
  std::set<uint32_t> lines_met_by_few;  ///< of barriers to which threads did not come that had ended
  uint32_t refused_malloc_line = 0;     ///< where malloc() gave a null pointer; 0: nowhere
  /// Blocks whose threads met at barriers of several lines, or reached the kernel's end without a barrier
  /// that others came to.
  std::set<int> uneven_blocks;
  /// What atomics were made of a cell, by address; from the first narrow one on.
  struct AtomicScope {
    enum Width : uint8_t { of_thread, of_block, of_all };
    uint32_t block;  ///< that made the first one
    int thread;
    std::array<bool, 3> writes = {}, reads = {};  ///< by width
  };
  std::unordered_map<uint64_t, AtomicScope> atomic_scopes;
  ScopeNames narrow_atomic;                ///< of the last narrow atomic
  std::vector<const Memory*> told_scopes;  ///< arrays with a finding
  std::vector<const Memory*> told_stale;   ///< the same, of texels that the launch has changed
  bool went_wrong_alone = false;           ///< in a block that ran in one fiber
  bool faulted = false;                    ///< a thread was ended, as the GPU would have ended the launch
  uint64_t snapshot_bytes = 0;
  uint64_t steps = 0;        ///< of threads that have ended
  bool has_effects = false;  ///< beyond what it leaves in memory: it printed, or asked for the time
  bool changed_memory = false;

 private:
  std::unordered_map<int, BlockState> blocks_;
  int latest_number_ = 0;
  BlockState* latest_ = nullptr;  ///< of that number: threads of a block begin one after the other
};

}  // namespace bscope::cuda
