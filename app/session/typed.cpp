#include "app/session/typed.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "app/assignments/course.hpp"
#include "app/run/own_program.hpp"
#include "app/run/run.hpp"
#include "app/session/input.hpp"
#include "app/session/session_file.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/image.hpp"
#include "engine/catalog/numbers.hpp"
#include "engine/cuda/toolchain/project/project.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

constexpr size_t most_values = 1u << 24;

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return ending;
}

/// An own program, compiled and run as it was before, if it is the open one.
LoadedState with_program(LoadedState s, const std::string& path, RunStore& runs) {
  if (!runs_programs || !may_run(path)) {
    s.asks_to_run = path;
    return s;
  }
  Target target = s.target;
  if (target.file != path) {
    target = {};
    target.file = path;
  }
  return opened(std::move(s), target, Where::file, runs);
}

/// The program of a build file. Where it builds several, the error names them.
LoadedState with_build_file(LoadedState s, const std::string& path, RunStore& runs) {
  if (!runs_programs || !may_run(path)) {
    s.asks_to_run = path;
    return s;
  }
  Target target;
  try {
    target.program = cuda::program_of_project(path, {}, {});
  } catch (const std::exception& e) {
    refuse(s, e, Where::file);
    return s;
  }
  target.file = target.program.files.front();
  if (!may_run(target.file)) allow_programs_in(std::filesystem::absolute(target.file).parent_path().string());
  return opened(std::move(s), target, Where::file, runs);
}

/// The open target where an input can go, its kernel one that can be run anew: an image's is a histogram.
Target input_target(const LoadedState& s, bool image) {
  Target t;
  const std::string& open = s.run->trace.kernel;
  const bool known = algorithm_of(open);
  if (image && !family_of(open).takes_keys)
    t.request.kernel = "histogram/shared-atomics";
  else if (!known)
    t.request.kernel = "scan/blelloch";
  else
    return s.target;
  return t;
}

/// The course of this folder, or why it is none.
Opening with_course(LoadedState s, const std::string& folder) {
  Opening opening{std::move(s), {}};
  try {
    opening.course = read_course(folder).folder.string();
    if (opening.state.error_at == Where::file) forgive(opening.state);  // of the file before
  } catch (const std::exception& e) { refuse(opening.state, e, Where::file); }
  return opening;
}

}  // namespace

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> values = parse_numbers(text);
  if (values.size() > most_values)
    throw UsageError(message("more than {} values are too many to watch", most_values));
  return values;
}

LoadedState with_values(LoadedState s, std::vector<double> values, Where where, RunStore& runs) {
  Target t = input_target(s, false);
  t.request = with_numbers(t, *s.run, std::move(values));
  t.file.clear();
  return opened(std::move(s), t, where, runs);
}

/// Whether a table begins with what `time` writes at the head of its own.
static bool has_times(const std::string& path) {
  return as_text(beginning_of(path, 64), path).starts_with("device,");
}

Opening opened_path(LoadedState s, const std::string& typed, RunStore& runs) {
  std::string path = home_expanded(typed);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    const auto build_file = cuda::build_file_in(path);
    if (build_file.empty() || is_course(path)) return with_course(std::move(s), path);
    path = build_file.string();
  }
  const std::string ending = ending_of(path);
  bool times = ending == ".json", image = false;
  std::string beginning;
  try {
    open_to_read(path);  // the window waits for no pipe
    times |= ending == ".csv" && has_times(path);
    beginning = beginning_of(path, 200);
    image = is_image(beginning.substr(0, 16), path);
  } catch (const BadFile& e) {
    refuse(s, e, Where::file);
    return {std::move(s), {}, {}};
  }
  if (cuda::is_build_file(path)) return {with_build_file(std::move(s), path, runs), {}, {}};
  if (times) {
    if (s.error_at == Where::file) forgive(s);  // of the file before
    return {std::move(s), {}, path, beginning};
  }
  if (ending == ".bscope") return {load_session(std::move(s), path, runs), {}, {}};
  if (cuda::is_program(path)) return {with_program(std::move(s), path, runs), {}, {}};
  const std::string name = std::filesystem::path(path).filename().string();
  Target target = input_target(s, image);
  try {
    target.request = with_input_file(target, *s.run, path);
  } catch (const std::exception& e) {
    refuse(s, e, Where::file);
    return {std::move(s), {}, {}};
  }
  target.file.clear();
  const std::string& kernel = target.request.kernel;
  std::string notice;
  if (kernel == s.run->trace.kernel)
    notice = tr("{} is the input now", name);
  else if (image)
    notice = tr("{}: an image's grey levels are counted by a histogram, so {} is open now", name, kernel);
  else
    notice = tr("{} is the input of {} now", name, kernel);
  s = opened(std::move(s), target, Where::file, runs);
  if (s.error_at == Where::file) notice.clear();
  return {std::move(s), notice, {}};
}

std::string file_name_of(std::string_view kernel) {
  const size_t slash = kernel.find('/');
  if (slash != std::string_view::npos) kernel.remove_prefix(slash + 1);
  std::string name;
  for (const char c : kernel.substr(0, 60))
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '-';
  return name.find_first_not_of('-') == std::string::npos ? "run" : name;
}

std::string home_expanded(const std::string& path) {
  const char* home = std::getenv("HOME");
  if (home && (path == "~" || path.starts_with("~/"))) return home + path.substr(1);
  return path;
}

}  // namespace bscope
