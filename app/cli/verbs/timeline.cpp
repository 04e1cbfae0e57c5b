#include <ostream>

#include "app/cli/console.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/timeline_text.hpp"
#include "app/cli/verb.hpp"
#include "app/measure/phase_counts.hpp"
#include "app/options/options.hpp"
#include "app/options/run_options.hpp"
#include "app/run/numbers.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/phase_names.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/timing/meter.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

struct TimelineArguments {
  std::vector<std::string> words;
  RunOptions run;
  std::string out;
  bool json = false;
  bool counts = false;
  int resident = 0, kept = 0;
};

/// A count from 1 on.
auto up_to(int most, const char* what) {
  return [most, what](const std::string& name, const std::string& typed) {
    const int n = number<int>(name, typed, what);
    if (n < 1 || n > most)
      throw UsageError(message("{} {} is out of range: from 1 to {}", name, typed, most));
    return n;
  };
}

Timeline recorded_now(const TimelineArguments& a) {
  RunSpec r = a.run.request;
  r.kernel = a.words.front();
  if (!r.n && !r.values && r.input_file.empty() && r.preset.empty()) r.n = 1 << 20;
  const Algorithm& algorithm = find(r.kernel);
  if (!family_of(algorithm.name).timed())
    throw UsageError(message("{} is for looking at, not for timing: name a reduction, a scan or a histogram",
                             algorithm.name));
  const Problem p = timed_problem(algorithm, r);
  const auto meter = gpu_meter({.most = 30, .seconds = 0.2});
  Timeline t = meter->timeline(algorithm, p, a.resident);
  name_phases(t, algorithm, p);
  return t;
}

int show_timeline(const TimelineArguments& a, Console& c) {
  if (a.words.empty())
    throw UsageError(message("`timeline` needs the name of a kernel, or a file that it wrote"));
  if (cuda::is_program(a.words.front()))
    throw UsageError(
        message("{} is a CUDA file of your own, and schedules are recorded of the catalog's kernels alone: "
                "`barrierscope time {}` times its launches",
                a.words.front(), a.words.front()));
  const bool kept = a.words.front().ends_with(".json");
  if (kept && !a.run.input_given.empty())
    throw UsageError(
        message("{} is for kernels of the catalog: leave it out for {}", a.run.input_given, a.words.front()));
  if (a.run.device == Device::cpu)
    throw UsageError(message("only a GPU can tell when its warps came where: leave out --device cpu"));
  if (kept && a.resident > 0)
    throw UsageError(message("--resident is for a run on a GPU: leave it out for {}", a.words.front()));
  Timeline t = kept ? load_timeline(a.words.front()) : recorded_now(a);
  if (a.counts) count_phases(t);
  if (a.kept > 0) t = thinned(std::move(t), a.kept);
  if (!a.out.empty()) write_whole(a.out, to_json(t));
  c.out << (a.json ? to_json(t) : timeline_text(t));
  return contradictions(t).empty() ? 0 : 1;
}

const RegisterVerb timeline_verb{{
    .name = "timeline",
    .what = "When each warp came where on a GPU, and on which multiprocessor",
    .place = 8,
    .footer = "\nThe kernel runs in a form that reads the multiprocessor's clock at phases and barriers; "
              "what this costs is "
              "measured and said. Without an input: 2^20 elements.\n"
              "Exit code 1 where the clocks contradict each other.\n"
              "Examples:\n"
              "  barrierscope timeline scan/look-back --n 2^20 -o look-back.json\n"
              "  barrierscope timeline look-back.json\n",
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<TimelineArguments>();
      o.words("KERNEL|FILE.json", "Name of a kernel, or a file that this verb wrote", 1, a->words);
      json_option(o, a->json);
      o.option("-o,--output", "FILE.json", "Keep it", a->out, file_to_write(o, {".json"}));
      o.option("--resident", "K", "Let no more than K blocks of a launch onto a multiprocessor at a time",
               a->resident, up_to(32, tr_noop("a number of blocks")));
      o.option("--keep", "M", "Keep the warps of M multiprocessors alone, and what is counted of all",
               a->kept, up_to(1024, tr_noop("a number of multiprocessors")));
      o.flag("--counts", "Count what each phase asks of memory, in a trace of a shorter run on the CPU",
             a->counts);
      input_options(o, a->run);
      return [a](Console& c, const Window&) { return show_timeline(*a, c); };
    },
}};

}  // namespace
}  // namespace bscope
