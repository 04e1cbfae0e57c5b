#include "engine/simt/schedule.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>
#include <sstream>
#include <tuple>

#include "engine/trace/error.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

constexpr std::string_view without = " without ";

/// A whole number that is all of the text.
template <class Number>
bool read(std::string_view text, Number& n) {
  const auto r = std::from_chars(text.data(), text.data() + text.size(), n);
  return r.ec == std::errc() && r.ptr == text.data() + text.size();
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }
std::string spelled(const LeftOut& o) { return o.file + ":" + std::to_string(o.line); }

/// The barriers that the run's threads come to and that can be left out.
std::set<LeftOut> barriers_of(const Trace& t) {
  std::set<LeftOut> all;
  for (const Launch& l : t.launches) {
    if (size_t(l.source) >= t.sources.size()) continue;
    std::set<int> lines;
    for (const BlockRun& b : l.blocks)
      for (const Event& e : b.events)
        if (e.op == Op::sync || e.op == Op::sync_warp) lines.insert(e.line);
    for (const int line : lines) all.insert({file_name(t.sources[size_t(l.source)].path), line});
  }
  return all;
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
  throw UsageError(
      message("There is no schedule \"{}\": use auto, to-barrier, lockstep or shuffle:SEED with a whole "
              "number as SEED.",
              text));
}

}  // namespace

LeftOut parse_left_out(const std::string& text) {
  LeftOut out;
  const size_t colon = text.rfind(':');
  if (colon != std::string::npos && colon > 0 && read(std::string_view(text).substr(colon + 1), out.line) &&
      out.line > 0) {
    out.file = file_name(text.substr(0, colon));
    if (!out.file.empty()) return out;
  }
  throw UsageError(message("\"{}\" names no barrier: write its file and line, as in scan.cu:24.", text));
}

Schedule parse_schedule(const std::string& text) {
  const size_t end = text.find(without);
  Schedule s = parse_order(text.substr(0, end));
  if (end == std::string::npos) return s;
  std::istringstream rest(text.substr(end + without.size()));
  for (std::string one; rest >> one;) s.without.push_back(parse_left_out(one));
  std::ranges::sort(s.without);
  s.without.erase(std::unique(s.without.begin(), s.without.end()), s.without.end());
  return s;
}

void need_barriers(const Schedule& s, const Trace& whole) {
  if (s.without.empty()) return;
  const std::set<LeftOut> barriers = barriers_of(whole);
  const auto missing =
      std::ranges::find_if(s.without, [&](const LeftOut& o) { return !barriers.contains(o); });
  if (missing == s.without.end()) return;
  if (barriers.empty())
    throw UsageError(message("{} cannot be left out: this run comes to no barrier.", spelled(*missing)));
  const bool known = std::ranges::any_of(
      whole.sources, [&](const Source& source) { return file_name(source.path) == missing->file; });
  const auto distance = [&](const LeftOut& o) {
    return std::tuple(o.file != missing->file, std::abs(o.line - missing->line));
  };
  const std::string nearest = spelled(*std::ranges::min_element(barriers, {}, distance));
  const Message sentence =
      known ? message("Line {} of {} is no barrier of this run: did you mean {}?", missing->line,
                      missing->file, nearest)
            : message("This run has no source {}: did you mean {}?", missing->file, nearest);
  if (barriers.size() == 1) throw UsageError(sentence);
  constexpr size_t most = 8;
  std::string list;
  size_t listed = 0;
  for (const LeftOut& o : barriers)
    if (listed < most) list += (listed++ ? ", " : "") + spelled(o);
  throw UsageError(followed_by(
      sentence, barriers.size() > listed
                    ? message("The run's barriers: {} and {} more.", list, barriers.size() - listed)
                    : message("The run's barriers: {}.", list)));
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
    name += (k ? " " : std::string(without)) + spelled(s.without[k]);
  return name;
}

Schedule within(Schedule s, const std::string& path) {
  const std::string name = file_name(path);
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
