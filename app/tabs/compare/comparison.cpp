// Two runs in words: their names, and what differs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "app/run/run.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/compare/sheet.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/work.hpp"
#include "engine/cuda/toolchain/constants.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

Comparison comparison(std::shared_ptr<const Run> left, std::shared_ptr<const Run> right) {
  Comparison c{two_runs(left->report, right->report), {left, right}, {}, false};
  for (const Fact* f : facts())
    if (f->of_run) c.figures[f] = {f->of_run(left->report), f->of_run(right->report)};
  return c;
}

long Comparison::figure(const Fact& f, size_t side) const {
  const auto known = figures.find(&f);
  return known == figures.end() ? f.of_run(runs[side]->report) : known->second[side];
}

namespace {

/// The constants that two runs of one program were given other values of: "PAD=0" and "PAD=1".
std::array<std::string, 2> constants_apart(const Trace& a, const Trace& b) {
  std::array<std::string, 2> all;
  if (a.dialect != Dialect::cuda || a.sources.size() != b.sources.size()) return all;
  for (size_t k = 0; k < a.sources.size(); ++k) {
    if (a.sources[k].path != b.sources[k].path || a.sources[k].text == b.sources[k].text) continue;
    const std::array<std::vector<cuda::Constant>, 2> of{cuda::constants(a.sources[k].text),
                                                        cuda::constants(b.sources[k].text)};
    for (const cuda::Constant& one : of[0])
      for (const cuda::Constant& other : of[1])
        if (one.name == other.name && one.line == other.line && one.value != other.value)
          for (const size_t side : {0u, 1u})
            all[side] += (all[side].empty() ? "" : " ") + one.name + "=" + (side ? other : one).value;
  }
  return all;
}

}  // namespace

std::array<std::string, 2> names_of(const Comparison& c) {
  const Trace &a = c.runs[0]->trace, &b = c.runs[1]->trace;
  std::array<std::string, 2> names{tr(title_of(a.kernel)), tr(title_of(b.kernel))};
  if (c.of_one_file) return {tr("{}, now", names[0]), tr("{}, before the change", names[1])};
  if (a.kernel != b.kernel) return names;
  if (const auto constants = constants_apart(a, b); !constants[0].empty()) return constants;
  for (const auto& [key, value] : a.parameters)
    if (const std::string other = parameter_of(b, key); other != value) {
      names[0] = tr("{}, {}", names[0], key + " = " + value);
      names[1] = tr("{}, {}", names[1], key + " = " + other);
      return names;
    }
  if (a.device != b.device) names = {tr("{}, {}", names[0], a.device), tr("{}, {}", names[1], b.device)};
  return names;
}

std::array<std::string, 2> quoted_names(std::array<std::string, 2> names) {
  const auto has_comma = [](const std::string& s) {
    return s.find(", ") != std::string::npos || s.find("\uff0c") != std::string::npos;
  };
  if (has_comma(names[0]) || has_comma(names[1]))
    for (std::string& name : names) name = "\u201c" + name + "\u201d";
  return names;
}

std::string ratio_words(const std::string& of, long first, long second) {
  if (first == second) return tr("as many {}", of);
  if (first == 0) return tr("{} {} instead of none", grouped(second), of);
  if (second == 0) return tr("no {}", of);
  if (second * 2 == first) return tr("half the {}", of);
  if (second == first * 2) return tr("twice the {}", of);
  const double ratio = double(second) / double(first);
  if (ratio < 0.995) return tr("{}% of the {}", fmt::format("{:.{}f}", 100 * ratio, ratio < 0.1 ? 1 : 0), of);
  if (ratio < 1.095) return tr("{}% more {}", fmt::format("{:.1f}", 100 * ratio - 100), of);
  return tr("{} times the {}", fmt::format("{:.1f}", ratio), of);
}

namespace {

/// Of runs that add: what one does with adds, the other may do with atomics.
std::string adds_words(const Comparison& c, const std::string& of, long first, long second) {
  if (!second && c.sides[1].atomics) return tr("{} atomics instead of adds", grouped(c.sides[1].atomics));
  if (!first && c.sides[0].atomics) return tr("{} adds instead of atomics", grouped(second));
  return ratio_words(of, first, second);
}

}  // namespace

std::string difference(const Comparison& c) {
  struct Difference {
    std::string of;
    long first, second;
  };
  std::vector<Difference> parts;
  const auto add = [&](const std::string& of, const auto& count) {
    parts.push_back({of, count(0), count(1)});
  };
  add(compare::counted_thing(c, "work"),
      [&](size_t s) { return c.atomics ? c.sides[s].atomics : c.runs[s]->report.work().adds; });
  add(tr("steps"), [&](size_t s) { return long(c.sides[s].rows.size()); });
  for (const Fact* f : facts())
    if (f->tells) add(tr(f->words), [&](size_t s) { return c.figure(*f, s); });
  std::erase_if(parts, [](const Difference& p) { return !p.first && !p.second; });
  const auto names = quoted_names(names_of(c));
  if (std::ranges::all_of(parts, [](const Difference& p) { return p.first == p.second; }))
    return tr("{} counts the same as {}.", names[1], names[0]);
  // what is alike is said only where it is the news: of the first two
  std::string words;
  for (size_t k = 0; k < parts.size(); ++k)
    if (const auto& [of, first, second] = parts[k]; k < 2 || first != second)
      words += (words.empty() ? std::string() : tr(", ")) +
               (k == 0 && !c.atomics ? adds_words(c, of, first, second) : ratio_words(of, first, second));
  return tr("{} compared with {}: {}.", names[1], names[0], words);
}

std::string compare::shown_scale(const Comparison& c, const std::string& asked) {
  const auto scales = c.scales();
  const auto counts = [&](const std::string& scale) {
    return std::ranges::any_of(c.sides, [&](const RunRows& side) {
      return std::ranges::any_of(side.rows, [&](const auto& row) { return c.count(row, scale) > 0; });
    });
  };
  const std::string known = std::ranges::count(scales, asked) ? asked : scales[0];
  if (known != scales[0] || counts(known)) return known;
  const auto first = std::ranges::find_if(scales, counts);
  return first == scales.end() ? known : *first;
}

std::string compare::counted_thing(const Comparison& c, const std::string& scale) {
  if (scale == "threads") return tr("threads at work");
  if (std::ranges::count(c.sides[0].counted, scale, &Fact::asked_as)) return tr(scale);
  return c.atomics ? tr("atomics") : tr("adds");
}

}  // namespace bscope
