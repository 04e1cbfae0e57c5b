// Suggestions for a misspelt name.
#pragma once

#include <cstddef>
#include <string_view>

namespace bscope {

/// Letters to change, add or drop on the way from one to the other.
size_t edit_distance(std::string_view, std::string_view);

}  // namespace bscope
