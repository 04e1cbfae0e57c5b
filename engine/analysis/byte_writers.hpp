// The writer of each byte of a cell, where accesses are narrower than the cell.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {

/// The latest writers of the bytes of cells that were written in part since they were last written whole.
class ByteWriters {
 public:
  /// The node `id` writes the cell, which `before` wrote last (-1: none).
  void write(uint64_t cell, uint8_t bytes, int32_t id, int32_t before) {
    if (bytes == whole_cell) {
      if (!cells_.empty()) cells_.erase(cell);
      return;
    }
    const auto [it, fresh] = cells_.try_emplace(cell);
    if (fresh) it->second.fill(before);
    for (size_t k = 0; k < it->second.size(); ++k)
      if (bytes >> k & 1) it->second[k] = id;
  }
  /// The latest node that wrote one of these bytes; `latest` wrote the cell last.
  int32_t of(uint64_t cell, uint8_t bytes, int32_t latest) const {
    if (bytes == whole_cell || cells_.empty()) return latest;
    const auto it = cells_.find(cell);
    if (it == cells_.end()) return latest;
    int32_t writer = -1;
    for (size_t k = 0; k < it->second.size(); ++k)
      if (bytes >> k & 1) writer = std::max(writer, it->second[k]);
    return writer;
  }

 private:
  std::unordered_map<uint64_t, std::array<int32_t, 8>> cells_;
};

}  // namespace bscope
