#include "app/cli/in_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "app/cli/console.hpp"
#include "app/cli/lines.hpp"
#include "app/cli/program_text.hpp"
#include "app/cli/time_table.hpp"
#include "app/run/in_place_words.hpp"
#include "app/run/own_program.hpp"
#include "app/words/words.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

using cuda::InPlace;
using cuda::TimedKernel;

std::string heading(const InPlace& p) {
  std::string text = fmt::format("{}, {}, {}", p.device, p.driver, p.date);
  if (p.copy_gb_per_s > 0) text += fmt::format(": copy {:.4g} GB/s", p.copy_gb_per_s);
  if (p.peak_gb_per_s > 0)
    text += fmt::format("{} peak {:.4g} GB/s", p.copy_gb_per_s > 0 ? "," : ":", p.peak_gb_per_s);
  return text + fmt::format("\n{}, {}\n", p.program, count(p.runs, "run", "runs"));
}

std::string table(const InPlace& p) {
  const std::vector<Column> columns{{"kernel", true}, {"grid"},    {"block"},  {"shared"}, {"launches"},
                                    {"median"},       {"least"},   {"most"},   {"noise"},  {"GB/s"},
                                    {"of copy"},      {"of peak"}, {"fetched"}};
  const auto share = [](double a, double b) { return b > 0 ? share_text(a / b) : ""; };
  std::vector<std::vector<std::string>> rows;
  for (const TimedKernel& k : p.kernels) {
    const double speed = gb_per_s(k);
    rows.push_back({k.shape.kernel, extent_text(k.shape.grid), extent_text(k.shape.block),
                    k.shape.shared ? fmt::format("{} B", k.shape.shared) : "", fmt::format("{}", k.launches),
                    time_text(k.seconds.median), time_text(k.seconds.least), time_text(k.seconds.most),
                    fmt::format("{:.2f}%", k.seconds.noise * 100),
                    speed > 0 ? (k.estimated ? "~" : "") + four_digits(speed) : "",
                    share(speed, p.copy_gb_per_s), share(speed, p.peak_gb_per_s),
                    k.bytes > 0 && k.fetched > 0 ? fmt::format("{:.3g} x", k.fetched / k.bytes) : ""});
  }
  return aligned(columns, rows);
}

/// Adds what the program did on the CPU. Where that cannot be had: why not.
Message add_cpu(InPlace& p, const Target& target, Console& c) {
  try {
    const OpenedRun opened = open_now(target);
    tell_remarks(*opened.program, c);
    tell_notes(*opened.program, c);
    compare_with_cpu(p, *opened.run, *opened.program);
  } catch (const std::exception& e) {
    if (!p.check) return message("not compared with a run on the CPU: {}", message_of(e));
  }
  return {};
}

InPlace measured(const InPlaceAsked& asked, Console& c, const cuda::GpuTools& tools) {
  cuda::Program program = asked.target.program;
  const auto tell = [&](const cuda::InPlaceProgress& at) {
    c.err << (at.run ? tr("time: run {} of {}", at.run, at.runs) : tr("time: compiling with nvcc")) << "\n";
    c.err.flush();
  };
  const cuda::MeasuredInPlace m = measure_in_place(program, tools, {asked.runs, asked.most_seconds, tell});
  tell_diagnostics(m.diagnostics, c);
  if (!m.compiled)
    throw UsageError(
        message("nvcc does not compile {}", std::filesystem::path(asked.target.file).filename().string()));
  return m.result;
}

}  // namespace

std::string in_place_text(const InPlace& p) {
  std::string text = heading(p) + "\n" + table(p) + "\n";
  for (const std::string& sentence : sentences_of(p)) text += sentence + "\n";
  for (const EnglishMessage& note : p.notes) text += "note: " + note.english() + "\n";
  return text;
}

int time_in_place(const InPlaceAsked& asked, Console& c, const cuda::GpuTools& tools) {
  if (!asked.out.empty() && !asked.out.ends_with(".json"))
    throw UsageError(
        message("what is measured of {} is written as JSON: end the name in .json", asked.target.file));
  InPlace p = asked.recorded.empty() ? measured(asked, c, tools) : cuda::load_in_place(asked.recorded);
  const Message uncompared = add_cpu(p, asked.target, c);
  InPlace told = p;  // why it could not be compared is said of this machine, and not kept
  if (!uncompared.empty()) told.notes.emplace_back(uncompared);
  c.out << (asked.json ? to_json(told) : in_place_text(told));
  c.out.flush();
  if (!asked.out.empty()) save_in_place(p, asked.out);
  return !p.ended.empty() || p.exit != 0 || (p.check && p.check->wrong()) ? 1 : 0;
}

}  // namespace bscope
