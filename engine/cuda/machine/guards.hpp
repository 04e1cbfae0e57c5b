// Which comparison should have kept an access inside of its array.
#pragma once

#include "engine/cuda/machine/bytecode.hpp"
#include "engine/trace/message.hpp"

namespace bscope::cuda {

/// Why an index was beyond an array's end, and what to change; both empty where that is not known.
struct IndexCause {
  Message why;  ///< "i <= n in line 7 lets i = 1000 through", without an end
  Message help;
  bool bounded_by_bytes = false;  ///< it was compared with the array's number of bytes
};
/// Of an access by this step, whose address stands in that register. `registers`, `constants`: the frame's,
/// the latter behind its last. `cells`, `bytes`: of the array.
IndexCause index_cause(const BytecodeFunction&, const Value* registers, const Value* constants,
                       ir::Operand address, uint64_t cells, uint64_t bytes);

}  // namespace bscope::cuda
