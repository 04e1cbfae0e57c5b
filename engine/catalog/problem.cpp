// From what a user asked for to a problem with every default filled in, or one sentence that says what is
// wrong.
#include "engine/simt/problem.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/estimate.hpp"
#include "engine/catalog/image.hpp"
#include "engine/catalog/input_file.hpp"
#include "engine/catalog/numbers.hpp"
#include "engine/catalog/patterns.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/simt/made_input.hpp"
#include "engine/simt/parameter.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

constexpr long long most_n = std::numeric_limits<long long>::max();  // of a trace: refuse_if_too_large
constexpr long long most_timed_n = 1ll << 40;                        // beyond any memory: devices refuse less

std::optional<long long> whole_number(const std::string& text) {
  long long v = 0;
  const auto r = std::from_chars(text.data(), text.data() + text.size(), v);
  if (r.ec != std::errc() || r.ptr != text.data() + text.size()) return {};
  return v;
}

std::string checked_value(const Parameter& p, const std::string& value) {
  if (!p.values.empty()) {
    std::vector<std::string> legal;
    for (const Choice& c : p.values) {
      if (c.text == value) return value;
      legal.push_back(c.text);
    }
    for (const auto& [refused, why] : p.refused)
      if (refused == value)
        throw UsageError(
            message("--set {}={} is not for this algorithm: {}.", p.name, value, Message::plain(why)));
    throw UsageError(message("--set {}={} is no choice: use {}.", p.name, value, or_list(legal)));
  }
  const auto v = whole_number(value);
  if (!v || *v < p.least || *v > p.most)
    throw UsageError(message("--set {}={} is no choice: use a whole number from {} to {}.", p.name, value,
                             p.least, p.most));
  return std::to_string(*v);
}

void apply_settings(const Algorithm& a, const RunSpec& r, Problem& p) {
  for (const auto& [name, value] : r.set) {
    const Parameter* parameter = nullptr;
    std::vector<std::string> legal;
    for (const Parameter& x : a.parameters) {
      if (x.name == name) parameter = &x;
      legal.push_back(x.name);
    }
    if (!parameter)
      throw UsageError(legal.empty()
                           ? message("{} has no parameter \"{}\": it has none at all.", a.name, name)
                           : message("{} has no parameter \"{}\": use {}.", a.name, name, or_list(legal)));
    p.set[name] = checked_value(*parameter, value);
  }
}

bool is_held(const RunSpec& r) { return r.values || r.image || !r.input_file.empty(); }

void apply_preset(const Algorithm& a, const RunSpec& r, Problem& p) {
  if (r.n || is_held(r) || !r.pattern.empty() || r.skew || r.entropy)
    throw UsageError(
        message("The preset {} brings its own input: leave out --n, --values, --input, --pattern, --skew and "
                "--entropy.",
                r.preset));
  std::vector<std::string> legal;
  for (const Preset& preset : a.presets) {
    if (preset.name == r.preset) return preset.apply(p);
    legal.push_back(preset.name);
  }
  throw UsageError(legal.empty()
                       ? message("{} has no preset \"{}\": it has none at all.", a.name, r.preset)
                       : message("{} has no preset \"{}\": use {}.", a.name, r.preset, or_list(legal)));
}

/// An image's pixels, row after row, each the bin of its grey level. --n is how many there may be.
std::vector<double> pixels(const Algorithm& a, const RunSpec& r, const Problem& p,
                           std::string_view file = {}) {
  const std::string& name = r.image ? r.input_name : r.input_file;
  if (!p.set.contains("bins"))
    throw UsageError(message("{} is an image, which only histograms take: {} takes numbers.", name, a.name));
  if (r.n && *r.n < 1) throw UsageError(message("--n {} is too small: an image has at least 1 pixel.", *r.n));
  const GreyImage image = r.image ? counted_image(r) : decode_image(file, name, r.n.value_or(0));
  std::vector<double> keys(image.levels.size());
  std::ranges::transform(image.levels, keys.begin(),
                         [bins = p["bins"]](uint8_t level) { return bin_of_level(level, bins); });
  return keys;
}

std::string number_text(double x) {
  return text_of(ElementType::f64, [&] {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
  }());
}

/// The values of --values or --input.
std::vector<double> held_input(const Algorithm& a, const RunSpec& r, const Problem& p) {
  if ((r.values && (r.image || !r.input_file.empty())) || (r.image && !r.input_file.empty()))
    throw UsageError(
        message("--values and --input are both given: the input can come from one of them only."));
  const char* flag = r.values ? "--values" : "--input";
  if (!r.pattern.empty() || r.skew || r.entropy)
    throw UsageError(
        message("{} gives the input: leave out --pattern, --skew and --entropy.", option_message(flag)));
  if (r.image) return pixels(a, r, p);
  std::vector<double> data;
  if (r.values) {
    data = *r.values;
  } else {
    std::string file = read_input_file(r.input_file);
    if (is_image(file, r.input_file)) return pixels(a, r, p, file);
    data = numbers_of(std::move(file), r.input_file);
  }
  if (data.empty()) throw UsageError(message("{} holds no value: give at least one.", option_message(flag)));
  if (r.n && *r.n != (long long)data.size())
    throw UsageError(message("--n says {} and {} holds {} values: leave out --n.", *r.n, option_message(flag),
                             data.size()));
  return data;
}

/// The pattern that was asked for, checked: n numbers, or keys of as many bins as the kernel has.
MadeInput asked_pattern(const Algorithm& a, const RunSpec& r, const Problem& p, long long most,
                        const char* of_numbers) {
  const bool counts = p.set.contains("bins");
  const long long n = r.n.value_or(a.usual_n());
  if (n < 1) throw UsageError(message("--n {} is too small: there must be at least 1 element.", n));
  if (n > most) throw UsageError(message("--n {} is too large: use at most {}.", n, most));
  for (const auto& [flag, shape] : {std::pair{"skew", r.skew}, {"entropy", r.entropy}})
    if (shape && !counts)
      throw UsageError(message("{} is for histograms: for {} use --pattern skewed instead.",
                               message("--{}", flag), a.name));
  if (r.skew && !(*r.skew >= 0 && *r.skew <= 1))
    throw UsageError(message("--skew must lie between 0 (uniform) and 1 (one key)."));
  if (r.skew && r.entropy)
    throw UsageError(message("--skew and --entropy are both given: leave out one of them."));
  if (r.skew && !r.pattern.empty() && r.pattern != "skewed")
    throw UsageError(message("--skew shapes the skewed pattern: leave out --pattern {}.", r.pattern));
  if (r.entropy && !r.pattern.empty() && r.pattern != "entropy")
    throw UsageError(message("--entropy shapes the entropy pattern: leave out --pattern {}.", r.pattern));
  const std::string pattern = r.skew               ? "skewed"
                              : r.entropy          ? "entropy"
                              : !r.pattern.empty() ? r.pattern
                              : counts             ? "random"
                                                   : of_numbers;
  const auto& names = counts ? made_patterns() : pattern_names();
  if (std::ranges::find(made_patterns(), pattern) == made_patterns().end())
    throw UsageError(message("There is no pattern \"{}\": use {}.", pattern, or_list(names)));
  if (std::ranges::find(names, pattern) == names.end())
    throw UsageError(
        message("The pattern {} is for histograms: for {} use {}.", pattern, a.name, or_list(names)));
  double shape = r.skew.value_or(0.5);
  if (pattern == "entropy") {
    const double asked = r.entropy.value_or(0.544);
    const auto& all = key_entropies();
    const auto it = std::ranges::find_if(all, [&](double e) { return std::abs(e - asked) < 5e-4; });
    if (it == all.end()) {
      std::vector<std::string> texts;
      for (const double e : all) texts.push_back(number_text(e));
      throw UsageError(message("--entropy {} is no choice: use {}.", number_text(asked), or_list(texts)));
    }
    shape = double(it - all.begin());
  }
  return made_input(pattern, n, r.seed, counts ? p["bins"] : 0, shape);
}

/// Brings the input into the element type; the first value that is none is named.
void check_values(Problem& p) {
  if (p.set.contains("bins")) {
    const int bins = p["bins"];
    for (size_t k = 0; k < p.data.size(); ++k)
      if (!(p.data[k] >= 0 && p.data[k] < bins && p.data[k] == std::floor(p.data[k])))
        throw UsageError(message(
            "Key {} (number {} of the input) falls in none of the {} bins: use whole numbers from 0 to {}.",
            number_text(p.data[k]), k + 1, bins, bins - 1));
    return;
  }
  const std::string type = p.text("type", "int32");
  if (p.text("operator", "add") == "affine") {
    if (type != "int32")
      throw UsageError(
          message("--set operator=affine composes maps of 16-bit integers: leave out --set type={}.", type));
    for (size_t k = 0; k < p.data.size(); ++k)
      if (!(std::abs(p.data[k]) < 1 << 15 && p.data[k] == std::floor(p.data[k])))
        throw UsageError(
            message("Value {} (number {} of the input) makes no map y -> v y + 1: use whole numbers from "
                    "-32767 to 32767.",
                    number_text(p.data[k]), k + 1));
    return;
  }
  for (size_t k = 0; k < p.data.size(); ++k) {
    double& x = p.data[k];
    if (type == "int32") {
      if (!(x >= std::numeric_limits<int32_t>::min() && x <= std::numeric_limits<int32_t>::max() &&
            x == std::floor(x)))
        throw UsageError(
            message("Value {} (number {} of the input) is no int32: use whole numbers from -2147483648 to "
                    "2147483647, or --set type=double.",
                    number_text(x), k + 1));
    } else if (!std::isfinite(x) || (type == "float" && std::abs(x) > std::numeric_limits<float>::max())) {
      throw UsageError(
          type == "float"
              ? message("Value {} (number {} of the input) is outside the range of {}: use finite numbers up "
                        "to 3.4e38, or --set type=double.",
                        number_text(x), k + 1, type)
              : message("Value {} (number {} of the input) is outside the range of {}: use finite numbers.",
                        number_text(x), k + 1, type));
    } else if (type == "float") {
      x = float(x);  // as the kernel sees it, so that the expected result starts from the same input
    }
  }
}

/// A trace's: the smallest that shows all that the algorithm does.
void take_small_block(const Algorithm& a, Problem& p) {
  for (p.block = 1; p.block < a.full_block && std::pow(a.tile(p), a.levels) < p.n();) p.block *= 2;
}

int checked_block(const Algorithm& a, long long block) {
  if (block < 1 || block > a.most_block)
    throw UsageError(message("--block {} is not possible: {} takes 1 to {} threads a block.", block, a.name,
                             a.most_block));
  if (a.power_of_two_block && (block & (block - 1))) {
    long long below = 1;
    while (2 * below < block) below *= 2;
    std::vector<std::string> near{std::to_string(below)};
    if (2 * below <= a.most_block) near.push_back(std::to_string(2 * below));
    throw UsageError(message("--block {} is not possible: {} needs a power of two, e.g. {}.", block, a.name,
                             or_list(near)));
  }
  return int(block);
}

/// Parameters by their defaults, the preset and --set.
Problem with_parameters(const Algorithm& a, const RunSpec& r) {
  Problem p;
  for (const Parameter& x : a.parameters) p.set[x.name] = x.initial.text;
  if (!r.preset.empty()) apply_preset(a, r, p);
  apply_settings(a, r, p);
  return p;
}

/// The same problem at another length, its input said or held.
Problem at_length(const Algorithm& a, Problem p, long long n) {
  if (p.made)
    p.made->n = n;
  else
    p.data.resize(size_t(n));
  if (!p.block) take_small_block(a, p);
  return p;
}

/// A trace's, checked; its pattern is said, and its block may be open still.
Problem asked_problem(const Algorithm& a, const RunSpec& r) {
  Problem p = with_parameters(a, r);
  if (r.preset.empty()) {
    if (is_held(r))
      p.data = held_input(a, r, p);
    else
      p.made = asked_pattern(a, r, p, most_n, "random");
  }
  check_values(p);
  if (r.block) p.block = checked_block(a, *r.block);
  return p;
}

}  // namespace

RunSpec with_input_read(RunSpec r) {
  if (r.input_file.empty() || r.values || r.image) return r;
  std::string file = read_input_file(r.input_file);
  if (is_image(file, r.input_file)) {
    r.image = decode_image(file, r.input_file, most_pixels);
    if (!r.n && r.image->scaled()) r.n = handy_pixels;
  } else {
    r.values = numbers_of(std::move(file), r.input_file);
  }
  r.input_name = r.input_file.substr(r.input_file.rfind('/') + 1);
  r.input_file.clear();
  return r;
}

GreyImage counted_image(const RunSpec& r) { return r.n ? scaled(*r.image, *r.n) : *r.image; }

Problem make_problem(const Algorithm& a, const RunSpec& r) {
  Problem p = asked_problem(a, r);
  cost_or_refusal(a, p.n(), [&](long long n) { return at_length(a, p, n); });
  if (p.made) {
    p.data = taught_values(*p.made);
    p.made.reset();
    check_values(p);
  }
  if (!p.block) take_small_block(a, p);
  return p;
}

double expected_events(const Algorithm& a, const RunSpec& r) {
  const Problem p = asked_problem(a, r);
  return cost_or_refusal(a, p.n(), [&](long long n) { return at_length(a, p, n); }).events;
}

Problem timed_problem(const Algorithm& a, const RunSpec& r) {
  Problem p = with_parameters(a, r);
  if (is_held(r))
    p.data = held_input(a, r, p);
  else if (r.preset.empty())
    p.made = asked_pattern(a, r, p, most_timed_n, "sine");
  check_values(p);
  if (r.block) p.block = checked_block(a, *r.block);
  if (!p.block) p.block = a.timed_block ? a.timed_block(p) : a.full_block;
  return p;
}

const std::vector<double>& key_entropies() {
  static const std::vector<double> all{1, 0.811, 0.544, 0.337, 0.201, 0};
  return all;
}

}  // namespace bscope
