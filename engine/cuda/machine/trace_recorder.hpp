// The trace that grows launch by launch.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/cuda/machine/memory.hpp"
#include "engine/trace/trace.hpp"

namespace bscope::cuda {

class TraceRecorder {
 public:
  /// Of a larger array than `array_bytes` the trace holds the first cells.
  explicit TraceRecorder(uint64_t array_bytes) : array_bytes_(array_bytes) {}
  /// The same for arrays that are added from now on.
  void limit_arrays(uint64_t array_bytes) { array_bytes_ = array_bytes; }
  uint64_t array_bytes() const { return array_bytes_; }
  /// Gives a memory its place among the traced arrays when a kernel that is shown first touches it. False:
  /// it is left out.
  bool add(Memory&);
  /// The same for one that has changed since it held that.
  bool add(Memory&, std::span<const uint8_t> before);
  /// The content of all arrays, for Launch::after.
  std::vector<std::vector<std::byte>> contents() const;
  void push(Launch, std::vector<Finding>);
  /// Of launches that are there already.
  void add_findings(const std::vector<Finding>& all) {
    trace_.findings.insert(trace_.findings.end(), all.begin(), all.end());
  }
  /// What has changed since the last launch, without a launch that is shown, becomes launches of one thread,
  /// so that a replay knows of it.
  void tell_of_changes();
  /// What a call of a library's function has changed of these becomes a launch of one thread in the call's
  /// line. `goes_on`: the last launch is the call's, too, and the two become one.
  void tell_of_library(const LibraryUse&, std::vector<Memory*>, bool goes_on);
  /// A memory that is freed keeps its last content in the trace.
  void retire(Memory&);

  const std::vector<ArrayInfo>& arrays() const { return trace_.arrays; }
  const Trace& trace() const { return trace_; }
  Trace take_trace() { return std::move(trace_); }
  size_t events() const { return events_; }
  /// Bytes of arrays' contents and snapshots.
  size_t bytes() const { return bytes_; }
  void note(Message);
  std::vector<Message> notes() const;
  void note_unset_read(KernelRemark r) { unset_reads_.push_back(std::move(r)); }
  const std::vector<KernelRemark>& unset_reads() const { return unset_reads_; }
  void note_early_return(KernelRemark);
  const std::vector<KernelRemark>& early_returns() const { return early_returns_; }
  void note_overflow(OverflowingIndex);
  const std::vector<OverflowingIndex>& overflows() const { return overflows_; }
  void note_pointer(const InnerPointer&);
  std::vector<InnerPointer> inner_pointers() const;

  void note_read(int id) {
    if (input_ < 0) input_ = id;
  }
  void note_written(int id) { written_ = id; }
  void note_copied_out(const Memory& m) {
    if (m.id >= 0) copied_out_ = m.id;
  }
  int input() const { return std::max(0, input_); }
  int output() const { return copied_out_ >= 0 ? copied_out_ : std::max(0, written_); }

 private:
  std::pair<uint64_t, uint64_t> traced_cells(const Memory&) const;
  std::span<const std::byte> last_content(size_t id) const;
  void rename_if_taken(Memory&) const;
  size_t changed_cells(const Memory&) const;
  Launch launch_of_changes(const std::string& by, const std::vector<Memory*>&, uint16_t line = 0) const;
  void begin_anew(Memory&);

  uint64_t array_bytes_;
  Trace trace_;
  std::vector<Memory*> memories_;       ///< of each array; nullptr: it changes no more
  std::vector<std::string> variables_;  ///< the name in the source that each array is of: of c_2 c
  size_t events_ = 0, bytes_ = 0;
  int input_ = -1, written_ = -1, copied_out_ = -1;
  std::vector<Message> notes_;
  std::map<std::pair<uint64_t, uint64_t>, std::vector<Message>>
      cut_arrays_;  ///< by the cells that are traced, and all: their variables' names
  std::vector<KernelRemark> unset_reads_, early_returns_;
  std::vector<OverflowingIndex> overflows_;
  std::map<std::pair<std::string, std::string>, std::optional<InnerPointer>>
      inner_pointers_;  ///< by kernel and parameter; nullopt: it points to several cells
};

}  // namespace bscope::cuda
