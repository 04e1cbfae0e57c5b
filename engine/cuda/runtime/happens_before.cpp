#include "engine/cuda/runtime/happens_before.hpp"

#include <algorithm>

#include "engine/cuda/machine/memory_use.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t most_pending = 256;  // programs that never wait keep no more operations in memory

/// Of two operations on the same bytes.
bool race(const MemoryUse& earlier, const MemoryUse& later, StreamRace& found) {
  // where both change a word by atomics, one may have signalled its progress to the other
  if (first_common(earlier.updated, later.updated)) return false;
  const struct {
    const std::vector<AddressRange>&a, &b;
    bool earlier_writes, later_writes;
  } pairs[] = {{earlier.written, later.read, true, false},   {earlier.read, later.written, false, true},
               {earlier.written, later.written, true, true}, {earlier.updated, later.read, true, false},
               {earlier.read, later.updated, false, true},   {earlier.updated, later.written, true, true},
               {earlier.written, later.updated, true, true}};
  for (const auto& p : pairs)
    if (const uint64_t address = first_common(p.a, p.b)) {
      found = {nullptr, address, p.earlier_writes, p.later_writes};
      return true;
    }
  return false;
}

}  // namespace

void StreamClock::advance(int stream, uint64_t number) {
  if (ended_.size() <= size_t(stream)) ended_.resize(size_t(stream) + 1);
  ended_[size_t(stream)] = std::max(ended_[size_t(stream)], number);
}
void StreamClock::join(const StreamClock& other) {
  for (int k = 0; k < int(other.ended_.size()); ++k) advance(k, other[k]);
}
bool StreamClock::covers(const StreamClock& other) const {
  for (int k = 0; k < int(other.ended_.size()); ++k)
    if (other[k] > (*this)[k]) return false;
  return true;
}

int HappensBefore::add_stream(bool blocking) {
  streams_.push_back({blocking, 0, {}});
  return int(streams_.size()) - 1;
}

/// "When an action is taken in the legacy stream such as a kernel launch or cudaStreamWaitEvent(), the legacy
/// stream first waits on all blocking streams, the action is queued in the legacy stream, and then all
/// blocking streams wait on the legacy stream." (CUDA Runtime API, Stream synchronization behavior)
void HappensBefore::meet_legacy(int stream) {
  Stream& s = streams_[size_t(stream)];
  if (!s.blocking) return;
  if (stream != legacy_stream) return s.clock.join(streams_[legacy_stream].clock);
  for (const Stream& other : streams_)
    if (other.blocking) s.clock.join(other.clock);
}

std::vector<StreamRace> HappensBefore::add(DeviceOperation operation) {
  const int number = operation.stream;
  meet_legacy(number);
  Stream& stream = streams_[size_t(number)];
  stream.clock.join(host_);  // the host had seen those end before it called
  std::vector<StreamRace> races;
  for (const DeviceOperation& earlier : pending_) {
    if (stream.clock[earlier.stream] >= earlier.number || earlier.use.empty()) continue;
    StreamRace found;
    if (!race(earlier.use, operation.use, found)) continue;
    found.earlier = &earlier;
    races.push_back(found);
  }
  operation.number = ++stream.operations;
  stream.clock.advance(number, operation.number);
  if (operation.use.empty() && !operation.prints) return races;
  ++version_;
  // an earlier one of its stream that did the same has ended where this one has
  if (races.empty())
    std::erase_if(pending_, [&](const DeviceOperation& earlier) {
      return earlier.stream == number && earlier.use == operation.use && !earlier.prints;
    });
  if (pending_.size() >= most_pending && races.empty()) pending_.pop_front();
  pending_.push_back(std::move(operation));
  return races;
}

StreamClock HappensBefore::record(int stream) {
  meet_legacy(stream);
  return streams_[size_t(stream)].clock;
}

void HappensBefore::wait(int stream, const StreamClock& event) {
  meet_legacy(stream);
  streams_[size_t(stream)].clock.join(event);
}

void HappensBefore::forget_ended() {
  version_ += std::erase_if(pending_, [&](const DeviceOperation& o) { return host_[o.stream] >= o.number; });
}

void HappensBefore::host_waits(const StreamClock& event) {
  host_.join(event);
  forget_ended();
}
void HappensBefore::host_waits_for_stream(int stream) { host_waits(record(stream)); }
void HappensBefore::host_waits_for_all() {
  for (const Stream& s : streams_) host_.join(s.clock);
  forget_ended();
}

void HappensBefore::order_all_streams() {
  StreamClock all;
  for (const Stream& s : streams_) all.join(s.clock);
  for (Stream& s : streams_) s.clock.join(all);
}

}  // namespace bscope::cuda
