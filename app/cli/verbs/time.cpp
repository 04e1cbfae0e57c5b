#include "app/cli/time.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "app/cli/console.hpp"
#include "app/cli/in_place.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/verb.hpp"
#include "app/options/options.hpp"
#include "app/options/run_options.hpp"
#include "app/run/numbers.hpp"
#include "app/words/words.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

struct TimeArguments {
  TimeOptions time;
  RunOptions run;
  InPlaceAsked in_place;
};

int runs(const std::string& name, const std::string& typed) {
  const int n = number<int>(name, typed, tr_noop("a number of runs"));
  if (n < 1 || n > 1000) throw UsageError(message("--runs {} is out of range: from 1 to 1000", typed));
  return n;
}

/// Of a user's own program: options about measuring the catalog's kernels do not apply to it.
int measure_program(const TimeArguments& a, const Options& given, Console& c) {
  static constexpr const char* known[] = {"-I",          "-D",           "--std",         "--const",
                                          "-o,--output", "-o",           "--json",        "--recorded",
                                          "--runs",      "--language",   "--seconds",     "--output",
                                          "--program",   "--no-project", "--device-model"};
  for (const std::string& name : given.given())
    if (std::ranges::find(known, name) == std::end(known))
      throw UsageError(
          message("{} is for kernels of the catalog: leave it out for {}", name, a.time.kernels.front()));
  InPlaceAsked in = a.in_place;
  in.target = target_of(a.run, a.time.kernels, "time");
  in.out = a.time.out;
  in.most_seconds = a.time.seconds.value_or(in.most_seconds);
  return time_in_place(in, c);
}

/// 0.5% or 0.005.
double noise(const std::string& name, const std::string& typed) {
  const bool percent = typed.ends_with('%');
  const double v = number<double>(name, percent ? typed.substr(0, typed.size() - 1) : typed,
                                  tr_noop("a share like 0.5%"), typed);
  if (!(v > 0 && std::isfinite(v)))
    throw UsageError(message("--noise {} is no share: write for example 0.5%", typed));
  return percent ? v / 100 : v;
}

double seconds(const std::string& name, const std::string& typed) {
  const auto v = number<double>(name, typed, tr_noop("a number of seconds"));
  if (!(v > 0 && std::isfinite(v)))
    throw UsageError(message("{} {} is too short: give more than 0 seconds", name, typed));
  return v;
}

std::pair<int, int> samples(const std::string& name, const std::string& typed) {
  const auto [least, most] =
      typed.find("..") == std::string::npos
          ? std::pair(number<int>(name, typed, "LEAST..MOST"), number<int>(name, typed, "LEAST..MOST"))
          : two_numbers(name, typed, "..", "LEAST..MOST");
  if (least < 1 || most < least)
    throw UsageError(message("--samples {} is no range: write for example 11..200", typed));
  return {least, most};
}

/// 0: all.
int gpus(const std::string& name, const std::string& typed) {
  if (typed == "all") return 0;
  const int n = number<int>(name, typed, tr_noop("a number of GPUs, or all,"));
  if (n < 1) throw UsageError(message("--gpus {} is too few: give 1 or more, or all", typed));
  return n;
}

SweepPart part(const std::string& name, const std::string& typed) {
  if (typed.find('/') == std::string::npos)
    throw UsageError(message("--part {} is no part: write for example 0/8", typed));
  const auto [index, of] = two_numbers(name, typed, "/", "K/M");
  if (of < 1 || index < 0 || index >= of)
    throw UsageError(
        message("--part {} is no part: of M parts the first is 0/M and the last (M-1)/M", typed));
  return {index, of};
}

int measure(const TimeArguments& a, const Options& given, Console& c) {
  if (!a.time.kernels.empty() && names_program(a.time.kernels.front())) return measure_program(a, given, c);
  std::string of_programs = given_for_program(a.run);
  for (const char* name : {"--json", "--recorded", "--runs"})
    if (given.given(name)) of_programs = name;
  if (!of_programs.empty())
    throw UsageError(message("{} is for your own CUDA files, and none is named", of_programs));
  TimeOptions o = a.time;
  o.request = a.run.request;
  o.device = a.run.device.value_or(Device::gpu);
  o.device_given = a.run.device.has_value();
  if (o.merge)
    for (const std::string& name : given.given())
      if (name != "--merge" && name != "--output" && name != "--language")
        throw UsageError(
            message("--merge puts recordings together and measures nothing: leave out {}", name));
  if (o.kernels.empty())
    throw UsageError(message("`time` needs the names of kernels: `barrierscope list` shows them"));
  return time_command(o, c.out);
}

const RegisterVerb time_verb{{
    .name = "time",
    .what = "Full-size runs, measured",
    .place = 5,
    .footer =
        "\nWithout --n or --sweep n: 2^10 to 2^29 on a GPU, 2^10 to 2^26 on the CPU.\n"
        "Without an input: sine, int(10 sin(0.02 * 3.14 * i)); for histograms uniform random keys.\n"
        "Every combination of the --sweep values is measured. Ctrl-C keeps what was measured (exit code "
        "130).\n"
        "Your own CUDA file is compiled by nvcc as it is, and each of its launches timed where it stands; "
        "--seconds is for all its runs together (default 60).\n"
        "Examples:\n"
        "  barrierscope time scan/look-back scan/blelloch --n 2^29 -o scans.json\n"
        "  barrierscope time reduce/shared --n 2^27 --sweep unroll=1..8 --sweep block=64..1024\n"
        "  barrierscope time histogram/privatised --n 2^31 --sweep entropy=1,0.811,0.544,0.337,0.201,0\n"
        "  barrierscope time homework.cu -o homework.json -- 1024\n",
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<TimeArguments>();
      o.words("KERNEL|FILE",
              "Names of kernels; your own .cu file and those that follow it; recordings with --merge", 1000,
              a->time.kernels);
      o.option("-o,--output", "F.json|F.csv", "Also write the samples, after every point", a->time.out,
               file_to_write(o, {".json", ".csv"}));
      measuring_options(o, a->time);
      input_options(o, a->run);
      compile_options(o, a->run);
      o.option("--runs", "N", "Runs of the program (default 7)", a->in_place.runs, runs);
      o.option("--recorded", "FILE.json", "Show what was measured elsewhere, beside a run on this CPU",
               a->in_place.recorded, some_word(tr_noop("--recorded needs the name of a file")));
      json_option(o, a->in_place.json);
      return [a, &o](Console& c, const Window&) { return measure(*a, o, c); };
    },
}};

}  // namespace

void measuring_options(Options& o, TimeOptions& t) {
  o.group("Measuring");
  o.repeated("--sweep", "NAME=A..B|V,V",
             "n, block, skew, entropy, pattern, seed or a parameter; may be repeated", t.sweep,
             [](const std::string&, const std::string& typed) { return parse_axis(typed); });
  o.option("--noise", "SHARE", "Sampling ends when the median is as sure as this (default 0.5%)", t.noise,
           noise);
  o.option("--samples", "LEAST..MOST", "Samples of a point (default 11..200)",
           [&t](const auto& name, const auto& typed) { std::tie(t.least, t.most) = samples(name, typed); });
  o.option("--seconds", "S", "Seconds that sampling may take (default 1; of several points 0.25 each)",
           t.seconds, seconds);
  o.option("--most-seconds", "S", "Leave out a kernel that needs longer for one run (default 2)",
           t.most_seconds, seconds);
  o.flag("--in-turn", "Each kernel by turns with CUB and a copy or a pure read: ratios of neighbours in time",
         t.in_turn);
  o.option("--gpus", "N", "GPUs of this host that work together, or all", t.gpus, gpus);
  o.option("--part", "K/M", "Every M-th point from K on, 0 to M-1: for a job array", t.part, part);
  o.flag("--merge", "Put recordings of one device together: time --merge A.json B.json -o ALL.json", t.merge);
}

}  // namespace bscope
