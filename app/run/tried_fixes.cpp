#include "app/run/tried_fixes.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "app/run/own_program.hpp"
#include "app/run/run.hpp"
#include "app/run/target.hpp"
#include "app/run/verdict.hpp"
#include "engine/analysis/run.hpp"
#include "engine/cuda/toolchain/fix_candidates.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

constexpr size_t most_groups = 4;

/// What tells groups apart when lines have moved: how many there are of each.
using Kinds = std::map<std::tuple<Rule, FindingKind, std::string>, int>;
void count_kinds(const std::vector<FindingGroup>& groups, Kinds& kinds) {
  for (const FindingGroup& g : groups) {
    if (g.severity == Severity::error) ++kinds[{g.rule, g.kind, g.array}];
    count_kinds(g.consequences, kinds);
  }
}
Kinds kinds_of(const std::vector<FindingGroup>& groups) {
  Kinds kinds;
  count_kinds(groups, kinds);
  return kinds;
}

/// As C++ spells it; empty for what has no type of its own there.
std::string element_type(const Trace& trace, const FindingGroup& g) {
  constexpr const char* names[] = {"signed char", "unsigned char", "short",     "unsigned short",
                                   "int",         "unsigned",      "long long", "unsigned long long",
                                   "float",       "double"};
  const Launch& l = trace.launches[size_t(g.launch)];
  for (const auto* arrays : {&l.shared, &trace.arrays})
    for (const ArrayInfo& a : *arrays)
      if (a.name == g.array && size_t(a.kind) < std::size(names)) return names[size_t(a.kind)];
  return "";
}

/// The text in which a group's change is looked for, and the name of its file.
struct FixedFile {
  std::string name, text;
};
std::optional<FixedFile> file_of(const FindingGroup& g, const Run& run, const cuda::ProgramRun& p,
                                 const Target& t) {
  if (g.rule == Rule::unread_input || g.rule == Rule::input_read_twice)
    return FixedFile{std::filesystem::path(t.file).filename().string(), p.text};
  if (run.trace.launches.empty()) return {};
  const int source = run.trace.launches[size_t(g.launch)].source;
  if (source < 0 || size_t(source) >= run.trace.sources.size()) return {};
  return FixedFile{run.trace.sources[size_t(source)].path, run.trace.sources[size_t(source)].text};
}

std::vector<cuda::FixCandidate> candidates_of(const FindingGroup& g, const FixedFile& file,
                                              const Trace& trace) {
  cuda::FixTarget m{.finding_kind = g.kind,
                    .cure = g.cure,
                    .file = file.name,
                    .line = g.at.line,
                    .array = g.array,
                    .element = element_type(trace, g),
                    .overflow = g.overflow};
  if (g.rule == Rule::race)
    m.kind = cuda::FixTarget::race;
  else if (g.rule == Rule::unread_input)
    m.kind = cuda::FixTarget::unread_input;
  else if (g.rule != Rule::kernel)
    return {};
  return cuda::fix_candidates(m, file.text);
}

/// A group, by what stays when other lines come and go.
using Name = std::tuple<Rule, FindingKind, std::string, std::string, int>;
Name name_of_group(const FindingGroup& g, int line) { return {g.rule, g.kind, g.array, g.at.file, line}; }

/// The line of the text as it was; 0: it is a new one.
int line_before(const std::vector<cuda::LineEdit>& edits, const std::string& file, int line) {
  if (line == 0) return 0;
  int added = 0;
  std::vector<cuda::LineEdit> sorted = edits;
  std::ranges::sort(sorted, {}, &cuda::LineEdit::line);
  for (const cuda::LineEdit& e : sorted) {
    if (e.file != file) continue;
    const int first = e.line + added, more = int(e.inserted.size());
    if (line < first) break;
    if (line < first + more) return e.removed ? e.line : 0;  // what replaces a line stands for it
    added += more - e.removed;
  }
  return line - added;
}

/// What a run with a change has shown.
struct Trial {
  Kinds kinds;
  std::set<Name> left;   ///< its groups, at their lines in the text without the change
  bool right = false;    ///< a result is stated, and this is it
  bool stopped = false;  ///< by a limit of ours
};
/// Nothing where it does not compile, or gives no run.
std::optional<Trial> trial(Target target, const std::vector<cuda::LineEdit>& edits) {
  target.terms.edits = edits;
  try {
    const auto [run, program, session] = open_program(target);
    const std::vector<FindingGroup> groups = finding_groups(*run, program.get());
    Trial t{.kinds = kinds_of(groups),
            .left = {},
            .right = !run->trace.expected.empty() && run->report.correct,
            .stopped = !stopped_by(*run, program.get()).empty()};
    for (const FindingGroup& g : groups)
      t.left.insert(name_of_group(g, line_before(edits, g.at.file, g.at.line)));
    return t;
  } catch (const UsageError&) {  // it does not compile, or shows nothing
    return {};
  }
}

/// Whether the change fixes that group and harms nothing.
bool helps(const Trial& trial, const Kinds& before, const FindingGroup& g) {
  if (trial.stopped) return false;
  const auto times = [](const Kinds& kinds, const auto& kind) {
    const auto at = kinds.find(kind);
    return at == kinds.end() ? 0 : at->second;
  };
  const auto own = std::tuple(g.rule, g.kind, g.array);
  return times(trial.kinds, own) < times(before, own) &&
         std::ranges::all_of(trial.kinds, [&](const auto& k) { return k.second <= times(before, k.first); });
}

Message outcome(const Trial& trial) {
  if (!trial.kinds.empty()) return message("Tried: with it this error is gone.");
  if (trial.right) return message("Tried: with it no error is left, and the result is right.");
  return message("Tried: with it no error is left.");
}

bool overlap(const std::vector<cuda::LineEdit>& a, const std::vector<cuda::LineEdit>& b) {
  for (const cuda::LineEdit& x : a)
    for (const cuda::LineEdit& y : b)
      if (x.file == y.file && x.line < y.line + std::max(y.removed, 1) &&
          y.line < x.line + std::max(x.removed, 1))
        return true;
  return false;
}

/// Later groups that are gone with the change, too, have the same cause: they are folded under the first.
/// Returns their number.
int fold_fixed(std::vector<FindingGroup>& groups, size_t cause, const Trial& shown) {
  int folded = 0;
  for (size_t k = cause + 1; k < groups.size();) {
    const bool left = shown.left.contains(name_of_group(groups[k], groups[k].at.line));
    if (groups[k].severity != Severity::error || left) {
      ++k;
      continue;
    }
    auto& all = groups[cause].consequences;
    std::vector<FindingGroup> more = std::exchange(groups[k].consequences, {});
    all.push_back(std::move(groups[k]));
    std::ranges::move(more, std::back_inserter(all));
    groups.erase(groups.begin() + long(k));
    ++folded;
  }
  return folded;
}

}  // namespace

TriedFixes try_fixes(const Target& target, const OpenedRun& opened, std::vector<FindingGroup>& groups,
                     double seconds) {
  TriedFixes all;
  if (!opened.program || !opened.run) return all;
  const auto started = std::chrono::steady_clock::now();
  const auto in_time = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() < seconds;
  };
  Target t = target;
  t.program = opened.program->program;  // as it was compiled
  const Kinds before = kinds_of(groups);
  std::vector<cuda::LineEdit> edits;
  std::map<std::string, std::string> texts;
  size_t looked_at = 0;
  for (size_t k = 0; k < groups.size(); ++k) {
    FindingGroup& g = groups[k];
    if (g.severity != Severity::error || ++looked_at > most_groups) continue;
    const auto file = file_of(g, *opened.run, *opened.program, t);
    if (!file) continue;
    const auto candidates = candidates_of(g, *file, opened.run->trace);
    size_t failed = 0;
    for (const cuda::FixCandidate& c : candidates) {
      if (!in_time()) break;
      const auto shown = trial(t, c.edits);
      if (!shown || !helps(*shown, before, g)) {
        ++failed;
        continue;
      }
      g.help = c.help;
      g.tried = outcome(*shown);
      const int gone = 1 + fold_fixed(groups, k, *shown);
      if (!overlap(edits, c.edits)) {
        edits.insert(edits.end(), c.edits.begin(), c.edits.end());
        texts[file->name] = file->text;
        all.fixed += gone;
      }
      break;
    }
    // An error of another kind may hide behind one that ends threads, so that its help stays.
    if (g.rule == Rule::race && failed && failed == candidates.size()) g.help = {};
  }
  const std::filesystem::path folder = std::filesystem::path(t.file).parent_path();
  for (const auto& [name, text] : texts)
    all.patch += cuda::unified_diff((folder / name).string(), text, cuda::edited(text, name, edits));
  return all;
}

}  // namespace bscope
