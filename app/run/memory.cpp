#include "app/run/memory.hpp"

#include <charconv>
#include <cmath>
#include <filesystem>

#include "app/words/words.hpp"
#include "engine/catalog/estimate.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// Measured with `show`: an event's own 16 bytes, its node, word, request and place in lists; a global cell's
/// value before and after the run, its holders and its word.
constexpr double bytes_an_event = 200, bytes_a_cell = 44;
/// Of a file's byte: itself, and what it is unpacked to.
constexpr double bytes_a_byte = 2;
/// Larger files are no traces, and the reader says so.
constexpr uintmax_t most_file_bytes = uintmax_t(1) << 31;

void refuse(const std::string& file, double bytes) {
  if (bytes <= memory_limit()) return;
  throw UsageError(message(
      "looking at {} would need up to {} of memory, more than the {} allowed: raise --max-memory, or trace "
      "a smaller input",
      file, memory_text(bytes), memory_text(memory_limit())));
}

}  // namespace

void refuse_if_too_large(const std::string& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (!error && size <= most_file_bytes) refuse(file, double(size) * bytes_a_byte);
}

void refuse_if_too_large(const std::string& file, const Trace& trace) {
  double bytes = 0;
  for (const ArrayInfo& a : trace.arrays) bytes += double(a.size) * bytes_a_cell;
  for (const Launch& l : trace.launches)
    for (const BlockRun& b : l.blocks) bytes += double(b.events.size()) * bytes_an_event;
  refuse(file, bytes);
}

double parse_bytes(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(end, text.data() + text.size());
  const double factor = unit.empty() || unit == "B"   ? 1
                        : unit == "K" || unit == "KB" ? 1e3
                        : unit == "M" || unit == "MB" ? 1e6
                        : unit == "G" || unit == "GB" ? 1e9
                                                      : 0;
  if (error != std::errc{} || factor == 0 || !(value > 0) || !std::isfinite(value))
    throw UsageError(message("--max-memory {} is no size: write for example 500M or 4G", text));
  return value * factor;
}

}  // namespace bscope
