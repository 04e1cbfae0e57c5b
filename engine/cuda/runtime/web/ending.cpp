// The end of the run in a page, whichever it is. program.js notices all ends but exit() and what ends here:
// it calls report_end when the program has been left by a trap, and the heap may be broken then.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "engine/cuda/run_files/program_report.hpp"
#include "engine/cuda/runtime/async_order.hpp"
#include "engine/cuda/runtime/crash_messages.hpp"
#include "engine/cuda/runtime/report.hpp"
#include "engine/cuda/web/system.h"
#include "engine/trace/json_fields.hpp"

namespace bscope::cuda {
namespace {

int depth_inside = 0;
bool reported = false;

constexpr double grace_of_calls = 2;  // seconds for a call of ours to come to its end
constexpr double grace_of_reports = 60;

void report_once(const ProgramEnd& end) {
  if (std::exchange(reported, true)) return;
  std::fflush(stdout);
  try {
    look_at_host_accesses(Runtime::get());
    write_report(Runtime::get(), end);
  } catch (const std::exception&) {
    // nothing can be written: the page finds no report
  }
}

/// How program.js says that the program was stopped.
struct NoticedEnd {
  std::string how;  ///< "crashed" or "stopped"
  int exit = 0;
  Message message;
  std::vector<uint64_t> stack;
  bool is_access = false;  ///< to an address that may not be touched
  uint64_t address = 0;
  bool writes = false;
  template <class Self, class Visit>
  static void fields(Self& e, Visit&& visit) {
    visit("how", e.how);
    visit("exit", e.exit);
    visit("message", e.message);
    visit("stack", e.stack);
    visit("is_access", e.is_access);
    visit("address", e.address);
    visit("writes", e.writes);
  }
};

constexpr int exit_of_stopped = 124;

Message message_of(const Runtime& runtime, const NoticedEnd& end, const Stack& stack, bool in_call) {
  if (end.exit == exit_of_stopped) return message_of_time(runtime, in_call);
  if (!end.is_access) return end.message;
  return message_of_bad_access(runtime, {end.address, end.writes, in_call, &stack}).value_or(end.message);
}

Stack stack_of(const NoticedEnd& end) {
  Stack stack;
  for (const uint64_t at : end.stack)
    if (stack.depth < Stack::most) stack.at[stack.depth++] = at;
  return stack;
}

void report(const NoticedEnd& end) {
  Runtime& runtime = Runtime::get();
  const Stack stack = stack_of(end);
  const bool in_call = std::exchange(depth_inside, 0) > 0;
  HostLine at = students_line(stack, runtime.settings);
  if (!at.line && in_call) at = students_line(runtime.latest_launch, runtime.settings);
  report_once({end.how == names_of_ends[ProgramEnd::stopped] ? ProgramEnd::stopped : ProgramEnd::crashed,
               end.exit, message_of(runtime, end, stack, in_call), at});
}

}  // namespace

void end_program(const ProgramEnd& end) {
  report_once(end);
  _exit(end.exit);
}

ApiCallGuard::ApiCallGuard() {
  if (++depth_inside == 1) look_at_host_accesses(Runtime::get());
}
ApiCallGuard::~ApiCallGuard() {
  if (depth_inside == 1) watch_host_accesses(Runtime::get());
  if (--depth_inside == 0) system_check_time();
}

}  // namespace bscope::cuda

using namespace bscope::cuda;

void system_at_exit(int code) {
  const RuntimeSettings& settings = Runtime::get().settings;
  const HostLine at = students_line(Stack::now(), settings);
  report_once({at.line ? ProgramEnd::exited : ProgramEnd::returned, code, {}, at});
}

double system_grace() { return reported ? grace_of_reports : depth_inside ? grace_of_calls : 0; }

/// Writes the report of a program that was stopped. `text`: a NoticedEnd as JSON.
extern "C" [[clang::export_name("report_end")]] void bscope_report_end(const char* text, size_t length) {
  try {
    NoticedEnd end;
    bscope::from_fields_json(end, bscope::parse_json({text, length}, "the end of a program"), {});
    report(end);
  } catch (const std::exception&) {
    // the page finds no report
  }
}
