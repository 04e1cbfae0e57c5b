// A position in a run.
#pragma once

#include <optional>

#include "engine/trace/cell_ref.hpp"

namespace bscope {

/// A position in a run, and the selected thread and cell there.
struct Moment {
  int launch = 0, block = 0, interval = 0;
  int substep = -1;             ///< within the interval: of substeps(), -1: the whole interval
  int thread = -1;              ///< followed thread (rank in the block), -1: none
  std::optional<CellRef> cell;  ///< selected cell
  int array = -1;               ///< the array that is looked at, -1: the one that the block writes most
  bool operator==(const Moment&) const = default;
};

}  // namespace bscope
