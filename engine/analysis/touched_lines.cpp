#include "engine/analysis/touched_lines.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace bscope {

int asked_bytes(const std::vector<TouchedLine>& lines) {
  int bytes = 0;
  for (const TouchedLine& l : lines)
    for (const auto& s : l.sectors) bytes += std::popcount(s.asked);
  return bytes;
}

std::vector<TouchedLine> touched_lines(const WarpAccess& q) {
  std::map<uint32_t, TouchedLine> lines;
  for (const auto& lane : q.lanes) {
    const uint32_t end = lane.address + uint32_t(std::max(1, lane.bytes));
    for (uint32_t b = lane.address; b < end; ++b) {
      TouchedLine& line = lines[b / line_bytes];
      line.line = b / line_bytes;
      auto& sector = line.sectors[b / sector_bytes % sectors_of_line];
      sector.asked |= 1u << (b % sector_bytes);
      if (sector.lanes.empty() || sector.lanes.back() != lane.lane) sector.lanes.push_back(lane.lane);
    }
  }
  std::vector<TouchedLine> all;
  for (auto& [number, line] : lines) all.push_back(std::move(line));
  return all;
}

}  // namespace bscope
