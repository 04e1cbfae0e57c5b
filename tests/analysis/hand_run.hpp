// A run made by hand: each call is one thing that one thread does, at once. What the executors do, in the
// order of the calls, for tests that know what must come out.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "engine/trace/fence_part.hpp"
#include "engine/trace/trace.hpp"

namespace bscope::test {

/// A value in a thread's hands: the number of the event that made it, and its bits.
struct Value {
  uint32_t source = 0;
  int32_t bits = 0;
};

/// All arrays are int32; threads are numbered through the grid.
class HandRun {
 public:
  explicit HandRun(int block, int grid = 1) : block_(block), grid_(grid) {
    trace_.kernel = "test/hand-run";
    trace_.sources = {{"kernels/test.cu", "// nothing\n"}};
    begin("launch");
  }
  /// A global array; returns its id.
  int global(const std::string& name, const std::vector<int32_t>& values) {
    ArrayInfo a{name, ElementType::i32, int(values.size()), 0, std::vector<std::byte>(values.size() * 4)};
    std::memcpy(a.initial.data(), values.data(), a.initial.size());
    trace_.arrays.push_back(a);
    memory_.push_back(values);
    return int(trace_.arrays.size()) - 1;
  }
  int shared(const std::string& name, int size) {
    Launch& l = trace_.launches.back();
    l.shared.push_back({name, ElementType::i32, size, l.shared_bytes, {}});
    l.shared_bytes += uint32_t(size) * 4;
    for (auto& block : shared_) block.emplace_back(size);
    return first_shared + int(l.shared.size()) - 1;
  }

  Value load(int t, int line, int array, int index) {
    return access(t, line, Op::load, array, index, cell(t, array, index));
  }
  Value acquire(int t, int line, int array, int index) {
    return access(t, line, Op::acquire, array, index, cell(t, array, index));
  }
  void store(int t, int line, int array, int index, Value v) {
    cell(t, array, index) = v.bits;
    access(t, line, Op::store, array, index, v.bits, v.source);
  }
  void release(int t, int line, int array, int index, Value v) {
    cell(t, array, index) = v.bits;
    access(t, line, Op::release, array, index, v.bits, v.source);
  }
  /// An atomic with a constant operand, or with a value.
  Value atomic(int t, int line, Op op, int array, int index, Value v) {
    if (!v.source) v = constant(t, line, v.bits);
    int32_t& c = cell(t, array, index);
    const int32_t old = c;
    c = after(op, old, v.bits);
    return access(t, line, op, array, index, old, v.source);
  }
  /// A compare-and-swap with a constant to expect.
  Value swap(int t, int line, int array, int index, Value expected, Value v) {
    if (!v.source) v = constant(t, line, v.bits);
    int32_t& c = cell(t, array, index);
    const int32_t old = c;
    const bool same = old == expected.bits;
    if (same) c = v.bits;
    push(t, {uint16_t(line), Op::expect, uint8_t(ElementType::i32), uint32_t(expected.bits), expected.source,
             0});
    return access(t, line, same ? Op::atomic_cas : Op::atomic_cas_failed, array, index, old,
                  same ? v.source : 0);
  }
  Value load_volatile(int t, int line, int array, int index) {
    return access(t, line, Op::load_volatile, array, index, cell(t, array, index));
  }
  void store_volatile(int t, int line, int array, int index, Value v) {
    cell(t, array, index) = v.bits;
    access(t, line, Op::store_volatile, array, index, v.bits, v.source);
  }
  void fence(int t, int line, Scope scope = Scope::device, FencePart part = FencePart::whole) {
    push(t, {uint16_t(line), Op::fence, 0, 0, uint32_t(scope), uint32_t(part)});
  }
  /// t asks for a copy; what it stores by the next `arrives` is that copy's.
  void ask_copy(int t, int line) { push(t, {uint16_t(line), Op::copy_async, 0, 0, 0, 0}); }
  /// The copy that t asked for first arrives in a cell.
  void arrives(int t, int line, int array, int index, Value v) {
    push(t, {uint16_t(line), Op::copy_arrives, 0, 0, 0, 0});
    cell(t, array, index) = v.bits;
    access(t, line, Op::store_async, array, index, v.bits, v.source);
  }
  void store_relaxed(int t, int line, int array, int index, Value v) {
    cell(t, array, index) = v.bits;
    access(t, line, Op::store_relaxed, array, index, v.bits, v.source);
  }
  Value load_relaxed(int t, int line, int array, int index) {
    return access(t, line, Op::load_relaxed, array, index, cell(t, array, index));
  }
  /// Every thread of the grid meets.
  void grid_barrier(int line) {
    for (int t = 0; t < grid_ * block_; ++t) push(t, {uint16_t(line), Op::sync_grid, 0, 0, 0, 0});
    for (int b = 0; b < grid_; ++b) snapshot(b);
  }
  Value constant(int t, int line, int32_t bits) { return compute(t, line, Op::constant, bits, {}, {}); }
  Value add(int t, int line, Value x, Value y) { return compute(t, line, Op::add, x.bits + y.bits, x, y); }
  Value mul(int t, int line, Value x, Value y) { return compute(t, line, Op::mul, x.bits * y.bits, x, y); }
  /// A conversion that keeps the bits.
  Value convert(int t, int line, Value x) { return compute(t, line, Op::convert, x.bits, x, {}); }
  Value max(int t, int line, Value x, Value y) {
    return compute(t, line, Op::max, std::max(x.bits, y.bits), x, y);
  }
  void branch(int t, int line, Value v) {
    push(t, {uint16_t(line), Op::branch, uint8_t(ElementType::i32), uint32_t(v.bits), v.source, 0});
  }
  /// The next access of t goes to an index that was computed from v.
  void address(int t, int line, int array, Value v) {
    push(t, {uint16_t(line), Op::address, uint8_t(array), uint32_t(v.bits), v.source, 0});
  }
  /// t takes what `lane` of its warp holds.
  Value shuffle(int t, int line, int lane, Value there) {
    return {push(t, {uint16_t(line), Op::shuffle, 0, uint32_t(there.bits), uint32_t(lane), there.source}),
            there.bits};
  }
  Value reduce(int t, int line, uint32_t mask, Value mine, int32_t sum) {
    return {push(t, {uint16_t(line), Op::reduce, 0, uint32_t(sum), mask, mine.source}), sum};
  }
  void together(int t, int line, int array, int cells) {
    push(t, {uint16_t(line), Op::together, uint8_t(array), 0, uint32_t(cells), 0});
  }
  /// The next access of t touches these bytes of its cell alone, a bit each.
  void part(int t, int line, int array, uint8_t bytes) {
    push(t, {uint16_t(line), Op::together, uint8_t(array), bytes, 1, 0});
  }
  void phase(int t, int line, const char* name) {
    push(t, {uint16_t(line), Op::phase, 0, hash_of(name), 0, 0});
    trace_.launches.back().phases[hash_of(name)] = name;
  }
  void sync_warp(int first, int count, int line, uint32_t mask) {
    for (int t = first; t < first + count; ++t) push(t, {uint16_t(line), Op::sync_warp, 0, 0, mask, 0});
  }
  /// Every thread of the block meets, and its shared memory is kept.
  void barrier(int line, int block = 0) {
    for (int t = block * block_; t < (block + 1) * block_; ++t)
      push(t, {uint16_t(line), Op::sync, 0, 0, 0, 0});
    snapshot(block);
  }
  void next_launch(const std::string& name) {
    finish();
    begin(name);
  }
  /// The trace; without turns it is as a GPU records it.
  Trace trace(bool turns = true) {
    finish();
    Trace t = trace_;
    if (!turns)
      for (Launch& l : t.launches) l.turns.clear();
    return t;
  }
  Trace& raw() { return trace_; }

 private:
  int block_, grid_;
  Trace trace_;
  std::vector<std::vector<Event>> logs_;
  std::vector<std::vector<int32_t>> memory_;
  std::vector<std::vector<std::vector<int32_t>>> shared_;
  bool open_ = false;

  void begin(const std::string& name) {
    Launch l;
    l.name = name;
    l.grid = grid_;
    l.block = block_;
    l.blocks.resize(size_t(grid_));
    trace_.launches.push_back(l);
    logs_.assign(size_t(grid_ * block_), {});
    shared_.assign(size_t(grid_), {});
    open_ = true;
  }
  void finish() {
    if (!open_) return;
    open_ = false;
    Launch& l = trace_.launches.back();
    for (int b = 0; b < grid_; ++b) {
      snapshot(b);
      BlockRun& run = l.blocks[size_t(b)];
      for (int i = 0; i < block_; ++i) {
        const auto& log = logs_[size_t(b * block_ + i)];
        run.first.push_back(uint32_t(run.events.size()));
        run.events.insert(run.events.end(), log.begin(), log.end());
      }
      run.first.push_back(uint32_t(run.events.size()));
    }
    for (const auto& array : memory_) {
      auto& after = l.after.emplace_back(array.size() * 4);
      std::memcpy(after.data(), array.data(), after.size());
    }
  }
  void snapshot(int block) {
    auto& bytes = trace_.launches.back().blocks[size_t(block)].snapshots;
    for (const auto& array : shared_[size_t(block)]) {
      const auto* from = reinterpret_cast<const std::byte*>(array.data());
      bytes.insert(bytes.end(), from, from + array.size() * 4);
    }
  }
  int32_t& cell(int t, int array, int index) {
    return array < first_shared ? memory_[size_t(array)][size_t(index)]
                                : shared_[size_t(t / block_)][size_t(array - first_shared)][size_t(index)];
  }
  uint32_t push(int t, const Event& e) {
    auto& log = logs_[size_t(t)];
    log.push_back(e);
    auto& turns = trace_.launches.back().turns;
    if (!turns.empty() && turns.back().thread == uint32_t(t))
      turns.back().end = uint32_t(log.size());
    else
      turns.push_back({uint32_t(t), uint32_t(log.size())});
    return uint32_t(log.size());
  }
  static int32_t after(Op op, int32_t old, int32_t v) {
    const auto a = uint32_t(old), b = uint32_t(v);
    switch (op) {
      case Op::atomic_add: return int32_t(a + b);
      case Op::atomic_sub: return int32_t(a - b);
      case Op::atomic_max: return std::max(old, v);
      case Op::atomic_min: return std::min(old, v);
      case Op::atomic_and: return old & v;
      case Op::atomic_or: return old | v;
      case Op::atomic_xor: return old ^ v;
      case Op::atomic_inc: return old >= v ? 0 : old + 1;
      case Op::atomic_dec: return old == 0 || old > v ? v : old - 1;
      default: return v;
    }
  }
  Value access(int t, int line, Op op, int array, int index, int32_t bits, uint32_t source = 0) {
    return {push(t, {uint16_t(line), op, uint8_t(array), uint32_t(bits), uint32_t(index), source}), bits};
  }
  Value compute(int t, int line, Op op, int32_t bits, Value x, Value y) {
    return {push(t, {uint16_t(line), op, uint8_t(ElementType::i32), uint32_t(bits), x.source, y.source}),
            bits};
  }
};

}  // namespace bscope::test
