// A kernel that runs natively: the same threads, the same barriers, the same checks of every access.
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "engine/cuda/machine/interpreter.hpp"
#include "engine/cuda/native/emitter.hpp"
#include "engine/cuda/native/library.hpp"
#include "engine/cuda/native/thread.h"

namespace bscope::cuda {

class NativeKernel {
 public:
  /// Throws std::runtime_error if that is no library of native code.
  NativeKernel(const std::filesystem::path& library, NativeText);

  NativeLibrary::Entry entry() const { return library_.entry(); }
  bool meets() const { return text_.meets; }
  bool resumable() const { return text_.resumable; }
  size_t kept_words() const { return text_.kept_words; }
  size_t same_words() const { return text_.same_words; }
  /// Of the number of a barrier.
  uint32_t barrier_line(uint32_t barrier) const { return text_.barrier_lines.at(barrier - 1); }
  const BytecodeFunction& left() const { return text_.left; }
  const std::vector<NativeText::Site>& sites() const { return text_.sites; }
  /// The first site of a step that is left and the one behind the last.
  std::pair<int, int> sites_of(int32_t step) const { return by_step_[size_t(step)]; }

 private:
  NativeText text_;
  std::vector<std::pair<int, int>> by_step_;
  NativeLibrary library_;
};

/// One launch of it, or the part of its blocks that runs natively.
class NativeLaunch {
 public:
  NativeLaunch(const NativeKernel&, LaunchState&, const std::vector<Interpreter::Given>&, bool in_lockstep);
  static constexpr size_t most_shared_arrays = 128;
  /// Runs a thread to its end, in its fiber.
  void run(CpuThread&);
  /// Runs all threads of blocks, one after the other from barrier to barrier, in one fiber. What goes wrong
  /// is said of thread 0: the launch has to be run again to learn of whom.
  void run_blocks(CpuThread&, uint32_t first, uint32_t count);

 private:
  struct Thread;
  Thread& begin(CpuThread&);
  void run_block(Thread&);
  bool run_interval(Thread&, bscope_threads&);
  bool can_go_on();
  static void leave(bscope_thread*, int32_t step, uint32_t line);
  static void sync(bscope_thread*, uint32_t line);
  static void look(bscope_thread*, uint32_t turns, uint32_t line);
  void remember(int site, uint64_t address);

  const NativeKernel& kernel_;
  LaunchState& launch_;
  std::vector<uint64_t> given_;
  std::vector<bscope_site> sites_;
  std::vector<uint64_t> kept_, same_;  ///< of the threads of a block, where the kernel is resumable
  std::vector<uint32_t> states_;
  bool in_lockstep_;
};

}  // namespace bscope::cuda
