#include "app/tabs/time/in_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/draw/charts.hpp"
#include "app/draw/controls.hpp"
#include "app/draw/layout.hpp"
#include "app/draw/theme.hpp"
#include "app/measure/in_place_bench.hpp"
#include "app/run/in_place_words.hpp"
#include "app/run/values.hpp"
#include "app/session/tab_services.hpp"
#include "app/words/measures.hpp"
#include "app/words/words.hpp"
#include "engine/timing/kinds.hpp"

namespace bscope {
namespace {

using cuda::InPlace;
using cuda::TimedKernel;

struct InPlaceSheet {
  const Theme& t;
  const InPlaceInput& in;
  LineLook label(Colour c, Align a = Align::left, Font f = Font::text) const {
    return {.size = t.label(), .colour = c, .font = f, .align = a, .cut = true};
  }
  /// A number, which is never cut.
  LayoutNode figure(const std::string& words, Colour c, Font f = Font::mono) const {
    return line({words}, {.size = t.label(), .colour = c, .font = f, .align = Align::right});
  }
  LayoutNode sentence(const std::string& words, Colour c) const {
    return words.empty() ? LayoutNode{} : text({{words, c}}, {.size = t.label()});
  }
};

template <class F>
HitAction with_services(TabServices* services, F does) {
  if (!services) return {};
  return [services, does](LoadedState& s, float) { does(s, *services); };
}

/// What is missing here, and what to do elsewhere.
std::vector<LayoutNode> elsewhere(const InPlaceSheet& s) {
  const Theme& t = s.t;
  const std::string missing =
      !s.in.gpu
          ? tr("There is no NVIDIA GPU here.")
          : tr("There is no nvcc here, which compiles the program for the GPU: install the CUDA toolkit.");
  return {s.sentence(missing, t.ink),
          s.sentence(tr("On a machine that has both, say this, and open the file that it writes:"), t.ink2),
          text({{"barrierscope time " + s.in.program + " -o times.json", t.ink, Font::mono}},
               {.size = t.label()})};
}

std::vector<LayoutNode> measuring_form(const InPlaceSheet& s) {
  const Theme& t = s.t;
  if (s.in.measuring)
    return {button({.name = "stop",
                    .label = tr("Stop"),
                    .tip = tr("Give this measurement up."),
                    .does = with_services(
                        s.in.services,
                        [](LoadedState&, TabServices& services) { services.of<InPlaceBench>().stop(); }),
                    .key = "Esc"},
                   t.cell),
            line({s.in.run ? tr("run {} of {}", s.in.run, s.in.runs) : tr("compiling with nvcc")},
                 s.label(t.ink)),
            progress(std::max(0.02f, float(s.in.run) / float(s.in.runs + 1)), t.thread)};
  if (!s.in.gpu || !s.in.nvcc) return s.in.shown ? std::vector<LayoutNode>{} : elsewhere(s);
  return {
      button(
          {.name = "measure in place",
           .label = tr("Measure on this GPU"),
           .tip = tr("Compile {} with nvcc and time each of its launches, {} runs.", s.in.program, s.in.runs),
           .does = with_services(
               s.in.services, [](LoadedState& to, TabServices& services) { measure_in_place(to, services); }),
           .key = "Ctrl Enter"},
          t.thread),
      s.sentence(tr("The program then runs on the GPU without the confinement that it has on the CPU."),
                 t.ink2)
          .gives(3)};
}

LayoutNode controls(const InPlaceSheet& s) {
  const Theme& t = s.t;
  std::vector<LayoutNode> all{line({tr("Run")}, heading_look(t))};
  for (LayoutNode& f : measuring_form(s)) all.push_back(std::move(f));
  all.push_back(s.sentence(tr(s.in.error), t.race).gives(1));
  if (s.in.shown) {
    const InPlace& p = *s.in.shown;
    const std::string day = p.date.substr(0, 10);
    all.push_back(rule(t.line).gives(4));
    all.push_back(line({short_device(p.device)}, s.label(t.ink, Align::left, Font::text_bold)));
    all.push_back(line({s.in.recorded ? tr("recorded {}", day) : tr("measured here"), day},
                       s.label(s.in.recorded ? t.write : t.ink2)));
    all.push_back(line({tr_count(p.runs, "{} run", "{} runs")}, s.label(t.ink2)).gives(4));
  }
  all.push_back(
      shares(t.px(6), {{1, button({"import", tr("Open"),
                                   tr("Open a recording of this program, JSON; or drop the file "
                                      "anywhere on the window."),
                                   false, 0,
                                   with_services(s.in.services,
                                                 [](LoadedState& to, TabServices& services) {
                                                   if (services.choose_file) services.choose_file(to);
                                                 })})},
                       {1, button({"save in place", "JSON",
                                   tr("Save what is shown, as JSON (barrierscope.in_place/1)."), false, 0,
                                   with_services(s.in.services,
                                                 [](LoadedState& to, TabServices& services) {
                                                   save_in_place(to, services);
                                                 })})}})
          .gives(2));
  all.push_back(s.sentence(s.in.notice, t.ink2).gives(6));
  return column(t.px(10, 6), std::move(all));
}

std::string shape_text(const TimedKernel& k) {
  std::string words = tr("{} blocks of {} threads", extent_text(k.shape.grid), extent_text(k.shape.block));
  if (k.shape.shared) words += tr(", {} bytes of shared memory", k.shape.shared);
  return tr("{}, {}", words, tr_count(k.launches, "{} launch", "{} launches"));
}

double count(const std::array<uint64_t, 3>& extent) {
  return double(extent[0]) * double(extent[1]) * double(extent[2]);
}

std::string tip_of(const TimedKernel& k, const InPlace& p) {
  std::string words =
      tr("{}, {}: median {}, fastest run {}, slowest {}", k.shape.kernel, shape_text(k),
         seconds_text(k.seconds.median), seconds_text(k.seconds.least), seconds_text(k.seconds.most));
  if (const double speed = gb_per_s(k); speed > 0) {
    words += tr("; {} GB/s", rate_text(speed));
    if (p.copy_gb_per_s > 0) words += tr(", {} of copy", percent_text(speed / p.copy_gb_per_s));
    if (k.fetched > 0) words += tr("; its warps ask for {} times the bytes", rate_text(k.fetched / k.bytes));
  }
  return words + tr(".");
}

/// What the bars of a column lie in.
struct Scales {
  double seconds = 0, speed = 0;
  std::vector<LyingBar::Mark> marks;
};
Scales scales_of(const InPlace& p, const Theme& t) {
  Scales s;
  bool known = false;
  for (const TimedKernel& k : p.kernels) {
    s.seconds = std::max(s.seconds, k.seconds.most);
    s.speed = std::max(s.speed, gb_per_s(k));
    known = known || gb_per_s(k) > 0;
  }
  if (!known) return s;
  s.speed = std::max({s.speed, p.copy_gb_per_s, p.peak_gb_per_s}) * 1.01;
  if (p.copy_gb_per_s > 0) s.marks.push_back({p.copy_gb_per_s, t.ink, 7});
  if (p.peak_gb_per_s > 0) s.marks.push_back({p.peak_gb_per_s, t.ink2, 2});
  return s;
}

std::vector<LayoutNode> row_of(const InPlaceSheet& s, const TimedKernel& k, const Scales& scales) {
  const Theme& t = s.t;
  const InPlace& p = *s.in.shown;
  const double speed = gb_per_s(k);
  const auto share = [&](double limit) {
    return speed > 0 && limit > 0 ? s.figure(percent_text(speed / limit), t.ink2) : LayoutNode{};
  };
  // a shape that has no room takes none, so that the name stands beside its bar
  std::vector<LayoutNode> shapes;
  for (const std::string& words :
       {shape_text(k), tr("{}, {} threads", extent_text(k.shape.grid), extent_text(k.shape.block)),
        tr("{} blocks", brief(count(k.shape.grid)))})
    shapes.push_back(line({words}, {.size = t.small(), .colour = t.ink2}));
  shapes.push_back(space(0));
  LayoutNode what = column(
      0, {space(0).grows(), name(k.shape.kernel, s.label(t.ink, Align::left, Font::text_bold), t.squeezed()),
          widest_that_fits(std::move(shapes)), space(0).grows()});
  what.fills = true;
  std::vector<LayoutNode> cells{std::move(what),
                                lying({.value = k.seconds.median,
                                       .most = scales.seconds,
                                       .fill = mix(t.read, t.panel, 0.25f),
                                       .edge = t.read,
                                       .low = k.seconds.least,
                                       .high = k.seconds.most,
                                       .whisker = t.write}),
                                s.figure(seconds_text(k.seconds.median), t.ink, Font::mono_bold)};
  if (scales.speed > 0) {
    cells.push_back(speed > 0 ? lying({.value = speed,
                                       .most = scales.speed,
                                       .fill = t.changed,
                                       .edge = t.dark() ? t.changed : t.ink,
                                       .low = k.bytes / k.seconds.most / 1e9,
                                       .high = k.bytes / k.seconds.least / 1e9,
                                       .whisker = t.write,
                                       .marks = scales.marks})
                              : line({tr("not traced")}, s.label(t.ink2)));
    cells.push_back(speed > 0 ? s.figure((k.estimated ? "~" : "") + rate_text(speed), t.ink, Font::mono_bold)
                              : LayoutNode{});
    cells.push_back(share(p.copy_gb_per_s));
    cells.push_back(share(p.peak_gb_per_s));
    cells.push_back(k.bytes > 0 && k.fetched > 0
                        ? s.figure(tr("{} x", rate_text(k.fetched / k.bytes)), t.ink2)
                        : LayoutNode{});
  }
  return cells;
}

/// What the lines through the bars are.
LayoutNode legend(const InPlaceSheet& s) {
  const Theme& t = s.t;
  const InPlace& p = *s.in.shown;
  std::vector<std::string> words;
  const auto add = [&](const std::string& what) {
    words.push_back((words.empty() ? std::string() : words.back() + tr("; ")) + what);
  };
  add(tr("bar: median; whisker: fastest to slowest run"));
  if (std::ranges::any_of(p.kernels, [](const TimedKernel& k) { return gb_per_s(k) > 0; })) {
    if (p.copy_gb_per_s > 0) add(tr("dashes: a copy, {} GB/s", rate_text(p.copy_gb_per_s)));
    if (p.peak_gb_per_s > 0) add(tr("dots: peak, {} GB/s", rate_text(p.peak_gb_per_s)));
  }
  std::ranges::reverse(words);
  return line(words, s.label(t.ink2));
}

LayoutNode kernels(const InPlaceSheet& s) {
  const Theme& t = s.t;
  const InPlace& p = *s.in.shown;
  const Scales scales = scales_of(p, t);
  const auto caption = [&](const std::string& words, Align a) {
    return line({words}, {.size = t.small(), .colour = t.ink2, .align = a});
  };
  Table all{.gap = t.px(14), .least_row = t.label() * 2.7f, .most_row = t.px(64)};
  all.heads = {caption(tr("kernel"), Align::left).at_most(0.34f),
               caption(tr("time of a launch"), Align::left).grows(),
               LayoutNode{caption(tr("median"), Align::right)}};
  if (scales.speed > 0) {
    all.heads.push_back(caption(tr("bytes that must be moved, a second"), Align::left).grows());
    for (const std::string& head : {std::string("GB/s"), tr("of copy"), tr("of peak"), tr("fetched")})
      all.heads.push_back(caption(head, Align::right));
  }
  for (size_t k = 0; k < p.kernels.size(); ++k) {
    all.rows.push_back(row_of(s, p.kernels[k], scales));
    all.hits.push_back({.what = HitRegion::button,
                        .box = {},
                        .tip = tip_of(p.kernels[k], p),
                        .name = "kernel:" + std::to_string(k)});
  }
  all.more = [look = s.label(t.ink2), count = p.kernels.size()](int from, int to) {
    return line({tr_count(count - size_t(to - from), "and {} more", "and {} more")}, look);
  };
  return column(t.px(8), {line({tr("{} on the {}", s.in.program, p.device), s.in.program}, heading_look(t)),
                          legend(s), table(std::move(all)).grows()});
}

/// Is its output right, and what is to be known.
LayoutNode remarks(const InPlaceSheet& s) {
  const Theme& t = s.t;
  const InPlace& p = *s.in.shown;
  const std::string output = output_sentence(p);
  const bool wrong = p.check && p.check->wrong();
  std::vector<LayoutNode> all{
      line({tr("Is it right?")}, heading_look(t)),
      s.sentence(output.empty() ? tr("Its output was not compared with a run on the CPU.") : output,
                 wrong ? t.race : t.ink)};
  for (const std::string& sentence : sentences_of(p))
    if (sentence != output) all.push_back(s.sentence(sentence, t.ink2).gives(1));
  for (const EnglishMessage& note : p.notes)
    all.push_back(s.sentence(capitalised(tr(note)) + tr("."), t.ink2).gives(2));
  return column(t.px(6), std::move(all));
}

LayoutNode nothing_timed_yet(const InPlaceSheet& s) {
  const Theme& t = s.t;
  const std::string then = s.in.gpu && s.in.nvcc
                               ? tr("Press Measure on this GPU (Ctrl Enter), or open a recording.")
                               : tr("Measure on a machine that has a GPU, and open the recording here.");
  const TextLook look{.size = t.label()};
  return column(
      0, {line({tr("{} on a GPU", s.in.program)}, heading_look(t)), space(0).grows(),
          shares(0, {{0.15f, {}},
                     {0.7f, column(t.px(12), {text({{tr("Nothing is measured yet."), t.ink, Font::text_bold}},
                                                   {.size = t.why()}),
                                              text({{then, t.ink2}}, look),
                                              text({{tr("In a terminal:") + " ", t.ink2},
                                                    {"barrierscope time " + s.in.program + " -o times.json",
                                                     t.ink, Font::mono}},
                                                   look)})},
                     {0.15f, {}}}),
          space(0).grows(2)});
}

}  // namespace

Picture in_place_view(const InPlaceInput& in, const Theme& t, const Metrics& metrics, float w, float h) {
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  const DrawContext paper{pen, t};
  const InPlaceSheet s{t, in};
  const float gap = t.gap();
  pen.rect({0, 0, w, h}, t.window);
  Box room{0, 0, w, h};
  if (!t.printed) {
    const float side = w * (t.projector() ? 0.25f : 0.19f);
    draw(paper, panel(controls(s)), {0, 0, side, h});
    room = {side + gap, 0, w - side - gap, h};
  }
  if (!in.shown) {
    draw(paper, panel(nothing_timed_yet(s)), room);
    return picture;
  }
  const LayoutNode below = panel(remarks(s));
  const float lower = std::min(below.height_at(paper, room.w), room.h * 0.45f);
  draw(paper, panel(kernels(s)), {room.x, 0, room.w, room.h - lower - gap});
  draw(paper, below, {room.x, room.h - lower, room.w, lower});
  return picture;
}

}  // namespace bscope
