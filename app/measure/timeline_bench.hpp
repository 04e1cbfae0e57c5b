// Timelines of GPUs: those that come with the program, and those recorded here in this session, beside the
// frames.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/run/async_task.hpp"
#include "engine/timing/timeline.hpp"
#include "engine/timing/timeline_rows.hpp"

namespace bscope {

struct RunSpec;

/// One of them, made ready to be drawn.
struct ShownTimeline {
  Timeline timeline;
  TimelineRows schedule;
  bool here = false;  ///< recorded on this machine in this session
  explicit ShownTimeline(Timeline);
};

/// Files of a kernel's timelines that come with the program: scan-look-back.json, reduce-shared@2.json.
std::vector<std::filesystem::path> timeline_files(const std::string& kernel);

class TimelineBench {
 public:
  /// Of the kernel, by how many blocks were let onto a multiprocessor: first those that were bounded, the
  /// fewest first. What was recorded here takes the place of what came with the program. Read when first
  /// asked for; none while a page fetches them (`awaited`). The reference is good until the next call.
  const std::vector<ShownTimeline>& of(const std::string& kernel);
  /// Shows this one, as one that was recorded elsewhere, in place of any with as many blocks at a time.
  void open(Timeline);
  /// Records the kernel on this machine's GPU, and counts. `changed` is called from another thread when it is
  /// there. Does nothing while recording.
  void record(const RunSpec&, int resident, const std::function<void()>& changed);
  bool recording() const { return work_.busy() && !work_.ready(); }
  /// What a page says while it fetches what `of` was asked for last; empty: it is here.
  const Message& awaited() const { return awaited_; }
  const Message& error() const { return error_; }  ///< of the last recording, one sentence; empty: none
  const std::string& gpu();                        ///< this machine's; empty: none
  /// Takes the results of the background work. Another number whenever anything of this has changed.
  uint64_t version();

 private:
  struct RecordedTimeline {
    std::optional<Timeline> timeline;
    Message error;
  };
  /// In its place among its kernel's.
  void keep(ShownTimeline);
  std::map<std::string, std::vector<ShownTimeline>> of_;
  std::optional<std::string> gpu_;
  Message error_, awaited_;
  std::vector<std::filesystem::path> awaited_files_;
  uint64_t version_ = 0;
  AsyncTask<RecordedTimeline> work_;
};

}  // namespace bscope
