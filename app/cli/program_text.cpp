#include "app/cli/program_text.hpp"

#include <algorithm>
#include <ostream>

#include "app/cli/console.hpp"
#include "app/run/own_program.hpp"
#include "app/words/words.hpp"
#include "engine/cuda/toolchain/source_copy.hpp"

namespace bscope {
namespace {

/// What the program itself said, line by line; of much of it the beginning.
void print_output(const cuda::ProgramRun& p, Console& c) {
  constexpr size_t most_lines = 200;
  const std::string text = cuda::as_shown(p.output);
  size_t at = 0, lines = 0;
  for (; at < text.size() && lines < most_lines; ++lines) {
    const size_t end = std::min(text.find('\n', at), text.size());
    c.err << "  | " << text.substr(at, end - at) << "\n";
    at = end + 1;
  }
  if (at < text.size() || p.output_cut) c.err << "  | ...\n";
}

}  // namespace

void tell_diagnostics(const std::vector<cuda::Diagnostic>& all, Console& c) {
  for (const cuda::Diagnostic& d : all) c.err << cuda::as_shown(text_of(d)) << "\n";
}

void tell_output(const cuda::ProgramRun& p, Console& c) {
  std::vector<cuda::Diagnostic> beside = p.diagnostics;
  std::erase_if(beside, [](const cuda::Diagnostic& d) { return d.severity == cuda::Diagnostic::error; });
  tell_diagnostics(beside, c);
  print_output(p, c);
}

void tell_program(const cuda::ProgramRun& p, Console& c) {
  tell_diagnostics(p.diagnostics, c);
  print_output(p, c);
  if (!p.report.end.message.empty()) c.err << tr(with_place(p.report.end)) << "\n";
  for (const cuda::Remark& w : p.report.warnings) c.err << tr(with_place(w)) << "\n";
  tell_remarks(p, c);
}

void tell_remarks(const cuda::ProgramRun& p, Console& c) {
  for (const Message& remark : remarks_of(p)) c.err << tr("note: {}", tr(remark)) << "\n";
}

void tell_notes(const cuda::ProgramRun& p, Console& c) {
  for (const Message& note : notes_of(p)) c.err << tr("note: {}", tr(note)) << "\n";
}

void tell_failed_program(const cuda::ProgramRun& p, Console& c) {
  if (!p.compiled) return tell_diagnostics(p.diagnostics, c);
  tell_program(p, c);
  tell_notes(p, c);
}

}  // namespace bscope
