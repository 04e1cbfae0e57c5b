#include "app/assignments/judge.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

#include "app/assignments/assignment.hpp"
#include "app/assignments/derived.hpp"
#include "app/run/run.hpp"
#include "app/run/target.hpp"
#include "app/run/verdict.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/cuda/toolchain/items.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/cuda/toolchain/own_texts.hpp"
#include "engine/cuda/toolchain/report.hpp"
#include "engine/trace/cpp_tokens.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// A run that was made, and what is asked of it again and again.
struct Made {
  OpenedRun opened;
  Message why_not;  ///< there is none
  Verdict verdict;
  std::vector<cuda::Constant> constants;  ///< for limits
  /// Each launch as a run of its own, made when it is asked for.
  mutable std::vector<std::shared_ptr<const Run>> launches;

  const Run& launch(size_t k) const {
    const Trace& t = opened.run->trace;
    if (t.launches.size() == 1) return *opened.run;
    launches.resize(t.launches.size());
    if (!launches[k]) launches[k] = one_launch(t, k);
    return *launches[k];
  }
};

constexpr int most_launches = 64;  // of each kernel that are traced: more than usual, for all are judged

std::string number_text(double v) {
  return v == std::floor(v) ? fmt::format("{:.0f}", v) : fmt::format("{:.6g}", v);
}

RequirementResult pass() { return {.passed = true}; }
RequirementResult fail(Message why) { return {.seen = std::move(why)}; }

// ---- what is always asked

RequirementResult ends_well(const Assignment& a, const Made& m) {
  std::vector<Message> wrong = m.verdict.program;
  if (!m.verdict.stopped.empty()) wrong.push_back(m.verdict.stopped);
  std::erase_if(wrong, [&](const Message& w) { return w.english().starts_with(a.file + ":"); });
  return wrong.empty() ? pass() : fail(wrong.front());
}

RequirementResult is_whole(const Assignment&, const Made& m) {
  for (const cuda::ReportedLaunch& l : m.opened.program->report.launches)
    if (l.shown != "in_full" && l.shown != "repeated")
      return fail(
          message("a launch of {} is too long, or one too many, to be traced in full: give this run a "
                  "smaller size",
                  l.kernel));
  return pass();
}

/// The first cell of a wrong output.
Message difference(const Run& run) {
  const Report& r = run.report;
  const ArrayInfo& out = run.trace.arrays[size_t(run.trace.output)];
  for (size_t k = 0; k < r.expected.size(); ++k) {
    if (k >= r.output.size())
      return message("{} has {} cells for {} results", out.name, r.output.size(), r.expected.size());
    if (r.output[k] != r.expected[k])
      return message("{}[{}] is {}, expected {}", out.name, k, number_text(r.output[k]),
                     number_text(r.expected[k]));
  }
  return message("the result is wrong");
}

RequirementResult has_result(const Assignment& a, const Made& m) {
  if (m.verdict.judged) return m.verdict.correct ? pass() : fail(difference(*m.opened.run));
  if (!m.opened.run->trace.findings.empty())
    return fail(message("there is none: a kernel did not come to its end"));
  for (const cuda::Diagnostic& d : m.opened.program->diagnostics)
    if (d.file == a.file) return fail(d.text);
  return fail(message("no result was found"));
}

/// Whether the assignment asks for values to be moved, and nothing to be computed.
bool asks_to_move(const Assignment& a) {
  const std::string_view text = a.expected.text;
  const auto words = code_tokens(text);
  if (words.size() < 4) return false;
  const std::string_view of = text.substr(words[2].begin, words[2].end - words[2].begin);
  return of == "transpose" || of == "copy";
}

RequirementResult is_computed(const Assignment& a, const Made& m) {
  if (!m.verdict.judged) return fail(message("no result was found"));
  const Run& run = *m.opened.run;
  if (const Message why = not_derived(run, asks_to_move(a)); !why.empty()) return fail(why);
  if (!m.verdict.coverage.whole()) return fail(m.verdict.coverage.gaps.front().sentences());
  // what is not ordered, or does not end, proves nothing; it is reported separately
  if (m.verdict.proof_failed && m.verdict.ordered && m.verdict.well_behaved)
    return fail(run.report.proof().message);
  return {.passed = true, .seen = run.report.proof().applies ? run.report.proof().message : Message()};
}

RequirementResult has_order(const Assignment&, const Made& m) {
  const DataflowGraph& flow = m.opened.run->report.flow;
  if (m.verdict.ordered) return pass();
  RequirementResult s = fail(flow.hazards.empty() ? message("two threads touch a cell unordered")
                                                  : flow.hazards.front().sentences());
  if (!flow.hazards.empty()) {
    const Hazard& h = flow.hazards.front();
    s.line = h.lines[1];
    s.file = m.opened.run->trace.sources[size_t(m.opened.run->trace.launches[size_t(h.launch)].source)].path;
  }
  s.figure = long(flow.hazards_found);
  s.limit = 0;
  return s;
}

RequirementResult behaves(const Assignment&, const Made& m) {
  if (!m.verdict.snapshots_match) return fail(message("the replay differs from the real memory"));
  if (m.verdict.well_behaved) return pass();
  const Finding& f = m.verdict.findings.front();
  RequirementResult s = fail(f.sentences());
  s.line = f.line;
  if (f.line)
    s.file = m.opened.run->trace.sources[size_t(m.opened.run->trace.launches[size_t(f.launch)].source)].path;
  return s;
}

struct Always {
  const char* id;
  Message (*asked)(const Assignment&);
  bool of_result;  ///< only where the assignment says what is to be computed
  RequirementResult (*look)(const Assignment&, const Made&);
};
constexpr Always always[] = {
    {"program",
     [](const Assignment&) {
       return message("the program exits with code 0 and uses the CUDA API correctly");
     },
     false, ends_well},
    {"whole", [](const Assignment&) { return message("every launch can be watched"); }, false, is_whole},
    {"result", [](const Assignment& a) { return message("the result is right: {}", a.expected.text); }, true,
     has_result},
    {"kernels", [](const Assignment&) { return message("kernels compute the result from the input"); }, true,
     is_computed},
    {"hazards", [](const Assignment&) { return message("no two threads touch a cell unordered"); }, false,
     has_order},
    {"findings",
     [](const Assignment&) {
       return message("barriers meet, accesses are in bounds, everything read was written");
     },
     false, behaves}};

// ---- figures with a limit

Message asked_of(const Requirement& r) {
  const Message what = Message::plain(r.what);
  const Message asked = r.at_least.empty() ? message("at most {} {}", r.at_most, what)
                        : r.at_most.empty()
                            ? message("at least {} {}", r.at_least, what)
                            : message("at least {} and at most {} {}", r.at_least, r.at_most, what);
  if (r.kernel == "*") return message("{} in each launch", asked);
  return r.kernel.empty() ? asked : message("{} in each launch of {}", asked, r.kernel);
}

/// What limits can name of a launch, beside the program's constants.
std::vector<cuda::Constant> with_launch(std::vector<cuda::Constant> known, double blocks, double threads) {
  for (const auto& [name, value] : {std::pair("blocks", blocks), std::pair("threads", threads),
                                    std::pair("warps", blocks * std::ceil(threads / warp_size))})
    known.push_back({name, number_text(value)});
  return known;
}

double worked_out_limit(const Assignment& a, const Requirement& r, const std::string& limit,
                        const std::vector<cuda::Constant>& known) {
  if (const auto v = cuda::worked_out(limit, known)) return *v;
  throw BadFile(message(
      "{}:{}: the limit {} cannot be worked out: it may be made of numbers, constants of the program or "
      "of the run, + - * / %, min, max, log2 and ceil_div, and in a requirement of a kernel of blocks, "
      "threads and warps",
      a.file, r.line, limit));
}

/// Where most of a figure comes from: ", 960 of them in line 14".
void tell_where(const Requirement& r, const Run& run, RequirementResult& s) {
  const auto lines = lines_of(*r.fact, run.report);
  if (lines.empty()) return;
  const LineCount& most = lines.front();
  s.line = most.line;
  s.file = run.trace.sources[size_t(run.trace.launches[size_t(most.launch)].source)].path;
  s.seen = lines.size() == 1 ? message("{}, in line {}", s.seen, most.line)
                             : message("{}, {} of them in line {}", s.seen, most.count, most.line);
}

RequirementResult held_against(const Assignment& a, const Requirement& r, const Run& run,
                               const std::vector<cuda::Constant>& known) {
  RequirementResult s;
  s.figure = r.fact->of_run(run.report);
  const Message what = Message::plain(r.what);
  s.seen = message("{} {}", *s.figure, what);
  s.passed = true;
  const auto keep = [&](const std::string& limit, auto kept, const auto& too_much) {
    if (limit.empty() || !s.passed) return;
    s.limit = worked_out_limit(a, r, limit, known);
    s.passed = kept(double(*s.figure), *s.limit);
    if (!s.passed) s.seen = too_much(number_text(*s.limit));
  };
  keep(r.at_least, std::greater_equal<>(),
       [&](const std::string& limit) { return message("{} {}, at least {}", *s.figure, what, limit); });
  keep(r.at_most, std::less_equal<>(),
       [&](const std::string& limit) { return message("{} {}, at most {}", *s.figure, what, limit); });
  if (!s.passed && *s.figure) tell_where(r, run, s);
  return s;
}

bool is_of(const std::string& launch, const std::string& kernel) {
  return kernel == "*" || launch == kernel || launch.starts_with(kernel + "<");
}

RequirementResult look(const Assignment& a, const Requirement& r, const Made& m) {
  const Trace& t = m.opened.run->trace;
  if (r.kernel.empty()) return held_against(a, r, *m.opened.run, m.constants);
  std::optional<RequirementResult> last;
  for (size_t k = 0; k < t.launches.size(); ++k) {
    const Launch& l = t.launches[k];
    if (!is_of(l.name, r.kernel)) continue;
    RequirementResult s = held_against(a, r, m.launch(k), with_launch(m.constants, l.grid, l.block));
    const bool more = !last || s.figure > last->figure;
    if (!s.passed) return s;
    if (more) last = std::move(s);
  }
  return last ? *last : fail(message("no launch of {} is seen", r.kernel));
}

// ---- runs

std::vector<std::string> files_of(const Target& program) {
  return program.program.files.empty() ? std::vector{program.file} : program.program.files;
}

/// The judging of one program.
class Judge {
 public:
  using Open = std::function<OpenedRun(const Target&)>;

  Judge(const Assignment& a, const Target& program, const Open& open)
      : assignment_(a),
        open_(open),
        files_(files_of(program)),
        targets_(targets_of(a, program)),
        texts_(own_texts_of(program)) {}

  Grade grade() {
    std::vector<std::vector<cuda::Constant>> constants;
    for (const AssignedRun& r : assignment_.runs) constants.push_back(limits_constants(r));
    for (const auto& known : constants) need_limits(known);
    announce();
    if (assignment_.guards) judge_text();
    for (size_t k = 0; k < assignment_.runs.size(); ++k) {
      Made m = made(targets_[k]);
      m.constants = std::move(constants[k]);
      judge_run(m);
      grade_.runs.push_back(std::move(m.opened));
    }
    return std::move(grade_);
  }

 private:
  static std::vector<cuda::NamedText> own_texts_of(const Target& program) {
    std::vector<cuda::NamedText> all;
    for (cuda::OwnText& t : cuda::own_texts(files_of(program), program.program.includes))
      all.push_back(std::move(t.text));
    return all;
  }

  /// What limits may name: what the run sets, then what the given file declares, or the program.
  std::vector<cuda::Constant> limits_constants(const AssignedRun& r) const {
    std::vector<cuda::Constant> known;
    for (const cuda::Setting& s : r.constants) known.push_back({s.name, s.value});
    const std::string given = assignment_.start.filename().string();
    std::vector<cuda::NamedText> texts = texts_;
    if (!assignment_.start.empty()) texts = {{given, assignment_.given}};
    for (const cuda::NamedText& t : texts)
      for (cuda::Constant& c : cuda::constants(t.text)) known.push_back(std::move(c));
    if (assignment_.start.empty()) return known;
    for (const cuda::Setting& s : r.constants) try {
        cuda::change(texts, s);
      } catch (const UsageError&) {
        throw BadFile(
            message("{}:{}: {} declares no constant {}, or more than one: a run can set what is given its "
                    "value where it is declared",
                    assignment_.file, r.line, given, s.name));
      }
    return known;
  }

  /// Every limit can be worked out, before anything is run.
  void need_limits(const std::vector<cuda::Constant>& known) const {
    for (const Requirement& r : assignment_.requirements)
      for (const std::string& limit : {r.at_least, r.at_most})
        if (!limit.empty())
          worked_out_limit(assignment_, r, limit, r.kernel.empty() ? known : with_launch(known, 1, 1));
  }

  bool asks_for_result() const { return !assignment_.expected.text.empty(); }

  void announce() {
    const auto points = [&](const std::string& id) {
      const auto found = assignment_.points.find(id);
      return found == assignment_.points.end() ? 0.0 : found->second;
    };
    if (assignment_.guards)
      grade_.judgements.push_back({.id = "given",
                                   .asked = message("what was given is unchanged but for {}", may_change()),
                                   .points = points("given")});
    first_ = grade_.judgements.size();
    for (const Always& w : always) {
      if (w.of_result && !asks_for_result()) continue;
      grade_.judgements.push_back({.id = w.id, .asked = w.asked(assignment_), .points = points(w.id)});
    }
    for (const Requirement& r : assignment_.requirements)
      grade_.judgements.push_back({.id = r.what + (r.kernel.empty() ? "" : " @" + r.kernel),
                                   .asked = asked_of(r),
                                   .points = r.points,
                                   .hint = r.hint});
  }
  Message may_change() const {
    const auto& names = assignment_.may_change;
    if (names.empty()) return message("nothing");
    if (names.size() == 1) return Message::verbatim(names.front());
    return message("{} and {}", name_list(std::span(names).first(names.size() - 1)), names.back());
  }

  void judge_text() {
    const auto c = cuda::first_change(assignment_.given, texts_.front().text, assignment_.may_change);
    RequirementResult s = pass();
    if (c && c->line)
      s = fail(c->added ? message("{} is not in the given file", c->whose)
                        : message("{} is not as in the given file", c->whose));
    else if (c)
      s = fail(message("{} of the given file is missing", c->whose));
    else if (files_.size() > 1)
      s = fail(message("{} is one file too many: the given one alone is judged", files_[1]));
    if (c) s.file = texts_.front().name, s.line = c->line;
    grade_.judgements.front().runs.push_back(std::move(s));
  }

  Made made(const Target& t) const {
    Made m;
    try {
      std::vector<cuda::NamedText> texts = texts_;
      for (const cuda::Setting& s : t.program.constants) cuda::change(texts, s);
      m.opened = open_(t);
      m.verdict = check(*m.opened.run, m.opened.program.get());
    } catch (const NotRun&) { throw; } catch (const NothingToShow& e) {
      if (!e.program->compiled) throw;
      m.why_not = e.message();
      m.opened.program = e.program;
    } catch (const UsageError& e) {  // a constant or a barrier that the program does not have
      m.why_not = e.message();
    }
    return m;
  }

  void judge_run(const Made& m) {
    auto at = grade_.judgements.begin() + long(first_);
    for (const Always& w : always)
      if (!w.of_result || asks_for_result())
        (at++)->runs.push_back(m.opened.run ? w.look(assignment_, m) : fail(m.why_not));
    for (const Requirement& r : assignment_.requirements)
      (at++)->runs.push_back(m.opened.run ? look(assignment_, r, m) : fail(m.why_not));
  }

  const Assignment& assignment_;
  const Open& open_;
  std::vector<std::string> files_;  ///< the student's
  std::vector<Target> targets_;
  std::vector<cuda::NamedText> texts_;  ///< the student's
  Grade grade_;
  size_t first_ = 0;  ///< judgement of the runs
};

}  // namespace

bool Judgement::passed() const { return !failing(); }
std::optional<size_t> Judgement::failing() const {
  const auto bad = std::ranges::find(runs, false, &RequirementResult::passed);
  return bad == runs.end() ? std::nullopt : std::optional(size_t(bad - runs.begin()));
}

bool Grade::passed() const { return std::ranges::all_of(judgements, &Judgement::passed); }
double Grade::earned() const {
  return std::accumulate(judgements.begin(), judgements.end(), 0.0,
                         [](double sum, const Judgement& j) { return sum + (j.passed() ? j.points : 0); });
}
double Grade::possible() const {
  return std::accumulate(judgements.begin(), judgements.end(), 0.0,
                         [](double sum, const Judgement& j) { return sum + j.points; });
}

std::vector<Target> targets_of(const Assignment& a, const Target& program) {
  Target t = program;
  t.program.files = files_of(program);
  std::ranges::copy(a.files, std::back_inserter(t.program.files));
  t.program.named_only = true;  // a lecturer's folder may hold solutions
  t.terms = {.stated = a.expected, .shown_launches = most_launches};
  std::vector<Target> all;
  for (const AssignedRun& r : a.runs) {
    t.program.constants = r.constants;
    t.program.arguments = r.arguments;
    t.program.seconds = r.seconds;
    t.schedule = r.schedule;
    all.push_back(t);
  }
  return all;
}

Grade judge(const Assignment& a, const Target& program, const std::function<OpenedRun(const Target&)>& open) {
  return Judge(a, program, open).grade();
}

}  // namespace bscope
