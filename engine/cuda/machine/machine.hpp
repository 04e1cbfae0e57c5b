// The GPU that users' own programs see: its memory, the kernels of their modules, and the launches, which
// are interpreted on the CPU executor and recorded as a trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/ir/module.hpp"
#include "engine/cuda/run_files/device_model.hpp"
#include "engine/simt/schedule.hpp"
#include "engine/trace/fields.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
/// For readers of files and messages: an enum's last value.
constexpr ElementType last_of(ElementType) { return ElementType::bf16; }
}  // namespace bscope

namespace bscope::cuda {

/// What a machine does not go beyond. What is larger is run without being written down, or refused, and said.
struct Limits {
  uint64_t memory = uint64_t(2) << 30;  ///< bytes of all arrays together
  uint64_t array_bytes = 32u << 20;     ///< of each array that the trace holds: its first ones
  uint64_t launch_events = 4u << 20;    ///< of one launch that is shown
  uint64_t launch_steps = 100'000'000;  ///< the same, of all that its threads do
  uint64_t trace_events = 8u << 20;     ///< after these no further launch is shown
  int shown_launches = 4;               ///< of each kernel
  uint64_t loop_turns = 30'000'000;     ///< of one thread
  uint32_t local_bytes = 1u << 20;      ///< of one thread
  bool unseen_alike = true;             ///< launches that are not shown run in the same order
  const DeviceModel* device = &default_device_model();  ///< that is played
  double native_after = 0.1;  ///< seconds of a kernel's launches unseen, from which on it runs natively

  /// All but the device, which has a name.
  template <class Self, class Visit>
  static void fields(Self& l, Visit&& visit) {
    visit("memory", l.memory, Field{.most = double(uint64_t(1) << 40)});
    visit("array_bytes", l.array_bytes);
    visit("launch_events", l.launch_events);
    visit("launch_steps", l.launch_steps);
    visit("trace_events", l.trace_events);
    visit("shown_launches", l.shown_launches);
    visit("loop_turns", l.loop_turns);
    visit("local_bytes", l.local_bytes, Field{.most = 64 << 20});
    visit("unseen_alike", l.unseen_alike);
    visit("native_after", l.native_after);
  }
};

/// Where an allocation lies.
enum class Placement : uint8_t {
  device,   ///< at an address that the host cannot touch: it faults there, as a host that dereferences it
            ///< would
  visible,  ///< managed or pinned memory: host and kernels use the same address
};

/// The host leaves so many bytes free before and behind memory that it places itself (Machine::allocate_at):
/// a pointer that runs into them still says whose it is.
inline constexpr uint64_t gap_of_host = 4096;

/// What a kernel may touch: an allocation, a __device__ or __constant__ variable, or a block's shared array.
struct Memory;

class NativeCompiler;
struct BrokenRule;
struct Texture;

/// Addresses from one up to another.
struct AddressRange {
  uint64_t begin = 0, end = 0;
  bool operator==(const AddressRange&) const = default;
  template <class Self, class Visit>
  static void fields(Self& r, Visit&& visit) {
    visit("begin", r.begin);
    visit("end", r.end);
  }
};

/// What a launch or a copy touches: sorted, disjoint ranges of addresses of memory.
struct MemoryUse {
  std::vector<AddressRange> read = {}, written = {};
  std::vector<AddressRange> updated = {};  ///< by atomics, which do not race with each other
  bool tells_host = false;                 ///< it tells the host of its progress while it runs
  bool empty() const { return read.empty() && written.empty() && updated.empty(); }
  bool operator==(const MemoryUse&) const = default;
  template <class Self, class Visit>
  static void fields(Self& u, Visit&& visit) {
    visit("read", u.read);
    visit("written", u.written);
    visit("updated", u.updated);
    visit("tells_host", u.tells_host);
  }
};

/// The call of a library's function on the host that a launch serves.
struct LibraryUse {
  std::string function = {};  ///< "thrust::sort"; empty: the kernel is no library's
  std::string file = {};      ///< of the call, as the debug information names it
  int line = 0;
  bool operator==(const LibraryUse&) const = default;
  template <class Self, class Visit>
  static void fields(Self& u, Visit&& visit) {
    visit("function", u.function);
    visit("file", u.file);
    visit("line", u.line);
  }
};

/// One launch as the host asked for it.
struct LaunchRequest {
  const ir::Function* kernel = nullptr;
  Extent grid, block;
  void** arguments = nullptr;   ///< one pointer for each parameter, as cudaLaunchKernel has them
  uint64_t dynamic_shared = 0;  ///< bytes of the third launch parameter
  uint64_t most_dynamic_shared = UINT64_MAX;  ///< that the host allows (cudaFuncSetAttribute)
  bool cooperative = false;                   ///< all blocks stand side by side
  bool wants_use = false;                     ///< whether LaunchOutcome::use is filled in
  LibraryUse library = {};                    ///< of a kernel of a library's
  bool begins_early = false;  ///< while what its stream did before may still run: LaunchOutcome::early_use
  Extent cluster = {};        ///< blocks that run together; one: no cluster
  std::string label = {};     ///< how the trace names the launch; empty: by the kernel's name
};

/// How a launch ended.
struct LaunchOutcome {
  enum LaunchStatus : uint8_t {
    done,
    bad_configuration,
    fault,
    unsupported,  ///< it came to what Barrierscope cannot run: nothing can be said of the program
  } code = done;
  Message message = {};  ///< what was wrong; empty when done
  /// What kind of fault, for CUDA's error codes.
  enum Fault : uint8_t { none, address, misaligned, assertion, trap, other } fault_kind = none;
  std::string file = {};  ///< where it is unsupported; empty: not known
  uint32_t line = 0;
  MemoryUse early_use = {};  ///< what threads touched before cudaGridDependencySynchronize()
  MemoryUse use = {};        ///< what it touched; of native code, the bytes that it changed
  bool printed = false;

  template <class Self, class Visit>
  static void fields(Self& o, Visit&& visit) {
    visit("code", o.code);
    visit("message", o.message);
    visit("fault_kind", o.fault_kind);
    visit("file", o.file);
    visit("line", o.line);
    visit("early_use", o.early_use);
    visit("use", o.use);
    visit("printed", o.printed);
  }
};
constexpr LaunchOutcome::LaunchStatus last_of(LaunchOutcome::LaunchStatus) {
  return LaunchOutcome::unsupported;
}
constexpr LaunchOutcome::Fault last_of(LaunchOutcome::Fault) { return LaunchOutcome::other; }

/// What became of one launch, for the report.
struct LaunchNote {
  enum TraceExtent : uint8_t {  // the first two are in the trace
    in_full,
    in_part,     ///< the first blocks of it, or its beginning: the whole has too many events
    too_many,    ///< enough launches of this kernel are shown
    too_long,    ///< it has more events than a launch may have
    trace_full,  ///< the trace has as many events as it may have
    repeated,    ///< the same launch on the same memory, which it left as it was: not run again
  };
  std::string kernel;
  Extent grid, block;
  TraceExtent shown = in_full;
  bool natively = false;        ///< some of its blocks, or all, ran as native code
  std::string symbol = {};      ///< the kernel's mangled name
  uint64_t dynamic_shared = 0;  ///< bytes of shared memory that the launch asked for

  template <class Self, class Visit>
  static void fields(Self& n, Visit&& visit) {
    visit("kernel", n.kernel);
    visit("grid.x", n.grid.x);
    visit("grid.y", n.grid.y);
    visit("grid.z", n.grid.z);
    visit("block.x", n.block.x);
    visit("block.y", n.block.y);
    visit("block.z", n.block.z);
    visit("shown", n.shown);
    visit("natively", n.natively);
    visit("symbol", n.symbol);
    visit("dynamic_shared", n.dynamic_shared);
  }
};
constexpr LaunchNote::TraceExtent last_of(LaunchNote::TraceExtent) { return LaunchNote::repeated; }

/// What is said of a line of a kernel beside the findings.
struct KernelRemark {
  Message message, help;
  std::string file;  ///< the kernel's, as the debug information names it; empty: not known
  uint32_t line = 0;
  bool operator==(const KernelRemark&) const = default;
  template <class Self, class Visit>
  static void fields(Self& r, Visit&& visit) {
    visit("message", r.message);
    visit("help", r.help);
    visit("file", r.file);
    visit("line", r.line);
  }
};

/// An index that left its array in a line because int arithmetic did not fit.
struct OverflowingIndex {
  std::string expression;  ///< that did not fit: "row * 100000000"
  std::string file;        ///< as KernelRemark's
  uint32_t line = 0;       ///< of the access
  bool operator==(const OverflowingIndex&) const = default;
  template <class Self, class Visit>
  static void fields(Self& o, Visit&& visit) {
    visit("expression", o.expression);
    visit("file", o.file);
    visit("line", o.line);
  }
};

/// A kernel's pointer into an array of the trace that is named after another one.
struct InnerPointer {
  std::string kernel, parameter, array;
  uint64_t cell = 0;  ///< of the array, which it points to
  bool operator==(const InnerPointer&) const = default;
  template <class Self, class Visit>
  static void fields(Self& p, Visit&& visit) {
    visit("kernel", p.kernel);
    visit("parameter", p.parameter);
    visit("array", p.array);
    visit("cell", p.cell);
  }
};

class Machine {
 public:
  explicit Machine(Limits = {}, Schedule = {});
  ~Machine();
  Machine(const Machine&) = delete;

  /// Kernels that run long without being shown become native code by this (engine/cuda/native).
  void compile_with(std::unique_ptr<NativeCompiler>);

  /// Where the host allocated a memory.
  struct AllocationSite {
    std::string by;  ///< "cudaMalloc"; empty: not known
    int line = 0;
    std::string variable = {};  ///< of the host, that the address went to; empty: not known
    std::string element = {};   ///< "int", of a vector of it
    std::string within = {};    ///< the library's function that allocated it; empty: the student's code did
    bool untyped = false;       ///< the variable is a void*

    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
      visit("by", s.by);
      visit("line", s.line);
      visit("variable", s.variable);
      visit("element", s.element);
      visit("within", s.within);
      visit("untyped", s.untyped);
    }
  };
  using AllocatedAt = std::function<AllocationSite(uint64_t address)>;
  /// What answers that for the memory that begins at an address, for findings.
  void locate_allocations_with(AllocatedAt);

  /// What answers which library's function the host is in, for what it does beside launches; function empty:
  /// none.
  using AskedCaller = std::function<LibraryUse()>;
  void ask_caller_with(AskedCaller);

  /// Takes a module in; its variables get their memory and first content. Returns its number.
  /// Several modules live side by side. Throws std::runtime_error.
  int load(std::string_view llvm_ir, const std::vector<std::string>& our_folders);
  /// A kernel of a module by its mangled name; nullptr if there is none.
  const ir::Function* kernel(int module, std::string_view mangled) const;
  /// A variable of a module by its mangled name; nullptr if there is none.
  Memory* variable(int module, std::string_view mangled);
  /// The variable that all modules know by this mangled name; nullptr if none has it.
  Memory* shared_variable(std::string_view mangled);

  /// New memory of so many bytes; 0: there is not so much. Its content is unwritten.
  uint64_t allocate(uint64_t bytes, Placement);
  /// Visible memory that the host keeps at an address of its own, where the machine cannot reach it: the
  /// machine has a copy. False: there is not so much, or no memory of the host can lie there.
  bool allocate_at(uint64_t address, uint64_t bytes);
  /// What the host has stored in such memory since; counts as the host's change, as it does where both share
  /// the memory.
  void take_from_host(Memory&, uint64_t offset, std::span<const std::byte>);
  enum class Freed : uint8_t { done, already, not_a_beginning, unknown };
  friend constexpr Freed last_of(Freed) { return Freed::unknown; }
  Freed free(uint64_t address);
  /// Says what lies in an allocation that no kernel has touched: cells of a kind (`other`: the first access
  /// tells), in rows, under a name (empty: none is known).
  void shape(Memory&, ElementType, int rows, const std::string& name);
  /// A new texture or surface object. Returns its number, which is never used again.
  uint64_t add_texture(Texture);
  /// Kernels that use it from now on get a finding.
  void destroy_texture(uint64_t number);
  /// Binds a reference, which is known by its variable's address.
  void bind_texture(uint64_t reference, Texture);
  void unbind_texture(uint64_t reference);
  /// The memory that an address points into or near to (freed ones too), and where; nullptr: none.
  struct MemoryLocation {
    Memory* memory = nullptr;
    int64_t offset = 0;
  };
  MemoryLocation at(uint64_t address) const;

  /// Bytes of static shared memory that each block of a kernel has.
  uint64_t shared_bytes(const ir::Function&) const;

  /// Where the source defines a kernel; line 0: not known.
  struct Definition {
    std::string file;  ///< its path, as the compiler was given it
    uint32_t line = 0;
    template <class Self, class Visit>
    static void fields(Self& d, Visit&& visit) {
      visit("file", d.file);
      visit("line", d.line);
    }
  };
  Definition definition(const ir::Function&) const;
  /// Whether a kernel stands in one of Barrierscope's own folders, as those of Thrust and CUB do.
  bool is_librarys(const ir::Function&) const;
  /// Around a call of a library that the caller computes itself: what is written between the two becomes one
  /// launch of the trace.
  void begin_library_call(const LibraryUse&);
  void end_library_call();
  /// The variables of a module in constant memory: their names, and all their bytes.
  struct ConstantMemory {
    std::vector<std::string> names;  ///< the largest first
    uint64_t bytes = 0;
    template <class Self, class Visit>
    static void fields(Self& m, Visit&& visit) {
      visit("names", m.names);
      visit("bytes", m.bytes);
    }
  };
  ConstantMemory constant_memory(int module) const;

  // What the host does with memory. Sizes have been checked: offset + bytes is inside.
  void write(Memory&, uint64_t offset, std::span<const std::byte>, const char* by);  ///< `by`: "cudaMemcpy"
  void fill(Memory&, uint64_t offset, uint64_t bytes, uint8_t value, const char* by);
  /// What lies there; counts as the way out: what was read last is the output.
  std::span<const std::byte> read(Memory&, uint64_t offset, uint64_t bytes);
  /// The same for the runtime's own needs: no way out.
  std::span<const std::byte> look(Memory&, uint64_t offset, uint64_t bytes) const;
  /// The first cells there that neither the host nor a kernel has written, as offsets of bytes; of device
  /// memory of at most 64 MB that no native code has written.
  std::optional<AddressRange> first_unset(const Memory&, uint64_t offset, uint64_t bytes) const;
  /// What malloc() in kernels may take.
  void set_heap_bytes(uint64_t);
  /// How many launches by kernels may be waiting to begin.
  void set_pending_children(uint64_t);

  /// The rule that a launch breaks (launch_rules.hpp); nullopt: none.
  std::optional<BrokenRule> broken_rule(const LaunchRequest&) const;
  /// Runs a launch. What goes wrong in the kernel becomes findings of the trace.
  LaunchOutcome launch(const LaunchRequest&);

  const std::vector<LaunchNote>& launches() const;
  /// Sentences about what is not shown, or shown in part; each once.
  std::vector<Message> notes() const;
  /// Instructions of the student's, such as PTX, that cannot be run, whether or not a thread came to them.
  struct UnsupportedCode {
    std::string file;  ///< its path, as the compiler was given it
    uint32_t line = 0;
    std::string what;  ///< the end of a sentence: "the PTX instruction mma.sync"
    bool operator==(const UnsupportedCode&) const = default;
    template <class Self, class Visit>
    static void fields(Self& c, Visit&& visit) {
      visit("file", c.file);
      visit("line", c.line);
      visit("what", c.what);
    }
  };
  /// Each line once.
  std::vector<UnsupportedCode> unsupported_code() const;
  const std::vector<Finding>& findings() const;
  /// Reads of memory that neither the host nor a kernel has written: the first one of each array.
  const std::vector<KernelRemark>& unset_reads() const;
  /// Barriers before which threads have returned.
  const std::vector<KernelRemark>& early_returns() const;
  const std::vector<OverflowingIndex>& overflows() const;
  /// Those that point to the same cell in all launches of their kernel.
  std::vector<InnerPointer> inner_pointers() const;
  /// What printf in kernels writes to; stdout unless said.
  std::function<void(std::string_view)> print;

  /// The run so far, valid in itself (bscope::validate): name "yours/NAME", launches, arrays, sources (read
  /// by `text_of` from the files that the kernels stand in). Throws if nothing was launched that is shown.
  using TextOf = std::function<Source(const std::string& file)>;
  Trace trace(const std::string& name, const TextOf&) const;
  /// The same at the program's end, in less memory: the device's is freed, and nothing can be launched
  /// any more.
  Trace last_trace(const std::string& name, const TextOf&);
  /// Checks that trace and saves it. Throws as last_trace, and SystemError.
  void save_last_trace(const std::string& name, const TextOf&, const std::filesystem::path&);

 private:
  Trace finished(Trace, const std::string& name, const TextOf&) const;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What the host may know of a memory.
struct MemoryFacts {
  std::string name;
  uint64_t address = 0, bytes = 0;
  bool freed = false, visible = false;
  int width = 0;  ///< bytes of a cell; 0: no kernel has touched it yet
  ElementType kind = ElementType::other;

  template <class Self, class Visit>
  static void fields(Self& f, Visit&& visit) {
    visit("name", f.name);
    visit("address", f.address);
    visit("bytes", f.bytes);
    visit("freed", f.freed);
    visit("visible", f.visible);
    visit("width", f.width, Field{.least = 0, .most = 16});
    visit("kind", f.kind);
  }
};
MemoryFacts facts_of(const Memory&);

}  // namespace bscope::cuda
