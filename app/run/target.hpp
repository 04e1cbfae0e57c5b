// What a run is made from.
#pragma once

#include <string>

#include "engine/catalog/catalog.hpp"

namespace bscope {

/// The run to look at: an algorithm to trace now, or a .bscope file to load.
struct Target {
  std::string file;  ///< path of a .bscope file; empty: trace `request`
  Request request;
  Device device = Device::cpu;
  Schedule schedule;
  bool is_file() const { return !file.empty(); }
  bool operator==(const Target&) const = default;
};

}  // namespace bscope
