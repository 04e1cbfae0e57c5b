#include "engine/cuda/on_gpu/launch_record.hpp"

#include <algorithm>
#include <cctype>

#include "engine/cuda/toolchain/source_copy.hpp"
#include "engine/trace/demangled.hpp"
#include "engine/trace/device_symbol.hpp"
#include "engine/trace/json_fields.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t most_launches = 4'000'000;

/// Nothing where the line is no launch.
std::optional<TimedLaunch> launch_of(const nlohmann::ordered_json& j) {
  TimedLaunch l;
  try {
    from_fields_json(l, j, {});
  } catch (const BadFile&) { return {}; }
  l.shape.kernel = kernel_name(as_shown_line(l.shape.kernel));
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
  std::string all = demangled(mangled);
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
    const auto j = try_parse_json(next_line(lines));
    if (!j || !j->is_object()) continue;  // the last line of a program that was ended
    if (j->contains("kernel")) {
      if (auto launch = launch_of(*j)) r.launches.push_back(std::move(*launch));
      continue;
    }
    begun |= j->contains("device");
    from_fields_json(r, *j, {}, Reading::lenient);
  }
  if (!begun) return {};
  for_each_text(r, [](std::string& text) { text = as_shown_line(text); });
  return r;
}

}  // namespace bscope::cuda
