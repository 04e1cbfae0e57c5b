// The block sizes at which a kernel is held against its model.
#pragma once

#include <vector>

#include "engine/catalog/catalog.hpp"
#include "tests/sanitized.hpp"

namespace bscope::test {

/// Every legal one; where sanitizers make each run many times slower, the small ones and some of the others.
inline std::vector<int> blocks_to_try(const Algorithm& a) {
  std::vector<int> all = legal_blocks(a);
  if (sanitized)
    std::erase_if(all, [&](int block) {
      return block > 12 && (block < 31 || block > 33) && block % 93 != 0 && block != all.back();
    });
  return all;
}

}  // namespace bscope::test
