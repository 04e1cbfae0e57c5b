// One store loads and keeps the runs that the app shows, and what is derived from them. Views and steps ask
// it in every frame, and get the run, its progress, or the reason why there is none.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/run/own_program.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Progress;
struct Run;
struct Target;

using RunPtr = std::shared_ptr<const Run>;

/// A run that was opened, or what refused it.
struct RunResult {
  OpenedRun opened;
  std::exception_ptr error = nullptr;  ///< null: it is open
  /// Throws what refused it.
  const OpenedRun& value() const {
    if (error) std::rethrow_exception(error);
    return opened;
  }
};

/// What an exception tells the user, also where memory ran out.
Message failure(const std::exception&);

/// Whether loading and judging the run takes longer than a frame, by the request or the file's size. Throws
/// UsageError where a short run is refused.
bool takes_long(const Target&);

/// The bytes that a run takes in memory, estimated: a node of the dataflow graph and its indices are most of
/// it.
size_t bytes_of(const Run&);

/// Maps what a run is made from to the run. One thread uses a store: tasks in other threads take values and
/// return one.
class RunStore {
 public:
  /// Opens a run here and now, or throws.
  using Load = std::function<OpenedRun(const Target&)>;
  /// Loads in another process: takes a target, reports to the progress, and passes the result to the callback
  /// once; nothing if the progress was stopped.
  using LoadRemotely =
      std::function<void(const Target&, Progress&, std::function<void(std::optional<RunResult>)>)>;

  explicit RunStore(Load load = open_now, size_t most = size_t(512) << 20);
  ~RunStore();
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;

  /// Of runs that are kept though no frame asks for them, estimated. Undo finds them, whatever their files
  /// give now.
  size_t most_bytes;
  /// Requests a frame, from any thread, when a run or something derived is ready. Null: nothing is loaded in
  /// the background.
  std::function<void()> wake;
  /// Null: what takes long is loaded in a thread.
  LoadRemotely load_remotely;
  /// Progress is shown for work that takes longer; an earlier message would only flicker.
  std::chrono::milliseconds patience{200};

  /// The run of a target, or why there is none; nothing while it loads. A view asks in every frame:
  /// a run that no frame asks for any more is cancelled.
  std::optional<RunResult> find(const Target&);

  /// Cancels the target's run, or forgets it: its file has changed.
  void forget(const Target&);
  /// The same of all runs of a file.
  void forget_file(const std::string& file);
  /// Makes an open run known, which is never forgotten.
  void put(const Target&, OpenedRun);
  /// Keeps a run that another store has opened, as long as there is room: undo may go back to it.
  void retain(OpenedRun);

  /// What is derived from runs, by name: made once by `make()`, which owns what it reads. Null while it is
  /// made in the background, where one of the runs is large. Throws what `make` throws.
  template <class T, class Make>
  std::shared_ptr<const T> derive(const std::string& name, const std::vector<RunPtr>& of, Make make) {
    return std::static_pointer_cast<const T>(derived(name, of, made_by<T>(std::move(make)), true));
  }
  /// The same for what never takes longer than a frame: it is never null, and `make` may read what it likes.
  template <class T, class Make>
  std::shared_ptr<const T> derive_now(const std::string& name, const std::vector<RunPtr>& of, Make make) {
    return std::static_pointer_cast<const T>(derived(name, of, made_by<T>(std::move(make)), false));
  }

  struct Loading {
    float share = 0;       ///< 0 to 1
    bool is_late = false;  ///< it takes longer than `patience`
  };
  /// How far the run of a target is; nothing where it is not loading.
  std::optional<Loading> loading(const Target&) const;
  /// How far all the rest is that was asked for since the frame began.
  std::optional<Loading> loading_beside(const Target*) const;

  /// Goes up whenever a run or something derived is ready.
  uint64_t version() const { return version_; }

  /// Ends a frame: cancels what was not asked for in it, and drops the least recently used. `keep`: a step
  /// still waits for other runs, and comes back for all that it asked for.
  void end_frame(bool keep);
  /// Cancels everything that loads.
  void cancel();

 private:
  /// A run, what is derived from runs, or what making that threw.
  using Outcome = std::variant<RunResult, std::shared_ptr<const void>, std::exception_ptr>;
  struct Entry;
  template <class T, class Make>
  static std::function<std::shared_ptr<const void>()> made_by(Make make) {
    return [make = std::move(make)] { return std::make_shared<const T>(make()); };
  }
  std::shared_ptr<const void> derived(const std::string& name, const std::vector<RunPtr>& of,
                                      std::function<std::shared_ptr<const void>()> make, bool may_take_long);
  Entry* find_entry(const auto& is_it);
  Entry& add(const std::vector<RunPtr>& of);
  void drop(std::list<Entry>::iterator);
  void set_past(std::list<Entry>::iterator);
  void finish(Entry&, Outcome);
  void forget_oldest();

  Load load_;
  std::list<Entry> entries_, cancelled_;  ///< `cancelled_`: until their threads have ended
  uint64_t questions_ = 0, version_ = 0;
  bool has_frames_ = false;  ///< end_frame is called, and drops what is not needed
};

}  // namespace bscope
