#include "app/lessons/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "app/draw/layout.hpp"
#include "app/draw/text.hpp"
#include "app/draw/theme.hpp"
#include "app/lessons/columns.hpp"
#include "app/lessons/document.hpp"
#include "app/lessons/links.hpp"
#include "app/lessons/markdown.hpp"
#include "app/run/titles.hpp"
#include "app/words/glossary.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// Curves: a rounded rectangle is no circle on screen.
void ring(Pen& pen, Point c, float r, Colour colour, float thickness) {
  const float k = 0.5523f * r;
  for (const float x : {-1.0f, 1.0f})
    for (const float y : {-1.0f, 1.0f})
      pen.curve({c.x + x * r, c.y}, {c.x + x * r, c.y + y * k}, {c.x + x * k, c.y + y * r},
                {c.x, c.y + y * r}, colour, thickness);
}
void ticked(Pen& pen, const Theme& t, Point c, float r) {
  pen.disc(c, r, t.thread);
  const Colour ink = t.on(t.thread);
  pen.line({c.x - 0.5f * r, c.y}, {c.x - 0.1f * r, c.y + 0.4f * r}, ink, t.px(1.8f));
  pen.line({c.x - 0.1f * r, c.y + 0.4f * r}, {c.x + 0.55f * r, c.y - 0.4f * r}, ink, t.px(1.8f));
}

void button_hit(Pen& pen, Box box, std::string name, std::string tip) {
  HitRegion h;
  h.what = HitRegion::button;
  h.box = box;
  h.name = std::move(name);
  h.tip = std::move(tip);
  pen.hit(std::move(h));
}

/// A cross that hides the lessons.
void close(Pen& pen, const Theme& t, Point c) {
  const float u = t.px(t.projector() ? 7 : 4.5f);
  pen.line({c.x - u, c.y - u}, {c.x + u, c.y + u}, t.ink2, t.px(1.6f));
  pen.line({c.x - u, c.y + u}, {c.x + u, c.y - u}, t.ink2, t.px(1.6f));
  button_hit(pen, {c.x - 2 * u, c.y - 2 * u, 4 * u, 4 * u}, "close",
             tr("Hides the lessons; L shows them again."));
}

class PageView {
 public:
  PageView(const LessonPage& page, const Theme& t, const Metrics& m, float w, float h)
      : page_(page), t_(t), m_(m), pen_(out_.picture, m) {
    out_.picture.width = w;
    out_.picture.height = h;
  }

  LessonPicture column() {
    const float w = out_.picture.width, h = out_.picture.height, inner = t_.px(14), room = w - 2 * inner;
    const float title = t_.px(t_.size_title), label = t_.px(t_.size_label), small = t_.px(12);
    // the way back to the list, and out
    float y = t_.px(18);
    const std::string all(tr("Lessons"));
    chevron({inner + t_.px(3), y}, -1);
    const Box back = pen_.text({inner + t_.px(13), y}, all, small, t_.ink2);
    hit("all", tr("Shows the list of all lessons."),
        {inner - t_.px(4), y - t_.px(11), back.right() - inner + t_.px(8), t_.px(22)});
    close(pen_, t_, {w - inner - t_.px(5), y});
    y += t_.px(25);
    y += heading(page_.title, {inner, y - title * 0.65f}, room, 1.3f) + t_.px(2);

    // steps with what is done; in a low window closer together, and then only those around the current one
    const int n = int(page_.steps.size());
    float row = t_.px(23);
    const float most = h * 0.36f;
    if (row * float(n) > most) row = std::max(t_.px(19), most / float(std::max(1, n)));
    const int fit = std::min(n, std::max(1, int(most / row)));  // none of a lesson that has no steps yet
    const int first = std::clamp(page_.step - fit / 2, 0, n - fit);
    for (int k = first; k < first + fit; ++k, y += row)
      mark(k, {t_.px(6), y, w - t_.px(12), row}, inner, label);
    y += t_.px(8);
    pen_.line({inner, y}, {w - inner, y}, t_.line, 1);
    y += t_.px(12);

    // the bottom: back, next; above them what else there is to do
    const float button = t_.px(32);
    float bottom = h - t_.px(12) - button;
    const Box place{inner, bottom, room, button};
    bottom -= t_.px(10);
    if (page_.strayed) {
      const float high = t_.px(28);
      bottom -= high;
      back_to_step({inner, bottom, room, high}, label);
      bottom -= t_.px(8);
    }
    if (page_.score.asked) {
      bottom -= label * 1.4f;
      pen_.text({inner, bottom + label * 0.7f}, score_words(), label, t_.ink2);
      bottom -= t_.px(4);
    }
    bottom -= mistakes({inner, y, room, bottom - y}, label);
    text_and_question({{inner, y, room, bottom - y}}, label * 1.22f);
    buttons(place, label);
    return std::move(out_);
  }

  /// In half of a phone: the steps are dots beside the way back, and the words have the rest.
  LessonPicture leaf() {
    const float w = out_.picture.width, h = out_.picture.height, inner = t_.px(12), room = w - 2 * inner;
    const float title = t_.px(t_.size_title), label = t_.px(t_.size_label);
    float y = t_.px(18);
    chevron({inner + t_.px(3), y}, -1);
    const Box back = pen_.text({inner + t_.px(13), y}, tr("Lessons"), label, t_.ink2);
    hit("all", page_.title + ". " + tr("Shows the list of all lessons."),
        {inner - t_.px(4), y - t_.px(16), back.right() - inner + t_.px(8), t_.px(32)});
    const float right = w - inner - t_.px(5), from = back.right() + t_.px(16);
    close(pen_, t_, {right, y});
    dots({from, y - t_.px(12), right - t_.px(22) - from, t_.px(24)}, t_.px(20));
    y += t_.px(24);
    const std::string name = page_.steps.empty() ? page_.title : page_.steps[size_t(page_.step)].title;
    y += heading(name, {inner, y - title * 0.65f}, room, 1.2f);
    const float button = std::max(t_.px(32), t_.touch ? 40.0f : 0), bottom = h - t_.px(8) - button;
    const Box place{inner, bottom, room, button};
    Box words{inner, y, room, bottom - t_.px(8) - y};
    words.h -= mistakes(words, label);
    text_and_question({words}, label * 1.22f);
    if (page_.strayed)
      back_to_step(place, label);
    else
      buttons(place, label);
    return std::move(out_);
  }

  /// Lesson and step at the left, the words beside them in two columns.
  LessonPicture strip() {
    const float w = out_.picture.width, h = out_.picture.height, inner = t_.px(16);
    const float left = strip_left(), size = t_.px(t_.size_label), title = t_.px(t_.size_title);
    float y = t_.px(24);
    // the way back to the list
    chevron({inner + t_.px(4), y}, -1);
    const float title_w = pen_.width(page_.title, size), way_at = inner + t_.px(16), right = left - t_.px(20);
    const std::string way = tr("Lessons");
    const float title_at = way_at + pen_.width(way, size) + t_.px(14);
    // a title that has no room beside the word stands in its place, behind the same mark
    const bool beside = title_at + title_w <= right, instead = !beside && way_at + title_w <= right;
    const Box list = pen_.text({way_at, y}, instead ? page_.title : way, size, t_.ink);
    hit("all", page_.title + ". " + tr("Shows the list of all lessons."),
        {inner - t_.px(4), y - t_.px(15), list.right() - inner + t_.px(8), t_.px(30)});
    if (beside) pen_.text({title_at, y}, page_.title, size, t_.ink2);
    y += t_.px(38);
    const std::string name = page_.steps.empty() ? "" : page_.steps[size_t(page_.step)].title;
    // dots for the steps: they say where we are without a word; a title of two lines leaves them room
    const float button = t_.px(40), bottom = h - t_.px(12) - button, dot = t_.px(7);
    const float from = y - title * 0.625f, room = left - inner - t_.px(20);
    const float roomy = heading_height(name, room, 1.25f) + from + 2 * dot + t_.px(2);
    y = from + heading(name, {inner, from}, room, roomy <= bottom ? 1.25f : 1.08f);
    const float middle = std::max(y + dot + t_.px(1), bottom - t_.px(22));
    if (middle + dot <= bottom)
      dots({inner, middle - t_.px(9), left - inner - t_.px(20), t_.px(18)}, t_.px(24));
    pen_.line({left - t_.px(2), t_.px(14)}, {left - t_.px(2), h - t_.px(14)}, t_.line, t_.px(1.5f));
    Box words{left + t_.px(16), t_.px(10), w - left - t_.px(16) - t_.px(46), h - t_.px(20)};
    close(pen_, t_, {w - t_.px(24), t_.px(24)});
    const float taken = mistakes(words, size);
    words.h -= taken;
    const float gap = t_.px(40), column = (words.w - gap) / 2;
    text_and_question(
        {{words.x, words.y, column, words.h}, {words.x + column + gap, words.y, column, words.h}},
        strip_size());
    const Box place{inner, bottom, left - inner - t_.px(24), button};
    if (page_.strayed)
      back_to_step(place, size);
    else
      buttons(place, size);
    return std::move(out_);
  }

  float strip_left() const { return t_.px(400); }
  float strip_size() const { return t_.px(22); }
  /// The text's lines in one of the strip's columns.
  std::vector<MarkdownLine> strip_lines(float w) const {
    return markdown(read_markdown(page_.text), {strip_column(w), strip_size(), {}, {}}, t_, m_);
  }
  /// Whether the strip's columns of these heights have room for the text, and none ends within a sentence.
  bool strip_has_room(float w, float first, float second) const {
    const float column = strip_column(w);
    const std::vector<Box> boxes{{0, 0, column, first}, {0, 0, column, second}};
    const ColumnText text = in_boxes(boxes, strip_size());
    return text.whole && ends(text.lines, boxes, 0);
  }
  float strip_column(float w) const { return (w - strip_left() - t_.px(62) - t_.px(40)) / 2; }
  float strip_question_height(float w) { return question_height(strip_column(w)); }

 private:
  LaidText laid_heading(const std::string& words, float room, float leading) const {
    return lay_out(m_, {{words, t_.ink, Font::text_bold}}, room,
                   {.size = t_.px(t_.size_title), .leading = leading, .most_lines = 2});
  }
  float heading_height(const std::string& words, float room, float leading) const {
    return laid_heading(words, room, leading).height;
  }
  /// A title in at most two lines; returns its height.
  float heading(const std::string& words, Point at, float room, float leading) {
    const LaidText laid = laid_heading(words, room, leading);
    draw(pen_, laid, at);
    return laid.height;
  }
  void hit(const std::string& name, const std::string& tip, Box b) { button_hit(pen_, b, name, tip); }
  /// A dot for each step, at most so far from the next.
  void dots(Box b, float most) {
    const float pitch = std::min(most, b.w / float(std::max<size_t>(1, page_.steps.size()))),
                y = b.centre().y;
    for (int k = 0; k < int(page_.steps.size()); ++k) {
      const bool here = k == page_.step, done = page_.steps[size_t(k)].done;
      const float r = here ? t_.px(7) : t_.px(5), x = b.x + pitch * float(k) + t_.px(7);
      if (here || done)
        pen_.disc({x, y}, r, here ? t_.ink : t_.thread);
      else
        ring(pen_, {x, y}, r, t_.ink3, t_.px(1.5f));
      hit(fmt::format("step {}", k), page_.steps[size_t(k)].title, {x - pitch / 2, b.y, pitch, b.h});
    }
  }
  void chevron(Point c, float way) {
    const float u = t_.px(4);
    pen_.line({c.x - way * u / 2, c.y - u}, {c.x + way * u / 2, c.y}, t_.ink2, t_.px(1.6f));
    pen_.line({c.x + way * u / 2, c.y}, {c.x - way * u / 2, c.y + u}, t_.ink2, t_.px(1.6f));
  }
  /// A tick where it is done, a ring where we are, a circle where not.
  void mark(int k, Box b, float inner, float size) {
    const auto& s = page_.steps[size_t(k)];
    const bool here = k == page_.step;
    if (here) pen_.rect(b, t_.selected, 0, 1, t_.px(4));
    const Point c{inner + t_.px(7), b.centre().y};
    const float r = t_.px(7);
    if (here) {
      ring(pen_, c, r - t_.px(1), t_.thread, t_.px(2));
      pen_.disc(c, r * 0.4f, t_.thread);
    } else if (s.done) {
      ticked(pen_, t_, c, r);
    } else {
      ring(pen_, c, r - t_.px(0.5f), t_.ink3, t_.px(1.5f));
    }
    float right = b.right() - t_.px(8);
    if (s.score.asked) {
      const std::string score = fmt::format("{}/{}", s.score.right, s.score.asked);
      pen_.text({right, c.y}, score, t_.px(12), here ? t_.ink : t_.ink2, Font::mono, Align::right);
      right -= pen_.width(score, t_.px(12), Font::mono) + t_.px(8);
    }
    const float left = c.x + r + t_.px(8);
    const Font font = here ? Font::text_bold : Font::text;
    pen_.text({left, c.y}, pen_.fitted(s.title, right - left, size, font), size, here ? t_.ink : t_.ink2,
              font);
    hit(fmt::format("step {}", k), s.title, b);
  }

  std::string score_words() const {
    return tr("So far: {} of {} right", page_.score.right, page_.score.asked);
  }

  void button(Box b, const std::string& name, const std::string& words, const std::string& key, bool main,
              bool can, float size, const std::string& tip) {
    const Colour fill = main ? t_.thread : t_.selected, ink = main ? t_.on(t_.thread) : t_.ink;
    if (can) pen_.rect(b, fill, 0, 1, t_.px(4));
    const float gap = t_.px(8), key_size = t_.projector() ? size : t_.px(12);
    const std::string shown = pen_.fitted(words, b.w - t_.px(12), size, Font::text_bold);
    const float w = pen_.width(shown, size, Font::text_bold), k = pen_.width(key, key_size, Font::mono);
    const bool both = !t_.touch && w + gap + k + t_.px(16) <= b.w;
    float x = b.centre().x - (both ? w + gap + k : w) / 2;
    pen_.text({x, b.centre().y}, shown, size, can ? ink : t_.ink3, Font::text_bold);
    if (both)
      pen_.text({x + w + gap, b.centre().y}, key, key_size, can ? (main ? ink : t_.ink2) : t_.ink3,
                Font::mono);
    if (can) hit(name, tip, b);
  }

  /// What else can be done here: asking again with other numbers, a quiz.
  struct ExtraButton {
    std::string name, label, tip;
    bool empty() const { return name.empty(); }
  };
  ExtraButton extra() const {
    if (page_.has_quiz && !page_.more)
      return {"quiz", tr("Quiz"), tr("Asks about this lesson, with new numbers each time.")};
    if (page_.can_ask_again) return {"another", tr("Again"), tr("Asks this again with other numbers.")};
    return {};
  }

  void buttons(Box b, float size) {
    const float gap = t_.px(8), back = (b.w - gap) * (extra().empty() ? 0.4f : 0.25f);
    const bool last = page_.step + 1 >= int(page_.steps.size());
    button({b.x, b.y, back, b.h}, "back", tr("Back"), t_.projector() ? "" : "Shift+N", false, page_.step > 0,
           size, tr("One step back in the lesson (Shift+N)."));
    std::string words(page_.question.is_asked() && extra().empty() ? tr("Show the answer")
                      : page_.more                                 ? tr("Answer")
                      : !last                                      ? tr("Next")
                                                                   : tr("Done"));
    if (unread_) words = tr("Read on");
    if (const auto [name, label, tip] = extra(); !name.empty()) {
      const float w = (b.w - back - 2 * gap) / 2;
      button({b.x + back + gap, b.y, w, b.h}, name, label, "", false, true, size, tip);
      b.x += w + gap, b.w -= w + gap;
    }
    button({b.x + back + gap, b.y, b.w - back - gap, b.h}, "next", words, "N",
           unread_ || !page_.question.is_asked(), true, size,
           last && !page_.more && !page_.next.empty()
               ? tr("Done: back to the list, where \"{}\" comes next (N).", page_.next)
               : tr("Goes on in the lesson (N)."));
  }
  void back_to_step(Box b, float size) {
    pen_.rect(b, t_.panel, t_.thread, t_.px(1.5f), t_.px(4));
    const std::string words(tr("Back to this step"));
    pen_.text(b.centre(), pen_.fitted(words, b.w - t_.px(12), size, Font::text_bold), size, t_.ink,
              Font::text_bold, Align::centre);
    hit("return", tr("You have wandered off: this shows again what the step is about (Shift+L)."), b);
  }

  /// Above the text, for the author of the lesson. Returns the height taken.
  float mistakes(Box b, float size) {
    if (page_.mistakes.empty()) return 0;
    std::vector<TextBlock> all;  // plain words: a mistake's own backquotes and stars are no markdown
    for (const std::string& sentence : page_.mistakes | std::views::take(3))
      all.push_back({.words = {{.words = sentence}}});
    const float pad = t_.px(8);
    const auto lines = markdown(all, {b.w - 2 * pad, size, {}, {}}, t_, m_);
    const float high = std::min(height_of(lines) + 2 * pad, b.h * 0.6f);
    const Box box{b.x, b.bottom() - high, b.w, high};
    pen_.rect(box, t_.panel, t_.race, t_.px(1.5f), t_.px(4));
    draw_lines(pen_, out_.picture, {box.x + pad, box.y + pad, box.w - 2 * pad, box.h - 2 * pad}, lines, 0);
    return high + t_.px(8);
  }

  /// The height of the form of an open question, with the gap above it.
  float question_height(float width) {
    if (!page_.question.is_asked()) return 0;
    return question_form(page_.question, t_).height_at({pen_, t_}, width) + t_.px(12);
  }

  /// The text, and right below it the form of the question that it ends with. The form never stands without
  /// its question: where both have no room on this page, they are the next one.
  void text_and_question(std::vector<Box> boxes, float size) {
    const Box& last = boxes.back();
    const float most = std::max(0.0f, last.h - (boxes.size() > 1 ? 0 : size * 1.4f));
    const float form = std::min(question_height(last.w), most);
    std::vector<Box> above = boxes;
    above.back().h -= form;
    ColumnText text = in_boxes(above, size);
    if (form > 0 && !ends(text.lines, above, 0)) {
      // a question that has room with its form is not put off for the sake of a sentence
      ColumnText plain{read_markdown(page_.text), {}};
      plain.lines = laid_out(plain.blocks, boxes[0].w, size);
      // on several pages the form takes room of the last alone
      text = ends(plain.lines, above, 0) ? std::move(plain) : in_boxes(boxes, size);
    }
    // an answer that goes on behind its question's page has more room on one that begins with the question
    if (form == 0 && boxes.size() > 1 &&
        !ends(text.lines, boxes, answered_line(text.blocks, boxes[0].w, size)))
      text = in_boxes(boxes, size, answered_block(read_markdown(page_.text)));
    const auto& [blocks, lines, whole] = text;
    const int answered = page_.scroll == scrolled_to_answer ? answered_line(blocks, boxes[0].w, size) : 0;
    int end = int(lines.size());
    if (form > 0) {
      const int question = first_line(blocks, last_of(blocks, TextBlock::question), boxes[0].w, size);
      const int from = first_shown(lines, above, answered);
      if (ends(lines, above, from) || from >= question) return draw_page(lines, above, from, end, form);
      end = question;
    }
    draw_page(lines, boxes, first_shown(lines, boxes, answered), end, 0);
    if (form > 0) out_.furthest = std::max(out_.furthest, end);
  }

  /// The text in boxes of one width, side by side. The block `begins_page` begins a page, if it is not 0.
  ColumnText in_boxes(const std::vector<Box>& boxes, float size, size_t begins_page = 0) const {
    std::vector<TextBlock> blocks = read_markdown(page_.text);
    if (boxes.size() == 1) {
      auto lines = laid_out(blocks, boxes[0].w, size);
      return {std::move(blocks), std::move(lines)};
    }
    std::vector<float> heights;
    for (const Box& b : boxes) heights.push_back(b.h);
    return in_columns(std::move(blocks), {boxes[0].w, size, page_.cell, link_tip}, t_, m_, heights,
                      begins_page);
  }
  std::vector<MarkdownLine> laid_out(const std::vector<TextBlock>& blocks, float width, float size) const {
    return markdown(blocks, {width, size, page_.cell, link_tip}, t_, m_);
  }
  static size_t last_of(const std::vector<TextBlock>& blocks, TextBlock::BlockType kind) {
    size_t k = blocks.size();
    while (k > 0 && blocks[k - 1].kind != kind) --k;
    return k ? k - 1 : blocks.size();
  }
  /// The number of the line that a block begins with.
  int first_line(const std::vector<TextBlock>& blocks, size_t block, float width, float size) const {
    return int(laid_out({blocks.begin(), blocks.begin() + long(std::min(block, blocks.size()))}, width, size)
                   .size());
  }
  /// The question whose answer was asked for last; without a question, the answer itself. 0: no answer.
  static size_t answered_block(const std::vector<TextBlock>& blocks) {
    const size_t answer = last_of(blocks, TextBlock::rule);
    if (answer == blocks.size()) return 0;
    return last_of({blocks.begin(), blocks.begin() + long(answer)}, TextBlock::question);
  }
  /// The line in which it begins.
  int answered_line(const std::vector<TextBlock>& blocks, float width, float size) const {
    return first_line(blocks, answered_block(blocks), width, size);
  }

  /// Whether the boxes have room for all lines from `first` on, with whole questions and tables.
  static bool ends(const std::vector<MarkdownLine>& lines, const std::vector<Box>& boxes, int first) {
    for (const Box& b : boxes) first = lines_that_fit(lines, first, b.h);
    return first == int(lines.size());
  }
  /// The first line on screen: as scrolled, or the wanted one. The last page is full.
  int first_shown(const std::vector<MarkdownLine>& lines, const std::vector<Box>& boxes, int wanted) const {
    int at = page_.scroll == scrolled_to_answer ? wanted : page_.scroll;
    at = std::clamp(at, 0, std::max(0, int(lines.size()) - 1));
    while (at > 0 && ends(lines, boxes, at - 1)) --at;
    return at;
  }

  /// The lines from `at` up to `end`, a bar beside them where there are more, and below them the form.
  void draw_page(const std::vector<MarkdownLine>& lines, const std::vector<Box>& boxes, int at, int end,
                 float form) {
    const std::vector<MarkdownLine> shown(lines.begin(), lines.begin() + std::max(at, end));
    out_.lines = int(lines.size());
    out_.first = at;
    int first = at;  // in the last box
    for (const Box& b : boxes) {
      first = at;
      at = draw_lines(pen_, out_.picture, b, shown, at);
    }
    out_.shown = at;
    unread_ = out_.shown < out_.lines;
    out_.furthest = out_.lines - 1;
    while (out_.furthest > 0 && ends(lines, boxes, out_.furthest - 1)) --out_.furthest;
    const Box& b = boxes.back();
    if (unread_ || out_.first > 0) {
      const float x = b.right() + t_.px(6), all = float(std::max(1, out_.lines)),
                  share = float(out_.shown - out_.first) / all, top = float(out_.first) / all;
      pen_.rect({x, b.y, t_.px(3), b.h}, t_.cell, 0, 1, t_.px(1.5f));
      pen_.rect({x, b.y + b.h * top, t_.px(3), std::max(t_.px(12), b.h * share)}, t_.ink3, 0, 1, t_.px(1.5f));
    }
    if (form <= 0) return;
    float below = b.y;
    for (int k = first; k < at; ++k)
      below += lines[size_t(k)].height + (k > first ? lines[size_t(k)].above : 0);
    bscope::draw({pen_, t_}, question_form(page_.question, t_),
                 {b.x, below + t_.px(12), b.w, form - t_.px(12)});
  }

  const LessonPage& page_;
  const Theme& t_;
  const Metrics& m_;
  LessonPicture out_;
  Pen pen_;
  bool unread_ = false;
};

/// The projector's list: its titles stand in columns, as wide as most of them need.
struct StripGrid {
  int columns = 1, down = 1;
};
StripGrid strip_grid(size_t lessons, const Theme& t, float width) {
  const int columns = std::max(1, int(width / t.px(390)));
  return {columns, std::max(1, (int(lessons) + columns - 1) / columns)};
}
float strip_head(const Theme& t) { return t.px(50); }
float strip_row(const Theme& t) { return t.px(30); }

/// The list of all lessons: a column with a sentence each, in which the chosen one is always in view; on the
/// projector a strip that has room for titles only, in columns.
class ListView {
 public:
  ListView(const std::vector<LessonEntry>& all, int chosen, const Theme& t, const Metrics& m, float w,
           float h)
      : all_(all), chosen_(chosen), t_(t), m_(m), picture_{w, h, {}, {}}, pen_(picture_, m) {}

  Picture picture() {
    const float w = picture_.width, h = picture_.height;
    const float middle = t_.px(strip_ ? 26 : 20);
    pen_.text({inner_, middle}, tr("Lessons"), t_.px(t_.size_title), t_.ink, Font::text_bold);
    close(pen_, t_, {w - inner_ - t_.px(strip_ ? 7 : 4.5f), middle});
    if (all_.empty())
      line_of_its_own(t_.px(60), tr("No lessons were found."), size_, t_.ink2);
    else if (strip_)
      strip();
    else
      column();
    if (!strip_ && !all_.empty())
      line_of_its_own(h - foot_ / 2 - t_.px(2), tr("N next   Enter opens   L hides"), small_, t_.ink3);
    return std::move(picture_);
  }

 private:
  void line_of_its_own(float y, const std::string& words, float size, Colour c) {
    pen_.text({inner_, y}, pen_.fitted(words, picture_.width - 2 * inner_, size), size, c);
  }
  static std::string heading_of(const LessonEntry& e) {
    if (!e.heading.empty()) return e.heading;
    return e.family.empty() ? tr("Other lessons") : family_name(e.family);
  }

  /// Where there are more than fit, the columns around the chosen one.
  void strip() {
    const StripGrid grid = strip_grid(all_.size(), t_, picture_.width);
    const int room = std::max(1, int((picture_.height - strip_head(t_)) / strip_row(t_)));
    const int down = std::min(grid.down, room), columns = (int(all_.size()) + down - 1) / down;
    const int first = std::clamp(chosen_ / down - grid.columns / 2, 0, std::max(0, columns - grid.columns));
    const float each = (picture_.width - 2 * inner_) / float(grid.columns);
    for (int k = first * down; k < std::min(int(all_.size()), (first + grid.columns) * down); ++k) {
      const float y = strip_head(t_) + strip_row(t_) * float(k % down);
      const Box box{inner_ + each * float(k / down - first), y, each - t_.px(16), strip_row(t_) - t_.px(2)};
      entry(k, box, box.centre().y, each - left_ - t_.px(78));
    }
  }

  struct StepRow {
    int entry = 0;
    bool heads = false;  ///< the heading of its family, above it
    float height = 0;
    LaidText about = {};
  };
  std::vector<StepRow> rows() const {
    std::vector<StepRow> rows;
    for (int k = 0; k < int(all_.size()); ++k) {
      const LessonEntry& e = all_[size_t(k)];
      if (k == 0 || heading_of(e) != heading_of(all_[size_t(k - 1)])) rows.push_back({k, true, t_.px(26)});
      StepRow row{k, false, 0};
      if (!e.about.empty())
        row.about = lay_out(m_, {{e.about, k == chosen_ ? t_.ink : t_.ink2}},
                            picture_.width - 2 * inner_ - left_ - t_.px(10),
                            {.size = small_, .leading = 1.3f, .most_lines = 2});
      row.height = size_ * 1.45f + row.about.height + t_.px(6);
      rows.push_back(std::move(row));
    }
    return rows;
  }
  /// So far down that the chosen one is in view, and one more below it.
  size_t first_of(const std::vector<StepRow>& rows, float room) const {
    size_t wanted = 0;
    while (wanted + 1 < rows.size() && (rows[wanted].heads || rows[wanted].entry != chosen_)) ++wanted;
    size_t first = std::min(wanted + 1, rows.size() - 1) + 1;
    float height = 0;
    while (first > 0 && height + rows[first - 1].height <= room) height += rows[--first].height;
    return std::min(first, wanted);
  }

  void column() {
    const float top = t_.px(38), bottom = picture_.height - foot_ - t_.px(6);
    const std::vector<StepRow> all = rows();
    float y = top;
    for (size_t k = first_of(all, bottom - top); k < all.size(); ++k) {
      const StepRow& row = all[k];
      if (y + row.height > bottom + 0.5f) break;
      if (row.heads) {
        const float middle = y + row.height * 0.58f;
        const std::string heading = heading_of(all_[size_t(row.entry)]);
        pen_.text({inner_, middle}, pen_.fitted(heading, head_room(row), small_, Font::text_bold), small_,
                  t_.ink3, Font::text_bold);
        if (row.entry == 0)
          pen_.text({picture_.width - inner_ - t_.px(2), middle}, tr("Steps"), t_.px(11), t_.ink3, Font::text,
                    Align::right);
      } else {
        const float each = picture_.width - 2 * inner_;
        entry(row.entry, {inner_ - t_.px(6), y, each + t_.px(12), row.height - t_.px(2)},
              y + t_.px(3) + size_ * 0.72f, each - left_ - t_.px(54));
        draw(pen_, row.about, {inner_ + left_, y + t_.px(3) + size_ * 1.45f - small_ * 0.1f});
      }
      y += row.height;
    }
  }

  /// Of a heading: the first one has a word at its right.
  float head_room(const StepRow& row) const {
    return picture_.width - 2 * inner_ - (row.entry == 0 ? t_.px(60) : 0);
  }

  /// Its title, and at the right how far it is.
  void entry(int k, Box box, float middle, float room) {
    const LessonEntry& e = all_[size_t(k)];
    const bool on = k == chosen_;
    if (on) {
      pen_.rect(box, t_.selected, 0, 1, t_.px(4));
      pen_.rect({box.x, box.y, t_.px(3), box.h}, t_.thread);
    }
    const float x = box.x + left_ + (strip_ ? 0 : t_.px(6)), right = box.right() - t_.px(8);
    if (!e.kind.empty()) room = std::min(room, right - x - m_.width(Font::text, small_, e.kind) - t_.px(12));
    pen_.text({x, middle}, pen_.fitted(e.title, room, size_, Font::text_bold), size_, t_.ink,
              Font::text_bold);
    if (e.broken) {
      pen_.text({right, middle}, "!", size_, on ? t_.ink : t_.race, Font::text_bold, Align::right);
    } else if (!e.kind.empty()) {
      pen_.text({right, middle}, e.kind, small_, on ? t_.ink2 : t_.ink3, Font::text, Align::right);
    } else if (e.steps > 0 && e.done >= e.steps) {
      const float r = t_.px(strip_ ? 10 : 7);
      ticked(pen_, t_, {right - r, middle}, r);
    } else {
      const std::string steps = std::to_string(e.steps);
      pen_.text({right, middle}, e.done ? fmt::format("{}/{}", e.done, steps) : steps, small_,
                e.done ? t_.ink
                : on   ? t_.ink2
                       : t_.ink3,
                Font::mono, Align::right);
    }
    button_hit(pen_, box, "lesson " + e.id, strip_ ? e.about : "");
  }

  const std::vector<LessonEntry>& all_;
  const int chosen_;
  const Theme& t_;
  const Metrics& m_;
  Picture picture_;
  Pen pen_;
  const bool strip_ = t_.projector();
  const float inner_ = t_.px(14), left_ = t_.px(8), foot_ = strip_ ? 0 : t_.px(30);
  const float size_ = t_.px(t_.size_label), small_ = t_.px(strip_ ? 22 : 12);
};

}  // namespace

LessonPicture lesson_page(const LessonPage& page, const Theme& t, const Metrics& m, float w, float h) {
  PageView view(page, t, m, w, h);
  return t.projector() ? view.strip() : h < t.px(400) ? view.leaf() : view.column();
}

Picture lesson_list(const std::vector<LessonEntry>& all, int chosen, const Theme& t, const Metrics& m,
                    float w, float h) {
  return ListView(all, chosen, t, m, w, h).picture();
}

float lesson_column_width(const Theme& t) { return t.px(318); }

float lesson_list_height(size_t lessons, const Theme& t, float w, float most) {
  const float all = strip_head(t) + strip_row(t) * float(strip_grid(lessons, t, w).down) + t.px(12);
  return std::min(most, all);
}

float lesson_strip_height(const LessonPage& page, const Theme& t, const Metrics& m, float w, float most) {
  const auto lines = PageView(page, t, m, w, 0).strip_lines(w);
  const float form = PageView(page, t, m, w, 0).strip_question_height(w), margins = t.px(20);
  // a question or a table is not broken where a higher strip has room for it
  float block = 0;
  for (int k = 0; k < int(lines.size()); ++k) block = std::max(block, height_together(lines, k));
  // as low as both columns have room for the text and the form below it, which may take more of the screen
  const float highest = form > 0 ? most * 1.5f : std::clamp(block + margins, most, most * 1.5f),
              least = std::min(highest, std::max(std::min(most, t.px(172)), block + margins));
  float roomy = 0;  // the lowest that has room for the text, wherever the first column ends
  const PageView view(page, t, m, w, 0);
  // for the sake of a sentence it may be higher by a line
  for (float h = least; roomy > 0 ? h < roomy + view.strip_size() * 1.5f : h <= highest; h += t.px(6)) {
    const float below = h - margins - form;  // in the second column
    const int first = lines_that_fit(lines, 0, h - margins);
    if (below <= 0 || lines_that_fit(lines, first, below) < int(lines.size())) continue;
    if (view.strip_has_room(w, h - margins, below)) return h;
    if (roomy == 0) roomy = h;
  }
  return roomy > 0 ? roomy : highest;
}

}  // namespace bscope
