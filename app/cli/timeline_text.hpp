// What the verb `timeline` prints: what a GPU said of when its warps came where.
#pragma once

#include <string>

namespace bscope {

struct Timeline;

std::string timeline_text(const Timeline&);

}  // namespace bscope
