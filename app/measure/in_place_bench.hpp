// Users' own programs, timed in place on this machine's GPU in the background; and opened recordings of such.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/run/async_task.hpp"
#include "engine/cuda/on_gpu/in_place.hpp"
#include "engine/cuda/on_gpu/measure.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Target;

class InPlaceBench {
 public:
  cuda::GpuTools tools = cuda::GpuTools::of_this_machine();

  /// Measures the program, and runs it on the CPU, too, to compare both; `changed` is called from another
  /// thread whenever there is something new to show. Only after may_run (app/run/own_program.hpp). Does
  /// nothing while measuring.
  void measure(const Target&, const std::function<void()>& changed);
  void stop();
  bool measuring() const { return work_.busy() && !work_.ready(); }
  /// The run that is being timed, from 1; 0: it is being compiled.
  int run() const { return *run_; }
  int runs() const { return cuda::InPlaceOptions{}.runs; }
  /// What was measured of this program in this session; null: nothing.
  const cuda::InPlace* measured(const std::string& file) const;
  /// Why its last measurement came to nothing, one sentence; empty: it did not, or there was none.
  Message error(const std::string& file) const;
  /// A recording's file, read once. Throws BadFile.
  const cuda::InPlace& opened(const std::string& path);
  /// The same, read anew.
  const cuda::InPlace& open(const std::string& path);
  /// Takes the results of the background work. Another number whenever anything of this has changed.
  uint64_t version();

 private:
  struct InPlaceResult {
    std::string file;
    std::optional<cuda::InPlace> result;
    Message error;
  };
  static InPlaceResult made(const Target&, const cuda::GpuTools&, const std::function<void(int)>& tell);

  std::map<std::string, InPlaceResult> outcomes_;  // by the program's file
  std::map<std::string, cuda::InPlace> opened_;
  std::shared_ptr<std::atomic<int>> run_ = std::make_shared<std::atomic<int>>(0);
  uint64_t version_ = 0;
  AsyncTask<InPlaceResult> work_;
};

}  // namespace bscope
