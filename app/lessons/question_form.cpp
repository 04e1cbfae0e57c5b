#include "app/lessons/question_form.hpp"

#include <algorithm>
#include <utility>

#include "app/draw/controls.hpp"
#include "app/draw/layout.hpp"
#include "app/draw/theme.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

using Form = Question::Form;

/// What the empty field says.
std::string prompt(const QuestionView& q) {
  switch (q.form) {
    case Form::number: return tr("Type a number");
    case Form::cells: return q.several ? tr("Click the cells") : tr("Click a cell");
    case Form::threads: return q.several ? tr("Click or type threads") : tr("Click or type a thread");
    case Form::line: return tr("Click a line of the source");
    default: return {};
  }
}

/// Cells and threads stand with commas between them; a line by its number.
std::string shown_answer(const QuestionView& q) {
  std::string out;
  if (q.form == Form::number) return q.answer;
  for (const char c : q.answer) out += c == ' ' ? tr(", ") : std::string(1, c);
  if (q.form == Form::line && !out.empty()) return tr("line {}", out);
  return out;
}

/// `code` in the fixed-width face.
Text with_code(const std::string& words, Colour colour) {
  Text out;
  bool code = false;
  for (size_t at = 0; at <= words.size(); code = !code) {
    const size_t end = std::min(words.find('`', at), words.size());
    if (end > at) out.push_back({words.substr(at, end - at), colour, code ? Font::mono : Font::text});
    at = end + 1;
  }
  return out;
}

/// The answer with a caret, or what is expected.
LayoutNode field(const QuestionView& q, const Theme& t) {
  const std::string answer = shown_answer(q);
  const bool typed = q.form == Form::number || q.form == Form::threads, wrong = q.answer == q.wrong;
  return drawing(0, t.px(t.projector() ? 42 : 32), [=](const DrawContext& c, Box b) {
    const Theme& theme = c.t;
    const bool bad = wrong && !answer.empty();
    c.pen.rect(b, theme.cell, bad ? theme.race : theme.thread, theme.px(1.5f), theme.px(4));
    const float x = b.x + theme.px(10), size = answer.empty() ? theme.label() : theme.title();
    if (answer.empty())
      c.pen.text({x, b.centre().y}, c.pen.fitted(prompt(q), b.w - theme.px(20), size), size, theme.ink2);
    else
      c.pen.text({x, b.centre().y}, c.pen.fitted(answer, b.w - theme.px(24), size, Font::mono), size,
                 theme.ink, Font::mono);
    if (!typed) return;
    const float caret =
        answer.empty() ? x - theme.px(3) : x + c.pen.width(answer, size, Font::mono) + theme.px(2);
    if (caret < b.right() - theme.px(4))
      c.pen.line({caret, b.y + b.h * 0.22f}, {caret, b.bottom() - b.h * 0.22f}, theme.ink, theme.px(1.5f));
  });
}

/// One of the choices: its key, and its text in as many lines as it takes.
LayoutNode choice(const QuestionView& q, size_t k, const Theme& t) {
  const std::string& words = q.choices[k];
  const bool wrong = words == q.wrong;
  const float side = t.label() * 1.7f;
  LayoutNode key = drawing(side, side, [=](const DrawContext& c, Box b) {
    c.pen.rect(b, wrong ? 0 : c.t.cell, wrong ? c.t.race : c.t.ink3, c.t.px(1.5f), c.t.px(4));
    if (c.t.touch && !wrong) return;
    c.pen.text(b.centre(), wrong ? "×" : std::to_string(k + 1), c.t.label(), wrong ? c.t.race : c.t.ink,
               Font::mono, Align::centre);
  });
  HitRegion hit;
  hit.what = HitRegion::button;
  hit.name = "choose " + std::to_string(k);
  hit.tip = tr("Takes this as your answer ({}).", k + 1);
  return pressed(
      padded(
          row(t.px(10), {std::move(key),
                         text(with_code(words, wrong ? t.ink2 : t.ink), {.size = t.label() * 1.1f}).grows()}),
          t.px(6), t.px(4)),
      std::move(hit));
}

/// A touch screen has no keys for a number.
LayoutNode keypad(const Theme& t) {
  std::vector<std::pair<float, LayoutNode>> keys;
  for (const char digit : {'1', '2', '3', '4', '5', '6', '7', '8', '9', '0'})
    keys.emplace_back(1.0f, button({"digit " + std::string(1, digit), std::string(1, digit), {}}));
  keys.emplace_back(1.0f, button({"erase", "<", tr("Takes back the last character.")}));
  return shares(t.px(4), std::move(keys));
}

}  // namespace

LayoutNode question_form(const QuestionView& q, const Theme& t) {
  std::vector<LayoutNode> parts;
  if (q.form == Form::choice) {
    for (size_t k = 0; k < q.choices.size(); ++k) parts.push_back(choice(q, k, t));
  } else {
    parts.push_back(row(
        t.gap(), {field(q, t).grows(),
                  button({"check", tr("Check"), tr("Checks your answer (Enter)."), false, 0, {}, tr("Enter")},
                         t.thread)}));
    if (t.touch && (q.form == Form::number || q.form == Form::threads)) parts.push_back(keypad(t));
  }
  if (!q.wrong.empty() && (q.answer.empty() || q.answer == q.wrong || q.form == Form::choice)) {
    const std::string sentence =
        q.sentence.empty() ? tr("Not yet. Try again, or show the answer.") : q.sentence;
    parts.push_back(text(with_code(sentence, t.race), {.size = t.label() * 1.1f}));
  }
  return column(t.px(t.projector() ? 4 : 6), std::move(parts));
}

}  // namespace bscope
