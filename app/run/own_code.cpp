#include "app/run/own_code.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include "app/run/target.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/cuda/on_gpu/disassemble.hpp"
#include "engine/cuda/toolchain/diagnostics.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/cuda/toolchain/report.hpp"
#include "engine/machine_code/occupancy.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/progress.hpp"

namespace bscope {
namespace {

std::string file_name_of(const Target& t) { return std::filesystem::path(t.file).filename().string(); }

/// One whose multiprocessor is known: how many blocks fit is part of what is shown.
std::string architecture_for(const cuda::Disassembler& tools) {
  std::string here = tools.architecture();
  return multiprocessor_of(here) ? here : "sm_90";
}

}  // namespace

LaunchedCode OwnCode::of(const Trace& t, size_t launch) const {
  return launched_code(t, launch, kernels, launch < launches.size() ? launches[launch] : OwnLaunch{});
}

OwnCode compile_own_code(const Target& t, const cuda::ProgramRun& ran, const cuda::Disassembler& tools,
                         std::vector<cuda::Diagnostic>& said) {
  if (const Message missing = tools.missing(); !missing.empty()) throw cuda::NoDisassembly(missing);
  cuda::Program program =
      ran.program.files.empty() ? t.program : ran.program;  // with what a build file added
  if (program.files.empty()) program.files = {t.file};
  const cuda::Disassembled d = disassemble(program, tools, architecture_for(tools));
  said = d.diagnostics;
  if (!d.compiled) throw UsageError(message("nvcc does not compile {}", file_name_of(t)));
  OwnCode out;
  for (const auto& file : d.files) out.kernels.add(file.listing, file.said, d.nvcc);
  if (out.kernels.kernels.empty())
    throw cuda::NoDisassembly(message("no kernel is found in what nvdisasm says of {}", file_name_of(t)));
  for (const cuda::ReportedLaunch& l : ran.report.launches)
    if (l.in_trace()) out.launches.push_back({l.symbol, l.dynamic_shared});
  return out;
}

OwnCode own_code(const Target& t, const cuda::ProgramRun& ran, const cuda::Disassembler& tools) {
  std::vector<cuda::Diagnostic> all;
  OwnCode none;
  try {
    return compile_own_code(t, ran, tools, all);
  } catch (const UsageError& e) {
    const auto first = std::ranges::find(all, cuda::Diagnostic::error, &cuda::Diagnostic::severity);
    none.why_none = first == all.end() ? tr(e.message())
                                       : tr(message("nvcc does not compile it: {}", with_place(*first)));
  } catch (const std::exception& e) { none.why_none = tr(message_of(e)); }
  none.why_none = capitalised(none.why_none);
  if (!none.why_none.ends_with('.')) none.why_none += tr(".");
  return none;
}

}  // namespace bscope
