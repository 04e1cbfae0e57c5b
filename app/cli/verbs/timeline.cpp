#include <ostream>

#include "app/cli/run_options.hpp"
#include "app/cli/timeline_text.hpp"
#include "app/cli/verb.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/phase_names.hpp"
#include "engine/timing/meter.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

struct Asked {
  std::vector<std::string> words;
  RunOptions run;
  std::string out;
  bool json = false;
};

Timeline recorded_now(const Asked& a) {
  Request r = a.run.request;
  r.kernel = a.words.front();
  if (!r.n && !r.values && r.input_file.empty() && r.preset.empty()) r.n = 1 << 20;
  const Algorithm& algorithm = find(r.kernel);
  const Problem p = timed_problem(algorithm, r);
  const auto meter = gpu_meter({.most = 30, .seconds = 0.2});
  Timeline t = meter->timeline(algorithm, p);
  name_phases(t, algorithm, p);
  return t;
}

int show_timeline(const Asked& a, Console& c) {
  if (a.words.empty())
    throw UsageError(say("`timeline` needs the name of a kernel, or a file that it wrote"));
  const bool kept = a.words.front().ends_with(".json");
  if (kept && !a.run.input_given.empty())
    throw UsageError(
        say("{} is for kernels of the catalog: leave it out for {}", a.run.input_given, a.words.front()));
  if (a.run.device == Device::cpu)
    throw UsageError(say("only a GPU can tell when its warps came where: leave out --device cpu"));
  const Timeline t = kept ? load_timeline(a.words.front()) : recorded_now(a);
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
      const auto a = std::make_shared<Asked>();
      o.words("KERNEL|FILE.json", "Name of a kernel, or a file that this verb wrote", 1, a->words);
      json_option(o, a->json);
      o.option("-o,--output", "FILE.json", "Keep it", a->out, file_to_write(o, {".json"}));
      input_options(o, a->run);
      return [a](Console& c, const Window&) { return show_timeline(*a, c); };
    },
}};

}  // namespace
}  // namespace bscope
