// One thread of a launch, interpreting device code.
#pragma once

#include <array>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/machine/atomics.hpp"
#include "engine/cuda/machine/launch_state.hpp"
#include "engine/simt/cpu_thread.hpp"
#include "engine/trace/fence_part.hpp"

namespace bscope::cuda {

/// Thrown where a launch has more to write down than it may.
struct TooLong {};

/// An access: so many bytes, which are taken for that kind where nothing else says what lies there.
struct Access {
  int bytes;
  ElementType kind;
  uint32_t line;
  Op op = Op::load;
};

class Interpreter {
 public:
  Interpreter(LaunchState&, CpuThread&);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;

  /// What a kernel is called with: a scalar, or the bytes of a struct, which each thread has a copy of.
  struct Given {
    uint64_t bits = 0;
    std::span<const std::byte> by_value = {};
  };
  void run(const BytecodeFunction& kernel, const std::vector<Given>& arguments);
  /// Interprets a kernel in the thread, to its end. Nothing has to be done where an exception leaves it.
  static void run_in(LaunchState&, CpuThread&, const BytecodeFunction& kernel,
                     const std::vector<Given>& arguments);

  // ---- for native code, which leaves single steps to it (engine/cuda/native)
  /// Takes over the steps that are left; the thread's shared memory is there.
  void begin(const BytecodeFunction& left);
  const std::vector<uint8_t*>& shared() const { return shared_; }
  /// Does one of those steps on these registers.
  void do_left(int32_t step, uint32_t line, Value* registers);
  /// Local memory, and which bytes of it are a variable's, where native code keeps them.
  struct NativeLocals {
    uint8_t* bytes = nullptr;
    const uint8_t* valid = nullptr;
    uint64_t size = 0;
  };
  void show(const NativeLocals& locals) { native_ = locals; }
  void sync(uint32_t line);
  /// It has gone round loops so often: others get their turn if it `yields`, and an endless loop is ended.
  void look_up(uint64_t turns, uint64_t most, uint32_t line, bool yields);

  // ---- where it stands
  LaunchState& launch() { return launch_; }
  CpuThread& thread() { return thread_; }
  BlockState& block() { return *block_; }
  uint32_t block_number() const { return launch_.first_block + uint32_t(thread_.block()); }
  const Extent& thread_index() const { return thread_index_; }
  const Extent& block_index() const { return block_index_; }
  /// A time in cycles that goes on. For a thread that waits by it, and does nothing else, it goes faster and
  /// faster: a wait of a second would take a billion turns.
  uint64_t clock();
  const BytecodeInstruction* step() const;
  /// "Thread 3 of block 0".
  Message who() const;
  [[noreturn]] void fail(uint32_t line, Message, Message help = {},
                         CpuThread::StopScope = CpuThread::StopScope::thread,
                         FindingKind = FindingKind::other);
  /// Ends the launch where Barrierscope cannot run what stands there.
  [[noreturn]] void refuse(uint32_t line, const Message&);
  /// As `fail`, for what CUDA has an error code of its own for.
  [[noreturn]] void fail(LaunchOutcome::Fault, uint32_t line, Message, Message help = {});

  // ---- events. Each but `note` gives the value that it tells of; none tells of what is no data.
  bool quiet() const { return launch_.quiet; }
  uint32_t push(const Event&);
  uint32_t write(Event, uint64_t bits, int bytes);
  /// The event of a value; a constant is written down first.
  uint32_t named(const Value&, ElementType, uint32_t line);
  /// The same of what an atomic works with. A replay computes the atomic again from the event's bits, so a
  /// value that was cut or extended since its event gets one of its own.
  uint32_t operand_event(const Value&, ElementType, uint32_t line);
  static ElementType kind_of(const Value&, int bits, ir::NumberFormat);
  Value made(Op, const Value& a, const Value& b, uint64_t bits, ElementType in, ElementType out,
             uint32_t line);
  Value converted(const Value& from, uint64_t bits, ElementType, uint32_t line);
  void note(Op, const Value&, int bits);

  // ---- memory
  Value load(const Value& address, const Access&);
  void store(const Value& address, const Value&, const Access&);
  /// Returns what was there. `wanted`: of a comparison that holds.
  Value atomic(Atomic, const Value& address, ElementType, const Value& operand, const Value& wanted,
               uint32_t line);
  /// The next atomic orders the threads of one block only.
  void narrow_next_atomic(ScopeNames);
  /// Atomics and fences between these calls have the scope of a thread: they order nothing between threads.
  void begin_thread_scope() { thread_scope_ = true; }
  void end_thread_scope() { thread_scope_ = false; }
  /// `of`: the kind of the cells where that is not known otherwise.
  void copy(const Value& to, const Value& from, uint64_t bytes, uint32_t align, ElementType of, uint32_t line,
            Op op = Op::store);
  void fill(const Value& to, uint8_t byte, uint64_t bytes, uint32_t line, Op op = Op::store);
  /// A copy that the thread asks for and makes where it waits for the copy's group, as PTX's cp.async may.
  struct AsyncCopy {
    Value to, from;
    uint64_t bytes, zeros;  ///< behind the bytes
    uint32_t align, line;
    uint64_t barrier = 0;  ///< the address of the one that waits for it, too; 0: none
    uint64_t group = 0;
  };
  void copy_async(AsyncCopy);
  /// Ends a group of copies.
  void commit_copies() { ++copy_groups_; }
  /// Makes the copies of all groups but the latest so many.
  void await_copies(uint64_t pending);
  /// Makes all copies up to the latest one for the barrier at that address.
  void arrive_copies(uint64_t barrier);
  /// At the kernel's end: makes the copies that the thread has not waited for, and notes their lines.
  void finish_copies();
  /// So many channels of a texel, each of the access's bytes, read as one request.
  std::array<Value, 4> load_texel(const Value& address, int channels, const Access&);
  /// Says so where a texture or a surface is read in bytes that this launch has changed.
  void check_stale(uint64_t address, uint64_t bytes, uint32_t line);
  /// Bytes as they are, no data.
  uint64_t peek(uint64_t address, int bytes, uint32_t line);
  /// Whether so many bytes from there on lie in local variables.
  bool is_local_variable(uint64_t address, uint64_t bytes) const;
  /// What lies there, in local memory, is used by the host: printf shows it.
  void note_use(uint64_t address, int bytes);
  std::string text_at(uint64_t address, uint32_t line);
  /// The kind of the cells that an address points to; `otherwise` where that is not known.
  ElementType cells_at(uint64_t address, ElementType otherwise);

  // ---- children (interpreter_children.cpp)
  /// The next call of a kernel launches it: the addresses of two dim3, bytes and a stream.
  void configure_child(uint64_t grid, uint64_t block, uint64_t shared, uint64_t stream, uint32_t line);
  /// cudaGridDependencySynchronize().
  void await_grids() { has_awaited_grids_ = true; }
  /// cudaGetLastError of device code.
  uint32_t child_error(bool forget);

  // ---- the cluster (builtins_clusters.cpp)
  uint32_t cluster_rank() const;
  /// A pointer into shared memory as the block of that rank would have it.
  uint64_t in_block_of_cluster(uint64_t address, uint32_t rank, uint32_t line);

  // ---- others
  int next_vote() { return votes_++; }
  int next_matrix() { return matrices_++; }
  /// The lanes of its warp that are at this call, too.
  uint32_t lanes_here(uint32_t line);
  void note_barrier();
  void fence(Scope, uint32_t line, FencePart = FencePart::whole);
  /// It did what another thread or the host can see.
  void note_effect() { ++effects_; }

 private:
  /// A place in memory that others see too.
  struct MemoryReference {
    Memory* memory;
    uint64_t offset;
    uint8_t* shared;  ///< of shared memory, where it begins; else nullptr
    uint8_t id;
    bool traced;
  };

  void enter(const BytecodeFunction&, uint32_t site, ir::Operand to);
  void declare_shared();
  uint64_t put_by_value(std::span<const std::byte>);
  void walk();
  bool step_once(const BytecodeInstruction&, uint32_t line);
  void end_endless(uint64_t most, uint32_t line);
  void go(int32_t to, LoopJump, uint32_t line);
  void pass(LoopJump);
  bool ret(const BytecodeInstruction&);
  void call(const BytecodeInstruction&, uint32_t line);
  void call_builtin(const BytecodeInstruction&, uint32_t line);
  void launch_child(const ir::Function&, const Call&, uint32_t line);
  ChildLaunch::Argument child_argument(const ir::FunctionParameter&, const Value&, uint32_t line);
  bool can_launch(const ChildLaunch&, uint32_t line);
  void note_beside_children(const Memory&, uint64_t offset, uint32_t bytes, Footprint::Kind, uint32_t line);
  void look_around(uint32_t line);
  bool has_not_moved();

  const Value& get(ir::Operand o) const { return (o >= 0 ? registers_ : constants_)[o]; }
  Value& set(ir::Operand o) { return registers_[o]; }
  uint32_t line_of(const BytecodeInstruction& s) const {
    return s.line && s.file == launch_.file ? s.line : site_;
  }
  void settle();

  void local(const BytecodeInstruction&, uint32_t line);
  Value address(const BytecodeInstruction&);
  Value index(const BytecodeInstruction&);
  template <ir::ComputeOp, class Semantics>
  void compute(const BytecodeInstruction&, uint32_t line, Semantics);
  Value logged(const ir::ComputeInstruction&, const BytecodeInstruction&, const Value& a, const Value& b,
               uint64_t bits, uint32_t line);
  Value event_of(const ir::ComputeInstruction&, const BytecodeInstruction&, const Value& a, const Value& b,
                 uint64_t bits, uint32_t line);
  void select(const BytecodeInstruction&);
  void branch(const BytecodeInstruction&, uint32_t line);
  void switch_(const BytecodeInstruction&, uint32_t line);
  void element(const BytecodeInstruction&, uint32_t line);
  void library(const BytecodeInstruction&, uint32_t line);
  bool is_in_library() const { return library_.depth != 0; }
  // ---- what is wrong with values (interpreter_origins.cpp)
  uint16_t origin_at(ValueOrigin::OriginKind, const BytecodeInstruction&);
  Value unset(const BytecodeInstruction&);
  uint16_t overflowed(const BytecodeInstruction&, uint64_t a, uint64_t b, uint32_t line);
  /// The origin of what is computed from two values.
  uint16_t carried(const Value& a, const Value& b, uint32_t line);
  /// A value of that origin steers the program, or is written where other threads see it.
  void takes_effect(uint16_t origin, uint32_t line);
  /// Says, behind a message, which line of the student's own header the thread is at, if it is in one.
  Message with_header(Message) const;
  /// The access at hand as the student's function makes it: a frame of his, and the register of the address.
  struct AccessFrame {
    const BytecodeFunction* code;
    const Value *registers, *constants;
    ir::Operand address;
  };
  AccessFrame access_frame() const;
  std::string local_cell(uint64_t address) const;
  bool is_ours(const BytecodeFunction&) const;
  void misaligned(uint64_t address, uint64_t bytes, bool writes, uint32_t line);
  void check_scope(const MemoryReference&, uint64_t address, bool writes, uint32_t line);
  void tell_scope(const MemoryReference&, const LaunchState::AtomicScope& before, uint32_t line);
  /// Whether the kernel ends here by a `return` before its end.
  bool returns_early() const;
  void load_step(const BytecodeInstruction&, uint32_t line);
  void store_step(const BytecodeInstruction&, uint32_t line);
  void atomic_rmw(const BytecodeInstruction&, uint32_t line);
  void compare_exchange(const BytecodeInstruction&, uint32_t line);
  [[noreturn]] void unsupported(const BytecodeInstruction&, uint32_t line);
  [[noreturn]] void unreachable(uint32_t line);

  static bool is_local(uint64_t address) {
    return address >> ir::kind_shift == ir::local_base >> ir::kind_shift;
  }
  uint64_t local_offset(uint64_t address, uint64_t bytes, uint32_t line);
  uint8_t* local_bytes() { return native_.bytes ? native_.bytes : room_.local.data(); }
  bool all_unset(uint64_t at, uint64_t bytes) const;
  Value load_local(uint64_t address, const Access&);
  void store_local(uint64_t address, const Value&, const Access&);
  MemoryReference spot(const Value& address, const Access&, bool writes);
  uint32_t block_of_cluster(uint32_t rank) const;
  /// As memory_of, for shared memory of another block; nullptr: that block does not run.
  Memory* memory_of_cluster(uint64_t address, uint64_t& offset, uint8_t*& shared);
  Memory* cluster_array(size_t which, uint32_t block, uint64_t& offset);
  [[noreturn]] void no_such_block(uint64_t address, uint32_t line);
  Memory* memory_of(uint64_t address, uint64_t& offset, uint8_t*& shared, uint8_t& id);
  /// Whether the function at hand calls through what is in that register.
  bool calls_through(ir::Operand) const;
  [[noreturn]] void nobodys(const Value& address, bool writes, uint32_t line);
  [[noreturn]] void beyond(const Memory&, uint8_t id, bool traced, const Value& address, uint64_t offset,
                           bool writes, uint32_t line);
  void check_written(Memory&, uint64_t offset, uint32_t line);
  void keep(Memory&) const;
  void check_alignment(const Value& to, const Value& from, uint32_t align, uint32_t line);
  struct CopiedCells {
    uint64_t bytes;  ///< of each
    ElementType kind;
  };
  CopiedCells copied_cells(const Value& to, const Value& from, uint64_t bytes, ElementType of);
  void arrive();
  void perform(const AsyncCopy&);
  static uint8_t* bytes_of_spot(const MemoryReference& s) { return s.shared ? s.shared : s.memory->data(); }
  /// One access of one cell: `act` changes its bytes, if at all, and gives the value to remember.
  template <class Act>
  Value cell(const MemoryReference&, uint64_t offset, const Access&, uint32_t address_source, uint32_t from,
             Act act);
  void turn(const MemoryReference&, uint64_t offset, const Access&);
  template <class Act>
  Value touch(const MemoryReference&, uint64_t offset, const Access&, uint32_t address_source, uint32_t from,
              Act act);
  void watch_spin(const MemoryReference&, const Event&, uint64_t index, uint64_t seen);
  Value atomic_local(Atomic, uint64_t address, const Access&, const Value& operand, const Value& wanted);
  Value atomic_cell(Atomic, const MemoryReference&, const Access&, const Value& address, const Value& operand,
                    const Value& wanted);
  Value exchange_cells(Atomic, const MemoryReference&, const Access&, const Value& address,
                       const Value& operand, const Value& wanted);
  Value gather(const MemoryReference&, const Access&, uint32_t address_source);
  void scatter(const MemoryReference&, const Access&, uint32_t address_source, const Value&);
  void together(const MemoryReference&, int cells, uint32_t line);

  LaunchState& launch_;
  CpuThread& thread_;
  BlockState* block_;
  Extent thread_index_, block_index_;
  Room room_;
  std::vector<uint8_t*> shared_;
  std::vector<uint8_t> shared_id_;

  // of the frame at hand
  Value* registers_ = nullptr;
  const Value* constants_ = nullptr;  ///< behind the last
  const BytecodeInstruction* steps_ = nullptr;
  int32_t next_ = 0;
  uint32_t site_ = 0;
  uint32_t loops_ = 0;  ///< that its callers are in
  uint64_t local_ = 0;  ///< bytes of local memory in use

  std::array<Value, 8> arguments_;  ///< of the builtin that is called
  NativeLocals native_;

  std::list<AsyncCopy> copies_;  ///< asked for and not made yet
  uint64_t copy_groups_ = 0;     ///< that are committed

  bool has_awaited_grids_ = false;  ///< cudaGridDependencySynchronize() was called
  ChildLaunch next_child_;          ///< its configuration
  bool has_next_child_ = false;     ///< a call of a kernel launches it
  uint32_t child_error_ = 0;        ///< a cudaError_t

  uint64_t turns_ = 0, walked_ = 0;
  int32_t last_jump_ = -1;  ///< a step of the frame at hand; -1: none since it was entered or returned to
  int barriers_ = 0;
  bool block_scope_ = false, thread_scope_ = false;
  int votes_ = 0, matrices_ = 0;

  /// The last access, for threads that wait for another thread's write.
  struct Spin {
    uint32_t line = 0, repeats = 0;
    const Memory* memory = nullptr;
    uint64_t index = 0, bits = 0;
    Event event{};
    const uint8_t* cell = nullptr;
    // at the loop's end before
    uint64_t digest = 0, effects = 0, accesses = 0;
  } spin_;
  uint64_t effects_ = 0, accesses_ = 0;

  /// The last reading of the clock, for threads that wait by it.
  struct ClockReading {
    const BytecodeInstruction* step = nullptr;
    uint64_t accesses = 0, effects = 0, repeats = 0;
    uint64_t ahead = 0, leap = 1;  ///< cycles: of the turns, and of the next reading
  } clock_;

  /// The call of a library's function that it is in.
  struct LibraryPlace {
    size_t depth = 0;   ///< of the frame that calls; 0: it is in none
    uint32_t call = 0;  ///< of BytecodeProgram::library_calls
  } library_;
  std::vector<uint32_t> library_calls_;  ///< how often it has entered each
};

}  // namespace bscope::cuda
