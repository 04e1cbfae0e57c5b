// The machine code of the open program, made in the background on demand.
#pragma once

#include <functional>
#include <memory>

#include "app/run/async_task.hpp"
#include "engine/cuda/on_gpu/disassemble.hpp"

namespace bscope {

struct OpenedRun;
struct OwnCode;
struct Run;
struct Target;

class OwnCodeBench {
 public:
  /// Sought when they are first needed; tests hand in their own.
  std::function<cuda::Disassembler()> tools = cuda::Disassembler::of_this_machine;

  /// Of this run of the program: the first call begins to make it, and `wake` is called from another thread
  /// when it is there; null: it is made now. Until then `why_none` says that it is being made. Of another
  /// run it is made anew. Never null.
  std::shared_ptr<const OwnCode> of(const OpenedRun&, const Target&, const std::function<void()>& wake);
  /// Another number whenever `of` would give something else.
  uint64_t version();

 private:
  void take();
  std::weak_ptr<const Run> run_;
  std::shared_ptr<const OwnCode> shown_;
  uint64_t version_ = 0;
  AsyncTask<std::shared_ptr<const OwnCode>> work_;
};

}  // namespace bscope
