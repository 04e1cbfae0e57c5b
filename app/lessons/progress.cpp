#include "app/lessons/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "app/run/run.hpp"
#include "app/session/lesson_state.hpp"

namespace bscope {
namespace {

struct StepRecord {
  std::string step, score;  ///< "blelloch/5", "3:4" or nothing
};

std::vector<StepRecord> records_of(const std::string& text) {
  std::vector<StepRecord> all;
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const size_t sign = std::min(word.find('='), word.size());
    if (!word.empty()) all.push_back({word.substr(0, sign), sign < word.size() ? word.substr(sign + 1) : ""});
  }
  return all;
}

std::vector<StepRecord> entries(const LessonState& s) { return records_of(s.progress); }

std::string text_of(const std::vector<StepRecord>& all) {
  std::string text;
  for (const StepRecord& e : all)
    text += (text.empty() ? "" : " ") + e.step + (e.score.empty() ? "" : "=") + e.score;
  return text;
}
LessonState with_entries(LessonState s, const std::vector<StepRecord>& all) {
  s.progress = text_of(all);
  return s;
}

/// As one word of a record.
std::string escaped(const std::string& text) {
  std::string word;
  for (const char c : text)
    word += c == ' ' || c == '=' || c == '%' || c == '\n' ? fmt::format("%{:02x}", c) : std::string(1, c);
  return word;
}
std::string unescaped(const std::string& word) {
  std::string text;
  for (size_t at = 0; at < word.size(); ++at) {
    unsigned code = 0;
    const char* const from = word.data() + at + 1;
    const bool whole =
        word[at] == '%' && at + 2 < word.size() && std::from_chars(from, from + 2, code, 16).ptr == from + 2;
    text += whole ? char(code) : word[at];
    if (whole) at += 2;
  }
  return text;
}

/// How a lesson's entries begin. A lesson of one's own is named by its path, which may hold a space.
std::string head_of(const std::string& lesson) { return escaped(lesson) + "/"; }
std::string name_of(const std::string& lesson, int step) { return head_of(lesson) + std::to_string(step); }

}  // namespace

bool is_done(const LessonState& s, const std::string& lesson, int step) {
  return std::ranges::count(entries(s), name_of(lesson, step), &StepRecord::step) > 0;
}

int steps_done(const LessonState& s, const std::string& lesson) {
  return int(std::ranges::count_if(
      entries(s), [head = head_of(lesson)](const StepRecord& e) { return e.step.starts_with(head); }));
}

LessonState with_done(LessonState s, const std::string& lesson, int step) {
  auto all = entries(s);
  if (is_done(s, lesson, step)) return s;
  all.push_back({name_of(lesson, step), {}});
  return with_entries(std::move(s), all);
}

Score score_of(const LessonState& s, const std::string& lesson, int step) {
  Score sum;
  const std::string head = head_of(lesson), one = name_of(lesson, step);
  constexpr long long most = 10'000;  // a session file may say anything
  for (const StepRecord& e : entries(s)) {
    const size_t colon = e.score.find(':');
    if (colon == std::string::npos || !(step < 0 ? e.step.starts_with(head) : e.step == one)) continue;
    sum.right += int(std::clamp(as_whole(e.score.substr(0, colon)).value_or(0), 0ll, most));
    sum.asked += int(std::clamp(as_whole(e.score.substr(colon + 1)).value_or(0), 0ll, most));
  }
  return sum;
}

LessonState with_score(LessonState s, const std::string& lesson, int step, Score score) {
  auto all = entries(s = with_done(std::move(s), lesson, step));
  std::ranges::find(all, name_of(lesson, step), &StepRecord::step)->score =
      fmt::format("{}:{}", score.right, score.asked);
  return with_entries(std::move(s), all);
}

/// "blelloch/5.0"
static std::string name_of_question(const std::string& lesson, int step, int part) {
  return fmt::format("{}.{}", name_of(lesson, step), part);
}

std::string answer_given(const LessonState& s, const std::string& lesson, int step, int part) {
  const auto all = records_of(s.answers);
  const auto it = std::ranges::find(all, name_of_question(lesson, step, part), &StepRecord::step);
  return it == all.end() ? std::string() : unescaped(it->score);
}

LessonState with_answer(LessonState s, const std::string& lesson, int step, int part,
                        const std::string& answer) {
  auto all = records_of(s.answers);
  const std::string name = name_of_question(lesson, step, part);
  std::erase_if(all, [&](const StepRecord& e) { return e.step == name; });
  all.push_back({name, escaped(answer)});
  s.answers = text_of(all);
  return s;
}

/// Without the records that begin so.
static LessonState without(LessonState s, const std::string& head) {
  const auto begins_so = [&](const StepRecord& e) { return e.step.starts_with(head); };
  auto all = entries(s), answers = records_of(s.answers);
  std::erase_if(all, begins_so);
  std::erase_if(answers, begins_so);
  s.answers = text_of(answers);
  return with_entries(std::move(s), all);
}
LessonState without_quizzes(LessonState s, const std::string& lesson) {
  return without(std::move(s), escaped(lesson) + "?");
}
LessonState afresh(LessonState s, const std::string& lesson) {
  return without(std::move(s), head_of(lesson));
}

}  // namespace bscope
