// Half precision and bfloat16. Each operation is one event, but a product and a sum, which are two as of
// floats.
#include <string>

#include "engine/cuda/machine/interpreter.hpp"
#include "engine/cuda/machine/kinds.hpp"
#include "engine/cuda/machine/small_operations.hpp"

namespace bscope::cuda {
namespace {

Value small_operation(Interpreter& w, const BuiltinCall& c) {
  const SmallOperation& o = small_operations[c.what];
  const auto bits = [&](size_t k) { return k < c.arguments.size() ? c[k].bits : 0; };
  const int fraction = fraction_bits(c.kind);
  const uint64_t result = o.compute(bits(0), bits(1), bits(2), fraction);
  const ElementType kind = o.result == ElementType::other ? c.kind : o.result;
  if (o.event == Op::convert) return w.converted(c[0], result, kind, c.line);
  if (o.operands == 1) return w.made(o.event, {0, 0, no_kind}, c[0], result, c.kind, kind, c.line);
  if (o.operands == 2) return w.made(o.event, c[0], c[1], result, c.kind, kind, c.line);
  const uint64_t product = bscope_small_mul(bits(0), bits(1), 0, fraction);
  const Value p = w.made(Op::mul, c[0], c[1], product, c.kind, c.kind, c.line);
  return w.made(o.event, p, c[2], result, c.kind, kind, c.line);
}

}  // namespace

void add_small_floats(Builtins& all) {
  for (const auto& [suffix, kind] : small_kinds)
    for (uint8_t k = 0; k < uint8_t(std::size(small_operations)); ++k)
      all.add("__bscope_" + std::string(small_operations[k].name) + "_" + suffix,
              {small_operation, kind, k, small_operations[k].operands});
}

}  // namespace bscope::cuda
