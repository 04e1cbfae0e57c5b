// What clang reads of a program: its own files, corrected where nvcc takes what clang does not.
#pragma once

#include <string>
#include <string_view>

#include "engine/trace/shown_text.hpp"

namespace bscope::cuda {

using bscope::as_shown, bscope::as_shown_line;

/// A text as clang takes it. Lines stay, and columns but in inline PTX.
/// - Editors make `< < < grid, block > > >` of a launch: its signs together, blanks behind them.
/// - `__shared__ alignas(16)`: alignas comes first.
/// - `%tid.x` in inline PTX: with two percent signs.
std::string as_clang_wants(std::string text);

}  // namespace bscope::cuda
