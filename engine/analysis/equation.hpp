// A textbook's formula, as readable text.
#pragma once

#include <string>

namespace bscope {

/// "3 x 2(n-1) = 3066, n = 512": the value of a formula beside its text (as it is, or translated), before
/// what its symbols stand for.
std::string equation(const std::string& text, double value);

}  // namespace bscope
