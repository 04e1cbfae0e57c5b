// The happens-before relation of a CUDA program: which operations of its streams are known to have ended when
// another one begins, or when the host goes on. It is kept in vector clocks (Fidge 1988, Mattern 1988): one
// number for each stream, "so many of its operations have ended".
//
// The operations themselves run in the order of the calls. A race is what CUDA's documentation does not
// order, whatever happened in this run. Host threads count as one: what orders them among each other (a
// mutex, a join) is not seen, so that each is taken to know what any of them has waited for.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine/cuda/machine/machine.hpp"
#include "engine/cuda/runtime/call_site.hpp"

namespace bscope::cuda {

/// How many operations of each stream have ended.
class StreamClock {
 public:
  uint64_t operator[](int stream) const { return stream < int(ended_.size()) ? ended_[size_t(stream)] : 0; }
  void advance(int stream, uint64_t number);
  /// Takes over what the other knows.
  void join(const StreamClock& other);
  /// Whether all that the other knows of is known here, too.
  bool covers(const StreamClock& other) const;

 private:
  std::vector<uint64_t> ended_;
};

/// What a stream does: a launch, a copy, a memset, a cudaFreeAsync (whose memory counts as written), a call
/// of a library.
struct DeviceOperation {
  enum Kind : uint8_t { kernel, copy, fill, release, library } kind = kernel;
  std::string kernel_name = {};
  MemoryUse use = {};
  Stack at = {};             ///< of the call
  bool prints = false;       ///< printf wrote something
  bool is_reported = false;  ///< an access that comes too early is in the warnings
  int stream = 0;
  uint64_t number = 0;  ///< of its stream, from 1
};

/// Two operations of different streams, to the same bytes, that nothing orders.
struct StreamRace {
  const DeviceOperation* earlier = nullptr;  ///< in the order of the calls; valid until the next operation
  uint64_t address = 0;                      ///< the first that both touch
  bool earlier_writes = false, later_writes = false;
};

class HappensBefore {
 public:
  static constexpr int legacy_stream = 0;

  /// A new stream's number. `blocking`: it was not created with cudaStreamNonBlocking.
  int add_stream(bool blocking);
  /// An operation is added to its stream. Returns the races with what is still pending.
  std::vector<StreamRace> add(DeviceOperation);

  /// The clock of an event recorded in that stream now.
  StreamClock record(int stream);
  /// cudaStreamWaitEvent.
  void wait(int stream, const StreamClock& event);
  void host_waits(const StreamClock& event);
  void host_waits_for_stream(int stream);
  void host_waits_for_all();
  /// No operation issued later begins before those issued earlier have ended, in any streams.
  void order_all_streams();
  /// Whether the host knows that all of this has ended.
  bool host_knows(const StreamClock& event) const { return host_.covers(event); }
  /// Operations that the host does not know to have ended, the earliest first.
  std::deque<DeviceOperation>& pending() { return pending_; }
  /// Another number after each change of what is pending.
  uint64_t version() const { return version_; }
  /// Whether more than one stream has been used.
  bool has_streams() const { return streams_.size() > 1; }

 private:
  struct Stream {
    bool blocking = true;
    uint64_t operations = 0;
    StreamClock clock;  ///< what has ended before its next operation begins
  };

  void meet_legacy(int stream);
  void forget_ended();

  std::vector<Stream> streams_ = std::vector<Stream>(1);
  StreamClock host_;
  std::deque<DeviceOperation> pending_;
  uint64_t version_ = 1;
};

}  // namespace bscope::cuda
