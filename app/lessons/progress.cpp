#include "app/lessons/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/run/run.hpp"
#include "app/session/lesson_state.hpp"

namespace bscope {
namespace {

struct StepRecord {
  std::string step, score;  ///< "blelloch/5", "3:4" or nothing
};

std::vector<StepRecord> entries(const LessonState& s) {
  std::vector<StepRecord> all;
  for (size_t at = 0, end; at < s.progress.size(); at = end + 1) {
    end = std::min(s.progress.find(' ', at), s.progress.size());
    const std::string word = s.progress.substr(at, end - at);
    const size_t sign = std::min(word.find('='), word.size());
    if (!word.empty()) all.push_back({word.substr(0, sign), sign < word.size() ? word.substr(sign + 1) : ""});
  }
  return all;
}

LessonState with_entries(LessonState s, const std::vector<StepRecord>& all) {
  s.progress.clear();
  for (const StepRecord& e : all)
    s.progress += (s.progress.empty() ? "" : " ") + e.step + (e.score.empty() ? "" : "=") + e.score;
  return s;
}

/// How a lesson's entries begin. A lesson of one's own is named by its path, which may hold a space.
std::string head_of(const std::string& lesson) {
  std::string head;
  for (const char c : lesson)
    head += c == ' ' || c == '=' || c == '%' ? fmt::format("%{:02x}", c) : std::string(1, c);
  return head + "/";
}
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

LessonState afresh(LessonState s, const std::string& lesson) {
  auto all = entries(s);
  std::erase_if(all, [head = head_of(lesson)](const StepRecord& e) { return e.step.starts_with(head); });
  return with_entries(std::move(s), all);
}

}  // namespace bscope
