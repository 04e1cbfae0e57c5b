#include "engine/analysis/equation.hpp"

#include <algorithm>
#include <cstdio>

namespace bscope {

std::string equation(const std::string& text, double value) {
  char number[32];
  std::snprintf(number, sizeof number, "%.10g", value);
  const size_t symbols = std::min(text.find(", "), text.find("\uff0c"));
  return text.substr(0, symbols) + " = " + number +
         (symbols == std::string::npos ? "" : text.substr(symbols));
}

}  // namespace bscope
