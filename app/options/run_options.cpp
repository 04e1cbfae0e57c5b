#include "app/options/run_options.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "app/options/options.hpp"
#include "app/run/memory.hpp"
#include "app/run/numbers.hpp"
#include "app/run/own_program.hpp"
#include "app/run/request_text.hpp"
#include "app/run/run.hpp"
#include "app/run/target.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/estimate.hpp"
#include "engine/cuda/toolchain/project/nvcc_step.hpp"
#include "engine/cuda/toolchain/project/project.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

/// Reads a value and notes that something was given, and in `where`, if there is such, what.
template <class Read>
auto noting(RunOptions& r, Read read, std::string RunOptions::*where = nullptr) {
  return [&r, read, where](const std::string& name, const std::string& typed) {
    r.given = true;
    if (where) r.*where = name;
    return read(name, typed);
  };
}

std::string as_typed(const std::string&, const std::string& typed) { return typed; }

std::string standard(const std::string& name, const std::string& typed) {
  return one_of({"c++11", "c++14", "c++17", "c++20", "gnu++11", "gnu++14", "gnu++17", "gnu++20"})(name,
                                                                                                  typed);
}

std::string device_model(const std::string& name, const std::string& typed) {
  return one_of(cuda::device_model_names())(name, typed);
}

cuda::Setting constant(const std::string&, const std::string& typed) { return cuda::parse_setting(typed); }

double seconds_of_run(const std::string& name, const std::string& typed) {
  const auto v = number<double>(name, typed, tr_noop("a number of seconds"));
  if (!(v >= 0.1 && v <= 86400))
    throw UsageError(message("{} {} is out of range: from 0.1 to 86400", option_message(name), typed));
  return v;
}

/// The target of a program and of the files that follow it.
Target program_target(const RunOptions& run, const std::vector<std::string>& files) {
  if (!run.input_given.empty())
    throw UsageError(message("{} brings its own input: leave out {}; --const changes a constant of it",
                             files.front(), run.input_given));
  Target t;
  t.file = files.front();
  allow_programs_in(
      std::filesystem::absolute(t.file).parent_path().string());  // who names it wants it to run
  t.schedule = run.schedule.value_or(Schedule{});
  t.program = run.program;
  t.program.files = files;
  return t;
}

/// Whether a word names a folder or a build file that lies there, rather than a kernel.
bool is_project(const std::string& word) {
  std::error_code ignored;
  if (algorithm_of(word)) return false;
  if (std::filesystem::is_directory(word, ignored)) return true;
  return cuda::is_build_file(word) && std::filesystem::is_regular_file(word, ignored);
}

/// The target of what stands for a program without being one of its files: a folder, a build file, or what
/// `barrierscope nvcc` has linked. Nothing: the word is none of these.
std::optional<Target> indirect_target(const RunOptions& run, const std::string& word) {
  if (run.program.named_only) return {};  // they read what is named, and a build file names more
  std::optional<cuda::Program> found;
  if (is_project(word)) {
    found = cuda::program_of_project(word, run.chosen, run.program);
  } else if (!algorithm_of(word) && !word.ends_with(".bscope")) {
    found = cuda::linked_program(word);
    if (found) {
      found->constants = run.program.constants;
      found->arguments = run.program.arguments;
      found->seconds = run.program.seconds;
      found->inside_libraries = run.program.inside_libraries;
    }
  }
  if (!found) return {};
  RunOptions with = run;
  const std::vector<std::string> files = found->files;
  with.program = std::move(*found);
  return program_target(with, files);
}

}  // namespace

bool names_program(const std::string& word) {
  return cuda::is_program(word) || is_project(word) || cuda::linked_program(word).has_value();
}

/// The parts of a request that `wanted(name)` is true for.
template <class Wanted>
void typed_options(Options& o, RunOptions& run, const Wanted& wanted) {
  for_each_typed_field(run.request, [&](const char* name, auto& member, const Field& field) {
    if (!wanted(std::string_view(name))) return;
    const bool repeats = std::is_same_v<decltype(member), decltype(run.request.set)&>;
    Options::Option& option =
        o.custom_option((std::string("--") + name).c_str(), field.value, field.help, repeats,
                        [&run, &member, field](const std::string& option, const std::string& typed) {
                          run.given = true;
                          run.input_given = option;
                          read_text(member, field, option, typed);
                        });
    if (field.linked) option.in_link();
  });
}

void size_options(Options& o, RunOptions& run) {
  typed_options(o, run,
                [](std::string_view name) { return name == "n" || name == "block" || name == "set"; });
}

void input_options(Options& o, RunOptions& run) {
  o.group("Input");
  typed_options(o, run, [](std::string_view) { return true; });
  o.option("--device", "D", "cpu or gpu", run.device,
           noting(
               run,
               [](const std::string& name, const std::string& typed) {
                 return one_of({"cpu", "gpu"})(name, typed) == "gpu" ? Device::gpu : Device::cpu;
               },
               &RunOptions::input_given))
      .in_link();
}

void trace_options(Options& o, RunOptions& run) {
  input_options(o, run);
  o.option("--schedule", "S", "auto, to-barrier, lockstep or shuffle:SEED", run.schedule,
           noting(run, [](const std::string&, const std::string& typed) { return parse_schedule(typed); }))
      .in_link();
  o.option("--max-memory", "BYTES", "Refuse a trace that would need more (default 2G)",
           [](const auto&, const std::string& typed) { limit_memory(parse_bytes(typed)); });
  program_options(o, run);
}

void program_options(Options& o, RunOptions& run) {
  compile_options(o, run);
  o.option("--seconds", "S", "Stop the program after so many (default 20)", run.program.seconds,
           noting(run, seconds_of_run, &RunOptions::program_given));
  o.flag("--inside-libraries", "Shows the kernels that Thrust and CUB launch, too",
         run.program.inside_libraries);
}

void compile_options(Options& o, RunOptions& run) {
  cuda::Program& p = run.program;
  const auto noted = [&](auto read) { return noting(run, read, &RunOptions::program_given); };
  o.group("Your own CUDA files");
  o.repeated("-I", "FOLDER", "Where headers are looked for; may be repeated", p.includes, noted(as_typed));
  o.repeated("-D", "NAME[=VALUE]", "Defines a macro; may be repeated", p.defines, noted(as_typed))
      .in_link("define");
  o.option("--std", "S", "c++11, c++14, c++17 (default) or c++20",
           noted([&p](const std::string& name, const std::string& typed) {
             p.standard = standard(name, typed);
             p.standard_given = true;
             return true;
           }))
      .in_link();
  o.option("--program", "NAME", "Which program, where a folder or a build file builds several", run.chosen,
           noted(some_word(tr_noop("--program needs the name of a program that the build file builds"))));
  o.flag("--no-project", "Read no Makefile, CMakeLists.txt or compile_commands.json for what the files lack",
         p.alone);
  o.option("--device-model", "SM", "The GPU to play: sm_75, sm_80, sm_86, sm_89, sm_90 or sm_120",
           p.device_model, noted(device_model))
      .in_link();
  o.repeated("--const", "NAME=VALUE", "Changes a constant in a copy, to watch a smaller run; may be repeated",
             p.constants, noted(constant))
      .in_link();
  o.rest(p.arguments);
}

void run_words(Options& o, const char* help, size_t most, std::vector<std::string>& into) {
  o.words("KERNEL|FILE", help, most, into, [](const auto& taken, const std::string& word) {
     return cuda::is_program(taken.front()) && cuda::is_program(word);
   }).in_link("kernel");
}

std::string given_for_program(const RunOptions& run) {
  if (!run.program_given.empty()) return run.program_given;
  if (run.program.alone) return "--no-project";
  if (run.program.inside_libraries) return "--inside-libraries";
  return run.program.arguments.empty() ? "" : "--";
}

Target target_of(const RunOptions& run, const std::string& word) {
  if (cuda::is_program(word)) return program_target(run, {word});
  if (auto program = indirect_target(run, word)) return std::move(*program);
  if (const std::string given = given_for_program(run); !given.empty())
    throw UsageError(message("{} is for your own CUDA files, and {} is none", given, word));
  Target t;
  std::error_code ignored;
  const bool file = word.ends_with(".bscope") || std::filesystem::exists(word, ignored);
  if (!algorithm_of(word) && file) {
    if (run.given)
      throw UsageError(message(
          "{} already holds its input and its run: leave out the options that say what to trace", word));
    t.file = word;
    return t;
  }
  t.request = run.request;
  t.request.kernel = word;
  find(word);
  t.device = run.device.value_or(Device::cpu);
  if (t.device == Device::gpu && run.schedule)
    throw UsageError(message("--schedule is the CPU executor's: leave it out, or leave out --device gpu"));
  t.schedule = run.schedule.value_or(Schedule{});
  return t;
}
Target target_of(const RunOptions& run, const std::vector<std::string>& words, const std::string& verb) {
  if (words.empty())
    throw UsageError(message("`{}` needs the name of a kernel: `barrierscope list` shows them", verb));
  auto program = std::ranges::find_if(words, cuda::is_cuda_source);
  if (program == words.end()) program = std::ranges::find_if(words, cuda::is_program);
  if (program == words.end()) return target_of(run, words.front());
  std::vector<std::string> files = words;  // the first .cu is the program's name, wherever it stands
  const auto first = files.begin() + (program - words.begin());
  std::rotate(files.begin(), first, first + 1);
  return program_target(run, files);
}

}  // namespace bscope
