#include "engine/cuda/on_gpu/disassemble.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/cuda/on_gpu/nvcc.hpp"
#include "engine/cuda/toolchain/child.hpp"
#include "engine/cuda/toolchain/confinement.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/run_folder.hpp"
#include "engine/cuda/toolchain/source_copy.hpp"
#include "engine/trace/error.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
constexpr double seconds_of_nvdisasm = 60, seconds_of_smi = 10;
constexpr size_t largest_listing = size_t(64) << 20;

std::string find_nvdisasm(const std::string& nvcc) {
  if (const char* chosen = std::getenv("NVDISASM"); chosen && *chosen) return find_program(chosen);
  std::vector<std::string> names;
  std::error_code ignored;
  if (!nvcc.empty())
    for (const fs::path& at : {fs::path(nvcc), fs::canonical(nvcc, ignored)})
      if (!at.empty()) names.push_back((at.parent_path() / "nvdisasm").string());
  names.insert(names.end(), {"nvdisasm", "/usr/local/cuda/bin/nvdisasm", "/opt/cuda/bin/nvdisasm"});
  for (const std::string& name : names)
    if (std::string found = find_program(name); !found.empty()) return found;
  return {};
}

std::string find_smi() {
  for (const char* name : {"nvidia-smi", "/usr/lib/wsl/lib/nvidia-smi"})
    if (std::string found = find_program(name); !found.empty()) return found;
  return {};
}

/// "13.0.88", of "Cuda compilation tools, release 13.0, V13.0.88".
std::string version_in(std::string_view said) {
  for (size_t at = said.find('V'); at != std::string_view::npos; at = said.find('V', at + 1)) {
    const size_t end = std::min(said.find_first_not_of("0123456789.", at + 1), said.size());
    if (end > at + 2 && said.substr(at + 1, end - at - 1).find('.') != std::string_view::npos)
      return std::string(said.substr(at + 1, end - at - 1));
  }
  return "?";
}

std::string listing_of(const Program& p, const std::string& nvdisasm, const fs::path& cubin) {
  const Cage cage(for_nvcc_tools(p, nvdisasm, cubin.parent_path()));
  const Ended e = run({.words = {nvdisasm, "-c", "-gi", cubin.string()},
                       .seconds = seconds_of_nvdisasm,
                       .most_output = largest_listing,
                       .cage = &cage});
  if (e.out_of_time) throw NoDisassembly(message("nvdisasm took longer than a minute and was ended"));
  if (!e.good())
    throw NoDisassembly(message("nvdisasm failed: {}",
                                as_shown(e.output.substr(0, std::min<size_t>(300, e.output.find('\n'))))));
  if (e.cut)
    throw NoDisassembly(
        message("the program's machine code is larger than 64 MiB as text: take kernels out of it"));
  return as_shown(e.output);
}

}  // namespace

Disassembler Disassembler::of_this_machine() {
  const std::string nvcc = find_nvcc();
  return {nvcc, find_nvdisasm(nvcc), find_smi()};
}

Message Disassembler::missing() const {
  if (nvcc.empty())
    return message(
        "there is no nvcc, which makes machine code of CUDA files: install the CUDA toolkit, or name its "
        "compiler in "
        "NVCC");
  if (nvdisasm.empty())
    return message(
        "there is no nvdisasm, which makes machine code readable: install it from where nvcc came (package "
        "cuda-nvdisasm, or nvidia-cuda-nvdisasm of Python's), or name it in NVDISASM");
  return {};
}

std::string Disassembler::architecture() const {
  if (nvidia_smi.empty()) return {};
  try {
    const Ended e = run({.words = {nvidia_smi, "--query-gpu=compute_cap", "--format=csv,noheader"},
                         .seconds = seconds_of_smi});
    const std::string first = e.output.substr(0, e.output.find('\n'));
    std::string digits;
    for (const char c : first)
      if (std::isdigit(static_cast<unsigned char>(c))) digits += c;
    const bool version = first.size() == digits.size() + 1 && first.find('.') != std::string::npos;
    return e.good() && version && digits.size() >= 2 ? "sm_" + digits : "";
  } catch (const SystemError&) { return {}; }
}

Disassembled disassemble(const Program& p, const Disassembler& tools, const std::string& architecture) {
  if (const Message missing = tools.missing(); !missing.empty()) throw NoDisassembly(missing);
  const RunFolder folder;
  const ForNvcc given = for_nvcc(p, folder.path());
  Words files = given.files;
  if (std::ranges::any_of(files, is_cuda_source))
    std::erase_if(files, std::not_fn(is_cuda_source));  // others are for the host alone
  Disassembled d;
  d.nvcc = version_in(run({.words = {tools.nvcc, "--version"}, .seconds = seconds_of_nvcc}).output);
  d.compiled = true;
  const Cage cage(for_nvcc_tools(p, tools.nvcc, folder.path()));
  const fs::path cubin = folder.path() / "kernels.cubin";
  const auto compile = [&](const Words& how, const Words& what) {
    ProcessCommand c{
        .words = {tools.nvcc, "-O3", "-lineinfo", "-arch=" + architecture, "-cubin", "-o", cubin.string()},
        .environment = {"TMPDIR=" + folder.path().string()},  // what it leaves when it is ended goes, too
        .seconds = seconds_of_nvcc,
        .cage = &cage};
    for (const Words* more : {&how, &what, &given.options})
      c.words.insert(c.words.end(), more->begin(), more->end());
    return run(c);
  };
  const auto keep = [&](const Ended& e) {
    for (Diagnostic& one : diagnostics_by_nvcc(p, tools.nvcc, e))
      if (std::ranges::find(d.diagnostics, one) == d.diagnostics.end())
        d.diagnostics.push_back(std::move(one));
    d.compiled = e.good();
    if (d.compiled) d.files.push_back({listing_of(p, tools.nvdisasm, cubin), e.output});
    return d.compiled;
  };
  for (const std::string& file : files) {
    const Ended e = compile({"--resource-usage"}, {file});
    if (shares_device_code(p, e.output)) {
      d.files.clear();
      d.diagnostics.clear();
      // ptxas knows a kernel's own shared memory, nvlink what it takes with all that it calls
      keep(compile({device_code_is_shared, "-dlink", "-Xptxas=-v", "-Xnvlink=-v"}, files));
      break;
    }
    if (!keep(e)) break;
  }
  return d;
}

}  // namespace bscope::cuda
