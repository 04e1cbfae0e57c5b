// The source lines where a run goes wrong.
#pragma once

#include <map>

#include "engine/trace/message.hpp"

namespace bscope {

struct Run;

/// By line of that source: what the first race or finding there says. A race stands in both of its lines.
std::map<int, Message> marked_lines(const Run&, int source);

}  // namespace bscope
