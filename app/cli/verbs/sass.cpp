#include <memory>

#include "app/cli/run_options.hpp"
#include "app/cli/sass_text.hpp"
#include "app/cli/verb.hpp"

namespace bscope {
namespace {

struct Asked {
  std::vector<std::string> words;
  RunOptions run;
  bool json = false;
};

int show_sass(const Asked& a, Console& c) {
  const auto [run, program] = open(target_of(a.run, a.words, "sass"), c);
  return a.json ? sass_json(c.out, run->trace) : sass_text(c.out, run->trace, c.ink());
}

const RegisterVerb sass{{
    .name = "sass",
    .what = "A kernel's machine code by the line, what it takes and how many blocks fit",
    .place = 9,
    .footer = "\nThe code is that of the form that is timed, as nvcc compiled it when the program was made; "
              "nvcc is not needed.\nLanes are counted in a trace of the run that was asked for. They are the "
              "line's and not each instruction's.\nExit code 1 where a launch's code is not kept.\n"
              "Examples:\n"
              "  barrierscope sass scan/blelloch --block 128 --n 256\n"
              "  barrierscope sass reduce/warp-shuffle --set type=double --json\n",
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<Asked>();
      run_words(o, "Name of a kernel, or a .bscope file", 1, a->words);
      json_option(o, a->json);
      trace_options(o, a->run);
      return [a](Console& c, const Window&) { return show_sass(*a, c); };
    },
}};

}  // namespace
}  // namespace bscope
