// Full-size times of both kernels, where they were ever taken.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "app/draw/charts.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/compare/sheet.hpp"
#include "app/words/measures.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/timing/kinds.hpp"
#include "engine/trace/trace.hpp"

namespace bscope::compare {
namespace {

/// Bars of one recording: the same length for both sides, if there is one that both were timed at.
struct Times {
  const Recording* run = nullptr;
  std::array<const Record*, 2> records{};
};

bool has_setting(const Record& r, const Trace& t) {
  for (const auto& [name, value] : t.parameters)
    if (const auto it = r.parameters.find(name);
        name != "n" && it != r.parameters.end() && it->second != value)
      return false;
  return true;
}

/// The record of a kernel at this length on the usual data and one GPU; one with the trace's own parameters
/// before others.
const Record* record_at(const Recording& run, const Trace& t, long long n) {
  const Record* found = nullptr;
  for (const Record& r : run.records)
    if (r.kernel == t.kernel && r.n == n && is_usual(r) &&
        (!found || (!has_setting(*found, t) && has_setting(r, t))))
      found = &r;
  return found;
}

Times times_of(const Comparison& c, const std::vector<Recording>& recordings) {
  Times best;
  for (const Recording& run : recordings) {
    Times here{&run, {}};
    long long most = -1, alone[2] = {-1, -1};
    for (const Record& r : run.records)
      for (size_t s = 0; s < 2; ++s)
        if (r.kernel == c.runs[s]->trace.kernel && is_usual(r)) {
          alone[s] = std::max(alone[s], r.n);
          if (r.n > most && record_at(run, c.runs[1 - s]->trace, r.n)) most = r.n;
        }
    for (size_t s = 0; s < 2; ++s)
      here.records[s] = record_at(run, c.runs[s]->trace, most >= 0 ? most : alone[s]);
    const auto known = [](const Times& t) { return int(!!t.records[0]) + int(!!t.records[1]); };
    // two bars tell more than one; of what comes with the program the first is the newest, of what was opened
    // the last
    const auto rank = [&](const Times& t) { return std::pair(known(t), t.run && !t.run->aside); };
    if (known(here) && (rank(here) > rank(best) || (rank(here) == rank(best) && !run.aside))) best = here;
  }
  return best;
}

/// Which is faster, in words; empty where not both are known.
std::string faster(const CompareSheet& s, const Times& times) {
  const Record *a = times.records[0], *b = times.records[1];
  if (!a || !b || a == b || a->gb_per_s <= 0 || b->gb_per_s <= 0) return {};
  const double ratio = b->gb_per_s / a->gb_per_s;
  const std::string by = fmt::format("{:.0f}", std::abs(100 * ratio - 100));
  const auto names = quoted_names(s.names);
  if (std::abs(ratio - 1) < 0.005) return tr("{} is as fast as {}.", names[1], names[0]);
  if (ratio >= 2)
    return tr("{} moves {} times as many bytes a second as {}.", names[1], fmt::format("{:.1f}", ratio),
              names[0]);
  return ratio > 1 ? tr("{} is {}% faster than {}.", names[1], by, names[0])
                   : tr("{} is {}% slower than {}.", names[1], by, names[0]);
}

}  // namespace

LayoutNode measured(const CompareSheet& s, const std::vector<Recording>& recordings) {
  const Theme& t = s.t;
  const TextLook look{.size = t.label()};
  const LayoutNode heading = line({tr("Measured at full size")}, heading_look(t));
  const std::array<std::string, 2> kernels{s.c.runs[0]->trace.kernel, s.c.runs[1]->trace.kernel};
  const bool one_kernel = kernels[0] == kernels[1];
  const Times times = times_of(s.c, recordings);
  if (!times.run && !s.look.awaited.empty())
    return column(t.px(6), {heading, text({{tr(s.look.awaited), t.ink2}}, look)});
  if (!times.run) {
    std::string names;  // of those that a recording may hold
    for (size_t k = 0; k < (one_kernel ? 1 : 2); ++k)
      if (family_of(kernels[k]).timed()) names += " " + kernels[k];
    if (names.empty()) {
      const bool own =
          s.c.runs[0]->trace.dialect == Dialect::cuda || s.c.runs[1]->trace.dialect == Dialect::cuda;
      return column(t.px(6), {heading, text({{own ? tr("The Time tab holds the times of your own programs.")
                                                  : tr("These kernels are for looking at, not for timing."),
                                              t.ink2}},
                                            look)});
    }
    return column(t.px(6),
                  {heading, text({{tr("No time of either kernel has been recorded."), t.ink2}}, look),
                   text({{tr("On a machine with a GPU:"), t.ink2},
                         {" barrierscope time" + names + " -o FILE.json", t.ink, Font::mono}},
                        look)
                       .gives(1)});
  }
  const double copy = times.run->copy_gb_per_s;
  struct Bar {
    std::string name;
    double gb = 0;  ///< 0: not measured
    Colour fill = 0;
  };
  std::vector<Bar> bars;
  long long n = 0;
  for (size_t k = 0; k < 2; ++k) {
    const Record* r = times.records[k];
    if (r) n = std::max(n, r->n);
    if (k && one_kernel && r == times.records[0]) break;  // recorded with one setting only
    bars.push_back({one_kernel && !r ? s.names[k] : tr(title_of(kernels[k])), r ? r->gb_per_s : 0, t.thread});
  }
  const std::string family = family_of(kernels[0]).name;
  if (family_of(kernels[1]).name == family)
    for (const Record& r : times.run->records)
      if (r.kernel == "cub/" + family && r.n == n && is_usual(r)) {
        bars.push_back({"CUB", r.gb_per_s, t.ink3});
        break;
      }
  if (copy > 0) bars.push_back({tr("copy"), copy, mix(t.ink, t.panel, 0.7f)});
  double most = 1;
  for (const Bar& b : bars) most = std::max(most, b.gb);
  Table table{.gap = t.px(10), .heads = {space(0).at_most(0.4f), space(0).grows()}, .most_row = t.px(32)};
  for (const Bar& b : bars) {
    const LayoutNode name = line({b.name}, s.label(t.ink2));
    if (b.gb <= 0) {
      table.rows.push_back({name, line({tr("not measured")}, s.label(t.ink3))});
      continue;
    }
    table.rows.push_back({name, lying({.value = b.gb, .most = most, .fill = b.fill}),
                          line({rate_text(b.gb)}, s.label(t.ink, Align::right, Font::mono_bold)),
                          copy > 0
                              ? line({percent_text(b.gb / copy)}, s.label(t.ink2, Align::right, Font::mono))
                              : LayoutNode{}});
  }
  const std::string words = faster(s, times);
  if (s.low) {
    LineLook recorded = s.label(t.write, Align::left, Font::text_bold);
    recorded.cut = false;
    const std::string device = short_device(times.run->device);
    return column(t.px(2), {line({tr("Recorded: {}, N = {}, GB/s", device, n_text(n)),
                                  tr("Recorded: {}, GB/s", device), tr("Recorded:")},
                                 recorded),
                            bscope::table(std::move(table)).grows()});
  }
  return column(t.close(),
                {heading,
                 text({{tr("Recorded:"), t.write, Font::text_bold},
                       {" " + tr("{}, {}, N = {}; GB/s, percent of copy", times.run->device,
                                 day_of(*times.run), n_text(n)),
                        t.ink2}},
                      look),
                 bscope::table(std::move(table)).grows(),
                 words.empty() ? LayoutNode{} : text({{words, t.ink, Font::text_bold}}, look).gives(1)});
}

}  // namespace bscope::compare
