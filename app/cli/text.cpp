#include "app/cli/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <sstream>

#include "app/cli/finding_text.hpp"
#include "app/cli/lines.hpp"
#include "app/run/run.hpp"
#include "app/words/counting.hpp"
#include "engine/analysis/arrows.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/engine_copies.hpp"
#include "engine/analysis/equation.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/library_launch.hpp"
#include "engine/trace/places.hpp"
#include "engine/trace/shown_text.hpp"

namespace bscope {
namespace {

const char* sign_of(const std::string& op) {
  static const std::map<std::string, const char*> signs = {
      {"add", "+"}, {"multiply", "*"}, {"and", "&"}, {"or", "|"}, {"xor", "^"}};
  const auto it = signs.find(op);
  return it == signs.end() ? nullptr : it->second;
}

/// Comparisons steer; they do not count as work.
bool compares(const std::string& op) {
  static const std::set<std::string> all = {"less", "more", "less_equal", "more_equal", "equal", "differ"};
  return all.contains(op);
}

/// The counted figures of a run, line by line: what the line is called, and what it says.
std::vector<std::pair<std::string, std::string>> counted_lines(const Report& r) {
  std::vector<std::pair<std::string, std::string>> lines;
  std::set<std::string> any;
  for (const Fact* f : facts()) {
    if (!f->of_run || f->line.empty() || (f->words.empty() && !f->told)) continue;
    const long n = f->of_run(r);
    auto at = std::ranges::find(lines, f->line, &std::pair<std::string, std::string>::first);
    if (at == lines.end()) at = lines.insert(at, {f->line, ""});
    at->second +=
        (at->second.empty() ? "" : ", ") + (f->told ? f->told(r, n) : fmt::format("{} {}", n, f->words));
    if (n) any.insert(f->line);
  }
  std::erase_if(lines, [&](const auto& line) { return !any.contains(line.first); });
  return lines;
}

}  // namespace

Frames::Frames(const Run& run, Ink ink, int width)
    : run_(run), globals_(run.trace, run.report.flow), ink_(ink), width_(std::max(40, width)) {}

std::string Frames::heading() const {
  const Trace& t = run_.trace;
  const Algorithm* a = algorithm_of(t.kernel);
  std::string s = ink_(Role::title, a ? a->title : t.kernel) + "  " + (a ? t.kernel : "");
  std::string settings;
  for (const auto& [name, value] : t.parameters)
    settings += (settings.empty() ? "" : ", ") + name + " " + value;
  s += "   " + settings + "   " + ink_(Role::idle, t.device + (t.driver.empty() ? "" : ", " + t.driver)) +
       "\n";
  if (a) s += wrapped(a->lesson, width_, "");
  if (a && !a->fix.empty()) s += wrapped("fix: " + a->fix, width_, "");
  return s;
}

const Interval* Frames::previous(const Interval& v) const {
  if (!v.index) return nullptr;
  return &run_.report.flow.of_block(v.launch, v.block)[size_t(v.index) - 1];
}

std::vector<Frames::ShownArray> Frames::shown(const Interval& v) const {
  const DataflowGraph& flow = run_.report.flow;
  const Launch& l = run_.trace.launches[size_t(v.launch)];
  std::map<int, std::set<int>> written;
  for (int id : v.nodes) {
    const Node& n = flow.nodes[size_t(id)];
    if (writes(n.op)) written[n.place.array].insert(n.place.index);
  }
  std::vector<ShownArray> all;
  auto add = [&](int array, ArrayState before, ArrayState after, int from, int to) {
    all.push_back({array, run_.trace.array(l, array).name, std::move(before), std::move(after),
                   written[array], from, to});
  };
  for (size_t k = 0; k < l.shared.size(); ++k) {
    const int id = first_shared + int(k);
    const Interval* p = previous(v);
    add(id, p ? shared_state(run_.trace, *p, id) : nothing_written(l.shared[k]),
        shared_state(run_.trace, v, id), 0, l.shared[k].size);
    if (l.shared[k].rows > 1) all.back().together = l.shared[k].row_size();
  }
  // Global arrays where the block writes to them; without shared memory, also where it reads.
  std::set<int> globals;
  for (const auto& [array, cells] : written)
    if (array < first_shared && !cells.empty()) globals.insert(array);
  if (l.shared.empty())
    for (const Interval& i : flow.of_block(v.launch, v.block))
      for (int id : i.nodes)
        if (const Node& n = flow.nodes[size_t(id)]; writes(n.op) && !n.place.shared())
          globals.insert(n.place.array);
  const int first = globals_.before(v), end = globals_.after(v);
  for (int array : globals) {
    const int size = run_.trace.arrays[size_t(array)].size;
    int from = 0, to = size;
    if (size > 64 && !written[array].empty())  // of a long array the part that changes
      from = *written[array].begin() / 16 * 16, to = std::min(size, (*written[array].rbegin() / 16 + 1) * 16);
    const ArrayRange part{array, from, to - from};
    add(array, *globals_.at(part, first), *globals_.at(part, end), from, to);
  }
  return all;
}

std::string Frames::globals(int launch, int from, int to) const {
  constexpr size_t most_told = 8;
  std::string out;
  for (size_t a = 0; a < run_.trace.launches[size_t(launch)].after.size(); ++a) {
    const int array = int(a);
    const ArrayRange whole = globals_.whole(array);
    ShownArray s{
        array,     run_.trace.arrays[a].name, *globals_.at(array, from), *globals_.at(array, to), {}, 0,
        whole.size};
    const std::vector<int> before = globals_.writers(whole, from), after = globals_.writers(whole, to);
    for (int cell = 0; cell < whole.size; ++cell)
      if (after[size_t(cell)] != before[size_t(cell)]) s.changed.insert(cell);
    out += table(s, false);
    const auto words = globals_.words_at(run_.report.words(), whole, to);
    std::string holds;
    size_t told = 0, more = 0;
    for (size_t cell = 0; cell < words.size(); ++cell) {
      if (!s.changed.contains(int(cell)) || words[cell].text().empty()) continue;
      if (told == most_told)
        ++more;
      else
        holds += (told++ ? ", " : "") + fmt::format("{}[{}] {}", s.name, cell, words[cell].text());
    }
    if (more) holds += fmt::format(" and {} more", more);
    if (told) out += ink_(Role::idle, wrapped("holds " + holds, width_, "  "));
  }
  return out;
}
std::string Frames::after(const Launch& l) const {
  const int launch = int(&l - run_.trace.launches.data());
  return globals(launch, globals_.before_launch(launch), globals_.after_launch(launch));
}
std::string Frames::after(const Interval& v) const {
  return globals(v.launch, globals_.before(v), globals_.after(v));
}

std::string Frames::table(const ShownArray& s, bool before) const {
  int cell = 1;
  for (int i = s.from; i < s.to; ++i)
    for (const ArrayState* a : {&s.before, &s.after})
      if (a->is_known(i)) cell = std::max(cell, int(a->text(i).size()));
  cell = std::max(cell, int(std::to_string(std::max(0, s.to - 1)).size())) + 2;
  const int label = std::max(8, int(s.name.size()) + 3);
  int row = 32;
  while (row > 1 && row * cell + label > width_) row /= 2;

  auto line = [&](const std::string& name, int from, int to, auto text_and_role) {
    std::string out = "  " + pad_right(name, label - 2);
    for (int i = from; i < to; ++i) {
      const auto [text, role, marked] = text_and_role(i);
      // The brackets stand for the colour where there is none, and keep the columns either way.
      const std::string body = marked ? "[" + text + "]" : " " + text + " ";
      out += std::string(size_t(std::max(0, cell - int(body.size()))), ' ') + ink_(role, body);
    }
    while (out.ends_with(' ')) out.pop_back();
    return out + "\n";
  };
  struct Text {
    std::string text;
    Role role;
    bool marked;
  };
  auto value = [&](const ArrayState& a, int i) { return a.is_known(i) ? a.text(i) : std::string("."); };

  std::string out;
  int skipped_from = -1;
  auto skipped = [&](int to) {
    if (skipped_from >= 0)
      out += ink_(Role::idle, fmt::format("  {}[{}..{}] unchanged\n", s.name, skipped_from, to - 1));
    skipped_from = -1;
  };
  const bool many = s.to - s.from > 4 * row;
  for (int from = s.from, to = from; from < s.to; from = to) {
    to = std::min(s.to, from + row);
    if (s.together) to = std::min(to, (from / s.together + 1) * s.together);
    const auto first_changed = s.changed.lower_bound(from);
    const bool changes = first_changed != s.changed.end() && *first_changed < to;
    if (many && !changes) {
      if (skipped_from < 0) skipped_from = from;
      continue;
    }
    skipped(from);
    if (before)
      out += line("before", from, to, [&](int i) {
        return Text{value(s.before, i), s.changed.contains(i) ? Role::plain : Role::idle, false};
      });
    out += line(s.name, from, to, [&](int i) {
      return Text{value(s.after, i), s.changed.contains(i) ? Role::changed : Role::plain,
                  s.changed.contains(i)};
    });
    out += line("", from, to, [&](int i) { return Text{std::to_string(i), Role::idle, false}; });
  }
  skipped(s.to);
  return out;
}

std::string Frames::states(const Interval& v, bool before) const {
  std::string out;
  for (const auto& s : shown(v)) out += table(s, before);
  return out;
}

std::string Frames::caption(const Interval& v, int step) const {
  const DataflowGraph& flow = run_.report.flow;
  const Launch& l = run_.trace.launches[size_t(v.launch)];
  const auto threads = active_threads(flow, v).size();
  const Work w = work(flow, v);
  const auto of = flow.of_block(v.launch, v.block).size();
  std::string s = ink_(Role::title, fmt::format("step {} of {}", step_number(v.index), of)) + "  " +
                  ink_(Role::phase, v.phase) + fmt::format("  {} of {} threads", threads, l.block);
  for (const auto& [op, n] : w.by_op)
    if (!compares(op)) s += op == "add" ? ", " + count(n, "add", "adds") : fmt::format(", {} x {}", n, op);
  const auto t = total(run_.report.requests_of(size_t(&v - flow.intervals.data())));
  const long sectors = t.global_sectors + engine_sectors(run_, v);
  if (t.shared_requests) {
    s += ", " + count(t.shared_wavefronts, "wavefront", "wavefronts");
    if (t.shared_wavefronts > t.shared_wavefronts_ideal)
      s += ink_(Role::race, fmt::format(" (ideal {})", t.shared_wavefronts_ideal));
  }
  if (sectors) s += ", " + count(sectors, "sector", "sectors");
  s += ink_(Role::idle, v.line ? fmt::format("   then the barrier in line {}", v.line) : "   then the exit");
  s += ink_(Role::idle, fmt::format("   --step {}", step));
  return s + "\n";
}

std::string Frames::place(const Launch& l, CellRef p) const {
  return fmt::format("{}[{}]", run_.trace.array(l, p.array).name, p.index);
}

std::string Frames::sentence(const Launch& l, const Arrow& a) const {
  const DataflowGraph& flow = run_.report.flow;
  const Node& store = flow.nodes[size_t(a.node)];
  const std::string to = place(l, a.to);
  const std::string result = text_of(ElementType(store.kind), written_bits(flow, store));
  std::vector<std::string> names, held;
  for (size_t i = 0; i < a.from.size(); ++i) {
    names.push_back(place(l, a.from[i]));
    const Node& load = flow.nodes[size_t(a.loads[i])];
    held.push_back(text_of(ElementType(load.kind), load.bits));
  }
  std::string s = ink_(Role::thread, fmt::format("t{:<4}", a.thread)) + pad_right(to, 10) + " ";
  if (is_atomic(store.op)) {
    const std::string operand =
        store.b >= 0 ? text_of(ElementType(store.kind), flow.nodes[size_t(store.b)].bits) : "?";
    s += ink_(Role::atomic, name_of(store.op)) +
         fmt::format(" {}: {} becomes {}", operand, text_of(ElementType(store.kind), store.bits), result);
  } else if (const char* sign = sign_of(a.op); sign && names.size() == 2) {
    s += fmt::format("= {} {} {} = {} {} {} = {}", ink_(Role::read, names[0]), sign,
                     ink_(Role::read, names[1]), held[0], sign, held[1], result);
  } else if (a.op == "copy" && names.size() == 1) {
    s += fmt::format("= {} = {}", ink_(Role::read, names[0]), result);
  } else if (names.empty()) {
    s += "= " + result;
  } else {
    s += fmt::format("= {}   {} of", result, a.op);
    for (size_t i = 0; i < std::min<size_t>(names.size(), 4); ++i)
      s += (i ? ", " : " ") + ink_(Role::read, names[i]) + " = " + held[i];
    if (names.size() > 4) s += fmt::format(" and {} more", names.size() - 4);
  }
  const Word word = run_.report.words()[size_t(a.node)];
  if (word.known) s += ink_(Role::idle, "   " + word.text());
  return s + ink_(Role::idle, a.line ? fmt::format("   line {}", a.line) : "");
}

std::string Frames::sentences(const Interval& v, int most) const {
  const Launch& l = run_.trace.launches[size_t(v.launch)];
  const auto all = arrows(run_.report.flow, v);
  std::string out;
  for (size_t i = 0; i < std::min(all.size(), size_t(most)); ++i) out += "  " + sentence(l, all[i]) + "\n";
  if (all.size() > size_t(most))
    out += ink_(Role::idle, fmt::format("  and {} more\n", all.size() - size_t(most)));
  for (const Hazard& h : run_.report.flow.hazards) {
    const bool here = std::ranges::any_of(v.nodes, [&](int id) {
      const Node& n = run_.report.flow.nodes[size_t(id)];
      return n.launch == h.launch && n.place == h.place && n.thread == h.threads[1] && n.line == h.lines[1];
    });
    if (here) out += wrapped("race: " + h.sentences().english(), width_, "  ");
  }
  return out;
}

std::string Frames::source(const Interval& v, int around) const {
  const Launch& l = run_.trace.launches[size_t(v.launch)];
  const std::string& text = run_.trace.sources[size_t(l.source)].text;
  std::set<int> lines;
  for (int id : v.nodes)
    if (int line = run_.report.flow.nodes[size_t(id)].line) lines.insert(line);
  std::set<int> marked = lines;
  if (v.line) marked.insert(v.line);
  if (text.empty() || marked.empty()) return "";
  const int from = *marked.begin() - around, to = *marked.rbegin() + around;
  std::string out;
  int number = 0, left_out = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (number < from || number > to) continue;
    // Between lines that are far apart only those beside them are shown.
    const auto near = marked.lower_bound(number - around);
    if (near == marked.end() || *near > number + around) {
      if (!left_out++) out += "       ...\n";
      continue;
    }
    left_out = 0;
    line = as_shown_line(line);
    if (int(line.size()) > width_ - 8) line.resize(size_t(width_ - 8));
    const bool barrier = number == v.line, busy = lines.contains(number);
    out += fmt::format("  {} {:>3} ",
                       busy      ? ">"
                       : barrier ? "="
                                 : " ",
                       number) +
           ink_(busy      ? Role::thread
                : barrier ? Role::title
                          : Role::idle,
                line) +
           "\n";
  }
  return out;
}

std::string Frames::timeline(const Interval& v) const {
  std::string out, phase;
  for (const Interval& i : run_.report.flow.of_block(v.launch, v.block)) {
    if (i.phase != phase || !i.index) {
      out += (out.empty() ? "" : "]  ") + ink_(Role::phase, i.phase) + " [";
      phase = i.phase;
    }
    out += i.index == v.index ? ink_(Role::changed, "#") : i.index < v.index ? "=" : ink_(Role::idle, ".");
  }
  return "  " + out + "]\n";
}

std::string Frames::totals() const {
  const Trace& t = run_.trace;
  const Report& r = run_.report;
  std::string s = "input     " + values(t, t.input, r.input, 24) + "\noutput    " +
                  values(t, t.output, r.output, 24) + "  " +
                  (t.expected.empty() ? ink_(Role::idle, "no expected result given")
                   : r.correct        ? ink_(Role::thread, "correct")
                                      : ink_(Role::race, "wrong")) +
                  "\n";
  if (!r.correct && !t.expected.empty()) s += "expected  " + values(t, t.output, r.expected, 24) + "\n";
  for (const auto& [name, figures] : counted_lines(r)) {
    s += pad_right(name, 10) + figures + "\n";
    if (name == "work")
      for (const Formula& f : t.formulas)
        s += fmt::format("          textbook: {} = {}\n", f.of, equation(f.text, f.value));
  }
  if (r.lost().lost)
    s +=
        ink_(Role::race, fmt::format("lost      {} of {} updates", r.lost().lost, r.lost().performed)) + "\n";
  for (const auto& f : t.findings) s += ink_(Role::race, "finding") + "   " + f.text() + "\n";
  if (r.flow.hazards_found)
    s += ink_(Role::race, "race      ") +
         fmt::format("{}: `check` names them\n", count(long(r.flow.hazards_found), "hazard", "hazards"));
  return s;
}

std::string launch_name(const Trace& trace, int launch) {
  const Launch& l = trace.launches[size_t(launch)];
  if (launch_count(trace) == 1 || is_between_launches(l)) return l.name;
  return fmt::format("launch {}: {}", launch_number(trace, launch), l.name);
}

namespace {
/// "grid 4 x block 256", "grid (2 x 2) x block (16 x 16)".
std::string launch_size(const Launch& l) {
  const auto size = [](const std::optional<Extent>& extent, int count) {
    const std::string s = size_text(extent, count);
    return extent && extent->dimensions() > 1 ? "(" + s + ")" : s;
  };
  return "grid " + size(l.grid_extent, l.grid) + " x block " + size(l.block_extent, l.block);
}

/// "thrust::sort, line 20   changes 1000 cells of keys"
std::string library_line(const Trace& trace, const Launch& l, const Ink& ink) {
  std::map<int, long> changed;
  for (const Event& e : l.blocks[0].events)
    if (writes(e.op)) ++changed[e.array];
  std::string all;
  for (const auto& [array, cells] : changed)
    all += (all.empty() ? "changes " : ", ") + count(cells, "cell", "cells") + " of " +
           trace.arrays[size_t(array)].name;
  return ink(Role::title, l.name) + "   " + (all.empty() ? "changes no array" : all) + "\n";
}
}  // namespace

std::string summary_text(const Run& run, Ink ink, int width) {
  const Frames frames(run, ink, width);
  const std::string cost = cost_text(run.report, ink);
  return frames.heading() + "\n" + cost + (cost.empty() ? "" : "\n") + frames.totals() +
         ink(Role::idle, fmt::format("{}: --steps shows each of them\n",
                                     count(long(run.report.flow.intervals.size()), "step", "steps")));
}

void show_text(std::ostream& out, const Run& run, Ink ink, int width, std::optional<int> globals) {
  const Frames frames(run, ink, width);
  out << frames.heading();
  const auto& intervals = run.report.flow.intervals;
  for (int step = 0; step < int(intervals.size()); ++step) {
    const Interval& v = intervals[size_t(step)];
    const Launch& l = run.trace.launches[size_t(v.launch)];
    if (is_library_launch(l)) {
      out << "\n" + library_line(run.trace, l, ink);
      continue;
    }
    if (!v.index && !v.block)
      out << "\n" + ink(Role::title, launch_name(run.trace, v.launch)) +
                 (is_between_launches(l) ? "   between launches\n"
                                         : fmt::format("   {}   {}\n", launch_size(l),
                                                       run.trace.sources[size_t(l.source)].path));
    if (!v.index && l.grid > 1) out << "\n" + ink(Role::title, "block " + block_text(l, v.block)) + "\n";
    out << "\n" + frames.caption(v, step) + frames.states(v, false) + frames.sentences(v, 32);
    if (globals == v.block)
      out << "  " + ink(Role::phase, fmt::format("global arrays after step {}", step_number(v.index))) +
                 "\n" + frames.after(v);
    const bool ends = step + 1 == int(intervals.size()) || intervals[size_t(step) + 1].launch != v.launch;
    if (ends)
      out << "\n" + ink(Role::phase, "global arrays after " + launch_name(run.trace, v.launch)) + "\n" +
                 frames.after(l);
  }
  out << "\n" << frames.totals();
}

}  // namespace bscope
