// What a user's own kernels take on a GPU, timed where they stand in their program; and the file it is kept
// in: barrierscope.in_place/1.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/on_gpu/launch_record.hpp"
#include "engine/cuda/on_gpu/output_check.hpp"
#include "engine/timing/statistics.hpp"
#include "engine/trace/english_message.hpp"

namespace bscope::cuda {

/// All launches of a kernel that are alike.
struct TimedKernel {
  LaunchConfiguration shape;
  int launches = 0;             ///< in a run
  std::vector<double> samples;  ///< seconds: the median launch of each run
  Statistics seconds;           ///< of the samples
  double total_seconds = 0;     ///< all its launches in a run: the median run
  double bytes = 0;        ///< that a launch must move, as its trace counts them: each cell once; 0: unknown
  double fetched = 0;      ///< that its warps ask for, in whole sectors; 0: unknown
  bool estimated = false;  ///< both, from the first blocks of the launch, or the first cells of its arrays
  template <class Self, class Visit>
  static void fields(Self& k, Visit&& visit) {
    const Field known{.least = 0, .zero_is_null = true}, of_samples{.derived = true};
    LaunchConfiguration::fields(k.shape, visit);
    visit("launches", k.launches, Field{.least = 1});
    visit("median_s", k.seconds.median, of_samples);
    visit("min_s", k.seconds.least, of_samples);
    visit("max_s", k.seconds.most, of_samples);
    visit("noise", k.seconds.noise, of_samples);
    visit("total_s", k.total_seconds, Field{.least = 0});
    visit("samples", k.samples, Field{.required = true, .least = 0});
    visit("bytes", k.bytes, known);
    double speed = gb_per_s(k);
    visit("gb_per_s", speed, Field{.zero_is_null = true, .derived = true});
    visit("fetched_bytes", k.fetched, known);
    visit("estimated", k.estimated);
  }
};
/// Bytes that must be moved, a second; 0: unknown.
double gb_per_s(const TimedKernel&);

struct InPlace {
  std::string program;  ///< homework.cu
  std::string device, driver, date;
  double copy_gb_per_s = 0, peak_gb_per_s = 0, empty_seconds = 0;  ///< 0: unknown
  int runs = 0;
  std::vector<TimedKernel> kernels;          ///< in the order of their first launches
  int exit = 0;                              ///< of the first run that ended otherwise than with 0
  EnglishMessage ended;                      ///< a sentence, where a run ended badly; else empty
  std::string output;                        ///< of the first run
  std::optional<OutputDifference> unsteady;  ///< where runs print differently
  std::vector<EnglishMessage> notes;
  std::optional<OutputCheck> check;  ///< none: there was no run on the CPU to compare with
  template <class Self, class Visit>
  static void fields(Self& p, Visit&& visit) {
    const Field known{.least = 0, .zero_is_null = true};
    visit("program", p.program);
    visit("device", p.device);
    visit("driver", p.driver);
    visit("date", p.date);
    visit("copy_gb_per_s", p.copy_gb_per_s, known);
    visit("peak_gb_per_s", p.peak_gb_per_s, known);
    visit("empty_s", p.empty_seconds, known);
    visit("runs", p.runs);
    visit("exit", p.exit);
    visit("ended", p.ended);
    visit("notes", p.notes, Field{.at_most = 100});
    visit("check", p.check);
    visit("unsteady", p.unsteady);
    visit("output", p.output);
    visit("kernels", p.kernels, Field{.required = true});
  }
};

/// The runs of one program put together: kernels, device and what is to be noted of the runs.
void merge(InPlace&, const std::vector<LaunchRecord>&);

std::string to_json(const InPlace&);
/// Whether this looks like such a file, and not like another recording.
bool is_in_place(std::string_view json);
/// `name` is said in errors. Trusts nothing: throws BadFile with one sentence.
InPlace read_in_place(std::string_view json, const std::string& name);
InPlace load_in_place(const std::filesystem::path&);
/// Whole or not at all; throws SystemError.
void save_in_place(const InPlace&, const std::filesystem::path&);

}  // namespace bscope::cuda
