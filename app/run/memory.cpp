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

/// Measured with `show`: an event's own 16 bytes, its node, word, request and place in lists.
constexpr double bytes_an_event = 200;
/// Larger files are no traces, and the reader says so.
constexpr uintmax_t most_file_bytes = uintmax_t(1) << 31;

}  // namespace

void refuse_if_too_large(const std::string& file) {
  const double limit = memory_limit();
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  const double bytes = double(size) / sizeof(Event) * bytes_an_event;
  if (error || size > most_file_bytes || bytes <= limit) return;
  throw UsageError(message(
      "looking at {} would need up to {} of memory, more than the {} allowed: raise --max-memory, or trace "
      "a smaller --n",
      file, memory_text(bytes), memory_text(limit)));
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
