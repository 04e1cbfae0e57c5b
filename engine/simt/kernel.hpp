// Everything a kernel file needs: the dialect, programs, serial references, and Register, which puts an
// algorithm into the catalog from beside its definition.
#pragma once

#include <utility>

#include "engine/simt/algorithm.hpp"
#include "engine/simt/problem.hpp"
#include "engine/simt/program.hpp"
#include "engine/simt/serial.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
inline namespace HALF {

/// What a kernel file says about its algorithm. See Algorithm for the fields.
struct Declaration {
  const char *name, *title, *lesson;
  const char* fix = "";
  std::vector<Parameter> parameters = {};
  std::vector<Preset> presets = {};
  int default_n = 0, full_block = 256, most_block = 1024, levels = 1;
  bool power_of_two_block = false;
  std::function<int(const Problem&)> timed_block = {};
  std::function<int(const Problem&)> tile = [](const Problem& p) { return p.block; };
  std::function<Property(const Problem&)> property = [](const Problem&) { return Property::none; };
  std::function<std::vector<double>(const Problem&)> expected;
  std::function<std::vector<Formula>(const Problem&)> formulas = {};
  /// The first array that it creates is the input, the one that it returns the output.
  std::function<Output(Gpu&, const Problem&)> program;
};

/// The same property whatever the parameters.
inline std::function<Property(const Problem&)> always(Property property) {
  return [property](const Problem&) { return property; };
}

/// The property that the parameter `scan` selects.
inline Property scan_property(const Problem& p) {
  return p.text("scan") == "inclusive" ? Property::inclusive_scan : Property::exclusive_scan;
}

/// The programs of this half by their algorithms' names, for an algorithm that runs another's.
inline std::map<std::string, std::function<Output(Gpu&, const Problem&)>>& programs() {
  static std::map<std::string, std::function<Output(Gpu&, const Problem&)>> all;
  return all;
}

/// static const Register blelloch{{.name = "scan/blelloch", ...}};
struct Register {
  Register(Declaration d, const char* file = __builtin_FILE()) {
    const std::string source = project_path(file);
    [[maybe_unused]] Algorithm& a = registered()[d.name];
#ifndef __CUDACC__  // described by this half alone: the GPU's may hold fewer types and choices
    a.name = d.name;
    a.title = d.title;
    a.lesson = d.lesson;
    a.fix = d.fix;
    a.source = source;
    a.parameters = std::move(d.parameters);
    a.presets = std::move(d.presets);
    a.default_n = d.default_n;
    a.full_block = d.full_block;
    a.most_block = d.most_block;
    a.levels = d.levels;
    a.power_of_two_block = d.power_of_two_block;
    a.timed_block = std::move(d.timed_block);
    a.tile = std::move(d.tile);
    a.property = std::move(d.property);
    a.expected = std::move(d.expected);
    a.formulas = std::move(d.formulas);
#endif
    programs()[d.name] = [run = d.program, file = source](Gpu& gpu, const Problem& p) {
      std::string outer = std::exchange(gpu.file, file);
      const Output output = run(gpu, p);
      gpu.file = std::move(outer);
      return output;
    };
#ifdef __CUDACC__
    const GpuProgram program = [run = d.program](GpuMachine& m, const Problem& p) {
      Gpu gpu(m);
      return ProgramArrays{0, run(gpu, p).id};
    };
#ifdef BARRIERSCOPE_WIDE
    wide_programs()[d.name] = program;
#else
    a.gpu = [program](const Problem& p) { return record_on_gpu(program, p); };
    a.timed = [program, name = std::string(d.name)](const Problem& p) {
      return prepare_on_gpu(name, program, p);
    };
#endif
#else
    a.cpu = [run = d.program, file = source](const Problem& p, const Schedule& s) {
      Gpu gpu(s);
      gpu.file = file;
      gpu.trace.output = run(gpu, p).id;
      gpu.trace.device = "cpu";
      gpu.trace.driver = name_of(s);
      return std::move(gpu.trace);
    };
    a.forms = [run = d.program](const Problem& p) {
      Gpu gpu(Schedule{}, Gpu::Launches::named);
      run(gpu, p);
      return std::move(gpu.forms);
    };
#endif
  }
};

}  // namespace HALF
}  // namespace bscope

using namespace bscope;  // kernel files read like a textbook
