#include "engine/trace/places.hpp"

namespace bscope {

std::string size_text(const std::optional<Extent>& extent, int count) {
  if (!extent || extent->dimensions() == 1) return std::to_string(count);
  std::string s = std::to_string(extent->x) + " x " + std::to_string(extent->y);
  if (extent->dimensions() == 3) s += " x " + std::to_string(extent->z);
  return s;
}

}  // namespace bscope
