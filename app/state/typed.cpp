#include "app/state/typed.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "app/state/session_file.hpp"
#include "engine/catalog/numbers.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

constexpr size_t most_values = 1u << 24;

bool is_image(const std::string& ending) {
  constexpr std::array<const char*, 6> images{".png", ".jpg", ".jpeg", ".bmp", ".pgm", ".ppm"};
  return std::find(images.begin(), images.end(), ending) != images.end();
}

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return ending;
}

/// The target that an input is for: the open kernel's, or a kernel's whose run can be made anew.
Target input_target(const State& s, bool counts) {
  Target t;
  t.request.kernel = s.run ? s.run->trace.kernel : "";
  const bool known = algorithm_of(t.request.kernel);
  if (known && !s.target.is_file()) t = s.target;
  if (counts && !t.request.kernel.starts_with("histogram/")) {
    t.request = {};
    t.request.kernel = "histogram/shared-atomics";
  } else if (!known) {
    t.request.kernel = "scan/blelloch";
  }
  Request& r = t.request;
  r.n.reset();
  r.values.reset();
  r.input_file.clear();
  r.pattern.clear();
  r.preset.clear();
  r.skew.reset();
  r.entropy.reset();
  return t;
}

}  // namespace

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> values = parse_numbers(text);
  if (values.size() > most_values)
    throw UsageError(say("more than {} values are too many to watch", most_values));
  return values;
}

State with_values(State s, std::vector<double> values, Where where, const Open& open) {
  Target t = input_target(s, false);
  if (!values.empty()) t.request.values = std::move(values);
  return opened(std::move(s), t, where, open);
}

/// Does a table begin with what `time` writes at the head of its own?
static bool has_times(const std::string& path) {
  return as_text(beginning_of(path, 64), path).starts_with("device,");
}

Opening opened_path(State s, const std::string& typed, const Open& open) {
  const std::string path = home_expanded(typed), ending = ending_of(path);
  bool times = ending == ".json";
  try {
    open_to_read(path);  // the window waits for no pipe
    times |= ending == ".csv" && has_times(path);
  } catch (const BadFile& e) {
    s.error = said(e.what());
    s.error_at = Where::file;
    return {std::move(s), {}, {}};
  }
  if (times) {
    s.tab = Tab::time;
    if (s.error_at == Where::file) s.error.clear(), s.error_at = Where::nowhere;  // of the file before
    return {std::move(s), {}, path};
  }
  if (ending == ".bscope") return {load_session(std::move(s), path), {}, {}};
  const std::string name = std::filesystem::path(path).filename().string();
  const bool image = is_image(ending);
  Target target = input_target(s, image);
  target.request.input_file = path;
  const std::string& kernel = target.request.kernel;
  std::string notice;
  if (kernel == s.run->trace.kernel)
    notice = say("{} is the input now", name);
  else if (image)
    notice = say("{}: an image's grey levels are counted by a histogram, so {} is open now", name, kernel);
  else
    notice = say("{} is the input of {} now", name, kernel);
  s = opened(std::move(s), target, Where::file, open);
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
