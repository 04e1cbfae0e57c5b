#include "engine/cuda/toolchain/own_program.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <csignal>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <utility>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/cuda/run_files/run_settings.hpp"
#include "engine/cuda/toolchain/child.hpp"
#include "engine/cuda/toolchain/confinement.hpp"
#include "engine/cuda/toolchain/expectation.hpp"
#include "engine/cuda/toolchain/mirrored_folder.hpp"
#include "engine/cuda/toolchain/native_service.hpp"
#include "engine/cuda/toolchain/parts_around.hpp"
#include "engine/cuda/toolchain/project/project.hpp"
#include "engine/cuda/toolchain/readable_files.hpp"
#include "engine/cuda/toolchain/run_folder.hpp"
#include "engine/cuda/toolchain/source_copy.hpp"
#include "engine/cuda/toolchain/terms.hpp"
#include "engine/simt/faults.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/progress.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;

/// What the process may take beside the memory that its kernels work on.
constexpr uint64_t beside_memory = uint64_t(3) << 30;
/// Seconds that the runtime has to write down what it has when its time is over.
double grace(double seconds) { return std::min(12.0, 10 * seconds); }
/// Its seconds are the processor's, so that they are as many on a busy machine; one that sleeps, or that gets
/// little of the processor, has so many on the wall.
double patience(double seconds) { return 4 * seconds; }

std::string name_of(const Program& p) { return as_shown(fs::path(p.files.front()).stem().string()); }

/// Where a run asks for native code of its long kernels, in its own folder, and where the answers are.
struct NativeFolders {
  fs::path asks, answers;
};

/// What of our headers is no code of Thrust's and CUB's.
std::vector<std::string> all_but_libraries(const Places& places) {
  std::vector<std::string> all = places.system;
  std::error_code error;
  for (fs::directory_iterator at(places.include, error), end; !error && at != end; at.increment(error))
    if (const fs::path name = at->path().filename(); name != "thrust" && name != "cub")
      all.push_back(at->path().string());
  return all;
}

/// What the runtime in the program reads.
void write_settings(const fs::path& folder, const Program& p, const Places& places, const Compiled& c,
                    const Schedule& schedule, bool unseen_alike, const NativeFolders& native,
                    int shown_launches) {
  RunSettings all;
  all.name = name_of(p);
  for (const std::string& ir : c.device) all.device.push_back({ir});
  all.our_folders = places.system;
  all.our_folders.push_back(places.include.string());
  if (p.inside_libraries) all.ours_on_device = all_but_libraries(places);
  for (const SourceFile& s : c.sources) all.sources.push_back({s.path.string(), s.shown, s.copy.string()});
  all.schedule = bscope::name_of(schedule);
  all.device_model = p.device_model;
  all.native_asks = native.asks.string();
  all.native_answers = native.answers.string();
  all.limits.shown_launches = shown_launches;
  all.limits.unseen_alike = unseen_alike;
  all.limits.seconds = p.seconds;
  all.limits.patience = patience(p.seconds);
  write_whole(folder / "run.json", json_text(to_fields_json(all)));
}

std::string seconds_text(double s) {
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), s).ptr;
  return std::string(text, end) + (s == 1 ? " second" : " seconds");
}

/// Of a run that left no report of its own.
ProgramReport without_report(const Ended& e, double seconds) {
  ProgramReport r;
  r.why_not = message("the program ended before it could write down what its kernels did");
  r.exit = e.exit;
  r.ended = "exited";
  if (e.out_of_time || e.signal == SIGXCPU) {
    r.ended = "stopped";
    r.end.message = message(
        "The program ran longer than {} and was stopped: look for a loop in its host code that does not end",
        seconds_text(seconds));
  } else if (e.signal == SIGXFSZ) {
    r.ended = "stopped";
    r.end.message =
        message("The program wrote a file that is larger than it may be, and was stopped: write less");
  } else if (e.exceeded != Exceeded::nothing) {
    r.ended = "stopped";
    r.end.message =
        e.exceeded == Exceeded::threads
            ? message("The program started more than 1024 threads and was stopped: start fewer")
        : e.exceeded == Exceeded::memory
            ? message("The program took more memory than it may have and was stopped: allocate less")
            : message(
                  "The program wrote more files than it may, or larger ones, and was stopped: write less");
  } else if (e.signal) {
    const std::string name = name_of_signal(e.signal);
    r.ended = "crashed";
    const std::string signal = std::to_string(e.signal) + (name.empty() ? "" : " (" + name + ")");
    r.end.message =
        e.signal == SIGKILL
            ? message(
                  "The program's host code ended by signal {}: it may have taken more memory than there is",
                  signal)
            : message("The program's host code ended by signal {}", signal);
  }
  return r;
}

/// What the C library prints before it ends a program whose heap is damaged; empty: it has not.
std::string heap_complaint(const std::string& output) {
  static const std::regex complaint(
      R"((malloc|malloc_consolidate|realloc|free|munmap_chunk)\(\): .*|corrupted .*|double free .*)");
  constexpr size_t longest = 80;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (line.size() < longest && std::regex_match(line, complaint)) return line;
  return {};
}

/// A damaged heap is noticed long after the write that damaged it, and what the run has left may be wrong,
/// too.
void tell_of_damaged_heap(const Ended& how, ProgramRun& r) {
  const bool aborted = how.signal == SIGABRT || how.exit == 128 + SIGABRT;
  if (!aborted && r.report.ended != "crashed") return;
  const std::string complaint = heap_complaint(r.output);
  if (complaint.empty()) return;
  r.report.ended = "crashed";
  r.report.end.message = message(
      "the host's heap is damaged ({}): the host has written outside of what malloc or new gave it, "
      "or has freed something twice, before this was noticed",
      complaint);
  r.report.end.help = message("Look at the sizes of the host's arrays; valgrind names the line.");
}

/// One run of the compiled program, in a folder that holds nothing of a run before.
class Runs {
 public:
  Runs(const Program& p, const Places& places, const Compiled& c, const RunFolder& folder, int shown_launches)
      : program_(p), places_(places), compiled_(c), folder_(folder.path()), shown_launches_(shown_launches) {}

  /// `unseen_alike`: in that order run those launches, too, that are not shown.
  void once(const Schedule& schedule, bool unseen_alike, ProgramRun& result) {
    for (const char* left : {"trace.bscope", "report.json", "run.json", "files", "native"})
      fs::remove_all(folder_ / left);
    const NativeFolders native{folder_ / "native", answers_.path() / std::to_string(++count_)};
    write_settings(folder_, program_, places_, compiled_, schedule, unseen_alike, native, shown_launches_);
    const NativeService service(places_.clang, native.asks, native.answers, libraries_);
    const fs::path where = place();  // before the cage, which counts the files that the program adds
    const FileTimes files_before = file_times(where);
    MayRead may = may_read(program_, tools_of(places_));
    may.files.push_back(answers_.path());
    const Cage cage({.writable = folder_,
                     .readable = std::move(may),
                     .memory = RunLimits{}.memory + beside_memory,
                     .seconds = unsigned(std::ceil(program_.seconds + grace(program_.seconds))) + 1});
    ProcessCommand c{.words = {compiled_.program.string()},
                     .called = command_name(program_),
                     .where = where,
                     .reads_input = true,
                     .environment = {"BARRIERSCOPE_RUN=" + folder_.string()},
                     .seconds = most_,
                     .cage = &cage};
    c.words.insert(c.words.end(), program_.arguments.begin(), program_.arguments.end());
    const Ended ended = run(c);
    auto report = read_report(folder_);
    result.report = report ? std::move(*report) : without_report(ended, program_.seconds);
    result.output = ended.output;
    result.output_cut = ended.cut;
    result.schedule = schedule;
    if (!cage.keeps_files())
      result.report.notes.push_back(message(
          "this machine's kernel offers neither Landlock nor user namespaces: the program could write files "
          "anywhere"));
    if (program_.named_only && !cage.keeps_reading())
      result.report.notes.push_back(
          message("this machine's kernel has no Landlock (Linux 5.13): the program could read all files that "
                  "you can"));
    note_files(files_before, file_times(where), result.report);
    read_trace(result);
    tell_of_damaged_heap(ended, result);
  }

 private:
  /// Makes the folder that the program stands in.
  fs::path place() const {
    const fs::path home = folder_of(program_), files = folder_ / "files";
    if (program_.named_only) return mirrored(home, files, named_files(program_));
    fs::path where = mirrored(home, files);
    if (!program_.source_folder.empty()) add_links(program_.source_folder, where);
    return where;
  }
  /// When each file of a folder was last written. Links are left out.
  using FileTimes = std::map<std::string, fs::file_time_type>;
  static FileTimes file_times(const fs::path& folder) {
    FileTimes all;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      std::error_code ignored;
      if (!at->is_symlink(ignored)) all.emplace(at->path().filename().string(), at->last_write_time(ignored));
    }
    return all;
  }
  /// What the program wrote for itself goes with the folder, so it is said.
  static void note_files(const FileTimes& before, const FileTimes& after, ProgramReport& r) {
    std::string names;
    int count = 0;
    for (const auto& [name, time] : after) {
      const auto copy = before.find(name);
      if (copy != before.end() && copy->second == time) continue;
      if (++count <= 3) names += (count > 1 ? ", " : "") + as_shown(name);
    }
    if (count)
      r.notes.push_back(
          count > 3
              ? message("the program wrote {} and more, which was thrown away: it may write only into a "
                        "folder of "
                        "its own",
                        names)
              : message(
                    "the program wrote {}, which was thrown away: it may write only into a folder of its own",
                    names));
  }

  void read_trace(ProgramRun& result) const {
    result.trace.reset();
    const fs::path file = folder_ / "trace.bscope";
    std::error_code ignored;
    if (!fs::is_regular_file(fs::symlink_status(file, ignored))) return;
    try {
      result.trace = load(file);
      result.report.traced = true;
    } catch (const BadFile& e) {
      result.report.traced = false;
      result.report.why_not = message("what its run has left is no trace: {}", e.message());
    }
  }

  const Program& program_;
  const Places& places_;
  const Compiled& compiled_;
  fs::path folder_;
  int shown_launches_;
  double most_ = patience(program_.seconds) + grace(program_.seconds);
  RunFolder answers_;  ///< where the program cannot write
  NativeLibraries libraries_;
  int count_ = 0;
};

/// Tells the current_progress how far it is: compiled, run once, run again.
void reached(size_t part) {
  if (current_progress) current_progress->expected = 4, current_progress->events = part;
  report_progress();
}

bool too_large(const ProgramReport& r) {
  return is_stopped(r) || std::ranges::any_of(r.launches, [](const ReportedLaunch& l) {
           return l.shown == "in_part" || l.shown == "too_long" || l.shown == "trace_full";
         });
}

/// What the order of the threads decides in a program.
enum class Order : uint8_t {
  any,         ///< nothing
  of_atomics,  ///< what is seen on the way: any order is right
  of_races,    ///< what comes out of it
};
Order order_of(const Trace& trace, OtherOrder& shown) {
  const DataflowGraph flow = replay_trace(trace);
  shown = shown_by(trace, flow);
  if (!order_matters(trace, flow)) return Order::any;
  const bool harmless = trace.findings.empty() && flow.hazards.empty() && flow.faults.empty();
  return harmless ? Order::of_atomics : Order::of_races;
}

/// Adds what the run in another order has shown of the same program.
void unite(ProgramRun& kept, ProgramRun& other, OtherOrder shown) {
  if (other.trace) {
    kept.other = std::move(shown);
    unite_findings(*kept.trace, other.trace->findings);
  }
  ProgramReport &to = kept.report, &from = other.report;
  const auto add = [](auto& list, const auto& one, auto projection) {
    if (std::ranges::find(list, std::invoke(projection, one), projection) == list.end()) list.push_back(one);
  };
  for (const Remark& w : from.warnings) add(to.warnings, w, &Remark::message);
  for (const Remark& r : from.early_returns) add(to.early_returns, r, &Remark::message);
  for (const ReportedOverflow& o : from.overflows) add(to.overflows, o, std::identity());
  for (const Message& n : from.notes) add(to.notes, n, std::identity());
  if (!to.end.message.empty() || to.exit != 0 || is_stopped(from)) return;
  to.exit = from.exit;
  to.end = from.end;
}

/// What no build file says: parts that lie around the files. Where the program does not compile with them
/// either, it keeps what was said of it alone.
Compiled compiled_with_parts(Program& p, Compiled alone, const Places& places, const fs::path& folder,
                             const std::vector<LineEdit>& edits) {
  constexpr int most_parts = 8;
  Program whole = p;
  Compiled now = alone;
  for (int k = 0; k < most_parts && !now.done; ++k) {
    const std::optional<Program> more = with_parts_around(whole, now.diagnostics, now.beside);
    if (!more) return alone;
    whole = *more;
    now = compile(whole, places, folder, edits);
  }
  if (!now.done) return alone;
  p = whole;
  return now;
}

/// Compiles the program. What its files lack alone is looked for in the build file that builds them, and `p`
/// is then the program with that; a file that compiles alone is not changed by what lies around it.
Compiled compiled_in_project(Program& p, const Places& places, const fs::path& folder,
                             const std::vector<LineEdit>& edits) {
  Compiled alone = compile(p, places, folder, edits);
  if (alone.done) return alone;
  const std::optional<Program> more = with_project(p);
  if (!more) return compiled_with_parts(p, std::move(alone), places, folder, edits);
  Compiled whole = compile(*more, places, folder, edits);
  const auto first = std::ranges::find(alone.diagnostics, Diagnostic::error, &Diagnostic::severity);
  const bool same = first != alone.diagnostics.end() &&
                    std::ranges::find(whole.diagnostics, *first) != whole.diagnostics.end();
  if (!whole.done && same)  // the build file does not say it
    return compiled_with_parts(p, std::move(alone), places, folder, edits);
  p = *more;
  if (!whole.done)
    for (const Message& m : p.read)
      whole.diagnostics.push_back({.severity = Diagnostic::note, .file = {}, .text = m});
  return whole;
}

/// The same of a program whose constants are changed: one of them may stand in a header that it lacks alone.
Compiled compiled_with_constants(Program& p, const Places& places, const fs::path& folder,
                                 const std::vector<LineEdit>& edits) {
  try {
    return compiled_in_project(p, places, folder, edits);
  } catch (const UsageError&) {
    if (p.constants.empty()) throw;
    Program unchanged = p;
    unchanged.constants.clear();
    compiled_in_project(unchanged, places, folder, edits);
    if (unchanged.read == p.read) throw;  // it lacks nothing that is found
    unchanged.constants = p.constants;
    p = std::move(unchanged);
  }
  return compile(p, places, folder, edits);
}

/// What the program should compute: as an assignment states it, or as its own comments do.
std::vector<Expectation> expected_of(const Terms& terms, const Compiled& c,
                                     std::vector<Diagnostic>& diagnostics) {
  if (!terms.stated) return expectations(c.texts, diagnostics);
  if (terms.stated->text.empty()) return {};
  const auto one = expectation(*terms.stated, c.texts, diagnostics);
  return one ? std::vector{*one} : std::vector<Expectation>{};
}

/// ProgramRun::wants_arguments.
bool wants_arguments(const ProgramRun& r) {
  // "Memory usage: 2 GB" is none
  static const std::regex usage(R"((^|\n|: )[ \t]{0,8}usage\b)", std::regex::icase);
  const bool ended = r.report.ended == "returned" || r.report.ended == "exited";
  const bool reads_them = r.report.ended == "crashed" && r.text.find("argv[") != std::string::npos;
  const auto says_how = [&] { return std::regex_search(r.output, usage); };
  return r.program.arguments.empty() && !r.trace && r.report.launches.empty() && r.report.warnings.empty() &&
         ((ended && (r.report.exit != 0 || says_how())) || reads_them);
}

}  // namespace

bool can_limit_reading() { return FileAccess::version() > 0; }

ProgramRun run_program(const Program& p, const Schedule& schedule) { return run_program(p, schedule, {}); }

ProgramRun run_program(const Program& given, const Schedule& schedule, const Terms& terms) {
  const Places places = find_places();
  const RunFolder folder;
  Program p = given;
  const Compiled compiled = compiled_with_constants(p, places, folder.path(), terms.edits);
  ProgramRun result;
  result.program = p;
  result.diagnostics = compiled.diagnostics;
  result.compiled = compiled.done;
  const std::vector<Expectation> expected = expected_of(terms, compiled, result.diagnostics);
  result.text = compiled.first_text;
  if (!compiled.done) return result;
  reached(1);
  Runs runs(p, places, compiled, folder, terms.shown_launches);
  if (!schedule.without.empty()) {
    ProgramRun whole;
    runs.once({.kind = Schedule::to_barrier}, false, whole);
    if (whole.trace) need_barriers(schedule, *whole.trace);
  }
  const bool chosen = schedule.kind != Schedule::automatic;
  Schedule now = schedule;
  if (!chosen) now.kind = Schedule::to_barrier;
  runs.once(now, true, result);
  reached(2);
  OtherOrder shown;
  const Order order = chosen || !result.trace ? Order::any : order_of(*result.trace, shown);
  if (order != Order::any) {
    now.kind = Schedule::lockstep;
    ProgramRun again;
    again.diagnostics = result.diagnostics;
    again.compiled = true;
    again.text = result.text;
    runs.once(now, order == Order::of_races, again);
    // where the second takes too long, what was seen is worth more
    if (!again.trace || (is_stopped(again.report) && !is_stopped(result.report))) {
      if (again.trace) shown = shown_by(*again.trace, replay_trace(*again.trace));
    } else {
      std::swap(again, result);
    }
    unite(result, again, std::move(shown));
  }
  if (too_large(result.report) || (!result.trace && !result.report.warnings.empty())) {
    double threads = 0;
    for (const ReportedLaunch& l : result.report.launches) threads = std::max(threads, l.threads());
    result.suggestions = suggest(compiled.texts, threads);
  }
  result.program = p;  // runs were swapped
  auto& notes = result.report.notes;
  notes.insert(notes.begin(), p.read.begin(), p.read.end());
  result.wants_arguments = wants_arguments(result);
  if (result.wants_arguments)
    result.report.why_not =
        message("{}: does it want arguments? They go behind --, as in barrierscope FILE.cu -- 1024",
                result.report.why_not);
  if (result.trace)
    for (const Expectation& e : expected)
      if (Message why = expect(*result.trace, e, result.diagnostics); !why.empty()) result.unjudged = why;
  return result;
}

}  // namespace bscope::cuda
