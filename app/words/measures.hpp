// How measured numbers are written.
#pragma once

#include <string>

namespace bscope {

/// 4,553 or 13.4 or 0.82.
std::string rate_text(double);
/// 12%, 0.43%.
std::string percent_text(double share);
std::string power_of_two(int log_n);
/// A power of two, or the number.
std::string n_text(long long);
/// 1,000 or 0.05: at an axis.
std::string number_text(double);
std::string seconds_text(double);

}  // namespace bscope
