// What the kernels' halves on the GPU hand to the passes over a program: launches with their types rubbed
// out.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/simt/buffer.hpp"
#include "engine/simt/device.hpp"
#include "engine/simt/problem.hpp"
#include "engine/simt/stamps.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
inline namespace on_gpu {

/// Where a traced launch writes: one for each launch, in the kernel's parameters. Null pointers say what a
/// pass leaves out. The passes: dry (one thread, up to its first barrier, to learn the declared shared
/// memory), counting (no room), recording (exact room).
struct Recorder {
  struct SharedArray {
    char name[60];
    uint32_t kind;  ///< 0: unused, else 1 + ElementType
    int size, rows;
    uint32_t offset;
  };
  struct Phase {
    uint32_t hash;
    char name[124];
  };
  static constexpr int most_shared_arrays = 128, most_phases = 64;  // more is an error with a sentence
  /// What could not be kept; the host turns it into that sentence.
  enum Trouble : uint32_t {
    too_many_arrays = 1,
    too_many_phases = 2,
    name_too_long = 4,
    endless_rehearsal = 8
  };

  Event* events;          ///< all threads' logs, back to back
  const uint64_t* first;  ///< where each thread's log begins; one more at the end
  uint32_t* count;        ///< out: events of each thread
  uint32_t* barriers;     ///< out: barriers that opened, for each block
  uint32_t* strayed;      ///< threads that left by an access out of bounds, for each block
  char* snapshots;        ///< shared memory at each barrier and at the end
  const uint64_t* snapshot_first;
  uint32_t* shared_used;  ///< dry: bytes declared
  SharedArray* shared;    ///< dry
  Phase* phases;
  uint32_t* trouble;
  uint32_t shared_bytes;
  int grid, block;  ///< the real ones, in the dry pass too
  bool dry;
};

/// Where a stamped launch writes: in the kernel's parameters. Without room only the warps' own words are
/// kept.
struct Stamps {
  WarpStamps* warps;
  unsigned long long* words;
  uint32_t room;  ///< words of each warp
};

/// One launch with the kernel's types rubbed out.
struct LaunchForm {
  std::string name;
  LaunchShape shape;
  std::string file;             ///< of the kernel; empty: its algorithm's
  const void* traced_function;  ///< for its attributes; null where positions are 64-bit
  const void* untraced_function;
  std::function<void(LaunchShape, uint32_t shared_bytes, const Recorder&)> traced;  ///< empty where they are
  std::function<void(uint32_t shared_bytes, cudaStream_t)> untraced;
  /// The untraced form, which writes down when its warps came where; empty where positions are 64-bit.
  std::function<void(uint32_t shared_bytes, const Stamps&, cudaStream_t)> stamped;
  const void* stamped_function = nullptr;
  /// The untraced form, and each block's clock64() from its first instruction to its last. Empty for a kernel
  /// that does not ask for it by a function beside it: constexpr bool blocks_are_clocked(SerialInBlock).
  std::function<void(uint32_t shared_bytes, long long* cycles)> clocked;
  std::vector<int> writes;  ///< ids of the arrays it may write
};

/// How an array of a program begins.
struct ArrayInitializer {
  const void* values = nullptr;     ///< so many elements of its kind; null: zeros, or `made`
  const MadeInput* made = nullptr;  ///< a pattern that the device makes
  bool cleared = false;             ///< zeros that every run begins with: clearing them is part of its time
};

/// What a program runs on. Each pass over a program makes a new one.
class GpuMachine {
 public:
  virtual ~GpuMachine() = default;
  virtual void* allocate(const char* name, long long n, ElementType, const ArrayInitializer&) = 0;
  virtual void run(LaunchForm) = 0;
  uint8_t newest() const { return uint8_t(allocated_ - 1); }
  int multiprocessors() const { return multiprocessors_; }

 protected:
  GpuMachine() = default;
  GpuMachine(const GpuMachine&) = delete;
  int allocated_ = 0;
  int multiprocessors_ = traced_multiprocessors;
};

/// The ids of a program's input and output arrays.
struct ProgramArrays {
  int input, output;
};
/// Runs a program on the machine it is given.
using GpuProgram = std::function<ProgramArrays(GpuMachine&, const Problem&)>;

/// The programs with 64-bit positions, by their algorithms' names.
std::map<std::string, GpuProgram>& wide_programs();

/// Rehearses, counts, records. Throws NoDevice, UsageError (too little memory), std::runtime_error (CUDA).
Trace record_on_gpu(const GpuProgram&, const Problem&);
/// Takes the memory, makes or copies the input, learns the launches. For an input longer than `most_narrow`
/// the algorithm's wide program runs. Throws the same; UsageError before anything is taken.
std::unique_ptr<TimedRun> prepare_on_gpu(const std::string& algorithm, const GpuProgram&, const Problem&);
/// The input alone, in the element that the problem's parameters say (bytes where it has bins), for what
/// others do with it. Throws the same.
std::unique_ptr<TimedRun> input_on_gpu(const Problem&);

}  // namespace on_gpu
}  // namespace bscope
