// The state behind CUDA's runtime API: one machine, what the program registered and allocated, what was said
// of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <new>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/cuda/machine/byte_text.hpp"
#include "engine/cuda/machine/machine.hpp"
#include "engine/cuda/runtime/api.hpp"
#include "engine/cuda/runtime/call_site.hpp"
#include "engine/cuda/runtime/errors.hpp"
#include "engine/cuda/runtime/happens_before.hpp"
#include "engine/cuda/runtime/mirrors.hpp"
#include "engine/cuda/runtime/settings.hpp"

namespace bscope::cuda {

/// What is wrong with the program's use of CUDA, and where it stands.
struct Warning {
  Message message;
  HostLine at;
  Message help = {};           ///< what to change in the source; empty where nothing is known that works
  bool follows_fault = false;  ///< it comes of a fault that ended a launch
};

/// A kernel as its host knows it, by the address of its stub.
struct Kernel {
  const ir::Function* function = nullptr;
  uint64_t most_dynamic_shared = 48u << 10;  ///< until cudaFuncSetAttribute asks for more
};

/// A __device__ or __constant__ variable as its host knows it, by the address of its shadow.
struct Symbol {
  Memory* memory = nullptr;
  size_t bytes = 0;
};

/// Memory that the program has not freed.
struct Allocation {
  uint64_t bytes = 0;
  const char* by = "";
  Stack stack;
  cudaMemPool_t pool = nullptr;  ///< of a call that allocates in a stream's order
  uint64_t number = 0;           ///< in the order of the calls, which addresses need not have
};

/// A memset of memory whose cells a kernel may show to be larger than a byte.
struct MemoryFill {
  const Memory* memory = nullptr;
  const char* by = "";
  uint8_t value = 0;
  Stack at;
};

/// There is one device, of the number 0.
inline cudaError_t check_device(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

class Runtime {
 public:
  /// The one of this process. Made when first asked for, and never unmade: programs call CUDA until their
  /// very end.
  static Runtime& get();

  /// The stack of the call at hand, or of the one that added the graph's node that runs.
  Stack here() const { return node_site ? *node_site : Stack::now(); }
  /// The line that called CUDA.
  HostLine caller() const { return students_line(here(), settings); }
  void note_allocation(uint64_t address, uint64_t bytes, const char* by, const Stack& at);
  /// Warns of the line that called CUDA; of each thing once.
  void warn(Message, Message help = {});
  /// Warns of another line.
  void warn_at(HostLine, Message, Message help = {}, bool follows_fault = false);
  /// Of what may explain a wrong result, in the line that called CUDA; of each thing once.
  void suspect(Message, Message help = {});
  /// The same as warn, as the answer of a call.
  cudaError_t warn(cudaError_t error, Message, Message help = {});

  RuntimeSettings settings;
  Machine machine;
  bool has_device_code = false;  ///< the machine, of all files: its modules are numbered as settings.devices
  ErrorState errors;
  Mirrors mirrors;
  std::unordered_map<const void*, Kernel> kernels;
  std::unordered_map<const void*, Symbol> symbols;
  std::map<uint64_t, Allocation> allocations;
  uint64_t allocated = 0;  ///< so many, whether or not they live
  std::vector<Warning> warnings;
  std::vector<Warning> likely_causes;  ///< of a wrong result: no mistakes by themselves
  std::vector<MemoryFill> fills;       ///< whose bytes make no number that a program is likely to want
  HappensBefore order;
  std::set<std::pair<int, int>> reported_races;  ///< their lines
  uint64_t watched_version = 0;                  ///< of `order`, that the host is watched by
  bool asked_for_device = false;                 ///< the program wanted to know what the GPU can do
  bool copied_to_host = false;                   ///< what kernels leave is used
  bool shares_memory = false;  ///< the host can touch some of the device's: managed, pinned, registered
  Stack latest_launch;         ///< of the host: while a kernel runs, the stack is a fiber's
  Stack broken_launch;         ///< that a fault of its kernel stopped
  Stack lost_copy;             ///< the first copy to the host that failed because of it
  cudaError_t error_of_lost_copy = cudaSuccess;
  std::atomic<double> seconds_in_launches = 0;
  const Stack* node_site = nullptr;  ///< where the graph's node that runs was added; nullptr: none runs
  std::string label = {};            ///< "graph launch 2: ", before a kernel's name in the trace

 private:
  explicit Runtime(RuntimeSettings);
};

/// While one of these lives, the program is in our code and not in the student's: time that is up waits for
/// its end.
class ApiCallGuard {
 public:
  ApiCallGuard();
  ~ApiCallGuard();
  ApiCallGuard(const ApiCallGuard&) = delete;
};

/// Ends the program: a call of CUDA's finds no memory.
[[noreturn]] void end_without_memory();

/// One call of the API that looks at its arguments even where the device is broken: `work` says what it
/// returns.
template <class Work>
cudaError_t checked_api(Work work) {
  const ApiCallGuard inside;
  Runtime& runtime = Runtime::get();
  try {
    return runtime.errors.give(work(runtime));
  } catch (const std::bad_alloc&) { end_without_memory(); }
}

/// One call of the API: `work` says what it returns, unless the device is broken.
template <class Work>
cudaError_t api(Work work) {
  return checked_api([&](Runtime& runtime) {
    const cudaError_t broken = runtime.errors.broken();
    return broken ? broken : work(runtime);
  });
}

/// The same for a call that waits for the device.
template <class Work>
cudaError_t waiting(Work work) {
  return api([&](Runtime& runtime) {
    const cudaError_t fault = runtime.errors.wait();
    return fault ? fault : work(runtime);
  });
}

/// Of streams; their work is done in the order of the calls all the same.
inline constexpr int least_priority = 0, greatest_priority = -5;
/// What the student calls a memory: the variable that its allocation went to, or the kernel's parameter;
/// empty: not known.
std::string name_in_source(Runtime&, const Memory&);
/// How messages name a memory: its name in quotes, or what it is.
Message name_of(const Memory&);
/// Registers the kernels and variables of all files now, where a static constructor uses CUDA before clang's
/// own constructors have done so. False: that has been tried before.
bool register_early();
/// The module that a handle of __cudaRegisterFatBinary stands for.
int module_of(void** handle);
/// The number of a stream in Runtime::order.
int number_of(cudaStream_t);

}  // namespace bscope::cuda
