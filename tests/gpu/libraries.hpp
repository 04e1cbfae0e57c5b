// What NVIDIA's libraries make of the same input on the GPU.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/simt/problem.hpp"
#include "engine/trace/trace.hpp"

namespace bscope::tests {

/// The result of CUB, and of Thrust where it has the algorithm, by the library's name; empty for a
/// combination that is not offered (operators on other types than int32). Throws NoDevice,
/// std::runtime_error.
std::map<std::string, std::vector<double>> by_libraries(Property, const Problem&);

}  // namespace bscope::tests
