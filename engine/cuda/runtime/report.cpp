#include "engine/cuda/runtime/report.hpp"

#include <algorithm>
#include <exception>

#include "engine/cuda/run_files/program_report.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t most_text = 16u << 20;

/// The source of a file that the debug information names, under the user's name for it.
Source text_of(const RuntimeSettings& settings, const std::string& file) {
  const UserSource* const source = settings.source(file);
  try {
    return {source ? source->shown : file, as_text(read_file(source ? source->text : file, most_text), file)};
  } catch (const BadFile&) { return {source ? source->shown : file, ""}; }
}

/// Writes what was traced; the reason why there is nothing, or "".
std::string save_trace(Runtime& runtime) {
  const auto& launches = runtime.machine.launches();
  if (launches.empty())
    return runtime.latest_launch.depth ? "no launch came to its end" : "the program launches no kernel";
  if (std::none_of(launches.begin(), launches.end(),
                   [](const LaunchNote& l) { return l.shown <= LaunchNote::in_part; }))
    return "every launch is too long to be shown: make the input smaller";
  try {
    // never freed: the heap that most of it lies in may be broken
    const Trace& trace = *new Trace(runtime.machine.last_trace(
        runtime.settings.name, [&](const std::string& file) { return text_of(runtime.settings, file); }));
    validate(trace);
    save(trace, runtime.settings.folder / "trace.bscope");
    return "";
  } catch (const std::exception& e) { return e.what(); }
}

std::array<uint64_t, 3> extent(const Extent& e) { return {e.x, e.y, e.z}; }

std::vector<ReportedLaunch> launches_of(const Machine& machine) {
  std::vector<ReportedLaunch> all;
  for (const LaunchNote& launch : machine.launches())
    all.push_back({launch.kernel, extent(launch.grid), extent(launch.block), names_of_shown[launch.shown],
                   launch.symbol, uint32_t(launch.dynamic_shared)});
  return all;
}

Remark remark(const std::string& sentence, const HostLine& at) { return {sentence, at.file, at.line}; }

/// What was never freed: one sentence, with the line of the first.
void add_leaks(const Runtime& runtime, std::vector<std::string>& notes) {
  if (runtime.allocations.empty()) return;
  uint64_t bytes = 0;
  for (const auto& [address, allocation] : runtime.allocations) bytes += allocation.bytes;
  const Allocation& first = runtime.allocations.begin()->second;
  const HostLine at = students_line(first.stack, runtime.settings);
  const size_t count = runtime.allocations.size();
  std::string sentence = count == 1 ? "An array" : std::to_string(count) + " arrays";
  sentence += " (" + in_bytes(bytes) + ") " + (count == 1 ? "is" : "are") + " never freed with cudaFree";
  if (at.line)
    sentence +=
        std::string("; ") + (count == 1 ? "it" : "the first") + " is of line " + std::to_string(at.line);
  notes.push_back(sentence + ".");
}

}  // namespace

void write_report(Runtime& runtime, const ProgramEnd& end) {
  const std::string why_not = save_trace(runtime);
  ProgramReport report{names_of_ends[end.how],  end.exit, remark(end.sentence, end.at),
                       why_not.empty(),         why_not,  launches_of(runtime.machine),
                       runtime.machine.notes(), {}};
  if (end.how == ProgramEnd::returned || end.how == ProgramEnd::exited) add_leaks(runtime, report.notes);
  for (const Warning& warning : runtime.warnings)
    report.warnings.push_back(remark(warning.sentence, warning.at));
  nlohmann::json by_name{{"format", report_format}};
  by_name.update(nlohmann::json(to_fields_json(report)));
  write_whole(runtime.settings.folder / "report.json", json_text(by_name, 1));
}

}  // namespace bscope::cuda
