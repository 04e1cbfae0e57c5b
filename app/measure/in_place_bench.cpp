#include "app/measure/in_place_bench.hpp"

#include <algorithm>
#include <utility>

#include "app/run/own_program.hpp"
#include "app/run/target.hpp"
#include "app/words/words.hpp"
#include "engine/cuda/toolchain/program.hpp"

namespace bscope {
namespace {

Message not_compiled(const std::vector<cuda::Diagnostic>& all) {
  const auto first = std::ranges::find(all, cuda::Diagnostic::error, &cuda::Diagnostic::severity);
  return message("nvcc does not compile it: {}", first == all.end() ? Message() : with_place(*first));
}

}  // namespace

InPlaceBench::InPlaceResult InPlaceBench::made(const Target& target, const cuda::GpuTools& tools,
                                               const std::function<void(int)>& tell) {
  InPlaceResult o{target.file, {}, {}};
  try {
    if (!may_run(target.file)) throw NotAllowed(message("nobody has said that {} may run", target.file));
    cuda::Program program = target.program;
    if (program.files.empty()) program.files = {target.file};
    cuda::MeasuredInPlace m =
        measure_in_place(program, tools, {.tell = [&](const cuda::InPlaceProgress& p) { tell(p.run); }});
    if (!m.compiled) {
      o.error = not_compiled(m.diagnostics);
      return o;
    }
    o.result = std::move(m.result);
    const OpenedRun on_cpu = open_now(target);
    compare_with_cpu(*o.result, *on_cpu.run, *on_cpu.program);
  } catch (const std::exception& e) {
    if (o.result)
      o.result->notes.emplace_back(message("not compared with a run on the CPU: {}", message_of(e)));
    else
      o.error = message_of(e);
  }
  return o;
}

void InPlaceBench::measure(const Target& target, const std::function<void()>& changed) {
  if (measuring()) return;
  ++version_;
  *run_ = 0;
  outcomes_[target.file].error = {};
  work_.start(
      [target, tools = tools, run = run_, changed] {
        return made(target, tools, [&](int now) {
          *run = now;
          if (changed) changed();
        });
      },
      changed);
}

void InPlaceBench::stop() {
  if (work_.busy()) ++version_;
  work_.forget();
}

const cuda::InPlace* InPlaceBench::measured(const std::string& file) const {
  const auto it = outcomes_.find(file);
  return it == outcomes_.end() || !it->second.result ? nullptr : &*it->second.result;
}

Message InPlaceBench::error(const std::string& file) const {
  const auto it = outcomes_.find(file);
  return it == outcomes_.end() ? Message() : it->second.error;
}

const cuda::InPlace& InPlaceBench::opened(const std::string& path) {
  const auto it = opened_.find(path);
  return it == opened_.end() ? open(path) : it->second;
}

const cuda::InPlace& InPlaceBench::open(const std::string& path) {
  cuda::InPlace p = cuda::load_in_place(path);
  ++version_;
  return opened_[path] = std::move(p);
}

uint64_t InPlaceBench::version() {
  if (std::optional<InPlaceResult> o = work_.take()) {
    ++version_;
    InPlaceResult& kept = outcomes_[o->file];
    if (!o->result) o->result = std::move(kept.result);  // the last good one stays
    kept = std::move(*o);
  }
  return version_ * 1000 + uint64_t(run()) + (measuring() ? 500 : 0);
}

}  // namespace bscope
