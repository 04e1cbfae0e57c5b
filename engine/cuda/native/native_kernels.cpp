#include "engine/cuda/native/native_kernels.hpp"

#include <stdexcept>
#include <thread>

namespace bscope::cuda {

using Clock = std::chrono::steady_clock;

namespace {
constexpr int most_asked = 100;  // by one program; who answers expects no more
}

void NativeKernels::go_on(Compilation& s, const BytecodeFunction& code, int file, Seconds spent) {
  if (!compiler_) return;
  if (s.is == Compilation::not_yet && s.spent + spent >= worth_) {
    if (asked_ < most_asked) s.text = native_text_of(program_, code, file);
    if (s.text && s.text->meets && !NativeLibrary::can_be_left) s.text.reset();
    s.is = s.text ? Compilation::asked : Compilation::never;
    if (s.text) compiler_->ask(s.number = asked_++, s.text->text);
  }
  if (s.is != Compilation::asked) return;
  if (const auto library = compiler_->answer(s.number)) take_answer(s, *library);
}

void NativeKernels::take_answer(Compilation& s, const std::filesystem::path& library) {
  s.is = Compilation::never;
  if (library.empty()) return;
  try {
    s.kernel = std::make_unique<NativeKernel>(library, std::move(*s.text));
    s.is = Compilation::ready;
  } catch (const std::runtime_error&) {}  // then it is interpreted as ever
  s.text.reset();
}

void NativeKernels::wait(Compilation& s, const BytecodeFunction& code, int file) {
  const auto end = Clock::now() + patience;
  for (go_on(s, code, file, {}); s.is == Compilation::asked && Clock::now() < end; go_on(s, code, file, {}))
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

NativeKernels::Running::Running(NativeKernels& all, LaunchState& launch, const ir::Function& kernel,
                                const std::vector<Interpreter::Given>& given, bool in_lockstep)
    : all_(all), launch_(launch), code_(all.program_.code(kernel)), given_(given), in_lockstep_(in_lockstep) {
  all_.wait(all_.states_[&kernel], code_, launch_.file);
}

NativeKernels::Running::~Running() {
  Compilation& s = all_.states_[code_.function];
  if (!native_) s.spent += Clock::now() - began_;
}

NativeLaunch* NativeKernels::Running::for_next_block(bool compiles) {
  if (native_) return &*native_;
  if (in_lockstep_ && !NativeLibrary::can_be_left) return nullptr;  // each access waits for its turn
  Compilation& s = all_.states_[code_.function];
  if (compiles) all_.go_on(s, code_, launch_.file, Clock::now() - began_);
  if (s.is != Compilation::ready || launch_.shared.size() > NativeLaunch::most_shared_arrays) return nullptr;
  return &native_.emplace(*s.kernel, launch_, given_, in_lockstep_);
}

bool NativeKernels::Running::blocks_alone() {
  return !never_alone_ && !in_lockstep_ && for_next_block(true) &&
         !all_.states_[code_.function].kernel->meets();
}

void NativeKernels::Running::begin_anew() {
  never_alone_ = true;
  native_.reset();
}

void NativeKernels::Running::run(CpuThread& t) {
  BlockState& block = launch_.block_state(t.block());
  if (!block.begun) block.native = for_next_block(NativeLibrary::can_be_left);
  block.begun = true;
  if (block.native) return block.native->run(t);
  Interpreter::run_in(launch_, t, code_, given_);
}

}  // namespace bscope::cuda
