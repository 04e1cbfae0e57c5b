#pragma once
#include <vector>

#include "engine/simt/element.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

/// The output of a trace's last launch, as numbers.
inline std::vector<double> output(const Trace& t) {
  const auto& info = t.arrays[size_t(t.output)];
  const auto& bytes = t.launches.back().after[size_t(t.output)];
  std::vector<double> v;
  for (int k = 0; k < info.size; ++k) v.push_back(number(info.kind, bytes.data() + k * bytes_of(info.kind)));
  return v;
}

}  // namespace bscope
