#include "app/lessons/question.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "engine/trace/error.hpp"

namespace bscope {
namespace {

constexpr size_t longest_answer = 24;

/// Several names are written with one space between them, so that `takes_several` sees it.
std::string with_single_spaces(std::string_view text) {
  std::string out;
  for (const std::string& name : words_in(text)) out += (out.empty() ? "" : " ") + name;
  return out;
}

void set_form(Question& q, Question::Form form, std::string answer) {
  const bool another_choice = form == Question::Form::choice && q.form == form;
  if (q.is_asked() && !another_choice)
    throw UsageError(message("a question is answered in one way: leave out the second one"));
  q.form = form;
  q.answer = std::move(answer);
}

void add_choice(Question& q, const std::string& text, bool right) {
  if (q.choices.size() == most_choices)
    throw UsageError(message("a question has at most {} choices", most_choices));
  if (right && q.form == Question::Form::choice && !q.answer.empty())
    throw UsageError(message("one choice is right: write the others as \"choice: ...\""));
  set_form(q, Question::Form::choice, right ? text : q.answer);
  q.choices.push_back(text);
}

}  // namespace

std::vector<std::string> words_in(std::string_view text) {
  std::set<std::string> words;
  for (size_t at = text.find_first_not_of(" ,"); at < text.size();) {
    const size_t end = std::min(text.find_first_of(" ,", at), text.size());
    words.emplace(text.substr(at, end - at));
    at = text.find_first_not_of(" ,", end);
  }
  return {words.begin(), words.end()};
}

void take_answer_line(Question& q, const std::string& name, const std::string& value) {
  using Form = Question::Form;
  if (name == "number") {
    set_form(q, Form::number, value);
  } else if (name == "choice" || name == "right") {
    add_choice(q, value, name == "right");
  } else if (name == "cell" || name == "cells") {
    set_form(q, Form::cells, with_single_spaces(value));
  } else if (name == "thread" || name == "threads") {
    set_form(q, Form::threads, with_single_spaces(value));
  } else if (name == "line") {
    set_form(q, Form::line, value);
  } else if (name == "hint") {
    q.hint = value;
  } else if (name == "at") {
    if (value != "answer" && value != "question")
      throw UsageError(message("\"at: {}\" is neither: write at: answer, or at: question", value));
    q.of_the_answer = value == "answer";
  } else if (name.starts_with("wrong ")) {
    if (q.wrong.size() == most_wrong_answers)
      throw UsageError(message("at most {} wrong answers are spoken to", most_wrong_answers));
    q.wrong.push_back({name.substr(6), value});
  } else {
    throw UsageError(
        message("an answer has no \"{}\": write number, choice and right, cell, cells, thread, threads or "
                "line; then wrong ANSWER, hint, at",
                name));
  }
}

Message lack_of(const Question& q) {
  if (!q.is_asked()) return message("this block says no answer: write for example number: 14");
  if (q.form != Question::Form::choice) return {};
  if (q.answer.empty()) return message("none of the choices is right: write it as \"right: ...\"");
  if (q.choices.size() < 2) return message("one choice is no choice: write another as \"choice: ...\"");
  return {};
}

bool type_answer(Question::Form form, std::string& answer, char32_t c) {
  const bool number = form == Question::Form::number, threads = form == Question::Form::threads;
  const bool digit = c >= '0' && c <= '9';
  const bool sign = number && ((c == '-' && answer.empty()) || c == '.' || c == ',');
  const bool between = threads && c == ' ' && !answer.empty() && !answer.ends_with(' ');
  if (!(number || threads) || !(digit || sign || between)) return false;
  if (answer.size() < longest_answer) answer += char(c);
  return true;
}

double answer_number(std::string_view text) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::string plain;
  // "1,024" groups thousands, "0,5" is a fraction
  const size_t comma = text.rfind(',');
  const bool groups = comma != std::string_view::npos && text.size() - comma == 4 && !text.starts_with("0,");
  for (const char c : text) {
    if (c == ',' && groups) continue;
    plain += c == ',' ? '.' : c;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  return error == std::errc() && end == plain.data() + plain.size() && std::isfinite(value) ? value : none;
}

bool same_answer(Question::Form form, const std::string& a, const std::string& b) {
  switch (form) {
    case Question::Form::number: {
      const double x = answer_number(a), y = answer_number(b);
      return std::abs(x - y) <= 1e-6 * std::max(1.0, std::abs(y));  // false where either is no number
    }
    case Question::Form::cells:
    case Question::Form::threads: return words_in(a) == words_in(b);
    default: return a == b;
  }
}

}  // namespace bscope
