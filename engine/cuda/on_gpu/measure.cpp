#include "engine/cuda/on_gpu/measure.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>

#include "engine/cuda/on_gpu/nvcc.hpp"
#include "engine/cuda/toolchain/child.hpp"
#include "engine/cuda/toolchain/mirrored_folder.hpp"
#include "engine/cuda/toolchain/run_folder.hpp"
#include "engine/cuda/toolchain/source_copy.hpp"
#include "engine/simt/device.hpp"
#include "engine/timing/meter.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
constexpr size_t largest_record = size_t(512) << 20;

/// NVIDIA's driver, or that of a virtual machine under Windows, or of a small board.
bool has_device() {
  std::error_code ignored;
  for (const char* one : {"/dev/nvidia0", "/dev/nvidiactl", "/dev/dxg", "/dev/nvhost-gpu", "/dev/nvgpu"})
    if (fs::exists(one, ignored)) return true;
  return false;
}

std::string name_of(const Program& p) { return as_shown(fs::path(p.files.front()).filename().string()); }

/// With how its run ended, and the first line that it printed.
Message not_run_on_gpu(const std::string& name, const InPlace& result) {
  Message all = message("no kernel of {} came to run on the GPU", name);
  if (!result.ended.empty()) all = message("{}: {}", all, result.ended);
  if (result.output.empty()) return all;
  const std::string first = result.output.substr(0, std::min<size_t>(300, result.output.find('\n')));
  return message("{}; it printed: {}", all, as_shown(first));
}

/// Throws NoDevice for what is missing, with what to do.
void need(const GpuTools& tools, const std::string& name) {
  if (!tools.gpu)
    throw NoDevice(
        message("there is no NVIDIA GPU on this machine: on one that has a GPU and nvcc, say `barrierscope "
                "time {} -o times.json`; `barrierscope time {} --recorded times.json` shows it here",
                name, name));
  if (tools.nvcc.empty())
    throw NoDevice(
        message("there is no nvcc, which compiles {} for the GPU: install the CUDA toolkit, or name its "
                "compiler in NVCC",
                name));
}

/// The runs of a compiled program, each in a folder that holds nothing of the one before.
class Runs {
 public:
  Runs(const Program& p, const fs::path& program, const fs::path& folder)
      : program_(p), file_(program), folder_(folder) {}

  Ended once() const {
    fs::remove_all(folder_ / "files");
    fs::remove(record());
    const fs::path home = folder_of(program_);
    ProcessCommand c{
        .words = {file_.string()},
        .called = command_name(program_),
        .where = mirrored(home, folder_ / "files"),
        // code is loaded before the first launch is timed, not while it is
        .environment = {"BARRIERSCOPE_LAUNCHES=" + record().string(), "CUDA_MODULE_LOADING=EAGER"},
        .seconds = program_.seconds};
    c.words.insert(c.words.end(), program_.arguments.begin(), program_.arguments.end());
    return run(c);
  }
  std::optional<LaunchRecord> launches() const {
    std::error_code ignored;
    if (!fs::exists(record(), ignored)) return {};
    return launch_record_of(read_file(record(), largest_record));
  }

 private:
  fs::path record() const { return folder_ / "launches.json"; }
  const Program& program_;
  fs::path file_, folder_;
};

/// Empty where it ended as programs do.
Message bad_end(const Ended& e, double seconds) {
  if (e.out_of_time)
    return message("The program ran longer than {} seconds on the GPU and was stopped", int(seconds));
  if (!e.signal) return {};
  const char* name = ::sigdescr_np(e.signal);
  return name ? message("The program ended on the GPU by signal {} ({})", e.signal, Message::plain(name))
              : message("The program ended on the GPU by signal {}", e.signal);
}

void note_end(const Ended& e, const Program& p, InPlace& result) {
  if (result.ended.empty()) result.ended = bad_end(e, p.seconds);
  if (result.exit == 0 && !e.signal && !e.out_of_time) result.exit = e.exit;
}

void note_output(const Ended& e, bool first, InPlace& result) {
  if (first) {
    result.output = e.output;
    return;
  }
  const Compared c = compare_outputs(result.output, e.output);
  if (c.alike != Alike::same && !result.unsteady) result.unsteady = c.first;
}

void note_limits(const GpuTools& tools, InPlace& result) {
  try {
    const Recording limits = tools.limits();
    result.copy_gb_per_s = limits.copy_gb_per_s;
    if (limits.peak_gb_per_s > 0) result.peak_gb_per_s = limits.peak_gb_per_s;
    if (!limits.driver.empty()) result.driver = limits.driver;
  } catch (const std::exception& e) {
    result.notes.emplace_back(message("there is no copy to compare with: {}", message_of(e)));
  }
}

}  // namespace

GpuTools GpuTools::of_this_machine() {
  return {find_nvcc(), has_device(), [] { return gpu_meter(Patience{})->begin(); }};
}

MeasuredInPlace measure_in_place(const Program& p, const GpuTools& tools, const InPlaceOptions& o) {
  need(tools, name_of(p));
  const auto tell = [&](int run) {
    if (o.tell) o.tell({run, o.runs});
  };
  tell(0);
  const RunFolder folder;
  const CompiledByNvcc compiled = compile_by_nvcc(p, tools.nvcc, folder.path());
  MeasuredInPlace m{compiled.diagnostics, compiled.done, {}};
  if (!m.compiled) return m;
  m.result.program = name_of(p);
  m.result.date = date_now();
  const Runs runs(p, compiled.program, folder.path());
  std::vector<LaunchRecord> records;
  const auto begin = Clock::now();
  int made = 0;
  while (made < o.runs &&
         (made == 0 || std::chrono::duration<double>(Clock::now() - begin).count() < o.most_seconds)) {
    tell(made + 1);
    const Ended e = runs.once();
    note_end(e, p, m.result);
    note_output(e, made++ == 0, m.result);
    if (auto record = runs.launches()) records.push_back(std::move(*record));
    if (!m.result.ended.empty()) break;
  }
  if (records.empty() || std::ranges::all_of(records, [](const auto& r) { return r.launches.empty(); }))
    throw NoDevice(not_run_on_gpu(name_of(p), m.result));
  merge(m.result, records);
  if (made < o.runs && m.result.ended.empty())
    m.result.notes.emplace_back(message("only {} of {} runs were made: they take long", made, o.runs));
  note_limits(tools, m.result);
  return m;
}

}  // namespace bscope::cuda
