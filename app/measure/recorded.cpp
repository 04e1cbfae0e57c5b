#include "app/measure/recorded.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "app/run/assets.hpp"
#include "app/run/worker.hpp"
#include "engine/timing/recording_reader.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

fs::path folder_of_curves() {
  fs::path folder = recordings_folder();
#ifdef BARRIERSCOPE_ASSETS
  if (folder.empty()) folder = fs::path(BARRIERSCOPE_ASSETS) / "recorded";
#endif
  return folder;
}

/// Reads the built-in curves between the frames of a page.
class CurvesReader {
 public:
  /// What to say meanwhile; empty: all is read.
  Message awaited() {
    if (files_.empty()) files_ = recording_files(folder_of_curves());
    // all are asked for at once, and come side by side
    bool lost = false, coming = false;
    for (const fs::path& file : files_) {
      const AssetState state = asset_state(file);
      lost = lost || state == AssetState::lost;
      coming = coming || state == AssetState::coming;
    }
    if (read_.size() + size_t(unreadable_) == files_.size()) return {};
    if (lost) return message("There is no connection: recorded times are fetched when it is back.");
    if (coming) return message("Recorded times are being fetched.");
    if (!std::exchange(is_posted_, true))
      post_idle([this] {
        is_posted_ = false;
        read_on();
      });
    return message("Recorded times are being read.");
  }
  std::vector<Recording> take() { return std::move(read_); }

 private:
  /// Short, so that a frame follows soon.
  static constexpr std::chrono::milliseconds piece{25};
  void read_on() {
    const size_t next = read_.size() + size_t(unreadable_);
    if (next == files_.size()) return;
    try {
      if (!reader_) {
        const std::string name = files_[next].string();
        reader_.emplace(as_text(read_file(name, largest_recording), name), name);
        return;  // the text alone is a piece
      }
      if (reader_->next(piece)) return;
      read_.push_back(reader_->take());
    } catch (const BadFile&) { ++unreadable_; }
    reader_.reset();
  }
  std::vector<fs::path> files_;
  std::vector<Recording> read_;
  int unreadable_ = 0;
  std::optional<RecordingReader> reader_;
  bool is_posted_ = false;
};

/// Used where there are no threads.
CurvesReader& curves_reader() {
  static CurvesReader reader;
  return reader;
}

}  // namespace

std::vector<Recording> newest_first(std::vector<Recording> all) {
  std::ranges::stable_sort(all, std::greater<>{}, [](const Recording& r) {
    return std::pair(r.date.substr(0, 10), r.records.size());
  });
  for (Recording& r : all) r.aside = &r != &all.front();
  return all;
}

const std::vector<Recording>& recorded_curves() {
  static const std::vector<Recording> read = [] {
    if (post_idle && recorded_curves_awaited().empty()) return newest_first(curves_reader().take());
    const fs::path folder = folder_of_curves();
    return newest_first(folder.empty() ? std::vector<Recording>{} : recordings_in(folder));
  }();
  return read;
}

Message recorded_curves_awaited() {
  static bool all_read = false;
  if (!post_idle || all_read) return {};
  Message awaited = curves_reader().awaited();
  all_read = awaited.empty();
  return awaited;
}

}  // namespace bscope
