// Barriers of a block and of the grid, the votes that go with them, and fences.
#include "engine/cuda/machine/interpreter.hpp"

namespace bscope::cuda {
namespace {

enum Question : uint8_t { how_many, all_of_them, any_of_them };

Value sync(Interpreter& w, const BuiltinCall& c) {
  w.sync(c.line);
  return {};
}

/// What the block's threads answer is counted before the barrier and read behind it.
Value sync_and_vote(Interpreter& w, const BuiltinCall& c) {
  const int number = w.next_vote();
  const auto vote = [&]() -> BlockState::Vote& { return w.block().votes[size_t(number) % 2]; };
  if (vote().number != number) vote() = {number, 0, 0};
  const Value& answer = c.arguments.back();  // behind the number of the barrier, where LLVM says it
  const bool yes = uint32_t(answer.bits) != 0;
  ++(yes ? vote().yes : vote().no);
  w.note(Op::escape, answer, 32);
  sync(w, c);
  switch (c.what) {
    case how_many: return {uint64_t(vote().yes), 0, no_kind};
    case all_of_them: return {uint64_t(vote().no == 0), 0, no_kind};
    default: return {uint64_t(vote().yes != 0), 0, no_kind};
  }
}

Value sync_grid(Interpreter& w, const BuiltinCall& c) {
  if (!w.launch().cooperative)
    w.fail(c.line,
           message("{} calls grid.sync() in line {}, but the launch is not cooperative.", w.who(), c.line),
           message("Launch the kernel with cudaLaunchCooperativeKernel."));
  w.note_barrier();
  w.thread().sync_grid(c.line);
  return {};
}

Value is_cooperative(Interpreter& w, const BuiltinCall&) {
  return {uint64_t(w.launch().cooperative), 0, no_kind};
}

/// `what`: the scope, and four times the part.
Value fence(Interpreter& w, const BuiltinCall& c) {
  w.fence(Scope(c.what % 4), c.line, FencePart(c.what / 4));
  return {};
}

}  // namespace

void add_barriers(Builtins& all) {
  // the last are LLVM's since 21
  for (const std::string name : {"__bscope_sync", "llvm.nvvm.barrier0", "llvm.nvvm.bar.sync",
                                 "llvm.nvvm.barrier.cta.sync.aligned.all", "llvm.nvvm.barrier.cta.sync.all"})
    all.add(name, {sync, ElementType::i32, 0, 0});
  const auto vote = [&](Question q, const std::string& ours, const std::string& llvms) {
    all.add("__bscope_sync_" + ours, {sync_and_vote, ElementType::i32, q, 1});
    all.add("llvm.nvvm.barrier0." + llvms, {sync_and_vote, ElementType::i32, q, 1});
    all.add("llvm.nvvm.barrier.cta.red." + llvms + ".aligned.all", {sync_and_vote, ElementType::i32, q, 2});
  };
  vote(how_many, "count", "popc");
  vote(all_of_them, "and", "and");
  vote(any_of_them, "or", "or");
  all.add("__bscope_sync_grid", {sync_grid, ElementType::i32, 0, 0});
  all.add("__bscope_is_cooperative", {is_cooperative, ElementType::i32, 0, 0});
  uint8_t what = 0;
  for (const std::string part : {"", "of_release_", "of_acquire_"}) {
    uint8_t of_part = what;
    for (const std::string name : {"block", "device", "system"})
      all.add("__bscope_fence_" + part + name, {fence, ElementType::i32, of_part++, 0});
    what += 4;
  }
  uint8_t scope = 0;
  for (const std::string name : {"cta", "gl", "sys"})
    all.add("llvm.nvvm.membar." + name, {fence, ElementType::i32, scope++, 0});
}

}  // namespace bscope::cuda
