// Measured times, and the file they are kept in: barrierscope.time/1.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/timing/statistics.hpp"
#include "engine/trace/english_message.hpp"
#include "engine/trace/fields.hpp"

namespace bscope {

/// One kernel at one size. GB is 10^9 bytes.
struct Record {
  /// scan/blelloch; references: cub/..., thrust/...; CPU baselines: serial/..., tbb/...; limits: copy/...,
  /// which moves as many bytes and computes nothing, and read/..., which reads as many
  std::string kernel;
  std::map<std::string, std::string> parameters;
  long long n = 0;
  std::string type;             ///< of an element: int32, float, double, uint8
  std::vector<double> samples;  ///< seconds of a run on a GPU whose cache holds nothing of the input
  Statistics seconds;
  /// Seconds of a run among many in a row: launches overlap and what is small stays in the cache. Empty: not
  /// measured.
  std::vector<double> warm_samples;
  Statistics warm;
  double bytes = 0;  ///< that the algorithm must move: read once, write once
  double gb_per_s = 0;
  double of_copy = 0,
         of_peak = 0;  ///< shares of the copy measured in the same run and of the peak; 0: unknown
  bool correct = false;
  double cycles_per_block =
      0;                   ///< clock64() from a block's first instruction to its last, median; 0: unknown
  double clock_mhz = 0;    ///< of the multiprocessors, while this was measured; 0: unknown
  bool throttled = false;  ///< the clock fell below three quarters of its usual in every try
  int gpus = 1;

  std::string family() const;  ///< reduce, scan, histogram

  template <class Self, class Visit>
  static void fields(Self& r, Visit&& visit) {
    // Five digits: ratios to a tenth of a per cent lose nothing, and committed files stay small.
    const Field measured{.required = true, .least = 0, .digits = 5};
    const Field known{.least = 0, .digits = 5, .zero_is_null = true};
    visit("kernel", r.kernel, Field{.required = true});
    visit("parameters", r.parameters, Field{.required = true});
    visit("n", r.n, Field{.required = true, .least = 1, .most = 1e15});
    visit("type", r.type, Field{.required = true});
    visit("samples", r.samples, measured);
    visit("median_s", r.seconds.median, measured);
    visit("min_s", r.seconds.least, measured);
    visit("max_s", r.seconds.most, measured);
    visit("noise", r.seconds.noise, measured);
    visit("bytes", r.bytes, Field{.required = true, .least = 0});
    visit("gb_per_s", r.gb_per_s, measured);
    visit("of_copy", r.of_copy, known);
    visit("of_peak", r.of_peak, known);
    visit("correct", r.correct, Field{.required = true});
    // from here on what older files do not have
    visit("warm_samples", r.warm_samples, Field{.least = 0, .digits = 5});
    visit("warm_median_s", r.warm.median, known);
    visit("warm_min_s", r.warm.least, known);
    visit("warm_max_s", r.warm.most, known);
    visit("warm_noise", r.warm.noise, Field{.least = 0, .digits = 5, .zero_is_null = !is_warm(r)});
    double warm_gb_per_s = is_warm(r) ? r.bytes / r.warm.median / 1e9 : 0;
    visit("warm_gb_per_s", warm_gb_per_s, Field{.digits = 5, .zero_is_null = true, .derived = true});
    visit("cycles_per_block", r.cycles_per_block, known);
    visit("clock_mhz", r.clock_mhz, known);
    visit("throttled", r.throttled);
    visit("gpus", r.gpus, Field{.least = 1, .most = 1024});
  }
};

/// One run on one device.
struct Recording {
  std::string device, driver, date;
  double copy_gb_per_s = 0, read_gb_per_s = 0, peak_gb_per_s = 0;  ///< 0: unknown
  double clock_mhz = 0, memory_clock_mhz = 0;                      ///< the device's highest; 0: unknown
  std::vector<EnglishMessage> notes = {};  ///< sentences: what was left out, and why; what changed on the way
  std::vector<Record> records = {};
  bool aside = false;  ///< not in the file: another one is shown first, this one when asked for

  template <class Self, class Visit>
  static void fields(Self& r, Visit&& visit) {
    const Field known{.least = 0, .digits = 5, .zero_is_null = true};
    visit("device", r.device, Field{.required = true});
    visit("driver", r.driver, Field{.required = true});
    visit("date", r.date, Field{.required = true});
    visit("copy_gb_per_s", r.copy_gb_per_s, known);
    visit("read_gb_per_s", r.read_gb_per_s, known);
    visit("peak_gb_per_s", r.peak_gb_per_s, known);
    visit("clock_mhz", r.clock_mhz, known);
    visit("memory_clock_mhz", r.memory_clock_mhz, known);
    visit("notes", r.notes);
    visit("records", r.records, Field{.required = true});
  }
};

/// Whether it was measured in a row, too.
bool is_warm(const Record&);
/// What it moves in a second where it takes so long; 0: unknown.
double gb_per_s(const Record&, double seconds);
/// Fills in what follows from the samples and the bytes: statistics, GB/s, and the shares: of what so many
/// GPUs reach, where the run's limits are those of one.
void complete(Record&, const Recording& run);

/// The same kernel on the same job: what a later measurement replaces.
bool same_point(const Record&, const Record&);
/// Their bytes a second, cold. No spread where a record came without samples.
Ratio times_as_fast(const Record& ours, const Record& other);

std::string to_json(const Recording&);
/// One line a record, without the samples; the device's facts in every line, its notes in the first.
std::string to_csv(const Recording&);
/// The same of several, under one header.
std::string to_csv(const std::vector<Recording>&);
/// `name` is said in errors. Trusts nothing: throws BadFile with one sentence.
Recording read_recording(std::string_view json, const std::string& name);
/// What `to_csv` wrote, columns in any order, unknown ones passed over: one recording for each device and
/// date. There are no samples in it, what they said is. Throws BadFile that names the line.
std::vector<Recording> read_csv(std::string_view csv, const std::string& name);
/// JSON, or CSV by its ending: a CSV may hold several, of which this is the first. Throws BadFile when it is
/// missing, too large, or no recording.
Recording load_recording(const std::filesystem::path&);
std::vector<Recording> load_recordings(const std::filesystem::path&);
/// By its ending, .json or .csv (else throws UsageError-like UsageError). Whole or not at all;
/// throws SystemError.
void save_recording(const Recording&, const std::filesystem::path&);
/// CSV: all in one file. JSON: the first in FILE.json, the next in FILE-2.json and so on. Returns the files.
std::vector<std::filesystem::path> save_recordings(const std::vector<Recording>&,
                                                   const std::filesystem::path&);

/// Where recordings that come with the program lie: share/barrierscope/recorded beside the installed
/// program's bin/, or assets/recorded in a folder above the program (the source tree). Empty if there is
/// none.
std::filesystem::path recordings_folder();
inline constexpr size_t largest_recording = size_t(64) << 20;  ///< bytes
/// The files of recordings in the folder, by name.
std::vector<std::filesystem::path> recording_files(const std::filesystem::path& folder);
/// All that can be read, by file name; a file that cannot adds its sentence to `complaints`.
std::vector<Recording> recordings_in(const std::filesystem::path& folder,
                                     std::vector<std::string>* complaints = nullptr);

/// Now, as 2025-01-31T12:00:00Z.
std::string date_now();
/// A skew as a parameter's value: 0.25.
std::string skew_text(double);
/// Bytes that an algorithm of the family must move for n elements of a type: reduce reads them, scan reads
/// and writes them, histogram reads one byte each.
double bytes_to_move(const std::string& family, long long n, const std::string& type);

}  // namespace bscope
