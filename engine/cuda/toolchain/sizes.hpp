// Which of a program's values are sizes: what reaches an allocation, the bound of an array or a loop, or a
// launch.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "engine/cuda/toolchain/constants.hpp"

namespace bscope::cuda {

/// The byte of a text where a value begins, by the number of the text.
struct ValuePlace {
  size_t text = 0, byte = 0;
  auto operator<=>(const ValuePlace&) const = default;
};
/// Where the values of those names begin that are sizes, as `constants` finds them: a smaller value makes an
/// allocation, an array, a loop or a launch of the program smaller. A mask (`x & N`) and a divisor (`x / N`)
/// are none. Found in the text alone, without types: names are followed through assignments, macros,
/// arguments and returned values, in each function on their own where it declares them.
std::set<ValuePlace> size_values(const std::vector<NamedText>&);

}  // namespace bscope::cuda
