#include "app/cli/finding_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "app/cli/lines.hpp"
#include "engine/analysis/active_lanes.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/report.hpp"
#include "engine/trace/shown_text.hpp"

namespace bscope {
namespace {

/// Whether a message begins with a word of a sentence, not with a name that it was given.
bool begins_with_a_word(const Message& m) {
  if (m.is_verbatim() || m.empty()) return false;
  if (!m.pattern().starts_with("{}")) return true;
  return !m.arguments().empty() && begins_with_a_word(m.arguments().front());
}

/// "homework.cu:15:7", as far as it is known.
std::string place_text(const SourceSpan& at) {
  std::string s = at.file;
  if (at.line) s += (s.empty() ? "line " : ":") + std::to_string(at.line);
  if (at.line && at.column) s += ":" + std::to_string(at.column);
  return s;
}

Role role_of(Severity s) {
  return s == Severity::error ? Role::race : s == Severity::warning ? Role::atomic : Role::phase;
}

std::string head(const SourceSpan& at, Severity severity, const std::string& message, Ink ink) {
  const std::string place = place_text(at);
  return (place.empty() ? "" : ink(Role::title, place + ":") + " ") +
         ink(role_of(severity), std::string(name_of(severity)) + ":") + " " + message + "\n";
}

/// The line of source with a mark under what is meant. Bytes that a terminal would act on are replaced.
std::string source_text(const SourceSpan& at, Ink ink) {
  if (at.text.empty() || !at.column) return "";
  constexpr size_t most = 200;
  const std::string shown = as_shown_line(at.text.substr(0, most));
  const size_t begins = std::min(size_t(at.column - 1), at.text.size());
  const std::string before = blanks_below(as_shown_line(at.text.substr(0, begins))),
                    marked = as_shown_line(at.text.substr(begins, size_t(std::max(at.length, 1))));
  std::string mark(std::max(width_of(marked), size_t(1)), '~');
  mark[0] = '^';
  const size_t room = most > before.size() ? most - before.size() : 0;
  return fmt::format("{:>5} | {}\n      | {}{}\n", at.line, shown, before,
                     ink(Role::thread, mark.substr(0, room)));
}

/// The message as compilers write it: with a small first letter, and no full stop.
std::string compiler_style(const Message& m) {
  std::string s = m.english();
  if (begins_with_a_word(m) && s.size() > 1 && !std::isupper(static_cast<unsigned char>(s[1])))
    s[0] = char(std::tolower(static_cast<unsigned char>(s[0])));
  if (s.ends_with('.') && s.find(". ") == std::string::npos) s.pop_back();
  return s;
}

std::string whole_message(const FindingGroup& g) {
  const std::string what = compiler_style(g.message);
  return g.title.empty() ? what : compiler_style(g.title) + ": " + what;
}

/// A finding in one line, without colour and without the number of its likes.
std::string finding_line(const FindingGroup& g) {
  const std::string place = place_text(g.at);
  return (place.empty() ? "" : place + ": ") + name_of(g.severity) + ": " + whole_message(g);
}

std::string indented(const std::string& mark, const std::string& text, int width) {
  return "   " + mark + wrapped(text, width, "         ").substr(8);
}

}  // namespace

std::string finding_text(const FindingGroup& g, Ink ink, int width) {
  std::string message = ink(Role::title, whole_message(g));
  if (!g.extent.empty()) message += ink(Role::idle, "  [" + g.extent.english() + "]");
  std::string s = head(g.at, g.severity, message, ink) + source_text(g.at, ink);
  for (const FindingNote& note : g.notes)
    s += head(note.at, Severity::note, compiler_style(note.message), ink) + source_text(note.at, ink);
  if (!g.help.empty()) s += indented(ink(Role::thread, "help:"), g.help.english(), width);
  if (!g.tried.empty()) s += indented(ink(Role::thread, "      "), g.tried.english(), width);
  constexpr size_t most = 3;
  for (size_t k = 0; k < std::min(most, g.consequences.size()); ++k)
    s += indented(ink(Role::idle, "then:"), finding_line(g.consequences[k]), width);
  if (g.consequences.size() > most)
    s += indented(ink(Role::idle, "then:"),
                  fmt::format("{} more that follow from it", g.consequences.size() - most), width);
  return s;
}

std::string cost_text(const Report& r, Ink ink) {
  constexpr double most_active_to_tell = 0.9;  // the last warp of an array is no divergence
  struct Row {
    const char* name;
    long count;
    std::string words;
    const Fact* lines;  ///< whose lines are named
  };
  const auto of_run = [&](const char* name) {
    const Fact* f = fact_of_runs(name);
    if (!f) return 0L;
    if (f->of_run) return f->of_run(r);
    long sum = 0;
    for (const LineCount& c : lines_of(*f, r)) sum += c.count;
    return sum;
  };
  std::vector<Row> rows;
  if (const long n = of_run("barriers"))
    rows.push_back({"barriers", n, std::to_string(n), fact_of_runs("barriers")});
  if (const long n = of_run("shared_wavefronts")) {
    const long more = of_run("bank conflicts");
    rows.push_back({"shared", more,
                    fmt::format("{}, {} avoidable", bscope::count(n, "wavefront", "wavefronts"), more),
                    fact_of_runs("bank conflicts")});
  }
  if (const long n = of_run("global_sectors")) {
    const long more = of_run("extra sectors");
    rows.push_back({"global", more,
                    fmt::format("{}, {} avoidable", bscope::count(n, "sector", "sectors"), more),
                    fact_of_runs("extra sectors")});
  }
  if (const long n = of_run("longest queue"))
    rows.push_back({"atomics", n, fmt::format("longest queue {}", n), fact_of_runs("longest queue")});
  if (const ActiveLanes lanes = total(r.active_lanes()); lanes.share() < most_active_to_tell && lanes.lanes)
    rows.push_back(
        {"lanes", lanes.idle(),
         fmt::format("{:.1f} of 32 active per instruction, {} idle", lanes.average(), lanes.idle()),
         fact_of_runs("idle lanes")});
  std::string s;
  for (const Row& row : rows) {
    s += ink(Role::idle, s.empty() ? "cost  " : "      ") + pad_right(row.name, 10) + row.words;
    const auto lines = row.lines && row.count ? lines_of(*row.lines, r) : std::vector<LineCount>();
    if (!lines.empty() && lines.front().count > 0)
      s += lines.front().count == row.count
               ? fmt::format(", all in line {}", lines.front().line)
               : fmt::format(", {} of them in line {}", lines.front().count, lines.front().line);
    s += "\n";
  }
  return s;
}

}  // namespace bscope
