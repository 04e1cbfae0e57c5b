// Somebody's program, run on the terms of somebody else: who judges it says what it should compute.
#pragma once

#include <optional>
#include <string>

#include "engine/cuda/toolchain/own_program.hpp"

namespace bscope::cuda {

/// What a program should compute, as somebody else than its author states it: `out = inclusive_scan(in)`.
struct Stated {
  std::string text, file;  ///< and where it stands
  int line = 0;
};

struct Terms {
  /// What goes before the program's own comments; with an empty text nobody says what it computes.
  std::optional<Stated> stated = {};
  int shown_launches = 4;  ///< of each kernel that are traced in full
};
ProgramRun run_program(const Program&, const Schedule&, const Terms&);

}  // namespace bscope::cuda
