// One export: from a state to a file. The command line does it at once, the app beside its frames.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "app/export/film.hpp"
#include "app/run/worker.hpp"
#include "app/session/state.hpp"
#include "engine/timing/recording.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct Export {
  LoadedState state;  ///< what is shown, and how
  int width = 1600, height = 900;
  std::string embed = {};            ///< PNG: the one view that stands in it; empty: the whole window
  int first = 0, last = -1;          ///< a video of these steps; last -1: one picture
  std::vector<Recording> live = {};  ///< for the Time tab
  std::filesystem::path file;        ///< the ending says the format: png, svg, pdf; mp4, webp
};
/// The endings of the pictures that export_now draws, without their point; the usual one first.
std::vector<std::string> picture_formats();
/// Throws UsageError for a size that no picture can have.
void check_size(const Export&);
/// Writes it; false if `progress` stopped it. Throws UsageError, std::runtime_error, SystemError. Built
/// without cairo (BARRIERSCOPE_CAIRO), it writes SVG alone: svg_only/export.cpp.
bool export_now(const Export&, const FilmProgress& progress = {});

/// Exports in the background, one at a time.
class Exporter {
 public:
  struct Status {
    bool running = false;
    int done = 0, all = 0;       ///< frames of a video
    std::filesystem::path file;  ///< of the last export that was started
    Message error;               ///< why it failed; empty: it did not
    bool stopped = false;        ///< by stop()
  };
  ~Exporter() { stop(); }
  /// Does nothing while one runs. `changed` is called from another thread when there is something to show.
  void start(Export, std::function<void()> changed);
  /// Ends it; no file is left.
  void stop();
  Status status() const;

 private:
  mutable std::mutex mutex_;
  Status status_;
  std::atomic<bool> stop_ = false;
  Worker worker_;
};

}  // namespace bscope
