// What the generators of curand_kernel.h need beside plain arithmetic: skips ahead, and Philox's rounds. Each
// call gives one word of a result; the last result is kept for the calls for its other words.
#include <algorithm>
#include <string>

#include "engine/cuda/machine/interpreter.hpp"
#include "engine/cuda/machine/random_sequences.hpp"

namespace bscope::cuda {
namespace {

/// The first of the arguments that is data; the result comes from it.
const Value& data_of(const BuiltinCall& c) {
  const auto data =
      std::find_if(c.arguments.begin(), c.arguments.end(), [](const Value& v) { return v.source != 0; });
  return data == c.arguments.end() ? c[0] : *data;
}

/// Word number `which` of what `make` makes of all arguments but the last, which is `which`.
template <size_t inputs, class Words, class Make>
Value word_of(Interpreter& w, const BuiltinCall& c, Make make) {
  thread_local std::array<uint64_t, inputs> latest = {};
  thread_local Words words = {};
  thread_local bool is_made = false;
  std::array<uint64_t, inputs> given = {};
  for (size_t k = 0; k < inputs; ++k) given[k] = c[k].bits;
  if (!is_made || given != latest) {
    words = make(given);
    latest = given;
    is_made = true;
  }
  const size_t which = std::min<size_t>(c[inputs].bits, words.size() - 1);
  return w.converted(data_of(c), words[which], ElementType::u32, c.line);
}

/// __bscope_xorwow_skipped(v0, v1, v2, v3, v4, count, power, which)
Value skipped_xorwow(Interpreter& w, const BuiltinCall& c) {
  return word_of<7, Xorwow::Words>(w, c, [](const std::array<uint64_t, 7>& g) {
    const int power = std::clamp(int(g[6]), 0, 127);
    return Xorwow::skipped({uint32_t(g[0]), uint32_t(g[1]), uint32_t(g[2]), uint32_t(g[3]), uint32_t(g[4])},
                           g[5], power);
  });
}

/// __bscope_philox(c0, c1, c2, c3, key0, key1, which)
Value philox_word(Interpreter& w, const BuiltinCall& c) {
  return word_of<6, std::array<uint32_t, 4>>(w, c, [](const std::array<uint64_t, 6>& g) {
    return philox({uint32_t(g[0]), uint32_t(g[1]), uint32_t(g[2]), uint32_t(g[3])},
                  {uint32_t(g[4]), uint32_t(g[5])});
  });
}

/// __bscope_mrg_skipped(s0, s1, s2, first, count, power, which)
Value mrg_word(Interpreter& w, const BuiltinCall& c) {
  return word_of<6, std::array<uint32_t, 3>>(w, c, [](const std::array<uint64_t, 6>& g) {
    return skipped_mrg({uint32_t(g[0]), uint32_t(g[1]), uint32_t(g[2])}, g[3] != 0, g[4],
                       std::clamp(int(g[5]), 0, 127));
  });
}

}  // namespace

void add_random(Builtins& all) {
  all.add("__bscope_xorwow_skipped", {skipped_xorwow, ElementType::u32, 0, 8});
  all.add("__bscope_philox", {philox_word, ElementType::u32, 0, 7});
  all.add("__bscope_mrg_skipped", {mrg_word, ElementType::u32, 0, 7});
}

}  // namespace bscope::cuda
