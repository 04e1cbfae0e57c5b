// What was measured in this session, and which recordings are open: one of each window, shared by its tabs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/measure/measurer.hpp"
#include "engine/timing/recording.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct MeasurementStore {
  Measurer measurer;
  WorkCounter work;
  std::optional<std::vector<Recording>> recorded;  ///< none: not read yet
  Message awaited;     ///< what a page says while it reads them; empty: they are read
  std::string gpu;     ///< this machine's; empty: there is none
  Message no_gpu;      ///< why
  int opened = 0;      ///< how often a recording was
  std::string notice;  ///< where the last export went

  /// The open recordings: the program's, when they are first asked for, and those opened. In a page the
  /// program's come some frames later (`awaited`).
  std::vector<Recording>& recordings();
  /// The same, and asks for a GPU.
  void look_around();
  /// Opens a file's recordings (JSON or CSV) beside the others; the same file again takes the place of its
  /// older self. Returns those that are open now. Throws BadFile, and then nothing has changed.
  std::vector<Recording> open(const std::string& path);
  /// Recorded, and behind what was measured here if anything was.
  const std::vector<Recording>& all();
  /// Another number whenever anything of this was changed. Reads the program's recordings on first use:
  /// that is no change.
  uint64_t version();

 private:
  std::vector<Recording> all_;  ///< where anything was measured here: as of `all_of_`
  uint64_t all_of_ = 0;
  std::vector<Recording> opened_before_;  ///< while the program's own were awaited
};

/// "NVIDIA H100 80GB HBM3, 2026-11-20 12:00": what a recording is known by.
std::string key_of(const Recording&);

}  // namespace bscope
