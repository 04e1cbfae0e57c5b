// Half precision and bfloat16 in kernels: the events, the cells, and native code beside the interpreter.
#include <gtest/gtest.h>

#include "tests/cuda/machine_support.hpp"

namespace bscope::cuda {
namespace {

using Bits = std::vector<uint16_t>;

TEST(Half, AnAdditionIsOneEventOfNumbers) {
  Device d({}, {}, "device/half.cu");
  const uint64_t a = d.array(Bits{0x2e66, 0x3c00}), b = d.array(Bits{0x3dcd, 0x3f80}), out = d.array(Bits{0}),
                 out_b = d.array(Bits{0});
  d.launch("add", {1}, {1}, a, b, out, out_b);
  EXPECT_EQ(d.content<uint16_t>(out, 1)[0], 0x3c66);
  EXPECT_EQ(d.content<uint16_t>(out_b, 1)[0], 0x3f8d);
  const Trace t = d.trace();
  d.replayed(t);
  std::vector<std::string> told;
  for (const Event& e : t.launches[0].blocks[0].events) {
    const ElementType kind = touches(e.op) ? t.arrays[e.array].kind : ElementType(e.array);
    told.push_back(std::string(name_of(e.op)) + " " + name_of(kind) + " " + text_of(kind, e.bits));
  }
  const std::vector<std::string> wanted = {
      "load half 0.0999756",    "load half 1",     "add half 1.09961",     "store half 1.09961",
      "load bfloat16 0.100098", "load bfloat16 1", "add bfloat16 1.10156", "store bfloat16 1.10156"};
  EXPECT_EQ(told, wanted);
}

TEST(Half, BytesBecomeCellsOfWhatIsCopiedIntoThem) {
  Device d({}, {}, "device/half.cu");
  d.dynamic_shared = 8;
  const uint64_t in = d.array(Bits{0x3c00, 0x4000, 0x4200, 0x4400}), out = d.array(Bits(4));
  d.launch("through_bytes", {1}, {2}, in, out);
  EXPECT_EQ(d.content<uint16_t>(out, 4), (Bits{0x4200, 0x4400, 0x3c00, 0x4000}));
  const Trace t = d.trace();
  d.replayed(t);
  EXPECT_EQ(t.launches[0].shared.at(0).kind, ElementType::f16);
}

TEST(Half, NativeCodeComputesTheSame) {
  constexpr int threads = 256;
  std::vector<std::vector<int>> results;
  int asked = 0;
  for (const bool natively : {false, true}) {
    Device d({.launch_events = 1, .native_after = 0}, {}, "device/half.cu");
    if (natively) d.machine.compile_with(compiler_here(asked));
    Bits a, b;
    for (int k = 0; k < threads; ++k) a.push_back(uint16_t(k * 257 + 3)), b.push_back(uint16_t(k * 263 + 5));
    const uint64_t da = d.array(a), db = d.array(b), out = d.array(std::vector<int>(4 * threads)),
                   sums = d.array(Bits(2));
    for (int k = 0; k < 2; ++k) d.launch("all", {4}, {threads / 4}, da, db, out, sums, sums + 2);
    results.push_back(d.content<int>(out, 4 * threads));
    for (const uint16_t sum : d.content<uint16_t>(sums, 2)) results.back().push_back(sum);
  }
  EXPECT_GT(asked, 0);
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace bscope::cuda
