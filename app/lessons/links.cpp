#include "app/lessons/links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "app/lessons/document.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/shelf.hpp"
#include "app/tabs/compare/steps.hpp"
#include "engine/catalog/spelling.hpp"

namespace bscope {
namespace {

/// Is it a whole number from `least` to `most`?
bool is_count(const std::string& text, long long least, long long most) {
  const auto v = as_whole(text);
  return v && *v >= least && *v <= most;
}

/// Why the target leads nowhere; empty if it does lead somewhere.
std::string broken(const std::string& target, const LinkPlaces& at) {
  const size_t colon = target.find(':');
  const std::string what = target.substr(0, colon);
  const std::string which = colon == std::string::npos ? "" : target.substr(colon + 1);
  constexpr std::array kinds{"lesson", "step", "kernel", "order", "compare", "cell", "thread"};
  if (std::find(kinds.begin(), kinds.end(), what) == kinds.end() || colon == std::string::npos)
    return fmt::format(
        "the link to \"{}\" leads nowhere: links lead to a lesson:, step:, kernel:, order:, compare:, cell: "
        "or thread:",
        target);
  if (what == "lesson") {
    LessonShelf shelf;
    shelf.refresh();
    const auto& ids = shelf.ids();
    if (which == at.lesson.id || std::find(ids.begin(), ids.end(), which) != ids.end()) return {};
    std::string near;
    for (const std::string& id : ids)
      if (near.empty() || distance(id, which) < distance(near, which)) near = id;
    return fmt::format("there is no lesson \"{}\": did you mean {}? `barrierscope list` names them all",
                       which, near);
  }
  if (what == "step") {
    if (is_count(which, 1, (long long)at.lesson.steps.size())) return {};
    return fmt::format("there is no step {} in this lesson: they are 1 to {}", which, at.lesson.steps.size());
  }
  if (what == "cell") {
    if (cell_of(at.run, at.cursor.launch, which)) return {};
    return fmt::format("there is no cell {} here: the run has {}", which,
                       arrays_of(at.run, at.cursor.launch));
  }
  if (what == "thread") {
    const int threads = at.run.trace.launches[size_t(at.cursor.launch)].block;
    if (is_count(which, 0, threads - 1)) return {};
    return fmt::format("there is no thread {}: a block of this run has {}, from 0", which, threads);
  }
  if (what == "order") {
    try {
      parse_schedule(which);
      return {};
    } catch (const std::exception& e) { return e.what(); }
  }
  if (!algorithm_of(which)) {
    std::string near;
    for (const Algorithm* a : catalog())
      if (near.empty() || distance(a->name, which) < distance(near, which)) near = a->name;
    return fmt::format("there is no kernel \"{}\": did you mean {}? `barrierscope list` names them all",
                       which, near);
  }
  State s;
  s.target = at.target;
  s.run = std::shared_ptr<const Run>(std::shared_ptr<void>(), &at.run);
  if (what == "kernel") {
    Target t;
    t.request.kernel = which;
    s = opened(std::move(s), t, Where::nowhere, at.open);
  } else {
    s = with_other(std::move(s), which, at.open);
  }
  return s.error;
}

}  // namespace

std::vector<Mistake> link_mistakes(const std::string& text, int line, const LinkPlaces& places) {
  std::vector<Mistake> all;
  const auto wrong = [&](int at, std::string sentence) {
    if (!sentence.empty()) all.push_back({line + at, std::move(sentence)});
  };
  for (const Spans& words : prose_of(read_markdown(text))) {
    std::string plain;            // what is neither link nor code: marks in it are marks that nobody closed
    std::vector<int> plain_line;  // of each of its bytes
    for (size_t k = 0; k < words.size(); ++k) {
      const Span& s = words[k];
      if (s.link.empty() && !s.code) {
        plain += s.words;
        plain_line.resize(plain.size(), s.line);
      } else if (!s.link.empty() && (k == 0 || words[k - 1].link != s.link)) {
        if (s.words.empty())
          wrong(s.line, "this link has no words that could be clicked: write them between [ and ]");
        wrong(s.line, broken(s.link, places));
      }
    }
    if (const size_t at = plain.find('`'); at != std::string::npos)
      wrong(plain_line[at], "this piece of code has no end: close it with `");
    if (const size_t at = plain.find("**"); at != std::string::npos)
      wrong(
          plain_line[at],
          "these ** make nothing bold: write them at the words, with no space, comma or bracket in between");
    for (size_t at = plain.find("]("); at != std::string::npos; at = plain.find("](", at + 2)) {
      // markdown makes no link of a target that is empty or has a space
      const size_t end = plain.find(')', at);
      if (plain.rfind('[', at) != std::string::npos)
        wrong(plain_line[at], end == std::string::npos ? "this link has no end: close it with )"
                                                       : broken(plain.substr(at + 2, end - at - 2), places));
    }
  }
  return all;
}

std::vector<Mistake> brace_mistakes(const std::string& text, int line) {
  std::vector<Mistake> all;
  for (const Spans& words : prose_of(read_markdown(text))) {
    bool open = false;
    int last = 0;
    for (const Span& s : words) {
      open &= s.line == std::exchange(last, s.line);
      for (const char c : s.code ? "" : s.words) {
        if (c == '}' && !open)
          all.push_back(
              {line + s.line, "this } closes no placeholder: write {, a name and }, or leave it out"});
        open = c == '{' || (open && c != '}');
      }
    }
  }
  return all;
}

std::vector<Mistake> title_mistakes(const std::string& title, int line) {
  for (size_t at = 0; at + 1 < title.size(); ++at)
    if (title[at] == '{' && std::isalpha(static_cast<unsigned char>(title[at + 1])))
      return {{line, "a title is shown as it is written: say the number in a sentence of the step"}};
  return {};
}

}  // namespace bscope
