// What the lanes of a warp hand each other: the registers of a warp as cells, a row before the first exchange
// and one after each, time downwards; arrows run from the lane that gave to the lane that took.
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <utility>

#include "app/draw/fitting.hpp"
#include "app/tabs/watch/array_parts.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/lane_rows.hpp"

namespace bscope {
namespace {

const std::vector<Exchange>& all_of(const Scene& v) {
  return v.model.exchanges(v.block.launch, v.block.block);
}

std::string words_of(const LaneRows::LaneValue& l, bool briefly) {
  if (l.votes >= 0) return "x" + std::to_string(l.votes);
  const ArrayState one{l.kind, {l.bits}, {1}};
  return briefly ? brief(one, 0) : value_text(one, 0);
}

/// The one thing that all lanes did: "xor 16", "up 4", "from lane 7"; and the operator that used it.
std::string pattern(const Exchange& e) {
  std::string out;
  if (e.op == Op::reduce) return tr("sum of lanes");
  if (e.op == Op::ballot) return tr("ballot");
  if (e.op == Op::match) return tr("match");
  std::set<int> masks, distances, sources;
  for (const Exchange::ExchangeLane& l : e.lanes) {
    sources.insert(l.from);
    if (l.from == l.lane) continue;
    masks.insert(l.from ^ l.lane);
    distances.insert(l.lane - l.from);
  }
  const auto one = [](const std::set<int>& s) { return s.size() == 1; };
  const bool all_move = std::all_of(e.lanes.begin(), e.lanes.end(), [](auto& l) { return l.from != l.lane; });
  if (masks.empty())
    out = tr("no move");
  else if (one(masks) && all_move && (e.lanes.size() > 1))
    out = tr("xor {}", *masks.begin());
  else if (one(distances))
    out = *distances.begin() > 0 ? tr("up {}", *distances.begin()) : tr("down {}", -*distances.begin());
  else if (one(sources))
    out = tr("from lane {}", *sources.begin());
  else
    out = tr("shuffle");
  return out;
}

class Lanes {
 public:
  Lanes(Scene& scene, int warp, float bottom) : v(scene), warp_(warp) {
    for (const SubStep& s : v.model.substeps(v.step)) {
      if (s.exchange < 0 || s.warp != warp) continue;
      const Exchange& e = all_of(v)[size_t(s.exchange)];
      // a shuffle that reaches beyond the warp's ends moves nothing
      if (moves_something(e) || (v.sub && v.sub->exchange == &e))
        all_.push_back(&e);
      else
        ++idle_;
    }
    lanes_ = std::min(warp_size, v.threads - warp * warp_size);
    bottom_ = bottom;
  }

  void drawn() {
    held_ = lane_rows(v.model.flow(), all_, lanes_);
    layout();
    for (size_t k = 0; k < shown_; ++k) {
      if (k > 0 && at(k).made_by >= 0) moves(k);
      row(k);
    }
    foot();
  }

 private:
  using LaneRow = LaneRows::LaneRow;
  const LaneRow& at(size_t k) const { return held_.rows[first_row_ + k]; }
  float cell_y(size_t k) const { return row_y_[k]; }
  float x_of(int lane) const { return v.columns.left + pitch_ * (float(lane) + 0.5f); }
  int followed_lane() const {
    return v.followed >= 0 && v.followed / warp_size == warp_ ? v.followed % warp_size : -1;
  }
  /// The followed lane, if the user chose it: then all others step back.
  int asked_lane() const { return v.cursor.thread >= 0 ? followed_lane() : -1; }

  void layout() {
    const float index_h = v.index_size() * 1.2f + v.px(4), foot_h = v.label_size() * 1.3f + v.px(4);
    top_ = v.y + v.px(v.threads > warp_size ? 0 : 5);
    const float room = bottom_ - top_ - index_h - foot_h;
    cell_h_ = v.px(v.theme.projector() ? 32 : 23);
    const float least_gap = v.px(v.theme.projector() ? 26 : 18), most_gap = v.px(72), apart = v.px(7);
    const int all = int(all_.size());
    if (v.sub && v.sub->exchange)
      for (int k = 0; k < all; ++k)
        if (all_[size_t(k)] == v.sub->exchange) focus_ = k;
    // while the step is played, its exchanges come one after the other
    happened_ = focus_ >= 0 ? focus_ + 1
                : v.cursor.phase < 1.0f
                    ? int(std::ceil(progress(v.cursor.phase, reading_ms, landing_ms) * float(all)))
                    : all;
    // as many rows as there is room for: from the first on, or up to what the exchange in focus made
    const std::vector<LaneRow>& rows = held_.rows;
    const auto gap_above = [&](size_t row) { return rows[row].made_by >= 0 ? least_gap : apart; };
    size_t last = 0, focus_row = 0;
    if (focus_ >= 0)
      while (rows[focus_row].made_by != focus_) ++focus_row;
    float taken = cell_h_;
    while (last + 1 < rows.size() && taken + gap_above(last + 1) + cell_h_ <= room)
      taken += gap_above(++last) + cell_h_;
    if (last + 1 < rows.size() && last > 0 && rows[last].made_by < 0) --last;
    if (last < focus_row) {
      first_row_ = last = focus_row;
      taken = cell_h_;
      while (first_row_ > 0 && taken + gap_above(first_row_) + cell_h_ <= room)
        taken += gap_above(first_row_--) + cell_h_;
      if (first_row_ > 0 && rows[first_row_].gives_to < 0) ++first_row_;  // nothing comes of it in view
    }
    last = std::max(last, std::min(first_row_ + 1, rows.size() - 1));
    shown_ = last - first_row_ + 1;
    float spare = room - cell_h_ * float(shown_);
    for (size_t k = 1; k < shown_; ++k) at(k).made_by >= 0 ? void(++count_) : void(spare -= apart);
    const float gap = std::clamp(spare / float(std::max(1, count_)), v.px(4), most_gap);
    float y = top_;
    for (size_t k = 0; k < shown_; ++k) {
      if (k > 0) y += cell_h_ + (at(k).made_by >= 0 ? gap : apart);
      row_y_.push_back(y);
    }
    gap_ = gap;
    const float width = v.picture.width - margin(v.theme) - v.columns.left;
    pitch_ = std::min(width / float(lanes_), v.px(92));
    // what is left over goes below
    cell_w_ = pitch_ - v.px(pitch_ >= v.px(44) ? 6 : 2);
  }

  void row(size_t k) {
    const LaneRow& row = at(k);
    // exchanges that have happened by then
    const int number = row.made_by >= 0 ? row.made_by + 1 : std::max(0, row.gives_to);
    const bool reached = number <= happened_;
    const bool newest = row.made_by >= 0 && number == happened_;
    const float y = cell_y(k), room = cell_w_ - v.px(pitch_ >= v.px(44) ? 6 : 4);
    v.label_at(y + cell_h_ / 2,
               first_row_ + k == 0                    ? tr("before")
               : newest && number == int(all_.size()) ? tr("after")
               : row.made_by < 0                      ? tr("other values")
                                                      : std::string(),
               newest ? Font::text_bold : Font::text, newest ? v.theme.ink : v.theme.ink2);
    const auto values = [&](bool briefly) {
      std::vector<std::string> out;
      for (const LaneRows::LaneValue& l : row.lanes)
        if (l.known) out.push_back(words_of(l, briefly));
      return out;
    };
    const CellStyle style = fit(v.pen, v.theme, values, room, std::min(v.value_size(), cell_h_ * 0.8f));
    const int followed = followed_lane();
    for (int lane = 0; lane < lanes_; ++lane) {
      const LaneRows::LaneValue& r = row.lanes[size_t(lane)];
      const Box box{x_of(lane) - cell_w_ / 2, y, cell_w_, cell_h_};
      const bool fresh = newest && r.fresh,
                 given = reached && !newest && row.gives_to >= 0 && gives(row.gives_to, lane);
      const Colour fill = fresh ? v.theme.changed : v.theme.cell;
      const Colour edge = lane == followed ? v.theme.ink
                          : fresh          ? (v.theme.dark() ? 0 : v.theme.ink)
                          : given          ? v.theme.read
                                           : v.theme.line;
      v.pen.rect(box, fill, edge, v.px(lane == followed ? 2.5f : 1), v.px(4));
      if (r.known && reached) {
        v.pen.text(box.centre(), style.words(v.pen, words_of(r, style.brief)), style.size,
                   fresh              ? v.theme.on(fill)
                   : given || r.fresh ? v.theme.ink
                                      : v.theme.ink3,
                   fresh || given ? Font::mono_bold : Font::mono, Align::centre);
      }
      hit(k, lane, box, reached);
    }
  }

  /// Whether the lane gives to another in the exchange of that number.
  bool gives(int number, int lane) const {
    if (number >= int(all_.size())) return false;
    const Exchange& e = *all_[size_t(number)];
    if (e.op != Op::shuffle) return e.of(lane);
    return std::any_of(e.lanes.begin(), e.lanes.end(),
                       [&](const Exchange::ExchangeLane& l) { return l.from == lane && l.lane != lane; });
  }

  void hit(size_t k, int lane, const Box& box, bool reached) {
    const LaneRow& row = at(k);
    const int rank = warp_ * warp_size + lane;
    std::string tip = tr("Lane {} of warp {}, thread {}.", lane, warp_, named_thread(v, rank));
    if (reached && row.made_by >= 0) {
      if (const Exchange::ExchangeLane* l = all_[size_t(row.made_by)]->of(lane))
        tip += " " + sentence(row.made_by, *l);
    }
    const std::string name = row.made_by < 0 && first_row_ + k > 0
                                 ? "brings:" + std::to_string(row.gives_to)
                                 : "lane:" + std::to_string(row.made_by + 1);
    v.pen.hit({HitRegion::thread, box, rank, 0, tip, name + ":" + std::to_string(lane)});
  }

  std::string sentence(int number, const Exchange::ExchangeLane& l) const {
    const Exchange& e = *all_[size_t(number)];
    const std::string got = v.value(l.taken, uint8_t(e.result_kind));
    if (e.op == Op::ballot) return tr("{} lanes voted yes.", std::popcount(uint32_t(l.taken)));
    if (e.op == Op::match) return tr("{} lanes have the same value as it.", std::popcount(uint32_t(l.taken)));
    if (e.op == Op::reduce) return tr("It gets the sum of all lanes, {}.", got);
    if (l.from == l.lane) return tr("It takes from no other lane.");
    const int made = made_by(number, l.lane);
    if (made < 0) return tr("It takes {} from lane {}.", got, l.from);
    const Node& n = v.model.flow().nodes[size_t(made)];
    return tr("It takes {} from lane {} and makes {} of it.", got, l.from, v.value(n.bits, n.kind));
  }

  /// From the row before into row k.
  void moves(size_t k) {
    const int number = at(k).made_by;
    const Exchange& e = *all_[size_t(number)];
    const float y0 = cell_y(k - 1) + cell_h_, y1 = cell_y(k), middle = (y0 + y1) / 2;
    const bool happened = number < happened_,
               present = number == happened_ - 1 && (focus_ >= 0 || v.cursor.phase < 1);
    const std::string op = operator_of(number), words = pattern(e);
    const Font label_font = present ? Font::text_bold : Font::text;
    const float label_room = v.columns.left - margin(v.theme) - v.px(4);
    std::string label = op.empty() ? words : words + " " + op;
    if (v.pen.width(label, v.label_size(), label_font) > label_room) label = words;
    if (v.pen.width(label, v.label_size(), label_font) > label_room) label = tr("shuffle");
    v.label_at(middle, label, present ? Font::text_bold : Font::text, happened ? v.theme.ink : v.theme.ink3);
    v.pen.hit(
        {HitRegion::line,
         {margin(v.theme), y0, v.columns.left - margin(v.theme) - v.px(4), y1 - y0},
         e.line,
         0,
         tr("Line {}: {}. Lanes hand each other values without memory and without a barrier.", e.line, words),
         "exchange:" + std::to_string(number)});
    if (!v.cursor.arrows && asked_lane() < 0) return;
    if (e.op != Op::shuffle) return together(e, y0, y1, happened);
    const int followed = asked_lane();
    const bool many = e.lanes.size() > 16;
    for (const bool focus : {false, true})
      for (const Exchange::ExchangeLane& l : e.lanes) {
        if ((l.lane == followed) != focus || l.lane >= lanes_) continue;
        if (!v.cursor.arrows && !focus) continue;
        const float strength = !happened ? 0.25f : focus ? 1.0f : followed >= 0 ? 0.3f : many ? 0.5f : 0.75f;
        const Colour read = mix(v.theme.read, v.theme.panel, strength);
        const float x = x_of(l.lane), thick = v.px(focus ? 2.5f : many ? 1.2f : 1.8f);
        // its own value goes straight down into what it computes
        if (made_by(number, l.lane) >= 0)
          v.pen.line({x, y0}, {x, y1}, mix(v.theme.thread, v.theme.panel, strength * 0.6f), thick);
        if (l.from == l.lane || l.from < 0) continue;
        const Point from{x_of(l.from), y0}, to{x, y1};
        v.pen.line(from, to, read, thick);
        const float length = std::hypot(to.x - from.x, to.y - from.y);
        if (happened)
          v.pen.arrow_head(to, {(to.x - from.x) / length, (to.y - from.y) / length},
                           v.px(focus  ? 9
                                : many ? 6
                                       : 8),
                           read);
        if (focus && happened && v.label_size() + v.px(4) <= gap_)
          draw_chip(v, {(from.x + to.x) / 2, middle}, v.value(l.taken, uint8_t(e.kind)), v.theme.read);
      }
  }

  /// All lanes give, all take: a bar with the result in its middle.
  void together(const Exchange& e, float y0, float y1, bool happened) {
    const float middle = (y0 + y1) / 2, strength = happened ? 0.7f : 0.25f;
    const Colour read = mix(v.theme.read, v.theme.panel, strength),
                 write = mix(v.theme.write, v.theme.panel, strength);
    float left = 1e9f, right = 0;
    for (const Exchange::ExchangeLane& l : e.lanes) {
      if (l.lane >= lanes_) continue;
      const float x = x_of(l.lane);
      left = std::min(left, x);
      right = std::max(right, x);
      v.pen.line({x, y0}, {x, middle}, read, v.px(1.2f));
      v.pen.line({x, middle}, {x, y1}, write, v.px(1.2f));
    }
    if (right < left) return;
    v.pen.line({left, middle}, {right, middle}, mix(v.theme.thread, v.theme.panel, strength), v.px(3));
    if (!happened || e.lanes.empty()) return;
    std::string words;
    const auto taken = uint32_t(e.lanes[0].taken);
    if (e.op == Op::reduce)
      words = "+ " + v.value(e.lanes[0].taken, uint8_t(e.kind));
    else if (e.op == Op::ballot)
      words = tr("{} of {} say yes", std::popcount(taken), e.lanes.size());
    else
      words = tr("{} distinct values", distinct(e));
    const float size = v.label_size(), h = std::min(size + v.px(7), y1 - y0 - v.px(2));
    const float w = v.pen.width(words, size, Font::mono_bold) + v.px(16);
    const float x = std::clamp((left + right) / 2, v.columns.left + w / 2, v.picture.width - v.px(4) - w / 2);
    const Box pill{x - w / 2, middle - h / 2, w, h};
    v.pen.rect(pill, v.theme.thread, 0, 1, h / 2);
    v.pen.text(pill.centre(), words, size, v.theme.on(v.theme.thread), Font::mono_bold, Align::centre);
  }
  static int distinct(const Exchange& e) {
    std::set<uint64_t> masks;
    for (const Exchange::ExchangeLane& l : e.lanes) masks.insert(l.taken);
    return int(masks.size());
  }

  void foot() {
    float y = row_y_.back() + cell_h_ + v.index_size() * 0.6f + v.px(4);
    v.label_at(y, tr("lane"), Font::text, v.theme.ink3);
    const float need = v.pen.width("31", v.index_size(), Font::mono) + v.px(4);
    int every = 1;
    while (float(every) * pitch_ < need) every *= 2;
    const int followed = followed_lane();
    for (int lane = 0; lane < lanes_; lane += every)
      v.pen.text({x_of(lane), y}, std::to_string(lane), v.index_size(),
                 lane == followed ? v.theme.ink : v.theme.ink3,
                 lane == followed ? Font::mono_bold : Font::mono, Align::centre);
    std::vector<std::string> parts;
    if (count_ < int(all_.size()))
      parts.push_back(tr("exchanges {} to {} of {}; keys , and . go through them", first_exchange() + 1,
                         first_exchange() + count_, all_.size()));
    if (idle_ > 0)
      parts.push_back(tr_count(idle_, "{} shuffle that reaches beyond the warp is left out",
                               "{} shuffles that reach beyond the warp are left out"));
    // where the results go
    int stores = 0;
    std::string first_store;
    if (v.landed)
      for (const Move& m : v.step.moves()) {
        const int rank = m.arrow.thread % v.threads;
        if (m.held || rank / warp_size != warp_) continue;
        const Exchange::ExchangeLane* at_last = all_.empty() ? nullptr : all_.back()->of(rank % warp_size);
        if (at_last && m.arrow.node < at_last->node) continue;
        if (++stores == 1)
          first_store =
              tr("then lane {} stores {} = {}", rank % warp_size, v.name(m.arrow.to), value_written(v, m));
      }
    if (stores == 1) parts.push_back(first_store);
    if (stores > 1) parts.push_back(tr("{} and {} more", first_store, stores - 1));
    const float size = v.label_size(), room = v.picture.width - margin(v.theme) - v.columns.left;
    const auto wide = [&] { return v.pen.width(joined(parts, tr("; ")), size) > room; };
    // what has no room is left out whole: first what is left out anyway, then how to go on
    if (idle_ > 0 && wide()) parts.erase(parts.begin() + (count_ < int(all_.size())));
    while (parts.size() > 1 && wide()) parts.erase(parts.begin());
    const std::string words = joined(parts, tr("; "));
    y += v.index_size() * 0.6f + v.px(2) + size * 0.65f;
    if (!words.empty())
      name_in(v.pen, {v.columns.left, y - size * 0.6f, room, size * 1.2f}, words, size,
              v.theme.projector() ? size : size * 0.8f, v.theme.ink2);
  }

  int made_by(int number, int lane) const { return held_.made[size_t(number)][size_t(lane)]; }
  std::string operator_of(int number) const {
    for (const int made : held_.made[size_t(number)])
      if (made >= 0) {
        const Op op = v.model.flow().nodes[size_t(made)].op;
        return op == Op::add ? "+" : op == Op::min ? "min" : op == Op::max ? "max" : "";
      }
    return {};
  }
  int first_exchange() const {
    for (size_t k = 1; k < shown_; ++k)
      if (at(k).made_by >= 0) return at(k).made_by;
    return 0;
  }

  Scene& v;
  int warp_, idle_ = 0, lanes_ = 0, count_ = 0, focus_ = -1, happened_ = 0;
  size_t first_row_ = 0, shown_ = 0;
  float bottom_ = 0, top_ = 0, cell_h_ = 0, gap_ = 0, pitch_ = 0, cell_w_ = 0;
  std::vector<const Exchange*> all_;
  LaneRows held_;
  std::vector<float> row_y_;  ///< of the rows in view
};

}  // namespace

bool has_lanes(const Scene& v) { return !all_of(v).empty(); }

int shown_warp(const Scene& v) {
  if (v.hides() || v.cursor.array >= 0 || (v.sub && !v.sub->exchange)) return -1;
  if (v.sub) return v.sub->what.warp;
  int first = -1;
  const int wanted = v.followed >= 0 ? v.followed / warp_size : -1;
  for (const Exchange& e : all_of(v)) {
    if (e.interval != v.step.interval->index) continue;
    if (e.warp == wanted) return wanted;
    if (first < 0 || e.warp < first) first = e.warp;
  }
  // a thread of a warp that hands nothing on is followed in the cells
  return wanted >= 0 && v.cursor.thread >= 0 ? -1 : first;
}

void draw_lanes(Scene& v, int warp, float bottom) { Lanes(v, warp, bottom).drawn(); }

}  // namespace bscope
