#include "engine/cuda/runtime/async_order.hpp"

#include <algorithm>
#include <utility>

#include "engine/cuda/machine/memory_use.hpp"
#include "engine/cuda/runtime/host_watch.hpp"
#include "engine/cuda/runtime/source_words.hpp"

namespace bscope::cuda {
namespace {

using std::to_string;

constexpr const char* asynchronous_copies[] = {
    "cudaMemcpyAsync",         "cudaMemcpy2DAsync",         "cudaMemcpy3DAsync", "cudaMemcpyPeerAsync",
    "cudaMemcpyToSymbolAsync", "cudaMemcpyFromSymbolAsync", "cudaMemsetAsync",   "cudaMemset2DAsync"};

/// "x[3]": the cell that lies at an address, by the name that the student gave its array.
Message name_of_cell(Runtime& runtime, uint64_t address, const MemoryUse& use) {
  const Machine::MemoryLocation place = runtime.machine.at(address);
  if (!place.memory) return message("memory of the host");
  int width = facts_of(*place.memory).width;
  for (const auto* ranges : {&use.read, &use.written})  // no kernel knows it: the copy's other end tells
    for (const AddressRange& r : *ranges)
      if (const auto other = runtime.machine.at(r.begin); !width && other.memory)
        width = facts_of(*other.memory).width;
  const std::string name = name_in_source(runtime, *place.memory);
  if (!width)
    return name.empty() ? message("byte {} of the array", place.offset)
                        : message("byte {} of {}", place.offset, name);
  const std::string index = "[" + to_string(place.offset / width) + "]";
  return name.empty() ? message("cell {} of the array", index) : Message::verbatim(name + index);
}

/// An operation in the middle of a sentence, or at its beginning.
Message name_of_operation(const DeviceOperation& o, int line, bool begins) {
  switch (o.kind) {
    case DeviceOperation::kernel:
      return begins ? message("The kernel {} of line {}", o.kernel_name, line)
                    : message("the kernel {} of line {}", o.kernel_name, line);
    case DeviceOperation::copy:
      return begins ? message("The copy of line {}", line) : message("the copy of line {}", line);
    case DeviceOperation::release:
      return begins ? message("The cudaFreeAsync of line {}", line)
                    : message("the cudaFreeAsync of line {}", line);
    case DeviceOperation::library: return message("{} of line {}", o.kernel_name, line);
    case DeviceOperation::fill: break;
  }
  return begins ? message("The memset of line {}", line) : message("the memset of line {}", line);
}

/// The call that waits for an operation, as the student would write it.
std::string call_that_waits(const Runtime& runtime, const DeviceOperation& o, const HostLine& at) {
  std::string stream;
  if (o.kind == DeviceOperation::kernel) stream = stream_of_launch(runtime.settings, at);
  for (const char* call : asynchronous_copies)
    if (stream.empty()) stream = argument_of_call(runtime.settings, at, call, -1);
  if (o.stream == HappensBefore::legacy_stream || !is_name(stream)) return "cudaDeviceSynchronize()";
  return "cudaStreamSynchronize(" + stream + ")";
}

bool holds(const std::vector<AddressRange>& ranges, uint64_t address) {
  const auto after = std::ranges::upper_bound(ranges, address, {}, &AddressRange::begin);
  return after != ranges.begin() && address < std::prev(after)->end;
}

bool comes_too_early(const DeviceOperation& o, uint64_t address, bool writes) {
  if (o.use.tells_host) return false;  // the host may know from there how far it is
  return holds(o.use.written, address) || holds(o.use.updated, address) ||
         (writes && holds(o.use.read, address));
}

void tell_of_access(Runtime& runtime, const HostAccess& access, uint64_t address) {
  auto& pending = runtime.order.pending();
  const auto latest = std::find_if(pending.rbegin(), pending.rend(), [&](const DeviceOperation& o) {
    return comes_too_early(o, address, access.writes);
  });
  if (latest == pending.rend()) return;
  const HostLine at = students_line(access.stack, runtime.settings),
                 from = students_line(latest->at, runtime.settings);
  const Message cell = name_of_cell(runtime, address, latest->use),
                operation = name_of_operation(*latest, from.line, false);
  const std::string waits = call_that_waits(runtime, *latest, from);
  for (DeviceOperation& o : pending)
    if (comes_too_early(o, address, access.writes)) o.is_reported = true;
  runtime.watched_version = 0;
  if (!runtime.reported_races.insert({at.line, from.line}).second) return;
  runtime.warn_at(
      at,
      access.writes
          ? message("{} is written in line {} while {} may still be running.", cell, at.line, operation)
          : message("{} is read in line {} while {} may still be running.", cell, at.line, operation),
      message("Call {} before line {}.", waits, at.line));
}

void tell_of_race(Runtime& runtime, const StreamRace& race, const DeviceOperation& later) {
  const HostLine from = students_line(race.earlier->at, runtime.settings),
                 at = students_line(later.at, runtime.settings);
  if (!runtime.reported_races.insert({at.line, from.line}).second) return;
  const Message cell = name_of_cell(runtime, race.address, later.use),
                first = name_of_operation(*race.earlier, from.line, false),
                second = name_of_operation(later, at.line, true);
  runtime.warn_at(
      at,
      later.kind == DeviceOperation::release
          ? message("{} frees {} while {} may still be using it, in another stream.", second, cell, first)
      : !race.later_writes
          ? message("{} reads {} while {} may still be writing it, in another stream.", second, cell, first)
      : race.earlier_writes
          ? message("{} writes {} while {} may still be writing it, in another stream.", second, cell, first)
          : message("{} writes {} while {} may still be reading it, in another stream.", second, cell, first),
      later.stream == HappensBefore::legacy_stream  // it waits for all others but those that do not block
          ? message("Call {} before line {}.", call_that_waits(runtime, *race.earlier, from), at.line)
          : message("Let its stream wait: cudaEventRecord after line {}, cudaStreamWaitEvent before line {}.",
                    from.line, at.line));
}

/// Ranges of the host's own addresses, up to the page's end behind the last array's.
void add_host_ranges(Runtime& runtime, const std::vector<AddressRange>& ranges,
                     std::vector<AddressRange>& to) {
  constexpr uint64_t page = 4096;
  for (const AddressRange& r : ranges) {
    const Machine::MemoryLocation place = runtime.machine.at(r.begin);
    if (!place.memory) continue;
    const MemoryFacts facts = facts_of(*place.memory);
    if (facts.freed) continue;
    if (facts.visible) {
      const bool to_its_end = r.end >= facts.address + facts.bytes;
      to.push_back({r.begin, to_its_end ? (r.end + page - 1) / page * page : r.end});
    } else if (const uint64_t host = runtime.mirrors.host_of(r.begin)) {
      to.push_back({host, host + (r.end - r.begin)});
    }
  }
}

/// Sorted, those that meet as one.
std::vector<AddressRange> united(std::vector<AddressRange> ranges) {
  std::ranges::sort(ranges, {}, &AddressRange::begin);
  std::vector<AddressRange> all;
  for (const AddressRange& r : ranges)
    if (!all.empty() && r.begin <= all.back().end)
      all.back().end = std::max(all.back().end, r.end);
    else
      all.push_back(r);
  return all;
}

}  // namespace

void add_operation(Runtime& runtime, DeviceOperation operation) {
  operation.at = operation.kind == DeviceOperation::kernel ? runtime.latest_launch : runtime.here();
  for (const StreamRace& race : runtime.order.add(std::move(operation)))
    tell_of_race(runtime, race, runtime.order.pending().back());
}

void tell_of_early_use(Runtime& runtime, const std::string& kernel, const LaunchOutcome& outcome,
                       int stream) {
  const auto& pending = runtime.order.pending();
  const auto before = std::find_if(pending.rbegin(), pending.rend(), [&](const DeviceOperation& o) {
    return o.stream == stream && o.kind == DeviceOperation::kernel;
  });
  if (before == pending.rend()) return;
  const MemoryUse& early = outcome.early_use;
  const uint64_t read = first_common(before->use.written, early.read),
                 written = first_common(before->use.written, early.written),
                 address = read      ? read
                           : written ? written
                                     : first_common(before->use.read, early.written);
  if (!address) return;
  const HostLine at = runtime.caller(), from = students_line(before->at, runtime.settings);
  const Message cell = name_of_cell(runtime, address, early),
                first = name_of_operation(*before, from.line, false);
  runtime.warn_at(at,
                  read ? message("The kernel {} of line {} may begin before {} ends, and reads {} that it "
                                 "writes.",
                                 kernel, at.line, first, cell)
                       : message("The kernel {} of line {} may begin before {} ends, and writes {} that it "
                                 "uses.",
                                 kernel, at.line, first, cell),
                  message("Call cudaGridDependencySynchronize() in {} before that access.", kernel));
}

void look_at_host_accesses(Runtime& runtime) {
  HostWatch& watch = HostWatch::get();
  watch.lift();
  for (const HostAccess& access : watch.take_accesses()) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the host's
    const uint64_t mirrored = runtime.mirrors.device_of(reinterpret_cast<const void*>(access.address));
    tell_of_access(runtime, access, mirrored ? mirrored : access.address);
  }
}

void watch_host_accesses(Runtime& runtime) {
  if (std::exchange(runtime.watched_version, runtime.order.version()) == runtime.order.version())
    return HostWatch::get().place_again();
  std::vector<AddressRange> untouched, unchanged;
  for (const DeviceOperation& o : runtime.order.pending()) {
    if (o.is_reported || o.use.tells_host) continue;
    add_host_ranges(runtime, o.use.written, untouched);
    add_host_ranges(runtime, o.use.updated, untouched);
    add_host_ranges(runtime, o.use.read, unchanged);
  }
  if (!unchanged.empty()) unchanged.insert(unchanged.end(), untouched.begin(), untouched.end());
  HostWatch::get().place(united(std::move(untouched)), united(std::move(unchanged)));
}

void tell_of_lost_output(Runtime& runtime) {
  for (const DeviceOperation& o : runtime.order.pending()) {
    if (!o.prints) continue;
    const HostLine at = students_line(o.at, runtime.settings);
    runtime.warn_at(
        at,
        message("On a GPU the output of the kernel {} of line {} is lost: the program ends, and nothing has "
                "waited for the kernel.",
                o.kernel_name, at.line),
        message("Call {} after line {}.", "cudaDeviceSynchronize()", at.line));
  }
}

void tell_of_early_event(Runtime& runtime, int argument) {
  const HostLine at = runtime.caller();
  const std::string event = argument_of_call(runtime.settings, at, "cudaEventElapsedTime", argument);
  const bool named = is_name(event);
  runtime.warn_at(
      at,
      message(
          "Line {} asks for the time of {}, which may not have been reached: it gets cudaErrorNotReady and "
          "no time.",
          at.line, named ? Message::verbatim(event) : message("an event")),
      message("Call {} before line {}.", "cudaEventSynchronize(" + (named ? event : "event") + ")", at.line));
}

}  // namespace bscope::cuda
