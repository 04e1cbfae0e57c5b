// From the steps that are interpreted to C, which a compiler makes code of the processor's own of: one
// statement for each step, which does on bits what the interpreter does. What C cannot do (barriers, warps,
// printf, whatever goes wrong) is left to the interpreter, step by step.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/machine/bytecode.hpp"

namespace bscope::cuda {

/// A kernel and all that it calls, as C.
struct NativeText {
  /// One translation unit; its function bscope_kernel is the kernel.
  std::string text;
  /// Steps that are left to the interpreter. The operands of each are the first registers, its results those
  /// from bscope_results on.
  BytecodeFunction left;
  /// An access in the text, which remembers the memory that it found last.
  struct Site {
    int32_t step;     ///< of `left`: the access itself
    uint8_t operand;  ///< of that step: the address
    bool writes;
    uint64_t bytes;
  };
  std::vector<Site> sites;
  /// Threads of a block meet, or wait for one another: each needs a fiber of its own.
  bool meets = false;
  /// Its threads meet at barriers of the kernel itself alone. Then each is a coroutine without a stack: the
  /// kernel returns at a barrier, its live registers kept in `kept_words` words of 8 bytes for each thread,
  /// and is called again to go on from there.
  bool resumable = false;
  uint64_t kept_words = 0;
  /// Words that are the same in all threads at a barrier, kept once.
  uint64_t same_words = 0;
  /// The line of each barrier, by its number less one.
  std::vector<uint32_t> barrier_lines;
};

/// nullopt: it recurs, calls through pointers, or has more variables than a fiber's stack. `file`: whose
/// lines are the kernel's own (BytecodeProgram::files).
std::optional<NativeText> native_text_of(const BytecodeProgram&, const BytecodeFunction& kernel, int file);

/// A text that is compiled in: "thread.h", "prelude.c".
std::string_view native_text(std::string_view name);

}  // namespace bscope::cuda
