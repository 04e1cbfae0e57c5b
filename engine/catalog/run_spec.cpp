#include "engine/catalog/run_spec.hpp"

namespace bscope {

bool same_input(const RunSpec& a, const RunSpec& b) {
  bool same = true;
  for_each_field_of_both(a, b, [&](const char*, const auto& one, const auto& other, const Field& field) {
    if (field.input) same = same && one == other;
  });
  return same;
}

RunSpec with_input_of(RunSpec r, const RunSpec& other) {
  for_each_field_of_both(r, other, [](const char*, auto& one, const auto& of_other, const Field& field) {
    if (field.input) one = of_other;
  });
  return r;
}

}  // namespace bscope
