#include "app/tabs/memory/picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/words/counting.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// Bytes asked for and bytes moved, as two bars on one scale.
void moved_bars(RequestSheet& s, Box room, int asked, int moved, int most, float names, Colour own) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const float label = s.label(), high = std::min(room.h / 2, label * 1.9f), bar = high * 0.62f;
  struct Row {
    std::string name;
    int bytes;
  };
  const Row rows[] = {{say("asked"), asked}, {say("moved"), moved}};
  const float numbers = pen.width(say("{} bytes", grouped(most)), label, Font::mono_bold) + t.px(12);
  const float scale = (room.w - names - numbers) / float(std::max(1, most));
  for (int r = 0; r < 2; ++r) {
    const float y = room.y + (float(r) + 0.5f) * high, x = room.x + names;
    pen.text({room.x, y}, rows[r].name, label, t.ink2);
    pen.rect({x, y - bar / 2, float(std::min(asked, rows[r].bytes)) * scale, bar}, own, 0, 1, t.px(2));
    if (rows[r].bytes > asked)
      pen.rect({x + float(asked) * scale, y - bar / 2, float(rows[r].bytes - asked) * scale, bar}, t.conflict,
               0, 1, t.px(2));
    pen.text({x + float(rows[r].bytes) * scale + t.px(8), y}, say("{} bytes", grouped(rows[r].bytes)), label,
             t.ink, Font::mono_bold);
  }
}

void lanes_to_sectors(RequestSheet& s, const Looked& of, const WarpRequest& q, Box outer,
                      const std::string& name, const std::string& prefix, int most_bytes) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), small = s.small();
  const std::vector<TouchedLine> lines = touched_lines(q);
  const bool wasteful = q.sectors > q.ideal_sectors;
  const Colour own = role(t, q.op);
  const int asked = asked_bytes(lines), moved = q.sectors * sector_bytes;
  const float y = heading(s, in, name, source_line(*of.run, q), q.sectors,
                          std::string(q.sectors == 1 ? say("sector") : say("sectors")),
                          wasteful   ? t.conflict
                          : t.dark() ? own
                                     : t.ink);
  const float names = std::max({pen.width(say("lanes"), label), pen.width(say("sectors"), label),
                                pen.width(say("asked"), label), pen.width(say("moved"), label),
                                pen.width(say("bytes"), label)}) +
                      t.px(14);
  const LaneRow row = lane_row(s, of, q, in, names, y + t.px(6), prefix);
  const float tall = row.bottom - row.top, all = 32 * row.pitch;

  const float sum_room = label * 1.9f, bars_room = label * 3.8f + t.px(8);
  const float room = in.bottom() - row.bottom - sum_room - bars_room;
  const float fall = room * 0.36f, to_y = row.bottom + fall, address = small * 1.6f;
  // lines side by side; those that are not neighbours in memory stand apart
  const int n = int(lines.size());
  float gaps = 0;
  const float near = n > 40 ? 1.0f : t.px(4), apart = n > 40 ? 1.0f : n > 12 ? t.px(5) : t.px(16);
  for (int k = 1; k < n; ++k) gaps += lines[size_t(k)].line == lines[size_t(k - 1)].line + 1 ? near : apart;
  const float sector = std::min((all - gaps) / float(std::max(1, n * sectors_of_line)), t.px(64));
  std::vector<float> at(size_t(n), row.left);
  for (int k = 1; k < n; ++k)
    at[size_t(k)] = at[size_t(k - 1)] + sectors_of_line * sector +
                    (lines[size_t(k)].line == lines[size_t(k - 1)].line + 1 ? near : apart);
  // few lines stand in the middle
  const float used_width = n ? at.back() + sectors_of_line * sector - row.left : 0;
  for (float& x : at) x += std::max(0.0f, (all - used_width) / 2);
  std::map<uint32_t, int> place;
  for (int k = 0; k < n; ++k) place[lines[size_t(k)].line] = k;

  const int followed = s.followed_lane(q);
  const bool others_back = followed >= 0 && s.scene.asked_for;
  const auto curves = [&](bool of_followed) {
    for (const auto& lane : q.lanes) {
      if ((lane.lane == followed) != of_followed) continue;
      const uint32_t last = lane.address + uint32_t(std::max(1, lane.bytes)) - 1;
      for (uint32_t b = lane.address / sector_bytes; b <= last / sector_bytes; ++b) {
        const auto found = place.find(b / sectors_of_line);
        if (found == place.end()) continue;
        const uint32_t from = std::max(lane.address, b * sector_bytes),
                       to = std::min(last + 1, (b + 1) * sector_bytes);
        const float x = at[size_t(found->second)] + float(b % sectors_of_line) * sector +
                        (float(from + to) / 2 - float(b * sector_bytes)) / sector_bytes * sector;
        pen.curve({row.x(lane.lane), row.bottom}, {row.x(lane.lane), row.bottom + fall * 0.55f},
                  {x, to_y - fall * 0.55f}, {x, to_y},
                  others_back && !of_followed ? mix(own, t.panel, 0.35f) : own,
                  std::max(1.0f, t.px(of_followed ? 3 : 1.5f)));
      }
    }
  };
  curves(false);
  curves(true);

  // sectors, and below each its eight words: asked for, or moved for nothing
  const float sector_tall = tall * 0.8f, words_y = to_y + sector_tall + t.px(4);
  const float word = std::min((room - fall - sector_tall - t.px(4) - address) / 8, t.px(24));
  pen.text({in.x, to_y + sector_tall / 2}, say("sectors"), label, t.ink2);
  if (8 * word > label * 1.4f) pen.text({in.x, words_y + 4 * word}, say("bytes"), label, t.ink2);
  float named_until = -1e9f;
  for (int k = 0; k < n; ++k) {
    const TouchedLine& line = lines[size_t(k)];
    const float x0 = at[size_t(k)];
    const float space = sector > t.px(8) ? std::max(1.0f, sector * 0.08f) : sector > 3 ? 1.0f : 0;
    for (int i = 0; i < sectors_of_line; ++i) {
      const auto& sec = line.sectors[i];
      const float x = x0 + float(i) * sector + space / 2, w = sector - space;
      const int bytes = std::popcount(sec.asked);
      if (sec.lanes.empty()) {
        pen.rect({x, to_y, w, sector_tall}, 0, t.line, 1, space > 1 ? t.px(2) : 0);
      } else {
        pen.rect({x, to_y, w, sector_tall}, own, 0, 1, space > 1 ? t.px(2) : 0);
        for (int b = 0; b < 8; ++b) {
          // a word asked for whole or not at all is one piece, else each of its bytes
          const uint32_t wanted = sec.asked >> (4 * b) & 0xf;
          const float gap = word > 5 ? 1.0f : 0;
          const int pieces = wanted == 0 || wanted == 0xf ? 1 : 4;
          for (int k = 0; k < pieces; ++k)
            pen.rect(
                {x + float(k) * w / float(pieces), words_y + float(b) * word, w / float(pieces), word - gap},
                wanted >> k & 1 ? own : mix(t.conflict, t.panel, 0.45f));
        }
      }
      const uint32_t number = line.line * sectors_of_line + uint32_t(i);
      pen.hit({.what = Hit::other,
               .box = {x0 + float(i) * sector, to_y, sector, sector_tall + 8 * word},
               .tip = sec.lanes.empty()
                          ? say("Sector {}: nobody asks for it, so it does not come.", number)
                          : say("Sector {} (bytes {} to {}): {} of its 32 bytes are asked for, by {} lanes.",
                                number, number * sector_bytes, number * sector_bytes + sector_bytes - 1,
                                bytes, sec.lanes.size()),
               .name = prefix + "sector " + std::to_string(number)});
    }
    pen.rect({x0, to_y - t.px(2), sectors_of_line * sector, 1}, t.ink3);
    const std::string byte = grouped(line.line * line_bytes);
    const float cx = x0 + 2 * sector, half = pen.width(byte, small, Font::mono) / 2;
    const float from = std::max(row.left + half, cx);
    if (from - half > named_until + t.px(8) && from + half <= in.right()) {
      pen.text({from, words_y + 8 * word + address * 0.5f}, byte, small, t.ink2, Font::mono, Align::centre);
      named_until = from + half;
    }
  }
  const float bars_y = words_y + 8 * word + address + t.px(4);
  moved_bars(s, {in.x, bars_y, in.w, in.bottom() - sum_room - bars_y}, asked, moved, most_bytes, names, own);
  const int percent = moved ? int(std::lround(100.0 * asked / moved)) : 100;
  pen.text(
      {in.x, in.bottom() - label * 0.8f},
      first_fit(
          pen,
          {n == 1 ? say("sectors: {} in one line of 128 bytes, {} at best; {}% of what comes is asked for",
                        q.sectors, q.ideal_sectors, percent)
                  : say("sectors: {} in {} lines of 128 bytes, {} at best; {}% of what comes is asked for",
                        q.sectors, n, q.ideal_sectors, percent),
           say("sectors: {}, {} at best; {}% asked for", q.sectors, q.ideal_sectors, percent)},
          in.w, label),
      label, t.ink);
}

/// A bulk copy: one thread asks, nobody waits, whole sectors come.
void copy_panel(RequestSheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const EngineCopy& c = *s.copy;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), size = t.px(t.projector() ? 26 : 17);
  const Launch& l = s.run().trace.launches[size_t(c.launch)];
  const auto cell = [&](Place p) {
    return s.run().trace.array(l, p.array).name + "[" + std::to_string(p.index) + ".." +
           std::to_string(p.index + c.cells - 1) + "]";
  };
  const float y0 =
      heading(s, in, say("Bulk copy by the copy engine"), "", c.sectors,
              std::string(c.sectors == 1 ? say("sector") : say("sectors")), t.dark() ? t.thread : t.ink);
  // three boxes: who asks, who works, what moves
  const float high = std::min(in.h * 0.2f, size * 4), y = y0 + in.h * 0.1f;
  const float gap = t.px(40), wide = (in.w - 2 * gap) / 3;
  struct Part {
    std::string top, below;
    Colour colour;
  };
  const Part parts[] = {{say("thread {}", c.thread), say("asks once, in line {}", c.line), t.thread},
                        {say("copy engine"), say("{} bytes", grouped(c.bytes)), t.barrier},
                        c.from.shared() ? Part{say("bulk group"), say("await_bulk waits for it"), t.write}
                                        : Part{say("mbarrier"), say("tells who waits"), t.write}};
  for (int k = 0; k < 3; ++k) {
    const Box b{in.x + float(k) * (wide + gap), y, wide, high};
    pen.rect(b, t.cell, parts[k].colour, std::max(1.0f, t.px(2)), t.px(6));
    pen.text({b.centre().x, b.y + high * 0.34f},
             pen.fitted(parts[k].top, wide - t.px(12), size, Font::text_bold), size, t.ink, Font::text_bold,
             Align::centre);
    pen.text({b.centre().x, b.y + high * 0.7f}, pen.fitted(parts[k].below, wide - t.px(12), label), label,
             t.ink2, Font::text, Align::centre);
    if (k < 2) {
      pen.line({b.right() + t.px(4), b.centre().y}, {b.right() + gap - t.px(10), b.centre().y}, t.ink2,
               std::max(1.0f, t.px(2)));
      pen.arrow_head({b.right() + gap - t.px(4), b.centre().y}, {1, 0}, t.px(10), t.ink2);
    }
  }
  // the cells, from and to
  const float row_y = y + high + t.px(28), bar = std::min(t.px(24), in.h * 0.07f);
  const bool in_global = !c.from.shared();
  const std::string from = (in_global ? say("global memory") : say("shared memory")) + "  " + cell(c.from);
  const std::string to = (in_global ? say("shared memory") : say("global memory")) + "  " + cell(c.to);
  pen.text({in.x, row_y}, pen.fitted(from, in.w, label), label, t.ink);
  const auto cells = [&](float at, Colour colour) {
    const float w = in.w / float(std::max(1, c.sectors));
    if (w < 3) {
      pen.rect({in.x, at, in.w, bar}, colour);
      return;
    }
    for (int k = 0; k < c.sectors; ++k)
      pen.rect({in.x + float(k) * w, at, w - 1, bar}, colour, 0, 1, t.px(2));
  };
  const float first = row_y + label, second = first + bar + label * 2.6f;
  cells(first, t.read);
  pen.text({in.x, second - label}, pen.fitted(to, in.w, label), label, t.ink);
  cells(second, t.write);
  pen.text({in.x, in.bottom() - label * 0.8f},
           first_fit(pen,
                     {say("No lane holds these bytes in a register, and no warp stalls: threads wait at the "
                          "mbarrier only when they need them."),
                      say("No register holds them; no warp stalls.")},
                     in.w, label),
           label, t.ink);
}

void explain(const RequestSheet& s, const WarpRequest& q, const std::string& name, std::vector<Words>& out) {
  const Theme& t = s.t;
  const auto lines = touched_lines(q);
  const bool wasteful = q.sectors > q.ideal_sectors;
  const int asked = asked_bytes(lines), moved = q.sectors * sector_bytes;
  const auto piece = [&](std::string_view words, Colour colour, Font f = Font::text) {
    out.push_back({std::string(words), colour, f});
  };
  if (!name.empty()) piece(name + " ", t.ink, Font::text_bold);
  long step = 0;
  bool even = q.lanes.size() > 1;
  if (even) {
    step = (long(q.lanes[1].address) - long(q.lanes[0].address)) / (q.lanes[1].lane - q.lanes[0].lane);
    for (const auto& lane : q.lanes)
      even = even && long(lane.address) - long(q.lanes[0].address) == step * (lane.lane - q.lanes[0].lane);
  }
  if (even && step == q.lanes[0].bytes)
    piece(say("Neighbouring lanes ask for neighbouring bytes: coalesced. "), t.ink);
  else if (even && step == 0)
    piece(say("All lanes ask for the same bytes: one sector serves them all. "), t.ink);
  else if (even)
    piece(say("Neighbouring lanes ask for bytes that lie {} apart. ", std::labs(step)), t.ink);
  else if (q.lanes.size() > 1)
    piece(say("The lanes' addresses follow no even step. "), t.ink);
  piece(say("Memory hands out whole sectors of 32 bytes: "), t.ink);
  piece(moved == asked ? say("{} bytes move, all of them asked for. ", grouped(moved))
                       : say("{} bytes move where {} are asked for. ", grouped(moved), grouped(asked)),
        wasteful   ? t.conflict
        : t.dark() ? role(t, q.op)
                   : t.ink,
        Font::text_bold);
  if (wasteful && even && step > q.lanes[0].bytes)
    piece(say("The fix: let neighbouring lanes take neighbouring elements. "), t.ink);
  else if (wasteful && even && step == q.lanes[0].bytes)
    piece(say("They begin in the middle of a sector; aligned to 32 bytes, {} would do. ", q.ideal_sectors),
          t.ink);
  if (is_atomic(q.op))
    piece(say("Atomics are done in the L2 cache, one after the other on each word. "), t.ink);
}

std::vector<Words> reason(const RequestSheet& s) {
  std::vector<Words> out;
  if (s.copy) {
    out.push_back(
        {s.copy->sectors == 1
             ? say("An asynchronous copy is no warp's request: one thread asks, the engine moves {} bytes as "
                   "one whole sector, and the lanes go on meanwhile.",
                   grouped(s.copy->bytes))
             : say("An asynchronous copy is no warp's request: one thread asks, the engine moves {} bytes as "
                   "{} whole sectors, and the lanes go on meanwhile.",
                   grouped(s.copy->bytes), grouped(s.copy->sectors)),
         s.t.ink});
    return out;
  }
  if (!s.request) return out;
  explain(s, *s.request, s.request_beside ? say("Yours:") : std::string(), out);
  if (s.request_beside) explain(s, *s.request_beside, say("Side by side:"), out);
  return out;
}

std::vector<std::vector<Words>> reasons(const RequestSheet& s) {
  std::vector<Words> alone;
  if (s.request && !s.copy) explain(s, *s.request, {}, alone);
  return shorter_and_shorter(reason(s), std::move(alone));
}

}  // namespace

Picture memory_view(const RequestScene& scene, const Theme& t, const Metrics& metrics, float w, float h) {
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  pen.rect({0, 0, w, h}, t.window);
  const Run& run = *scene.here.run;
  if (steps(run) == 0) return picture;
  RequestSheet s = sheet(pen, t, scene, Space::global);
  const float gap = t.px(8);
  if (!s.request && !s.copy) {
    const float upper = h * 0.34f;
    nothing_panel(s, {0, 0, w, upper},
                  say("Nobody touches global memory in this interval ({}).",
                      said(interval_at(run, scene.here.cursor).phase)),
                  say("Step to another interval: the bars below show where the sectors are."));
    totals_panel(s, {0, upper + gap, w, h - upper - gap});
    return picture;
  }
  if (!s.copy && s.request_beside) {
    const float upper = h * 0.6f, half = (w - gap) / 2, lower = h - upper - gap;
    const int most = std::max(s.request->sectors, s.request_beside->sectors) * sector_bytes;
    lanes_to_sectors(s, scene.here, *s.request, {0, 0, half, upper}, say("Your pattern in global memory"), "",
                     most);
    lanes_to_sectors(s, *scene.beside, *s.request_beside, {half + gap, 0, half, upper},
                     say("Side by side: coalesced"), "beside ", most);
    sweep_panel(s, {0, upper + gap, half, lower});
    request_panel(s, {half + gap, upper + gap, half, lower}, reasons(s));
    return picture;
  }
  const float upper = h * 0.64f, left = w * (t.projector() ? 0.56f : 0.55f);
  if (s.copy)
    copy_panel(s, {0, 0, left, upper});
  else
    lanes_to_sectors(s, scene.here, *s.request, {0, 0, left, upper},
                     say("Warp {}, {}", s.request->warp, request_name(run, *s.request)), "",
                     s.request->sectors * sector_bytes);
  request_panel(s, {left + gap, 0, w - left - gap, upper}, reasons(s));
  totals_panel(s, {0, upper + gap, w, h - upper - gap});
  return picture;
}

}  // namespace bscope
