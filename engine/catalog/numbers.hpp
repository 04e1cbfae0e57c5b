// Numbers as people write them: typed, pasted, in files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bscope {

/// Finite numbers, separated by white space, commas, semicolons (those of Chinese as well), brackets or
/// quotes; # starts a comment. Throws UsageError that names the first word that is none and its line.
std::vector<double> parse_numbers(std::string_view text);

}  // namespace bscope
