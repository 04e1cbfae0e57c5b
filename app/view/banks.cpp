#include "app/view/banks.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/view/chart.hpp"

namespace bscope {
namespace {

std::string array_name(const Run& run, const WarpRequest& q) {
  return run.trace.array(run.trace.launches[size_t(q.launch)], q.array).name;
}

const char* verb(Op op) {
  return op == Op::load ? "load" : op == Op::store ? "store" : is_atomic(op) ? "atomic" : "access";
}

/// "load sum" with the occurrence where a loop comes by more than once in an interval.
std::string request_name(const Run& run, const WarpRequest& q) {
  std::string s = std::string(verb(q.op)) + " " + array_name(run, q);
  return q.occurrence ? s + ", time " + std::to_string(q.occurrence + 1) : s;
}

std::string source_line(const Run& run, const WarpRequest& q) {
  const Launch& launch = run.trace.launches[size_t(q.launch)];
  if (launch.source < 0 || launch.source >= int(run.trace.sources.size())) return {};
  const std::string& text = run.trace.sources[size_t(launch.source)].text;
  size_t begin = 0;
  for (int l = 1; l < q.line; ++l) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  const size_t end = std::min(text.find('\n', begin), text.size());
  const size_t first = std::min(text.find_first_not_of(" \t", begin), end);
  return text.substr(first, end - first);
}

struct Sheet {
  Pen& pen;
  const Theme& t;
  const Run& run;
  const Cursor& cursor;
  std::vector<const WarpRequest*> requests;  ///< of the interval, to shared memory
  const WarpRequest* chosen = nullptr;
  float label() const { return t.px(t.size_label); }
  float small() const { return t.px(t.size_index); }
  float title() const { return t.px(t.size_title); }
  const WarpRequest& request() const { return *chosen; }
  Colour role(const WarpRequest& q) const {
    return q.op == Op::load ? t.read : is_atomic(q.op) ? t.atomic : t.write;
  }
};

std::string wavefronts(int n) { return counted(n, "wavefront"); }

void lanes_to_banks(Sheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), small = s.small(), head = s.title() * 1.6f;
  const WarpRequest& q = s.request();
  const std::vector<BankSlot> slots = bank_slots(q);
  const bool conflict = q.wavefronts > q.ideal;

  // heading: who asks, the source, the answer
  const std::string number = std::to_string(q.wavefronts),
                    noun = q.wavefronts == 1 ? "wavefront" : "wavefronts";
  const float big = t.px(t.projector() ? t.size_changed : 24);
  const Box noun_box =
      pen.text({in.right(), in.y + head / 2}, noun, s.title(), t.ink, Font::text, Align::right);
  const Box number_box = pen.text({noun_box.x - t.px(8), in.y + head / 2}, number, big,
                                  conflict ? t.conflict : s.role(q), Font::mono_bold, Align::right);
  const Box heading =
      pen.text({in.x, in.y + head / 2}, "Warp " + std::to_string(q.warp) + ", " + request_name(s.run, q),
               s.title(), t.ink, Font::text_bold);
  const float code = t.px(t.size_code), room = number_box.x - heading.right() - t.px(32);
  if (room > t.px(80))
    pen.text({heading.right() + t.px(16), in.y + head / 2},
             pen.fitted(source_line(s.run, q), room, code, Font::mono), code, t.ink2, Font::mono);

  const float names = std::max(pen.width("lanes", label), pen.width("banks", label)) + t.px(14);
  const float cell = std::min((in.w - names) / bank_count, t.px(40)), chip = cell * 0.88f,
              tall = std::min(chip, t.px(26));
  const auto x = [&](int k) { return in.x + names + (float(k) + 0.5f) * cell; };
  const float lanes_y = in.y + head + t.px(6) + tall / 2;
  // chips' numbers in a size that holds two digits; where that is under what can be read, every fourth alone
  const float digits = std::min(small, chip / pen.width("00", 1, Font::mono_bold) * 0.92f);
  const bool all_numbers = digits >= t.px(t.projector() ? 22 : 9);
  const auto text_on = [&](int k, float y, Colour c) {
    if (all_numbers) pen.text({x(k), y}, std::to_string(k), digits, c, Font::mono_bold, Align::centre);
  };
  const auto outside = [&](float y) {
    if (all_numbers) return;
    for (int k = 0; k < bank_count; k += 4)
      pen.text({x(k), y}, std::to_string(k), small, t.ink2, Font::mono, Align::centre);
  };
  float y = lanes_y;
  if (!all_numbers) {
    outside(lanes_y - tall / 2 + small * 0.5f);
    y += small * 1.4f;
  }
  std::vector<bool> active(bank_count);
  for (const auto& lane : q.lanes)
    if (lane.lane < bank_count) active[size_t(lane.lane)] = true;
  pen.text({in.x, y}, "lanes", label, t.ink2);
  for (int k = 0; k < bank_count; ++k) {
    const Box b{x(k) - chip / 2, y - tall / 2, chip, tall};
    if (active[size_t(k)]) {
      pen.rect(b, t.thread, 0, 1, t.px(3));
      text_on(k, y, t.on(t.thread));
    } else {
      pen.rect(b, 0, mix(t.idle, t.panel, 0.6f), 1, t.px(3));
      pen.hatch(b, mix(t.idle, t.panel, 0.4f), t.px(6));
    }
  }
  const int rows = std::max(1, q.wavefronts);
  const float used_room = label * 1.8f;
  const float from_y = y + tall / 2;
  // few wavefronts leave the lines more room to fall
  const float spare = in.bottom() - from_y - tall - t.px(8) - used_room - float(rows) * t.px(26);
  const float fall = std::clamp(spare, std::min(t.px(80), in.h * 0.15f), in.h * 0.45f), to_y = from_y + fall;
  const float banks_y = to_y + tall / 2;
  for (const BankSlot& slot : slots)
    for (int lane : slot.lanes) {
      const Colour c = slot.excess ? t.conflict : s.role(q);
      pen.curve({x(lane), from_y}, {x(lane), from_y + fall * 0.55f}, {x(slot.bank), to_y - fall * 0.55f},
                {x(slot.bank), to_y}, c, std::max(1.0f, t.px(1.5f)));
    }
  int words_in[bank_count] = {};
  for (const BankSlot& slot : slots) ++words_in[slot.bank];
  std::vector<bool> crowded(bank_count);
  for (const BankSlot& slot : slots)
    if (slot.excess) crowded[size_t(slot.bank)] = true;
  pen.text({in.x, banks_y}, "banks", label, t.ink2);
  for (int k = 0; k < bank_count; ++k) {
    const Box b{x(k) - chip / 2, banks_y - tall / 2, chip, tall};
    const Colour fill = crowded[size_t(k)] ? t.conflict : words_in[k] ? s.role(q) : t.cell;
    pen.rect(b, fill, words_in[k] ? 0 : t.line, 1, t.px(3));
    text_on(k, banks_y, words_in[k] ? t.on(fill) : t.ink2);
  }

  // wavefronts hang below the banks
  const float top = banks_y + tall / 2 + t.px(8), bottom = in.bottom() - used_room;
  const float pitch = std::min((bottom - top) / float(rows), t.px(26));
  const float gap = pitch > 5 ? std::max(1.0f, pitch * 0.14f) : 0;
  if (pitch >= 4)
    for (int r = 0; r < rows; ++r)
      for (int k = 0; k < bank_count; ++k)
        pen.rect({x(k) - chip / 2, top + float(r) * pitch + gap / 2, chip, pitch - gap}, 0,
                 mix(t.line, t.panel, 0.7f), 1, t.px(2));
  for (const BankSlot& slot : slots)
    pen.rect({x(slot.bank) - chip / 2, top + float(slot.wavefront) * pitch + gap / 2, chip, pitch - gap},
             slot.excess ? t.conflict : s.role(q), 0, 1, pitch > 5 ? t.px(2) : 0);
  const float ideal_y = top + float(q.ideal) * pitch;
  pen.line({in.x, ideal_y}, {in.right(), ideal_y}, t.barrier, std::max(1.0f, t.px(1.5f)), t.px(6));
  // numbers of wavefronts at the left: the ideal's, the last one, and some between
  float last = -1e9f;
  const std::string ideal_words =
      first_fit(pen, {"ideal " + std::to_string(q.ideal), std::to_string(q.ideal)}, names - t.px(4), small);
  const float ideal_text = ideal_y + small * 0.8f;
  pen.text({in.x, ideal_text}, ideal_words, small, t.ink, Font::text_bold);
  for (int r = 1; r <= rows; ++r) {
    const float ry = top + (float(r) - 0.5f) * pitch;
    const bool wanted = r == rows || r % std::max(1, rows / 4) == 0;
    if (!wanted || std::abs(ry - ideal_text) < small * 1.4f || ry - last < small * 1.4f || ry < ideal_y)
      continue;
    pen.text({in.x + names - t.px(10), ry}, std::to_string(r), small, t.ink2, Font::mono, Align::right);
    last = ry;
  }
  const int used = int(slots.size()), all = rows * bank_count;
  pen.text({in.x + names, std::max(top + float(rows) * pitch, ideal_text) + label * 1.1f},
           first_fit(pen,
                     {counted(used, "word") + " of " + grouped(all) +
                          " bank slots used: " + std::to_string(int(std::lround(100.0 * used / all))) +
                          "% of what shared memory could give meanwhile",
                      grouped(used) + " of " + grouped(all) + " bank slots used"},
                     in.w - names, label),
           label, t.ink);
}

/// Why so many wavefronts: from the addresses, in one sentence.
std::vector<Words> reason(const Sheet& s) {
  const Theme& t = s.t;
  const WarpRequest& q = s.request();
  const auto slots = bank_slots(q);
  std::map<int, int> words_in;
  for (const BankSlot& slot : slots) ++words_in[slot.bank];
  const auto worst = std::max_element(words_in.begin(), words_in.end(),
                                      [](auto& a, auto& b) { return a.second < b.second; });
  std::vector<Words> out;
  if (q.lanes.size() >= 2 && q.lanes[0].bytes == bank_bytes) {
    const long step = (long(q.lanes[1].address) - long(q.lanes[0].address)) / bank_bytes /
                      (q.lanes[1].lane - q.lanes[0].lane);
    bool even = true;
    for (size_t k = 1; k < q.lanes.size(); ++k)
      even = even && long(q.lanes[k].address) - long(q.lanes[0].address) ==
                         step * bank_bytes * (q.lanes[k].lane - q.lanes[0].lane);
    if (even && step != 0) {
      const long start = long(q.lanes[0].address) / bank_bytes - step * q.lanes[0].lane;
      const std::string t_part = step == 1 ? "t" : std::to_string(step) + "t";
      out.push_back({"Lane t asks for word", t.ink});
      out.push_back(
          {" " + t_part + (start ? (start > 0 ? " + " : " - ") + std::to_string(std::labs(start)) : ""),
           t.ink, Font::mono_bold});
      out.push_back({", in bank", t.ink});
      out.push_back({" (" + t_part +
                         (start ? (start > 0 ? " + " : " - ") + std::to_string(std::labs(start)) : "") +
                         ") mod 32",
                     q.wavefronts > q.ideal ? t.conflict : s.role(q), Font::mono_bold});
      out.push_back({".", t.ink});
    }
  }
  if (q.wavefronts > q.ideal && worst != words_in.end()) {
    out.push_back({(out.empty() ? "" : " ") + std::string("Bank ") + std::to_string(worst->first) +
                       " holds " + std::to_string(worst->second) + " of the " +
                       std::to_string(int(slots.size())) + " words asked for, and hands out one a wavefront:",
                   t.ink});
    out.push_back({" " + std::to_string(q.wavefronts) + " instead of " + std::to_string(q.ideal) + ".",
                   t.conflict, Font::text_bold});
  } else {
    out.push_back(
        {(out.empty() ? "" : " ") +
             std::string(
                 "No bank is asked for more words than it must be: the fewest wavefronts there can be."),
         t.ink});
  }
  return out;
}

/// What a request is known by: the node of its first lane's access.
int number_of(const WarpRequest& q) { return q.lanes.front().node; }
std::vector<const WarpRequest*> requests_at(const Run& run, const Cursor& c) {
  std::vector<const WarpRequest*> all;
  for (const WarpRequest& q : run.report.requests_of(size_t(step_of(run, c))))
    if (q.shared()) all.push_back(&q);
  return all;
}

void request_list(Sheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), head = s.title() * 1.5f;
  const Interval& interval = interval_at(s.run, s.cursor);
  long all = 0, ideal = 0;
  for (const WarpRequest* q : s.requests) all += q->wavefronts, ideal += q->ideal;
  const Box heading =
      pen.text({in.x, in.y + head / 2}, "Requests of this interval", s.title(), t.ink, Font::text_bold);
  pen.text({in.right(), in.y + head / 2},
           first_fit(pen,
                     {interval.phase + ": " + grouped(all) + " wavefronts, ideal " + grouped(ideal),
                      grouped(all) + ", ideal " + grouped(ideal)},
                     in.right() - heading.right() - t.px(14), label),
           label, t.ink2, Font::text, Align::right);
  const float y0 = in.y + head + t.px(4);
  const float why = t.px(t.size_why) * (t.projector() ? 0.72f : 1);
  const float why_room = why * 1.35f * (t.projector() ? 6 : 5);
  const float list_bottom = in.bottom() - why_room - t.px(14);
  const float pitch = std::min(label * 1.75f, t.px(34));
  const size_t fit = size_t(std::max(1.0f, (list_bottom - y0) / pitch));
  // a window of the list around the chosen one
  size_t first = 0;
  const auto at = std::find(s.requests.begin(), s.requests.end(), s.chosen) - s.requests.begin();
  if (s.requests.size() > fit)
    first = std::min(size_t(std::max<long>(0, at - long(fit) / 2)), s.requests.size() - fit);
  int most = 1;
  float names = 0;
  for (const WarpRequest* q : s.requests) {
    most = std::max(most, q->wavefronts);
    names = std::max(
        names,
        pen.width("line 000  warp " + std::to_string(q->warp) + "  " + request_name(s.run, *q), label));
  }
  const float number_room = pen.width("00 / 0", label, Font::mono_bold) + t.px(10);
  names = std::min(names + t.px(14), in.w * 0.62f);
  for (size_t k = first; k < std::min(first + fit, s.requests.size()); ++k) {
    const WarpRequest& q = *s.requests[k];
    const Box row{in.x - t.px(6), y0 + float(k - first) * pitch, in.w + t.px(12), pitch};
    const bool chosen = s.requests[k] == s.chosen;
    if (chosen) {
      pen.rect(row, t.selected, 0, 1, t.px(4));
      pen.rect({row.x, row.y, t.px(4), row.h}, t.dark() ? t.changed : t.ink);
    }
    const float cy = row.centre().y;
    const std::string words =
        "line " + std::to_string(q.line) + "  warp " + std::to_string(q.warp) + "  " + request_name(s.run, q);
    pen.text({in.x + t.px(4), cy},
             pen.fitted(words, names - t.px(10), label, chosen ? Font::text_bold : Font::text), label,
             chosen ? t.ink : t.ink2, chosen ? Font::text_bold : Font::text);
    // one block a wavefront, extras in the conflict's colour
    const float strip = in.w - names - number_room, block = std::min(strip / float(most), t.px(20));
    const float size = std::min(pitch * 0.5f, t.px(14));
    for (int w = 0; w < q.wavefronts; ++w)
      pen.rect(
          {in.x + names + float(w) * block, cy - size / 2, std::max(block * 0.8f, block - t.px(2)), size},
          w < q.ideal ? s.role(q) : t.conflict, 0, 1, block > 4 ? t.px(2) : 0);
    pen.text({in.right(), cy}, std::to_string(q.wavefronts) + " / " + std::to_string(q.ideal), label, t.ink,
             Font::mono_bold, Align::right);
    pen.hit({.what = Hit::line,
             .box = row,
             .a = number_of(q),
             .b = q.line,
             .tip = wavefronts(q.wavefronts) + ", " + std::to_string(q.ideal) + " at best.",
             .name = "request " + std::to_string(number_of(q))});
  }
  const float list_end = y0 + float(std::min(fit, s.requests.size())) * pitch;
  const float line_y = std::min(list_end + t.px(18), in.bottom() - why_room - t.px(6));
  pen.line({in.x, line_y}, {in.right(), line_y}, t.line, std::max(1.0f, t.px(1)));
  const Box room{in.x, line_y + t.px(10), in.w, in.bottom() - line_y - t.px(10)};
  if (paragraph(pen, reason(s), room, why) == room.y) paragraph(pen, reason(s), room, label);
}

/// Wavefronts of each interval of the block (or, without shared memory, sectors), beside the ideal.
void totals(Sheet& s, Box outer, bool sectors) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), small = s.small(), head = s.title() * 1.5f;
  const Report& r = s.run.report;
  struct Bar {
    size_t step;
    long used, ideal;
    std::string phase;
  };
  std::vector<Bar> bars;
  long used = 0, ideal = 0, most = 1;
  for (const Interval& v : r.flow.of_block(s.cursor.launch, s.cursor.block)) {
    const auto k = size_t(&v - r.flow.intervals.data());
    Bar bar{k, 0, 0, v.phase};
    for (const WarpRequest& x : r.requests_of(k)) {
      bar.used += x.shared() ? (sectors ? 0 : x.wavefronts) : sectors ? x.sectors : 0;
      bar.ideal += x.shared() ? (sectors ? 0 : x.ideal) : sectors ? x.ideal_sectors : 0;
    }
    used += bar.used, ideal += bar.ideal, most = std::max(most, bar.used);
    bars.push_back(bar);
  }
  const std::string unit = sectors ? "sectors" : "wavefronts";
  const Box heading =
      pen.text({in.x, in.y + head / 2},
               first_fit(pen,
                         {(sectors ? "Sectors" : "Wavefronts") + std::string(" of each interval, block ") +
                              std::to_string(s.cursor.block),
                          (sectors ? "Sectors" : "Wavefronts") + std::string(" by interval")},
                         in.w * 0.6f, s.title(), Font::text_bold),
               s.title(), t.ink, Font::text_bold);
  const std::string sum = "total " + grouped(used) + ", ideal " + grouped(ideal);
  const Box sum_box = pen.text({in.right(), in.y + head / 2},
                               first_fit(pen, {sum, grouped(used) + " / " + grouped(ideal)},
                                         in.right() - heading.right() - t.px(12), label, Font::text_bold),
                               label, t.ink, Font::text_bold, Align::right);
  // legend between them if it fits
  const float mark = label * 0.8f;
  const std::string legend[] = {"ideal", "conflicts"};
  const float wide =
      pen.width(legend[0], label) + pen.width(sectors ? "beyond" : legend[1], label) + 2 * mark + t.px(60);
  if (sum_box.x - heading.right() > wide + t.px(40)) {
    float x = heading.right() + t.px(28);
    for (int k = 0; k < 2; ++k) {
      pen.rect({x, in.y + head / 2 - mark / 2, mark, mark}, k ? t.conflict : t.read, 0, 1, t.px(2));
      x = pen.text({x + mark + t.px(6), in.y + head / 2}, k && sectors ? "beyond" : legend[k], label, t.ink2)
              .right() +
          t.px(22);
    }
  }
  if (bars.empty()) return;
  const float scale_width = pen.width(grouped(most), small, Font::mono) + t.px(10);
  const Box plot{in.x + scale_width, in.y + head + small * 1.4f, in.w - scale_width,
                 in.h - head - small * 1.4f - small * 1.7f};
  if (plot.h < t.px(20)) return;
  const auto y = [&](double v) { return plot.bottom() - float(v / double(most)) * plot.h; };
  const long step = nice_step(most, std::max(1, int(plot.h / (small * 2.4f))));
  for (long at = 0; at <= most; at += step) {
    pen.line({plot.x, y(double(at))}, {plot.right(), y(double(at))}, t.line, std::max(1.0f, t.px(1)));
    pen.text({plot.x - t.px(6), y(double(at))}, grouped(at), small, t.ink2, Font::mono, Align::right);
  }
  const float pitch = plot.w / float(bars.size()), width = std::min(pitch * 0.62f, t.px(46));
  const int now = step_of(s.run, s.cursor);
  const bool numbers = pen.width(grouped(most), small, Font::mono) < pitch * 0.95f;
  float named_until = -1e9f;
  for (size_t k = 0; k < bars.size(); ++k) {
    const Bar& b = bars[k];
    const float cx = plot.x + (float(k) + 0.5f) * pitch;
    const bool current = int(b.step) == now;
    if (current)
      pen.rect({cx - pitch / 2, plot.y - small * 1.4f, pitch, in.bottom() - plot.y + small * 1.4f},
               t.selected, 0, 1, t.px(4));
    if (b.used) {
      pen.rect({cx - width / 2, y(double(b.ideal)), width, plot.bottom() - y(double(b.ideal))}, t.read);
      if (b.used > b.ideal)
        pen.rect({cx - width / 2, y(double(b.used)), width, y(double(b.ideal)) - y(double(b.used))},
                 t.conflict);
      if (numbers)
        pen.text({cx, y(double(b.used)) - small * 0.75f}, grouped(b.used), small, t.ink, Font::mono,
                 Align::centre);
    }
    // a phase is named under its first interval that has room
    const bool fresh = k == 0 || bars[k - 1].phase != b.phase;
    const std::string index = std::to_string(s.run.report.flow.intervals[b.step].index);
    const std::string name = fresh ? first_fit(pen, {b.phase, index}, pitch * 0.95f, small) : index;
    const float half = pen.width(name, small, current ? Font::text_bold : Font::text) / 2;
    if (!name.empty() && cx - half > named_until + t.px(4) && cx + half < in.right() + t.px(4)) {
      pen.text({cx, plot.bottom() + small * 0.95f}, name, small, current ? t.ink : t.ink2,
               current ? Font::text_bold : Font::text, Align::centre);
      named_until = cx + half;
    }
    pen.hit({.what = Hit::interval,
             .box = {cx - pitch / 2, plot.y, pitch, in.bottom() - plot.y},
             .a = int(b.step),
             .tip = b.phase + ": " + grouped(b.used) + " " + unit + ", " + grouped(b.ideal) + " at best.",
             .name = "interval " + std::to_string(b.step)});
  }
}

}  // namespace

std::vector<BankSlot> bank_slots(const WarpRequest& q) {
  int width = 0;
  for (const auto& lane : q.lanes) width = std::max(width, lane.bytes);
  const int group = width <= 4 ? 32 : width <= 8 ? 16 : 8;
  std::vector<BankSlot> all;
  int base = 0;
  for (size_t k = 0; k < q.lanes.size();) {
    const int pass = q.lanes[k].lane / group;
    std::map<uint32_t, std::vector<int>> words;
    for (; k < q.lanes.size() && q.lanes[k].lane / group == pass; ++k) {
      const auto& lane = q.lanes[k];
      const uint32_t last = (lane.address + uint32_t(std::max(1, lane.bytes)) - 1) / bank_bytes;
      for (uint32_t w = lane.address / bank_bytes; w <= last; ++w) words[w].push_back(lane.lane);
    }
    const int ideal = int((words.size() + bank_count - 1) / bank_count);
    int depth[bank_count] = {}, deepest = 0;
    for (auto& [word, lanes] : words) {
      const int bank = int(word % bank_count), row = depth[bank]++;
      deepest = std::max(deepest, row + 1);
      all.push_back({bank, base + row, word, std::move(lanes), row >= ideal});
    }
    base += deepest;
  }
  return all;
}

std::vector<int> shared_requests(const Run& run, const Cursor& c) {
  std::vector<int> all;
  if (steps(run) == 0) return all;
  for (const WarpRequest* q : requests_at(run, c)) all.push_back(number_of(*q));
  return all;
}

Picture banks_view(const Run& run, const Cursor& cursor, int request, const Theme& t, const Metrics& metrics,
                   float w, float h) {
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  pen.rect({0, 0, w, h}, t.window);
  if (steps(run) == 0) return picture;
  Sheet s{pen, t, run, cursor, requests_at(run, cursor)};
  for (const WarpRequest* q : s.requests)
    if (number_of(*q) == request) s.chosen = q;
  if (!s.chosen)
    for (const WarpRequest* q : s.requests)
      if (!s.chosen || q->wavefronts - q->ideal > s.chosen->wavefronts - s.chosen->ideal) s.chosen = q;
  const bool any_shared = std::any_of(run.trace.launches.begin(), run.trace.launches.end(),
                                      [](const Launch& l) { return !l.shared.empty(); });
  const float gap = t.px(8), upper = h * (s.chosen ? 0.64f : 0.34f),
              left = w * (t.projector() ? 0.56f : 0.55f);
  const Box a{0, 0, left, upper}, b{left + gap, 0, w - left - gap, upper};
  if (s.chosen) {
    lanes_to_banks(s, a);
    request_list(s, b);
  } else {
    const Box in = panel(pen, t, {0, 0, w, upper});
    const std::string phase = interval_at(run, cursor).phase;
    const float why = t.px(t.size_why);
    const Box room{in.x + in.w * 0.12f, in.y + in.h * 0.28f, in.w * 0.76f, in.h * 0.7f};
    const float y = paragraph(pen,
                              {{any_shared ? "Nobody touches shared memory in this interval (" + phase + ")."
                                           : "This kernel uses no shared memory, so no bank is asked.",
                                t.ink, Font::text_bold}},
                              room, why);
    paragraph(pen,
              {{any_shared ? "Step to another interval: the bars below show where the wavefronts are."
                           : "Banks belong to shared memory. What it asks of global memory is counted in "
                             "sectors of 32 bytes, below.",
                t.ink2}},
              {room.x, y + t.px(8), room.w, room.bottom() - y}, s.label());
  }
  totals(s, {0, upper + gap, w, h - upper - gap}, !any_shared);
  return picture;
}

}  // namespace bscope
