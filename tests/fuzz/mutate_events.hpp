// Mutations that know what a trace is: nearly all of them get past the reader, so that what stands behind it
// is tried. Every fourth input is left to libFuzzer.
#pragma once

#include <algorithm>
#include <random>

#include "engine/trace/file.hpp"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace bscope::fuzz {

/// One small change somewhere in the logs, the turns or the snapshots.
inline void change(Trace& t, std::mt19937& random) {
  if (t.launches.empty()) return;
  auto below = [&](size_t n) { return n ? random() % n : 0; };
  Launch& l = t.launches[below(t.launches.size())];
  BlockRun& b = l.blocks[below(l.blocks.size())];
  const auto thread = below(size_t(l.block));
  const size_t first = b.first[thread], count = b.first[thread + 1] - first;
  const size_t at = first + below(count);
  auto shift = [&](int by) {
    for (size_t k = thread + 1; k < b.first.size(); ++k) b.first[k] = uint32_t(int64_t(b.first[k]) + by);
    l.turns.clear();  // they end at numbers of events, as rounds begin at them
    b.rounds.reset();
  };
  switch (random() % 12) {
    case 0: l.turns.clear(); break;
    case 1:
      if (l.turns.size() > 1) std::swap(l.turns[below(l.turns.size())], l.turns[below(l.turns.size())]);
      break;
    case 2:
      if (!l.turns.empty()) l.turns[below(l.turns.size())].end = uint32_t(below(count + 1));
      break;
    case 3:
      if (!b.snapshots.empty()) b.snapshots[below(b.snapshots.size())] ^= std::byte(1 + below(255));
      break;
    case 4:
      if (count) b.events.erase(b.events.begin() + ptrdiff_t(at)), shift(-1);
      break;
    case 5:
    case 6: {  // an event from anywhere, or a new one
      Event e = b.events.empty() ? Event{} : b.events[below(b.events.size())];
      if (random() % 2)
        e = {uint16_t(below(6)), Op(below(op_count)), uint8_t(below(4)), uint32_t(below(5)), 0, 0};
      if (random() % 2) e.a = uint32_t(below(6)), e.b = uint32_t(below(8));
      if (random() % 4 == 0) e.a = uint32_t(random());
      b.events.insert(b.events.begin() + ptrdiff_t(at), e);
      shift(1);
      break;
    }
    default: {
      if (!count) return;
      Event& e = b.events[at];
      switch (random() % 6) {
        case 0: e.line = uint16_t(below(7)); break;
        case 1: e.op = Op(below(op_count)); break;
        case 2: e.array = uint8_t(random() % 2 ? below(11) : first_shared + below(2)); break;
        case 3: e.bits = random() % 2 ? uint32_t(below(16)) : uint32_t(random()); break;
        case 4: e.a = random() % 4 ? uint32_t(below(12)) : uint32_t(random()); break;
        default: e.b = uint32_t(below(12)); break;
      }
    }
  }
}

}  // namespace bscope::fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  using namespace bscope;
  std::mt19937 random(seed);
  if (random() % 4) try {
      Trace t = read_trace(std::as_bytes(std::span(data, size)));
      for (auto n = 1 + random() % 6; n; --n) fuzz::change(t, random);
      const auto bytes = write_trace(t);
      if (bytes.size() <= max_size) {
        std::memcpy(data, bytes.data(), bytes.size());
        return bytes.size();
      }
    } catch (const BadFile&) {}
  size = LLVMFuzzerMutate(data, size, max_size);
  if (size >= 4) {
    const auto rest = uint32_t(size - 4);
    std::memcpy(data, &rest, 4);
  }
  return size;
}
