// Launches, one after the other: run, written down or not, and run again where that must be.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/cuda/machine/footprint.hpp"
#include "engine/cuda/machine/inner_thread.hpp"
#include "engine/cuda/machine/interpreter.hpp"
#include "engine/cuda/machine/launch_rules.hpp"
#include "engine/cuda/machine/launch_state.hpp"
#include "engine/cuda/native/native_kernels.hpp"
#include "engine/simt/schedule.hpp"

namespace bscope::cuda {

class Launcher {
 public:
  Launcher(const Limits& limits, Schedule schedule, BytecodeProgram& p, Memories& m, TraceRecorder& r)
      : limits_(limits), schedule_(std::move(schedule)), program_(p), memories_(m), recorder_(r) {}

  /// Bytes of shared memory that a kernel declares.
  uint64_t shared_bytes(const ir::Function&) const;
  std::optional<BrokenRule> broken_rule(const LaunchRequest&) const;
  /// `print` gets what the kernel printed.
  LaunchOutcome launch(const LaunchRequest&, const std::function<void(std::string_view)>& print);
  /// A library's call begins that the runtime computes itself; it lasts until end_library_call.
  void begin_library_call(const LibraryUse&);
  /// The student's program goes on: what a library's call has changed becomes a launch of the trace.
  void end_library_call();
  /// Whether the host is inside the library's call whose launches have run; otherwise the call has ended.
  bool is_inside_library();
  /// The same of what is about to change a memory, which is the call's then.
  bool is_librarys_change(Memory&);
  /// A memory is about to be freed.
  void note_free(Memory&);
  /// The host has changed the content of some memory.
  void note_host_change() { ++changes_; }
  /// How many children may be waiting at once (cudaLimitDevRuntimePendingLaunchCount).
  void set_pending_children(uint64_t n) { pending_children_ = n; }
  const std::vector<LaunchNote>& notes() const { return notes_; }
  const std::vector<Finding>& findings() const { return findings_; }
  void locate_allocations_with(Machine::AllocatedAt f) { allocated_at_ = std::move(f); }
  void ask_caller_with(Machine::AskedCaller f) { caller_ = std::move(f); }
  /// What makes native code of kernels that run long without being shown.
  void compile_with(std::unique_ptr<NativeCompiler> c) { natives_.compile_with(std::move(c)); }
  /// The file (of BytecodeProgram::files) that each traced launch's lines belong to; -1: none.
  const std::vector<int>& files() const { return files_; }

 private:
  using Print = std::function<void(std::string_view)>;
  /// A launch as its children need it (launcher_children.cpp).
  struct Parent {
    std::string name;
    int launch = -1;  ///< in the trace; -1: it is not shown
    int depth = 0;
    std::vector<ChildLaunch> children = {};
    std::vector<AccessBesideChildren> beside_children = {};
  };
  /// A child that has run, and what it and its own children touched.
  struct EndedChild {
    const ChildLaunch* child;
    MemoryUse use;
  };
  /// What came of one attempt.
  struct Attempt {
    Launch launch;
    std::vector<Finding> findings;
    uint64_t begun = 0;  ///< blocks
    bool too_long = false, faulted = false, changed_memory = false, has_effects = false, natively = false;
    LaunchOutcome::Fault fault_kind = LaunchOutcome::none;
    std::string printed;
    Message unsupported = {};  ///< what it came to and cannot be run; empty: nothing
    uint32_t unsupported_line = 0;
    std::vector<ChildLaunch> children = {};
    std::vector<AccessBesideChildren> beside_children = {};
    const char* rest = "blocks not shown";  ///< what it is, where a part has been shown before
  };
  /// The blocks of a grid that an attempt runs: from one on, as many as these are.
  struct Blocks {
    uint64_t first = 0;
    Extent extent;
    uint64_t most_events = 0;  ///< fewer than a launch may have; 0: not fewer
    bool interpreted = false;  ///< it does not run natively
  };
  /// How a shared array is cut into cells; from the first launch that touched it on.
  struct Cut {
    ElementType kind;
    int width;
  };

  /// A call of a library's function whose launches have run, and what they changed.
  struct OpenLibraryCall {
    LibraryUse use = {};
    bool computed = false;                                ///< by the runtime
    std::map<Memory*, std::vector<uint8_t>> before = {};  ///< what their memory held at first
  };
  LaunchOutcome launch_of_library(const LaunchRequest&, const Print&);
  Attempt attempt_of_library(const LaunchRequest&, const std::vector<Interpreter::Given>&);
  void tell_of_library_findings(std::vector<Finding>);
  void open_library_call(const LibraryUse&, LaunchNote);
  bool is_librarys_own(const Memory&) const;
  void name_from_host(Memory&) const;
  void name_from_struct(const ir::FunctionParameter&, std::span<const std::byte>);
  LaunchOutcome unsupported(const LaunchRequest&, Attempt&) const;
  void forget_kept();
  LaunchOutcome launch_one(const LaunchRequest&, const std::vector<Interpreter::Given>&, const Print&,
                           Parent&);
  void run_children(Parent&, LaunchOutcome&, const Print&);
  LaunchOutcome run_child(const Parent&, const ChildLaunch&, const Print&);
  void find_races_with_parent(const Parent&, const EndedChild&);
  void find_race_of_children(const Parent&, const EndedChild&, const EndedChild&);
  void tell_of_child(const Parent&, Finding);
  void await_children(LaunchState&, Interpreter&, uint32_t line);
  Message run_inside(LaunchState&, ChildLaunch, std::string& printed);
  void note_inner_use(Footprint&) const;
  using Contents = std::vector<std::pair<Memory*, std::vector<uint8_t>>>;
  Contents contents() const;
  void adopt_accesses(const Contents& before, const std::vector<AddressRange>& read, Interpreter&,
                      uint32_t line);

  std::vector<Interpreter::Given> given(const LaunchRequest&) const;
  void for_each_pointer(
      const LaunchRequest&, const std::vector<Interpreter::Given>&,
      const std::function<void(const ir::FunctionParameter&, Memory&, uint64_t address)>&) const;
  void note_inner_pointers(const LaunchRequest&, const std::vector<Interpreter::Given>&);
  void name_arrays(const LaunchRequest&, const std::vector<Interpreter::Given>&);
  void declare_shared(LaunchState&, const LaunchRequest&);
  bool shares_in_clusters(const ir::Function&) const;
  bool declare_cluster_arrays(LaunchState&);
  void free_cluster_arrays();
  std::unique_ptr<Memory> shared_array(const ir::GlobalVariable&, uint64_t dynamic_bytes) const;
  void look_at_visible_memory();
  uint64_t bytes_of_arrays(uint64_t most_of_each) const;
  uint64_t array_bytes() const;
  uint64_t trace_bytes_with_another() const;
  bool wants_to_be_shown(const LaunchRequest&, LaunchNote&);

  Attempt attempt(const LaunchRequest&, const std::vector<Interpreter::Given>&, const Blocks&, bool quiet);
  void run(LaunchState&, const LaunchRequest&, const std::vector<Interpreter::Given>&, const Blocks&,
           Attempt&);
  void run_unseen(LaunchState&, Attempt&, const Schedule&, NativeKernels::Running&);
  void run_slices(LaunchState&, Attempt&, const Schedule&, NativeKernels::Running&);
  Attempt best_attempt(const LaunchRequest&, const std::vector<Interpreter::Given>&, LaunchNote&);
  bool show_part(const LaunchRequest&, const std::vector<Interpreter::Given>&, uint64_t blocks,
                 Attempt& rest);
  bool show_beginning(const LaunchRequest&, const std::vector<Interpreter::Given>&, Attempt& rest);
  void tell_of_rest(std::vector<Finding>, int shown_blocks);
  bool waits_for_host(const Finding&) const;
  void say_who_waits_for_whom(LaunchState&, const Attempt&, Finding&) const;
  void say_where_allocated(const LaunchState&, std::vector<Finding>&) const;
  void note_overflows(const LaunchState&);
  void note_early_returns(const LaunchRequest&, const LaunchState&, std::vector<Finding>&);
  void keep_cuts(const LaunchState&, Launch&);
  void note_native_writes();
  void restore();
  /// One like it could not be shown whole.
  bool is_known_to_be_long(const LaunchRequest&) const;
  void accept(Attempt&, const LaunchRequest&, LaunchNote&);
  static std::string key_of(const LaunchRequest&, const std::vector<Interpreter::Given>&);

  const Limits& limits_;
  Schedule schedule_;
  BytecodeProgram& program_;
  Memories& memories_;
  TraceRecorder& recorder_;
  Machine::AllocatedAt allocated_at_;
  Machine::AskedCaller caller_;
  std::set<const BytecodeInstruction*> told_overflows_;
  NativeKernels natives_{program_, limits_};
  uint64_t number_ = 0;             ///< of attempts
  uint64_t changes_ = 0;            ///< of any memory, by any writer
  std::string steady_key_;          ///< the launch that last left memory as it was
  uint64_t steady_changes_ = 0;     ///< when that was
  MemoryUse steady_use_;            ///< what it touched
  Footprint footprint_;             ///< of the launch that runs, in all its attempts
  Footprint early_footprint_;       ///< the same, before cudaGridDependencySynchronize()
  LaunchState* waiting_ = nullptr;  ///< the launch that waits for the child that runs; nullptr: none
  const LaunchState* outermost_waiter_ = nullptr;  ///< of launches that wait in one another
  std::map<int, InnerThread> inner_threads_;       ///< for children, by the depth of the launch that waits
  Footprint inner_footprint_;                      ///< of all children that it waits for
  Message inner_fault_;                            ///< of the first of them that has one
  std::set<std::pair<std::string, int>>
      told_children_;                    ///< kernels and lines that children had a finding for
  std::vector<Memory*> cluster_arrays_;  ///< of the launch that runs, in all its attempts
  int depth_ = 0;                        ///< launches above the one that runs
  uint64_t pending_children_ = 2048;
  std::map<const ir::GlobalVariable*, Cut> cuts_;
  std::map<const ir::Function*, int> shown_;
  /// Kernels and extents that have shown to be, and how many of their blocks are quick to look through.
  std::map<std::string, uint64_t> too_long_;
  std::vector<LaunchNote> notes_;
  std::vector<Finding> findings_;
  std::vector<int> files_;
  OpenLibraryCall library_;  ///< function empty: there is none
  LibraryUse last_library_ =
      {};  ///< whose launch is the trace's last, if that is number last_library_launch_
  size_t last_library_launch_ = SIZE_MAX;
};

}  // namespace bscope::cuda
