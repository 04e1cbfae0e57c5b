#include "app/view/atomics.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "app/view/chart.hpp"

namespace bscope {
namespace {

// ---- the model

const Queue* longest(const Contention& c, bool shared, int bin) {
  for (const Queue& q : c.queues)  // longest first
    if (q.place.shared() == shared && (bin < 0 || q.place.index == bin)) return &q;
  return nullptr;
}

/// Serving times by block, and the length of the queue.
int serve(const Run& run, const Queue& q, std::vector<std::vector<int>>& rows) {
  const auto& launch = run.trace.launches[size_t(q.launch)];
  if (int(rows.size()) < launch.grid) rows.resize(size_t(launch.grid));
  for (size_t k = 0; k < q.nodes.size(); ++k) {
    const Node& node = run.report.flow.nodes[size_t(q.nodes[k])];
    rows[size_t(node.thread / launch.block)].push_back(int(k));
  }
  return int(q.nodes.size());
}

std::string trimmed_line(const Trace& trace, const Launch& launch, int line) {
  if (launch.source < 0 || launch.source >= int(trace.sources.size())) return {};
  const std::string& text = trace.sources[size_t(launch.source)].text;
  size_t begin = 0;
  for (int l = 1; l < line; ++l) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  std::string s = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  const size_t first = s.find_first_not_of(" \t"), last = s.find_last_not_of(" \t\r");
  return first == std::string::npos ? std::string{} : s.substr(first, last - first + 1);
}

/// "if (i < n) bins[i]++;" without its if.
std::string without_condition(const std::string& line) {
  if (!line.starts_with("if (")) return line;
  int depth = 0;
  for (size_t k = 3; k < line.size(); ++k) {
    depth += line[k] == '(' ? 1 : line[k] == ')' ? -1 : 0;
    if (depth == 0) return line.substr(std::min(line.find_first_not_of(' ', k + 1), line.size()));
  }
  return line;
}

/// Reads and writes of the bin, a warp request at a time, in the order of the replay.
void follow_updates(const Run& run, AtomicsModel& m) {
  const Report& r = run.report;
  std::vector<int> order(r.flow.nodes.size(), -1);
  for (size_t k = 0; k < r.flow.sequence.size(); ++k) order[size_t(r.flow.sequence[k])] = int(k);
  struct Touch {
    int at, block, warp, lanes;
    bool write;
    double least, most;
  };
  std::vector<Touch> touches;
  for (const WarpRequest& q : r.requests()) {
    if (q.array != run.trace.output || (q.op != Op::load && q.op != Op::store)) continue;
    Touch touch{-1, q.block, q.warp, 0, q.op == Op::store, 0, 0};
    for (const auto& lane : q.lanes) {
      if (lane.index != m.bin) continue;
      const Node& node = r.flow.nodes[size_t(lane.node)];
      const double value = number(Kind(node.kind), node.bits);
      const int at = order[size_t(lane.node)];
      if (!touch.lanes++)
        touch.at = at, touch.least = touch.most = value;
      else
        touch.at = touch.write ? std::max(touch.at, at) : std::min(touch.at, at),
        touch.least = std::min(touch.least, value), touch.most = std::max(touch.most, value);
    }
    if (touch.lanes) touches.push_back(touch);
  }
  std::sort(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) { return a.at < b.at; });
  m.racy_steps = int(touches.size());
  std::map<std::pair<int, int>, size_t> open;  // a warp's update between its read and its write
  std::vector<bool> closed;
  for (size_t k = 0; k < touches.size(); ++k) {
    const Touch& x = touches[k];
    if (!x.write) {
      open[{x.block, x.warp}] = m.updates.size();
      m.updates.push_back(
          {x.block, x.warp, x.lanes, {x.least, x.most}, {x.least, x.most}, int(k), int(k), {}});
      closed.push_back(false);
      continue;
    }
    const auto mine = open.find({x.block, x.warp});
    for (size_t u = 0; u < m.updates.size(); ++u)
      if (!closed[u] && (mine == open.end() || u != mine->second))
        m.updates[u].overtaken_at.push_back(int(k));
    if (mine == open.end()) continue;
    auto& update = m.updates[mine->second];
    update.writes_at = int(k);
    update.wrote[0] = x.least;
    update.wrote[1] = x.most;
    closed[mine->second] = true;
    open.erase(mine);
  }
  for (size_t u = m.updates.size(); u-- > 0;)
    if (!closed[u]) m.updates.erase(m.updates.begin() + long(u));
}

// ---- drawing

/// Everything that the parts of the picture share.
struct Sheet {
  Pen& pen;
  const Theme& t;
  const AtomicsModel& m;
  int now;

  float label() const { return t.px(t.size_label); }
  float small() const { return t.px(t.size_index); }
  float title() const { return t.px(t.size_title); }
  Colour later(Colour c) const { return mix(c, t.panel, 0.55f); }
  std::string bin() const { return "bin " + std::to_string(m.bin); }
};

/// A legend from the right edge to the left; entries that would pass `left` are left out.
void legend(Sheet& s, float left, float right, float y,
            const std::vector<std::pair<std::string, Colour>>& entries) {
  const float size = s.label(), mark = size * 0.8f;
  for (size_t k = entries.size(); k-- > 0;) {
    const auto& [words, colour] = entries[k];
    const float wide = s.pen.width(words, size) + mark + s.t.px(8);
    if (right - wide < left) return;
    s.pen.text({right, y}, words, size, s.t.ink2, Font::text, Align::right);
    if (words == "waiting")
      s.pen.line({right - wide, y}, {right - wide + mark, y}, colour, std::max(1.0f, s.t.px(1.5f)));
    else
      s.pen.rect({right - wide, y - mark / 2, mark, mark}, colour, 0, 1, s.t.px(2));
    right -= wide + s.t.px(22);
  }
}

/// Rows of one queue picture: a row a block, a column an atomic.
struct Rows {
  Box box;           ///< of the slots
  float column = 0;  ///< width of one unit of time
  float x(float time) const { return box.x + time * column; }
};

void row_labels(Sheet& s, const Rows& r, size_t rows) {
  const float height = r.box.h / float(rows), size = s.label();
  const int every = std::max(1, int(std::ceil(size * 1.1f / height)));
  for (size_t b = 0; b < rows; b += size_t(every))
    s.pen.text({r.box.x - s.t.px(10), r.box.y + (float(b) + 0.5f) * height}, "block " + std::to_string(b),
               size, s.t.ink2, Font::text, Align::right);
}

void slots(Sheet& s, const Rows& r, const std::vector<std::vector<int>>& rows, int start, Colour colour,
           bool waits) {
  const float height = r.box.h / float(rows.size());
  // Under two pixels a slot is no shape of its own: one texture, a pixel a column
  if (r.column < 2) {
    const int across = std::max(1, int(r.box.w));
    std::vector<Colour> cells(size_t(across) * rows.size(), 0);
    for (size_t b = 0; b < rows.size(); ++b)
      for (int time : rows[b]) {
        const int at = std::min(across - 1, int(float(start + time) * r.column));
        cells[b * size_t(across) + size_t(at)] = start + time < s.now ? colour : s.later(colour);
      }
    s.pen.strip(r.box, std::move(cells), int(rows.size()));
    return;
  }
  const float gap = std::min(s.t.px(1.5f), r.column * 0.2f), tall = std::min(height * 0.74f, s.t.px(18));
  for (size_t b = 0; b < rows.size(); ++b) {
    const float y = r.box.y + (float(b) + 0.5f) * height;
    if (waits && !rows[b].empty())
      s.pen.line({r.x(float(start)), y}, {r.x(float(start + rows[b].back())), y},
                 mix(s.t.ink3, s.t.panel, 0.6f), std::max(1.0f, s.t.px(1)));
    for (int time : rows[b])
      s.pen.rect({r.x(float(start + time)) + gap / 2, y - tall / 2, r.column - gap, tall},
                 start + time < s.now ? colour : s.later(colour), 0, 1, s.t.px(2));
  }
}

void queues(Sheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const AtomicsModel& m = s.m;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), small = s.small();

  // heading
  const float head = s.title() * 1.3f;
  const Box heading =
      pen.text({in.x, in.y + head / 2}, "Who waits for " + s.bin() + "?", s.title(), t.ink, Font::text_bold);
  const std::vector<std::pair<std::string, Colour>> entries{
      {"atomic in its queue", t.atomic}, {"global merge add", t.write}, {"waiting", t.ink3}};
  float legend_width = 0;
  for (const auto& [words, colour] : entries)
    legend_width += pen.width(words, label) + label * 0.8f + t.px(30);
  legend(s, heading.right() + t.px(16), in.right(), heading.centre().y, entries);
  pen.text(
      {heading.right() + t.px(14), heading.centre().y},
      first_fit(
          pen,
          {"one row per block, one column per serialised atomic; a single queue lights one cell per column",
           "one row per block, one column per serialised atomic"},
          in.right() - legend_width - heading.right() - t.px(24), label),
      label, t.ink2);

  const size_t rows = size_t(std::max(m.blocks, 1));
  const int end = std::max({m.global_queue, m.shared_total(), 1});
  const float left = in.x + pen.width("block " + std::to_string(m.blocks - 1), label) + t.px(14);
  const float number_size = t.px(t.size_changed);
  const float right =
      in.right() -
      std::max(pen.width(grouped(end), number_size, Font::mono_bold), pen.width("waits", label)) - t.px(14);
  const float sub = label * (t.projector() ? 1.65f : 1.7f), axis = small * 1.5f;
  const std::string note = first_fit(pen,
                                     {"Time unit: one serialised atomic on one address. Drawn equal for "
                                      "shared and global; on hardware a shared "
                                      "atomic is also the cheaper one."},
                                     t.projector() ? 0 : in.w, small);
  const float note_height = note.empty() ? 0 : small * 1.5f;
  const float gap = t.px(8);
  const float room = in.h - head - gap - 2 * sub - gap - axis - note_height;
  const float tall = std::max(room / 2, t.px(20));
  Rows top{{left, in.y + head + gap + sub, right - left, tall}, (right - left) / float(end)};
  Rows bottom = top;
  bottom.box.y = top.box.bottom() + gap + sub;

  // time: grid, past, axis
  const long step = nice_step(end, std::max(2, int((right - left) / t.px(t.projector() ? 140 : 90))));
  const float past = top.x(float(s.now));
  for (const Rows& r : {top, bottom}) {
    pen.rect({r.box.x, r.box.y, past - r.box.x, r.box.h}, t.cell);
    for (long at = 0; at <= end; at += step)
      pen.line({r.x(float(at)), r.box.y}, {r.x(float(at)), r.box.bottom()}, t.line, std::max(1.0f, t.px(1)));
  }
  const float axis_y = bottom.box.bottom() + axis * 0.6f;
  for (long at = 0; at <= end; at += step)
    pen.text({bottom.x(float(at)), axis_y}, grouped(at), small, t.ink2, Font::mono, Align::centre);
  if (!note.empty()) pen.text({in.x, axis_y + axis * 0.4f + note_height * 0.6f}, note, small, t.ink3);

  // global atomics
  row_labels(s, top, rows);
  slots(s, top, m.global, 0, t.atomic, true);
  const float margin_x = right + t.px(12);
  pen.text({margin_x, top.box.centre().y - label * 0.6f}, grouped(m.global_queue), number_size, t.ink,
           Font::mono_bold);
  pen.text({margin_x, top.box.centre().y + number_size * 0.7f}, "waits", label, t.ink2);

  // shared atomics
  row_labels(s, bottom, rows);
  slots(s, bottom, m.shared, 0, t.atomic, false);
  slots(s, bottom, m.merge, m.shared_queue, t.write, true);
  const float barrier = bottom.x(float(m.shared_queue));
  pen.line({barrier, bottom.box.y - t.px(2)}, {barrier, bottom.box.bottom() + t.px(2)}, t.barrier,
           std::max(1.0f, t.px(2)), t.px(5));

  // the marker of now, and the two captions that give way to its chip
  const std::string chip_words = "t = " + grouped(s.now);
  const float chip_width = pen.width(chip_words, small, Font::mono_bold) + t.px(14);
  const float thin = std::max(1.0f, t.px(2));
  const Colour edge = t.dark() ? t.changed : t.ink;  // light `changed` is a fill, never a line
  pen.line({past, top.box.y - t.px(3)}, {past, bottom.box.bottom()}, edge, thin);
  const Box chip{std::clamp(past - chip_width / 2, left - t.px(6), in.right() - chip_width),
                 top.box.y - t.px(3) - small * 1.5f, chip_width, small * 1.5f};
  pen.rect(chip, t.changed, t.dark() ? 0 : t.ink, 1, t.px(4));
  pen.text(chip.centre(), chip_words, small, t.on(t.changed), Font::mono_bold, Align::centre);
  pen.hit({.what = Hit::other,
           .box = {left, chip.y, right - left, bottom.box.bottom() - chip.y},
           .a = 0,
           .b = end,
           .tip = "Drag: how far each queue has come.",
           .name = "time"});
  const auto caption = [&](float y, std::initializer_list<std::string> spellings, bool beside_chip) {
    const float from_left = beside_chip && chip.y < y + label ? chip.x - t.px(10) - in.x : in.w;
    std::string words = first_fit(pen, spellings, from_left, label, Font::text_bold);
    if (!words.empty()) return void(pen.text({in.x, y}, words, label, t.ink, Font::text_bold));
    words = first_fit(pen, spellings, in.right() - chip.right() - t.px(10), label, Font::text_bold);
    pen.text({chip.right() + t.px(10), y}, words, label, t.ink, Font::text_bold);
  };
  caption(top.box.y - sub * 0.62f,
          {"Global atomics: one queue of " + grouped(m.global_queue), "Global: one queue"}, true);
  const std::string sum = grouped(m.shared_queue) + " + " + grouped(m.merge_queue);
  // the marker crosses this caption's height: it stands on the side with room
  const std::string shared_caption = "Shared atomics, then one global add per block: " + sum;
  const float wide = pen.width(shared_caption, label, Font::text_bold);
  const float caption_y = bottom.box.y - sub * 0.6f;
  if (in.x + wide < past - t.px(8))
    pen.text({in.x, caption_y}, shared_caption, label, t.ink, Font::text_bold);
  else if (past + t.px(10) + wide < in.right())
    pen.text({past + t.px(10), caption_y}, shared_caption, label, t.ink, Font::text_bold);
  else
    pen.text({in.x, caption_y},
             first_fit(pen, {"Shared atomics: " + sum, sum}, past - in.x - t.px(8), label, Font::text_bold),
             label, t.ink, Font::text_bold);

  // what it saves, in the room to the right of both the marker and the last merge
  const int total = m.shared_total();
  const float free_x = std::max(bottom.x(float(total)), past) + t.px(12), free_w = right - free_x;
  float y = bottom.box.y;
  if (const float sum_width = pen.width(sum, number_size, Font::mono_bold); sum_width < free_w) {
    pen.text({free_x, y + number_size * 0.65f}, sum, number_size, t.ink, Font::mono_bold);
    y += number_size * 1.3f;
  }
  const int saved = m.global_queue - total;
  char times[32];
  std::snprintf(times, sizeof times, "%.1f", total ? double(m.global_queue) / total : 0);
  const float arrow_height = label * 1.5f;
  if (saved > 0) {
    const std::string long_words = counted(m.blocks, "queue") + " of at most " + grouped(m.shared_queue) +
                                   " drain at once in shared memory, the barrier, then " +
                                   counted(m.merge_queue, "total") + " queue on the global bin";
    const float bottom_of_words = bottom.box.bottom() - arrow_height;
    paragraph(pen, {{long_words, t.ink2}}, {free_x, y, std::min(free_w, t.px(430)), bottom_of_words - y},
              label, t.panel);
    const std::string words = first_fit(
        pen,
        {counted(saved, "wait") + " saved: " + times + " times shorter", counted(saved, "wait") + " saved"},
        free_w - t.px(60), label, Font::text_bold);
    const float ay = bottom.box.bottom() - arrow_height / 2, from = bottom.x(float(total)) + t.px(12),
                to = right;
    const float start = std::max(from, past + t.px(12)), w = pen.width(words, label, Font::text_bold);
    if (!words.empty()) {
      const float middle = (start + to) / 2;
      pen.line({start, ay}, {middle - w / 2 - t.px(8), ay}, t.ink, thin);
      pen.line({middle + w / 2 + t.px(8), ay}, {to, ay}, t.ink, thin);
      pen.line({to, ay - t.px(7)}, {to, ay + t.px(7)}, t.ink, thin);
      pen.arrow_head({start, ay}, {-1, 0}, t.px(9), t.ink);
      pen.rect({middle - w / 2 - t.px(4), ay - label * 0.7f, w + t.px(8), label * 1.4f}, t.panel);
      pen.text({middle, ay}, words, label, t.ink, Font::text_bold, Align::centre);
    }
  } else if (total > 0) {
    pen.text({free_x, bottom.box.bottom() - arrow_height / 2},
             first_fit(pen, {"no wait saved: too few keys meet in this bin", "no wait saved"}, free_w, label),
             label, t.ink2);
  }
}

void input(Sheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const AtomicsModel& m = s.m;
  const Box in = panel(pen, t, outer);
  const float label = s.label();
  float y = in.y;
  pen.text({in.x, y + s.title() * 0.65f}, "Input", s.title(), t.ink, Font::text_bold);
  y += s.title() * 1.3f + t.px(8);
  const int hot = m.hottest < int(m.queue_of.size()) ? m.queue_of[size_t(m.hottest)] : 0;
  const int percent = m.n ? int(std::lround(100.0 * hot / m.n)) : 0;
  const std::string favourite = std::to_string(m.hottest);
  const Slider sliders[] = {
      {"skew", "Skew: share of inputs in bin " + favourite, "Skew: bin " + favourite,
       std::to_string(percent) + "%", "How many of the keys fall in one bin.", 0, 100, float(percent)},
      {"blocks", "Blocks", "", std::to_string(m.blocks), "Blocks of the grid.", 1, 16, float(m.blocks)},
      {"threads", "Threads per block", "Threads", std::to_string(m.threads), "Threads of a block.", 32, 256,
       float(m.threads)},
  };
  const float facts_height = 4 * label * 1.5f;
  const float slider_gap =
      std::clamp((in.bottom() - y - facts_height) / 3 - slider_height(t), 0.0f, t.px(18));
  for (const Slider& one : sliders) {
    slider(pen, t, {in.x, y, in.w, slider_height(t)}, one);
    y += slider_height(t) + slider_gap;
  }
  pen.line({in.x, y}, {in.right(), y}, t.line, std::max(1.0f, t.px(1)));
  y += t.px(6);
  // 7 x 20 where all blocks queue alike
  const bool alike = !m.global.empty() && std::all_of(m.global.begin(), m.global.end(), [&](const auto& r) {
    return r.size() == m.global[0].size();
  });
  const std::string product = alike ? std::to_string(m.blocks) + " x " + std::to_string(m.global[0].size()) +
                                          " = " + grouped(m.global_queue)
                                    : grouped(m.global_queue);
  const std::pair<std::string, std::string> facts[] = {{"queue, global", product},
                                                       {"queue, shared", grouped(m.shared_queue)},
                                                       {"queue, merge", grouped(m.merge_queue)},
                                                       {"total, shared path", grouped(m.shared_total())}};
  for (const auto& [what, value] : facts) {
    if (y + label * 1.4f > in.bottom() + t.px(4)) return;
    const float middle = y + label * 0.75f;
    const float room = in.w - pen.width(what, label) - t.px(6);
    const std::string shown =
        first_fit(pen, {value, what == "queue, global" ? grouped(m.global_queue) : value}, room, label,
                  Font::mono_bold);
    pen.text({in.x, middle}, what, label, t.ink2);
    pen.text({in.right(), middle}, shown, label, t.ink, Font::mono_bold, Align::right);
    y += label * 1.55f;
  }
  y += t.px(4);
  char mean[32];
  std::snprintf(mean, sizeof mean, "%.3g", m.bins ? double(m.n) / m.bins : 0);
  paragraph(pen,
            {{"Skew moves every number here:", t.ink, Font::text_bold},
             {" uniform input averages " + std::string(mean) + " per bin.", t.ink2}},
            {in.x, y + t.px(4), in.w, in.bottom() - y}, label);
}

/// The plot of a chart of bins: x of each, y of a count.
struct Bars {
  Box box;
  double most = 1;
  float pitch = 0;
  float x(int bin) const { return box.x + (float(bin) + 0.5f) * pitch; }
  float y(double count) const { return box.bottom() - float(count / most) * box.h; }
  float width() const { return pitch < 3 ? pitch : pitch * 0.8f; }
};

void bin_axis(Sheet& s, const Bars& b, bool hits) {
  const float small = s.small();
  const float widest = s.pen.width(std::to_string(s.m.bins - 1), small, Font::mono_bold) + s.t.px(8);
  const int every = std::max(1, int(std::ceil(widest / b.pitch)));
  for (int k = 0; k < s.m.bins; ++k) {
    const bool chosen = k == s.m.bin;
    const bool near = std::abs(k - s.m.bin) < every;  // the chosen bin's number is always there
    if (chosen || (k % every == 0 && !near))
      s.pen.text({std::min(b.x(k), b.box.right() + s.t.px(8) - widest / 2), b.box.bottom() + small * 0.9f},
                 std::to_string(k), small, chosen ? s.t.ink : s.t.ink2, chosen ? Font::mono_bold : Font::mono,
                 Align::centre);
    if (hits)
      s.pen.hit({.what = Hit::bin,
                 .box = {b.box.x + float(k) * b.pitch, b.box.y, b.pitch, b.box.h + small * 1.6f},
                 .a = k,
                 .tip = "Bin " + std::to_string(k) + ": " + grouped(s.m.queue_of[size_t(k)]) + " keys.",
                 .name = "bin " + std::to_string(k)});
  }
}

/// Room for words beside the chosen bar: the wider side, down to its highest bar's label.
Box beside(const Sheet& s, const Bars& b, const auto& height_of, float margin) {
  const float gap = s.t.px(12);
  const float left_edge = b.x(s.m.bin) - margin - gap, right_edge = b.x(s.m.bin) + margin + gap;
  const bool right = b.box.right() - right_edge >= left_edge - b.box.x;
  double highest = 0;
  for (int k = 0; k < s.m.bins; ++k)
    if (right ? k > s.m.bin : k < s.m.bin) highest = std::max(highest, double(height_of(k)));
  const float bottom = b.y(highest) - s.small() * 1.6f;
  return right ? Box{right_edge, b.box.y, b.box.right() - right_edge, bottom - b.box.y}
               : Box{b.box.x, b.box.y, left_edge - b.box.x, bottom - b.box.y};
}

/// Top of the chosen bar and of those that a text of this width above it would reach; `over` is what stands
/// on the others.
float top_near(const Bars& b, const AtomicsModel& m, float wide, const auto& height_of, float over) {
  float top = b.y(height_of(m.bin));
  for (int k = 0; k < m.bins; ++k)
    if (k != m.bin && std::abs(b.x(k) - b.x(m.bin)) < (wide + b.pitch) / 2)
      top = std::min(top, b.y(height_of(k)) - over);
  return top;
}

void bins_now(Sheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const AtomicsModel& m = s.m;
  const Box in = panel(pen, t, outer);
  const float label = s.label(), small = s.small();
  const float head = s.title() * 1.3f;
  const std::string title = first_fit(
      pen, {"Bins at t = " + grouped(s.now) + ", global atomics", "Bins at t = " + grouped(s.now), "Bins"},
      in.w, s.title(), Font::text_bold);
  const Box heading = pen.text({in.x, in.y + head / 2}, title, s.title(), t.ink, Font::text_bold);
  pen.text({in.right(), heading.centre().y},
           first_fit(pen, {"outline: final count", "outline: final"}, in.right() - heading.right() - t.px(10),
                     label),
           label, t.ink2, Font::text, Align::right);
  if (m.queue_of.empty()) return;
  const int most = std::max(1, *std::max_element(m.queue_of.begin(), m.queue_of.end()));
  const float scale_width = pen.width(grouped(most), small, Font::mono) + t.px(8);
  Bars b{{in.x + scale_width, in.y + head + small * 1.8f, in.w - scale_width, 0}, double(most), 0};
  b.box.h = in.bottom() - small * 1.5f - b.box.y;
  b.pitch = b.box.w / float(m.bins);
  const long step = nice_step(most, std::max(1, int(b.box.h / (small * 3.5f))));
  for (long at = 0; at <= most; at += step) {
    pen.line({b.box.x, b.y(double(at))}, {b.box.right(), b.y(double(at))}, t.line, std::max(1.0f, t.px(1)));
    pen.text({b.box.x - t.px(6), b.y(double(at))}, grouped(at), small, t.ink2, Font::mono, Align::right);
  }
  const bool numbers = pen.width(grouped(most), small, Font::mono) < b.pitch;
  for (int k = 0; k < m.bins; ++k) {
    const int final = m.queue_of[size_t(k)], served = std::min(final, s.now);
    const float x = b.x(k) - b.width() / 2;
    if (served) pen.rect({x, b.y(served), b.width(), b.box.bottom() - b.y(served)}, t.atomic, 0, 1, t.px(2));
    if (served < final)
      pen.rect({x, b.y(final), b.width(), b.box.bottom() - b.y(final)}, 0, t.ink3, std::max(1.0f, t.px(1)),
               t.px(2));
    if (k != m.bin && numbers && final)
      pen.text({b.x(k), b.y(final) - small * 0.75f}, grouped(served), small, t.ink, Font::mono,
               Align::centre);
  }
  bin_axis(s, b, true);
  const int final = m.queue_of[size_t(m.bin)], served = std::min(final, s.now);
  // the chosen bin says more than its neighbours have room for, so it says it above all of them
  const std::string words = served < final ? grouped(served) + " of " + grouped(final) : grouped(final);
  const float wide = pen.width(words, label, Font::mono_bold);
  const float highest_near = top_near(
      b, m, wide, [&](int k) { return double(m.queue_of[size_t(k)]); }, numbers ? small * 1.4f : 0);
  const float tag_y = std::max(highest_near - label * 0.75f, in.y + head + label * 0.7f);
  pen.text({std::clamp(b.x(m.bin), b.box.x + wide / 2, b.box.right() - wide / 2), tag_y}, words, label, t.ink,
           Font::mono_bold, Align::centre);

  int finished = 0, filled = 0;
  for (int q : m.queue_of) filled += q > 0, finished += q > 0 && q <= s.now;
  const int open = filled - finished;
  Box free = beside(
      s, b, [&](int k) { return m.queue_of[size_t(k)]; }, std::max(wide / 2, b.width() / 2));
  free.w = std::min(free.w, t.px(260) * (t.projector() ? 1.5f : 1));
  if (tag_y + label > free.y && free.w < wide) return;
  const std::string who = open == 0 ? "All queues are drained."
                          : open > 1
                              ? counted(open, "bin") + " still drain."
                              : "Bin " + std::to_string(m.hottest) + " alone keeps the kernel running.";
  float y = paragraph(pen,
                      {{counted(finished, "bin") + (finished == 1 ? " is finished" : " are finished"), t.ink,
                        Font::text_bold}},
                      free, label, t.panel);
  const float after_first = y;
  if (!t.projector() && finished)
    y = paragraph(pen, {{"different addresses, separate queues", t.ink2}},
                  {free.x, y, free.w, free.bottom() - y}, label, t.panel);
  if (after_first > free.y)
    paragraph(pen, {{who, t.ink2}}, {free.x, y, free.w, free.bottom() - y}, label, t.panel);
}

std::string value_text(const double v[2]) {
  const auto one = [](double x) { return grouped((long long)x); };
  return v[0] == v[1] ? one(v[0]) : one(v[0]) + "-" + one(v[1]);
}

void cross(Pen& pen, Point c, float r, Colour colour, float thickness) {
  pen.line({c.x - r, c.y - r}, {c.x + r, c.y + r}, colour, thickness);
  pen.line({c.x - r, c.y + r}, {c.x + r, c.y - r}, colour, thickness);
}

void racy_updates(Sheet& s, Box in) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const AtomicsModel& m = s.m;
  const float label = s.label(), small = s.small();
  float y = in.y;
  pen.text({in.x, y + label * 0.7f},
           first_fit(
               pen, {s.bin() + ", each warp: read, add, write back", s.bin() + ": read, add, write", s.bin()},
               in.w, label),
           label, t.ink2);
  y += label * 1.6f;
  bool several_warps = false, stale = false;
  int lanes = 0;
  for (const auto& u : m.updates) {
    several_warps = several_warps || u.warp > 0;
    stale = stale || !u.overtaken_at.empty();
    lanes = std::max(lanes, u.lanes);
  }
  // notes below, as many as there is room for above three rows
  float bottom = in.bottom();
  const auto note_y = [&] { return bottom -= small * 1.5f, bottom + small * 0.75f; };
  if (lanes > 1) {
    const std::string words =
        first_fit(pen,
                  {"In one warp " + std::to_string(lanes) + " lanes store the same value: 1 of " +
                       std::to_string(lanes) + " counts.",
                   std::to_string(lanes) + " lanes, one value: 1 counts."},
                  in.w, small);
    if (!words.empty()) pen.text({in.x, note_y()}, words, small, t.ink2);
  }
  if (stale) {
    const float at = note_y();
    cross(pen, {in.x + small * 0.5f, at}, small * 0.32f, t.ink, std::max(1.5f, t.px(2)));
    pen.text({in.x + small * 1.4f, at},
             first_fit(pen, {"another warp wrote in between: stale", "overtaken: stale", "stale"},
                       in.w - small * 1.4f, small),
             small, t.ink2);
  }
  bottom -= t.px(4);
  const auto row_name = [&](const AtomicsModel::Update& u) {
    return "block " + std::to_string(u.block) + (several_warps ? " warp " + std::to_string(u.warp) : "");
  };
  float names = 0, reads = 0, writes = 0;
  for (const auto& u : m.updates) {
    names = std::max(names, pen.width(row_name(u), label));
    reads = std::max(reads, pen.width("reads " + value_text(u.read), small, Font::mono));
    writes = std::max(writes, pen.width("writes " + value_text(u.wrote), small, Font::mono));
  }
  const float least = label * 1.25f;
  const size_t most_rows = size_t(std::max(0.0f, (bottom - y) / least));
  if (m.updates.empty() || most_rows == 0) return;
  size_t shown = std::min(m.updates.size(), most_rows);
  if (shown < m.updates.size() && shown > 1) --shown;  // the last row says how many are not shown
  const float pitch =
      std::min((bottom - y) / float(std::max<size_t>(shown + (shown < m.updates.size()), 1)), t.px(38));
  const float dot = std::min(pitch * 0.28f, t.px(6));
  // values without their words where those would leave the crosses no room: the note above says what they are
  const auto time_left = [&] { return in.w - names - reads - writes - t.px(26) - 2 * dot; };
  const bool brief = time_left() < float(m.racy_steps) * dot * 1.7f;
  if (brief) {
    reads = writes = 0;
    for (const auto& u : m.updates) {
      reads = std::max(reads, pen.width(value_text(u.read), small, Font::mono));
      writes = std::max(writes, pen.width(value_text(u.wrote), small, Font::mono));
    }
  }
  const float x0 = in.x + names + t.px(10) + reads + t.px(8) + dot, x1 = in.right() - writes - t.px(8) - dot;
  const auto x = [&](int step) {
    return m.racy_steps < 2 ? x0 : x0 + (x1 - x0) * float(step) / float(m.racy_steps - 1);
  };
  for (size_t k = 0; k < shown; ++k) {
    const auto& u = m.updates[k];
    const float cy = y + (float(k) + 0.5f) * pitch, from = x(u.reads_at), to = x(u.writes_at);
    pen.text({in.x, cy}, row_name(u), label, t.ink2);
    const bool lost = !u.overtaken_at.empty();
    pen.line({from, cy}, {to, cy}, lost ? t.race : t.ink3, std::max(1.5f, t.px(3)));
    for (int step : u.overtaken_at) cross(pen, {x(step), cy}, dot * 0.75f, t.ink, std::max(1.0f, t.px(2)));
    disc(pen, {from, cy}, dot, t.read);
    pen.rect({to - dot, cy - dot, 2 * dot, 2 * dot}, t.write, 0, 1, t.px(2));
    pen.text({from - dot - t.px(6), cy}, (brief ? "" : "reads ") + value_text(u.read), small, t.read,
             Font::mono, Align::right);
    pen.text({to + dot + t.px(6), cy}, (brief ? "" : "writes ") + value_text(u.wrote), small, t.write,
             Font::mono);
  }
  if (shown < m.updates.size())
    pen.text({in.x, y + (float(shown) + 0.5f) * pitch},
             "and " + counted(int(m.updates.size() - shown), "warp") + " more", label, t.ink2);
}

void racy_bins(Sheet& s, Box in) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const AtomicsModel& m = s.m;
  const float label = s.label(), small = s.small();
  if (m.racy.empty()) return;
  long most = 1;
  for (const auto& c : m.racy) most = std::max(most, c.performed);
  Bars b{{in.x, in.y + label * 1.6f, in.w, 0}, double(most), in.w / float(m.bins)};
  b.box.h = in.bottom() - small * 1.5f - b.box.y;
  for (int k = 0; k < m.bins; ++k) {
    const auto& c = m.racy[size_t(k)];
    if (!c.performed) continue;
    const float x = b.x(k) - b.width() / 2;
    const float kept = b.y(double(c.present));
    if (c.present < c.performed) {
      const Box lost{x, b.y(double(c.performed)), b.width(), kept - b.y(double(c.performed))};
      pen.rect(lost, mix(t.race, t.panel, 0.25f));
      if (b.width() >= t.px(5)) pen.hatch(lost, t.race, t.px(5), std::max(1.0f, t.px(1.2f)));
      pen.rect(lost, 0, t.race, std::max(1.0f, t.px(1)));
    }
    pen.rect({x, kept, b.width(), b.box.bottom() - kept}, t.ink);
  }
  pen.line({b.box.x, b.box.bottom()}, {b.box.right(), b.box.bottom()}, t.ink3, std::max(1.0f, t.px(1)));
  bin_axis(s, b, false);
  const auto& mine = m.racy[size_t(m.bin)];
  const std::string performed = grouped(mine.performed);
  const float wide = pen.width(performed, label, Font::mono_bold);
  const float top = top_near(
      b, m, wide * 2, [&](int k) { return double(m.racy[size_t(k)].performed); }, 0);
  pen.text({std::clamp(b.x(m.bin), b.box.x + wide / 2, b.box.right() - wide / 2), top - label * 0.75f},
           performed, label, t.ink, Font::mono_bold, Align::centre);

  Box free = beside(
      s, b, [&](int k) { return m.racy[size_t(k)].performed; }, std::max(wide / 2, b.width() / 2));
  float y = free.y;
  const auto rest = [&] { return Box{free.x, y, free.w, free.bottom() - y}; };
  const std::string shows = s.bin() + " shows " + grouped(mine.present);
  y = paragraph(pen,
                mine.present < mine.performed
                    ? std::vector<Words>{{shows + ", not " + performed, t.race, Font::text_bold}}
                    : std::vector<Words>{{shows + ": right", t.ink, Font::text_bold}},
                rest(), label);
  std::string where;
  const auto add = [&](long count, const char* place) {
    if (count) where += (where.empty() ? "" : ", ") + grouped(count) + " " + place;
  };
  add(m.lost_in_warps, "inside warps");
  add(m.lost_in_blocks, "between warps");
  add(m.lost_between_blocks, "between blocks");
  if (!where.empty()) y = paragraph(pen, {{"lost: " + where, t.ink2}}, rest(), label);
  y += label * 0.5f;
  const auto key = [&](const std::string& words, bool lost) {
    const float mark = label * 0.9f;
    const Box box{free.x, y + label * 0.7f - mark / 2, mark, mark};
    if (lost) {
      pen.rect(box, mix(t.race, t.panel, 0.25f));
      pen.hatch(box, t.race, t.px(5), std::max(1.0f, t.px(1.2f)));
      pen.rect(box, 0, t.race);
    } else {
      pen.rect(box, t.ink);
    }
    pen.text({box.right() + t.px(8), box.centre().y}, words, label, t.ink2);
    y += label * 1.5f;
  };
  // both or neither: one alone would not say what the other fill means
  const std::string kept = "kept: " + grouped(m.performed - m.lost), lost = "lost: " + grouped(m.lost);
  if (y + label * 3 > free.bottom() ||
      std::max(pen.width(kept, label), pen.width(lost, label)) + label * 1.6f > free.w)
    return;
  key(kept, false);
  key(lost, true);
}

void racy(Sheet& s, Box outer) {
  Pen& pen = s.pen;
  const Theme& t = s.t;
  const AtomicsModel& m = s.m;
  const Box in = panel(pen, t, outer, t.race);
  const float head = s.title() * 1.5f, label = s.label();
  const std::string words =
      m.lost ? grouped(m.lost) + " of " + counted(m.performed, "update") + " lost" : "no update lost";
  const float chip_width = pen.width(words, label, Font::text_bold) + t.px(18);
  const Box chip{in.right() - chip_width, in.y, chip_width, head};
  pen.rect(chip, m.lost ? t.race : t.cell, m.lost ? 0 : t.race, 1, t.px(4));
  pen.text(chip.centre(), words, label, m.lost ? t.on(t.race) : t.ink, Font::text_bold, Align::centre);
  const Box heading = pen.text({in.x, in.y + head / 2}, "No atomics", s.title(), t.ink, Font::text_bold);
  if (const float room = chip.x - heading.right() - t.px(28); room > t.px(60))
    pen.text(
        {heading.right() + t.px(14), in.y + head / 2},
        first_fit(pen, {m.racy_line, without_condition(m.racy_line)}, room, t.px(t.size_code), Font::mono),
        t.px(t.size_code), t.ink2, Font::mono);
  const Box body{in.x, in.y + head + t.px(6), in.w, in.h - head - t.px(6)};
  if (m.performed == 0) {
    paragraph(pen, {{"This run updates no bin without atomics.", t.ink2}}, body, label);
    return;
  }
  const float split = body.w * 0.56f;
  racy_updates(s, {body.x, body.y, split - t.px(12), body.h});
  racy_bins(s, {body.x + split + t.px(4), body.y, body.w - split - t.px(4), body.h});
}

}  // namespace

AtomicsModel atomics_model(const Run& global, const Run& shared, const Run& racy, int bin) {
  AtomicsModel m;
  m.n = int(global.report.input.size());
  m.bins = std::max<int>({int(global.report.output.size()), int(racy.report.output.size()), 1});
  if (!global.trace.launches.empty()) {
    m.blocks = global.trace.launches.back().grid;
    m.threads = global.trace.launches.back().block;
  }
  m.queue_of.assign(size_t(m.bins), 0);
  for (const Queue& q : global.report.contention().queues)
    if (!q.place.shared() && q.place.array == global.trace.output && q.place.index < m.bins)
      m.queue_of[size_t(q.place.index)] = std::max(m.queue_of[size_t(q.place.index)], int(q.nodes.size()));
  m.hottest = int(std::max_element(m.queue_of.begin(), m.queue_of.end()) - m.queue_of.begin());
  m.bin = bin >= 0 && bin < m.bins ? bin : m.hottest;

  const auto rows = [&](std::vector<std::vector<int>>& all) { all.resize(size_t(std::max(m.blocks, 1))); };
  rows(m.global), rows(m.shared), rows(m.merge);
  if (const Queue* q = longest(global.report.contention(), false, m.bin))
    m.global_queue = serve(global, *q, m.global);
  std::vector<bool> seen(m.shared.size());
  for (const Queue& q : shared.report.contention().queues) {
    if (!q.place.shared() || q.place.index != m.bin || q.block < 0) continue;
    // the longest of a block's queues on the bin: they come longest first
    if (q.block < int(seen.size()) && seen[size_t(q.block)]) continue;
    m.shared_queue = std::max(m.shared_queue, serve(shared, q, m.shared));
    seen.resize(m.shared.size());
    seen[size_t(q.block)] = true;
  }
  if (const Queue* q = longest(shared.report.contention(), false, m.bin))
    m.merge_queue = serve(shared, *q, m.merge);

  follow_updates(racy, m);
  m.racy.resize(size_t(m.bins));
  const Lost& lost = racy.report.lost();
  for (const auto& c : lost.cells)
    if (c.place.array == racy.trace.output && c.place.index >= 0 && c.place.index < m.bins)
      m.racy[size_t(c.place.index)] = {c.performed, c.present};
  m.performed = lost.performed;
  m.lost = lost.lost;
  for (const LostUpdate& u : lost.updates) {
    if (u.place.array != racy.trace.output) continue;
    if (m.racy_line.empty() && u.store >= 0) {
      const Node& node = racy.report.flow.nodes[size_t(u.store)];
      m.racy_line = trimmed_line(racy.trace, racy.trace.launches[size_t(node.launch)], node.line);
    }
    if (u.place.index == m.bin)
      ++(u.where == LostUpdate::in_warp    ? m.lost_in_warps
         : u.where == LostUpdate::in_block ? m.lost_in_blocks
                                           : m.lost_between_blocks);
  }
  return m;
}

Picture atomics_view(const AtomicsModel& m, const AtomicsCursor& cursor, const Theme& t,
                     const Metrics& metrics, float w, float h) {
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  const int end = std::max({m.global_queue, m.shared_total(), 1});
  Sheet s{pen, t, m, std::clamp(cursor.t < 0 ? m.shared_total() : cursor.t, 0, end)};
  pen.rect({0, 0, w, h}, t.window);
  const float gap = t.px(8);
  const float fixed = t.px(24) + s.title() * 1.3f + s.label() * 3 + s.small() * 3 + t.px(30);
  const float rows = 2 * float(std::max(m.blocks, 1)) * t.px(18);
  const float top = std::clamp(fixed + rows, h * 0.40f, h * (t.projector() ? 0.50f : 0.52f));
  queues(s, {0, 0, w, top});
  const float y = top + gap, height = h - y, across = w - 2 * gap;
  const float first = across * (t.projector() ? 0.235f : 0.19f),
              second = across * (t.projector() ? 0.265f : 0.355f);
  input(s, {0, y, first, height});
  bins_now(s, {gap + first, y, second, height});
  racy(s, {2 * gap + first + second, y, across - first - second, height});
  return picture;
}

Picture atomics_view(const Run& global, const Run& shared, const Run& racy, const AtomicsCursor& cursor,
                     const Theme& t, const Metrics& metrics, float w, float h) {
  return atomics_view(atomics_model(global, shared, racy, cursor.bin), cursor, t, metrics, w, h);
}

}  // namespace bscope
