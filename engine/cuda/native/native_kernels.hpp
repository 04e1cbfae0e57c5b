// Which kernels run natively: those that have been interpreted for so long that it is worth a compiler's
// time.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>

#include "engine/cuda/native/compiler.hpp"
#include "engine/cuda/native/native_kernel.hpp"

namespace bscope::cuda {

class NativeKernels {
 public:
  NativeKernels(const BytecodeProgram& program, const Limits& limits)
      : program_(program), worth_(limits.native_after) {}
  /// Without one nothing runs natively.
  void compile_with(std::unique_ptr<NativeCompiler> compiler) { compiler_ = std::move(compiler); }
  /// It is known to be long before it begins.
  void note_long(const ir::Function& kernel) { states_[&kernel].spent += worth_; }

  /// One launch that is not shown, for as long as it runs.
  class Running {
   public:
    Running(NativeKernels&, LaunchState&, const ir::Function&, const std::vector<Interpreter::Given>&,
            bool in_lockstep);
    ~Running();
    Running(const Running&) = delete;
    /// Runs a thread, natively or by walking. All threads of a block run in the same way.
    void run(CpuThread&);
    bool natively() const { return native_.has_value(); }
    /// Whether the next blocks can run in one fiber, by run_blocks.
    bool blocks_alone();
    void run_blocks(CpuThread& t, uint32_t first, uint32_t count) { native_->run_blocks(t, first, count); }
    /// The launch begins anew, each thread in a fiber of its own, to find where something went wrong.
    void begin_anew();

   private:
    /// nullptr: it is interpreted. `compiles`: there is room on the stack to ask for native code.
    NativeLaunch* for_next_block(bool compiles);

    NativeKernels& all_;
    LaunchState& launch_;
    const BytecodeFunction& code_;
    const std::vector<Interpreter::Given>& given_;
    bool in_lockstep_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    std::optional<NativeLaunch> native_;
    bool never_alone_ = false;
  };

 private:
  using Seconds = std::chrono::duration<double>;
  static constexpr Seconds patience{10};

  struct Compilation {
    enum : uint8_t { not_yet, asked, ready, never } is = not_yet;
    Seconds spent{};  ///< interpreting it, in launches that are not shown
    int number = 0;   ///< of what was asked
    std::optional<NativeText> text;
    std::unique_ptr<NativeKernel> kernel;
  };
  /// Goes on to the next state if it is time to; `spent`: in the launch that is running.
  void go_on(Compilation&, const BytecodeFunction&, int file, Seconds spent);
  void take_answer(Compilation&, const std::filesystem::path&);
  /// A launch that is known to be long waits for the compiler.
  void wait(Compilation&, const BytecodeFunction&, int file);

  const BytecodeProgram& program_;
  Seconds worth_;
  std::unique_ptr<NativeCompiler> compiler_;
  std::map<const ir::Function*, Compilation> states_;
  int asked_ = 0;
};

}  // namespace bscope::cuda
