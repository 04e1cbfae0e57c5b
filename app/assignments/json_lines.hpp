// The line of each value in a JSON text, for error messages.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace bscope {

/// By JSON pointer ("/runs/0/seconds"), the line of the value's name, or of the value where it has none.
/// Empty for what is no JSON.
std::map<std::string, int> json_lines(std::string_view text);

}  // namespace bscope
