#include "engine/timing/recording_reader.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/timing/recorded_json.hpp"
#include "engine/trace/json_fields.hpp"

namespace bscope {
namespace {

/// What stands before the lines of records, in a text that `to_json` has written.
constexpr std::string_view before_records = "\"records\":[\n";

}  // namespace

RecordingReader::RecordingReader(std::string json, std::string name)
    : text_(std::move(json)), name_(std::move(name)) {}

double RecordingReader::share() const { return text_.empty() ? 1 : double(at_) / double(text_.size()); }

bool RecordingReader::next(std::chrono::milliseconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  if (!has_begun_) {
    has_begun_ = true;
    const size_t records = text_.find(before_records);
    if (records == std::string::npos) {  // a program has written it that has no line for each record
      recording_ = read_recording(text_, name_);
      at_ = text_.size();
      return false;
    }
    at_ = records + before_records.size();
    recording_ = read_recording(text_.substr(0, at_) + "]}", name_);
  }
  do {
    if (!next_record()) return false;
  } while (std::chrono::steady_clock::now() < end);
  return true;
}

bool RecordingReader::next_record() {
  const std::string_view all = text_;
  std::string_view line = all.substr(at_, all.find('\n', at_) - at_);
  at_ = std::min(all.size(), at_ + line.size() + 1);
  if (line.starts_with(']')) {
    at_ = all.size();
    return false;
  }
  if (line.ends_with(',')) line.remove_suffix(1);
  const auto record = try_parse_json(line);
  if (!record)
    throw BadFile(message("{} is no JSON: it is no recording, or only a part of one; {}", name_,
                          message("measure again with `barrierscope time -o FILE.json`")));
  try {
    from_fields_json(recording_.records.emplace_back(), *record, {});
  } catch (const BadFile& e) {
    throw BadFile(message("{}: {}: {}", name_, e.message(),
                          message("measure again with `barrierscope time -o FILE.json`")));
  }
  return at_ < all.size();
}

}  // namespace bscope
