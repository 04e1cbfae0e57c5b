#include "app/run/finding_groups.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "app/run/own_program.hpp"
#include "app/run/race_groups.hpp"
#include "app/run/run.hpp"
#include "app/run/titles.hpp"
#include "app/run/verdict.hpp"
#include "engine/analysis/cell_expressions.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/unread.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/cuda/toolchain/report.hpp"
#include "engine/cuda/toolchain/source_lines.hpp"
#include "engine/trace/cpp_tokens.hpp"
#include "engine/trace/source_line.hpp"

namespace bscope {
namespace {

// ---- places

/// The line as a span, from its first character to its last.
SourceSpan span_of_line(const std::string& file, const std::string& text, int line) {
  SourceSpan s{.file = file, .line = line, .text = line ? whole_line_of(text, line) : std::string()};
  const std::string code = s.text.substr(0, s.text.find("//"));
  const size_t first = code.find_first_not_of(" \t"), last = code.find_last_not_of(" \t");
  if (first == std::string::npos) return s;
  s.column = int(first) + 1;
  s.length = int(last - first) + 1;
  return s;
}

/// Where a line has that name as a whole word; npos: nowhere.
size_t word_at(const std::string& line, const std::string& name) {
  for (const Token& t : code_tokens(line))
    if (line.compare(t.begin, t.end - t.begin, name) == 0) return t.begin;
  return std::string::npos;
}

bool names(const std::string& line, const std::string& name) {
  return !name.empty() && word_at(line, name) != std::string::npos;
}

enum class Access : uint8_t { any, read, write };

/// A line of a launch's source; if it names cells of that array, the expression that reads or writes one.
SourceSpan span_of(const Trace& trace, int launch, int line, const std::string& array = {},
                   Access access = Access::any) {
  const int source = trace.launches[size_t(launch)].source;
  if (source < 0 || size_t(source) >= trace.sources.size()) return {.line = line};
  const Source& from = trace.sources[size_t(source)];
  SourceSpan s = span_of_line(from.path, from.text, line);
  const auto cells = cell_expressions(s.text, array);
  const auto fits = std::ranges::find_if(cells, [&](const CellExpression& c) {
    return access == Access::any || c.written == (access == Access::write);
  });
  const auto cell = fits != cells.end() ? fits : cells.begin();
  if (cell == cells.end()) {  // a pointer: *sum, or atomicAdd(sum, 1)
    if (const size_t at = word_at(s.text, array); at != std::string::npos) {
      s.column = int(at) + 1;
      s.length = int(array.size());
    }
    return s;
  }
  s.column = int(cell->at) + 1;
  s.length = int(cell->text.size());
  return s;
}

/// A place in the program's files as its host code or a compiler named it.
SourceSpan span_of(const cuda::ProgramRun& p, const Trace& trace, const std::string& file, int line,
                   int column = 0) {
  const auto of_kernels = std::ranges::find(trace.sources, file, &Source::path);
  SourceSpan s = span_of_line(file, of_kernels == trace.sources.end() ? p.text : of_kernels->text, line);
  if (column) s.length = std::max(1, s.length - (column - s.column)), s.column = column;
  return s;
}

/// The position in the run where a thread of a block accesses a cell in a line; without such an access, its
/// last one before it was ended.
Moment moment_of(const DataflowGraph& flow, int launch, int block, int thread, int block_size, int line,
                 std::optional<CellRef> cell) {
  Moment m{.launch = launch, .block = block, .thread = thread, .cell = cell};
  const auto intervals = flow.of_block(launch, block);
  for (const Interval& v : intervals)
    for (const int id : v.nodes) {
      const Node& n = flow.nodes[size_t(id)];
      if (n.thread % block_size != thread) continue;
      m.interval = v.index;
      if (n.line == line && (!cell || n.place == *cell)) return m;
    }
  return m;
}

// ---- how many

Message blocks_message(int first, int last) {
  return first == last ? message("block {}", first) : message("blocks {} to {}", first, last);
}

// ---- races

SourceSpan span_of_access(const Trace& trace, const Hazard& h, int which, bool writes) {
  return span_of(trace, h.launch, h.lines[which], h.array, writes ? Access::write : Access::read);
}

Message extent_of(const RaceGroup& g) {
  if (g.count == 1) return {};
  const Message blocks = blocks_message(g.first_block, g.last_block);
  const bool steps = g.cure.kind == CureKind::warp_steps;
  if (steps)
    return message("1 of {} such pairs in lines {} to {}, {}", g.count, g.cure.places.front().from,
                   g.cure.places.back().from, blocks);
  if (g.launches > 1) return message("1 of {} such pairs in {} launches, {}", g.count, g.launches, blocks);
  return message("1 of {} such pairs, {}", g.count, blocks);
}

FindingGroup group_of(const Run& run, const RaceGroup& races) {
  const Hazard& h = *races.shown;
  const Trace& trace = run.trace;
  const DataflowGraph& flow = run.report.flow;
  const int size = trace.launches[size_t(h.launch)].block;
  FindingGroup g{.rule = Rule::race,
                 .title = message("race on {}", h.array),
                 .message = h.message,
                 .help = races.help,
                 .count = races.count,
                 .extent = extent_of(races),
                 .cure = races.cure,
                 .array = h.array,
                 .launch = h.launch};
  // The read is shown, because the read gets the wrong value; of two writes the later one.
  const int shown = h.writes[1] && !h.writes[0] ? 0 : 1;
  g.at = span_of_access(trace, h, shown, h.writes[shown] && !(h.lines[0] == h.lines[1]));
  if (h.lines[0] != h.lines[1])
    g.notes.push_back({h.writes[1 - shown] ? message("written here") : message("read here"),
                       span_of_access(trace, h, 1 - shown, h.writes[1 - shown])});
  g.moment = moment_of(flow, h.launch, h.threads[shown] / size, h.threads[shown] % size, size, h.lines[shown],
                       h.place);
  return g;
}

/// Whether a race is on a flag that a thread sets and another waits for, and its cure orders what is written
/// before and read after, too.
bool is_on_flag(const RaceGroup& g) {
  return g.cure.kind == CureKind::atomics_and_fences || g.cure.kind == CureKind::volatile_fences;
}

/// Whether the flag announces the other race's cell: its writer writes it before it sets the flag, and its
/// reader reads it after it has seen the flag.
bool is_announced(const DataflowGraph& flow, const RaceGroup& flag, const RaceGroup& data) {
  const Hazard &f = *flag.shown, &d = *data.shown;
  if (f.launch != d.launch || d.writes[0] == d.writes[1] || f.writes[0] == f.writes[1]) return false;
  const auto event = [&](const Hazard& h, bool writes) {
    const size_t which = h.writes[0] == writes ? 0 : 1;
    std::pair<int, int> found(-1, -1);  // the thread, and its first event there
    for (const Node& n : flow.nodes)
      if (n.launch == h.launch && n.thread == h.threads[which] && n.line == h.lines[which] &&
          n.place == h.place) {
        found = {n.thread, n.event};
        break;
      }
    return found;
  };
  const auto set = event(f, true), seen = event(f, false), written = event(d, true), read = event(d, false);
  return set.second >= 0 && seen.second >= 0 && written.second >= 0 && read.second >= 0 &&
         written.first == set.first && written.second < set.second && read.first == seen.first &&
         seen.second < read.second;
}

/// Whether a thread has taken the index of its access, in the line of a race, from what another race leaves.
bool is_placed_by(const Run& run, const RaceGroup& cause, const RaceGroup& placed) {
  const Hazard &c = *cause.shown, &h = *placed.shown;
  if (c.launch != h.launch || c.place.array == h.place.array) return false;
  const Launch& l = run.trace.launches[size_t(h.launch)];
  constexpr size_t most_sources = 64;
  for (int which : {0, 1}) {
    const auto log = l.blocks[size_t(h.threads[which] / l.block)].log(h.threads[which] % l.block);
    for (size_t k = 1; k < log.size(); ++k) {
      const bool of_race = int(log[k].array) == h.place.array && int(log[k].line) == h.lines[which] &&
                           int(log[k].a) == h.place.index && touches(log[k].op);
      if (!of_race || log[k - 1].op != Op::address) continue;
      std::vector<uint32_t> sources{log[k - 1].a};
      for (size_t s = 0; s < sources.size() && s < most_sources; ++s) {
        if (!sources[s] || sources[s] > log.size()) continue;
        const Event& e = log[sources[s] - 1];
        if (computes(e.op)) sources.insert(sources.end(), {e.a, e.b});
        if (reads(e.op) && int(e.array) == c.place.array && std::ranges::count(c.lines, int(e.line)))
          return true;
      }
    }
  }
  return false;
}

/// Whether a race is what another one does: on a flag that announces its cells, or on the number of its cell.
bool explains(const Run& run, const RaceGroup& cause, const RaceGroup& race) {
  if (is_on_flag(cause)) return !is_on_flag(race) && is_announced(run.report.flow, cause, race);
  return is_placed_by(run, cause, race) && !is_placed_by(run, race, cause);
}

/// One group for each race; those that another race explains are folded under it.
std::vector<FindingGroup> groups_of_races(const Run& run) {
  const std::vector<RaceGroup> races = race_groups(run.trace, run.report.flow.hazards);
  std::vector<FindingGroup> groups;
  std::vector<std::optional<size_t>> explained(races.size());  // by the race of that number
  for (size_t k = 0; k < races.size(); ++k) {
    groups.push_back(group_of(run, races[k]));
    for (size_t cause = 0; cause < races.size() && !explained[k]; ++cause)
      if (cause != k && !explained[cause] && explains(run, races[cause], races[k])) explained[k] = cause;
  }
  for (size_t k = 0; k < races.size(); ++k)
    if (explained[k]) groups[*explained[k]].consequences.push_back(groups[k]);
  std::vector<FindingGroup> causes;
  for (size_t k = 0; k < races.size(); ++k)
    if (!explained[k]) causes.push_back(std::move(groups[k]));
  return causes;
}

// ---- findings

Message title_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::out_of_bounds: return message("out of bounds");
    case FindingKind::uninitialised_read: return message("uninitialised memory");
    case FindingKind::endless_loop: return message("endless loop");
    default: return {};
  }
}

bool is_of_cells(FindingKind kind) {
  return kind == FindingKind::out_of_bounds || kind == FindingKind::uninitialised_read;
}

/// Findings of one cause: the same kind, kernel, line and array.
struct SameCause {
  const Finding* first;
  size_t count = 0;
  int first_block = 0, last_block = 0;
};

std::string array_of(const Trace& trace, const Finding& f) {
  if (f.cells.empty()) return {};
  const Launch& l = trace.launches[size_t(f.launch)];
  return exists(trace, l, f.cells.front()) || f.kind == FindingKind::out_of_bounds
             ? trace.array(l, f.cells.front().array).name
             : std::string();
}

std::vector<FindingGroup> groups_of(const Run& run, const std::vector<Finding>& findings) {
  const Trace& trace = run.trace;
  using Key = std::tuple<FindingKind, std::string, int, std::string>;
  std::map<Key, size_t> places;
  std::vector<SameCause> all;
  for (const Finding& f : findings) {
    const std::string kernel = trace.launches.empty()
                                   ? f.message.pattern()
                                   : std::string(template_name(trace.launches[size_t(f.launch)].name));
    const std::string array = trace.launches.empty() ? std::string() : array_of(trace, f);
    // without a line the message alone tells two findings apart
    const Key key(f.kind, f.line ? kernel : f.text(), f.line, array);
    const auto [at, fresh] = places.try_emplace(key, all.size());
    if (fresh) all.push_back({&f, 0, f.block, f.block});
    SameCause& alike = all[at->second];
    alike.count += size_t(f.more) + 1;
    alike.first_block = std::min(alike.first_block, f.block);
    alike.last_block = std::max(alike.last_block, f.block);
  }
  std::vector<FindingGroup> groups;
  for (const SameCause& a : all) {
    const Finding& f = *a.first;
    FindingGroup g{.kind = f.kind,
                   .severity = is_endless(f) ? Severity::warning : Severity::error,
                   .title = title_of(f.kind),
                   .message = f.message,
                   .help = f.help,
                   .count = a.count,
                   .launch = f.launch};
    if (!trace.launches.empty()) {
      g.array = array_of(trace, f);
      g.at = span_of(trace, f.launch, f.line, g.array);
      const Launch& l = trace.launches[size_t(f.launch)];
      const std::optional<CellRef> cell = f.cells.empty() || !exists(trace, l, f.cells.front())
                                              ? std::nullopt
                                              : std::optional(f.cells.front());
      g.moment = moment_of(run.report.flow, f.launch, f.block, f.thread % l.block, l.block, f.line, cell);
    }
    if (a.count > 1)
      g.extent =
          is_of_cells(f.kind)
              ? message("1 of {} such accesses, {}", a.count, blocks_message(a.first_block, a.last_block))
              : message("1 of {} alike, {}", a.count, blocks_message(a.first_block, a.last_block));
    groups.push_back(std::move(g));
  }
  return groups;
}

// ---- barriers

using Block = cuda::SourceLines::Block;

/// The innermost block that holds the line of a barrier; nothing: it is unknown, or an if holds it.
std::optional<Block> block_around_barrier(const FindingGroup& g, const Trace& trace) {
  const Launch& l = trace.launches[size_t(g.launch)];
  if (trace.dialect == Dialect::ours || size_t(l.source) >= trace.sources.size() || !g.at.line) return {};
  const cuda::SourceLines lines(trace.sources[size_t(l.source)].text);
  if (g.at.line > lines.count()) return {};
  // without braces an if may stand in the line, or end in the line before
  if (!lines.starts_statement(g.at.line) || lines.code(g.at.line).starts_with("if")) return {};
  const auto blocks = lines.blocks_around(g.at.line);
  return blocks.empty() || blocks.back().is_if() ? std::nullopt : std::optional(blocks.back());
}

/// Whether a thread that misses the barrier has been in the loop around it.
bool leaves_early(const FindingGroup& g, const Trace& trace, const Block& loop) {
  const Launch& l = trace.launches[size_t(g.launch)];
  const BlockRun& block = l.blocks[size_t(g.moment->block)];
  std::vector<std::ptrdiff_t> met;
  for (int t = 0; t < l.block; ++t)
    met.push_back(std::ranges::count_if(
        block.log(t), [&](const Event& e) { return is_barrier(e.op) && int(e.line) == g.at.line; }));
  const auto most = std::ranges::max(met);
  for (int t = 0; t < l.block; ++t)
    if (met[size_t(t)] < most && std::ranges::any_of(block.log(t), [&](const Event& e) {
          return loop.header <= int(e.line) && int(e.line) <= loop.closes;
        }))
      return true;
  return false;
}

/// Says where barriers that not all threads met stand, and what helps in a loop.
void look_around_barriers(std::vector<FindingGroup>& groups, const Trace& trace) {
  for (FindingGroup& g : groups) {
    if (g.rule != Rule::kernel || g.kind != FindingKind::missed_barrier || !g.moment) continue;
    const std::optional<Block> block = block_around_barrier(g, trace);
    if (!block) continue;
    g.block_from = block->opens;
    if (block->is_loop() && leaves_early(g, trace, *block))
      g.help = message(
          "Let all threads make the same number of rounds of the loop of line {}, and guard only the "
          "accesses.",
          block->header);
  }
}

// ---- the host's part

FindingGroup group_of(const cuda::Remark& r, Rule rule, Severity severity, const cuda::ProgramRun& p,
                      const Trace& trace) {
  return {.rule = rule,
          .severity = severity,
          .message = r.message,
          .help = r.help,
          .at = span_of(p, trace, r.file, r.line),
          .follows_fault = r.follows_fault};
}

void add_host(std::vector<FindingGroup>& groups, const cuda::ProgramRun& p, const Trace& trace) {
  const cuda::ProgramReport& r = p.report;
  if (!r.end.message.empty() && !cuda::is_stopped(r))
    groups.push_back({.rule = Rule::program_end,
                      .message = r.end.message,
                      .help = r.end.help,
                      .at = span_of(p, trace, r.end.file, r.end.line)});
  for (const cuda::Remark& w : r.warnings)
    groups.push_back(group_of(w, Rule::cuda_call, Severity::error, p, trace));
  for (const cuda::Diagnostic& d : p.diagnostics)
    if (d.severity == cuda::Diagnostic::error)
      groups.push_back(
          {.rule = Rule::compiler, .message = d.text, .at = span_of(p, trace, d.file, d.line, d.column)});
}

/// What may explain why a program says that its result is wrong, where nothing else does.
void add_likely_causes(std::vector<FindingGroup>& groups, const cuda::ProgramRun& p, const Trace& trace) {
  const auto explains = [](const FindingGroup& g) {
    return g.severity == Severity::error && g.rule != Rule::wrong_result && g.rule != Rule::unproved;
  };
  if (std::ranges::any_of(groups, explains)) return;
  for (const cuda::Remark& c : p.report.likely_causes)
    groups.push_back(group_of(c, Rule::likely_cause, Severity::error, p, trace));
}

/// Indices that left their array because int arithmetic did not fit say what did not.
void name_overflows(std::vector<FindingGroup>& groups, const cuda::ProgramReport& r) {
  for (FindingGroup& g : groups) {
    if (g.rule != Rule::kernel || g.kind != FindingKind::out_of_bounds) continue;
    const auto of = std::ranges::find_if(r.overflows, [&](const cuda::ReportedOverflow& o) {
      return o.line == g.at.line && o.file == g.at.file;
    });
    if (of != r.overflows.end()) g.overflow = of->expression;
  }
}

/// Cells behind the beginning of an array by the kernel's own pointer to them, too, where the line names that
/// pointer alone: "data[1] (flag[0])".
void name_by_pointers(std::vector<FindingGroup>& groups, const Trace& trace, const cuda::ProgramReport& r) {
  for (FindingGroup& g : groups) {
    const std::optional<CellRef> cell = g.moment ? g.moment->cell : std::nullopt;
    if (!cell || cell->shared() || names(g.at.text, g.array)) continue;
    const cuda::ReportedPointer* nearest = nullptr;
    for (const cuda::ReportedPointer& p : r.inner_pointers)
      if (p.kernel == trace.launches[size_t(g.launch)].name && p.array == g.array && p.cell <= cell->index &&
          names(g.at.text, p.parameter) && (!nearest || nearest->cell < p.cell))
        nearest = &p;
    if (!nearest) continue;
    const auto name = [](const std::string& array, int64_t index) {
      return array + "[" + std::to_string(index) + "]";
    };
    const std::string known = name(g.array, cell->index),
                      here = name(nearest->parameter, cell->index - nearest->cell);
    g.message.for_each_text([&](std::string& text) {
      if (text == known) text += " (" + here + ")";
    });
    g.at = span_of(trace, g.launch, g.at.line, nearest->parameter);
    for (FindingNote& note : g.notes)
      if (names(note.at.text, nearest->parameter))
        note.at = span_of(trace, g.launch, note.at.line, nearest->parameter);
  }
}

// ---- results

/// The line that wrote the first wrong cell last, as a span; without a line where no thread wrote it.
SourceSpan span_of_wrong_cell(const Run& run) {
  const Report& r = run.report;
  for (size_t k = 0; k < r.expected.size(); ++k) {
    if (k < r.output.size() && r.output[k] == r.expected[k]) continue;
    const int last = final_holder(r.flow, {run.trace.output, int(k)});
    if (last < 0) break;
    const Node& n = r.flow.nodes[size_t(last)];
    return span_of(run.trace, n.launch, n.line, run.trace.arrays[size_t(run.trace.output)].name,
                   Access::write);
  }
  return {};
}

void add_results(std::vector<FindingGroup>& groups, const Run& run, bool stopped) {
  const Report& r = run.report;
  const bool explained = !groups.empty();
  const bool wrong = !stopped && !r.correct && !run.trace.expected.empty();
  const bool unproved = !stopped && r.proof().applies && !r.proof().holds;
  const Coverage covered = coverage(run.trace, r.flow);
  size_t next = 0;  // of its messages: unread inputs, inputs read twice, outputs without a write
  const std::pair<bool, Rule> kinds[] = {{!covered.unread.empty(), Rule::unread_input},
                                         {!covered.twice.empty(), Rule::input_read_twice},
                                         {!covered.unwritten.empty(), Rule::unwritten_output}};
  for (const auto& [found, rule] : kinds) {
    if (!found || next >= covered.gaps.size()) continue;
    const CoverageGap& gap = covered.gaps[next++];
    // What is read twice or not written explains a wrong result, and is no failure by itself.
    if (!stopped && (rule == Rule::unread_input || wrong || unproved))
      groups.push_back({.rule = rule,
                        .message = gap.message,
                        .help = gap.help,
                        .at = gap.launch < 0 ? SourceSpan() : span_of(run.trace, gap.launch, gap.line),
                        .launch = std::max(gap.launch, 0)});
  }
  if (wrong) {
    FindingGroup g{.rule = Rule::wrong_result,
                   .message = message("The result is wrong: {}.", first_difference(run))};
    g.at = span_of_wrong_cell(run);
    // what it is made of says more than its value
    if (unproved && !explained) g.notes.push_back({r.proof().message, {}});
    groups.push_back(std::move(g));
  } else if (unproved && !explained && covered.gaps.empty()) {
    groups.push_back({.rule = Rule::unproved, .title = message("no proof"), .message = r.proof().message});
  }
  if (!r.flow.snapshots_match)
    groups.push_back({.rule = Rule::replay, .message = message("The replay differs from the real memory.")});
}

// ---- notes

void add_same_value_stores(std::vector<FindingGroup>& notes, const Run& run) {
  for (const Hazard& h : run.report.flow.same_value_stores)
    notes.push_back(
        {.rule = Rule::race,
         .severity = Severity::note,
         .message = message("Several threads store the same value in {} without an order: CUDA keeps one "
                            "of them, so the result is the same.",
                            cell_name(run.trace, h.launch, h.place)),
         .at = span_of(run.trace, h.launch, h.lines[1], h.array, Access::write),
         .array = h.array,
         .launch = h.launch});
}

/// Whether it tells of a line and an array that race: what a thread reads too early may not have been
/// written.
bool is_of_race(const cuda::Remark& r, const std::vector<FindingGroup>& findings) {
  return std::ranges::any_of(findings, [&](const FindingGroup& g) {
    return g.rule == Rule::race && g.at.line == r.line &&
           r.message.english().find(g.array + "[") != std::string::npos;
  });
}

// ---- what follows from what

/// Whether a thread, or all of them, ended there before it was done.
bool ends_threads(const FindingGroup& g) {
  return g.rule == Rule::kernel &&
         (g.kind == FindingKind::missed_barrier || g.kind == FindingKind::deadlock ||
          g.kind == FindingKind::out_of_bounds || g.kind == FindingKind::other);
}

bool follows_from(const FindingGroup& g, const FindingGroup& cause) {
  if (cause.severity != Severity::error) return false;
  switch (g.rule) {
    case Rule::exit_code:
    case Rule::unproved: return true;
    case Rule::wrong_result:
      return cause.rule != Rule::exit_code && cause.rule != Rule::cuda_call && cause.rule != Rule::compiler;
    case Rule::race:
      return ends_threads(cause) && cause.kind == FindingKind::missed_barrier && cause.launch == g.launch;
    case Rule::cuda_call: return g.follows_fault && ends_threads(cause);
    case Rule::kernel:
      if (cause.launch != g.launch) return false;
      if (g.kind == FindingKind::missed_barrier)  // what keeps threads from one keeps them from the other
        return g.block_from && cause.kind == g.kind && cause.block_from == g.block_from &&
               cause.at.line < g.at.line;
      if (g.kind != FindingKind::uninitialised_read) return false;
      // without the race it is written before it is read
      if (cause.rule == Rule::race) return cause.array == g.array && cause.at.line == g.at.line;
      return ends_threads(cause);
    default: return false;
  }
}

/// The causes alone, each with what follows from it.
std::vector<FindingGroup> folded(std::vector<FindingGroup> groups) {
  std::vector<int> cause(groups.size(), -1);
  for (size_t k = 0; k < groups.size(); ++k)
    for (size_t c = 0; c < groups.size() && cause[k] < 0; ++c)
      if (c != k && cause[c] < 0 && follows_from(groups[k], groups[c]) && !follows_from(groups[c], groups[k]))
        cause[k] = int(c);
  // a consequence of a consequence belongs to the first cause
  for (int& c : cause)
    while (c >= 0 && cause[size_t(c)] >= 0) c = cause[size_t(c)];
  for (size_t k = 0; k < groups.size(); ++k)
    if (cause[k] >= 0) groups[size_t(cause[k])].consequences.push_back(groups[k]);
  std::vector<FindingGroup> causes;
  for (size_t k = 0; k < groups.size(); ++k)
    if (cause[k] < 0) causes.push_back(std::move(groups[k]));
  return causes;
}

}  // namespace

const char* name_of(FindingKind kind) {
  constexpr const char* names[] = {"kernel",   "out-of-bounds", "uninitialised-read", "missed-barrier",
                                   "deadlock", "endless-loop",  "too-many-events"};
  static_assert(std::size(names) == size_t(FindingKind::last) + 1);
  return names[size_t(kind)];
}

const char* name_of(Severity s) {
  constexpr const char* names[] = {"error", "warning", "note"};
  return names[size_t(s)];
}

Message FindingGroup::sentences() const { return followed_by(followed_by(message, help), tried); }

std::string FindingGroup::rule_name() const {
  constexpr const char* names[] = {
      "race",         "kernel",           "cuda-call",         "program-end",  "compiler",
      "unread-input", "input-read-twice", "unwritten-output",  "wrong-result", "unproved",
      "replay",       "exit-code",        "redundant-barrier", "likely-cause", "early-return"};
  static_assert(std::size(names) == size_t(Rule::last) + 1);
  return rule == Rule::kernel ? name_of(kind) : names[size_t(rule)];
}

std::vector<FindingGroup> finding_groups(const Run& run, const cuda::ProgramRun* program,
                                         const std::vector<Message>& why) {
  std::vector<FindingGroup> groups = groups_of(run, findings_of(run));
  std::ranges::move(groups_of_races(run), std::back_inserter(groups));
  if (run.report.lost().lost)
    for (FindingGroup& g : groups)
      if (g.rule == Rule::race && g.cure.kind == CureKind::atomic &&
          g.array == run.trace.arrays[size_t(run.trace.output)].name) {
        g.notes.push_back(
            {message("{} of {} updates are lost", run.report.lost().lost, run.report.lost().performed), {}});
        break;
      }
  look_around_barriers(groups, run.trace);
  // what stops threads comes first, then what they read, then what they do to each other
  std::ranges::stable_sort(groups, {}, [](const FindingGroup& g) {
    return ends_threads(g) ? 0 : g.rule == Rule::kernel ? 1 : 2;
  });
  if (program) {
    name_overflows(groups, program->report);
    name_by_pointers(groups, run.trace, program->report);
    add_host(groups, *program, run.trace);
  }
  add_results(groups, run, !stopped_by(run, program).empty());
  const Message exit = program ? exit_of(*program) : Message();
  if (!exit.empty()) add_likely_causes(groups, *program, run.trace);
  if (!exit.empty() && groups.empty())
    for (const Message& m : why) groups.push_back({.rule = Rule::wrong_result, .message = m});
  if (!exit.empty()) groups.push_back({.rule = Rule::exit_code, .message = exit});
  return folded(std::move(groups));
}

std::vector<FindingGroup> finding_groups(const cuda::ProgramRun& program) {
  std::vector<FindingGroup> groups;
  add_host(groups, program, {});
  return groups;
}

std::vector<FindingGroup> note_groups(const Run& run, const cuda::ProgramRun* program,
                                      const std::vector<FindingGroup>& findings) {
  std::vector<FindingGroup> all;
  if (program) {
    for (const cuda::Remark& r : program->report.likely_causes)
      if (!is_said(r, findings) && !is_of_race(r, findings))
        all.push_back(group_of(r, Rule::likely_cause, Severity::note, *program, run.trace));
    for (const cuda::Remark& r : program->report.early_returns)
      all.push_back(group_of(r, Rule::early_return, Severity::note, *program, run.trace));
  }
  add_same_value_stores(all, run);
  return all;
}

std::vector<FindingGroup> redundant_barriers(const Run& run, const std::vector<Barrier>& barriers) {
  // A line stands for one barrier of the text, though several kernels come to it, or several instantiations.
  std::map<std::pair<int, int>, const Barrier*> redundant;  // by source and line; null: some kernel needs it
  std::vector<std::pair<int, int>> places;
  for (const Barrier& b : barriers) {
    const std::pair place(run.trace.launches[size_t(b.launch)].source, b.line);
    const auto [known, fresh] = redundant.try_emplace(place, &b);
    if (fresh) places.push_back(place);
    if (b.needed) known->second = nullptr;
  }
  std::vector<FindingGroup> all;
  for (const auto& place : places)
    if (const Barrier* b = redundant[place])
      all.push_back({.rule = Rule::redundant_barrier,
                     .severity = Severity::note,
                     .message = b->message,
                     .at = span_of(run.trace, b->launch, b->line),
                     .launch = b->launch});
  return all;
}

size_t count_errors(const std::vector<FindingGroup>& groups) {
  return size_t(std::ranges::count(groups, Severity::error, &FindingGroup::severity));
}

}  // namespace bscope
