#include "app/measure/own_code_bench.hpp"

#include <utility>

#include "app/run/own_code.hpp"
#include "app/run/own_program.hpp"
#include "app/run/target.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope {

void OwnCodeBench::take() {
  if (auto made = work_.take()) {
    shown_ = std::move(*made);
    ++version_;
  }
}

std::shared_ptr<const OwnCode> OwnCodeBench::of(const OpenedRun& open, const Target& target,
                                                const std::function<void()>& wake) {
  take();
  if (shown_ && run_.lock() == open.run) return shown_;
  run_ = open.run;
  ++version_;
  auto waiting = std::make_shared<OwnCode>();
  waiting->why_none = tr("nvcc is compiling this program.");
  shown_ = std::move(waiting);
  work_.start(
      [target, program = open.program, tools = tools] {
        return std::make_shared<const OwnCode>(own_code(target, *program, tools()));
      },
      wake);
  take();
  return shown_;
}

uint64_t OwnCodeBench::version() {
  take();
  return version_;
}

}  // namespace bscope
