#include <memory>
#include <string>
#include <vector>

#include "app/cli/program_text.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/sass_text.hpp"
#include "app/cli/verb.hpp"
#include "app/options/run_options.hpp"
#include "app/run/machine_code.hpp"
#include "app/run/own_code.hpp"
#include "app/run/own_program.hpp"
#include "app/run/target.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/cuda/on_gpu/disassemble.hpp"

namespace bscope {
namespace {

struct SassArguments {
  std::vector<std::string> words;
  RunOptions run;
  bool json = false;
};

/// Of a user's own program: made now. What nvcc says goes to stderr, whether it compiles or not.
OwnCode own_code(const Target& t, const OpenedRun& opened, const cuda::Disassembler& tools, Console& c) {
  std::vector<cuda::Diagnostic> said;
  try {
    OwnCode code = compile_own_code(t, *opened.program, tools, said);
    tell_diagnostics(said, c);
    return code;
  } catch (const UsageError&) {
    tell_diagnostics(said, c);
    throw;
  }
}

int show_sass(const SassArguments& a, Console& c) {
  const Target target = target_of(a.run, a.words, "sass");
  const auto tools = target.is_program() ? cuda::Disassembler::of_this_machine() : cuda::Disassembler{};
  if (const Message missing = tools.missing(); target.is_program() && !missing.empty())
    throw cuda::NoDisassembly(missing);  // before it is run for nothing
  const OpenedRun opened = open(target, c);
  const Trace& trace = opened.run->trace;
  CodeOfLaunch code = [&](size_t launch) { return launched_code(trace, launch, machine_code_folder()); };
  if (opened.program)
    code = [&trace, own = own_code(target, opened, tools, c)](size_t launch) {
      return own.of(trace, launch);
    };
  return a.json ? sass_json(c.out, trace, code) : sass_text(c.out, trace, code, c.ink());
}

const RegisterVerb sass{{
    .name = "sass",
    .what = "A kernel's machine code by the line, what it takes and how many blocks fit",
    .place = 9,
    .footer = "\nThe code is that of the form that is timed, as nvcc compiled it when the program was made; "
              "nvcc is not needed.\nOf your own CUDA file it is made now, by nvcc and nvdisasm (NVCC and "
              "NVDISASM name others), for this machine's GPU, or for sm_90 where it has none.\n"
              "Lanes are counted in a trace of the run that was asked for. They are the "
              "line's and not each instruction's.\nExit code 1 where there is no code of a launch, or a tool "
              "is missing.\n"
              "Examples:\n"
              "  barrierscope sass scan/blelloch --block 128 --n 256\n"
              "  barrierscope sass reduce/warp-shuffle --set type=double --json\n"
              "  barrierscope sass homework.cu -- 1024\n",
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<SassArguments>();
      run_words(o, "Name of a kernel, a .bscope file, or your own .cu file", 1, a->words);
      json_option(o, a->json);
      trace_options(o, a->run);
      return [a](Console& c, const Window&) { return show_sass(*a, c); };
    },
}};

}  // namespace
}  // namespace bscope
