// A small trace written by hand: every sort of event, two launches, two blocks, wide values.
#pragma once

#include <bit>

#include "engine/trace/trace.hpp"

namespace bscope::test {

template <class T>
std::vector<std::byte> bytes(const std::vector<T>& v) {
  const auto* p = reinterpret_cast<const std::byte*>(v.data());
  return {p, p + v.size() * sizeof(T)};
}

/// Appends a thread's log to a block.
inline void add_log(BlockRun& b, const std::vector<Event>& log) {
  if (b.first.empty()) b.first.push_back(0);
  b.events.insert(b.events.end(), log.begin(), log.end());
  b.first.push_back(uint32_t(b.events.size()));
}

/// Block of two threads: both load, add through shared memory, thread 0 writes the sum. Then a launch with a
/// double, an atomic, a shuffle and marks.
inline Trace hand_made() {
  constexpr auto i32 = uint8_t(ElementType::i32), f64 = uint8_t(ElementType::f64);
  Trace t;
  t.kernel = "test/hand-made";
  t.parameters = {{"block", "2"}, {"n", "4"}};
  t.sources = {{"kernels/test.cu", "one\ntwo\nthree\nfour \u00e9\nfive\nsix\n"}};
  t.device = "cpu";
  t.driver = "to-barrier";
  t.property = Property::reduction;
  t.arrays = {{"data", ElementType::i32, 4, 0, bytes<int>({3, 1, 7, 0})},
              {"wide", ElementType::f64, 1, 0, bytes<double>({0.5})}};
  t.output = 0;
  t.expected = bytes<int>({4});
  t.formulas = {{"adds", "n-1", 3}};

  Launch sum;
  sum.name = "sum tiles";
  sum.grid = 2;
  sum.block = 2;
  sum.shared_bytes = 8;
  sum.shared = {{"sum", ElementType::i32, 2, 0, {}}};
  sum.phases = {{hash_of("add"), "add"}};
  for (uint32_t block = 0; block < 2; ++block) {
    const std::vector<uint32_t> x = block ? std::vector<uint32_t>{7, 0} : std::vector<uint32_t>{3, 1};
    BlockRun b;
    for (uint32_t i = 0; i < 2; ++i) {
      std::vector<Event> log = {{1, Op::load, 0, x[i], 2 * block + i, 0},
                                {2, Op::store, first_shared, x[i], i, 1},
                                {3, Op::sync, 0, 0, 0, 0},
                                {3, Op::phase, 0, hash_of("add"), 0, 0}};
      if (i == 0) {
        log.push_back({4, Op::load, first_shared, x[0], 0, 0});       // 5
        log.push_back({4, Op::load, first_shared, x[1], 1, 0});       // 6
        log.push_back({4, Op::add, i32, x[0] + x[1], 5, 6});          // 7
        log.push_back({5, Op::branch, i32, x[0] + x[1], 7, 0});       // 8
        log.push_back({5, Op::store, 0, x[0] + x[1], 2 * block, 7});  // 9
      }
      add_log(b, log);
    }
    b.snapshots = bytes<uint32_t>({x[0], x[1], x[0], x[1]});
    sum.blocks.push_back(b);
  }
  sum.after = {bytes<int>({4, 1, 7, 0}), bytes<double>({0.5})};
  sum.turns = {{0, 3}, {1, 3}, {0, 9}, {1, 4}, {2, 3}, {3, 3}, {2, 9}, {3, 4}};

  Launch more;
  more.name = "more";
  more.block = 2;
  const auto half = std::bit_cast<uint64_t>(0.5), one = std::bit_cast<uint64_t>(1.0);
  BlockRun b;
  add_log(b, {{1, Op::constant, i32, 1, 0, 0},
              {1, Op::atomic_add, 0, 4, 0, 1},
              {2, Op::shuffle, i32, 1, 1, 1},
              {3, Op::load, 1, uint32_t(half), 0, 0},
              {3, Op::high, 1, uint32_t(half >> 32), 0, 0},
              {3, Op::add, f64, uint32_t(one), 4, 4},
              {3, Op::high, f64, uint32_t(one >> 32), 0, 0},
              {4, Op::store, 1, uint32_t(one), 0, 6},
              {4, Op::high, 1, uint32_t(one >> 32), 0, 0}});
  add_log(b, {{1, Op::constant, i32, 1, 0, 0},
              {2, Op::shuffle, i32, 1, 0, 1},
              {4, Op::address, 0, 1, 2, 0},
              {4, Op::together, 0, 0, 2, 0},
              {4, Op::load, 0, 1, 1, 0},
              {4, Op::load, 0, 7, 2, 0},
              {5, Op::ballot, 0, 3, 3, 1},
              {5, Op::fault, 0, 4, 4, 0}});
  more.blocks = {b};
  more.after = {bytes<int>({5, 1, 7, 0}), bytes<double>({1.0})};
  t.launches = {sum, more};
  t.findings = {{.launch = 1,
                 .thread = 1,
                 .line = 5,
                 .message = message("{} is outside {}", "data[4]", message("{} to {}", 0, 3)),
                 .kind = FindingKind::out_of_bounds,
                 .cells = {{0, 4}}}};
  return t;
}

}  // namespace bscope::test
