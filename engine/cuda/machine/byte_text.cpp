#include "engine/cuda/machine/byte_text.hpp"

#include <cstdio>

namespace bscope::cuda {

std::string in_bytes(uint64_t bytes) {
  constexpr const char* units[] = {"bytes", "KB", "MB", "GB", "TB"};
  int unit = 0;
  double value = double(bytes);
  while (value >= (unit == 0 ? 10240 : 1024) && unit < 4) value /= 1024, ++unit;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 || value == double(uint64_t(value)) ? "%.0f %s" : "%.1f %s",
                value, units[unit]);
  return text;
}

}  // namespace bscope::cuda
