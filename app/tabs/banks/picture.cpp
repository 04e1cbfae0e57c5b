#include "app/tabs/banks/picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/words/counting.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

std::string formula(const StraightWords& f) {
  std::string s = f.step == 0 ? "" : f.step == 1 ? "t" : std::to_string(f.step) + "t";
  if (s.empty()) return std::to_string(f.start);
  if (f.start) s += (f.start > 0 ? " + " : " - ") + std::to_string(std::labs(f.start));
  return s;
}

/// Shared memory as rows of 32 words under the banks: what is asked for, and what nobody ever uses.
void map_of_words(RequestSheet& s, const Looked& of, const WarpRequest& q, const std::vector<BankSlot>& slots,
                  const LaneRow& row, Box room) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const float small = s.small(), label = s.label(), caption = label * 1.7f;
  const ArrayInfo& array = of.run->trace.array(of.run->trace.launches[size_t(q.launch)], q.array);
  uint32_t least = ~0u, most = 0;
  for (const BankSlot& slot : slots) least = std::min(least, slot.word), most = std::max(most, slot.word);
  const int first = int(least / bank_count), all = int(most / bank_count) - first + 1;
  const float legend = small * 1.8f;
  const int fit = int((room.h - caption - legend) / std::max(t.px(4.2f), small * 0.38f));
  const int rows = std::min(all, fit);
  if (rows < std::min(all, 3) || rows < 1) return;
  const float pitch = std::min((room.h - caption - legend) / float(rows), t.px(15));
  const float y0 = room.y + caption;
  pen.text({row.left, room.y + caption * 0.45f},
           first_fit(pen,
                     {rows < all ? say("Where these words lie: the first {} of {} rows of 32", rows, all)
                                 : say("Where these words lie, in rows of 32"),
                      say("Rows of 32 words")},
                     room.right() - row.left, label, Font::text_bold),
           label, t.ink, Font::text_bold);
  const std::vector<bool> touched = touched_words(*of.run, q);
  const uint32_t begin = uint32_t(array.offset) / bank_bytes,
                 end = begin + uint32_t(array.size * bytes_of(array.kind)) / bank_bytes;
  bool unused = false;
  const float gap = std::max(1.0f, pitch * 0.14f);
  for (int r = 0; r < rows; ++r) {
    const float y = y0 + float(r) * pitch;
    pen.rect({row.left, y + gap / 2, 32 * row.pitch, pitch - gap}, t.cell);
    for (int k = 0; k < bank_count; ++k) {
      const uint32_t w = uint32_t(first + r) * bank_count + uint32_t(k);
      if (w < begin || w >= end || w >= touched.size() || touched[w]) continue;
      unused = true;
      pen.hatch({row.x(k) - row.chip / 2, y + gap / 2, row.chip, pitch - gap}, t.ink3, t.px(5));
    }
  }
  for (int k = 1; k < bank_count; ++k) {
    const float x = row.left + float(k) * row.pitch, w = row.pitch - row.chip;
    pen.rect({x - w / 2, y0, w, float(rows) * pitch}, t.panel);
  }
  for (const BankSlot& slot : slots) {
    const int r = int(slot.word / bank_count) - first;
    if (r >= rows) continue;
    pen.rect({row.x(slot.bank) - row.chip / 2, y0 + float(r) * pitch + gap / 2, row.chip, pitch - gap},
             slot.excess ? t.conflict : role(t, q.op), 0, 1, pitch > 8 ? t.px(2) : 0);
  }
  float last = -1e9f;
  for (int r = 0; r < rows; ++r) {
    const float y = y0 + (float(r) + 0.5f) * pitch;
    if (y - last < small * 1.6f || (r != 0 && r != rows - 1 && r % 8)) continue;
    if (r != rows - 1 && r != 0 && float(rows - 1 - r) * pitch < small * 1.6f) continue;
    pen.text({row.left - t.px(10), y}, std::to_string((first + r) * bank_count), small, t.ink2, Font::mono,
             Align::right);
    last = y;
  }
  // what the colours mean
  float x = row.left;
  const float ky = y0 + float(rows) * pitch + legend * 0.6f, mark = small * 0.9f;
  if (ky + small * 0.6f > room.bottom() + 1) return;
  const auto key = [&](const std::string& words, Colour colour, bool hatched) {
    if (x + mark + pen.width(words, small) + t.px(6) > room.right()) return;
    const Box b{x, ky - mark / 2, mark * 1.6f, mark};
    if (hatched)
      pen.rect(b, t.cell), pen.hatch(b, t.ink3, t.px(4));
    else
      pen.rect(b, colour, 0, 1, t.px(2));
    x = pen.text({b.right() + t.px(6), ky}, words, small, t.ink2).right() + t.px(20);
  };
  key(say("a word that a lane asks for"), role(t, q.op), false);
  if (std::ranges::any_of(slots, &BankSlot::excess))
    key(say("one that waits for its bank"), t.conflict, false);
  if (unused) key(say("never used: padding"), 0, true);
}

void lanes_to_banks(RequestSheet& s, const Looked& of, const WarpRequest& q, Box outer,
                    const std::string& name, const std::string& prefix, int rows_beside = 0) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), small = s.small();
  const std::vector<BankSlot> slots = bank_slots(q);
  const bool conflict = q.wavefronts > q.ideal;
  const Colour own = role(t, q.op);
  float y = heading(s, in, name, source_line(*of.run, q), q.wavefronts,
                    std::string(q.wavefronts == 1 ? say("wavefront") : say("wavefronts")),
                    conflict   ? t.conflict
                    : t.dark() ? own
                               : t.ink);

  const std::string ideal_long = say("ideal {}", q.ideal);
  const float names = std::max({pen.width(say("lanes"), label), pen.width(say("banks"), label),
                                pen.width(ideal_long, small, Font::text_bold)}) +
                      t.px(14);
  const LaneRow row = lane_row(s, of, q, in, names, y + t.px(6), prefix);
  const float tall = row.bottom - row.top;

  // few wavefronts leave the lines more room to fall
  const int rows = std::max(1, q.wavefronts);
  const float used_room = label * 1.9f, left = in.bottom() - row.bottom - tall - t.px(8) - used_room;
  const float most_pitch = rows <= 4 ? t.px(17) : t.px(26);
  uint32_t least = ~0u, most = 0;
  for (const BankSlot& slot : slots) least = std::min(least, slot.word), most = std::max(most, slot.word);
  const bool large_map = !t.projector() && most / bank_count - least / bank_count > 5;
  // twins' banks stand at one height; without a map below, the lines may fall as far as they like
  const float spare = left - float(std::max(rows, rows_beside)) * most_pitch;
  const float fall = std::clamp(spare, in.h * 0.15f, in.h * (large_map ? 0.22f : 0.42f));
  const float to_y = row.bottom + fall, banks_y = to_y + tall / 2;
  const int followed = s.followed_lane(q);
  const bool others_back = followed >= 0 && s.scene.asked_for;
  const auto lines = [&](bool of_followed) {
    for (const BankSlot& slot : slots)
      for (int lane : slot.lanes) {
        if ((lane == followed) != of_followed) continue;
        const Colour c = slot.excess ? t.conflict : own;
        pen.curve({row.x(lane), row.bottom}, {row.x(lane), row.bottom + fall * 0.55f},
                  {row.x(slot.bank), to_y - fall * 0.55f}, {row.x(slot.bank), to_y},
                  others_back && !of_followed ? mix(c, t.panel, 0.35f) : c,
                  std::max(1.0f, t.px(of_followed ? 3 : 1.5f)));
      }
  };
  lines(false);
  lines(true);

  int words_in[bank_count] = {};
  bool crowded[bank_count] = {}, shared_word[bank_count] = {};
  for (const BankSlot& slot : slots) {
    ++words_in[slot.bank];
    crowded[slot.bank] |= slot.excess;
    shared_word[slot.bank] |= slot.lanes.size() > 1;
  }
  const float digits = chip_digits(s, row);
  const bool in_chips = digits >= t.px(t.projector() ? 22 : 9);
  pen.text({in.x, banks_y}, say("banks"), label, t.ink2);
  for (int k = 0; k < bank_count; ++k) {
    const Box b{row.x(k) - row.chip / 2, to_y, row.chip, tall};
    const Colour fill = crowded[k] ? t.conflict : words_in[k] ? own : t.cell;
    pen.rect(b, fill, words_in[k] ? 0 : t.line, 1, t.px(3));
    if (in_chips)
      pen.text(b.centre(), std::to_string(k), digits, words_in[k] ? t.on(fill) : t.ink2, Font::mono_bold,
               Align::centre);
    pen.hit({.what = Hit::other,
             .box = {row.x(k) - row.pitch / 2, to_y, row.pitch, tall},
             .tip = words_in[k] == 0   ? say("Bank {} is not asked: its turn goes unused.", k)
                    : words_in[k] == 1 ? say("Bank {} is asked for one word.", k)
                                       : say("Bank {} is asked for {} words, and hands out one a wavefront.",
                                             k, words_in[k]),
             .name = prefix + "bank " + std::to_string(k)});
  }

  // wavefronts hang below the banks
  const float beside_banks = banks_y + label * 0.6f + small * 1.5f;  // where the ideal's name has room
  float top = to_y + tall + t.px(8);
  const auto pitch_below = [&] {
    return std::min((in.bottom() - used_room - top) / float(rows), most_pitch);
  };
  top = std::max(top, beside_banks - float(q.ideal) * pitch_below());
  const float pitch = pitch_below();
  const float gap = pitch > 5 ? std::max(1.0f, pitch * 0.14f) : 0;
  if (pitch >= 4)
    for (int r = 0; r < rows; ++r)
      for (int k = 0; k < bank_count; ++k)
        pen.rect({row.x(k) - row.chip / 2, top + float(r) * pitch + gap / 2, row.chip, pitch - gap}, 0,
                 mix(t.line, t.panel, 0.7f), 1, t.px(2));
  bool broadcast = false;
  for (const BankSlot& slot : slots) {
    const Box b{row.x(slot.bank) - row.chip / 2, top + float(slot.wavefront) * pitch + gap / 2, row.chip,
                pitch - gap};
    const Colour fill = slot.excess ? t.conflict : own;
    pen.rect(b, fill, 0, 1, pitch > 5 ? t.px(2) : 0);
    // one word for several lanes is handed out once
    if (slot.lanes.size() > 1) {
      broadcast = true;
      const std::string lanes = std::to_string(slot.lanes.size());
      const float size = std::min(small, b.h * 0.9f);
      if (size >= t.px(t.projector() ? 22 : 9) && pen.width(lanes, size, Font::mono_bold) <= b.w - 2)
        pen.text(b.centre(), lanes, size, t.on(fill), Font::mono_bold, Align::centre);
      else
        pen.rect({b.x, b.bottom() - std::max(1.0f, b.h * 0.25f), b.w, std::max(1.0f, b.h * 0.25f)}, t.thread);
    }
    std::string who;
    for (size_t k = 0; k < slot.lanes.size() && k < 4; ++k)
      who += (k ? ", " : "") + std::to_string(slot.lanes[k]);
    if (slot.lanes.size() > 4) who += ", ...";
    pen.hit({.what = Hit::other,
             .box = {row.x(slot.bank) - row.pitch / 2, top + float(slot.wavefront) * pitch, row.pitch, pitch},
             .tip = slot.lanes.size() > 1
                        ? say("Wavefront {}: word {}, handed to {} lanes at once ({}).", slot.wavefront + 1,
                              slot.word, slot.lanes.size(), who)
                        : say("Wavefront {}: word {}, for lane {}.", slot.wavefront + 1, slot.word, who),
             .name = prefix + "slot " + std::to_string(slot.bank) + " " + std::to_string(slot.wavefront)});
  }
  const float ideal_y = top + float(q.ideal) * pitch;
  pen.line({in.x, ideal_y}, {row.left + 32 * row.pitch, ideal_y}, t.barrier, std::max(1.0f, t.px(1.5f)),
           t.px(6));
  // numbers of wavefronts at the left: the ideal's, the last one, and some between
  float last = -1e9f;
  const std::string ideal_words =
      first_fit(pen, {ideal_long, std::to_string(q.ideal)}, names - t.px(4), small, Font::text_bold);
  // the name of the last wavefront that is needed stands in its row, or above the line
  const float ideal_text = ideal_y - (pitch >= small * 1.4f ? pitch / 2 : small * 0.8f);
  pen.text({in.x, ideal_text}, ideal_words, small, t.ink, Font::text_bold);
  for (int r = 1; r <= rows; ++r) {
    const float ry = top + (float(r) - 0.5f) * pitch;
    const bool wanted = r == rows || r % std::max(1, rows / 4) == 0;
    if (!wanted || std::abs(ry - ideal_text) < small * 1.4f || ry - last < small * 1.4f || ry < ideal_y)
      continue;
    pen.text({in.x + names - t.px(10), ry}, std::to_string(r), small, t.ink2, Font::mono, Align::right);
    last = ry;
  }
  // some who wait, beside the most crowded bank
  const int worst = int(std::max_element(words_in, words_in + bank_count) - words_in);
  if (conflict && !t.projector()) {
    const bool right_side = worst < 20;
    const float x = row.x(worst) + (right_side ? 1 : -1) * (row.pitch * 0.5f + t.px(6));
    float below = -1e9f;
    for (const BankSlot& slot : slots) {
      const int r = slot.wavefront;
      const float wy = top + (float(r) + 0.5f) * pitch;
      if (slot.bank != worst || !slot.excess || wy - below < small * 4) continue;
      if (rows > 4 && r + 1 != rows && (r + 1) % std::max(1, rows / 4)) continue;
      bool free = true;  // nobody's block lies under the words
      const std::string words = say("lane {} waits {}", slot.lanes[0], r);
      const float w = pen.width(words, small, Font::text_bold);
      const Box over{right_side ? x : x - w, wy - small * 0.6f, w, small * 1.2f};
      for (const BankSlot& o : slots) {
        const float ox = row.x(o.bank), oy = top + (float(o.wavefront) + 0.5f) * pitch;
        free = free && !(ox + row.chip / 2 > over.x && ox - row.chip / 2 < over.right() &&
                         oy + pitch / 2 > over.y && oy - pitch / 2 < over.bottom());
      }
      if (!free || over.bottom() > top + float(rows) * pitch + small || over.y < ideal_y) continue;
      pen.rect({over.x - t.px(3), over.y, over.w + t.px(6), over.h}, t.panel);
      pen.text({x, wy}, words, small, t.conflict, Font::text_bold, right_side ? Align::left : Align::right);
      below = wy;
    }
  }
  const int used = int(slots.size()), all = rows * bank_count;
  const float words_y = top + float(rows) * pitch + label * 1.1f;
  const int percent = int(std::lround(100.0 * used / all));
  std::string sum = say("{} of {} bank slots used: {}% of what shared memory could give meanwhile",
                        grouped(used), grouped(all), percent);
  if (broadcast) sum += say("; numbers in slots: lanes that share one word");
  pen.text({row.left, words_y},
           first_fit(pen,
                     {sum,
                      say("{} of {} bank slots used: {}% of what shared memory could give meanwhile",
                          grouped(used), grouped(all), percent),
                      say("{} of {} bank slots used: {}%", grouped(used), grouped(all), percent)},
                     in.right() - row.left, label),
           label, t.ink);
  const float map = words_y + label * 0.9f;
  if (!t.projector() && in.bottom() - map > t.px(70))
    map_of_words(s, of, q, slots, row, {in.x, map, in.w, in.bottom() - map});
}

/// Why so many wavefronts: from the addresses.
void explain(const RequestSheet& s, const WarpRequest& q, bool padded, std::vector<Words>& out) {
  const Theme& t = s.t;
  const auto slots = bank_slots(q);
  const bool conflict = q.wavefronts > q.ideal;
  const Colour c = conflict ? t.conflict : t.dark() ? role(t, q.op) : t.ink;
  const auto piece = [&](std::string_view words, Colour colour, Font f = Font::text) {
    out.push_back({std::string(words), colour, f});
  };
  if (padded) piece(say("Padded: "), t.ink, Font::text_bold);
  const auto fit = straight_words(q);
  if (fit && fit->step != 0) {
    piece(say("Lane t asks for word "), t.ink);
    piece(formula(*fit), t.ink, Font::mono_bold);
    piece(say(", in bank "), t.ink);
    piece("(" + formula(*fit) + ") mod 32", c, Font::mono_bold);
    piece(say(". "), t.ink);
  }
  std::map<int, std::vector<uint32_t>> words_in;
  size_t sharing = 0;
  for (const BankSlot& slot : slots) {
    words_in[slot.bank].push_back(slot.word);
    if (slot.lanes.size() > 1) sharing += slot.lanes.size();
  }
  if (conflict) {
    const auto worst = std::max_element(words_in.begin(), words_in.end(), [](const auto& a, const auto& b) {
      return a.second.size() < b.second.size();
    });
    std::string list;
    for (size_t k = 0; k < worst->second.size() && k < 3; ++k)
      list += (k ? ", " : "") + std::to_string(worst->second[k]);
    if (worst->second.size() > 3) list += ", ...";
    piece(say("Bank {} holds {} of the {} words asked for ({}) and hands out one a wavefront: ", worst->first,
              worst->second.size(), slots.size(), list),
          t.ink);
    piece(say("{} instead of {}. ", q.wavefronts, q.ideal), t.conflict, Font::text_bold);
  } else {
    piece(say("No bank is asked for more than its share: these are the fewest wavefronts there can be. "),
          t.ink);
  }
  if (const int group = lanes_of_pass(q); group < 32 && q.wavefronts > 1)
    piece(group == 16 ? say("With 8 bytes a lane the warp goes in halves. ")
                      : say("With 16 bytes a lane the warp goes in quarters. "),
          t.ink);
  if (sharing)
    piece(say("{} lanes share a word with others, which is handed to all of them at once. ", sharing), t.ink);
  if (is_atomic(q.op) && sharing) piece(say("Atomics on one word still queue: see the tab Atomics. "), t.ink);
}

std::vector<Words> reason(const RequestSheet& s) {
  std::vector<Words> out;
  if (!s.request) return out;
  explain(s, *s.request, false, out);
  if (s.request_beside) {
    explain(s, *s.request_beside, true, out);
  } else if (s.request->wavefronts > s.request->ideal && !s.scene.beside) {
    const WarpRequest& q = *s.request;
    const int mended = wavefronts_if_padded(s.run(), q);
    if (mended < q.wavefronts) {
      out.push_back({say("The fix: an unused word after each 32, "), s.t.ink});
      out.push_back({array_name(s.run(), q) + "[i + i/32]", s.t.ink, Font::mono_bold});
      out.push_back(
          {mended == 1 ? say(", would leave 1 wavefront.") : say(", would leave {} wavefronts.", mended),
           s.t.ink});
    }
  }
  return out;
}

std::vector<std::vector<Words>> reasons(const RequestSheet& s) {
  std::vector<Words> alone;
  if (s.request) explain(s, *s.request, false, alone);
  return shorter_and_shorter(reason(s), std::move(alone));
}

std::string name_of(const RequestSheet& s, const Run& run, const WarpRequest& q, bool beside) {
  if (s.scene.beside) return std::string(beside ? say("With padding") : say("No padding"));
  if (s.scene.pattern) return say("Your pattern in shared memory");
  return say("Warp {}, {}", q.warp, request_name(run, q));
}

}  // namespace

Picture banks_view(const RequestScene& scene, const Theme& t, const Metrics& metrics, float w, float h) {
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  pen.rect({0, 0, w, h}, t.window);
  const Run& run = *scene.here.run;
  if (steps(run) == 0) return picture;
  RequestSheet s = sheet(pen, t, scene, Space::shared);
  const bool any_shared = std::any_of(run.trace.launches.begin(), run.trace.launches.end(),
                                      [](const Launch& l) { return !l.shared.empty(); });
  const float gap = t.px(8);
  if (!s.request) {
    const float upper = h * 0.34f;
    if (any_shared)
      nothing_panel(s, {0, 0, w, upper},
                    say("Nobody touches shared memory in this interval ({}).",
                        said(interval_at(run, scene.here.cursor).phase)),
                    say("Step to another interval: the bars below show where the wavefronts are."));
    else
      nothing_panel(s, {0, 0, w, upper}, say("This kernel uses no shared memory, so no bank is asked."),
                    say("What it asks of global memory is in the tab Memory. Or play with an access "
                        "pattern of your own."));
    totals_panel(s, {0, upper + gap, w, h - upper - gap});
    return picture;
  }
  const WarpRequest& q = *s.request;
  if (s.request_beside) {
    const float upper = h * 0.6f, half = (w - gap) / 2, lower = h - upper - gap;
    lanes_to_banks(s, scene.here, q, {0, 0, half, upper}, name_of(s, run, q, false), "",
                   s.request_beside->wavefronts);
    lanes_to_banks(s, *scene.beside, *s.request_beside, {half + gap, 0, half, upper},
                   name_of(s, *scene.beside->run, *s.request_beside, true), "padded ", q.wavefronts);
    scene.pattern ? sweep_panel(s, {0, upper + gap, half, lower})
                  : totals_panel(s, {0, upper + gap, half, lower});
    request_panel(s, {half + gap, upper + gap, half, lower}, reasons(s));
  } else {
    const float upper = h * 0.64f, left = w * (t.projector() ? 0.56f : 0.55f);
    lanes_to_banks(s, scene.here, q, {0, 0, left, upper}, name_of(s, run, q, false), "");
    request_panel(s, {left + gap, 0, w - left - gap, upper}, reasons(s));
    const Box below{0, upper + gap, w, h - upper - gap};
    scene.pattern ? sweep_panel(s, below) : totals_panel(s, below);
  }
  return picture;
}

}  // namespace bscope
