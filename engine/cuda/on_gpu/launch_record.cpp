#include "engine/cuda/on_gpu/launch_record.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/cuda/toolchain/source_copy.hpp"
#include "engine/trace/device_symbol.hpp"

namespace bscope::cuda {
namespace {

using Json = nlohmann::json;
constexpr size_t most_launches = 4'000'000, most_letters = 1000;

std::string text(const Json& j, const char* name) {
  const auto it = j.find(name);
  if (it == j.end() || !it->is_string()) return {};
  std::string s = as_shown(it->get_ref<const std::string&>().substr(0, most_letters));
  std::ranges::replace(s, '\n', ' ');
  return s;
}

/// From 0 up; anything else is 0.
double number(const Json& j, const char* name) {
  const auto it = j.find(name);
  const double v = it != j.end() && it->is_number() ? it->get<double>() : 0;
  return std::isfinite(v) && v > 0 ? v : 0;
}
uint64_t whole(const Json& v) { return v.is_number_unsigned() ? v.get<uint64_t>() : 0; }

/// Three numbers from 1 up.
bool read_extent(const Json& j, const char* name, std::array<uint64_t, 3>& into) {
  const auto it = j.find(name);
  if (it == j.end() || !it->is_array() || it->size() != into.size()) return false;
  for (size_t k = 0; k < into.size(); ++k) into[k] = whole((*it)[k]);
  return std::ranges::all_of(into, [](uint64_t n) { return n >= 1 && n < uint64_t(1) << 32; });
}

std::optional<TimedLaunch> launch_of(const Json& j) {
  TimedLaunch l;
  l.shape.kernel = kernel_name(text(j, "kernel"));
  l.seconds = number(j, "seconds");
  if (const auto it = j.find("shared"); it != j.end()) l.shape.shared = whole(*it);
  if (!read_extent(j, "grid", l.shape.grid) || !read_extent(j, "block", l.shape.block)) return {};
  return l;
}

/// Takes the last line that is there whole.
std::string_view next_line(std::string_view& rest) {
  const size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

/// Where the name ends that stands before the bracket which ends the text: "f(int (*)(int))" at 1.
size_t before_last_brackets(const std::string& text) {
  int open = 0;
  for (size_t k = text.size(); k-- > 0;) {
    if (text[k] == ')') ++open;
    if (text[k] == '(' && --open == 0) return k;
  }
  return text.size();
}

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Without blanks, and without the letters behind numbers.
std::string plain(std::string_view name) {
  std::string all;
  while (!name.empty()) {
    const size_t length = size_t(std::ranges::find_if_not(name, in_word) - name.begin());
    std::string_view word = name.substr(0, std::max<size_t>(1, length));
    name.remove_prefix(word.size());
    if (std::isdigit(static_cast<unsigned char>(word[0])))
      while (std::string_view("uUlL").find(word.back()) != std::string_view::npos) word.remove_suffix(1);
    if (word != " ") all += word;
  }
  return all;
}

}  // namespace

std::string kernel_name(const std::string& symbol) {
  const std::string mangled(without_its_file(symbol));
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> whole(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  if (!whole) return mangled;
  std::string all = whole.get();
  if (all.ends_with(')')) all.resize(before_last_brackets(all));
  int open = 0;
  for (size_t k = all.size(); k-- > 0;) {
    if (all[k] == '>' || all[k] == ')') ++open;
    if (all[k] == '<' || all[k] == '(') --open;
    if (open == 0 && (all[k] == ' ' || all[k] == ':')) return all.substr(k + 1);
  }
  return all;
}

bool same_kernel(const std::string& a, const std::string& b) { return plain(a) == plain(b); }

std::optional<LaunchRecord> launch_record_of(std::string_view lines) {
  LaunchRecord r;
  bool begun = false;
  while (!lines.empty() && r.launches.size() < most_launches) {
    const Json j = Json::parse(next_line(lines), nullptr, false);
    if (!j.is_object()) continue;  // the last line of a program that was ended
    if (j.contains("device")) {
      begun = true;
      r.device = text(j, "device");
      r.driver = text(j, "driver");
      r.peak_gb_per_s = number(j, "peak_gb_per_s");
      r.empty_seconds = number(j, "empty_s");
    } else if (j.contains("kernel")) {
      if (auto launch = launch_of(j)) r.launches.push_back(std::move(*launch));
    } else if (j.contains("ended")) {
      r.ended = true;
      r.graphs = long(number(j, "graphs"));
      r.failed = long(number(j, "failed"));
    }
  }
  if (!begun) return {};
  return r;
}

}  // namespace bscope::cuda
