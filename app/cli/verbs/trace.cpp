#include <filesystem>
#include <ostream>
#include <utility>

#include "app/cli/console.hpp"
#include "app/cli/program_text.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/verb.hpp"
#include "app/options/options.hpp"
#include "app/options/run_options.hpp"
#include "app/run/own_program.hpp"
#include "app/run/target.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/file.hpp"

namespace bscope {
namespace {

struct TraceArguments {
  std::vector<std::string> words;
  RunOptions run;
  std::string out;
};

Trace traced(const Target& t, Console& c) {
  if (t.is_program()) {
    auto [trace, program] = trace_program(t);
    tell_program(*program, c);
    tell_notes(*program, c);
    return std::move(trace);
  }
  if (t.is_file())
    throw UsageError(message("{} is a trace already: `trace` takes the name of a kernel", t.file));
  const Algorithm& algorithm = find(t.request.kernel);
  return run(algorithm, make_problem(algorithm, t.request), t.device, t.schedule,
             [](const Trace& first) { return order_matters(first); });
}

int trace_to_file(const TraceArguments& a, Console& c) {
  if (a.out.empty()) throw UsageError(message("`trace` needs a file to write: add -o FILE.bscope"));
  const Target t = target_of(a.run, a.words, "trace");
  const Trace trace = traced(t, c);
  save(trace, a.out);
  c.err << tr("{}: {} events in {}", a.out, trace.events(),
              launch_count(trace) == 1 ? tr("one launch") : tr("{} launches", launch_count(trace)))
        << "\n";
  return 0;
}

bool is_device_or_pipe(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_other(std::filesystem::status(file, ignored));
}

const RegisterVerb trace{{
    .name = "trace",
    .what = "Trace a kernel into a file",
    .place = 2,
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<TraceArguments>();
      run_words(o, "Name of a kernel, see `list`, or your own .cu file", 1, a->words);
      o.option("-o,--output", "FILE.bscope", "The file to write", a->out,
               file_to_write(o, {".bscope"}, is_device_or_pipe));
      trace_options(o, a->run);
      return [a](Console& c, const Window&) { return trace_to_file(*a, c); };
    },
}};

}  // namespace
}  // namespace bscope
