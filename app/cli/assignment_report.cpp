#include "app/cli/assignment_report.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "app/assignments/assignment.hpp"
#include "app/assignments/judge.hpp"
#include "app/cli/console.hpp"
#include "app/cli/lines.hpp"
#include "app/run/own_program.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/source_line.hpp"

namespace bscope {
namespace {

using Json = nlohmann::ordered_json;
constexpr int width = 100;
const std::string indent(8, ' ');

std::string points_text(double p) { return fmt::format("{:g}", p); }

/// " (0)" or " (12 to 96)": what all runs had of a figure.
std::string figures_text(const Judgement& j) {
  long least = 0, most = 0;
  bool any = false;
  for (const RequirementResult& s : j.runs) {
    if (!s.figure) continue;
    least = any ? std::min(least, *s.figure) : *s.figure;
    most = any ? std::max(most, *s.figure) : *s.figure;
    any = true;
  }
  if (!any) return {};
  return least == most ? fmt::format(" ({})", least) : fmt::format(" ({} to {})", least, most);
}

/// The line of the program's text that a run has to do with: "14 | s[i] += s[i + d];".
std::string source_line(const OpenedRun& opened, const RequirementResult& s) {
  if (!opened.run || !s.line) return {};
  for (const Source& source : opened.run->trace.sources) {
    if (source.path != s.file) continue;
    const std::string text = line_of(source.text, s.line);
    return text.empty() ? "" : fmt::format("{} | {}", s.line, text);
  }
  return {};
}

std::string failure_text(const Assignment& a, const Grade& g, const Judgement& j, Ink ink) {
  const size_t k = *j.failing();
  const RequirementResult& s = j.runs[k];
  const auto others = std::ranges::count(j.runs, false, &RequirementResult::passed) - 1;
  std::string told = s.seen.english();
  if (a.runs.size() > 1 && j.runs.size() == a.runs.size()) told = a.runs[k].name + ": " + told;
  if (others) told += fmt::format(" (and in {} more {})", others, others == 1 ? "run" : "runs");
  std::string text = wrapped(told, width, indent);
  if (j.runs.size() == g.runs.size())
    if (const std::string line = source_line(g.runs[k], s); !line.empty())
      text += indent + ink(Role::idle, line) + "\n";
  if (!j.hint.empty()) text += wrapped("hint: " + j.hint, width, indent);
  return text;
}

std::string summary_text(const Grade& g) {
  const auto failed = std::ranges::count_if(g.judgements, [](const Judgement& j) { return !j.passed(); });
  std::string s = failed ? fmt::format("{} of {} not met", failed, g.judgements.size())
                         : fmt::format("all {} met", g.judgements.size());
  if (g.possible() > 0)
    s += fmt::format("; {} of {} points", points_text(g.earned()), points_text(g.possible()));
  return s;
}

Json seen_json(const AssignedRun& run, const RequirementResult& s) {
  Json j{{"run", run.name}, {"passed", s.passed}, {"seen", s.seen.english()}};
  j["figure"] = s.figure ? Json(*s.figure) : Json();
  j["limit"] = s.limit ? Json(*s.limit) : Json();
  j["file"] = s.file;
  j["line"] = s.line;
  return j;
}

}  // namespace

std::string grade_text(const Assignment& a, const Grade& g, const std::string& program, Ink ink) {
  std::string s = ink(Role::title, a.title.empty() ? a.file : a.title) + "  " + program + "   " +
                  ink(Role::idle, count(long(a.runs.size()), "run", "runs")) + "\n\n";
  for (const Judgement& j : g.judgements) {
    const std::string points =
        j.points > 0
            ? fmt::format("  [{} of {}]", j.passed() ? points_text(j.points) : "0", points_text(j.points))
            : "";
    const bool good = j.passed();
    const std::string sentence = j.asked.english() + (good ? figures_text(j) : "") + points;
    s += ink(good ? Role::thread : Role::race, good ? "pass  " : "FAIL  ") +
         wrapped(sentence, width, "      ").substr(6);
    if (!good) s += failure_text(a, g, j, ink);
  }
  s += "\n" + summary_text(g) + "\n";
  return g.passed() || a.hint.empty() ? s : s + wrapped("hint: " + a.hint, width, "");
}

Json grade_json(const Assignment& a, const Grade& g, const std::string& program) {
  Json j{{"format", "barrierscope.grade/1"},
         {"assignment", {{"file", a.file}, {"title", a.title}}},
         {"program", program},
         {"passed", g.passed()},
         {"points", {{"earned", g.earned()}, {"possible", g.possible()}}}};
  j["requirements"] = Json::array();
  for (const Judgement& one : g.judgements) {
    Json r{{"id", one.id},
           {"asked", one.asked.english()},
           {"passed", one.passed()},
           {"points", one.points},
           {"earned", one.passed() ? one.points : 0},
           {"hint", one.hint}};
    r["runs"] = Json::array();
    for (size_t k = 0; k < one.runs.size(); ++k) r["runs"].push_back(seen_json(a.runs[k], one.runs[k]));
    j["requirements"].push_back(std::move(r));
  }
  return j;
}

}  // namespace bscope
