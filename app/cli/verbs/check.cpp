#include <algorithm>
#include <iterator>
#include <ostream>

#include "app/assignments/assignment.hpp"
#include "app/assignments/course.hpp"
#include "app/assignments/judge.hpp"
#include "app/cli/assignment_report.hpp"
#include "app/cli/course_folder.hpp"
#include "app/cli/finding_text.hpp"
#include "app/cli/json.hpp"
#include "app/cli/lesson_file.hpp"
#include "app/cli/program_text.hpp"
#include "app/cli/puzzle.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/sarif.hpp"
#include "app/cli/text.hpp"
#include "app/cli/verb.hpp"
#include "app/lessons/play.hpp"
#include "app/options/options.hpp"
#include "app/options/run_options.hpp"
#include "app/run/finding_groups.hpp"
#include "app/run/own_program.hpp"
#include "app/run/run.hpp"
#include "app/run/run_store.hpp"
#include "app/run/tried_fixes.hpp"
#include "app/run/verdict.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

/// How a verdict is printed.
enum class CheckFormat { text, json, sarif, github };

struct CheckArguments {
  std::vector<std::string> words;
  RunOptions run;
  std::string assignment;
  int line = 0;     ///< of a puzzle, that the student takes for the wrong one; 0: none was named
  std::string out;  ///< where the trace is kept; empty: nowhere
  bool json = false;
  CheckFormat format = CheckFormat::text;
  std::string patch;    ///< where the change that fixes the program goes; empty: nowhere
  bool no_try = false;  ///< cures are proposed without a run that has them
};

CheckFormat check_format(const std::string& name, const std::string& typed) {
  constexpr std::pair<const char*, CheckFormat> all[] = {{"text", CheckFormat::text},
                                                         {"json", CheckFormat::json},
                                                         {"sarif", CheckFormat::sarif},
                                                         {"github", CheckFormat::github}};
  for (const auto& [word, format] : all)
    if (typed == word) return format;
  throw UsageError(message("{} {} is not known: use text, json, sarif or github", name, typed));
}

int line_number(const std::string& name, const std::string& typed) {
  const auto line = as_whole(typed);
  if (!line || *line < 1 || *line > 1'000'000)
    throw UsageError(message("{} {} is no number of a line", name, typed));
  return int(*line);
}

/// What a lesson's writer has to fix, a line each.
int check_lesson_file(const Lesson& lesson, Console& c) {
  RunStore runs;
  const auto mistakes = check_lesson(lesson, runs);
  for (const Mistake& m : mistakes) c.out << message_of(lesson, m).english() << "\n";
  if (mistakes.empty())
    c.out << tr("{}: {} steps, all as they should be", lesson.title, lesson.steps.size()) << "\n";
  return mistakes.empty() ? 0 : 1;
}

/// The same of a course: its lessons are played, its assignments read. Its programs are not judged: what is
/// wrong with one may be its point.
int check_course(const Course& course, Console& c) {
  int code = 0;
  for (const std::string& file : course.lessons)
    code |= check_lesson_file(read_lesson((course.folder / file).string()), c);
  for (const CourseAssignment& a : assignments_of(course)) {
    if (a.assignment)
      c.out << tr("{}: an assignment with {} requirements", a.name, a.assignment->requirements.size())
            << "\n";
    else
      c.out << tr(a.mistake) << "\n";
    code |= a.assignment ? 0 : 1;
  }
  c.out << tr("{}: {} lessons, {} programs, {} assignments, {} recorded runs", course.title,
              course.lessons.size(), course.programs.size(), course.assignments.size(),
              course.recordings.size())
        << "\n";
  return code;
}

/// Refuses options that only the assignment may set.
void need_nothing_of_it(const CheckArguments& a, const Options& o) {
  const cuda::Program& p = a.run.program;
  const char* given = !p.constants.empty()   ? "--const"
                      : !p.arguments.empty() ? "--"
                      : a.run.schedule       ? "--schedule"
                      : !a.out.empty()       ? "-o"
                      : a.line && a.json     ? "--json"
                      : o.given("--seconds") ? "--seconds"
                                             : nullptr;
  if (given) throw UsageError(message("an assignment says what its runs are: leave out {}", given));
}

int check_assignment(const CheckArguments& a, const Options& o, Console& c) {
  if (a.words.empty() || !cuda::is_cuda_source(a.words.front()))
    throw UsageError(message("--assignment judges a .cu file: name one before it"));
  need_nothing_of_it(a, o);
  const Assignment assignment = read_assignment(assignment_file(a.assignment));
  if (a.line) {
    if (!assignment.is_puzzle())
      throw UsageError(message("--line is for puzzles: {} asks for no line", assignment.file));
    return answer_line(assignment, a.words.front(), a.line, c);
  }
  const Target t = target_of(a.run, a.words, "check");
  if (assignment.is_puzzle() && !a.json) return judge_puzzle(assignment, t, c);
  const Grade g = judge(assignment, t);
  if (a.json)
    c.out << json_text(grade_json(assignment, g, t.file)) << "\n";
  else
    c.out << grade_text(assignment, g, t.file, c.ink());
  return g.passed() ? 0 : 1;
}

/// The built-in puzzle that the file began from, where nothing is asked that an assignment refuses; empty: it
/// is checked as any other program.
std::string puzzle_of(const CheckArguments& a, const Options& o) {
  const auto fits_puzzle = [](const std::string& option) { return option == "--line" || option == "--json"; };
  if (a.words.size() != 1 || !std::ranges::all_of(o.given(), fits_puzzle)) return {};
  if (!a.run.program.arguments.empty()) return {};
  const auto begun = puzzle_begun_by(a.words.front());
  return begun ? begun->name : std::string();
}

/// Writes the change; says where it went, or that there is none.
void write_patch(const CheckArguments& a, const TriedFixes& fixes, Console& c) {
  if (fixes.patch.empty()) {
    c.err << tr("nothing that was tried fixes the program: {} was not written", a.patch) << "\n";
    return;
  }
  write_whole(a.patch, fixes.patch);
  c.err << tr("{} fixes {} of the errors: patch -p0 < {}", a.patch, fixes.fixed, a.patch) << "\n";
}

/// Refuses --grader where it cannot be kept.
void need_limited_reading(const CheckArguments& a) {
  if (!a.run.program.named_only) return;
  if (a.words.empty() || !cuda::is_program(a.words.front()))
    throw UsageError(message("--grader is for .cu files of others: name one before it"));
  if (!cuda::can_limit_reading())
    throw UsageError(
        message("--grader needs Landlock (Linux 5.13), which this machine's kernel does not have: leave out "
                "--grader, and "
                "run it where no file of yours can be read"));
}

/// Opens what is checked. Of a program of which nothing can be shown it prints in the asked format what is
/// wrong with its host code, before it throws.
OpenedRun opened_or_reported(const CheckArguments& a, const Target& target, Console& c) {
  try {
    return open(target, c, false);
  } catch (NothingToShow& e) {
    const std::vector<FindingGroup> groups = finding_groups(*e.program);
    const bool for_people = a.format == CheckFormat::text && !a.json;
    if (groups.empty() || a.json || a.format == CheckFormat::json || (for_people && !e.program->compiled))
      throw;
    if (for_people) {
      tell_output(*e.program, c);
      for (const FindingGroup& g : groups) c.out << finding_text(g, c.ink(), c.width);
      tell_remarks(*e.program, c);
      tell_notes(*e.program, c);
    } else {
      c.out << (a.format == CheckFormat::sarif ? sarif_text(groups) + "\n" : annotation_text(groups));
    }
    c.out << std::flush;
    e.reported = true;
    throw;
  }
}

/// Notes are for readers and scripts: SARIF files and annotations have findings alone.
void print_verdict(const CheckArguments& a, const OpenedRun& opened, const Verdict& v,
                   const std::vector<FindingGroup>& findings, Console& c) {
  const auto& [run, program, session] = opened;
  std::vector<FindingGroup> all = findings;
  std::ranges::move(note_groups(*run, program.get(), findings), std::back_inserter(all));
  switch (a.json ? CheckFormat::json : a.format) {
    case CheckFormat::json: return check_json(c.out, *run, v, all, program.get());
    case CheckFormat::sarif: c.out << sarif_text(findings) << "\n"; return;
    case CheckFormat::github: c.out << annotation_text(findings); return;
    case CheckFormat::text: c.out << check_text(*run, v, all, c.ink(), c.width); return;
  }
}

int check_run(const CheckArguments& a, Console& c) {
  if (is_lesson(a.words, a.run, a.json, !a.out.empty())) return check_lesson_file(read_lesson(a.words[0]), c);
  if (const auto course = course_named(a.words, a.run, a.json, !a.out.empty() || !a.patch.empty()))
    return check_course(*course, c);
  const Target target = target_of(a.run, a.words, "check");
  if (!a.patch.empty() && !target.is_program())
    throw UsageError(message("--fix changes your own .cu file: name one before it"));
  const OpenedRun opened = opened_or_reported(a, target, c);
  const auto& [run, program, session] = opened;
  if (!a.out.empty()) save(run->trace, a.out);
  const Verdict v = check(*run, program.get());
  std::vector<FindingGroup> groups = finding_groups(*run, program.get());
  if (!a.no_try) {
    const TriedFixes fixes = try_fixes(target, opened, groups);
    if (!a.patch.empty()) write_patch(a, fixes, c);
  }
  print_verdict(a, opened, v, groups, c);
  c.out << std::flush;
  if (program) tell_notes(*program, c);  // after what counts
  return v.failed() ? 1 : v.passed() ? 0 : 2;
}

const RegisterVerb check_verb{{
    .name = "check",
    .what = "Hazards, barriers, result, proof; exit code 1 if any fails",
    .place = 4,
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<CheckArguments>();
      run_words(
          o, "Name of a kernel, a .bscope file, your own .cu file, a lesson's .md file, or a course's folder",
          1, a->words);
      json_option(o, a->json);
      o.option("--format", "FORMAT",
               "How findings are printed: text, as compilers print them; json; sarif (SARIF 2.1.0); github "
               "(annotations of a workflow)",
               a->format, check_format);
      o.option("--fix", "FILE.patch",
               "Write the smallest change that was tried and helps; `patch -p0` applies it", a->patch,
               file_to_write(o, {".patch", ".diff"}));
      o.flag("--no-try", "Propose cures without trying them: saves the runs", a->no_try);
      o.option("--assignment", "FILE.json|NAME", "Judge your own .cu file by an assignment, see `new`",
               a->assignment, some_word(tr_noop("--assignment needs a file, or a name that `new` lists")));
      o.option("--line", "N", "Of a puzzle: the line of the file that you take for the wrong one", a->line,
               line_number);
      o.option("-o,--output", "FILE.bscope", "Keep the trace that was judged", a->out,
               file_to_write(o, {".bscope"}));
      o.flag("--grader",
             "For programs of others: they read no file but those named, headers and the system's",
             a->run.program.named_only);
      trace_options(o, a->run);
      return [a, &o](Console& c, const Window&) {
        need_limited_reading(*a);
        if (a->assignment.empty()) a->assignment = puzzle_of(*a, o);
        if (a->line && a->assignment.empty())
          throw UsageError(message("--line is for puzzles, which `barrierscope new` lists"));
        return a->assignment.empty() ? check_run(*a, c) : check_assignment(*a, o, c);
      };
    },
}};

}  // namespace
}  // namespace bscope
