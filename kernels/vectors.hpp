// Elements that are read 16 bytes at once.
#pragma once

#include "engine/simt/kernel.hpp"

// So many of the run's elements lie in 16 bytes.
inline int width_of(const Problem& p) { return p.text("type") == "double" ? 2 : 4; }
