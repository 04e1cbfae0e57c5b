// Runs a launch on the CPU: one fiber a thread, on stacks that are mapped once and reused.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/simt/cpu_thread.hpp"
#include "engine/simt/schedule.hpp"

namespace bscope {
inline namespace on_cpu {

/// Blocks whose barriers of the grid (CpuThread::sync_grid) are for their cluster alone.
struct BlockClusters {
  std::function<int(int block)> of = {};  ///< the number of a block's cluster; empty: the grid is one
  int span = 0;                           ///< from the first of a cluster's blocks to the last, at most
};

class Executor {
 public:
  Executor();
  ~Executor();
  Executor(const Executor&) = delete;

  /// Runs `kernel` as each thread of the launch, whose name, grid and block are given (block 1..1024), and
  /// fills in the rest of the launch but `after`. What goes wrong in the kernel becomes a Finding of launch
  /// number `number`, in the words of the dialect; what the kernel throws is thrown on when all fibers have
  /// been unwound. The schedule leaves out barriers of this launch's source alone (`within`).
  void run(Launch&, int number, std::vector<Finding>&, const std::vector<ArrayInfo>& globals, const Schedule&,
           std::function<void(CpuThread&)> kernel, Dialect = Dialect::ours, BlockClusters = {});

  /// This OS thread's executor. Fibers never move to another thread.
  static Executor& here();

 private:
  friend class CpuThread;
  friend struct Log;
  friend struct ResidentBlock;

  void start(int index);
  void retire(ResidentBlock&);
  void resume(ResidentBlock&, int warp, uint32_t lanes);
  bool run_to_barrier(ResidentBlock&);
  bool step(ResidentBlock&, int warp);
  uint32_t ready_lanes(ResidentBlock&, int warp);
  static uint32_t lanes_done(ResidentBlock&, int warp);
  static bool is_looked_at(const CpuThread* warp, uint32_t lanes);
  bool settle(ResidentBlock&, int warp, bool without_returned);
  bool open_barrier(ResidentBlock&);
  void open(ResidentBlock&);
  void explain_uneven_barrier(ResidentBlock&);
  bool stuck();
  Message explain_waiting(const struct WaitingThreads&, bool loops) const;
  void explain_deadlock(ResidentBlock&);
  void schedule_all();
  bool retire_finished();
  void feed();
  void unwind();
  /// Adds the finding, with its launch, block and thread.
  void find(const CpuThread&, Finding);
  bool step_any();
  uint32_t next_number();
  const std::string& name_of_array(int id) const;
  Message who(const CpuThread&) const;
  Message who_at_start(const CpuThread&) const;

  Launch* launch_ = nullptr;
  int number_ = 0;
  Dialect dialect_ = Dialect::ours;
  std::vector<Finding>* findings_ = nullptr;
  const std::vector<ArrayInfo>* globals_ = nullptr;
  Schedule schedule_;
  BlockClusters clusters_;
  std::function<void(CpuThread&)> kernel_;
  std::exception_ptr thrown_;
  bool cancelled_ = false;
  int started_ = 0;  ///< blocks of the grid so far
  uint32_t random_ = 1, round_ = 0;
  std::vector<std::pair<size_t, size_t>> snapshots_;  ///< of each block: how many, and the bytes of each
  size_t events_ = 0;                                 ///< room given to logs so far
  uint32_t batch_ =
      0;  ///< lanes of the running warp that are still to run, before the executor is asked again
  size_t last_turns_ = 64;  ///< of the launch before: a good guess for this one
  std::vector<std::unique_ptr<ResidentBlock>> resident_, spare_;
};

}  // namespace on_cpu
}  // namespace bscope
