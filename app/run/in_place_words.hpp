// Sentences about a user's kernels that were timed in place, for the command line and the Time tab.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace bscope {

namespace cuda {
struct InPlace;
}  // namespace cuda

/// "64", "16 x 16", "8 x 8 x 4".
std::string extent_text(const std::array<uint64_t, 3>&);
/// Is its output right, what the figures mean: sentences, in the language that is spoken.
std::vector<std::string> sentences_of(const cuda::InPlace&);
/// The one on the output alone; empty where there was nothing to compare with.
std::string output_sentence(const cuda::InPlace&);

}  // namespace bscope
