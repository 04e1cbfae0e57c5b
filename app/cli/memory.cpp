#include "app/cli/memory.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <filesystem>

#include "app/words/words.hpp"

namespace bscope {
namespace {

/// Measured with `show` on every kernel: an event's own 16 bytes, its node, word, request and place in lists.
constexpr double bytes_an_event = 200;
constexpr int small = 1 << 14;
/// Larger files are no traces, and the reader says so.
constexpr uintmax_t most_file_bytes = uintmax_t(1) << 31;

}  // namespace

double expected_bytes(const Algorithm& algorithm, const Problem& problem) {
  if (problem.n() <= small || !algorithm.cpu) return 0;
  Problem beginning = problem;
  const int tile = algorithm.tile ? algorithm.tile(problem) : 1;
  beginning.data.resize(size_t(std::min<long long>(problem.n(), std::max(small, 4 * tile))));
  Schedule quick;
  quick.kind = Schedule::to_barrier;
  const double events = double(algorithm.cpu(beginning, quick).events());
  return events * bytes_an_event * (double(problem.n()) / double(beginning.n()));
}

void refuse_if_too_large(const Algorithm& algorithm, const Problem& problem, double limit) {
  const double bytes = expected_bytes(algorithm, problem);
  if (bytes <= limit) return;
  throw UsageError(
      fmt::format("a trace of {} with n = {} would need about {:.1f} GB of memory, more than the {:.1f} GB "
                  "allowed: take a smaller "
                  "--n, or raise --max-memory",
                  algorithm.name, problem.n(), bytes / 1e9, limit / 1e9));
}

void refuse_if_too_large(const std::string& file, double limit) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  const double bytes = double(size) / sizeof(Event) * bytes_an_event;
  if (error || size > most_file_bytes || bytes <= limit) return;
  throw UsageError(fmt::format(
      "looking at {} would need up to {:.1f} GB of memory, more than the {:.1f} GB allowed: raise "
      "--max-memory, or trace a smaller --n",
      file, bytes / 1e9, limit / 1e9));
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
    throw UsageError(say("--max-memory {} is no size: write for example 500M or 4G", text));
  return value * factor;
}

}  // namespace bscope
