// Suggestions for a misspelt name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bscope {

/// Letters to change, add, drop or swap with their neighbour on the way from one to the other: the restricted
/// Damerau-Levenshtein distance, which edits no letter twice.
size_t edit_distance(std::string_view, std::string_view);
/// The one of these names that a typed one was probably meant to be: the nearest, where no more than a third
/// of the typed letters is wrong, or one of two. Empty: none is near.
std::string nearest_name(std::string_view typed, const std::vector<std::string>& names);

}  // namespace bscope
