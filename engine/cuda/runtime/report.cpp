#include "engine/cuda/runtime/report.hpp"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>

#include "engine/trace/file.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {
namespace {

using nlohmann::json;

constexpr size_t most_text = 16u << 20;
constexpr const char* ends[] = {"returned", "exited", "crashed", "stopped"};
constexpr const char* shown[] = {"in_full", "in_part", "too_many", "too_long", "trace_full", "repeated"};

/// The source of a file that the debug information names, under the user's name for it.
Source text_of(const Settings& settings, const std::string& file) {
  const Settings::File* const source = settings.source(file);
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

json extent(const Extent& e) { return {e.x, e.y, e.z}; }

json launches_of(const Machine& machine) {
  json list = json::array();
  for (const LaunchNote& launch : machine.launches())
    list.push_back({{"kernel", launch.kernel},
                    {"grid", extent(launch.grid)},
                    {"block", extent(launch.block)},
                    {"shown", shown[launch.shown]},
                    {"symbol", launch.symbol},
                    {"dynamic_shared", launch.dynamic_shared}});
  return list;
}

/// What was never freed: one sentence, with the line of the first.
void add_leaks(const Runtime& runtime, json& notes) {
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

void write_report(Runtime& runtime, const End& end) {
  const std::string why_not = save_trace(runtime);
  json report = {{"format", "barrierscope.run/1"},
                 {"ended", ends[end.how]},
                 {"exit", end.exit},
                 {"sentence", end.sentence},
                 {"file", end.at.file},
                 {"line", end.at.line},
                 {"traced", why_not.empty()},
                 {"why_not", why_not},
                 {"launches", launches_of(runtime.machine)},
                 {"notes", runtime.machine.notes()},
                 {"warnings", json::array()}};
  if (end.how == End::returned || end.how == End::exited) add_leaks(runtime, report["notes"]);
  for (const Warning& warning : runtime.warnings)
    report["warnings"].push_back(
        {{"sentence", warning.sentence}, {"file", warning.at.file}, {"line", warning.at.line}});
  write_whole(runtime.settings.folder / "report.json",
              report.dump(1, ' ', false, json::error_handler_t::replace));
}

}  // namespace bscope::cuda
