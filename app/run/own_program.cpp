#include "app/run/own_program.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <utility>

#include "app/run/assets.hpp"
#include "app/run/finding_groups.hpp"
#include "app/run/run.hpp"
#include "app/run/target.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/cuda/toolchain/report.hpp"
#include "engine/cuda/toolchain/terms.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

Message not_compiled(const std::string& file, const cuda::ProgramRun& p) {
  const auto errors = std::ranges::count(p.diagnostics, cuda::Diagnostic::error, &cuda::Diagnostic::severity);
  const auto first = std::ranges::find(p.diagnostics, cuda::Diagnostic::error, &cuda::Diagnostic::severity);
  const Message told = first == p.diagnostics.end() ? Message() : with_place(*first);
  return errors > 1 ? message("{} does not compile: {} (the first of {} errors)", file, told, errors)
                    : message("{} does not compile: {}", file, told);
}

Message not_traced(const std::string& file, const cuda::ProgramRun& p) {
  return message("there is nothing to show of {}: {}", file,
                 p.report.end.message.empty() ? p.report.why_not : with_place(p.report.end));
}

/// Where compiler and program say why there is nothing to show: that there is none.
Message in_brief(const std::string& file, const cuda::ProgramRun& p) {
  if (!p.compiled) return message("{} does not compile", file);
  if (p.report.end.message.empty()) return {};
  return p.wants_arguments
             ? message(
                   "there is nothing to show of {}: does it want arguments? They go behind --, as in "
                   "barrierscope {} -- 1024",
                   file, file)
             : message("there is nothing to show of {}", file);
}

/// Folders whose programs may run.
struct Allowed {
  std::mutex mutex;
  std::vector<std::string> folders;
};
Allowed& allowed() {
  static Allowed all;
  return all;
}

/// As a shell takes it for one word.
std::string quoted(const std::string& word) {
  const bool plain = std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) || c >= 0x80 ||
           std::string_view("._-+,@%").find(char(c)) != std::string_view::npos;
  });
  if (plain && !word.starts_with('-')) return word;
  std::string all = word.starts_with('-') ? "'./" : "'";
  for (const char c : word) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return all + "'";
}

std::string name_of(const Target& t) { return std::filesystem::path(t.file).filename().string(); }

using TracedProgram = std::pair<Trace, std::shared_ptr<const cuda::ProgramRun>>;
/// The trace apart from the rest. Throws NothingToShow.
TracedProgram trace_of(const Target& t, cuda::ProgramRun ran) {
  auto told = std::make_shared<cuda::ProgramRun>(std::move(ran));
  if (!told->compiled || !told->trace)
    throw NothingToShow(told->compiled ? not_traced(name_of(t), *told) : not_compiled(name_of(t), *told),
                        told, in_brief(name_of(t), *told));
  Trace trace = std::move(*told->trace);
  told->trace.reset();
  return {std::move(trace), std::move(told)};
}
OpenedRun opened_of(TracedProgram traced) {
  auto& [trace, program] = traced;
  auto run = analysed(std::move(trace), program->other);
  return {std::move(run), std::move(program)};
}

}  // namespace

void allow_programs_in(const std::string& folder) {
  const std::scoped_lock lock(allowed().mutex);
  allowed().folders.push_back(std::filesystem::absolute(folder).lexically_normal().string());
}
bool comes_with_barrierscope(const std::string& file) {
  const std::filesystem::path ours = assets_folder();
  return !ours.empty() && cuda::is_allowed(file, {ours.string()});
}
bool may_run(const std::string& file) {
  if (comes_with_barrierscope(file)) return true;
  const std::scoped_lock lock(allowed().mutex);
  return cuda::is_allowed(file, allowed().folders);
}

std::string trace_command(const std::string& file) {
  const std::filesystem::path name = std::filesystem::path(file).filename();
  return "barrierscope trace " + quoted(name.string()) + " -o " + quoted(name.stem().string() + ".bscope");
}

std::pair<Trace, std::shared_ptr<const cuda::ProgramRun>> trace_program(const Target& t) {
  if (!runs_programs)
    throw NotAllowed(message(
        "{} is a CUDA program, and this page cannot compile CUDA: open the trace that `{}` makes on a "
        "computer with Barrierscope",
        name_of(t), trace_command(t.file)));
  if (!may_run(t.file))
    throw NotAllowed(
        message("{} is a program, and nobody has said that it may run: open it by its own name", name_of(t)));
  cuda::Program program = t.program;
  if (program.files.empty()) program.files = {t.file};
  return trace_of(t, cuda::run_program(program, t.schedule, t.terms));
}

OpenedRun open_program(const Target& t) { return opened_of(trace_program(t)); }
OpenedRun open_program(const Target& t, cuda::ProgramRun ran) {
  return opened_of(trace_of(t, std::move(ran)));
}

OpenedRun open_now(const Target& t) {
  if (t.is_program()) return open_program(t);
  if (!t.is_file()) return {open_run(t.request, t.device, t.schedule, t.in_cuda)};
  OpenedRun opened;
  opened.run = open_file(t.file, &opened.session, t.in_cuda);
  return opened;
}

Message with_place(const cuda::Remark& r) {
  const Message sentences = followed_by(r.message, r.help);
  return r.line ? message("{}:{}: {}", r.file, r.line, sentences) : sentences;
}

std::vector<Message> mistakes_of(const cuda::ProgramRun& p) {
  std::vector<Message> all;
  const cuda::ProgramReport& r = p.report;
  if (!r.end.message.empty() && !cuda::is_stopped(r)) all.push_back(with_place(r.end));
  for (const cuda::Remark& w : r.warnings) all.push_back(with_place(w));
  for (const cuda::Diagnostic& d : p.diagnostics)  // of a program that was compiled
    if (d.severity == cuda::Diagnostic::error) all.push_back(with_place(d));
  if (Message exit = exit_of(p); !exit.empty()) all.push_back(std::move(exit));
  return all;
}

Message stop_of(const cuda::ProgramRun& p) {
  return cuda::is_stopped(p.report) ? with_place(p.report.end) : p.unjudged;
}

Message exit_of(const cuda::ProgramRun& p) {
  const cuda::ProgramReport& r = p.report;
  const bool by_itself = r.end.message.empty() && !cuda::is_stopped(r);
  return by_itself && r.exit != 0 ? message("the program ended with exit code {}", r.exit) : Message();
}

std::vector<Message> notes_of(const cuda::ProgramRun& p) {
  std::vector<Message> all = p.report.notes;
  constexpr size_t most_suggested = 3;
  for (size_t k = 0; k < std::min(p.suggestions.size(), most_suggested); ++k)
    all.push_back(p.suggestions[k].message);
  return all;
}

std::vector<Message> remarks_of(const cuda::ProgramRun& p) { return remarks_of(p, {}); }

std::vector<Message> remarks_of(const cuda::ProgramRun& p, const std::vector<FindingGroup>& findings) {
  std::vector<Message> all;
  for (const auto* remarks : {&p.report.likely_causes, &p.report.early_returns})
    for (const cuda::Remark& r : *remarks)
      if (!is_said(r, findings)) all.push_back(with_place(r));
  return all;
}

bool is_said(const cuda::Remark& r, const std::vector<FindingGroup>& findings) {
  return std::ranges::any_of(findings, [&](const FindingGroup& g) {
    return (g.message == r.message && g.at.line == r.line) || is_said(r, g.consequences);
  });
}

}  // namespace bscope
