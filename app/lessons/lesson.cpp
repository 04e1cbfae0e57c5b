#include "app/lessons/lesson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "app/lessons/programs.hpp"
#include "app/lessons/settings.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/trimmed.hpp"

namespace bscope {
namespace {

constexpr size_t most_steps = 200, longest_setting = 1000;

class LessonReader {
 public:
  LessonReader(std::string_view text, const std::string& path) {
    lesson_.path = path;
    lesson_.id = lesson_id(path);
    for (size_t at = 0; at <= text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      std::string line(text.substr(at, end - at));
      if (line.ends_with('\r')) line.pop_back();
      lines_.push_back(std::move(line));
      // a terminal would obey it
      const auto obeyed = [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
      };
      if (std::any_of(lines_.back().begin(), lines_.back().end(), obeyed)) {
        wrong(message("this line holds a control character: take it out"), int(lines_.size()));
        std::replace_if(lines_.back().begin(), lines_.back().end(), obeyed, '?');
      }
      at = end + 1;
    }
    if (!lines_.empty() && lines_[0].starts_with("\xEF\xBB\xBF")) lines_[0].erase(0, 3);
  }

  Lesson read() {
    for (now_ = 0; now_ < int(lines_.size()); ++now_) {
      const std::string& line = lines_[size_t(now_)];
      if (line.starts_with("```")) {
        if (trimmed(line).substr(3) == "show")
          read_settings();
        else if (trimmed(line).substr(3) == "answer")
          read_question();
        else
          keep_code();
      } else if (line.starts_with("# ")) {
        if (!lesson_.title.empty())
          wrong(
              message("a lesson has one title; begin a step with two signs: ## {}", trimmed(line.substr(2))));
        else
          lesson_.title = trimmed(line.substr(2));
      } else if (line.starts_with("## ")) {
        begin(std::string(trimmed(line.substr(3))));
      } else if (lesson_.steps.empty()) {
        head(line);
      } else if (const std::string_view rule = trimmed(line);
                 rule.size() >= 3 && rule.find_first_not_of('-') == std::string::npos) {
        step().parts.push_back({"", now_ + 2});
        shown_ = false;
      } else {
        prose(line);
      }
    }
    finish();
    return std::move(lesson_);
  }

 private:
  const std::string& line() const { return lines_[size_t(now_)]; }
  /// Goes to the next line of a fenced block; false at its end, and at the file's.
  bool in_fence() { return ++now_ < int(lines_.size()) && !line().starts_with("```"); }
  LessonStep& step() { return lesson_.steps.back(); }
  /// The step whose settings are read: the step, or its answer.
  LessonStep& shown() { return answer_ ? *answer_ : step(); }
  void wrong(Message sentence, int line = -1) {
    lesson_.mistakes.push_back({line < 0 ? now_ + 1 : line, std::move(sentence)});
  }

  // Before the first step: "family: scan", "about: ..."
  void head(const std::string& line) {
    if (trimmed(line).empty()) return;
    const auto [key, value] = setting(line);
    if (key == "family")
      lesson_.family = value;
    else if (key == "about")
      lesson_.about = value;
    else
      wrong(
          message("\"{}\" stands before the first step: there only \"family: ...\" and \"about: ...\" are "
                  "known; begin a step with ## and its title",
                  trimmed(line)));
  }

  void begin(const std::string& title) {
    if (lesson_.steps.size() == most_steps)
      wrong(message("a lesson has at most {} steps: begin another one", most_steps));
    LessonStep s = lesson_.steps.empty() ? LessonStep() : after(shown());
    answer_.reset();
    s.title = title;
    s.line = now_ + 1;
    if (title.empty()) wrong(message("this step has no title: write it behind ##"));
    s.parts.push_back({"", now_ + 2});
    lesson_.steps.push_back(std::move(s));
    shown_ = false;
  }

  /// The run goes on from step to step, the place does not.
  static LessonStep after(const LessonStep& before) {
    LessonStep s;
    s.target = before.target;
    s.compare = before.compare;
    return s;
  }

  void prose(const std::string& line) {
    auto& part = step().parts.back();
    if (part.text.empty() && trimmed(line).empty()) {
      part.line = now_ + 2;
      return;
    }
    part.text += line + "\n";
  }

  void keep_code() {
    const int from = now_;
    if (lesson_.steps.empty())
      wrong(message("a fenced block stands before the first step: begin a step with ##"));
    do {
      if (!lesson_.steps.empty()) prose(line());
    } while (in_fence());
    if (now_ == int(lines_.size()))
      wrong(message("this fenced block has no end: close it with ```"), from + 1);
    else if (!lesson_.steps.empty())
      prose("```");
  }

  void read_settings() {
    const int from = now_;
    const bool lost = lesson_.steps.empty();
    if (lost)
      wrong(message("a ```show block stands before the first step: begin a step with ## and its title"));
    else
      begin_settings();
    while (in_fence())
      if (!lost && !trimmed(line()).empty()) read_setting();
    if (now_ == int(lines_.size()))
      wrong(message("this ```show block has no end: close it with ```"), from + 1);
    if (lost) return;
    end_settings();
    step().parts.back().line = now_ + 2;
  }

  void begin_settings() {
    const bool answers = step().parts.size() > 1;
    if (shown_) wrong(message("this step has a ```show block already: put all its settings into that one"));
    if (!step().parts.back().text.empty())
      wrong(answers
                ? message(
                      "the ```show block stands after the answer's text: put it right under the line of ---")
                : message("the ```show block stands after the text: put it right under the step's title"));
    if (answers && !shown_) {
      if (step().predict)
        wrong(message(
            "this step is a prediction, which shows its own answer: leave out the answer's ```show block"));
      auto answer = std::make_shared<LessonStep>(after(shown()));
      answer->title = step().title;
      answer->line = now_ + 1;
      step().parts.back().shows = answer_ = answer;
    }
    shown_ = true;
    // A kernel or a program begins a run of its own, whichever line it stands on.
    for (size_t i = size_t(now_) + 1; i < lines_.size() && !lines_[i].starts_with("```"); ++i)
      if (const std::string name = setting(lines_[i]).first; name == "kernel" || name == "file")
        shown().target = {}, shown().compare = {};
  }

  /// The programs' files are found where the lesson lies, and each setting fits what is run.
  void end_settings() {
    LessonStep& s = shown();
    const auto find_program = [&](std::string& file, const char* setting) {
      if (s.line_of(setting) == s.line || file.empty()) return;
      if (const std::string found = program_beside(lesson_.path, file); !found.empty())
        file = found;
      else if (known_wrong(s.line_of(setting)))
        return;
      else
        wrong(message("there is no file {} beside the lesson, nor in a folder \"programs\" there or above it",
                      file),
              s.line_of(setting));
    };
    find_program(s.target.file, "file");
    find_program(s.compare.file, "compare");
    for (const auto& [name, at] : s.lines) {
      const StepSetting::For is_for = find_setting(name)->is_for;
      if (is_for == StepSetting::kernels && s.target.is_file())
        wrong(name == "kernel" ? message("this step has a kernel and a file: leave one of them out")
                               : message("\"{}\" is for kernels: a program takes const: and args:", name),
              at);
      else if (is_for == StepSetting::programs && !s.target.is_file())
        wrong(message("\"{}\" is for programs: name one with file: transpose.cu", name), at);
    }
  }
  bool known_wrong(int line) const {
    return std::ranges::any_of(lesson_.mistakes, [&](const Mistake& m) { return m.line == line; });
  }

  void read_setting() {
    const auto [name, value] = setting(line());
    if (name != "values" && name.size() + value.size() > longest_setting)
      return wrong(message("this line is too long for a setting: write \"name: value\""));
    if (name.empty() || value.empty())
      return wrong(message("\"{}\" sets nothing: write \"name: value\"", trimmed(line())));
    const StepSetting* known = find_setting(name);
    if (!known) return wrong(unknown_setting(name));
    if (shown().line_of(name) != shown().line)
      return wrong(message("\"{}\" is set twice in this step: leave one of them out", name));
    shown().lines.emplace_back(name, now_ + 1);
    try {
      known->take(shown(), value);
    } catch (const std::exception& e) { wrong(message_of(e)); }
    if (name == "predict" && answer_ && shown().predict)
      wrong(message("an answer asks nothing: leave out \"predict\", or begin a step of its own with ##"));
  }

  void read_question() {
    const int from = now_;
    Question unused, &question = lesson_.steps.empty() ? unused : step().parts.back().question;
    if (lesson_.steps.empty())
      wrong(message("a ```answer block stands before the first step: begin a step with ## and its title"));
    else if (question.line)
      wrong(message("this question has an ```answer block already: put all of it into that one"));
    question.line = from + 1;
    while (in_fence()) {
      if (trimmed(line()).empty()) continue;
      const auto [name, value] = setting(line());
      if (name.empty() || value.empty() || name.size() + value.size() > longest_setting) {
        wrong(message("\"{}\" sets nothing: write \"name: value\"", trimmed(line())));
        continue;
      }
      try {
        take_answer_line(question, name, value);
      } catch (const std::exception& e) { wrong(message_of(e)); }
    }
    if (now_ == int(lines_.size()))
      wrong(message("this ```answer block has no end: close it with ```"), from + 1);
    else if (const Message lack = lack_of(question); !lack.empty())
      wrong(lack, from + 1);
  }

  static std::pair<std::string, std::string> setting(const std::string& line) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos) return {};
    const std::string_view all = line;
    return {std::string(trimmed(all.substr(0, colon))), std::string(trimmed(all.substr(colon + 1)))};
  }

  void finish() {
    now_ = 0;
    if (lesson_.steps.size() > most_steps) lesson_.steps.resize(most_steps);
    if (lesson_.title.empty()) wrong(message("this lesson has no title: begin it with # and its name"), 1);
    if (lesson_.steps.empty())
      wrong(message("this lesson has no steps: begin each with ## and its title"), 1);
    for (LessonStep& s : lesson_.steps) {
      if (s.target.request.kernel.empty() && !s.target.is_file())
        wrong(message("this step has no kernel, nor any step before it: write kernel: scan/blelloch, or "
                      "file: and the name of a CUDA file, in a ```show block"),
              s.line);
      for (auto& part : s.parts) {
        if (part.question.line && &part == &s.parts.back())
          wrong(message("this question has no answer's text: write it under a line of ---"),
                part.question.line);
        if (part.question.line && s.predict && &part == &s.parts.front())
          wrong(message("this step is a prediction, which asks for itself: leave out one of the two"),
                part.question.line);
        while (part.text.ends_with('\n')) part.text.pop_back();
        if (part.text.empty())
          wrong(message("there is nothing to read here: write a sentence"), part.line - 1);
      }
    }
    if (lesson_.family.empty() && !lesson_.steps.empty()) {
      const auto first = std::ranges::find_if(
          lesson_.steps, [](const LessonStep& s) { return !s.target.request.kernel.empty(); });
      if (first != lesson_.steps.end())
        lesson_.family = family_of(first->target.request.kernel).name;
      else if (lesson_.steps[0].target.is_file())
        wrong(message("this lesson has no kernel that it could be sorted by: write \"family: course\" before "
                      "the first step"),
              1);
    }
    std::stable_sort(lesson_.mistakes.begin(), lesson_.mistakes.end(),
                     [](const Mistake& a, const Mistake& b) { return a.line < b.line; });
  }

  Lesson lesson_;
  std::vector<std::string> lines_;
  int now_ = 0;
  bool shown_ = false;                  ///< the part that is read has its settings already
  std::shared_ptr<LessonStep> answer_;  ///< whose settings are read, where they are not the step's own
};

}  // namespace

int LessonStep::line_of(std::string_view setting) const {
  for (const auto& [name, at] : lines)
    if (name == setting) return at;
  return line;
}

const LessonStep& shown_at(const LessonStep& s, int part) {
  for (int k = std::min(part, int(s.parts.size()) - 1); k > 0; --k)
    if (s.parts[size_t(k)].shows) return *s.parts[size_t(k)].shows;
  return s;
}

Lesson parse_lesson(std::string_view text, const std::string& path) {
  return LessonReader(text, path).read();
}

Message message_of(const Lesson& l, const Mistake& m) {
  Message all =
      message("{}, line {}: {}", std::filesystem::path(l.path).filename().string(), m.line, m.message);
  // what it quotes may go over several lines of the file; a message has one
  all.for_each_text([](std::string& text) {
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  });
  return all;
}

std::string lesson_id(const std::string& path) {
  std::string id = std::filesystem::path(path).stem().string();
  size_t digits = 0;
  while (digits < id.size() && std::isdigit(static_cast<unsigned char>(id[digits]))) ++digits;
  if (digits > 0 && digits + 1 < id.size() && id[digits] == '-') id.erase(0, digits + 1);
  return id;
}

}  // namespace bscope
