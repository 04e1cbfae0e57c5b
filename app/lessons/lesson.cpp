#include "app/lessons/lesson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "engine/catalog/spelling.hpp"

namespace bscope {
namespace {

std::string trimmed(std::string_view s) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!s.empty() && blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && blank(s.back())) s.remove_suffix(1);
  return std::string(s);
}

std::vector<std::string> words_of(const std::string& s) {
  std::vector<std::string> out;
  for (size_t i = 0; i < s.size();) {
    while (i < s.size() && (s[i] == ' ' || s[i] == ',' || s[i] == '\t')) ++i;
    const size_t from = i;
    while (i < s.size() && s[i] != ' ' && s[i] != ',' && s[i] != '\t') ++i;
    if (i > from) out.push_back(s.substr(from, i - from));
  }
  return out;
}

/// A number with nothing behind it, also 2^20; empty otherwise.
std::optional<double> number(const std::string& s) {
  std::optional<double> v(0.0);
  if (s.starts_with("2^")) {
    const long long power = as_whole(std::string_view(s).substr(2)).value_or(-1);
    v = std::ldexp(1.0, int(std::clamp(power, 0ll, 40ll)));
    if (power < 0 || power > 40) v.reset();
  } else if (const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), *v);
             s.empty() || error != std::errc() || end != s.data() + s.size() || !std::isfinite(*v)) {
    v.reset();
  }
  return v;
}
std::optional<int> whole(const std::string& s) {
  const auto v = number(s);
  if (!v || *v != std::floor(*v) || std::abs(*v) > 2e9) return {};
  return int(*v);
}

constexpr std::array settings{"kernel",  "n",      "values", "pattern", "seed",  "skew",   "block",
                              "set",     "preset", "order",  "launch",  "look",  "step",   "phase",
                              "cell",    "array",  "thread", "line",    "zoom",  "arrows", "tab",
                              "compare", "padded", "time",   "predict", "figure"};

constexpr size_t most_steps = 200, longest_setting = 1000;

class Reader {
 public:
  Reader(std::string_view text, const std::string& path) {
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
        wrong("this line holds a control character: take it out", int(lines_.size()));
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
        else
          keep_code();
      } else if (line.starts_with("# ")) {
        if (!lesson_.title.empty())
          wrong("a lesson has one title; begin a step with two signs: ## " + trimmed(line.substr(2)));
        else
          lesson_.title = trimmed(line.substr(2));
      } else if (line.starts_with("## ")) {
        begin(trimmed(line.substr(3)));
      } else if (lesson_.steps.empty()) {
        head(line);
      } else if (const std::string rule = trimmed(line);
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
  LessonStep& step() { return lesson_.steps.back(); }
  /// Whose settings are read: the step's, or its answer's.
  LessonStep& shown() { return answer_ ? *answer_ : step(); }
  void wrong(std::string sentence, int line = -1) {
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
          "\"" + trimmed(line) +
          "\" stands before the first step: there only \"family: ...\" and \"about: ...\" are known; begin a "
          "step with ## and its title");
  }

  void begin(const std::string& title) {
    if (lesson_.steps.size() == most_steps)
      wrong(fmt::format("a lesson has at most {} steps: begin another one", most_steps));
    LessonStep s;
    if (!lesson_.steps.empty()) {
      s.target = shown().target;
      s.compare = shown().compare;
    }
    answer_.reset();
    s.title = title;
    s.line = now_ + 1;
    if (title.empty()) wrong("this step has no title: write it behind ##");
    s.parts.push_back({"", now_ + 2});
    lesson_.steps.push_back(std::move(s));
    shown_ = false;
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
    if (lesson_.steps.empty()) wrong("a fenced block stands before the first step: begin a step with ##");
    do {
      if (!lesson_.steps.empty()) prose(lines_[size_t(now_)]);
      ++now_;
    } while (now_ < int(lines_.size()) && !lines_[size_t(now_)].starts_with("```"));
    if (now_ == int(lines_.size()))
      wrong("this fenced block has no end: close it with ```", from + 1);
    else if (!lesson_.steps.empty())
      prose("```");
  }

  void read_settings() {
    const int from = now_;
    const bool lost = lesson_.steps.empty();
    if (lost) wrong("a ```show block stands before the first step: begin a step with ## and its title");
    if (!lost && shown_) wrong("this step has a ```show block already: put all its settings into that one");
    const bool answers = !lost && step().parts.size() > 1;
    if (!lost && !step().parts.back().text.empty())
      wrong(answers ? "the ```show block stands after the answer's text: put it right under the line of ---"
                    : "the ```show block stands after the text: put it right under the step's title");
    if (answers && !shown_) {
      if (step().predict)
        wrong("this step is a prediction, which shows its own answer: leave out the answer's ```show block");
      auto answer = std::make_shared<LessonStep>();
      answer->target = shown().target;
      answer->compare = shown().compare;
      answer->title = step().title;
      answer->line = now_ + 1;
      answer_ = answer;
      step().parts.back().shows = answer;
    }
    shown_ = true;
    // A kernel begins a run of its own, whichever line it stands on.
    for (int i = now_ + 1; !lost && i < int(lines_.size()) && !lines_[size_t(i)].starts_with("```"); ++i)
      if (setting(lines_[size_t(i)]).first == "kernel") shown().target = {}, shown().compare.clear();
    for (++now_; now_ < int(lines_.size()) && !lines_[size_t(now_)].starts_with("```"); ++now_) {
      if (trimmed(lines_[size_t(now_)]).empty() || lost) continue;
      const auto [key, value] = setting(lines_[size_t(now_)]);
      if (key != "values" && key.size() + value.size() > longest_setting) {
        wrong("this line is too long for a setting: write \"name: value\"");
        continue;
      }
      if (key.empty() || value.empty()) {
        wrong("\"" + trimmed(lines_[size_t(now_)]) + "\" sets nothing: write \"name: value\"");
        continue;
      }
      if (std::find(settings.begin(), settings.end(), key) != settings.end() &&
          shown().line_of(key) != shown().line) {
        wrong("\"" + key + "\" is set twice in this step: leave one of them out");
        continue;
      }
      if (std::find(settings.begin(), settings.end(), key) != settings.end())
        shown().lines.emplace_back(key, now_ + 1);
      set(key, value);
    }
    if (now_ == int(lines_.size())) wrong("this ```show block has no end: close it with ```", from + 1);
    if (!lost) step().parts.back().line = now_ + 2;
  }

  static std::pair<std::string, std::string> setting(const std::string& line) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos) return {};
    return {trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1))};
  }

  void set(const std::string& key, const std::string& value) {
    LessonStep& s = shown();
    Request& r = s.target.request;
    const auto counted = [&](const char* what, int least) -> std::optional<int> {
      const auto v = whole(value);
      if (v && *v >= least) return v;
      wrong(fmt::format("\"{}: {}\" is not {}", key, value, what));
      return {};
    };
    const auto yes = [&] {
      if (value != "yes" && value != "no")
        wrong(fmt::format("\"{}: {}\" is neither yes nor no: write one of them", key, value));
      return value == "yes";
    };
    if (key == "kernel") {
      r.kernel = value;
      if (!algorithm_of(value)) {
        std::string near;
        for (const Algorithm* a : catalog())
          if (near.empty() || distance(a->name, value) < distance(near, value)) near = a->name;
        wrong(fmt::format("there is no kernel \"{}\": did you mean {}? `barrierscope list` names them all",
                          value, near));
      }
    } else if (key == "n") {
      if (const auto n = counted("a number of elements: write for example n: 16", 1)) {
        r.n = *n;
        r.values.reset();
        r.preset.clear();
      }
    } else if (key == "values") {
      std::vector<double> values;
      for (const std::string& word : words_of(value)) {
        const auto v = number(word);
        if (!v) return wrong(fmt::format("\"{}\" is no number: write for example values: 3 1 7 0", word));
        values.push_back(*v);
      }
      r.values = std::move(values);
      r.n.reset();
      r.preset.clear();
    } else if (key == "pattern") {
      constexpr std::array known{"ones", "ramp", "random", "sine", "skewed"};
      if (std::find(known.begin(), known.end(), value) == known.end())
        return wrong(
            fmt::format("there is no pattern \"{}\": choose ones, ramp, random, sine or skewed", value));
      r.pattern = value;
      r.values.reset();
    } else if (key == "seed") {
      if (const auto v = counted("a seed: write a whole number from 0", 0)) r.seed = uint32_t(*v);
    } else if (key == "skew") {
      const auto v = number(value);
      if (!v || *v < 0 || *v > 1)
        return wrong(fmt::format("\"{}: {}\" is not {}", key, value, "a share: write a number from 0 to 1"));
      r.skew = *v;
    } else if (key == "block") {
      if (value == "auto")
        r.block.reset();
      else if (const auto v = counted("a number of threads: write for example block: 8, or auto", 1))
        r.block = *v;
    } else if (key == "set") {
      for (const std::string& word : words_of(value)) {
        const size_t sign = word.find('=');
        if (sign == 0 || sign == std::string::npos || sign + 1 == word.size()) {
          wrong(fmt::format("\"{}\" sets no parameter: write set: name=value", word));
          continue;
        }
        const std::string name = word.substr(0, sign);
        std::erase_if(r.set, [&](const auto& p) { return p.first == name; });
        r.set.emplace_back(name, word.substr(sign + 1));
      }
    } else if (key == "preset") {
      r.preset = value;
      r.n.reset();
      r.values.reset();
    } else if (key == "order") {
      try {
        s.target.schedule = parse_schedule(value);
      } catch (const std::exception& e) { wrong(e.what()); }
    } else if (key == "launch") {
      s.spot.launch = counted("a launch: they count from 1", 1);
    } else if (key == "look") {
      // "block 3": which block of the launch
      const auto w = words_of(value);
      const auto v = w.size() == 2 && w[0] == "block" ? whole(w[1]) : std::nullopt;
      if (!v || *v < 0) return wrong(fmt::format("\"look: {}\" names no block: write look: block 0", value));
      s.spot.block = *v;
    } else if (key == "step") {
      if (value == "last")
        s.spot.step = 0;
      else
        s.spot.step = counted("a step: they count from 1, as below the transport; or write last", 1);
    } else if (key == "phase") {
      const size_t space = value.find_last_of(' ');
      const auto of = space == std::string::npos ? std::nullopt : whole(value.substr(space + 1));
      s.spot.phase = of ? trimmed(value.substr(0, space)) : value;
      if (of && s.line_of("step") != s.line)
        return wrong(
            "the step within the phase is set twice: leave out \"step\", or the number behind the phase");
      if (of) s.spot.step = *of;
    } else if (key == "cell") {
      if (!value.ends_with(']') || value.find('[') == std::string::npos)
        return wrong(fmt::format("\"cell: {}\" names no cell: write for example cell: sum[15]", value));
      s.spot.cell = value;
    } else if (key == "array") {
      s.spot.array = value;
    } else if (key == "thread") {
      if (const auto v = counted("a thread: they count from 0 in each block", 0)) s.spot.thread = *v;
    } else if (key == "line") {
      s.spot.line = value;
    } else if (key == "zoom") {
      const auto w = words_of(value);
      const auto factor = number(w.empty() ? "" : w[0]);
      const auto at = w.size() == 3 && w[1] == "at" ? whole(w[2]) : std::nullopt;
      if (!factor || *factor < 1 || (w.size() != 1 && !at))
        return wrong(fmt::format("\"zoom: {}\" is no zoom: write zoom: 8, or zoom: 8 at 64", value));
      s.spot.zoom = float(*factor);
      s.spot.first_cell = at.value_or(0);
    } else if (key == "arrows") {
      s.arrows = yes();
    } else if (key == "tab") {
      const auto tab = tab_named(value);
      if (!tab)
        return wrong(fmt::format(
            "there is no tab \"{}\": choose watch, banks, memory, atomics, compare or time", value));
      s.tab = *tab;
    } else if (key == "compare") {
      s.compare = value;
      if (!algorithm_of(value))
        wrong(fmt::format("there is no kernel \"{}\" to compare with: `barrierscope list` names them all",
                          value));
    } else if (key == "time") {
      for (const std::string& word : words_of(value)) {
        const auto v = word.size() > 2 ? whole(word.substr(word.find('=') + 1)) : std::nullopt;
        if (word.starts_with("n=") && v && *v >= 10 && *v <= 29)
          s.log_n = *v;
        else if (word.starts_with("block=") && v && *v >= 32 && *v <= 1024 && (*v & (*v - 1)) == 0)
          s.block = *v;
        else
          wrong(
              fmt::format("\"{}\" sets nothing in Time: write n=10 to n=29 (the logarithm of the length) or "
                          "block=32 to block=1024",
                          word));
      }
    } else if (key == "padded") {
      s.padded = yes();
    } else if (key == "figure") {
      s.hand_over = value == "hand-over";
      if (!s.hand_over)
        wrong(fmt::format("there is no figure \"{}\": write figure: hand-over, and the cell of its flag",
                          value));
    } else if (key == "predict") {
      s.predict = yes();
      if (answer_ && s.predict)
        wrong("an answer asks nothing: leave out \"predict\", or begin a step of its own with ##");
    } else {
      const auto near = *std::min_element(settings.begin(), settings.end(), [&](auto a, auto b) {
        return distance(a, key) < distance(b, key);
      });
      wrong(fmt::format("there is no setting \"{}\": did you mean {}? docs/lessons.md lists them all", key,
                        near));
    }
  }

  void finish() {
    now_ = 0;
    if (lesson_.steps.size() > most_steps) lesson_.steps.resize(most_steps);
    if (lesson_.title.empty()) wrong("this lesson has no title: begin it with # and its name", 1);
    if (lesson_.steps.empty()) wrong("this lesson has no steps: begin each with ## and its title", 1);
    for (LessonStep& s : lesson_.steps) {
      if (s.target.request.kernel.empty())
        wrong(
            "this step has no kernel, nor any step before it: write kernel: scan/blelloch in a ```show block",
            s.line);
      for (auto& part : s.parts) {
        while (part.text.ends_with('\n')) part.text.pop_back();
        if (part.text.empty()) wrong("there is nothing to read here: write a sentence", part.line - 1);
      }
    }
    if (lesson_.family.empty() && !lesson_.steps.empty()) {
      const std::string& kernel = lesson_.steps[0].target.request.kernel;
      lesson_.family = kernel.substr(0, kernel.find('/'));
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

Lesson parse_lesson(std::string_view text, const std::string& path) { return Reader(text, path).read(); }

std::string sentence_of(const Lesson& l, const Mistake& m) {
  std::string sentence =
      fmt::format("{}, line {}: {}", std::filesystem::path(l.path).filename().string(), m.line, m.sentence);
  // What it quotes may go over several lines of the file; a sentence has one.
  std::ranges::replace_if(
      sentence, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return sentence;
}

std::string lesson_id(const std::string& path) {
  std::string id = std::filesystem::path(path).stem().string();
  size_t digits = 0;
  while (digits < id.size() && std::isdigit(static_cast<unsigned char>(id[digits]))) ++digits;
  if (digits > 0 && digits + 1 < id.size() && id[digits] == '-') id.erase(0, digits + 1);
  return id;
}

}  // namespace bscope
