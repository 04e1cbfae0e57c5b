#include "engine/simt/schedule.hpp"

#include <charconv>
#include <stdexcept>

namespace bscope {

Schedule parse_schedule(const std::string& text) {
  if (text == "auto") return {};
  if (text == "to-barrier") return {.kind = Schedule::to_barrier};
  if (text == "lockstep") return {.kind = Schedule::lockstep};
  const std::string prefix = "shuffle:";
  if (text.starts_with(prefix)) {
    Schedule s{.kind = Schedule::shuffled};
    const char *begin = text.data() + prefix.size(), *end = text.data() + text.size();
    const auto r = std::from_chars(begin, end, s.seed);
    if (r.ec == std::errc() && r.ptr == end) return s;
  }
  throw std::invalid_argument(
      "There is no schedule \"" + text +
      "\": use auto, to-barrier, lockstep or shuffle:SEED with a whole number as SEED.");
}

std::string name_of(const Schedule& s) {
  switch (s.kind) {
    case Schedule::automatic: return "auto";
    case Schedule::to_barrier: return "to-barrier";
    case Schedule::lockstep: return "lockstep";
    case Schedule::shuffled: return "shuffle:" + std::to_string(s.seed);
  }
  return "auto";
}

}  // namespace bscope
