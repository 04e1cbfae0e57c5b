// A recording of some megabytes, read in pieces: a page has one thread, which draws frames in between.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

#include "engine/timing/recording.hpp"

namespace bscope {

class RecordingReader {
 public:
  /// The text of a recording, and the name that errors say.
  RecordingReader(std::string json, std::string name);
  /// Reads on for about so long. Returns whether more is left. Throws BadFile.
  bool next(std::chrono::milliseconds);
  /// How much is read, 0 to 1.
  double share() const;
  /// What was read, once `next` has returned false.
  Recording take() { return std::move(recording_); }

 private:
  bool next_record();
  std::string text_, name_;
  Recording recording_;
  size_t at_ = 0;  ///< of the next record's line
  bool has_begun_ = false;
};

}  // namespace bscope
