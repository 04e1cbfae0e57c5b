// report.json: how a program's run ended, and what it did. The runtime in the program's process writes it,
// and the process that started it reads it.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "engine/trace/fields.hpp"
#include "engine/trace/message.hpp"

namespace bscope::cuda {

inline constexpr const char* report_format = "barrierscope.run/1";
/// How a program ends.
inline constexpr const char* names_of_ends[] = {"returned", "exited", "crashed", "stopped", "refused"};
/// At what is not here, so that more time would not help: a library's function, memory, what a kernel cannot
/// do here.
inline constexpr const char* ended_refused = names_of_ends[4];
/// How much of a launch is in the trace; of the first two something.
inline constexpr const char* names_of_shown[] = {"in_full",  "in_part",    "too_many",
                                                 "too_long", "trace_full", "repeated"};
inline constexpr size_t most_reported = 1000;  ///< elements of each list that are read

/// A message and where it belongs.
struct Remark {
  Message message;
  std::string file;
  int line = 0;
  Message help = {};           ///< what to change in the source; empty where nothing is known that works
  bool follows_fault = false;  ///< it comes of a fault that ended a launch, and goes away with it
  template <class Self, class Visit>
  static void fields(Self& r, Visit&& visit) {
    visit("message", r.message);
    visit("file", r.file);
    visit("line", r.line, Field{.least = 0, .most = 1e7});
    visit("help", r.help);
    visit("follows_fault", r.follows_fault);
  }
};

/// An index that left its array in a line because int arithmetic did not fit.
struct ReportedOverflow {
  std::string expression;  ///< that did not fit: "row * 100000000"
  std::string file;
  int line = 0;  ///< of the access
  bool operator==(const ReportedOverflow&) const = default;
  template <class Self, class Visit>
  static void fields(Self& o, Visit&& visit) {
    visit("expression", o.expression);
    visit("file", o.file);
    visit("line", o.line, Field{.least = 0, .most = 1e7});
  }
};

/// A kernel's pointer into an array of the trace that is named after another one: "flag" for data[1].
struct ReportedPointer {
  std::string kernel, parameter, array;
  int64_t cell = 0;  ///< of the array, which it points to
  bool operator==(const ReportedPointer&) const = default;
  template <class Self, class Visit>
  static void fields(Self& p, Visit&& visit) {
    visit("kernel", p.kernel);
    visit("parameter", p.parameter);
    visit("array", p.array);
    visit("cell", p.cell, Field{.least = 0, .most = 1e12});
  }
};

struct ReportedLaunch {
  std::string kernel;
  std::array<uint64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::string shown;            ///< one of names_of_shown
  std::string symbol = {};      ///< the kernel's mangled name, from clang
  uint32_t dynamic_shared = 0;  ///< bytes of shared memory that the launch asked for
  bool in_trace() const { return shown == names_of_shown[0] || shown == names_of_shown[1]; }
  double threads() const {
    double n = 1;
    for (const auto& extent : {grid, block})
      for (const uint64_t x : extent) n *= double(x);
    return n;
  }
  template <class Self, class Visit>
  static void fields(Self& l, Visit&& visit) {
    const Field extent{.least = 1, .most = 2147483648};
    visit("kernel", l.kernel);
    visit("grid", l.grid, extent);
    visit("block", l.block, extent);
    visit("shown", l.shown, Field{.among = {std::begin(names_of_shown), std::end(names_of_shown)}});
    visit("symbol", l.symbol);
    visit("dynamic_shared", l.dynamic_shared, Field{.most = INT32_MAX});
  }
};

struct ProgramReport {
  std::string ended;  ///< one of names_of_ends; empty: it has not run
  int exit = 0;
  Remark end;  ///< its message is empty where all went well
  bool traced = false;
  Message why_not;  ///< nothing is traced
  std::vector<ReportedLaunch> launches;
  std::vector<Message> notes;
  std::vector<Remark> warnings = {};
  std::vector<Remark> likely_causes = {};  ///< of a wrong result: no mistakes by themselves
  std::vector<Remark> early_returns = {};  ///< of threads before a barrier that others wait at: no mistakes
  std::vector<ReportedOverflow> overflows = {};
  std::vector<ReportedPointer> inner_pointers = {};
  template <class Self, class Visit>
  static void fields(Self& r, Visit&& visit) {
    const Field list{.at_most = most_reported};
    visit("ended", r.ended,
          Field{.omit_empty = true, .among = {std::begin(names_of_ends), std::end(names_of_ends)}});
    visit("exit", r.exit, Field{.least = -255, .most = 255});
    Remark::fields(r.end, visit);
    visit("traced", r.traced);
    visit("why_not", r.why_not);
    visit("launches", r.launches, list);
    visit("notes", r.notes, list);
    visit("warnings", r.warnings, list);
    visit("likely_causes", r.likely_causes, list);
    visit("early_returns", r.early_returns, list);
    visit("overflows", r.overflows, list);
    visit("inner_pointers", r.inner_pointers, list);
  }
};

/// Whether something of Barrierscope's ended the run: a limit (time, memory, files), or what it lacks. That
/// says nothing against the program.
inline bool is_stopped(const ProgramReport& r) { return r.ended == "stopped" || r.ended == ended_refused; }

}  // namespace bscope::cuda
