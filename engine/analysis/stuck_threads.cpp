#include "engine/analysis/stuck_threads.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// What the clauses of a deadlock's message say of a block's threads. A trace keeps no other record of them.
class WaitingThreads {
 public:
  explicit WaitingThreads(int threads) : lines_(size_t(threads), unnamed) {}

  void read(const Message& m) {
    const std::string_view p = m.pattern();
    const std::vector<Message>& a = m.arguments();
    if (p == "{} waits in line {} ({})" || p == "{} wait in line {} ({})" ||
        p == "{} loops for ever in line {} (on {})" || p == "{} loop for ever in line {} (on {})")
      said_ = true, name(a[0], number(a[1].pattern()).value_or(0));
    else if (p == "{} has returned" || p == "{} have returned")
      all_returned_named_ = name(a[0], returned) && all_returned_named_;
    else
      for (const Message& part : a) read(part);
  }
  /// As stuck_lines says. Empty: the message is of an older file, which has its words alone.
  std::vector<int> lines() const {
    if (!said_) return {};
    std::vector<int> out = lines_;
    // of many threads and lines the message names the first: those it leaves out wait, if none has returned
    std::ranges::replace(out, unnamed, all_returned_named_ ? 0 : returned);
    return out;
  }

 private:
  static constexpr int returned = -1, unnamed = -2;

  static std::optional<int> number(std::string_view text) {
    int n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return n;
  }
  /// Of "thread 7", "threads 0-3, 7" or "threads 0-3, 7 and 9 more". Whether these are all.
  bool name(const Message& who, int line) {
    if (who.arguments().empty()) return false;
    for (std::string_view rest = who.arguments()[0].pattern(); !rest.empty();) {
      const std::string_view range = rest.substr(0, rest.find(", "));
      rest.remove_prefix(std::min(rest.size(), range.size() + 2));
      const size_t dash = range.find('-');
      const auto first = number(range.substr(0, dash));
      const auto last = dash == std::string_view::npos ? first : number(range.substr(dash + 1));
      if (!first || !last) return false;
      for (int k = std::max(0, *first); k <= *last && k < int(lines_.size()); ++k) lines_[size_t(k)] = line;
    }
    return who.arguments().size() == 1;
  }

  std::vector<int> lines_;
  bool said_ = false, all_returned_named_ = true;
};

}  // namespace

std::vector<int> stuck_lines(const Trace& trace, const DataflowGraph& flow, const Interval& v) {
  for (const Finding& f : trace.findings) {
    if (f.kind != FindingKind::deadlock || f.launch != v.launch || f.block != v.block) continue;
    // a thread that waits passes no further barrier, so it waits in the last interval
    if (size_t(v.index) + 1 != flow.of_block(v.launch, v.block).size()) continue;
    WaitingThreads waiting(trace.launches[size_t(v.launch)].block);
    waiting.read(f.message);
    return waiting.lines();
  }
  return {};
}

int count_stuck(const std::vector<int>& lines) {
  return int(lines.size() - size_t(std::ranges::count(lines, -1)));
}

}  // namespace bscope
