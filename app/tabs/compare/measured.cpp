// Full-size times of both kernels, where they were ever taken.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "app/run/titles.hpp"
#include "app/tabs/compare/sheet.hpp"
#include "app/tabs/time/sheet.hpp"
#include "app/words/counting.hpp"
#include "engine/timing/kinds.hpp"

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
    // two bars tell more than one; a slower device's stand aside; later recordings are newer
    const auto rank = [&](const Times& t) { return std::pair(known(t), t.run && !t.run->aside); };
    if (known(here) && rank(here) >= rank(best)) best = here;
  }
  return best;
}

std::string power(long long n) {
  if (n > 0 && (n & (n - 1)) == 0) return fmt::format("2^{}", int(std::log2(double(n)) + 0.5));
  return grouped(n);
}

}  // namespace

void measured(Sheet& s, const std::vector<Recording>& recordings, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), head = s.title() * 1.5f;
  const std::array<std::string, 2> kernels{s.c.runs[0]->trace.kernel, s.c.runs[1]->trace.kernel};
  pen.text({in.x, in.y + head / 2}, say("Measured at full size"), s.title(), t.ink, Font::text_bold);
  const Box rest{in.x, in.y + head + t.px(4), in.w, in.h - head - t.px(4)};
  const Times times = times_of(s.c, recordings);
  if (!times.run) {
    const float y =
        paragraph(pen, {{say("No time of either kernel has been recorded."), t.ink2}}, rest, label);
    const std::string names = kernels[0] == kernels[1] ? kernels[0] : kernels[0] + " " + kernels[1];
    paragraph(pen,
              {{say("On a machine with a GPU:"), t.ink2},
               {" barrierscope time " + names + " -o FILE.json", t.ink, Font::mono}},
              {rest.x, y + t.px(6), rest.w, rest.bottom() - y}, label);
    return;
  }
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
    if (k && kernels[0] == kernels[1] && r == times.records[0]) break;  // recorded with one setting only
    bars.push_back({kernels[0] == kernels[1] && !r ? s.names[k] : std::string(said(title_of(kernels[k]))),
                    r ? r->gb_per_s : 0, t.thread});
  }
  const std::string family = kernels[0].substr(0, kernels[0].find('/'));
  if (kernels[1].starts_with(family + "/"))
    for (const Record& r : times.run->records)
      if (r.kernel == "cub/" + family && r.n == n && is_usual(r)) {
        bars.push_back({"CUB", r.gb_per_s, t.ink3});
        break;
      }
  const double copy = times.run->copy_gb_per_s;
  if (copy > 0) bars.push_back({say("copy"), copy, mix(t.ink, t.panel, 0.7f)});
  const float below = paragraph(
      pen,
      {{say("Recorded:"), t.write, Font::text_bold},
       {" " + say("{}, {}, N = {}; GB/s, percent of copy", times.run->device, day_of(*times.run), power(n)),
        t.ink2}},
      rest, label);
  float names = 0;
  double most = 1;
  for (const Bar& b : bars) names = std::max(names, pen.width(b.name, label)), most = std::max(most, b.gb);
  names = std::min(names + t.px(12), in.w * 0.4f);
  const float number = pen.width("00,000", label, Font::mono_bold);
  float share = 0;
  for (const Bar& b : bars)
    share =
        std::max(share, pen.width(percent_text(copy > 0 ? b.gb / copy : 1), label, Font::mono) + t.px(14));
  // in words, where both are known
  std::string sentence;
  const Record *a = times.records[0], *b = times.records[1];
  if (a && b && a != b && a->gb_per_s > 0 && b->gb_per_s > 0) {
    const double ratio = b->gb_per_s / a->gb_per_s;
    const std::string by = fmt::format("{:.0f}", std::abs(100 * ratio - 100));
    const auto names_said = quoted_names(s.names);
    sentence = std::abs(ratio - 1) < 0.005 ? say("{} is as fast as {}.", names_said[1], names_said[0])
               : ratio >= 2 ? say("{} moves {} times as many bytes a second as {}.", names_said[1],
                                  fmt::format("{:.1f}", ratio), names_said[0])
               : ratio > 1  ? say("{} is {}% faster than {}.", names_said[1], by, names_said[0])
                            : say("{} is {}% slower than {}.", names_said[1], by, names_said[0]);
  }
  float sentence_height =
      sentence.empty() || t.projector()
          ? 0
          : label * 1.35f * (1 + std::floor(pen.width(sentence, label, Font::text_bold) / in.w)) + t.px(8);
  if ((in.bottom() - below - sentence_height) / float(bars.size()) < label * 1.3f) sentence_height = 0;
  const float bottom = in.bottom() - sentence_height;
  const float pitch = std::min((bottom - below - t.px(4)) / float(bars.size()), t.px(32));
  const float width = in.w - names - number - share - t.px(10);
  if (pitch < label) return;
  for (size_t k = 0; k < bars.size(); ++k) {
    const Bar& bar = bars[k];
    const float cy = below + t.px(4) + (float(k) + 0.5f) * pitch, tall = std::min(pitch * 0.6f, t.px(18));
    pen.text({in.x, cy}, pen.fitted(bar.name, names - t.px(8), label), label, t.ink2);
    if (bar.gb <= 0) {
      pen.text({in.x + names, cy}, say("not measured"), label, t.ink3);
      continue;
    }
    pen.rect({in.x + names, cy - tall / 2, std::max(t.px(2), float(bar.gb / most) * width), tall}, bar.fill,
             0, 1, t.px(2));
    pen.text({in.right() - share, cy}, rate_text(bar.gb), label, t.ink, Font::mono_bold, Align::right);
    if (copy > 0)
      pen.text({in.right(), cy}, percent_text(bar.gb / copy), label, t.ink2, Font::mono, Align::right);
  }
  if (sentence_height > 0)
    paragraph(pen, {{sentence, t.ink, Font::text_bold}},
              {in.x, bottom + t.px(4), in.w, in.bottom() - bottom - t.px(2)}, label);
}

}  // namespace bscope::compare
