// memcpy, memset, and memory that kernels ask for.
#include "engine/cuda/machine/interpreter.hpp"

namespace bscope::cuda {
namespace {

Value copy(Interpreter& w, const BuiltinCall& c) {
  const uint32_t align = std::min(c.call.aligns[0], c.call.aligns[1]);
  const ElementType of = c.call.copied == ElementType::other ? ElementType::i32 : c.call.copied;
  w.copy(c[0], c[1], c[2].bits, align, of, c.line);
  return c[0];
}

Value fill(Interpreter& w, const BuiltinCall& c) {
  w.fill(c[0], uint8_t(c[1].bits), c[2].bits, c.line);
  return c[0];
}

/// To, from, bytes, how many of them are zeros, alignment.
Value copy_async(Interpreter& w, const BuiltinCall& c) {
  const uint64_t zeros = std::min(c[3].bits, c[2].bits);
  w.copy_async({c[0], c[1], c[2].bits - zeros, zeros, uint32_t(c[4].bits), c.line});
  return {};
}
/// To, from, bytes, alignment, the barrier's address.
Value copy_until_arrival(Interpreter& w, const BuiltinCall& c) {
  w.copy_async({c[0], c[1], c[2].bits, 0, uint32_t(c[3].bits), c.line, c[4].bits});
  return {};
}
Value arrive_copies(Interpreter& w, const BuiltinCall& c) {
  w.arrive_copies(c[0].bits);
  return {};
}
Value commit_copies(Interpreter& w, const BuiltinCall&) {
  w.commit_copies();
  return {};
}
Value await_copies(Interpreter& w, const BuiltinCall& c) {
  w.await_copies(c[0].bits);
  return {};
}

/// Where there is no memory left, malloc gives nullptr, as on the GPU.
Value allocate(Interpreter& w, const BuiltinCall& c) {
  w.note_effect();
  w.launch().has_effects = true;
  w.launch().recorder.note(message("Memory from malloc() in a kernel is not shown."));
  const Memory* const m =
      w.launch().memories.allocate(std::max<uint64_t>(1, c[0].bits), Placement::device, Memory::Origin::heap);
  if (!m) w.launch().refused_malloc_line = c.line;
  return {m ? m->address : 0, 0, no_kind};
}

Value give_back(Interpreter& w, const BuiltinCall& c) {
  w.note_effect();
  if (!c[0].bits) return {};
  const Memory* const m = w.launch().memories.at(c[0].bits);
  const bool ours = m && m->origin == Memory::Origin::heap;
  const Machine::Freed how = ours ? w.launch().memories.free(c[0].bits) : Machine::Freed::unknown;
  if (how == Machine::Freed::already)
    w.fail(c.line, message("{} frees memory that is free already in line {}.", w.who(), c.line));
  if (how != Machine::Freed::done)
    w.fail(c.line, message("{} frees what malloc() in a kernel did not give in line {}.", w.who(), c.line));
  return {};
}

Value nothing(Interpreter&, const BuiltinCall&) { return {}; }

}  // namespace

void add_blocks_of_memory(Builtins& all) {
  for (const std::string name : {"llvm.memcpy", "llvm.memmove", "memcpy", "memmove"})
    all.add(name, {copy, ElementType::u8, 0, 3});
  for (const std::string name : {"llvm.memset", "memset"}) all.add(name, {fill, ElementType::u8, 0, 3});
  all.add("__bscope_copy_async", {copy_async, ElementType::u8, 0, 5});
  all.add("__bscope_copy_until_arrival", {copy_until_arrival, ElementType::u8, 0, 5});
  all.add("__bscope_arrive_copies", {arrive_copies, ElementType::u8, 0, 1});
  all.add("__bscope_commit_copies", {commit_copies, ElementType::u8, 0, 0});
  all.add("__bscope_await_copies", {await_copies, ElementType::u8, 0, 1});
  for (const std::string name : {"malloc", "_Znwm", "_Znam"})
    all.add(name, {allocate, ElementType::u64, 0, 1});
  for (const std::string name : {"free", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"})
    all.add(name, {give_back, ElementType::u64, 0, 1});
  for (const std::string name : {"llvm.stacksave", "llvm.stackrestore", "llvm.donothing", "llvm.prefetch"})
    all.add(name, {nothing, ElementType::i32, 0, 0});
}

}  // namespace bscope::cuda
