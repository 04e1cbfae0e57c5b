#include "engine/simt/schedule.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace bscope {
namespace {

constexpr std::string_view without = " without ";

/// A whole number that is all of the text.
template <class Number>
bool read(std::string_view text, Number& n) {
  const auto r = std::from_chars(text.data(), text.data() + text.size(), n);
  return r.ec == std::errc() && r.ptr == text.data() + text.size();
}

Schedule parse_order(const std::string& text) {
  if (text == "auto") return {};
  if (text == "to-barrier") return {.kind = Schedule::to_barrier};
  if (text == "lockstep") return {.kind = Schedule::lockstep};
  const std::string prefix = "shuffle:";
  if (text.starts_with(prefix)) {
    Schedule s{.kind = Schedule::shuffled};
    if (read(std::string_view(text).substr(prefix.size()), s.seed)) return s;
  }
  throw std::invalid_argument(
      "There is no schedule \"" + text +
      "\": use auto, to-barrier, lockstep or shuffle:SEED with a whole number as SEED.");
}

}  // namespace

LeftOut parse_left_out(const std::string& text) {
  LeftOut out;
  const size_t colon = text.rfind(':');
  if (colon != std::string::npos && colon > 0 && read(std::string_view(text).substr(colon + 1), out.line) &&
      out.line > 0) {
    out.file = text.substr(0, colon);
    return out;
  }
  throw std::invalid_argument("\"" + text +
                              "\" names no barrier: write its file and line, as in scan.cu:24.");
}

Schedule parse_schedule(const std::string& text) {
  const size_t end = text.find(without);
  Schedule s = parse_order(text.substr(0, end));
  if (end == std::string::npos) return s;
  std::istringstream rest(text.substr(end + without.size()));
  for (std::string one; rest >> one;) s.without.push_back(parse_left_out(one));
  std::ranges::sort(s.without);
  return s;
}

std::string order_of(const Schedule& s) {
  switch (s.kind) {
    case Schedule::automatic: return "auto";
    case Schedule::to_barrier: return "to-barrier";
    case Schedule::lockstep: return "lockstep";
    case Schedule::shuffled: return "shuffle:" + std::to_string(s.seed);
  }
  return "auto";
}

std::string name_of(const Schedule& s) {
  std::string name = order_of(s);
  for (size_t k = 0; k < s.without.size(); ++k)
    name += (k ? " " : std::string(without)) + s.without[k].file + ":" + std::to_string(s.without[k].line);
  return name;
}

Schedule within(Schedule s, const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  std::erase_if(s.without, [&](const LeftOut& o) { return o.file != name; });
  return s;
}

Schedule with_turned(Schedule s, const LeftOut& o) {
  const auto there = std::ranges::find(s.without, o);
  if (there != s.without.end())
    s.without.erase(there);
  else
    s.without.insert(std::ranges::upper_bound(s.without, o), o);
  return s;
}

}  // namespace bscope
