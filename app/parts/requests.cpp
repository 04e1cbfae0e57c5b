#include "app/parts/requests.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/draw/fitting.hpp"
#include "app/parts/pattern.hpp"
#include "app/session/state.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/trace/source_line.hpp"

namespace bscope {
namespace {

std::string verb(Op op, const std::string& array) {
  switch (op) {
    case Op::load:
    case Op::acquire:
    case Op::wait:
    case Op::observe: return say("load {}", array);
    case Op::store:
    case Op::release:
    case Op::publish: return say("store {}", array);
    case Op::arrive: return say("arrive at {}", array);
    case Op::await: return say("await {}", array);
    default: return say("atomic on {}", array);
  }
}

std::string name_of_array(const Run& run, int launch, int array) {
  return run.trace.array(run.trace.launches[size_t(launch)], array).name;
}

/// "sum"; "sum[8..15]" where the array has rows and the request stays in one.
std::string name_of_row(const Run& run, const WarpRequest& q) {
  const ArrayInfo& a = run.trace.array(run.trace.launches[size_t(q.launch)], q.array);
  const int cells = a.row_size(), first = cells ? int(q.lanes.front().index) / cells * cells : 0;
  const auto elsewhere = [&](const WarpRequest::Lane& l) {
    return int(l.index) < first || int(l.index) >= first + cells;
  };
  if (a.rows == 1 || std::ranges::any_of(q.lanes, elsewhere)) return a.name;
  const std::string begin = a.name + "[" + std::to_string(first);
  return cells == 1 ? begin + "]" : begin + ".." + std::to_string(first + cells - 1) + "]";
}

/// Answers of an interval, as bars.
struct Bar {
  int step = 0, index = 0;
  std::string phase;
  long used = 0, ideal = 0, engine = 0, beside = 0;
};

long used_by(const Run& run, size_t interval, Space space, long* ideal = nullptr) {
  long used = 0;
  for (const WarpRequest& q : run.report.requests_of(interval)) {
    if (q.shared() != (space == Space::shared)) continue;
    used += answers(q);
    if (ideal) *ideal += fewest(q);
  }
  return used;
}

/// The same with what the copy engine moves; it moves no more than it must.
long used_and_moved(const RequestSheet& s, size_t interval, long& ideal) {
  long used = used_by(s.run(), interval, s.space, &ideal);
  if (s.space == Space::shared) return used;
  const long engine = engine_sectors(s.run(), s.run().report.flow.intervals[interval]);
  ideal += engine;
  return used + engine;
}

std::vector<Bar> bars_of(const RequestSheet& s) {
  std::vector<Bar> bars;
  const Report& r = s.run().report;
  const Cursor& c = s.scene.here.cursor;
  const auto of_block = r.flow.of_block(c.launch, c.block);
  std::span<const Interval> others;
  if (s.scene.beside) {
    const Cursor& there = s.scene.beside->cursor;
    others = s.scene.beside->run->report.flow.of_block(there.launch, there.block);
  }
  for (const Interval& v : of_block) {
    Bar bar;
    bar.step = int(&v - r.flow.intervals.data());
    bar.index = v.index;
    bar.phase = said(v.phase);
    bar.used = used_by(s.run(), size_t(bar.step), s.space, &bar.ideal);
    if (s.space == Space::global) bar.engine = engine_sectors(s.run(), v);
    if (const auto at = size_t(&v - of_block.data()); at < others.size()) {
      const Run& other = *s.scene.beside->run;
      bar.beside = used_by(other, size_t(&others[at] - other.report.flow.intervals.data()), s.space);
    }
    bars.push_back(bar);
  }
  return bars;
}

std::string unit(Space space, long n) {
  if (space == Space::shared)
    return n == 1 ? say("{} wavefront", grouped(n)) : say("{} wavefronts", grouped(n));
  return n == 1 ? say("{} sector", grouped(n)) : say("{} sectors", grouped(n));
}

}  // namespace

std::string request_name(const Run& run, const WarpRequest& q) {
  const std::string name = verb(q.op, name_of_row(run, q));
  return q.occurrence == 0   ? name
         : q.occurrence == 1 ? say("{}, again", name)
                             : say("{}, again ({})", name, q.occurrence + 1);
}

std::string source_line(const Run& run, const WarpRequest& q) {
  return source_line(run.trace, q.launch, int(q.line));
}

Colour role(const Theme& t, Op op) { return is_atomic(op) ? t.atomic : writes(op) ? t.write : t.read; }

RequestSheet sheet(Pen& pen, const Theme& t, const RequestScene& scene, Space space) {
  RequestSheet s{pen, t, scene, space, nullptr, nullptr, nullptr, {}};
  const Looked& here = scene.here;
  if (steps(*here.run) == 0) return s;
  s.request = request_at(*here.run, here.cursor, space, here.request);
  if (s.request && scene.beside)
    s.request_beside =
        same_request(*here.run, here.cursor, *s.request, *scene.beside->run, scene.beside->cursor);
  if (space == Space::global) s.copies = engine_copies(*here.run, interval_at(*here.run, here.cursor));
  for (const EngineCopy& c : s.copies)
    if (c.node == here.request || !s.request) {
      s.copy = &c;
      break;
    }
  return s;
}

float heading(RequestSheet& s, Box in, const std::string& name, const std::string& code, int number,
              const std::string& unit, Colour c) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const float head = s.title() * 1.6f, y = in.y + head / 2;
  const float big = t.px(t.projector() ? t.size_changed : 24);
  const Box noun = pen.text({in.right(), y}, unit, s.title(), t.ink, Font::text, Align::right);
  const Box digits =
      pen.text({noun.x - s.title() * 0.5f, y}, grouped(number), big, c, Font::mono_bold, Align::right);
  const float room = digits.x - in.x - t.px(16);
  const Box words = pen.text({in.x, y}, pen.fitted(name, room, s.title(), Font::text_bold), s.title(), t.ink,
                             Font::text_bold);
  // the line of code beside the name, or below it where it is too long
  const float size = t.px(t.size_code), left = digits.x - words.right() - t.px(32);
  if (code.empty()) return in.y + head;
  // twins keep their pictures at one height
  if (!s.scene.beside && pen.width(code, size, Font::mono) <= left) {
    pen.text({words.right() + t.px(16), y}, code, size, t.ink2, Font::mono);
    return in.y + head;
  }
  if (t.projector()) return in.y + head;
  float below = in.y + head;
  for (const std::string& line : in_lines(pen, code, in.w, size, Font::mono)) {
    pen.text({in.x, below + size * 0.6f}, line, size, t.ink2, Font::mono);
    below += size * 1.4f;
  }
  return below;
}

float chip_digits(const RequestSheet& s, const LaneRow& row) {
  return fitting_size(s.pen, {"00"}, row.chip - s.small() * 0.32f, s.small(), s.t.px(6), Font::mono_bold);
}

LaneRow lane_row(RequestSheet& s, const Looked& of, const WarpRequest& q, Box in, float names, float y,
                 const std::string& prefix) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  LaneRow row;
  row.left = in.x + names;
  row.pitch = std::min((in.w - names) / 32, t.px(40));
  row.chip = row.pitch * 0.88f;
  const float tall = std::min(row.chip, t.px(26));
  // numbers in a size that holds two digits; where that is under what can be read, every fourth stands above
  const float digits = chip_digits(s, row);
  const bool in_chips = digits >= t.px(t.projector() ? 22 : 9);
  row.top = y;
  if (!in_chips) {
    for (int k = 0; k < 32; k += 4)
      pen.text({row.x(k), y + s.small() * 0.55f}, std::to_string(k), s.small(), t.ink2, Font::mono,
               Align::centre);
    row.top += s.small() * 1.3f;
  }
  row.bottom = row.top + tall;
  const float cy = row.top + tall / 2;
  pen.text({in.x, cy}, say("lanes"), s.label(), t.ink2);
  const WarpRequest::Lane* asks[32] = {};
  for (const auto& lane : q.lanes)
    if (lane.lane < 32) asks[lane.lane] = &lane;
  const int followed = s.followed_lane(q);
  for (int k = 0; k < 32; ++k) {
    const Box b{row.x(k) - row.chip / 2, row.top, row.chip, tall};
    std::string tip;
    if (asks[k]) {
      pen.rect(b, t.thread, k == followed ? t.ink : 0, std::max(1.0f, t.px(2)), t.px(3));
      if (in_chips)
        pen.text({row.x(k), cy}, std::to_string(k), digits, t.on(t.thread), Font::mono_bold, Align::centre);
      tip = say("Lane {} (thread {}) asks for {}[{}], {} bytes.", k, q.warp * 32 + k, array_name(*of.run, q),
                asks[k]->index, asks[k]->bytes);
    } else {
      pen.rect(b, 0, mix(t.idle, t.panel, 0.6f), 1, t.px(3));
      pen.hatch(b, mix(t.idle, t.panel, 0.4f), t.px(6));
      tip = say("Lane {} asks for nothing here.", k);
    }
    if (k < q.lanes_in_warp)
      pen.hit({.what = s.scene.pattern || !prefix.empty() ? Hit::other : Hit::thread,
               .box = {row.x(k) - row.pitch / 2, row.top, row.pitch, tall},
               .a = q.warp * 32 + k,
               .tip = tip,
               .name = prefix + "lane " + std::to_string(k)});
  }
  // a warp whose lanes ask for 8 or 16 bytes is served in halves or quarters
  const int group = lanes_of_pass(q);
  for (int k = group; k < 32; k += group)
    pen.line({row.x(k) - row.pitch / 2, row.top - t.px(3)}, {row.x(k) - row.pitch / 2, row.bottom + t.px(3)},
             t.barrier, std::max(1.0f, t.px(1.5f)));
  return row;
}

namespace {

/// Two words to choose from; the chosen one lies on a lighter ground.
void switch_of(RequestSheet& s, float right, float middle) {
  if (s.t.printed) return;
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const float size = s.label(), pad = t.px(9), high = size * 1.75f;
  struct Choice {
    std::string name, words, tip;
    bool on;
    Does does;
  };
  const auto play = [of = s.scene.of](bool on) {
    return [of, on](State& to, float) { of(to).playing = on; };
  };
  std::vector<Choice> all{
      {"pattern", say("Pattern"), say("Play with an access pattern of your own, run as a real kernel."),
       s.scene.pattern.has_value(), play(true)},
      {"kernel", say("Kernel"), say("Look at the requests of the open kernel."), !s.scene.pattern.has_value(),
       play(false)}};
  if (s.scene.twin)
    all.push_back({"beside", say("Padded"),
                   say("Show the padded twin beside, on the same input at the same step."), *s.scene.twin,
                   s.scene.turn_twin});

  for (const Choice& c : all) {
    const float w = pen.width(c.words, size, Font::text_bold) + 2 * pad;
    const Box b{right - w, middle - high / 2, w, high};
    pen.rect(b, c.on ? t.selected : t.panel, c.on ? t.selected : t.line, 1, t.px(4));
    pen.text(b.centre(), c.words, size, c.on ? t.ink : t.ink2, c.on ? Font::text_bold : Font::text,
             Align::centre);
    pen.hit({.what = Hit::button, .box = b, .tip = c.tip, .name = c.name, .press = c.does});
    right -= w + t.px(6);
  }
}
float switch_width(const RequestSheet& s) {
  if (s.t.printed) return 0;
  float w = s.t.px(6);
  for (const std::string& words :
       {say("Pattern"), say("Kernel"), std::string(s.scene.twin ? say("Padded") : "")})
    if (!words.empty()) w += s.pen.width(words, s.label(), Font::text_bold) + s.t.px(24);
  return w;
}

float sliders(RequestSheet& s, Box room) {
  const Theme& t = s.t;
  const float gap = t.px(24), w = (room.w - gap) / 2, high = slider_height(t) + t.px(4);
  const auto place = [&](int column, int row) {
    return Box{room.x + float(column) * (w + gap), room.y + float(row) * high, w, high};
  };
  for (size_t k = 0; k < s.scene.sliders.size(); ++k)
    slider(s.pen, t, place(int(k % 2), int(k / 2)), s.scene.sliders[k]);
  return room.y + 2 * high;
}

struct Row {
  int number = 0, line = 0, used = 0, ideal = 0;
  int beside = -1;  ///< answers of the same request of the run beside; -1: it has none
  std::string words, tip;
  Colour colour = 0;
  bool chosen = false;
};

std::vector<Row> rows_of(RequestSheet& s) {
  std::vector<Row> rows;
  const Run& run = s.run();
  for (const WarpRequest* q : requests_at(run, s.scene.here.cursor, s.space)) {
    Row r;
    r.number = number_of(*q);
    r.line = q->line;
    r.used = answers(*q);
    r.ideal = fewest(*q);
    r.words = say("line {}  warp {}  {}", q->line, q->warp, request_name(run, *q));
    r.tip = s.space == Space::shared ? say("{} wavefronts where {} would be the fewest.", r.used, r.ideal)
                                     : say("{} sectors where {} would be the fewest.", r.used, r.ideal);
    if (q->occurrence)
      r.tip += std::string(
          say(" Again: the line asks once more, for another operand or in another round of its loop."));
    r.colour = role(s.t, q->op);
    r.chosen = !s.copy && q == s.request;
    if (s.scene.beside) {
      const Looked& there = *s.scene.beside;
      if (const WarpRequest* o = same_request(run, s.scene.here.cursor, *q, *there.run, there.cursor))
        r.beside = answers(*o);
    }
    rows.push_back(std::move(r));
  }
  for (const EngineCopy& c : s.copies) {
    Row r;
    r.number = c.node;
    r.line = c.line;
    r.used = r.ideal = c.sectors;
    r.words = say("line {}  thread {}  bulk copy {} to {}", c.line, c.thread,
                  name_of_array(run, c.launch, c.from.array), name_of_array(run, c.launch, c.to.array));
    r.tip = say("The copy engine moves {} bytes by itself; no lane waits for them here.", c.bytes);
    r.colour = s.t.thread;
    r.chosen = &c == s.copy;
    rows.push_back(std::move(r));
  }
  return rows;
}

float list(RequestSheet& s, Box room) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const float label = s.label(), pitch = std::min(label * 1.75f, t.px(34));
  const std::vector<Row> rows = rows_of(s);
  const bool pair = s.scene.beside.has_value();
  // what the two numbers are, and, where the list is a window, of what
  if (const float head = s.small() * 1.5f; !rows.empty() && head + pitch <= room.h) {
    pen.text({room.right(), room.y + head / 2},
             std::string(pair ? say("no padding / padded") : say("taken / fewest")), s.small(), t.ink2,
             Font::text, Align::right);
    room.y += head, room.h -= head;
  }
  size_t fit = size_t(std::max(1.0f, room.h / pitch));
  const bool cut = rows.size() > fit && fit > 1;
  if (cut) --fit;
  // a window of the list around the chosen one
  size_t first = 0;
  const auto at =
      std::find_if(rows.begin(), rows.end(), [](const Row& r) { return r.chosen; }) - rows.begin();
  if (rows.size() > fit) first = std::min(size_t(std::max<long>(0, at - long(fit) / 2)), rows.size() - fit);
  int most = 1;
  float names = 0;
  for (const Row& r : rows) {
    most = std::max(most, r.used);
    names = std::max(names, pen.width(r.words, label, Font::text_bold));
  }
  const float numbers = pen.width(grouped(most) + " / " + grouped(most), label, Font::mono_bold) + t.px(10);
  names = std::min(names + t.px(18), room.w * 0.62f);
  for (size_t k = first; k < std::min(first + fit, rows.size()); ++k) {
    const Row& r = rows[k];
    const Box row{room.x - t.px(6), room.y + float(k - first) * pitch, room.w + t.px(12), pitch};
    if (r.chosen) {
      pen.rect(row, t.selected, 0, 1, t.px(4));
      pen.rect({row.x, row.y, t.px(4), row.h}, t.dark() ? t.changed : t.ink);
    }
    const float cy = row.centre().y;
    const Font font = r.chosen ? Font::text_bold : Font::text;
    name_in(pen, {room.x + t.px(4), row.y, names - t.px(10), pitch}, r.words, label,
            t.projector() ? label : label * 0.8f, r.chosen ? t.ink : t.ink2, font);
    // one block an answer, those beyond the ideal in the conflict's colour
    const float strip = room.w - names - numbers, size = std::min(pitch * 0.5f, t.px(14));
    const float block = std::min(strip / float(most), t.px(20));
    const auto run_of = [&](int from, int to, Colour c) {
      if (block >= t.px(4))
        for (int w = from; w < to; ++w)
          pen.rect({room.x + names + float(w) * block, cy - size / 2, block - t.px(2), size}, c, 0, 1,
                   block > t.px(6) ? t.px(2) : 0);
      else if (to > from)
        pen.rect({room.x + names + float(from) * block, cy - size / 2, float(to - from) * block, size}, c);
    };
    run_of(0, std::min(r.used, r.ideal), r.colour);
    run_of(r.ideal, r.used, t.conflict);
    const std::string second = !pair ? grouped(r.ideal) : r.beside < 0 ? "-" : grouped(r.beside);
    pen.text({room.right(), cy}, grouped(r.used) + " / " + second, label, t.ink, Font::mono_bold,
             Align::right);
    pen.hit({.what = Hit::line,
             .box = row,
             .a = r.number,
             .b = r.line,
             .tip = r.tip,
             .name = "request " + std::to_string(r.number),
             .press = [of = s.scene.of, number = r.number](State& to, float) {
               of(to).request = number;
               to.cursor.substep = -1;
               to.cursor.line = 0;  // its lines are requests, not source lines
             }});
  }
  float end = room.y + float(std::min(fit, rows.size())) * pitch;
  if (cut) {
    const size_t last = std::min(first + fit, rows.size());
    pen.text({room.x + t.px(4), end + pitch / 2},
             first_fit(pen,
                       {say("requests {} to {} of {}: {} more", first + 1, last, rows.size(),
                            rows.size() - (last - first)),
                        say("{} more requests", rows.size() - (last - first))},
                       room.w, label),
             label, t.ink2);
    end += pitch;
  }
  return end;
}

}  // namespace

void request_panel(RequestSheet& s, Box outer, const std::vector<std::vector<Words>>& reasons) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), head = std::max(s.title() * 1.5f, label * 2), middle = in.y + head / 2;
  const float right = in.right() - switch_width(s);
  switch_of(s, in.right(), middle);
  const Box words = pen.text(
      {in.x, middle},
      first_fit(pen,
                {std::string(s.scene.pattern ? say("Access pattern") : say("Requests of this interval")),
                 std::string(s.scene.pattern ? say("Pattern") : say("Requests"))},
                right - in.x - t.px(10), s.title(), Font::text_bold),
      s.title(), t.ink, Font::text_bold);
  if (!s.scene.pattern) {
    long ideal = 0;
    const long all = used_and_moved(s, size_t(step_of(s.run(), s.scene.here.cursor)), ideal);
    std::string sum = say("{}, ideal {}", unit(s.space, all), grouped(ideal)), beside = grouped(ideal);
    if (s.scene.beside) {
      const Looked& there = *s.scene.beside;
      beside = grouped(used_by(*there.run, size_t(step_of(*there.run, there.cursor)), s.space));
      sum = say("{} against {} padded", unit(s.space, all), beside);
    }
    if (all)
      pen.text({words.right() + t.px(14), middle},
               first_fit(pen, {sum, grouped(all) + " / " + beside}, right - words.right() - t.px(28), label),
               label, t.ink2);
  }
  // what the sentence needs is kept for it; the list has the rest
  float size = s.why();
  const float y0 = in.y + head + t.px(6);
  const float least = s.scene.pattern ? 2 * slider_height(t) + t.px(14) : label * 1.75f;
  const float most_room = in.bottom() - y0 - least - t.px(16);
  const auto needed = [&](const std::vector<Words>& words, float of) {
    Picture measure;
    Pen trial(measure, pen.metrics());
    return paragraph(trial, words, {0, 0, in.w, 1e6f}, of);
  };
  std::vector<Words> reason;
  for (const auto& words : reasons)
    if (needed(reason = words, label) <= most_room) break;
  while (size > label && needed(reason, size) > most_room) size -= t.px(0.5f);
  size = std::max(size, label);
  const float why_room = std::min(needed(reason, size), most_room);
  const Box room{in.x, y0, in.w, in.bottom() - y0 - why_room - t.px(16)};
  const float end = s.scene.pattern ? sliders(s, room) : list(s, room);
  const float line = std::min(end + t.px(8), in.bottom() - why_room - t.px(8));
  pen.line({in.x, line}, {in.right(), line}, t.line, std::max(1.0f, t.px(1)));
  paragraph(pen, reason, {in.x, line + t.px(6), in.w, in.bottom() - line - t.px(6) + 1}, size);
}

std::vector<std::vector<Words>> shorter_and_shorter(std::vector<Words> full, std::vector<Words> alone) {
  std::vector<Words> bold;
  std::ranges::copy_if(alone, std::back_inserter(bold),
                       [](const Words& w) { return w.font == Font::text_bold; });
  return {std::move(full), std::move(alone), std::move(bold)};
}

void totals_panel(RequestSheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), small = s.small(), head = s.title() * 1.5f, middle = in.y + head / 2;
  const bool shared = s.space == Space::shared, pair = s.scene.beside.has_value();
  const std::vector<Bar> bars = bars_of(s);
  long most = 1, engine = 0;
  for (const Bar& b : bars) {
    most = std::max({most, b.used + b.engine, b.beside});
    engine += b.engine;
  }
  std::string sum, brief;
  // the bars are of one block: of how many the sum is
  long blocks = 0;
  for (const Launch& l : s.run().trace.launches) blocks += l.grid;
  const std::string run_of = blocks == 1 ? say("whole run") : say("whole run, {} blocks", grouped(blocks));
  const auto whole = [&](const Run& run, const std::optional<RequestSums>& known) {
    return known ? *known : request_sums(run);
  };
  if (s.scene.waits != RequestScene::there) {
    sum = s.scene.waits == RequestScene::counting ? say("whole run: being counted")
                                                  : say("the padded twin is being run");
    brief = "...";
  } else {
    const RequestSums all = whole(s.run(), s.scene.whole);
    const RequestTotals& of = all.of_warps;
    const long used = shared ? of.shared_wavefronts : of.global_sectors + all.engine,
               ideal = shared ? of.shared_wavefronts_ideal : of.global_sectors_ideal + all.engine;
    brief = grouped(used) + " / " + grouped(ideal);
    if (pair) {
      const RequestTotals other = whole(*s.scene.beside->run, s.scene.whole_beside).of_warps;
      const long beside = shared ? other.shared_wavefronts : other.global_sectors;
      sum = say("{}: {} against {}", run_of, grouped(used), grouped(beside));
      brief = grouped(used) + " / " + grouped(beside);
    } else if (shared || !all.engine) {
      sum =
          say("{}: {}, ideal {}, {} too many", run_of, grouped(used), grouped(ideal), grouped(used - ideal));
    } else {
      sum = say("{}: {}, {} of them by the copy engine, {} too many", run_of, grouped(used),
                grouped(all.engine), grouped(used - ideal));
    }
  }
  const int block = s.scene.here.cursor.block;
  const Box name =
      pen.text({in.x, middle},
               first_fit(pen,
                         {shared ? say("Wavefronts of each interval, block {}", block)
                                 : say("Sectors of each interval, block {}", block),
                          std::string(shared ? say("Wavefronts by interval") : say("Sectors by interval")),
                          std::string(shared ? say("Wavefronts") : say("Sectors"))},
                         in.w * 0.55f, s.title(), Font::text_bold),
               s.title(), t.ink, Font::text_bold);
  const Box sum_box =
      pen.text({in.right(), middle},
               first_fit(pen, {sum, brief}, in.right() - name.right() - t.px(12), label, Font::text_bold),
               label, t.ink, Font::text_bold, Align::right);
  // what the colours mean: beside the title if there is room, else above the bars
  struct Key {
    Colour colour;
    std::string words;
  };
  std::vector<Key> keys;
  if (pair) {
    keys.push_back({t.conflict, say("no padding")});
    keys.push_back({t.read, say("padded")});
  } else {
    keys.push_back({t.read, say("ideal")});
    keys.push_back({t.conflict, std::string(shared ? say("conflicts") : say("too many"))});
    if (engine) keys.push_back({t.thread, say("copy engine")});
  }
  const float mark = label * 0.8f;
  float wide = 0;
  for (const Key& k : keys) wide += mark + t.px(6) + pen.width(k.words, label) + t.px(22);
  const auto draw_keys = [&](float x, float y) {
    for (const Key& k : keys) {
      pen.rect({x, y - mark / 2, mark, mark}, k.colour, 0, 1, t.px(2));
      x = pen.text({x + mark + t.px(6), y}, k.words, label, t.ink2).right() + t.px(22);
    }
  };
  float above = 0;
  if (sum_box.x - name.right() > wide + t.px(24))
    draw_keys(name.right() + t.px(28), middle);
  else if (wide < in.w && in.h > head + label * 7) {
    draw_keys(in.x, in.y + head + label * 0.7f);
    above = label * 1.5f;
  }
  if (bars.empty()) return;
  const float scale_width = pen.width(grouped(most), small, Font::mono) + t.px(10);
  const float top = in.y + head + above + small * 1.4f;
  const Box plot{in.x + scale_width, top, in.w - scale_width, in.bottom() - top - small * 1.7f};
  if (plot.h < t.px(20)) return;
  const auto y = [&](double v) { return plot.bottom() - float(v / double(most)) * plot.h; };
  const long step = nice_step(most, std::max(1, int(plot.h / (small * 2.4f))));
  for (long at = 0; at <= most; at += step) {
    pen.line({plot.x, y(double(at))}, {plot.right(), y(double(at))}, t.line, std::max(1.0f, t.px(1)));
    pen.text({plot.x - t.px(6), y(double(at))}, grouped(at), small, t.ink2, Font::mono, Align::right);
  }
  const float pitch = std::min(plot.w / float(bars.size()), t.px(240));
  const float width = std::min(pitch * (pair ? 0.36f : 0.62f), t.px(pair ? 30 : 46));
  const float begin = plot.x + (plot.w - pitch * float(bars.size())) / 2;  // a few stand in the middle
  const int now = step_of(s.run(), s.scene.here.cursor);
  const bool numbers = pen.width(grouped(most), small, Font::mono) < (pair ? width + t.px(2) : pitch * 0.95f);
  float named_until = -1e9f;
  for (size_t k = 0; k < bars.size(); ++k) {
    const Bar& b = bars[k];
    const float cx = begin + (float(k) + 0.5f) * pitch;
    const bool current = b.step == now;
    if (current)
      pen.rect({cx - pitch / 2, plot.y - small * 1.4f, pitch, in.bottom() - plot.y + small * 1.4f},
               t.selected, 0, 1, t.px(4));
    const auto bar = [&](float x, long from, long to, Colour c) {
      if (to > from) pen.rect({x, y(double(to)), width, y(double(from)) - y(double(to))}, c);
    };
    const auto value = [&](float x, long v) {
      if (numbers && v)
        pen.text({x, y(double(v)) - small * 0.75f}, grouped(v), small, t.ink, Font::mono, Align::centre);
    };
    if (pair) {
      const float gap = std::max(1.0f, t.px(1));
      bar(cx - width - gap, 0, b.used, keys[0].colour);
      bar(cx + gap, 0, b.beside, keys[1].colour);
      value(cx - width / 2 - gap, b.used);
      value(cx + width / 2 + gap, b.beside);
    } else {
      bar(cx - width / 2, 0, std::min(b.ideal, b.used), t.read);
      bar(cx - width / 2, b.ideal, b.used, t.conflict);
      bar(cx - width / 2, b.used, b.used + b.engine, t.thread);
      value(cx, b.used + b.engine);
    }
    // a phase is named under its first interval that has room
    const bool fresh = k == 0 || bars[k - 1].phase != b.phase;
    const std::string index = std::to_string(step_number(b.index));
    const std::string words = fresh ? first_fit(pen, {b.phase, index}, pitch * 0.95f, small) : index;
    const Font font = current ? Font::text_bold : Font::text;
    const float half = pen.width(words, small, font) / 2;
    if (!words.empty() && cx - half > named_until + small * 0.5f && cx + half < in.right() + t.px(4)) {
      pen.text({cx, plot.bottom() + small * 0.95f}, words, small, current ? t.ink : t.ink2, font,
               Align::centre);
      named_until = cx + half;
    }
    std::string tip = say("{}: {}, {} at best.", b.phase, unit(s.space, b.used), grouped(b.ideal));
    if (b.engine) tip += " " + say("The copy engine moves {} more.", unit(s.space, b.engine));
    if (pair) tip += " " + say("Beside: {}.", grouped(b.beside));
    pen.hit({.what = Hit::interval,
             .box = {cx - pitch / 2, plot.y, pitch, in.bottom() - plot.y},
             .a = b.step,
             .tip = tip,
             .name = "interval " + std::to_string(b.step),
             .press = [step = b.step](State& to, float) { to = to_step(std::move(to), step); }});
  }
}

void sweep_panel(RequestSheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), small = s.small(), head = s.title() * 1.5f, middle = in.y + head / 2;
  const bool shared = s.space == Space::shared, pair = !s.scene.sweep_beside.empty();
  const Box name =
      pen.text({in.x, middle},
               first_fit(pen,
                         {std::string(shared ? say("Wavefronts of this read, at every stride")
                                             : say("Sectors of this read, at every stride")),
                          std::string(shared ? say("Wavefronts by stride") : say("Sectors by stride"))},
                         in.w * 0.6f, s.title(), Font::text_bold),
               s.title(), t.ink, Font::text_bold);
  struct Key {
    Colour colour;
    std::string words;
  };
  const std::vector<Key> keys =
      pair ? std::vector<Key>{{t.conflict, say("no padding")}, {t.read, say("padded")}}
           : std::vector<Key>{{t.read, say("real runs of the kernel")}};
  float wide = 0;
  for (const Key& k : keys) wide += label * 0.8f + t.px(28) + pen.width(k.words, label);
  if (in.right() - name.right() > wide) {
    float x = in.right() - wide + t.px(22);
    for (const Key& k : keys) {
      const float mark = label * 0.8f;
      pen.rect({x, middle - mark / 2, mark, mark}, k.colour, 0, 1, t.px(2));
      x = pen.text({x + mark + t.px(6), middle}, k.words, label, t.ink2).right() + t.px(22);
    }
  }
  const size_t n = s.scene.sweep.size();
  if (n == 0) return;
  int most = 1;
  for (int v : s.scene.sweep) most = std::max(most, v);
  for (int v : s.scene.sweep_beside) most = std::max(most, v);
  const float scale_width = pen.width(grouped(most), small, Font::mono) + t.px(10);
  const float top = in.y + head + small * 1.2f;
  const Box plot{in.x + scale_width, top, in.w - scale_width, in.bottom() - top - small * 1.7f};
  if (plot.h < t.px(20)) return;
  const auto y = [&](double v) { return plot.bottom() - float(v / double(most)) * plot.h; };
  const long step = nice_step(most, std::max(1, int(plot.h / (small * 2.4f))));
  const float pitch = plot.w / float(n);
  const int now = s.scene.pattern ? s.scene.pattern->stride : -1;
  if (now >= 0 && now < int(n))
    pen.rect({plot.x + float(now) * pitch, plot.y, pitch, in.bottom() - plot.y}, t.selected, 0, 1, t.px(2));
  for (long at = 0; at <= most; at += step) {
    pen.line({plot.x, y(double(at))}, {plot.right(), y(double(at))}, t.line, std::max(1.0f, t.px(1)));
    pen.text({plot.x - t.px(6), y(double(at))}, grouped(at), small, t.ink2, Font::mono, Align::right);
  }
  const float width = pitch * (pair ? 0.4f : 0.66f);
  const float every = pen.width("64", small, Font::mono_bold) + t.px(6);
  const int named = every < pitch ? 1 : every < 4 * pitch ? 4 : 8;
  for (size_t k = 0; k < n; ++k) {
    const float cx = plot.x + (float(k) + 0.5f) * pitch;
    const auto bar = [&](float x, int v, Colour c) {
      if (v) pen.rect({x, y(v), width, plot.bottom() - y(v)}, c);
    };
    bar(pair ? cx - width : cx - width / 2, s.scene.sweep[k], keys[0].colour);
    if (pair) bar(cx, s.scene.sweep_beside[k], keys[1].colour);
    const bool here = int(k) == now, neighbour = std::abs(int(k) - now) * pitch < every && !here;
    if (here || (int(k) % named == 0 && !neighbour))
      pen.text({std::clamp(cx, in.x + every / 2, in.right() - every / 2), plot.bottom() + small * 0.95f},
               std::to_string(k), small, here ? t.ink : t.ink2, here ? Font::mono_bold : Font::mono,
               Align::centre);
    press(pen, t,
          {.what = Hit::button,
           .box = {plot.x + float(k) * pitch, plot.y, pitch, in.bottom() - plot.y},
           .a = int(k),
           .tip = pair ? say("Stride {}: {} without padding, {} with it.", k, unit(s.space, s.scene.sweep[k]),
                             s.scene.sweep_beside[k])
                       : say("Stride {}: {}.", k, unit(s.space, s.scene.sweep[k])),
           .name = "stride " + std::to_string(k),
           .press = [of = s.scene.of, k](State& to, float) { of(to).pattern.stride = int(k); }});
  }
}

void nothing_panel(RequestSheet& s, Box outer, const std::string& what, const std::string& instead) {
  const Theme& t = s.t;
  const Box in = panel(s.pen, t, outer);
  switch_of(s, in.right(), in.y + s.label());
  const Box room{in.x + in.w * 0.12f, in.y + in.h * 0.28f, in.w * 0.76f, in.h * 0.7f};
  const float y = paragraph(s.pen, {{what, t.ink, Font::text_bold}}, room, t.px(t.size_why));
  paragraph(s.pen, {{instead, t.ink2}}, {room.x, y + t.px(8), room.w, room.bottom() - y}, s.label());
}

}  // namespace bscope
