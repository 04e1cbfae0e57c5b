#include "engine/cuda/runtime/report.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "engine/cuda/run_files/program_report.hpp"
#include "engine/cuda/runtime/async_order.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t most_text = 16u << 20;

/// "cub/block/block_reduce.cuh" of a header of ours.
std::string as_included(const RuntimeSettings& settings, const std::string& file) {
  for (const std::string& folder : settings.our_folders)
    if (folder.ends_with("/include") && file.starts_with(folder + "/")) return file.substr(folder.size() + 1);
  return file;
}

/// The source of a file that the debug information names, under the user's name for it.
Source text_of(const RuntimeSettings& settings, const std::string& file) {
  const UserSource* const source = settings.source(file);
  const std::string shown = source ? source->shown : as_included(settings, file);
  try {
    return {shown, as_text(read_file(source ? source->text : file, most_text), file)};
  } catch (const BadFile&) { return {shown, ""}; }
}

Message why_nothing_ran(const Runtime& runtime) {
  if (runtime.latest_launch.depth) return message("no launch ran to its end");
  if (runtime.asked_for_device && runtime.settings.limits.device == &default_device_model())
    return message(
        "the program launches no kernel. It asked for the GPU's properties: --device-model sm_90 plays an "
        "H100");
  return message("the program launches no kernel");
}

/// Writes what was traced. Returns why there is nothing, or an empty message.
Message save_trace(Runtime& runtime) {
  const auto& launches = runtime.machine.launches();
  if (launches.empty()) return why_nothing_ran(runtime);
  if (std::none_of(launches.begin(), launches.end(),
                   [](const LaunchNote& l) { return l.shown <= LaunchNote::in_part; }))
    return message("every launch is too long to be shown: make the input smaller");
  try {
    runtime.machine.save_last_trace(
        runtime.settings.name, [&](const std::string& file) { return text_of(runtime.settings, file); },
        runtime.settings.folder / "trace.bscope");
    return {};
  } catch (const std::bad_alloc&) {
    return message("its trace needs more memory than a program may have here (5 GB): make the input smaller");
  } catch (const std::exception& e) { return message_of(e); }
}

std::array<uint64_t, 3> extent(const Extent& e) { return {e.x, e.y, e.z}; }

/// Those that are shown, the first of each kernel, and of the others the first: a loop of launches that takes
/// all of a program's time would make a report that is too long to be read.
std::vector<ReportedLaunch> launches_of(const Machine& machine) {
  std::vector<std::pair<ReportedLaunch, bool>> all;
  std::set<std::string> kernels;
  for (const LaunchNote& launch : machine.launches()) {
    ReportedLaunch reported{launch.kernel,        extent(launch.grid),
                            extent(launch.block), names_of_shown[launch.shown],
                            launch.symbol,        uint32_t(launch.dynamic_shared)};
    const bool stays = kernels.insert(launch.kernel).second || reported.in_trace();
    all.emplace_back(std::move(reported), stays);
  }
  const auto staying = size_t(std::ranges::count(all, true, &std::pair<ReportedLaunch, bool>::second));
  size_t others = most_reported - std::min(most_reported, staying);
  std::vector<ReportedLaunch> listed;
  for (auto& [launch, stays] : all)
    if (stays || (others > 0 && others-- > 0)) listed.push_back(std::move(launch));
  return listed;
}

Remark remark(const Message& m, const HostLine& at, const Message& help = {}) {
  return {m, at.file, at.line, help};
}

/// The function that frees what an allocating function gave.
const char* freed_by(std::string_view allocating) {
  if (allocating == "cudaMallocArray" || allocating == "cudaMalloc3DArray") return "cudaFreeArray";
  if (allocating == "cudaMallocMipmappedArray") return "cudaFreeMipmappedArray";
  return allocating == "cudaMallocHost" || allocating == "cudaHostAlloc" ? "cudaFreeHost" : "cudaFree";
}

/// What was never freed: one message, with the line of the first. Behind a fault nothing is freed any more,
/// whatever the program calls.
void add_leaks(const Runtime& runtime, std::vector<Message>& notes) {
  if (runtime.allocations.empty() || runtime.errors.broken()) return;
  uint64_t bytes = 0;
  for (const auto& [address, allocation] : runtime.allocations) bytes += allocation.bytes;
  const Allocation& first = std::ranges::min_element(runtime.allocations, {}, [](const auto& a) {
                              return a.second.number;
                            })->second;
  const HostLine at = students_line(first.stack, runtime.settings);
  const size_t count = runtime.allocations.size();
  const std::string all = in_bytes(bytes);
  const char* const by = freed_by(first.by);
  if (count == 1)
    notes.push_back(at.line ? message("An array ({}) is never freed with {}; it was allocated in line {}.",
                                      all, by, at.line)
                            : message("An array ({}) is never freed with {}.", all, by));
  else
    notes.push_back(
        at.line ? message("{} arrays ({}) are never freed with {}; the first was allocated in line {}.",
                          count, all, by, at.line)
                : message("{} arrays ({}) are never freed with {}.", count, all, by));
}

std::string shown_name(const Runtime& runtime, const std::string& file) {
  const UserSource* const source = runtime.settings.source(file);
  return source ? source->shown : file;
}

Remark remark(const Runtime& runtime, const KernelRemark& r) {
  return {r.message, shown_name(runtime, r.file), int(r.line), r.help};
}

/// Copies of memory that nothing has written, and memsets of cells that are larger than a byte.
void add_likely_causes(const Runtime& runtime, std::vector<Remark>& all) {
  for (const Warning& w : runtime.likely_causes) all.push_back(remark(w.message, w.at, w.help));
  for (const MemoryFill& f : runtime.fills) {
    const MemoryFacts facts = facts_of(*f.memory);
    if (facts.width < 2) continue;
    uint64_t bits = 0;
    std::memset(&bits, f.value, size_t(std::min(facts.width, 8)));
    all.push_back(remark(message("{} sets each byte of {} to {}, so each cell is {}.", f.by, facts.name,
                                 int(f.value), text_of(facts.kind, bits)),
                         students_line(f.at, runtime.settings),
                         message("Copy cells of that value with cudaMemcpy, or write them in a kernel.")));
  }
}

/// What would have ended the program, had a thread come to it.
void add_unsupported(const Runtime& runtime, std::vector<Message>& notes) {
  for (const Machine::UnsupportedCode& code : runtime.machine.unsupported_code())
    notes.push_back(message("Line {} of {} has what Barrierscope cannot run: {}. No thread came to it.",
                            code.line, shown_name(runtime, code.file), code.what));
}

/// What came of a launch that a fault stopped, where the program went on without a look at the error.
void tell_of_lost_results(Runtime& runtime) {
  if (!runtime.lost_copy.depth || runtime.errors.asked()) return;
  const HostLine at = students_line(runtime.lost_copy, runtime.settings),
                 from = students_line(runtime.broken_launch, runtime.settings);
  runtime.warn_at(
      at,
      message("The launch of line {} was stopped by its fault, so the copy of line {} brings "
              "nothing: what is printed after it is no result of the kernel.",
              from.line, at.line),
      message("Look at what the copy returns: here it is {}.", cudaGetErrorName(runtime.error_of_lost_copy)),
      true);
}

}  // namespace

void write_report(Runtime& runtime, const ProgramEnd& end) {
  tell_of_lost_results(runtime);
  if (end.how == ProgramEnd::returned || end.how == ProgramEnd::exited) tell_of_lost_output(runtime);
  const Message why_not = save_trace(runtime);
  ProgramReport report{.ended = names_of_ends[end.how],
                       .exit = end.exit,
                       .end = remark(end.message, end.at),
                       .traced = why_not.empty(),
                       .why_not = why_not,
                       .launches = launches_of(runtime.machine),
                       .notes = runtime.machine.notes()};
  if (end.how == ProgramEnd::returned || end.how == ProgramEnd::exited) {
    add_leaks(runtime, report.notes);
    add_unsupported(runtime, report.notes);
  }
  for (const Warning& warning : runtime.warnings)
    report.warnings.push_back({.message = warning.message,
                               .file = warning.at.file,
                               .line = warning.at.line,
                               .help = warning.help,
                               .follows_fault = warning.follows_fault});
  // A kernel that reads what nothing has written is a mistake where its result is used; a program that only
  // measures time may do so.
  const bool uses_results = runtime.copied_to_host || runtime.shares_memory;
  for (const KernelRemark& r : runtime.machine.unset_reads())
    (uses_results ? report.warnings : report.likely_causes).push_back(remark(runtime, r));
  add_likely_causes(runtime, report.likely_causes);
  for (const KernelRemark& r : runtime.machine.early_returns())
    report.early_returns.push_back(remark(runtime, r));
  for (const OverflowingIndex& o : runtime.machine.overflows())
    report.overflows.push_back({o.expression, shown_name(runtime, o.file), int(o.line)});
  for (const InnerPointer& p : runtime.machine.inner_pointers())
    report.inner_pointers.push_back({p.kernel, p.parameter, p.array, int64_t(p.cell)});
  nlohmann::json by_name{{"format", report_format}};
  by_name.update(nlohmann::json(to_fields_json(report)));
  write_whole(runtime.settings.folder / "report.json", json_text(by_name, 1));
}

}  // namespace bscope::cuda
