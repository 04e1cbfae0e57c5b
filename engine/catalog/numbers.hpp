// Numbers in text: typed, pasted, in files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bscope {

/// Finite numbers, separated by white space, commas, semicolons (those of Chinese as well), brackets or
/// quotes; # starts a comment. Throws UsageError that names the first word that is none and its line.
std::vector<double> parse_numbers(std::string_view text);
/// Those of a file that was read. Throws UsageError: empty, no text in UTF-8, or not a number (line
/// named).
std::vector<double> numbers_of(std::string bytes, const std::string& name);

}  // namespace bscope
